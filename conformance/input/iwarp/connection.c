// SPDX-License-Identifier: BSD-3-Clause
/* One iWARP connection. */
#include "conformance/input/iwarp/connection.h"
#include "conformance/input/buffer/octets.h"

#include <rpcrdma/private_data.h>

#include <stdlib.h>
#include <string.h>

static const char segments_missing[] = "TCP segments are missing";
static const char start_missing[] = "iWARP: the frames that start MPA were not recorded";
static const char start_wrong[] = "iWARP: malformed start of MPA";
static const char no_memory[] = "no memory is left to put it together";

/* ---- what goes out ---- */

static uint64_t frame_of(struct iwarp_connection *c, uint64_t frame)
{
    if (frame > c->frame)
        c->frame = frame;
    return c->frame;
}

static void emit(struct iwarp_connection *c, const struct rpcrdma_event *event, uint64_t frame)
{
    if (c->opened)
        c->output->event(c->output->arg, c->own, event, frame_of(c, frame));
}

static void lose(struct iwarp_connection *c, const char *reason, uint32_t count, uint64_t frame)
{
    if (c->opened)
        c->output->lost(c->output->arg, c->own, reason, count, frame_of(c, frame));
}

static void say_unread(struct iwarp_connection *c, const char *reason, uint64_t frame)
{
    if (c->opened)
        c->output->unread(c->output->arg, c->own, reason, frame_of(c, frame));
}

static void open_connection(struct iwarp_connection *c)
{
    c->output->open(c->output->arg, c->own, c->end, c->mid_stream);
    c->opened = true;
}

/* Where neither port nor private data tell, the first Send does. */
static void decide(struct iwarp_connection *c, const struct rpcrdma_event *event)
{
    bool from_client;
    if (event->type != RPCRDMA_EVENT_SEND)
        return;
    if (c->output->is_wanted(c->output->arg, event->data, event->length,
                             event->length + event->missing, &from_client))
        open_connection(c);
    else
        c->phase = IWARP_OVER;
}

static void end_by(struct iwarp_connection *c, enum rpcrdma_endpoint side, uint64_t frame)
{
    if (!c->ended) {
        c->ended_by = side;
        c->ended_in = frame;
    }
    c->ended = true;
}

/* ---- RDMAP ---- */

static void take_event(void *arg, const struct rpcrdma_event *event, uint64_t frame)
{
    struct iwarp_connection *c = arg;
    if (c->phase == IWARP_RUNNING && !c->opened)
        decide(c, event);
    if (c->phase == IWARP_RUNNING)
        emit(c, event, frame);
}

static void take_rdmap_loss(void *arg, uint32_t count, uint64_t frame)
{
    struct iwarp_connection *c = arg;
    lose(c, c->reason ? c->reason : segments_missing, count, frame);
}

static void take_cut(void *arg, uint64_t frame)
{
    struct iwarp_connection *c = arg;
    if (c->opened)
        c->output->cut(c->output->arg, c->own, frame_of(c, frame));
}

static void take_unread(void *arg, uint64_t frame)
{
    struct iwarp_connection *c = arg;
    static const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    say_unread(c, "iWARP: not a message of RDMAP, or cut short", frame);
    emit(c, &gap, frame);
}

static void take_terminate(void *arg, enum rpcrdma_endpoint side, uint64_t frame)
{
    struct iwarp_connection *c = arg;
    c->terminated = true;
    end_by(c, side, frame);
}

static const struct rdmap_handler rdmap_handler = {take_event, take_rdmap_loss, take_cut,
                                                   take_unread, take_terminate};

/* ---- MPA ---- */

static void take_ulpdu(void *arg, const uint8_t *octets, size_t recorded, size_t length,
                       uint64_t frame)
{
    const struct iwarp_side *side = arg;
    struct iwarp_connection *c = side->connection;
    if (c->phase == IWARP_RUNNING && !c->terminated)
        rdmap_take(&c->rdmap, side->side, octets, recorded, length, frame);
}

