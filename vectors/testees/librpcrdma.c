// SPDX-License-Identifier: BSD-3-Clause
/*
 * A testee: the receiver of librpcrdma, and the codec by itself, with some fields of what it
 * decodes.
 */
#include "lines.h"

#include <rpcrdma/rpcrdma.h>

static long judge(const uint8_t *octets, size_t length, bool is_reply)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_receive(&header, octets, length,
                                     is_reply ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER, NULL, NULL);
    return end == RPCRDMA1_SEND_ERR_VERS    ? ANSWER_ERR_VERS
           : end == RPCRDMA1_SEND_ERR_CHUNK ? ANSWER_ERR_CHUNK
           : end == RPCRDMA1_DISCARD        ? ANSWER_DISCARD
                                            : (long)end;
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
    return testee_serve(judge, decode, NULL);
}
