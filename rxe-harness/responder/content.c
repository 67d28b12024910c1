// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/responder/content.h"

/* Spreads each bit over all: the finisher of splitmix64. */
static uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

uint32_t content_file(const void *name, size_t length)
{
    const uint8_t *octets = name;
    uint64_t word = length;
    for (size_t i = 0; i < length; i++)
        word = mix(word ^ octets[i]);
    return (uint32_t)word;
}

void content_fill(uint32_t edition, uint32_t file, uint64_t offset, uint8_t *octets, size_t length)
{
    uint64_t seed = mix((uint64_t)edition << 32 | file);
    for (size_t i = 0; i < length; i++) {
        uint64_t at = offset + i;
        octets[i] = (uint8_t)(mix(seed + at / 8) >> 8 * (at % 8));
    }
}
