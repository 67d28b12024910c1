// SPDX-License-Identifier: BSD-3-Clause
/* The rules of message scope: each broken by a Send, and nearly broken by another. */
#include "conformance/tests/support/play.h"
#include "conformance/tests/support/translate.h"
#include "conformance/base/count.h"

#define CALL "> 7 1 32 0 none call"
#define REFUSED "process,discard,err-chunk,garbage-args"

static const struct play_row rows[] = {
    /* ---- XID and message type ---- */
    {"V 4.2.1/xid-equal @28 -> process,err-chunk",
     {"> 7 1 32 0 none call:8", "= the XID of the RPC message is 0x8, that of the header 0x7"},
     {"> 7 1 32 0 none call:7"},
     NULL,
     DEFAULTS},
    {"V 4.2.1/xid-equal @28 -> process,discard",
     {CALL, "< 7 1 32 0 none reply:0",
      "= the XID of the RPC message is 0x0, that of the header 0x7"},
     {CALL, "< 7 1 32 0 none reply:7"},
     NULL,
     DEFAULTS},
    /* In pieces: it is reported as soon as the message type is there, and once. */
    {"V 4.2.1/xid-equal @0",
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 4 8", "< read 0xa 4 20 0 2 100003 3 0"},
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 4 7", "< read 0xa 4 20 0 2 100003 3 0"},
     "",
     DEFAULTS},
    {"V 4.2.1/xid-equal @0",
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 40 8 0 2 100003 3 0 0 0 0 0"},
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 40 7 0 2 100003 3 0 0 0 0 0"},
     "",
     DEFAULTS},
    {"V 2.2.2/message-type @32 -> discard,err-chunk",
     {"> 7 1 32 0 none 7 2 *8", "= the message type is 2, neither Call nor Reply"},
     {"> 7 1 32 0 none 7 0 2 *7"},
     NULL,
     DEFAULTS},
    {"V 2.2.2/message-type @32 -> discard",
     {CALL, "< 7 1 32 0 none 7 0xffffffff *4",
      "= the message type is 4294967295, neither Call nor Reply"},
     {CALL, "< 7 1 32 0 none 7 1 *4"},
     NULL,
     DEFAULTS},
    {"V 2.2.2/message-type @4",
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 40 7 2 2 *7"},
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 40 7 0 2 *7"},
     "",
     DEFAULTS},

    /* ---- the RPC header ---- */
    {"V 4/rpc-layout @32 -> " REFUSED,
     {"> 7 1 32 0 none 7", "= the RPC message ends after 4 octets"},
     {"> 7 1 32 0 none 7 0 2 *7"},
     NULL,
     DEFAULTS},
    {"V 4/rpc-layout @36 -> " REFUSED,
     {"> 7 1 32 0 none 7 0 3 100003 3 0 *4", "= the RPC version is 3, not 2"},
     {"> 7 1 32 0 none 7 0 2 100003 3 0 *4"},
     NULL,
     DEFAULTS},
    {"V 4/rpc-layout @64 -> " REFUSED,
     {"> 7 1 32 0 none 7 0 2 100003 3 0 *3"},
     {"> 7 1 32 0 none 7 0 2 100003 3 0 *4"},
     NULL,
     DEFAULTS},
    /* A credential of 401 octets, of an unknown flavor. */
    {"V 4/rpc-layout @56 -> " REFUSED,
     {"> 7 1 32 0 none 7 0 2 1 1 0 99 401 *101 0 0",
      "= this field of the RPC header has a value that RFC 5531 does not define"},
     {"> 7 1 32 0 none 7 0 2 1 1 0 99 400 *100 0 0"},
     NULL,
     DEFAULTS},
    {"V 4/rpc-layout @48 -> process,discard",
     {CALL, "< 7 1 32 0 none 7 1 0 0 0 6"},
     {CALL, "< 7 1 32 0 none 7 1 0 0 0 5"},
     NULL,
     DEFAULTS},
    {"V 4/rpc-layout @36 -> process,discard",
     {CALL, "< 7 1 32 0 none 7 1 2 0 0 0"},
     {CALL, "< 7 1 32 0 none 7 1 1 0 2 2"},
     NULL,
     DEFAULTS},
    {"V 4/rpc-layout @44 -> process,discard",
     {CALL, "< 7 1 32 0 none 7 1 1 1 19"},
     {CALL, "< 7 1 32 0 none 7 1 1 1 18"},
     NULL,
     DEFAULTS},
    {"V 4/rpc-layout @8",
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 40 7 0 1 *7",
      "= the RPC version is 1, not 2"},
     {"> 7 1 32 1 1 0 0xa 40 0 0 0 0 0", "< read 0xa 0 16 7 0 2 1"},
     "",
     DEFAULTS},
    /* Of another version nothing more is said: it may mean something else by these words. */
    {"V 4/rpc-layout @8",
     {"> 7 1 32 1 1 0 0xa 60 0 0 1 60 0xb 4 0 0 0 0 0",
      "< read 0xa 0 60 7 0 1 100003 3 7 6 20 1 0 1 3 0 *2"},
     {"> 7 1 32 1 1 0 0xa 60 0 0 1 60 0xb 4 0 0 0 0 0",
      "< read 0xa 0 60 7 0 2 100003 3 7 6 20 1 0 1 1 0"},
     "",
     DEFAULTS},

    /* ---- Positions ---- */
    {"V 3.4.2/position-in-rpc-header @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 36 0xa 4 0 0 0 0 0 call",
      "= Position 36 lies in the RPC header; the arguments begin at 40"},
     {"> 7 1 32 0 1 40 0xa 4 0 0 0 0 0 call"},
     NULL,
     DEFAULTS},
    {"V 3.4.2/position-in-rpc-header @44 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 40 0xa 4 0 0 1 4 0xb 4 0 0 0 0 0 call",
      "= Position 4 lies in the RPC header; the arguments begin at 40"},
     {"> 7 1 32 0 1 44 0xa 4 0 0 1 40 0xb 4 0 0 0 0 0 call"},
     NULL,
     DEFAULTS},
    {"V 3.4.5/position-in-bounds @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 44 0xa 4 0 0 0 0 0 call",
      "= Position 44 lies beyond the payload, which ends at 40"},
     {"> 7 1 32 0 1 44 0xa 4 0 0 0 0 0 call *1"},
     NULL,
     DEFAULTS},
    /* The lower chunk counts back in, rounded up. */
    {"V 3.4.5/position-in-bounds @44 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 40 0xa 5 0 0 1 52 0xb 4 0 0 0 0 0 call",
      "= Position 52 lies beyond the payload, which ends at 48"},
     {"> 7 1 32 0 1 40 0xa 5 0 0 1 48 0xb 4 0 0 0 0 0 call"},
     NULL,
     DEFAULTS},
    {"V 3.4.5/position-in-bounds @44 -> err-chunk,garbage-args",
     {"> 7 1 32 1 1 0 0xa 44 0 0 1 48 0xb 4 0 0 0 0 0"},
     {"> 7 1 32 1 1 0 0xa 44 0 0 1 44 0xb 4 0 0 0 0 0"},
     NULL,
     DEFAULTS},

    /* ---- RPCSEC_GSS ---- */
    {"V 8.2.2.3/payload-not-reduced @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 60 0xa 4 0 0 0 0 0 gss:0:2",
      "= a Read chunk at Position 60 in a Call under RPCSEC_GSS service 2"},
     {"> 7 1 32 0 1 60 0xa 4 0 0 0 0 0 gss:0:1"},
     NULL,
     DEFAULTS},
    {"V 8.2.2.3/payload-not-reduced @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 60 0xa 4 0 0 0 0 0 gss:0:3",
      "= a Read chunk at Position 60 in a Call under RPCSEC_GSS service 3"},
     {"> 7 1 32 0 1 60 0xa 4 0 0 0 0 0 gss:0:4"},
     NULL,
     DEFAULTS},
    {"V 8.2.2.3/payload-not-reduced",
     {"> 7 1 32 1 1 0 0xa 60 0 0 1 60 0xb 4 0 0 0 0 0",
      "< read 0xa 0 60 7 0 2 100003 3 0 6 20 1 0 9 2 0 0 0",
      "= the Long Call has a Read chunk at Position 60 and RPCSEC_GSS service 2"},
     {"> 7 1 32 1 1 0 0xa 60 0 0 0 0 0", "< read 0xa 0 60 7 0 2 100003 3 0 6 20 1 0 9 2 0 0 0"},
     "",
     DEFAULTS},
    /* The last octet of the service is not there: not even that of a Call long before. */
    {"V 8.2.2.3/payload-not-reduced",
     {"> 1 1 32 1 1 0 0xa 60 0 0 0 0 0", "< read 0xa 0 60 1 0 2 100003 3 0 6 20 1 0 9 2",
      "< 1 1 32 0 none reply", "> 2 1 32 0 none call",
      "> 3 1 32 1 1 0 0xb 60 0 0 1 60 0xc 4 0 0 0 0 0",
      "< read 0xb 0 60 3 0 2 100003 3 0 6 20 1 0 9 2"},
     {"> 1 1 32 1 1 0 0xa 60 0 0 0 0 0", "< read 0xa 0 60 1 0 2 100003 3 0 6 20 1 0 9 2",
      "< 1 1 32 0 none reply", "> 2 1 32 0 none call",
      "> 3 1 32 1 1 0 0xb 60 0 0 1 60 0xc 4 0 0 0 0 0",
      "< read 0xb 0 60 3 0 2 100003 3 0 6 20 1 0 9 +3"},
     "",
     {.max_calls = 1, .max_segments = 1}},
    {"W 8.2.2.3/write-list-under-gss @20 -> process",
     {"> 7 1 32 0 0 1 1 0xa 4 0 0 0 0 gss:0:3",
      "= a Write list in a Call under RPCSEC_GSS service 3"},
     {"> 7 1 32 0 0 1 1 0xa 4 0 0 0 0 gss:0:1"},
     NULL,
     DEFAULTS},
    {"W 8.2.2.3/write-list-under-gss @20 -> process",
     {"> 7 1 32 0 0 1 0 0 0 gss:0:2", "= a Write list in a Call under RPCSEC_GSS service 2"},
     {"> 7 1 32 0 0 0 1 1 0xa 4 0 0 gss:0:2"},
     NULL,
     DEFAULTS},
    {"V 8.2.2/gss-elements-not-reduced @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 24 0xa 4 0 0 0 0 0 gss:0:1",
      "= Position 24 lies in the RPCSEC_GSS credential or verifier"},
     {"> 7 1 32 0 1 60 0xa 4 0 0 0 0 0 gss:0:1"},
     NULL,
     DEFAULTS},
    {"V 8.2.2/gss-elements-not-reduced @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 56 0xa 4 0 0 0 0 0 gss:0:2",
      "= Position 56 lies in the RPCSEC_GSS credential or verifier"},
     {"> 7 1 32 0 none gss:0:2"},
     NULL,
     DEFAULTS},
    {"V 8.2.2/gss-elements-not-reduced @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 60 0xa 4 0 0 0 0 0 gss:1:1",
      "= a Read chunk at Position 60 in a Call that sets up or ends an RPCSEC_GSS context"},
     {"> 7 1 32 0 none gss:1:1"},
     NULL,
     DEFAULTS},
};
#define ROWS COUNT(rows)

START_TEST(row)
{
    play_row(&rows[_i]);
}
END_TEST

/* As far as version 2 has such a message. */
START_TEST(in_drafts)
{
    translate_row(&rows[_i], RPCRDMA_PROTOCOL_2_04);
    translate_row(&rows[_i], RPCRDMA_PROTOCOL_2_07);
}
END_TEST

START_TEST(all_rules)
{
    play_assert_all_rules(RPCRDMA_SCOPE_MESSAGE, rows, ROWS);
}
END_TEST

PLAY_ROWS(rows)

int main(void)
{
    Suite *suite = suite_create("message rules");
    TCase *tests = tcase_create("message rules");
    tcase_add_loop_test(tests, row, 0, ROWS);
    tcase_add_loop_test(tests, in_drafts, 0, ROWS);
    tcase_add_test(tests, all_rules);
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
