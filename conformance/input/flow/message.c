// SPDX-License-Identifier: BSD-3-Clause
/*
 * Assembly of Sends and RDMA Writes.
 *
 * The flow has put the packets in order before they come here, so assembly need not look at
 * sequence numbers at all: a first packet begins a message, a last packet ends it, and whatever
 * does not fit in between shows that packets are missing. A message of one packet is passed on
 * where it lies, without a copy: most messages are of this kind. One that is too long to be kept
 * is passed on with the rest named as missing: its header can still be judged.
 */
#include "conformance/input/flow/message.h"
#include "conformance/input/flow/hold.h"
#include "conformance/input/flow/reads.h"

enum part {
    PART_OTHER = 0,
    PART_FIRST = 1,
    PART_LAST = 2,
    PART_ONLY = PART_FIRST | PART_LAST,
    PART_MIDDLE = 4,
    PART_ATOMIC = 8,
};

static const struct {
    enum message_kind kind;
    enum part part;
} parts[OP_RC_LAST + 1] = {
    [OP_SEND_FIRST] = {MESSAGE_SEND, PART_FIRST},
    [OP_SEND_MIDDLE] = {MESSAGE_SEND, PART_MIDDLE},
    [OP_SEND_LAST] = {MESSAGE_SEND, PART_LAST},
    [OP_SEND_LAST_IMMEDIATE] = {MESSAGE_SEND, PART_LAST},
    [OP_SEND_LAST_INVALIDATE] = {MESSAGE_SEND, PART_LAST},
    [OP_SEND_ONLY] = {MESSAGE_SEND, PART_ONLY},
    [OP_SEND_ONLY_IMMEDIATE] = {MESSAGE_SEND, PART_ONLY},
    [OP_SEND_ONLY_INVALIDATE] = {MESSAGE_SEND, PART_ONLY},
    [OP_WRITE_FIRST] = {MESSAGE_WRITE, PART_FIRST},
    [OP_WRITE_MIDDLE] = {MESSAGE_WRITE, PART_MIDDLE},
    [OP_WRITE_LAST] = {MESSAGE_WRITE, PART_LAST},
    [OP_WRITE_LAST_IMMEDIATE] = {MESSAGE_WRITE, PART_LAST},
    [OP_WRITE_ONLY] = {MESSAGE_WRITE, PART_ONLY},
    [OP_WRITE_ONLY_IMMEDIATE] = {MESSAGE_WRITE, PART_ONLY},
    [OP_COMPARE_SWAP] = {MESSAGE_NONE, PART_ATOMIC},
    [OP_FETCH_ADD] = {MESSAGE_NONE, PART_ATOMIC},
};

bool message_begins_send(uint8_t opcode)
{
    return parts[opcode].kind == MESSAGE_SEND && parts[opcode].part & PART_FIRST;
}

bool message_ends_send(uint8_t opcode)
{
    return parts[opcode].kind == MESSAGE_SEND && parts[opcode].part & PART_LAST;
}

bool message_drop(struct capture_context *context, struct flow *flow)
{
    bool any = flow->assembly.kind != MESSAGE_NONE;
    buffer_free(&context->memory, &flow->assembly.content);
    flow->assembly.kind = MESSAGE_NONE;
    return any;
}

void message_begin_loss(struct capture_context *context, struct connection *connection,
                        struct flow *flow, uint64_t frame, uint64_t packets)
{
    message_drop(context, flow);
    flow->assembly.headless = true;
    hold_lost(context, connection, packets, frame);
    hold_begin_gap(context, connection, frame);
}

void message_lose(struct capture_context *context, struct connection *connection, struct flow *flow,
                  uint64_t frame, uint64_t packets)
{
    message_begin_loss(context, connection, flow, frame, packets);
    hold_end_gap(context, connection);
}

/* What finds no room counts as not recorded, and so does all that follows: a message may have a
 * gap only at its end. */
static void add_payload(struct capture_context *context, struct assembly *assembly,
                        const struct packet *packet)
{
    struct buffer *content = &assembly->content;
    bool whole = content->length == content->total;
    content->total += packet->total;
    if (whole)
        buffer_add(&context->memory, content, packet->payload, packet->recorded);
}

