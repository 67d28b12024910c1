// SPDX-License-Identifier: BSD-3-Clause
/* What a connection remembers when its memory is full: which Calls go first, what they give back,
 * and that nothing of it is ever in the place of something else.
 */
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#define CALL(xid) "> " #xid " 1 32 0 none call"
#define REPLY(xid) "< " #xid " 1 32 0 none reply"
/* Segments of 9 octets at 0 under one handle, one after another in a Read chunk. */
#define R1(handle) "1 40 " #handle " 9 0 0 "
#define R2(handle) R1(handle) R1(handle)
#define R6(handle) R2(handle) R2(handle) R2(handle)
#define READS(xid, segments) "> " #xid " 1 32 0 " segments "0 0 0 call"
/* The same in a Write chunk of this many. */
#define W1(offset) "5 9 0 " #offset " "
#define W5(tens) W1(tens##10) W1(tens##20) W1(tens##30) W1(tens##40) W1(tens##50)
#define WRITES(xid, count, segments) "> " #xid " 1 32 0 0 1 " #count " " segments "0 0 call"
#define REPLY_CHUNK(xid) "> " #xid " 1 32 0 0 0 1 1 0xc 100 0 0 call"
#define CHUNK_REPLY(xid) "< " #xid " 1 32 0 0 0 1 1 0xc 0 0 0 reply"

/* Four Calls, and 16 segments. */
#define FOUR                                                                                       \
    {                                                                                              \
        .max_calls = 2, .max_segments = 1                                                          \
    }

/* Segments of 10 octets, side by side. */
#define S(tens) "5 10 0 " #tens "0 "
#define S15 S(1) S(2) S(3) S(4) S(5) S(6) S(7) S(8) S(9) S(10) S(11) S(12) S(13) S(14) S(15)

