// SPDX-License-Identifier: BSD-3-Clause
/* The rows of play.h as stories. */
#include "conformance/tests/support/neighbours/stories.h"
#include "conformance/tests/support/play.h"

#include <inttypes.h>

static visit_stories *visitor;

static void take_event(struct story *story, const char *text)
{
    static struct play_message message;
    play_parse(&message, text + (text[0] == '?'));
    if (message.length > 0 || message.event.type == RPCRDMA_EVENT_SEND) {
        uint8_t *octets = malloc(message.length + (message.length == 0));
        ck_assert_ptr_nonnull(octets);
        message.event.data = memcpy(octets, message.octets, message.length);
    }
    story->events[story->count++] = message.event;
}

static uint64_t add(uint64_t hash, const void *octets, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const uint8_t *)octets)[i]) * 0x100000001b3;
    return hash;
}

/* By what the row is, not by its place. */
static uint64_t hash_of(const struct play_row *row, const char *const *events)
{
    const struct rpcrdma_check_config *config = &row->config;
    const uint32_t settings[] = {config->max_calls,
                                 config->max_segments,
                                 config->inline_threshold[0],
                                 config->inline_threshold[1],
                                 config->draft ? config->draft - RPCRDMA_PROTOCOL_1 : 0,
                                 (uint32_t)(config->seen_between | config->mid_stream << 1 |
                                            config->reverse_direction << 2 |
                                            (config->bindings != NULL) << 3)};
    uint64_t hash = add(0xcbf29ce484222325, settings, sizeof settings);
    for (unsigned i = 0; play_event(events, i); i++)
        hash = add(hash, events[i], strlen(events[i]) + 1);
    return hash;
}

static void add_story(const struct play_row *row, const char *const *events)
{
    static struct story story;
    story.count = 0;
    story.config = row->config;
    if (story.config.max_calls == 0) {
        story.config.max_calls = RPCRDMA_CHECK_CONFIG_DEFAULT.max_calls;
        story.config.max_segments = RPCRDMA_CHECK_CONFIG_DEFAULT.max_segments;
    }
    snprintf(story.id, sizeof story.id, "row %016" PRIx64, hash_of(row, events));
    for (unsigned i = 0; play_event(events, i); i++)
        take_event(&story, events[i]);
    if (story.count > 0)
        visitor(&story, events[story.count - 1]);
    for (unsigned i = 0; i < story.count; i++)
        free((void *)story.events[i].data);
}

static void add_row(const struct play_row *row)
{
    add_story(row, row->events);
    add_story(row, row->near);
}

void stories_of_rows(visit_stories *visit)
{
    visitor = visit;
    ck_assert_uint_gt(play_each_row(add_row), 0);
}
