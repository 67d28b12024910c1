// SPDX-License-Identifier: BSD-3-Clause
/*
 * RDMA Reads under way.
 *
 * A Read is an event only once its response is complete, because the checker looks at the octets.
 * The responses carry the sequence numbers of the request's flow, so each is found by its number.
 * How many numbers a response takes depends on the path MTU; where connection management was not
 * seen, the first response of several packets shows it.
 *
 * Responses come in order. One that lacks packets when a later one passes was not
 * recorded to its end; but as these packets may have been recorded late, that is settled some
 * frames later, and until then what happened after the request waits.
 */
#include "conformance/input/flow/reads.h"
#include "conformance/input/flow/hold.h"

#include <stdlib.h>

/* Reads under way in one flow: reliable connections agree on far fewer. */
#define READS_MAX 64

#define MTU_MIN 256
#define MTU_MAX 4096

struct read {
    bool cut;                    /* content is missing for good */
    uint64_t frame;              /* of the request */
    uint64_t over;               /* the frame that showed that its response has passed */
    uint64_t sent;               /* Sends before the request */
    uint32_t psn, packets, next; /* next: index of the response that is expected */
    uint32_t handle, length;
    uint64_t offset;
    struct buffer content;
    struct pending_list pending; /* packets of the response that came before their turn */
};

struct read_queue {
    uint64_t used;  /* a bit each */
    uint64_t ended; /* a bit each: the last packet of the response came, but others are missing */
    struct read reads[READS_MAX];
};

static uint64_t bit_of(const struct read_queue *queue, const struct read *read)
{
    return UINT64_C(1) << (read - queue->reads);
}

static bool has_ended(const struct flow *flow, const struct read *read)
{
    return (flow->reads->ended & bit_of(flow->reads, read)) != 0;
}

static void drop(struct capture_context *context, struct flow *flow, struct read *read)
{
    buffer_free(&context->memory, &read->content);
    pending_drop(&context->memory, &read->pending);
    flow->reads->ended &= ~bit_of(flow->reads, read);
    flow->reads_over &= ~bit_of(flow->reads, read);
    flow->reads->used &= ~bit_of(flow->reads, read);
}

unsigned reads_free(struct capture_context *context, struct flow *flow)
{
    unsigned count = 0;
    pending_drop(&context->memory, &flow->answers);
    if (flow->reads == NULL)
        return 0;
    for (uint64_t used = flow->reads->used; used != 0; used &= used - 1) {
        count++;
        drop(context, flow, &flow->reads->reads[__builtin_ctzll(used)]);
    }
    memory_return(&context->memory, sizeof *flow->reads);
    free(flow->reads);
    flow->reads = NULL;
    return count;
}

uint32_t reads_packets(const struct connection *connection, uint32_t length)
{
    if (length <= MTU_MIN)
        return 1;
    if (connection->mtu == 0)
        return 0;
    return (uint32_t)(((uint64_t)length + connection->mtu - 1) / connection->mtu);
}

static uint32_t last_psn(const struct read *read)
{
    return psn_add(read->psn, read->packets ? read->packets - 1 : 0);
}

static void set_over(struct flow *flow, struct read *read, uint64_t frame)
{
    uint64_t bit = bit_of(flow->reads, read);
    if ((flow->reads_over & bit) == 0)
        read->over = frame;
    flow->reads_over |= bit;
}

void reads_acknowledged(struct flow *flow, uint32_t psn, uint64_t frame)
{
    for (uint64_t used = flow->reads->used; used != 0; used &= used - 1) {
        struct read *read = &flow->reads->reads[__builtin_ctzll(used)];
        if (psn_distance(psn, last_psn(read)) > 0)
            set_over(flow, read, frame);
    }
}

void reads_go_on(struct flow *flow, uint64_t frame)
{
    for (uint64_t ended = flow->reads->ended; ended != 0; ended &= ended - 1)
        set_over(flow, &flow->reads->reads[__builtin_ctzll(ended)], frame);
}

