// SPDX-License-Identifier: BSD-3-Clause
/* What a replay sends: XIDs, memory and names of today, in the order of the recording. */
#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/tests/support/replay_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is sent ---- */

START_TEST(xids_are_fresh_and_the_same_where_they_were)
{
    CLIENT(TEST(7));
    CLIENT(TEST(9));
    CLIENT(TEST(7));                             /* once more */
    CLIENT(MSG(5), CALL(6, TEST_PROGRAM, 1, 9)); /* two of them in one Send */
    SERVER(ANSWER(9));
    SERVER(ANSWER(7));
    play();
    ck_assert_uint_eq(peer.count, 4);
    uint32_t seven = came_word(0, 0), nine = came_word(1, 0), five = came_word(3, 0);
    ck_assert_uint_ne(seven, nine);
    ck_assert_uint_ne(five, nine);
    ck_assert_uint_ne(five, seven);
    ck_assert_uint_eq(came_word(0, 7), seven);
    ck_assert_uint_eq(came_word(1, 7), nine);
    ck_assert_uint_eq(came_word(2, 0), seven);
    ck_assert_uint_eq(came_word(2, 7), seven);
    ck_assert_uint_eq(came_word(3, 7), 6);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(peer.lengths[i], 68);
        for (size_t word = 1; word < 17; word++)
            ck_assert(word == 7 ||
                      came_word(i, word) ==
                          rpcrdma_xdr_load32((const uint8_t *)events[i].event.data + 4 * word));
    }
}
END_TEST

/* Of what was not recorded only the first Send is sent, once. */
START_TEST(what_was_not_recorded_is_no_conversation)
{
    replay_stage_origin = (const char *[]){"recorded", "made", "spec"}[_i];
    CLIENT(TEST(7));
    SERVER(ANSWER(7));
    CLIENT(TEST(8));
    SERVER(ANSWER(8));
    for (int i = 0; i < 2; i++)
        DOES(ANSWERS, ANSWER(X));
    play();
    ck_assert_uint_eq(peer.count, _i == 0 ? 2 : 1);
    ck_assert_uint_ge(probe.run.results.count, 1);
    ck_assert_str_eq(probe.run.results.list[0].file, "recorded");
    ck_assert_str_eq(probe.run.results.list[0].test, "test");
}
END_TEST

/* What the recorded server had answered by then is waited for; what it had not is not. */
START_TEST(calls_are_in_flight_as_they_were)
{
    CLIENT(TEST(7));
    CLIENT(TEST(8));
    SERVER(ANSWER(8));
    CLIENT(TEST(9));
    SERVER(ANSWER(7));
    SERVER(ANSWER(9));
    for (int i = 0; i < 3; i++)
        DOES(ANSWERS, ANSWER(X));
    peer.holds = 2;
    play();
    ck_assert_uint_eq(peer.count, 3);
    ck_assert_uint_eq(peer.at_once, 2);
    ck_assert_uint_eq(judgements, 3);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(judged[i]->ending, ENDING_REQUIRED);
}
END_TEST

START_TEST(no_more_are_in_flight_than_are_granted)
{
    for (uint32_t xid = 7; xid < 13; xid++)
        CLIENT(TEST(xid));
    for (uint32_t xid = 7; xid < 13; xid++) {
        SERVER(ANSWER(xid));
        DOES(ANSWERS, ANSWER(X));
    }
    peer.grants = 2;
    play();
    ck_assert_uint_eq(peer.count, 6);
    ck_assert_uint_le(peer.at_once, 2);
    for (unsigned i = 0; i < 6; i++)
        ck_assert_int_eq(judged[i]->ending, ENDING_REQUIRED);
}
END_TEST

/* How often the peer had nothing to do before its first answer. */
static unsigned idle_first;

static void note_idle(void)
{
    idle_first = peer.answered == 1 ? peer.idle : idle_first;
}

/* Within the grant they go out one after the other, without a look at what comes. */
START_TEST(nothing_is_waited_for_within_the_grant)
{
    unsigned idle[2];
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t calls = i == 0 ? 1 : 4;
        for (uint32_t xid = 7; xid < 7 + calls; xid++)
            CLIENT(TEST(xid));
        for (uint32_t xid = 7; xid < 7 + calls; xid++) {
            SERVER(ANSWER(xid));
            DOES(ANSWERS, ANSWER(X));
        }
        peer.holds = calls;
        peer.grants = 4;
        peer.before = note_idle;
        play();
        ck_assert_uint_eq(peer.at_once, calls);
        idle[i] = idle_first;
        replay_stage_teardown();
        replay_stage_setup();
    }
    ck_assert_uint_eq(idle[0], idle[1]);
}
END_TEST

