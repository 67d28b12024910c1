// SPDX-License-Identifier: BSD-3-Clause
/* RDMAP over DDP. */
#include "conformance/input/iwarp/rdmap.h"
#include "conformance/input/iwarp/ddp.h"
#include "conformance/input/buffer/octets.h"

#include <stdlib.h>

#define READS_SIZE (RDMAP_READS_MAX * sizeof(struct rdmap_read))

/* A message number that is further ahead is ignored. */
#define NUMBERS_MAX 1024

/* ---- segments ---- */

bool rdmap_is_plausible(const uint8_t *octets, size_t recorded, size_t length)
{
    struct ddp_segment segment;
    return ddp_parse(octets, recorded, length, &segment) && (octets[0] & 0x3c) == 0 &&
           (octets[1] & 0x30) == 0;
}

const uint8_t *rdmap_whole_send(const uint8_t *octets, size_t recorded, size_t length,
                                size_t *payload_recorded, size_t *payload_length)
{
    struct ddp_segment segment;
    if (!ddp_parse(octets, recorded, length, &segment) || segment.tagged ||
        segment.queue != QUEUE_SEND || !segment.last || segment.message_offset != 0)
        return NULL;
    *payload_recorded = segment.recorded;
    *payload_length = segment.length;
    return segment.payload;
}

/* ---- assembly ---- */

static void lose(struct rdmap *rdmap, uint32_t count, uint64_t frame)
{
    rdmap->handler->lost(rdmap->arg, count, frame);
}

/*
 * Add a segment to a message, which is broken if there is no memory for it. What follows octets
 * that were not recorded is not kept, and a message of one segment is not copied.
 */
static void add_payload(struct rdmap *rdmap, struct buffer *buffer,
                        const struct ddp_segment *segment, bool *broken)
{
    bool only = segment->last && buffer->total == 0;
    bool whole = buffer->length == buffer->total;
    buffer->total += segment->length;
    if (!only && whole && !*broken &&
        !buffer_add(rdmap->memory, buffer, segment->payload, segment->recorded))
        *broken = true;
}

static void drop_send(struct rdmap *rdmap, struct rdmap_side *side)
{
    buffer_free(rdmap->memory, &side->send);
    side->sending = side->send_broken = false;
}

static void drop_write(struct rdmap *rdmap, struct rdmap_side *side)
{
    buffer_free(rdmap->memory, &side->write);
    side->writing = side->write_broken = false;
}

/* A message of one segment is passed on where it lies, one of several out of the buffer. */
static void emit(struct rdmap *rdmap, struct rpcrdma_event *event, const struct buffer *buffer,
                 const struct ddp_segment *segment)
{
    bool only = buffer->total == segment->length;
    event->data = only ? segment->payload : buffer->octets;
    event->length = only ? segment->recorded : buffer->length;
    event->missing = (size_t)((only ? segment->length : buffer->total) - event->length);
    rdmap->handler->event(rdmap->arg, event, segment->frame);
}

/* Whether a message is the one by which the client says that it is ready to receive. */
static bool is_first_of_client(const struct rdmap *rdmap, enum rpcrdma_endpoint sender,
                               uint64_t length)
{
    return rdmap->ready_to_receive && sender == RPCRDMA_CLIENT && length == 0;
}

/* ---- message numbers ---- */

/* Messages that are missing before this segment's. */
static uint32_t missing_before(struct rdmap_side *side, const struct ddp_segment *segment)
{
    uint32_t *number = &side->number[segment->queue];
    uint32_t missing = side->number_known[segment->queue] ? segment->number - *number : 0;
    side->number_known[segment->queue] = true;
    *number = segment->number;
    return missing;
}

static uint32_t plausible_count(uint32_t missing)
{
    return missing > NUMBERS_MAX ? 1 : missing;
}

/* ---- Sends ---- */

