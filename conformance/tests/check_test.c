// SPDX-License-Identifier: BSD-3-Clause
/* The checker's API at its edges: what a judgement tells, events that lack something. */
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#include <rpcrdma/xdr.h>

#include <stdint.h>

/* Octets that were not kept have no fields. */
START_TEST(field_without_octets)
{
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .length = 40};
    const struct rpcrdma_finding finding = {.offset = 0};
    char field[8] = "x";
    ck_assert(!rpcrdma_finding_field(&finding, &event, field, sizeof field));
    ck_assert_str_eq(field, "");
}
END_TEST

/* ---- what a judgement tells ---- */

static struct rpcrdma_check *new_check(void)
{
    static max_align_t memory[64 * 1024];
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    ck_assert_uint_le(rpcrdma_check_size(&config), sizeof memory);
    return rpcrdma_check_init(memory, sizeof memory, &config);
}

START_TEST(words)
{
    struct rpcrdma_check *check = new_check();
    struct rpcrdma_judgement v;
    static const char *const sends[] = {"> +3", "> 7 +3", "> 7 1 +3", "> 7 1 32 +3", "> 7 1 32 3"};
    for (unsigned i = 0; i < 5; i++) {
        play_judge(check, sends[i], &v);
        ck_assert_int_eq(v.has_xid, i > 0);
        ck_assert_int_eq(v.has_version, i > 1);
        ck_assert_int_eq(v.has_credit, i > 2);
        ck_assert_int_eq(v.has_procedure, i > 3);
        ck_assert_uint_eq(v.xid, i > 0 ? 7 : 0);
        ck_assert_uint_eq(v.version, i > 1 ? 1 : 0);
        ck_assert_uint_eq(v.credit, i > 2 ? 32 : 0);
        ck_assert_uint_eq(v.procedure, i > 3 ? 3 : 0);
        ck_assert_int_eq(v.direction, RPCRDMA_DIRECTION_UNKNOWN);
        ck_assert_int_eq(v.header_length, -1);
        ck_assert_uint_eq(v.count, 1);
    }
}
END_TEST

