// SPDX-License-Identifier: BSD-3-Clause
/* The rules of transaction scope: an answer that breaks them, and one that nearly does. */
#include "conformance/tests/support/play.h"
#include "conformance/tests/support/translate.h"
#include "conformance/base/count.h"

#define CALL "> 7 1 32 0 none call"
#define REPLY "< 7 1 32 0 none reply"
/* A Write chunk of two segments of 100 octets. */
#define WRITE_CALL "> 7 1 32 0 0 1 2 0xa 100 0 0 0xb 100 0 5 0 0 call"
#define TWO_WRITES_CALL "> 7 1 32 0 0 1 1 0xa 100 0 0 1 1 0xb 100 0 0 0 0 call"
/* A Reply chunk of two segments of 100 octets. */
#define REPLY_CALL "> 7 1 32 0 0 0 1 2 0xa 100 0 0 0xb 100 0 5 call"
/* A Write chunk and a Reply chunk of 100 octets. */
#define LONG_REPLY_CALL "> 7 1 32 0 0 1 1 0xa 100 0 0 0 1 1 0xb 100 0 0 call"
#define READ_CALL(xid) "> " #xid " 1 32 0 1 40 0xa 4 0 0 0 0 0 call"
/* Both sides take Sends With Invalidate. */
#define BOTH_INVALIDATE "> private 0xf6ab0e18 0x01010303", "< private 0xf6ab0e18 0x01010303"
#define REVERSE                                                                                    \
    {                                                                                              \
        .reverse_direction = true                                                                  \
    }
#define EMPTY_CALL "> 7 1 32 0 0 1 0 0 0 call"
#define PROTECTED_CALL "?> 7 1 32 0 0 1 1 0xa 100 0 0 0 0 gss:0:2"
#define VERSION_2_CALL "?> 7 2 32 0 none call"
/* Header XID 7, RPC XID 8. */
#define TWO_XIDS_CALL "?> 7 1 32 0 none call:8"

