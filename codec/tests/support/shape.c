// SPDX-License-Identifier: BSD-3-Clause
/* One header as each codec wants it. */
#include "codec/tests/support/shape.h"

#include <string.h>

static void own_lists(struct shape *shape, struct rpcrdma1_chunk_lists *lists)
{
    for (uint32_t i = 0; i < shape->write_count; i++)
        shape->own_writes[i] = (struct rpcrdma1_write_chunk){
            .target = {.items = shape->writes[i].segments, .count = shape->writes[i].count}};
    *lists = (struct rpcrdma1_chunk_lists){
        .rdma_reads = {.items = shape->reads, .count = shape->read_count},
        .rdma_writes = {.items = shape->own_writes, .count = shape->write_count},
        .rdma_reply = {.present = shape->has_reply,
                       .value.target = {.items = shape->reply.segments,
                                        .count = shape->reply.count}},
    };
}

void shape_own(struct shape *shape, struct rpcrdma1_header *header)
{
    struct rpcrdma1_chunk_lists lists;
    *header = (struct rpcrdma1_header){
        .rdma_xid = shape->xid, .rdma_vers = shape->version, .rdma_credit = shape->credit};
    struct rpcrdma1_body *body = &header->rdma_body;
    body->proc = (enum rpcrdma1_proc)shape->procedure;
    own_lists(shape, &lists);
    switch (body->proc) {
    case RPCRDMA1_MSG:
        body->rdma_msg = lists;
        break;
    case RPCRDMA1_NOMSG:
        body->rdma_nomsg = lists;
        break;
    case RPCRDMA1_MSGP:
        body->rdma_msgp = (struct rpcrdma1_chunk_lists_padded){
            shape->align, shape->thresh, lists.rdma_reads, lists.rdma_writes, lists.rdma_reply};
        break;
    case RPCRDMA1_DONE:
        break;
    case RPCRDMA1_ERROR:
        body->rdma_error.err = (enum rpcrdma1_errcode)shape->error;
        body->rdma_error.range = (struct rpcrdma1_errvers){shape->low, shape->high};
        break;
    }
}

static xdr_rdma_segment reference_segment(const struct rpcrdma1_segment *segment)
{
    return (xdr_rdma_segment){segment->handle, segment->length, segment->offset};
}

static void reference_chunk(const struct rpcrdma1_segment *segments, uint32_t count,
                            xdr_rdma_segment *room, xdr_write_chunk *chunk)
{
    for (uint32_t i = 0; i < count; i++)
        room[i] = reference_segment(&segments[i]);
    chunk->target.target_len = count;
    chunk->target.target_val = room;
}

static void reference_lists(struct shape *shape, rpc_rdma_header *lists)
{
    memset(lists, 0, sizeof *lists);
    for (uint32_t i = 0; i < shape->read_count; i++) {
        xdr_read_list *entry = &shape->ref_reads[i];
        entry->entry.position = shape->reads[i].position;
        entry->entry.target = reference_segment(&shape->reads[i].target);
        entry->next = i + 1 < shape->read_count ? entry + 1 : NULL;
    }
    for (uint32_t i = 0; i < shape->write_count; i++) {
        xdr_write_list *entry = &shape->ref_writes[i];
        reference_chunk(shape->writes[i].segments, shape->writes[i].count, shape->ref_segments[i],
                        &entry->entry);
        entry->next = i + 1 < shape->write_count ? entry + 1 : NULL;
    }
    if (shape->read_count)
        lists->rdma_reads = shape->ref_reads;
    if (shape->write_count)
        lists->rdma_writes = shape->ref_writes;
    if (!shape->has_reply)
        return;
    reference_chunk(shape->reply.segments, shape->reply.count, shape->ref_reply_segments,
                    &shape->ref_reply);
    lists->rdma_reply = &shape->ref_reply;
}

void shape_reference(struct shape *shape, rdma_msg *message)
{
    rpc_rdma_header lists;
    memset(message, 0, sizeof *message);
    message->rdma_xid = shape->xid;
    message->rdma_vers = shape->version;
    message->rdma_credit = shape->credit;
    message->rdma_body.proc = (rdma_proc)shape->procedure;
    reference_lists(shape, &lists);
    switch (message->rdma_body.proc) {
    case RDMA_MSG:
        message->rdma_body.rdma_body_u.rdma_msg = lists;
        break;
    case RDMA_NOMSG:
        message->rdma_body.rdma_body_u.rdma_nomsg =
            (rpc_rdma_header_nomsg){lists.rdma_reads, lists.rdma_writes, lists.rdma_reply};
        break;
    case RDMA_MSGP:
        message->rdma_body.rdma_body_u.rdma_msgp = (rpc_rdma_header_padded){
            shape->align, shape->thresh, lists.rdma_reads, lists.rdma_writes, lists.rdma_reply};
        break;
    case RDMA_DONE:
        break;
    case RDMA_ERROR:
        message->rdma_body.rdma_body_u.rdma_error.err = (rpc_rdma_errcode)shape->error;
        message->rdma_body.rdma_body_u.rdma_error.rpc_rdma_error_u.range =
            (rpc_rdma_errvers){shape->low, shape->high};
        break;
    }
}

size_t shape_octets(const struct shape *shape)
{
    size_t octets = 16;
    switch (shape->procedure) {
    case RPCRDMA1_DONE:
        return 16;
    case RPCRDMA1_ERROR:
        return shape->error == RPCRDMA1_ERR_VERS ? 28 : 20;
    case RPCRDMA1_MSGP:
        octets += 8;
        break;
    }
    octets += 24 * (size_t)shape->read_count + 4;
    for (uint32_t i = 0; i < shape->write_count; i++)
        octets += 8 + 16 * (size_t)shape->writes[i].count;
    octets += 4 + 4;
    return shape->has_reply ? octets + 4 + 16 * (size_t)shape->reply.count : octets;
}

uint64_t shape_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void fill_segment(struct rpcrdma1_segment *segment, uint64_t *seed)
{
    uint64_t words = shape_random(seed);
    segment->handle = (uint32_t)words;
    segment->length = (uint32_t)(words >> 32);
    segment->offset = shape_random(seed);
}

void shape_fill(struct shape *shape, uint64_t *seed)
{
    for (uint32_t i = 0; i < shape->read_count; i++) {
        shape->reads[i].position = (uint32_t)shape_random(seed);
        fill_segment(&shape->reads[i].target, seed);
    }
    for (uint32_t i = 0; i < shape->write_count; i++)
        for (uint32_t j = 0; j < shape->writes[i].count; j++)
            fill_segment(&shape->writes[i].segments[j], seed);
    for (uint32_t j = 0; j < shape->reply.count; j++)
        fill_segment(&shape->reply.segments[j], seed);
}
