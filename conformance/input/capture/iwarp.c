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

static void take_broken_off(void *arg, void *own, uint64_t frame)
{
    const struct capture_iwarp *iwarp = arg;
    hold_broken_off(iwarp->context, own, 1, frame);
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

static bool is_to_port(const struct capture_iwarp *iwarp, const struct tcp_segment *segment)
{
    uint16_t port = iwarp->table.options.port;
    return segment->destination_port == port || segment->source_port == port;
}

static void miss_beginning(struct capture_iwarp *iwarp, uint64_t frame)
{
    source_unread(iwarp->context->reader, frame,
                  "iWARP of a connection whose beginning is missing");
}

static void take_segment(struct capture_iwarp *iwarp, const struct packet *packet,
                         const struct tcp_segment *segment)
{
    bool to_port = is_to_port(iwarp, segment);
    iwarp->context->frame = packet->frame;
    iwarp->context->stamp = packet->stamp;
    switch (iwarp_take(&iwarp->table, packet->source.octets, packet->destination.octets, segment)) {
    case IWARP_TAKEN:
        return;
    case IWARP_UNKNOWN_CONNECTION:
        if (to_port || iwarp->table.options.all)
            miss_beginning(iwarp, packet->frame);
        return;
    case IWARP_AFTER_END:
        source_unread(iwarp->context->reader, packet->frame,
                      "iWARP of a side that had ended its connection");
        return;
    case IWARP_NOT_IWARP:
        if (to_port && segment->total > 0)
            source_unread(iwarp->context->reader, packet->frame,
                          "TCP at the port of RPC-over-RDMA, but not known to be iWARP");
        return;
    }
}

/* ---- segments of connections that are not known yet ----
 *
 * What begins a connection may be recorded behind its first segments, and these in any order: so
 * those at the port wait some frames. */

static struct tcp_segment segment_of(const struct pending *pending)
{
    struct tcp_segment segment = {0};
    tcp_parse(pending->packet.payload, pending->packet.recorded, pending->packet.total, &segment);
    segment.frame = pending->packet.frame;
    return segment;
}

/* 0: another connection; 1: the same direction; -1: the other one. */
static int direction_of(const struct pending *pending, const struct packet *packet,
                        const struct tcp_segment *segment)
{
    const struct tcp_segment own = segment_of(pending);
    const struct packet *p = &pending->packet;
    if (own.source_port == segment->source_port &&
        own.destination_port == segment->destination_port &&
        address_equal(&p->source, &packet->source) &&
        address_equal(&p->destination, &packet->destination))
        return 1;
    return own.source_port == segment->destination_port &&
                   own.destination_port == segment->source_port &&
                   address_equal(&p->source, &packet->destination) &&
                   address_equal(&p->destination, &packet->source)
               ? -1
               : 0;
}

static int32_t ahead_of(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

/* Whether `a` was sent before `b`, by what they number and acknowledge. */
static bool is_earlier(const struct tcp_segment *a, const struct tcp_segment *b, int direction)
{
    return direction > 0 ? ahead_of(a->sequence, b->sequence) < 0
                         : ahead_of(b->acknowledged, a->sequence) > 0;
}

/* Of the connection of the first that waits: the earliest one that shows what it is, or NULL. */
static const struct pending *find_beginning(const struct capture_iwarp *iwarp)
{
    const struct pending *found = NULL, *near = iwarp->waiting;
    for (const struct pending *other = near; other; other = other->next) {
        const struct tcp_segment segment = segment_of(other), to = segment_of(near);
        int direction = direction_of(other, &near->packet, &to);
        if (direction != 0 && iwarp_recognises(&iwarp->table, &segment) &&
            (found == NULL || is_earlier(&segment, &to, direction)))
            found = near = other;
    }
    return found;
}

static void take_out(struct capture_iwarp *iwarp, struct pending **link)
{
    struct capture_context *context = iwarp->context;
    struct pending *pending = *link;
    const struct tcp_segment segment = segment_of(pending);
    uint64_t frame = context->frame;
    struct stamp stamp = context->stamp;
    *link = pending->next;
    take_segment(iwarp, &pending->packet, &segment);
    pending_free(&context->memory, pending);
    context->frame = frame;
    context->stamp = stamp;
}

/* Those with a connection that is known by now. */
static void take_known(struct capture_iwarp *iwarp)
{
    struct pending **link = &iwarp->waiting;
    while (*link) {
        const struct packet *packet = &(*link)->packet;
        const struct tcp_segment segment = segment_of(*link);
        if (iwarp_knows(&iwarp->table, packet->source.octets, packet->destination.octets, &segment))
            take_out(iwarp, link);
        else
            link = &(*link)->next;
    }
}

static void drop(struct capture_iwarp *iwarp, struct pending **link)
{
    struct pending *pending = *link;
    *link = pending->next;
    miss_beginning(iwarp, pending->packet.frame);
    pending_free(&iwarp->context->memory, pending);
}

/* Begin the connection by this one: what was sent before is of its beginning, which is missing. */
static void begin_by(struct capture_iwarp *iwarp, const struct pending *beginning)
{
    const struct tcp_segment first = segment_of(beginning);
    struct pending **link = &iwarp->waiting, **at = NULL;
    while (*link) {
        const struct tcp_segment segment = segment_of(*link);
        int direction = direction_of(*link, &beginning->packet, &first);
        if (*link != beginning && direction != 0 && is_earlier(&segment, &first, direction)) {
            drop(iwarp, link);
            continue;
        }
        at = *link == beginning ? link : at;
        link = &(*link)->next;
    }
    if (at)
        take_out(iwarp, at);
    take_known(iwarp);
}

static void take_due(struct capture_iwarp *iwarp, uint64_t frame)
{
    while (iwarp->waiting && iwarp->waiting->packet.frame < frame) {
        const struct pending *beginning = find_beginning(iwarp);
        if (beginning)
            begin_by(iwarp, beginning);
        else
            take_out(iwarp, &iwarp->waiting);
    }
}

static bool keep_waiting(struct capture_iwarp *iwarp, const struct packet *packet)
{
    struct pending **end = &iwarp->waiting;
    struct pending *copy = pending_copy(&iwarp->context->memory, packet);
    while (copy && *end)
        end = &(*end)->next;
    if (copy)
        *end = copy;
    return copy != NULL;
}

void capture_iwarp_packet(struct capture_iwarp *iwarp, const struct packet *packet)
{
    struct tcp_segment segment;
    if (iwarp->waiting && packet->frame > REORDER_FRAMES)
        take_due(iwarp, packet->frame - REORDER_FRAMES);
    if (!tcp_parse(packet->payload, packet->recorded, packet->total, &segment))
        return;
    segment.frame = packet->frame;
    bool begins = segment.syn || mpa_is_request(segment.payload, segment.recorded);
    if (!begins && segment.total > 0 && is_to_port(iwarp, &segment) &&
        !iwarp_knows(&iwarp->table, packet->source.octets, packet->destination.octets, &segment) &&
        keep_waiting(iwarp, packet))
        return;
    take_segment(iwarp, packet, &segment);
    if (begins && iwarp->waiting)
        take_known(iwarp);
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
        .broken_off = take_broken_off,
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
    take_due(iwarp, UINT64_MAX);
    iwarp_table_done(&iwarp->table);
}
