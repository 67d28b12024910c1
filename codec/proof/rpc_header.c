// SPDX-License-Identifier: BSD-3-Clause
/*
 * The RPC header with its credential. The credential's decoder is proved by itself; here it answers
 * whatever it may answer, for the trick with the end of the octets serves one end alone.
 * That the view is set once decoding succeeded is not followed: see README.md.
 *
 * proof: codec/xdr.c codec/rpc_header.c generated/rpc.c
 * reaches: 10
 * options: -eva-initialized-locals
 */
#include <rpcrdma/rpc_header.h>

#include <__fc_builtin.h>

uint8_t proof_octets[PROOF_LENGTH];
volatile int any;

ptrdiff_t rpcrdma_gss_cred_decode_complete(struct rpcrdma_gss_cred *view, const void *buf,
                                           size_t length, const struct rpcrdma_gss_limits *limits,
                                           struct rpcrdma_xdr_error *error)
{
    (void)buf, (void)length, (void)limits, (void)error;
    if (any)
        return -Frama_C_interval(101, 301);
    Frama_C_make_unknown((char *)view, sizeof *view);
    return Frama_C_interval(20, 400);
}

int main(void)
{
    struct rpcrdma_rpc_header header;
    struct rpcrdma_xdr_error error;
    size_t length = (size_t)Frama_C_interval(0, PROOF_LENGTH);
    const uint8_t *octets = proof_octets + (PROOF_LENGTH - length);
    ptrdiff_t n = 0;
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    switch (any) {
    case 0:
        n = rpcrdma_rpc_header_decode(&header, octets, length, NULL);
        break;
    case 1:
        n = rpcrdma_rpc_header_decode(&header, octets, length, &error);
        break;
    default:
        n = rpcrdma_rpc_header_decode(&header, NULL, 0, &error);
    }
    return n < 0;
}
