// SPDX-License-Identifier: BSD-3-Clause
/* The cases of draft -04, as words. The credit word, here 0, is filled in. */
#include "rxe-harness/probe/version2/words.h"

#define RULE "rpcrdma2-04/"
#define RULE1 "rfc8166/" /* which -04 inherits */
/* The prefix of each type. */
#define TYPE(xid, type) xid, 2, 0, type
#define CALL 0
#define NO_LISTS 0, 0, 0
#define MSG(xid) TYPE(xid, 0), CALL, 0
#define NOMSG(xid) TYPE(xid, 1), CALL, 0
#define INLINE(xid) MSG(xid), NO_LISTS, NULL_CALL(xid)
#define CONNPROP(xid) TYPE(xid, 6)
#define SIZE(octets) 1, 4, octets /* property 1, Receive Buffer Size */
/* By RFC 8166 section 4.5, which is not taken back, what has less than 28 octets is dropped. */
#define SHORTER RPCRDMA_DISCARD
/* Operations on properties are OPTIONAL (5.3). */
#define UNSUPPORTED (RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC)

/* clang-format off */
const struct probe2_case probe2_cases04[] = {
    /* ---- what it has to take ---- */
    {.id = "v2-null", .rule = RULE1 "2.2.2/reply-matches-call",
     .comment = "A NULL inline is answered.", .sends = 1, .send = {SEND(INLINE(X))}},
    {.id = "v2-first-1024", .rule = RULE "7/first-send-of-1024",
     .comment = "The first message fills 1024 octets.", .first = true, .pad = 1024,
     .sends = 1, .send = {SEND(INLINE(X))}},
    {.id = "v2-first-connprop", .rule = RULE "5.3/unsupported-operation-answered",
     .comment = "The first message is RDMA2_CONNPROP, then a NULL.", .first = true,
     .sends = 1, .send = {SEND(CONNPROP(X), 1, SIZE(8192), 0)}},
    {.id = "v2-nomsg", .rule = RULE1 "4.2.4/nomsg-holds-payload",
     .comment = "A NULL in a Position-Zero Read chunk is read and executed.",
     .sends = 1, .send = {SEND(NOMSG(X), CALL_CHUNK(40), 0, 0)}},
    {.id = "v2-credits-zero", .rule = RULE1 "3.3.1/request-of-zero", .granting = 1, .credit = 0,
     .comment = "A NULL that asks for no credits is answered.",
     .sends = 1, .send = {SEND(INLINE(X))}},

    /* ---- properties ---- */
    ONE("v2-property-unknown", "5.1.1/unknown-properties-skipped",
        "A property that is not defined, before one that is, draws no error.",
        CONNPROP(X), 2, 0x7ffffffe, 8, 1, 2, SIZE(8192), 0),
    ONE("v2-property-empty", "5.1.1/value-form", "A property without octets has its default.",
        CONNPROP(X), 1, 1, 0, 0),
    ONE("v2-updprop", "5.3/unsupported-operation-answered",
        "RDMA2_UPDPROP: the Receive Buffer Size grows.", TYPE(X, 9), 1, SIZE(16384)),
    {.id = "v2-reqprop", .rule = RULE "5.3.2/request-answered", .answer = 8,
     .comment = "RDMA2_REQPROP is answered by RDMA2_RESPROP, or by an error.",
     .sends = 1, .send = {SEND(TYPE(X, 7), 1, SIZE(16384))}},
    {.id = "v2-reqprop-unknown", .rule = RULE "5.3.2/request-answered", .answer = 8,
     .comment = "So is a request for a property that is not defined.",
     .sends = 1, .send = {SEND(TYPE(X, 7), 2, 0x7ffffffe, 4, 1, SIZE(4096))}},
    {.id = "v2-resprop-unasked", .rule = RULE "5.3.3/response-matches", .open = UNSUPPORTED,
     .comment = "RDMA2_RESPROP that answers no request.",
     .sends = 1, .send = {SEND(TYPE(X, 8), 1, 1, 0, 0)}},
    {.id = "v2-property-short", .rule = RULE "5.1.1/value-form", .open = UNKNOWN,
     .comment = "A Receive Buffer Size of two octets draws an error, if the property is known.",
     .sends = 1, .send = {SEND(CONNPROP(X), 1, 1, 2, 0, 0)}},
    ONE("v2-property-long", "5.1.1/value-too-long", "A Receive Buffer Size of eight octets.",
        CONNPROP(X), 1, 1, 8, 8192, 0, 0),
    {.id = "v2-property-enum", .rule = RULE "5.1.1/value-form", .open = UNKNOWN,
     .comment = "So does an undefined level of backward support.",
     .sends = 1, .send = {SEND(CONNPROP(X), 1, 2, 4, 3, 0)}},
    {.id = "v2-property-beyond", .rule = RULE "5.1.1/value-past-end-answered", .open = UNSUPPORTED,
     .comment = "The value ends beyond the message.",
     .sends = 1, .send = {SEND(CONNPROP(X), 1, 1, 8, 8192)}},
    {.id = "v2-property-count", .rule = RULE "6.2.4/bad-header-answered", .open = UNSUPPORTED,
     .comment = "More properties are counted than there are octets.",
     .sends = 1, .send = {SEND(CONNPROP(X), 0x10000000, SIZE(1))}},

    /* ---- procedures, versions, lengths ---- */
    ONE("v2-optional", "4.1/unknown-option-answered",
        "RDMA2_OPTIONAL of a type that nobody defined.", TYPE(X, 5), CALL, 0x7ffffffe, 5,
        0x01020304, 0x05000000),
    ONE("v2-optional-empty", "6.2.4/unknown-option-code",
        "RDMA2_OPTIONAL of another type, without octets.", TYPE(X, 5), CALL, 99, 0),
    ONE("v2-procedure-2", "6.2.4/unknown-procedure-answered", "Procedure 2.",
        TYPE(X, 2), NO_LISTS),
    ONE("v2-procedure-3", "6.2.4/unknown-procedure-answered", "Procedure 3.",
        TYPE(X, 3), NO_LISTS),
    ONE("v2-procedure-10", "6.2.4/unknown-procedure-answered",
        "Procedure 10, the first beyond all.", TYPE(X, 10), NO_LISTS),
    ONE("v2-procedure-4294967295", "6.2.4/unknown-procedure-answered", "Procedure 2^32-1.",
        TYPE(X, 0xffffffff), NO_LISTS),
    ONE("v2-then-version-3", "6.2.4/err-vers-as-version-one",
        "A NULL of version 3 on a connection of version 2.", X, 3, 0, 0, NO_LISTS, NULL_CALL(X)),
    ONE("v2-then-version-0", "6.2.4/err-vers-as-version-one",
        "A NULL of version 0 on a connection of version 2.", X, 0, 0, 0, NO_LISTS, NULL_CALL(X)),
    {.id = "v2-runt-12", .rule = RULE "6.2/xdr-encoded",
     .comment = "Twelve octets, fewer than the four words that all begin with.", .pad = 12,
     .sends = 1, .send = {SEND(X, 2, 0)}},
    {.id = "v2-prefix-alone", .rule = RULE "6.2.4/bad-header-answered", .open = SHORTER,
     .comment = "The four words that all begin with, of an RDMA2_MSG.",
     .sends = 1, .send = {SEND(TYPE(X, 0))}},
    ONE("v2-error-to-responder", "6.2.4/errors-from-responder", "An RDMA2_ERROR draws no answer.",
        TYPE(X, 4), 2),

    /* ---- XDR and lists ---- */
    ONE("v2-direction-2", "6.2.4/bad-header-answered", "An undefined direction.",
        TYPE(X, 0), 2, 0, NO_LISTS, NULL_CALL(X)),
    ONE("v2-direction-differs", "6.2.2/direction-of-message",
        "The direction is that of a Call, the RPC message is a Reply.",
        MSG(X), NO_LISTS, X, 1, 0, 0, 0, 0),
    ONE("v2-presence-2", "6.2.4/bad-header-answered", "The presence word of the Read list is 2.",
        MSG(X), 2, 0, 0, NULL_CALL(X)),
    ONE("v2-list-cut", "6.2.4/bad-header-answered", "The Read list ends with the Send.",
        MSG(X), 1, 40, 1),
    ONE("v2-count-huge", "6.2.4/bad-header-answered", "A Write chunk of 2^28 segments.",
        MSG(X), 0, 1, 0x10000000, 0, 0, NULL_CALL(X)),
    ONE("v2-no-payload", "6.2.1/msg-has-payload", "RDMA2_MSG without an RPC message.",
        MSG(X), NO_LISTS),
    ONE("v2-position-zero-inline", "6.2/position-zero-in-msg",
        "RDMA2_MSG with a Read chunk at Position zero.",
        MSG(X), 1, 0, PROBE2_HANDLE, 40, PROBE2_OFFSET_HIGH, PROBE2_OFFSET_LOW, NO_LISTS,
        NULL_CALL(X)),
    {.id = "v2-position-not-word", .rule = RULE1 "3.4.5/position-multiple-of-four",
     .comment = "A Read chunk at Position 42.",
     .sends = 1, .send = {SEND(MSG(X), READ(42, 1, 4), NO_LISTS, NULL_CALL(X))}},
    {.id = "v2-position-in-header", .rule = RULE1 "3.4.2/position-in-rpc-header",
     .comment = "A Read chunk at Position 8, inside the RPC header.",
     .sends = 1, .send = {SEND(MSG(X), 1, 8, PROBE2_HANDLE, 4, PROBE2_OFFSET_HIGH,
                               PROBE2_OFFSET_LOW, NO_LISTS, NULL_CALL(X))}},
    {.id = "v2-nomsg-empty", .rule = RULE1 "4.2.4/nomsg-list-present",
     .comment = "RDMA2_NOMSG without a Read list.",
     .sends = 1, .send = {SEND(NOMSG(X), NO_LISTS)}},
    {.id = "v2-xid-differs", .rule = RULE1 "4.2.1/xid-equal",
     .comment = "The RPC message has another XID than the header.",
     .sends = 1, .send = {SEND(MSG(X), NO_LISTS, NULL_CALL(Y))}},
    {.id = NULL},
};
/* clang-format on */
