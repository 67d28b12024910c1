// SPDX-License-Identifier: BSD-3-Clause
/* Our requests on their way (InfiniBand specification, 9.7.3 to 9.7.5, 9.9.2). */
#include "rxe-harness/transport/roce/queue_pair.h"

#define MICROSECONDS 1000 /* of a millisecond */

uint32_t queue_pair_packets(const struct queue_pair *pair, size_t length)
{
    return length > 0 ? (uint32_t)((length - 1) / pair->mtu + 1) : 1;
}

/* Until it is sent again. */
static int64_t retry_at(const struct roce_way *way, int64_t now)
{
    int64_t time = (int64_t)RETRY_TIME << way->tries;
    return now + (time < RETRY_TIME_MAX ? time : RETRY_TIME_MAX) * MICROSECONDS;
}

/* ---- sending ---- */

static enum opcode data_opcode(const struct work *work, bool first, bool last)
{
    if (work->kind == WORK_WRITE)
        return first  ? (last ? OP_WRITE_ONLY : OP_WRITE_FIRST)
               : last ? OP_WRITE_LAST
                      : OP_WRITE_MIDDLE;
    if (last && work->invalidate)
        return first ? OP_SEND_ONLY_INVALIDATE : OP_SEND_LAST_INVALIDATE;
    return first ? (last ? OP_SEND_ONLY : OP_SEND_FIRST) : last ? OP_SEND_LAST : OP_SEND_MIDDLE;
}

static void put_remote(struct frame *frame, const struct work *work, uint64_t at, size_t length)
{
    frame_put(frame, 8, work->offset + at);
    frame_put(frame, 4, work->handle);
    frame_put(frame, 4, length);
}

/* Packet number way->sent of a Send or a Write. */
static void send_data(struct queue_pair *pair, bool acknowledge)
{
    const struct work *work = pair->end.work;
    const struct roce_way *way = &pair->way;
    struct frame frame;
    bool first = way->sent == 0, last = way->sent + 1 == way->packets;
    size_t at = (size_t)way->sent * pair->mtu, part = last ? work->length - at : pair->mtu;
    frame_begin(&frame, &pair->path, data_opcode(work, first, last), pair->peer,
                psn_add(way->first, way->sent), acknowledge || last);
    if (work->kind == WORK_WRITE && first)
        put_remote(&frame, work, 0, work->length);
    if (work->kind == WORK_SEND && work->invalidate && last)
        frame_put(&frame, 4, *work->invalidate);
    if (part > 0)
        frame_put_octets(&frame, work->from + at, part);
    frame_seal(&frame);
    pair->transmit(pair->transmit_arg, &frame);
}

/* One request for as many packets as it may ask for, from number way->sent on. What is asked for
 * again ends where it ended before, as a responder that remembers its Reads expects. */
static uint32_t send_read(struct queue_pair *pair)
{
    const struct work *work = pair->end.work;
    const struct roce_way *way = &pair->way;
    struct frame frame;
    uint32_t end = (way->sent / READ_PART + 1) * READ_PART;
    if (end > way->packets)
        end = way->packets;
    size_t at = (size_t)way->sent * pair->mtu;
    size_t until = end == way->packets ? work->length : (size_t)end * pair->mtu;
    frame_begin(&frame, &pair->path, OP_READ_REQUEST, pair->peer, psn_add(way->first, way->sent),
                true);
    put_remote(&frame, work, at, until - at);
    frame_seal(&frame);
    pair->transmit(pair->transmit_arg, &frame);
    return end - way->sent;
}

/* Requests for the parts behind the one that is coming, as many as the peer serves at once. */
static void pump_read(struct queue_pair *pair)
{
    struct roce_way *way = &pair->way;
    uint32_t parts = pair->reads > 0 ? pair->reads : 1;
    while (way->sent < way->packets && way->sent / READ_PART < way->done / READ_PART + parts)
        way->sent += send_read(pair);
}

/* As much as may be under way. */
static void pump(struct queue_pair *pair)
{
    struct roce_way *way = &pair->way;
    if (pair->end.work->kind == WORK_READ) {
        pump_read(pair);
        return;
    }
    while (way->sent < way->packets && way->sent - way->done < WINDOW) {
        if (way->life > 0 && way->sent == way->life) {
            end_die(&pair->end);
            return;
        }
        send_data(pair,
                  way->sent + 1 - way->done == WINDOW / 2 || way->sent + 1 - way->done == WINDOW);
        way->sent++;
    }
}

/* From the first packet on that is missing. */
static void again(struct queue_pair *pair, int64_t now)
{
    pair->way.sent = pair->way.done;
    pair->way.deadline = retry_at(&pair->way, now);
    pump(pair);
}

void roce_requester_begin(struct queue_pair *pair, int64_t now)
{
    pair->way = (struct roce_way){.first = pair->next_psn,
                                  .packets = queue_pair_packets(pair, pair->end.work->length)};
    pair->next_psn = psn_add(pair->next_psn, pair->way.packets);
    if (pair->end.work->kind != WORK_READ && pair->way.packets > 1 &&
        wire_happens(&pair->end.chance, WIRE_DEATH))
        pair->way.life = 1 + wire_below(&pair->end.chance, pair->way.packets - 1);
    again(pair, now);
}

