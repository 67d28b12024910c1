// SPDX-License-Identifier: BSD-3-Clause
/*
 * One direction of a reliable connection: packets in the order of their sequence numbers become
 * Sends and RDMA operations.
 *
 * A receiver takes requests only in order, and everything from a missing packet on is sent again.
 * A lane does the same: after a gap it stalls until the missing packet comes, or until the peer's
 * acknowledgement shows that only the capture missed it.
 */
#include "conformance/input/capture/connections.h"

#include <stdlib.h>

#define PSN_MASK 0xffffffu

#define READS_SIZE (READS_MAX * sizeof(struct read))

/* A stalled lane whose missing packet neither comes nor is acknowledged goes on after so many. */
#define STALL_MAX 1024

/* A first packet that is further from what connection management said was not lost, but is counted
 * otherwise. */
#define TOLD_MAX 1024

static uint32_t psn_after(uint32_t psn, uint32_t count)
{
    return (psn + count) & PSN_MASK;
}

/* How far b is behind a, as a signed number of 24 bits. */
static int32_t psn_distance(uint32_t a, uint32_t b)
{
    uint32_t d = (a - b) & PSN_MASK;
    return d < 0x800000 ? (int32_t)d : (int32_t)d - 0x1000000;
}

/* ---- messages under assembly ---- */

static void drop_message(struct peers *peers, struct lane *lane)
{
    buffer_free(peers, &lane->content);
    lane->message = MESSAGE_NONE;
}

static void drop_read(struct peers *peers, struct read *read)
{
    buffer_free(peers, &read->content);
    read->in_use = false;
}

void lane_reset(struct peers *peers, struct lane *lane)
{
    drop_message(peers, lane);
    for (uint32_t i = 0; lane->reads && i < READS_MAX; i++)
        drop_read(peers, &lane->reads[i]);
    if (lane->reads)
        peers->memory -= READS_SIZE;
    free(lane->reads);
    lane->reads = NULL;
}

static void lose(struct peers *peers, struct connection *connection, struct lane *lane,
                 uint64_t frame)
{
    struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    drop_message(peers, lane);
    peers->counts->lost++;
    peers_emit(peers, connection, &gap, frame);
}

bool lanes_yield(struct peers *peers, struct connection *connection)
{
    bool any = false, held = held_yield(peers, connection);
    for (int i = 0; i < 2; i++) {
        struct lane *lane = &connection->lane[i];
        any = any || lane->message != MESSAGE_NONE || lane->reads;
        lane_reset(peers, lane);
    }
    if (any)
        lose(peers, connection, &connection->lane[0], peers->frame);
    return any || held;
}

/* Add a packet's payload; false if there is no room, which loses the message. */
static bool add_payload(struct peers *peers, struct lane *lane, const struct packet *packet)
{
    struct buffer *content = &lane->content;
    bool whole = content->length == content->total; /* nothing was cut off before */
    content->total += packet->total;
    return !whole || buffer_add(peers, content, packet->payload, packet->recorded);
}

static void emit_message(struct peers *peers, struct connection *connection,
                         enum rpcrdma_endpoint sender, const struct packet *packet,
                         enum message_kind kind, const uint8_t *octets, size_t recorded,
                         uint64_t total)
{
    const struct lane *lane = &connection->lane[sender];
    struct rpcrdma_event event = {
        .type = kind == MESSAGE_SEND ? RPCRDMA_EVENT_SEND : RPCRDMA_EVENT_RDMA_WRITE,
        .from = sender,
        .data = octets,
        .length = recorded,
        .missing = (size_t)(total - recorded),
        .invalidate =
            packet->opcode == OP_SEND_LAST_INVALIDATE || packet->opcode == OP_SEND_ONLY_INVALIDATE,
        .handle = packet->handle,
    };
    if (kind == MESSAGE_WRITE) {
        bool only = packet->opcode == OP_WRITE_ONLY || packet->opcode == OP_WRITE_ONLY_IMMEDIATE;
        event.handle = only ? packet->handle : lane->handle;
        event.offset = only ? packet->offset : lane->offset;
    } else if (!event.invalidate) {
        event.handle = 0;
    }
    peers_emit(peers, connection, &event, packet->frame);
}

