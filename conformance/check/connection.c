// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connection scope: credits, order, inline thresholds, private data, both directions (RFC 8166
 * section 3.3, RFC 8167, RFC 8797).
 */
#include "checker.h"

#include <rpcrdma/rpcrdma.h>

/* ---- inline thresholds ---- */

/* The limit that is known to hold for Sends of a side, or 0. */
static uint32_t known_threshold(const struct rpcrdma_check *check, enum rpcrdma_endpoint from)
{
    const struct side *client = &check->side[RPCRDMA_CLIENT];
    const struct side *server = &check->side[RPCRDMA_SERVER];
    uint32_t negotiated[2];
    if (check->config.inline_threshold[from] != 0)
        return check->config.inline_threshold[from];
    if (!client->private_data_good || !server->private_data_good)
        return 0;
    rpcrdma_inline_thresholds(&client->private_data, &server->private_data, negotiated);
    return negotiated[from];
}

static void too_long(struct send *send, enum rpcrdma_rule rule, uint64_t limit)
{
    report(send, rule, RPCRDMA_NO_OFFSET, "the Send has %u octets; the inline threshold is %u",
           send->total, limit, 0);
    if (rpcrdma_requirements[rule].grade == RPCRDMA_VIOLATION) {
        react(send, RECEIVER_RESPONDER, send->reactions[RECEIVER_RESPONDER] | RPCRDMA_CLOSE);
        react(send, RECEIVER_REQUESTER, send->reactions[RECEIVER_REQUESTER] | RPCRDMA_CLOSE);
    }
}

static bool offered_reply_chunk(const struct send *send)
{
    return send->verdict->direction == RPCRDMA_REPLY && send->verdict->procedure == RPCRDMA1_MSG &&
           send->answers && send->answers->has_reply_chunk;
}

/* This side announced its settings, and what the other side said is no RFC 8797 message. */
static bool bound_to_defaults(const struct rpcrdma_check *check, enum rpcrdma_endpoint from)
{
    const struct side *peer = &check->side[other(from)];
    return check->side[from].private_data_good && peer->private_data_seen &&
           !peer->private_data_good;
}

static void check_threshold(struct send *send)
{
    const struct rpcrdma_check *check = send->check;
    enum rpcrdma_endpoint from = send->event->from;
    uint32_t limit = known_threshold(check, from);
    if (limit != 0) {
        if (send->total > limit)
            too_long(send,
                     offered_reply_chunk(send) ? RPCRDMA_RFC8166_3_5_3_REPLY_CHUNK_USED
                                               : RPCRDMA_RFC8166_4_2_4_SEND_WITHIN_THRESHOLD,
                     limit);
    } else if (send->total > RPCRDMA_DEFAULT_INLINE) {
        too_long(send,
                 bound_to_defaults(check, from) ? RPCRDMA_RFC8797_5_1_DEFAULTS_WITHOUT_MESSAGE
                                                : RPCRDMA_RFC8166_3_3_3_SEND_ABOVE_DEFAULT,
                 RPCRDMA_DEFAULT_INLINE);
    }
}

/* ---- remote invalidation ---- */

static void check_invalidation(struct send *send)
{
    const struct rpcrdma_check *check = send->check;
    const struct side *client = &check->side[RPCRDMA_CLIENT];
    const struct side *server = &check->side[RPCRDMA_SERVER];
    if (!send->event->invalidate)
        return;
    if (client->private_data_good && server->private_data_good) {
        if (!client->private_data.remote_invalidation || !server->private_data.remote_invalidation)
            report(send, RPCRDMA_RFC8797_4_1_PLAIN_SEND_WITHOUT_SUPPORT, RPCRDMA_NO_OFFSET,
                   "a Send With Invalidate, which not both sides support", 0, 0, 0);
    } else if (bound_to_defaults(check, send->event->from)) {
        report(send, RPCRDMA_RFC8797_5_1_DEFAULTS_WITHOUT_MESSAGE, RPCRDMA_NO_OFFSET,
               "a Send With Invalidate to a peer that sent no private data of RFC 8797", 0, 0, 0);
    }
}

/* ---- credits ---- */

