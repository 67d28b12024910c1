// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: the checker, fed with a conversation (conversation.h). Every judgement is well
 * formed and agrees with what the codec says. It says the same of a conversation in one piece,
 * whose octets all lie there, and event by event, each in a place of its own that is gone when the
 * next one comes. A Responder's answer is an RDMA_ERROR that breaks no rule, and one that the
 * judgement leaves open.
 */
#include "fuzz/mutators/conversation.h"
#include "fuzz/fuzz.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpcrdma.h>

#define ALL_REACTIONS ((1u << RPCRDMA_REACTIONS) - 1)

struct digest {
    uint64_t value;
};

static void add(struct digest *digest, uint64_t number)
{
    digest->value = (digest->value ^ number) * 0x100000001b3u;
    digest->value ^= digest->value >> 29;
}

static void check_finding(const struct rpcrdma_judgement *judgement, unsigned index,
                          const struct rpcrdma_event *event)
{
    const struct rpcrdma_finding *finding = &judgement->findings[index];
    char text[256], field[128];
    FUZZ_ASSERT((uint32_t)finding->rule < RPCRDMA_RULES);
    /* Some rules of version 2 are broken in a less severe way. */
    FUZZ_ASSERT(rpcrdma_requirements[finding->rule].severity == (int)finding->severity ||
                (finding->protocol != RPCRDMA_PROTOCOL_1 &&
                 rpcrdma_requirements[finding->rule].severity > (int)finding->severity));
    for (unsigned i = 0; i < index; i++)
        FUZZ_ASSERT(judgement->findings[i].rule != finding->rule);
    FUZZ_ASSERT(finding->offset >= RPCRDMA_NO_OFFSET);
    /* In a Long Call that RDMA Reads have moved it counts from the start of the message. */
    FUZZ_ASSERT(event->type == RPCRDMA_EVENT_RDMA_READ ||
                finding->offset <= (int64_t)(event->length + event->missing));
    size_t length = rpcrdma_finding_text(finding, text, sizeof text);
    FUZZ_ASSERT(length > 0 && length < sizeof text && strlen(text) == length);
    FUZZ_ASSERT(strchr(text, '%') == NULL);
    char cut[8];
    FUZZ_ASSERT(rpcrdma_finding_text(finding, cut, sizeof cut) == length);
    FUZZ_ASSERT(strlen(cut) == 7 && strncmp(cut, text, 7) == 0);
    FUZZ_ASSERT(strlen(rpcrdma_severity_name(finding->severity)) >= 4);
    bool named = rpcrdma_finding_field(finding, event, field, sizeof field);
    FUZZ_ASSERT(named == (field[0] != '\0'));
}

/* What section 4.5 asks for the error that the codec found is open, to each receiver that there is.
 */
static void check_refusal(const struct rpcrdma_judgement *judgement, int code)
{
    unsigned answer = rpcrdma1_error_answer(code, RPCRDMA_RESPONDER) == RPCRDMA1_ERR_CHUNK
                          ? RPCRDMA_ERR_CHUNK
                          : RPCRDMA_DISCARD;
    FUZZ_ASSERT(rpcrdma1_error_answer(code, RPCRDMA_REQUESTER) == 0);
    FUZZ_ASSERT(judgement->count > 0 && !(judgement->reactions & RPCRDMA_PROCESS));
    if (judgement->direction == RPCRDMA_CALL)
        FUZZ_ASSERT(judgement->reactions & answer);
    else if (judgement->direction == RPCRDMA_REPLY)
        FUZZ_ASSERT(judgement->reactions & RPCRDMA_DISCARD &&
                    !(judgement->reactions & answer & ~RPCRDMA_DISCARD));
    else
        FUZZ_ASSERT(judgement->reactions & (answer | RPCRDMA_DISCARD));
}

