// SPDX-License-Identifier: BSD-3-Clause
/*
 * The opening vector: the first question to a testee, a good Call with chunks of sizes that come
 * from a seed, within the limits of the testee. The same seed and limits give the same octets.
 */
#ifndef CONFORMANCE_TESTEE_OPENING_H
#define CONFORMANCE_TESTEE_OPENING_H

#include "conformance/report/results/tolerance.h"

#include <rpcrdma/check.h>

#include <stddef.h>
#include <stdint.h>

#define OPENING_SEGMENTS 8            /* at most, in all */
#define OPENING_SEED 8166u            /* unless another is given */
#define OPENING_TEST "opening-vector" /* its name in reports */
#define OPENING_OCTETS 256

struct opening {
    uint8_t octets[OPENING_OCTETS];
    size_t length, header_length;
};

void opening_make(struct opening *opening, uint32_t seed, const struct tolerance *limits);

/* The same of version 2, without chunks. */
void opening_make2(struct opening *opening, enum rpcrdma_protocol draft, uint32_t seed);

#endif