static const struct {
    const char *send;
    enum rpcrdma_direction direction;
    int length;
} headers[] = {
    {"> 7 1 32 0 none call", RPCRDMA_CALL, 28},
    {"> 7 1 32 0 none reply", RPCRDMA_REPLY, 28},
    {"> 7 1 32 0 none 7 2 0", RPCRDMA_DIRECTION_UNKNOWN, 28},
    {"> 7 1 32 0 0 1 1 0xa 9 0 0 0 1 0 call", RPCRDMA_CALL, 56},
    {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", RPCRDMA_CALL, 52},
    {"> 7 1 32 1 0 0 1 1 0xa 40 0 0", RPCRDMA_REPLY, 48},
    {"> 7 1 32 1 none", RPCRDMA_DIRECTION_UNKNOWN, 28},
    {"> 7 1 32 4 2", RPCRDMA_DIRECTION_UNKNOWN, 20},
    {"> 7 2 32 4 1 1 1 1", RPCRDMA_DIRECTION_UNKNOWN, 28},
    {"> 7 2 32 0 none call", RPCRDMA_DIRECTION_UNKNOWN, -1},
    {"> 7 1 32 0 0 0 2", RPCRDMA_DIRECTION_UNKNOWN, -1},
};
#define HEADERS COUNT(headers)

START_TEST(header)
{
    struct rpcrdma_judgement judgement;
    play_judge(new_check(), headers[_i].send, &judgement);
    ck_assert_int_eq(judgement.direction, headers[_i].direction);
    ck_assert_int_eq(judgement.header_length, headers[_i].length);
}
END_TEST

/* ---- findings in words ---- */

START_TEST(finding_text)
{
    struct rpcrdma_finding finding = {.format = "%u, 0x%x and %u%", .value = {1, 0xfe, UINT64_MAX}};
    static const char whole[] = "1, 0xfe and 18446744073709551615%";
    char room[sizeof whole + 1];
    for (size_t size = 0; size <= sizeof room; size++) {
        memset(room, '#', sizeof room);
        ck_assert_uint_eq(rpcrdma_finding_text(&finding, room, size), sizeof whole - 1);
        size_t kept = size == 0 ? 0 : size < sizeof whole ? size - 1 : sizeof whole - 1;
        ck_assert_mem_eq(room, whole, kept);
        ck_assert_int_eq(room[kept], size == 0 ? '#' : '\0');
        for (size_t i = kept + 1; i < sizeof room; i++)
            ck_assert_int_eq(room[i], '#');
    }
}
END_TEST

static const struct {
    const char *send;
    int64_t offset;
    const char *field; /* NULL: none */
} fields[] = {
    {"> 7 1 32 0 none call", 0, "rdma_xid"},
    {"> 7 1 32 0 none call", 4, "rdma_vers"},
    {"> 7 1 32 0 none call", 12, "proc"},
    {"> 7 1 32 0 none call", 5, NULL},
    {"> 7 1 32 0 none call", RPCRDMA_NO_OFFSET, NULL},
    {"> 7 1 32 0 none call", 68, NULL},
    {"> 7 1 32 0 none call", 5000, NULL},
    {"> 7 1 32 0 1 40 0xa 4 0 0 0 0 0 call", 20, "rdma_reads[0].position"},
    {"> 7 1 32 0 0 0 3 1", 24, "rdma_reply"},
    {"> 7 1 32 0 0 1 9 1", 24, "rdma_writes[0].target"},
    {"< 7 1 32 4 3", 16, "err"},
    {"< 7 1 32 4 2 7", 20, NULL},
    {"> 7 1 32 0 none call:8", 28, "xid"},
    {"> 7 1 32 0 none 7 0 3", 36, "rpcvers"},
};
#define FIELDS COUNT(fields)

START_TEST(finding_field)
{
    static struct play_message message;
    struct rpcrdma_finding finding = {.protocol = RPCRDMA_PROTOCOL_1, .offset = fields[_i].offset};
    char name[128] = "#";
    play_parse(&message, fields[_i].send);
    message.event.data = message.octets;
    bool found = rpcrdma_finding_field(&finding, &message.event, name, sizeof name);
    ck_assert_int_eq(found, fields[_i].field != NULL);
    ck_assert_str_eq(name, fields[_i].field ? fields[_i].field : "");
    name[0] = '#';
    ck_assert_int_eq(rpcrdma_finding_field(&finding, &message.event, name, 1), found);
    ck_assert_int_eq(name[0], '\0');
    ck_assert_int_eq(rpcrdma_finding_field(&finding, &message.event, NULL, 0), found);
    message.event.data = NULL;
    ck_assert(!rpcrdma_finding_field(&finding, &message.event, name, sizeof name));
    message.event.data = message.octets;
    message.event.type = RPCRDMA_EVENT_RDMA_READ;
    ck_assert(!rpcrdma_finding_field(&finding, &message.event, name, sizeof name));
}
END_TEST

START_TEST(names)
{
    static const char *const reactions[] = {"process",
                                            "discard",
                                            "err-vers",
                                            "err-chunk",
                                            "garbage-args",
                                            "terminate",
                                            "close",
                                            "err-bad-xdr",
                                            "err-invalid-proc",
                                            "err-invalid-option",
                                            "err-bad-propval",
                                            "err-inval-htype",
                                            "err-inval-cont",
                                            "err-read-chunks",
                                            "err-write-chunks",
                                            "err-segments",
                                            "err-write-resource",
                                            "err-reply-resource",
                                            "err-vers-mismatch",
                                            "err-system"};
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        ck_assert_str_eq(rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)), reactions[i]);
    ck_assert_str_eq(rpcrdma_severity_name(RPCRDMA_VIOLATION), "violation");
    ck_assert_str_eq(rpcrdma_severity_name(RPCRDMA_WARNING), "warning");
    ck_assert_str_eq(rpcrdma_severity_name(RPCRDMA_NOTE), "note");
}
END_TEST

static enum rpcrdma_rule rule_of(const char *id)
{
    int rule = 0;
    while (rule < RPCRDMA_RULES && strcmp(rpcrdma_requirements[rule].id, id) != 0)
        rule++;
    return (enum rpcrdma_rule)rule;
}

