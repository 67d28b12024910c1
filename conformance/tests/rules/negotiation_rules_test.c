// SPDX-License-Identifier: BSD-3-Clause
/* The rules of version 2 on what begins a connection, on its version, and on Calls of the server.
 */
#include "conformance/tests/support/version2/rows.h"
#include "conformance/base/count.h"

static const struct play_row rows[] = {
    /* ---- a client begins ---- */
    {"V " ID "4.3/first-send-of-1024 -> process,close",
     {"> 7 2 40 10 0 none call *239", "= the Send has 1028 octets; the limit is 1024"},
     {"> 7 2 40 10 0 none call *238"},
     NULL,
     DRAFT_07},
    {"N " ID "4.3/first-send-of-28 -> process",
     {"> 9 2 40 7 0", "= the first Send has 20 octets; a server of version 1 drops less than 28"},
     {"> 9 2 40 7 1 2 0"},
     NULL,
     DRAFT_07},
    {"N " ID "4.3/first-send-is-piece -> process",
     {"> 7 2 40 9 40 7 0 *6"},
     {CALL(7)},
     NULL,
     DRAFT_07},
    {"W " ID_04 "7/first-send-of-1024 -> process,close",
     {"> 7 2 40 0 0 0 none call *238", "= the Send has 1028 octets; the limit is 1024"},
     {"> 7 2 40 0 0 0 none call *237"},
     NULL,
     DRAFT_04},
    {"N " ID_04 "7/first-send-of-28 -> process,err-invalid-proc,err-invalid-option",
     {"> 9 2 40 6 0 0", "= the first Send has 24 octets; a server of version 1 drops less than 28"},
     {"> 9 2 40 6 1 1 0 0"},
     "-> process,err-invalid-proc,err-invalid-option",
     DRAFT_04},
    /* An error that answers a Call of version 1 is of version 1, whatever its version word says. */
    {"V 4.5/error-version @4 -> discard,terminate",
     {"> 7 1 40 0 none call", "< 7 2 40 4 2", "= the version is 2; the message that failed had 1"},
     {"> 7 1 40 0 none call", "< 7 1 40 4 2"},
     "-> terminate",
     {.mid_stream = true}},
    /* Octets that -07 reads as a Receive Buffer Size of 1; then only -04 has such a Call. */
    {"V " ID_04 "2.3/send-within-threshold -> process,close",
     {"> 9 2 32 6 1 1 4 1024 0", CALL_04(7), REPLY_04(7), CALL_04(8),
      "< 8 2 40 0 1 0 none reply *300"},
     {"?> 9 2 32 7 1 2 4 1", CALL_04(7), REPLY_04(7), CALL_04(8), "< 8 2 40 0 1 0 none reply *300"},
     NULL,
     {.mid_stream = true}},
    /* Octets that only -04 reads, and that a broken message of -07 could be; its server's are not.
     */
    {"V " ID "6.3.9/reply-remaining @16 -> process,discard,terminate,err-inval-cont",
     {CALL(7), "< 7 2 40 12 2 7 1"},
     {"> 9 2 38 6 1 1 4 1024 0", "< 7 2 40 12 24 7 1 0 0 0 0"},
     NULL,
     {.mid_stream = true}},
    /* Only the first of them. */
    {"V " ID "4.3/first-send-of-1024 -> process,close",
     {"> 7 2 40 10 0 none call *300", "= the Send has 1272 octets; the limit is 1024"},
     {OPEN, "> 7 2 40 10 0 none call *300"},
     NULL,
     DRAFT_07},
    {"W " ID "4.3.3/server-waits -> process,discard,close",
     {"< 9 2 40 7 0"},
     {CALL(7), "< 9 2 40 7 0"},
     NULL,
     DRAFT_07},

    /* ---- one side changes the version ---- */
    {"V " ID "4.3.3/server-version @4 -> discard",
     {CALL(7), "< 7 1 32 0 none reply", "= the version is 1; the client's first message has 2"},
     {CALL(7), REPLY(7)},
     NULL,
     DRAFT_07},
    {"V " ID "4.3.3/server-version @4 -> discard",
     {OPEN, CALL(7), "< 7 1 32 0 none reply"},
     {OPEN, CALL(7), REPLY(7)},
     NULL,
     DRAFT_07},
    {"V " ID_04 "7.3/replies-keep-version @4 -> discard",
     {CALL_04(7), "< 7 1 32 0 none reply", "= the version is 1; the client's first message has 2"},
     {CALL_04(7), REPLY_04(7)},
     NULL,
     DRAFT_04},
    {"V " ID "4.3.3/client-version @4 -> err-vers,err-vers-mismatch",
     {OPEN, "> 8 1 32 0 none call", "= the version is 1; the server has taken version 2"},
     {OPEN, CALL(8)},
     NULL,
     DRAFT_07},
    {"V " ID "4.3.3/client-version @4 -> err-vers,err-vers-mismatch",
     {OPEN, "> 8 3 32 10 0 none call", "= the version is 3; the server has taken version 2"},
     {OPEN, CALL(8)},
     NULL,
     DRAFT_07},

    /* ---- the server refuses it ---- */
    {"V " ID "7.1.1/refused-version-not-used @4 -> err-vers",
     {CALL(7), "< 7 2 32 4 1 1 1", CALL(8), "= the version is 2; the server speaks 1 to 1"},
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call"},
     NULL,
     DRAFT_07},
    {"V " ID "7.1.1/refused-version-not-used @4 -> err-vers",
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 3 32 0 none call",
      "= the version is 3; the server speaks 1 to 1"},
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call", "< 8 1 32 0 none reply"},
     NULL,
     DRAFT_07},
    {"W " ID_04 "7.2/refused-version-not-used @4 -> err-vers",
     {CALL_04(7), "< 7 2 32 4 1 1 1", CALL_04(8), "= the version is 2; the server speaks 1 to 1"},
     {CALL_04(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call"},
     NULL,
     DRAFT_04},
    /* What came before the offer was not seen: it can be refused as well. */
    {"V " ID "4.3.3/client-version @4 -> err-vers,err-vers-mismatch",
     {CALL(7), REPLY(7), "> 8 1 32 0 none call"},
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call"},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .mid_stream = true}},
    /* The refused Send waits for nothing any more: version 1 begins with one Call. */
    {"W 3.3.3/valid-reply-first -> process,close",
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call", "> 9 1 32 0 none call",
      "= 2 Calls are in flight, and nothing but RDMA_ERROR was received"},
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call"},
     NULL,
     DRAFT_07},
    /* Version 1 was taken: version 2 is not offered on this connection any more. */
    {"V 4.2.2/version-one @4 -> err-vers",
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call", "< 8 1 32 0 none reply",
      "> 9 2 40 10 0 none call", "= the version is 2, not 1"},
     {CALL(7), "< 7 2 32 4 1 1 1", "> 8 1 32 0 none call", "< 8 1 32 0 none reply",
      "> 9 1 32 0 none call"},
     NULL,
     DRAFT_07},
    /* Nothing names the draft: an offer is one to RFC 8166, and judged by the draft that reads it.
     */
    {"N 7/later-version-offered @4; V " ID "4.3/first-send-of-1024 -> process,err-vers,close",
     {"> 7 2 40 10 0 none call *239"},
     {"> 7 2 40 10 0 none call *238"},
     "N 7/later-version-offered @4 -> process,err-vers",
     DEFAULTS},
    {"N " ID_04 "6.2.3/handle-in-reply @20 -> process",
     {"?> 7 2 40 0 0 0 none call", "< 7 2 40 0 1 5 none reply",
      "= a Reply names handle 0x5 to be invalidated"},
     {"?> 7 2 40 0 0 0 none call", REPLY_04(7)},
     NULL,
     DEFAULTS},

    /* ---- how long a Send may be ---- */
    {"W " ID "4.2.2/private-data-not-counted -> process,close",
     {"> private 0xf6ab0e18 0x01000707", "< private 0xf6ab0e18 0x01000707", OPEN,
      "> 7 2 40 10 0 none call *1100", "= the Send has 4472 octets; the limit is 4096"},
     {"> private 0xf6ab0e18 0x01000707", "< private 0xf6ab0e18 0x01000707", OPEN,
      "> 7 2 40 10 0 none call *1006"},
     NULL,
     DRAFT_07},
    {"V " ID "6.6.3/reply-chunk-used -> process,close",
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 8000 0 0 call", "< 7 2 40 13 0 reply *1014",
      "= the Send has 4100 octets; the limit is 4096"},
     {OPEN, "> 7 2 40 10 0 0 0 1 1 0xc 8000 0 0 call", "< 7 2 40 13 0 reply *1013"},
     NULL,
     DRAFT_07},

    /* ---- Calls of the server ---- */
    {"V " ID "4.6.3/peer-refused -> process,discard,close,err-inval-htype,err-system",
     {OPEN, "> 9 2 40 7 1 5 4 0", "< 7 2 40 10 0 none call"},
     {OPEN, "> 9 2 40 7 1 5 4 1", "< 7 2 40 10 0 none call"},
     NULL,
     DRAFT_07},
    {"W " ID "4.6.3/peer-prepared -> process,discard,close,err-inval-htype,err-system",
     {OPEN, "< 7 2 40 10 0 none call"},
     {OPEN, "> 9 2 40 7 1 5 4 1", "< 7 2 40 10 0 none call"},
     NULL,
     DRAFT_07},
    {"W " ID "4.6.3/peer-prepared -> "
     "process,discard,close,err-inval-htype,err-read-chunks,err-write-chunks,err-segments,"
     "err-reply-resource,err-system",
     {OPEN, "< 7 2 40 8 0 1 0 0xd 40 0 0 0 0 0 0"},
     {OPEN, "> 9 2 40 7 1 5 4 3", "< 7 2 40 8 0 1 0 0xd 40 0 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "4.6.4/reverse-level @12 -> "
     "process,err-inval-htype,err-read-chunks,err-write-chunks,err-segments,"
     "err-reply-resource,err-system",
     {OPEN, "> 9 2 40 7 1 5 4 1", "< 7 2 40 8 0 1 0 0xd 40 0 0 0 0 0 0",
      "= a Call of another form than the client takes, which told level 1"},
     {OPEN, "> 9 2 40 7 1 5 4 3", "< 7 2 40 8 0 1 0 0xd 40 0 0 0 0 0 0"},
     NULL,
     DRAFT_07},
    {"V " ID "4.6.4/reverse-level @12 -> "
     "process,err-inval-htype,err-read-chunks,err-write-chunks,err-segments,"
     "err-reply-resource,err-system",
     {OPEN, "> 9 2 40 7 1 5 4 2", "< 7 2 40 10 0 0 1 1 0xa 100 0 0 0 0 call",
      "= a Call of another form than the client takes, which told level 2"},
     /* Of a Call in pieces the level that held at the first. */
     {OPEN, "> 9 2 40 6 1 5 4 2", "< 7 2 40 9 40 7 0 *6", "?> 9 2 40 7 1 5 4 1",
      "< 7 2 40 9 20 *5"},
     NULL,
     DRAFT_07},
    {"W " ID "4.6.4/reverse-reply-chunk @28 -> "
     "process,err-read-chunks,err-write-chunks,err-segments,err-reply-resource,err-system",
     {OPEN, "> 9 2 40 7 1 5 4 2", "< 7 2 40 10 0 0 0 1 1 0xa 100 0 0 call",
      "= a Call with a Reply chunk to a client that told level 2"},
     {OPEN, "> 9 2 40 7 1 5 4 3", "< 7 2 40 10 0 0 0 1 1 0xa 100 0 0 call"},
     NULL,
     DRAFT_07},
    {"W " ID_04
     "5.2.2/reverse-level @12 -> process,err-bad-xdr,err-read-chunks,err-write-chunks,err-system",
     {OPEN_04, "< 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call",
      "= a Call of another form than the client takes, whose level is 1"},
     {OPEN_04, "< 7 2 40 0 0 0 none call"},
     NULL,
     DRAFT_04},
    {"W " ID_04
     "5.2.2/reverse-level @12 -> process,err-bad-xdr,err-read-chunks,err-write-chunks,err-system",
     {OPEN_04, "> 9 2 40 6 1 2 4 0 0", "< 7 2 40 0 0 0 none call",
      "= a Call of another form than the client takes, whose level is 0"},
     {OPEN_04, "> 9 2 40 6 1 2 4 2 0", "< 7 2 40 0 0 0 0 1 1 0xa 100 0 0 0 0 call"},
     NULL,
     DRAFT_04},
    /* A Send of another version takes a receive buffer as any. */
    {"W 3.3.1/reply-receives-maintained",
     {OPEN_04, CALL_04(7), "?< 7 1 40 0 none reply", CALL_04(8), REPLY_04(8), "> notready 2"},
     {OPEN_04, CALL_04(7), "?< 7 1 40 0 none reply", CALL_04(8), REPLY_04(8), "> notready 1"},
     "",
     DRAFT_04},
};
#define ROWS COUNT(rows)

START_TEST(row)
{
    play_row(&rows[_i]);
}
END_TEST

PLAY_ROWS(rows)

int main(void)
{
    Suite *suite = suite_create("negotiation rules");
    TCase *tests = tcase_create("negotiation rules");
    tcase_add_loop_test(tests, row, 0, ROWS);
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
