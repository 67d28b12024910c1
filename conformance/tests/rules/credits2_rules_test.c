// SPDX-License-Identifier: BSD-3-Clause
/* The rules on credits of draft -07: events of which the last breaks them, or nearly does. */
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#define CALL(xid) "> " #xid " 2 20 10 0 none call"
#define REPLY(xid, total) "< " #xid " 2 " #total " 13 0 reply"
#define GRANT(side, total) side " 0 2 " #total " 5"
#define DRAFT_07                                                                                   \
    {                                                                                              \
        .draft = RPCRDMA_PROTOCOL_2_07                                                             \
    }
#define ID "rpcrdma2-07/"

static const struct play_row rows[] = {
    /* ---- what a Send uses up ---- */
    {"V " ID "4.2.1/sends-within-limit -> process,close",
     {CALL(1), REPLY(1, 2), CALL(2), "?" CALL(3), CALL(4),
      "= 3 Sends were posted before; the limit is 2"},
     {CALL(1), REPLY(1, 2), CALL(2), GRANT("<", 4), CALL(3), CALL(4)},
     NULL,
     DRAFT_07},
    {"V " ID "4.2.1/sends-within-limit -> process,close",
     {CALL(1), "?" CALL(2), CALL(3), "= 2 Sends were posted before; the limit is 1"},
     {CALL(1), REPLY(1, 3), CALL(2), CALL(3)},
     NULL,
     DRAFT_07},
    /* Errors, properties and grants that are seen use it up as well. */
    {"V " ID "4.2.1/sends-within-limit -> process,close",
     {CALL(1), REPLY(1, 2), "> 8 2 20 7 0", "?" CALL(2), CALL(3)},
     {CALL(1), REPLY(1, 4), "> 8 2 20 7 0", CALL(2), CALL(3)},
     NULL,
     DRAFT_07},
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 2), CALL(2), CALL(3),
      "= 2 Sends were posted before, as many as the limit allows"},
     {CALL(1), REPLY(1, 3), CALL(2), CALL(3)},
     NULL,
     DRAFT_07},
    /* A grant of nothing. */
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 1), CALL(2), "= 1 Sends were posted before, as many as the limit allows"},
     {CALL(1), REPLY(1, 1), GRANT("<", 2), CALL(2)},
     NULL,
     DRAFT_07},
    /* A Reply needs credit, too. */
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {"> 1 2 1 10 0 none call", REPLY(1, 20), "> 2 2 1 10 0 none call", REPLY(2, 20)},
     {"> 1 2 1 10 0 none call", REPLY(1, 20), "> 2 2 2 10 0 none call", REPLY(2, 20)},
     NULL,
     DRAFT_07},
    /* What may be dropped lowers no limit; seen from between the sides, nothing does. */
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 9), CALL(2), REPLY(2, 2), CALL(3)},
     {CALL(1), REPLY(1, 9), CALL(2), "?< 2 2 2 13 0 9 1 0 0 0 0", CALL(3)},
     NULL,
     DRAFT_07},
    /* What is malformed, or dropped with a message in pieces, may have raised it. */
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 2), CALL(2), "?< 2 2 2 13 2", CALL(3)},
     {CALL(1), REPLY(1, 2), CALL(2), "?< 2 2 3 13 2", CALL(3)},
     NULL,
     DRAFT_07},
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 3), CALL(2), "< 2 2 3 12 8 2 1 0 0 0 0", "?< 3 2 3 13 0 reply", CALL(3),
      CALL(4)},
     {CALL(1), REPLY(1, 3), CALL(2), "< 2 2 3 12 8 2 1 0 0 0 0", "?< 3 2 4 13 0 reply", CALL(3),
      CALL(4)},
     NULL,
     DRAFT_07},
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 9), CALL(2), REPLY(2, 2), CALL(3)},
     {CALL(1)},
     NULL,
     DRAFT_07},
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 3), CALL(2), REPLY(2, 2), CALL(3), CALL(4)},
     {CALL(1), REPLY(1, 3), CALL(2), REPLY(2, 2), CALL(3)},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .seen_between = true}},
    /* Counters wrap. */
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), CALL(2), CALL(3)},
     {CALL(1), CALL(2)},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07,
      .mid_stream = true,
      .counts_known = true,
      .sent = {0xffffffff, 9},
      .limit = {1, 20}}},
    {"W " ID "4.3/one-send-at-first -> process,close",
     {CALL(1), CALL(2)},
     {CALL(1), REPLY(1, 20), CALL(2)},
     NULL,
     DRAFT_07},
    {"W " ID "4.3/one-send-at-first -> process,close",
     {CALL(1), CALL(2)},
     {CALL(1), GRANT(">", 20)},
     NULL,
     DRAFT_07},
    {"W " ID "4.2.1.1/one-grant-beyond -> process,close",
     {CALL(1), REPLY(1, 1), GRANT(">", 20), GRANT(">", 20),
      "= grant 2 in a row beyond the limit, which is 1 Sends"},
     {CALL(1), REPLY(1, 1), GRANT(">", 20)},
     NULL,
     DRAFT_07},
    {"W " ID "4.2.1.1/one-grant-beyond -> process,close",
     {CALL(1), REPLY(1, 1), GRANT(">", 20), GRANT(">", 20)},
     {CALL(1), REPLY(1, 1), GRANT(">", 20), GRANT("<", 3), GRANT(">", 20)},
     NULL,
     DRAFT_07},
    /* One that is further beyond than those before it make it is a Send as any. */
    {"V " ID "4.2.1/sends-within-limit -> process,close",
     {CALL(1), REPLY(1, 1), "?" CALL(2), "?" CALL(3), GRANT(">", 20)},
     {CALL(1), REPLY(1, 3), CALL(2), CALL(3), GRANT(">", 20)},
     NULL,
     DRAFT_07},
    /* But where the limit has fallen that far, one is free. */
    {"W " ID "4.2.1.1/one-grant-beyond -> process,close",
     {CALL(1), REPLY(1, 5), CALL(2), CALL(3), CALL(4), "?" REPLY(2, 1), GRANT(">", 20),
      GRANT(">", 20)},
     {CALL(1), REPLY(1, 5), CALL(2), CALL(3), CALL(4), "?" REPLY(2, 1), GRANT(">", 20)},
     NULL,
     DRAFT_07},
    /* A grant that follows a Send at the limit is still one beyond it. */
    {"W " ID "4.2.1.1/one-grant-beyond -> process,close",
     {CALL(1), REPLY(1, 1), "?" CALL(2), GRANT(">", 20), GRANT(">", 20)},
     {CALL(1), REPLY(1, 1), "?" CALL(2), GRANT(">", 20)},
     NULL,
     DRAFT_07},
    /* After a grant beyond the limit another Send is as one at it. */
    {"W " ID "4.2.1/send-at-limit -> process,close",
     {CALL(1), REPLY(1, 1), GRANT(">", 20), CALL(2)},
     {CALL(1), REPLY(1, 1), GRANT(">", 20), GRANT("<", 3), CALL(2)},
     NULL,
     DRAFT_07},

    /* ---- what its credit word says ---- */
    {"V " ID "4.2.1/total-above-count @8 -> process",
     {CALL(1), REPLY(1, 20), CALL(2), REPLY(2, 20), CALL(3), REPLY(3, 0x80000003),
      "= the total is 2147483651; 2 Sends went before and 3 came"},
     {CALL(1), REPLY(1, 20), CALL(2), REPLY(2, 20), CALL(3), REPLY(3, 0x80000001)},
     "N " ID "4.2.1/total-of-halves @8 -> process",
     DRAFT_07},
    {"V " ID "4.2.1/total-above-count @8; N " ID "4.2.1/total-falls @8 -> process",
     {CALL(1), REPLY(1, 20), CALL(2), REPLY(2, 20), CALL(3), REPLY(3, 1),
      "= the total falls from 20 to 1; the other side has sent 3"},
     {CALL(1), REPLY(1, 20), CALL(2), REPLY(2, 20), CALL(3), REPLY(3, 3)},
     NULL,
     DRAFT_07},
    /* Sends of its own, or Receives: either makes a total. */
    {"V " ID "4.2.1/total-above-count @8; N " ID "4.2.1/total-falls @8 -> process",
     {CALL(1), REPLY(1, 20), CALL(2), CALL(3), CALL(4), REPLY(2, 0),
      "= the total falls from 20 to 0; the other side has sent 4"},
     {CALL(1), REPLY(1, 20), CALL(2), CALL(3), CALL(4), REPLY(2, 1)},
     "N " ID "4.2.1/total-falls @8 -> process",
     DRAFT_07},
    /* What is still on its way is unknown. */
    {"N " ID "4.2.1/total-falls @8 -> process",
     {CALL(1), REPLY(1, 20), GRANT("<", 20), GRANT("<", 20), CALL(2), CALL(3), CALL(4),
      REPLY(2, 3)},
     {CALL(1), REPLY(1, 20), GRANT("<", 20), GRANT("<", 20), CALL(2), CALL(3), CALL(4),
      REPLY(2, 4)},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .seen_between = true}},
    {"N " ID "4.2.1/total-of-halves @8 -> process",
     {CALL(1), REPLY(1, 0x00200020), "= the total 2097184 is 2097183 above all counts"},
     {CALL(1), REPLY(1, 65536)},
     NULL,
     DRAFT_07},
    {"N " ID "4.2.1/total-of-halves @8 -> process",
     {CALL(1), REPLY(1, 0x00200020)},
     {CALL(1), "?" REPLY(1, 0x00200020), CALL(2), REPLY(2, 0x00200020)},
     NULL,
     DRAFT_07},
    {"N " ID "4.2.1/total-falls @8 -> process",
     {CALL(1), REPLY(1, 20), CALL(2), REPLY(2, 20), CALL(3), REPLY(3, 2)},
     {CALL(1), REPLY(1, 20), CALL(2), REPLY(2, 20), CALL(3), REPLY(3, 3)},
     NULL,
     DRAFT_07},
};

