// SPDX-License-Identifier: BSD-3-Clause
/* The chunks of a Reply: written into, and returned as they were used. */
#include "rxe-harness/responder/work.h"

#include <string.h>

bool responder_fill(struct served_call *work, struct returned *returned,
                    const struct rpcrdma1_segment_array *offered,
                    struct rpcrdma1_segment_array *filled, const uint8_t *data, size_t length)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(offered);
    struct rpcrdma1_segment segment;
    if (offered->count > SEGMENTS_MAX - returned->segment_count ||
        length > rpcrdma1_segments_length(offered))
        return false;
    *filled = (struct rpcrdma1_segment_array){.items = returned->segments + returned->segment_count,
                                              .count = offered->count};
    while (rpcrdma1_segment_array_next(&iter, &segment)) {
        size_t part = length < segment.length ? length : segment.length;
        if (part > 0 && !responder_write(work->responder, &segment, data, part))
            return false;
        data += part;
        length -= part;
        segment.length = (uint32_t)part;
        returned->segments[returned->segment_count++] = segment;
    }
    return true;
}

/* What is in a chunk is not in the payload, padding neither. */
static void take_out(struct served_call *work, size_t at, size_t length)
{
    uint8_t *reply = work->responder->reply;
    size_t end = at + ((length + 3) & ~(size_t)3);
    memmove(reply + at, reply + end, work->reply_length - end);
    work->reply_length -= end - at;
}

bool responder_fill_writes(struct served_call *work, struct returned *returned)
{
    const uint8_t *reply = work->responder->reply;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&work->message.chunks.rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    bool pushed[NFS4_ITEMS] = {false};
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        unsigned number = returned->write_count;
        bool used = number < work->item_count && chunk.target.count > 0;
        const struct served_item item = used ? work->items[number] : (struct served_item){0, 0};
        if (number == WRITE_CHUNKS_MAX)
            return false;
        struct rpcrdma1_segment_array *filled = &returned->writes[returned->write_count++].target;
        if (!responder_fill(work, returned, &chunk.target, filled, reply + item.at, item.length))
            return false;
        if (used)
            pushed[number] = true;
        else if (work->responder->empties_unused)
            filled->count = 0;
    }
    for (unsigned i = work->item_count; i > 0; i--) /* those before it stay where they are */
        if (pushed[i - 1])
            take_out(work, work->items[i - 1].at, work->items[i - 1].length);
    return true;
}

bool responder_offered_handle(const struct rpcrdma1_chunk_lists *chunks, uint32_t *handle)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&chunks->rdma_reads);
    struct rpcrdma1_read_segment read;
    struct rpcrdma1_write_chunk write;
    struct rpcrdma1_segment segment;
    if (rpcrdma1_read_list_next(&iter, &read)) {
        *handle = read.target.handle;
        return true;
    }
    iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &write)) {
        struct rpcrdma_xdr_iter segments = rpcrdma1_segment_array_iter(&write.target);
        if (rpcrdma1_segment_array_next(&segments, &segment)) {
            *handle = segment.handle;
            return true;
        }
    }
    if (!chunks->rdma_reply.present) /* nothing is set in it then */
        return false;
    struct rpcrdma_xdr_iter reply = rpcrdma1_segment_array_iter(&chunks->rdma_reply.value.target);
    if (!rpcrdma1_segment_array_next(&reply, &segment))
        return false;
    *handle = segment.handle;
    return true;
}
