// SPDX-License-Identifier: BSD-3-Clause
/*
 * RPC-over-RDMA where the capture began after the connection stood: told by what a Send looks like.
 * A lane is taken when a Send in it is surely a version 1 message. Its partner is the lane in the
 * other direction, between the same addresses, in which its packets are acknowledged or its Calls
 * answered: there may be several connections between two hosts, and to mix them up would accuse
 * both.
 */
#include "conformance/input/capture/connections.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

enum look { LOOKS_OTHER, LOOKS_CALL, LOOKS_REPLY, LOOKS_CALLBACK };

/* Servers call back under the transient program numbers of RFC 5531 section 8.3. */
static bool is_transient(uint32_t program)
{
    return program >> 29 == 2;
}

static enum look look_at(const struct packet *packet)
{
    struct rpcrdma1_header header;
    const uint8_t *octets = packet->payload;
    ptrdiff_t length = rpcrdma1_header_decode(&header, octets, packet->recorded, NULL, NULL);
    if (length < 0 || header.rdma_vers != RPCRDMA_VERSION_1)
        return LOOKS_OTHER;
    if (header.rdma_body.proc == RPCRDMA1_MSG) {
        if (packet->recorded - (size_t)length < 8 || load_be32(octets + length) != header.rdma_xid)
            return LOOKS_OTHER;
        uint32_t type = load_be32(octets + length + 4);
        if (type == 0 && packet->recorded - (size_t)length >= 16 &&
            is_transient(load_be32(octets + length + 12)))
            return LOOKS_CALLBACK;
        return type == 0 ? LOOKS_CALL : type == 1 ? LOOKS_REPLY : LOOKS_OTHER;
    }
    if (header.rdma_body.proc != RPCRDMA1_NOMSG || (size_t)length != packet->total)
        return LOOKS_OTHER;
    if (header.rdma_body.rdma_nomsg.rdma_reads.count > 0)
        return LOOKS_CALL;
    return header.rdma_body.rdma_nomsg.rdma_reply.present ? LOOKS_REPLY : LOOKS_OTHER;
}

static bool same(const struct address *a, const struct address *b)
{
    return memcmp(a->octets, b->octets, sizeof a->octets) == 0;
}

/* An acknowledgement is of one of the latest requests; a window as narrow as this is hit by chance
 * once in millions of connections. */
#define ACKNOWLEDGED_MAX 4

static bool acknowledges(const struct lane *lane, const struct packet *packet)
{
    uint32_t behind = (lane->psn - packet->psn) & 0xffffff;
    return packet->opcode == OP_ACKNOWLEDGE && lane->psn_known && behind >= 1 &&
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

/* The only half open connection whose missing lane this packet is in. */
static struct connection *find_partner(struct peers *peers, const struct packet *packet,
                                       const struct connection *known, enum look look)
{
    struct connection *found = NULL;
    if (peers->half_open == 0 || (packet->opcode != OP_ACKNOWLEDGE && look != LOOKS_REPLY))
        return NULL;
    for (uint32_t i = peers->newest; i != NOBODY; i = peers->connections[i].older) {
        struct connection *c = &peers->connections[i];
        int there = known_lane(c);
        if (c == known || there < 0)
            continue;
        const struct lane *lane = &c->lane[there];
        if (!same(&lane->source, &packet->destination) ||
            !same(&lane->destination, &packet->source) ||
            !(acknowledges(lane, packet) || answers(c, packet, look)))
            continue;
        if (found)
            return NULL;
        found = c;
    }
    return found;
}

/* The packet's lane, known already as that of another connection or not, is the one that `partner`
 * lacks. The older goes on. */
static struct connection *pair(struct peers *peers, const struct packet *packet,
                               struct connection *known, struct connection *partner,
                               enum rpcrdma_endpoint *sender)
{
    if (known && known->id < partner->id) {
        peers_join(peers, known, partner);
        return known;
    }
    *sender = (enum rpcrdma_endpoint)(1 - known_lane(partner));
    if (known)
        peers_join(peers, partner, known);
    else
        peers_set_queue_pair(peers, partner, *sender, packet->queue_pair);
    return partner;
}

static bool begins_send(uint8_t opcode)
{
    return opcode == OP_SEND_FIRST || opcode == OP_SEND_ONLY || opcode == OP_SEND_ONLY_IMMEDIATE ||
           opcode == OP_SEND_ONLY_INVALIDATE;
}

/* Calls come from the client, but for those that it must have asked for. */
static struct connection *begin(struct peers *peers, const struct packet *packet, enum look look,
                                enum rpcrdma_endpoint *sender)
{
    bool from_client = look != LOOKS_REPLY && look != LOOKS_CALLBACK;
    *sender = from_client ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
    struct connection *c = peers_add(peers, from_client ? &packet->source : &packet->destination,
                                     from_client ? NOBODY : packet->queue_pair,
                                     from_client ? &packet->destination : &packet->source,
                                     from_client ? packet->queue_pair : NOBODY);
    c->config.mid_stream = true;
    return c;
}

struct connection *recognise(struct peers *peers, const struct packet *packet,
                             struct connection *known, enum rpcrdma_endpoint *sender)
{
    bool begins = begins_send(packet->opcode);
    enum look look = begins ? look_at(packet) : LOOKS_OTHER;
    struct connection *partner = find_partner(peers, packet, known, look);
    if (partner)
        return pair(peers, packet, known, partner, sender);
    if (known == NULL && begins && (look != LOOKS_OTHER || peers->options->all_qp))
        known = begin(peers, packet, look, sender);
    if (known && (look == LOOKS_CALL || look == LOOKS_CALLBACK))
        known->calls[known->calls_seen++ % CALLS_MAX] = load_be32(packet->payload);
    return known;
}
