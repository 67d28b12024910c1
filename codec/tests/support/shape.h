// SPDX-License-Identifier: BSD-3-Clause
/*
 * One header in host values, and the same as each codec wants it: ours, and what rpcgen made of the
 * same XDR for libtirpc. Tests and the benchmark build both from it.
 */
#ifndef CODEC_TESTS_SUPPORT_SHAPE_H
#define CODEC_TESTS_SUPPORT_SHAPE_H

#include <rpc/rpc.h>
#include <rfc8166.h>

#include <rpcrdma/rpcrdma.h>

#define SHAPE_CHUNKS 64
#define SHAPE_SEGMENTS 128 /* a chunk */

struct shape {
    uint32_t xid, version, credit, procedure;
    uint32_t align, thresh;    /* RDMA_MSGP */
    uint32_t error, low, high; /* RDMA_ERROR */
    uint32_t read_count;
    uint32_t write_count;
    bool has_reply;
    struct rpcrdma1_read_segment reads[SHAPE_CHUNKS * 2];
    struct rpcrdma1_segment_array_counted {
        uint32_t count;
        struct rpcrdma1_segment segments[SHAPE_SEGMENTS];
    } writes[SHAPE_CHUNKS], reply;

    /* Filled by the functions below; what they return points here. */
    struct rpcrdma1_write_chunk own_writes[SHAPE_CHUNKS];
    xdr_read_list ref_reads[SHAPE_CHUNKS * 2];
    xdr_write_list ref_writes[SHAPE_CHUNKS];
    xdr_rdma_segment ref_segments[SHAPE_CHUNKS][SHAPE_SEGMENTS], ref_reply_segments[SHAPE_SEGMENTS];
    xdr_write_chunk ref_reply;
};

/* The header as our encoder takes it. */
void shape_own(struct shape *shape, struct rpcrdma1_header *header);

/* The header as the reference codec takes it. */
void shape_reference(struct shape *shape, rdma_msg *message);

/* Octets that the header takes, computed from RFC 8166 section 4.7 alone. */
size_t shape_octets(const struct shape *shape);

/* Numbers that a seed decides; never 0. */
uint64_t shape_random(uint64_t *seed);

/* Give every segment random words. */
void shape_fill(struct shape *shape, uint64_t *seed);

#endif
