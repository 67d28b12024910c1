// SPDX-License-Identifier: BSD-3-Clause
/* What a Responder answers, for every way in which a Send can be bad. */
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

static const struct {
    const char *send;
    const char *answer; /* as a Send; or "discard", "process" */
} rows[] = {
    {"> 7 1 32 0 none call", "process"},
    {"> 7 1 32 0 none reply", "process"},
    {"> 7 1 32 0 1 40 0xa 4 0 0 0 1 1 0xa 4 0 0 0 1 1 0xb 4 0 0 call", "process"},
    {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "process"},
    {"> 7 1 32 1 0 0 1 1 0xa 40 0 0", "process"},
    {"> 7 1 0 0 none call", "process"},
    /* An XID that differs: processing is allowed (4.2.1). */
    {"> 7 1 32 0 none call:8", "process"},

    /* Silence: too short whatever else is wrong, RDMA_DONE, RDMA_ERROR. */
    {">", "discard"},
    {"> 7 1 32", "discard"},
    {"> 7 1 32 0 0 0 +3", "discard"},
    {"> 7 2 32 0 0 0", "discard"},
    {"> 7 1 32 9 0 0", "discard"},
    {"> 7 1 32 3", "discard"},
    {"> 7 1 32 3 *3", "discard"},
    {"> 7 1 32 4 2", "discard"},
    {"> 7 1 32 4 2 *2", "discard"},
    {"> 7 1 32 4 9 *2", "discard"},
    {"> 7 2 32 4 1 1 1", "discard"},
    {"> 7 2 32 4 9 9 9", "discard"},

    /* Another version, whatever else is wrong. */
    {"> 7 2 32 0 none call", "> 7 2 9 4 1 1 1"},
    {"> 7 0 32 0 none call", "> 7 0 9 4 1 1 1"},
    {"> 0xffffffff 0xffffffff 0 9 *3", "> 0xffffffff 0xffffffff 9 4 1 1 1"},
    {"> 7 2 32 3 *3", "> 7 2 9 4 1 1 1"},
    {"> 7 2 32 2 5 5 5", "> 7 2 9 4 1 1 1"},

    /* Procedures. */
    {"> 7 1 32 2 0 0 none call", "> 7 1 9 4 2"},
    {"> 7 1 32 5 *3", "> 7 1 9 4 2"},
    {"> 7 1 32 0xffffffff *3", "> 7 1 9 4 2"},

    /* XDR. */
    {"> 7 1 32 0 2 0 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 0 0 0xffffffff 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 0 0 0 3", "> 7 1 9 4 2"},
    {"> 7 1 32 0 1 0 0", "> 7 1 9 4 2"},
    {"> 7 1 32 0 0 1 0x10000000 *4 0 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 1 0 0 1 2 *4", "> 7 1 9 4 2"},

    /* Nothing holds the Call. */
    {"> 7 1 32 1 none", "> 7 1 9 4 2"},
    {"> 7 1 32 1 1 40 0xa 40 0 0 0 0 0", "> 7 1 9 4 2"},
    {"> 7 1 32 1 1 0 0xa 0 0 0 0 0 0", "> 7 1 9 4 2"},
    {"> 7 1 32 1 0 1 1 0xa 40 0 0 0 0", "> 7 1 9 4 2"},
    {"> 7 1 32 0 none", "> 7 1 9 4 2"},

    /* Positions, and reduction of what is not to be reduced. */
    {"> 7 1 32 0 1 42 0xa 4 0 0 0 0 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 0 1 0 0xa 40 0 0 0 0 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 0 1 36 0xa 4 0 0 0 0 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 0 1 44 0xa 4 0 0 0 0 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 0 1 40 0xa 5 0 0 1 44 0xa 4 0 0 0 0 0 call", "> 7 1 9 4 2"},
    {"> 7 1 32 0 1 60 0xa 4 0 0 0 0 0 gss:0:2", "> 7 1 9 4 2"},
    {"> 7 1 32 0 none 7 2 *8", "> 7 1 9 4 2"},
};
#define ROWS COUNT(rows)