static const struct play_row rows[] = {
    /* ---- two Calls, and eight segments ---- */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(1), "< 1 1 1 0 none reply", CALL(2), CALL(3)},
     /* Call 2 is forgotten for Call 4, so nothing is known of credits. */
     {CALL(1), "< 1 1 9 0 none reply", CALL(2), CALL(3), CALL(4), REPLY(2), CALL(5), CALL(6),
      CALL(7), REPLY(99), "< 98 1 9 4 2"},
     "-> terminate",
     {.max_calls = 1, .max_segments = 1}},
    /* Answered Calls go first. */
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL(1), REPLY(1), CALL(2), CALL(3), REPLY(3), CALL(4), REPLY(4), REPLY(2), REPLY(1)},
     {CALL(1), REPLY(1), CALL(2), CALL(3), REPLY(3), CALL(4), REPLY(4), REPLY(2)},
     NULL,
     {.max_calls = 1, .max_segments = 1}},
    {"V 3.4.6/segment-count-copied @20 -> discard",
     {"> 1 1 32 0 0 1 8 1 9 0 0 2 9 0 0 3 9 0 0 4 9 0 0 5 9 0 0 6 9 0 0 7 9 0 0 8 9 0 0 0 0 call",
      REPLY(1)},
     {"> 1 1 32 0 0 1 9 1 9 0 0 2 9 0 0 3 9 0 0 4 9 0 0 5 9 0 0 6 9 0 0 7 9 0 0 8 9 0 0 9 9 0 0 "
      "0 0 call",
      REPLY(1)},
     NULL,
     {.max_calls = 1, .max_segments = 1}},
    {"V 4.5.3/within-offered-memory",
     {"> 1 1 32 0 0 1 8 1 9 0 0 2 9 0 0 3 9 0 0 4 9 0 0 5 9 0 0 6 9 0 0 7 9 0 0 8 9 0 0 0 0 call",
      "< write 9 0 9"},
     {"> 1 1 32 0 0 1 9 1 9 0 0 2 9 0 0 3 9 0 0 4 9 0 0 5 9 0 0 6 9 0 0 7 9 0 0 8 9 0 0 9 9 0 0 "
      "0 0 call",
      "< write 9 0 9", "< write 1 0 9"},
     "",
     {.max_calls = 1, .max_segments = 1}},
    /* What one Call gives back serves the next. */
    {"V 3.4.6/segment-count-copied @20 -> discard",
     {"> 1 1 32 0 0 1 5 1 9 0 0 2 9 0 0 3 9 0 0 4 9 0 0 5 9 0 0 0 0 call4",
      "< 1 1 32 0 0 1 0 0 0 reply", CALL(2), REPLY(2), CALL(3), REPLY(3),
      "> 4 1 32 0 0 1 5 1 9 0 0 2 9 0 0 3 9 0 0 4 9 0 0 5 9 0 0 0 0 call", REPLY(4)},
     {CALL(1), REPLY(1)},
     NULL,
     {.max_calls = 1, .max_segments = 1}},

    /* ---- four, and 16 ---- */
    /* Of what was answered the oldest gives its memory first, and no more goes than has to. */
    {"V 3.4.5.1/reads-before-reply",
     {CALL(9), REPLY(9), READS(1, R6(1)), REPLY(1), READS(2, R6(2)), REPLY(2),
      READS(3, R6(3) R2(3)), "< read 2 0 9",
      "= 9 octets at handle 0x2, whose Call is answered already"},
     {CALL(9), REPLY(9), READS(1, R6(1)), REPLY(1), READS(2, R6(2)), REPLY(2),
      READS(3, R6(3) R2(3)), "< read 1 0 9"},
     "V 4.5.3/within-offered-memory",
     FOUR},
    {"V 4.5.3/within-offered-memory",
     {CALL(9), REPLY(9), READS(1, R6(1)), REPLY(1), READS(2, R6(2)), REPLY(2),
      READS(3, R6(3) R6(3) R2(4)), "< read 2 0 9",
      "= 9 octets from 0x0 at handle 0x2, which no waiting Call offers"},
     {CALL(9), REPLY(9), READS(1, R6(1)), REPLY(1), READS(2, R6(2)), REPLY(2),
      READS(3, R6(3) R6(3) R2(4)), "< read 3 0 9", "< read 4 0 9"},
     "",
     FOUR},
    /* All of it, to the last segment. */
    {"V 3.4.5.1/reads-before-reply",
     {CALL(9), REPLY(9), READS(1, R6(1) R6(1) R2(1) R1(2) R1(3)), REPLY(1), "< read 3 0 9",
      "= 9 octets at handle 0x3, whose Call is answered already"},
     {CALL(9), REPLY(9), READS(1, R6(1) R6(1) R2(1) R1(2) R1(3)), "< read 1 0 9", "< read 2 0 9",
      "< read 3 0 9"},
     "",
     FOUR},
    /* A Call that waits gives none: one that finds too little is not followed, the next one is. */
    {"V 3.4.6/segment-count-copied @20 -> discard",
     {CALL(9), REPLY(9), READS(1, R6(1)), READS(2, R6(2)), REPLY(2),
      READS(3, R6(3) R2(3) R2(3) R1(3)), "< read 1 0 9", REPLY(3), WRITES(4, 10, W5(1) W5(2)),
      REPLY(4), "= 0 Write chunks come back; the Call offered 1"},
     {CALL(9), REPLY(9), READS(1, R6(1)), READS(2, R6(2)), REPLY(2),
      READS(3, R6(3) R2(3) R2(3) R1(3)), "< read 1 0 9", REPLY(3),
      WRITES(4, 11, W5(1) W5(2) W1(500)), REPLY(4)},
     NULL,
     FOUR},
    /* The oldest is the one answered first, not the one called first. */
    {"V 3.4.5.1/reads-before-reply",
     {CALL(9), REPLY(9), READS(1, R1(1)), READS(2, R1(2)), REPLY(2), REPLY(1), CALL(3), CALL(4),
      CALL(5), "< read 1 0 9"},
     {CALL(9), REPLY(9), READS(1, R1(1)), READS(2, R1(2)), REPLY(2), REPLY(1), CALL(3), CALL(4),
      CALL(5), "< read 2 0 9"},
     "V 4.5.3/within-offered-memory",
     FOUR},
    /* One that was in the middle, and one at the end, of those that wait. */
    {"V 3.4.5.1/reads-before-reply",
     {CALL(9), REPLY(9), CALL(1), READS(2, R1(2)), READS(3, R1(3)), REPLY(2), REPLY(3), CALL(4),
      CALL(5), "< read 3 0 9"},
     {CALL(9), REPLY(9), CALL(1), READS(2, R1(2)), READS(3, R1(3)), REPLY(2), REPLY(3), CALL(4),
      CALL(5), "< read 2 0 9"},
     "V 4.5.3/within-offered-memory",
     FOUR},
    /* Where all wait the one that waits longest goes; of it nothing is said any more. */
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {CALL(9), REPLY(9), REPLY_CHUNK(1), REPLY_CHUNK(2), REPLY_CHUNK(3), REPLY_CHUNK(4), CALL(5),
      REPLY(2)},
     {CALL(9), REPLY(9), REPLY_CHUNK(1), REPLY_CHUNK(2), REPLY_CHUNK(3), REPLY_CHUNK(4), CALL(5),
      REPLY(1)},
     NULL,
     FOUR},
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {CALL(9), REPLY(9), REPLY_CHUNK(1), REPLY_CHUNK(2), REPLY_CHUNK(3), REPLY_CHUNK(4),
      CHUNK_REPLY(2), CALL(5), CALL(6), REPLY(3)},
     {CALL(9), REPLY(9), REPLY_CHUNK(1), REPLY_CHUNK(2), REPLY_CHUNK(3), REPLY_CHUNK(4),
      CHUNK_REPLY(2), CALL(5), CALL(6), REPLY(1)},
     NULL,
     FOUR},
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {CALL(9), REPLY(9), REPLY_CHUNK(1), REPLY_CHUNK(2), REPLY_CHUNK(3), REPLY_CHUNK(4),
      CHUNK_REPLY(4), CALL(5), CALL(6), CALL(7), REPLY(3)},
     {CALL(9), REPLY(9), REPLY_CHUNK(1), REPLY_CHUNK(2), REPLY_CHUNK(3), REPLY_CHUNK(4),
      CHUNK_REPLY(4), CALL(5), CALL(6), CALL(7), REPLY(2)},
     NULL,
     FOUR},
    /* Both sides share the room, and may use the same XID. */
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {CALL(9), REPLY(9), CALL(7), "< 7 1 32 0 0 0 1 1 0xc 100 0 0 call", REPLY(7),
      "> 7 1 32 0 none reply"},
     {CALL(9), REPLY(9), REPLY_CHUNK(7), "< 7 1 32 0 none call", "> 7 1 32 0 none reply",
      CHUNK_REPLY(7)},
     NULL,
     {.max_calls = 1, .max_segments = 1, .reverse_direction = true}},
};
#define ROWS COUNT(rows)

