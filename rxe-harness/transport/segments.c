// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/segments.h"

/* The header's octets are the caller's own, though a decoded view of them is const. */
static uint8_t *writable(uint8_t *octets, const uint8_t *at)
{
    return octets + (at - octets);
}

static bool each_of_array(uint8_t *octets, const struct rpcrdma1_segment_array *array,
                          enum segment_list list, segment_visitor *visit, void *arg)
{
    for (uint32_t i = 0; i < array->count; i++)
        if (!visit(arg, writable(octets, array->wire) + 16 * (size_t)i, list))
            return false;
    return true;
}

static bool each_read(uint8_t *octets, const struct rpcrdma1_read_list *reads,
                      segment_visitor *visit, void *arg)
{
    for (uint32_t i = 0; i < reads->count; i++) /* presence, Position, segment */
        if (!visit(arg, writable(octets, reads->wire) + 24 * (size_t)i + 8, SEGMENT_READ))
            return false;
    return true;
}

bool segments_each_of(uint8_t *octets, const struct rpcrdma_message *message,
                      segment_visitor *visit, void *arg)
{
    return each_read(octets, &message->call_chunk, visit, arg) &&
           segments_each(octets, &message->chunks, visit, arg);
}

bool segments_each(uint8_t *octets, const struct rpcrdma1_chunk_lists *lists,
                   segment_visitor *visit, void *arg)
{
    if (!each_read(octets, &lists->rdma_reads, visit, arg))
        return false;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (!each_of_array(octets, &chunk.target, SEGMENT_WRITE, visit, arg))
            return false;
    return !lists->rdma_reply.present ||
           each_of_array(octets, &lists->rdma_reply.value.target, SEGMENT_REPLY, visit, arg);
}
