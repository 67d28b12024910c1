// SPDX-License-Identifier: BSD-3-Clause
/*
 * The top of the capture reader: a packet goes to connection management, to the flow it belongs
 * to, or to recognition. Each of them knows the table of connections, but none knows another, and
 * a further transport has its entry here: it adds connections to the table and passes assembled
 * messages to hold_event().
 */
#include "conformance/input/capture/demux.h"
#include "conformance/input/flow/flow.h"
#include "conformance/input/frame/cm.h"
#include "conformance/input/flow/hold.h"
#include "conformance/input/flow/message.h"
#include "conformance/input/frame/within.h"
#include "conformance/input/capture/connections.h"

/* Requests of one flow that wait together are not further apart than this. */
#define NEAR_PSNS 2048

/* Frames that one waits whose connection is not known: those of three Calls and their answers. */
#define WAITING_FRAMES (2 * REORDER_FRAMES)

bool demux_init(struct demux *demux, struct capture_context *context)
{
    bool connections = connection_table_init(&demux->table, context);
    capture_iwarp_init(&demux->iwarp, &demux->table);
    return request_table_init(&demux->requests) && connections;
}

void demux_done(struct demux *demux)
{
    while (demux->waiting) {
        struct pending *first = demux->waiting;
        demux->waiting = first->next;
        pending_free(&demux->table.context->memory, first);
    }
    connection_table_done(&demux->table);
    request_table_done(&demux->requests);
}

/* A Send of an unknown connection: it may be RPC-over-RDMA, unless connection management showed
 * that the queue pair is used for something else. What the capture begins with may not show yet
 * what it is. */
