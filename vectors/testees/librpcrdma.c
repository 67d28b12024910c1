// SPDX-License-Identifier: BSD-3-Clause
/*
 * A testee: a strict receiver on librpcrdma, with its tests in the order of RFC 8166 section 4.5.
 * The codec decodes; what the XDR cannot say is tested here.
 */
#include "lines.h"

#include <rpcrdma/rpcrdma.h>

static uint64_t chunk_length(const struct rpcrdma1_write_chunk_opt *chunk)
{
    return chunk->present ? rpcrdma1_segments_length(&chunk->value.target) : 0;
}

/* Something has to hold the RPC message: the octets after the header, or a chunk at Position 0. */
static bool call_is_good(const struct rpcrdma1_chunk_lists *chunks, bool is_nomsg, size_t payload)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&chunks->rdma_reads);
    struct rpcrdma1_read_segment segment;
    bool has_zero = false;
    uint64_t held = 0;
    while (rpcrdma1_read_list_next(&iter, &segment)) {
        if (segment.position % 4 != 0)
            return false;
        has_zero = has_zero || segment.position == 0;
        held += segment.position == 0 ? segment.target.length : 0;
    }
    return is_nomsg ? held > 0 : payload >= 4 && !has_zero;
}

static bool reply_is_good(const struct rpcrdma1_chunk_lists *chunks, bool is_nomsg, size_t payload)
{
    bool chunk_used = chunk_length(&chunks->rdma_reply) > 0;
    return chunks->rdma_reads.count == 0 && (is_nomsg ? chunk_used : payload >= 4 && !chunk_used);
}

static long respond(const uint8_t *octets, size_t length)
{
    struct rpcrdma_prefix prefix;
    if (length < RPCRDMA1_HEADER_MIN || !rpcrdma_prefix_load(&prefix, octets, length))
        return ANSWER_DISCARD;
    if (prefix.procedure == RPCRDMA1_ERROR)
        return ANSWER_DISCARD;
    if (prefix.version != RPCRDMA_VERSION_1)
        return ANSWER_ERR_VERS;
    if (prefix.procedure == RPCRDMA1_DONE)
        return ANSWER_DISCARD;
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *chunks = end < 0 ? NULL : rpcrdma1_chunks(&header);
    bool is_nomsg = prefix.procedure == RPCRDMA1_NOMSG;
    if (chunks == NULL || !call_is_good(chunks, is_nomsg, length - (size_t)end))
        return ANSWER_ERR_CHUNK;
    return (long)end;
}

static long request(const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    if (end < 0)
        return ANSWER_DISCARD;
    if (header.rdma_body.proc == RPCRDMA1_ERROR)
        return (long)end;
    const struct rpcrdma1_chunk_lists *chunks = rpcrdma1_chunks(&header);
    bool is_nomsg = header.rdma_body.proc == RPCRDMA1_NOMSG;
    if (header.rdma_vers != RPCRDMA_VERSION_1 || chunks == NULL ||
        !reply_is_good(chunks, is_nomsg, length - (size_t)end))
        return ANSWER_DISCARD;
    return (long)end;
}

static long judge(const uint8_t *octets, size_t length, bool is_reply)
{
    return is_reply ? request(octets, length) : respond(octets, length);
}

int main(void)
{
    return testee_main(judge);
}
