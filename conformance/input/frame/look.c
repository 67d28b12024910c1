// SPDX-License-Identifier: BSD-3-Clause
/*
 * Recognition of a single Send.
 *
 * Only what is certainly a message of version 1, or of one of the drafts of version 2, counts: a
 * header that decodes, and after it either nothing or an RPC message with the same XID. Random
 * octets pass for one by accident in one of 2^64 cases, so one look is enough to take a queue pair
 * for RPC-over-RDMA.
 */
#include "conformance/input/frame/look.h"
#include "conformance/input/frame/packet.h"

#include <rpcrdma/message.h>

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

bool look_decode(struct rpcrdma_message *message, const uint8_t *octets, size_t length)
{
    struct rpcrdma_prefix prefix;
    bool sure;
    if (!rpcrdma_prefix_load(&prefix, octets, length))
        return false;
    enum rpcrdma_protocol protocol = prefix.version == 2
                                         ? rpcrdma_guess_draft(octets, length, false, &sure)
                                         : RPCRDMA_PROTOCOL_1;
    return (prefix.version == RPCRDMA_VERSION_1 || prefix.version == 2) &&
           !rpcrdma_xdr_failed(rpcrdma_message_decode(message, protocol, octets, length, NULL));
}

/* Version 1 tells it by the lists, version 2 says it. */
static enum look look_at_lists(const struct rpcrdma_message *message)
{
    bool has_call = message->call_chunk.count > 0 || message->chunks.rdma_reads.count > 0;
    if (has_call && message->direction != RPCRDMA_REPLY)
        return LOOKS_LONG_CALL;
    return message->chunks.rdma_reply.present && message->direction != RPCRDMA_CALL ? LOOKS_REPLY
                                                                                    : LOOKS_OTHER;
}

enum look look_at_decoded(const struct rpcrdma_message *message, const uint8_t *octets,
                          size_t recorded, size_t total)
{
    if (message->kind != RPCRDMA_KIND_RPC)
        return LOOKS_OTHER;
    if (message->form != RPCRDMA_FORM_SPECIAL)
        return look_at_rpc(octets + message->header, recorded - message->header,
                           message->prefix.xid);
    return message->header == total ? look_at_lists(message) : LOOKS_OTHER;
}

enum look look_at(const uint8_t *octets, size_t recorded, size_t total)
{
    struct rpcrdma_message message;
    return look_decode(&message, octets, recorded)
               ? look_at_decoded(&message, octets, recorded, total)
               : LOOKS_OTHER;
}
