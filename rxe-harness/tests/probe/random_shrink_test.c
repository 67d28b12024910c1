// SPDX-License-Identifier: BSD-3-Clause
/* Of a conversation that fails, what is left is what it takes to fail, as plain as it can be. */
#include "rxe-harness/random/random.h"

#include "conformance/base/clock.h"
#include "conformance/base/count.h"
#include "rxe-harness/transport/test_program.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MOST 400 /* times that it is held */

static struct probe probe;
static struct random_conversation conversation;
static struct random_failure failure;
static unsigned held;
static unsigned gone_after; /* so often, if not 0 */
static bool (*fails)(const struct random_conversation *conversation);

static bool play(struct probe *with, const struct random_conversation *with_these,
                 struct random_failure *went, uint64_t *calls)
{
    ck_assert_ptr_eq(with, &probe);
    ck_assert_uint_gt(with_these->count, 0);
    held++;
    *calls += with_these->count;
    *went = (struct random_failure){
        .ending = fails(with_these) ? ENDING_WRONG : ENDING_REQUIRED, .rule = -1, .step = held};
    return gone_after == 0 || held <= gone_after;
}

/* As large as a conversation gets, with all that a step can have. */
static void set_up(void)
{
    probe = (struct probe){.options = {.timeout = 1}};
    held = gone_after = 0;
    failure = (struct random_failure){.ending = ENDING_WRONG, .rule = -1};
    conversation = (struct random_conversation){.announces = true, .count = RANDOM_STEPS};
    for (unsigned i = 0; i < RANDOM_STEPS; i++)
        conversation.steps[i] = (struct random_step){.procedure = TEST_ECHO,
                                                     .size = 1000 + i,
                                                     .read_segments = 4,
                                                     .long_segments = 2,
                                                     .write_segments = 3,
                                                     .reply_segments = 2,
                                                     .write_room = 2000,
                                                     .reply_room = 3000,
                                                     .together = true};
}

static const struct random_step *find(const struct random_conversation *with, uint32_t procedure)
{
    for (unsigned i = 0; i < with->count; i++)
        if (with->steps[i].procedure == procedure)
            return &with->steps[i];
    return NULL;
}

/* One STORE of 100 octets, and a FETCH after it. */
static bool takes_two(const struct random_conversation *with)
{
    const struct random_step *store = find(with, TEST_STORE), *fetch = find(with, TEST_FETCH);
    return store && fetch && store < fetch && store->size >= 100;
}

START_TEST(steps_that_it_does_not_take_are_left_out)
{
    static const unsigned places[][2] = {{0, 1}, {0, 23}, {11, 12}, {22, 23}, {5, 17}};
    fails = takes_two;
    conversation.steps[places[_i][0]].procedure = TEST_STORE;
    conversation.steps[places[_i][1]].procedure = TEST_FETCH;
    random_shrink(&probe, play, &conversation, &failure);
    ck_assert_uint_le(held, MOST);
    ck_assert_uint_eq(conversation.count, 2);
    ck_assert(!conversation.announces);
    const struct random_step *store = &conversation.steps[0], *fetch = &conversation.steps[1];
    ck_assert_uint_eq(store->procedure, TEST_STORE);
    ck_assert_uint_eq(store->size, 1000 + places[_i][0]); /* 5 octets would not do */
    ck_assert_uint_eq(fetch->procedure, TEST_FETCH);
    ck_assert_uint_eq(fetch->size, 5);
    ck_assert_uint_eq(fetch->write_room, 8);
    for (const struct random_step *step = store; step <= fetch; step++) {
        ck_assert(!step->together);
        ck_assert_uint_eq(step->long_segments + step->write_segments + step->reply_segments, 0);
        ck_assert_uint_eq(step->read_segments, 1);
    }
    ck_assert_uint_eq(failure.ending, ENDING_WRONG);
    ck_assert_uint_gt(failure.step, 0); /* it is the failure of what is left */
}
END_TEST

/* A step of one sort that is kept has all of that sort. */
static bool any(const struct random_conversation *with)
{
    return with->count > 0;
}
static bool is_together(const struct random_conversation *with)
{
    return with->steps[0].together;
}
static bool is_long(const struct random_conversation *with)
{
    return with->steps[0].long_segments > 0;
}
static bool has_write_chunk(const struct random_conversation *with)
{
    return with->steps[0].write_segments > 0;
}
static bool has_reply_chunk(const struct random_conversation *with)
{
    return with->steps[0].reply_segments > 0;
}
static bool has_segments(const struct random_conversation *with)
{
    return with->steps[0].read_segments > 1;
}
static bool has_room(const struct random_conversation *with)
{
    return with->steps[0].write_room > 8;
}
static bool is_announced(const struct random_conversation *with)
{
    return with->announces;
}
static bool (*const needs[])(const struct random_conversation *with) = {
    any,          is_together, is_long,     has_write_chunk, has_reply_chunk,
    has_segments, has_room,    is_announced};

