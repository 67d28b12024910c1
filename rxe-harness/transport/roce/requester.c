// SPDX-License-Identifier: BSD-3-Clause
/* Our requests on their way (InfiniBand specification, 9.7.3 to 9.7.5, 9.9.2). */
#include "rxe-harness/transport/roce/queue_pair.h"

#define MICROSECONDS 1000 /* of a millisecond */

void queue_pair_fail(struct queue_pair *pair, const char *why)
{
    if (!pair->open)
        return;
    pair->open = false;
    pair->why = why;
    roce_requester_end(pair);
}

uint32_t queue_pair_packets(const struct queue_pair *pair, size_t length)
{
    return length > 0 ? (uint32_t)((length - 1) / pair->mtu + 1) : 1;
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

/* Packet number work->sent of a Send or a Write. */
static void send_data(struct queue_pair *pair, bool acknowledge)
{
    const struct work *work = pair->work;
    struct frame frame;
    bool first = work->sent == 0, last = work->sent + 1 == work->packets;
    size_t at = (size_t)work->sent * pair->mtu, part = last ? work->length - at : pair->mtu;
    frame_begin(&frame, &pair->path, data_opcode(work, first, last), pair->peer,
                psn_add(work->first, work->sent), acknowledge || last);
    if (work->kind == WORK_WRITE && first)
        put_remote(&frame, work, 0, work->length);
    if (work->kind == WORK_SEND && work->invalidate && last)
        frame_put(&frame, 4, *work->invalidate);
    if (part > 0)
        frame_put_octets(&frame, work->from + at, part);
    frame_seal(&frame);
    pair->transmit(pair->transmit_arg, &frame);
}

/* One request for as many packets as it may ask for, from number work->sent on. What is asked for
 * again ends where it ended before, as a responder that remembers its Reads expects. */
static uint32_t send_read(struct queue_pair *pair)
{
    const struct work *work = pair->work;
    struct frame frame;
    uint32_t end = (work->sent / READ_PART + 1) * READ_PART;
    if (end > work->packets)
        end = work->packets;
    size_t at = (size_t)work->sent * pair->mtu;
    size_t until = end == work->packets ? work->length : (size_t)end * pair->mtu;
    frame_begin(&frame, &pair->path, OP_READ_REQUEST, pair->peer, psn_add(work->first, work->sent),
                true);
    put_remote(&frame, work, at, until - at);
    frame_seal(&frame);
    pair->transmit(pair->transmit_arg, &frame);
    return end - work->sent;
}

/* As much as may be under way: of a Read what one request asks for. */
static void pump(struct queue_pair *pair)
{
    struct work *work = pair->work;
    if (work->kind == WORK_READ) {
        if (work->sent == work->done && work->sent < work->packets)
            work->sent += send_read(pair);
        return;
    }
    while (work->sent < work->packets && work->sent - work->done < WINDOW) {
        send_data(pair, work->sent + 1 - work->done == WINDOW / 2 ||
                            work->sent + 1 - work->done == WINDOW);
        work->sent++;
    }
}

/* From the first packet on that is missing. */
static void again(struct queue_pair *pair, int64_t now)
{
    pair->work->sent = pair->work->done;
    pair->work->deadline = now + RETRY_TIME * MICROSECONDS;
    pump(pair);
}

void roce_requester_begin(struct queue_pair *pair, struct work *work, int64_t now)
{
    work->state = pair->open ? WORK_UNDER_WAY : WORK_FAILED;
    if (!pair->open)
        return;
    work->first = pair->next_psn;
    work->packets = queue_pair_packets(pair, work->length);
    work->sent = work->done = 0;
    work->tries = work->not_ready = 0;
    work->not_before = 0;
    pair->next_psn = psn_add(pair->next_psn, work->packets);
    pair->work = work;
    again(pair, now);
}

void roce_requester_end(struct queue_pair *pair)
{
    if (pair->work)
        pair->work->state = WORK_FAILED;
    pair->work = NULL;
}

/* ---- what the peer says of it ---- */

/* The first `count` packets are done. False: an old word, or of what was not sent. */
static bool settle(struct queue_pair *pair, int32_t count)
{
    struct work *work = pair->work;
    if (count < 0 || (uint32_t)count < work->done || (uint32_t)count > work->sent)
        return false;
    if ((uint32_t)count > work->done)
        work->tries = work->not_ready = 0;
    work->done = (uint32_t)count;
    return true;
}

static void finish_or_go_on(struct queue_pair *pair, int64_t now)
{
    struct work *work = pair->work;
    work->deadline = now + RETRY_TIME * MICROSECONDS;
    if (work->done < work->packets) {
        pump(pair);
        return;
    }
    work->state = WORK_DONE;
    pair->work = NULL;
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
    struct work *work = pair->work;
    work->sent = work->done;
    work->not_before = now + not_ready_time(syndrome & 31);
    work->deadline = work->not_before + RETRY_TIME * MICROSECONDS;
    if (++work->not_ready > RNR_RETRIES) {
        pair->starved = true;
        queue_pair_fail(pair, "RNR retry counter exceeded");
    }
}

static void take_nak(struct queue_pair *pair, uint8_t syndrome, int64_t now)
{
    if (syndrome != NAK_SEQUENCE)
        queue_pair_fail(pair, syndrome == NAK_INVALID  ? "remote invalid request error"
                              : syndrome == NAK_ACCESS ? "remote access error"
                                                       : "remote operation error");
    else if (++pair->work->tries > RETRIES)
        queue_pair_fail(pair, "transport retry counter exceeded");
    else
        again(pair, now);
}

static void take_acknowledgement(struct queue_pair *pair, const struct packet *packet, int64_t now)
{
    uint8_t syndrome = packet->syndrome;
    bool good = (syndrome & SYNDROME_KIND) == SYNDROME_ACK;
    int32_t at = psn_distance(packet->psn, pair->work->first);
    if (pair->work->kind == WORK_READ && good)
        return; /* its responses acknowledge it */
    if (!settle(pair, at + good))
        return;
    if (good)
        finish_or_go_on(pair, now);
    else if ((syndrome & SYNDROME_KIND) == SYNDROME_RNR)
        take_not_ready(pair, syndrome, now);
    else
        take_nak(pair, syndrome, now);
}

/* Responses come in order; one behind a lost one is asked for again when the time is over. */
static void take_response(struct queue_pair *pair, const struct packet *packet, int64_t now)
{
    struct work *work = pair->work;
    int32_t number = psn_distance(packet->psn, work->first);
    if (work->kind != WORK_READ || number < 0 || (uint32_t)number != work->done ||
        (uint32_t)number >= work->sent)
        return;
    size_t at = (size_t)work->done * pair->mtu;
    size_t part = work->done + 1 == work->packets ? work->length - at : pair->mtu;
    if (packet->total != part) {
        queue_pair_fail(pair, "a response to an RDMA Read has the wrong length");
        return;
    }
    if (part > 0)
        memcpy(work->to + at, packet->payload, part);
    settle(pair, number + 1);
    finish_or_go_on(pair, now);
}

void roce_requester_take(struct queue_pair *pair, const struct packet *packet, int64_t now)
{
    if (!pair->open || pair->work == NULL)
        return;
    if (packet->opcode == OP_ACKNOWLEDGE)
        take_acknowledgement(pair, packet, now);
    else
        take_response(pair, packet, now);
}

int64_t roce_requester_run(struct queue_pair *pair, int64_t now)
{
    struct work *work = pair->work;
    if (work == NULL)
        return INT64_MAX;
    if (work->not_before > 0) {
        if (now < work->not_before)
            return work->not_before;
        work->not_before = 0;
        again(pair, now);
    } else if (now >= work->deadline) {
        if (++work->tries > RETRIES) {
            queue_pair_fail(pair, "transport retry counter exceeded");
            return INT64_MAX;
        }
        again(pair, now);
    }
    return work->deadline;
}