uint64_t reads_awaited(const struct flow *flow)
{
    uint64_t first = UINT64_MAX;
    for (uint64_t over = flow->reads_over; over != 0; over &= over - 1) {
        const struct read *read = &flow->reads->reads[__builtin_ctzll(over)];
        first = read->frame < first ? read->frame : first;
    }
    return first;
}

bool reads_under_way(const struct flow *flow)
{
    return flow->reads->used != 0;
}

static bool make_queue(struct capture_context *context, struct flow *flow)
{
    if (flow->reads)
        return true;
    if (!memory_take(&context->memory, sizeof *flow->reads))
        return false;
    flow->reads = calloc(1, sizeof *flow->reads);
    if (flow->reads)
        return true;
    memory_return(&context->memory, sizeof *flow->reads);
    return false;
}

static struct read *find_unused(struct flow *flow)
{
    uint64_t unused = ~flow->reads->used;
    return unused ? &flow->reads->reads[__builtin_ctzll(unused)] : NULL;
}

/* Responses that came before their requests: some may have them now. */
static void take_answers(struct capture_context *context, struct connection *connection,
                         enum rpcrdma_endpoint requester)
{
    struct pending_list *answers = &connection->flow[requester].answers;
    struct pending_list early = *answers;
    *answers = (struct pending_list){0};
    while (early.first) {
        struct pending *pending = pending_take(&early);
        struct stamp stamp = context->stamp;
        context->stamp = pending->packet.stamp;
        reads_response(context, connection, requester, &pending->packet);
        context->stamp = stamp;
        pending_free(&context->memory, pending);
    }
}

void reads_request(struct capture_context *context, struct connection *connection,
                   enum rpcrdma_endpoint requester, const struct packet *packet)
{
    struct flow *flow = &connection->flow[requester];
    if (!make_queue(context, flow)) {
        hold_lost(context, connection, 1, packet->frame);
        hold_gap(context, connection, packet->frame);
        return;
    }
    struct read *read = find_unused(flow);
    if (read == NULL) { /* more than a queue pair can have under way: none was seen to end */
        reads_go_on(flow, packet->frame);
        reads_acknowledged(flow, packet->psn, packet->frame);
        reads_settle(context, connection, requester, UINT64_MAX);
        read = find_unused(flow);
    }
    if (read == NULL) {
        hold_lost(context, connection, 1, packet->frame);
        hold_gap(context, connection, packet->frame);
        return;
    }
    flow->reads->used |= bit_of(flow->reads, read);
    *read = (struct read){.frame = packet->frame,
                          .psn = packet->psn,
                          .packets = reads_packets(connection, packet->length),
                          .handle = packet->handle,
                          .length = packet->length,
                          .offset = packet->offset,
                          .sent = flow->sends};
    take_answers(context, connection, requester);
}

static bool ends_response(const struct packet *packet)
{
    return packet->opcode == OP_READ_LAST || packet->opcode == OP_READ_ONLY;
}

static struct read *find(struct flow *flow, uint32_t psn)
{
    for (uint64_t used = flow->reads ? flow->reads->used : 0; used != 0; used &= used - 1) {
        struct read *read = &flow->reads->reads[__builtin_ctzll(used)];
        int32_t index = psn_distance(psn, read->psn);
        if (index >= 0 && ((read->packets == 0 && (uint32_t)index == read->next) ||
                           (uint32_t)index < read->packets))
            return read;
    }
    return NULL;
}

static void end(struct capture_context *context, struct connection *connection,
                enum rpcrdma_endpoint requester, struct read *read, uint64_t frame)
{
    bool seen = !read->cut && read->content.length == read->length;
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_RDMA_READ,
        .from = requester,
        .data = seen ? read->content.octets : NULL,
        .length = read->length,
        .handle = read->handle,
        .offset = read->offset,
        .has_order = true,
        .sent = read->sent,
        .received = connection->flow[1 - (int)requester].received,
    };
    if (has_ended(&connection->flow[requester], read))
        hold_lost(context, connection, 1, read->over);
    else if (!seen && read->length > 0)
        hold_cut(context, connection, frame);
    hold_event(context, connection, &event, frame);
    drop(context, &connection->flow[requester], read);
}

