// SPDX-License-Identifier: BSD-3-Clause
/*
 * RPC-over-RDMA where the capture began after the connection stood: told by what a Send looks like.
 * A lane is taken when a Send in it is surely a version 1 message; its partner is the lane in the
 * other direction between the same addresses.
 */
#include "peers.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

enum look { LOOKS_OTHER, LOOKS_CALL, LOOKS_REPLY };

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

/* The only connection between these addresses whose lane in this direction is not known yet. */
static struct connection *half_open(struct peers *peers, const struct packet *packet,
                                    enum rpcrdma_endpoint sender)
{
    struct connection *found = NULL;
    for (uint32_t i = peers->newest; i != NOBODY; i = peers->connections[i].older) {
        struct connection *c = &peers->connections[i];
        if (c->closed || c->lane[sender].queue_pair != NOBODY ||
            !same(&c->lane[sender].source, &packet->source) ||
            !same(&c->lane[sender].destination, &packet->destination))
            continue;
        if (found)
            return NULL;
        found = c;
    }
    return found;
}

static bool begins_send(uint8_t opcode)
{
    return opcode == OP_SEND_FIRST || opcode == OP_SEND_ONLY || opcode == OP_SEND_ONLY_IMMEDIATE ||
           opcode == OP_SEND_ONLY_INVALIDATE;
}

struct connection *recognise(struct peers *peers, const struct packet *packet,
                             enum rpcrdma_endpoint *sender)
{
    if (!begins_send(packet->opcode))
        return NULL;
    enum look look = look_at(packet);
    if (look == LOOKS_OTHER && !peers->options->all_qp)
        return NULL;
    /* Calls come from the client unless its connection is known to say otherwise. */
    *sender = look == LOOKS_REPLY ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    struct connection *c = half_open(peers, packet, *sender);
    if (c == NULL && (c = half_open(peers, packet, (enum rpcrdma_endpoint)(1 - (int)*sender))))
        *sender = (enum rpcrdma_endpoint)(1 - (int)*sender);
    if (c != NULL) {
        peers_set_queue_pair(peers, c, *sender, packet->queue_pair);
        return c;
    }
    bool from_client = *sender == RPCRDMA_CLIENT;
    c = peers_add(peers, from_client ? &packet->source : &packet->destination,
                  from_client ? NOBODY : packet->queue_pair,
                  from_client ? &packet->destination : &packet->source,
                  from_client ? packet->queue_pair : NOBODY);
    c->config.mid_stream = true;
    return c;
}
