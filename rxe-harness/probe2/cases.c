// SPDX-License-Identifier: BSD-3-Clause
/* The cases of version 2 (draft -07), as words. The credit word, here 0, is filled in. */
#include "rxe-harness/probe2/probe2.h"

#define X PROBE2_XID
#define Y (PROBE2_XID + 1)
#define RULE "rpcrdma2-07/"

/* An RPC Call of NULL, and what follows its XID. */
#define REST 0, 2, PROBE2_PROGRAM, PROBE2_VERSION, 0, 0, 0, 0, 0
#define NULL_CALL(xid) xid, REST
/* The prefix of each type. */
#define TYPE(xid, type) xid, 2, 0, type
#define NO_LISTS 0, 0, 0
#define INLINE(xid) TYPE(xid, 10), 0, NO_LISTS, NULL_CALL(xid)
#define MIDDLE(xid, remaining) TYPE(xid, 9), remaining
/* An entry of a Read list. */
#define READ(position, handle, length) 1, position, handle, length, 0, 0
#define CALL_CHUNK(length) 1, 0, PROBE2_HANDLE, length, PROBE2_OFFSET_HIGH, PROBE2_OFFSET_LOW, 0

#define SEND(...)                                                                                  \
    {                                                                                              \
        {__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)                    \
    }
#define ONE(name, requirement, text, ...)                                                          \
    {                                                                                              \
        .id = name, .rule = RULE requirement, .comment = text, .sends = 1, .send = {               \
            SEND(__VA_ARGS__)                                                                      \
        }                                                                                          \
    }

