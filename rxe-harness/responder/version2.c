// SPDX-License-Identifier: BSD-3-Clause
/*
 * Calls of version 2 (draft -07). The session has joined the message and judged its header; chunks
 * and execution are those of version 1. A Reply that one Send does not hold goes into the Reply
 * chunk, if that is large enough, and else in pieces (6.6.3).
 */
#include "rxe-harness/responder/work.h"

/* Write chunks have the same values in both versions. */
static struct rpcrdma2_07_write_list writes2(const struct returned *returned)
{
    _Static_assert(sizeof(struct rpcrdma1_write_chunk) == sizeof(struct rpcrdma2_07_write_chunk),
                   "the same members");
    return (struct rpcrdma2_07_write_list){.items = (const void *)returned->writes,
                                           .count = returned->write_count};
}

/* 7.3.4: which Write chunk is too short, counted from 1, and what it has to hold. */
static bool refuse_short_chunk(struct work *work)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&work->message.chunks.rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    if (!work->has_item || !rpcrdma1_write_list_next(&iter, &chunk) || chunk.target.count == 0 ||
        rpcrdma1_segments_length(&chunk.target) >= work->item_length)
        return false;
    const uint32_t values[2] = {1, (uint32_t)work->item_length};
    session_send_error(work->responder->session, work->message.prefix.xid,
                       RPCRDMA2_07_ERR_WRITE_RESOURCE, values);
    return true;
}

/* Whether the Reply is too long for one Send, and the Reply chunk holds it. */
static bool is_external(const struct work *work, const struct returned *returned)
{
    const struct rpcrdma1_write_chunk_opt *offered = &work->message.chunks.rdma_reply;
    size_t header = RPCRDMA2_07_HDR_PREFIX_SIZE + RPCRDMA2_07_HDR_REPLY_INLINE_SIZE_MIN - 4 +
                    8 * (size_t)returned->write_count + 16 * (size_t)returned->segment_count;
    return header + work->reply_length > session_counts(work->responder->session).send_limit &&
           offered->present &&
           rpcrdma1_segments_length(&offered->value.target) >= work->reply_length;
}

static bool reply2(struct work *work, struct returned *returned)
{
    struct responder *responder = work->responder;
    struct session_message message = {
        .direction = RPCRDMA_REPLY, .xid = work->message.prefix.xid, .rpc = responder->reply};
    struct rpcrdma1_segment_array filled;
    returned->write_count = returned->segment_count = 0;
    if (!responder_fill_writes(work, returned))
        return false;
    message.writes = writes2(returned);
    message.length = work->reply_length;
    message.external = is_external(work, returned);
    if (message.external) {
        const struct rpcrdma1_write_chunk_opt *offered = &work->message.chunks.rdma_reply;
        if (!responder_fill(work, returned, &offered->value.target, &filled, responder->reply,
                            work->reply_length))
            return false;
        message.reply.present = true;
        message.reply.value.rdma_target = (struct rpcrdma2_07_segment_array){
            .items = (const void *)filled.items, .count = filled.count};
    }
    if (work->message.rpc.invalidate != 0)
        message.invalidates = &work->message.rpc.invalidate;
    return session_send(responder->session, &message);
}

void responder_serve2(struct responder *responder, const struct session_event *event)
{
    static _Thread_local struct returned returned;
    struct work work = {.responder = responder,
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
