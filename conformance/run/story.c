// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/run/story.h"

#include "conformance/base/alloc.h"
#include "conformance/base/register.h"

#include <rpcrdma/message.h>

#include <stdlib.h>
#include <string.h>

#define CREDITS 32
/* Octets that a Responder of either draft takes before it has said more. */
#define LENGTH_MAX 4096
#define XID 1u /* of the exchange before */

/* ---- which Send it is about ---- */

static bool is_client_send(const struct vector_event *event)
{
    return event->event.type == RPCRDMA_EVENT_SEND && event->event.from == RPCRDMA_CLIENT;
}

static size_t findings_of(const struct vector_event *event)
{
    return json_array_size(json_object_get(event->expect, "findings"));
}

/* All Sends of the client's up to the one that the vector is about. False: there are too many. */
static bool gather(const struct vector_test *test, struct story *story)
{
    size_t last = test->count, broken = test->count;
    for (size_t i = 0; i < test->count; i++)
        if (is_client_send(&test->events[i])) {
            last = i;
            broken = findings_of(&test->events[i]) > 0 ? i : broken;
        }
    size_t subject = broken < test->count ? broken : last;
    for (size_t i = 0; i <= subject && i < test->count; i++) {
        if (!is_client_send(&test->events[i]))
            continue;
        if (story->count == STORY_SENDS)
            return false;
        story->sends[story->count++] = &test->events[i];
    }
    return story->count > 0;
}

/* A live peer has settings of its own. */
static bool has_settings(const struct vector_test *test, enum rpcrdma_protocol protocol)
{
    const struct rpcrdma_check_config *config = &test->config;
    return config->inline_threshold[RPCRDMA_CLIENT] || config->inline_threshold[RPCRDMA_SERVER] ||
           config->reverse_direction || config->bindings || config->mid_stream ||
           (config->seen_between && protocol == RPCRDMA_PROTOCOL_1) ||
           config->credits != RPCRDMA_CREDITS_SUM;
}

/* ---- what the checker says of it ---- */

struct trial {
    enum rpcrdma_protocol protocol;
    struct rpcrdma_check *check;
    uint32_t sent[2]; /* by each side */
};

/* One Send, with the credit word that a live peer's would have. */
static unsigned play(struct trial *trial, enum rpcrdma_endpoint from, const void *octets,
                     size_t length, struct rpcrdma_judgement *judgement)
{
    uint8_t *copy = alloc_copy(octets, length);
    uint32_t received = trial->protocol == RPCRDMA_PROTOCOL_2_07 ? trial->sent[!from] : 0;
    if (trial->protocol != RPCRDMA_PROTOCOL_1 && length >= RPCRDMA_AT_CREDIT + 4)
        rpcrdma_xdr_store32(copy + RPCRDMA_AT_CREDIT, received + CREDITS);
    const struct rpcrdma_event event = {.from = from, .data = copy, .length = length};
    rpcrdma_check_event(trial->check, &event, judgement);
    trial->sent[from]++;
    free(copy);
    return judgement->reactions;
}

/* A NULL Call of a program without a binding, or its Reply. */
static void play_null(struct trial *trial, enum rpcrdma_direction direction, uint32_t xid)
{
    enum { WORDS = 20, CALL = 10, REPLY = 6 };
    const uint32_t call[CALL] = {xid, 0, 2, 0x20000000, 1}, reply[REPLY] = {xid, 1};
    bool is_call = direction == RPCRDMA_CALL;
    bool is_04 = trial->protocol == RPCRDMA_PROTOCOL_2_04;
    bool is_07 = trial->protocol == RPCRDMA_PROTOCOL_2_07;
    uint32_t words[WORDS] = {xid, is_04 || is_07 ? 2 : 1, CREDITS};
    size_t header = is_07 ? (is_call ? 8 : 5) : is_04 ? 9 : 7;
    words[3] = rpcrdma_inline_type(trial->protocol, direction);
    if (is_04)
        words[4] = (uint32_t)direction;
    memcpy(words + header, is_call ? call : reply, is_call ? sizeof call : sizeof reply);
    uint8_t octets[sizeof words];
    for (size_t i = 0; i < WORDS; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    struct rpcrdma_judgement judgement;
    play(trial, is_call ? RPCRDMA_CLIENT : RPCRDMA_SERVER, octets,
         4 * (header + (is_call ? CALL : REPLY)), &judgement);
}

static bool is_whole_call(enum rpcrdma_protocol protocol, const struct rpcrdma_event *event)
{
    struct rpcrdma_message message;
    return !rpcrdma_xdr_failed(
               rpcrdma_message_decode(&message, protocol, event->data, event->length, NULL)) &&
           message.kind == RPCRDMA_KIND_RPC && message.form != RPCRDMA_FORM_PIECE &&
           message.direction != RPCRDMA_REPLY;
}

static bool is_among(const json_t *findings, const struct rpcrdma_finding *finding)
{
    json_t *item;
    size_t index;
    json_array_foreach(findings, index, item)
    {
        if (strcmp(vector_text(item, "rule"), rpcrdma_requirements[finding->rule].id) == 0)
            return true;
    }
    return false;
}

static bool has_reaction(const json_t *reactions, const char *name)
{
    json_t *item;
    size_t index;
    json_array_foreach(reactions, index, item)
    {
        if (strcmp(json_string_value(item), name) == 0)
            return true;
    }
    return false;
}

static bool is_expected(const struct vector_event *subject,
                        const struct rpcrdma_judgement *judgement)
{
    const json_t *findings = json_object_get(subject->expect, "findings");
    const json_t *reactions = json_object_get(subject->expect, "reaction");
    bool same = json_array_size(findings) == judgement->count;
    for (unsigned i = 0; i < judgement->count; i++)
        same = same && is_among(findings, &judgement->findings[i]);
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        same = same &&
               has_reaction(reactions, rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i))) ==
                   (judgement->reactions >> i & 1);
    return same;
}