START_TEST(row)
{
    play_row(&rows[_i]);
}
END_TEST

/* ---- one thing beside another ---- */

#define BEYOND 256

static struct rpcrdma_check *open_check(const struct rpcrdma_check_config *config, uint8_t **end)
{
    size_t size = rpcrdma_check_size(config);
    uint8_t *memory = malloc(size + BEYOND);
    ck_assert_ptr_nonnull(memory);
    memset(memory, 0x5a, size + BEYOND);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, config);
    ck_assert_ptr_nonnull(check);
    *end = memory + size;
    return check;
}

static void assert_untouched(const uint8_t *end)
{
    for (size_t i = 0; i < BEYOND; i++)
        ck_assert_uint_eq(end[i], 0x5a);
}

static void assert_verdict(struct rpcrdma_check *check, const char *event, const char *expected)
{
    struct rpcrdma_judgement judgement;
    char text[512];
    play_judge(check, event, &judgement);
    play_render(&judgement, text, sizeof text);
    ck_assert_msg(strcmp(text, expected) == 0, "%s\n   is: %s\n  not: %s", event, text, expected);
}

/* Long Calls fill the table, and their arguments come: a NULL procedure that refuses RPCSEC_GSS to
 * none of them. Then each has its Reply, without the Reply chunk that it offers. */
