// SPDX-License-Identifier: BSD-3-Clause
/* The peer's requests (InfiniBand specification, 9.7.4 to 9.7.8, 9.9.3). */
#include "rxe-harness/transport/roce/queue_pair.h"

#include <stdlib.h>

#define NOT_READY_TIMES 3 /* at most, where the wire has it so */

/* ---- what is due ---- */

static void send_acknowledgement(struct queue_pair *pair, uint32_t psn, uint8_t syndrome)
{
    struct frame frame;
    if (syndrome == ACK_WITHOUT_CREDITS && wire_happens(&pair->end.chance, WIRE_NO_ACK))
        return;
    frame_begin(&frame, &pair->path, OP_ACKNOWLEDGE, pair->peer, psn, false);
    frame_put(&frame, 4, (uint32_t)syndrome << 24 | (pair->served & PSN_MASK));
    frame_seal(&frame);
    pair->transmit(pair->transmit_arg, &frame);
}

static struct response *due_at(struct queue_pair *pair, unsigned at)
{
    return &pair->responses[(pair->responses_first + at) % RESPONSES_MAX];
}

/* How many are due before what is about this PSN, or with it: they are in this order. */
static unsigned due_before(struct queue_pair *pair, uint32_t psn)
{
    unsigned at = pair->responses_count;
    while (at > 0 && psn_distance(psn, due_at(pair, at - 1)->psn) < 0)
        at--;
    return at;
}

static void insert_due(struct queue_pair *pair, unsigned at, const struct response *response)
{
    for (unsigned i = pair->responses_count++; i > at; i--)
        *due_at(pair, i) = *due_at(pair, i - 1);
    *due_at(pair, at) = *response;
}

/* After the responses to RDMA Reads that came before. Of two with no Read between them the later
 * one covers the other. */
static void acknowledge(struct queue_pair *pair, uint32_t psn, uint8_t syndrome)
{
    const struct response response = {.psn = psn, .syndrome = syndrome};
    unsigned at = due_before(pair, psn);
    if (at == 0)
        send_acknowledgement(pair, psn, syndrome);
    else if (at < pair->responses_count && !due_at(pair, at)->is_read)
        return;
    else if (!due_at(pair, at - 1)->is_read)
        *due_at(pair, at - 1) = response;
    else if (pair->responses_count < RESPONSES_MAX)
        insert_due(pair, at, &response);
}

/* The request is refused, which ends the connection. */
static void refuse(struct queue_pair *pair, uint32_t psn, uint8_t nak, const char *why)
{
    acknowledge(pair, psn, nak);
    end_fail(&pair->end, why);
}

/* ---- RDMA Read ---- */

/* One packet of the response; false: the memory is gone. */
static bool send_response(struct queue_pair *pair, struct response *response, uint32_t packets)
{
    enum fault fault;
    struct exposed *memory = end_find(&pair->end, response->handle, response->offset,
                                      response->length, LINK_PEER_READS, &fault);
    struct frame frame;
    bool first = response->sent == 0, last = response->sent + 1 == packets;
    size_t at = (size_t)response->sent * pair->mtu;
    size_t part = last ? response->length - at : pair->mtu;
    if (memory == NULL && response->length > 0)
        return false;
    frame_begin(&frame, &pair->path,
                first  ? (last ? OP_READ_ONLY : OP_READ_FIRST)
                : last ? OP_READ_LAST
                       : OP_READ_MIDDLE,
                pair->peer, psn_add(response->psn, response->sent), false);
    if (first || last)
        frame_put(&frame, 4, (uint32_t)ACK_WITHOUT_CREDITS << 24 | (pair->served & PSN_MASK));
    if (part > 0)
        frame_put_octets(&frame, memory->octets + (response->offset - memory->offset) + at, part);
    frame_seal(&frame);
    pair->transmit(pair->transmit_arg, &frame);
    response->sent++;
    return true;
}

bool roce_responder_run(struct queue_pair *pair)
{
    for (unsigned burst = 0; pair->responses_count > 0 && burst < RESPONSE_BURST; burst++) {
        struct response *due = &pair->responses[pair->responses_first];
        uint32_t packets = queue_pair_packets(pair, due->length);
        if (!due->is_read) {
            send_acknowledgement(pair, due->psn, due->syndrome);
        } else if (!send_response(pair, due, packets)) {
            send_acknowledgement(pair, psn_add(due->psn, due->sent), NAK_ACCESS);
            if (!due->is_again) {
                pair->responses_count = 0;
                end_fail(&pair->end, "local access violation");
                return false;
            }
        } else if (due->sent < packets && due->sent != due->life) {
            continue;
        }
        pair->responses_first = (pair->responses_first + 1) % RESPONSES_MAX;
        pair->responses_count--;
    }
    return pair->responses_count > 0;
}

/* It is due in its turn. One that is asked for again takes the place of what was still to come of
 * it, and what is due after it begins again: of that the peer takes nothing before this one. */
