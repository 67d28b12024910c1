// SPDX-License-Identifier: BSD-3-Clause
/* What is said of a replay: of each difference, of the end of the connection. */
#include "rxe-harness/tests/support/replay_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void ends(enum rpcrdma_endpoint from)
{
    record(from, RPCRDMA_EVENT_DISCONNECT, NULL, 0);
}

START_TEST(the_same_is_as_recorded)
{
    CLIENT(TEST(7));
    SERVER(ANSWER(7));
    DOES(ANSWERS, ANSWER(X));
    play();
    ck_assert_uint_eq(judgements, 1);
    is_judged(0, ENDING_REQUIRED, "as recorded, " PLAIN OPEN, PLAIN "; as recorded");
    ck_assert_uint_eq(judged[0]->event, 0);
    ck_assert_ptr_null(judged[0]->rule);
    ck_assert_uint_eq(peer.count, 1);
    ck_assert_uint_eq(peer.lengths[0], 68);
    /* What went out and what came, in the report. */
    ck_assert_uint_eq(judged[0]->length, 68);
    ck_assert_mem_eq(judged[0]->octets, peer.came[0], 68);
    ck_assert_uint_eq(judged[0]->answer_length, 52);
    ck_assert_mem_eq(judged[0]->answer, peer.came[0], 4);
}
END_TEST

static const struct {
    const char *reactions; /* that are left open */
    uint32_t recorded[REPLAY_WORDS];
    size_t recorded_count; /* none: silence */
    enum deed deed;
    uint32_t live[REPLAY_WORDS];
    size_t live_count;
    enum ending ending;
    const char *reason;
} rows[] = {
    {"process",
     {ANSWER(7)},
     13,
     ANSWERS,
     {MSG(X), ACCEPTED(X, 3)},
     13,
     ENDING_TOLERATED,
     "another answer of RPC: the server offers, or makes of the arguments, something else than the "
     "recorded one"},
    {"process",
     {ANSWER(7)},
     13,
     ANSWERS,
     {MSG(X), ACCEPTED(X, 4)},
     13,
     ENDING_TOLERATED,
     "another answer of RPC: the server offers, or makes of the arguments, something else than the "
     "recorded one"},
    {"process",
     {ANSWER(7)},
     13,
     ANSWERS,
     {ANSWER(X), 5},
     14,
     ENDING_TOLERATED,
     "results of another length: what they tell of is not the recorded server's"},
    {"process",
     {ANSWER(7)},
     13,
     ANSWERS,
     {MSG(X), X, 1, 0, 0, 4, 0, 0},
     14,
     ENDING_TOLERATED,
     "the same results, but an RPC header of another length"},
    {"process",
     {ANSWER(7)},
     13,
     ANSWERS,
     {ERR_CHUNK(X)},
     5,
     ENDING_WRONG,
     "neither recorded nor left open"},
    {"process",
     {ANSWER(7)},
     13,
     IS_SILENT,
     {0},
     0,
     ENDING_SILENT,
     "neither recorded nor left open"},
    {"process", {ANSWER(7)}, 13, CLOSES, {0}, 0, ENDING_CLOSED, "neither recorded nor left open"},
    {"process",
     {ERR_CHUNK(7)},
     5,
     ANSWERS,
     {ERR_CHUNK(X)},
     5,
     ENDING_TOLERATED,
     "as recorded; right if there is no room for the results"},
    {"err-chunk", {ERR_CHUNK(7)}, 5, ANSWERS, {ERR_CHUNK(X)}, 5, ENDING_REQUIRED, "as recorded"},
    {"err-chunk",
     {ERR_CHUNK(7)},
     5,
     ANSWERS,
     {ANSWER(X)},
     13,
     ENDING_WRONG,
     "neither recorded nor left open"},
    {"err-vers",
     {ERR_VERS(7, 1, 1)},
     7,
     ANSWERS,
     {ERR_VERS(X, 1, 2)},
     7,
     ENDING_TOLERATED,
     "another reaction than recorded, but one that is left open"},
    {"err-vers",
     {ERR_VERS(7, 1, 1)},
     7,
     ANSWERS,
     {ERR_VERS(X, 1, 1)},
     7,
     ENDING_REQUIRED,
     "as recorded"},
    {"discard", {0}, 0, IS_SILENT, {0}, 0, ENDING_REQUIRED, "as recorded"},
    {"discard", {0}, 0, ANSWERS, {ANSWER(X)}, 13, ENDING_WRONG, "neither recorded nor left open"},
    {"close",
     {0},
     0,
     CLOSES,
     {0},
     0,
     ENDING_TOLERATED,
     "another reaction than recorded, but one that is left open"},
    {"discard\", \"close",
     {0},
     0,
     CLOSES,
     {0},
     0,
     ENDING_TOLERATED,
     "another reaction than recorded, but one that is left open"},
    {"garbage-args",
     {MSG(7), ACCEPTED(7, 4)},
     13,
     ANSWERS,
     {MSG(X), ACCEPTED(X, 4)},
     13,
     ENDING_REQUIRED,
     "as recorded"},
    /* Refused before its arguments are looked at. */
    {"garbage-args",
     {MSG(7), ACCEPTED(7, 4)},
     13,
     ANSWERS,
     {MSG(X), ACCEPTED(X, 1)},
     13,
     ENDING_TOLERATED,
     "another answer of RPC: the server offers, or makes of the arguments, something else than the "
     "recorded one"},
    {"garbage-args",
     {MSG(7), ACCEPTED(7, 4)},
     13,
     ANSWERS,
     {MSG(X), X, 1, 1, 1, 5},
     12,
     ENDING_TOLERATED,
     "another answer of RPC: the server offers, or makes of the arguments, something else than the "
     "recorded one"},
    {"garbage-args",
     {MSG(7), ACCEPTED(7, 4)},
     13,
     ANSWERS,
     {ANSWER(X)},
     13,
     ENDING_WRONG,
     "another answer of RPC: the server offers, or makes of the arguments, something else than the "
     "recorded one"},
    {"process",
     {ANSWER(7)},
     13,
     ANSWERS,
     {X, 1, 32},
     3,
     ENDING_WRONG,
     "neither recorded nor left open"},
};

