// SPDX-License-Identifier: BSD-3-Clause
/* Fuzz target: the version 1 codec, held to its own promises. See oracle1 for its rivals. */
#include "fuzz/fuzz.h"
#include "fuzz/values.h"

#include <rpcrdma/rpcrdma.h>

FUZZ_CODEC(decode, rpcrdma1_header, rpcrdma1_limits)
FUZZ_VALUES(rpcrdma1_segment_array, rpcrdma1_segment, 0)
FUZZ_VALUES(rpcrdma1_read_list, rpcrdma1_read_segment, 4)
FUZZ_VALUES(rpcrdma1_write_list, rpcrdma1_write_chunk, 4)

/* The length of a chunk is that of its segments, on the wire as in values. */
static void values_of_chunk(struct rpcrdma1_write_chunk *chunk, uint64_t *segments)
{
    uint64_t length = rpcrdma1_segments_length(&chunk->target);
    FUZZ_ASSERT(chunk->target.octets == 16 * (uint64_t)chunk->target.count);
    *segments += chunk->target.count;
    chunk->target = rpcrdma1_segment_array_values(&chunk->target);
    FUZZ_ASSERT(rpcrdma1_segments_length(&chunk->target) == length);
}

/* Turn the lists into values. They follow each other, between `begin` and `end`. */
static void values_of_lists(struct rpcrdma1_read_list *reads, struct rpcrdma1_write_list *writes,
                            struct rpcrdma1_write_chunk_opt *reply, const uint8_t *begin,
                            const uint8_t *end)
{
    uint64_t segments = 0, in_reply = 0;
    FUZZ_ASSERT(reads->wire == begin && reads->octets == 24 * (uint64_t)reads->count + 4);
    FUZZ_ASSERT(writes->wire == reads->wire + reads->octets);
    FUZZ_ASSERT(writes->octets <= (size_t)(end - writes->wire) - 4);
    struct rpcrdma1_write_list wire = *writes;
    *reads = rpcrdma1_read_list_values(reads);
    *writes = rpcrdma1_write_list_values(writes);
    /* These items are ours: fuzz_values() made them. */
    struct rpcrdma1_write_chunk *chunks = (struct rpcrdma1_write_chunk *)(uintptr_t)writes->items;
    for (uint32_t i = 0; i < writes->count; i++)
        values_of_chunk(&chunks[i], &segments);
    FUZZ_ASSERT(segments == rpcrdma1_write_list_segments(&wire));
    if (reply->present)
        values_of_chunk(&reply->value, &in_reply);
    FUZZ_ASSERT(wire.wire + wire.octets + 4 + (reply->present ? 4 + 16 * in_reply : 0) == end);
}

/* A limit holds for exactly what is above it. */
static void check_limits(const uint8_t *data, size_t size, ptrdiff_t length, uint32_t reads,
                         uint32_t writes)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    struct rpcrdma1_limits limits = {.read_list = reads, .write_list = writes};
    FUZZ_ASSERT(rpcrdma1_header_decode(&header, data, size, &limits, NULL) == length);
    limits = (struct rpcrdma1_limits){.read_list = reads > 1 ? reads - 1 : reads,
                                      .write_list = reads > 1 ? 0 : writes - 1};
    if (reads <= 1 && writes <= 1)
        return;
    FUZZ_ASSERT(rpcrdma1_header_decode(&header, data, size, &limits, &error) ==
                RPCRDMA_XDR_E_LIMIT);
    FUZZ_ASSERT(error.code == RPCRDMA_XDR_E_LIMIT && error.offset < (uint32_t)length);
}