/* A header that does not decode is not processed, one that breaks nothing is. */
static void check_reactions(const struct rpcrdma_judgement *judgement,
                            const struct rpcrdma_event *event)
{
    struct rpcrdma1_header header;
    ptrdiff_t length = rpcrdma1_header_decode(&header, event->data, event->length, NULL, NULL);
    FUZZ_ASSERT(judgement->reactions != 0 && (judgement->reactions & ~ALL_REACTIONS) == 0);
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (judgement->reactions >> i & 1)
            FUZZ_ASSERT(strcmp(rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)), "unknown"));
    if (judgement->protocol != RPCRDMA_PROTOCOL_1) /* see check2_fuzz.c */
        return;
    if (judgement->header_length >= 0)
        FUZZ_ASSERT(judgement->header_length == length);
    bool lists = judgement->has_procedure && judgement->procedure <= RPCRDMA1_NOMSG;
    if (!lists || judgement->version != RPCRDMA_VERSION_1 || event->length < RPCRDMA1_HEADER_MIN)
        return;
    FUZZ_ASSERT(judgement->header_length == length || length < 0);
    if (length < 0 && event->missing == 0)
        check_refusal(judgement, (int)length);
    if (judgement->count == 0)
        FUZZ_ASSERT(judgement->reactions & RPCRDMA_PROCESS);
}

static void check_verdict(const struct rpcrdma_judgement *judgement,
                          const struct rpcrdma_event *event)
{
    FUZZ_ASSERT(judgement->count <= RPCRDMA_FINDINGS);
    for (unsigned i = 0; i < judgement->count; i++)
        check_finding(judgement, i, event);
    FUZZ_ASSERT(judgement->direction >= RPCRDMA_DIRECTION_UNKNOWN &&
                judgement->direction <= RPCRDMA_REPLY);
    if (event->type != RPCRDMA_EVENT_SEND) {
        FUZZ_ASSERT(judgement->reactions == 0 && judgement->header_length == -1);
        return;
    }
    FUZZ_ASSERT(judgement->has_xid == (event->length >= 4));
    FUZZ_ASSERT(judgement->has_procedure == (event->length >= 16));
    FUZZ_ASSERT(judgement->header_length >= -1);
    FUZZ_ASSERT(judgement->header_length <= (int64_t)event->length);
    check_reactions(judgement, event);
}

/* What a Responder answers by itself breaks no rule of its own, and the judgement leaves it open.
 */
static void check_answer(const struct rpcrdma_event *event,
                         const struct rpcrdma_judgement *judgement)
{
    uint8_t answer[RPCRDMA_ANSWER_MAX], again[RPCRDMA_ANSWER_MAX];
    size_t length, second;
    enum rpcrdma_reaction reaction = rpcrdma_check_answer(
        RPCRDMA_PROTOCOL_1, event->data, event->length, event->handle, answer, &length);
    if (judgement->protocol == RPCRDMA_PROTOCOL_1 && judgement->direction == RPCRDMA_CALL &&
        event->missing == 0 && reaction != RPCRDMA_PROCESS)
        FUZZ_ASSERT(judgement->reactions & (unsigned)reaction);
    if (reaction == RPCRDMA_PROCESS || reaction == RPCRDMA_DISCARD) {
        FUZZ_ASSERT(length == 0);
        return;
    }
    struct rpcrdma1_header header;
    bool version = reaction == RPCRDMA_ERR_VERS;
    FUZZ_ASSERT(version || reaction == RPCRDMA_ERR_CHUNK);
    FUZZ_ASSERT(length == (version ? RPCRDMA1_ERR_VERS_LENGTH : RPCRDMA1_ERR_CHUNK_LENGTH));
    FUZZ_ASSERT(rpcrdma1_header_decode_complete(&header, answer, length, NULL, NULL) ==
                (ptrdiff_t)length);
    FUZZ_ASSERT(header.rdma_body.proc == RPCRDMA1_ERROR && header.rdma_credit != 0);
    FUZZ_ASSERT(event->length >= RPCRDMA1_HEADER_MIN);
    FUZZ_ASSERT(memcmp(answer, event->data, 8) == 0);
    FUZZ_ASSERT(version == (header.rdma_vers != RPCRDMA_VERSION_1));
    FUZZ_ASSERT(rpcrdma_check_answer(RPCRDMA_PROTOCOL_1, answer, length, 1, again, &second) ==
                RPCRDMA_DISCARD);
}

