// SPDX-License-Identifier: BSD-3-Clause
/*
 * One direction of a reliable connection: its packets in the order of their sequence numbers.
 *
 * A receiver takes requests only in order, and everything from a missing packet on is sent again.
 * A flow does the same: after a gap it stalls until the missing packet comes, or until the peer's
 * acknowledgement shows that only the capture missed it. So what was retransmitted on the wire
 * never appears twice, and what the capture lacks is never taken for what was not sent.
 *
 * The capture may also have recorded packets in another order than they were sent. So early
 * packets are kept, and an acknowledgement of packets that were not seen counts only after a few
 * more frames: until then they may still come.
 */
#include "conformance/input/flow/flow.h"
#include "conformance/input/flow/acknowledge.h"
#include "conformance/input/flow/hold.h"
#include "conformance/input/flow/message.h"
#include "conformance/input/flow/reads.h"

/* A stalled flow whose missing packet neither comes nor is acknowledged resumes after this many. */
#define STALL_MAX 1024

/* If the first packet is further than this from the announced number, nothing was lost: the
 * announced number is wrong. Packets that wait for it confirm it. */
#define ANNOUNCED_MAX 1024

/* ---- requests in order ---- */

static void take_read_request(struct capture_context *context, struct connection *connection,
                              enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *flow = &connection->flow[sender];
    uint32_t packets = reads_packets(connection, packet->length);
    reads_request(context, connection, sender, packet);
    if (packets == 0)
        flow->psn_state = PSN_AT_LEAST; /* how many numbers it takes is not known */
    else
        flow->psn = psn_add(packet->psn, packets);
}

/* No request is missing that was sent before this frame, or before the first sign of a later one
 * that was not taken yet. */
static void note_whole(struct flow *flow, uint64_t frame)
{
    if (flow->unseen.count > 0 && flow->unseen.entries[0].frame < frame)
        frame = flow->unseen.entries[0].frame;
    if (flow->pending.first && flow->pending.first->packet.frame < frame)
        frame = flow->pending.first->packet.frame;
    if (frame > flow->whole_until)
        flow->whole_until = frame;
}

/* Take a request, whatever its number. */
static void take(struct capture_context *context, struct connection *connection,
                 enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *flow = &connection->flow[sender];
    bool whole = flow->psn_state == PSN_EXACT && packet->psn == flow->psn;
    if (flow->psn_state == PSN_UNKNOWN || flow->psn_announced)
        flow->first_psn = packet->psn;
    flow->psn_announced = false;
    flow->psn_state = PSN_EXACT;
    flow->psn = psn_add(packet->psn, 1);
    const struct unseen_entry *due =
        flow->unseen.count > 0 ? unseen_find(&flow->unseen, packet->psn) : NULL;
    connection->overdue = due ? due->frame : 0;
    connection->overdue_stamp = due ? due->stamp : (struct stamp){0};
    if (flow->reads && message_begins_send(packet->opcode))
        reads_go_on(flow, packet->frame);
    if (packet->opcode == OP_READ_REQUEST)
        take_read_request(context, connection, sender, packet);
    else
        message_packet(context, connection, sender, packet);
    connection->overdue = 0;
    if (flow->unseen.count > 0)
        unseen_drop(&flow->unseen, flow->psn);
    if (whole)
        note_whole(flow, packet->frame);
    if (whole || !connection->holds)
        hold_release(context, connection);
}

/* Take the pending packets whose turn it is, and drop those whose turn has passed. */
static void take_pending(struct capture_context *context, struct connection *connection,
                         enum rpcrdma_endpoint sender)
{
    struct flow *flow = &connection->flow[sender];
    while (flow->pending.first) {
        int32_t ahead = psn_distance(flow->pending.first->packet.psn, flow->psn);
        if (ahead > 0 && flow->psn_state == PSN_EXACT)
            return;
        struct pending *pending = pending_take(&flow->pending);
        struct stamp stamp = context->stamp;
        context->stamp = pending->packet.stamp;
        if (ahead >= 0)
            take(context, connection, sender, &pending->packet);
        else
            context->reader->counts->retransmitted++;
        context->stamp = stamp;
        pending_free(&context->memory, pending);
    }
}