/* Lists of which one counts too much have no encoding. */
static void check_large(struct rpcrdma1_header *header, struct rpcrdma1_read_list *reads,
                        struct rpcrdma1_write_list *writes, struct rpcrdma1_write_chunk_opt *reply)
{
    struct rpcrdma1_write_chunk *chunks = (struct rpcrdma1_write_chunk *)(uintptr_t)writes->items;
    FUZZ_TOO_LARGE(rpcrdma1_header, header, reads->count);
    if (writes->count > 0)
        FUZZ_TOO_LARGE(rpcrdma1_header, header, chunks[0].target.count);
    if (reply->present)
        FUZZ_TOO_LARGE(rpcrdma1_header, header, reply->value.target.count);
    if (writes->count < 2)
        return;
    /* Each of them fits, both together do not. */
    uint32_t first = chunks[0].target.count, gibibyte = (1u << 30) / 16;
    chunks[0].target.count = gibibyte;
    FUZZ_TOO_LARGE(rpcrdma1_header, header, chunks[1].target.count);
    chunks[0].target.count = first;
}

static void check_lists(const uint8_t *data, size_t size, ptrdiff_t length,
                        struct rpcrdma1_header *header)
{
    const uint8_t *end = data + length;
    struct rpcrdma1_body *body = &header->rdma_body;
    if (body->proc == RPCRDMA1_MSGP) {
        values_of_lists(&body->rdma_msgp.rdma_reads, &body->rdma_msgp.rdma_writes,
                        &body->rdma_msgp.rdma_reply, data + 24, end);
    } else {
        FUZZ_ASSERT(rpcrdma1_chunks(header) == &body->rdma_msg);
        check_limits(data, size, length, body->rdma_msg.rdma_reads.count,
                     body->rdma_msg.rdma_writes.count);
        values_of_lists(&body->rdma_msg.rdma_reads, &body->rdma_msg.rdma_writes,
                        &body->rdma_msg.rdma_reply, data + 16, end);
    }
    FUZZ_ENCODES(rpcrdma1_header, header, data, length);
    if (body->proc == RPCRDMA1_MSGP)
        check_large(header, &body->rdma_msgp.rdma_reads, &body->rdma_msgp.rdma_writes,
                    &body->rdma_msgp.rdma_reply);
    else
        check_large(header, &body->rdma_msg.rdma_reads, &body->rdma_msg.rdma_writes,
                    &body->rdma_msg.rdma_reply);
}

static void check_error(struct rpcrdma1_header *header, ptrdiff_t length)
{
    enum rpcrdma1_errcode *error = &header->rdma_body.rdma_error.err;
    FUZZ_ASSERT(length == (*error == RPCRDMA1_ERR_VERS ? RPCRDMA1_ERR_VERS_LENGTH
                                                       : RPCRDMA1_ERR_CHUNK_LENGTH));
    uint32_t undefined = 3;
    memcpy(error, &undefined, sizeof undefined);
    FUZZ_REFUSES(rpcrdma1_header, header, RPCRDMA_XDR_E_UNION);
}

static void check_done(struct rpcrdma1_header *header, ptrdiff_t length)
{
    uint32_t undefined = 5;
    FUZZ_ASSERT(length == 16);
    memcpy(&header->rdma_body.proc, &undefined, sizeof undefined);
    FUZZ_REFUSES(rpcrdma1_header, header, RPCRDMA_XDR_E_UNION);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_prefix prefix = {0};
    if (size > FUZZ_SIZE_MAX)
        return 0;
    FUZZ_ASSERT(rpcrdma_prefix_load(&prefix, data, size) == (size >= 16));
    ptrdiff_t length = decode(data, size, &header, &error);
    uint32_t answer = rpcrdma1_error_answer(length < 0 ? (int)length : 0, RPCRDMA_RESPONDER);
    FUZZ_ASSERT(answer == (length < 0 ? RPCRDMA1_ERR_CHUNK : 0));
    if (length < 0)
        return 0;
    FUZZ_ASSERT(prefix.xid == header.rdma_xid && prefix.version == header.rdma_vers);
    FUZZ_ASSERT(prefix.procedure == (uint32_t)header.rdma_body.proc);
    if (prefix.procedure <= RPCRDMA1_MSGP)
        check_lists(data, size, length, &header);
    else if (prefix.procedure == RPCRDMA1_ERROR)
        check_error(&header, length);
    else
        check_done(&header, length);
    return 0;
}