static void miss_unrecognised(struct demux *demux, const struct packet *packet)
{
    if (packet->opcode <= OP_RC_LAST && message_ends_send(packet->opcode) &&
        !connection_is_displaced(&demux->table, packet))
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

/* ---- packets of connections that are not known yet ----
 *
 * The opening of a connection may be recorded behind its first packets; and where it was not
 * recorded, what shows which queue pairs belong together may come behind others. So these packets
 * wait some frames. */

/* A request to disconnect that names its receiver's queue pair. */
static bool is_end(const struct packet *packet, uint32_t *queue_pair)
{
    struct cm_message message;
    if (cm_parse(packet, &message) != CM_WHOLE || message.kind != CM_DISCONNECT_REQUEST)
        return false;
    *queue_pair = message.queue_pair;
    return true;
}

/* A request to disconnect is found like any packet of its flow. */
static struct connection *find(struct demux *demux, const struct packet *packet)
{
    enum rpcrdma_endpoint sender;
    uint32_t queue_pair = packet->queue_pair;
    is_end(packet, &queue_pair);
    return connection_find(&demux->table, &packet->source, &packet->destination, queue_pair,
                           &sender);
}

/* Both of its flows are known; NULL otherwise. */
static struct connection *find_known(struct demux *demux, const struct packet *packet)
{
    struct connection *c = find(demux, packet);
    return c && known_flow(c) < 0 ? c : NULL;
}

static bool keep_waiting(struct demux *demux, const struct packet *packet)
{
    struct pending *copy = pending_copy(&demux->table.context->memory, packet);
    struct pending **end = &demux->waiting;
    while (copy && *end)
        end = &(*end)->next;
    if (copy)
        *end = copy;
    return copy != NULL;
}

static bool is_request(const struct packet *packet)
{
    return packet->opcode <= OP_RC_LAST && !packet_is_response(packet);
}

static bool same_lane(const struct packet *a, const struct packet *b)
{
    return a->queue_pair == b->queue_pair && address_equal(&a->source, &b->source) &&
           address_equal(&a->destination, &b->destination);
}

/* The link to the request that is next in the order of its flow: this one, or one behind it. */
static struct pending **find_next(struct pending **link)
{
    struct pending **found = link;
    const struct packet *packet = &(*link)->packet;
    if (!is_request(packet))
        return link;
    for (struct pending **other = &(*link)->next; *other; other = &(*other)->next) {
        const struct packet *p = &(*other)->packet;
        int32_t before = psn_distance((*found)->packet.psn, p->psn);
        if (before > 0 && before < NEAR_PSNS && !packet_is_response(p) && same_lane(p, packet))
            found = other;
    }
    return found;
}

/* Exchange two of the list. */
static void exchange(struct pending **a, struct pending **b)
{
    struct pending *first = *a, *second = *b, *rest = second->next;
    bool adjacent = b == &first->next;
    second->next = adjacent ? first : first->next;
    *a = second;
    if (!adjacent)
        *b = first;
    first->next = rest;
}

static void take_known_flow(struct connection_table *table, struct connection *c,
                            enum rpcrdma_endpoint sender, const struct packet *packet)
{
    c->seen[sender] = true;
    connection_touch(table, c);
    flow_packet(table->context, c, sender, packet);
}

static void take(struct demux *demux, struct connection *c, const struct packet *packet)
{
    struct connection_table *table = &demux->table;
    enum rpcrdma_endpoint sender;
    if (packet->opcode > OP_RC_LAST) { /* a datagram */
        establish_datagram(&demux->requests, table, packet);
        return;
    }
    if (c == NULL)
        miss_unrecognised(demux, packet);
    c = connection_find(table, &packet->source, &packet->destination, packet->queue_pair, &sender);
    if (c && c->closed)
        miss_late(table->context, c, sender, packet);
    if (c == NULL || c->closed)
        return;
    take_known_flow(table, c, sender, packet);
}

/* Take the first of this part of the list, as if its frame were read now. Of a connection whose
 * opening was not seen, the requests of each side are taken in their order: nothing else tells
 * with which one the flow begins. */
static void take_waiting(struct demux *demux, struct pending **link, struct connection *c)
{
    struct capture_context *context = demux->table.context;
    uint64_t frame = context->frame;
    struct stamp stamp = context->stamp;
    struct pending **next = c && c->cm_seen ? link : find_next(link);
    if (c && next != link)
        exchange(link, next);
    struct pending *pending = *link;
    *link = pending->next;
    context->frame = pending->packet.frame;
    context->stamp = pending->packet.stamp;
    take(demux, c, &pending->packet);
    pending_free(&context->memory, pending);
    context->frame = frame;
    context->stamp = stamp;
}

static void drop_waiting(struct demux *demux, struct pending **link)
{
    struct pending *pending = *link;
    *link = pending->next;
    miss_unrecognised(demux, &pending->packet);
    pending_free(&demux->table.context->memory, pending);
}

/* A request with a number that is not of the connection that was opened: of one before it. */
static bool is_of_another(struct demux *demux, const struct connection *known,
                          const struct packet *packet)
{
    enum rpcrdma_endpoint sender;
    if (!is_request(packet))
        return false;
    connection_find(&demux->table, &packet->source, &packet->destination, packet->queue_pair,
                    &sender);
    int32_t ahead = psn_distance(packet->psn, known->flow[sender].psn);
    return known->flow[sender].psn_announced && (ahead < 0 || ahead >= NEAR_PSNS);
}

/* Those whose connection has become known. */
static void take_known(struct demux *demux)
{
    struct pending **link = &demux->waiting;
    while (*link) {
        struct connection *known = find_known(demux, &(*link)->packet);
        if (known && is_of_another(demux, known, &(*link)->packet))
            drop_waiting(demux, link);
        else if (known)
            take_waiting(demux, link, known);
        else
            link = &(*link)->next;
    }
}

/* The connection of one that has waited, as far as it shows. What it acknowledges tells more than
 * its XID, which others may have used as well. */
static struct connection *recognise_waiting(struct demux *demux, const struct packet *packet)
{
    bool acknowledges = false;
    demux->table.context->frame = packet->frame;
    enum rpcrdma_endpoint sender;
    struct connection *c = NULL;
    for (const struct pending *other = demux->waiting; other; other = other->next) {
        if (other->packet.opcode != OP_ACKNOWLEDGE || !same_lane(&other->packet, packet))
            continue;
        acknowledges = true;
        recognise(&demux->table, &other->packet, find(demux, packet), &sender, true);
        c = find_known(demux, packet);
        if (c)
            return c;
    }
    return recognise(&demux->table, packet, find(demux, packet), &sender, acknowledges);
}

static bool is_opposite(const struct packet *a, const struct packet *b)
{
    return address_equal(&a->source, &b->destination) && address_equal(&a->destination, &b->source);
}

/* Whether the acknowledgement is of a request of this flow that waits. */
static bool acknowledges_waiting(const struct demux *demux, const struct packet *acknowledgement,
                                 const struct packet *packet)
{
    for (const struct pending *other = demux->waiting; other; other = other->next)
        if (!packet_is_response(&other->packet) && same_lane(&other->packet, packet) &&
            other->packet.psn == acknowledgement->psn)
            return true;
    return false;
}

/* A connection has begun with one flow: find the other one, so that both are taken in the order in
 * which they were recorded. */
static void complete_waiting(struct demux *demux, struct connection *c, const struct packet *packet)
{
    int there = known_flow(c);
    for (const struct pending *other = demux->waiting; other; other = other->next) {
        if (other->packet.opcode != OP_ACKNOWLEDGE || !is_opposite(&other->packet, packet) ||
            find(demux, &other->packet) || !acknowledges_waiting(demux, &other->packet, packet))
            continue;
        connection_complete(&demux->table, c, (enum rpcrdma_endpoint)(1 - there),
                            other->packet.queue_pair);
        return;
    }
}

/* The first request of its lane: what it shows holds for those before it, too. */
static struct pending **first_request(struct demux *demux, const struct packet *packet)
{
    struct pending **link = &demux->waiting;
    while (packet_is_response(&(*link)->packet) || !same_lane(&(*link)->packet, packet))
        link = &(*link)->next;
    return link;
}

/* Those that have waited since before this frame. One that shows nothing waits on, as what follows
 * it may, if it came after the frame `over`; and so does a response until its request is there. */
static void take_due(struct demux *demux, uint64_t frame, uint64_t over)
{
    uint64_t now = demux->table.context->frame;
    struct pending **link = &demux->waiting;
    while (*link && (*link)->packet.frame < frame) {
        struct pending *due = *link;
        if (due->packet.opcode == OP_DATAGRAM) {
            take_waiting(demux, link, NULL);
            continue;
        }
        bool drop = due->tried && due->packet.frame < over;
        struct connection *c = due->tried ? NULL : recognise_waiting(demux, &due->packet);
        due->tried = packet_is_response(&due->packet) || c == NULL;
        demux->table.context->frame = now;
        int there = c ? known_flow(c) : -1;
        if (there >= 0 && c->flow[there].psn_state == PSN_UNKNOWN)
            complete_waiting(demux, c, &due->packet);
        if (c && known_flow(c) < 0) {
            take_known(demux);
            link = &demux->waiting;
        } else if (c && !due->tried) {
            take_waiting(demux, first_request(demux, &due->packet), c);
            link = &demux->waiting;
        } else if (drop) {
            take_waiting(demux, link, NULL);
        } else {
            link = &due->next;
        }
    }
}

/* A request to disconnect waits as well, behind packets of its connection: whose they are may show
 * yet. False if none waits. */
static bool keep_end_waiting(struct demux *demux, const struct packet *packet)
{
    struct packet flow = *packet;
    if (demux->waiting == NULL || !is_end(packet, &flow.queue_pair))
        return false;
    for (const struct pending *other = demux->waiting; other; other = other->next)
        if (same_lane(&other->packet, &flow))
            return keep_waiting(demux, packet);
    return false;
}

static uint64_t before(uint64_t frame, uint64_t frames)
{
    return frame > frames ? frame - frames : 0;
}

void demux_end(struct demux *demux)
{
    take_due(demux, UINT64_MAX, 0);
    take_due(demux, UINT64_MAX, UINT64_MAX);
    capture_iwarp_end(&demux->iwarp);
}

void demux_packet(struct demux *demux, const struct packet *packet)
{
    struct connection_table *table = &demux->table;
    table->context->frame = packet->frame;
    table->context->stamp = packet->stamp;
    if (table->ending_count > 0)
        connection_settle_ends(table);
    if (demux->waiting)
        take_due(demux, before(packet->frame, REORDER_FRAMES),
                 before(packet->frame, REORDER_FRAMES + WAITING_FRAMES));
    if (packet->opcode == OP_DATAGRAM) {
        if (!keep_end_waiting(demux, packet))
            take(demux, NULL, packet);
        take_known(demux);
    }
    if (packet->opcode == OP_WITHIN)
        take_within(table, packet);
    if (packet->opcode > OP_RC_LAST)
        return;
    enum rpcrdma_endpoint sender;
    struct connection *c =
        connection_find(table, &packet->source, &packet->destination, packet->queue_pair, &sender);
    if (c && !c->closed && known_flow(c) < 0)
        take_known_flow(table, c, sender, packet);
    else if (c && c->closed)
        take(demux, c, packet);
    else if (connection_is_displaced(table, packet) || !keep_waiting(demux, packet))
        take(demux, recognise(table, packet, c, &sender, false), packet);
}

void demux_segment(struct demux *demux, const struct packet *packet)
{
    capture_iwarp_packet(&demux->iwarp, packet);
}
