// SPDX-License-Identifier: BSD-3-Clause
/*
 * Headers made out of what a stack has: a Reply out of the view of its Call, a Call out of lists of
 * segments. Beside them what else there is to do: arrays of values, and the encoder over those.
 */
#ifndef CODEC_BENCH_MADE_H
#define CODEC_BENCH_MADE_H

#include "codec/bench/subject.h"

static struct rpcrdma1_segment made_segments[512];
static struct rpcrdma1_read_segment made_reads[64];
static struct rpcrdma1_write_chunk made_chunks[8];

/* ---- Replies ---- */

/* 100 octets in each chunk, or fewer if that chunk is shorter. */
static const uint64_t made_returned[8] = {100, 100, 100, 100, 100, 100, 100, 100};

static struct rpcrdma1_returned what_returns(const struct rpcrdma1_chunk_lists *lists)
{
    return (struct rpcrdma1_returned){.writes = made_returned,
                                      .write_count = lists->rdma_writes.count,
                                      .reply = lists->rdma_reply.present ? 100 : 0};
}

/* Decoded once. */
static void decode_call(struct subject *subject, struct rpcrdma1_header *call)
{
    if (rpcrdma1_header_decode(call, subject->wire, subject->octets, NULL, NULL) < 0)
        fail("does not decode", subject);
}

static void own_reply(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header call;
    decode_call(subject, &call);
    const struct rpcrdma1_returned returned = what_returns(rpcrdma1_chunks(&call));
    const struct rpcrdma1_header *view = &call;
    while (count-- > 0) {
        HIDE(view);
        ptrdiff_t n = rpcrdma1_reply_encode(room, sizeof room, view, 32, &returned, NULL);
        if (n < 0)
            fail("has no Reply", subject);
        USE(n);
    }
}

static void set_lengths(struct rpcrdma1_segment *segments, uint32_t count, uint64_t octets)
{
    for (uint32_t i = 0; i < count; i++) {
        if (segments[i].length > octets)
            segments[i].length = (uint32_t)octets;
        octets -= segments[i].length;
    }
}

static struct rpcrdma1_segment_array as_values(const struct rpcrdma1_segment_array *wire,
                                               struct rpcrdma1_segment **to, uint64_t octets)
{
    struct rpcrdma1_segment_array values = {.items = *to, .count = wire->count};
    rpcrdma1_segment_array_copy(wire, *to, wire->count);
    set_lengths(*to, wire->count, octets);
    *to += wire->count;
    return values;
}

/* All segments into arrays, other lengths, encoded. */
static void values_reply(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header call, reply;
    decode_call(subject, &call);
    const struct rpcrdma1_returned returned = what_returns(rpcrdma1_chunks(&call));
    const struct rpcrdma1_header *view = &call;
    while (count-- > 0) {
        HIDE(view);
        const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(view);
        struct rpcrdma1_chunk_lists *made = &reply.rdma_body.rdma_msg;
        struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
        struct rpcrdma1_segment *to = made_segments;
        struct rpcrdma1_write_chunk chunk;
        uint32_t chunks = 0;
        reply = (struct rpcrdma1_header){
            view->rdma_xid,
            view->rdma_vers,
            32,
            {.proc = lists->rdma_reply.present ? RPCRDMA1_NOMSG : RPCRDMA1_MSG}};
        for (; rpcrdma1_write_list_next(&iter, &chunk); chunks++)
            made_chunks[chunks].target = as_values(&chunk.target, &to, returned.writes[chunks]);
        made->rdma_writes.items = made_chunks;
        made->rdma_writes.count = chunks;
        made->rdma_reply.present = lists->rdma_reply.present;
        if (made->rdma_reply.present)
            made->rdma_reply.value.target =
                as_values(&lists->rdma_reply.value.target, &to, returned.reply);
        ptrdiff_t n = rpcrdma1_header_encode(room, sizeof room, &reply, NULL);
        USE(n);
    }
}

/* ---- Calls ---- */

struct kept_lists {
    const struct shape *shape;
    uint32_t read, write, segment;
    bool in_reply;
};

static bool kept_read(void *arg, struct rpcrdma1_read_segment *read)
{
    struct kept_lists *kept = (struct kept_lists *)arg;
    if (kept->read == kept->shape->read_count)
        return false;
    *read = kept->shape->reads[kept->read++];
    return true;
}

static bool kept_write(void *arg)
{
    struct kept_lists *kept = (struct kept_lists *)arg;
    kept->segment = 0;
    return kept->write++ < kept->shape->write_count;
}

static bool kept_reply(void *arg)
{
    struct kept_lists *kept = (struct kept_lists *)arg;
    kept->segment = 0;
    return kept->in_reply = kept->shape->has_reply;
}

static bool kept_segment(void *arg, struct rpcrdma1_segment *segment)
{
    struct kept_lists *kept = (struct kept_lists *)arg;
    const struct rpcrdma1_segment_array_counted *chunk =
        kept->in_reply ? &kept->shape->reply : &kept->shape->writes[kept->write - 1];
    if (kept->segment == chunk->count)
        return false;
    *segment = chunk->segments[kept->segment++];
    return true;
}

static void own_call(struct subject *subject, unsigned count)
{
    static const struct rpcrdma1_source source = {kept_read, kept_write, kept_reply, kept_segment};
    const struct shape *shape = &subject->shape;
    while (count-- > 0) {
        HIDE(shape);
        const struct rpcrdma_prefix prefix = {shape->xid, 1, shape->credit, shape->procedure};
        struct kept_lists kept = {.shape = shape};
        ptrdiff_t n = rpcrdma1_call_encode(room, sizeof room, &prefix, &source, &kept, NULL);
        USE(n);
    }
}

static struct rpcrdma1_segment_array gather(const struct rpcrdma1_segment_array_counted *chunk,
                                            struct rpcrdma1_segment **to)
{
    struct rpcrdma1_segment_array values = {.items = *to, .count = chunk->count};
    for (uint32_t i = 0; i < chunk->count; i++)
        *(*to)++ = chunk->segments[i];
    return values;
}

/* Gathered into arrays first. */
static void values_call(struct subject *subject, unsigned count)
{
    const struct shape *shape = &subject->shape;
    while (count-- > 0) {
        HIDE(shape);
        struct rpcrdma1_header call = {shape->xid, 1, shape->credit, {.proc = RPCRDMA1_MSG}};
        struct rpcrdma1_chunk_lists *lists = &call.rdma_body.rdma_msg;
        struct rpcrdma1_segment *to = made_segments;
        for (uint32_t i = 0; i < shape->read_count; i++)
            made_reads[i] = shape->reads[i];
        for (uint32_t i = 0; i < shape->write_count; i++)
            made_chunks[i].target = gather(&shape->writes[i], &to);
        lists->rdma_reads.items = made_reads;
        lists->rdma_reads.count = shape->read_count;
        lists->rdma_writes.items = made_chunks;
        lists->rdma_writes.count = shape->write_count;
        lists->rdma_reply.present = shape->has_reply;
        if (shape->has_reply)
            lists->rdma_reply.value.target = gather(&shape->reply, &to);
        ptrdiff_t n = rpcrdma1_header_encode(room, sizeof room, &call, NULL);
        USE(n);
    }
}

#endif
