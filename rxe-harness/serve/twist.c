// SPDX-License-Identifier: BSD-3-Clause
/* Replies whose Write list does not match that of the Call. */
#include "rxe-harness/serve/serve.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

#define SEGMENTS 16         /* of the Write chunk; with more there is no odd Reply */
#define SEGMENT 16          /* octets */
#define MORE (1u << 20)     /* octets, which is more than any Call offered here */
#define FOREIGN 0x5a5a0000u /* makes another handle */
#define FAILED 5            /* NFS3ERR_IO; no status of the test program */

static size_t put(uint8_t *odd, size_t at, uint32_t word)
{
    rpcrdma_xdr_store32(odd + at, word);
    return at + 4;
}

static size_t put_write_list(enum serve_twist twist, const uint8_t *segments, uint32_t count,
                             uint8_t *odd, size_t at)
{
    if (twist == SERVE_ABSENT)
        return put(odd, at, 0);
    size_t octets = (size_t)count * SEGMENT;
    at = put(odd, put(odd, at, 1), count + (twist == SERVE_SURPLUS));
    memcpy(odd + at, segments, octets);
    if (twist == SERVE_LONGER)
        rpcrdma_xdr_store32(odd + at + 4, MORE);
    if (twist == SERVE_FOREIGN)
        rpcrdma_xdr_store32(odd + at, rpcrdma_xdr_load32(odd + at) ^ FOREIGN);
    if (twist == SERVE_SURPLUS)
        memcpy(odd + at + octets, segments, SEGMENT);
    at += octets + (twist == SERVE_SURPLUS ? SEGMENT : 0);
    return put(odd, at, 0);
}

size_t serve_twist(enum serve_twist twist, const uint8_t *answer, size_t length,
                   uint8_t odd[SERVE_TWISTED])
{
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk chunk;
    if (rpcrdma1_header_decode(&header, answer, length, NULL, NULL) < 0 ||
        header.rdma_body.proc != RPCRDMA1_MSG)
        return 0;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    if (!rpcrdma1_write_list_next(&iter, &chunk) || chunk.target.count == 0 ||
        chunk.target.count > SEGMENTS)
        return 0;
    size_t at = 16;
    memcpy(odd, answer, at);
    at = put(odd, at, 0);
    at = put_write_list(twist, answer + 28, chunk.target.count, odd, at);
    /* No Reply chunk; an accepted Reply; the status, and no attributes. */
    const uint32_t words[] = {0, header.rdma_xid, 1, 0, 0, 0, 0, FAILED, 0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        at = put(odd, at, words[i]);
    return at;
}