/* Only a draft can be named; nothing else is taken for the last of them. */
START_TEST(protocols_that_are_no_draft)
{
    static const enum rpcrdma_protocol others[] = {
        RPCRDMA_PROTOCOL_1, (enum rpcrdma_protocol)(RPCRDMA_PROTOCOL_2_07 + 1)};
    uint8_t answer[RPCRDMA_ANSWER_MAX];
    size_t length = 1;
    for (unsigned i = 0; i < 2; i++) {
        const struct rpcrdma_check_config config = {.draft = others[i]};
        ck_assert_uint_eq(rpcrdma_check_size(&config), 0);
        ck_assert_int_eq(rpcrdma_check_rule_in(others[i], rule_of("rfc8166/2.2.2/xid-unique")),
                         RPCRDMA_RULES);
    }
    ck_assert_int_eq(rpcrdma_check_answer(RPCRDMA_PROTOCOL_AUTO, "\0\0\0\7", 4, 1, answer, &length),
                     RPCRDMA_DISCARD);
    ck_assert_uint_eq(length, 0);
    length = 1;
    ck_assert_int_eq(rpcrdma_check_answer(others[1], "\0\0\0\7", 4, 1, answer, &length),
                     RPCRDMA_DISCARD);
    ck_assert_uint_eq(length, 0);
}
END_TEST

/* Which rule of a draft says the same: this one itself, another, or none. */
START_TEST(rules_of_drafts)
{
    enum rpcrdma_rule xid = rule_of("rfc8166/2.2.2/xid-unique");
    enum rpcrdma_rule size = rule_of("rfc8166/3.3.3/send-above-default");
    ck_assert_int_eq(rpcrdma_check_rule_in(RPCRDMA_PROTOCOL_2_04, xid), xid);
    ck_assert_int_eq(rpcrdma_check_rule_in(RPCRDMA_PROTOCOL_2_07, xid),
                     rule_of("rpcrdma2-07/3.1.3/xid-unique"));
    ck_assert_int_eq(rpcrdma_check_rule_in(RPCRDMA_PROTOCOL_2_04, size), RPCRDMA_RULES);
    ck_assert_int_eq(rpcrdma_check_rule_in(RPCRDMA_PROTOCOL_2_07, size), RPCRDMA_RULES);
    for (int rule = 0; rule < RPCRDMA_RULES; rule++)
        ck_assert_int_eq(rpcrdma_check_rule_in(RPCRDMA_PROTOCOL_AUTO, (enum rpcrdma_rule)rule),
                         RPCRDMA_RULES);
    for (int rule = RPCRDMA_RULES; rule < RPCRDMA_RULES + 100000; rule += 1000)
        ck_assert_int_eq(rpcrdma_check_rule_in(RPCRDMA_PROTOCOL_2_07, (enum rpcrdma_rule)rule),
                         RPCRDMA_RULES);
}
END_TEST

/* ---- events that lack something ---- */

#define CALL(xid) "> " #xid " 1 32 0 none call"
#define REPLY(xid) "< " #xid " 1 32 0 none reply"