static void begin_message(struct peers *peers, struct connection *connection, struct lane *lane,
                          const struct packet *packet, enum message_kind kind)
{
    if (lane->message != MESSAGE_NONE)
        lose(peers, connection, lane, packet->frame);
    lane->message = kind;
    lane->handle = packet->handle;
    lane->offset = packet->offset;
    if (!add_payload(peers, lane, packet))
        lose(peers, connection, lane, packet->frame);
}

static void go_on(struct peers *peers, struct connection *connection, struct lane *lane,
                  const struct packet *packet, enum message_kind kind)
{
    if (lane->message == MESSAGE_NONE)
        return; /* its beginning was lost, and counted then */
    if (lane->message != kind || !add_payload(peers, lane, packet))
        lose(peers, connection, lane, packet->frame);
}

static void end_message(struct peers *peers, struct connection *connection,
                        enum rpcrdma_endpoint sender, const struct packet *packet,
                        enum message_kind kind)
{
    struct lane *lane = &connection->lane[sender];
    go_on(peers, connection, lane, packet, kind);
    if (lane->message == MESSAGE_NONE)
        return;
    emit_message(peers, connection, sender, packet, kind, lane->content.octets,
                 lane->content.length, lane->content.total);
    drop_message(peers, lane);
}

/* ---- RDMA Reads ---- */

static uint32_t read_packets(const struct connection *connection, uint32_t length)
{
    if (length == 0 || connection->mtu == 0)
        return length == 0 ? 1 : 0;
    return (uint32_t)(((uint64_t)length + connection->mtu - 1) / connection->mtu);
}

/*
 * Responses come in order. Where one acknowledges `psn`, earlier Reads that have not ended by then
 * were answered behind the capture's back.
 */
static void end_unseen_reads(struct peers *peers, struct connection *connection, struct lane *lane,
                             uint32_t psn)
{
    bool any = false;
    for (uint32_t i = 0; lane->reads && i < READS_MAX; i++) {
        struct read *read = &lane->reads[i];
        uint32_t last = psn_after(read->psn, read->packets ? read->packets - 1 : 0);
        if (!read->in_use || psn_distance(psn, last) <= 0)
            continue;
        drop_read(peers, read);
        any = true;
    }
    struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    if (any)
        peers_emit(peers, connection, &gap, peers->frame);
}

static bool make_reads(struct peers *peers, struct lane *lane)
{
    if (lane->reads != NULL)
        return true;
    if (!memory_take(peers, READS_SIZE))
        return false;
    lane->reads = calloc(1, READS_SIZE);
    if (lane->reads == NULL)
        peers->memory -= READS_SIZE;
    return lane->reads != NULL;
}

static void begin_read(struct peers *peers, struct connection *connection, struct lane *lane,
                       const struct packet *packet, uint32_t packets)
{
    struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    if (!make_reads(peers, lane)) {
        peers_emit(peers, connection, &gap, packet->frame);
        return;
    }
    for (uint32_t i = 0; i < READS_MAX; i++) {
        if (lane->reads[i].in_use)
            continue;
        lane->reads[i] = (struct read){.in_use = true,
                                       .psn = packet->psn,
                                       .packets = packets,
                                       .handle = packet->handle,
                                       .length = packet->length,
                                       .offset = packet->offset};
        return;
    }
    /* More than a queue pair can have under way: none of them was seen to end. */
    end_unseen_reads(peers, connection, lane, packet->psn);
}

static struct read *find_read(struct lane *lane, uint32_t psn)
{
    for (uint32_t i = 0; lane->reads && i < READS_MAX; i++) {
        struct read *read = &lane->reads[i];
        int32_t index = psn_distance(psn, read->psn);
        if (read->in_use && index >= 0 &&
            ((read->packets == 0 && (uint32_t)index == read->next) ||
             (uint32_t)index < read->packets))
            return read;
    }
    return NULL;
}

