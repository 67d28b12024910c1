// SPDX-License-Identifier: BSD-3-Clause
/* Replies whose Write list does not match that of the Call. */
#include "rxe-harness/serve/serve.h"

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#define SEGMENTS 16         /* of the Write chunk; with more there is no faulty Reply */
#define MORE (1u << 20)     /* octets, which is more than any Call offered here */
#define FOREIGN 0x5a5a0000u /* makes another handle */
#define FAILED 5            /* NFS3ERR_IO; no status of the test program */

/* The segments that come back; returns how many. */
static uint32_t change_segments(enum serve_list_fault fault,
                                const struct rpcrdma1_segment_array *offered,
                                struct rpcrdma1_segment segments[SEGMENTS + 1])
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(offered);
    uint32_t count = 0;
    while (count < SEGMENTS && rpcrdma1_segment_array_next(&iter, &segments[count]))
        count++;
    if (fault == SERVE_LONGER)
        segments[0].length = MORE;
    if (fault == SERVE_FOREIGN)
        segments[0].handle ^= FOREIGN;
    if (fault == SERVE_SURPLUS)
        segments[count++] = segments[0];
    return count;
}

size_t serve_faulty_reply(enum serve_list_fault fault, const uint8_t *answer, size_t length,
                          uint8_t reply[SERVE_FAULTY_MAX])
{
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segments[SEGMENTS + 1];
    if (rpcrdma_xdr_failed(rpcrdma1_header_decode(&header, answer, length, NULL, NULL)) ||
        header.rdma_body.proc != RPCRDMA1_MSG)
        return 0;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    if (!rpcrdma1_write_list_next(&iter, &chunk) || chunk.target.count == 0 ||
        chunk.target.count > SEGMENTS)
        return 0;
    uint32_t count = change_segments(fault, &chunk.target, segments);
    const struct rpcrdma1_write_chunk changed = {.target = {.items = segments, .count = count}};
    header.rdma_body.rdma_msg = (struct rpcrdma1_chunk_lists){
        .rdma_writes = {.items = &changed, .count = fault == SERVE_ABSENT ? 0 : 1}};
    ptrdiff_t at = rpcrdma1_header_encode(reply, SERVE_FAULTY_MAX, &header, NULL);
    /* An accepted Reply: the status, and no attributes. */
    const uint32_t words[] = {header.rdma_xid, 1, 0, 0, 0, 0, FAILED, 0};
    if (rpcrdma_xdr_failed(at) || (size_t)at > SERVE_FAULTY_MAX - sizeof words)
        return 0;
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(reply + at + 4 * i, words[i]);
    return (size_t)at + sizeof words;
}
