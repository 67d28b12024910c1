// SPDX-License-Identifier: BSD-3-Clause
/* The rules of connection scope: events of which the last breaks them, or nearly does. */
#include "conformance/tests/support/play.h"
#include "conformance/tests/support/translate.h"
#include "conformance/base/count.h"

#define CALL(xid) "> " #xid " 1 32 0 none call"
#define REPLY(xid) "< " #xid " 1 32 0 none reply"
#define REPLY_CHUNK_CALL "> 7 1 32 0 0 0 1 1 0xa 5000 0 0 call"
/* An RDMA_MSG of this many octets: 28 of header, 24 of RPC header. */
#define REPLY_OF_1024 "< 7 1 32 0 none reply *243"
#define REPLY_OF_1028 "< 7 1 32 0 none reply *244"
/* Private data: 4096 octets to send, 8192 to receive; with and without remote invalidation. */
#define PRIVATE "private 0xf6ab0e18 0x01010307"
#define PRIVATE_PLAIN "private 0xf6ab0e18 0x01000307"
#define PRIVATE_VERSION_2 "private 0xf6ab0e18 0x02010307"
#define PRIVATE_OTHER "private 0x11223344 0x01010307"

#define BETWEEN                                                                                    \
    {                                                                                              \
        .seen_between = true                                                                       \
    }

