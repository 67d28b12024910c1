// SPDX-License-Identifier: BSD-3-Clause
/* Neighbours with more of what there is: entries of lists, segments, Calls. */
#include "conformance/tests/support/neighbours/walk.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT 16
#define READ_ENTRY 24
#define PROPERTY 12
#define ROUNDS 18 /* more than the checker remembers falling grants */

static uint32_t word(const struct rpcrdma_event *send, size_t at)
{
    return at + 4 <= send->length ? rpcrdma_xdr_load32((const uint8_t *)send->data + at) : 0;
}

/* Lists may end with the Send, or be followed by anything: only what looks like an entry counts. */
static bool is_segment(const struct rpcrdma_event *send, size_t at)
{
    return at + SEGMENT <= send->length && word(send, at) >= 16 && word(send, at + 4) > 0 &&
           word(send, at + 4) <= 1 << 21;
}

/* The Send with `more` copies of the octets at `from` after them. */
static uint8_t *grow(const struct rpcrdma_event *send, size_t from, size_t size, uint32_t more)
{
    const uint8_t *octets = send->data;
    uint8_t *grown = neighbours_room(send->length + more * size);
    memcpy(grown, octets, from + size);
    for (uint32_t i = 1; i <= more; i++)
        memcpy(grown + from + i * size, octets + from, size);
    memcpy(grown + from + (more + 1) * size, octets + from + size, send->length - from - size);
    return grown;
}

static const uint32_t additions[] = {1, 2, 7, 8, 14, 15, 16, 17, 30, 31, 62, 63, 64, 65};
#define ADDITIONS COUNT(additions)

/* As another Read chunk each, upwards or downwards; or another segment of the same one. */
static void more_reads(const struct neighbours_walk *walk, unsigned at, size_t from)
{
    static const int steps[] = {0, 4, 64, -4};
    const struct rpcrdma_event *send = &walk->story->events[at];
    for (unsigned i = 0; i < ADDITIONS; i++)
        for (unsigned s = 0; s < COUNT(steps); s++) {
            uint8_t *grown = grow(send, from, READ_ENTRY, additions[i]);
            for (uint32_t n = 1; n <= additions[i]; n++) {
                uint8_t *entry = grown + from + n * READ_ENTRY;
                rpcrdma_xdr_store32(entry + 4, word(send, from + 4) + n * (uint32_t)steps[s]);
                rpcrdma_xdr_store32(entry + 8, word(send, from + 8) + n);
            }
            neighbours_replace(walk, at, grown, send->length + additions[i] * READ_ENTRY,
                               "has more Read segments", additions[i] * 4 + s);
        }
}

static void more_writes(const struct neighbours_walk *walk, unsigned at, size_t from)
{
    const struct rpcrdma_event *send = &walk->story->events[at];
    uint32_t count = word(send, from + 4);
    size_t chunk = 8 + (size_t)count * SEGMENT;
    for (unsigned i = 0; i < ADDITIONS; i++) {
        uint32_t more = additions[i];
        uint8_t *grown = grow(send, from + 8, SEGMENT, more);
        rpcrdma_xdr_store32(grown + from + 4, count + more);
        neighbours_replace(walk, at, grown, send->length + more * SEGMENT, "has more segments",
                           more);
        if (from + chunk <= send->length && more <= 17)
            neighbours_replace(walk, at, grow(send, from, chunk, more), send->length + more * chunk,
                               "has more Write chunks", more);
    }
}

/* Of an array of properties, each with a value of one word: as others, or the same again. */
static void more_properties(const struct neighbours_walk *walk, unsigned at, size_t from)
{
    const struct rpcrdma_event *send = &walk->story->events[at];
    for (uint32_t more = 1; more <= 9; more++)
        for (uint32_t step = 0; step < 2; step++) {
            uint8_t *grown = grow(send, from + 4, PROPERTY, more);
            rpcrdma_xdr_store32(grown + from, word(send, from) + more);
            for (uint32_t n = 1; n <= more; n++)
                rpcrdma_xdr_store32(grown + from + 4 + n * PROPERTY,
                                    word(send, from + 4) + n * step);
            neighbours_replace(walk, at, grown, send->length + more * PROPERTY,
                               "has more properties", 2 * more + step);
        }
}

void neighbours_lists(const struct neighbours_walk *walk, unsigned at)
{
    const struct rpcrdma_event *send = &walk->story->events[at];
    for (size_t from = NEIGHBOURS_LISTS_AT; from + 8 <= send->length && from < 112; from += 4) {
        uint32_t next = word(send, from + 4);
        if (word(send, from) > 0 && word(send, from) <= 8 && next <= 8 &&
            word(send, from + 8) == 4 && from + 4 + PROPERTY <= send->length)
            more_properties(walk, at, from);
        if (word(send, from) != 1)
            continue;
        if (is_segment(send, from + 8) && next > 0 && next <= 16)
            more_writes(walk, at, from);
        else if (is_segment(send, from + 8))
            more_reads(walk, at, from);
    }
}

/* ---- Calls ---- */

static void add_round(struct story *story, const struct story *original, unsigned event,
                      uint32_t round, uint8_t **copies)
{
    struct rpcrdma_event *copy = &story->events[story->count];
    *copy = original->events[event];
    if (copy->type == RPCRDMA_EVENT_SEND && copy->length >= 12) {
        uint8_t *octets = neighbours_room(copy->length);
        uint32_t xid = rpcrdma_xdr_load32(copy->data), credits = word(copy, 8);
        memcpy(octets, copy->data, copy->length);
        for (size_t at = 0; at + 4 <= copy->length && at < 256; at += 4)
            if (rpcrdma_xdr_load32(octets + at) == xid)
                rpcrdma_xdr_store32(octets + at, xid + round);
        if (copy->from == RPCRDMA_SERVER)
            rpcrdma_xdr_store32(octets + 8, credits > round ? credits - round : 1);
        copy->data = copies[story->count] = octets;
    }
    story->count++;
}

void neighbours_rounds(const struct neighbours_walk *walk)
{
    struct story *story = walk->story;
    const struct story *original = walk->original;
    if (original->count * ROUNDS > STORY_EVENTS || original->count > 3)
        return;
    for (unsigned captured = 0; captured < 2; captured++) {
        uint8_t *copies[STORY_EVENTS] = {NULL};
        story->config.seen_between = captured;
        story->count = 0;
        for (uint32_t round = 0; round < ROUNDS; round++)
            for (unsigned i = 0; i < original->count; i++)
                add_round(story, original, i, round, copies);
        neighbours_judge(walk, 0, "many rounds");
        for (unsigned i = 0; i < story->count; i++)
            free(copies[i]);
        memset(copies, 0, sizeof copies);
        story->count = 0;
        for (unsigned i = 0; i < original->count; i++)
            for (uint32_t round = 0; round < ROUNDS; round++)
                add_round(story, original, i, round, copies);
        neighbours_judge(walk, 0, "many Calls at once");
        for (unsigned i = 0; i < story->count; i++)
            free(copies[i]);
    }
    *story = *original;
}
