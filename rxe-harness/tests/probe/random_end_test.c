// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random runs in which connections do not come about. Where the time of the run is over meanwhile,
 * a peer that is there again within --wait is accused of nothing, and one that is not has died.
 * Private data of a connection's own are to blame if it comes about without them alone, and that
 * twice.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/random/random.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/clock.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIME = 600, BEFORE = 100, ATTEMPT = 50 }; /* milliseconds */

static const struct transport_ops *sound;
static struct transport_ops altered;

/* Of the reference Responder, connected to by this function. */
static struct probe probe_by(struct link *(*connect)(struct transport *,
                                                     const struct link_options *))
{
    struct probe probe = {
        .options = {
            .timeout = 500, .program = TEST_PROGRAM, .version = TEST_VERSION, .wait = 2000}};
    probe.peer.transport = responder_loopback();
    sound = probe.peer.transport->ops;
    altered = *sound;
    altered.connect = connect;
    probe.peer.transport->ops = &altered;
    return probe;
}

static void end_probe(struct probe *probe)
{
    free(probe->run.stopped);
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    sound->close(probe->peer.transport);
}

static int64_t away_from, away_to;
static unsigned failed_attempts;

static struct link *connect_later(struct transport *transport, const struct link_options *options)
{
    int64_t now = clock_milliseconds();
    if (now < away_from || now >= away_to)
        return sound->connect(transport, options);
    failed_attempts++;
    poll(NULL, 0, ATTEMPT);
    snprintf(transport->error, sizeof transport->error, "timed out");
    return NULL;
}

static const struct {
    int away; /* milliseconds */
    bool dies;
} rows[] = {{BEFORE + 400, false}, {60000, true}};

START_TEST(away_at_the_end)
{
    struct probe probe = probe_by(connect_later);
    away_from = INT64_MAX;
    ck_assert(probe_begin(&probe));
    away_from = clock_milliseconds() + TIME - BEFORE;
    away_to = away_from + rows[_i].away;
    const struct random_options random = {
        .play = random_play, .line = RANDOM_SEED(1), .time = TIME};
    random_run(&probe, &random);
    ck_assert_uint_gt(failed_attempts, 0); /* or else it was not away */
    bool died = false;
    for (size_t i = 0; i < probe.run.results.count; i++) {
        ck_assert(rows[_i].dies || !ending_is_failure(probe.run.results.list[i].ending));
        died = died || probe.run.results.list[i].ending == ENDING_CRASHED;
    }
    ck_assert(died == rows[_i].dies);
    end_probe(&probe);
}
END_TEST

/* Whatever it is played, its last Call fails. */
static bool play_to_the_last(struct probe *probe, const struct random_conversation *conversation,
                             struct random_failure *failure, uint64_t *calls)
{
    (void)probe;
    *failure = (struct random_failure){
        .ending = ENDING_WRONG, .rule = -1, .step = conversation->count - 1, .text = "it failed"};
    for (unsigned i = 0; i < conversation->count; i++)
        if (conversation->steps[i].change != RANDOM_NONE)
            failure->change = conversation->steps[i].change;
    *calls += conversation->count;
    return true;
}

/* The first Call is Call 1. */
START_TEST(the_last_call_fails)
{
    struct probe probe = probe_by(connect_later);
    away_from = INT64_MAX;
    ck_assert(probe_begin(&probe));
    const struct random_options random = {
        .play = play_to_the_last, .line = RANDOM_SEED(1), .time = 10000, .conversations = 1};
    random_run(&probe, &random);
    unsigned failed = 0, call, of;
    for (size_t i = 0; i < probe.run.results.count; i++)
        if (ending_is_failure(probe.run.results.list[i].ending)) {
            const char *actual = probe.run.results.list[i].actual;
            ck_assert_int_eq(sscanf(actual, "it failed, in Call %u of %u", &call, &of), 2);
            ck_assert_uint_eq(call, of);
            failed++;
        } else {
            /* What failed is not told once more, as required. */
            ck_assert(strncmp(probe.run.results.list[i].test, "random-", 7) != 0);
        }
    ck_assert_uint_eq(failed, 1);
    end_probe(&probe);
}
END_TEST

static uint8_t usual[LINK_PRIVATE_DATA_MAX]; /* private data */
static size_t usual_length;
static bool has_usual;
static unsigned refusals; /* to come, of other private data than the usual ones */

static struct link *connect_unless_refused(struct transport *transport,
                                           const struct link_options *options)
{
    bool same = options->private_length == usual_length &&
                memcmp(options->private_data, usual, usual_length) == 0;
    if (!has_usual) {
        memcpy(usual, options->private_data, options->private_length);
        usual_length = options->private_length;
        has_usual = true;
    } else if (!same && refusals > 0) {
        refusals--;
        snprintf(transport->error, sizeof transport->error, "rejected");
        return NULL;
    }
    return sound->connect(transport, options);
}

/* A connection is tried three times. */
static const struct {
    unsigned refusals;
    bool fails;
} refused[] = {{3, false}, {1000, true}};

START_TEST(private_data_are_refused)
{
    struct probe probe = probe_by(connect_unless_refused);
    refusals = 0;
    has_usual = false;
    ck_assert(probe_begin(&probe));
    refusals = refused[_i].refusals;
    const struct random_options random = {.play = random_play,
                                          .line = RANDOM_SEED(1),
                                          .time = 60000,
                                          .conversations = 60,
                                          .announces = true};
    random_run(&probe, &random);
    ck_assert_uint_lt(refusals, refused[_i].refusals);
    unsigned failed = 0;
    for (size_t i = 0; i < probe.run.results.count; i++)
        failed += ending_is_failure(probe.run.results.list[i].ending);
    ck_assert_uint_eq(failed, refused[_i].fails);
    end_probe(&probe);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("the end of random conversations");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_last_call_fails);
    tcase_add_loop_test(tests, away_at_the_end, 0, sizeof rows / sizeof rows[0]);
    tcase_add_loop_test(tests, private_data_are_refused, 0, sizeof refused / sizeof refused[0]);
    return run_tests("the end of random conversations", tests);
}
