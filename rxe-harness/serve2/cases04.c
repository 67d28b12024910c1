// SPDX-License-Identifier: BSD-3-Clause
/* What a Requester of draft -04 has to bear. */
#include "rxe-harness/serve2/words.h"

#define RULE "rpcrdma2-04/"
#define RULE1 "rfc8166/" /* which -04 inherits */
#define TYPE(xid, type) xid, 2, 0, type
#define MSG(xid, direction) TYPE(xid, 0), direction, 0
#define NOMSG(xid) TYPE(xid, 1), 1, 0
#define NO_LISTS 0, 0, 0
#define ERROR(xid, code) TYPE(xid, 4), code

/* clang-format off */
const struct serve2_case serve2_cases04[] = {
    {.id = "serve-plainly", .rule = RULE1 "3.3.1/calls-within-grant",
     .comment = "Every Call is answered, and nothing else is sent."},

    /* ---- settings ---- */
    {.id = "v2-refused", .rule = RULE "7.2/refused-version-not-used", .how = SERVE2_REFUSED,
     .comment = "ERR_VERS answers the first message: the Requester goes on in version 1."},
    {.id = "v2-refused-in-version-1", .rule = RULE "7.2/refused-version-not-used",
     .how = SERVE2_REFUSED, .error_version = 1,
     .comment = "So it does if the error has version word 1, as an old server's may."},
    {.id = "v2-grants-rise-and-fall", .rule = RULE1 "3.3.1/calls-within-grant",
     .grant = {1, 32, 2, 16, 1, 8},
     .comment = "No more Calls in flight than was granted last."},
    {.id = "v2-grant-of-zero", .rule = RULE1 "3.3.1/calls-within-grant",
     .grant = {8, 0, 0, 1, 8, 8},
     .comment = "A grant of 0 is taken for 1: the Requester goes on."},
    {.id = "v2-grant-without-bounds", .rule = RULE1 "3.3.1/calls-within-request",
     .grant = {32, 0xffffffff, 0xffffffff, 0x80000000, 32, 32},
     .comment = "A grant of 2^32-1 does not make the Requester flood."},
    {.id = "v2-receive-size-8192", .rule = RULE "2.3/send-within-threshold", .receive_size = 8192,
     .comment = "The Receives have 8192 octets."},
    {.id = "v2-receive-size-1024", .rule = RULE "2.3/send-within-threshold", .receive_size = 1024,
     .comment = "The Receives have 1024 octets: no Send is longer."},
    {.id = "v2-reverse", .rule = RULE "6.2.2/backward-direction-supported", .call_back = 1,
     .comment = "A NULL in the reverse direction follows each answer."},

    /* ---- errors that end an RPC, and those that are none ---- */
    {.id = "v2-error-bad-xdr", .rule = RULE1 "4.5/error-is-permanent", .how = SERVE2_INSTEAD,
     .comment = "BAD_XDR ends the RPC, not the connection.", WORDS(ERROR(X, 2))},
    {.id = "v2-error-invalid-proc", .rule = RULE1 "4.5/error-is-permanent",
     .how = SERVE2_INSTEAD, .comment = "INVALID_PROC ends the RPC.", WORDS(ERROR(X, 3))},
    {.id = "v2-error-read-chunks", .rule = RULE1 "4.5/error-is-permanent", .how = SERVE2_INSTEAD,
     .comment = "READ_CHUNKS ends the RPC, or it is sent anew.", WORDS(ERROR(X, 4), 1)},
    {.id = "v2-error-write-chunks", .rule = RULE1 "4.5/error-is-permanent",
     .how = SERVE2_INSTEAD, .comment = "WRITE_CHUNKS ends the RPC, or it is sent anew.",
     WORDS(ERROR(X, 5), 1)},
    {.id = "v2-error-segments", .rule = RULE1 "4.5/error-is-permanent", .how = SERVE2_INSTEAD,
     .comment = "SEGMENTS ends the RPC, or it is sent anew.", WORDS(ERROR(X, 6), 8)},
    {.id = "v2-error-write-resource", .rule = RULE "6.2.4/write-resource-final",
     .how = SERVE2_INSTEAD, .comment = "WRITE_RESOURCE ends the RPC, or it is sent anew.",
     WORDS(ERROR(X, 7), 0, 0)},
    {.id = "v2-error-reply-resource", .rule = RULE "6.2.4/reply-resource-final",
     .how = SERVE2_INSTEAD, .comment = "REPLY_RESOURCE ends the RPC, or it is sent anew.",
     WORDS(ERROR(X, 8), 0)},
    {.id = "v2-error-system", .rule = RULE "6.2.4/not-resent", .how = SERVE2_INSTEAD,
     .comment = "SYSTEM ends the RPC for good.", WORDS(ERROR(X, 10))},
    {.id = "v2-error-undefined", .rule = RULE "6.2/error-code-defined", .how = SERVE2_BEFORE,
     .comment = "An error of an undefined code is dropped, though the XID is the Call's.",
     WORDS(ERROR(X, 11))},
    {.id = "v2-error-of-unknown-xid", .rule = RULE "6.2.4/error-xid", .how = SERVE2_BEFORE,
     .comment = "An error for no Call is dropped.", WORDS(ERROR(Y, 2))},
    {.id = "v2-error-cut-off", .rule = RULE "6.2/xdr-encoded", .how = SERVE2_BEFORE,
     .comment = "An error without its code is dropped.", WORDS(TYPE(X, 4))},

    /* ---- Replies that are none: no error answers them, for it would flow to a Responder ---- */
    {.id = "v2-reply-of-unknown-xid", .rule = RULE1 "2.2.2/reply-matches-call",
     .how = SERVE2_BEFORE, .comment = "A Reply to no Call is dropped.",
     WORDS(MSG(Y, 1), NO_LISTS, ACCEPTED(Y))},
    {.id = "v2-reply-twice", .rule = RULE1 "2.2.2/reply-matches-call", .how = SERVE2_TWICE,
     .comment = "The same Reply again is dropped."},
    {.id = "v2-reply-cut-off", .rule = RULE "6.2/xdr-encoded", .how = SERVE2_BEFORE,
     .comment = "A Reply whose Write list ends with the Send.", WORDS(MSG(X, 1), 0, 1, 1, 40)},
    {.id = "v2-reply-without-payload", .rule = RULE "6.2.1/msg-has-payload",
     .how = SERVE2_BEFORE, .comment = "A Reply without an RPC message.",
     WORDS(MSG(X, 1), NO_LISTS)},
    {.id = "v2-reply-direction-2", .rule = RULE "6.2/xdr-encoded", .how = SERVE2_BEFORE,
     .comment = "A direction that is none.", WORDS(MSG(X, 2), NO_LISTS, ACCEPTED(X))},
    {.id = "v2-reply-presence-2", .rule = RULE "6.2/xdr-encoded", .how = SERVE2_BEFORE,
     .comment = "The word before the Read list is 2.",
     WORDS(MSG(X, 1), 2, 0, 0, ACCEPTED(X))},
    {.id = "v2-reply-xid-differs", .rule = RULE1 "4.2.1/xid-equal", .how = SERVE2_BEFORE,
     .comment = "The RPC message has another XID than the header.",
     WORDS(MSG(X, 1), NO_LISTS, ACCEPTED(Y))},
    {.id = "v2-reply-with-read-list", .rule = RULE1 "4.3.1/reply-read-list-empty",
     .how = SERVE2_BEFORE, .comment = "A Read list that a Reply must not have.",
     WORDS(MSG(X, 1), 1, 40, 0xa, 4, 0, 0, 0, 0, 0, ACCEPTED(X))},
    {.id = "v2-reply-nomsg-nowhere", .rule = RULE1 "4.2.4/nomsg-list-present",
     .how = SERVE2_BEFORE, .comment = "RDMA2_NOMSG without a Reply chunk.",
     WORDS(NOMSG(X), NO_LISTS)},
    {.id = "v2-reply-nomsg-unasked", .rule = RULE1 "4.3.3/reply-chunk-length-within-offer",
     .how = SERVE2_BEFORE, .comment = "RDMA2_NOMSG in memory that no Call offered.",
     WORDS(NOMSG(X), 0, 0, 1, 1, 0xa, 64, 0, 0)},
    {.id = "v2-write-chunk-longer", .rule = RULE1 "4.5/basic-checks", .how = SERVE2_CHANGED,
     .chunk_word = 2, .change = 1 << 20,
     .comment = "A Write chunk comes back with 2^20 octets more than was written."},
    {.id = "v2-write-chunk-foreign", .rule = RULE1 "4.5/basic-checks", .how = SERVE2_CHANGED,
     .chunk_word = 1, .change = 0x5a5a0000,
     .comment = "A Write chunk comes back with a handle that was not offered."},

    /* ---- what is no RPC ---- */
    {.id = "v2-procedure-10", .rule = RULE "6.2.4/procedure-defined", .how = SERVE2_BEFORE,
     .comment = "Procedure 10, the first beyond all, is dropped.", WORDS(TYPE(Y, 10))},
    {.id = "v2-optional-reply", .rule = RULE "4.1/unknown-option-answered", .how = SERVE2_BEFORE,
     .comment = "RDMA2_OPTIONAL, as a Reply: it is dropped.", WORDS(TYPE(Y, 5), 1, 99, 0)},
    {.id = "v2-optional-call", .rule = RULE "4.1/unknown-option-answered", .how = SERVE2_BEFORE,
     .comment = "RDMA2_OPTIONAL, as a Call of the Responder's.", WORDS(TYPE(Y, 5), 0, 99, 0)},
    {.id = "v2-connprop-unknown", .rule = RULE "5.3.1/unknown-ignored", .how = SERVE2_BEFORE,
     .comment = "A property that is not defined draws no error.",
     WORDS(TYPE(Y, 6), 1, 0x7ffffffe, 4, 1, 0)},
    {.id = "v2-updprop", .rule = RULE "5.3/unsupported-operation-answered", .how = SERVE2_BEFORE,
     .comment = "RDMA2_UPDPROP: the Receive Buffer Size is what it was.",
     WORDS(TYPE(Y, 9), 1, 1, 4, 4096)},
    {.id = "v2-reqprop", .rule = RULE "5.3.2/request-answered", .how = SERVE2_BEFORE,
     .comment = "RDMA2_REQPROP: the Requester answers, or refuses the operation.",
     WORDS(TYPE(Y, 7), 1, 1, 4, 16384)},
    {.id = "v2-resprop-unasked", .rule = RULE "5.3.3/response-matches", .how = SERVE2_BEFORE,
     .open = RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC, /* it is OPTIONAL (5.3) */
     .comment = "RDMA2_RESPROP that answers no request.", WORDS(TYPE(Y, 8), 0, 0, 0)},
    {.id = "v2-runt-12", .rule = RULE "6.2/xdr-encoded", .how = SERVE2_BEFORE,
     .comment = "Twelve octets, fewer than the four words that all begin with.",
     WORDS(X, 2, 0)},
    {.id = NULL},
};
/* clang-format on */
