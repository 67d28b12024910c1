// SPDX-License-Identifier: BSD-3-Clause
/*
 * Assembly of Sends and RDMA Writes.
 *
 * The flow has put the packets in order before they come here, so assembly need not look at
 * sequence numbers at all: a first packet begins a message, a last packet ends it, and whatever
 * does not fit in between shows that packets are missing. A message of one packet is passed on
 * where it lies, without a copy: most messages are of this kind.
 */
#include "conformance/input/capture/message.h"
#include "conformance/input/capture/hold.h"

enum part { PART_OTHER, PART_ONLY, PART_FIRST, PART_MIDDLE, PART_LAST };

static const struct {
    enum message_kind kind;
    enum part part;
    bool invalidate;
} parts[OP_RC_LAST + 1] = {
    [OP_SEND_FIRST] = {MESSAGE_SEND, PART_FIRST, false},
    [OP_SEND_MIDDLE] = {MESSAGE_SEND, PART_MIDDLE, false},
    [OP_SEND_LAST] = {MESSAGE_SEND, PART_LAST, false},
    [OP_SEND_LAST_IMMEDIATE] = {MESSAGE_SEND, PART_LAST, false},
    [OP_SEND_LAST_INVALIDATE] = {MESSAGE_SEND, PART_LAST, true},
    [OP_SEND_ONLY] = {MESSAGE_SEND, PART_ONLY, false},
    [OP_SEND_ONLY_IMMEDIATE] = {MESSAGE_SEND, PART_ONLY, false},
    [OP_SEND_ONLY_INVALIDATE] = {MESSAGE_SEND, PART_ONLY, true},
    [OP_WRITE_FIRST] = {MESSAGE_WRITE, PART_FIRST, false},
    [OP_WRITE_MIDDLE] = {MESSAGE_WRITE, PART_MIDDLE, false},
    [OP_WRITE_LAST] = {MESSAGE_WRITE, PART_LAST, false},
    [OP_WRITE_LAST_IMMEDIATE] = {MESSAGE_WRITE, PART_LAST, false},
    [OP_WRITE_ONLY] = {MESSAGE_WRITE, PART_ONLY, false},
    [OP_WRITE_ONLY_IMMEDIATE] = {MESSAGE_WRITE, PART_ONLY, false},
};

void message_drop(struct capture_context *context, struct flow *flow)
{
    buffer_free(&context->memory, &flow->content);
    flow->message = MESSAGE_NONE;
}

void message_lose(struct capture_context *context, struct connection *connection, struct flow *flow,
                  uint64_t frame)
{
    static const char reason[] = "packets are missing";
    struct source_miss miss = {SOURCE_LOST, frame, connection->name, reason};
    message_drop(context, flow);
    source_missed(context->reader, &miss);
    hold_gap(context, connection, frame);
}

/* Add a packet's payload; false if there is no room, which loses the message. */
static bool add_payload(struct capture_context *context, struct flow *flow,
                        const struct packet *packet)
{
    struct buffer *content = &flow->content;
    bool whole = content->length == content->total; /* nothing was cut off before */
    content->total += packet->total;
    return !whole || buffer_add(&context->memory, content, packet->payload, packet->recorded);
}

static void begin_message(struct capture_context *context, struct connection *connection,
                          struct flow *flow, const struct packet *packet)
{
    if (flow->message != MESSAGE_NONE)
        message_lose(context, connection, flow, packet->frame);
    flow->message = parts[packet->opcode].kind;
    flow->handle = packet->handle;
    flow->offset = packet->offset;
    if (!add_payload(context, flow, packet))
        message_lose(context, connection, flow, packet->frame);
}

static void continue_message(struct capture_context *context, struct connection *connection,
                             struct flow *flow, const struct packet *packet)
{
    if (flow->message == MESSAGE_NONE)
        return; /* its beginning was lost, and counted then */
    if (flow->message != parts[packet->opcode].kind || !add_payload(context, flow, packet))
        message_lose(context, connection, flow, packet->frame);
}

static void emit_assembled(struct capture_context *context, struct connection *connection,
                           enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct flow *flow = &connection->flow[sender];
    const struct buffer *content = &flow->content;
    bool is_write = flow->message == MESSAGE_WRITE;
    struct rpcrdma_event event = {
        .type = is_write ? RPCRDMA_EVENT_RDMA_WRITE : RPCRDMA_EVENT_SEND,
        .from = sender,
        .data = content->octets,
        .length = content->length,
        .missing = (size_t)(content->total - content->length),
        .invalidate = parts[packet->opcode].invalidate,
        .handle = is_write ? flow->handle : packet->handle,
        .offset = is_write ? flow->offset : 0,
    };
    hold_event(context, connection, &event, packet->frame);
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
        .invalidate = parts[packet->opcode].invalidate,
        .handle = packet->handle,
        .offset = packet->offset,
    };
    if (flow->message != MESSAGE_NONE)
        message_lose(context, connection, flow, packet->frame);
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
        continue_message(context, connection, flow, packet);
        if (flow->message != MESSAGE_NONE)
            emit_assembled(context, connection, sender, packet);
        return;
    case PART_OTHER:
        return;
    }
}
