// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: the checker, fed with a conversation of version 2 (conversation.h). Of the settings,
 * the second octet is the draft and what its credits mean, the third how much of a message in
 * pieces is kept. What the judgement says of a header is what decoding by its protocol says; and it
 * is the same whether all octets of the conversation stay, or those of each event are gone with it.
 */
#include "fuzz/mutators/conversation.h"
#include "fuzz/fuzz.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/message.h>

static struct rpcrdma_check_config settings(const uint8_t *data)
{
    static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_AUTO, RPCRDMA_PROTOCOL_2_04,
                                                   RPCRDMA_PROTOCOL_2_07};
    return (struct rpcrdma_check_config){
        .max_calls = 8,
        .max_segments = 16,
        .inline_threshold = {data[3] * 1024u, data[3] * 1024u},
        .reverse_direction = data[0] & CONVERSATION_REVERSE,
        .mid_stream = data[0] & CONVERSATION_MID_STREAM,
        .bindings = data[0] & CONVERSATION_NFS ? rpcrdma_bindings : NULL,
        .seen_between = data[0] & CONVERSATION_CAPTURED,
        .registrations_seen = {data[0] & CONVERSATION_REGISTRATIONS,
                               data[0] & CONVERSATION_REGISTRATIONS},
        .draft = drafts[data[1] % 3],
        .credits = (enum rpcrdma_credits)(data[1] / 3 % 3),
        .continued_octets = data[2] * 16u,
    };
}

static struct rpcrdma_check *make_checker(const uint8_t *data, int fill)
{
    struct rpcrdma_check_config config = settings(data);
    size_t needed = rpcrdma_check_size(&config);
    void *memory = malloc(needed);
    FUZZ_ASSERT(memory != NULL);
    memset(memory, fill, needed);
    FUZZ_ASSERT(rpcrdma_check_init(memory, needed - 1, &config) == NULL);
    return rpcrdma_check_init(memory, needed, &config);
}

/* ---- judgements ---- */

/* A rule is one of the protocol by which the Send is judged, or of a text that it inherits. */
static bool is_of_protocol(const struct rpcrdma_judgement *judgement, const char *rule)
{
    bool is_04 = strncmp(rule, "rpcrdma2-04/", 12) == 0;
    bool is_07 = strncmp(rule, "rpcrdma2-07/", 12) == 0;
    return (!is_04 || judgement->protocol != RPCRDMA_PROTOCOL_2_07) &&
           (!is_07 || judgement->protocol != RPCRDMA_PROTOCOL_2_04);
}

static void check_finding(const struct rpcrdma_judgement *judgement, unsigned index,
                          const struct rpcrdma_event *event)
{
    const struct rpcrdma_finding *finding = &judgement->findings[index];
    char text[256], field[128];
    FUZZ_ASSERT((uint32_t)finding->rule < RPCRDMA_RULES);
    const struct rpcrdma_requirement *rule = &rpcrdma_requirements[finding->rule];
    FUZZ_ASSERT((int)finding->severity <= rule->severity);
    FUZZ_ASSERT(event->type != RPCRDMA_EVENT_SEND || is_of_protocol(judgement, rule->id));
    for (unsigned i = 0; i < index; i++)
        FUZZ_ASSERT(judgement->findings[i].rule != finding->rule);
    FUZZ_ASSERT(finding->offset >= RPCRDMA_NO_OFFSET);
    /* In a Long Call that RDMA Reads have moved it counts from the start of the message. */
    FUZZ_ASSERT(event->type == RPCRDMA_EVENT_RDMA_READ ||
                finding->offset <= (int64_t)(event->length + event->missing));
    size_t length = rpcrdma_finding_text(finding, text, sizeof text);
    FUZZ_ASSERT(length > 0 && length < sizeof text && strchr(text, '%') == NULL);
    bool named = rpcrdma_finding_field(finding, event, field, sizeof field);
    FUZZ_ASSERT(named == (field[0] != '\0'));
}