static void end_read(struct peers *peers, struct connection *connection,
                     enum rpcrdma_endpoint issuer, struct read *read, uint64_t frame)
{
    bool seen = !read->broken && read->content.length == read->length;
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_RDMA_READ,
        .from = issuer,
        .data = seen ? read->content.octets : NULL,
        .length = read->length,
        .handle = read->handle,
        .offset = read->offset,
    };
    peers_emit(peers, connection, &event, frame);
    drop_read(peers, read);
}

static void resume(struct peers *peers, struct connection *connection, struct lane *lane,
                   const struct packet *packet)
{
    lane->stalled = false;
    lane->psn_known = lane->psn_told = false;
    lose(peers, connection, lane, packet->frame);
}

/* The peer has taken all requests up to `psn`. If the capture has not, it missed some, and their
 * effects must not surprise: this is told before the peer's next Send can answer them. */
static void acknowledge(struct peers *peers, struct connection *connection, struct lane *lane,
                        const struct packet *packet, uint32_t psn)
{
    int32_t ahead = psn_distance(psn, lane->psn);
    if (lane->psn_known && ahead >= 0 && !(lane->psn_told && ahead > TOLD_MAX))
        resume(peers, connection, lane, packet);
    end_unseen_reads(peers, connection, lane, psn);
}

/* How many packets the responses take that a lane waits for shows with the first of them. Where
 * connection management named another size, the lane's later requests were counted wrongly. */
static void learn_mtu(struct peers *peers, struct connection *connection, struct lane *lane,
                      const struct packet *packet, uint32_t mtu)
{
    bool told_wrong = connection->mtu != 0;
    connection->mtu = mtu;
    for (uint32_t i = 0; i < READS_MAX; i++)
        if (lane->reads[i].in_use)
            lane->reads[i].packets = read_packets(connection, lane->reads[i].length);
    if (told_wrong)
        resume(peers, connection, lane, packet);
}

/* A response belongs to a request of the other lane. */
static void take_response(struct peers *peers, struct connection *connection,
                          enum rpcrdma_endpoint sender, const struct packet *packet)
{
    enum rpcrdma_endpoint issuer = (enum rpcrdma_endpoint)(1 - (int)sender);
    struct lane *lane = &connection->lane[issuer];
    acknowledge(peers, connection, lane, packet, packet->psn);
    struct read *read = find_read(lane, packet->psn);
    if (read == NULL)
        return;
    uint32_t index = (uint32_t)psn_distance(packet->psn, read->psn);
    if (index < read->next) {
        peers->counts->retransmitted++;
        return;
    }
    if (packet->opcode == OP_READ_FIRST && connection->mtu != packet->total)
        learn_mtu(peers, connection, lane, packet, (uint32_t)packet->total);
    else if (packet->opcode == OP_READ_ONLY && read->packets > 1 && index == 0)
        learn_mtu(peers, connection, lane, packet, 0);
    read->broken = read->broken || index > read->next || packet->recorded < packet->total ||
                   !buffer_add(peers, &read->content, packet->payload, packet->recorded);
    read->next = index + 1;
    if (packet->opcode == OP_READ_LAST || packet->opcode == OP_READ_ONLY)
        end_read(peers, connection, issuer, read, packet->frame);
}

/* ---- acknowledgements ---- */

enum {
    SYNDROME_KIND_SHIFT = 5,
    SYNDROME_ACK = 0,
    SYNDROME_NAK = 3,
    NAK_SEQUENCE = 0,
    NAK_LAST_FATAL = 3
};

static void take_acknowledgement(struct peers *peers, struct connection *connection,
                                 enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct lane *acknowledged = &connection->lane[1 - (int)sender];
    unsigned kind = packet->syndrome >> SYNDROME_KIND_SHIFT & 3, code = packet->syndrome & 31;
    /* A NAK names the first packet that was not taken. */
    acknowledge(peers, connection, acknowledged, packet,
                kind == SYNDROME_ACK ? packet->psn : psn_after(packet->psn, PSN_MASK));
    if (kind == SYNDROME_NAK && code > NAK_SEQUENCE && code <= NAK_LAST_FATAL) {
        /* Invalid request, access error, operational error: the queue pair is dead. */
        struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = sender};
        peers_emit(peers, connection, &event, packet->frame);
        peers_close(peers, connection);
    }
}

/* ---- requests ---- */

