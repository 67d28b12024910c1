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

bool memory_take(struct memory *memory, size_t octets)
{
    if (!memory_fits(memory, octets))
        memory->evict(memory->arg, octets);
    if (!memory_fits(memory, octets))
        return false;
    memory->used += octets;
    return true;
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