static void check_credits(struct send *send)
{
    const struct flow *flow = &send->check->flow[send->event->from];
    uint64_t in_flight = (uint64_t)flow->in_flight + 1;
    uint32_t asked = send->verdict->credit;
    if (flow->forgot)
        return;
    if (flow->answers == 0 && in_flight > 1) {
        if (flow->errors == 0)
            report(send, RPCRDMA_RFC8166_3_3_3_ONE_CREDIT_AT_FIRST, RPCRDMA_NO_OFFSET,
                   "the Call is number %u before anything was answered", in_flight, 0, 0);
        else
            report(send, RPCRDMA_RFC8166_3_3_3_VALID_REPLY_FIRST, RPCRDMA_NO_OFFSET,
                   "%u Calls are in flight, and nothing but RDMA_ERROR was received", in_flight, 0,
                   0);
    } else if (flow->granted != 0 && in_flight > flow->granted) {
        report(send, RPCRDMA_RFC8166_3_3_1_CALLS_WITHIN_GRANT, RPCRDMA_NO_OFFSET,
               "%u Calls are in flight; %u are granted", in_flight, flow->granted, 0);
    } else if (asked != 0 && in_flight > asked && asked < flow->granted) {
        report(send, RPCRDMA_RFC8166_3_3_1_CALLS_WITHIN_REQUEST, 8,
               "%u Calls are in flight; the Requester asks for %u", in_flight, asked, 0);
    } else {
        return;
    }
    if (send->verdict->findings[send->verdict->count - 1].grade != RPCRDMA_NOTE)
        react(send, RECEIVER_RESPONDER, send->reactions[RECEIVER_RESPONDER] | RPCRDMA_CLOSE);
}

static void take_grant(struct send *send)
{
    struct flow *flow = &send->check->flow[other(send->event->from)];
    uint32_t grant = send->verdict->credit;
    if (grant == 0)
        return;
    /* Seen on the way, a lower grant may not have reached the Requester for a long time yet. */
    if (!send->check->config.captured || grant > flow->granted)
        flow->granted = grant;
}

/* ---- Calls ---- */

static uint64_t digest(const struct send *send)
{
    uint64_t sum = send->payload_total * 0x9e3779b97f4a7c15u;
    size_t length = send->payload_length < 256 ? send->payload_length : 256;
    for (size_t i = 4; i + 4 <= length; i += 4)
        sum = (sum ^ xdr_load32(send->payload + i)) * 0x100000001b3u;
    return sum;
}

static bool offer_segments(struct send *send, struct call *call, enum memory_kind kind,
                           uint32_t chunk, const struct rpcrdma1_segment_array *segments)
{
    struct xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        if (!state_offer(send->check, call, kind, chunk, &segment))
            return false;
    return true;
}

static bool offer_all(struct send *send, struct call *call)
{
    const struct rpcrdma1_chunk_lists *chunks = send->chunks;
    struct xdr_iter iter = rpcrdma1_read_list_iter(&chunks->rdma_reads);
    struct rpcrdma1_read_segment segment;
    while (rpcrdma1_read_list_next(&iter, &segment))
        if (!state_offer(send->check, call, MEMORY_READ, segment.position, &segment.target))
            return false;
    iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    for (; rpcrdma1_write_list_next(&iter, &chunk); call->write_chunks++) {
        if (chunk.target.count == 0
                ? !state_offer(send->check, call, MEMORY_EMPTY_WRITE, call->write_chunks, NULL)
                : !offer_segments(send, call, MEMORY_WRITE, call->write_chunks, &chunk.target))
            return false;
    }
    call->has_reply_chunk = chunks->rdma_reply.present;
    if (!call->has_reply_chunk)
        return true;
    call->reply_segments = chunks->rdma_reply.value.target.count;
    return offer_segments(send, call, MEMORY_REPLY, 0, &chunks->rdma_reply.value.target);
}

/* A message that RDMA_ERROR, or a careless peer's Reply, can answer. */
static struct call *remember(struct send *send)
{
    struct call *call = state_add(send->check, send->event->from, send->verdict->xid);
    call->version = send->verdict->version;
    return call;
}

#define NFS_PROGRAM 100003

