// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

void play_word(struct play_message *message, uint64_t word)
{
    ck_assert_uint_le(message->length + 4, PLAY_OCTETS);
    for (int shift = 24; shift >= 0; shift -= 8)
        message->octets[message->length++] = (uint8_t)(word >> shift);
}

void play_words(struct play_message *message, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        play_word(message, words[i]);
}

static uint32_t play_xid(const struct play_message *message, const char *colon)
{
    const uint8_t *o = message->octets;
    if (colon)
        return (uint32_t)strtoul(colon + 1, NULL, 0);
    return (uint32_t)o[0] << 24 | (uint32_t)o[1] << 16 | (uint32_t)o[2] << 8 | o[3];
}

static bool play_rpc(struct play_message *message, const char *token)
{
    const char *colon = strchr(token, ':');
    size_t name = colon ? (size_t)(colon - token) : strlen(token);
    unsigned proc, service;
    if (sscanf(token, "gss:%u:%u", &proc, &service) == 2) {
        uint32_t words[] = {
            play_xid(message, NULL), 0, 2, 100003, 3, 0, 6, 20, 1, proc, 9, service, 0, 0, 0};
        play_words(message, words, 15);
    } else if (strncmp(token, "reply", name) == 0 && name == 5) {
        uint32_t words[] = {play_xid(message, colon), 1, 0, 0, 0, 0};
        play_words(message, words, 6);
    } else if (strncmp(token, "call4", name) == 0 && name >= 4) {
        uint32_t version = name == 5 ? 4 : 3;
        uint32_t words[] = {play_xid(message, colon), 0, 2, 100003, version, 0, 0, 0, 0, 0};
        play_words(message, words, 10);
    } else {
        return false;
    }
    return true;
}

static void play_token(struct play_message *message, const char *token)
{
    if (play_rpc(message, token))
        return;
    char *end;
    bool sized = token[0] == '*' || token[0] == '+';
    bool cut = strncmp(token, "cut:", 4) == 0, invalidate = strncmp(token, "inv:", 4) == 0;
    bool sent = strncmp(token, "sent:", 5) == 0;
    uint64_t number = strtoull(token + (sized ? 1 : cut || invalidate ? 4 : sent ? 5 : 0), &end, 0);
    if (strcmp(token, "none") == 0) {
        play_words(message, (const uint32_t[]){0, 0, 0}, 3);
        return;
    }
    if (strcmp(token, "reading") == 0) {
        message->event.reads_open = true;
        return;
    }
    ck_assert_msg(*end == '\0', "unknown token %s", token);
    if (sized) {
        number *= token[0] == '*' ? 4 : 1;
        ck_assert_uint_le(message->length + number, PLAY_OCTETS);
        memset(message->octets + message->length, 0, number);
        message->length += number;
    } else if (sent) {
        message->event.has_order = true;
        message->event.sent = number;
    } else if (cut) {
        message->event.missing = number;
    } else if (invalidate) {
        message->event.invalidate = true;
        message->event.handle = (uint32_t)number;
    } else {
        play_word(message, number);
    }
}