/* What other drafts mean by the word is not judged. */
static const struct play_row unjudged[] = {
    {"-> process",
     {CALL(1), REPLY(1, 0x00200002), CALL(2), REPLY(2, 0), CALL(3), CALL(4), CALL(5)},
     {CALL(1)},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .credits = RPCRDMA_CREDITS_HALVES}},
    {"-> process",
     {CALL(1), REPLY(1, 2), CALL(2), CALL(3), CALL(4), CALL(5)},
     {CALL(1)},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .credits = RPCRDMA_CREDITS_OFF}},
    /* Nor is anything after a gap. */
    {"-> process",
     {CALL(1), REPLY(1, 2), "> gap", CALL(2), CALL(3), CALL(4)},
     {CALL(1)},
     NULL,
     DRAFT_07},
    {"-> process",
     {CALL(1), CALL(2), CALL(3), REPLY(1, 0)},
     {CALL(1)},
     "-> process",
     {.draft = RPCRDMA_PROTOCOL_2_07, .mid_stream = true}},
};

START_TEST(rules)
{
    play_row(&rows[_i]);
}
END_TEST

START_TEST(no_rules)
{
    play_row(&unjudged[_i]);
}
END_TEST

PLAY_ROWS(rows)
PLAY_ROWS(unjudged)

int main(void)
{
    TCase *tests = tcase_create("rules on credits of version 2");
    tcase_add_loop_test(tests, rules, 0, COUNT(rows));
    tcase_add_loop_test(tests, no_rules, 0, COUNT(unjudged));
    return run_tests("rules on credits of version 2", tests);
}
