// SPDX-License-Identifier: BSD-3-Clause
/* Random conversations of version 2, by either draft: each change is what its name says, and what
 * is open to the peer after it. */
#include "rxe-harness/random/version2/random.h"

#include "conformance/base/count.h"
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/responder/responder.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>
#include <string.h>

enum { CREDITS = 30, PREFIX = 16, MOST = 1024, RPC_WORDS = 12 };
#define SEGMENT 1, 40, 0xa, 8, 0, 0 /* of a Read list, as it is there */
#define RPC_CALL 7, 0, 2, 0x20008166, 1, 1, 0, 0, 0, 0, 5, 6
static const uint32_t of_04[] = {7, 2, CREDITS, RPCRDMA2_04_MSG, RPCRDMA2_04_CALL, 0, SEGMENT,
                                 0, 0, 0,       RPC_CALL};
static const uint32_t of_07[] = {7, 2, CREDITS, RPCRDMA2_07_CALL_INLINE, 0, SEGMENT, 0,
                                 0, 0, RPC_CALL};

static const struct {
    enum rpcrdma_protocol draft;
    const uint32_t *words;
    size_t count;
    unsigned read; /* word at which the Read list begins */
} calls[] = {{RPCRDMA_PROTOCOL_2_04, of_04, COUNT(of_04), 6},
             {RPCRDMA_PROTOCOL_2_07, of_07, COUNT(of_07), 5}};
static unsigned which;

static uint8_t octets[REQUESTER_INLINE];

static size_t put(void)
{
    memset(octets, 0xee, sizeof octets);
    for (size_t i = 0; i < calls[which].count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, calls[which].words[i]);
    return 4 * calls[which].count;
}

/* The length afterwards; *changed: which words are others, *value: the last of them. */
static size_t change(enum random_change what, uint32_t at, uint32_t value, uint64_t *changed,
                     uint32_t *now)
{
    const struct random_step step = {.change = what, .at = at, .value = value};
    size_t length = random2_change_octets(&step, calls[which].draft, octets, put());
    ck_assert_uint_le(length, MOST);
    *changed = 0;
    for (size_t i = 0; i < calls[which].count && 4 * i + 4 <= length; i++) {
        uint32_t word = rpcrdma_xdr_load32(octets + 4 * i);
        if (word == calls[which].words[i])
            continue;
        *changed |= UINT64_C(1) << i;
        *now = word;
    }
    return length;
}

START_TEST(a_change_is_of_one_word)
{
    which = (unsigned)_i % 2;
    const unsigned header = (unsigned)calls[which].count - RPC_WORDS, read = calls[which].read;
    const bool is_total = calls[which].draft == RPCRDMA_PROTOCOL_2_07;
    for (uint32_t n = 0; n < 60; n++) {
        const uint32_t value = 1000 + n;
        const struct {
            enum random_change what;
            unsigned word;
            uint32_t least, most; /* what it is afterwards */
        } rows[] = {{RANDOM_VERSION, 1, value, value},
                    {RANDOM_PROCEDURE, 3, value, value},
                    {RANDOM_CREDIT, 2, (is_total ? CREDITS : 0) + 1, (is_total ? CREDITS : 0) + 16},
                    {RANDOM_WORD, 4 + n % (header - 4), value, value},
                    {RANDOM_POSITION, read + 1, 41, 40 + 64},
                    {RANDOM_HANDLE, read + 2, 0x5a5a000a, 0x5a5a000a},
                    {RANDOM_LENGTH, read + 3, value, value},
                    {RANDOM_XID, header, 8, 10},
                    {RANDOM_TYPE, header + 1, 1, 3},
                    {RANDOM_ARGUMENT, header + 10, 0x7ffffffc, 0x7ffffffc}};
        for (size_t i = 0; i < COUNT(rows); i++) {
            uint64_t changed;
            uint32_t now = 0;
            ck_assert_uint_eq(change(rows[i].what, n, value, &changed, &now),
                              4 * calls[which].count);
            if (rows[i].what == RANDOM_CREDIT && !is_total && now == 0)
                continue; /* the same number again */
            ck_assert_msg(changed == UINT64_C(1) << rows[i].word, "%s: 0x%llx",
                          random_change_names[rows[i].what], (unsigned long long)changed);
            ck_assert_msg(now >= rows[i].least && now <= rows[i].most, "%s: %u",
                          random_change_names[rows[i].what], now);
        }
    }
}
END_TEST

/* From one octet less than all to one less than a prefix; from nothing to one octet less than that;
 * from one word more to what every peer takes. */
START_TEST(lengths_reach_their_limits)
{
    static const enum random_change changes[] = {RANDOM_CUT, RANDOM_RUNT, RANDOM_MORE};
    size_t most[3] = {0}, least[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    which = (unsigned)_i;
    const size_t whole = 4 * calls[which].count;
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t at = 0; at < 300; at++) {
            uint64_t changed;
            uint32_t now;
            size_t length = change(changes[i], at, at, &changed, &now);
            ck_assert_uint_eq(changed, 0);
            for (size_t j = whole; j < length; j++)
                ck_assert_uint_eq(octets[j], 0);
            ck_assert(i < 2 || length % 4 == 0);
            most[i] = length > most[i] ? length : most[i];
            least[i] = length < least[i] ? length : least[i];
        }
    ck_assert(most[0] == whole - 1 && least[0] == PREFIX - 1);
    ck_assert(most[1] == PREFIX - 1 && least[1] == 0);
    ck_assert(most[2] == MOST && least[2] > whole && least[2] <= whole + 8);
}
END_TEST

