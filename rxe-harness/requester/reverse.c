// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/reverse.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

/* RFC 5531 section 9 */
enum { SUCCESS = 0, PROG_UNAVAIL = 1, PROC_UNAVAIL = 3 };

static bool read_call(const struct requester *requester, struct rpcrdma_rpc_header *rpc)
{
    struct rpcrdma1_header header;
    ptrdiff_t end =
        rpcrdma1_header_decode(&header, requester->came, requester->came_length, NULL, NULL);
    return end >= 0 && header.rdma_vers == RPCRDMA_VERSION_1 &&
           header.rdma_body.proc == RPCRDMA1_MSG &&
           rpcrdma_rpc_header_decode(rpc, requester->came + end,
                                     requester->came_length - (size_t)end, NULL) >= 0 &&
           !rpc->is_reply;
}

uint32_t requester_answer_status(const struct rpcrdma_rpc_header *rpc)
{
    return rpc->prog != REVERSE_PROGRAM ? PROG_UNAVAIL : rpc->proc != 0 ? PROC_UNAVAIL : SUCCESS;
}

bool requester_answer_call(struct requester *requester)
{
    struct rpcrdma_rpc_header rpc;
    if (!read_call(requester, &rpc))
        return false;
    const struct rpcrdma1_header header = {.rdma_xid = rpc.xid,
                                           .rdma_vers = RPCRDMA_VERSION_1,
                                           .rdma_credit = REVERSE_CREDITS,
                                           .rdma_body.proc = RPCRDMA1_MSG};
    const uint32_t words[] = {rpc.xid, 1, 0, 0, 0, requester_answer_status(&rpc)};
    uint8_t octets[RPCRDMA1_HEADER_MIN + sizeof words];
    rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    for (size_t i = 0; i < sizeof words / 4; i++)
        rpcrdma_xdr_store32(octets + RPCRDMA1_HEADER_MIN + 4 * i, words[i]);
    requester->answered++;
    return requester_send(requester, octets, sizeof octets);
}
