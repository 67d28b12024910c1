// SPDX-License-Identifier: BSD-3-Clause
/*
 * One direction of a reliable connection: its packets in the order of their sequence numbers.
 *
 * A receiver takes requests only in order, and everything from a missing packet on is sent again.
 * A flow does the same: after a gap it stalls until the missing packet comes, or until the peer's
 * acknowledgement shows that only the capture missed it. So what was retransmitted on the wire
 * never appears twice, and what the capture lacks is never taken for what was not sent.
 */
#include "conformance/input/capture/flow.h"
#include "conformance/input/capture/hold.h"
#include "conformance/input/capture/message.h"
#include "conformance/input/capture/reads.h"

/* A stalled flow whose missing packet neither comes nor is acknowledged resumes after this many. */
#define STALL_MAX 1024

/* If the first packet is further than this from the announced number, nothing was lost: the
 * announced number is wrong. */
#define ANNOUNCED_MAX 1024

void flow_reset(struct capture_context *context, struct flow *flow)
{
    message_drop(context, flow);
    reads_free(context, flow);
}

bool flow_evict(struct capture_context *context, struct connection *connection)
{
    bool any = false, held = hold_evict(context, connection);
    for (int i = 0; i < 2; i++) {
        struct flow *flow = &connection->flow[i];
        any = any || flow->message != MESSAGE_NONE || flow->reads;
        flow_reset(context, flow);
    }
    if (any)
        message_lose(context, connection, &connection->flow[0], context->frame);
    return any || held;
}

/* Packets are missing for good: continue with the next one, whatever its number. */
static void resume(struct capture_context *context, struct connection *connection,
                   struct flow *flow, const struct packet *packet)
{
    flow->stalled = false;
    flow->psn_known = flow->psn_announced = false;
    message_lose(context, connection, flow, packet->frame);
}

/* ---- responses and acknowledgements ---- */

/* The peer has received all requests up to `psn`. If the capture lacks some, the checker has to
 * know before the peer's next Send can answer them. */
static void acknowledge(struct capture_context *context, struct connection *connection,
                        struct flow *flow, const struct packet *packet, uint32_t psn)
{
    int32_t ahead = psn_distance(psn, flow->psn);
    if (flow->psn_known && ahead >= 0 && !(flow->psn_announced && ahead > ANNOUNCED_MAX))
        resume(context, connection, flow, packet);
    reads_acknowledged(context, connection, flow, psn);
}

/* A response belongs to a request of the other flow. */
static void take_response(struct capture_context *context, struct connection *connection,
                          enum rpcrdma_endpoint sender, const struct packet *packet)
{
    enum rpcrdma_endpoint requester = (enum rpcrdma_endpoint)(1 - (int)sender);
    struct flow *flow = &connection->flow[requester];
    acknowledge(context, connection, flow, packet, packet->psn);
    if (!reads_learn_mtu(connection, requester, packet))
        resume(context, connection, flow, packet);
    reads_response(context, connection, requester, packet);
}

enum {
    SYNDROME_KIND_SHIFT = 5,
    SYNDROME_ACK = 0,
    SYNDROME_NAK = 3,
    NAK_SEQUENCE = 0,
    NAK_LAST_FATAL = 3
};

/* False if the queue pair has ended: invalid request, access error, operational error. */
static bool take_acknowledgement(struct capture_context *context, struct connection *connection,
                                 enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *acknowledged = &connection->flow[1 - (int)sender];
    unsigned kind = packet->syndrome >> SYNDROME_KIND_SHIFT & 3, code = packet->syndrome & 31;
    /* A NAK names the first packet that was not taken. */
    acknowledge(context, connection, acknowledged, packet,
                kind == SYNDROME_ACK ? packet->psn : psn_add(packet->psn, PSN_MASK));
    if (kind != SYNDROME_NAK || code <= NAK_SEQUENCE || code > NAK_LAST_FATAL)
        return true;
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = sender};
    hold_event(context, connection, &event, packet->frame);
    return false;
}

/* ---- requests ---- */

/* Whether packets before this one may still come. */
static bool stalls(struct flow *flow)
{
    if (flow->stalled && flow->stalled_for++ >= STALL_MAX)
        return false;
    if (!flow->stalled)
        flow->stalled_for = 0;
    return flow->stalled = true;
}

/* Take a request as the next one of the flow, if it is. */
static bool in_sequence(struct capture_context *context, struct connection *connection,
                        struct flow *flow, const struct packet *packet)
{
    int32_t ahead = flow->psn_known ? psn_distance(packet->psn, flow->psn) : 0;
    if (flow->psn_announced && (ahead < 0 || ahead > ANNOUNCED_MAX))
        ahead = 0; /* the announced number is wrong: believe the packets */
    bool whole = flow->psn_known && packet->psn == flow->psn;
    flow->psn_announced = false;
    if (ahead < 0) {
        context->reader->counts->retransmitted++;
        return false;
    }
    if (ahead > 0) {
        if (stalls(flow))
            return false;
        resume(context, connection, flow, packet);
    }
    flow->stalled = false;
    flow->psn_known = true;
    flow->psn = psn_add(packet->psn, 1);
    if (whole) {
        flow->whole_until = packet->frame;
        hold_release(context, connection);
    }
    return true;
}

static void take_read_request(struct capture_context *context, struct connection *connection,
                              enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *flow = &connection->flow[sender];
    uint32_t packets = reads_packets(connection, packet->length);
    reads_request(context, connection, sender, packet);
    if (packets == 0)
        flow->psn_known = false; /* how many numbers it takes is not known */
    else
        flow->psn = psn_add(packet->psn, packets);
}

static void take_request(struct capture_context *context, struct connection *connection,
                         enum rpcrdma_endpoint sender, const struct packet *packet)
{
    if (!in_sequence(context, connection, &connection->flow[sender], packet))
        return;
    if (packet->opcode == OP_READ_REQUEST)
        take_read_request(context, connection, sender, packet);
    else
        message_packet(context, connection, sender, packet);
}

bool flow_packet(struct capture_context *context, struct connection *connection,
                 enum rpcrdma_endpoint sender, const struct packet *packet)
{
    switch (packet->opcode) {
    case OP_READ_FIRST:
    case OP_READ_MIDDLE:
    case OP_READ_LAST:
    case OP_READ_ONLY:
        take_response(context, connection, sender, packet);
        return true;
    case OP_ACKNOWLEDGE:
    case OP_ATOMIC_ACKNOWLEDGE:
        return take_acknowledgement(context, connection, sender, packet);
    default: /* atomic operations are not used by RPC-over-RDMA, but have sequence numbers */
        take_request(context, connection, sender, packet);
        return true;
    }
}
