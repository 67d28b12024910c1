// SPDX-License-Identifier: BSD-3-Clause
/* Waiting in user space: a signal wakes, and time runs out. */
#include "rxe-harness/transport/user/wait.h"

#include "conformance/base/clock.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

static void *wake(void *arg)
{
    pthread_mutex_lock(&lock); /* after wait_for() let go of it */
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

/* Within the last piece of its time, and before it. */
START_TEST(a_signal_wakes)
{
    pthread_t thread;
    ck_assert(wait_condition(&changed));
    pthread_mutex_lock(&lock);
    ck_assert_int_eq(thread_start(&thread, wake, NULL), 0);
    int64_t before = clock_microseconds();
    ck_assert(wait_for(&lock, &changed, before + (_i == 0 ? 90000 : 60000000)));
    ck_assert(clock_microseconds() < before + 60000000);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&changed);
}
END_TEST

/* In pieces: each but the last says that time is left. */
START_TEST(time_runs_out)
{
    ck_assert(wait_condition(&changed));
    pthread_mutex_lock(&lock);
    int64_t begin = clock_microseconds();
    unsigned pieces = 0;
    while (wait_for(&lock, &changed, begin + 250000))
        pieces++;
    int64_t took = clock_microseconds() - begin;
    ck_assert(took >= 250000);
    ck_assert_uint_ge(pieces, 2);
    ck_assert(!wait_for(&lock, &changed, begin)); /* long over */
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&changed);
}
END_TEST

/* For poll(): milliseconds, none too few; 0 when it is over, -1 for ever. */
START_TEST(poll_waits_as_long)
{
    int64_t now = clock_microseconds();
    ck_assert_int_eq(wait_poll_time(INT64_MAX), -1);
    ck_assert_int_eq(wait_poll_time(now), 0);
    int left = wait_poll_time(now + 10000000);
    ck_assert_int_gt(left, 5000);
    ck_assert_int_le(left, 10001);
    ck_assert_int_eq(wait_poll_time(now + INT64_C(3000000000) * 1000), INT32_MAX);
    ck_assert(wait_until(1000) >= now + 1000000);
    ck_assert(wait_until(1000) < now + 60000000);
}
END_TEST

START_TEST(a_wake_is_seen_once)
{
    int wakes[2];
    char octet;
    ck_assert(wake_open(wakes));
    ck_assert_int_eq((int)read(wakes[0], &octet, 1), -1); /* at once */
    for (int i = 0; i < 100000; i++) /* more than a pipe takes: nobody blocks */
        wake_up(wakes);
    ck_assert_int_eq((int)read(wakes[0], &octet, 1), 1);
    wake_clear(wakes);
    ck_assert_int_eq((int)read(wakes[0], &octet, 1), -1);
    wake_close(wakes);
    ck_assert_int_eq((int)read(wakes[0], &octet, 1), -1);
    ck_assert_int_eq((int)write(wakes[1], "", 1), -1);
    wake_close((const int[2]){-1, -1});
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("waiting");
    tcase_add_loop_test(tests, a_signal_wakes, 0, 2);
    tcase_add_test(tests, time_runs_out);
    tcase_add_test(tests, poll_waits_as_long);
    tcase_add_test(tests, a_wake_is_seen_once);
    return run_tests("waiting", tests);
}