/* The first Send is the one; a second one shows that the recorded server went on. */
START_TEST(differences_are_judged)
{
    char expect[128];
    snprintf(expect, sizeof expect, "{\"reaction\": [\"%s\"]}", rows[_i].reactions);
    CLIENT(TEST(7));
    leaves_open(expect);
    if (rows[_i].recorded_count > 0)
        record(RPCRDMA_SERVER, RPCRDMA_EVENT_SEND, rows[_i].recorded, rows[_i].recorded_count);
    if (rows[_i].deed != CLOSES && rows[_i].deed != IS_SILENT)
        CLIENT(TEST(8));
    SERVER(ANSWER(8));
    does(rows[_i].deed, rows[_i].live, rows[_i].live_count);
    DOES(ANSWERS, ANSWER(X));
    play();
    ck_assert_uint_ge(judgements, 1);
    ck_assert_uint_eq(judged[0]->event, 0);
    const char *reason = strstr(judged[0]->actual, "; ");
    ck_assert_ptr_nonnull(reason);
    ck_assert_str_eq(reason + 2, rows[_i].reason);
    ck_assert_int_eq(judged[0]->ending, rows[_i].ending);
}
END_TEST

/* The recording ends: what would have come is unknown. */
START_TEST(what_was_not_recorded_is_left_open)
{
    CLIENT(TEST(7));
    DOES(ANSWERS, ANSWER(X));
    play();
    is_judged(0, ENDING_REQUIRED, "as recorded, nothing up to the end" OPEN,
              PLAIN "; not recorded");
}
END_TEST

/* An end that was recorded: as then, or before the answer, or not at all. */
START_TEST(the_recorded_end_is_met)
{
    CLIENT(TEST(7));
    leaves_open("{\"reaction\": [\"close\"]}");
    ends(RPCRDMA_SERVER);
    does(CLOSES, NULL, 0);
    play();
    is_judged(0, ENDING_REQUIRED, "as recorded, the end of the connection; left open: close",
              "the end of the connection; as recorded");
    ck_assert_uint_eq(judgements, 1);
}
END_TEST

