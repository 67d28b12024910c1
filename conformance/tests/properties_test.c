// SPDX-License-Identifier: BSD-3-Clause
// once
/*
 * What holds of the checker whatever it sees: of random conversations that keep all rules and of
 * those that break one, of noise, of all vectors, and of the rows of other tests.
 *
 *   order   Seen from between the two sides, Sends that keep all rules are accused of none in any
 *           order in which they can have come by; and what one Send breaks by itself, it breaks in
 *           all of them (version 1).
 *   cut     Who sees a conversation from its middle on accuses nobody whom the whole does not.
 *   gap     Nor does who has missed something of it.
 *   twice   The same events are judged the same, whatever was in the memory before, and whatever
 *           other connection is judged in between.
 *
 * An accusation is a finding above a note; not one by a draft that is only guessed. Of a side that
 * has broken a rule, and of messages with the XID of a broken one, a part of the conversation may
 * show another breach than the whole.
 *
 * Where one does not hold, the events that show it are printed: others are dropped for as long as
 * it still fails. The environment can set PROPERTIES, how many conversations of each kind (10000
 * is a thorough run), and PROPERTIES_SEED, the first.
 */
#include "conformance/tests/support/properties.h"

#include "conformance/tests/support/accusations.h"
#include "conformance/tests/support/breaks/breaks.h"
#include "conformance/tests/support/neighbours/stories.h"
#include "conformance/tests/support/version2/breaks.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define CONVERSATIONS 16
#endif
#endif
#ifndef CONVERSATIONS
#define CONVERSATIONS 48 /* of each kind */
#endif
#define STEPS 120 /* of one of them */

static max_align_t memory[128 * 1024];
static struct series series;
static uint64_t checked, events, failing;

static void check_series(void)
{
    checked++;
    events += series.count;
    failing += !properties_hold(&series);
}

static void start(enum series_kind kind, uint64_t seed, const struct rpcrdma_check_config *config)
{
    char name[64];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    series_begin(&series, kind, name, config);
}

static void each_seed(void (*run)(uint64_t seed))
{
    uint64_t first = setting("PROPERTIES_SEED", 1), count = setting("PROPERTIES", CONVERSATIONS);
    checked = events = failing = 0;
    for (uint64_t seed = first; seed < first + count; seed++)
        run(seed);
    printf("%llu conversations, %llu events\n", (unsigned long long)checked,
           (unsigned long long)events);
    ck_assert_uint_ge(checked, count / 4);
    ck_assert_uint_eq(failing, 0);
}

/* ---- version 1 ---- */

static struct talk talk;

static void take1(struct talk *talked, const struct rpcrdma_event *event)
{
    series_add(&series, event, talked->posted, talked->knows);
}

static void ignore1(struct talk *talked, const char *rule, const char *text)
{
    (void)talked, (void)rule, (void)text;
}

static void start1(enum series_kind kind, uint64_t seed)
{
    talk_start(&talk, seed, memory, sizeof memory);
    start(kind, seed, &talk.config);
    talk.judged = take1;
    talk.other_forms = false; /* one of the two can be all that is seen */
    talk.differs = ignore1;
}

static void conforming1(uint64_t seed)
{
    start1(SERIES_CONFORMS, seed);
    for (unsigned i = 0; i < STEPS + 200 && series.count < STEPS; i++)
        talk_step(&talk);
    check_series();
}

static void broken1(const struct talk_break *kind, uint64_t seed)
{
    start1(SERIES_BREAKS, seed);
    unsigned quiet = talk.unseen + pick(&talk.dice, 60), after = 20;
    for (unsigned i = 0; i < STEPS + 200 && after > 0; i++) {
        if (i == quiet) {
            talk.before = kind->before;
            talk.after = kind->after;
            talk.expected = kind->rule;
        }
        if (talk.broken) {
            talk.before = talk.after = NULL;
            talk.expected = NULL;
            after--;
        }
        talk_step(&talk);
    }
    if (talk.broken)
        check_series();
}

static void each_break1(uint64_t seed)
{
    static const struct talk_break *const tables[] = {talk_breaks, talk_word_breaks,
                                                      talk_content_breaks, talk_answer_breaks};
    for (unsigned t = 0; t < COUNT(tables); t++)
        for (const struct talk_break *kind = tables[t]; kind->name; kind++)
            if (seed % 8 == (uint64_t)(kind - tables[t]) % 8)
                broken1(kind, seed);
}

/* ---- version 2 ---- */

static struct talk2 talk2;
static const struct talk2_break *kind2;
static bool broken2;

static void take2(struct talk2 *talked, const struct rpcrdma_event *event,
                  const struct rpcrdma_judgement *judgement)
{
    (void)judgement;
    if (series.count < SERIES_EVENTS)
        series_add(&series, event, talked->seen->posted, talked->seen->knows);
}

static void ignore2(struct talk2 *accused, const char *rule, const char *text)
{
    (void)accused, (void)rule, (void)text;
}

static void start2(enum series_kind kind, uint64_t seed)
{
    talk2_start(&talk2, seed, memory, sizeof memory);
    start(kind, seed, &talk2.config);
    talk2.accuse = ignore2;
    talk2.judged = take2;
}

static void run2(void)
{
    for (unsigned i = 0; i < 3 * STEPS && series.count < STEPS && talk2_step(&talk2); i++)
        ;
    check_series();
}

static void conforming2(uint64_t seed)
{
    start2(SERIES_CONFORMS, seed);
    run2();
}

static void noise2(uint64_t seed)
{
    start2(SERIES_NOISE, seed);
    talk2.noise = true;
    run2();
}

static bool spoil2(struct talk2 *talked, struct talk2_flight *flight)
{
    if (broken2 || talked->events < talked->seed % 50)
        return false;
    return broken2 = talk2_break(kind2, talked, flight);
}

static void each_break2(uint64_t seed)
{
    for (kind2 = talk2_breaks; kind2->name; kind2++) {
        if (seed % 8 != (uint64_t)(kind2 - talk2_breaks) % 8)
            continue;
        start2(SERIES_NOISE, seed);
        if (talk2_broken_rule(kind2, &talk2) == NULL)
            continue;
        broken2 = false;
        talk2.spoil = spoil2;
        run2();
    }
}

/* ---- runs ---- */

START_TEST(of_conversations)
{
    static void (*const runs[])(uint64_t) = {conforming1, each_break1, conforming2, each_break2,
                                             noise2};
    each_seed(runs[_i]);
}
END_TEST

static void take_story(struct story *story, const char *last)
{
    (void)last;
    series_begin(&series, SERIES_NOISE, story->id, &story->config);
    for (unsigned i = 0; i < story->count; i++)
        series_add(&series, &story->events[i], 0, 0);
    check_series();
}

START_TEST(of_vectors)
{
    checked = events = failing = 0;
    stories_of_vectors(take_story);
    stories_of_rows(take_story);
    printf("%llu vectors and rows, %llu events\n", (unsigned long long)checked,
           (unsigned long long)events);
    ck_assert_uint_gt(checked, 2500);
    ck_assert_uint_eq(failing, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("properties");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, of_conversations, 0, 5);
    tcase_add_test(tests, of_vectors);
    return run_tests("properties", tests);
}
