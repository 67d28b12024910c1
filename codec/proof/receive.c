// SPDX-License-Identifier: BSD-3-Clause
/*
 * A receiver in one call: a Send of any octets to either role. The decoder and the
 * iterators are proved by themselves; here they answer whatever they may answer, and set what they
 * set then and nothing else.
 *
 * proof: codec/xdr.c
 * reaches: 25
 * options: -eva-slevel 3000 -eva-split-return full
 * fault: prefix of a runt: codec/receive.c s/prefix, octets, length)/prefix, octets, length + 9)/
 * fault: a header that did not decode: codec/receive.c s/|| rpcrdma_xdr_failed(decoded)//
 * fault: no Reply chunk: codec/receive.c s/reply->present ?/1 ?/
 */
#include "codec/proof/received.h"

#include "codec/receive.c"

/* What decodes has the procedure of its fourth word. */
ptrdiff_t rpcrdma1_header_decode(struct rpcrdma1_header *view, const void *buf, size_t length,
                                 const struct rpcrdma1_limits *limits,
                                 struct rpcrdma_xdr_error *error)
{
    (void)limits;
    uint32_t procedure =
        length < RPCRDMA1_ERROR_SIZE_MIN ? 9 : rpcrdma_xdr_load32((const uint8_t *)buf + 12);
    if (any || length > INT32_MAX || procedure > RPCRDMA1_ERROR ||
        (length < RPCRDMA1_HEADER_MIN && procedure < RPCRDMA1_DONE))
        return fail(length, error);
    view->rdma_xid = some();
    view->rdma_vers = some();
    view->rdma_credit = some();
    view->rdma_body.proc = (enum rpcrdma1_proc)procedure;
    if (procedure == RPCRDMA1_MSG)
        set_lists(&view->rdma_body.rdma_msg);
    if (procedure == RPCRDMA1_NOMSG)
        set_lists(&view->rdma_body.rdma_nomsg);
    return Frama_C_interval(RPCRDMA1_ERROR_SIZE_MIN, (int)length);
}

int main(void)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    size_t length = some_length();
    uint8_t *octets = some_octets(length);
    if (length >= RPCRDMA_PREFIX_LENGTH)
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_PROCEDURE,
                            (uint32_t)Frama_C_interval_split(RPCRDMA1_MSG, RPCRDMA1_ERROR));
    length += any && length == PROOF_LENGTH;
    ptrdiff_t n = rpcrdma1_receive(&header, octets, length, (enum rpcrdma_role)any, NULL,
                                   any ? &error : NULL);
    if (n == RPCRDMA1_SEND_ERR_VERS || n == RPCRDMA1_SEND_ERR_CHUNK)
        return (int)header.rdma_body.rdma_error.err;
    return n < 0 ? 0 : (int)header.rdma_body.proc;
}
