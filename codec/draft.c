// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * Which draft of version 2 a Send follows. Both say version 2, and their types 4 to 9 share numbers
 * and mean other things. Decoding is the test: a message that ends with the Send by one draft alone
 * is of that draft.
 */
#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

static bool fills_send(enum rpcrdma_protocol protocol, const void *octets, size_t length)
{
    struct rpcrdma_message message;
    ptrdiff_t n = rpcrdma_message_decode(&message, protocol, octets, length, NULL);
    return !rpcrdma_xdr_failed(n) &&
           ((size_t)n == length ||
            (message.kind == RPCRDMA_KIND_RPC && message.form != RPCRDMA_FORM_SPECIAL));
}

/* A GRANT is its prefix alone. OPTIONAL has more, and a payload can follow it. */
static enum rpcrdma_protocol grant_or_optional(const void *octets, size_t length, bool *sure)
{
    struct rpcrdma_message message;
    *sure = length == RPCRDMA2_07_HDR_PREFIX_SIZE ||
            !rpcrdma_xdr_failed(
                rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_04, octets, length, NULL));
    return *sure && length > RPCRDMA2_07_HDR_PREFIX_SIZE ? RPCRDMA_PROTOCOL_2_04
                                                         : RPCRDMA_PROTOCOL_2_07;
}

/* Where a message of -07 goes on with a word at least, -04 has the number of its properties. */
static bool may_go_on(const uint8_t *octets, uint32_t type)
{
    return type != RPCRDMA2_07_CALL_MIDDLE ||
           rpcrdma_xdr_load32(octets + RPCRDMA2_07_HDR_PREFIX_SIZE) >= 4;
}

/* Octets of a piece can look like properties, but seldom to the last one. */
static enum rpcrdma_protocol by_decoding(const void *octets, size_t length, uint32_t type,
                                         bool *sure)
{
    bool is_04 = fills_send(RPCRDMA_PROTOCOL_2_04, octets, length);
    bool is_07 =
        fills_send(RPCRDMA_PROTOCOL_2_07, octets, length) && (!is_04 || may_go_on(octets, type));
    *sure = is_04 != is_07;
    return is_04 && (!is_07 || type == RPCRDMA2_07_CALL_MIDDLE) ? RPCRDMA_PROTOCOL_2_04
                                                                : RPCRDMA_PROTOCOL_2_07;
}

enum rpcrdma_protocol rpcrdma_guess_draft(const void *octets, size_t length, bool first, bool *sure)
{
    struct rpcrdma_prefix prefix;
    *sure = false;
    if (!rpcrdma_prefix_load(&prefix, octets, length))
        return RPCRDMA_PROTOCOL_2_07;
    if (prefix.procedure <= RPCRDMA2_04_NOMSG) {
        *sure = true;
        return RPCRDMA_PROTOCOL_2_04;
    }
    if (prefix.procedure < RPCRDMA2_07_ERROR || prefix.procedure > RPCRDMA2_07_REPLY_INLINE)
        return RPCRDMA_PROTOCOL_2_07;
    if (prefix.procedure == RPCRDMA2_07_GRANT)
        return grant_or_optional(octets, length, sure);
    if (prefix.procedure <= RPCRDMA2_04_UPDPROP) {
        enum rpcrdma_protocol draft = by_decoding(octets, length, prefix.procedure, sure);
        if (first && prefix.procedure == RPCRDMA2_07_CONNPROP_FINAL && !*sure)
            *sure = fills_send(RPCRDMA_PROTOCOL_2_07, octets, length);
        return draft;
    }
    *sure = true;
    return RPCRDMA_PROTOCOL_2_07;
}
