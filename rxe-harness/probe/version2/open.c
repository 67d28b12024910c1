// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a live Responder may do with a Send. What the text leaves open says the checker; here is
 * what follows from it for a peer that is seen by its answers alone, that need not know all that
 * is optional, and that may not find memory where the Send says that some is.
 */
#include "rxe-harness/probe/version2/probe.h"

#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* A Responder that makes no Calls need not support Replies, and no text says what it may answer. */
#define BACKWARDS                                                                                  \
    (RPCRDMA_DISCARD | RPCRDMA_ERR_INVAL_HTYPE | RPCRDMA_ERR_INVAL_CONT | RPCRDMA_ERR_BAD_XDR |    \
     RPCRDMA_ERR_SYSTEM)
/* -04: operations on properties are OPTIONAL (5.3). */
#define UNSUPPORTED (RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC)
/* -07 section 7 says that a prefix has 20 octets: who takes it at its word drops what is shorter.
 * By RFC 8166 section 4.5, which -04 does not take back, what has less than 28 octets is dropped.
 */
enum { SHORT_04 = RPCRDMA1_HEADER_MIN, SHORT_07 = 20 };

bool probe2_is_taken_in_silence(enum rpcrdma_protocol draft, const uint8_t *octets, size_t length)
{
    struct rpcrdma_message message;
    if (rpcrdma_xdr_failed(rpcrdma_message_decode(&message, draft, octets, length, NULL)))
        return false;
    return message.kind != RPCRDMA_KIND_RPC || message.form == RPCRDMA_FORM_PIECE ||
           message.direction != RPCRDMA_CALL;
}

bool probe2_is_reply(enum rpcrdma_protocol draft, const uint8_t *octets, size_t length)
{
    struct rpcrdma_prefix prefix;
    if (!rpcrdma_prefix_load(&prefix, octets, length) || prefix.version != RPCRDMA_VERSION_2)
        return false;
    uint32_t type = prefix.procedure;
    if (draft == RPCRDMA_PROTOCOL_2_07)
        return type >= RPCRDMA2_07_REPLY_EXTERNAL && type <= RPCRDMA2_07_REPLY_INLINE;
    return (type == RPCRDMA2_04_MSG || type == RPCRDMA2_04_NOMSG) &&
           length >= RPCRDMA_PREFIX_LENGTH + 4 &&
           rpcrdma_xdr_load32(octets + RPCRDMA_PREFIX_LENGTH) == RPCRDMA2_04_REPLY;
}

static unsigned open_of_type(enum rpcrdma_protocol draft, uint32_t type, const uint8_t *octets,
                             size_t length)
{
    struct rpcrdma_message message;
    bool is_property = draft == RPCRDMA_PROTOCOL_2_04 && type >= RPCRDMA2_04_CONNPROP &&
                       type <= RPCRDMA2_04_UPDPROP;
    bool decodes =
        !rpcrdma_xdr_failed(rpcrdma_message_decode(&message, draft, octets, length, NULL));
    unsigned open = probe2_is_reply(draft, octets, length) ? BACKWARDS : 0;
    if (type == RPCRDMA2_07_REPLY_MIDDLE && draft == RPCRDMA_PROTOCOL_2_07)
        open |= RPCRDMA_PROCESS;
    if (is_property)
        open |= UNSUPPORTED;
    if (is_property && decodes) /* it need not know what the value has to be */
        open |= RPCRDMA_PROCESS;
    return open;
}

static unsigned open_of_memory(const struct probe2_peer *peer)
{
    bool moved = true, lacking = false;
    for (size_t i = 0; i < peer->moved_count; i++) {
        moved = moved && peer->moved[i].moved;
        lacking = lacking || peer->moved[i].large || peer->moved[i].full;
    }
    return moved && !lacking ? 0
           : moved           ? PROBE2_WITHOUT_MEMORY & ~RPCRDMA_CLOSE
                             : PROBE2_WITHOUT_MEMORY;
}

unsigned probe2_open(const struct probe2_peer *peer, const uint8_t *octets, size_t length)
{
    enum rpcrdma_protocol draft = peer->probe->options.draft;
    unsigned open = peer->requester.open, memory = open_of_memory(peer);
    struct rpcrdma_prefix prefix;
    if (rpcrdma_prefix_load(&prefix, octets, length) && prefix.version == RPCRDMA_VERSION_2)
        open |= open_of_type(draft, prefix.procedure, octets, length);
    /* What was not supported is not there. */
    if (peer->backwards && (open & RPCRDMA_ERR_INVAL_CONT))
        open |= RPCRDMA_PROCESS;
    if (length < (draft == RPCRDMA_PROTOCOL_2_04 ? SHORT_04 : SHORT_07))
        open |= RPCRDMA_DISCARD;
    if (open & RPCRDMA_ERR_BAD_PROPVAL) /* unless it knows the property */
        open |= RPCRDMA_PROCESS;
    /* A fault may be found only after a chunk was read. */
    open |= memory & (open & RPCRDMA_PROCESS ? ~0u : (unsigned)RPCRDMA_CLOSE);
    if (open & RPCRDMA_PROCESS)
        open |= RPCRDMA_GARBAGE_ARGS;
    /* What asks neither for an answer nor for silence does not ask for a connection that stays. */
    if ((open & RPCRDMA_DISCARD) && (open & ~RPCRDMA_DISCARD))
        open |= RPCRDMA_CLOSE;
    return open;
}