START_TEST(full_of_long_calls)
{
    struct rpcrdma_check_config config = {.max_calls = 1u << _i, .max_segments = 1};
    unsigned calls = 2u << _i;
    uint8_t *end;
    char event[256];
    struct rpcrdma_check *check = open_check(&config, &end);
    assert_verdict(check, CALL(0xffff), "-> process");
    assert_verdict(check, REPLY(0xffff), "-> process");
    for (unsigned i = 0; i < calls && i < 32; i++) {
        snprintf(event, sizeof event,
                 "> %u 1 32 1 1 0 %u 40 0 0 1 0 %u 8 0 0 0 0 1 2 77 50 0 0 77 50 0 50", i, i,
                 i + 1000);
        assert_verdict(check, event, "-> process");
    }
    for (unsigned i = 0; i < calls && i < 32; i++) {
        snprintf(event, sizeof event, "< read %u 0 40 %u 0 2 100003 3 0 0 0 0 0", i, i);
        assert_verdict(check, event, "");
        snprintf(event, sizeof event, "< read %u 0 8 0 0", i + 1000);
        assert_verdict(check, event, "");
    }
    for (unsigned i = 0; i < calls && i < 32; i++) {
        snprintf(event, sizeof event, "< %u 1 32 0 none %u 1 0 0 0 0", i, i);
        assert_verdict(check, event, "V 4.3.3/reply-chunk-copied @24 -> process,discard");
        snprintf(event, sizeof event, "< read %u 0 8", i + 1000);
        assert_verdict(check, event, "V 3.4.5.1/reads-before-reply");
    }
    assert_untouched(end);
    free(check);
}
END_TEST

/* Both sides are in the middle of messages that take all the room there is for each. */
START_TEST(pieces_of_both_sides)
{
    struct rpcrdma_check_config config = {
        .draft = RPCRDMA_PROTOCOL_2_07, .reverse_direction = true, .continued_octets = 60};
    static const char *const events[] = {
        "> 1 2 40 10 0 none call",
        "< 1 2 40 13 0 reply",
        "> 7 2 40 9 16 7 0 2 536870913 3 1 0 0 0 0 5",
        "< 8 2 40 9 16 8 0 2 536870914 3 1 0 0 0 0 5",
        "> 7 2 40 10 0 none 1 2 3 4",
        "< 8 2 40 10 0 none 1 2 3 4",
        "> 8 2 40 12 20 8 1 0 0 0 0",
        "< 7 2 40 12 20 7 1 0 0 0 0",
        "> 8 2 40 13 0 1 2 3 4 5",
        "< 7 2 40 13 0 1 2 3 4 5",
    };
    uint8_t *end;
    struct rpcrdma_check *check = open_check(&config, &end);
    for (unsigned i = 0; i < COUNT(events); i++)
        assert_verdict(check, events[i], "-> process");
    assert_untouched(end);
    free(check);
}
END_TEST

static void register_all(struct rpcrdma_check *check, unsigned from, unsigned to)
{
    struct rpcrdma_judgement judgement;
    char event[64];
    for (unsigned handle = from; handle <= to; handle++) {
        snprintf(event, sizeof event, "> registered %u 1000 100 r", handle);
        play_judge(check, event, &judgement);
        ck_assert_uint_eq(judgement.count, 0);
    }
}

/* Of eight registrations the oldest is forgotten for the ninth, and so it is after a gap, however
 * many there were before: the second, which is no registration any more, is known to be none until
 * it is the oldest. */
START_TEST(registrations_in_turn)
{
    struct rpcrdma_check_config config = {
        .registrations_seen = {true, false}, .max_calls = 1, .max_segments = 8};
    uint8_t *end;
    struct rpcrdma_check *check = open_check(&config, &end);
    register_all(check, 100, 110); /* three too many */
    if (_i > 0)
        assert_verdict(check, "> gap", "");
    register_all(check, 1, 2);
    assert_verdict(check, "> invalidated 2", "");
    register_all(check, 3, 9 + (unsigned)_i / 2);
    assert_verdict(check, "> 7 1 32 0 1 40 2 100 0 1000 0 0 0 call",
                   _i < 2 ? "W 3.4.5/memory-registered @24 -> process" : "-> process");
    assert_untouched(end);
    free(check);
}
END_TEST

