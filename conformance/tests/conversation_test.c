// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random conversations that keep all rules make no finding above a note, whatever of them is seen.
 * The environment can set CONVERSATIONS (how many; 200000 is a thorough run), CONVERSATION_SEED
 * (the first; each conversation has its own, which a failure names) and CONVERSATION_CALLS.
 */
#include "conformance/tests/support/accusations.h"
#include "conformance/tests/support/conversation.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONVERSATIONS 2500
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define CALLS 50000
#endif
#endif
#if !defined(CALLS) && defined(__SANITIZE_ADDRESS__)
#define CALLS 50000
#elif !defined(CALLS)
#define CALLS 500000
#endif
#define STEPS 400 /* of one conversation */

static max_align_t memory[64 * 1024];
static struct talk talk;

static void add_accusation(struct talk *talked, const char *rule, const char *text)
{
    accuse(rule, text, talked->seed, talked->events);
}

START_TEST(conforming)
{
    uint64_t first = setting("CONVERSATION_SEED", 1), events = 0, notes = 0;
    uint64_t count = setting("CONVERSATIONS", CONVERSATIONS);
    for (uint64_t seed = first; seed < first + count; seed++) {
        talk_start(&talk, seed, memory, sizeof memory);
        talk.differs = add_accusation;
        for (unsigned i = 0; i < STEPS; i++)
            talk_step(&talk);
        events += talk.events;
        notes += talk.notes;
    }
    printf("%llu conversations from seed %llu on, %llu events, %llu notes\n",
           (unsigned long long)count, (unsigned long long)first, (unsigned long long)events,
           (unsigned long long)notes);
    ck_assert(is_not_accused());
    ck_assert_uint_gt(notes, 0);
}
END_TEST

/* What a capture cuts off or loses proves nothing against anybody. */
START_TEST(incomplete)
{
    static const size_t snaps[] = {0, 8, 15, 16, 20, 28, 35, 36, 40, 60, 64, 96, 128};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        talk_start(&talk, seed, memory, sizeof memory);
        talk.differs = add_accusation;
        talk.other_forms = false; /* one of the two can be all that is seen */
        if (seed % 2)
            talk.snap = snaps[seed / 2 % 13];
        for (unsigned i = 0; i < 1000; i++) {
            talk_step(&talk);
            if (seed % 2 == 0 && chance(&talk.dice, 1)) {
                talk.out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_GAP};
                talk_judge(&talk);
            }
        }
    }
    ck_assert(is_not_accused());
}
END_TEST

/* Half a million Calls through one checker, and not an octet of memory more. */
START_TEST(constant_memory)
{
    for (uint64_t seed = 1, mid_stream = 1; mid_stream; seed++) { /* one that sees all */
        talk_start(&talk, seed, memory, sizeof memory);
        mid_stream = talk.config.mid_stream;
    }
    uint32_t first = talk.next_xid[0];
    struct mallinfo2 before = mallinfo2();
    talk.differs = add_accusation;
    while (talk.next_xid[0] - first < setting("CONVERSATION_CALLS", CALLS))
        talk_step(&talk);
    struct mallinfo2 after = mallinfo2();
    ck_assert_uint_eq(before.uordblks, after.uordblks);
    ck_assert_uint_eq(before.hblkhd, after.hblkhd);
    ck_assert(is_not_accused());
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("conversations");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, conforming);
    tcase_add_test(tests, incomplete);
    tcase_add_test(tests, constant_memory);
    return run_tests("conversations", tests);
}