static void remember_call(struct send *send)
{
    struct rpcrdma_check *check = send->check;
    struct flow *flow = &check->flow[send->event->from];
    struct call *call = remember(send);
    flow->calls++;
    flow->in_flight++;
    flow->requested = send->verdict->credit;
    call->counted = true;
    call->digest = digest(send);
    call->is_protected = send->is_protected;
    if (send->rpc_length >= 0) {
        call->rpc_xid = send->rpc.xid;
        call->is_nfs4 = send->rpc.prog == NFS_PROGRAM && send->rpc.vers == 4;
    }
    if (offer_all(send, call)) {
        call->judged = true;
    } else {
        state_withdraw(check, call);
        flow->forgot = true;
    }
}

static void check_call(struct send *send)
{
    struct rpcrdma_check *check = send->check;
    enum rpcrdma_endpoint from = send->event->from;
    const struct call *known = state_find(check, from, send->verdict->xid);
    bool again = known && known->state == CALL_PENDING && known->counted;
    if (from == RPCRDMA_SERVER && check->flow[RPCRDMA_CLIENT].calls == 0 &&
        !check->config.reverse_direction && !check->flow[RPCRDMA_SERVER].forgot) {
        report(send, RPCRDMA_RFC8167_6_PEER_PREPARED, RPCRDMA_NO_OFFSET,
               "a Call from the server before any from its client", 0, 0, 0);
        react(send, RECEIVER_RESPONDER,
              send->reactions[RECEIVER_RESPONDER] | RPCRDMA_DISCARD | RPCRDMA_CLOSE);
    }
    if (again && known->digest != digest(send))
        report(send, RPCRDMA_RFC8166_2_2_2_XID_UNIQUE, 0,
               "another Call with XID 0x%x is still waiting for its Reply", known->xid, 0, 0);
    if (!again)
        check_credits(send);
    remember_call(send);
}

/* ---- every Send ---- */

static bool may_be_answered(const struct send *send)
{
    const struct rpcrdma_verdict *verdict = send->verdict;
    if (!verdict->has_procedure || send->total < RPCRDMA1_HEADER_MIN ||
        verdict->procedure == RPCRDMA1_ERROR || verdict->direction == RPCRDMA_REPLY)
        return false;
    return verdict->version != RPCRDMA_VERSION_1 || verdict->procedure != RPCRDMA1_DONE;
}

void check_connection(struct send *send)
{
    check_threshold(send);
    if (send->state == HEADER_DECODED && send->verdict->direction == RPCRDMA_CALL)
        check_call(send);
    else if (may_be_answered(send) &&
             state_find(send->check, send->event->from, send->verdict->xid) == NULL)
        remember(send);
    if (send->state == HEADER_DECODED && send->verdict->direction != RPCRDMA_CALL) {
        check_invalidation(send);
        if (send->answers)
            take_grant(send);
    }
}

/* ---- private data ---- */

void check_private_data(struct send *send)
{
    struct side *side = &send->check->side[send->event->from];
    struct rpcrdma_private_data data;
    side->private_data_seen = true;
    int error = rpcrdma_private_data_find(&data, send->octets, send->length);
    if (error == RPCRDMA_E_PD_TRUNCATED) {
        report(send, RPCRDMA_RFC8797_4_EIGHT_OCTETS, (int64_t)data.offset,
               "the private data ends %u octets after the identifier began",
               send->length - data.offset, 0, 0);
        return;
    }
    if (error == RPCRDMA_E_PD_VERSION) {
        report(send, RPCRDMA_RFC8797_4_VERSION_KNOWN, (int64_t)data.offset + 4,
               "the format version is %u", data.version, 0, 0);
        return;
    }
    if (error != 0)
        return;
    side->private_data_good = true;
    side->private_data = data;
    if (data.offset > 0)
        report(send, RPCRDMA_RFC8797_4_FORMAT_AT_START, (int64_t)data.offset,
               "the message begins at octet %u of the private data", data.offset, 0, 0);
    if (send->octets[data.offset + 5] & 0xfe)
        report(send, RPCRDMA_RFC8797_4_RESERVED_BITS_ZERO, (int64_t)data.offset + 5,
               "the flags octet is 0x%x", send->octets[data.offset + 5], 0, 0);
}
