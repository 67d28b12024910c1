// SPDX-License-Identifier: BSD-3-Clause
/* Random numbers that a seed decides. */
#ifndef CONFORMANCE_TESTS_DICE_H
#define CONFORMANCE_TESTS_DICE_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state; /* at first the seed */
};

uint64_t dice_roll(struct dice *dice);

/* One of 0 to n - 1. */
uint32_t pick(struct dice *dice, uint32_t n);

bool chance(struct dice *dice, uint32_t percent);

#endif