/* ---- what the peer says of it ---- */

/* False: an old word, or of what was not sent. */
static bool is_under_way(const struct roce_way *way, int32_t count)
{
    return count >= 0 && (uint32_t)count >= way->done && (uint32_t)count <= way->sent;
}

/* The first `count` packets are done. False: they are not under way. */
static bool settle(struct queue_pair *pair, int32_t count)
{
    struct roce_way *way = &pair->way;
    if (!is_under_way(way, count))
        return false;
    if ((uint32_t)count > way->done)
        way->tries = way->not_ready = 0;
    if ((uint32_t)count > way->done)
        way->gap = false;
    way->done = (uint32_t)count;
    return true;
}

static void finish_or_go_on(struct queue_pair *pair, int64_t now)
{
    pair->way.deadline = retry_at(&pair->way, now);
    if (pair->way.done < pair->way.packets)
        pump(pair);
    else
        end_done(&pair->end);
}

/* Microseconds of an RNR timer (table 45). */
static int64_t not_ready_time(unsigned code)
{
    static const int32_t hundredths[32] = {65536, 1,    2,    3,     4,     6,     8,     12,
                                           16,    24,   32,   48,    64,    96,    128,   192,
                                           256,   384,  512,  768,   1024,  1536,  2048,  3072,
                                           4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};
    return (int64_t)hundredths[code] * 10;
}

static void take_not_ready(struct queue_pair *pair, uint8_t syndrome, int64_t now)
{
    struct roce_way *way = &pair->way;
    way->sent = way->done;
    way->not_before = now + not_ready_time(syndrome & 31);
    way->deadline = retry_at(way, way->not_before);
    if (++way->not_ready > RNR_RETRIES) {
        pair->end.starved = true;
        end_fail(&pair->end, "RNR retry counter exceeded");
    }
}

static void take_nak(struct queue_pair *pair, uint8_t syndrome, int64_t now)
{
    if (syndrome != NAK_SEQUENCE)
        end_fail(&pair->end, syndrome == NAK_INVALID  ? "remote invalid request error"
                             : syndrome == NAK_ACCESS ? "remote access error"
                                                      : "remote operation error");
    else if (++pair->way.tries > RETRIES)
        end_fail(&pair->end, "transport retry counter exceeded");
    else
        again(pair, now);
}

static void take_acknowledgement(struct queue_pair *pair, const struct packet *packet, int64_t now)
{
    uint8_t syndrome = packet->syndrome;
    bool good = (syndrome & SYNDROME_KIND) == SYNDROME_ACK;
    int32_t at = psn_distance(packet->psn, pair->way.first);
    bool reads = pair->end.work->kind == WORK_READ;
    if (reads && good)
        return; /* its responses acknowledge it */
    /* And nothing else: what a NAK of a later request passes over may have been lost on its way
     * here. */
    if (reads ? !is_under_way(&pair->way, at) : !settle(pair, at + good))
        return;
    if (good)
        finish_or_go_on(pair, now);
    else if ((syndrome & SYNDROME_KIND) == SYNDROME_RNR)
        take_not_ready(pair, syndrome, now);
    else
        take_nak(pair, syndrome, now);
}

/* One behind a lost one: from that on it is asked for again at once, as after a NAK (9.7.5.1.3),
 * but once, for more may come of what was asked for before. */
static void take_gap(struct queue_pair *pair, int64_t now)
{
    if (!pair->way.gap)
        again(pair, now);
    pair->way.gap = true;
}

static void take_response(struct queue_pair *pair, const struct packet *packet, int64_t now)
{
    const struct work *work = pair->end.work;
    const struct roce_way *way = &pair->way;
    int32_t number = psn_distance(packet->psn, way->first);
    if (work->kind != WORK_READ || number < (int32_t)way->done || (uint32_t)number >= way->sent)
        return;
    if ((uint32_t)number > way->done) {
        take_gap(pair, now);
        return;
    }
    size_t at = (size_t)way->done * pair->mtu;
    size_t part = way->done + 1 == way->packets ? work->length - at : pair->mtu;
    if (packet->total != part) {
        end_fail(&pair->end, "a response to an RDMA Read has the wrong length");
        return;
    }
    if (part > 0)
        memcpy(work->to + at, packet->payload, part);
    settle(pair, number + 1);
    finish_or_go_on(pair, now);
}

void roce_requester_take(struct queue_pair *pair, const struct packet *packet, int64_t now)
{
    if (!pair->end.open || pair->end.work == NULL)
        return;
    if (packet->opcode == OP_ACKNOWLEDGE)
        take_acknowledgement(pair, packet, now);
    else
        take_response(pair, packet, now);
}

int64_t roce_requester_run(struct queue_pair *pair, int64_t now)
{
    struct roce_way *way = &pair->way;
    if (pair->end.work == NULL)
        return INT64_MAX;
    if (way->not_before > 0) {
        if (now < way->not_before)
            return way->not_before;
        way->not_before = 0;
        again(pair, now);
    } else if (now >= way->deadline) {
        if (++way->tries > RETRIES) {
            end_fail(&pair->end, "transport retry counter exceeded");
            return INT64_MAX;
        }
        again(pair, now);
    }
    return way->deadline;
}