/* RDMA operations are judged by the version that the connection speaks: by that of its Calls, where
 * version 2 was not even offered, whatever draft the configuration names. */
START_TEST(version_of_operations)
{
    static const struct {
        enum rpcrdma_protocol draft, protocol;
        const char *call;
    } told[] = {{RPCRDMA_PROTOCOL_AUTO, RPCRDMA_PROTOCOL_1, "> 7 1 32 0 none call"},
                {RPCRDMA_PROTOCOL_2_07, RPCRDMA_PROTOCOL_1, "> 7 1 32 0 none call"},
                {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_1, "> 7 1 32 0 none call"},
                {RPCRDMA_PROTOCOL_2_07, RPCRDMA_PROTOCOL_2_07, "> 7 2 1 10 0 none call"},
                {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_04, "> 7 2 32 0 0 0 none call"},
                {RPCRDMA_PROTOCOL_2_07, RPCRDMA_PROTOCOL_2_07, NULL}};
    const struct rpcrdma_check_config config = {.draft = told[_i].draft};
    struct rpcrdma_judgement judgement;
    void *memory = malloc(rpcrdma_check_size(&config));
    struct rpcrdma_check *check = rpcrdma_check_init(memory, rpcrdma_check_size(&config), &config);
    ck_assert_ptr_nonnull(check);
    if (told[_i].call)
        play_judge(check, told[_i].call, &judgement);
    play_judge(check, "< read 0xa 1000 50", &judgement);
    ck_assert_uint_eq(judgement.count, 1);
    ck_assert_int_eq(judgement.protocol, told[_i].protocol);
    ck_assert_int_eq(judgement.findings[0].protocol, told[_i].protocol);
    ck_assert_int_eq(judgement.draft_is_sure,
                     told[_i].protocol != RPCRDMA_PROTOCOL_1 && told[_i].call != NULL);
    free(memory);
}
END_TEST

