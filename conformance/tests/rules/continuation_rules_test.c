// SPDX-License-Identifier: BSD-3-Clause
/* The rules on messages in pieces: events of which the last breaks them, or nearly does. */
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#define ID "rpcrdma2-07/"
#define DRAFT_07                                                                                   \
    {                                                                                              \
        .draft = RPCRDMA_PROTOCOL_2_07                                                             \
    }

/* A Call of 60 octets: 44, and 16 that are the last of them. */
#define HEAD(xid) "0x" #xid " 0 2 536870913 3 1 0 0 0 0 5"
#define FIRST(xid, remaining) "> 0x" #xid " 2 40 9 " #remaining " " HEAD(xid)
#define LAST(xid) "> 0x" #xid " 2 40 10 0 none 1 2 3 4"
/* A Reply of 44 octets: 28, and 16. */
#define FIRST_REPLY(xid, remaining) "< 0x" #xid " 2 40 12 " #remaining " 0x" #xid " 1 0 0 0 0 5"
#define LAST_REPLY(xid) "< 0x" #xid " 2 40 13 0 1 2 3 4"
/* What settles the version, and gives both sides credit. */
#define OPEN "> 1 2 40 10 0 none call", "< 1 2 40 13 0 reply"
#define CALL(xid) "> 0x" #xid " 2 40 10 0 none call"
#define REPLY(xid) "< 0x" #xid " 2 40 13 0 reply"
#define GRANT(side) side " 0 2 40 5"

