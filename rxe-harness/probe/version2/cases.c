// SPDX-License-Identifier: BSD-3-Clause
/*
 * The cases of version 2 that are more than Sends: the first message of a connection, credits, two
 * connections. All others are vectors. Sends are words; the credit word, here 0, is filled in.
 */
#include "rxe-harness/probe/version2/probe.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#define X PROBE2_XID
#define Y (PROBE2_XID + 1)
#define Z (PROBE2_XID + 2)

#define NO_LISTS 0, 0, 0
/* An RPC Call of NULL: its XID, all but two words of what follows, and these. */
#define SHORT_REST 0, 2, PROBE2_PROGRAM, PROBE2_VERSION, 0, 0, 0
#define NULL_REST SHORT_REST, 0, 0
#define REST 36 /* octets of it */
#define NULL_CALL(xid) xid, NULL_REST
/* The prefix of each type; the Call inline. */
#define PREFIX(xid, type) xid, 2, 0, type
#define TYPE04(xid, type) PREFIX(xid, RPCRDMA2_04_##type)
#define TYPE07(xid, type) PREFIX(xid, RPCRDMA2_07_##type)
#define INLINE04(xid) TYPE04(xid, MSG), 0, 0, NO_LISTS, NULL_CALL(xid)
#define LAST07(xid, ...) TYPE07(xid, CALL_INLINE), 0, NO_LISTS, __VA_ARGS__
#define INLINE07(xid) LAST07(xid, NULL_CALL(xid))
#define FIRST07(xid) TYPE07(xid, CALL_MIDDLE), REST, xid
#define GRANT07 TYPE07(0, GRANT)
#define NUMBER07(name, value) RPCRDMA2_07_PROPID_##name, 4, value

#define SEND(...)                                                                                  \
    {                                                                                              \
        {__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)                    \
    }

/* clang-format off */
static const struct probe2_case cases04[] = {
    {.id = "v2-first-1024", .rule = "rpcrdma2-04/7/first-send-of-1024",
     .comment = "The first message fills 1024 octets.", .first = true, .pad = 1024,
     .sends = 1, .send = {SEND(INLINE04(X))}},
    {.id = "v2-first-connprop", .rule = "rpcrdma2-04/5.3/unsupported-operation-answered",
     .comment = "The first message is RDMA2_CONNPROP, then a NULL.", .first = true,
     .sends = 1, .send = {SEND(TYPE04(X, CONNPROP), 1, 1, 4, 8192, 0)}},
    {.id = "v2-credits-zero", .rule = "rfc8166/3.3.1/request-of-zero", .granting = 1, .credit = 0,
     .comment = "A NULL that asks for no credits is answered.",
     .sends = 1, .send = {SEND(INLINE04(X))}},
    {.id = NULL},
};

static const struct probe2_case cases07[] = {
    {.id = "v2-first-1024", .rule = "rpcrdma2-07/4.3/first-send-of-1024",
     .comment = "The first message fills 1024 octets.", .first = true, .pad = 1024,
     .sends = 1, .send = {SEND(INLINE07(X))}},
    {.id = "v2-first-connprop", .rule = "rpcrdma2-07/6.3.4/nothing-after-final",
     .comment = "The first message is CONNPROP_FINAL, then a NULL.", .first = true,
     .sends = 1, .send = {SEND(TYPE07(X, CONNPROP_FINAL), 1, 2, 4, 8192)}},
    {.id = "v2-first-grant-then-null", .rule = "rpcrdma2-07/4.2.1.1/spare-receive", .first = true,
     .comment = "The first message is a GRANT; the NULL after it does not wait for an answer.",
     .sends = 2, .send = {SEND(GRANT07), SEND(INLINE07(X))}},
    {.id = "v2-version-3-then-1", .rule = "rpcrdma2-07/7.1.1/unsupported-version-answered",
     .comment = "A Call of version 3 is refused, and one of version 1 executed, if ERR_VERS names "
                "that version.", .first = true, .falls_back = true,
     .sends = 2, .send = {SEND(X, 3, 0, RPCRDMA2_07_CALL_INLINE, 0, NO_LISTS, NULL_CALL(X)),
                          SEND(Y, 1, 0, 0, NO_LISTS, NULL_CALL(Y))}},
    {.id = "v2-credits-zero", .rule = "rpcrdma2-07/4.2.1/sends-within-limit", .first = true,
     .comment = "One answer is allowed, and two NULLs more are made: they wait for a GRANT.",
     .granting = 3, .credit = 1, .replies = 3,
     .sends = 4, .send = {SEND(INLINE07(X)), SEND(INLINE07(Y)), SEND(INLINE07(Z)), SEND(GRANT07)}},
    {.id = "v2-properties-all", .rule = "rpcrdma2-07/5.1/value-form",
     .comment = "One message tells all six properties, each with a value that is valid.",
     .sends = 1, .send = {SEND(TYPE07(X, CONNPROP_FINAL), 6, NUMBER07(SBSIZ, 4096),
         NUMBER07(RBSIZ, 4096), NUMBER07(RSSIZ, 65536), NUMBER07(RCSIZ, 16), NUMBER07(BRS, 0),
         RPCRDMA2_07_PROPID_HOSTAUTH, 8, 4, 0x61626364)}},
    {.id = "v2-pieces-after-refused", .rule = "rpcrdma2-07/7.1.4/broken-continuation-dropped",
     .comment = "A Call in pieces ends two words too early; the next one, which has another XID, is "
                "executed.",
     .sends = 4, .send = {SEND(FIRST07(X)),
                          SEND(LAST07(X, SHORT_REST)),
                          SEND(FIRST07(Y)),
                          SEND(LAST07(Y, NULL_REST))}},
    {.id = "v2-pieces-of-refused", .rule = "rpcrdma2-07/7.1.4/broken-continuation-dropped",
     .comment = "The second piece of a Call says that more remains than the first did; what comes of "
                "that Call then is dropped.",
     .sends = 3, .send = {SEND(FIRST07(X)),
                          SEND(TYPE07(X, CALL_MIDDLE), 100, 0),
                          SEND(LAST07(X, SHORT_REST))}},
    {.id = "v2-pieces-left", .rule = "rpcrdma2-07/6.6.2/pieces-joined", .anew = true,
     .comment = "The connection ends after a piece; on the next one the same NULL comes whole.",
     .sends = 2, .send = {SEND(FIRST07(X)), SEND(INLINE07(X))}},
    {.id = NULL},
};
/* clang-format on */

const struct probe2_case *probe2_cases(enum rpcrdma_protocol draft)
{
    return draft == RPCRDMA_PROTOCOL_2_04 ? cases04 : cases07;
}
