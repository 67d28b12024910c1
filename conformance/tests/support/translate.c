// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/translate.h"

#include "conformance/check/core/review.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma1.h>
#include <rpcrdma/rpcrdma2_07.h>

/* ---- one Send ---- */

static uint32_t word(const struct play_message *message, size_t at)
{
    return at + 4 <= message->length ? rpcrdma_xdr_load32(message->octets + at) : 0;
}

/* Octets of the Read list of a header, up to and with its last word; or 0 if it does not end. */
static size_t read_list_length(const struct play_message *message)
{
    size_t at = RPCRDMA1_SIZE_MIN;
    while (at + 4 <= message->length && word(message, at) == 1)
        at += RPCRDMA1_READ_LIST_ENTRY_SIZE;
    return at + 4 <= message->length ? at + 4 - RPCRDMA1_SIZE_MIN : 0;
}

/* What the RPC message says, or the lists, or else the side that sends. */
static bool is_call(const struct play_message *message)
{
    struct rpcrdma1_header header;
    ptrdiff_t length =
        rpcrdma1_header_decode(&header, message->octets, message->length, NULL, NULL);
    if (length < 0)
        return message->event.from == RPCRDMA_CLIENT;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    if (header.rdma_body.proc == RPCRDMA1_NOMSG)
        return lists->rdma_reads.count > 0 || !lists->rdma_reply.present;
    return message->length < (size_t)length + 8 ? message->event.from == RPCRDMA_CLIENT
                                                : word(message, (size_t)length + 4) == RPCRDMA_CALL;
}

static void put(struct play_message *to, const struct play_message *from, size_t at, size_t length)
{
    memcpy(to->octets + to->length, from->octets + at, length);
    to->length += length;
}

static void put_prefix(struct play_message *to, const struct play_message *from, uint32_t type)
{
    to->length = 0;
    put(to, from, 0, RPCRDMA1_SIZE_MIN);
    to->octets[7] = RPCRDMA_VERSION_2;
    to->octets[15] = (uint8_t)type;
}

/* The procedures have the same numbers; two words come before the lists. */
static void translate_04(struct play_message *to, const struct play_message *from, uint32_t handle)
{
    bool call = is_call(from);
    put_prefix(to, from, word(from, RPCRDMA1_AT_PROC));
    play_word(to, call ? RPCRDMA_CALL : RPCRDMA_REPLY);
    play_word(to, call ? handle : 0);
    put(to, from, RPCRDMA1_SIZE_MIN, from->length - RPCRDMA1_SIZE_MIN);
}

/* Position zero has a list of its own. */
static void put_read_lists(struct play_message *to, const struct play_message *from, size_t length)
{
    for (int zero = 1; zero >= 0; zero--) {
        for (size_t at = RPCRDMA1_SIZE_MIN; at + 4 < RPCRDMA1_SIZE_MIN + length;
             at += RPCRDMA1_READ_LIST_ENTRY_SIZE)
            if ((word(from, at + RPCRDMA1_READ_LIST_ENTRY_AT_POSITION) == 0) == zero)
                put(to, from, at, RPCRDMA1_READ_LIST_ENTRY_SIZE);
        play_word(to, 0);
    }
}