static void assert_answer(const struct play_message *send, const char *expected)
{
    static struct play_message answer;
    uint8_t octets[RPCRDMA_ANSWER_MAX];
    size_t length = 99;
    uint8_t *copy = malloc(send->length + (send->length == 0));
    memcpy(copy, send->octets, send->length);
    enum rpcrdma_reaction reaction =
        rpcrdma_check_answer(RPCRDMA_PROTOCOL_1, copy, send->length, 9, octets, &length);
    free(copy);
    if (expected[0] != '>') {
        ck_assert_str_eq(rpcrdma_reaction_name(reaction), expected);
        ck_assert_uint_eq(length, 0);
        return;
    }
    play_parse(&answer, expected);
    ck_assert_uint_eq(length, answer.length);
    ck_assert_mem_eq(octets, answer.octets, length);
    ck_assert_str_eq(rpcrdma_reaction_name(reaction), length == 28 ? "err-vers" : "err-chunk");
}

START_TEST(row)
{
    static struct play_message send;
    play_parse(&send, rows[_i].send);
    assert_answer(&send, rows[_i].answer);
}
END_TEST

/* What is answered may be answered so, and the answer itself breaks no rule. */
static unsigned hold_against_checker(const struct play_message *send)
{
    static max_align_t memory[64 * 1024];
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    struct rpcrdma_judgement judgement;
    struct rpcrdma_event event = {.data = send->octets, .length = send->length};
    uint8_t octets[RPCRDMA_ANSWER_MAX];
    char text[1024];
    size_t length;
    enum rpcrdma_reaction reaction =
        rpcrdma_check_answer(RPCRDMA_PROTOCOL_1, send->octets, send->length, 0, octets, &length);
    rpcrdma_check_event(check, &event, &judgement);
    play_render(&judgement, text, sizeof text);
    if (judgement.direction != RPCRDMA_REPLY)
        ck_assert_msg(judgement.reactions & reaction, "%s, but not %s", text,
                      rpcrdma_reaction_name(reaction));
    if (length == 0)
        return 0;
    event = (struct rpcrdma_event){.from = RPCRDMA_SERVER, .data = octets, .length = length};
    rpcrdma_check_event(check, &event, &judgement);
    play_render(&judgement, text, sizeof text);
    ck_assert_str_eq(text, "-> terminate");
    return 1;
}

/* Every word of every row's Send set to values that mean something, and every truncation. */
START_TEST(variants)
{
    static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 40, 41, 0x0fffffff, 0x10000000, 0xffffffff};
    static struct play_message send;
    unsigned answered = 0;
    play_parse(&send, rows[_i].send);
    size_t whole = send.length;
    for (; send.length > 0; send.length--)
        answered += hold_against_checker(&send);
    for (size_t at = 0; at + 4 <= whole; at += 4) {
        for (unsigned i = 0; i < COUNT(values); i++) {
            play_parse(&send, rows[_i].send);
            send.length = at;
            play_word(&send, values[i]);
            send.length = whole;
            answered += hold_against_checker(&send);
        }
    }
    ck_assert_msg(answered > 0 || whole < 28, "%s", rows[_i].send);
}
END_TEST

/* ---- version 2 ---- */

static const struct {
    enum rpcrdma_protocol protocol;
    const char *send, *reaction, *answer; /* NULL: none */
} rows2[] = {
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 10 0 none call", "process", NULL},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32", "discard", NULL},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 4 2", "discard", NULL},
    {RPCRDMA_PROTOCOL_2_07, "> 7 3 32 10 0 none call", "err-vers", "> 7 3 9 4 1 2 2"},
    {RPCRDMA_PROTOCOL_2_07, "> 7 1 32 0 none call", "err-vers", "> 7 1 9 4 1 2 2"},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 0 0 0 0 0 call", "err-inval-htype", "> 7 2 9 4 4"},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 10 0 2 0 0 call", "err-bad-xdr", "> 7 2 9 4 2"},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 9 40", "err-inval-cont", "> 7 2 9 4 5"},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 7 1 2 400 0", "err-bad-propval", "> 7 2 9 4 3"},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 8 0 0 0 0 0", "err-bad-xdr", "> 7 2 9 4 2"},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 10 0 1 5 0xa 4 0 0 0 0 0 call", "err-bad-xdr", "> 7 2 9 4 2"},
    {RPCRDMA_PROTOCOL_2_04, "> 7 2 32 0 0 0 none call", "process", NULL},
    {RPCRDMA_PROTOCOL_2_04, "> 7 1 32 0 none call", "err-vers", "> 7 1 9 4 1 2 2"},
    {RPCRDMA_PROTOCOL_2_04, "> 7 2 32 2 *5", "err-invalid-proc", "> 7 2 9 4 3"},
    {RPCRDMA_PROTOCOL_2_04, "> 7 2 32 5 0 99 0", "err-invalid-option", "> 7 2 9 4 9"},
    {RPCRDMA_PROTOCOL_2_04, "> 7 2 32 0 2 0 none call", "err-bad-xdr", "> 7 2 9 4 2"},
    {RPCRDMA_PROTOCOL_2_04, "> 7 2 32 6 0 0", "process", NULL},
    /* A Read chunk at Position Zero beside a payload: an error in version 1 and -07, in -04 none.
     */
    {RPCRDMA_PROTOCOL_2_04, "> 7 2 32 0 0 0 1 0 0xa 40 0 0 0 0 0 call", "process", NULL},
    {RPCRDMA_PROTOCOL_2_07, "> 7 2 32 10 0 1 0 0xa 40 0 0 0 0 0 call", "err-bad-xdr",
     "> 7 2 9 4 2"},
};
#define ROWS2 COUNT(rows2)

