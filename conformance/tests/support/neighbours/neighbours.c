// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/neighbours/neighbours.h"

#include "conformance/tests/support/dice.h"
#include "conformance/tests/support/neighbours/walk.h"
#include "conformance/base/count.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpcrdma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 48 /* of a Send that are changed, from its beginning */
#define PAIRS 20 /* of words that are changed together */

void neighbours_judge(const struct neighbours_walk *walk, unsigned first, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(walk->story->what, sizeof walk->story->what, format, list);
    va_end(list);
    walk->story->first = first;
    walk->visit(walk->arg, walk->story);
}
#define judge neighbours_judge

/* What a change leaves behind shows in what comes later: all events once more, as they were. */
static void follow(const struct neighbours_walk *walk, unsigned first, const char *what,
                   uint64_t value)
{
    struct story *story = walk->story;
    unsigned count = story->count;
    if (count + walk->original->count > STORY_EVENTS)
        return;
    memcpy(story->events + count, walk->original->events,
           walk->original->count * sizeof *story->events);
    story->count += walk->original->count;
    judge(walk, first, "event %u %s %llu, and again", first, what, (unsigned long long)value);
    story->count = count;
}

/* ---- octets ---- */

uint8_t *neighbours_room(size_t length)
{
    uint8_t *octets = malloc(length > 0 ? length : 1);
    if (octets == NULL)
        abort();
    return octets;
}

static uint8_t *block(const void *octets, size_t length)
{
    uint8_t *copy = neighbours_room(length);
    if (length > 0)
        memcpy(copy, octets, length);
    return copy;
}

static void each_value(const struct neighbours_walk *walk, unsigned at, uint8_t *octets,
                       size_t length, size_t word)
{
    uint32_t old = rpcrdma_xdr_load32(octets + word);
    uint32_t next = word + 8 <= length ? rpcrdma_xdr_load32(octets + word + 4) : 2;
    const uint32_t values[] = {old + 1, old - 1, 0, 1, UINT32_MAX, old ^ 0x80000000, next};
    for (unsigned i = 0; i < COUNT(values); i++) {
        bool seen = values[i] == old;
        for (unsigned j = 0; j < i; j++)
            seen = seen || values[j] == values[i];
        if (seen)
            continue;
        rpcrdma_xdr_store32(octets + word, values[i]);
        judge(walk, at, "event %u, octet %zu is 0x%x", at, word, values[i]);
        if (word < 16 || old == rpcrdma_xdr_load32(octets)) /* or an XID */
            follow(walk, at, "has another word at", word);
    }
    rpcrdma_xdr_store32(octets + word, old);
}

static void each_word(const struct neighbours_walk *walk, unsigned at)
{
    struct rpcrdma_event *event = &walk->story->events[at];
    const void *before = event->data;
    uint8_t *octets = block(before, event->length);
    event->data = octets;
    for (size_t i = 0; i < WORDS && 4 * i + 4 <= event->length; i++)
        each_value(walk, at, octets, event->length, 4 * i);
    event->data = before;
    free(octets);
}

static void pairs(const struct neighbours_walk *walk, unsigned at, struct dice *dice)
{
    struct rpcrdma_event *event = &walk->story->events[at];
    const void *before = event->data;
    uint32_t words = event->length / 4 < WORDS ? (uint32_t)(event->length / 4) : WORDS;
    for (unsigned i = 0; i < PAIRS && words > 1; i++) {
        uint8_t *octets = block(before, event->length);
        uint32_t place[2] = {4 * pick(dice, words), 4 * pick(dice, words)};
        event->data = octets;
        for (unsigned j = 0; j < 2; j++) {
            uint32_t old = rpcrdma_xdr_load32(octets + place[j]);
            uint32_t other = rpcrdma_xdr_load32(octets + 4 * pick(dice, words));
            const uint32_t values[] = {old + 1, old - 1, 0, 1, old + 4, other};
            rpcrdma_xdr_store32(octets + place[j], values[pick(dice, 6)]);
        }
        judge(walk, at, "event %u, octets %u and %u, %u", at, place[0], place[1], i);
        event->data = before;
        free(octets);
    }
}

void neighbours_replace(const struct neighbours_walk *walk, unsigned at, uint8_t *octets,
                        size_t length, const char *what, size_t place)
{
    struct rpcrdma_event *event = &walk->story->events[at], before = *event;
    event->data = octets;
    event->length = length;
    judge(walk, at, "event %u %s %zu", at, what, place);
    *event = before;
    free(octets);
}
#define replace neighbours_replace

