// SPDX-License-Identifier: BSD-3-Clause
/* Which Sends `probe` leaves out until they are asked for: each bound, and what is just within it.
 */
#include "conformance/base/count.h"
#include "rxe-harness/probe/probe.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>

#define MIB 1048576

#define MSG 7, 1, 32, 0
#define NOMSG 7, 1, 32, 1
#define READ(position, length) 1, position, 0xa, length, 0, 0
#define WRITE(length) 1, 1, 0xb, length, 0, 0
#define NONE 0
#define CALL 7, 0, 2, 0x20008166, 1, 0, 0, 0, 0, 0 /* 40 octets */
#define WORDS(...) {__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)

static const struct row {
    const char *hazard;
    uint32_t words[40];
    size_t count;
} rows[] = {
    {NULL, WORDS(MSG, NONE, NONE, NONE, CALL)},
    {NULL, WORDS(MSG, NONE, WRITE(4 * MIB), NONE, NONE, CALL)},
    {"large-chunks", WORDS(MSG, NONE, WRITE(4 * MIB + 1), NONE, NONE, CALL)},
    {NULL, WORDS(MSG, NONE, WRITE(2 * MIB), NONE, WRITE(2 * MIB), CALL)},
    {"large-chunks", WORDS(MSG, NONE, WRITE(2 * MIB), NONE, WRITE(2 * MIB + 1), CALL)},
    {"large-chunks", WORDS(MSG, READ(40, 4), NONE, NONE, WRITE(4 * MIB), CALL)},
    {NULL, WORDS(MSG, READ(40, MIB - 40), NONE, NONE, NONE, CALL)},
    {"long-messages", WORDS(MSG, READ(40, MIB - 39), NONE, NONE, NONE, CALL)},
    {"long-messages", WORDS(MSG, READ(40, MIB / 2), READ(40, MIB / 2), NONE, NONE, NONE, CALL)},
    {"empty-read-segment", WORDS(MSG, READ(40, 0), NONE, NONE, NONE, CALL)},
    {"empty-read-segment", WORDS(MSG, READ(40, 4), READ(40, 0), NONE, NONE, NONE, CALL)},
    {NULL, WORDS(MSG, NONE, WRITE(0), NONE, NONE, CALL)},
    {NULL, WORDS(MSG, READ(40, 4), READ(40, 4), NONE, NONE, NONE, CALL)},
    {"several-positions", WORDS(MSG, READ(40, 4), READ(44, 4), NONE, NONE, NONE, CALL)},
    {"several-positions",
     WORDS(MSG, READ(40, 4), READ(44, 4), READ(44, 4), NONE, NONE, NONE, CALL)},
    {"several-positions", WORDS(NOMSG, READ(0, 40), READ(40, 4), NONE, NONE, NONE)},
    {NULL, WORDS(NOMSG, READ(0, 40), NONE, NONE, NONE)},
    {"position-zero-and-inline", WORDS(NOMSG, READ(0, 40), NONE, NONE, NONE, 0)},
    {"position-zero-and-inline", WORDS(MSG, READ(0, 40), NONE, NONE, NONE, CALL)},
    {NULL, WORDS(MSG, 2)}, /* no header: nobody computes with its lengths */
};

START_TEST(sends_have_hazards)
{
    const struct row *row = &rows[_i];
    uint8_t octets[sizeof row->words];
    for (size_t i = 0; i < row->count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, row->words[i]);
    const char *hazard = probe_hazard(RPCRDMA_PROTOCOL_1, octets, 4 * row->count);
    ck_assert_pstr_eq(hazard, row->hazard);
}
END_TEST

/* The Call chunk of version 2 is read as well. */
START_TEST(a_call_chunk_has_hazards)
{
    static const struct row calls[] = {
        {NULL, WORDS(7, 2, 32, 8, 0, READ(0, MIB), NONE, NONE, NONE, NONE)},
        {"long-messages", WORDS(7, 2, 32, 8, 0, READ(0, MIB + 1), NONE, NONE, NONE, NONE)},
        {"long-messages", WORDS(7, 2, 32, 8, 0, READ(0, MIB), NONE, READ(40, 4), NONE, NONE, NONE)},
        {"large-chunks", WORDS(7, 2, 32, 8, 0, READ(0, 4 * MIB + 1), NONE, NONE, NONE, NONE)},
        {"empty-read-segment", WORDS(7, 2, 32, 8, 0, READ(0, 0), NONE, NONE, NONE, NONE)},
    };
    uint8_t octets[sizeof calls->words];
    for (size_t i = 0; i < calls[_i].count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, calls[_i].words[i]);
    const char *hazard = probe_hazard(RPCRDMA_PROTOCOL_2_07, octets, 4 * calls[_i].count);
    ck_assert_pstr_eq(hazard, calls[_i].hazard);
}
END_TEST

/* What is inline takes none of the pages that Read chunks need. */
START_TEST(a_send_may_be_long_where_nothing_is_read)
{
    static const uint32_t words[] = {MSG, NONE, NONE, NONE, CALL};
    static uint8_t octets[2 * MIB];
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    ck_assert_ptr_null(probe_hazard(RPCRDMA_PROTOCOL_1, octets, sizeof octets));
}
END_TEST

START_TEST(names_are_whole)
{
    static const struct {
        const char *names, *hazard;
        bool exist, wanted;
    } lists[] = {
        {NULL, "large-chunks", true, true}, /* all of them */
        {"large-chunks", "large-chunks", true, true},
        {"large-chunks", "long-messages", true, false},
        {"large-chunks,long-messages", "long-messages", true, true},
        {"large-chunks,long-message", "long-messages", false, false},
        {"large-chunks,long-messagess", "long-messages", false, false},
        {"no-such,large-chunks", "large-chunks", false, true},
    };
    for (size_t i = 0; i < COUNT(lists); i++) {
        struct chosen names = {0};
        chosen_add(&names, lists[i].names);
        ck_assert_msg((probe_hazard_missing(&names) == NULL) == lists[i].exist, "list %zu", i);
        ck_assert_msg(chosen_has(&names, lists[i].hazard) == lists[i].wanted, "list %zu", i);
        chosen_free(&names);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("hazard");
    tcase_add_loop_test(tests, sends_have_hazards, 0, COUNT(rows));
    tcase_add_loop_test(tests, a_call_chunk_has_hazards, 0, 5);
    tcase_add_test(tests, a_send_may_be_long_where_nothing_is_read);
    tcase_add_test(tests, names_are_whole);
    return run_tests("hazard", tests);
}