static struct rpcrdma_check_config settings(const uint8_t *data)
{
    struct rpcrdma_check_config config = {
        .max_calls = data[1] ? data[1] : 8,
        .max_segments = data[2] ? data[2] : 16,
        .inline_threshold = {data[3] * 1024u, data[3] * 1024u},
        .reverse_direction = data[0] & CONVERSATION_REVERSE,
        .mid_stream = data[0] & CONVERSATION_MID_STREAM,
        .bindings = data[0] & CONVERSATION_NFS ? rpcrdma_bindings : NULL,
        .seen_between = data[0] & CONVERSATION_CAPTURED,
        .registrations_seen = {data[0] & CONVERSATION_REGISTRATIONS,
                               data[0] & CONVERSATION_REGISTRATIONS},
    };
    return config;
}

static void add_verdict(struct digest *digest, const struct rpcrdma_judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        add(digest, (uint64_t)finding->rule);
        add(digest, (uint64_t)finding->offset);
        for (unsigned j = 0; j < 3; j++)
            add(digest, finding->value[j]);
    }
    add(digest, judgement->reactions);
    add(digest, (uint64_t)judgement->direction << 40 | (uint32_t)judgement->header_length);
}

/* A checker whose memory is full of `fill` before it begins. */
static struct rpcrdma_check *make_checker(const uint8_t *data, int fill)
{
    struct rpcrdma_check_config config = settings(data);
    size_t needed = rpcrdma_check_size(&config);
    void *memory = malloc(needed);
    FUZZ_ASSERT(memory != NULL);
    memset(memory, fill, needed);
    FUZZ_ASSERT(rpcrdma_check_init(memory, needed - 1, &config) == NULL);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, needed, &config);
    FUZZ_ASSERT((void *)check == memory);
    return check;
}

/* In one piece: the octets of all events lie where they are until the end. */
static uint64_t feed_whole(const uint8_t *data, size_t size)
{
    const uint8_t *at = data + CONVERSATION_SETTINGS;
    struct rpcrdma_check *check = make_checker(data, 0xa5);
    struct rpcrdma_event event;
    struct rpcrdma_judgement judgement;
    struct digest digest = {0};
    memset(&judgement, 0xa5, sizeof judgement);
    while (conversation_next(&at, data + size, &event)) {
        rpcrdma_check_event(check, &event, &judgement);
        add_verdict(&digest, &judgement);
    }
    free(check);
    return digest.value;
}

/* Event by event: each in a block of its own, which begins at an odd place and is gone after it.
 */
static uint64_t feed_each(const uint8_t *data, size_t size)
{
    const uint8_t *at = data + CONVERSATION_SETTINGS;
    struct rpcrdma_check *check = make_checker(data, 0);
    struct rpcrdma_event event;
    struct digest digest = {0};
    while (conversation_next(&at, data + size, &event)) {
        struct rpcrdma_judgement judgement = {0};
        uint8_t *copy = event.data ? malloc(event.length + 3) : NULL;
        if (event.data && event.length > 0)
            memcpy(copy + 3, event.data, event.length);
        if (event.data)
            event.data = copy + 3;
        rpcrdma_check_event(check, &event, &judgement);
        check_verdict(&judgement, &event);
        if (event.type == RPCRDMA_EVENT_SEND)
            check_answer(&event, &judgement);
        free(copy);
        add_verdict(&digest, &judgement);
    }
    free(check);
    return digest.value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < CONVERSATION_SETTINGS || size > FUZZ_SIZE_MAX)
        return 0;
    FUZZ_ASSERT(feed_whole(data, size) == feed_each(data, size));
    return 0;
}
