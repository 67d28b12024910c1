// SPDX-License-Identifier: BSD-3-Clause
/* The rules of version 2 that one header shows, with the RPC message that follows it. */
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
    /* ---- length, type ---- */
    {"V " ID "7/minimal-header @12 -> discard",
     {OPEN, "> 7 2 40"},
     {OPEN, "> 0 2 40 5"},
     NULL,
     DRAFT_07},
    {"V " ID "7/minimal-header @12 -> discard",
     {OPEN, "< 7 2 40 +3"},
     {OPEN, "< 0 2 40 5"},
     NULL,
     DRAFT_07},
    {"V " ID_04 "6.2/minimal-header @12 -> discard",
     {OPEN_04, "> 7 2 40"},
     {OPEN_04, "> 9 2 40 6 0 0"},
     "-> process,err-invalid-proc,err-invalid-option",
     DRAFT_04},
    {"V " ID "6.1/type-defined @12 -> err-inval-htype",
     {OPEN, "> 7 2 40 0 0 0 0 0 call"},
     {OPEN, CALL(7)},
     NULL,
     DRAFT_07},
    {"V " ID "6.1/type-defined @12 -> discard,err-inval-htype",
     {OPEN, "> 7 2 40 3"},
     {OPEN, CALL(7)},
     NULL,
     DRAFT_07},
    {"W " ID "6.1/type-defined @12 -> err-inval-htype",
     {OPEN, "> 7 2 40 14 0"},
     {OPEN, CALL(7)},
     NULL,
     DRAFT_07},
    {"W " ID "6.1/type-defined @12 -> discard,err-inval-htype",
     {OPEN, CALL(7), "< 7 2 40 0xffffffff 0"},
     {OPEN, CALL(7), REPLY(7)},
     NULL,
     DRAFT_07},
    {"V " ID_04 "6.2.4/procedure-defined @12 -> err-invalid-proc",
     {OPEN_04, "> 7 2 40 2 *5"},
     {OPEN_04, CALL_04(7)},
     NULL,
     DRAFT_04},
    {"V " ID_04 "6.2.4/procedure-defined @12 -> err-invalid-proc",
     {OPEN_04, "> 7 2 40 10 *5"},
     {OPEN_04, CALL_04(7)},
     NULL,
     DRAFT_04},
    {"V " ID_04 "6.2.4/procedure-defined @12 -> discard,err-invalid-proc",
     {OPEN_04, "> 7 2 40 3"},
     {OPEN_04, CALL_04(7)},
     NULL,
     DRAFT_04},

    /* ---- strict XDR ---- */
    {"V " ID "5.1/value-within-message @24 -> err-bad-xdr,err-bad-propval",
     {OPEN, "> 9 2 40 7 1 2 400 8192"},
     {OPEN, "> 9 2 40 7 1 2 4 8192"},
     NULL,
     DRAFT_07},
    {"V " ID "7.2/xdr-encoded @16 -> err-bad-xdr",
     {OPEN, "> 9 2 40 7 0xffffffff"},
     {OPEN, "> 9 2 40 7 0"},
     NULL,
     DRAFT_07},
    /* Octets of a piece are part of its XDR; and a Requester may end the RPC. */
    {"V " ID "7.2/xdr-encoded @20 -> err-bad-xdr,err-inval-cont",
     {OPEN, "> 7 2 40 9 40"},
     {OPEN, "> 7 2 40 9 40 7"},
     NULL,
     DRAFT_07},
    {"V " ID "7.2/xdr-encoded @20 -> discard,terminate",
     {OPEN, CALL(7), "< 7 2 40 13 0"},
     {OPEN, CALL(7), REPLY(7)},
     NULL,
     DRAFT_07},
    {"V " ID_04 "6.2/xdr-encoded @16 -> err-bad-xdr",
     {OPEN_04, "> 7 2 40 0 2 0 none call"},
     {OPEN_04, CALL_04(7)},
     NULL,
     DRAFT_04},

    /* ---- control messages ---- */
    {"V " ID "6.3.2/grant-xid-zero @0 -> process",
     {OPEN, "< 7 2 40 5"},
     {OPEN, "< 0 2 40 5"},
     NULL,
     DRAFT_07},
    {"W " ID "6.1/ends-with-header @16 -> process,err-bad-xdr",
     {OPEN, "< 0 2 40 5 0"},
     {OPEN, "< 0 2 40 5"},
     NULL,
     DRAFT_07},
    {"N " ID_04 "5.3/operation-as-option @20 -> process,err-invalid-option",
     {OPEN_04, "> 7 2 40 5 0 1 0"},
     {OPEN_04, "> 7 2 40 5 0 99 0"},
     "-> err-invalid-option",
     DRAFT_04},
    {"N " ID "5/xid-told-apart @0 -> process",
     {OPEN, CALL(7), "> 7 2 40 7 0"},
     {OPEN, CALL(7), "> 9 2 40 7 0"},
     NULL,
     DRAFT_07},

    /* ---- direction ---- */
    {"V " ID "3.1.3/direction-of-type @24 -> discard,err-bad-xdr",
     {OPEN, "> 7 2 40 13 0 call"},
     {OPEN, CALL(7)},
     NULL,
     DRAFT_07},
    {"V " ID "3.1.3/direction-of-type @36 -> discard,err-bad-xdr",
     {OPEN, "> 7 2 40 10 0 none reply"},
     {OPEN, CALL(7)},
     NULL,
     DRAFT_07},
    {"V " ID_04 "6.2.2/direction-of-message @40 -> process,discard,err-bad-xdr",
     {OPEN_04, "> 7 2 40 0 1 0 none call"},
     {OPEN_04, CALL_04(7)},
     NULL,
     DRAFT_04},

    /* ---- the handle to be invalidated ---- */
    {"W " ID "6.5/handle-offered @16 -> process,err-bad-xdr",
     {OPEN, "> 7 2 40 10 0x99 none call"},
     {OPEN, "> 7 2 40 10 0xa 0 1 1 0xa 100 0 0 0 0 call"},
     NULL,
     DRAFT_07},
    {"W " ID "6.5/handle-offered @16 -> process,err-bad-xdr",
     {OPEN, "> 7 2 40 8 0x99 1 0 0xd 40 0 0 0 0 0 0"},
     {OPEN, "> 7 2 40 8 0xd 1 0 0xd 40 0 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID_04 "6.2.3/handle-offered @20 -> process,err-bad-xdr",
     {OPEN_04, "> 7 2 40 0 0 0x99 none call"},
     {OPEN_04, "> 7 2 40 0 0 0xa 1 40 0xa 4 0 0 0 0 0 call"},
     NULL,
     DRAFT_04},
    {"N " ID_04 "6.2.3/handle-in-reply @20 -> process",
     {OPEN_04, CALL_04(7), "< 7 2 40 0 1 5 none reply"},
     {OPEN_04, CALL_04(7), REPLY_04(7)},
     NULL,
     DRAFT_04},

    /* ---- Read lists, and what holds the RPC message ---- */
    {"V " ID "4.5.1.1/positions-ascend @48 -> err-bad-xdr",
     {OPEN, "> 7 2 40 10 0 1 44 0xa 4 0 0 1 40 0xb 4 0 0 0 0 0 call"},
     {OPEN, "> 7 2 40 10 0 1 40 0xa 4 0 0 1 44 0xb 4 0 0 0 0 0 call"},
     NULL,
     DRAFT_07},
    {"V " ID "4.5.1.1/positions-ascend @72 -> err-bad-xdr",
     {OPEN, "> 7 2 40 10 0 1 40 0xa 4 0 0 1 48 0xb 4 0 0 1 40 0xc 4 0 0 0 0 0 call"},
     {OPEN, "> 7 2 40 10 0 1 40 0xa 4 0 0 1 40 0xb 4 0 0 1 48 0xc 4 0 0 0 0 0 call"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.5/call-chunk-present @20 -> err-bad-xdr",
     {OPEN, "> 7 2 40 8 0 0 0 0 0"},
     {OPEN, "> 7 2 40 8 0 1 0 0xd 40 0 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.5/call-chunk-holds-payload @20 -> garbage-args,err-bad-xdr",
     {OPEN, "> 7 2 40 8 0 1 0 0xd 0 0 0 0 0 0 0"},
     {OPEN, "> 7 2 40 8 0 1 0 0xd 40 0 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.5/items-not-at-zero @52 -> garbage-args,err-bad-xdr",
     {OPEN, "> 7 2 40 8 0 1 0 0xd 40 0 0 0 1 0 0xe 4 0 0 0 0 0"},
     {OPEN, "> 7 2 40 8 0 1 0 0xd 40 0 0 0 1 40 0xe 4 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "6.6.3/call-chunk-position-zero @24 -> err-bad-xdr",
     {OPEN, "> 7 2 40 8 0 1 4 0xd 40 0 0 0 0 0 0"},
     {OPEN, "> 7 2 40 8 0 1 0 0xd 40 0 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.8/reply-chunk-present @20 -> discard,terminate",
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 11 0 0"},
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 11 0 1 1 0xc 28 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.8/reply-chunk-holds-payload @20 -> discard,terminate",
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 11 0 1 1 0xc 0 0 0"},
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 100 0 0 call", "< 7 2 40 11 0 1 1 0xc 28 0 0"},
     NULL,
     DRAFT_07},
    /* The Reply chunk comes back where it holds the Reply, and is not mentioned elsewhere. */
    {"W " ID "4.5.2.2/reply-chunk-copied @24 -> discard,terminate",
     {OPEN, "> 7 2 40 10 0 0 0 1 2 0xa 100 0 0 0xb 100 0 5 call", "< 7 2 40 11 0 1 1 0xa 100 0 0"},
     {OPEN, "> 7 2 40 10 0 0 0 1 2 0xa 100 0 0 0xb 100 0 5 call", REPLY(7)},
     NULL,
     DRAFT_07},
};
#define ROWS (sizeof rows / sizeof rows[0])

START_TEST(row)
{
    play_row(&rows[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("header rules of version 2");
    TCase *tests = tcase_create("header rules of version 2");
    tcase_add_loop_test(tests, row, 0, ROWS);
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
