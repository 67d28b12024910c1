// SPDX-License-Identifier: BSD-3-Clause
/* Fuzz target: RPC message headers and the RPCSEC_GSS credential in them. */
#include "fuzz.h"
#include "values.h"

#include <rpcrdma/rpc_header.h>

FUZZ_CODEC(decode_message, rpcrdma_rpc_msg, rpcrdma_rpc_limits)
FUZZ_CODEC(decode_credential, rpcrdma_gss_cred, rpcrdma_gss_limits)

extern const struct xdr_type *const walk_rpcrdma_gss_cred;

static void check_credential(const uint8_t *octets, size_t length)
{
    struct rpcrdma_gss_cred credential;
    struct xdr_error error;
    ptrdiff_t n = decode_credential(octets, length, &credential, &error);
    fuzz_check_walk(walk_rpcrdma_gss_cred, octets, length, n, &error);
    if (n >= 0 && credential.handle.length > 0)
        FUZZ_ASSERT(credential.handle.data == octets + 20 &&
                    credential.handle.length <= (size_t)n - 20);
}

/* The flat header says what the message says. */
static void check_header(const struct rpcrdma_rpc_header *header,
                         const struct rpcrdma_rpc_msg *message, size_t length)
{
    const struct rpcrdma_rpc_call_body *call = &message->body.cbody;
    const struct rpcrdma_rpc_reply_body *reply = &message->body.rbody;
    FUZZ_ASSERT(header->xid == message->xid);
    FUZZ_ASSERT(header->is_reply == (message->body.mtype == RPCRDMA_RPC_REPLY));
    if (header->is_reply) {
        FUZZ_ASSERT(header->accepted == (reply->stat == RPCRDMA_RPC_MSG_ACCEPTED));
        FUZZ_ASSERT(!header->has_gss && !header->gss_malformed);
        return;
    }
    FUZZ_ASSERT(header->prog == call->prog && header->proc == call->proc);
    FUZZ_ASSERT(header->cred_flavor == call->cred.flavor && header->cred_offset <= length);
    FUZZ_ASSERT((header->has_gss || header->gss_malformed) ==
                (call->cred.flavor == RPCRDMA_RPC_GSS));
    FUZZ_ASSERT(!(header->has_gss && header->gss_malformed));
}

/* What RFC 5531 has no number or no room for is no value. */
static void check_refused(struct rpcrdma_rpc_msg message)
{
    static const uint32_t undefined = 99;
    struct rpcrdma_rpc_reply_body *reply = &message.body.rbody;
    struct rpcrdma_rpc_opaque_auth *auth = &message.body.cbody.cred;
    int code = XDR_E_UNION; /* the union is the one that looks */
    if (message.body.mtype == RPCRDMA_RPC_CALL) {
        auth->body.length = RPCRDMA_RPC_AUTH_BODY_MAX + 1;
        code = XDR_E_BOUND;
    } else if (reply->stat == RPCRDMA_RPC_MSG_ACCEPTED) {
        memcpy(&reply->areply.reply_data.stat, &undefined, 4);
        code = XDR_E_ENUM; /* several have the default arm: it cannot */
    } else if (reply->rreply.stat == RPCRDMA_RPC_AUTH_ERROR) {
        memcpy(&reply->rreply.why, &undefined, 4);
        code = XDR_E_ENUM;
    } else {
        memcpy(&reply->rreply.stat, &undefined, 4);
    }
    FUZZ_REFUSES(rpcrdma_rpc_msg, &message, code);
    memcpy(&message.body.mtype, &undefined, 4);
    FUZZ_REFUSES(rpcrdma_rpc_msg, &message, XDR_E_UNION);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpcrdma_rpc_msg message;
    struct rpcrdma_rpc_header header;
    struct xdr_error error, again;
    if (size > FUZZ_SIZE_MAX)
        return 0;
    ptrdiff_t n = decode_message(data, size, &message, &error);
    fuzz_check_walk(walk_rpcrdma_rpc_msg, data, size, n, &error);
    FUZZ_ASSERT(rpcrdma_rpc_header_decode(&header, data, size, &again) == n);
    if (n >= 0) {
        check_header(&header, &message, (size_t)n);
        check_refused(message);
    } else {
        FUZZ_ASSERT(again.offset == error.offset);
    }
    check_credential(data, size);
    return 0;
}