void reads_settle(struct capture_context *context, struct connection *connection,
                  enum rpcrdma_endpoint requester, uint64_t until)
{
    struct flow *flow = &connection->flow[requester];
    uint64_t dropped = 0, frame = UINT64_MAX;
    for (uint64_t over = flow->reads_over; over != 0; over &= over - 1) {
        struct read *read = &flow->reads->reads[__builtin_ctzll(over)];
        if (read->over >= until)
            continue;
        if (has_ended(flow, read)) {
            end(context, connection, requester, read, context->frame);
            continue;
        }
        frame = read->over < frame ? read->over : frame;
        drop(context, flow, read);
        dropped++;
    }
    if (dropped == 0)
        return;
    hold_lost(context, connection, dropped, frame);
    hold_gap(context, connection, frame);
}

bool reads_describe(const struct flow *flow, uint32_t psn, struct rpcrdma_event *event)
{
    for (uint64_t used = flow->reads ? flow->reads->used : 0; used != 0; used &= used - 1) {
        const struct read *read = &flow->reads->reads[__builtin_ctzll(used)];
        if (psn_distance(psn, read->psn) < 0 || psn_distance(psn, last_psn(read)) > 0)
            continue;
        event->is_read = true;
        event->handle = read->handle;
        event->offset = read->offset;
        event->length = read->length;
        return true;
    }
    return false;
}

void reads_request_again(struct flow *flow, uint32_t psn)
{
    for (uint64_t used = flow->reads ? flow->reads->used : 0; used != 0; used &= used - 1) {
        const struct read *read = &flow->reads->reads[__builtin_ctzll(used)];
        if (psn_distance(psn, read->psn) < 0 || psn_distance(psn, last_psn(read)) > 0)
            continue;
        flow->reads->ended &= ~bit_of(flow->reads, read);
        flow->reads_over &= ~bit_of(flow->reads, read);
    }
}

/* With that the number of the next request is known, too, if this was the last. */
static void set_packets(struct flow *flow, struct read *read, uint32_t packets)
{
    read->packets = packets;
    if (packets == 0 || flow->psn_state != PSN_AT_LEAST || flow->psn != psn_add(read->psn, 1))
        return;
    flow->psn = psn_add(read->psn, packets);
    flow->psn_state = PSN_EXACT;
}

static bool set_mtu(struct connection *connection, struct flow *flow, uint32_t mtu)
{
    bool unknown = connection->mtu == 0;
    connection->mtu = mtu;
    for (uint64_t used = flow->reads->used; used != 0; used &= used - 1) {
        struct read *read = &flow->reads->reads[__builtin_ctzll(used)];
        set_packets(flow, read, reads_packets(connection, read->length));
    }
    return unknown;
}

void reads_mtu(struct connection *connection, uint32_t mtu)
{
    if (connection->mtu != 0)
        return;
    connection->mtu = mtu;
    for (int side = 0; side < 2; side++)
        if (connection->flow[side].reads)
            set_mtu(connection, &connection->flow[side], mtu);
}

/* Whether its response may have this many packets. */
static bool can_take(const struct read *read, uint32_t packets)
{
    return packets <= (read->length + MTU_MIN - 1) / MTU_MIN &&
           (uint64_t)packets * MTU_MAX >= read->length;
}

/* The latest Read before this number whose number of packets is not known, or NULL. */
static struct read *find_unknown(struct flow *flow, uint32_t psn)
{
    struct read *found = NULL;
    for (uint64_t used = flow->reads ? flow->reads->used : 0; used != 0; used &= used - 1) {
        struct read *read = &flow->reads->reads[__builtin_ctzll(used)];
        if (psn_distance(psn, read->psn) > 0 &&
            (found == NULL || psn_distance(read->psn, found->psn) > 0))
            found = read;
    }
    return found && found->packets == 0 ? found : NULL;
}