/* Requests before `psn` will not come any more. Those that did come are taken. */
static void skip_to(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint sender, uint32_t psn, uint64_t frame)
{
    struct flow *flow = &connection->flow[sender];
    take_pending(context, connection, sender);
    while (flow->psn_state == PSN_EXACT && psn_distance(psn, flow->psn) > 0) {
        uint32_t stop = psn;
        if (flow->pending.first && psn_distance(psn, flow->pending.first->packet.psn) > 0)
            stop = flow->pending.first->packet.psn;
        message_begin_loss(context, connection, flow, frame, (stop - flow->psn) & PSN_MASK);
        flow->psn = stop;
        flow->psn_announced = false;
        take_pending(context, connection, sender);
    }
    flow->stalled = flow->pending.first != NULL;
    unseen_drop(&flow->unseen, psn);
    hold_end_gap(context, connection);
}

/* What was received some frames ago, and still has not come, is missing. */
static void settle(struct capture_context *context, struct connection *connection,
                   enum rpcrdma_endpoint sender)
{
    const struct flow *flow = &connection->flow[sender];
    if (context->frame <= REORDER_FRAMES)
        return;
    uint64_t until = context->frame - REORDER_FRAMES;
    const struct unseen_entry *due =
        flow->unseen.count > 0 ? unseen_before(&flow->unseen, until) : NULL;
    if (due)
        skip_to(context, connection, sender, psn_add(due->psn, 1), due->frame);
    if (flow->reads_over)
        reads_settle(context, connection, sender, until);
}

/* All that it acknowledged and that has not come is missing. */
static void settle_all(struct capture_context *context, struct connection *connection,
                       enum rpcrdma_endpoint sender)
{
    const struct unseen_entry *last = unseen_last(&connection->flow[sender].unseen);
    if (last)
        skip_to(context, connection, sender, psn_add(last->psn, 1), last->frame);
}

/* So far beyond the announced number that this must be wrong, unless packets that wait confirm it.
 */
static bool is_too_far(const struct flow *flow, int32_t ahead)
{
    return flow->psn_announced && ahead > ANNOUNCED_MAX && !flow->stalled;
}

/* How far a request is ahead of the next in order. */
static int32_t distance_ahead(const struct flow *flow, const struct packet *packet)
{
    int32_t ahead = flow->psn_state == PSN_UNKNOWN ? 0 : psn_distance(packet->psn, flow->psn);
    if ((flow->psn_announced && ahead < 0) || is_too_far(flow, ahead))
        return 0; /* the announced number is wrong: believe the packets */
    return ahead;
}

/* A packet that is ahead. Returns true if packets before it may still come. */
static bool stall(struct capture_context *context, struct flow *flow, const struct packet *packet)
{
    if (!flow->stalled) {
        flow->stalled_for = 0;
        flow->furthest_psn = packet->psn;
    }
    if (psn_distance(packet->psn, flow->furthest_psn) > 0)
        flow->furthest_psn = packet->psn;
    flow->stalled = true;
    if (flow->stalled_for++ >= STALL_MAX)
        return false;
    pending_add(&context->memory, &flow->pending, packet);
    return true;
}

/* A number that has passed. If it is before the first that was seen, it is not a retransmission,
 * but was recorded after its successors, before the flow was recognised by them. */
static void take_repeated(struct capture_context *context, struct connection *connection,
                          struct flow *flow, const struct packet *packet)
{
    context->reader->counts->retransmitted++;
    if (packet->opcode == OP_READ_REQUEST)
        reads_request_again(flow, packet->psn);
    if (message_ends_send(packet->opcode) && psn_distance(packet->psn, flow->first_psn) < 0)
        hold_lost(context, connection, 1, packet->frame);
}

