// SPDX-License-Identifier: BSD-3-Clause
/* One RDMA packet of a capture. */
#ifndef CONFORMANCE_FRAME_PACKET_H
#define CONFORMANCE_FRAME_PACKET_H

#include "conformance/input/buffer/octets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* IPv4 addresses are mapped: the last four octets, after ::ffff:0:0/96. Local identifiers of
 * InfiniBand are the last two octets, after ::fefe:0:0. */
struct address {
    uint8_t octets[16];
};

/* Base transport header opcodes (InfiniBand specification, 9.2): reliable connection, and the one
 * of unreliable datagrams that carries connection management. */
enum opcode {
    OP_SEND_FIRST = 0x00,
    OP_SEND_MIDDLE = 0x01,
    OP_SEND_LAST = 0x02,
    OP_SEND_LAST_IMMEDIATE = 0x03,
    OP_SEND_ONLY = 0x04,
    OP_SEND_ONLY_IMMEDIATE = 0x05,
    OP_WRITE_FIRST = 0x06,
    OP_WRITE_MIDDLE = 0x07,
    OP_WRITE_LAST = 0x08,
    OP_WRITE_LAST_IMMEDIATE = 0x09,
    OP_WRITE_ONLY = 0x0a,
    OP_WRITE_ONLY_IMMEDIATE = 0x0b,
    OP_READ_REQUEST = 0x0c,
    OP_READ_FIRST = 0x0d,
    OP_READ_MIDDLE = 0x0e,
    OP_READ_LAST = 0x0f,
    OP_READ_ONLY = 0x10,
    OP_ACKNOWLEDGE = 0x11,
    OP_ATOMIC_ACKNOWLEDGE = 0x12,
    OP_COMPARE_SWAP = 0x13,
    OP_FETCH_ADD = 0x14,
    OP_SEND_LAST_INVALIDATE = 0x16,
    OP_SEND_ONLY_INVALIDATE = 0x17,
    OP_RC_LAST = 0x1f,
    OP_DATAGRAM = 0x64,
    OP_WITHIN = 0xc0, /* of those left to manufacturers: within.h */
};

/* When a frame was captured, and by which interface of the file: of another one the clock may
 * differ. */
struct stamp {
    int64_t time; /* nanoseconds since 1970, or 0: the file does not say */
    uint32_t interface;
};

static inline bool stamp_is_before(const struct stamp *a, const struct stamp *b)
{
    return a->time != 0 && a->time < b->time && a->interface == b->interface;
}

struct packet {
    uint64_t frame; /* from 1 */
    struct stamp stamp;
    struct address source, destination;
    uint8_t opcode;
    uint32_t queue_pair; /* of the destination */
    uint32_t psn;        /* 24 bits */
    /* Extended headers, where the opcode has them. */
    uint64_t offset;         /* RETH */
    uint32_t handle, length; /* RETH; handle also of the invalidate header */
    uint8_t syndrome;        /* AETH */
    /* Payload, without padding and check sum. */
    const uint8_t *payload;
    size_t recorded; /* octets of it in the capture */
    size_t total;    /* and on the wire */
    /* Of RoCEv2, else NULL: the header of IP, and the invariant CRC if it was recorded. */
    const uint8_t *network, *sum;
};

enum packet_kind {
    PACKET_OTHER, /* neither RDMA nor TCP */
    PACKET_CUT,   /* not recorded as far as to show what it is */
    PACKET_BAD,   /* RDMA with impossible lengths */
    PACKET_ROCE,  /* RoCE of either version, or InfiniBand */
    PACKET_TCP,   /* the payload is a TCP segment with its header */
    PACKET_ESP,   /* encrypted by IPsec */
    PACKET_MACSEC,
};

/* Parse a frame of the link type (as libpcap numbers them) of which `recorded` octets of `total`
 * are at hand. Fills all of *packet but frame and stamp for PACKET_ROCE; addresses and payload for
 * PACKET_TCP. */
enum packet_kind packet_parse(int link_type, const uint8_t *frame, size_t recorded, size_t total,
                              struct packet *packet);

/* Whether the invariant CRC of a packet of RoCEv2 says that it is whole. SUM_UNKNOWN: it has none,
 * was not recorded to its end, holds data alone, which no rule is about, or would be right with
 * another identification of its IPv4 header: one in 65,536 of any octets would be so by chance. */
enum packet_sum { SUM_UNKNOWN, SUM_RIGHT, SUM_WRONG };
enum packet_sum packet_sum(const struct packet *packet);

/* What such a frame is, in words: "an acknowledgement". */
const char *packet_what(enum packet_kind kind, const struct packet *packet);

/* Whether packet_parse() knows the link type. */
bool packet_link_known(int link_type);

static inline bool address_equal(const struct address *a, const struct address *b)
{
    return memcmp(a->octets, b->octets, sizeof a->octets) == 0;
}

/* "192.0.2.1", "[2001:db8::1]" or "lid17"; text has room for ADDRESS_TEXT. */
#define ADDRESS_TEXT 48
void address_text(const struct address *address, char *text);

/* Of a reliable connection: it has the number of a request of the other side. */
static inline bool packet_is_response(const struct packet *packet)
{
    return packet->opcode >= OP_READ_FIRST && packet->opcode <= OP_ATOMIC_ACKNOWLEDGE;
}

/* Packet sequence numbers have 24 bits and wrap. */
#define PSN_MASK 0xffffffu

static inline uint32_t psn_add(uint32_t psn, uint32_t count)
{
    return (psn + count) & PSN_MASK;
}

/* How far a is ahead of b, as a signed number. */
static inline int32_t psn_distance(uint32_t a, uint32_t b)
{
    uint32_t d = (a - b) & PSN_MASK;
    return d < 0x800000 ? (int32_t)d : (int32_t)d - 0x1000000;
}

#endif