static const struct play_row rows[] = {
    /* ---- XIDs ---- */
    {"W 2.2.2/xid-unique @0 -> process",
     {CALL(7), "> 7 1 32 0 none call *1",
      "= another Call with XID 0x7 is still waiting for its Reply"},
     {CALL(7), CALL(7)},
     NULL,
     DEFAULTS},
    {"W 2.2.2/xid-unique @0 -> process",
     {CALL(7), "> 7 1 32 0 none call4"},
     {CALL(7), REPLY(7), "> 7 1 32 0 none call4"},
     NULL,
     DEFAULTS},
    {"W 2.2.2/xid-unique @0 -> process",
     {"> 7 1 32 0 none gss:0:2", "> 7 1 32 0 none 7 0 2 100003 3 1 6 20 1 0 9 2 0 0 0"},
     /* A protected Call sent again has another sequence number and other arguments. */
     {"> 7 1 32 0 none 7 0 2 100003 3 1 6 20 1 0 1 2 0 0 0 1 2 3",
      "> 7 1 32 0 none 7 0 2 100003 3 1 6 20 1 0 2 2 0 0 0 4 5 6"},
     NULL,
     DEFAULTS},
    {"W 2.2.2/xid-unique @0 -> process",
     {CALL(7), "> 7 1 32 0 none call *1"},
     {CALL(7), "< 7 1 32 0 none call4"},
     NULL,
     DEFAULTS},
    /* The sender may choose another form each time: two segments, inline, a Long Call. */
    {"W 2.2.2/xid-unique @0 -> process",
     {"> 7 1 32 0 1 40 0xa 8 0 0 0 0 0 call", "> 7 1 32 0 1 40 0xa 12 0 0 0 0 0 call"},
     {"> 7 1 32 0 1 40 0xa 8 0 0 0 0 0 call", "> 7 1 32 0 1 40 0xb 4 0 0 1 40 0xc 4 0 0 0 0 0 call",
      "> 7 1 32 0 none call *2", "> 7 1 32 1 1 0 0xd 48 0 0 0 0 0"},
     NULL,
     DEFAULTS},
    {"W 2.2.2/xid-unique @0 -> process",
     {"> 7 1 32 0 none call *2", "> 7 1 32 1 1 0 0xd 52 0 0 0 0 0"},
     {"> 7 1 32 1 1 0 0xd 48 0 0 0 0 0", "> 7 1 32 0 none call *2"},
     NULL,
     DEFAULTS},

    /* ---- credits ---- */
    {"V 3.3.3/one-credit-at-first -> process,close",
     {CALL(7), CALL(8), "= 2 Calls are in flight, and nothing was answered yet"},
     {CALL(7), REPLY(7), CALL(8), CALL(9)},
     NULL,
     DEFAULTS},
    {"W 3.3.3/valid-reply-first -> process,close",
     {CALL(7), "< 7 1 32 4 2", CALL(8), CALL(9),
      "= 2 Calls are in flight, and nothing but RDMA_ERROR was received"},
     {CALL(7), "< 7 1 32 4 2", CALL(8)},
     NULL,
     DEFAULTS},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), CALL(9), CALL(10),
      "= 3 Calls are in flight; 2 are granted"},
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), CALL(9), CALL(9)},
     NULL,
     DEFAULTS},
    /* A lower grant counts from when it comes, a Call that ended frees its credit. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), CALL(10), "< 8 1 1 0 none reply",
      "< 9 1 1 0 none reply", CALL(11), "= 2 Calls are in flight; 1 are granted"},
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), CALL(10), "< 8 1 1 0 none reply",
      "< 9 1 1 0 none reply", "< 10 1 1 0 none reply", CALL(11)},
     NULL,
     DEFAULTS},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(9), CALL(10)},
     /* Not even a lower grant of zero counts, nor one in a Reply that is to be dropped. */
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), "?< 8 1 1 0 none 8 9 *4", CALL(9), CALL(10)},
     NULL,
     DEFAULTS},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), CALL(9)},
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "< 8 1 32 4 2", CALL(9), CALL(10)},
     NULL,
     DEFAULTS},
    /* An RDMA_ERROR without a grant leaves the one before. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "?< 8 1 0 4 2", CALL(9), CALL(10)},
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), "?< 8 1 0 4 2", CALL(9), CALL(10)},
     NULL,
     DEFAULTS},
    /* Seen on the way: who has not seen the lower grant has not seen the Reply either, and counts
     * its Call as well. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), CALL(10), "< 8 1 2 0 none reply", CALL(11),
      "= 3 Calls are in flight; 2 are granted"},
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), "< 8 1 1 0 none reply", CALL(10)},
     NULL,
     BETWEEN},
    /* Who counts by the lower grant no longer counts by the one before. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), CALL(9), "< 8 1 1 0 none reply",
      "< 9 1 1 0 none reply", CALL(10), CALL(11)},
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), CALL(9), "< 8 1 1 0 none reply",
      "< 9 1 1 0 none reply", CALL(10)},
     NULL,
     BETWEEN},
    /* One that came twice is one. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(8), CALL(9), "< 8 1 1 0 none reply", CALL(10),
      CALL(11)},
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(8), CALL(9), "< 8 1 1 0 none reply", CALL(10)},
     NULL,
     BETWEEN},
    /* Nor does one that comes again end as if it were answered. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), "< 8 1 1 0 none reply", CALL(9), CALL(10),
      CALL(11)},
     {CALL(7), "< 7 1 3 0 none reply", CALL(8), CALL(9), "< 8 1 1 0 none reply", CALL(9), CALL(10)},
     NULL,
     BETWEEN},
    /* A copy that comes after the Reply may have been sent before it; another Call with its XID was
       not. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "< 8 1 1 0 none reply", "> 8 1 32 0 none call4",
      CALL(9)},
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(8), CALL(9)},
     NULL,
     BETWEEN},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(8), CALL(8), CALL(9),
      "< 8 1 1 0 none reply", CALL(10)},
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "< 8 1 1 0 none reply", CALL(8), CALL(8), CALL(9),
      "< 8 1 1 0 none reply"},
     NULL,
     BETWEEN},
    /* Nor one that nothing shows to be a grant, once there are Calls both ways. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {"> 7 1 32 0 0 0 1 1 0xa 5000 0 0 call", "< 7 1 2 0 0 0 1 1 0xa 0 0 0 reply",
      "> 8 1 32 0 0 0 1 1 0xa 5000 0 0 call", "< 8 1 1 1 0 0 1 1 0xa 1000 0 0", CALL(9), CALL(10)},
     {"> 7 1 32 0 0 0 1 1 0xa 5000 0 0 call", "< 7 1 2 0 0 0 1 1 0xa 0 0 0 reply",
      "< 7 1 9 0 none call", "> 8 1 32 0 0 0 1 1 0xa 5000 0 0 call",
      "< 8 1 1 1 0 0 1 1 0xa 1000 0 0", CALL(9), CALL(10)},
     near_of_version_1,
     DEFAULTS}, /* the header of version 2 says that it is a Reply */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 2 0 none reply", CALL(8), "< 8 1 1 4 2", CALL(9), CALL(10)},
     {CALL(7), "< 7 1 2 0 none reply", "< 7 1 9 0 none call", CALL(8), "< 8 1 1 4 2", CALL(9),
      CALL(10)},
     near_of_version_1,
     DEFAULTS},
    /* A Reply with another XID in its header can have been taken by that of the RPC message. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "?< 9 1 1 0 none call:9", CALL(10)},
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "?< 9 1 1 0 none 8 1 *4", CALL(10)},
     NULL,
     DEFAULTS},
    {"V 3.3.3/one-credit-at-first -> process,close",
     {CALL(7), "?< 9 1 8 0 none 9 1 *4", CALL(10)},
     {CALL(7), "?< 9 1 8 0 none 7 1 *4", CALL(10), CALL(11)},
     NULL,
     DEFAULTS},
    /* Each direction has its own. */
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 9 0 none reply", "< 7 1 9 0 none call", "> 7 1 1 0 none reply",
      "< 8 1 9 0 none call", "< 9 1 9 0 none call"},
     {CALL(7), "< 7 1 9 0 none reply", "< 7 1 9 0 none call", "> 7 1 1 0 none reply",
      "< 8 1 9 0 none call", CALL(8), CALL(9)},
     NULL,
     DEFAULTS},
    {"V 3.3.1/calls-within-grant -> process,close",
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), CALL(9)},
     {CALL(7), "< 7 1 1 0 none reply", CALL(8), "> gap", CALL(9), CALL(10)},
     NULL,
     DEFAULTS},
    {"N 3.3.1/calls-within-request @8 -> process",
     {CALL(7), REPLY(7), CALL(8), "> 9 1 1 0 none call",
      "= 2 Calls are in flight; the Requester asks for 1"},
     {CALL(7), REPLY(7), CALL(8), "> 9 1 2 0 none call"},
     NULL,
     DEFAULTS},

    /* ---- inline thresholds ---- */
    {"N 3.3.3/send-above-default -> process,close",
     {CALL(7), REPLY_OF_1028, "= the Send has 1028 octets; the default threshold is 1024"},
     {CALL(7), REPLY_OF_1024},
     NULL,
     DEFAULTS},
    /* Who announced nothing is bound by none of RFC 8797. */
    {"N 3.3.3/send-above-default -> process,close",
     {">" PRIVATE_OTHER, CALL(7), REPLY_OF_1028},
     {">" PRIVATE_OTHER, CALL(7), REPLY_OF_1024},
     NULL,
     DEFAULTS},
    {"N 3.3.3/send-above-default -> process,close",
     {">" PRIVATE, CALL(7), REPLY_OF_1028},
     {">" PRIVATE, "<" PRIVATE, CALL(7), REPLY_OF_1028},
     NULL,
     DEFAULTS},
    {"V 4.2.4/send-within-threshold -> process,close",
     {CALL(7), REPLY_OF_1024, "= the Send has 1024 octets; the inline threshold is 1020"},
     {CALL(7), "< 7 1 32 0 none reply *242"},
     NULL,
     {.inline_threshold = {0, 1020}}},
    {"V 4.2.4/send-within-threshold -> process,close",
     {">" PRIVATE, "<" PRIVATE, "> 7 1 32 0 none call *1008",
      "= the Send has 4100 octets; the inline threshold is 4096"},
     {">" PRIVATE, "<" PRIVATE, "> 7 1 32 0 none call *1007"},
     NULL,
     DEFAULTS},
    {"V 4.2.4/send-within-threshold -> process,close",
     {CALL(7), "< 7 1 32 0 none reply *8 cut:32"},
     {CALL(7), "< 7 1 32 0 none reply *7 cut:28"},
     NULL,
     {.inline_threshold = {80, 80}}},
    {"V 3.5.3/reply-chunk-used -> process,close",
     {REPLY_CHUNK_CALL, "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply *1",
      "= the Send has 76 octets; the inline threshold is 72"},
     {REPLY_CHUNK_CALL, "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply"},
     NULL,
     {.inline_threshold = {0, 72}}},
    {"V 3.5.3/reply-chunk-used -> process,close",
     {REPLY_CHUNK_CALL, "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply *1"},
     {REPLY_CHUNK_CALL, "< 7 1 32 1 0 0 1 1 0xa 4096 0 0"},
     NULL,
     {.inline_threshold = {0, 72}}},

    /* ---- roles ---- */
    {"V 4.2.4/requester-sends-no-error @12 -> discard",
     {CALL(7), "?< 7 1 32 0 none 7 2 *4", "> 7 1 32 4 2"},
     {CALL(7), "< 8 1 32 0 none call", "> 8 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"V 4.2.4/requester-sends-no-error @12 -> discard",
     {CALL(7), "?< 7 1 32 0 2 0 0", "> 7 1 32 4 2"},
     {CALL(7), "< 5 1 32 0 none call", "?< 7 1 32 0 2 0 0", "> 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"W rfc8167/6/peer-prepared -> process,discard,close",
     {"< 7 1 32 0 none call"},
     {CALL(7), "< 7 1 32 0 none call"},
     NULL,
     DEFAULTS},
    {"W rfc8167/6/peer-prepared -> process,discard,close",
     {"?> 7 1 32 0 2 0 0", "< 8 1 32 0 none call"},
     {"> gap", "< 8 1 32 0 none call"},
     NULL,
     DEFAULTS},

    /* ---- private data ---- */
    {"V rfc8797/4/eight-octets @0",
     {"> private 0xf6ab0e18 +3", "= of the 8 octets that the identifier begins, 7 are there"},
     {"> private 0xf6ab0e18 0x01000000"},
     "",
     DEFAULTS},
    /* Its last octet was not recorded. */
    {"V rfc8797/4/eight-octets @0",
     {"> private 0xf6ab0e18 +3"},
     {"> private 0xf6ab0e18 +4 cut:1"},
     "",
     DEFAULTS},
    {"V rfc8797/4/eight-octets @4",
     {"> private 0 0xf6ab0e18", "= of the 8 octets that the identifier begins, 4 are there"},
     {"> private 0 0xf6ab0e19"},
     "",
     DEFAULTS},
    {"N rfc8797/4/format-at-start @1",
     {"> private 0x00f6ab0e 0x18010103 +1", "= the message begins at octet 1 of the private data"},
     {"> private 0xf6ab0e18 0x01010300 *5"},
     "",
     DEFAULTS},
    /* Its flags are there, too, and not where they would be at the beginning. */
    {"N rfc8797/4/format-at-start @2",
     {"> private 0x0000f6ab 0x0e180100 +2", "= the message begins at octet 2 of the private data"},
     {"> private 0xf6ab0e18 0x01000000"},
     "",
     DEFAULTS},
    {"N rfc8797/4/version-known @4",
     {">" PRIVATE_VERSION_2, "= the format version is 2, not 1"},
     {">" PRIVATE},
     "",
     DEFAULTS},
    {"V rfc8797/4/reserved-bits-zero @5",
     {"> private 0xf6ab0e18 0x01020303", "= the flags octet is 0x2; only bit 0 is defined"},
     {"> private 0xf6ab0e18 0x01010303"},
     "",
     DEFAULTS},
    {"V rfc8797/4.1/plain-send-without-support -> process,close",
     {">" PRIVATE, "<" PRIVATE_PLAIN, "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call",
      "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply inv:0xa"},
     {">" PRIVATE, "<" PRIVATE, "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call",
      "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply inv:0xa"},
     NULL,
     DEFAULTS},
    {"V rfc8797/4.1/plain-send-without-support -> process,close",
     {">" PRIVATE_PLAIN, "<" PRIVATE, "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call",
      "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply inv:0xa"},
     {">" PRIVATE_PLAIN, "<" PRIVATE, "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call",
      "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply"},
     NULL,
     DEFAULTS},
    {"W rfc8797/5.1/defaults-in-silence -> process,close",
     {"<" PRIVATE, CALL(7), REPLY_OF_1028,
      "= the Send has 1028 octets; the default threshold is 1024"},
     {"<" PRIVATE, CALL(7), REPLY_OF_1024},
     NULL,
     DEFAULTS},
    {"V rfc8797/5.1/defaults-without-message -> process,close",
     {">" PRIVATE_OTHER, "<" PRIVATE, CALL(7), REPLY_OF_1028,
      "= the Send has 1028 octets; the default threshold is 1024"},
     {">" PRIVATE_OTHER, "<" PRIVATE, CALL(7), REPLY_OF_1024},
     NULL,
     DEFAULTS},
    {"V rfc8797/5.1/defaults-without-message -> process,close",
     {"?>" PRIVATE_VERSION_2, "<" PRIVATE, "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call",
      "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply inv:0xa",
      "= a Send With Invalidate to a peer that sent no private data of RFC 8797"},
     {"?>" PRIVATE_VERSION_2, "<" PRIVATE, "> 7 1 32 0 0 0 1 1 0xa 100 0 0 call",
      "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply"},
     NULL,
     DEFAULTS},
};
PLAY_ROWS(rows)

/* Chunk lists of a Call: as they are, and with one thing else. Only for a Call that was sent again
 * as it was is known what its Reply has to bring back. */
static const char *const offers[] = {
    "0 1 2 10 100 5 4096 11 50 5 8192 0 0",
    "0 1 2 9 100 5 4096 11 50 5 8192 0 0",
    "0 1 2 12 100 5 4096 11 50 5 8192 0 0",
    "0 1 2 10 99 5 4096 11 50 5 8192 0 0",
    "0 1 2 10 101 5 4096 11 50 5 8192 0 0",
    "0 1 2 10 100 4 4096 11 50 5 8192 0 0",
    "0 1 2 10 100 6 4096 11 50 5 8192 0 0",
    "0 1 2 10 100 5 4095 11 50 5 8192 0 0",
    "0 1 2 10 100 5 4097 11 50 5 8192 0 0",
    "0 1 2 10 100 5 4096 11 50 5 8193 0 0",
    "0 1 1 10 100 5 4096 1 1 11 50 5 8192 0 0", /* two chunks */
    "0 1 1 10 100 5 4096 0 0",
    "0 1 3 10 100 5 4096 11 50 5 8192 12 9 5 16384 0 0",
    "0 1 2 10 100 5 4096 11 50 5 8192 1 0 0 0",
    "0 1 0 1 2 10 100 5 4096 11 50 5 8192 0 0",
    "0 1 2 10 100 5 4096 11 50 5 8192 0 1 1 13 9 5 16384",
    "0 1 2 10 100 5 4096 11 50 5 8192 0 1 1 13 9 5 16383",
    "0 1 2 10 100 5 4096 11 50 5 8192 0 1 1 13 8 5 16384",
    "0 1 2 10 100 5 4096 11 50 5 8192 0 1 2 13 9 5 16384 14 9 5 16384",
    "0 0 1 2 10 100 5 4096 11 50 5 8192",
    "0 1 1 0 0 0 0 0 0",
    "0 1 0 0 0",
};
#define OFFERS ((int)COUNT(offers))

START_TEST(sent_again)
{
    static max_align_t memory[64 * 1024];
    const struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    for (int again = 0; again < OFFERS; again++) {
        struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
        struct rpcrdma_judgement judgement;
        char call[256];
        ck_assert_ptr_nonnull(check);
        snprintf(call, sizeof call, "> 7 1 32 0 %s call", offers[_i]);
        play_judge(check, call, &judgement);
        snprintf(call, sizeof call, "> 7 1 32 0 %s call", offers[again]);
        play_judge(check, call, &judgement);
        play_judge(check, "< 7 1 32 0 0 1 5 *20 0 0 reply", &judgement); /* wrong for all of them */
        ck_assert_msg((judgement.count > 0) == (again == _i), "%s, then %s", offers[_i], call);
    }
}
END_TEST

/* Seen on the way: a Requester that has seen none of the lower grants yet may use the first in
 * full, however many there were; not more than that, as long as the checker remembers each of them.
 */
enum { GRANTED = 180, STEP = 4, FALLING = 40, REMEMBERED = 15 };

START_TEST(falling_grants)
{
    static max_align_t memory[256 * 1024];
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    struct rpcrdma_judgement judgement;
    char text[64];
    int xid = 1;
    config.seen_between = true;
    config.max_calls = GRANTED + 2;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    ck_assert_ptr_nonnull(check);
    play_judge(check, "> 1 1 180 0 none call", &judgement);
    play_judge(check, "< 1 1 180 0 none reply", &judgement);
    for (int sent = 0; sent < _i; sent++) {
        snprintf(text, sizeof text, "> %d 1 180 0 none call", ++xid);
        play_judge(check, text, &judgement);
        ck_assert_uint_eq(judgement.count, 0);
    }
    for (int answered = 0; answered < _i; answered++) {
        snprintf(text, sizeof text, "< %d 1 %d 0 none reply", 2 + answered,
                 GRANTED - STEP * (answered + 1));
        play_judge(check, text, &judgement);
        ck_assert_uint_eq(judgement.count, 0);
    }
    for (int sent = _i; sent <= GRANTED; sent++) {
        snprintf(text, sizeof text, "> %d 1 180 0 none call", ++xid);
        play_judge(check, text, &judgement);
        bool is_beyond = sent == GRANTED;
        if (!is_beyond || _i < REMEMBERED)
            ck_assert_msg((judgement.count > 0) == is_beyond, "%d falling grants, Call %d", _i,
                          sent);
    }
}
END_TEST

static void add_more(TCase *tests)
{
    tcase_add_loop_test(tests, sent_again, 0, OFFERS);
    tcase_add_loop_test(tests, falling_grants, 0, FALLING);
}

int main(void)
{
    return play_version1("connection rules", RPCRDMA_SCOPE_CONNECTION, add_more);
}
