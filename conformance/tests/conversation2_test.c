// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random conversations of version 2 that keep all rules of their draft make no finding above a
 * note, whatever of them is seen. The environment can set CONVERSATION2_EVENTS (how many; 1000000
 * is a thorough run) and CONVERSATION2_SEED (the first; each conversation has its own, which a
 * failure names).
 */
#include "conformance/tests/support/accusations.h"
#include "conformance/tests/support/version2/conversation.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS 60000
#define STEPS 600 /* of one conversation */

static max_align_t memory[128 * 1024];
static struct talk2 talk;

static void add_accusation(struct talk2 *talked, const char *rule, const char *text)
{
    accuse(rule, text, talked->seed, talked->events);
}

static void start(uint64_t seed)
{
    talk2_start(&talk, seed, memory, sizeof memory);
    talk.accuse = add_accusation;
}

static void run(void)
{
    for (unsigned i = 0; i < STEPS && talk2_step(&talk); i++)
        ;
}

/* What the conversations consisted of. */
static struct sum {
    uint64_t conversations, events, notes, crossing, invalidations, operations;
    uint64_t of_draft[RPCRDMA_PROTOCOL_2_07 + 1], types[RPCRDMA_PROTOCOL_2_07 + 1][TALK2_TYPES];
} sum;

static void add(void)
{
    sum.conversations++;
    sum.events += talk.events;
    sum.notes += talk.notes;
    sum.crossing += talk.crossing ? talk.events : 0;
    sum.invalidations += talk.invalidations;
    sum.operations += talk.operations;
    sum.of_draft[talk.protocol] += talk.events;
    for (unsigned i = 0; i < TALK2_TYPES; i++)
        sum.types[talk.protocol][i] += talk.types[i];
}

static void print_sum(void)
{
    printf(
        "%llu conversations, %llu events (%llu of -04, %llu of -07, %llu with Sends that cross), "
        "%llu notes\n",
        (unsigned long long)sum.conversations, (unsigned long long)sum.events,
        (unsigned long long)sum.of_draft[RPCRDMA_PROTOCOL_2_04],
        (unsigned long long)sum.of_draft[RPCRDMA_PROTOCOL_2_07], (unsigned long long)sum.crossing,
        (unsigned long long)sum.notes);
}

/* A test of nothing passes, too: each type of both drafts was there, and whatever has rules. */
static void assert_all_seen(void)
{
    static const uint16_t types[] = {
        [RPCRDMA_PROTOCOL_2_04] = 0x03f3, [RPCRDMA_PROTOCOL_2_07] = 0x3ff0};
    for (unsigned draft = RPCRDMA_PROTOCOL_2_04; draft <= RPCRDMA_PROTOCOL_2_07; draft++)
        for (unsigned i = 0; i < TALK2_TYPES; i++)
            if (types[draft] >> i & 1)
                ck_assert_msg(sum.types[draft][i] > sum.events / 4000, "%llu of type %u",
                              (unsigned long long)sum.types[draft][i], i);
    ck_assert_uint_gt(sum.notes, 0);
    ck_assert_uint_gt(sum.invalidations, sum.events / 1000);
    ck_assert_uint_gt(sum.operations, sum.events / 10);
    ck_assert_uint_gt(sum.of_draft[RPCRDMA_PROTOCOL_2_04], sum.events / 10);
    ck_assert_uint_gt(sum.of_draft[RPCRDMA_PROTOCOL_2_07], sum.events / 3);
    ck_assert_uint_gt(sum.crossing, sum.events / 4);
}

START_TEST(conforming)
{
    uint64_t wanted = setting("CONVERSATION2_EVENTS", EVENTS);
    for (uint64_t seed = setting("CONVERSATION2_SEED", 1); sum.events < wanted; seed++) {
        start(seed);
        run();
        add();
    }
    print_sum();
    ck_assert(is_not_accused());
    assert_all_seen();
}
END_TEST

/* What a capture cuts off or loses proves nothing against anybody. */
START_TEST(incomplete)
{
    static const size_t snaps[] = {0, 8, 15, 16, 20, 24, 28, 35, 36, 40, 48, 60, 64, 96, 128};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        start(seed);
        if (seed % 2)
            talk.snap = snaps[seed / 2 % COUNT(snaps)];
        for (unsigned i = 0; i < STEPS && talk2_step(&talk); i++)
            if (seed % 2 == 0 && chance(&talk.dice, 1))
                talk2_judge(&talk, &(struct rpcrdma_event){.type = RPCRDMA_EVENT_GAP});
    }
    ck_assert(is_not_accused());
}
END_TEST

/* ---- octets that were never sent ---- */

static uint64_t violations;

static void assert_sound(struct talk2 *judged, const struct rpcrdma_event *event,
                         const struct rpcrdma_judgement *judgement)
{
    (void)judged;
    ck_assert_uint_le(judgement->count, RPCRDMA_FINDINGS);
    ck_assert(judgement->header_length <= (int64_t)event->length);
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        uint64_t end = event->length + event->missing;
        char field[128];
        ck_assert(finding->offset == RPCRDMA_NO_OFFSET ||
                  (finding->offset >= 0 && (uint64_t)finding->offset <= end));
        rpcrdma_finding_field(finding, event, field, sizeof field);
        violations += finding->severity == RPCRDMA_VIOLATION;
    }
}

static void ignore(struct talk2 *accused, const char *rule, const char *text)
{
    (void)accused, (void)rule;
    ck_assert_uint_gt(strlen(text), 10);
}

/* Whatever comes, each finding has its place in it. */
START_TEST(hostile)
{
    for (uint64_t seed = 1; seed <= 400; seed++) {
        start(seed);
        talk.accuse = ignore;
        talk.judged = assert_sound;
        talk.noise = true;
        run();
    }
    ck_assert_uint_gt(violations, 1000);
}
END_TEST

/* A checker that has seen much needs not an octet more. */
START_TEST(constant_memory)
{
    start(1); /* what the test itself needs once */
    run();
    struct mallinfo2 before = mallinfo2();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        start(seed);
        run();
    }
    struct mallinfo2 after = mallinfo2();
    ck_assert_uint_eq(before.uordblks, after.uordblks);
    ck_assert_uint_eq(before.hblkhd, after.hblkhd);
    ck_assert(is_not_accused());
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("conversations of version 2");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, conforming);
    tcase_add_test(tests, incomplete);
    tcase_add_test(tests, hostile);
    tcase_add_test(tests, constant_memory);
    return run_tests("conversations of version 2", tests);
}
