// SPDX-License-Identifier: BSD-3-Clause
/*
 * Each way to break one rule of a draft in one Send of a random conversation is named by that rule.
 * The environment can set BREAKS, how many of each kind.
 */
#include "conformance/base/count.h"
#include "conformance/tests/support/accusations.h"
#include "conformance/tests/support/version2/breaks.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BREAKS 40
#define MOST_SEEDS 200 /* to find a place for one break */
#define STEPS 300

static max_align_t memory[128 * 1024];
static struct talk2 talk;

static const struct talk2_break *kind;
static enum rpcrdma_protocol draft;
static bool broken, named;
static uint64_t wait; /* events before the break */

static bool spoil(struct talk2 *talked, struct talk2_flight *flight)
{
    if (broken || talked->events < wait || !talked->side[0].heard || !talked->side[1].heard)
        return false;
    return broken = talk2_break(kind, talked, flight);
}

static void ignore(struct talk2 *accused, const char *rule, const char *text)
{
    (void)accused, (void)rule, (void)text;
}

static void look(struct talk2 *judged, const struct rpcrdma_event *event,
                 const struct rpcrdma_judgement *judgement)
{
    (void)event;
    for (unsigned i = 0; broken && i < judgement->count; i++) {
        const char *id = rpcrdma_requirements[judgement->findings[i].rule].id;
        named = named || strcmp(id, talk2_broken_rule(kind, judged)) == 0;
    }
}

/* One in which all that was sent is seen, and each Send before the next. */
static void break_once(uint64_t seed)
{
    talk2_start(&talk, seed, memory, sizeof memory);
    broken = named = false;
    if (talk.protocol != draft || talk.falls_back || talk.unseen > 0 || talk.crossing ||
        talk.config.draft == RPCRDMA_PROTOCOL_AUTO || talk.config.credits == RPCRDMA_CREDITS_OFF)
        return;
    talk.accuse = ignore;
    talk.spoil = spoil;
    talk.judged = look;
    wait = pick(&talk.dice, 60);
    for (unsigned i = 0; i < STEPS && !broken && talk2_step(&talk); i++)
        ;
}

static struct {
    const struct talk2_break *kind;
    enum rpcrdma_protocol draft;
} all[400];
static int kinds;

static void add(const struct talk2_break *table)
{
    static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_07, RPCRDMA_PROTOCOL_2_04};
    for (; table->name; table++)
        for (unsigned i = 0; i < COUNT(drafts); i++) {
            if (table->rule[i] == NULL)
                continue;
            if ((unsigned)kinds == COUNT(all))
                abort();
            all[kinds].kind = table;
            all[kinds++].draft = drafts[i];
        }
}

START_TEST(breaks)
{
    uint64_t wanted = setting("BREAKS", BREAKS), made = 0, good = 0, first = 0;
    kind = all[_i].kind;
    draft = all[_i].draft;
    for (uint64_t seed = 1; made < wanted && seed <= wanted * MOST_SEEDS; seed++) {
        break_once(seed);
        made += broken;
        good += broken && named;
        if (broken && !named && first == 0)
            first = seed;
    }
    printf("%-34s %6llu broken %6llu named  %s\n", kind->name, (unsigned long long)made,
           (unsigned long long)good, kind->rule[draft != RPCRDMA_PROTOCOL_2_07]);
    fflush(stdout);
    ck_assert_msg(made >= wanted / 2, "%s: only %llu were made", kind->name,
                  (unsigned long long)made);
    ck_assert_msg(good == made, "%s: not named in seed %llu", kind->name,
                  (unsigned long long)first);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("breaks of version 2");
    tcase_set_timeout(tests, 0);
    add(talk2_breaks);
    add(talk2_list_breaks);
    add(talk2_message_breaks);
    tcase_add_loop_test(tests, breaks, 0, kinds);
    return run_tests("breaks of version 2", tests);
}
