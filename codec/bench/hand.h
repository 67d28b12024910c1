// SPDX-License-Identifier: BSD-3-Clause
/*
 * A codec for the header of RFC 8166 as one would write it by hand for speed: strict, and for this
 * header alone. What it does is what the generated one does: it fills in a view and says nothing of
 * where an error is. It is here to be compared with; a test runs the vectors through it.
 */
#ifndef CODEC_BENCH_HAND_H
#define CODEC_BENCH_HAND_H

#include <rpcrdma/rpcrdma1.h>

struct hand_list {
    const uint8_t *at; /* its first octet */
    uint32_t count;
};

struct hand_view {
    uint32_t xid, version, credit, procedure;
    struct hand_list reads, writes;
    struct hand_list reply; /* segments; `at` is NULL without a Reply chunk */
    uint32_t word[3];       /* RDMA_MSGP: alignment, threshold; RDMA_ERROR: code, versions */
};

/* The octets of the header, or -1. */
ptrdiff_t hand_decode(struct hand_view *view, const uint8_t *octets, size_t length);

/* Add up all words of all segments. */
uint64_t hand_sum(const struct hand_view *view);

/* The octets written, or -1: of a header whose lists are values. */
ptrdiff_t hand_encode(uint8_t *octets, size_t length, const struct rpcrdma1_header *header);

#endif