static const struct play_row rows[] = {
    /* Cut off by a capture: nothing is accused that is not there. */
    {"V 4.5/minimal-header @4 -> discard",
     {"> 7"},
     {"> 7 1 32 0 none call cut:64"},
     NULL,
     DEFAULTS},
    {"V 4/xdr-encoded @24 -> err-chunk",
     {"> 7 1 32 0 0 1 5 *16"},
     {"> 7 1 32 0 0 1 5 0xa 9 0 0 *16 0 0 call cut:104"},
     NULL,
     DEFAULTS},
    {"V 4/xdr-encoded @20 -> err-chunk",
     {"> 7 1 32 0 0 2 5 *16"},
     {"?> 7 1 32 0 0 2 5 *16 cut:60", "> 8 1 32 0 none call"},
     NULL,
     DEFAULTS},
    {"V 4/rpc-layout @64 -> process,discard,err-chunk,garbage-args",
     {"> 7 1 32 0 none 7 0 2 *6"},
     {"> 7 1 32 0 none call cut:4"},
     NULL,
     DEFAULTS},
    {"V 4.2.4/msg-has-payload @28 -> discard,err-chunk",
     {"> 7 1 32 0 none"},
     {"> 7 1 32 0 none call cut:40"},
     NULL,
     DEFAULTS},
    {"V 3.4.4.4/payload-whole-words @28 -> process,discard,err-chunk,garbage-args",
     {"> 7 1 32 0 none call +3 cut:15"},
     {"> 7 1 32 0 none call +3 cut:16 +1"},
     NULL,
     DEFAULTS},
    {"V 4/xdr-encoded @24 -> discard",
     {CALL(7), "< 7 1 32 4 1 1"},
     {CALL(7), "< 7 1 32 4 1 2 2 cut:8"},
     "-> discard",
     DEFAULTS},
    /* After it the Call may have been answered or not, and may be this one or that. */
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL(7), REPLY(7), REPLY(8)},
     {CALL(7), "< 7 1 32 0 none reply cut:24", REPLY(8)},
     NULL,
     DEFAULTS},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), CALL(9)},
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "< 8 1 1 0 none reply cut:20", CALL(9)},
     NULL,
     DEFAULTS},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), CALL(9)},
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "< 8 1 1 4 2 cut:4", CALL(9)},
     NULL,
     DEFAULTS},
    {"V 4.5.3/only-responder-initiates",
     {"< write 0xa 0 4"},
     {"> 7 1 32 0 0 1 1 0xa 9 0 0 0 0 call cut:60", "< write 0xa 0 4"},
     "",
     DEFAULTS},
    {"W rfc8167/6/peer-prepared -> process,discard,close",
     {"< 7 1 32 0 none call"},
     {"> 7 1 32 0 none call cut:60", "< 7 1 32 0 none call"},
     NULL,
     DEFAULTS},
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {"> 7 1 32 0 0 1 1 0xa 9 0 0 0 0 call", "< 7 1 32 0 0 1 0 0 0 reply"},
     {"> 7 1 32 0 0 1 1 0xa 9 0 0 0 0 call4 cut:28", "< 7 1 32 0 0 1 0 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V rfc8797/4/eight-octets @0",
     {"> private 0xf6ab0e18"},
     {"> private 0xf6ab0e18 0x01010303 cut:4"},
     "",
     DEFAULTS},

    /* Not seen: a gap, or what went before the capture. */
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL(7), REPLY(7), REPLY(7)},
     {CALL(7), REPLY(7), "> gap", REPLY(7)},
     NULL,
     DEFAULTS},
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {"> 7 1 32 0 0 0 1 1 0xa 100 0 0 call", REPLY(7)},
     {"> 7 1 32 0 0 0 1 1 0xa 100 0 0 call", "< gap", REPLY(7)},
     NULL,
     DEFAULTS},
    {"W 2.2.2/xid-unique @0 -> process",
     {CALL(7), "> 7 1 32 0 none call4"},
     {CALL(7), "> gap", "> 7 1 32 0 none call4"},
     NULL,
     DEFAULTS},
    {"W 4.5/error-without-call @0 -> discard",
     {CALL(7), REPLY(7), "< 7 1 32 4 2"},
     {CALL(7), REPLY(7), "> gap", "< 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"V 3.4.5.1/reads-before-reply",
     {"> 7 1 32 0 1 40 0xa 9 0 0 0 0 0 call", REPLY(7), "< read 0xa 0 9"},
     {"> 7 1 32 0 1 40 0xa 9 0 0 0 0 0 call", REPLY(7), "> gap", "< read 0xa 0 9"},
     "",
     DEFAULTS},
    {"V 3.5.2/writes-before-reply",
     {"> 7 1 32 0 0 1 1 0xa 9 0 0 0 0 call", "< 7 1 32 0 0 1 1 0xa 9 0 0 0 0 reply",
      "< write 0xa 0 9"},
     {"> 7 1 32 0 0 1 1 0xa 9 0 0 0 0 call", "< 7 1 32 0 0 1 1 0xa 9 0 0 0 0 reply", "> gap",
      "< write 0xa 0 9"},
     "",
     DEFAULTS},
    /* What is known is judged all the same. */
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {"> gap", "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call", REPLY(7)},
     {"> gap", REPLY(7)},
     NULL,
     DEFAULTS},
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {REPLY(7), "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call", REPLY(7)},
     {"< 8 1 32 0 none call", CALL(1), CALL(2), REPLY(3), "< read 0xa 0 9", "< 4 1 32 4 2",
      REPLY(1)},
     NULL,
     {.max_calls = 16, .mid_stream = true}},

    /* Captured on the way, a lower grant may not have come to its receiver yet; but without the
     * answer that brings it, one Call more is in flight. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), CALL(9), CALL(10)},
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(9), CALL(10)},
     NULL,
     {.max_calls = 16, .seen_between = true}},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(9), CALL(10)},
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(9)},
     NULL,
     {.max_calls = 16, .seen_between = true}},
    /* One that is sent again was not answered. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), "< 8 1 1 0 none reply", CALL(9), CALL(10),
      CALL(11)},
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), "< 8 1 1 0 none reply", CALL(9), CALL(10)},
     NULL,
     {.max_calls = 16, .seen_between = true}},
    /* It goes on from grant to grant: by 3 it has a fourth in flight, by 1 a second. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(9),
      "< 9 1 1 0 none reply", CALL(10), CALL(11)},
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(9),
      "< 9 1 2 0 none reply", CALL(10), CALL(11)},
     NULL,
     {.max_calls = 16, .seen_between = true}},
};
#define ROWS COUNT(rows)

START_TEST(row)
{
    play_row(&rows[_i]);
}
END_TEST

/* Content that was not seen at all, of every type of event. */
START_TEST(no_data)
{
    static const size_t lengths[] = {0, 1, 28, 4096, SIZE_MAX};
    for (int type = RPCRDMA_EVENT_SEND; type <= RPCRDMA_EVENT_GAP; type++) {
        struct rpcrdma_check *check = new_check();
        struct rpcrdma_judgement judgement;
        play_judge(check, "> gap", &judgement);
        for (unsigned i = 0; i < 10; i++) {
            struct rpcrdma_event event = {.type = (enum rpcrdma_event_type)type,
                                          .length = lengths[i / 2],
                                          .missing = i % 2 ? SIZE_MAX : 0};
            rpcrdma_check_event(check, &event, &judgement);
            bool runt = type == RPCRDMA_EVENT_SEND && i == 0;
            bool larger = type == RPCRDMA_EVENT_SEND && i >= 1 && i != 2 && i != 4;
            ck_assert_uint_eq(judgement.count, runt || larger);
            if (larger)
                ck_assert_int_eq(judgement.findings[0].rule,
                                 RPCRDMA_RFC8166_3_3_3_SEND_ABOVE_DEFAULT);
        }
    }
}
END_TEST

