// SPDX-License-Identifier: BSD-3-Clause
// once
/*
 * Each way to break one rule of a random conversation is named by that rule, and nothing else is
 * said of it. The environment can set BREAKS, how many of each kind.
 */
#include "conformance/tests/support/breaks/breaks.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BREAKS 250
#define MOST_SEEDS 60 /* to find a place for one break */

static max_align_t memory[64 * 1024];
static struct talk talk;
static const struct talk_break *kind;
static unsigned others; /* that were said something else of */

static void ignore(struct talk *differing, const char *rule, const char *text)
{
    if (differing->expected && strcmp(rule, "none") != 0 && others++ == 0)
        printf("    seed %llu, event %llu: %s: %s\n", (unsigned long long)differing->seed,
               (unsigned long long)differing->events, rule, text);
}

static void break_once(uint64_t seed)
{
    talk_start(&talk, seed, memory, sizeof memory);
    talk.differs = ignore;
    unsigned quiet = talk.unseen + pick(&talk.dice, 100);
    for (unsigned i = 0; i < 500 && !talk.broken; i++) {
        if (i == quiet) {
            talk.before = kind->before;
            talk.after = kind->after;
            talk.expected = kind->rule;
        }
        talk_step(&talk);
    }
}

static void break_many(void)
{
    const char *text = getenv("BREAKS");
    unsigned wanted = text ? (unsigned)strtoul(text, NULL, 0) : BREAKS, made = 0, named = 0;
    others = 0;
    for (uint64_t seed = 1; made < wanted && seed <= (uint64_t)wanted * MOST_SEEDS; seed++) {
        break_once(seed);
        made += talk.broken;
        named += talk.broken && talk.noticed;
    }
    printf("%-34s %6u broken %6u named %4u otherwise  %s%s%s\n", kind->name, made, named, others,
           kind->rule, kind->why ? ": " : "", kind->why ? kind->why : "");
    fflush(stdout);
    ck_assert_msg(made >= wanted / 2, "%s: only %u were made", kind->name, made);
    ck_assert_msg((kind->least == 0) == (kind->why == NULL), "%s: not all, and no reason, or none",
                  kind->name);
    ck_assert_msg(100 * named >= made * (kind->least ? kind->least : 100), "%s: %u of %u are named",
                  kind->name, named, made);
}

START_TEST(in_headers)
{
    kind = &talk_breaks[_i];
    break_many();
}
END_TEST

START_TEST(in_words)
{
    kind = &talk_word_breaks[_i];
    break_many();
}
END_TEST

START_TEST(in_content)
{
    kind = &talk_content_breaks[_i];
    break_many();
}
END_TEST

START_TEST(in_answers)
{
    kind = &talk_answer_breaks[_i];
    break_many();
}
END_TEST

static int count(const struct talk_break *all)
{
    int n = 0;
    while (all[n].name)
        n++;
    return n;
}

int main(void)
{
    TCase *tests = tcase_create("breaks");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, in_headers, 0, count(talk_breaks));
    tcase_add_loop_test(tests, in_words, 0, count(talk_word_breaks));
    tcase_add_loop_test(tests, in_content, 0, count(talk_content_breaks));
    tcase_add_loop_test(tests, in_answers, 0, count(talk_answer_breaks));
    return run_tests("breaks", tests);
}