static const struct play_row rows[] = {
    /* ---- rdma_remaining ---- */
    {"V " ID "6.3.6/call-remaining @32 -> process,err-inval-cont",
     {OPEN, FIRST(7, 20), LAST(7), "= 16 octets of the 20 that remained, and 0 are said to follow"},
     {OPEN, FIRST(7, 16), LAST(7)},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.6/call-remaining @16 -> process,err-inval-cont",
     {OPEN, FIRST(7, 0), "= 44 octets of the 0 that remained, and 0 are said to follow"},
     {OPEN, FIRST(7, 4)},
     NULL,
     DRAFT_07},
    /* A tail of less than a word cannot be sent. */
    {"V " ID "6.3.6/call-remaining @16 -> process,err-inval-cont",
     {OPEN, FIRST(7, 3)},
     {OPEN, FIRST(7, 4)},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.6/call-remaining @16 -> process,err-inval-cont",
     {OPEN, FIRST(7, 24), "> 7 2 40 9 24 9 9"},
     {OPEN, FIRST(7, 24), "> 7 2 40 9 16 9 9"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.9/reply-remaining @20 -> process,discard,terminate,err-inval-cont",
     {OPEN, CALL(7), FIRST_REPLY(7, 12), LAST_REPLY(7),
      "= 16 octets of the 12 that remained, and 0 are said to follow"},
     {OPEN, CALL(7), FIRST_REPLY(7, 16), LAST_REPLY(7)},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.9/reply-remaining @16 -> process,discard,terminate,err-inval-cont",
     {OPEN, CALL(7), FIRST_REPLY(7, 40), "< 7 2 40 12 40 9 9",
      "= 8 octets of the 40 that remained, and 40 are said to follow"},
     {OPEN, CALL(7), FIRST_REPLY(7, 40), "< 7 2 40 12 32 9 9"},
     NULL,
     DRAFT_07},
    {"W " ID "6.3.6/remaining-includes-itself @32 -> process,err-inval-cont",
     {OPEN, FIRST(7, 60), LAST(7)},
     {OPEN, FIRST(7, 16), LAST(7)},
     NULL,
     DRAFT_07},
    {"W " ID "6.3.6/remaining-includes-itself @32 -> process,err-inval-cont",
     {OPEN, FIRST(7, 68), "> 7 2 40 9 24 9 9", LAST(7)},
     {OPEN, FIRST(7, 24), "> 7 2 40 9 16 9 9", LAST(7)},
     NULL,
     DRAFT_07},
    /* Cuts can be anywhere. */
    {"V " ID "6.3.6/call-remaining @32 -> process,err-inval-cont",
     {OPEN, "> 7 2 40 9 19 " HEAD(7) " +1", "> 7 2 40 10 0 none 1 2 3 4"},
     {OPEN, "> 7 2 40 9 19 " HEAD(7) " +1", "> 7 2 40 10 0 none 1 2 3 4 +3"},
     NULL,
     DRAFT_07},

    /* ---- other messages, where pieces are to follow ---- */
    {"V " ID "4.1/pieces-not-mixed @0 -> err-inval-cont",
     {OPEN, FIRST(7, 16), CALL(8),
      "= a message of type 10 with XID 0x8, where the pieces of XID 0x7 go on"},
     {OPEN, FIRST(7, 16), LAST(7), CALL(8)},
     NULL,
     DRAFT_07},
    {"V " ID "4.1/pieces-not-mixed @0 -> err-inval-cont",
     {OPEN, FIRST(7, 16), FIRST(8, 16),
      "= a message of type 9 with XID 0x8, where the pieces of XID 0x7 go on"},
     {OPEN, FIRST(7, 16), REPLY(7)},
     "W " ID "6.6.2/reply-before-call-ends @0 -> process,discard",
     DRAFT_07},
    {"V " ID "4.1/pieces-not-mixed @0 -> discard,err-inval-cont",
     {OPEN, CALL(7), CALL(8), FIRST_REPLY(7, 16), REPLY(8)},
     {OPEN, CALL(7), CALL(8), FIRST_REPLY(7, 16), CALL(9)},
     NULL,
     DRAFT_07},
    /* What came between pieces may be refused, but not for pieces that come later. */
    {"W " ID "7/error-without-message @0 -> discard",
     {OPEN, CALL(7), CALL(9), FIRST_REPLY(7, 16), "?" REPLY(8), FIRST_REPLY(9, 16), "> 8 2 40 4 5"},
     {OPEN, CALL(7), CALL(9), FIRST_REPLY(7, 16), "?" REPLY(8), "> 8 2 40 4 5"},
     "-> discard",
     DRAFT_07},
    {"V " ID "6.3.6/call-continues @12 -> err-inval-cont",
     {OPEN, FIRST(7, 16), "> 7 2 40 8 0 1 0 0xa 60 0 0 0 0 0 0",
      "= a message of type 8 with XID 0x7, where the pieces of XID 0x7 go on"},
     {OPEN, FIRST(7, 16), LAST(7), "> 8 2 40 8 0 1 0 0xa 60 0 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.6/call-continues @12 -> err-inval-cont",
     {OPEN, FIRST(7, 16), "> 8 2 40 7 0",
      "= a message of type 7 with XID 0x8, where the pieces of XID 0x7 go on"},
     {OPEN, FIRST(7, 16), "< 8 2 40 7 0"},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.9/reply-continues @12 -> err-inval-cont",
     {OPEN, CALL(7), FIRST_REPLY(7, 16), "< 9 2 40 10 0 none call",
      "= a message of type 10 with XID 0x9, where the pieces of XID 0x7 go on"},
     {OPEN, CALL(7), FIRST_REPLY(7, 16), LAST_REPLY(7), "< 9 2 40 10 0 none call"},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .reverse_direction = true}},
    {"W " ID "6.3.6/control-between @12 -> process,err-inval-cont",
     {OPEN, FIRST(7, 16), GRANT(">"), "= a message of type 5 between the pieces of another"},
     {OPEN, FIRST(7, 16), GRANT("<")},
     NULL,
     DRAFT_07},
    {"W " ID "6.3.6/control-between @12 -> process,err-inval-cont",
     {OPEN, CALL(7), FIRST_REPLY(7, 16), GRANT("<")},
     {OPEN, CALL(7), FIRST_REPLY(7, 16), "?" GRANT("<"), GRANT("<")},
     NULL,
     DRAFT_07},
    /* An error is between the pieces as a grant is, and ends its Call. */
    {"W " ID "6.3.6/control-between @12 -> terminate,err-inval-cont",
     {OPEN, CALL(7), CALL(8), FIRST_REPLY(7, 16), "< 8 2 40 4 2"},
     {OPEN, CALL(7), CALL(8), FIRST_REPLY(7, 16), LAST_REPLY(7), "< 8 2 40 4 2"},
     "-> terminate",
     DRAFT_07},
    /* A second message in pieces has nothing of the first. */
    {"W " ID "6.3.6/control-between @12 -> process,err-inval-cont",
     {OPEN, FIRST(7, 16), LAST(7), FIRST(8, 16), GRANT(">")},
     {OPEN, FIRST(7, 16), LAST(7), FIRST(8, 16), LAST(8)},
     NULL,
     DRAFT_07},
    /* Both sides can be in the middle of a message. */
    {"W " ID "6.6.2/reply-before-call-ends @0 -> process,discard",
     {OPEN, FIRST(7, 16), REPLY(7), "= a Reply to XID 0x7, whose Call has not ended"},
     {OPEN, CALL(8), FIRST(7, 16), FIRST_REPLY(8, 16), LAST(7), LAST_REPLY(8)},
     NULL,
     DRAFT_07},
    {"W " ID "6.6.2/reply-before-call-ends @0 -> process,discard",
     {OPEN, FIRST(7, 16), REPLY(7)},
     {OPEN, FIRST(7, 16), "?" REPLY(7), LAST(7)},
     "-> process,discard,err-inval-cont",
     DRAFT_07},

    {"W " ID "6.6.2/reply-before-call-ends @0 -> process,discard",
     {OPEN, FIRST(7, 16), REPLY(7)},
     {OPEN, "> gap", FIRST(7, 16), REPLY(7)}, /* its end may be missing, too */
     NULL,
     DRAFT_07},

    /* ---- after a fault ---- */
    {"V " ID "4.1/pieces-not-mixed @0 -> err-inval-cont",
     {OPEN, FIRST(7, 16), CALL(8)},
     {OPEN, FIRST(7, 16), "?" CALL(8), "< 8 2 40 4 5", LAST(7)},
     "-> process,discard,err-inval-cont",
     DRAFT_07},
    /* What is left of it may come late, and is no Call of its own. */
    {"V " ID "4.1/pieces-not-mixed @0 -> err-inval-cont",
     {OPEN, FIRST(7, 16), CALL(8)},
     {OPEN, FIRST(7, 16), "?" CALL(8), CALL(9), LAST(7)},
     "-> process",
     DRAFT_07},
    {"V " ID "6.3.6/call-remaining @16 -> process,err-inval-cont",
     {OPEN, FIRST(7, 24), "> 7 2 40 9 24 9 9"},
     {OPEN, FIRST(7, 24), "< 7 2 40 4 5", "> 7 2 40 9 24 9 9"},
     "-> process,discard,err-inval-cont",
     DRAFT_07},
    /* The rest of a Reply, too: its Requester may end the RPC instead. */
    {"V " ID "6.3.9/reply-remaining @16 -> process,discard,terminate,err-inval-cont",
     {OPEN, CALL(7), FIRST_REPLY(7, 40), "< 7 2 40 12 40 9 9"},
     {OPEN, CALL(7), FIRST_REPLY(7, 40), "?< 7 2 40 12 40 9 9", "< 7 2 40 12 24 9 9"},
     "-> process,discard,terminate,err-inval-cont",
     DRAFT_07},
    /* Given up, the next message begins anew. */
    {"V " ID "4.1/pieces-not-mixed @0 -> err-inval-cont",
     {OPEN, FIRST(7, 16), CALL(8)},
     {OPEN, FIRST(7, 16), "< 7 2 40 4 5", CALL(8)},
     NULL,
     DRAFT_07},
    /* A runt between the pieces has its own fault. */
    {"V " ID "6.3.6/call-remaining @32 -> process,err-inval-cont",
     {OPEN, FIRST(7, 20), LAST(7)},
     {OPEN, FIRST(7, 20), "?> 7 2 40 9 1", LAST(7)},
     "-> process,discard,err-inval-cont",
     DRAFT_07},
    /* What was not seen can be the beginning. */
    {"V " ID "6.3.6/call-remaining @32 -> process,err-inval-cont",
     {OPEN, FIRST(7, 20), LAST(7)},
     {OPEN, "> gap", LAST(7)},
     "-> process",
     DRAFT_07},
    {"V " ID "6.3.6/call-remaining @32 -> process,err-inval-cont",
     {OPEN, FIRST(7, 20), LAST(7)},
     {OPEN, "> gap", "> 7 2 40 9 16 9 9", LAST(7)},
     "-> process",
     DRAFT_07},

    /* ---- the whole message ---- */
    /* A piece that is not the first begins with any word. */
    {"V " ID "7.2/xid-equal -> process,err-bad-xdr",
     {OPEN, "> 7 2 40 9 16 8 0 2 536870913 3 1 0 0 0 0 5", LAST(7),
      "= the XID of the RPC message is 0x8, that of the header 0x7"},
     {OPEN, FIRST(7, 24), "> 7 2 40 9 16 9 9", LAST(7)},
     NULL,
     DRAFT_07},
    {"W " ID "6.6.3/reply-chunk-preferred -> process",
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xa 8192 0 0 call", "< 7 2 40 12 1044 7 1 0 0 0 0 *1000",
      "< 7 2 40 13 0 *261",
      "= the Reply of 5068 octets comes in pieces; its Reply chunk takes 8192"},
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xa 4096 0 0 call", "< 7 2 40 12 1044 7 1 0 0 0 0 *1000",
      "< 7 2 40 13 0 *261"},
     NULL,
     DRAFT_07},
    {"W " ID "6.6.3/reply-chunk-preferred -> process",
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xa 8192 0 0 call", "< 7 2 40 12 56 7 1 0 0 0 0 *1000",
      "< 7 2 40 13 0 *14",
      "= the Reply of 4080 octets comes in pieces; its Reply chunk takes 8192"},
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xa 8192 0 0 call", "< 7 2 40 12 52 7 1 0 0 0 0 *1000",
      "< 7 2 40 13 0 *13"},
     NULL,
     DRAFT_07},
    {"W " ID "6.5/invalidates-with-last-piece -> process",
     {OPEN, "> 7 2 40 10 0xa 0 0 1 1 0xa 4000 0 0 call", "< 7 2 40 12 16 7 1 0 0 0 0 5 inv:0xa",
      "= a piece of a Reply invalidates handle 0xa, and others follow"},
     {OPEN, "> 7 2 40 10 0xa 0 0 1 1 0xa 4000 0 0 call", FIRST_REPLY(7, 16),
      "< 7 2 40 13 0 1 2 3 4 inv:0xa"},
     NULL,
     DRAFT_07},
    /* After a loss a message is whole if it begins as an RPC message does. */
    {"V " ID "4.1/rpc-layout @40 -> process,discard,garbage-args,err-bad-xdr",
     {OPEN, "> gap", "> 7 2 40 10 0 none 7 0 3 100003 3 0 0 0 0 0"},
     {OPEN, "> gap", "> 7 2 40 10 0 none 7 1 3 100003 3 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "4.1/rpc-layout @40 -> process,discard",
     {OPEN, CALL(7), "> gap", "< 7 2 40 13 0 7 1 0 0 0 9"},
     {OPEN, CALL(7), "> gap", "< 7 2 40 13 0 7 0 0 0 0 9"},
     NULL,
     DRAFT_07},
};

START_TEST(rules)
{
    play_row(&rows[_i]);
}
END_TEST

PLAY_ROWS(rows)

int main(void)
{
    TCase *tests = tcase_create("rules on messages in pieces");
    tcase_add_loop_test(tests, rules, 0, COUNT(rows));
    return run_tests("rules on messages in pieces", tests);
}
