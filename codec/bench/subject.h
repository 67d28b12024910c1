// SPDX-License-Identifier: BSD-3-Clause
/* A header that is measured, in host values and on the wire. */
#ifndef CODEC_BENCH_SUBJECT_H
#define CODEC_BENCH_SUBJECT_H

#include "codec/bench/measure.h"
#include "codec/tests/support/shape.h"

#include <stdio.h>
#include <stdlib.h>

struct subject {
    const char *name;
    size_t octets;
    uint32_t reads, chunks, segments, reply;
    struct shape shape;
    struct rpcrdma1_header own;
    rdma_msg reference;
    _Alignas(64) uint8_t wire[8192];
};

static _Alignas(64) uint8_t room[8192];

static void fail(const char *what, const struct subject *subject)
{
    fprintf(stderr, "bench: %s: %s\n", subject->name, what);
    exit(1);
}

#endif
