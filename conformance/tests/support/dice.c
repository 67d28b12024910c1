// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/dice.h"

/* SplitMix64. */
uint64_t dice_roll(struct dice *dice)
{
    uint64_t z = dice->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t pick(struct dice *dice, uint32_t n)
{
    return (uint32_t)((dice_roll(dice) >> 32) * n >> 32);
}

bool chance(struct dice *dice, uint32_t percent)
{
    return pick(dice, 100) < percent;
}