static void assert_octets(enum rpcrdma_reaction reaction, const uint8_t *octets, size_t length,
                          const char *named, const char *expected)
{
    static struct play_message answer;
    ck_assert_str_eq(rpcrdma_reaction_name(reaction), named);
    answer.length = 0;
    if (expected)
        play_parse(&answer, expected);
    ck_assert_uint_eq(length, answer.length);
    ck_assert_mem_eq(octets, answer.octets, length);
}

START_TEST(in_version_2)
{
    static struct play_message send;
    uint8_t octets[RPCRDMA_ANSWER_MAX] = {0};
    size_t length = 99;
    play_parse(&send, rows2[_i].send);
    enum rpcrdma_reaction reaction =
        rpcrdma_check_answer(rows2[_i].protocol, send.octets, send.length, 9, octets, &length);
    assert_octets(reaction, octets, length, rows2[_i].reaction, rows2[_i].answer);
}
END_TEST

/* Every word of every row's Send: no answer is out of its own draft's order. */
START_TEST(variants_in_version_2)
{
    static struct play_message send;
    uint8_t octets[RPCRDMA_ANSWER_MAX];
    play_parse(&send, rows2[_i].send);
    size_t whole = send.length, length;
    for (size_t at = 0; at + 4 <= whole; at += 4)
        for (uint32_t value = 0; value < 16; value++) {
            play_parse(&send, rows2[_i].send);
            send.length = at;
            play_word(&send, value);
            rpcrdma_check_answer(rows2[_i].protocol, send.octets, whole, 0, octets, &length);
            struct rpcrdma_message message;
            if (length == 0)
                continue;
            ck_assert_int_eq(
                rpcrdma_message_decode(&message, rows2[_i].protocol, octets, length, NULL),
                (ptrdiff_t)length);
            ck_assert_int_eq(message.kind, RPCRDMA_KIND_ERROR);
            ck_assert_mem_eq(octets, send.octets, 8);
            ck_assert_int_eq(
                rpcrdma_check_answer(rows2[_i].protocol, octets, length, 0, octets, &length),
                RPCRDMA_DISCARD);
        }
}
END_TEST

/* What each variant of version 2 is answered, a checker leaves open that has seen both sides settle
 * for the draft. */
START_TEST(variants_beside_checker)
{
    static max_align_t memory[64 * 1024];
    static struct play_message send;
    bool is_07 = rows2[_i].protocol == RPCRDMA_PROTOCOL_2_07;
    struct rpcrdma_check_config config = {.draft = is_07 ? RPCRDMA_PROTOCOL_2_07
                                                         : RPCRDMA_PROTOCOL_2_04};
    struct rpcrdma_judgement judgement;
    uint8_t octets[RPCRDMA_ANSWER_MAX];
    char text[1024];
    play_parse(&send, rows2[_i].send);
    size_t whole = send.length, length;
    for (size_t at = 0; at + 4 <= whole; at += 4)
        for (uint32_t value = 0; value < 16; value++) {
            struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
            play_judge(check, is_07 ? "> 99 2 40 10 0 none call" : "> 99 2 32 0 0 0 none call",
                       &judgement);
            play_judge(check, is_07 ? "< 99 2 40 13 0 reply" : "< 99 2 32 0 1 0 none reply",
                       &judgement);
            play_parse(&send, rows2[_i].send);
            send.length = at;
            play_word(&send, value);
            struct rpcrdma_event event = {.data = send.octets, .length = whole};
            rpcrdma_check_event(check, &event, &judgement);
            play_render(&judgement, text, sizeof text);
            enum rpcrdma_reaction reaction =
                rpcrdma_check_answer(rows2[_i].protocol, send.octets, whole, 0, octets, &length);
            if (judgement.version == RPCRDMA_VERSION_2 && judgement.direction != RPCRDMA_REPLY)
                ck_assert_msg(judgement.reactions & reaction, "%s: %u at %zu: %s, but not %s",
                              rows2[_i].send, value, at, text, rpcrdma_reaction_name(reaction));
        }
}
END_TEST