static void take_request(struct capture_context *context, struct connection *connection,
                         enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *flow = &connection->flow[sender];
    int32_t ahead = distance_ahead(flow, packet);
    if (ahead < 0) {
        take_repeated(context, connection, flow, packet);
        return;
    }
    if (ahead > 0 && flow->psn_state == PSN_EXACT) {
        if (stall(context, flow, packet))
            return;
        skip_to(context, connection, sender, packet->psn, packet->frame);
        if (psn_distance(packet->psn, flow->psn) < 0) { /* it was among those that waited */
            take_repeated(context, connection, flow, packet);
            return;
        }
    }
    take(context, connection, sender, packet);
    flow->stalled = false;
    if (flow->pending.first)
        take_pending(context, connection, sender);
}

/* ---- responses and acknowledgements ---- */

/* The peer has received all requests up to `psn`. If the capture lacks some, the checker has to
 * know before the peer's next Send can answer them. */
static void acknowledge(struct capture_context *context, struct connection *connection,
                        enum rpcrdma_endpoint sender, uint32_t psn)
{
    struct flow *flow = &connection->flow[sender];
    int32_t ahead = psn_distance(psn, flow->psn);
    flow->received = unacknowledged_take(&flow->unacknowledged, psn, flow->received);
    if (flow->psn_state == PSN_EXACT && ahead >= 0 && !is_too_far(flow, ahead))
        unseen_add(&flow->unseen, psn, context->frame, context->stamp);
    if (flow->reads)
        reads_acknowledged(flow, psn, context->frame);
}

/* A response belongs to a request of the other flow. */
static void take_response(struct capture_context *context, struct connection *connection,
                          enum rpcrdma_endpoint sender, const struct packet *packet)
{
    enum rpcrdma_endpoint requester = (enum rpcrdma_endpoint)(1 - (int)sender);
    struct flow *flow = &connection->flow[requester];
    reads_learn_early(connection, requester, packet);
    acknowledge(context, connection, requester, packet->psn);
    if (!reads_learn_mtu(connection, requester, packet)) {
        message_lose(context, connection, flow, packet->frame, 1);
        flow->psn_state = PSN_AT_LEAST;
        flow->psn = psn_add(packet->psn, 1);
        take_pending(context, connection, requester);
    }
    reads_response(context, connection, requester, packet);
}

/* The packet that is refused was not received, but all before it. */
static void take_refusal(struct capture_context *context, struct connection *connection,
                         enum rpcrdma_endpoint receiver, const struct packet *packet)
{
    enum rpcrdma_endpoint other = (enum rpcrdma_endpoint)(1 - (int)receiver);
    acknowledge(context, connection, other, psn_add(packet->psn, PSN_MASK));
    acknowledge_refusal(context, connection, receiver, packet);
}

static void fail(struct capture_context *context, struct connection *connection,
                 enum rpcrdma_endpoint receiver, const struct packet *packet)
{
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = receiver};
    if (!hold_is_undecided(context, connection))
        hold_end(context, connection);
    hold_event(context, connection, &event, packet->frame);
    connection->failed = true;
    connection->end.frame = packet->frame;
    connection->survivor = (enum rpcrdma_endpoint)(1 - (int)receiver);
}

static void take_acknowledgement(struct capture_context *context, struct connection *connection,
                                 enum rpcrdma_endpoint sender, const struct packet *packet)
{
    enum rpcrdma_endpoint other = (enum rpcrdma_endpoint)(1 - (int)sender);
    switch (acknowledgement_kind(packet)) {
    case ACKNOWLEDGED:
        acknowledge(context, connection, other, packet->psn);
        return;
    case REFUSED_FOR_NOW:
        take_refusal(context, connection, sender, packet);
        /* They will be sent again. */
        pending_drop(&context->memory, &connection->flow[other].pending);
        connection->flow[other].furthest_psn = psn_add(connection->flow[other].psn, PSN_MASK);
        return;
    case REFUSED_FOR_GOOD:
        take_refusal(context, connection, sender, packet);
        fail(context, connection, sender, packet);
        return;
    }
}