static void begin_message(struct capture_context *context, struct connection *connection,
                          struct flow *flow, const struct packet *packet)
{
    if (flow->assembly.kind != MESSAGE_NONE)
        message_lose(context, connection, flow, packet->frame, 1);
    reads_mtu(connection, (uint32_t)packet->total);
    flow->assembly = (struct assembly){.kind = parts[packet->opcode].kind,
                                       .first_psn = packet->psn,
                                       .handle = packet->handle,
                                       .length = packet->length,
                                       .offset = packet->offset};
    add_payload(context, &flow->assembly, packet);
}

/* False if the packet continues no message. */
static bool continue_message(struct capture_context *context, struct connection *connection,
                             struct flow *flow, const struct packet *packet)
{
    struct assembly *assembly = &flow->assembly;
    if (assembly->headless)
        return false;
    if (assembly->kind != parts[packet->opcode].kind) {
        message_lose(context, connection, flow, packet->frame, 1);
        return false;
    }
    add_payload(context, assembly, packet);
    return true;
}

/* Pass on a complete message, and remember its numbers until it is acknowledged. */
static void emit(struct capture_context *context, struct connection *connection,
                 const struct packet *packet, uint32_t first_psn, struct rpcrdma_event *event)
{
    struct flow *flow = &connection->flow[event->from];
    bool is_send = event->type == RPCRDMA_EVENT_SEND;
    struct sent_request request = {
        .first_psn = first_psn,
        .last_psn = packet->psn,
        .handle = event->handle,
        .length = (uint32_t)(event->length + event->missing),
        .offset = event->offset,
        .number = flow->sends,
        .is_send = is_send,
    };
    unacknowledged_add(&flow->unacknowledged, &request);
    flow->sends += is_send;
    flow->assembly.headless = false;
    event->invalidate =
        packet->opcode == OP_SEND_LAST_INVALIDATE || packet->opcode == OP_SEND_ONLY_INVALIDATE;
    event->has_order = is_send;
    event->reads_open = is_send && flow->reads && reads_under_way(flow);
    event->received = connection->flow[1 - (int)event->from].received;
    hold_event(context, connection, event, packet->frame);
}

static void emit_assembled(struct capture_context *context, struct connection *connection,
                           enum rpcrdma_endpoint sender, const struct packet *packet)
{
    static const uint8_t none[1];
    struct flow *flow = &connection->flow[sender];
    struct assembly *assembly = &flow->assembly;
    bool is_write = assembly->kind == MESSAGE_WRITE;
    struct rpcrdma_event event = {
        .type = is_write ? RPCRDMA_EVENT_RDMA_WRITE : RPCRDMA_EVENT_SEND,
        .from = sender,
        .data = assembly->content.octets ? assembly->content.octets : none,
        .length = assembly->content.length,
        .missing = (size_t)(assembly->content.total - assembly->content.length),
        .handle = is_write ? assembly->handle : packet->handle,
        .offset = is_write ? assembly->offset : 0,
    };
    emit(context, connection, packet, assembly->first_psn, &event);
    message_drop(context, flow);
}

/* A message of one packet. */
static void emit_only(struct capture_context *context, struct connection *connection,
                      enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *flow = &connection->flow[sender];
    bool is_write = parts[packet->opcode].kind == MESSAGE_WRITE;
    struct rpcrdma_event event = {
        .type = is_write ? RPCRDMA_EVENT_RDMA_WRITE : RPCRDMA_EVENT_SEND,
        .from = sender,
        .data = packet->payload,
        .length = packet->recorded,
        .missing = packet->total - packet->recorded,
        .handle = packet->handle,
        .offset = packet->offset,
    };
    if (flow->assembly.kind != MESSAGE_NONE)
        message_lose(context, connection, flow, packet->frame, 1);
    emit(context, connection, packet, packet->psn, &event);
}

static void emit_atomic(struct capture_context *context, struct connection *connection,
                        enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_ATOMIC,
        .from = sender,
        .length = 8,
        .handle = packet->handle,
        .offset = packet->offset,
    };
    hold_event(context, connection, &event, packet->frame);
}

void message_packet(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *flow = &connection->flow[sender];
    switch (parts[packet->opcode].part) {
    case PART_ONLY:
        emit_only(context, connection, sender, packet);
        return;
    case PART_FIRST:
        begin_message(context, connection, flow, packet);
        return;
    case PART_MIDDLE:
        continue_message(context, connection, flow, packet);
        return;
    case PART_LAST:
        if (continue_message(context, connection, flow, packet))
            emit_assembled(context, connection, sender, packet);
        flow->assembly.headless = false;
        return;
    case PART_ATOMIC:
        emit_atomic(context, connection, sender, packet);
        return;
    case PART_OTHER:
        return;
    }
}
