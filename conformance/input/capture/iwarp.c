// SPDX-License-Identifier: BSD-3-Clause
/* What the iWARP reader finds, as events of connections like those of RoCE. */
#include "conformance/input/capture/iwarp.h"
#include "conformance/input/flow/hold.h"
#include "conformance/input/frame/look.h"

#include <inttypes.h>

static bool is_wanted(void *arg, const uint8_t *octets, size_t recorded, size_t total,
                      bool *from_client)
{
    (void)arg;
    enum look look = look_at(octets, recorded, total);
    *from_client = look == LOOKS_CALL || look == LOOKS_LONG_CALL;
    return look != LOOKS_OTHER;
}

/* ---- connections ---- */

static const char *end_text(const struct iwarp_endpoint *end, char text[ADDRESS_TEXT])
{
    struct address address;
    memcpy(address.octets, end->address, sizeof address.octets);
    address_text(&address, text);
    return text;
}

static void set_name(struct connection *c, const struct iwarp_endpoint end[2])
{
    char client[ADDRESS_TEXT], server[ADDRESS_TEXT];
    snprintf(c->name, sizeof c->name, "%s:%u-%s:%u", end_text(&end[RPCRDMA_CLIENT], client),
             end[RPCRDMA_CLIENT].port, end_text(&end[RPCRDMA_SERVER], server),
             end[RPCRDMA_SERVER].port);
}

static void open_connection(void *arg, void *own, const struct iwarp_endpoint end[2],
                            bool mid_stream)
{
    struct capture_iwarp *iwarp = arg;
    const struct source_reader *reader = iwarp->context->reader;
    struct connection *c = own;
    *c = (struct connection){.in_use = true, .id = iwarp->connections->ids++};
    c->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    c->config.seen_between = true;
    c->config.mid_stream = mid_stream;
    c->config.operations_seen = !mid_stream;
    c->config.bindings = reader->options->bindings;
    c->config.draft = reader->options->draft;
    set_name(c, end);
    reader->counts->connections++;
}

static void close_connection(void *arg, void *own, const bool seen[2])
{
    const struct capture_iwarp *iwarp = arg;
    const struct source_sink *sink = iwarp->context->reader->sink;
    struct connection *c = own;
    c->seen[RPCRDMA_CLIENT] = seen[RPCRDMA_CLIENT];
    c->seen[RPCRDMA_SERVER] = seen[RPCRDMA_SERVER];
    hold_end(iwarp->context, c);
    hold_missing_parts(iwarp->context, c);
    if (sink->closed)
        sink->closed(sink->arg, c->id);
}

/* ---- events ---- */

static void take_event(void *arg, void *own, const struct rpcrdma_event *event, uint64_t frame)
{
    struct capture_iwarp *iwarp = arg;
    if (event->type == RPCRDMA_EVENT_GAP)
        hold_gap(iwarp->context, own, frame);
    else
        hold_event(iwarp->context, own, event, frame);
}

static void take_loss(void *arg, void *own, const char *reason, uint32_t count, uint64_t frame)
{
    struct capture_iwarp *iwarp = arg;
    struct connection *c = own;
    if (count > 0)
        source_missed(iwarp->context->reader,
                      &(struct source_miss){SOURCE_LOST, count, frame, c->name, reason});
    hold_gap(iwarp->context, c, frame);
}

static void take_cut(void *arg, void *own, uint64_t frame)
{
    const struct capture_iwarp *iwarp = arg;
    hold_cut(iwarp->context, own, frame);
}

static void take_unread(void *arg, void *own, const char *reason, uint64_t frame)
{
    const struct capture_iwarp *iwarp = arg;
    const struct connection *c = own;
    source_missed(iwarp->context->reader,
                  &(struct source_miss){SOURCE_UNREAD, 1, frame, c->name, reason});
}

/* ---- segments ---- */

void capture_iwarp_packet(struct capture_iwarp *iwarp, const struct packet *packet)
{
    struct tcp_segment segment;
    const struct iwarp_options *options = &iwarp->table.options;
    if (!tcp_parse(packet->payload, packet->recorded, packet->total, &segment))
        return;
    segment.frame = packet->frame;
    iwarp->context->frame = packet->frame;
    iwarp->context->time = packet->time;
    bool to_port =
        segment.destination_port == options->port || segment.source_port == options->port;
    switch (
        iwarp_take(&iwarp->table, packet->source.octets, packet->destination.octets, &segment)) {
    case IWARP_TAKEN:
        return;
    case IWARP_UNKNOWN_CONNECTION:
        if (to_port || options->all)
            source_unread(iwarp->context->reader, packet->frame,
                          "iWARP of a connection whose beginning is missing");
        return;
    case IWARP_AFTER_END:
        source_unread(iwarp->context->reader, packet->frame,
                      "iWARP of a side that had ended its connection");
        return;
    case IWARP_NOT_IWARP:
        if (to_port && segment.total > 0)
            source_unread(iwarp->context->reader, packet->frame,
                          "TCP at the port of RPC-over-RDMA, but not known to be iWARP");
        return;
    }
}

static void evict(void *arg, size_t octets)
{
    struct capture_iwarp *iwarp = arg;
    iwarp_evict(&iwarp->table, octets);
    if (!memory_fits(&iwarp->context->memory, octets))
        iwarp->evict(iwarp->evict_arg, octets);
}

void capture_iwarp_init(struct capture_iwarp *iwarp, struct connection_table *connections)
{
    struct capture_context *context = connections->context;
    const struct source_options *options = context->reader->options;
    *iwarp = (struct capture_iwarp){
        .context = context,
        .connections = connections,
        .evict = context->memory.evict,
        .evict_arg = context->memory.arg,
    };
    iwarp->table.memory = &context->memory;
    iwarp->table.retransmitted = &context->reader->counts->retransmitted;
    iwarp->table.options = (struct iwarp_options){.port = options->port, .all = options->all_qp};
    iwarp->table.output = (struct iwarp_output){
        .own_size = sizeof(struct connection),
        .is_wanted = is_wanted,
        .open = open_connection,
        .event = take_event,
        .lost = take_loss,
        .cut = take_cut,
        .unread = take_unread,
        .close = close_connection,
        .arg = iwarp,
    };
    context->memory.evict = evict;
    context->memory.arg = iwarp;
}

void capture_iwarp_end(struct capture_iwarp *iwarp)
{
    iwarp_table_done(&iwarp->table);
}