/* clang-format off */
const struct probe2_case probe2_cases[] = {
    /* ---- what it has to take ---- */
    ONE("v2-null", "3.1.3/reply-matches-call", "A NULL inline is answered.", INLINE(X)),
    {.id = "v2-first-1024", .rule = RULE "4.3/first-send-of-1024",
     .comment = "The first message fills 1024 octets.", .first = true, .pad = 1024,
     .sends = 1, .send = {SEND(INLINE(X))}},
    {.id = "v2-first-connprop", .rule = RULE "6.3.4/nothing-after-final",
     .comment = "The first message is CONNPROP_FINAL, then a NULL.", .first = true,
     .sends = 1, .send = {SEND(TYPE(X, 7), 1, 2, 4, 8192)}},
    {.id = "v2-external", .rule = RULE "6.3.5/call-chunk-present",
     .comment = "A NULL in a Call chunk is read and executed.",
     .sends = 1, .send = {SEND(TYPE(X, 8), 0, CALL_CHUNK(40), NO_LISTS)}},
    {.id = "v2-pieces-2", .rule = RULE "6.6.2/pieces-joined",
     .comment = "A NULL in two pieces is executed once.",
     .sends = 2, .send = {SEND(MIDDLE(X, 36), X), SEND(TYPE(X, 10), 0, NO_LISTS, REST)}},
    {.id = "v2-pieces-4", .rule = RULE "6.6.2/pieces-joined",
     .comment = "A NULL in four pieces of unequal size is executed once.",
     .sends = 4, .send = {SEND(MIDDLE(X, 28), X, 0, 2), SEND(MIDDLE(X, 24), PROBE2_PROGRAM),
                          SEND(MIDDLE(X, 8), PROBE2_VERSION, 0, 0, 0),
                          SEND(TYPE(X, 10), 0, NO_LISTS, 0, 0)}},
    {.id = "v2-grant-between-pieces", .rule = RULE "6.3.6/call-continues",
     .comment = "A GRANT between two pieces: executed, or INVAL_CONT.",
     .sends = 3, .send = {SEND(MIDDLE(X, 36), X), SEND(TYPE(0, 5)),
                          SEND(TYPE(X, 10), 0, NO_LISTS, REST)}},
    {.id = "v2-grant-xid", .rule = RULE "6.3.2/grant-xid-ignored",
     .comment = "A GRANT whose XID is not 0 draws no answer.",
     .sends = 1, .send = {SEND(TYPE(X, 5))}},
    {.id = "v2-property-unknown", .rule = RULE "6.3.3/unknown-properties-no-error",
     .comment = "A property that is not defined, before one that is, draws no error.",
     .sends = 2, .send = {SEND(TYPE(X, 7), 2, 0x7ffffffe, 8, 1, 2, 2, 4, 8192), SEND(INLINE(Y))}},
    {.id = "v2-properties-two", .rule = RULE "6.3.3/properties-continue",
     .comment = "Properties in two messages, then a NULL.",
     .sends = 3, .send = {SEND(TYPE(X, 6), 1, 2, 4, 8192), SEND(TYPE(X, 7), 1, 3, 4, 65536),
                          SEND(INLINE(Y))}},
    ONE("v2-property-empty", "5.1/value-form", "A property without octets has its default.",
        TYPE(X, 7), 1, 2, 0),

    /* ---- types, versions, lengths ---- */
    ONE("v2-type-0", "7.1.3/unsupported-type-answered", "Header type 0.", TYPE(X, 0), NO_LISTS),
    ONE("v2-type-3", "7.1.3/unsupported-type-answered", "Header type 3.", TYPE(X, 3), NO_LISTS),
    ONE("v2-type-14", "6.1/unknown-type-answered", "Header type 14, the first beyond all.",
        TYPE(X, 14), NO_LISTS),
    ONE("v2-type-4294967295", "6.1/unknown-type-answered", "Header type 2^32-1.",
        TYPE(X, 0xffffffff)),
    ONE("v2-then-version-1", "7.1.2/other-version-answered",
        "A NULL of version 1 on a connection of version 2.", X, 1, 0, 0, NO_LISTS, NULL_CALL(X)),
    ONE("v2-then-version-3", "7.1.1/wrong-version-answered",
        "A NULL of version 3 on a connection of version 2.", X, 3, 0, 0, NO_LISTS, NULL_CALL(X)),
    {.id = "v2-runt-12", .rule = RULE "7.2/xdr-encoded",
     .comment = "Twelve octets, fewer than the prefix has.", .pad = 12,
     .sends = 1, .send = {SEND(X, 2, 0)}},
    ONE("v2-error-to-responder", "7/error-code-defined", "An RDMA2_ERROR draws no answer.",
        TYPE(X, 4), 2),

    /* ---- XDR and lists ---- */
    ONE("v2-presence-2", "7.2.1/bad-header-answered", "The presence word of the Read list is 2.",
        TYPE(X, 10), 0, 2, 0, 0, NULL_CALL(X)),
    ONE("v2-list-cut", "7.2.1/bad-header-answered", "The Read list ends with the Send.",
        TYPE(X, 10), 0, 1, 40, 1),
    ONE("v2-count-huge", "7.2.1/bad-header-answered", "A Write chunk of 2^28 segments.",
        TYPE(X, 10), 0, 0, 1, 0x10000000, 0, 0, NULL_CALL(X)),
    ONE("v2-no-payload", "7.2.1/bad-header-answered", "CALL_INLINE without an RPC message.",
        TYPE(X, 10), 0, NO_LISTS),
    ONE("v2-read-list-falls", "4.5.1.1/positions-ascend", "Positions 48, then 44.",
        TYPE(X, 10), 0, READ(48, 1, 4), READ(44, 2, 4), NO_LISTS, NULL_CALL(X)),
    ONE("v2-position-zero-inline", "6.3.7/position-zero-in-call",
        "CALL_INLINE with a Read chunk at Position zero.",
        TYPE(X, 10), 0, READ(0, 1, 4), NO_LISTS, NULL_CALL(X)),
    ONE("v2-position-not-word", "4.5.1/position-multiple-of-four", "A Read chunk at Position 42.",
        TYPE(X, 10), 0, READ(42, 1, 4), NO_LISTS, NULL_CALL(X)),
    ONE("v2-position-in-header", "4.4.2/position-in-rpc-header",
        "A Read chunk at Position 8, inside the RPC header.",
        TYPE(X, 10), 0, 1, 8, PROBE2_HANDLE, 4, PROBE2_OFFSET_HIGH, PROBE2_OFFSET_LOW, NO_LISTS,
        NULL_CALL(X)),
    ONE("v2-external-empty", "6.3.5/call-chunk-present", "CALL_EXTERNAL without a Call chunk.",
        TYPE(X, 8), 0, 0, NO_LISTS),
    ONE("v2-external-elsewhere", "6.6.3/call-chunk-position-zero",
        "The segment of a Call chunk has Position 4.",
        TYPE(X, 8), 0, READ(4, 1, 40), 0, NO_LISTS),
    ONE("v2-xid-differs", "7.2/xid-equal", "The RPC message has another XID than the header.",
        TYPE(X, 10), 0, NO_LISTS, NULL_CALL(Y)),

    /* ---- pieces ---- */
    {.id = "v2-pieces-foreign", .rule = RULE "4.1/pieces-not-mixed",
     .comment = "A piece of another message comes between two pieces.",
     .sends = 2, .send = {SEND(MIDDLE(X, 36), X), SEND(MIDDLE(Y, 36), Y)}},
    {.id = "v2-pieces-foreign-rest", .rule = RULE "7.1.4/broken-continuation-dropped",
     .comment = "The rest of a message whose first piece was refused is no Call.",
     .sends = 3, .send = {SEND(MIDDLE(X, 36), X), SEND(MIDDLE(Y, 36), Y),
                          SEND(TYPE(Y, 10), 0, NO_LISTS, REST)}},
    {.id = "v2-pieces-count-up", .rule = RULE "6.3.6/call-remaining",
     .comment = "The second piece says that more remains than the first did.",
     .sends = 2, .send = {SEND(MIDDLE(X, 36), X), SEND(MIDDLE(X, 100), 0)}},
    {.id = "v2-pieces-end-early", .rule = RULE "6.3.6/call-remaining",
     .comment = "The last Send has fewer octets than remained.",
     .sends = 2, .send = {SEND(MIDDLE(X, 136), X), SEND(TYPE(X, 10), 0, NO_LISTS, REST)}},
    ONE("v2-piece-remaining-0", "6.3.6/call-remaining",
        "A piece after which nothing remains, though it is not the last.", MIDDLE(X, 0), X),
    {.id = "v2-pieces-then-external", .rule = RULE "6.3.6/call-continues",
     .comment = "CALL_EXTERNAL ends what CALL_MIDDLE began.",
     .sends = 2, .send = {SEND(MIDDLE(X, 36), X),
                          SEND(TYPE(X, 8), 0, CALL_CHUNK(40), NO_LISTS)}},
    {.id = "v2-pieces-then-connprop", .rule = RULE "6.3.6/call-continues",
     .comment = "CONNPROP_FINAL between two pieces.",
     .sends = 2, .send = {SEND(MIDDLE(X, 36), X), SEND(TYPE(Y, 7), 0)}},

    /* ---- properties ---- */
    ONE("v2-property-short", "7.2.2/bad-value-answered", "A Receive Buffer Size of two octets.",
        TYPE(X, 7), 1, 2, 2, 0),
    ONE("v2-property-beyond", "5.1/value-within-message", "The value ends beyond the message.",
        TYPE(X, 7), 1, 2, 8, 8192),
    {.id = "v2-property-after-final", .rule = RULE "6.3.4/nothing-after-final",
     .comment = "A second CONNPROP_FINAL.",
     .sends = 2, .send = {SEND(TYPE(X, 7), 1, 2, 4, 8192), SEND(TYPE(Y, 7), 1, 2, 4, 8192)}},
    {.id = "v2-middle-then-call", .rule = RULE "6.3.3/properties-continue",
     .comment = "A NULL follows CONNPROP_MIDDLE.",
     .sends = 2, .send = {SEND(TYPE(X, 6), 1, 2, 4, 8192), SEND(INLINE(Y))}},
    {.id = NULL},
};
/* clang-format on */