START_TEST(what_it_takes_is_kept)
{
    fails = needs[_i];
    random_shrink(&probe, play, &conversation, &failure);
    const struct random_step *step = &conversation.steps[0];
    ck_assert_uint_eq(conversation.count, 1);
    ck_assert_int_eq(conversation.announces, fails == is_announced);
    ck_assert_int_eq(step->together, fails == is_together);
    ck_assert_uint_eq(step->long_segments, fails == is_long ? 2 : 0);
    ck_assert_uint_eq(step->write_segments, fails == has_write_chunk ? 3 : 0);
    ck_assert_uint_eq(step->reply_segments, fails == has_reply_chunk ? 2 : 0);
    if (fails == any || fails == is_announced)
        ck_assert_uint_eq(step->procedure, TEST_NULL);
    else
        ck_assert_uint_eq(step->read_segments, fails == has_segments ? 4 : 1);
}
END_TEST

static bool never(const struct random_conversation *with)
{
    return with == NULL;
}

/* What does not fail again stays as it was. */
START_TEST(what_cannot_be_repeated_stays)
{
    const struct random_conversation before = conversation;
    fails = never;
    random_shrink(&probe, play, &conversation, &failure);
    ck_assert_uint_gt(held, RANDOM_STEPS);
    ck_assert_uint_le(held, MOST);
    ck_assert_mem_eq(&conversation, &before, sizeof before);
}
END_TEST

/* A peer that is gone is not asked again, nor after the time is over. */
START_TEST(it_ends_with_the_peer_and_the_time)
{
    const struct random_conversation before = conversation;
    fails = any;
    if (_i == 0)
        gone_after = 1;
    else
        probe.run.until = clock_milliseconds() - 1;
    random_shrink(&probe, play, &conversation, &failure);
    ck_assert_uint_eq(held, _i == 0 ? 2 : 0);
    ck_assert_int_eq(conversation.announces, _i != 0);
    ck_assert_uint_eq(conversation.count, before.count);
}
END_TEST

/* Private data that are what fails are not tried without. */
START_TEST(private_data_stay_where_they_fail)
{
    fails = any;
    failure.connecting = true;
    random_shrink(&probe, play, &conversation, &failure);
    ck_assert(conversation.announces);
}
END_TEST

START_TEST(ways_to_fail_are_told_from_others)
{
    const struct random_failure one = {.ending = ENDING_WRONG, .change = RANDOM_CUT, .rule = 3};
    struct random_failure others[8];
    for (size_t i = 0; i < COUNT(others); i++)
        others[i] = one;
    others[0].ending = ENDING_SILENT;
    others[1].change = RANDOM_RUNT;
    others[2].connecting = true;
    others[3].by_peer = true;
    others[4].by_other = true;
    others[5].parted[0] = 1;
    others[6].parted[1] = 1;
    others[7].rule = 4; /* which is the Send's, and of no consequence */
    for (size_t i = 0; i < COUNT(others); i++) {
        ck_assert_int_eq(random_is_same(&one, &others[i]), i == 7);
        ck_assert_int_eq(random_is_same(&others[i], &one), i == 7);
        ck_assert(random_is_same(&others[i], &others[i]));
    }
    struct random_failure peers[2] = {one, one};
    peers[0].by_peer = peers[1].by_peer = true;
    ck_assert(random_is_same(&peers[0], &peers[1]));
    peers[1].rule = 4; /* the peer breaks another */
    ck_assert(!random_is_same(&peers[0], &peers[1]));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("shrinking");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_loop_test(tests, steps_that_it_does_not_take_are_left_out, 0, 5);
    tcase_add_loop_test(tests, what_it_takes_is_kept, 0, (int)COUNT(needs));
    tcase_add_test(tests, what_cannot_be_repeated_stays);
    tcase_add_loop_test(tests, it_ends_with_the_peer_and_the_time, 0, 2);
    tcase_add_test(tests, private_data_stay_where_they_fail);
    tcase_add_test(tests, ways_to_fail_are_told_from_others);
    return run_tests("shrinking", tests);
}
