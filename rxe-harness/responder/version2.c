// SPDX-License-Identifier: BSD-3-Clause
/*
 * Calls of version 2. The session has judged the header, and joined the message; chunks and
 * execution are those of version 1. A Reply that one Send does not hold goes into the Reply chunk,
 * if that is large enough; else by -07 in pieces (6.6.3), and by -04 there is none, but an error
 * that says how much is needed (6.2.4).
 */
#include "rxe-harness/responder/work.h"

#include "conformance/base/count.h"
#include "rxe-harness/requester/reverse.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma2_04.h>

enum { WORD = 4 };

static bool is_04(const struct served_call *work)
{
    return work->message.protocol == RPCRDMA_PROTOCOL_2_04;
}

/* -07 7.3.4, -04 6.2.4: which Write chunk is too short, counted from 1, and what it has to hold. */
static bool refuse_short_chunk(struct served_call *work)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&work->message.chunks.rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    for (uint32_t i = 0; i < work->item_count && rpcrdma1_write_list_next(&iter, &chunk); i++) {
        const uint32_t values[2] = {i + 1, (uint32_t)work->items[i].length};
        if (chunk.target.count == 0 || rpcrdma1_segments_length(&chunk.target) >= values[1])
            continue;
        session_send_error(work->responder->session, work->message.prefix.xid,
                           RPCRDMA2_07_ERR_WRITE_RESOURCE, values);
        return true;
    }
    return false;
}

/* Whether the Reply is too long for one Send. */
static bool is_long(const struct served_call *work, const struct returned *returned)
{
    const struct rpcrdma1_write_chunk_opt *offered = &work->message.chunks.rdma_reply;
    size_t header = RPCRDMA2_07_HDR_PREFIX_SIZE + RPCRDMA2_07_HDR_REPLY_INLINE_SIZE_MIN - WORD;
    if (is_04(work)) /* there an unused Reply chunk comes back, as in version 1 */
        header = RPCRDMA2_04_MSG_SIZE_MIN +
                 (offered->present ? WORD + 16 * (size_t)offered->value.target.count : 0);
    header += 8 * (size_t)returned->write_count + 16 * (size_t)returned->segment_count;
    return header + work->reply_length > session_counts(work->responder->session).send_limit;
}

static bool chunk_holds_reply(const struct served_call *work)
{
    const struct rpcrdma1_write_chunk_opt *offered = &work->message.chunks.rdma_reply;
    return offered->present &&
           rpcrdma1_segments_length(&offered->value.target) >= work->reply_length;
}

/* Return the Reply chunk: with the Reply, or unused. */
static bool fill_reply_chunk(struct served_call *work, struct returned *returned,
                             struct session_message *message)
{
    const struct rpcrdma1_write_chunk_opt *offered = &work->message.chunks.rdma_reply;
    message->reply.present = true;
    return responder_fill(work, returned, &offered->value.target, &message->reply.value.target,
                          work->responder->reply, message->external ? work->reply_length : 0);
}

static bool reply2(struct served_call *work, struct returned *returned)
{
    struct responder *responder = work->responder;
    struct session_message message = {
        .direction = RPCRDMA_REPLY, .xid = work->message.prefix.xid, .rpc = responder->reply};
    returned->write_count = returned->segment_count = 0;
    if (!responder_fill_writes(work, returned))
        return false;
    bool too_long = is_long(work, returned);
    message.writes =
        (struct rpcrdma1_write_list){.items = returned->writes, .count = returned->write_count};
    message.length = work->reply_length;
    message.external = (too_long || responder->prefers_reply_chunk) && chunk_holds_reply(work);
    if (is_04(work) && too_long && !message.external)
        return session_send_error(responder->session, message.xid, RPCRDMA2_07_ERR_REPLY_RESOURCE,
                                  (const uint32_t[2]){(uint32_t)work->reply_length, 0});
    bool returns_chunk =
        message.external || (is_04(work) && work->message.chunks.rdma_reply.present);
    if (returns_chunk && !fill_reply_chunk(work, returned, &message))
        return false;
    if (work->message.rpc.invalidate != 0)
        message.invalidates = &work->message.rpc.invalidate;
    return session_send(responder->session, &message);
}

static void serve2(struct responder *responder, const struct session_event *event)
{
    static _Thread_local struct returned returned;
    struct served_call work = {.responder = responder,
                               .message = event->message,
                               .payload = event->payload,
                               .payload_length = event->length};
    if (!responder_collect(&work) || !responder_execute(&work))
        session_send_error(responder->session, work.message.prefix.xid, RPCRDMA2_07_ERR_BAD_XDR,
                           (const uint32_t[2]){0, 0});
    else if (!refuse_short_chunk(&work) && !reply2(&work, &returned))
        session_send_error(responder->session, work.message.prefix.xid, RPCRDMA2_07_ERR_SYSTEM,
                           (const uint32_t[2]){0, 0});
}

/* ---- reverse Calls ---- */

void responder_call_back(struct responder *responder, unsigned every)
{
    responder->every = every;
}

void responder_prefer_reply_chunk(struct responder *responder, bool prefer)
{
    responder->prefers_reply_chunk = prefer;
}

void responder_empty_unused(struct responder *responder, bool empty)
{
    responder->empties_unused = empty;
}

struct responder_calls responder_calls(const struct responder *responder)
{
    return responder->calls;
}

static void call_back(struct responder *responder)
{
    const uint32_t xid = RESPONDER_REVERSE_XID + responder->reverse_xid;
    const uint32_t words[] = {xid, 0, 2, REVERSE_PROGRAM, REVERSE_VERSION, 0, 0, 0, 0, 0};
    uint8_t rpc[sizeof words];
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(rpc + WORD * i, words[i]);
    const struct session_message message = {
        .direction = RPCRDMA_CALL, .xid = xid, .rpc = rpc, .length = sizeof rpc};
    if (!session_send(responder->session, &message))
        return;
    responder->reverse_xid++;
    responder->calls.made++;
}

bool responder_take_answer(struct responder *responder, uint32_t xid, const uint8_t *payload,
                           size_t length)
{
    struct rpcrdma_rpc_header rpc;
    if (xid - RESPONDER_REVERSE_XID >= responder->reverse_xid ||
        rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&rpc, payload, length, NULL)) || !rpc.is_reply)
        return false;
    bool executed = rpc.accepted && rpc.accept_stat == 0;
    responder->calls.answered++;
    responder->calls.executed += executed;
    return executed;
}

void responder_take2(struct responder *responder, const struct session_event *event)
{
    if (event->type == SESSION_REPLY)
        responder_take_answer(responder, event->message.prefix.xid, event->payload, event->length);
    responder->calls.made -= event->type == SESSION_UNSENT;
    if (event->type != SESSION_CALL)
        return;
    serve2(responder, event);
    responder_write_late(responder);
    if (responder->every > 0 && ++responder->served % responder->every == 0)
        call_back(responder);
}
