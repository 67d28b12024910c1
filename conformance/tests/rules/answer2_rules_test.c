// SPDX-License-Identifier: BSD-3-Clause
/* The rules of version 2 on errors, beside the message that they answer, and on invalidation. */
#include "conformance/tests/support/play.h"

#define ID "rpcrdma2-07/"
#define ID_04 "rpcrdma2-04/"
#define DRAFT_07                                                                                   \
    {                                                                                              \
        .draft = RPCRDMA_DRAFT_07                                                                  \
    }
#define DRAFT_04                                                                                   \
    {                                                                                              \
        .draft = RPCRDMA_DRAFT_04                                                                  \
    }

/* What settles the version, and gives both sides credit. */
#define OPEN "> 1 2 40 10 0 none call", "< 1 2 40 13 0 reply"
#define OPEN_04 "> 1 2 40 0 0 0 none call", "< 1 2 40 0 1 0 none reply"
#define CALL(xid) "> " #xid " 2 40 10 0 none call"
#define REPLY(xid) "< " #xid " 2 40 13 0 reply"
#define CALL_04(xid) "> " #xid " 2 40 0 0 0 none call"
#define REPLY_04(xid) "< " #xid " 2 40 0 1 0 none reply"

static const struct play_row rows[] = {
    /* ---- codes ---- */
    {"N " ID "7/error-code-defined @16 -> discard",
     {OPEN, CALL(7), "< 7 2 40 4 77"},
     {OPEN, CALL(7), "< 7 2 40 4 100"},
     "-> terminate",
     DRAFT_07},
    {"V " ID_04 "6.2/error-code-defined @16 -> discard",
     {OPEN_04, CALL_04(7), "< 7 2 40 4 11"},
     {OPEN_04, CALL_04(7), "< 7 2 40 4 10"},
     "-> terminate",
     DRAFT_04},
    {"W " ID "6.1/ends-with-header @20 -> discard,terminate",
     {OPEN, CALL(7), "< 7 2 40 4 2 0"},
     {OPEN, CALL(7), "< 7 2 40 4 2"},
     "-> terminate",
     DRAFT_07},
    {"V " ID_04 "6.2.1/error-without-payload @20 -> discard,terminate",
     {OPEN_04, CALL_04(7), "< 7 2 40 4 2 0"},
     {OPEN_04, CALL_04(7), "< 7 2 40 4 2"},
     "-> terminate",
     DRAFT_04},

    /* ---- versions ---- */
    {"V " ID "7.1.1/version-range-ordered @20 -> terminate",
     {CALL(7), "< 7 2 40 4 1 3 1"},
     {CALL(7), "< 7 2 40 4 1 1 1"},
     "-> terminate",
     DRAFT_07},
    {"V " ID_04 "6.2.4/version-range-ordered @20 -> terminate",
     {CALL_04(7), "< 7 2 40 4 1 3 1"},
     {CALL_04(7), "< 7 2 40 4 1 1 1"},
     "-> terminate",
     DRAFT_04},
    {"V " ID "7.1.1/version-range-excludes-failed @20 -> terminate",
     {CALL(7), "< 7 2 40 4 1 1 2"},
     {CALL(7), "< 7 2 40 4 1 1 1"},
     "-> terminate",
     DRAFT_07},
    /* That a version between two is not known cannot be said. */
    {"W " ID "7.1.1/version-range-excludes-failed @20 -> terminate",
     {CALL(7), "< 7 2 40 4 1 1 3"},
     {CALL(7), "< 7 2 40 4 1 3 4"},
     "-> terminate",
     DRAFT_07},
    {"V " ID_04 "6.2.4/version-range-excludes-failed @20 -> terminate",
     {CALL_04(7), "< 7 2 40 4 1 2 2"},
     {CALL_04(7), "< 7 2 40 4 1 1 1"},
     "-> terminate",
     DRAFT_04},
    {"V " ID "7/error-version @4 -> discard,terminate",
     {OPEN, "?> 7 3 40 10 0 none call", "< 7 2 40 4 1 2 2"},
     {OPEN, "?> 7 3 40 10 0 none call", "< 7 3 40 4 1 2 2"},
     "-> terminate",
     DRAFT_07},
    {"V " ID_04 "6.2.4/error-version @4 -> discard,terminate",
     {OPEN_04, "?> 7 3 40 0 0 0 none call", "< 7 2 40 4 1 2 2"},
     {OPEN_04, "?> 7 3 40 0 0 0 none call", "< 7 3 40 4 1 2 2"},
     "-> terminate",
     DRAFT_04},
    {"V " ID "7.1.1/unsupported-version-answered @16 -> discard,terminate",
     {OPEN, "?> 7 3 40 10 0 none call", "< 7 3 40 4 2"},
     {OPEN, "?> 7 3 40 10 0 none call", "< 7 3 40 4 11"},
     "-> discard,terminate",
     DRAFT_07},
    {"V " ID "7.1.1/unsupported-version-answered @4 -> discard,terminate",
     {OPEN, "?> 7 1 40 0 none call", REPLY(7)},
     {OPEN, "?> 7 1 40 0 none call", "< 7 1 40 4 11"},
     "-> discard,terminate",
     DRAFT_07},
    {"V " ID_04 "7.2/unsupported-version-answered @4 -> discard,terminate",
     {OPEN_04, "?> 7 3 40 0 0 0 none call", REPLY_04(7)},
     {OPEN_04, CALL_04(7), REPLY_04(7)},
     NULL,
     DRAFT_04},

    /* ---- who sends it ---- */
    {"W " ID "7.1.1/errors-from-responder @12 -> discard",
     {OPEN, CALL(7), REPLY(7), "> 7 2 40 4 2"},
     {OPEN, CALL(7), REPLY(7), "> 7 2 40 4 5"},
     "-> discard",
     DRAFT_07},
    {"W " ID "7/error-without-message @0 -> discard",
     {OPEN, CALL(7), "< 8 2 40 4 2"},
     {OPEN, CALL(7), "< 7 2 40 4 2"},
     "-> terminate",
     DRAFT_07},

    /* ---- types ---- */
    {"W " ID "6.1/defined-type-refused @16 -> terminate",
     {OPEN, CALL(7), "< 7 2 40 4 4"},
     {OPEN, "?> 7 2 40 20 0", "< 7 2 40 4 4"},
     "-> terminate",
     DRAFT_07},
    {"V " ID "7.1.3/refused-type-not-used @12; W " ID "6.1/type-defined @12 -> err-inval-htype",
     {OPEN, "?> 7 2 40 20 0", "< 7 2 40 4 4", "> 8 2 40 20 0"},
     {OPEN, "?> 7 2 40 20 0", "< 7 2 40 4 4", "> 8 2 40 21 0"},
     "W " ID "6.1/type-defined @12 -> err-inval-htype",
     DRAFT_07},

    /* ---- chunks of the Call ---- */
    {"W " ID "7.3/chunk-of-error @16 -> terminate",
     {OPEN, CALL(7), "< 7 2 40 4 6 5"},
     {OPEN, "> 7 2 40 10 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 2 40 4 6 0"},
     "-> process,terminate",
     DRAFT_07},
    {"W " ID "7.3/chunk-of-error @16 -> terminate",
     {OPEN, CALL(7), "< 7 2 40 4 7 1"},
     {OPEN, CALL(7), "< 7 2 40 4 7 0"},
     "-> process,terminate",
     DRAFT_07},
    /* Of Calls of the server any of the codes can be meant. */
    {"W " ID "7.3/chunk-of-error @16 -> terminate",
     {OPEN, CALL(7), "< 7 2 40 4 8 16"},
     {OPEN, "> 9 2 40 7 1 5 4 1", "< 7 2 40 10 0 none call", "> 7 2 40 4 8 16"},
     "-> process,terminate",
     DRAFT_07},
    {"W " ID "7.3.1/read-maximum-exceeded @20 -> terminate",
     {OPEN, "> 7 2 40 10 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 2 40 4 6 1"},
     {OPEN, "> 7 2 40 10 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 2 40 4 6 0"},
     "-> process,terminate",
     DRAFT_07},
    {"W " ID "7.3.2/write-maximum-exceeded @20 -> terminate",
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 7 1"},
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 7 0"},
     "-> process,terminate",
     DRAFT_07},
    {"W " ID "7.3.3/segment-maximum-exceeded @20 -> terminate",
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 8 1"},
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 8 0"},
     "-> process,terminate",
     DRAFT_07},
    {"V " ID "7.3.4/chunk-index @20 -> terminate",
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 9 2 500"},
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 9 1 500"},
     "-> process,terminate",
     DRAFT_07},
    {"V " ID "7.3.4/length-needed @24 -> terminate",
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 9 1 100"},
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 9 1 101"},
     "-> process,terminate",
     DRAFT_07},
    {"V " ID "7.3.4/length-needed @24 -> terminate",
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 9 1 1"},
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 9 0 1"},
     "-> process,terminate",
     DRAFT_07},
    {"W " ID "7.3.5/length-needed @20 -> terminate",
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 4 10 100"},
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 4 10 101"},
     "-> process,terminate",
     DRAFT_07},
    {"W " ID "7.3.5/length-needed @20 -> terminate",
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 4 10 1"},
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 4 10 0"},
     "-> process,terminate",
     DRAFT_07},
    {"W " ID_04 "6.2.4/read-maximum-exceeded @20 -> terminate",
     {OPEN_04, "> 7 2 40 0 0 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 2 40 4 4 1"},
     {OPEN_04, "> 7 2 40 0 0 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 2 40 4 4 0"},
     "-> process,terminate",
     DRAFT_04},
    {"W " ID_04 "6.2.4/write-maximum-exceeded @20 -> terminate",
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 5 1"},
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 5 0"},
     "-> process,terminate",
     DRAFT_04},
    {"W " ID_04 "6.2.4/segment-maximum-exceeded @20 -> terminate",
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 6 1"},
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 6 0"},
     "-> process,terminate",
     DRAFT_04},
    {"V " ID_04 "6.2.4/chunk-index @20 -> terminate",
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 7 2 500"},
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 7 1 500"},
     "-> process,terminate",
     DRAFT_04},
    {"V " ID_04 "6.2.4/write-length-needed @24 -> terminate",
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 7 1 100"},
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 4 7 1 101"},
     "-> process,terminate",
     DRAFT_04},
    {"W " ID_04 "6.2.4/reply-length-needed @20 -> terminate",
     {OPEN_04, "> 7 2 40 0 0 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 4 8 100"},
     {OPEN_04, "> 7 2 40 0 0 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 4 8 101"},
     "-> process,terminate",
     DRAFT_04},

    /* ---- a Call sent again ---- */
    {"W " ID "7.4.1/not-resent @0 -> process",
     {OPEN, CALL(7), "< 7 2 40 4 100", CALL(7)},
     {OPEN, CALL(7), "< 7 2 40 4 2", CALL(7)},
     NULL,
     DRAFT_07},
    {"W " ID_04 "6.2.4/not-resent @0 -> process",
     {OPEN_04, CALL_04(7), "< 7 2 40 4 10", CALL_04(7)},
     {OPEN_04, CALL_04(7), "< 7 2 40 4 2", CALL_04(7)},
     NULL,
     DRAFT_04},

    /* ---- remote invalidation ---- */
    {"V " ID "6.5/plain-send-if-zero -> process,close",
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call",
      "< 7 2 40 13 1 1 0xa 0 0 0 0 reply inv:0xa"},
     {OPEN, "> 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call", "< 7 2 40 13 1 1 0xa 0 0 0 0 reply"},
     NULL,
     DRAFT_07},
    {"V " ID "6.5/handle-of-call -> process,close",
     {OPEN, "> 7 2 40 10 0xa 0 1 2 0xa 9 0 0 0xb 9 0 0 0 0 call",
      "< 7 2 40 13 1 2 0xa 0 0 0 0xb 0 0 0 0 reply inv:0xb"},
     {OPEN, "> 7 2 40 10 0xa 0 1 2 0xa 9 0 0 0xb 9 0 0 0 0 call",
      "< 7 2 40 13 1 2 0xa 0 0 0 0xb 0 0 0 0 reply inv:0xa"},
     NULL,
     DRAFT_07},
    {"V " ID "6.5/control-not-invalidating -> process,close",
     {OPEN, "< 0 2 40 5 inv:0xa"},
     {OPEN, "< 0 2 40 5"},
     NULL,
     DRAFT_07},
    {"V " ID_04 "6.2.3/plain-send -> process,close",
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call",
      "< 7 2 40 0 1 0 0 1 1 0xa 0 0 0 0 0 reply inv:0xa"},
     {OPEN_04, "> 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call",
      "< 7 2 40 0 1 0 0 1 1 0xa 0 0 0 0 0 reply"},
     NULL,
     DRAFT_04},
    {"V " ID_04 "6.2.3/handle-of-call -> process,close",
     {OPEN_04, "> 7 2 40 0 0 0xa 0 1 2 0xa 9 0 0 0xb 9 0 0 0 0 call",
      "< 7 2 40 0 1 0 0 1 2 0xa 0 0 0 0xb 0 0 0 0 0 reply inv:0xb"},
     {OPEN_04, "> 7 2 40 0 0 0xa 0 1 2 0xa 9 0 0 0xb 9 0 0 0 0 call",
      "< 7 2 40 0 1 0 0 1 2 0xa 0 0 0 0xb 0 0 0 0 0 reply inv:0xa"},
     NULL,
     DRAFT_04},
};
#define ROWS (sizeof rows / sizeof rows[0])

START_TEST(row)
{
    play_row(&rows[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("answer rules of version 2");
    TCase *tests = tcase_create("answer rules of version 2");
    tcase_add_loop_test(tests, row, 0, ROWS);
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