static void take_mpa_loss(void *arg, enum mpa_loss loss, uint64_t frame)
{
    static const char *const reasons[] = {
        [MPA_LOST_CRC] = "wrong check sum of MPA",
        [MPA_LOST_MARKER] = "wrong marker of MPA",
        [MPA_LOST_FRAMING] = "the capture kept too little of a segment to find the next FPDU",
    };
    const struct iwarp_side *side = arg;
    struct iwarp_connection *c = side->connection;
    c->reason = reasons[loss];
    if (c->phase == IWARP_RUNNING)
        rdmap_skip(&c->rdmap, side->side, frame);
}

static void take_unframed(void *arg, uint64_t frame)
{
    static const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    const struct iwarp_side *side = arg;
    struct iwarp_connection *c = side->connection;
    say_unread(c, "iWARP: where an FPDU begins in the segment is not known", frame);
    emit(c, &gap, frame);
}

static const struct mpa_handler mpa_handler = {take_ulpdu, take_mpa_loss, take_unframed,
                                               rdmap_is_plausible};

/* ---- the start of MPA ---- */

static bool has_identifier(const struct mpa_start *start)
{
    struct rpcrdma_private_data data;
    return rpcrdma_private_data_find(&data, start->private_data, start->private_length) !=
           RPCRDMA_E_PD_ABSENT;
}

static void emit_private_data(struct iwarp_connection *c, enum rpcrdma_endpoint side)
{
    const struct iwarp_start *start = &c->start[side];
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_PRIVATE_DATA,
                                  .from = side,
                                  .data = start->parsed.private_data,
                                  .length = start->parsed.private_length};
    if (start->parsed.private_length > 0)
        emit(c, &event, start->frame);
}

static bool is_for_us(const struct iwarp_connection *c)
{
    return c->options->all || c->end[RPCRDMA_SERVER].port == c->options->port ||
           has_identifier(&c->start[0].parsed) || has_identifier(&c->start[1].parsed);
}

/* Both frames are there, or as much of them as ever will be. */
static void run(struct iwarp_connection *c, uint64_t frame)
{
    const struct iwarp_start *start = c->start;
    const struct mpa_start *request = &start[0].parsed, *reply = &start[1].parsed;
    bool crc = request->crc || reply->crc, whole = start[0].whole && start[1].whole;
    mpa_begin(&c->mpa[RPCRDMA_CLIENT], reply->markers, crc);
    mpa_begin(&c->mpa[RPCRDMA_SERVER], request->markers, crc);
    c->phase = reply->rejected ? IWARP_OVER : IWARP_RUNNING;
    c->mid_stream = !whole;
    if (start[0].done && start[1].done) {
        rdmap_begin(&c->rdmap);
        c->rdmap.ready_to_receive = request->peer_to_peer && reply->peer_to_peer;
    }
    for (int i = 0; i < 2; i++)
        c->mpa[i].lost = !start[i].done;
    if (c->phase == IWARP_RUNNING && is_for_us(c))
        open_connection(c);
    if (!whole)
        say_unread(c, start_missing, frame);
    emit_private_data(c, RPCRDMA_CLIENT);
    emit_private_data(c, RPCRDMA_SERVER);
}

/* Not all of a frame was recorded: its length and its flags, if they were. Returns how many octets
 * it has on the wire, or 0. */
static size_t parse_cut_start(struct iwarp_start *start, bool is_reply)
{
    uint8_t header[MPA_START_HEADER];
    if (start->recorded < sizeof header)
        return 0;
    memcpy(header, start->octets, sizeof header);
    size_t length = sizeof header + load_be16(header + MPA_AT_LENGTH);
    memset(header + MPA_AT_LENGTH, 0, 2); /* so that what is left of the private data is not used */
    return mpa_start_parse(header, sizeof header, is_reply, &start->parsed) == MPA_PARSED ? length
                                                                                          : 0;
}

/* Whether the frame has come to its end, which is `*length` octets after its beginning. */
static bool is_done(struct iwarp_start *start, bool is_reply, size_t *length)
{
    enum mpa_parsed parsed =
        mpa_start_parse(start->octets, start->recorded, is_reply, &start->parsed);
    *length = start->total;
    if (parsed == MPA_PARSED) {
        start->done = start->whole = true;
        *length = start->parsed.length;
    } else if (parsed == MPA_MORE && start->recorded < start->total) {
        size_t cut = parse_cut_start(start, is_reply);
        start->done = cut > 0 && cut <= start->total;
        *length = start->done ? cut : start->total;
    }
    return start->done;
}