/* Ends early, or was recorded so far. */
static void each_prefix(const struct neighbours_walk *walk, unsigned at)
{
    struct rpcrdma_event *event = &walk->story->events[at];
    size_t length = event->length, step = 1;
    for (size_t n = 0; n < length; n += step) {
        step = n < 32 || n + 4 >= length ? 1 : n < 200 ? 4 : 64;
        replace(walk, at, block(event->data, n), n, "ends at", n);
        if (n % 4 == 0) {
            event->missing += length - n;
            replace(walk, at, block(event->data, n), n, "is cut at", n);
            event->missing -= length - n;
        }
    }
}

static void each_length(const struct neighbours_walk *walk, unsigned at)
{
    const struct rpcrdma_event *event = &walk->story->events[at];
    const uint8_t *octets = event->data;
    size_t length = event->length, left = length;
    for (size_t n = 0; n < 4 * WORDS && left >= 4; n += 4, left -= 4) {
        uint8_t *more = neighbours_room(length + 4), *less = block(octets, length - 4);
        memcpy(more, octets, n + 4);
        memcpy(more + n + 4, octets + n, left);
        memcpy(less + n, octets + n + 4, left - 4);
        replace(walk, at, more, length + 4, "has twice", n);
        replace(walk, at, less, length - 4, "has not", n);
    }
}

/* ---- what is not in the octets ---- */

static void number(const struct neighbours_walk *walk, unsigned at, uint64_t *value,
                   const char *name)
{
    uint64_t before = *value;
    const uint64_t others[] = {before + 1, before - 1, before + 4, before - 4, 0, 1};
    for (unsigned i = 0; i < COUNT(others); i++) {
        *value = others[i];
        judge(walk, at, "event %u: %s is 0x%llx", at, name, (unsigned long long)*value);
    }
    *value = before;
}

/* RDMA operations, and what a capture shows besides. */
static void each_number(const struct neighbours_walk *walk, unsigned at)
{
    struct rpcrdma_event *event = &walk->story->events[at], before = *event;
    for (int i = -1; i <= 1; i += 2) {
        event->handle = before.handle + (uint32_t)i;
        judge(walk, at, "event %u: handle %+d", at, i);
        event->handle = before.handle;
        event->data = NULL;
        for (uint32_t step = 1; step <= 4; step += 3) {
            event->length = before.length + (size_t)((int)step * i);
            judge(walk, at, "event %u: length %+d", at, (int)step * i);
        }
        *event = before;
    }
    number(walk, at, &event->offset, "offset");
    event->has_order = true;
    number(walk, at, &event->sent, "sent");
    number(walk, at, &event->received, "received");
    *event = before;
    event->is_read = !event->is_read;
    judge(walk, at, "event %u: read or write", at);
    *event = before;
    for (int type = RPCRDMA_EVENT_SEND + 1; type < RPCRDMA_EVENT_TYPES; type++) {
        event->type = (enum rpcrdma_event_type)type;
        judge(walk, at, "event %u is of type %d", at, type);
    }
    *event = before;
}

static void each_invalidation(const struct neighbours_walk *walk, unsigned at)
{
    struct rpcrdma_event *event = &walk->story->events[at], before = *event;
    const struct rpcrdma_event *call = &walk->story->events[0];
    event->invalidate = !event->invalidate;
    judge(walk, at, "event %u: invalidates or not", at);
    event->invalidate = true;
    for (size_t i = NEIGHBOURS_LISTS_AT;
         call->type == RPCRDMA_EVENT_SEND && i < 112 && i + 4 <= call->length; i += 4) {
        event->handle = rpcrdma_xdr_load32((const uint8_t *)call->data + i);
        judge(walk, at, "event %u invalidates 0x%x", at, event->handle);
    }
    *event = before;
}

/* ---- more, fewer and other events ---- */

static void insert(struct story *story, unsigned at, const struct rpcrdma_event *event)
{
    struct rpcrdma_event copy = *event; /* which may be one of the story */
    memmove(story->events + at + 1, story->events + at,
            (story->count - at) * sizeof *story->events);
    story->events[at] = copy;
    story->count++;
}

static void drop(struct story *story, unsigned at)
{
    story->count--;
    memmove(story->events + at, story->events + at + 1,
            (story->count - at) * sizeof *story->events);
}

