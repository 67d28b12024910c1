// SPDX-License-Identifier: BSD-3-Clause
/*
 * TCP, as far as iWARP needs it: the octets of both directions of a connection, in order.
 *
 * A segment is passed on once all octets before it were, and once the other direction has come as
 * far as the segment acknowledges: so an answer never comes before what it answers, however the
 * capture mixed them. Segments that cannot be passed on yet are kept, within limits. What never
 * comes is reported as lost: it was acknowledged, so only the capture missed it, or too much is
 * waiting for it.
 */
#ifndef CONFORMANCE_IWARP_TCP_H
#define CONFORMANCE_IWARP_TCP_H

#include "conformance/input/buffer/memory.h"

struct tcp_segment {
    uint64_t frame;
    uint16_t source_port, destination_port;
    uint32_t sequence, acknowledged;
    bool syn, ack, fin, reset;
    const uint8_t *payload;
    size_t recorded; /* octets of the payload in the capture */
    size_t total;    /* and on the wire */
};

/* Parse what IP carries; sets all but the frame. False if it is not TCP or cut within its header.
 */
bool tcp_parse(const uint8_t *octets, size_t recorded, size_t total, struct tcp_segment *segment);

/* Whom octets are passed on to. `side` is 0 or 1, the sender. */
struct tcp_handler {
    /* The next octets: the payload of a segment, or the new part of it. */
    void (*octets)(void *arg, unsigned side, const struct tcp_segment *segment);
    /* This many octets will never be seen; 0: perhaps some, as far as acknowledgements are right.
     */
    void (*lost)(void *arg, unsigned side, uint32_t octets, uint64_t frame);
    /* Nothing more comes from this side: FIN, or a reset. */
    void (*end)(void *arg, unsigned side, uint64_t frame);
};

struct tcp_waiting; /* a segment that cannot be passed on yet */

struct tcp_stream {
    struct memory *memory;
    const struct tcp_handler *handler;
    void *arg;
    uint64_t *retransmitted; /* counts segments that bring nothing new */
    struct {
        uint32_t next;     /* to be passed on */
        uint32_t reported; /* received, as the other side says */
        uint32_t assumed;  /* up to here nothing is waited for: next, or what was given up */
        bool ended;        /* by itself, and right behind what was passed on */
    } side[2];
    struct tcp_waiting *first, *last; /* as they came */
    unsigned waiting, patience;
    size_t waiting_octets;
};

/* The number of the first octet that is wanted, of each side before its first segment. */
void tcp_begin(struct tcp_stream *stream, unsigned side, uint32_t next);

/* A segment of this side. */
void tcp_take(struct tcp_stream *stream, unsigned side, const struct tcp_segment *segment);

/* Whether a segment brings octets after all that were passed on. */
bool tcp_is_new(const struct tcp_stream *stream, unsigned side, const struct tcp_segment *segment);

/* Nothing more comes: pass on what waits, with what is missing reported as lost. */
void tcp_flush(struct tcp_stream *stream, uint64_t frame);

/* Free what waits. */
void tcp_free(struct tcp_stream *stream);

#endif
