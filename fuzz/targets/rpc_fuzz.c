// SPDX-License-Identifier: BSD-3-Clause
/* Fuzz target: RPC message headers, the RPCSEC_GSS credential in them, and what bindings of upper
 * layers read after them. */
#include "fuzz/fuzz.h"
#include "fuzz/values.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpc_header.h>

FUZZ_CODEC(decode_message, rpcrdma_rpc_msg, rpcrdma_rpc_limits)
FUZZ_CODEC(decode_credential, rpcrdma_gss_cred, rpcrdma_gss_limits)

extern const struct xdr_type *const rpcrdma_walk_rpcrdma_gss_cred;

static void check_credential(const uint8_t *octets, size_t length)
{
    struct rpcrdma_gss_cred credential;
    struct rpcrdma_xdr_error error;
    ptrdiff_t n = decode_credential(octets, length, &credential, &error);
    fuzz_check_walk(rpcrdma_walk_rpcrdma_gss_cred, octets, length, n, &error);
    if (n < 0)
        return;
    if (credential.handle.length > 0)
        FUZZ_ASSERT(credential.handle.data == octets + 20 &&
                    credential.handle.length <= (size_t)n - 20);
    credential.handle.length = UINT32_MAX;
    FUZZ_REFUSES(rpcrdma_gss_cred, &credential, RPCRDMA_XDR_E_ARGUMENT);
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

/* ---- bindings ---- */

struct reading {
    const struct rpcrdma_content *content;
    uint64_t last; /* position of the item before */
};

static void hear_operation(void *arg, const char *name)
{
    (void)arg;
    FUZZ_ASSERT(name != NULL && strlen(name) > 0);
}

/* An item that is there lies in the octets, padding and all, after the one before. */
static void hear_item(void *arg, const struct rpcrdma_item *item)
{
    struct reading *reading = arg;
    const struct rpcrdma_content *content = reading->content;
    FUZZ_ASSERT(item->name != NULL && strlen(item->name) > 0 && !item->out);
    FUZZ_ASSERT(item->position >= reading->last && item->position >= content->position);
    FUZZ_ASSERT(item->position - content->position <= content->length);
    FUZZ_ASSERT(item->length <= content->length - (item->position - content->position));
    reading->last = item->position + item->length;
}

static void hear_expected(void *arg, const struct rpcrdma_item *item)
{
    (void)arg;
    FUZZ_ASSERT(item->name != NULL && strlen(item->name) > 0);
}

static bool hear_result_is_out(void *arg)
{
    (void)arg;
    return false;
}

static void hear_result(void *arg, const struct rpcrdma_item *item)
{
    (void)arg;
    FUZZ_ASSERT(item == NULL || (item->name != NULL && !item->out));
}

/* Nothing was taken out. A Reply is read as that to any Call: its XID says which. */
static void check_binding(const struct rpcrdma_rpc_header *header, const uint8_t *octets,
                          size_t length, size_t begin)
{
    struct rpcrdma_xdr_reduction whole = {.next_item = false};
    struct rpcrdma_content content = {.version = header->vers,
                                      .procedure = header->proc,
                                      .octets = octets + begin,
                                      .length = length - begin,
                                      .position = begin,
                                      .reduction = &whole,
                                      .read = length - begin};
    struct reading reading = {.content = &content};
    const struct rpcrdma_item_sink sink = {hear_operation,     hear_item,   hear_expected,
                                           hear_result_is_out, hear_result, &reading};
    const struct rpcrdma_binding *binding =
        rpcrdma_binding_find(rpcrdma_bindings, header->prog, header->vers);
    if (header->is_reply) {
        binding = rpcrdma_bindings[(header->xid & 0xff) % 3];
        content.version = binding->low_version + (header->xid >> 8 & 1);
        content.procedure = header->xid >> 16 & 31;
    }
    if (binding == NULL || content.version > binding->high_version)
        return;
    const char *name = binding->procedure(content.version, content.procedure);
    FUZZ_ASSERT(name == NULL || strlen(name) > 0);
    enum rpcrdma_reading end =
        header->is_reply ? binding->reply(&content, &sink) : binding->call(&content, &sink);
    FUZZ_ASSERT(end <= RPCRDMA_UNREADABLE && content.read <= content.length);
}

/* ---- values without encoding ---- */

/* What RFC 5531 has no number or no room for is no value. */
static void check_opaque(const struct rpcrdma_rpc_opaque_auth *auth)
{
    fuzz_check_inside(auth->body.data, auth->body.length);
}

/* What it holds lies in the octets. */
static void check_views(const struct rpcrdma_rpc_msg *message)
{
    const struct rpcrdma_rpc_reply_body *reply = &message->body.rbody;
    if (message->body.mtype == RPCRDMA_RPC_CALL) {
        check_opaque(&message->body.cbody.cred);
        check_opaque(&message->body.cbody.verf);
    } else if (reply->stat == RPCRDMA_RPC_MSG_ACCEPTED) {
        check_opaque(&reply->areply.verf);
    }
}

static void check_refused(struct rpcrdma_rpc_msg message)
{
    static const uint32_t undefined = 99;
    struct rpcrdma_rpc_reply_body *reply = &message.body.rbody;
    struct rpcrdma_rpc_opaque_auth *auth = &message.body.cbody.cred;
    int code = RPCRDMA_XDR_E_UNION; /* the union is the one that looks */
    if (message.body.mtype == RPCRDMA_RPC_CALL) {
        uint32_t length = message.body.cbody.verf.body.length;
        message.body.cbody.verf.body.length = RPCRDMA_RPC_AUTH_BODY_MAX + 1;
        FUZZ_REFUSES(rpcrdma_rpc_msg, &message, RPCRDMA_XDR_E_BOUND);
        message.body.cbody.verf.body.length = length;
        auth->body.length = RPCRDMA_RPC_AUTH_BODY_MAX + 1;
        code = RPCRDMA_XDR_E_BOUND;
    } else if (reply->stat == RPCRDMA_RPC_MSG_ACCEPTED) {
        uint32_t length = reply->areply.verf.body.length;
        reply->areply.verf.body.length = RPCRDMA_RPC_AUTH_BODY_MAX + 1;
        FUZZ_REFUSES(rpcrdma_rpc_msg, &message, RPCRDMA_XDR_E_BOUND);
        reply->areply.verf.body.length = length;
        memcpy(&reply->areply.reply_data.stat, &undefined, 4);
        code = RPCRDMA_XDR_E_ENUM; /* several have the default arm: it cannot */
    } else if (reply->rreply.stat == RPCRDMA_RPC_AUTH_ERROR) {
        memcpy(&reply->rreply.why, &undefined, 4);
        code = RPCRDMA_XDR_E_ENUM;
    } else {
        memcpy(&reply->rreply.stat, &undefined, 4);
    }
    FUZZ_REFUSES(rpcrdma_rpc_msg, &message, code);
    if (message.body.mtype == RPCRDMA_RPC_REPLY) {
        memcpy(&reply->stat, &undefined, 4);
        FUZZ_REFUSES(rpcrdma_rpc_msg, &message, RPCRDMA_XDR_E_UNION);
    }
    memcpy(&message.body.mtype, &undefined, 4);
    FUZZ_REFUSES(rpcrdma_rpc_msg, &message, RPCRDMA_XDR_E_UNION);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpcrdma_rpc_msg message;
    struct rpcrdma_rpc_header header;
    struct rpcrdma_xdr_error error, again;
    if (size > FUZZ_SIZE_MAX)
        return 0;
    ptrdiff_t n = decode_message(data, size, &message, &error);
    fuzz_check_walk(rpcrdma_walk_rpcrdma_rpc_msg, data, size, n, &error);
    FUZZ_ASSERT(rpcrdma_rpc_header_decode(&header, data, size, &again) == n);
    if (n >= 0) {
        check_header(&header, &message, (size_t)n);
        check_views(&message);
        check_binding(&header, data, size, (size_t)n);
        check_refused(message);
    } else {
        FUZZ_ASSERT(again.offset == error.offset);
    }
    check_credential(data, size);
    return 0;
}
