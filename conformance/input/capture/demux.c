// SPDX-License-Identifier: BSD-3-Clause
/*
 * The top of the capture reader: a packet goes to connection management, to the flow it belongs
 * to, or to recognition. Each of them knows the table of connections, but none knows another, and
 * a further transport has its entry here: it adds connections to the table and passes assembled
 * messages to hold_event().
 */
#include "conformance/input/capture/demux.h"
#include "conformance/input/flow/flow.h"
#include "conformance/input/flow/hold.h"
#include "conformance/input/flow/message.h"
#include "conformance/input/frame/within.h"
#include "conformance/input/capture/recognise.h"

bool demux_init(struct demux *demux, struct capture_context *context)
{
    bool connections = connection_table_init(&demux->table, context);
    capture_iwarp_init(&demux->iwarp, &demux->table);
    return request_table_init(&demux->requests) && connections;
}

void demux_end(struct demux *demux)
{
    capture_iwarp_end(&demux->iwarp);
}

void demux_done(struct demux *demux)
{
    connection_table_done(&demux->table);
    request_table_done(&demux->requests);
}

/* A Send of an unknown connection: it may be RPC-over-RDMA, unless connection management showed
 * that the queue pair is used for something else. What the capture begins with may not show yet
 * what it is. */
static void miss_unrecognised(struct demux *demux, const struct packet *packet)
{
    if (message_ends_send(packet->opcode) && !connection_is_displaced(&demux->table, packet))
        source_unread(demux->table.context->reader, packet->frame,
                      "Sends on queue pairs not known to be those of RPC-over-RDMA, or not yet");
}

/* A Send that came so long after its connection had ended that nobody waits for it. */
static void miss_late(const struct capture_context *context, const struct connection *connection,
                      enum rpcrdma_endpoint sender, const struct packet *packet)
{
    const struct flow *flow = &connection->flow[sender];
    bool is_new = flow->psn_state != PSN_EXACT || psn_distance(packet->psn, flow->psn) >= 0;
    if (message_ends_send(packet->opcode) && is_new)
        source_missed(context->reader, &(struct source_miss){.kind = SOURCE_LOST,
                                                             .count = 1,
                                                             .frame = packet->frame,
                                                             .connection = connection->name,
                                                             .reason = "the connection had ended"});
}

/* What a side did with its memory: of a connection that is known, where the source shows it. */
static void take_within(struct connection_table *table, const struct packet *packet)
{
    struct rpcrdma_event event = {0};
    if (!table->context->within_client || !within_read(packet->payload, packet->recorded, &event))
        return;
    struct connection *c = connection_find(table, &packet->source, &packet->destination,
                                           packet->queue_pair, &event.from);
    if (c && !c->closed && c->config.registrations_seen[event.from])
        hold_event(table->context, c, &event, packet->frame);
}

void demux_packet(struct demux *demux, const struct packet *packet)
{
    struct connection_table *table = &demux->table;
    enum rpcrdma_endpoint sender;
    table->context->frame = packet->frame;
    table->context->time = packet->time;
    if (table->ending_count > 0)
        connection_settle_ends(table);
    if (packet->opcode == OP_DATAGRAM)
        establish_datagram(&demux->requests, table, packet);
    if (packet->opcode == OP_WITHIN)
        take_within(table, packet);
    if (packet->opcode > OP_RC_LAST)
        return;
    struct connection *c =
        connection_find(table, &packet->source, &packet->destination, packet->queue_pair, &sender);
    if (c == NULL || known_flow(c) >= 0)
        c = recognise(table, packet, c, &sender);
    if (c == NULL)
        miss_unrecognised(demux, packet);
    if (c && c->closed)
        miss_late(table->context, c, sender, packet);
    if (c == NULL || c->closed)
        return;
    c->seen[sender] = true;
    connection_touch(table, c);
    flow_packet(table->context, c, sender, packet);
}

void demux_segment(struct demux *demux, const struct packet *packet)
{
    capture_iwarp_packet(&demux->iwarp, packet);
}
