// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/version2/offer.h"

#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <string.h>

static size_t put_header_04(uint8_t *octets, uint32_t xid, const struct rpcrdma2_04_body *body)
{
    const struct rpcrdma2_04_header header = {.rdma_xid = xid,
                                              .rdma_vers = RPCRDMA_VERSION_2,
                                              .rdma_credit = REQUESTER_CREDITS,
                                              .rdma_body = *body};
    ptrdiff_t length = rpcrdma2_04_header_encode(octets, OFFER_FIRST_MAX, &header, NULL);
    return length < 0 ? 0 : (size_t)length;
}

static size_t put_prefix_07(uint8_t *octets, uint32_t xid, uint32_t type)
{
    const struct rpcrdma2_07_hdr_prefix prefix = {{.rdma_xid = xid,
                                                   .rdma_vers = RPCRDMA_VERSION_2,
                                                   .rdma_credit = REQUESTER_CREDITS,
                                                   .rdma_htype = type}};
    ptrdiff_t length = rpcrdma2_07_hdr_prefix_encode(octets, OFFER_FIRST_MAX, &prefix, NULL);
    return length < 0 ? 0 : (size_t)length;
}

/* The octets after the prefix, or none where they cannot be encoded. */
static size_t after_prefix(ptrdiff_t length)
{
    return RPCRDMA2_07_HDR_PREFIX_SIZE + (length < 0 ? 0 : (size_t)length);
}

static size_t put_null_04(const struct requester *peer, uint32_t xid, uint8_t *octets)
{
    const struct rpcrdma2_04_body body = {.rdma_proc = RPCRDMA2_04_MSG,
                                          .rdma_chunks.rdma_direction = RPCRDMA2_04_CALL};
    size_t at = put_header_04(octets, xid, &body);
    requester_rpc(octets + at, xid, peer->program, peer->version, 0);
    return at + REQUESTER_RPC;
}

/* The header ends with the first word of the Call. */
static size_t put_null_07(const struct requester *peer, uint32_t xid, uint8_t *octets)
{
    const struct rpcrdma2_07_hdr_call_inline call = {.rdma_rpc_first_word = xid};
    size_t at = put_prefix_07(octets, xid, RPCRDMA2_07_CALL_INLINE);
    at =
        after_prefix(rpcrdma2_07_hdr_call_inline_encode(octets + at, OFFER_FIRST_MAX, &call, NULL));
    requester_rpc(octets + at - 4, xid, peer->program, peer->version, 0);
    return at - 4 + REQUESTER_RPC;
}

static size_t put_long_null(enum offer_message message, const struct link_memory *memory,
                            uint32_t xid, uint8_t *octets)
{
    uint32_t length = (uint32_t)memory->length;
    if (message == OFFER_LONG_NULL_04) {
        const struct rpcrdma2_04_read_segment segment = {
            .rdma_target = {memory->handle, length, memory->offset}};
        const struct rpcrdma2_04_body body = {
            .rdma_proc = RPCRDMA2_04_NOMSG,
            .rdma_chunks.rdma_reads = {.items = &segment, .count = 1}};
        return put_header_04(octets, xid, &body);
    }
    const struct rpcrdma2_07_read_segment segment = {
        .rdma_target = {memory->handle, length, memory->offset}};
    const struct rpcrdma2_07_hdr_call_external call = {
        .rdma_call = {.items = &segment, .count = 1}};
    size_t at = put_prefix_07(octets, xid, RPCRDMA2_07_CALL_EXTERNAL);
    return after_prefix(
        rpcrdma2_07_hdr_call_external_encode(octets + at, OFFER_FIRST_MAX, &call, NULL));
}

/* Without a length one property, the size of our Receives; with it as many that do not change as
 * fit. */