static enum rpcrdma_endpoint opposite(enum rpcrdma_endpoint from)
{
    return from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

void neighbours_insert(const struct neighbours_walk *walk, unsigned at,
                       const struct rpcrdma_event *event, const char *what, uint64_t value)
{
    insert(walk->story, at, event);
    judge(walk, at, "%s %llu before event %u", what, (unsigned long long)value, at);
    follow(walk, at, what, value);
    drop(walk->story, at);
}

static void each_place(const struct neighbours_walk *walk, unsigned at)
{
    struct story *story = walk->story;
    struct rpcrdma_event event = story->events[at];
    const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    neighbours_insert(walk, at, &gap, "a gap", 0);
    neighbours_insert(walk, at, &event, "twice", 0);
    for (unsigned n = 0; n < 3; n++) {
        const struct rpcrdma_event not_ready = {
            .type = RPCRDMA_EVENT_NOT_READY, .from = n & 1, .received = at > n ? at - n : 0};
        neighbours_insert(walk, at, &not_ready, "not ready", n);
    }
    drop(story, at);
    judge(walk, at, "without event %u", at);
    follow(walk, at, "is not there", 0);
    insert(story, at, &event);
    story->events[at].from = opposite(event.from);
    judge(walk, at, "event %u from the other side", at);
    follow(walk, at, "is from the other side", 0);
    story->events[at] = event;
    if (at + 1 < story->count) {
        drop(story, at);
        insert(story, at + 1, &event);
        judge(walk, at, "event %u after the next", at);
        drop(story, at + 1);
        insert(story, at, &event);
    }
}

/* An RDMA operation on what may be a segment of the Send. */
static void each_operation(const struct neighbours_walk *walk, unsigned at)
{
    static const enum rpcrdma_event_type types[] = {RPCRDMA_EVENT_RDMA_READ,
                                                    RPCRDMA_EVENT_RDMA_WRITE, RPCRDMA_EVENT_ATOMIC,
                                                    RPCRDMA_EVENT_REFUSED};
    struct rpcrdma_event send = walk->story->events[at];
    for (size_t i = NEIGHBOURS_LISTS_AT; i + 16 <= send.length && i < 112; i += 4) {
        const uint8_t *words = (const uint8_t *)send.data + i;
        uint32_t length = rpcrdma_xdr_load32(words + 4);
        if (rpcrdma_xdr_load32(words) < 16 || length < 4 || length > 1 << 21)
            continue;
        for (unsigned n = 0; n < 12; n++) { /* all of it, an octet more, too far */
            const struct rpcrdma_event operation = {.type = types[n / 3],
                                                    .from = opposite(send.from),
                                                    .handle = rpcrdma_xdr_load32(words),
                                                    .offset = rpcrdma_xdr_load64(words + 8) +
                                                              (n % 3 == 2 ? 4 : 0),
                                                    .length = length + (n % 3 == 1 ? 1 : 0)};
            neighbours_insert(walk, at + 1, &operation, "operation", i << 4 | n);
        }
    }
}

/* ---- the connection ---- */

static void each_count(const struct neighbours_walk *walk, uint32_t *value, const char *name)
{
    static const uint32_t others[] = {0, 1, 2, 3, 4, 8, 16, 40, 64, 1000};
    uint32_t before = *value;
    for (unsigned i = 0; i < COUNT(others); i++) {
        *value = others[i];
        judge(walk, 0, "%s is %u", name, *value);
    }
    *value = before;
}

static void toggle(const struct neighbours_walk *walk, bool *value, const char *name)
{
    *value = !*value;
    judge(walk, 0, "%s or not", name);
    *value = !*value;
}

static void each_threshold(const struct neighbours_walk *walk)
{
    struct story *story = walk->story;
    for (unsigned i = 0; i < story->count; i++) {
        uint32_t *value = &story->config.inline_threshold[story->events[i].from], before = *value;
        for (int n = -1; n <= 1 && story->events[i].type == RPCRDMA_EVENT_SEND; n++) {
            *value = (uint32_t)((int)story->events[i].length + n);
            judge(walk, 0, "inline threshold is %u", *value);
        }
        *value = before;
    }
}

static void each_setting(const struct neighbours_walk *walk)
{
    struct rpcrdma_check_config *config = &walk->story->config;
    struct rpcrdma_check_config before = *config;
    each_threshold(walk);
    each_count(walk, &config->max_calls, "max_calls");
    each_count(walk, &config->max_segments, "max_segments");
    each_count(walk, &config->max_read_chunk, "max_read_chunk");
    each_count(walk, &config->continued_octets, "continued");
    toggle(walk, &config->reverse_direction, "reverse direction");
    toggle(walk, &config->mid_stream, "from its middle on");
    toggle(walk, &config->seen_between, "captured");
    toggle(walk, &config->counts_known, "counted");
    config->bindings = config->bindings ? NULL : rpcrdma_bindings;
    judge(walk, 0, "bindings or not");
    *config = before;
    static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_AUTO, RPCRDMA_PROTOCOL_2_04,
                                                   RPCRDMA_PROTOCOL_2_07};
    for (int i = 0; i < 3; i++) {
        config->draft = drafts[i];
        judge(walk, 0, "draft %d", i);
    }
    *config = before;
    for (int i = RPCRDMA_CREDITS_SUM; i <= RPCRDMA_CREDITS_OFF; i++) {
        config->credits = (enum rpcrdma_credits)i;
        judge(walk, 0, "credits %d", i);
    }
    *config = before;
}