/* ---- tables that are searched only so far ---- */

static void judge_words(struct rpcrdma_check *check, struct play_message *message,
                        struct rpcrdma_judgement *judgement)
{
    message->event.data = message->octets;
    message->event.length = message->length;
    rpcrdma_check_event(check, &message->event, judgement);
}

/* Calls with 4096 read segments of one handle, or one more; an RDMA Read of none of them, and one
 * of the first that was refused. */
START_TEST(many_segments)
{
    struct rpcrdma_check_config config = {.max_calls = 1000, .max_segments = 10000};
    size_t octets = rpcrdma_check_size(&config);
    struct rpcrdma_check *check = rpcrdma_check_init(malloc(octets), octets, &config);
    static struct play_message message;
    struct rpcrdma_judgement judgement;
    ck_assert_ptr_nonnull(check);
    for (uint32_t i = 0; i < 4; i++) {
        play_parse(&message, "> 7 1 32 0");
        rpcrdma_xdr_store32(message.octets, i);
        for (uint32_t n = 0; n < (i == 3 && _i ? 1025 : 1024); n++)
            play_words(&message, (const uint32_t[]){1, 40, 5, 8, 0, n || i ? 64 * n + 16 : 0}, 6);
        play_words(&message, (const uint32_t[]){0, 0, 0, i, 0, 2, 100003, 3, 0, 0, 0, 0, 0}, 13);
        judge_words(check, &message, &judgement);
        ck_assert_int_eq(judgement.direction, RPCRDMA_CALL);
    }
    play_judge(check, "> refused-read 5 0 8", &judgement);
    ck_assert_uint_eq(judgement.count, _i ? 0 : 1);
    play_judge(check, "< read 5 8 8", &judgement);
    ck_assert_uint_eq(judgement.count, _i ? 0 : 1);
    play_judge(check, "< read 6 0 8", &judgement);
    ck_assert_uint_eq(judgement.count, _i ? 0 : 1);
    free(check);
}
END_TEST

