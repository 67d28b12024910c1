// SPDX-License-Identifier: BSD-3-Clause
/*
 * Mutations that know what a transport header is: it stays one, or is broken in exactly one place.
 */
#ifndef FUZZ_MUTATOR_H
#define FUZZ_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own mutation, and the hook through which it asks for ours. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Numbers that a seed decides, as xorshift has them; the seed is never 0. */
struct chance {
    uint64_t state;
};

static inline struct chance chance_from(unsigned int seed)
{
    return (struct chance){seed * 0x9e3779b97f4a7c15u + 0x8166};
}

/* From 0 to below, which is not 0. */
static inline uint32_t chance_below(struct chance *chance, uint32_t below)
{
    uint64_t x = chance->state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    chance->state = x;
    return (uint32_t)(x >> 16) % below;
}

struct xdr_type; /* a row of a generated table: walk.h */

/* Break a field of an object, or end it there; the new size. */
size_t mutate_field(const struct xdr_type *type, uint8_t *data, size_t size, struct chance *chance);

/* Mutate any object that has a table: elements, a field, or octets. */
size_t mutate_fields(const struct xdr_type *type, uint8_t *data, size_t size, size_t max_size,
                     struct chance *chance);

/* Mutate one Send of `size` octets in room for max_size; the new size, at least 1 if max_size is
 * not 0. */
size_t mutate_send(uint8_t *data, size_t size, size_t max_size, struct chance *chance);

bool is_send2(const uint8_t *data, size_t size);

/* Of a Send of version 2 change its type, its credit word, what remains of a message in pieces, a
 * property, or a field or element of whatever its type has. Returns the new size. */
size_t mutate_send2(uint8_t *data, size_t size, size_t max_size, struct chance *chance);

struct rpcrdma_event;

/* Octets of a message of an exchange, at most. */
#define EXCHANGE_MAX 512

/* NFS Calls and their Replies, small, for conversations to begin with: one of the exchanges that
 * there are, as two or three events, of which the octets lie in `rooms`; returns how many. Chance
 * says what goes by chunk, and under which security. */
unsigned make_exchange(struct rpcrdma_event *events, uint8_t rooms[3][EXCHANGE_MAX],
                       struct chance *chance);

#endif
