// SPDX-License-Identifier: BSD-3-Clause
/*
 * A testee: a strict receiver on librpcrdma, with its tests in the order of RFC 8166 section 4.5;
 * and the codec by itself, with some fields of what it decodes.
 */
#include "lines.h"

#include <rpcrdma/rpcrdma.h>

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
    if (end < 0 || !rpcrdma1_is_message(&header, RPCRDMA_RESPONDER, length - (size_t)end))
        return ANSWER_ERR_CHUNK;
    return (long)end;
}

static long request(const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    if (end < 0 || !rpcrdma1_is_message(&header, RPCRDMA_REQUESTER, length - (size_t)end))
        return ANSWER_DISCARD;
    return (long)end;
}

static long judge(const uint8_t *octets, size_t length, bool is_reply)
{
    return is_reply ? request(octets, length) : respond(octets, length);
}

static long decode(const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = end < 0 ? NULL : rpcrdma1_chunks(&header);
    if (lists) {
        struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
        struct rpcrdma1_read_segment entry;
        testee_field(" xid=%u credit=%u positions=", header.rdma_xid, header.rdma_credit);
        for (const char *comma = ""; rpcrdma1_read_list_next(&iter, &entry); comma = ",")
            testee_field("%s%u", comma, entry.position);
    }
    return end < 0 ? ANSWER_REFUSE : (long)end;
}

int main(void)
{
    return testee_serve(judge, decode);
}