/* So soon after a failure that packets before it may still come. */
static bool is_soon(const struct connection *connection, const struct packet *packet)
{
    return packet->frame <= connection->end.frame + REORDER_FRAMES;
}

/* After a failure: the rest of what the other side had sent before it knew. What is far beyond all
 * that is known of is of another connection. */
static void take_rest(struct capture_context *context, struct connection *connection,
                      const struct packet *packet)
{
    struct flow *flow = &connection->flow[connection->survivor];
    const struct unseen_entry *last = unseen_last(&flow->unseen);
    int32_t ahead = distance_ahead(flow, packet);
    bool near =
        ahead < ANNOUNCED_MAX || (last && psn_distance(packet->psn, last->psn) < ANNOUNCED_MAX);
    if (ahead >= 0 && near)
        take_request(context, connection, connection->survivor, packet);
}

void flow_packet(struct capture_context *context, struct connection *connection,
                 enum rpcrdma_endpoint sender, const struct packet *packet)
{
    bool is_request = !packet_is_response(packet);
    for (int side = 0; side < 2; side++)
        if (connection->flow[side].unseen.count > 0 || connection->flow[side].reads_over)
            settle(context, connection, (enum rpcrdma_endpoint)side);
    if (connection->failed) {
        if (is_request && sender == connection->survivor)
            take_rest(context, connection, packet);
        else if (is_request && is_soon(connection, packet))
            take_request(context, connection, sender, packet); /* sent before, recorded late */
        return;
    }
    if (is_request)
        take_request(context, connection, sender, packet);
    else if (packet->opcode == OP_ACKNOWLEDGE || packet->opcode == OP_ATOMIC_ACKNOWLEDGE)
        take_acknowledgement(context, connection, sender, packet);
    else
        take_response(context, connection, sender, packet);
}

/* ---- the end ---- */

/* A Send or RDMA Write was under way. If its connection ended, it was never sent to its end. */
static void count_unfinished(struct capture_context *context, struct connection *connection)
{
    if (connection->failed || connection->end.asked)
        hold_broken_off(context, connection, 1, connection->end.frame);
    else
        hold_lost(context, connection, 1, context->frame);
}

static void end_sender(struct capture_context *context, struct connection *connection,
                       enum rpcrdma_endpoint sender)
{
    struct flow *flow = &connection->flow[sender];
    bool was_stalled = flow->stalled;
    settle_all(context, connection, sender);
    while (flow->pending.first)
        skip_to(context, connection, sender, psn_add(flow->pending.first->packet.psn, 1),
                context->frame);
    /* Not all that waited was kept. */
    if (was_stalled && psn_distance(flow->furthest_psn, flow->psn) >= 0)
        skip_to(context, connection, sender, psn_add(flow->furthest_psn, 1), context->frame);
    if (flow->reads) {
        reads_go_on(flow, context->frame);
        reads_settle(context, connection, sender, UINT64_MAX);
    }
    if (message_drop(context, flow))
        count_unfinished(context, connection);
    unsigned reads = reads_free(context, flow);
    if (connection->end.asked)
        hold_broken_off(context, connection, reads, connection->end.frame);
    else if (!connection->failed) /* else they have no response */
        hold_lost(context, connection, reads, context->frame);
}

void flow_end(struct capture_context *context, struct connection *connection)
{
    end_sender(context, connection, RPCRDMA_CLIENT);
    end_sender(context, connection, RPCRDMA_SERVER);
}

void flow_evict(struct capture_context *context, struct connection *connection)
{
    uint64_t lost = 0;
    hold_evict(context, connection);
    for (int i = 0; i < 2; i++) {
        struct flow *flow = &connection->flow[i];
        pending_drop(&context->memory, &flow->pending);
        lost += reads_free(context, flow);
        lost += message_drop(context, flow);
    }
    if (lost > 0)
        message_lose(context, connection, &connection->flow[0], context->frame, lost);
}