void play_parse(struct play_message *message, const char *text)
{
    static const struct {
        const char *name;
        enum rpcrdma_event_type type;
    } types[] = {
        {"read", RPCRDMA_EVENT_RDMA_READ},          {"write", RPCRDMA_EVENT_RDMA_WRITE},
        {"private", RPCRDMA_EVENT_PRIVATE_DATA},    {"gap", RPCRDMA_EVENT_GAP},
        {"atomic", RPCRDMA_EVENT_ATOMIC},           {"notready", RPCRDMA_EVENT_NOT_READY},
        {"refused-read", RPCRDMA_EVENT_REFUSED},    {"refused-write", RPCRDMA_EVENT_REFUSED},
        {"end", RPCRDMA_EVENT_DISCONNECT},          {"registered", RPCRDMA_EVENT_REGISTERED},
        {"invalidated", RPCRDMA_EVENT_INVALIDATED}, {"completed", RPCRDMA_EVENT_COMPLETED}};
    char copy[2048], *rest = copy, *token;
    uint64_t operation[3] = {0};
    unsigned operands = 0;
    snprintf(copy, sizeof copy, "%s", text + 1);
    ck_assert_uint_lt(strlen(text), sizeof copy);
    message->event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND};
    message->event.from = text[0] == '>' ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
    message->length = 0;
    for (; (token = strtok_r(rest, " ", &rest));) {
        bool named = false;
        for (size_t i = 0; i < COUNT(types); i++)
            if (strcmp(token, types[i].name) == 0) {
                message->event.type = types[i].type;
                named = true;
            }
        bool is_operation = message->event.type == RPCRDMA_EVENT_RDMA_READ ||
                            message->event.type == RPCRDMA_EVENT_RDMA_WRITE ||
                            message->event.type == RPCRDMA_EVENT_ATOMIC ||
                            message->event.type == RPCRDMA_EVENT_REFUSED ||
                            message->event.type == RPCRDMA_EVENT_REGISTERED;
        message->event.is_read = message->event.is_read || strcmp(token, "refused-read") == 0;
        if (named)
            continue;
        if (message->event.type == RPCRDMA_EVENT_NOT_READY)
            message->event.received = strtoull(token, NULL, 0);
        else if (message->event.type == RPCRDMA_EVENT_COMPLETED)
            message->event.xid = (uint32_t)strtoul(token, NULL, 0);
        else if (message->event.type == RPCRDMA_EVENT_INVALIDATED)
            message->event.handle = (uint32_t)strtoul(token, NULL, 0);
        else if (operands == 3 && message->event.type == RPCRDMA_EVENT_REGISTERED)
            message->event.access |=
                strcmp(token, "r") == 0 ? RPCRDMA_ACCESS_READ : RPCRDMA_ACCESS_WRITE;
        else if (is_operation && operands < 3)
            operation[operands++] = strtoull(token, NULL, 0);
        else
            play_token(message, token);
    }
    message->length -= message->event.missing;
    message->event.length = message->length;
    if (operands == 3) {
        message->event.handle = (uint32_t)operation[0];
        message->event.offset = operation[1];
        ck_assert_uint_le(message->length, operation[2]);
        message->event.length = message->length ? message->length : operation[2];
        message->event.missing = operation[2] - message->event.length;
    }
}

void play_render(const struct rpcrdma_judgement *judgement, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < judgement->count && at < size; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        const char *id = rpcrdma_requirements[finding->rule].id;
        at += (size_t)snprintf(text + at, size - at, "%s%c %s", i ? "; " : "",
                               "NWV"[finding->severity],
                               strncmp(id, "rfc8166/", 8) == 0 ? id + 8 : id);
        if (finding->offset != RPCRDMA_NO_OFFSET && at < size)
            at += (size_t)snprintf(text + at, size - at, " @%d", (int)finding->offset);
    }
    for (unsigned i = 0, n = 0; i < RPCRDMA_REACTIONS && at < size; i++)
        if (judgement->reactions >> i & 1)
            at += (size_t)snprintf(text + at, size - at, "%s%s",
                                   n++  ? ","
                                   : at ? " -> "
                                        : "-> ",
                                   rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
}

/* Every text is a line of words, and every finding that has a place has a field there. */
static void play_assert_texts(const struct rpcrdma_judgement *judgement,
                              const struct rpcrdma_event *event)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        char text[256], field[128];
        size_t length = rpcrdma_finding_text(finding, text, sizeof text);
        ck_assert_uint_lt(length, sizeof text);
        ck_assert_uint_gt(length, 10);
        ck_assert_msg(strchr(text, '%') == NULL && strchr(text, '\n') == NULL, "%s", text);
        rpcrdma_finding_field(finding, event, field, sizeof field);
    }
}

