// SPDX-License-Identifier: BSD-3-Clause
/* Calls of the test program in all forms: what the reference Requester does when it is served. */
#include "rxe-harness/requester/caller.h"
#include "rxe-harness/transport/test_program.h"

#include "conformance/base/count.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DATA 8192u  /* octets that are fetched: more than a Send holds */
#define LITTLE 100u /* and fewer */
#define MIDDLE 3u   /* number of the Call after which there are several at once */
#define AT_ONCE 4   /* Calls */
#define SOME 2048u  /* what a Send of version 2 holds, and no piece of serve's cases */

/* What is otherwise is added to reply->text. */
static bool is_fetched(const struct requester_call *call, struct requester_reply *reply,
                       const struct requester_pending *pending)
{
    const uint8_t *data = reply->in_chunk ? pending->item : reply->results + 4;
    size_t count = rpcrdma_xdr_load32(call->args), same = 0, said = strlen(reply->text);
    char *text = reply->text + said;
    if (reply->in_chunk ? reply->item_length != count : reply->results_length != 4 + count) {
        snprintf(text, sizeof reply->text - said, ", without the %zu octets of data", count);
        return false;
    }
    while (same < count && data[same] == TEST_OCTET(same))
        same++;
    if (same < count)
        snprintf(text, sizeof reply->text - said, ": octet %zu of %zu is %u, not %u", same, count,
                 data[same], TEST_OCTET(same));
    return same == count;
}

/* How many octets came, and their sum. */
static bool is_stored(const struct requester_call *call, const struct requester_reply *reply)
{
    uint32_t count = rpcrdma_xdr_load32(call->args), sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += call->args[4 + i];
    return reply->results_length == 8 && rpcrdma_xdr_load32(reply->results) == count &&
           rpcrdma_xdr_load32(reply->results + 4) == sum;
}

/* "FETCH with a Write chunk": what a Call was, for who looks it up in a capture. */
static void describe(const struct requester_call *call, char text[48])
{
    const char *chunks = call->long_segments > 0    ? "in a Position Zero Read chunk"
                         : call->read_segments > 0  ? "with a Read chunk"
                         : call->write_segments > 0 ? "with a Write chunk"
                         : call->reply_segments > 0 ? "with a Reply chunk"
                                                    : "inline";
    snprintf(text, 48, "%s %s",
             call->procedure == TEST_FETCH   ? "FETCH"
             : call->procedure == TEST_STORE ? "STORE"
                                             : "NULL",
             chunks);
}

/* Several Calls before the first is answered. */
static const char *call_at_once(struct requester *requester, unsigned timeout, char text[256])
{
    static const struct requester_call null = {.procedure = TEST_NULL};
    struct requester_pending pending[AT_ONCE];
    const char *wrong = NULL;
    unsigned sent = 0;
    while (sent < AT_ONCE && requester_begin(requester, &null, &pending[sent]))
        sent++;
    for (unsigned i = 0; i < sent && wrong == NULL; i++) {
        struct requester_reply reply = {.text = "no Reply"};
        requester_receive(requester, &pending[i], timeout, &reply);
        if (reply.outcome != RPCRDMA_PROCESS || !reply.accepted || reply.stat != 0) {
            snprintf(text, 256, "of %u Calls at once, number %u: %.150s", sent, i + 1, reply.text);
            wrong = text;
        }
    }
    for (unsigned i = 0; i < sent; i++)
        requester_forget(requester, &pending[i]);
    return wrong;
}

const char *requester_call_test(struct requester *requester, bool is_refused, unsigned timeout,
                                char text[256])
{
    static const uint8_t count[4] = {0, 0, DATA >> 8, 0};
    static const uint8_t little[4] = {0, 0, 0, LITTLE};
    static const uint8_t some[4] = {0, 0, SOME >> 8, 0};
    static const uint8_t data[12] = {0, 0, 0, 5, 1, 2, 3, 4, 5};
    static uint8_t much[4 + DATA] = {0, 0, DATA >> 8, 0}, more[4 + SOME] = {0, 0, SOME >> 8, 0};
    const struct requester_call calls[] = {
        {.procedure = TEST_FETCH, .args = little, .args_length = 4},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .write_segments = 2,
         .write_room = DATA},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .reply_segments = 2,
         .reply_room = DATA + 512},
        {.procedure = TEST_STORE,
         .args = data,
         .args_length = 12,
         .item_at = 4,
         .item_length = 5,
         .read_segments = 2},
        {.procedure = TEST_STORE, .args = much, .args_length = sizeof much},
        {.procedure = TEST_FETCH,
         .args = little,
         .args_length = 4,
         .reply_segments = 1,
         .reply_room = LITTLE + 512},
        {.procedure = TEST_FETCH,
         .args = little,
         .args_length = 4,
         .write_segments = 1,
         .write_room = LITTLE,
         .write_chunks = 2},
        {.procedure = TEST_FETCH, .args = some, .args_length = 4, .reply_room = SOME + 512},
        {.procedure = TEST_STORE, .args = more, .args_length = sizeof more},
        {.procedure = TEST_NULL},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        struct requester_pending pending = {.xid = 0};
        struct requester_reply reply = {.text = "a Call that cannot be sent"};
        struct requester_call call = calls[i];
        bool is_long = call.args == much ||
                       (call.args == more && requester->send_limit < REQUESTER_NULL + sizeof more);
        if (!requester->caller->lengthens && is_long)
            call.long_segments = 1;
        if (!requester->caller->lengthens && call.args == some)
            call.reply_segments = 1;
        if (requester_begin(requester, &call, &pending))
            requester_receive(requester, &pending, timeout, &reply);
        bool good = reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0 &&
                    (call.procedure != TEST_FETCH || is_fetched(&call, &reply, &pending)) &&
                    (call.procedure != TEST_STORE || is_stored(&call, &reply));
        bool ended = reply.code != 0;
        uint32_t xid = pending.xid;
        requester_forget(requester, &pending);
        if (i == 0 && is_refused ? !ended : !good) {
            char what[48];
            describe(&call, what);
            snprintf(text, 256, "Call %zu, %s, XID 0x%08" PRIx32 ": %.150s", i + 1, what, xid,
                     reply.text);
            return text;
        }
        bool several = requester->caller->lengthens && i == MIDDLE;
        if (several && call_at_once(requester, timeout, text))
            return text;
    }
    return NULL;
}