/* A Reply has neither Read list nor, inline, Reply chunk. */
static bool put_reply_inline(struct play_message *to, const struct play_message *from)
{
    struct rpcrdma1_header header;
    ptrdiff_t length = rpcrdma1_header_decode(&header, from->octets, from->length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = length < 0 ? NULL : rpcrdma1_chunks(&header);
    if (lists == NULL || lists->rdma_reads.count > 0 || lists->rdma_reply.present)
        return false;
    put_prefix(to, from, RPCRDMA2_07_REPLY_INLINE);
    put(to, from, RPCRDMA1_SIZE_MIN + 4, lists->rdma_writes.octets);
    put(to, from, (size_t)length, from->length - (size_t)length);
    return true;
}

static bool translate_07(struct play_message *to, const struct play_message *from, uint32_t handle)
{
    size_t reads = read_list_length(from), rest = RPCRDMA1_SIZE_MIN + reads;
    bool call = is_call(from), whole = word(from, RPCRDMA1_AT_PROC) == RPCRDMA1_MSG;
    if (whole && !call)
        return put_reply_inline(to, from);
    if (!whole && reads == 0)
        return false;
    put_prefix(to, from,
               whole  ? RPCRDMA2_07_CALL_INLINE
               : call ? RPCRDMA2_07_CALL_EXTERNAL
                      : RPCRDMA2_07_REPLY_EXTERNAL);
    if (call)
        play_word(to, handle);
    if (call && !whole)
        put_read_lists(to, from, reads);
    put(to, from, whole ? RPCRDMA1_SIZE_MIN : rest,
        from->length - (whole ? RPCRDMA1_SIZE_MIN : rest));
    return true;
}

/* The RPC message is neither Call nor Reply, which a header of version 1 leaves open. */
static bool has_no_direction(const struct play_message *message)
{
    struct rpcrdma1_header header;
    ptrdiff_t length =
        rpcrdma1_header_decode(&header, message->octets, message->length, NULL, NULL);
    return length >= 0 && header.rdma_body.proc == RPCRDMA1_MSG &&
           word(message, (size_t)length + 4) > RPCRDMA_REPLY;
}

bool translate_send(struct play_message *message, enum rpcrdma_protocol draft, uint32_t handle)
{
    static struct play_message from;
    from = *message;
    if (message->event.type != RPCRDMA_EVENT_SEND)
        return true;
    if (message->length < RPCRDMA1_SIZE_MIN || message->event.missing > 0 ||
        word(message, RPCRDMA1_AT_RDMA_VERS) != RPCRDMA_VERSION_1)
        return false;
    uint32_t procedure = word(message, RPCRDMA1_AT_PROC);
    if ((procedure > RPCRDMA1_NOMSG && procedure != RPCRDMA1_ERROR) || has_no_direction(message))
        return false;
    if (procedure == RPCRDMA1_ERROR)
        message->octets[7] = RPCRDMA_VERSION_2;
    else if (draft == RPCRDMA_PROTOCOL_2_04)
        translate_04(message, &from, handle);
    else if (!translate_07(message, &from, handle))
        return false;
    message->event.length = message->length;
    return true;
}

/* ---- one row ---- */

/* Rules that hold in version 2, but of which the rows of version 1 depend on what it has otherwise:
 * the smallest header, codes of errors, thresholds, who holds a message. They have rows there. */
static const char *const otherwise[] = {
    "rfc8166/4.5/minimal-header",
    "rfc8166/4.5/error-code-defined",
    "rfc8166/4.5.1/version-range-excludes-failed",
    "rfc8166/4.2.4/send-within-threshold",
    "rfc8166/3.5.3/reply-chunk-used",
    "rfc8166/4.2.4/nomsg-holds-payload",
    "rfc8166/4.3.3/reply-chunk-copied",
    "rfc8167/6/peer-prepared",
    "rfc8797/4.1/invalidate-own-transaction",
};

static bool is_otherwise(enum rpcrdma_rule rule)
{
    for (size_t i = 0; i < COUNT(otherwise); i++)
        if (strcmp(rpcrdma_requirements[rule].id, otherwise[i]) == 0)
            return true;
    return false;
}

/* What the last Send of these events invalidates, if its Call offers it. */
static uint32_t invalidated(const char *const *events)
{
    const char *last = NULL;
    for (unsigned i = 0; play_event(events, i); i++)
        if (strstr(events[i], "inv:") != NULL)
            last = strstr(events[i], "inv:") + 4;
    char name[16] = "";
    for (unsigned i = 0; last && last[i] > ' ' && i < sizeof name - 1; i++)
        name[i] = last[i];
    return last && strstr(events[0], name) ? (uint32_t)strtoul(last, NULL, 0) : 0;
}

static enum rpcrdma_rule find_rule(const char *id, size_t length)
{
    for (int rule = 0; rule < RPCRDMA_RULES; rule++) {
        const char *known = rpcrdma_requirements[rule].id;
        known += strncmp(known, "rfc8166/", 8) == 0 ? 8 : 0;
        if (strlen(known) == length && strncmp(known, id, length) == 0)
            return (enum rpcrdma_rule)rule;
    }
    return RPCRDMA_RULES;
}

static bool has(const struct rpcrdma_judgement *judgement, enum rpcrdma_rule rule)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].rule == rule)
            return true;
    return false;
}

/* False if an event cannot be translated. */
static bool judge(const struct play_row *row, const char *const *events,
                  enum rpcrdma_protocol draft, struct rpcrdma_judgement *judgement)
{
    static struct play_message message;
    struct rpcrdma_check_config config = row->config;
    config.draft = draft;
    size_t size = rpcrdma_check_size(&config);
    void *memory = malloc(size);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &config);
    bool good = true;
    for (unsigned i = 0; play_event(events, i) && good; i++) {
        play_parse(&message, events[i] + (events[i][0] == '?'));
        good = translate_send(&message, draft, invalidated(events));
        message.event.data = message.length > 0 ? message.octets : NULL;
        if (good)
            rpcrdma_check_event(check, &message.event, judgement);
    }
    free(memory);
    return good;
}

/* Each rule of the judgement is broken, or is not, under the id that it has in the draft. */
static void assert_rules(const struct play_row *row, enum rpcrdma_protocol draft,
                         const struct rpcrdma_judgement *judgement, bool broken)
{
    const uint16_t *shared = rpcrdma_shared_rules[draft - RPCRDMA_PROTOCOL_2_04];
    char text[1024];
    for (const char *p = row->judgement; p && *p && strncmp(p, "-> ", 3) != 0;) {
        const char *id = p + 2, *next = strstr(p, "; ");
        enum rpcrdma_rule rule = find_rule(id, strcspn(id, " ;"));
        enum rpcrdma_rule here = rule < RPCRDMA_RULES ? shared[rule] : RPCRDMA_RULES;
        bool near = !broken && row->near_verdict && strstr(row->near_verdict, " ") &&
                    strncmp(row->near_verdict, "->", 2) != 0;
        play_render(judgement, text, sizeof text);
        if (here < RPCRDMA_RULES && rpcrdma_requirements[here].severity >= 0 && !near &&
            !is_otherwise(rule))
            ck_assert_msg(has(judgement, here) == broken, "%s in draft %u\n  %s%s\n  is: %s",
                          row->judgement, draft == RPCRDMA_PROTOCOL_2_04 ? 4 : 7,
                          broken ? "" : "near miss: ", row->events[0], text);
        p = next ? next + 2 : NULL;
    }
}

void translate_row(const struct play_row *row, enum rpcrdma_protocol draft)
{
    struct rpcrdma_judgement judgement = {.count = 0};
    if (judge(row, row->events, draft, &judgement))
        assert_rules(row, draft, &judgement, true);
    if (row->near[0] && row->near_verdict != near_of_version_1 &&
        judge(row, row->near, draft, &judgement))
        assert_rules(row, draft, &judgement, false);
}