/* What nothing answers takes a Receive each: of a grant of 3 the third waits until the peer had
 * time to post them again, and so does each second one after it, but none in between. */
START_TEST(drops_are_waited_for_in_turn)
{
    enum { MOST = 8 };
    unsigned idle[MOST + 1];
    for (unsigned calls = 2; calls <= MOST; calls++) {
        for (uint32_t xid = 7; xid < 7 + calls; xid++) {
            CLIENT(TEST(xid));
            DOES(IS_SILENT);
        }
        peer.grants = 3;
        play();
        ck_assert_uint_eq(peer.count, calls);
        idle[calls] = peer.idle;
        replay_stage_teardown();
        replay_stage_setup();
    }
    for (unsigned calls = 4; calls <= MOST; calls++)
        ck_assert_int_eq(idle[calls] > idle[calls - 1], calls % 2 == 1);
    ck_assert_uint_gt(idle[3], idle[2]);
}
END_TEST

/* Each Call is answered before the next, or never was, and then there are fewer than are granted:
 * nothing is waited for that a larger grant would spare. */
START_TEST(what_was_answered_takes_no_credit)
{
    unsigned idle[2];
    for (int i = 0; i < 2; i++) {
        for (int n = 0; n < 3 * _i; n++) {
            CLIENT(TEST(4 + n));
            DOES(IS_SILENT);
        }
        for (uint32_t xid = 7; xid < 13; xid++) {
            CLIENT(TEST(xid));
            SERVER(ANSWER(xid));
            DOES(ANSWERS, ANSWER(X));
        }
        peer.grants = i == 0 ? 2 + 2 * _i : 64;
        play();
        ck_assert_uint_eq(peer.count, 6 + 3 * _i);
        idle[i] = peer.idle;
        replay_stage_teardown();
        replay_stage_setup();
    }
    ck_assert_uint_eq(idle[0], idle[1]);
}
END_TEST

/* Calls of the reverse direction are no answers, though they have the XID. */
START_TEST(reverse_calls_answer_nothing)
{
    CLIENT(TEST(7));
    SERVER(TEST(7));
    SERVER(ANSWER(7), 1);
    DOES(ANSWERS, TEST(X));
    play();
    is_judged(0, ENDING_SILENT,
              "as recorded, a Reply, accept_stat 0, 4 octets of results, Send of 56" OPEN,
              "silence; neither recorded nor left open");
}
END_TEST

/* The second Call of this XID is asked again: the answer is that one's. */
START_TEST(an_answer_is_to_the_last_of_the_same_calls)
{
    CLIENT(TEST(7));
    CLIENT(TEST(7));
    SERVER(ANSWER(7));
    does(IS_SILENT, NULL, 0);
    does(IS_SILENT, NULL, 0);
    play();
    ck_assert_ptr_nonnull(strstr(judged[0]->expected, "as recorded, silence"));
    ck_assert_ptr_nonnull(strstr(judged[1]->expected, "as recorded, " PLAIN));
}
END_TEST

/* One answer is to one Call, though two of them have its XID. */
START_TEST(an_answer_is_to_one_call)
{
    CLIENT(TEST(7));
    CLIENT(TEST(7));
    SERVER(ANSWER(7));
    DOES(ANSWERS, ANSWER(X));
    does(IS_SILENT, NULL, 0);
    play();
    ck_assert_uint_eq(judgements, 2);
    ck_assert_int_eq(judged[0]->ending, ENDING_TOLERATED);
    ck_assert_int_eq(judged[1]->ending, ENDING_SILENT);
}
END_TEST

/* Who answers by both XIDs of a recorded Call, which differ, does what it was asked. */
START_TEST(xids_that_differ_are_not_the_peers)
{
    for (int i = 0; i < 2; i++) {
        CLIENT(MSG(5), CALL(6, TEST_PROGRAM, 1, 9));
        SERVER(MSG(5), ACCEPTED(6, 0));
        DOES(ANSWERS, MSG(X), ACCEPTED(_i == 0 ? 6 : X, 0));
    }
    play();
    ck_assert_uint_eq(peer.count, 2);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const char *rule = probe.run.results.list[i].rule;
        ck_assert_msg(rule == NULL || strstr(rule, "xid") == NULL, "%s", rule);
    }
}
END_TEST

/* ---- what is not sent ---- */

