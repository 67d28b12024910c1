// SPDX-License-Identifier: BSD-3-Clause
/*
 * RDMA Reads under way.
 *
 * A Read is an event only once its response is complete, because the checker looks at the octets.
 * The responses carry the sequence numbers of the request's flow, so each is found by its number.
 * How many numbers a response takes depends on the path MTU; where connection management was not
 * seen, the first response of several packets shows it.
 */
#include "conformance/input/capture/reads.h"
#include "conformance/input/capture/hold.h"

#include <stdlib.h>

/* Reads under way in one flow: reliable connections agree on far fewer. */
#define READS_MAX 64

struct read {
    bool in_use, broken;
    uint32_t psn, packets, next; /* next: index of the response that is expected */
    uint32_t handle, length;
    uint64_t offset;
    struct buffer content;
};

struct read_queue {
    struct read reads[READS_MAX];
};

static void drop(struct capture_context *context, struct read *read)
{
    buffer_free(&context->memory, &read->content);
    read->in_use = false;
}

void reads_free(struct capture_context *context, struct flow *flow)
{
    if (flow->reads == NULL)
        return;
    for (uint32_t i = 0; i < READS_MAX; i++)
        drop(context, &flow->reads->reads[i]);
    memory_return(&context->memory, sizeof *flow->reads);
    free(flow->reads);
    flow->reads = NULL;
}

uint32_t reads_packets(const struct connection *connection, uint32_t length)
{
    if (length == 0 || connection->mtu == 0)
        return length == 0 ? 1 : 0;
    return (uint32_t)(((uint64_t)length + connection->mtu - 1) / connection->mtu);
}

void reads_acknowledged(struct capture_context *context, struct connection *connection,
                        struct flow *flow, uint32_t psn)
{
    bool any = false;
    for (uint32_t i = 0; flow->reads && i < READS_MAX; i++) {
        struct read *read = &flow->reads->reads[i];
        uint32_t last = psn_add(read->psn, read->packets ? read->packets - 1 : 0);
        if (!read->in_use || psn_distance(psn, last) <= 0)
            continue;
        drop(context, read);
        any = true;
    }
    if (any)
        hold_gap(context, connection, context->frame);
}

static bool make_queue(struct capture_context *context, struct flow *flow)
{
    if (flow->reads != NULL)
        return true;
    if (!memory_take(&context->memory, sizeof *flow->reads))
        return false;
    flow->reads = calloc(1, sizeof *flow->reads);
    if (flow->reads == NULL)
        memory_return(&context->memory, sizeof *flow->reads);
    return flow->reads != NULL;
}

static struct read *find_unused(struct flow *flow)
{
    for (uint32_t i = 0; i < READS_MAX; i++)
        if (!flow->reads->reads[i].in_use)
            return &flow->reads->reads[i];
    return NULL;
}

void reads_request(struct capture_context *context, struct connection *connection,
                   enum rpcrdma_endpoint requester, const struct packet *packet)
{
    struct flow *flow = &connection->flow[requester];
    if (!make_queue(context, flow)) {
        hold_gap(context, connection, packet->frame);
        return;
    }
    struct read *read = find_unused(flow);
    if (read == NULL) { /* more than a queue pair can have under way: none was seen to end */
        reads_acknowledged(context, connection, flow, packet->psn);
        return;
    }
    *read = (struct read){.in_use = true,
                          .psn = packet->psn,
                          .packets = reads_packets(connection, packet->length),
                          .handle = packet->handle,
                          .length = packet->length,
                          .offset = packet->offset};
}

static struct read *find(struct flow *flow, uint32_t psn)
{
    for (uint32_t i = 0; flow->reads && i < READS_MAX; i++) {
        struct read *read = &flow->reads->reads[i];
        int32_t index = psn_distance(psn, read->psn);
        if (read->in_use && index >= 0 &&
            ((read->packets == 0 && (uint32_t)index == read->next) ||
             (uint32_t)index < read->packets))
            return read;
    }
    return NULL;
}

static void end(struct capture_context *context, struct connection *connection,
                enum rpcrdma_endpoint requester, struct read *read, uint64_t frame)
{
    bool seen = !read->broken && read->content.length == read->length;
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_RDMA_READ,
        .from = requester,
        .data = seen ? read->content.octets : NULL,
        .length = read->length,
        .handle = read->handle,
        .offset = read->offset,
    };
    hold_event(context, connection, &event, frame);
    drop(context, read);
}

static bool set_mtu(struct connection *connection, struct flow *flow, uint32_t mtu)
{
    bool unknown = connection->mtu == 0;
    connection->mtu = mtu;
    for (uint32_t i = 0; i < READS_MAX; i++) {
        struct read *read = &flow->reads->reads[i];
        if (read->in_use)
            read->packets = reads_packets(connection, read->length);
    }
    return unknown;
}

bool reads_learn_mtu(struct connection *connection, enum rpcrdma_endpoint requester,
                     const struct packet *packet)
{
    struct flow *flow = &connection->flow[requester];
    bool first = packet->opcode == OP_READ_FIRST && connection->mtu != packet->total;
    if (!first && packet->opcode != OP_READ_ONLY)
        return true;
    const struct read *read = find(flow, packet->psn);
    if (read == NULL || (uint32_t)psn_distance(packet->psn, read->psn) < read->next)
        return true;
    if (first)
        return set_mtu(connection, flow, (uint32_t)packet->total);
    /* The whole response in one packet, though by the size known it takes several. */
    bool single = read->packets > 1 && packet->psn == read->psn;
    return !single || set_mtu(connection, flow, 0);
}

void reads_response(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint requester, const struct packet *packet)
{
    struct read *read = find(&connection->flow[requester], packet->psn);
    if (read == NULL)
        return;
    uint32_t index = (uint32_t)psn_distance(packet->psn, read->psn);
    if (index < read->next) {
        context->reader->counts->retransmitted++;
        return;
    }
    read->broken = read->broken || index > read->next || packet->recorded < packet->total ||
                   !buffer_add(&context->memory, &read->content, packet->payload, packet->recorded);
    read->next = index + 1;
    if (packet->opcode == OP_READ_LAST || packet->opcode == OP_READ_ONLY)
        end(context, connection, requester, read, packet->frame);
}