static void end_send(struct rdmap *rdmap, enum rpcrdma_endpoint sender,
                     const struct ddp_segment *segment)
{
    struct rdmap_side *side = &rdmap->side[sender];
    bool invalidate =
        segment->opcode == OP_SEND_INVALIDATE || segment->opcode == OP_SEND_SOLICITED_INVALIDATE;
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                  .from = sender,
                                  .invalidate = invalidate,
                                  .handle = invalidate ? segment->handle : 0,
                                  .reads_open = side->read_count > 0};
    side->number[QUEUE_SEND]++;
    if (side->send_broken)
        lose(rdmap, 1, segment->frame);
    else if (!is_first_of_client(rdmap, sender, side->send.total))
        emit(rdmap, &event, &side->send, segment);
    drop_send(rdmap, side);
}

static void take_send(struct rdmap *rdmap, enum rpcrdma_endpoint sender,
                      const struct ddp_segment *segment)
{
    struct rdmap_side *side = &rdmap->side[sender];
    uint32_t missing = missing_before(side, segment);
    if (missing > 0) {
        drop_send(rdmap, side);
        lose(rdmap, plausible_count(missing), segment->frame);
    }
    side->lost = false;
    side->sending = true;
    if (segment->message_offset != side->send.total)
        side->send_broken = true;
    add_payload(rdmap, &side->send, segment, &side->send_broken);
    if (segment->last)
        end_send(rdmap, sender, segment);
}

/* ---- RDMA Writes ---- */

static void take_write(struct rdmap *rdmap, enum rpcrdma_endpoint sender,
                       const struct ddp_segment *segment)
{
    struct rdmap_side *side = &rdmap->side[sender];
    struct buffer *content = &side->write;
    if (side->writing && (segment->handle != side->write_handle ||
                          segment->offset != side->write_offset + content->total)) {
        drop_write(rdmap, side);
        lose(rdmap, 1, segment->frame);
    }
    if (!side->writing) {
        side->writing = true;
        side->write_handle = segment->handle;
        side->write_offset = segment->offset;
    }
    add_payload(rdmap, content, segment, &side->write_broken);
    if (!segment->last)
        return;
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_RDMA_WRITE,
                                  .from = sender,
                                  .handle = side->write_handle,
                                  .offset = side->write_offset};
    if (side->write_broken)
        lose(rdmap, 1, segment->frame);
    else if (!is_first_of_client(rdmap, sender, content->total))
        emit(rdmap, &event, content, segment);
    drop_write(rdmap, side);
}

/* ---- RDMA Reads ---- */

static struct rdmap_read *read_at(struct rdmap_side *side, unsigned index)
{
    return &side->reads[(side->read_first + index) % RDMAP_READS_MAX];
}

static bool make_reads(struct rdmap *rdmap, struct rdmap_side *side)
{
    if (side->reads)
        return true;
    if (!memory_take(rdmap->memory, READS_SIZE))
        return false;
    side->reads = calloc(1, READS_SIZE);
    if (side->reads)
        return true;
    memory_return(rdmap->memory, READS_SIZE);
    return false;
}

static void free_reads(struct rdmap *rdmap, struct rdmap_side *side)
{
    if (side->reads)
        memory_return(rdmap->memory, READS_SIZE);
    free(side->reads);
    side->reads = NULL;
    side->read_count = 0;
    buffer_free(rdmap->memory, &side->response);
    side->response_broken = false;
}

static void drop_first_read(struct rdmap *rdmap, struct rdmap_side *side)
{
    side->read_first = (side->read_first + 1) % RDMAP_READS_MAX;
    side->read_count--;
    buffer_free(rdmap->memory, &side->response);
    side->response_broken = false;
}

static void take_read_request(struct rdmap *rdmap, enum rpcrdma_endpoint sender,
                              const struct ddp_segment *segment)
{
    struct rdmap_side *side = &rdmap->side[sender];
    uint32_t missing = missing_before(side, segment);
    missing -= missing < side->unrequested ? missing : side->unrequested; /* counted already */
    side->unrequested = 0;
    side->number[QUEUE_READ_REQUEST]++;
    const uint8_t *p = segment->payload;
    if (segment->recorded < READ_REQUEST_SIZE || !make_reads(rdmap, side)) {
        lose(rdmap, plausible_count(missing) + 1, segment->frame);
        return;
    }
    if (side->read_count == RDMAP_READS_MAX) {
        drop_first_read(rdmap, side); /* its response cannot have been seen */
        missing++;
    }
    if (missing > 0)
        lose(rdmap, plausible_count(missing), segment->frame);
    *read_at(side, side->read_count++) = (struct rdmap_read){
        .sink_handle = load_be32(p),
        .sink_offset = load_be64(p + 4),
        .length = load_be32(p + 12),
        .handle = load_be32(p + 16),
        .offset = load_be64(p + 20),
        .silent = is_first_of_client(rdmap, sender, load_be32(p + 12)),
    };
}