START_TEST(what_cannot_be_sent_is_left_out)
{
    CLIENT(TEST(7))->invalidate = true;
    CLIENT(ANSWER(5)); /* to a Call of the server's */
    /* Two handles with more than 4 MiB together. */
    CLIENT(8, 1, 32, 0, 1, 48, 1, 3 << 20, 0, 0, 1, 48, 2, 3 << 20, 0, 0, 0, 0, 0,
           CALL(8, TEST_PROGRAM, 1, 9));
    /* A Long Call that the server answered, and nobody saw it read. */
    CLIENT(9, 1, 32, 1, 1, 0, 1, 40, 0, 0, 0, 0, 0);
    SERVER(ANSWER(9));
    CLIENT(TEST(10));
    SERVER(ANSWER(10));
    DOES(ANSWERS, ANSWER(X));
    play();
    ck_assert_uint_eq(peer.count, 1);
    is_judged(0, ENDING_NOT_APPLICABLE, "as recorded", "a Send With Invalidate");
    is_judged(1, ENDING_NOT_APPLICABLE, "as recorded", "a Reply to what the server called then");
    is_judged(2, ENDING_NOT_APPLICABLE, "as recorded",
              "it offers more memory than there is for one Send");
    is_judged(3, ENDING_NOT_APPLICABLE, "as recorded",
              "the recorded server did not read the Long Call, which is not known therefore");
    ck_assert_int_eq(judged[4]->ending, ENDING_REQUIRED);
    ck_assert_uint_eq(judged[4]->event, 5);
    ck_assert_mem_eq(judged[0]->octets, events[0].event.data, 68);
}
END_TEST

START_TEST(nothing_is_sent_after_the_end)
{
    CLIENT(TEST(7));
    SERVER(ANSWER(7));
    CLIENT(TEST(8));
    SERVER(ANSWER(8));
    CLIENT(TEST(9));
    does(CLOSES, NULL, 0);
    play();
    ck_assert_uint_eq(peer.count, 1);
    for (unsigned i = 1; i < 3; i++)
        is_judged(i, ENDING_NOT_APPLICABLE, "as recorded", "the connection has ended");
}
END_TEST

START_TEST(what_is_longer_than_the_peer_takes_is_left_out)
{
    static uint8_t longer[RESPONDER_INLINE + 1];
    memcpy(longer, CLIENT(TEST(7))->data, 68);
    CLIENT(TEST(7));
    events[0].event.data = events[1].event.data = longer;
    events[0].event.length = RESPONDER_INLINE;
    events[1].event.length = RESPONDER_INLINE + 1;
    play();
    ck_assert_uint_eq(peer.count, 1);
    ck_assert_uint_eq(peer.lengths[0], RESPONDER_INLINE);
    is_judged(1, ENDING_NOT_APPLICABLE, "as recorded", "longer than what the peer takes");
}
END_TEST

/* ---- memory ---- */

static uint8_t seen[64];
static uint32_t seen_handle;

/* The peer reads 32 octets of the first Read segment. */
static void read_first(void)
{
    const uint8_t *segment = peer.came[peer.answered - 1] + 4 * 6;
    seen_handle = rpcrdma_xdr_load32(segment);
    ck_assert(peer.link->ops->read(peer.link, seen_handle, rpcrdma_xdr_load64(segment + 8), seen,
                                   rpcrdma_xdr_load32(segment + 4)));
}

/* In two operations, the second first; what is read of others does not belong to it. */
START_TEST(what_was_read_is_there_again)
{
    CLIENT(7, 1, 32, 0, 1, 40, 77, 16, 0, 0x1000, 0, 0, 0, CALL(7, TEST_PROGRAM, 1, 9));
    READ(77, 0x1008, 3, 4);
    READ(76, 0x1000, 9, 9);
    READ(77, 0x1000, 1, 2);
    WRITE(77, 0x1000, 8, 8);
    SERVER(ANSWER(7));
    READ(77, 0x1000, 6, 6); /* after the answer */
    DOES(ANSWERS, ANSWER(X));
    peer.before = read_first;
    play();
    ck_assert_int_eq(judged[0]->ending, ENDING_REQUIRED);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(seen + 4 * i), i + 1);
    ck_assert_uint_ne(seen_handle, 77);
}
END_TEST

