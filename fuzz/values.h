// SPDX-License-Identifier: BSD-3-Clause
/*
 * A decoded view as values: its spans, which lie on the wire, as arrays of the caller's. Encoded,
 * they have to give the octets again, though nothing of them is copied.
 */
#ifndef FUZZ_VALUES_H
#define FUZZ_VALUES_H

#include "fuzz/fuzz.h"

/* Room for values until fuzz_values_done(). No element takes less than 4 octets on the wire, nor
 * more than eight times that in memory. */
static _Alignas(16) uint8_t fuzz_values_room[8 * FUZZ_SIZE_MAX];
static size_t fuzz_values_used;

static inline void *fuzz_values(size_t count, size_t size)
{
    void *values = fuzz_values_room + fuzz_values_used;
    size_t needed = (count * size + 15) & ~(size_t)15;
    FUZZ_ASSERT(needed <= sizeof fuzz_values_room - fuzz_values_used);
    fuzz_values_used += needed;
    return values;
}

static inline void fuzz_values_done(void)
{
    fuzz_values_used = 0;
}

/* Defines span_values(): the elements, which are as many as the span counts and end where it does;
 * a list has its last presence word after them. */
#define FUZZ_VALUES(span, item, last)                                                              \
    static struct span span##_values(const struct span *wire)                                      \
    {                                                                                              \
        struct item *items = fuzz_values(wire->count, sizeof *items);                              \
        struct rpcrdma_xdr_iter iter = span##_iter(wire);                                          \
        uint32_t count = 0;                                                                        \
        while (count < wire->count && span##_next(&iter, &items[count]))                           \
            count++;                                                                               \
        struct item beyond;                                                                        \
        FUZZ_ASSERT(count == wire->count && !span##_next(&iter, &beyond));                         \
        fuzz_check_inside(wire->wire, wire->octets);                                               \
        FUZZ_ASSERT(wire->octets == 0 || iter.p + (last) == wire->wire + wire->octets);            \
        struct span values = {.items = items, .count = count};                                     \
        for (iter = span##_iter(&values); span##_next(&iter, &beyond); count--)                    \
            ;                                                                                      \
        FUZZ_ASSERT(count == 0);                                                                   \
        return values;                                                                             \
    }

/* The values encode to the octets that they came from. */
#define FUZZ_ENCODES(codec, value, octets, n)                                                      \
    do {                                                                                           \
        uint8_t *room = fuzz_room((size_t)(n));                                                    \
        FUZZ_ASSERT(codec##_size(value, NULL) == (n));                                             \
        FUZZ_ASSERT(codec##_encode(room, (size_t)(n), value, NULL) == (n));                        \
        FUZZ_ASSERT(memcmp(room, octets, (size_t)(n)) == 0 && room[n] == FUZZ_GUARD);              \
        if ((n) > 0) { /* in less room: wherever it ends */                                        \
            size_t small = (octets[0] * 3u + octets[(n) / 2]) % (size_t)(n);                       \
            room = fuzz_room(small);                                                               \
            FUZZ_ASSERT(codec##_encode(room, small, value, NULL) == RPCRDMA_XDR_E_SPACE);          \
            FUZZ_ASSERT(room[small] == FUZZ_GUARD);                                                \
        }                                                                                          \
        fuzz_values_done();                                                                        \
    } while (0)

/* A value that has no encoding is refused as such, and nothing is written beyond the room. */
#define FUZZ_REFUSES(codec, value, expected)                                                       \
    do {                                                                                           \
        struct rpcrdma_xdr_error refused;                                                          \
        uint8_t *room = fuzz_room(64);                                                             \
        FUZZ_ASSERT(codec##_size(value, &refused) == (expected));                                  \
        FUZZ_ASSERT(refused.code == (expected));                                                   \
        FUZZ_ASSERT(codec##_encode(room, 64, value, NULL) == (expected));                          \
        FUZZ_ASSERT(room[64] == FUZZ_GUARD);                                                       \
    } while (0)

/* Nor has one that counts more elements, or octets, than a Send can have. None of them is there. */
#define FUZZ_TOO_LARGE(codec, value, count)                                                        \
    do {                                                                                           \
        uint32_t counted = (count);                                                                \
        (count) = 0x7ffffffd;                                                                      \
        FUZZ_REFUSES(codec, value, RPCRDMA_XDR_E_ARGUMENT);                                        \
        (count) = counted;                                                                         \
    } while (0)

#endif
