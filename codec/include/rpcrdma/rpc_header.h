// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * The header of an RPC message (RFC 5531 section 9), flat, with what RPC-over-RDMA has to know of
 * its credential: whether RPCSEC_GSS protects the message (RFC 2203, RFC 8166 section 8.2.2).
 */
#ifndef RPCRDMA_RPC_HEADER_H
#define RPCRDMA_RPC_HEADER_H

#include <rpcrdma/gss.h>
#include <rpcrdma/rpc.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rpcrdma_rpc_header {
    uint32_t xid;
    bool is_reply;
    uint32_t verf_flavor; /* not in a denied Reply */

    /* Call */
    uint32_t rpcvers, prog, vers, proc; /* of any value: see that rpcvers is 2 */
    uint32_t cred_flavor;
    uint32_t cred_offset; /* octets before the credential */
    bool has_gss;         /* flavor RPCSEC_GSS, and its body decodes: the next four are set */
    bool gss_malformed;   /* flavor RPCSEC_GSS, and it does not */
    uint32_t gss_version, gss_proc, gss_seq, gss_service;

    /* Reply */
    bool accepted;
    uint32_t accept_stat; /* accepted */
    uint32_t reject_stat; /* not accepted */
};

/*
 * Decode the RPC header at the start of a Payload stream. Returns its octets, which is where
 * arguments or results begin, or a negative error of rpcrdma/xdr.h, which leaves *header as it was.
 * error may be NULL.
 */
RPCRDMA_API ptrdiff_t rpcrdma_rpc_header_decode(struct rpcrdma_rpc_header *header, const void *buf,
                                                size_t length, struct rpcrdma_xdr_error *error);

#ifdef __cplusplus
}
#endif
#endif
