// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connections of which the capture lacks the beginning, recognised by what a Send looks like.
 *
 * A flow is taken when a Send in it is certainly a message. Its partner is the flow in
 * the other direction, between the same addresses, in which its packets are acknowledged or its
 * Calls answered. Two hosts may share several connections, and a wrong pair would produce findings
 * against both sides; so where two flows qualify, neither is taken. An XID may come again on
 * another connection: what is joined by it alone is not compared with what came before. Nor is a
 * flow taken by a Long Call, which may be a callback: the sides would be exchanged. A flow that
 * acknowledges anything is joined by that alone.
 */
#include "conformance/input/capture/connections.h"
#include "conformance/input/frame/look.h"
#include "conformance/input/flow/hold.h"
#include "conformance/input/flow/message.h"

/* An acknowledgement is of one of the latest requests. A window as narrow as this matches by chance
 * once in millions of connections. */
#define ACKNOWLEDGED_MAX 4

static bool acknowledges(const struct flow *flow, const struct packet *packet)
{
    int32_t behind = psn_distance(flow->psn, packet->psn);
    return packet->opcode == OP_ACKNOWLEDGE && flow->psn_state == PSN_EXACT && behind >= 1 &&
           behind <= ACKNOWLEDGED_MAX;
}

static bool answers(const struct connection *c, const struct packet *packet, enum look look)
{
    if (look != LOOKS_REPLY)
        return false;
    uint32_t xid = load_be32(packet->payload);
    for (uint32_t i = 0; i < c->calls_seen && i < CALLS_MAX; i++)
        if (c->calls[i] == xid)
            return true;
    return false;
}

/* The only half-open connection whose missing flow has this packet. */
static struct connection *find_partner(struct connection_table *table, const struct packet *packet,
                                       const struct connection *known, enum look look, bool by_xid)
{
    struct connection *found = NULL;
    if (table->half_open == 0 ||
        (packet->opcode != OP_ACKNOWLEDGE && (look != LOOKS_REPLY || !by_xid)))
        return NULL;
    for (struct connection *c = connection_newest(table); c; c = connection_older(table, c)) {
        int there = known_flow(c);
        if (c == known || there < 0)
            continue;
        const struct flow *flow = &c->flow[there];
        if (!address_equal(&flow->source, &packet->destination) ||
            !address_equal(&flow->destination, &packet->source) ||
            !(acknowledges(flow, packet) || answers(c, packet, look)))
            continue;
        if (found)
            return NULL;
        found = c;
    }
    return found;
}

/* The packet's flow, which may have a connection of its own already, is the one that `partner`
 * lacks. The older connection continues; after a gap, if an XID is all that joins them. */
static struct connection *pair(struct connection_table *table, const struct packet *packet,
                               struct connection *known, struct connection *partner,
                               enum rpcrdma_endpoint *sender)
{
    if (known && known->id < partner->id) {
        connection_join(table, known, partner);
        return known;
    }
    *sender = (enum rpcrdma_endpoint)(1 - known_flow(partner));
    if (known)
        connection_join(table, partner, known);
    else
        connection_complete(table, partner, *sender, packet->queue_pair);
    if (known == NULL && packet->opcode != OP_ACKNOWLEDGE)
        hold_gap(table->context, partner, packet->frame);
    return partner;
}

/* Calls come from the client, except for callbacks. */
static struct connection *begin(struct connection_table *table, const struct packet *packet,
                                enum look look, enum rpcrdma_endpoint *sender)
{
    bool from_client = look != LOOKS_REPLY && look != LOOKS_CALLBACK;
    *sender = from_client ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
    struct connection *c =
        connection_add(table, from_client ? &packet->source : &packet->destination,
                       from_client ? NO_QUEUE_PAIR : packet->queue_pair,
                       from_client ? &packet->destination : &packet->source,
                       from_client ? packet->queue_pair : NO_QUEUE_PAIR);
    if (c)
        c->config.mid_stream = true, c->config.operations_seen = false;
    return c;
}

struct connection *recognise(struct connection_table *table, const struct packet *packet,
                             struct connection *known, enum rpcrdma_endpoint *sender,
                             bool acknowledging)
{
    bool begins = message_begins_send(packet->opcode);
    enum look look =
        begins ? look_at(packet->payload, packet->recorded, packet->total) : LOOKS_OTHER;
    if (known && packet->opcode == OP_ACKNOWLEDGE)
        known->acknowledges = true;
    bool by_xid = !acknowledging && !(known && known->acknowledges);
    struct connection *partner = find_partner(table, packet, known, look, by_xid);
    if (partner)
        return pair(table, packet, known, partner, sender);
    bool sure = look != LOOKS_OTHER && look != LOOKS_LONG_CALL;
    if (known == NULL && begins && (sure || table->context->reader->options->all_qp))
        known = begin(table, packet, look, sender);
    if (known && (look == LOOKS_CALL || look == LOOKS_LONG_CALL || look == LOOKS_CALLBACK))
        known->calls[known->calls_seen++ % CALLS_MAX] = load_be32(packet->payload);
    return known;
}
