// SPDX-License-Identifier: BSD-3-Clause
/*
 * A signal that comes while a testee is asked, at any moment: it is no fault of the testee that
 * its answers are missing, though clocks run ahead from then on. What timeout(1) sends twice at
 * once is one signal; a later one ends the process.
 */
#include "conformance/run/testee/dialogue.h"

#include "conformance/base/alloc.h"
#include "conformance/base/interrupt.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { QUESTIONS = 3000 }; /* more than are asked ahead */

struct asking {
    size_t ask_at, answer_at; /* when the signal comes; QUESTIONS: never */
    size_t said[TESTEE_EARLY + 1];
};

static char *ask(void *arg, size_t index)
{
    const struct asking *asking = arg;
    if (index == asking->ask_at)
        raise(SIGTERM);
    return alloc_text("question");
}

static void answer(void *arg, size_t index, const struct testee_answer *answer)
{
    struct asking *asking = arg;
    asking->said[answer->said]++;
    if (index == asking->answer_at)
        raise(SIGTERM);
}

static const char accepts[] = "while read -r line; do echo accept; done",
                  silent[] = "while read -r line; do :; done";

static const struct {
    const char *command;
    struct asking asking;
} rows[] = {
    {accepts, {.ask_at = 0, .answer_at = QUESTIONS}},
    {accepts, {.ask_at = 1, .answer_at = QUESTIONS}},
    {accepts, {.ask_at = QUESTIONS - 1, .answer_at = QUESTIONS}},
    {accepts, {.ask_at = QUESTIONS, .answer_at = 0}},
    {accepts, {.ask_at = QUESTIONS, .answer_at = 700}},
    {silent, {.ask_at = 0, .answer_at = QUESTIONS}},
};

START_TEST(nobody_is_accused)
{
    struct asking asking = rows[_i].asking;
    struct testee_spent spent = {0};
    const char *cut_short = NULL;
    const struct testee_options options = {.command = rows[_i].command, .timeout = 20000};
    const struct testee_dialogue dialogue = {.count = QUESTIONS,
                                             .ask = ask,
                                             .answer = answer,
                                             .arg = &asking,
                                             .spent = &spent,
                                             .cut_short = &cut_short};
    char error[256];
    interrupt_catch();
    ck_assert(testee_ask(&options, &dialogue, error, sizeof error));
    ck_assert(interrupted());
    ck_assert_ptr_null(cut_short);
    ck_assert_uint_eq(asking.said[TESTEE_ACCEPT] + asking.said[TESTEE_UNSUPPORTED], QUESTIONS);
    ck_assert_uint_gt(asking.said[TESTEE_UNSUPPORTED], 0); /* or else it came too late */
}
END_TEST

START_TEST(twice_at_once_is_once)
{
    interrupt_catch();
    raise(SIGTERM);
    raise(SIGTERM);
    raise(SIGINT);
    ck_assert(interrupted());
}
END_TEST

START_TEST(a_later_one_ends_the_process)
{
    interrupt_catch();
    raise(SIGTERM);
    nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
    raise(SIGTERM);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, nobody_is_accused, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tests, twice_at_once_is_once);
    tcase_add_test_raise_signal(tests, a_later_one_ends_the_process, SIGTERM);
    return run_tests("interrupt", tests);
}