/* What one broken rule leaves open is what the register says. */
static void play_assert_reactions(const struct rpcrdma_judgement *judgement)
{
    if (judgement->count != 1)
        return;
    const struct rpcrdma_requirement *requirement =
        &rpcrdma_requirements[judgement->findings[0].rule];
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if ((judgement->reactions & ~requirement->reactions) >> i & 1)
            ck_abort_msg("%s: the register does not leave %s open", requirement->id,
                         rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
}

/* Who is charged: whose event it is; of what a Long Call says, which an RDMA Read moves, its
 * caller. */
static void assert_sides(const struct rpcrdma_judgement *judgement,
                         const struct rpcrdma_event *event)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        bool is_of_call = event->type == RPCRDMA_EVENT_RDMA_READ &&
                          rpcrdma_requirements[finding->rule].scope != RPCRDMA_SCOPE_TRANSFER;
        ck_assert_int_eq(finding->from == event->from, !is_of_call);
    }
}

void play_judge(struct rpcrdma_check *check, const char *text, struct rpcrdma_judgement *judgement)
{
    static struct play_message message;
    play_parse(&message, text);
    /* A block of its own, so that the sanitizer sees a read beyond it. */
    uint8_t *octets = malloc(message.length + (message.length == 0));
    ck_assert_ptr_nonnull(octets);
    memcpy(octets, message.octets, message.length);
    bool unseen = message.length == 0 && (message.event.type == RPCRDMA_EVENT_RDMA_READ ||
                                          message.event.type == RPCRDMA_EVENT_RDMA_WRITE);
    message.event.data = unseen ? NULL : octets;
    rpcrdma_check_event(check, &message.event, judgement);
    play_assert_texts(judgement, &message.event);
    play_assert_reactions(judgement);
    assert_sides(judgement, &message.event);
    free(octets);
}

const char *play_event(const char *const *events, unsigned i)
{
    return i < PLAY_EVENTS && events[i] && events[i][0] != '=' ? events[i] : NULL;
}

/* After the last event: what its last finding says. */
static void play_assert_words(const struct rpcrdma_judgement *judgement, const char *words)
{
    char text[256];
    ck_assert_uint_gt(judgement->count, 0);
    rpcrdma_finding_text(&judgement->findings[judgement->count - 1], text, sizeof text);
    ck_assert_str_eq(text, words);
}

static void play_events(const struct play_row *row, const char *const *events, const char *expected)
{
    struct rpcrdma_check_config config = row->config;
    if (config.max_calls == 0) {
        config.max_calls = RPCRDMA_CHECK_CONFIG_DEFAULT.max_calls;
        config.max_segments = RPCRDMA_CHECK_CONFIG_DEFAULT.max_segments;
    }
    size_t size = rpcrdma_check_size(&config);
    void *memory = malloc(size);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &config);
    struct rpcrdma_judgement judgement = {.count = 0};
    char text[1024] = "";
    ck_assert_ptr_nonnull(check);
    unsigned i = 0;
    for (; play_event(events, i); i++) {
        bool last = play_event(events, i + 1) == NULL, free_hand = events[i][0] == '?';
        play_judge(check, events[i] + free_hand, &judgement);
        play_render(&judgement, text, sizeof text);
        if (last)
            ck_assert_msg(strcmp(text, expected) == 0, "%s\n   is: %s\n  not: %s", events[i], text,
                          expected);
        else if (!free_hand)
            ck_assert_msg(judgement.count == 0, "%s\n   is: %s", events[i], text);
    }
    if (i < PLAY_EVENTS && events[i])
        play_assert_words(&judgement, events[i] + 2);
    free(memory);
}

const char near_of_version_1[] = "-> process";

void play_row(const struct play_row *row)
{
    play_events(row, row->events, row->judgement);
    if (row->near[0])
        play_events(row, row->near, row->near_verdict ? row->near_verdict : "-> process");
}