static const struct play_row rows[] = {
    /* ---- the Call that is answered ---- */
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL, "< 8 1 32 0 none reply", "= no Call with XID 0x8 waits for a Reply"},
     {CALL, REPLY},
     NULL,
     DEFAULTS},
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL, REPLY, REPLY, "= XID 0x7 was answered before"},
     {CALL, CALL, REPLY, REPLY},
     NULL,
     DEFAULTS},
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL, "< 7 1 32 4 2", REPLY},
     {CALL, REPLY, CALL, REPLY},
     NULL,
     DEFAULTS},
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL, "> 7 1 32 0 none reply", "= no Call with XID 0x7 waits for a Reply"},
     {CALL, "< 7 1 32 0 none call", "> 7 1 32 0 none reply"},
     NULL,
     DEFAULTS},
    /* A Call that is in doubt and forgotten may be answered yet. */
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL, "< 8 1 32 0 none reply"},
     {CALL, "?< 7 1 32 0 2 0 0", "?> 8 1 32 0 none call", "?> 9 1 32 0 none call", REPLY},
     NULL,
     {.max_calls = 1}},
    /* A message that the Responder could not take is answered as well, before or after. */
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL, "< 7 1 32 4 2", REPLY},
     {CALL, "?> 7 1 32 0 2 0 0", "< 7 1 32 4 2", REPLY},
     NULL,
     DEFAULTS},
    {"V 2.2.2/reply-matches-call @0 -> discard",
     {CALL, REPLY, REPLY},
     {CALL, "?< 7 1 32 0 2 0 0", REPLY},
     NULL,
     DEFAULTS},

    /* ---- the Write list ---- */
    {"V 3.4.3/memory-from-requester @20 -> discard",
     {CALL, "< 7 1 32 0 0 1 1 0xa 9 0 0 0 0 reply",
      "= 1 Write chunks come back; the Call offered none"},
     {CALL, REPLY},
     NULL,
     DEFAULTS},
    {"V 3.4.3/memory-from-requester @24 -> discard",
     {CALL, "< 7 1 32 0 0 0 1 1 0xa 0 0 0 reply"},
     {REPLY_CALL, "< 7 1 32 0 0 0 1 2 0xa 0 0 0 0xb 0 0 5 reply"},
     NULL,
     DEFAULTS},
    {"V 3.4.6/segment-count-copied @20 -> discard",
     {WRITE_CALL, REPLY, "= 0 Write chunks come back; the Call offered 1"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 0 0 0 0xb 0 0 5 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 3.4.6/segment-count-copied @24 -> discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 1 0xa 100 0 0 0 0 reply",
      "= rdma_writes[0] has 1 segments; the Call offered 2"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 100 0 0 0xb 0 0 5 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 3.4.6/segment-count-copied @28 -> discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xc 100 0 0 0xb 0 0 5 0 0 reply",
      "= the returned segment has handle 0xc; the offered one has 0xa"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 100 0 0 0xb 1 0 5 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 3.4.6/segment-count-copied @52 -> discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 100 0 0 0xb 0 1 5 0 0 reply",
      "= the returned segment has offset 0x100000005; the offered one has 0x5"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 99 0 0 0xb 0 0 5 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 3.4.6/returned-length-within-offer @32 -> discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 101 0 0 0xb 0 0 5 0 0 reply",
      "= 101 octets are returned of a segment of 100"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 100 0 0 0xb 100 0 5 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 3.4.6/filled-in-order @48 -> discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 99 0 0 0xb 1 0 5 0 0 reply",
      "= a segment holds 1 octets although one before it is not full"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 100 0 0 0xb 1 0 5 0 0 reply"},
     NULL,
     DEFAULTS},
    /* An empty segment is full. */
    {"V 3.4.6/filled-in-order @48 -> discard",
     {"> 7 1 32 0 0 1 2 0xa 1 0 0 0xb 9 0 0 0 0 call",
      "< 7 1 32 0 0 1 2 0xa 0 0 0 0xb 9 0 0 0 0 reply",
      "= a segment holds 9 octets although one before it is not full"},
     {"> 7 1 32 0 0 1 2 0xa 0 0 0 0xb 9 0 0 0 0 call",
      "< 7 1 32 0 0 1 2 0xa 0 0 0 0xb 9 0 0 0 0 reply"},
     NULL,
     DEFAULTS},
    /* And it changes nothing of one before it. */
    {"V 3.4.6/filled-in-order @64 -> discard",
     {"> 7 1 32 0 0 1 3 0xa 100 0 0 0xb 0 0 0 0xc 100 0 0 0 0 call",
      "< 7 1 32 0 0 1 3 0xa 99 0 0 0xb 0 0 0 0xc 1 0 0 0 0 reply"},
     {"> 7 1 32 0 0 1 3 0xa 100 0 0 0xb 0 0 0 0xc 100 0 0 0 0 call",
      "< 7 1 32 0 0 1 3 0xa 100 0 0 0xb 0 0 0 0xc 1 0 0 0 0 reply"},
     NULL,
     DEFAULTS},
    {"N 4.3.2.1/chunks-used-in-order @48 -> process",
     {TWO_WRITES_CALL, "< 7 1 32 0 0 1 1 0xa 0 0 0 1 1 0xb 9 0 0 0 0 reply",
      "= rdma_writes[1] is used although one before it is not"},
     {TWO_WRITES_CALL, "< 7 1 32 0 0 1 1 0xa 1 0 0 1 1 0xb 9 0 0 0 0 reply"},
     NULL,
     DEFAULTS},
    /* One between them that had no room changes nothing of the one before. */
    {"N 4.3.2.1/chunks-used-in-order @72 -> process",
     {"?> 7 1 32 0 0 1 1 0xa 100 0 0 1 1 0xc 0 0 0 1 1 0xb 100 0 0 0 0 call",
      "< 7 1 32 0 0 1 1 0xa 0 0 0 1 1 0xc 0 0 0 1 1 0xb 9 0 0 0 0 reply"},
     {"?> 7 1 32 0 0 1 1 0xa 100 0 0 1 1 0xc 0 0 0 1 1 0xb 100 0 0 0 0 call",
      "< 7 1 32 0 0 1 1 0xa 1 0 0 1 1 0xc 0 0 0 1 1 0xb 9 0 0 0 0 reply"},
     NULL,
     DEFAULTS},
    {"N 4.3.2.1/chunks-used-in-order @56 -> process",
     {"> 7 1 32 0 0 1 1 0xa 100 0 0 1 0 1 1 0xb 100 0 0 0 0 call",
      "< 7 1 32 0 0 1 1 0xa 0 0 0 1 0 1 1 0xb 9 0 0 0 0 reply"},
     {"> 7 1 32 0 0 1 1 0xa 100 0 0 1 0 1 1 0xb 100 0 0 0 0 call",
      "< 7 1 32 0 0 1 1 0xa 1 0 0 1 0 1 1 0xb 9 0 0 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 0 0 0 reply",
      "= rdma_writes[0], offered with 2 segments, comes back empty"},
     {"> 7 1 32 0 0 1 2 0xa 100 0 0 0xb 100 0 5 0 0 call4", "< 7 1 32 0 0 1 0 0 0 reply"},
     NULL,
     DEFAULTS},
    /* Not executed, or denied: there are no results. */
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 100 0 0 0xb 100 0 5 0 0 7 1 0 0 0 1",
      "= rdma_writes[0] returns 200 octets in a Reply without results"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 0 0 0 0xb 0 0 5 0 0 7 1 0 0 0 1"},
     NULL,
     DEFAULTS},
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 9 0 0 0xb 0 0 5 0 0 7 1 1 1 1",
      "= rdma_writes[0] returns 9 octets in a Reply without results"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 9 0 0 0xb 0 0 5 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {PROTECTED_CALL, "< 7 1 32 0 0 1 1 0xa 100 0 0 0 0 7 1 0 0 0 2 1 1"},
     {PROTECTED_CALL, "< 7 1 32 0 0 1 1 0xa 0 0 0 0 0 7 1 0 0 0 2 1 1"},
     NULL,
     DEFAULTS},
    /* The RPC header of a Long Call is known only where its RDMA Read was seen. */
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {"> 7 1 32 1 1 0 0xf 40 0 0 0 1 1 0xa 100 0 0 0 0", "< read 0xf 0 40 7 0 2 100003 3 0 0 0 0 0",
      "< 7 1 32 0 0 1 0 0 0 reply", "= rdma_writes[0], offered with 1 segments, comes back empty"},
     {"> 7 1 32 1 1 0 0xf 40 0 0 0 1 1 0xa 100 0 0 0 0", "< read 0xf 0 40",
      "< 7 1 32 0 0 1 0 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 4.3.2.3/empty-chunk-returned-empty @24 -> discard",
     {EMPTY_CALL, "< 7 1 32 0 0 1 1 0xa 0 0 0 0 0 reply",
      "= rdma_writes[0] has 1 segments; the Call offered 0"},
     {EMPTY_CALL, "< 7 1 32 0 0 1 0 0 0 reply"},
     NULL,
     DEFAULTS},
    /* Each chunk is compared with its own. */
    {"V 3.4.6/segment-count-copied @32 -> discard",
     {"> 7 1 32 0 0 1 0 1 1 0xa 9 0 0 1 0 0 0 call",
      "< 7 1 32 0 0 1 0 1 2 0xa 9 0 0 0xa 9 0 0 1 0 0 0 reply",
      "= rdma_writes[1] has 2 segments; the Call offered 1"},
     {"> 7 1 32 0 0 1 0 1 1 0xa 9 0 0 1 0 0 0 call",
      "< 7 1 32 0 0 1 0 1 1 0xa 9 0 0 1 0 0 0 reply"},
     NULL,
     DEFAULTS},

    /* ---- the Reply chunk ---- */
    {"V 4.3.3/reply-chunk-copied @24 -> process,discard",
     {REPLY_CALL, REPLY},
     {REPLY_CALL, "< 7 1 32 0 0 0 1 2 0xa 0 0 0 0xb 0 0 5 reply"},
     NULL,
     DEFAULTS},
    {"V 4.3.3/reply-chunk-copied @28 -> discard",
     {REPLY_CALL, "< 7 1 32 1 0 0 1 1 0xa 20 0 0",
      "= the Reply chunk has 1 segments; the Call offered 2"},
     {REPLY_CALL, "< 7 1 32 1 0 0 1 2 0xa 20 0 0 0xb 0 0 5"},
     NULL,
     DEFAULTS},
    {"V 4.3.3/reply-chunk-copied @56 -> discard",
     {REPLY_CALL, "< 7 1 32 1 0 0 1 2 0xa 20 0 0 0xb 0 0 6",
      "= the returned segment has offset 0x6; the offered one has 0x5"},
     {REPLY_CALL, "< 7 1 32 1 0 0 1 2 0xa 100 0 0 0xb 4 0 5"},
     NULL,
     DEFAULTS},
    {"V 4.3.3/reply-chunk-length-within-offer @36 -> discard",
     {REPLY_CALL, "< 7 1 32 1 0 0 1 2 0xa 104 0 0 0xb 0 0 5",
      "= 104 octets are returned of a segment of 100"},
     {REPLY_CALL, "< 7 1 32 1 0 0 1 2 0xa 100 0 0 0xb 100 0 5"},
     NULL,
     DEFAULTS},
    {"W 4.3.3/reply-chunk-filled-in-order @52 -> process,discard",
     {REPLY_CALL, "< 7 1 32 1 0 0 1 2 0xa 96 0 0 0xb 4 0 5",
      "= a segment holds 4 octets although one before it is not full"},
     {REPLY_CALL, "< 7 1 32 1 0 0 1 2 0xa 100 0 0 0xb 4 0 5"},
     NULL,
     DEFAULTS},

    /* ---- RDMA_ERROR, and versions ---- */
    {"V 4.5.1/unsupported-version-answered @16 -> discard,terminate",
     {"?> 7 3 32 0 none call", "< 7 3 32 4 2", "= a message of version 3 is answered by ERR_CHUNK"},
     {VERSION_2_CALL, "< 7 2 32 4 2"}, /* which has another meaning in version 2 */
     "-> terminate",
     DEFAULTS},
    {"V 4.5.1/unsupported-version-answered @4 -> discard",
     {VERSION_2_CALL, REPLY, "= a Reply answers a Call of version 2"},
     {VERSION_2_CALL, "< 7 2 32 4 1 1 1", CALL, REPLY},
     NULL,
     DEFAULTS},
    /* However many came under its XID, one of them has this version. */
    {"V 4.5/error-version @4 -> discard,terminate",
     {"?> 7 9 32 0 none call", "?> 7 9 32 0 none call", "< 7 1 32 4 1 2 2"},
     {"?> 7 9 32 0 none call", "?> 7 1 32 0 2 0 0", "?> 7 9 32 0 none call", "< 7 1 32 4 1 2 2"},
     "-> terminate",
     DEFAULTS},
    {"V 4.5/error-version @4 -> discard,terminate",
     {VERSION_2_CALL, "< 7 1 32 4 1 1 1", "= the version is 1; the message that failed had 2"},
     {VERSION_2_CALL, "< 7 2 32 4 1 1 1"},
     "-> terminate",
     DEFAULTS},
    {"V 4.5/error-version @4 -> discard,terminate",
     {CALL, "< 7 2 32 4 1 1 1", "= the version is 2; the message that failed had 1"},
     {CALL, "?> 7 2 32 0 none call", "< 7 2 32 4 1 1 1", REPLY},
     NULL,
     DEFAULTS},
    {"W 4.5/error-without-call @0 -> discard",
     {CALL, "< 8 1 32 4 2", "= no message with XID 0x8 waits for an answer"},
     {CALL, "< 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"W 4.5/error-without-call @0 -> discard",
     {CALL, REPLY, "< 7 1 32 4 2", "= no message with XID 0x7 waits for an answer"},
     {CALL, REPLY, "?> 7 1 32 0 2 0 0", "< 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"V 4.5/error-xid @0 -> discard",
     {TWO_XIDS_CALL, "< 8 1 32 4 2", "= XID 0x8 is that of the RPC message; its header had 0x7"},
     {TWO_XIDS_CALL, "< 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},

    /* ---- RPCSEC_GSS ---- */
    {"V 8.2.2.3/result-not-reduced @24 -> terminate",
     {PROTECTED_CALL, "< 7 1 32 0 0 1 1 0xa 4 0 0 0 0 reply",
      "= rdma_writes[0] returns 4 octets to a Call under RPCSEC_GSS protection"},
     {PROTECTED_CALL, "< 7 1 32 0 0 1 1 0xa 0 0 0 0 0 reply"},
     NULL,
     DEFAULTS},
    {"V 8.2.2.3/result-not-reduced @24 -> terminate",
     {PROTECTED_CALL, "< 7 1 32 0 0 1 1 0xa 4 0 0 0 0 reply"},
     {"> 7 1 32 0 0 1 1 0xa 100 0 0 0 0 gss:0:1", "< 7 1 32 0 0 1 1 0xa 4 0 0 0 0 reply"},
     NULL,
     DEFAULTS},

    /* ---- nothing that a chunk could hold ---- */
    {"V 8.2.2/gss-elements-not-reduced @24 -> terminate",
     {"> 7 1 32 0 0 1 1 0xa 100 0 0 0 0 gss:1:1", "< 7 1 32 0 0 1 1 0xa 4 0 0 0 0 reply",
      "= rdma_writes[0] returns 4 octets of RPCSEC_GSS itself"},
     {"> 7 1 32 0 0 1 1 0xa 100 0 0 0 0 gss:1:1", "< 7 1 32 0 0 1 1 0xa 0 0 0 0 0 reply"},
     NULL,
     DEFAULTS},

    /* ---- what must be refused ---- */
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 0 1 42 0xa 4 0 0 0 0 0 call", REPLY},
     {"?> 7 1 32 0 1 42 0xa 4 0 0 0 0 0 call", "< 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 9 none call", REPLY},
     {"?> 7 2 32 9 none call", "< 7 2 32 4 1 1 1"},
     "-> terminate",
     DEFAULTS},
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 0 0 1 0x10000000 call", REPLY},
     /* Most decoders take any presence word but 0 for 1, and RDMA_MSGP is a SHOULD. */
     {"?> 7 1 32 0 0 0 2 0 call", REPLY},
     NULL,
     DEFAULTS},
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 9 none call", REPLY},
     {"?> 7 1 32 2 none call", REPLY},
     "W 4.6.1/msgp-refused @12 -> process",
     DEFAULTS},
    /* Sent twice, or in another version as well. */
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 0 1 42 0xa 4 0 0 0 0 0 call", REPLY},
     {"?> 7 1 32 0 1 42 0xa 4 0 0 0 0 0 call", "?> 7 1 32 0 1 42 0xa 4 0 0 0 0 0 call", REPLY},
     NULL,
     DEFAULTS},
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 9 none call", REPLY},
     {"?> 7 1 32 9 none call", "?> 7 1 32 9 none call", REPLY},
     NULL,
     DEFAULTS},
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 9 none call", REPLY},
     {"?> 7 1 32 9 none call", "?> 7 2 32 9 none call", REPLY},
     NULL,
     DEFAULTS},
    {"V 4.5.2/xdr-error-answered @12 -> process",
     {"?> 7 1 32 9 none call", REPLY},
     /* It came again, and was good: which of the two is answered is unknown. */
     {"?> 7 1 32 9 none call", CALL, REPLY},
     NULL,
     DEFAULTS},

    /* ---- the first words of a Long Reply ---- */
    {"V 4.2.1/xid-equal @0 -> process,discard",
     {REPLY_CALL, "< write 0xa 0 40 8 1 0 0 0 0 0 0 0 0", "< 7 1 32 1 0 0 1 2 0xa 40 0 0 0xb 0 0 5",
      "= the XID of the RPC message in the Reply chunk is 0x8, that of the header 0x7"},
     {REPLY_CALL, "< write 0xa 0 40 7 1 0 0 0 0 0 0 0 0",
      "< 7 1 32 1 0 0 1 2 0xa 40 0 0 0xb 0 0 5"},
     NULL,
     DEFAULTS},
    {"V 2.2.2/message-type -> discard",
     {REPLY_CALL, "< write 0xa 0 40 7 0 0 0 0 0 0 0 0 0", "< 7 1 32 1 0 0 1 2 0xa 40 0 0 0xb 0 0 5",
      "= the message type of the RPC message in the Reply chunk is 0, not Reply"},
     /* What goes inline is no Long Reply, whatever the chunk holds. */
     {REPLY_CALL, "< write 0xa 0 40 8 0 0 0 0 0 0 0 0 0",
      "< 7 1 32 0 0 0 1 2 0xa 0 0 0 0xb 0 0 5 reply"},
     NULL,
     DEFAULTS},

    /* Of an octet less the words are not looked at. */
    {"W 4.2.4/long-reply-length @36; V 4.2.1/xid-equal @0 -> process,discard",
     {REPLY_CALL, "< write 0xa 0 8 8 1", "< 7 1 32 1 0 0 1 2 0xa 8 0 0 0xb 0 0 5"},
     {REPLY_CALL, "< write 0xa 0 7 8 +3", "< 7 1 32 1 0 0 1 2 0xa 7 0 0 0xb 0 0 5"},
     "V 3.5.3/special-chunk-whole-words @36 -> process,discard",
     DEFAULTS},

    /* A Long Reply without results. */
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {"> 7 1 32 0 0 1 1 0xa 100 0 0 0 1 1 0xb 100 0 0 call", "< write 0xb 0 24 7 1 0 0 0 4",
      "< 7 1 32 1 0 1 1 0xa 4 0 0 0 1 1 0xb 24 0 0"},
     {"> 7 1 32 0 0 1 1 0xa 100 0 0 0 1 1 0xb 100 0 0 call", "< write 0xb 0 24 7 1 0 0 0 0",
      "< 7 1 32 1 0 1 1 0xa 4 0 0 0 1 1 0xb 24 0 0"},
     NULL,
     DEFAULTS},

    /* The Call came twice: which of the two Replies was written is not known. */
    {"V 4.3.2.2/returned-unused @24 -> process,discard",
     {LONG_REPLY_CALL, "< write 0xb 0 24 7 1 0 0 0 4",
      "< 7 1 32 1 0 1 1 0xa 4 0 0 0 1 1 0xb 24 0 0"},
     {LONG_REPLY_CALL, LONG_REPLY_CALL, "< write 0xb 0 24 7 1 0 0 0 4",
      "< 7 1 32 1 0 1 1 0xa 4 0 0 0 1 1 0xb 24 0 0"},
     NULL,
     DEFAULTS},

    /* ---- errors that no Call waits for ---- */
    /* Where both sides send Calls it may have been meant for one. */
    {"W 4.5/error-without-call @0 -> discard",
     {CALL, REPLY, "< 9 1 32 0 none call", "> 9 1 32 0 none reply", "< 12 1 32 4 2",
      "= no message with XID 0xc waits for an answer"},
     {CALL, "< 9 1 32 0 none call", "> 9 1 32 4 2"},
     "-> terminate",
     REVERSE},

    /* ---- what must be dropped, and was answered ---- */
    {"V 4.5/short-message-discarded @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 0 0 0", "< 8 1 32 4 2",
      "= an RDMA_ERROR answers the message with XID 0x8, which is too short"},
     {CALL, REPLY, "?> 8 1 32 0 2 0 0", "< 8 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    /* The answer to the first comes after the second. */
    {"V 4.5/short-message-discarded @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 0 0 0", "?> 9 1 32 0 0 0", "< 8 1 32 4 2",
      "= an RDMA_ERROR answers the message with XID 0x8, which is too short"},
     {CALL, REPLY, "?> 8 1 32 0 2 0 0", "?> 9 1 32 0 0 0", "< 8 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    /* Without a version; and of one that has shorter messages. */
    {"V 4.5/short-message-discarded @0 -> discard",
     {CALL, REPLY, "?> 8", "< 8 1 32 4 2"},
     {CALL, REPLY, "?> 8 2 32 0", "< 8 1 32 4 2"},
     "W 4.5/error-without-call @0 -> discard",
     DEFAULTS},
    /* Something else has the XID since. */
    {"V 4.5/short-message-discarded @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 0 0 0", "> 9 1 32 0 none call", "< 8 1 32 4 2"},
     {CALL, REPLY, "?> 8 1 32 0 0 0", "> 8 1 32 0 none call", "< 8 1 32 0 none reply",
      "< 8 1 32 4 2"},
     "W 4.5/error-without-call @0 -> discard",
     DEFAULTS},
    {"V 4.5/short-message-discarded @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 0 0 0", "< 8 1 32 4 2"},
     {CALL, REPLY, "?> 8 1 32 0 0 0", "> gap", "< 8 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"V 4.6.2/done-discarded @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 3 0 0 0", "< 8 1 32 4 2",
      "= an RDMA_ERROR answers an RDMA_DONE, with XID 0x8"},
     {CALL, REPLY, "?> 8 1 32 5 0 0 0", "< 8 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"V 4.5/short-message-discarded @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 0 0 0", "< 8 1 32 4 2"},
     {CALL, REPLY, "?> 8 1 32 0 0 0", "< 9 1 32 4 2"},
     "W 4.5/error-without-call @0 -> discard",
     DEFAULTS},
    {"V 4.6.2/done-discarded @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 3", "< 8 1 32 4 2"},
     {CALL, "?> 7 1 32 3 0 0 0", "< 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    /* It can be a second answer to the Call. */
    {"W 4.6.2/done-discarded @0 -> discard",
     {CALL, REPLY, "?> 7 1 32 3 0 0 0", "< 7 1 32 4 2"},
     {CALL, REPLY, "?> 7 1 32 3 0 0 0"},
     "V 4.6.2/done-not-sent @12 -> discard",
     DEFAULTS},
    {"V 4.2.4/responder-drops-error @0 -> discard",
     {CALL, REPLY, "?> 8 1 32 4 2", "< 8 1 32 4 2",
      "= an RDMA_ERROR answers another one, with XID 0x8"},
     {CALL, REPLY, "?< 9 1 32 0 none call", "?> 8 1 32 4 2", "< 8 1 32 4 2"},
     "W 4.5/error-without-call @0 -> discard",
     DEFAULTS},
    {"W 4.6.1/msgp-refused @12 -> process",
     {"?> 7 1 32 2 0 0 none call", REPLY,
      "= a Reply answers an RDMA_MSGP, which is for ERR_CHUNK to answer"},
     {"?> 7 1 32 2 0 0 none call", "< 7 1 32 4 2"},
     "-> terminate",
     DEFAULTS},
    {"W 4.6.1/msgp-refused @12 -> process",
     {"?> 7 1 32 2 0 0 none call", REPLY},
     {"?> 7 1 32 2 0 0 none call", CALL, REPLY},
     NULL,
     DEFAULTS},

    /* ---- Send With Invalidate ---- */
    /* Of the other Call it is not known which memory it offers: it came in two forms. */
    {"V rfc8797/4.1/invalidate-own-transaction -> process,close",
     {BOTH_INVALIDATE, CALL, REPLY, READ_CALL(7), READ_CALL(8), "< 7 1 32 0 none reply inv:0xa",
      "= the Send invalidates handle 0xa, which the Call with XID 0x8 offers as well"},
     {BOTH_INVALIDATE, CALL, REPLY, READ_CALL(7), READ_CALL(8),
      "> 8 1 32 0 1 40 0xb 4 0 0 0 0 0 call", "< 7 1 32 0 none reply inv:0xa"},
     NULL,
     DEFAULTS},
    /* What the server offers under that number is memory of its own. */
    {"V rfc8797/4.1/invalidate-own-transaction -> process,close",
     {BOTH_INVALIDATE, CALL, REPLY, READ_CALL(7), READ_CALL(8), "< 7 1 32 0 none reply inv:0xa"},
     {BOTH_INVALIDATE, CALL, REPLY, READ_CALL(7), "< 8 1 32 0 1 40 0xa 4 0 0 0 0 0 call",
      "< 7 1 32 0 none reply inv:0xa"},
     NULL,
     REVERSE},
    /* Seen between the two, the later Call may not have arrived yet. */
    {"V rfc8797/4.1/invalidate-own-transaction -> process,close",
     {BOTH_INVALIDATE, CALL, REPLY, READ_CALL(7), READ_CALL(8), "< 8 1 32 0 none reply inv:0xa",
      "= the Send invalidates handle 0xa, which the Call with XID 0x7 offers as well"},
     {BOTH_INVALIDATE, CALL, REPLY, READ_CALL(7), READ_CALL(8), "< 7 1 32 0 none reply inv:0xa"},
     NULL,
     {.seen_between = true}},
    {"V rfc8797/4.1/invalidate-own-transaction -> process,close",
     {"> 7 1 32 0 1 40 0xa 4 0 0 0 0 0 call inv:0xa",
      "= a Call invalidates handle 0xa; only an answer can"},
     {"> 7 1 32 0 1 40 0xa 4 0 0 0 0 0 call"},
     NULL,
     DEFAULTS},
    {"V rfc8797/4.1/invalidate-own-transaction -> terminate,close",
     {"> 7 1 32 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 1 32 4 2 inv:0xb",
      "= the Send invalidates handle 0xb, which its Call did not offer"},
     {"> 7 1 32 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 1 32 4 2 inv:0xa"},
     "-> terminate",
     DEFAULTS},
    {"V rfc8797/4.1/invalidate-own-transaction -> process,close",
     {CALL, "< 7 1 32 0 none reply inv:0xa",
      "= the Send invalidates handle 0xa, which its Call did not offer"},
     {"> 7 1 32 0 1 40 0xa 4 0 0 0 0 0 call", "< 7 1 32 0 none reply inv:0xa"},
     NULL,
     DEFAULTS},
    {"V rfc8797/4.1/invalidate-own-transaction -> process,close",
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 9 0 0 0xb 0 0 5 0 0 reply inv:0xc"},
     {WRITE_CALL, "< 7 1 32 0 0 1 2 0xa 9 0 0 0xb 0 0 5 0 0 reply inv:0xb"},
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
    play_assert_all_rules(RPCRDMA_SCOPE_TRANSACTION, rows, ROWS);
}
END_TEST

PLAY_ROWS(rows)

int main(void)
{
    Suite *suite = suite_create("transaction rules");
    TCase *tests = tcase_create("transaction rules");
    tcase_add_loop_test(tests, row, 0, ROWS);
    tcase_add_loop_test(tests, in_drafts, 0, ROWS);
    tcase_add_test(tests, all_rules);
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