static void check_message(const struct rpcrdma_judgement *judgement,
                          const struct rpcrdma_event *event)
{
    struct rpcrdma_message message;
    if (judgement->protocol == RPCRDMA_PROTOCOL_1 || judgement->header_length < 0)
        return;
    FUZZ_ASSERT(rpcrdma_message_decode(&message, judgement->protocol, event->data, event->length,
                                       NULL) == judgement->header_length);
    FUZZ_ASSERT(judgement->kind == message.kind && judgement->form <= RPCRDMA_FORM_SPECIAL);
    bool is_rpc = message.kind == RPCRDMA_KIND_RPC;
    FUZZ_ASSERT(!is_rpc || judgement->form == message.form);
    bool is_piece = is_rpc && message.form == RPCRDMA_FORM_PIECE;
    FUZZ_ASSERT(judgement->remaining == (is_piece ? message.rpc.remaining : 0));
}

static void check_verdict(const struct rpcrdma_judgement *judgement,
                          const struct rpcrdma_event *event)
{
    FUZZ_ASSERT(judgement->count <= RPCRDMA_FINDINGS);
    for (unsigned i = 0; i < judgement->count; i++)
        check_finding(judgement, i, event);
    if (event->type != RPCRDMA_EVENT_SEND) {
        FUZZ_ASSERT(judgement->reactions == 0 && judgement->header_length == -1);
        return;
    }
    FUZZ_ASSERT(judgement->reactions != 0 && judgement->reactions >> RPCRDMA_REACTIONS == 0);
    FUZZ_ASSERT(judgement->header_length >= -1);
    FUZZ_ASSERT(judgement->header_length <= (int64_t)event->length);
    FUZZ_ASSERT(judgement->payload >= -1 && judgement->payload <= (int64_t)event->length);
    check_message(judgement, event);
}

/* ---- two ways to be fed ---- */

static uint64_t mix(uint64_t digest, uint64_t number)
{
    digest = (digest ^ number) * 0x100000001b3u;
    return digest ^ digest >> 29;
}

static uint64_t mix_verdict(uint64_t digest, const struct rpcrdma_judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        digest = mix(digest, (uint64_t)finding->rule << 32 ^ (uint64_t)finding->offset);
        for (unsigned j = 0; j < 3; j++)
            digest = mix(digest, finding->value[j]);
    }
    return mix(digest, (uint64_t)judgement->protocol << 40 ^ judgement->reactions);
}

static uint64_t feed_whole(const uint8_t *data, size_t size)
{
    const uint8_t *at = data + CONVERSATION_SETTINGS;
    struct rpcrdma_check *check = make_checker(data, 0xa5);
    struct rpcrdma_event event;
    struct rpcrdma_judgement judgement;
    uint64_t digest = 0;
    memset(&judgement, 0xa5, sizeof judgement);
    while (conversation_next(&at, data + size, &event)) {
        rpcrdma_check_event(check, &event, &judgement);
        digest = mix_verdict(digest, &judgement);
    }
    free(check);
    return digest;
}

static uint64_t feed_each(const uint8_t *data, size_t size)
{
    const uint8_t *at = data + CONVERSATION_SETTINGS;
    struct rpcrdma_check *check = make_checker(data, 0);
    struct rpcrdma_event event;
    uint64_t digest = 0;
    while (conversation_next(&at, data + size, &event)) {
        struct rpcrdma_judgement judgement = {0};
        uint8_t *copy = event.data ? malloc(event.length + 3) : NULL;
        if (event.data && event.length > 0)
            memcpy(copy + 3, event.data, event.length);
        if (event.data)
            event.data = copy + 3;
        rpcrdma_check_event(check, &event, &judgement);
        check_verdict(&judgement, &event);
        free(copy);
        digest = mix_verdict(digest, &judgement);
    }
    free(check);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < CONVERSATION_SETTINGS || size > FUZZ_SIZE_MAX)
        return 0;
    FUZZ_ASSERT(feed_whole(data, size) == feed_each(data, size));
    return 0;
}