/* A Long Call has a fresh XID as well. */
START_TEST(a_long_call_is_renewed)
{
    CLIENT(7, 1, 32, 1, 1, 0, 77, 24, 0, 0x1000, 1, 0, 78, 16, 0, 0, 0, 0, 0);
    READ(77, 0x1000, 7, 0, 2, TEST_PROGRAM, 1, 9);
    READ(78, 0, 0, 0, 0, 0);
    SERVER(ANSWER(7));
    DOES(ANSWERS, ANSWER(X));
    peer.before = read_first;
    play();
    ck_assert_int_eq(judged[0]->ending, ENDING_REQUIRED);
    ck_assert_uint_eq(rpcrdma_xdr_load32(seen), came_word(0, 0));
    ck_assert_uint_ne(came_word(0, 0), 7);
    ck_assert_uint_eq(rpcrdma_xdr_load32(seen + 12), TEST_PROGRAM);
}
END_TEST

/* By an error of the header's: then it matters to nobody. */
START_TEST(a_long_call_that_was_refused_may_be_unknown)
{
    CLIENT(7, 1, 32, 1, 1, 0, 77, 24, 0, 0x1000, 0, 0, 0);
    leaves_open("{\"reaction\": [\"err-chunk\"]}");
    SERVER(ERR_CHUNK(7));
    DOES(ANSWERS, ERR_CHUNK(X));
    play();
    is_judged(0, ENDING_REQUIRED, "as recorded, err-chunk; left open: err-chunk",
              "err-chunk; as recorded");
}
END_TEST

/* A Long Reply of 7 words, in a chunk of two segments; the peer may say another accept_stat. */
static uint32_t said;

static void write_long_reply(void)
{
    const uint32_t words[] = {ACCEPTED(came_word(0, 0), said), 5};
    uint8_t octets[28];
    size_t at = 0;
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    for (size_t i = 0; i < 2; i++) {
        const uint8_t *segment = peer.came[0] + 4 * (8 + 4 * i);
        uint32_t length = i == 0 ? 12 : 16;
        ck_assert(peer.link->ops->write(peer.link, rpcrdma_xdr_load32(segment),
                                        rpcrdma_xdr_load64(segment + 8), octets + at, length));
        for (size_t j = 0; j < 4; j++) /* it comes back as it was, or shorter */
            peer.deeds[0].words[8 + 4 * i + j] = rpcrdma_xdr_load32(segment + 4 * j);
        peer.deeds[0].words[9 + 4 * i] = length;
        at += length;
    }
}

START_TEST(long_replies_are_compared)
{
    static const struct {
        uint32_t said;
        bool whole; /* the recording */
        enum ending ending;
        const char *reason;
    } replies[] = {{0, true, ENDING_REQUIRED, "; as recorded"},
                   {3, true, ENDING_TOLERATED, "; another answer of RPC"},
                   {0, false, ENDING_TOLERATED, "; another reaction than recorded"}};
#define LONG(xid, first, second)                                                                   \
    xid, 1, 32, 1, 0, 0, 1, 2, 55, first, 0, 0x1000, 56, second, 0, 0x2000
    CLIENT(7, 1, 32, 0, 0, 0, 1, 2, 55, 12, 0, 0x1000, 56, 100, 0, 0x2000,
           CALL(7, TEST_PROGRAM, 1, 9));
    WRITE(55, 0x1000, 7, 1);
    WRITE(55, 0x1008, 0);
    if (replies[_i].whole)
        WRITE(56, 0x2004, 0, 0, 5);
    else
        WRITE(56, 0x2008, 0, 5);
    WRITE(56, 0x2000, 0);
    SERVER(LONG(7, 12, 16));
    DOES(ANSWERS, LONG(X, 12, 16));
    peer.before = write_long_reply;
    said = replies[_i].said;
    play();
    ck_assert_uint_eq(judgements, 1);
    ck_assert_msg(strstr(judged[0]->actual, replies[_i].reason), "%s", judged[0]->actual);
    ck_assert_int_eq(judged[0]->ending, replies[_i].ending);
    ck_assert_ptr_nonnull(strstr(judged[0]->actual, "a Long Reply, accept_stat "));
    ck_assert_int_eq(strstr(judged[0]->expected, "a Long Reply, accept_stat 0, 4 octets of") !=
                         NULL,
                     replies[_i].whole);
}
END_TEST

/* ---- names ---- */

#define NFS3(xid, procedure) MSG(xid), CALL(xid, NFS_PROGRAM, 3, procedure)
#define OLD 0x6f6c6400, 0x6f6c6401
#define FRESH 0x6e657700, 0x6e657701