/* Whether a segment is the next of this response; of one of no length only the last flag matters.
 */
static bool is_response_to(const struct rdmap_read *read, uint64_t received,
                           const struct ddp_segment *segment)
{
    if (read->length == 0 || segment->length == 0)
        return read->length == 0 && segment->length == 0 && segment->last;
    return segment->handle == read->sink_handle && segment->offset == read->sink_offset + received;
}

/* A response to no read that is known: its request was not seen, or not all of the response. */
static void lose_response(struct rdmap *rdmap, struct rdmap_side *side,
                          const struct ddp_segment *segment)
{
    if (segment->last && side->response_broken)
        drop_first_read(rdmap, side);
    else
        side->unrequested += segment->last;
    lose(rdmap, segment->last, segment->frame);
}

/* The read that this is the response to becomes the first: those before it were answered unseen.
 * False if there is none. */
static bool find_read(struct rdmap *rdmap, struct rdmap_side *side,
                      const struct ddp_segment *segment)
{
    unsigned i = 0;
    while (i < side->read_count &&
           !is_response_to(read_at(side, i), i == 0 ? side->response.total : 0, segment))
        i++;
    if (i == side->read_count) {
        lose_response(rdmap, side, segment);
        return false;
    }
    if (i > 0)
        lose(rdmap, i, segment->frame);
    for (; i > 0; i--)
        drop_first_read(rdmap, side);
    if (side->response.total == 0)
        side->response_broken = false; /* nothing of it is missing so far */
    return true;
}

static void take_read_response(struct rdmap *rdmap, enum rpcrdma_endpoint sender,
                               const struct ddp_segment *segment)
{
    enum rpcrdma_endpoint issuer = (enum rpcrdma_endpoint)(1 - (int)sender);
    struct rdmap_side *side = &rdmap->side[issuer];
    if (!find_read(rdmap, side, segment))
        return;
    const struct rdmap_read *read = read_at(side, 0);
    struct buffer *content = &side->response;
    bool only = segment->last && content->total == 0;
    add_payload(rdmap, content, segment, &side->response_broken);
    if (!segment->last)
        return;
    uint64_t seen = only ? segment->recorded : content->length;
    bool whole = !side->response_broken && seen == read->length && seen == content->total;
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_RDMA_READ,
        .from = issuer,
        .data = !whole ? NULL
                : only ? segment->payload
                       : content->octets,
        .length = read->length,
        .handle = read->handle,
        .offset = read->offset,
    };
    if (side->response_broken)
        lose(rdmap, 1, segment->frame);
    else if (seen < content->total)
        rdmap->handler->cut(rdmap->arg, segment->frame);
    if (!read->silent)
        rdmap->handler->event(rdmap->arg, &event, segment->frame);
    drop_first_read(rdmap, side);
}

/* ---- Terminate ---- */

/* The first word says which layer found what, and which headers of the culprit follow. */
enum { TERMINATE_SIZE = 4, SEGMENT_LENGTH_SIZE = 2 };
enum { HAS_SEGMENT_LENGTH = 0x80, HAS_DDP_HEADER = 0x40, HAS_RDMAP_HEADER = 0x20 };
enum { REMOTE_PROTECTION = 0x01, TAGGED_BUFFER = 0x11 }; /* layer and type of the error */

/* The RDMA operation on its sender's memory that a Terminate message refuses; false if it is about
 * something else, or does not say what. */
