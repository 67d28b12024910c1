// SPDX-License-Identifier: BSD-3-Clause
/* What a message means to the reference Requester. */
#include "rxe-harness/requester/requester.h"

#include "rxe-harness/requester/version2.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <stdio.h>

static void read_error(const struct rpcrdma1_header *header, struct requester_reply *reply)
{
    const struct rpcrdma1_error *error = &header->rdma_body.rdma_error;
    if (error->err == RPCRDMA1_ERR_VERS) {
        reply->outcome = RPCRDMA_ERR_VERS;
        reply->vers = header->rdma_vers;
        reply->low = error->range.rdma_vers_low;
        reply->high = error->range.rdma_vers_high;
        snprintf(reply->text, sizeof reply->text, "err-vers, versions %u to %u", reply->low,
                 reply->high);
    } else {
        reply->outcome = RPCRDMA_ERR_CHUNK;
        snprintf(reply->text, sizeof reply->text, "err-chunk");
    }
}

static void read_rpc(struct requester_reply *reply, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t at = rpcrdma_rpc_header_decode(&rpc, octets, length, NULL);
    if (at < 0 || !rpc.is_reply) {
        snprintf(reply->text, sizeof reply->text, "a message that holds no RPC Reply");
        return;
    }
    reply->accepted = rpc.accepted;
    reply->stat = rpc.accepted ? rpc.accept_stat : rpc.reject_stat;
    bool garbage = rpc.accepted && rpc.accept_stat == 4;
    reply->outcome = garbage ? RPCRDMA_GARBAGE_ARGS : RPCRDMA_PROCESS;
    reply->results = octets + at;
    reply->results_length = length - (size_t)at;
    snprintf(reply->text, sizeof reply->text, "a Reply, %s %u",
             rpc.accepted ? "accept_stat" : "reject_stat", reply->stat);
}

static void read_writes(struct requester_reply *reply, const struct rpcrdma1_write_list *writes)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        if (reply->chunks < REQUESTER_CHUNKS)
            reply->chunk_lengths[reply->chunks] = (size_t)rpcrdma1_segments_length(&chunk.target);
        reply->chunks++;
    }
    reply->item_length = reply->chunk_lengths[0];
    reply->in_chunk = reply->item_length > 0;
}

void requester_read_nothing(const struct requester *requester, bool closed,
                            struct requester_reply *reply)
{
    *reply = (struct requester_reply){.outcome = closed ? RPCRDMA_CLOSE : RPCRDMA_DISCARD};
    if (closed)
        snprintf(reply->text, sizeof reply->text, "the end of the connection: %.100s",
                 requester->link->why);
    else
        snprintf(reply->text, sizeof reply->text, "silence");
}

static void read_long(const struct rpcrdma1_chunk_lists *lists,
                      const struct requester_pending *pending, struct requester_reply *reply)
{
    uint64_t room = pending ? pending->reply_room : 0;
    uint64_t used =
        lists->rdma_reply.present ? rpcrdma1_segments_length(&lists->rdma_reply.value.target) : 0;
    reply->is_long = true;
    if (used == 0 || used > room)
        snprintf(reply->text, sizeof reply->text, "a Long Reply of %llu octets where %llu fit",
                 (unsigned long long)used, (unsigned long long)room);
    else
        read_rpc(reply, pending->reply, (size_t)used);
}

void requester_read_reply(const struct link_event *event, const struct requester_pending *pending,
                          struct requester_reply *reply)
{
    struct rpcrdma1_header header;
    ptrdiff_t length = rpcrdma1_header_decode(&header, event->octets, event->length, NULL, NULL);
    *reply = (struct requester_reply){.outcome = 0};
    if (event->length >= 4)
        reply->xid = rpcrdma_xdr_load32(event->octets);
    snprintf(reply->text, sizeof reply->text, "%zu octets that are no header", event->length);
    if (length < 0)
        return;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    if (header.rdma_body.proc == RPCRDMA1_ERROR) {
        read_error(&header, reply);
        return;
    }
    if (lists == NULL) {
        snprintf(reply->text, sizeof reply->text, "a message of procedure %u",
                 (unsigned)header.rdma_body.proc);
        return;
    }
    read_writes(reply, &lists->rdma_writes);
    if (header.rdma_body.proc == RPCRDMA1_MSG) {
        read_rpc(reply, event->octets + length, event->length - (size_t)length);
        return;
    }
    read_long(lists, pending, reply);
}

/* ---- version 2 ---- */

static void read_error2(const struct rpcrdma_message *message, struct requester_reply *reply)
{
    const char *name = rpcrdma_error_name(message->protocol, message->error.code);
    reply->outcome = rpcrdma_reaction_of_error(message->protocol, message->error.code);
    reply->code = message->error.code;
    reply->vers = message->prefix.version;
    for (uint32_t i = 0; i < 2; i++)
        reply->value[i] = i < message->error.values ? message->error.value[i] : 0;
    reply->low = reply->value[0];
    reply->high = reply->value[1];
    snprintf(reply->text, sizeof reply->text, "RDMA2_ERROR %s (%u), %u and %u",
             name ? name : "code", reply->code, reply->low, reply->high);
}

/* A segment that came back is memory of this Call, up to its length. */
static bool is_offered(const struct requester_pending *pending,
                       const struct rpcrdma1_segment *segment)
{
    for (unsigned i = 0; i < pending->memory.count; i++) {
        const struct link_memory *piece = &pending->memory.pieces[i];
        if (piece->handle == segment->handle && piece->offset == segment->offset)
            return segment->length <= piece->length;
    }
    return false;
}

static bool are_offered(const struct requester_pending *pending,
                        const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        if (!is_offered(pending, &segment))
            return false;
    return true;
}

static bool chunks_are_offered(const struct requester_pending *pending,
                               const struct rpcrdma1_chunk_lists *chunks)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (!are_offered(pending, &chunk.target) ||
            rpcrdma1_segments_length(&chunk.target) > pending->item_room)
            return false;
    return !chunks->rdma_reply.present || are_offered(pending, &chunks->rdma_reply.value.target);
}

void requester_read_event(const struct session_event *event,
                          const struct requester_pending *pending, struct requester_reply *reply)
{
    const struct rpcrdma_message *message = &event->message;
    *reply = (struct requester_reply){.xid = message->prefix.xid};
    if (event->type == SESSION_ERROR || event->type == SESSION_REFUSED) {
        read_error2(message, reply);
        return;
    }
    if (!chunks_are_offered(pending, &message->chunks)) {
        snprintf(reply->text, sizeof reply->text, "a Reply in memory that its Call did not offer");
        return;
    }
    read_writes(reply, &message->chunks.rdma_writes);
    if (message->form == RPCRDMA_FORM_SPECIAL)
        read_long(&message->chunks, pending, reply);
    else
        read_rpc(reply, event->payload, event->length);
}