START_TEST(some_are_not_changed)
{
    uint64_t changed;
    uint32_t now;
    which = (unsigned)_i;
    ck_assert_uint_eq(change(RANDOM_NONE, 1, 1, &changed, &now), 4 * calls[which].count);
    ck_assert_uint_eq(changed, 0);
    const struct random_step step = {.change = RANDOM_VERSION, .value = 9};
    put();
    ck_assert_uint_eq(random2_change_octets(&step, calls[which].draft, octets, 24), 24);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + 4), 2); /* of what does not decode nothing is */
}
END_TEST

/* ---- what is open ---- */

#define PROCESS RPCRDMA_PROCESS
#define BOTH (RPCRDMA_PROCESS | RPCRDMA_ERR_REPLY_RESOURCE)

/* Where the results have to go, of a Call that is as it should be. */
START_TEST(results_have_room_or_none)
{
    static const struct {
        struct random_step step;
        unsigned of_04, of_07;
    } rows[] = {
        {{.procedure = TEST_NULL}, PROCESS, PROCESS},
        {{.procedure = TEST_STORE, .size = 70000}, PROCESS, PROCESS}, /* which brings no item */
        {{.procedure = TEST_FETCH, .size = 900}, PROCESS, PROCESS},
        {{.procedure = TEST_FETCH, .size = 1000}, BOTH, BOTH},
        {{.procedure = TEST_ECHO, .size = 1000}, BOTH, BOTH},
        {{.procedure = TEST_FETCH, .size = 70000}, RPCRDMA_ERR_REPLY_RESOURCE, BOTH},
        {{.procedure = TEST_FETCH, .size = 70000, .write_segments = 1, .write_room = 70000},
         PROCESS,
         PROCESS},
        {{.procedure = TEST_FETCH, .size = 70000, .write_segments = 1, .write_room = 69999},
         RPCRDMA_ERR_WRITE_RESOURCE,
         RPCRDMA_ERR_WRITE_RESOURCE},
        {{.procedure = TEST_STORE, .size = 9, .write_segments = 1, .write_room = 8},
         PROCESS,
         PROCESS},
        {{.procedure = TEST_FETCH, .size = 2000, .reply_segments = 1, .reply_room = 2035},
         PROCESS,
         PROCESS},
        {{.procedure = TEST_FETCH, .size = 2000, .reply_segments = 1, .reply_room = 2034},
         BOTH,
         BOTH},
    };
    static const struct random2_sent sent = {.open = RPCRDMA_ERR_BAD_XDR};
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int credit = 0; credit < 2; credit++) {
            struct random_step step = rows[i].step;
            step.change = credit ? RANDOM_CREDIT : RANDOM_NONE;
            ck_assert_msg(random2_allowed(&step, RPCRDMA_PROTOCOL_2_04, &sent) == rows[i].of_04,
                          "row %zu", i);
            ck_assert_msg(random2_allowed(&step, RPCRDMA_PROTOCOL_2_07, &sent) == rows[i].of_07,
                          "row %zu", i);
        }
}
END_TEST

/* Of a Call that is changed: what the checker says, and where it may be processed what comes of
 * that. */
START_TEST(a_change_leaves_more_open)
{
    which = (unsigned)_i;
    const struct random2_sent refused = {.open = RPCRDMA_ERR_BAD_XDR};
    struct random2_sent taken = {.open = RPCRDMA_PROCESS, .length = put()};
    memcpy(taken.octets, octets, taken.length);
    for (int what = RANDOM_VERSION; what < RANDOM_CHANGES; what++) {
        if (what == RANDOM_CREDIT)
            continue;
        struct random_step step = {.procedure = TEST_NULL, .change = (enum random_change)what};
        const unsigned memory = random_changes_segments(step.change) ? PROBE2_WITHOUT_MEMORY : 0;
        ck_assert_uint_eq(random2_allowed(&step, calls[which].draft, &refused),
                          RPCRDMA_ERR_BAD_XDR);
        ck_assert_uint_eq(random2_allowed(&step, calls[which].draft, &taken),
                          RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | memory);
    }
    static const struct {
        uint32_t procedure, reads, longs;
        unsigned more;
    } rows[] = {{TEST_STORE, 0, 0, 0},
                {TEST_STORE, 1, 0, RPCRDMA_ERR_BAD_XDR | RPCRDMA_ERR_READ_CHUNKS},
                {TEST_ECHO, 0, 1, RPCRDMA_ERR_BAD_XDR | RPCRDMA_ERR_READ_CHUNKS},
                {TEST_NULL, 0, 1, 0},
                {TEST_FETCH, 0, 0,
                 RPCRDMA_ERR_WRITE_CHUNKS | RPCRDMA_ERR_WRITE_RESOURCE |
                     RPCRDMA_ERR_REPLY_RESOURCE | RPCRDMA_ERR_SYSTEM}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct random_step step = {.procedure = rows[i].procedure,
                                         .read_segments = rows[i].reads,
                                         .long_segments = rows[i].longs,
                                         .change = RANDOM_ARGUMENT};
        ck_assert_msg(random2_allowed(&step, calls[which].draft, &taken) ==
                          (RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | rows[i].more),
                      "row %zu", i);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("changes at random, version 2");
    tcase_add_loop_test(tests, a_change_is_of_one_word, 0, 2);
    tcase_add_loop_test(tests, lengths_reach_their_limits, 0, 2);
    tcase_add_loop_test(tests, some_are_not_changed, 0, 2);
    tcase_add_test(tests, results_have_room_or_none);
    tcase_add_loop_test(tests, a_change_leaves_more_open, 0, 2);
    return run_tests("changes at random, version 2", tests);
}