static bool parse_refusal(const struct ddp_segment *segment, struct rpcrdma_event *event)
{
    const uint8_t *p = segment->payload;
    size_t recorded = segment->recorded, before = TERMINATE_SIZE + SEGMENT_LENGTH_SIZE;
    struct ddp_segment refused;
    if (recorded < before || (p[2] & HAS_SEGMENT_LENGTH) == 0 || (p[2] & HAS_DDP_HEADER) == 0 ||
        (p[0] != REMOTE_PROTECTION && p[0] != TAGGED_BUFFER) ||
        !ddp_parse(p + before, recorded - before, load_be16(p + TERMINATE_SIZE), &refused))
        return false;
    if (refused.opcode == OP_WRITE) {
        event->handle = refused.handle;
        event->offset = refused.offset;
        event->length = refused.length;
        return true;
    }
    event->is_read = true;
    if (refused.opcode != OP_READ_REQUEST || (p[2] & HAS_RDMAP_HEADER) == 0 ||
        refused.recorded < READ_REQUEST_SIZE)
        return false;
    event->handle = load_be32(refused.payload + 16);
    event->offset = load_be64(refused.payload + 20);
    event->length = load_be32(refused.payload + 12);
    return true;
}

static void take_terminate(struct rdmap *rdmap, enum rpcrdma_endpoint sender,
                           const struct ddp_segment *segment)
{
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_REFUSED, .from = sender};
    if (parse_refusal(segment, &event))
        rdmap->handler->event(rdmap->arg, &event, segment->frame);
    rdmap->handler->terminated(rdmap->arg, sender, segment->frame);
}

/* ---- ULPDUs ---- */

void rdmap_begin(struct rdmap *rdmap)
{
    for (int i = 0; i < 2; i++)
        for (int queue = 0; queue < 2; queue++) {
            rdmap->side[i].number_known[queue] = true;
            rdmap->side[i].number[queue] = 1;
        }
}

void rdmap_take(struct rdmap *rdmap, enum rpcrdma_endpoint side, const uint8_t *octets,
                size_t recorded, size_t length, uint64_t frame)
{
    struct ddp_segment segment;
    if (!ddp_parse(octets, recorded, length, &segment)) {
        rdmap->handler->unread(rdmap->arg, frame);
        return;
    }
    segment.frame = frame;
    switch (segment.opcode) {
    case OP_WRITE:
        take_write(rdmap, side, &segment);
        break;
    case OP_READ_REQUEST:
        take_read_request(rdmap, side, &segment);
        break;
    case OP_READ_RESPONSE:
        take_read_response(rdmap, side, &segment);
        break;
    case OP_TERMINATE:
        take_terminate(rdmap, side, &segment);
        break;
    default:
        take_send(rdmap, side, &segment);
    }
    if (side == RPCRDMA_CLIENT)
        rdmap->ready_to_receive = false;
}

void rdmap_skip(struct rdmap *rdmap, enum rpcrdma_endpoint side, uint64_t frame)
{
    struct rdmap_side *this_side = &rdmap->side[side];
    lose(rdmap, this_side->writing, frame);
    this_side->lost = true;
    drop_write(rdmap, this_side);
    /* What is being read may be missing a part. */
    if (rdmap->side[1 - (int)side].read_count > 0)
        rdmap->side[1 - (int)side].response_broken = true;
}

bool rdmap_break_off(struct rdmap *rdmap, enum rpcrdma_endpoint side)
{
    struct rdmap_side *this_side = &rdmap->side[side];
    bool is_within = this_side->sending || this_side->writing;
    drop_send(rdmap, this_side);
    drop_write(rdmap, this_side);
    return is_within;
}

void rdmap_end(struct rdmap *rdmap, uint64_t frame)
{
    for (int i = 0; i < 2; i++) {
        struct rdmap_side *side = &rdmap->side[i];
        if (side->lost || side->sending)
            lose(rdmap, 1, frame);
        side->lost = false;
        drop_send(rdmap, side);
        drop_write(rdmap, side);
        free_reads(rdmap, side);
    }
}

void rdmap_evict(struct rdmap *rdmap, uint64_t frame)
{
    bool any = false;
    for (int i = 0; i < 2; i++) {
        struct rdmap_side *side = &rdmap->side[i];
        any = any || side->sending || side->writing || side->reads;
        side->lost = side->lost || side->sending;
        drop_send(rdmap, side);
        drop_write(rdmap, side);
        free_reads(rdmap, side);
    }
    if (any)
        lose(rdmap, 0, frame);
}