/* The other side, or this one, does not speak MPA. */
static void give_up_start(struct iwarp_connection *c, uint64_t frame)
{
    if (is_for_us(c))
        open_connection(c);
    say_unread(c, start_wrong, frame);
    c->phase = IWARP_OVER;
}

/* Octets of the frame that starts a side, or all up to its end. Returns how many. */
static size_t take_start(struct iwarp_connection *c, enum rpcrdma_endpoint side,
                         const struct tcp_segment *segment)
{
    struct iwarp_start *start = &c->start[side];
    size_t room = MPA_START_MAX - start->total, before = start->total, length;
    size_t total = segment->total < room ? segment->total : room;
    size_t recorded = segment->recorded < total ? segment->recorded : total;
    if (start->recorded < start->total)
        recorded = 0; /* it cannot be put together any more */
    memcpy(start->octets + start->recorded, segment->payload, recorded);
    start->recorded += recorded;
    start->total += total;
    start->frame = segment->frame;
    if (is_done(start, side == RPCRDMA_SERVER, &length)) {
        if (side == RPCRDMA_SERVER)
            run(c, segment->frame);
    } else if (start->total == MPA_START_MAX ||
               mpa_start_parse(start->octets, start->recorded, side == RPCRDMA_SERVER,
                               &start->parsed) == MPA_WRONG) {
        give_up_start(c, segment->frame);
    }
    return length - before;
}

/* ---- TCP ---- */

static void take_octets(void *arg, unsigned side, const struct tcp_segment *segment)
{
    struct iwarp_connection *c = arg;
    struct tcp_segment rest = *segment;
    if (c->phase == IWARP_STARTING && !c->start[side].done) {
        size_t taken = take_start(c, (enum rpcrdma_endpoint)side, segment);
        size_t skipped = taken < segment->recorded ? taken : segment->recorded;
        rest.payload += skipped;
        rest.recorded -= skipped;
        rest.total -= taken;
    }
    if (rest.total == 0 || c->phase == IWARP_OVER)
        return;
    if (c->phase == IWARP_STARTING) /* before it may: nothing can be made of it */
        run(c, segment->frame);
    mpa_take(&c->mpa[side], rest.payload, rest.recorded, rest.total, segment->frame);
}

static void take_tcp_loss(void *arg, unsigned side, uint32_t octets, uint64_t frame)
{
    struct iwarp_connection *c = arg;
    if (c->phase == IWARP_STARTING)
        run(c, frame);
    c->reason = segments_missing;
    if (octets == 0) {
        lose(c, segments_missing, 0, frame);
        return;
    }
    mpa_skip(&c->mpa[side], octets);
    if (c->phase == IWARP_RUNNING)
        rdmap_skip(&c->rdmap, (enum rpcrdma_endpoint)side, frame);
}

static void take_end(void *arg, unsigned side, uint64_t frame)
{
    end_by(arg, (enum rpcrdma_endpoint)side, frame);
}

static const struct tcp_handler tcp_handler = {take_octets, take_tcp_loss, take_end};

/* ---- the connection ---- */

struct iwarp_connection *iwarp_connection_new(struct memory *memory,
                                              const struct iwarp_output *output,
                                              const struct iwarp_options *options,
                                              uint64_t *retransmitted)
{
    size_t size = sizeof(struct iwarp_connection) + output->own_size;
    if (!memory_take(memory, size))
        return NULL;
    struct iwarp_connection *c = calloc(1, size);
    if (c == NULL) {
        memory_return(memory, size);
        return NULL;
    }
    c->output = output;
    c->options = options;
    c->tcp = (struct tcp_stream){
        .memory = memory, .handler = &tcp_handler, .arg = c, .retransmitted = retransmitted};
    c->rdmap = (struct rdmap){.memory = memory, .handler = &rdmap_handler, .arg = c};
    for (unsigned i = 0; i < 2; i++) {
        c->side[i] = (struct iwarp_side){c, (enum rpcrdma_endpoint)i};
        c->mpa[i] =
            (struct mpa_stream){.memory = memory, .handler = &mpa_handler, .arg = &c->side[i]};
    }
    return c;
}

