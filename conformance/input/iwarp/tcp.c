// SPDX-License-Identifier: BSD-3-Clause
/* TCP segments of both directions, put in order. */
#include "conformance/input/iwarp/tcp.h"
#include "conformance/input/buffer/octets.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 20, FLAG_FIN = 1, FLAG_SYN = 2, FLAG_RESET = 4, FLAG_ACK = 16 };

/* Segments that wait, and octets of them; RFC 7323 has no window wider than this. */
#define WAITING_MAX 1024
#define WAITING_OCTETS_MAX ((size_t)4 << 20)
#define WINDOW_MAX (1 << 30)

/* This many segments later, octets that were received but not captured will not come any more. */
#define PATIENCE 64

struct tcp_waiting {
    struct tcp_waiting *next;
    unsigned side;
    struct tcp_segment segment;
    uint8_t octets[];
};

bool tcp_parse(const uint8_t *octets, size_t recorded, size_t total, struct tcp_segment *segment)
{
    if (recorded < HEADER_SIZE)
        return false;
    size_t header = (size_t)(octets[12] >> 4) * 4;
    if (header < HEADER_SIZE || header > total)
        return false;
    size_t skipped = header < recorded ? header : recorded;
    *segment = (struct tcp_segment){
        .source_port = (uint16_t)load_be16(octets),
        .destination_port = (uint16_t)load_be16(octets + 2),
        .sequence = load_be32(octets + 4),
        .acknowledged = load_be32(octets + 8),
        .syn = octets[13] & FLAG_SYN,
        .ack = octets[13] & FLAG_ACK,
        .fin = octets[13] & FLAG_FIN,
        .reset = octets[13] & FLAG_RESET,
        .payload = octets + skipped,
        .recorded = recorded - skipped,
        .total = total - header,
    };
    return true;
}

