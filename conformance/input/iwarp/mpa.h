// SPDX-License-Identifier: BSD-3-Clause
/*
 * MPA (RFC 5044, and the revision 2 of RFC 6581): the two frames that start a connection, then
 * FPDUs, each of which carries one ULPDU. The caller has one struct mpa_stream for each direction.
 */
#ifndef CONFORMANCE_IWARP_MPA_H
#define CONFORMANCE_IWARP_MPA_H

#include "conformance/input/buffer/memory.h"

/* ---- starting ---- */

#define MPA_PRIVATE_DATA_MAX 512
#define MPA_START_HEADER 20
#define MPA_AT_LENGTH 18 /* of the private data, in that header */
#define MPA_START_MAX (MPA_START_HEADER + MPA_PRIVATE_DATA_MAX)

enum { MPA_KEY_SIZE = 16, MPA_ENHANCED_SIZE = 4 };
enum { MPA_MARKERS = 0x80, MPA_CRC = 0x40, MPA_REJECTED = 0x20, MPA_ENHANCED = 0x10 }; /* flags */
/* Flags of `ird` and `ord` (RFC 6581, 9): the client begins, with an empty Send, Write or Read. */
enum { MPA_PEER_TO_PEER = 0x8000, MPA_BY_SEND = 0x4000 };
enum { MPA_BY_WRITE = 0x8000, MPA_BY_READ = 0x4000, MPA_DEPTH = 0x3fff };

/* What a request, and a reply, begin with. */
extern const uint8_t mpa_key[2][MPA_KEY_SIZE];

enum mpa_parsed { MPA_PARSED, MPA_MORE, MPA_WRONG };

struct mpa_start {
    bool markers; /* its sender wants markers in what it receives */
    bool crc;     /* its sender wants CRCs, in both directions */
    bool rejected;
    uint8_t revision;
    bool enhanced;               /* revision 2: with these three */
    bool peer_to_peer;           /* the client begins with a message of no length */
    uint16_t ird, ord;           /* RDMA Reads that it serves, and issues; with their flags */
    const uint8_t *private_data; /* the upper layer's own, without that of revision 2 */
    size_t private_length;
    size_t length; /* of the whole frame */
};

/* Whether these octets begin a request. */
bool mpa_is_request(const uint8_t *octets, size_t length);

/* Parse the request, or the reply to it. MPA_MORE: it is not complete. */
enum mpa_parsed mpa_start_parse(const uint8_t *octets, size_t length, bool is_reply,
                                struct mpa_start *start);

/* ---- FPDUs ---- */

enum {
    MPA_LENGTH_SIZE = 2,
    MPA_CHECK_SUM_SIZE = 4,
    MPA_MARKER_SIZE = 4,
    MPA_MARKER_INTERVAL = 512
};

enum mpa_loss {
    MPA_LOST_CRC,     /* the check sum is wrong */
    MPA_LOST_MARKER,  /* a marker does not point to the beginning of its FPDU */
    MPA_LOST_FRAMING, /* where the next FPDU begins was not recorded */
};

struct mpa_handler {
    /* A ULPDU, of which `recorded` octets are at hand. */
    void (*ulpdu)(void *arg, const uint8_t *octets, size_t recorded, size_t length, uint64_t frame);
    void (*lost)(void *arg, enum mpa_loss loss, uint64_t frame);
    /* A segment in which no FPDU could be found since framing was lost. */
    void (*unframed)(void *arg, uint64_t frame);
    /* Whether a ULPDU can begin like this. Asked only where framing was lost. */
    bool (*is_plausible)(const uint8_t *octets, size_t recorded, size_t length);
};

/* Octets of a ULPDU that is_plausible() is given. */
#define MPA_LOOK 18

struct mpa_stream {
    struct memory *memory;
    const struct mpa_handler *handler;
    void *arg;
    bool markers, crc; /* are in use */
    bool lost;         /* framing: until a segment begins with what can only be an FPDU */
    uint64_t position; /* octets since the first FPDU, markers included */
    /* The FPDU that is being read. */
    uint64_t begin;                     /* position of its header */
    size_t count;                       /* octets of it so far, without markers */
    uint32_t header, check_sum, marker; /* as far as they have come: the last octets of each */
    struct buffer ulpdu;
    bool cut; /* octets of it were not recorded, or there was no memory */
    bool cut_marker;
    uint32_t crc_value;
};

/* The first FPDU comes next. */
void mpa_begin(struct mpa_stream *stream, bool markers, bool crc);

/* The next octets of the stream, of which `recorded` are at hand: one segment's. */
void mpa_take(struct mpa_stream *stream, const uint8_t *octets, size_t recorded, size_t total,
              uint64_t frame);

/* This many octets are missing. What is being read is dropped without a word. */
void mpa_skip(struct mpa_stream *stream, uint32_t octets);

void mpa_free(struct mpa_stream *stream);

/* Where the connection's beginning was not seen: the ULPDU of the one FPDU, without markers, that
 * these octets are; NULL if they are not. */
const uint8_t *mpa_only_ulpdu(const uint8_t *octets, size_t recorded, size_t total, size_t *length);

#endif