static size_t put_connprop(enum offer_message message, uint32_t length, uint32_t xid,
                           uint8_t *octets)
{
    static const uint8_t size[4] = {0, 0, REQUESTER_INLINE >> 8, 0};
    static const uint8_t unchanging[4] = {0, 0, 0, RPCRDMA2_04_PROPID_RBSIZ};
    const struct rpcrdma_xdr_opaque value = {.data = size, .length = sizeof size};
    uint32_t properties = length == 0;
    if (message == OFFER_CONNPROP_04) {
        const struct rpcrdma2_04_propval property = {RPCRDMA2_04_PROPID_RBSIZ, value};
        const struct rpcrdma2_04_body body = {
            .rdma_proc = RPCRDMA2_04_CONNPROP,
            .rdma_connprop.rdma_start = {.items = &property, .count = properties}};
        size_t at = put_header_04(octets, xid, &body);
        if (length <= at)
            return at;
        rpcrdma_xdr_store32(octets + at - 4, 1);
        memcpy(octets + at, unchanging, sizeof unchanging);
        return at + sizeof unchanging;
    }
    const struct rpcrdma2_07_propval property = {RPCRDMA2_07_PROPID_RBSIZ, value};
    const struct rpcrdma2_07_hdr_connprop connprop = {
        .rdma_props = {.items = &property, .count = properties}};
    size_t at = put_prefix_07(octets, xid, RPCRDMA2_07_CONNPROP_FINAL);
    return after_prefix(
        rpcrdma2_07_hdr_connprop_encode(octets + at, OFFER_FIRST_MAX, &connprop, NULL));
}

/* As much of a NULL as makes a Send of this length. */
static size_t put_piece(const struct requester *peer, uint32_t length, uint32_t xid,
                        uint8_t *octets)
{
    uint8_t rpc[REQUESTER_RPC];
    size_t at = put_prefix_07(octets, xid, RPCRDMA2_07_CALL_MIDDLE);
    size_t inside = length - at - RPCRDMA2_07_HDR_CALL_MIDDLE_SIZE + 4;
    const struct rpcrdma2_07_hdr_call_middle piece = {
        .rdma_remaining = (uint32_t)(REQUESTER_RPC - inside), .rdma_rpc_first_word = xid};
    at = after_prefix(
        rpcrdma2_07_hdr_call_middle_encode(octets + at, OFFER_FIRST_MAX, &piece, NULL));
    requester_rpc(rpc, xid, peer->program, peer->version, 0);
    memcpy(octets + at, rpc + 4, inside - 4);
    return at + inside - 4;
}

static size_t put(const struct requester *peer, const struct probe_offer *offer,
                  const struct link_memory *memory, uint8_t *octets)
{
    uint32_t xid = peer->xid;
    switch (offer->message) {
    case OFFER_NULL_04:
        return put_null_04(peer, xid, octets);
    case OFFER_NULL_07:
        return put_null_07(peer, xid, octets);
    case OFFER_LONG_NULL_04:
    case OFFER_LONG_NULL_07:
        return put_long_null(offer->message, memory, xid, octets);
    case OFFER_CONNPROP_04:
    case OFFER_CONNPROP_07:
        return put_connprop(offer->message, offer->length, xid, octets);
    case OFFER_GRANT_07:
        return put_prefix_07(octets, xid, RPCRDMA2_07_GRANT);
    case OFFER_PIECE_07:
        return put_piece(peer, offer->length, xid, octets);
    default:
        requester_null_call(peer, xid, octets);
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_VERSION, offer->version);
        return REQUESTER_NULL;
    }
}

/* NULL has no arguments; what comes after it fills the Send. */
size_t offer_encode(const struct requester *peer, const struct probe_offer *offer,
                    const struct link_memory *memory, uint8_t octets[REQUESTER_INLINE])
{
    memset(octets, 0, REQUESTER_INLINE);
    size_t length = put(peer, offer, memory, octets);
    uint32_t wanted = offer->length == OFFER_LARGEST ? peer->send_limit : offer->length;
    return length < wanted ? wanted : length;
}