/* Who need not fetch as much may refuse a chunk of more, at any Position, and none of as much. */
START_TEST(large_chunks_may_be_refused)
{
    static const char *const calls[] = {"> 7 1 32 0 1 40 0xa %u 0 0 0 0 0 call",
                                        "> 7 1 32 1 1 0 0xa %u 0 0 0 0 0"};
    static const uint32_t limits[] = {0, 4096, 1048576};
    static max_align_t memory[64 * 1024];
    struct rpcrdma_judgement judgement;
    char text[80];
    for (size_t i = 0; i < COUNT(limits); i++)
        for (uint32_t more = 0; more <= 4; more += 4) {
            struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
            config.max_read_chunk = limits[i];
            struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
            ck_assert_ptr_nonnull(check);
            snprintf(text, sizeof text, calls[_i], (limits[i] ? limits[i] : 1048576) + more);
            play_judge(check, text, &judgement);
            ck_assert_msg(((judgement.reactions & RPCRDMA_ERR_CHUNK) != 0) == (more > 0), "%s",
                          text);
        }
}
END_TEST

/* A grant of zero is none: the one before it is in force still. */
START_TEST(zero_is_no_grant)
{
    static const char *const events[] = {"> 7 1 32 0 none call", "< 7 1 2 0 none reply",
                                         "> 8 1 32 0 none call", "< 8 1 0 0 none reply",
                                         "> 9 1 32 0 none call", "> 10 1 32 0 none call",
                                         "> 11 1 32 0 none call"};
    struct rpcrdma_judgement judgement = {.count = 0};
    struct rpcrdma_check *check = new_check();
    for (size_t i = 0; i < COUNT(events); i++) {
        play_judge(check, events[i], &judgement);
        ck_assert_uint_eq(judgement.count, i == 3 || i == 6);
    }
    ck_assert_int_eq(judgement.findings[0].rule, RPCRDMA_RFC8166_3_3_1_CALLS_WITHIN_GRANT);
}
END_TEST

/* A Call of two XIDs, others that wait after it, and an RDMA_ERROR with the second XID. */
START_TEST(many_calls)
{
    struct rpcrdma_check_config config = {.max_calls = 5000};
    size_t octets = rpcrdma_check_size(&config);
    struct rpcrdma_check *check = rpcrdma_check_init(malloc(octets), octets, &config);
    static struct play_message message;
    struct rpcrdma_judgement judgement;
    ck_assert_ptr_nonnull(check);
    play_judge(check, "> 0xfffffff0 1 32 0 none call:0xfffffff1", &judgement);
    for (uint32_t i = 0; i < (_i ? 4096 : 4095); i++) {
        play_parse(&message, "> 7 1 32 0 none call");
        rpcrdma_xdr_store32(message.octets, i);
        rpcrdma_xdr_store32(message.octets + 28, i);
        judge_words(check, &message, &judgement);
    }
    play_judge(check, "< read 5 0 8", &judgement); /* by any of them, if all can be looked at */
    ck_assert_uint_eq(judgement.count, _i ? 0 : 1);
    play_judge(check, "< 0xfffffff1 1 32 4 2", &judgement);
    ck_assert_uint_eq(judgement.count, 1);
    ck_assert_int_eq(judgement.findings[0].rule,
                     _i ? RPCRDMA_RFC8166_4_5_ERROR_WITHOUT_CALL : RPCRDMA_RFC8166_4_5_ERROR_XID);
    free(check);
}
END_TEST