/* What LOOKUP called so then goes out by today's handle. */
START_TEST(handles_are_those_of_today)
{
    CLIENT(NFS3(7, 3), 4, 1, 1, 0x61000000);
    SERVER(ANSWER(7), 0, 8, OLD, 0, 0);
    CLIENT(NFS3(8, 1), 8, OLD);
    SERVER(ANSWER(8), 70);
    CLIENT(TEST(9), OLD);                                   /* of another program */
    CLIENT(10, 1, 32, 1, 1, 0, 77, 52, 0, 0x1000, 0, 0, 0); /* a Long Call */
    READ(77, 0x1000, CALL(10, NFS_PROGRAM, 3, 1), 8, OLD);
    SERVER(ANSWER(10), 70);
    DOES(ANSWERS, ANSWER(X), 0, 8, FRESH, 0, 0);
    DOES(ANSWERS, ANSWER(X), 70);
    does(IS_SILENT, NULL, 0);
    DOES(ANSWERS, ANSWER(X), 70);
    play();
    static const uint32_t old[] = {OLD}, fresh[] = {FRESH};
    ck_assert_uint_eq(peer.count, 4);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(came_word(1, 18 + i), fresh[i]);
        ck_assert_uint_eq(came_word(2, 17 + i), old[i]);
    }
    is_judged(
        1, ENDING_REQUIRED,
        "as recorded, a Reply, accept_stat 0, NFS status 70, 4 octets of results, Send of 56" OPEN,
        "a Reply, accept_stat 0, NFS status 70, 4 octets of results, Send of 56; as recorded");
}
END_TEST

static uint8_t long_call[64];

static void read_long_call(void)
{
    const uint8_t *segment = peer.came[peer.answered - 1] + 4 * 6;
    if (peer.answered == 2)
        ck_assert(peer.link->ops->read(peer.link, rpcrdma_xdr_load32(segment),
                                       rpcrdma_xdr_load64(segment + 8), long_call, 52));
}

START_TEST(handles_in_long_calls_are_those_of_today)
{
    static const uint32_t expected[] = {8, FRESH};
    CLIENT(NFS3(7, 3), 4, 1, 1, 0x61000000);
    SERVER(ANSWER(7), 0, 8, OLD, 0, 0);
    CLIENT(10, 1, 32, 1, 1, 0, 77, 52, 0, 0x1000, 0, 0, 0);
    READ(77, 0x1000, CALL(10, NFS_PROGRAM, 3, 1), 8, OLD);
    SERVER(ANSWER(10), 70);
    DOES(ANSWERS, ANSWER(X), 0, 8, FRESH, 0, 0);
    DOES(ANSWERS, ANSWER(X), 70);
    peer.before = read_long_call;
    play();
    ck_assert_uint_eq(peer.count, 2);
    ck_assert_uint_eq(rpcrdma_xdr_load32(long_call), came_word(1, 0));
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(long_call + 40 + 4 * i), expected[i]);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("replay: Sends");
    tcase_add_checked_fixture(tests, replay_stage_setup, replay_stage_teardown);
    tcase_add_test(tests, xids_are_fresh_and_the_same_where_they_were);
    tcase_add_loop_test(tests, what_was_not_recorded_is_no_conversation, 0, 3);
    tcase_add_test(tests, calls_are_in_flight_as_they_were);
    tcase_add_test(tests, no_more_are_in_flight_than_are_granted);
    tcase_add_test(tests, nothing_is_waited_for_within_the_grant);
    tcase_add_test(tests, drops_are_waited_for_in_turn);
    tcase_add_loop_test(tests, what_was_answered_takes_no_credit, 0, 2);
    tcase_add_test(tests, reverse_calls_answer_nothing);
    tcase_add_test(tests, an_answer_is_to_the_last_of_the_same_calls);
    tcase_add_test(tests, an_answer_is_to_one_call);
    tcase_add_loop_test(tests, xids_that_differ_are_not_the_peers, 0, 2);
    tcase_add_test(tests, what_cannot_be_sent_is_left_out);
    tcase_add_test(tests, nothing_is_sent_after_the_end);
    tcase_add_test(tests, what_is_longer_than_the_peer_takes_is_left_out);
    tcase_add_test(tests, what_was_read_is_there_again);
    tcase_add_test(tests, a_long_call_is_renewed);
    tcase_add_test(tests, a_long_call_that_was_refused_may_be_unknown);
    tcase_add_loop_test(tests, long_replies_are_compared, 0, 3);
    tcase_add_test(tests, handles_are_those_of_today);
    tcase_add_test(tests, handles_in_long_calls_are_those_of_today);
    return run_tests("replay: Sends", tests);
}