START_TEST(the_connection_may_end_earlier)
{
    CLIENT(TEST(7));
    SERVER(ANSWER(7));
    ends(RPCRDMA_SERVER);
    does(CLOSES, NULL, 0);
    play();
    is_judged(0, ENDING_TOLERATED, "as recorded, " PLAIN OPEN,
              "the end of the connection; the connection ends as recorded, but earlier");
    ck_assert_uint_eq(judgements, 1);
}
END_TEST

static const struct {
    bool was_closed, by_client;
    enum deed deed;
    bool is_error;
    unsigned judgements;
    enum ending ending;
    const char *actual;
} closings[] = {
    {false, false, ANSWERS, false, 1, ENDING_REQUIRED, NULL},
    {true, false, CLOSES_AFTER, false, 1, ENDING_REQUIRED, NULL},
    {true, false, ANSWERS, false, 2, ENDING_TOLERATED, "a connection that goes on"},
    {false, false, CLOSES_AFTER, false, 2, ENDING_CLOSED,
     "the end of the connection after the last answer"},
    {true, true, CLOSES_AFTER, false, 2, ENDING_CLOSED,
     "the end of the connection after the last answer"},
    {true, true, ANSWERS, false, 1, ENDING_REQUIRED, NULL},
    {false, false, CLOSES_AFTER, true, 2, ENDING_TOLERATED,
     "the end of the connection after the last answer"},
};

START_TEST(the_end_after_the_last_answer_is_judged)
{
    bool error = closings[_i].is_error;
    CLIENT(TEST(7));
    if (error)
        leaves_open("{\"reaction\": [\"err-chunk\"]}");
    if (error)
        SERVER(ERR_CHUNK(7));
    else
        SERVER(ANSWER(7));
    if (closings[_i].was_closed)
        ends(closings[_i].by_client ? RPCRDMA_CLIENT : RPCRDMA_SERVER);
    if (error)
        DOES(closings[_i].deed, ERR_CHUNK(X));
    else
        DOES(closings[_i].deed, ANSWER(X));
    play();
    ck_assert_uint_eq(judgements, closings[_i].judgements);
    ck_assert_int_eq(judged[0]->ending, ENDING_REQUIRED);
    if (judgements < 2)
        return;
    ck_assert_str_eq(judged[1]->actual, closings[_i].actual);
    ck_assert_int_eq(judged[1]->ending, closings[_i].ending);
    ck_assert_str_eq(judged[1]->expected,
                     closings[_i].deed == ANSWERS
                         ? "as recorded, the end of the connection after the last answer"
                         : "as recorded, a connection that goes on");
}
END_TEST

/* Nothing is answered any more, and the connection is there. */
START_TEST(a_peer_that_stalls_is_told)
{
    CLIENT(TEST(7));
    SERVER(ANSWER(7));
    CLIENT(TEST(8));
    SERVER(ANSWER(8));
    DOES(ANSWERS, ANSWER(X));
    peer.deaf = true;
    play();
    ck_assert_uint_eq(judgements, 2);
    is_judged(0, ENDING_REQUIRED, "as recorded, " PLAIN OPEN, PLAIN "; as recorded");
    ck_assert_int_eq(judged[1]->ending, ENDING_STALLED);
    ck_assert_uint_eq(judged[1]->event, 2);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("replay: judgements");
    tcase_add_checked_fixture(tests, replay_stage_setup, replay_stage_teardown);
    tcase_add_test(tests, the_same_is_as_recorded);
    tcase_add_loop_test(tests, differences_are_judged, 0, COUNT(rows));
    tcase_add_test(tests, what_was_not_recorded_is_left_open);
    tcase_add_test(tests, the_recorded_end_is_met);
    tcase_add_test(tests, the_connection_may_end_earlier);
    tcase_add_loop_test(tests, the_end_after_the_last_answer_is_judged, 0, COUNT(closings));
    tcase_add_test(tests, a_peer_that_stalls_is_told);
    return run_tests("replay: judgements", tests);
}