void reads_learn_early(struct connection *connection, enum rpcrdma_endpoint requester,
                       const struct packet *packet)
{
    struct flow *flow = &connection->flow[requester];
    struct read *read = connection->mtu == 0 ? find_unknown(flow, packet->psn) : NULL;
    uint32_t packets = read ? (uint32_t)psn_distance(packet->psn, read->psn) + 1 : 0;
    if (read && packet->opcode == OP_READ_MIDDLE)
        reads_mtu(connection, (uint32_t)packet->total);
    else if (read && packet->opcode == OP_READ_LAST && can_take(read, packets))
        set_packets(flow, read, packets);
}

bool reads_learn_mtu(struct connection *connection, enum rpcrdma_endpoint requester,
                     const struct packet *packet)
{
    struct flow *flow = &connection->flow[requester];
    bool first = packet->opcode == OP_READ_FIRST && connection->mtu != packet->total;
    if (!first && packet->opcode != OP_READ_ONLY)
        return true;
    struct read *read = find(flow, packet->psn);
    if (read == NULL || (uint32_t)psn_distance(packet->psn, read->psn) < read->next)
        return true;
    if (!first && read->packets == 0 && packet->psn == read->psn)
        set_packets(flow, read, 1);
    if (first)
        return set_mtu(connection, flow, (uint32_t)packet->total);
    /* The whole response in one packet, though by the size known it takes several. */
    bool single = read->packets > 1 && packet->psn == read->psn;
    return !single || set_mtu(connection, flow, 0);
}

/* The packet is not the next of the response. */
static void set_aside(struct capture_context *context, struct flow *flow, struct read *read,
                      const struct packet *packet)
{
    bool early = (uint32_t)psn_distance(packet->psn, read->psn) > read->next;
    context->reader->counts->retransmitted += !early;
    if (!early)
        return;
    pending_add(&context->memory, &read->pending, packet);
    if (ends_response(packet))
        flow->reads->ended |= bit_of(flow->reads, read);
}

/* Add the next packet of the response. True if it is the last. */
static bool add_packet(struct memory *memory, struct read *read, const struct packet *packet)
{
    read->cut = read->cut || packet->recorded < packet->total ||
                !buffer_add(memory, &read->content, packet->payload, packet->recorded);
    read->next++;
    return ends_response(packet);
}

static bool add_pending(struct memory *memory, struct read *read)
{
    bool last = false;
    while (!last && read->pending.first &&
           psn_distance(read->pending.first->packet.psn, read->psn) == (int32_t)read->next) {
        struct pending *pending = pending_take(&read->pending);
        last = add_packet(memory, read, &pending->packet);
        pending_free(memory, pending);
    }
    return last;
}

/* Whether a response without a Read may yet have one: that comes, or it is how long that shows. */
static bool may_be_found(struct flow *flow, uint32_t psn)
{
    return flow->psn_state == PSN_UNKNOWN || psn_distance(psn, flow->psn) >= 0 ||
           find_unknown(flow, psn) != NULL;
}

void reads_response(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint requester, const struct packet *packet)
{
    struct flow *flow = &connection->flow[requester];
    struct read *read = find(flow, packet->psn);
    if (read == NULL && may_be_found(flow, packet->psn))
        pending_add(&context->memory, &flow->answers, packet);
    if (read == NULL)
        return;
    if ((uint32_t)psn_distance(packet->psn, read->psn) != read->next) {
        set_aside(context, flow, read, packet);
        return;
    }
    bool last = add_packet(&context->memory, read, packet);
    if (packet->opcode == OP_READ_FIRST && flow->answers.first) /* its number of packets is known */
        take_answers(context, connection, requester);
    if (!last && !add_pending(&context->memory, read))
        return;
    flow->reads->ended &= ~bit_of(flow->reads, read); /* nothing is missing any more */
    end(context, connection, requester, read, packet->frame);
}