/* What only the connection shows. */
static const struct {
    const char *events[4], *reaction, *answer;
} judgements[] = {
    {{"> 7 2 40 10 0 none call", "< 7 2 40 13 0 reply", "> 8 1 40 0 none call"},
     "err-vers",
     "> 8 1 9 4 1 2 2"},
    {{"> 9 2 40 6 0", "< 0 2 40 5", "> 8 2 40 10 0 none call"}, "err-inval-cont", "> 8 2 9 4 5"},
    {{"> 7 2 40 10 0 none call", "< 7 2 40 13 0 reply", "> 9 2 40 7 1 2 2 0"},
     "err-bad-propval",
     "> 9 2 9 4 3"},
    {{"> 7 2 40 10 0 none call"}, "process", NULL},
};
#define JUDGEMENTS COUNT(judgements)

START_TEST(of_judgement)
{
    static max_align_t memory[64 * 1024];
    struct rpcrdma_check_config config = {.draft = RPCRDMA_PROTOCOL_2_07};
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    struct rpcrdma_judgement judgement;
    uint8_t octets[RPCRDMA_ANSWER_MAX] = {0};
    size_t length;
    for (unsigned i = 0; i < 4 && judgements[_i].events[i]; i++)
        play_judge(check, judgements[_i].events[i], &judgement);
    enum rpcrdma_reaction reaction = rpcrdma_judgement_answer(&judgement, 9, octets, &length);
    assert_octets(reaction, octets, length, judgements[_i].reaction, judgements[_i].answer);
}
END_TEST

/* No credit at all would end the connection where the word is a number, not where it is a total. */
START_TEST(credits)
{
    static const struct {
        enum rpcrdma_protocol protocol;
        const char *send;
        uint32_t credits, said;
    } grants[] = {
        {RPCRDMA_PROTOCOL_1, "> 7 2 32 0 none call", 0, 1},
        {RPCRDMA_PROTOCOL_1, "> 7 2 32 0 none call", 2, 2},
        {RPCRDMA_PROTOCOL_2_04, "> 7 3 32 0 0 0 0 0 call", 0, 1},
        {RPCRDMA_PROTOCOL_2_04, "> 7 3 32 0 0 0 0 0 call", 2, 2},
        {RPCRDMA_PROTOCOL_2_07, "> 7 3 32 10 0 none call", 0, 0},
        {RPCRDMA_PROTOCOL_2_07, "> 7 3 32 10 0 none call", 0xfffffffe, 0xfffffffe},
    };
    static struct play_message send;
    for (size_t i = 0; i < COUNT(grants); i++) {
        uint8_t octets[RPCRDMA_ANSWER_MAX];
        size_t length = 0;
        struct rpcrdma_prefix prefix;
        play_parse(&send, grants[i].send);
        rpcrdma_check_answer(grants[i].protocol, send.octets, send.length, grants[i].credits,
                             octets, &length);
        ck_assert(rpcrdma_prefix_load(&prefix, octets, length));
        ck_assert_uint_eq(prefix.credit, grants[i].said);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("answer");
    tcase_add_loop_test(tests, row, 0, ROWS);
    tcase_add_loop_test(tests, variants, 0, ROWS);
    tcase_add_loop_test(tests, in_version_2, 0, ROWS2);
    tcase_add_loop_test(tests, variants_in_version_2, 0, ROWS2);
    tcase_add_loop_test(tests, variants_beside_checker, 0, ROWS2);
    tcase_add_loop_test(tests, of_judgement, 0, JUDGEMENTS);
    tcase_add_test(tests, credits);
    return run_tests("answer", tests);
}