/* Where the RPC message, or a piece of it, begins: at the header's end, unless none follows. */
START_TEST(payload_begins)
{
    static const struct {
        const char *send;
        int64_t payload;
    } sends[] = {
        {"> 7 1 32 0 none call", 28},
        {"> 7 1 32 0 1 40 0xa 100 0 1000 0 0 0 call", 52},
        {"> 7 1 32 0 none", -1},
        {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", -1},
        {"< 7 1 32 4 2", -1},
        {"> 7 1 32 2 0 4 none call", -1},
        {"> 7 2 1 10 0 none call", 32},
        {"> 7 2 1 9 40 7 0 2 100003 3", 20},
        {"> 7 2 1 5", -1},
    };
    const struct rpcrdma_check_config config = {
        .draft = sends[_i].send[4] == '2' ? RPCRDMA_PROTOCOL_2_07 : RPCRDMA_PROTOCOL_AUTO};
    struct rpcrdma_judgement judgement;
    uint8_t *end;
    struct rpcrdma_check *check = open_check(&config, &end);
    play_judge(check, sends[_i].send, &judgement);
    ck_assert_int_eq(judgement.payload, sends[_i].payload);
    free(check);
}
END_TEST

/* More neighbours than are followed; no octets, which need no memory; two gaps and an end that were
 * not fetched. */
START_TEST(memory_in_parts)
{
    static const char read_call[] = "> 7 1 32 0 1 40 0xa 100 0 1000 0 0 0 call";
    static const char *const parts[][6] = {
        {"V 4.5.3/within-offered-memory", "> 7 1 32 0 0 1 15 " S15 "0 0 call", "< write 5 10 151"},
        {"", "> 7 1 32 0 0 1 17 " S15 S(16) S(17) "0 0 call", "< write 5 10 170"},
        {"W 3.4.5/memory-registered", read_call, "> refused-read 0xa 1000 1"},
        {"", read_call, "> refused-read 0xa 1000 0"},
        {"N 3.5.2/answered-before-fetched -> process", read_call, "< read 0xa 1000 10",
         "< read 0xa 1020 10", "< read 0xa 1050 10", "< 7 1 32 0 none reply 0"},
        {"-> process", read_call, "< read 0xa 1000 20", "< read 0xa 1040 60", "< read 0xa 1020 20",
         "< 7 1 32 0 none reply 0"},
        /* The Send after the first is a Call that waits, and that another one followed. */
        {"W 3.3.1/receives-before-larger-grant", CALL(1), "< 1 1 9 0 none reply", CALL(2), CALL(3),
         "< notready 1"},
        {"", CALL(1), "< 1 1 9 0 none reply", CALL(2), CALL(3), "< notready 0"},
    };
    const struct rpcrdma_check_config config = {.max_calls = 2, .max_segments = 64};
    struct rpcrdma_judgement judgement;
    uint8_t *end;
    struct rpcrdma_check *check = open_check(&config, &end);
    for (unsigned i = 1; i < COUNT(parts[0]) && parts[_i][i]; i++)
        if (i + 1 < COUNT(parts[0]) && parts[_i][i + 1])
            play_judge(check, parts[_i][i], &judgement);
        else
            assert_verdict(check, parts[_i][i], parts[_i][0]);
    assert_untouched(end);
    free(check);
}
END_TEST

/* That two gaps of 10 and 20 octets and an end of 40 were not fetched is said in octets. */
START_TEST(octets_not_fetched)
{
    static const char *const events[] = {"> 7 1 32 0 1 40 0xa 100 0 1000 0 0 0 call",
                                         "< read 0xa 1000 10", "< read 0xa 1020 10",
                                         "< read 0xa 1050 10", "< 7 1 32 0 none reply 0"};
    const struct rpcrdma_check_config config = {.max_calls = 2, .max_segments = 64};
    struct rpcrdma_judgement judgement;
    uint8_t *end;
    struct rpcrdma_check *check = open_check(&config, &end);
    for (unsigned i = 0; i < COUNT(events); i++)
        play_judge(check, events[i], &judgement);
    ck_assert_uint_eq(judgement.count, 1);
    ck_assert_uint_eq(judgement.findings[0].value[0], 100);
    ck_assert_uint_eq(judgement.findings[0].value[1], 70);
    free(check);
}
END_TEST

/* Once two versions came under one XID, no further copy settles which of them an answer is for. */
START_TEST(mixed_for_good)
{
    struct rpcrdma_judgement judgement;
    struct rpcrdma_check_config config = {.max_calls = 2};
    uint8_t *end;
    struct rpcrdma_check *check = open_check(&config, &end);
    play_judge(check, "> 7 1 32 0 none call", &judgement);
    if (_i > 0)
        play_judge(check, "> 7 2 32 0 none call", &judgement);
    play_judge(check, "> 7 1 32 0 none call", &judgement);
    assert_verdict(check, "< 7 2 32 4 1 1 1",
                   _i == 0 ? "V 4.5/error-version @4 -> discard,terminate" : "-> terminate");
    free(check);
}
END_TEST

PLAY_ROWS(rows)

int main(void)
{
    TCase *tests = tcase_create("state");
    tcase_add_loop_test(tests, row, 0, ROWS);
    tcase_add_loop_test(tests, full_of_long_calls, 0, 5);
    tcase_add_test(tests, pieces_of_both_sides);
    tcase_add_loop_test(tests, registrations_in_turn, 0, 3);
    tcase_add_loop_test(tests, version_of_operations, 0, 6);
    tcase_add_loop_test(tests, payload_begins, 0, 9);
    tcase_add_loop_test(tests, mixed_for_good, 0, 2);
    tcase_add_loop_test(tests, memory_in_parts, 0, 8);
    tcase_add_test(tests, octets_not_fetched);
    return run_tests("state", tests);
}