static void put_read(struct queue_pair *pair, const struct response *read)
{
    unsigned at = due_before(pair, read->psn);
    struct response *before = at > 0 ? due_at(pair, at - 1) : NULL;
    for (unsigned i = at; i < pair->responses_count; i++)
        due_at(pair, i)->sent = 0;
    if (before && before->is_read &&
        (uint32_t)psn_distance(read->psn, before->psn) < queue_pair_packets(pair, before->length))
        *before = *read;
    else if (!read->is_again || pair->responses_count < DUE_AGAIN_MAX)
        insert_due(pair, at, read);
}

/* RDMA Reads that were asked for once and have no whole response yet. */
static unsigned new_reads(struct queue_pair *pair)
{
    unsigned count = 0;
    for (unsigned i = 0; i < pair->responses_count; i++)
        count += due_at(pair, i)->is_read && !due_at(pair, i)->is_again;
    return count;
}

/* Returns the PSNs that it takes; 0: it was refused. */
static uint32_t take_read(struct queue_pair *pair, const struct packet *packet, bool is_again)
{
    struct response due = {.psn = packet->psn,
                           .is_read = true,
                           .is_again = is_again,
                           .handle = packet->handle,
                           .offset = packet->offset,
                           .length = packet->length};
    uint32_t packets = queue_pair_packets(pair, packet->length);
    enum fault fault;
    struct exposed *memory = end_find(&pair->end, packet->handle, packet->offset, packet->length,
                                      LINK_PEER_READS, &fault);
    if (memory == NULL && packet->length > 0) {
        if (is_again) /* the peer may have had it, and not need it any more */
            acknowledge(pair, packet->psn, NAK_ACCESS);
        else
            refuse(pair, packet->psn, NAK_ACCESS, "local access violation");
        return 0;
    }
    if (!is_again && (new_reads(pair) >= 2 * READS_SERVED || pair->responses_count >= DUE_MAX)) {
        refuse(pair, packet->psn, NAK_INVALID, "more RDMA Reads at once than were agreed on");
        return 0;
    }
    if (packets > 1 && wire_happens(&pair->end.chance, WIRE_CUT_READ))
        due.life = 1 + wire_below(&pair->end.chance, packets - 1);
    end_place(&pair->end);
    put_read(pair, &due);
    if (!is_again) {
        pair->served++;
        end_tell_access(&pair->end, false, packet->handle, packet->offset,
                        memory ? memory->octets + (packet->offset - memory->offset) : NULL,
                        packet->length);
    }
    return packets;
}

/* ---- RDMA Write ---- */

static bool take_write(struct queue_pair *pair, const struct packet *packet)
{
    bool first = packet->opcode == OP_WRITE_FIRST || packet->opcode == OP_WRITE_ONLY;
    bool last = packet->opcode == OP_WRITE_LAST || packet->opcode == OP_WRITE_ONLY;
    enum fault fault;
    if (first) {
        pair->end.written = end_find(&pair->end, packet->handle, packet->offset, packet->length,
                                     LINK_PEER_WRITES, &fault);
        pair->write_handle = packet->handle;
        pair->write_offset = packet->offset;
        pair->write_length = packet->length;
        pair->filled = 0;
    }
    if (pair->end.written == NULL && pair->write_length > 0) { /* or hidden in the middle of it */
        refuse(pair, packet->psn, NAK_ACCESS, "local access violation");
        return false;
    }
    size_t left = pair->write_length - pair->filled;
    if (last ? packet->total != left : packet->total != pair->mtu || packet->total > left) {
        refuse(pair, packet->psn, NAK_INVALID, "an RDMA Write of another length than it says");
        return false;
    }
    if (packet->total > 0)
        end_write(&pair->end, pair->end.written, pair->write_offset + pair->filled, packet->payload,
                  packet->total);
    pair->filled += packet->total;
    pair->inside = last ? INSIDE_NOTHING : INSIDE_WRITE;
    if (last) {
        pair->served++;
        end_written(&pair->end, pair->end.written, pair->write_handle, pair->write_offset,
                    pair->write_length);
    }
    return true;
}

/* ---- Send ---- */

/* The wire has it that a Send finds no Receive, a few times one after the other. */
static bool is_not_ready(struct queue_pair *pair)
{
    if (pair->not_ready == 0 && wire_happens(&pair->end.chance, WIRE_NOT_READY))
        pair->not_ready = 2 + wire_below(&pair->end.chance, NOT_READY_TIMES);
    pair->not_ready -= pair->not_ready > 0;
    return pair->not_ready > 0;
}

/* False: there is no Receive for it, or it was refused. */
static bool begin_send(struct queue_pair *pair, const struct packet *packet)
{
    pair->filled = 0;
    bool ready = !is_not_ready(pair) && pair->end.taken < pair->end.receives;
    pair->building = ready ? happening_new(pair->end.receive_size) : NULL;
    if (pair->building)
        return true;
    acknowledge(pair, packet->psn, SYNDROME_RNR | RNR_TIMER);
    pair->waits = true;
    return false;
}

