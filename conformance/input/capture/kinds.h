// SPDX-License-Identifier: BSD-3-Clause
/* What the frames of a capture hold, where none of it is RPC-over-RDMA. */
#ifndef CONFORMANCE_CAPTURE_KINDS_H
#define CONFORMANCE_CAPTURE_KINDS_H

#include "conformance/input/capture/establish.h"
#include "conformance/input/capture/frames.h"

/* A request of TCP to connect to the port, and whether it was agreed to or refused. */
struct kinds_request {
    struct address client, server;
    uint16_t client_port;
    uint32_t sequence;
    bool agreed, refused;
};

#define KINDS_REQUESTS 64

/* Numbers of frames. */
struct kinds {
    uint64_t rdma;     /* RoCE or InfiniBand */
    uint64_t cut;      /* not recorded to their end; RDMA, or they do not show what they are */
    size_t recorded;   /* octets of each that was cut */
    bool differ;       /* those were not the same of all */
    uint64_t nfs, tls; /* NFS over TCP; those that begin a record of TLS */
    uint64_t esp, macsec;
    /* TCP at the port: requests to connect, each once however often it was sent; and frames with
     * octets. */
    struct kinds_request requests[KINDS_REQUESTS];
    unsigned request_count;
    bool more_requests; /* than there is room for */
    uint64_t carrying;
    uint64_t others; /* connections to the port that are of another protocol */
};

/* Count a frame, by what packet_parse() made of it. */
void kinds_count(struct kinds *kinds, const struct captured_frame *frame, enum packet_kind kind,
                 const struct packet *packet, uint16_t port);

/* What there was instead: "; ..." in the user's words, or nothing. Where frames were cut it is that
 * alone: the rest may be wrong. */
#define KINDS_TEXT 400
void kinds_describe(const struct kinds *kinds, const struct request_table *requests, uint16_t port,
                    char text[KINDS_TEXT]);

#endif
