// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/* The RPC header, flattened out of the generated codec's view. */
#include <rpcrdma/rpc_header.h>

static void take_call(struct rpcrdma_rpc_header *header, const struct rpcrdma_rpc_call_body *call)
{
    struct rpcrdma_gss_cred gss;
    header->rpcvers = call->rpcvers;
    header->prog = call->prog;
    header->vers = call->vers;
    header->proc = call->proc;
    header->cred_flavor = call->cred.flavor;
    header->cred_offset = RPCRDMA_RPC_CALL_AT_CRED_FLAVOR;
    header->verf_flavor = call->verf.flavor;
    if (call->cred.flavor != RPCRDMA_RPC_GSS)
        return;
    header->has_gss = !rpcrdma_xdr_failed(rpcrdma_gss_cred_decode_complete(
        &gss, call->cred.body.data, call->cred.body.length, NULL, NULL));
    header->gss_malformed = !header->has_gss;
    if (!header->has_gss)
        return;
    header->gss_version = gss.rgc_version;
    header->gss_proc = gss.gss_proc;
    header->gss_seq = gss.seq_num;
    header->gss_service = gss.service;
}

static void take_reply(struct rpcrdma_rpc_header *header,
                       const struct rpcrdma_rpc_reply_body *reply)
{
    header->is_reply = true;
    header->accepted = reply->stat == RPCRDMA_RPC_MSG_ACCEPTED;
    if (header->accepted) {
        header->verf_flavor = reply->areply.verf.flavor;
        header->accept_stat = (uint32_t)reply->areply.reply_data.stat;
    } else {
        header->reject_stat = (uint32_t)reply->rreply.stat;
    }
}

ptrdiff_t rpcrdma_rpc_header_decode(struct rpcrdma_rpc_header *header, const void *buf,
                                    size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_rpc_msg message;
    ptrdiff_t octets = rpcrdma_rpc_msg_decode(&message, buf, length, NULL, error);
    if (rpcrdma_xdr_failed(octets))
        return octets;
    *header = (struct rpcrdma_rpc_header){.xid = message.xid};
    if (message.body.mtype == RPCRDMA_RPC_CALL)
        take_call(header, &message.body.cbody);
    else
        take_reply(header, &message.body.rbody);
    return octets;
}