/* Whether the checker says of the last Send what the vector expects of it after other events. */
static bool judged_alone(const struct vector_test *test, enum rpcrdma_protocol protocol,
                         const struct story *story)
{
    struct rpcrdma_check_config config = test->config;
    struct rpcrdma_judgement judgement = {.count = 0};
    if (protocol != RPCRDMA_PROTOCOL_1)
        config.draft = protocol;
    size_t size = rpcrdma_check_size(&config);
    void *memory = alloc_zeroed(size, 1);
    struct trial trial = {.protocol = protocol, .check = rpcrdma_check_init(memory, size, &config)};
    if (!story->first) {
        play_null(&trial, RPCRDMA_CALL, XID);
        play_null(&trial, RPCRDMA_REPLY, XID);
    }
    for (size_t i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->sends[i]->event;
        unsigned open = play(&trial, RPCRDMA_CLIENT, event->data, event->length, &judgement);
        if (i + 1 < story->count && (open & RPCRDMA_PROCESS) && is_whole_call(protocol, event))
            play_null(&trial, RPCRDMA_REPLY, rpcrdma_xdr_load32(event->data));
    }
    free(memory);
    return is_expected(story->sends[story->count - 1], &judgement);
}

/* ---- the rule ---- */

/* Whether these Sends alone can break the rule. What is in the chunks of a Long Call is a live
 * Requester's, not the vector's: it comes near to no rule of RPC messages. Several Sends are there
 * for what they have to do with each other. */
static bool binds_call(const char *id, enum rpcrdma_protocol protocol, const struct story *story)
{
    const struct rpcrdma_event *event = &story->sends[story->count - 1]->event;
    struct rpcrdma_message message;
    rpcrdma_message_decode(&message, protocol, event->data, event->length, NULL);
    bool is_long = message.kind == RPCRDMA_KIND_RPC && message.form == RPCRDMA_FORM_SPECIAL;
    int row = register_find(id);
    const struct rpcrdma_requirement *rule = row < 0 ? NULL : &rpcrdma_requirements[row];
    return rule && (rule->role == RPCRDMA_ROLE_REQUESTER || rule->role == RPCRDMA_ROLE_SENDER) &&
           (rule->message == RPCRDMA_MESSAGE_CALL || rule->message == RPCRDMA_MESSAGE_ANY) &&
           (is_long || strstr(id, "nomsg") == NULL) &&
           (rule->scope == RPCRDMA_SCOPE_HEADER ||
            (rule->scope == RPCRDMA_SCOPE_CONNECTION && story->count > 1) ||
            (!is_long &&
             (rule->scope == RPCRDMA_SCOPE_MESSAGE || rule->scope == RPCRDMA_SCOPE_BINDING)));
}

/* Of the rules that the last Send breaks, the first; else the first of those that it nearly breaks.
 */
static void find_rule(const struct vector_test *test, enum rpcrdma_protocol protocol,
                      struct story *story)
{
    json_t *item;
    size_t index;
    const struct vector_event *subject = story->sends[story->count - 1];
    story->breaks = findings_of(subject) > 0;
    if (story->breaks) {
        item = json_array_get(json_object_get(subject->expect, "findings"), 0);
        story->rule = vector_text(item, "rule");
        return;
    }
    json_array_foreach(json_object_get(test->json, "nearMiss"), index, item)
    {
        if (story->rule == NULL && binds_call(json_string_value(item), protocol, story))
            story->rule = json_string_value(item);
    }
}

/* ---- */

/* A connection does not change its version: another one is a fault in it. One that begins so does
 * not come to speak version 2. */
static bool keeps_version(enum rpcrdma_protocol protocol, const struct story *story, size_t which)
{
    const struct vector_event *send = story->sends[which];
    struct rpcrdma_prefix prefix;
    return protocol == RPCRDMA_PROTOCOL_1 || (findings_of(send) > 0 && !story->first) ||
           !rpcrdma_prefix_load(&prefix, send->event.data, send->event.length) ||
           prefix.version == RPCRDMA_VERSION_2;
}

static bool is_sendable(enum rpcrdma_protocol protocol, const struct story *story)
{
    for (size_t i = 0; i < story->count; i++)
        if (story->sends[i]->event.invalidate || story->sends[i]->event.length > LENGTH_MAX ||
            !keeps_version(protocol, story, i))
            return false;
    return protocol != RPCRDMA_PROTOCOL_1 || story->count == 1;
}

/* Its last Sends, and how it begins. */
static struct story last_of(const struct story *all, size_t count, bool first)
{
    struct story story = {.count = count, .first = first};
    memcpy(story.sends, all->sends + all->count - count, count * sizeof story.sends[0]);
    return story;
}

bool story_of(const struct vector_test *test, enum rpcrdma_protocol protocol, struct story *story)
{
    bool is_version1 = protocol == RPCRDMA_PROTOCOL_1;
    struct story all = {.count = 0};
    if (has_settings(test, protocol) || !gather(test, &all) ||
        json_array_size(json_object_get(all.sends[all.count - 1]->expect, "reaction")) == 0)
        return false;
    bool found = false;
    for (size_t count = 1; count <= all.count && !found; count++) {
        *story = last_of(&all, count, false);
        found = is_sendable(protocol, story) && judged_alone(test, protocol, story);
    }
    if (!found && !is_version1) {
        *story = last_of(&all, all.count, true);
        found = is_sendable(protocol, story) && judged_alone(test, protocol, story);
    }
    if (found)
        find_rule(test, protocol, story);
    return found;
}
