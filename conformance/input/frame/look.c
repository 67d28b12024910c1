// SPDX-License-Identifier: BSD-3-Clause
/*
 * Recognition of a single Send.
 *
 * Only what is certainly a version 1 message counts: a header that decodes, and after it either
 * nothing or an RPC message with the same XID. Random octets pass for one by accident in one of
 * 2^64 cases, so one look is enough to take a queue pair for RPC-over-RDMA.
 */
#include "conformance/input/frame/look.h"
#include "conformance/input/frame/packet.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma.h>

/* Servers call back under the transient program numbers of RFC 5531 section 8.3. */
static bool is_transient(uint32_t program)
{
    return program >> 29 == 2;
}

static enum look look_at_rpc(const uint8_t *rpc, size_t length, uint32_t xid)
{
    if (length < 8 || load_be32(rpc) != xid)
        return LOOKS_OTHER;
    uint32_t type = load_be32(rpc + 4);
    if (type == RPCRDMA_CALL && length >= 16 && is_transient(load_be32(rpc + 12)))
        return LOOKS_CALLBACK;
    return type == RPCRDMA_CALL ? LOOKS_CALL : type == RPCRDMA_REPLY ? LOOKS_REPLY : LOOKS_OTHER;
}

enum look look_at(const uint8_t *octets, size_t recorded, size_t total)
{
    struct rpcrdma1_header header;
    ptrdiff_t length = rpcrdma1_header_decode(&header, octets, recorded, NULL, NULL);
    if (length < 0 || header.rdma_vers != RPCRDMA_VERSION_1)
        return LOOKS_OTHER;
    if (header.rdma_body.proc == RPCRDMA1_MSG)
        return look_at_rpc(octets + length, recorded - (size_t)length, header.rdma_xid);
    if (header.rdma_body.proc != RPCRDMA1_NOMSG || (size_t)length != total)
        return LOOKS_OTHER;
    if (header.rdma_body.rdma_nomsg.rdma_reads.count > 0)
        return LOOKS_LONG_CALL;
    return header.rdma_body.rdma_nomsg.rdma_reply.present ? LOOKS_REPLY : LOOKS_OTHER;
}