static bool end_send(struct queue_pair *pair, const struct packet *packet)
{
    struct happening *send = pair->building;
    end_place(&pair->end);
    if (packet->opcode == OP_SEND_LAST_INVALIDATE || packet->opcode == OP_SEND_ONLY_INVALIDATE) {
        if (!end_invalidate(&pair->end, packet->handle)) {
            refuse(pair, packet->psn, NAK_ACCESS,
                   "the peer invalidates memory that is not registered");
            return false;
        }
        send->invalidated = true;
        send->handle = packet->handle;
    }
    send->is_send = true;
    send->length = pair->filled;
    pair->building = NULL;
    pair->end.taken++;
    pair->served++;
    end_tell(&pair->end, send);
    return true;
}

static bool take_send(struct queue_pair *pair, const struct packet *packet)
{
    bool first = packet->opcode == OP_SEND_FIRST || packet->opcode == OP_SEND_ONLY ||
                 packet->opcode == OP_SEND_ONLY_INVALIDATE;
    bool last = packet->opcode != OP_SEND_FIRST && packet->opcode != OP_SEND_MIDDLE;
    if (first && !begin_send(pair, packet))
        return false;
    if ((!last && packet->total != pair->mtu) ||
        packet->total > pair->end.receive_size - pair->filled) {
        refuse(pair, packet->psn, NAK_INVALID, "local length error");
        return false;
    }
    if (packet->total > 0)
        memcpy(pair->building->octets + pair->filled, packet->payload, packet->total);
    pair->filled += packet->total;
    pair->inside = last ? INSIDE_NOTHING : INSIDE_SEND;
    return !last || end_send(pair, packet);
}

/* ---- in order ---- */

static bool begins(unsigned opcode)
{
    return opcode == OP_SEND_FIRST || opcode == OP_SEND_ONLY || opcode == OP_SEND_ONLY_INVALIDATE ||
           opcode == OP_WRITE_FIRST || opcode == OP_WRITE_ONLY || opcode == OP_READ_REQUEST;
}

/* Returns the PSNs that the request takes; 0: it was not taken. */
static uint32_t take_request(struct queue_pair *pair, const struct packet *packet)
{
    bool is_write = packet->opcode >= OP_WRITE_FIRST && packet->opcode <= OP_WRITE_ONLY;
    unsigned goes_on = begins(packet->opcode) ? INSIDE_NOTHING
                       : is_write             ? INSIDE_WRITE
                                              : INSIDE_SEND;
    switch (packet->opcode) {
    case OP_READ_REQUEST:
    case OP_WRITE_FIRST:
    case OP_WRITE_MIDDLE:
    case OP_WRITE_LAST:
    case OP_WRITE_ONLY:
    case OP_SEND_FIRST:
    case OP_SEND_MIDDLE:
    case OP_SEND_LAST:
    case OP_SEND_ONLY:
    case OP_SEND_LAST_INVALIDATE:
    case OP_SEND_ONLY_INVALIDATE:
        if (pair->inside == goes_on)
            return packet->opcode == OP_READ_REQUEST ? take_read(pair, packet, false)
                   : is_write                        ? take_write(pair, packet)
                                                     : take_send(pair, packet);
        refuse(pair, packet->psn, NAK_INVALID, "a message without its beginning or its end");
        return 0;
    default: /* immediate data and atomic operations: RPC-over-RDMA has no use for them */
        refuse(pair, packet->psn, NAK_INVALID, "the peer uses an operation that is not supported");
        return 0;
    }
}

/* What was taken before: its answer was lost, or is late. No more than this is acknowledged, though
 * more may have come: the last of that may be an RDMA Read, whose response acknowledges it. */
static void take_again(struct queue_pair *pair, const struct packet *packet)
{
    if (packet->opcode == OP_READ_REQUEST)
        take_read(pair, packet, true);
    else
        acknowledge(pair, packet->psn, ACK_WITHOUT_CREDITS);
}

void roce_responder_take(struct queue_pair *pair, const struct packet *packet, bool asks)
{
    int32_t ahead = psn_distance(packet->psn, pair->expected);
    if (!pair->end.open || pair->end.waiting > WAITING_MAX)
        return;
    if (ahead < 0) {
        take_again(pair, packet);
        return;
    }
    if (ahead > 0) { /* one is missing; said once */
        if (!pair->waits)
            acknowledge(pair, pair->expected, NAK_SEQUENCE);
        pair->waits = true;
        return;
    }
    pair->waits = false;
    uint32_t used = take_request(pair, packet);
    pair->expected = psn_add(pair->expected, used);
    if (used > 0 && asks && packet->opcode != OP_READ_REQUEST)
        acknowledge(pair, packet->psn, ACK_WITHOUT_CREDITS);
}

void roce_responder_end(struct queue_pair *pair)
{
    end_free(&pair->end);
    free(pair->building);
    pair->building = NULL;
}
