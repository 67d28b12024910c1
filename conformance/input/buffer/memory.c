// SPDX-License-Identifier: BSD-3-Clause
/*
 * Accounting of memory.
 *
 * A capture may hold thousands of connections with half a message each, by accident or on purpose.
 * So what the reader keeps is counted, and where the limit is reached the connections that were
 * idle longest give up what they have. Which those are is not known here: the owner of the
 * connections passes a callback, so that this file depends on nothing.
 */
#include "conformance/input/buffer/memory.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_FIRST 4096

#ifndef __has_feature /* gcc */
#define __has_feature(feature) 0
#endif

/* Blocks that are kept. None under a sanitizer, which is to see the life of each. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define SPARES_MAX 0
#else
#define SPARES_MAX 64
#endif

bool memory_take(struct memory *memory, size_t octets)
{
    if (!memory_fits(memory, octets))
        memory->evict(memory->arg, octets);
    if (!memory_fits(memory, octets))
        return false;
    memory->used += octets;
    return true;
}

/* Where spare blocks for this size are kept, whose own size is then *size; NULL for long ones. */
static struct spare_block **spares(struct memory *memory, size_t *size)
{
    size_t index = (*size - 1) / BLOCK_STEP;
    if (index >= BLOCK_SIZES)
        return NULL;
    *size = (index + 1) * BLOCK_STEP;
    return &memory->spare[index];
}

void *memory_block(struct memory *memory, size_t size)
{
    struct spare_block **list = spares(memory, &size);
    if (!memory_take(memory, size))
        return NULL;
    struct spare_block *spare = list ? *list : NULL;
    if (spare) {
        *list = spare->next;
        memory->spares--;
        return spare;
    }
    void *block = malloc(size);
    if (block == NULL)
        memory_return(memory, size);
    return block;
}

void memory_block_return(struct memory *memory, void *block, size_t size)
{
    struct spare_block **list = spares(memory, &size), *spare = block;
    memory_return(memory, size);
    if (list == NULL || memory->spares >= SPARES_MAX) {
        free(block);
        return;
    }
    spare->next = *list;
    *list = spare;
    memory->spares++;
}

void memory_done(struct memory *memory)
{
    for (unsigned i = 0; i < BLOCK_SIZES; i++) {
        while (memory->spare[i]) {
            struct spare_block *spare = memory->spare[i];
            memory->spare[i] = spare->next;
            free(spare);
        }
    }
    memory->spares = 0;
}

static bool grow(struct memory *memory, struct buffer *buffer, size_t count)
{
    size_t capacity = buffer->capacity ? buffer->capacity : CAPACITY_FIRST;
    while (capacity - buffer->length < count)
        capacity *= 2;
    if (capacity > MESSAGE_MAX || !memory_take(memory, capacity - buffer->capacity))
        return false;
    uint8_t *grown = realloc(buffer->octets, capacity);
    if (grown == NULL) {
        memory_return(memory, capacity - buffer->capacity);
        return false;
    }
    buffer->octets = grown;
    buffer->capacity = capacity;
    return true;
}

bool buffer_add(struct memory *memory, struct buffer *buffer, const uint8_t *octets, size_t count)
{
    if (count == 0)
        return true;
    if (count > buffer->capacity - buffer->length && !grow(memory, buffer, count))
        return false;
    memcpy(buffer->octets + buffer->length, octets, count);
    buffer->length += count;
    return true;
}

void buffer_free(struct memory *memory, struct buffer *buffer)
{
    memory_return(memory, buffer->capacity);
    free(buffer->octets);
    *buffer = (struct buffer){0};
}