/* A rule is reported once a Send, where it is broken first. */
START_TEST(once)
{
    struct rpcrdma_judgement judgement;
    char text[256];
    play_judge(new_check(), "> 7 1 32 0 1 41 1 4 0 0 1 42 1 4 0 0 1 43 1 4 0 0 0 0 0 call",
               &judgement);
    play_render(&judgement, text, sizeof text);
    ck_assert_str_eq(text, "V 3.4.5/position-multiple-of-four @20 -> err-chunk");
}
END_TEST

/* What has no Call that was seen is a note if one may be missing, and says so; what is wrong beside
 * that stays what it is. */
static const struct {
    const char *before, *event, *confirmed, *unconfirmed;
} absences[] = {
    {"> 6 1 32 0 none call", "< 7 1 32 0 none reply", "V 2.2.2/reply-matches-call @0 -> discard",
     "N 2.2.2/reply-matches-call @0 -> discard"},
    {"> 6 1 32 0 none call", "< 7 1 32 4 2", "W 4.5/error-without-call @0 -> discard",
     "N 4.5/error-without-call @0 -> discard"},
    {"> 6 1 32 0 none call", "< write 5 0 8", "V 4.5.3/within-offered-memory",
     "N 4.5.3/within-offered-memory"},
    {"< 6 1 32 0 none call", "< write 5 0 8", "V 4.5.3/only-responder-initiates",
     "N 4.5.3/only-responder-initiates"},
    {"> 7 2 40 9 36 7", "< 7 2 40 13 0 reply",
     "W rpcrdma2-07/6.6.2/reply-before-call-ends @0 -> process,discard",
     "N rpcrdma2-07/6.6.2/reply-before-call-ends @0 -> process,discard"},
    {"> 6 2 32 0 0 0 0 0 0 call", "< 7 2 32 8 0 0 0",
     "W rpcrdma2-04/5.3.3/response-matches @0 -> process,discard",
     "N rpcrdma2-04/5.3.3/response-matches @0 -> process,discard"},
    {"> 6 1 32 0 none call", "< 6 1 32 0 0 1 1 5 8 0 0 0 0 reply",
     "V 3.4.3/memory-from-requester @20 -> discard",
     "V 3.4.3/memory-from-requester @20 -> discard"},
};

START_TEST(unconfirmed)
{
    for (int i = 0; i < 2; i++) {
        struct rpcrdma_check *check = new_check();
        struct rpcrdma_judgement judgement;
        struct play_message message;
        char text[256];
        play_judge(check, absences[_i].before, &judgement);
        play_parse(&message, absences[_i].event);
        message.event.unconfirmed = i == 1;
        if (message.event.type == RPCRDMA_EVENT_SEND)
            judge_words(check, &message, &judgement);
        else
            rpcrdma_check_event(check, &message.event, &judgement);
        play_render(&judgement, text, sizeof text);
        ck_assert_str_eq(text, i == 0 ? absences[_i].confirmed : absences[_i].unconfirmed);
        rpcrdma_finding_text(&judgement.findings[0], text, sizeof text);
        bool is_note = judgement.findings[0].severity == RPCRDMA_NOTE;
        ck_assert_int_eq(strstr(text, "; what it answers may be missing") != NULL, is_note);
    }
}
END_TEST

PLAY_ROWS(rows)

int main(void)
{
    TCase *tests = tcase_create("check");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, field_without_octets);
    tcase_add_test(tests, words);
    tcase_add_loop_test(tests, header, 0, HEADERS);
    tcase_add_test(tests, finding_text);
    tcase_add_loop_test(tests, finding_field, 0, FIELDS);
    tcase_add_test(tests, names);
    tcase_add_test(tests, rules_of_drafts);
    tcase_add_test(tests, protocols_that_are_no_draft);
    tcase_add_loop_test(tests, row, 0, ROWS);
    tcase_add_test(tests, no_data);
    tcase_add_loop_test(tests, many_segments, 0, 2);
    tcase_add_loop_test(tests, large_chunks_may_be_refused, 0, 2);
    tcase_add_test(tests, zero_is_no_grant);
    tcase_add_loop_test(tests, many_calls, 0, 2);
    tcase_add_test(tests, once);
    tcase_add_loop_test(tests, unconfirmed, 0, COUNT(absences));
    return run_tests("check", tests);
}
