// SPDX-License-Identifier: BSD-3-Clause
/*
 * Which Sends may do worse to a Responder than make it end the connection: what some Responder is
 * known to stumble over, or what makes a careless one compute with lengths that are not there. They
 * run only where they are asked for.
 */
#include "rxe-harness/probe/probe.h"

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

#define LARGE 4194304   /* octets of all chunks */
#define MESSAGE 1048576 /* octets of a Call, with what is in chunks */

struct hazard_shape {
    size_t inline_octets; /* after the transport header */
    uint64_t octets;      /* of all chunks */
    uint64_t read;        /* of those that are read */
    bool has_empty, has_zero, has_several;
};

static void add_reads(struct hazard_shape *shape, const struct rpcrdma1_read_list *reads)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment read;
    uint32_t position = 0;
    for (bool first = true; rpcrdma1_read_list_next(&iter, &read); first = false) {
        shape->octets += read.target.length;
        shape->read += read.target.length;
        shape->has_empty = shape->has_empty || read.target.length == 0;
        shape->has_zero = shape->has_zero || read.position == 0;
        shape->has_several = shape->has_several || (!first && read.position != position);
        position = read.position;
    }
}

static struct hazard_shape shape_of(const struct rpcrdma_message *message, size_t length)
{
    struct hazard_shape shape = {.inline_octets = length - message->header};
    const struct rpcrdma1_chunk_lists *lists = &message->chunks;
    add_reads(&shape, &message->call_chunk);
    add_reads(&shape, &lists->rdma_reads);
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        shape.octets += rpcrdma1_segments_length(&chunk.target);
    if (lists->rdma_reply.present)
        shape.octets += rpcrdma1_segments_length(&lists->rdma_reply.value.target);
    return shape;
}

static bool is_large(const struct hazard_shape *shape)
{
    return shape->octets > LARGE;
}

/* More pages than a Responder of messages of one MiB sets aside. */
static bool is_long(const struct hazard_shape *shape)
{
    return shape->read > 0 && shape->read + shape->inline_octets > MESSAGE;
}

static bool reads_nothing(const struct hazard_shape *shape)
{
    return shape->has_empty;
}

static bool has_several_positions(const struct hazard_shape *shape)
{
    return shape->has_several;
}

static bool is_long_and_inline(const struct hazard_shape *shape)
{
    return shape->has_zero && shape->inline_octets > 0;
}

static bool is_never(const struct hazard_shape *shape)
{
    (void)shape;
    return false;
}

static const struct {
    const char *name;
    bool (*is_so)(const struct hazard_shape *shape);
} hazards[] = {
    {"large-chunks", is_large},
    {"long-messages", is_long},
    {"empty-read-segment", reads_nothing},
    {"several-positions", has_several_positions},
    {"position-zero-and-inline", is_long_and_inline},
    /* Cases of NFS have these: a Reply that no Send can hold; a READ whose Write chunk is too short
     * for what it brings, after which a server may store other octets than those of a later WRITE,
     * anybody's. */
    {"results-too-long", is_never},
    {"chunk-too-short", is_never},
};
#define HAZARDS COUNT(hazards)

const char *probe_hazard(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length)
{
    struct rpcrdma_message message;
    if (rpcrdma_xdr_failed(rpcrdma_message_decode(&message, protocol, octets, length, NULL)))
        return NULL;
    struct hazard_shape shape = shape_of(&message, length);
    for (size_t i = 0; i < HAZARDS; i++)
        if (hazards[i].is_so(&shape))
            return hazards[i].name;
    return NULL;
}

const char *probe_hazard_missing(struct chosen *names)
{
    for (size_t i = 0; i < HAZARDS; i++)
        chosen_has(names, hazards[i].name);
    return chosen_missing(names);
}
