// SPDX-License-Identifier: BSD-3-Clause
/* What a message means to the reference Requester. */
#include "rxe-harness/requester/caller.h"

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

void requester_read_rpc(struct requester_reply *reply, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t at = rpcrdma_rpc_header_decode(&rpc, octets, length, NULL);
    if (rpcrdma_xdr_failed(at) || !rpc.is_reply) {
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

void requester_read_writes(struct requester_reply *reply, const struct rpcrdma1_write_list *writes)
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

void requester_read_long(const struct rpcrdma1_chunk_lists *lists,
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
        requester_read_rpc(reply, pending->reply, (size_t)used);
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
    if (rpcrdma_xdr_failed(length))
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
    requester_read_writes(reply, &lists->rdma_writes);
    if (header.rdma_body.proc == RPCRDMA1_MSG) {
        requester_read_rpc(reply, event->octets + length, event->length - (size_t)length);
        return;
    }
    requester_read_long(lists, pending, reply);
}