/* Take a request out of the stream if it is the next one. */
static bool in_sequence(struct peers *peers, struct connection *connection, struct lane *lane,
                        const struct packet *packet)
{
    int32_t ahead = lane->psn_known ? psn_distance(packet->psn, lane->psn) : 0;
    if (lane->psn_told && (ahead < 0 || ahead > TOLD_MAX))
        ahead = 0; /* not that number at all: the packets are right */
    bool sure = lane->psn_known && packet->psn == lane->psn;
    lane->psn_told = false;
    if (ahead < 0) {
        peers->counts->retransmitted++;
        return false;
    }
    if (ahead > 0) {
        if (lane->stalled && lane->stalled_for++ >= STALL_MAX) {
            resume(peers, connection, lane, packet);
        } else {
            if (!lane->stalled)
                lane->stalled_for = 0;
            lane->stalled = true;
            return false;
        }
    }
    lane->stalled = false;
    lane->psn_known = true;
    lane->psn = psn_after(packet->psn, 1);
    if (sure) {
        lane->sure = packet->frame;
        held_release(peers, connection);
    }
    return true;
}

static void take_read_request(struct peers *peers, struct connection *connection, struct lane *lane,
                              const struct packet *packet)
{
    uint32_t packets = read_packets(connection, packet->length);
    begin_read(peers, connection, lane, packet, packets);
    if (packets == 0)
        lane->psn_known = false; /* how many numbers it takes is not known */
    else
        lane->psn = psn_after(packet->psn, packets);
}

static void take_request(struct peers *peers, struct connection *connection,
                         enum rpcrdma_endpoint sender, const struct packet *packet)
{
    struct lane *lane = &connection->lane[sender];
    if (!in_sequence(peers, connection, lane, packet))
        return;
    switch (packet->opcode) {
    case OP_SEND_ONLY:
    case OP_SEND_ONLY_IMMEDIATE:
    case OP_SEND_ONLY_INVALIDATE:
    case OP_WRITE_ONLY:
    case OP_WRITE_ONLY_IMMEDIATE:
        if (lane->message != MESSAGE_NONE)
            lose(peers, connection, lane, packet->frame);
        emit_message(peers, connection, sender, packet,
                     packet->opcode == OP_WRITE_ONLY || packet->opcode == OP_WRITE_ONLY_IMMEDIATE
                         ? MESSAGE_WRITE
                         : MESSAGE_SEND,
                     packet->payload, packet->recorded, packet->total);
        return;
    case OP_SEND_FIRST:
        begin_message(peers, connection, lane, packet, MESSAGE_SEND);
        return;
    case OP_WRITE_FIRST:
        begin_message(peers, connection, lane, packet, MESSAGE_WRITE);
        return;
    case OP_SEND_MIDDLE:
        go_on(peers, connection, lane, packet, MESSAGE_SEND);
        return;
    case OP_WRITE_MIDDLE:
        go_on(peers, connection, lane, packet, MESSAGE_WRITE);
        return;
    case OP_SEND_LAST:
    case OP_SEND_LAST_IMMEDIATE:
    case OP_SEND_LAST_INVALIDATE:
        end_message(peers, connection, sender, packet, MESSAGE_SEND);
        return;
    case OP_WRITE_LAST:
    case OP_WRITE_LAST_IMMEDIATE:
        end_message(peers, connection, sender, packet, MESSAGE_WRITE);
        return;
    case OP_READ_REQUEST:
        take_read_request(peers, connection, lane, packet);
        return;
    default: /* atomic operations: RPC-over-RDMA has none, but they count */
        return;
    }
}

void lane_packet(struct peers *peers, struct connection *connection, enum rpcrdma_endpoint sender,
                 const struct packet *packet)
{
    switch (packet->opcode) {
    case OP_READ_FIRST:
    case OP_READ_MIDDLE:
    case OP_READ_LAST:
    case OP_READ_ONLY:
        take_response(peers, connection, sender, packet);
        return;
    case OP_ACKNOWLEDGE:
    case OP_ATOMIC_ACKNOWLEDGE:
        take_acknowledgement(peers, connection, sender, packet);
        return;
    default:
        take_request(peers, connection, sender, packet);
    }
}