void iwarp_connection_begin(struct iwarp_connection *c, const struct tcp_segment *request)
{
    c->first = request->sequence;
    tcp_begin(&c->tcp, RPCRDMA_CLIENT, request->sequence);
    tcp_begin(&c->tcp, RPCRDMA_SERVER, request->acknowledged);
    iwarp_connection_take(c, RPCRDMA_CLIENT, request);
}

void iwarp_connection_join(struct iwarp_connection *c, enum rpcrdma_endpoint side,
                           const struct tcp_segment *segment)
{
    c->phase = IWARP_RUNNING;
    c->mid_stream = true;
    tcp_begin(&c->tcp, side, segment->sequence);
    tcp_begin(&c->tcp, 1 - (unsigned)side, segment->acknowledged);
    for (int i = 0; i < 2; i++) {
        mpa_begin(&c->mpa[i], false, false);
        c->mpa[i].lost = true;
    }
    open_connection(c);
    iwarp_connection_take(c, side, segment);
}

void iwarp_connection_take(struct iwarp_connection *c, enum rpcrdma_endpoint side,
                           const struct tcp_segment *segment)
{
    if (c->phase == IWARP_OVER)
        return;
    c->seen[side] = true;
    tcp_take(&c->tcp, side, segment);
    if (c->ended || c->phase == IWARP_OVER)
        iwarp_connection_end(c, segment->frame);
}

bool iwarp_connection_is_after_end(const struct iwarp_connection *c, enum rpcrdma_endpoint side,
                                   const struct tcp_segment *segment)
{
    return c->phase == IWARP_OVER && c->ended && !c->terminated && side == c->ended_by &&
           tcp_is_new(&c->tcp, side, segment);
}

void iwarp_connection_evict(struct iwarp_connection *c, uint64_t frame)
{
    c->reason = no_memory;
    tcp_free(&c->tcp); /* missing then, as if never captured */
    for (unsigned i = 0; i < 2; i++) {
        if (c->mpa[i].ulpdu.capacity == 0)
            continue;
        mpa_skip(&c->mpa[i], 0);
        rdmap_skip(&c->rdmap, (enum rpcrdma_endpoint)i, frame);
    }
    rdmap_evict(&c->rdmap, frame);
}

void iwarp_connection_displace(struct iwarp_connection *c, uint64_t frame)
{
    end_by(c, RPCRDMA_CLIENT, frame);
}

/* Whether this side ended the connection itself, and all that it sent before was recorded. */
static bool is_whole(const struct iwarp_connection *c, unsigned side)
{
    return c->tcp.side[side].ended && !c->mpa[side].lost && !c->rdmap.side[side].lost;
}

/* What never came to its end is lost, unless its sender ended the connection in the midst of it. */
static void end_fpdus(struct iwarp_connection *c, uint64_t frame)
{
    for (unsigned i = 0; i < 2 && !c->terminated; i++) {
        bool is_within = c->mpa[i].count > 0;
        if (is_whole(c, i)) {
            is_within |= rdmap_break_off(&c->rdmap, (enum rpcrdma_endpoint)i);
            if (is_within && c->opened)
                c->output->broken_off(c->output->arg, c->own, frame_of(c, frame));
            continue;
        }
        if (!is_within)
            continue;
        c->reason = segments_missing;
        rdmap_skip(&c->rdmap, (enum rpcrdma_endpoint)i, frame);
    }
}

void iwarp_connection_end(struct iwarp_connection *c, uint64_t frame)
{
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = c->ended_by};
    if (c->phase != IWARP_OVER)
        tcp_flush(&c->tcp, frame);
    if (c->phase == IWARP_RUNNING) {
        end_fpdus(c, frame);
        rdmap_end(&c->rdmap, frame);
        if (c->ended)
            emit(c, &event, c->ended_in);
    }
    c->phase = IWARP_OVER;
    rdmap_end(&c->rdmap, frame);
    if (c->opened)
        c->output->close(c->output->arg, c->own, c->seen);
    c->opened = false;
    tcp_free(&c->tcp);
    mpa_free(&c->mpa[0]);
    mpa_free(&c->mpa[1]);
}

void iwarp_connection_free(struct iwarp_connection *c)
{
    memory_return(c->tcp.memory, sizeof *c + c->output->own_size);
    free(c);
}
