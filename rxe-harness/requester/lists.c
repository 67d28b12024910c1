// SPDX-License-Identifier: BSD-3-Clause
/* The chunk lists of a Call, and the memory that they name: alike in both versions. */
#include "rxe-harness/requester/caller.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

/* Cut octets into `count` segments of about the same length; none is empty unless they all are. */
static bool expose_chunk(struct requester *requester, struct requester_memory *memory,
                         uint8_t *octets, size_t length, unsigned count, unsigned access,
                         struct rpcrdma1_segment *segments)
{
    struct link_memory piece;
    if (memory->one_handle && !requester_expose(requester, memory, octets, length, access, &piece))
        return false;
    for (unsigned i = 0; i < count; i++) {
        size_t part = length / (count - i);
        if (!memory->one_handle &&
            !requester_expose(requester, memory, octets, part, access, &piece))
            return false;
        segments[i] = (struct rpcrdma1_segment){
            .handle = piece.handle, .length = (uint32_t)part, .offset = piece.offset};
        piece.offset += part;
        octets += part;
        length -= part;
    }
    return true;
}

static bool add_read_chunk(struct requester *requester, struct requester_pending *pending,
                           struct call_lists *draft, uint8_t *octets, size_t length,
                           unsigned segments, size_t position)
{
    if (segments > REQUESTER_SEGMENTS - draft->read_count ||
        !expose_chunk(requester, &pending->memory, octets, length, segments, LINK_PEER_READS,
                      draft->parts))
        return false;
    for (unsigned i = 0; i < segments; i++)
        draft->reads[draft->read_count++] = (struct rpcrdma1_read_segment){
            .position = (uint32_t)position, .target = draft->parts[i]};
    return true;
}

/* Room for eligible results: chunks of the same size, one after the other. */
static bool add_writes(struct requester *requester, const struct requester_call *call,
                       struct requester_pending *pending, struct call_lists *draft)
{
    unsigned chunks = call->write_chunks > 0 ? call->write_chunks : 1;
    if (chunks > REQUESTER_CHUNKS || call->write_segments > REQUESTER_SEGMENTS / chunks)
        return false;
    pending->item_room = call->write_room;
    pending->item = calloc(chunks, call->write_room + 1);
    bool good = pending->item != NULL;
    for (unsigned i = 0; good && i < chunks; i++) {
        struct rpcrdma1_segment *segments = draft->writes + (size_t)i * call->write_segments;
        unsigned count = call->empty_chunks >> i & 1 ? 0 : call->write_segments;
        good = expose_chunk(requester, &pending->memory, pending->item + i * call->write_room,
                            call->write_room, count, LINK_PEER_WRITES, segments);
        draft->write[i].target = (struct rpcrdma1_segment_array){.items = segments, .count = count};
    }
    draft->header.rdma_body.rdma_msg.rdma_writes =
        (struct rpcrdma1_write_list){.items = draft->write, .count = chunks};
    return good;
}

/* Room for results. */
static bool add_rooms(struct requester *requester, const struct requester_call *call,
                      struct requester_pending *pending, struct call_lists *draft)
{
    struct rpcrdma1_chunk_lists *lists = &draft->header.rdma_body.rdma_msg;
    bool has_writes = call->write_segments > 0 || call->write_chunks > 0;
    bool good = !has_writes || add_writes(requester, call, pending, draft);
    if (good && call->reply_segments > 0) {
        pending->reply_room = call->reply_room;
        pending->reply = calloc(1, call->reply_room + 1);
        good = pending->reply &&
               expose_chunk(requester, &pending->memory, pending->reply, call->reply_room,
                            call->reply_segments, LINK_PEER_WRITES, draft->replies);
        lists->rdma_reply.present = true;
        lists->rdma_reply.value.target =
            (struct rpcrdma1_segment_array){.items = draft->replies, .count = call->reply_segments};
    }
    return good;
}

static size_t rpc_length(const struct requester_call *call)
{
    return call->as_root ? REQUESTER_RPC_SYS : REQUESTER_RPC;
}

/* AUTH_SYS: no stamp, no name, user and group 0. */
static void put_credential(uint8_t octets[REQUESTER_RPC_SYS])
{
    memset(octets + REQUESTER_RPC - 16, 0, REQUESTER_RPC_SYS - (REQUESTER_RPC - 16));
    rpcrdma_xdr_store32(octets + REQUESTER_RPC - 16, 1);
    rpcrdma_xdr_store32(octets + REQUESTER_RPC - 12, REQUESTER_RPC_SYS - REQUESTER_RPC);
}

/* Items that are taken out, each this many octets after the one before. */
static unsigned items_of(const struct requester_call *call)
{
    unsigned items = call->read_items > 0 ? call->read_items : 1;
    return call->read_segments > 0 ? items : 0;
}

static size_t stride_of(const struct requester_call *call)
{
    return 4 + call->item_length + (4 - call->item_length % 4) % 4;
}

/* The Call's octets, reduced ones first; then those of the items that were taken out. */
static size_t lay_out(const struct requester_call *call, const struct requester *requester,
                      uint8_t *octets)
{
    size_t rpc = rpc_length(call), length = rpc, from = 0;
    requester_rpc(octets, requester->xid, requester->program, requester->version, call->procedure);
    if (call->as_root)
        put_credential(octets);
    for (unsigned i = 0; i <= items_of(call); i++) { /* what is before each item, and after all */
        size_t at = call->item_at + i * stride_of(call);
        size_t until = i < items_of(call) ? at : call->args_length;
        if (until > from)
            memcpy(octets + length, call->args + from, until - from);
        length += until - from;
        from = at + stride_of(call) - 4;
    }
    for (unsigned i = 0; i < items_of(call); i++)
        memcpy(octets + length + i * call->item_length,
               call->args + call->item_at + i * stride_of(call), call->item_length);
    return length;
}

bool requester_build_lists(struct requester *requester, const struct requester_call *call,
                           struct requester_pending *pending, struct call_lists *draft,
                           size_t *inlined)
{
    pending->memory.one_handle = call->one_handle;
    pending->call = malloc(rpc_length(call) + call->args_length + 4);
    if (pending->call == NULL)
        return false;
    size_t payload = lay_out(call, requester, pending->call);
    bool is_long = call->long_segments > 0;
    if (is_long &&
        !add_read_chunk(requester, pending, draft, pending->call, payload, call->long_segments, 0))
        return false;
    for (unsigned i = 0; i < items_of(call); i++)
        if (!add_read_chunk(requester, pending, draft,
                            pending->call + payload + i * call->item_length, call->item_length,
                            call->read_segments,
                            rpc_length(call) + call->item_at + i * stride_of(call)))
            return false;
    draft->header.rdma_body.proc = is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    draft->header.rdma_body.rdma_msg.rdma_reads =
        (struct rpcrdma1_read_list){.items = draft->reads, .count = draft->read_count};
    *inlined = is_long ? 0 : payload;
    return add_rooms(requester, call, pending, draft);
}
