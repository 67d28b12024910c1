// SPDX-License-Identifier: BSD-3-Clause
/* What a Responder answers, for every way in which a Send can be bad. */
#include "conformance/tests/support/play.h"

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
#define ROWS (sizeof rows / sizeof rows[0])

static void assert_answer(const struct play_message *send, const char *expected)
{
    static struct play_message answer;
    uint8_t octets[RPCRDMA_ANSWER_MAX];
    size_t length = 99;
    uint8_t *copy = malloc(send->length + (send->length == 0));
    memcpy(copy, send->octets, send->length);
    enum rpcrdma_reaction reaction = rpcrdma_check_answer(copy, send->length, 9, octets, &length);
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
    struct rpcrdma_judgement verdict;
    struct rpcrdma_event event = {.data = send->octets, .length = send->length};
    uint8_t octets[RPCRDMA_ANSWER_MAX];
    char text[1024];
    size_t length;
    enum rpcrdma_reaction reaction =
        rpcrdma_check_answer(send->octets, send->length, 0, octets, &length);
    rpcrdma_check_event(check, &event, &verdict);
    play_render(&verdict, text, sizeof text);
    if (verdict.direction != RPCRDMA_REPLY)
        ck_assert_msg(verdict.reactions & reaction, "%s, but not %s", text,
                      rpcrdma_reaction_name(reaction));
    if (length == 0)
        return 0;
    event = (struct rpcrdma_event){.from = RPCRDMA_SERVER, .data = octets, .length = length};
    rpcrdma_check_event(check, &event, &verdict);
    play_render(&verdict, text, sizeof text);
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
        for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
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

int main(void)
{
    Suite *suite = suite_create("answer");
    TCase *tests = tcase_create("answer");
    tcase_add_loop_test(tests, row, 0, ROWS);
    tcase_add_loop_test(tests, variants, 0, ROWS);
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
