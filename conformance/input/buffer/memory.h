// SPDX-License-Identifier: BSD-3-Clause
/* The memory that the capture reader may use, and buffers that count against it. */
#ifndef CONFORMANCE_BUFFER_MEMORY_H
#define CONFORMANCE_BUFFER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Octets of the longest message that is assembled. */
#define MESSAGE_MAX (1u << 24)

/* Short blocks are kept for the next of the same size when they are given back. */
enum { BLOCK_STEP = 64, BLOCK_SIZES = 8 };

struct spare_block {
    struct spare_block *next;
};

struct memory {
    size_t used, max;
    struct spare_block *spare[BLOCK_SIZES]; /* by size, in steps */
    unsigned spares;
    /* Frees what can be given up until memory_fits(), or until nothing is left to give up. */
    void (*evict)(void *arg, size_t octets);
    void *arg;
};

static inline bool memory_fits(const struct memory *memory, size_t octets)
{
    return octets <= memory->max - memory->used;
}

/* Count these octets as used. False if they would exceed the limit even after eviction. */
bool memory_take(struct memory *memory, size_t octets);

static inline void memory_return(struct memory *memory, size_t octets)
{
    memory->used -= octets;
}

/* For what waits a moment, which is much at a time but little each: a block that is counted, or
 * NULL. It is given back with the same size. */
void *memory_block(struct memory *memory, size_t size);
void memory_block_return(struct memory *memory, void *block, size_t size);

/* Free the blocks that were kept. */
void memory_done(struct memory *memory);

/* Octets that grow as a message comes in. */
struct buffer {
    uint8_t *octets;
    size_t length, capacity;
    uint64_t total; /* what was on the wire; more than length where it was not recorded */
};

/* False if there is no memory; the buffer then keeps what it has. */
bool buffer_add(struct memory *memory, struct buffer *buffer, const uint8_t *octets, size_t count);
void buffer_free(struct memory *memory, struct buffer *buffer);

#endif