/* From its middle on, with what the sides had told and sent. */
static void each_beginning(const struct neighbours_walk *walk)
{
    static const uint32_t sizes[] = {0, 40, 100, 1024, 4096};
    struct rpcrdma_check_config *config = &walk->story->config;
    struct rpcrdma_check_config before = *config;
    config->mid_stream = true;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned id = 0; id < RPCRDMA_LIMITING_PROPERTIES; id++) {
            config->properties_told[side] = (uint8_t)(1 << id);
            for (unsigned i = 0; i < COUNT(sizes); i++) {
                config->property[side][id] = sizes[i];
                judge(walk, 0, "side %u has told %u: %u", side, id, sizes[i]);
            }
            config->properties_told[side] = before.properties_told[side];
        }
    config->counts_known = true;
    for (uint32_t limit = 0; limit < 6; limit++) {
        config->limit[0] = config->limit[1] = limit;
        config->sent[0] = config->sent[1] = 1;
        judge(walk, 0, "one sent, of %u", limit);
    }
    *config = before;
}

/* Version 2: this many Sends were posted before that the total of this one is just at each limit.
 */
static void each_total(const struct neighbours_walk *walk, unsigned at)
{
    static const uint32_t beyond[] = {
        0, 1, 2, 65535, 65536, 65537, 65538, INT32_MAX - 1, INT32_MAX, 1u << 31};
    const struct rpcrdma_event *event = &walk->story->events[at];
    struct rpcrdma_check_config *config = &walk->story->config, before = *config;
    uint32_t total = 0;
    if (event->type != RPCRDMA_EVENT_SEND || event->length < 12 ||
        rpcrdma_xdr_load32((const uint8_t *)event->data + 4) != 2)
        return;
    total = rpcrdma_xdr_load32((const uint8_t *)event->data + 8);
    config->mid_stream = config->counts_known = true;
    config->limit[0] = config->limit[1] = 1u << 30;
    for (unsigned i = 0; i < COUNT(beyond); i++)
        for (unsigned j = 0; j < 4; j++) {
            config->sent[event->from] = total - beyond[i];
            config->sent[opposite(event->from)] = total - beyond[j];
            judge(walk, at, "%u and %u Sends before event %u", beyond[i], beyond[j], at);
        }
    *config = before;
}

/* All of it once more: the same Calls again, or others. */
static void again(const struct neighbours_walk *walk)
{
    struct story *story = walk->story;
    unsigned count = story->count;
    uint8_t *copies[STORY_EVENTS] = {NULL};
    for (unsigned i = 0; i < count && 3 * count <= STORY_EVENTS - 2; i++) {
        story->events[count + i] = story->events[2 * count + i] = story->events[i];
        if (story->events[i].type != RPCRDMA_EVENT_SEND || story->events[i].length < 4)
            continue;
        copies[i] = block(story->events[i].data, story->events[i].length);
        rpcrdma_xdr_store32(copies[i], rpcrdma_xdr_load32(copies[i]) ^ 0x100);
        story->events[2 * count + i].data = copies[i];
    }
    if (3 * count <= STORY_EVENTS - 2) {
        uint32_t calls = story->config.max_calls;
        for (unsigned times = 2; times <= 3; times++) {
            story->count = times * count;
            for (story->config.max_calls = 0; story->config.max_calls < 3;
                 story->config.max_calls++)
                judge(walk, 0, "%u times, %u Calls remembered", times, story->config.max_calls);
        }
        story->config.max_calls = calls;
    }
    story->count = count;
    for (unsigned i = 0; i < count; i++)
        free(copies[i]);
}

/* ---- all of them ---- */

static struct dice dice_of(const char *id)
{
    struct dice dice = {0};
    for (; *id; id++)
        dice.state = dice.state * 31 + (unsigned char)*id;
    return dice;
}

void neighbours(struct story *story, visit_story *visit, void *arg)
{
    static struct story original;
    const struct neighbours_walk walk = {story, visit, arg, &original};
    struct dice dice = dice_of(story->id);
    original = *story;
    judge(&walk, 0, "as it is");
    for (unsigned i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->events[i];
        each_place(&walk, i);
        neighbours_messages(&walk, i);
        if (event->type == RPCRDMA_EVENT_SEND) {
            each_invalidation(&walk, i);
            each_operation(&walk, i);
            pairs(&walk, i, &dice);
            each_length(&walk, i);
            neighbours_lists(&walk, i);
        } else {
            each_number(&walk, i);
        }
        if (event->data) {
            each_word(&walk, i);
            each_prefix(&walk, i);
        }
    }
    neighbours_messages(&walk, story->count);
    each_setting(&walk);
    each_beginning(&walk);
    again(&walk);
    neighbours_rounds(&walk);
    each_total(&walk, 0);
    if (story->count > 1)
        each_total(&walk, story->count - 1);
}