/* How far a is after b; numbers wrap. */
static int32_t distance(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

static bool out_of_window(int32_t d)
{
    return d > WINDOW_MAX || d < -WINDOW_MAX;
}

/* ---- passing on ---- */

static bool is_ready(const struct tcp_stream *stream, unsigned side,
                     const struct tcp_segment *segment)
{
    return distance(segment->sequence, stream->side[side].next) <= 0 &&
           (!segment->ack || distance(segment->acknowledged, stream->side[1 - side].assumed) <= 0);
}

static void advance(struct tcp_stream *stream, unsigned side, uint32_t next)
{
    stream->side[side].next = next;
    if (distance(next, stream->side[side].assumed) > 0)
        stream->side[side].assumed = next;
}

static void pass_on(struct tcp_stream *stream, unsigned side, const struct tcp_segment *segment)
{
    struct tcp_segment fresh = *segment;
    size_t old = (size_t)distance(stream->side[side].next, segment->sequence);
    bool ends = segment->fin && old <= segment->total;
    if (old < segment->total) {
        size_t skipped = old < segment->recorded ? old : segment->recorded;
        fresh.sequence += (uint32_t)old;
        fresh.payload += skipped;
        fresh.recorded -= skipped;
        fresh.total -= old;
        advance(stream, side, stream->side[side].next + (uint32_t)fresh.total);
        stream->handler->octets(stream->arg, side, &fresh);
    } else if (segment->total > 0) {
        ++*stream->retransmitted;
    }
    if (ends) {
        advance(stream, side, stream->side[side].next + 1);
        stream->side[side].ended = true;
        stream->handler->end(stream->arg, side, segment->frame);
    }
}

/* ---- waiting ---- */

static struct tcp_waiting *take_out(struct tcp_stream *stream, struct tcp_waiting *previous)
{
    struct tcp_waiting *waiting = previous ? previous->next : stream->first;
    if (previous)
        previous->next = waiting->next;
    else
        stream->first = waiting->next;
    if (stream->last == waiting)
        stream->last = previous;
    stream->waiting--;
    stream->waiting_octets -= waiting->segment.recorded;
    return waiting;
}

static void discard(struct tcp_stream *stream, struct tcp_waiting *waiting)
{
    memory_return(stream->memory, sizeof *waiting + waiting->segment.recorded);
    free(waiting);
}

/* Pass on all that is ready now, the oldest first. */
static void drain_ready(struct tcp_stream *stream)
{
    struct tcp_waiting *previous = NULL;
    while (previous ? previous->next : stream->first) {
        struct tcp_waiting *waiting = previous ? previous->next : stream->first;
        if (!is_ready(stream, waiting->side, &waiting->segment)) {
            previous = waiting;
            continue;
        }
        take_out(stream, previous);
        pass_on(stream, waiting->side, &waiting->segment);
        discard(stream, waiting);
        stream->patience = 0;
        previous = NULL; /* what came earlier may be ready now */
    }
}

/* The side whose octets the oldest segment waits for. */
static unsigned missing_side(const struct tcp_stream *stream)
{
    const struct tcp_waiting *oldest = stream->first;
    bool own = distance(oldest->segment.sequence, stream->side[oldest->side].next) > 0;
    return own ? oldest->side : 1 - oldest->side;
}

/* Whether each of two segments acknowledges octets of the other. Mostly `w` has been sent again
 * then, and what it brings was received before; or else what the oldest acknowledges is damaged. */
static bool is_sent_again(const struct tcp_stream *stream, const struct tcp_waiting *w,
                          const struct tcp_waiting *oldest)
{
    return w->side != oldest->side && w->segment.ack && oldest->segment.ack &&
           distance(w->segment.sequence, stream->side[w->side].next) <= 0 &&
           distance(w->segment.sequence, oldest->segment.acknowledged) < 0 &&
           distance(w->segment.acknowledged, oldest->segment.sequence) > 0;
}

/* Pass on what the oldest segment acknowledges, if it has been sent again: the order is not
 * certain, so that something may be missing. */
static bool pass_on_sent_again(struct tcp_stream *stream)
{
    struct tcp_waiting *previous = NULL;
    for (struct tcp_waiting *w = stream->first; w; previous = w, w = w->next) {
        if (!is_sent_again(stream, w, stream->first))
            continue;
        take_out(stream, previous);
        stream->handler->lost(stream->arg, w->side, 0, w->segment.frame);
        pass_on(stream, w->side, &w->segment);
        discard(stream, w);
        return true;
    }
    return false;
}

static void drain(struct tcp_stream *stream)
{
    do
        drain_ready(stream);
    while (pass_on_sent_again(stream));
}

/* The first octet after what is missing that a segment which waits brings; false if none does. */
static bool next_waiting(const struct tcp_stream *stream, unsigned side, uint32_t *to)
{
    uint32_t next = stream->side[side].next;
    bool any = false;
    for (const struct tcp_waiting *w = stream->first; w; w = w->next) {
        if (w->side != side || distance(w->segment.sequence, next) <= 0 ||
            (any && distance(w->segment.sequence, *to) >= 0))
            continue;
        any = true;
        *to = w->segment.sequence;
    }
    return any;
}

static void skip_to(struct tcp_stream *stream, unsigned side, uint32_t to, uint64_t frame)
{
    uint32_t missing = to - stream->side[side].next;
    advance(stream, side, to);
    stream->handler->lost(stream->arg, side, missing, frame);
}

/* Give up what the oldest segment waits for, as far as nothing that waits brings it. Where only an
 * acknowledgement speaks of it, it is not taken for certain: it could be damaged. */
static void give_up(struct tcp_stream *stream)
{
    unsigned side = missing_side(stream);
    const struct tcp_waiting *oldest = stream->first;
    uint32_t to = 0, acknowledged = oldest->segment.acknowledged;
    bool waits = next_waiting(stream, side, &to);
    if (waits && (oldest->side == side || distance(to, acknowledged) <= 0)) {
        skip_to(stream, side, to, oldest->segment.frame);
    } else {
        stream->side[side].assumed = acknowledged;
        stream->handler->lost(stream->arg, side, 0, oldest->segment.frame);
    }
    drain(stream);
}

static bool is_full(const struct tcp_stream *stream)
{
    return stream->waiting >= WAITING_MAX || stream->waiting_octets > WAITING_OCTETS_MAX;
}

/* Whether the other side has received what the oldest segment waits for, a while ago. */
static bool is_overdue(const struct tcp_stream *stream)
{
    unsigned side = missing_side(stream);
    return stream->patience > PATIENCE &&
           distance(stream->side[side].reported, stream->side[side].next) > 0;
}

static void wait_for_others(struct tcp_stream *stream, unsigned side,
                            const struct tcp_segment *segment)
{
    size_t size = sizeof(struct tcp_waiting) + segment->recorded;
    if (!memory_take(stream->memory, size))
        return; /* its octets are missing then, like any others */
    struct tcp_waiting *waiting = malloc(size);
    if (waiting == NULL) {
        memory_return(stream->memory, size);
        return;
    }
    *waiting = (struct tcp_waiting){.side = side, .segment = *segment};
    memcpy(waiting->octets, segment->payload, segment->recorded);
    waiting->segment.payload = waiting->octets;
    if (stream->last)
        stream->last->next = waiting;
    else
        stream->first = waiting;
    stream->last = waiting;
    stream->waiting++;
    stream->waiting_octets += segment->recorded;
}

/* ---- segments ---- */

void tcp_begin(struct tcp_stream *stream, unsigned side, uint32_t next)
{
    stream->side[side].next = stream->side[side].reported = stream->side[side].assumed = next;
}

static void note_acknowledgement(struct tcp_stream *stream, unsigned side,
                                 const struct tcp_segment *segment)
{
    unsigned other = 1 - side;
    if (!segment->ack)
        return;
    if (distance(segment->acknowledged, stream->side[other].reported) > 0)
        stream->side[other].reported = segment->acknowledged;
}

/* Numbers that no sender could have come to: a damaged segment, or one of another connection. */
static bool is_stray(const struct tcp_stream *stream, unsigned side,
                     const struct tcp_segment *segment)
{
    return out_of_window(distance(segment->sequence, stream->side[side].next)) ||
           (segment->ack &&
            out_of_window(distance(segment->acknowledged, stream->side[1 - side].next)));
}

void tcp_take(struct tcp_stream *stream, unsigned side, const struct tcp_segment *segment)
{
    if (segment->syn)
        return;
    if (segment->reset) {
        tcp_flush(stream, segment->frame);
        stream->side[side].ended = distance(segment->sequence, stream->side[side].next) <= 0;
        stream->handler->end(stream->arg, side, segment->frame);
        return;
    }
    if (is_stray(stream, side, segment))
        return;
    note_acknowledgement(stream, side, segment);
    if (distance(segment->sequence, stream->side[side].next) > 0 &&
        distance(segment->sequence, stream->side[side].assumed) <= 0)
        skip_to(stream, side, segment->sequence, segment->frame); /* it was waited for before */
    if (segment->total > 0 || segment->fin) {
        if (is_ready(stream, side, segment))
            pass_on(stream, side, segment);
        else
            wait_for_others(stream, side, segment);
        drain(stream);
    }
    if (stream->first)
        stream->patience++;
    while (stream->first && (is_full(stream) || is_overdue(stream)))
        give_up(stream);
}

bool tcp_is_new(const struct tcp_stream *stream, unsigned side, const struct tcp_segment *segment)
{
    return segment->total > 0 &&
           distance(segment->sequence + (uint32_t)segment->total, stream->side[side].next) > 0;
}

void tcp_flush(struct tcp_stream *stream, uint64_t frame)
{
    while (stream->first)
        give_up(stream);
    for (unsigned side = 0; side < 2; side++) {
        int32_t missing = distance(stream->side[side].reported, stream->side[side].next);
        /* One alone may be the end of the stream, which is acknowledged too. */
        if (missing > 1)
            skip_to(stream, side, stream->side[side].reported, frame);
    }
}

void tcp_free(struct tcp_stream *stream)
{
    while (stream->first)
        discard(stream, take_out(stream, NULL));
}
