// SPDX-License-Identifier: BSD-3-Clause
/*
 * Header scope: the chunk lists of one RDMA_MSG or RDMA_NOMSG (RFC 8166 sections 3.4, 3.5, 4.3).
 *
 * Lists come from the network and can be as long as a Send. So each is walked once, in memory that
 * does not grow with it: what needs two entries side by side (overlap, memory offered twice) looks
 * at the last few, or at a table of fixed size, and says nothing beyond that. Lengths add up in 64
 * bits, where they cannot overflow.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpc.h>

#include <string.h>

static uint64_t reply_chunk_length(const struct rpcrdma_send *send)
{
    return rpcrdma1_segments_length(&send->chunks->rdma_reply.value.target);
}

/* ---- what holds the RPC message of a Special Format Call ---- */

/* Of -07 a list of its own, whose Positions are to be zero; before, the Position Zero segments. */
void rpcrdma_sum_position_zero(struct rpcrdma_send *send)
{
    bool own = send->review.judgement->protocol == RPCRDMA_PROTOCOL_2_07;
    struct rpcrdma_xdr_iter iter =
        rpcrdma1_read_list_iter(own ? &send->message.call_chunk : &send->chunks->rdma_reads);
    struct rpcrdma1_read_segment segment;
    while (rpcrdma1_read_list_next(&iter, &segment)) {
        if (own || segment.position == 0) {
            send->has_position_zero = true;
            send->position_zero_length += segment.target.length;
        }
    }
}

/* ---- Read list ---- */

/* Multiplicative hashing: near neighbours never have the same hash. */
static uint32_t hash(uint32_t word, unsigned bits)
{
    return word * 0x9e3779b1u >> (32 - bits);
}

/* Where the index names the stored chunk of this Position, or has room for it. */
static uint8_t *find_place(struct read_chunks *chunks, uint32_t position)
{
    uint32_t i = hash(position, READ_CHUNK_BITS);
    while (chunks->index[i] && chunks->chunk[chunks->index[i] - 1].position != position)
        i = (i + 1) % (1 << READ_CHUNK_BITS);
    return &chunks->index[i];
}

/* From the first Position that is less than the one before it, chunks are looked for. */
static void begin_index(struct read_chunks *chunks)
{
    chunks->descends = true;
    memset(chunks->index, 0, sizeof chunks->index);
    for (uint32_t i = 0; i < chunks->count && i < READ_CHUNKS; i++)
        *find_place(chunks, chunks->chunk[i].position) = (uint8_t)(i + 1);
}

static void report_overlap(struct rpcrdma_send *send, const struct read_chunk *low,
                           const struct read_chunk *high)
{
    break_rule(&send->review, RPCRDMA_RFC8166_3_4_4_4_CHUNKS_OVERLAP, high->at + ENTRY_AT_POSITION,
               RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
               "Position %u lies inside the Read chunk of %u octets at Position %u", high->position,
               low->length, low->position);
    send->reads.overlap = true;
}

/* A chunk is complete: it has all the segments that will be counted to it in this order. */
static void close_chunk(struct rpcrdma_send *send, struct read_chunks *chunks, uint32_t position,
                        int64_t at)
{
    const struct read_chunk *last = &chunks->last;
    const struct read_chunk next = {.position = position, .at = at};
    if (chunks->count > 0 && !chunks->descends &&
        last->position + rpcrdma_xdr_round(last->length) > position)
        report_overlap(send, last, &next);
}

/* Field by field: what was just written in parts is slow to read as a whole. */
static void set_chunk(struct read_chunk *chunk, const struct rpcrdma1_read_segment *segment,
                      int64_t at)
{
    chunk->position = segment->position;
    chunk->length = segment->target.length;
    chunk->at = at;
}

static void add_segment(struct rpcrdma_send *send, struct read_chunks *chunks,
                        const struct rpcrdma1_read_segment *segment, int64_t at)
{
    uint32_t position = segment->position;
    if (chunks->count > 0 && chunks->last.position == position) {
        chunks->last.length += segment->target.length;
        if (chunks->current)
            chunks->current->length += segment->target.length;
        return;
    }
    if (chunks->count > 0 && !chunks->descends && position < chunks->last.position)
        begin_index(chunks);
    if (chunks->descends && is_07(send))
        break_rule(&send->review, send->review.own->positions_ascend, at + ENTRY_AT_POSITION,
                   RESPONDER_MAY(RPCRDMA_ERR_BAD_XDR), "Position %u follows Position %u", position,
                   chunks->last.position);
    uint8_t *named = chunks->descends ? find_place(chunks, position) : NULL;
    if (named && *named) {
        if (!chunks->interleaved)
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_INTERLEAVED_CHUNKS,
                       at + ENTRY_AT_POSITION, NO_REACTION,
                       "the segments of the Read chunk at Position %u stand apart in the list",
                       position);
        chunks->interleaved = true;
        chunks->current = &chunks->chunk[*named - 1];
        chunks->current->length += segment->target.length;
    } else {
        close_chunk(send, chunks, position, at);
        chunks->current = chunks->count < READ_CHUNKS ? &chunks->chunk[chunks->count] : NULL;
        if (chunks->current) {
            set_chunk(chunks->current, segment, at);
            if (named)
                *named = (uint8_t)(chunks->count + 1);
        }
        chunks->count++;
    }
    set_chunk(&chunks->last, segment, at);
}

/* Chunks that came in another order are sorted, if there is room for all of them. */
static void check_overlap(struct rpcrdma_send *send, struct read_chunks *chunks)
{
    if (!chunks->descends || chunks->count > READ_CHUNKS)
        return;
    for (uint32_t i = 1; i < chunks->count; i++) {
        struct read_chunk moved = chunks->chunk[i];
        uint32_t j = i;
        for (; j > 0 && chunks->chunk[j - 1].position > moved.position; j--)
            chunks->chunk[j] = chunks->chunk[j - 1];
        chunks->chunk[j] = moved;
    }
    for (uint32_t i = 1; i < chunks->count; i++) {
        const struct read_chunk *low = &chunks->chunk[i - 1], *high = &chunks->chunk[i];
        if (low->position + rpcrdma_xdr_round(low->length) > high->position)
            report_overlap(send, low, high);
    }
}

static void check_chunk_lengths(struct rpcrdma_send *send, const struct read_chunks *chunks)
{
    uint32_t stored = chunks->count < READ_CHUNKS ? chunks->count : READ_CHUNKS;
    for (uint32_t i = 0; i < stored; i++) {
        const struct read_chunk *chunk = &chunks->chunk[i];
        if (chunk->length == 0)
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_4_EMPTY_READ_CHUNK,
                       chunk->at + ENTRY_AT_LENGTH, NO_REACTION,
                       "the Read chunk at Position %u has no octets", chunk->position);
        if (chunk->length > UINT32_MAX) {
            break_rule(
                &send->review, RPCRDMA_RFC8166_3_4_4_READ_CHUNK_LENGTH_32_BIT,
                chunk->at + ENTRY_AT_LENGTH,
                RESPONDER_MAY(ALSO | RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
                "the Read chunk at Position %u has %u octets, more than a 32-bit length can say",
                chunk->position, chunk->length);
        }
    }
}

#define MAX_READ_CHUNK 1048576 /* unless the configuration says */

/* Not a fault: a Responder need not fetch as much as a Requester offers. */
static void allow_large_chunks(struct rpcrdma_send *send, const struct read_chunks *chunks)
{
    uint32_t limit = send->review.check->config.max_read_chunk;
    uint64_t largest = send->position_zero_length;
    uint32_t stored = chunks->count < READ_CHUNKS ? chunks->count : READ_CHUNKS;
    for (uint32_t i = 0; i < stored; i++)
        if (chunks->chunk[i].length > largest)
            largest = chunks->chunk[i].length;
    if (largest > (limit ? limit : MAX_READ_CHUNK))
        rpcrdma_react(&send->review, RESPONDER_MAY(ALSO | RPCRDMA_ERR_CHUNK));
}

static void check_bounds_of_memory(struct rpcrdma_send *send,
                                   const struct rpcrdma1_segment *segment, int64_t at)
{
    if (segment->length == 0 || segment->length - 1 <= UINT64_MAX - segment->offset)
        return;
    break_rule(&send->review, RPCRDMA_RFC8166_3_4_3_SEGMENT_WITHIN_ADDRESS_SPACE, at,
               EITHER_MAY(ALSO | RPCRDMA_ERR_CHUNK | RPCRDMA_CLOSE, ALSO | RPCRDMA_DISCARD),
               "%u octets from offset 0x%x on run past the end of the 64-bit address space",
               segment->length, segment->offset);
}

/* What holds the RPC message of a Special Format Call. */
static void check_special_call(struct rpcrdma_send *send, int64_t at)
{
    if (send->position_zero_length % 4 != 0) {
        break_rule(&send->review, RPCRDMA_RFC8166_3_5_3_SPECIAL_CHUNK_WHOLE_WORDS,
                   at + ENTRY_AT_LENGTH,
                   RESPONDER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK |
                                 RPCRDMA_GARBAGE_ARGS),
                   "the Position Zero Read chunk has %u octets, not a multiple of four",
                   send->position_zero_length);
    } else if (send->position_zero_length > 0 &&
               send->position_zero_length < RPCRDMA_RPC_CALL_SIZE_MIN) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_LONG_CALL_LENGTH, at + ENTRY_AT_LENGTH,
                   RESPONDER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK |
                                 RPCRDMA_GARBAGE_ARGS),
                   "the Position Zero Read chunk has %u octets; the smallest RPC Call has %u",
                   send->position_zero_length, RPCRDMA_RPC_CALL_SIZE_MIN);
    }
}

static const char *position_zero_text(const struct rpcrdma_send *send)
{
    switch (send->message.protocol) {
    case RPCRDMA_PROTOCOL_2_04:
        return "an RDMA2_MSG has a Position Zero Read chunk";
    case RPCRDMA_PROTOCOL_2_07:
        return "an RDMA2_CALL_INLINE has a Read chunk at Position zero";
    default:
        return "an RDMA_MSG has a Position Zero Read chunk";
    }
}

static void check_position_zero(struct rpcrdma_send *send, int64_t at)
{
    if (is_reply(send))
        return;
    if (is_inline(send)) {
        break_rule(&send->review, RPCRDMA_RFC8166_3_5_3_POSITION_ZERO_IN_MSG,
                   at + ENTRY_AT_POSITION,
                   RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS | RPCRDMA_DISCARD),
                   position_zero_text(send));
    } else if (is_07(send)) {
        break_rule(&send->review, send->review.own->items_not_at_zero, at + ENTRY_AT_POSITION,
                   RESPONDER_MAY(RPCRDMA_ERR_BAD_XDR | RPCRDMA_GARBAGE_ARGS),
                   "the Read list beside a Call chunk has Position zero");
    } else {
        check_special_call(send, at);
    }
}

static void check_read_list(struct rpcrdma_send *send)
{
    const struct rpcrdma1_read_list *reads = &send->chunks->rdma_reads;
    struct read_chunks *chunks = &send->reads;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    bool misaligned = false, position_zero = false;
    for (const uint8_t *at = iter.p; rpcrdma1_read_list_next(&iter, &segment); at = iter.p) {
        int64_t entry = place(send, at);
        check_bounds_of_memory(send, &segment.target, entry + ENTRY_AT_OFFSET);
        if (segment.position % 4 != 0) {
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_POSITION_MULTIPLE_OF_FOUR,
                       entry + ENTRY_AT_POSITION, NO_REACTION,
                       "Position %u is not a multiple of four", segment.position);
            misaligned = true;
        } else if (segment.position == 0) {
            if (!position_zero)
                check_position_zero(send, entry);
            position_zero = true;
        } else if (!is_reply(send)) {
            add_segment(send, chunks, &segment, entry);
        }
    }
    if (!is_reply(send)) {
        check_overlap(send, chunks);
        check_chunk_lengths(send, chunks);
        allow_large_chunks(send, chunks);
    } else if (reads->count > 0) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_1_REPLY_READ_LIST_EMPTY,
                   place(send, reads->wire), REQUESTER_MAY(RPCRDMA_DISCARD),
                   "the Read list of a Reply has entries");
    }
    if (misaligned) /* after what else is wrong with the list */
        rpcrdma_react(&send->review,
                      EITHER_MAY(RPCRDMA_ERR_CHUNK | (is_07(send) ? RPCRDMA_GARBAGE_ARGS : 0),
                                 RPCRDMA_DISCARD));
}

/* ---- Write list and Reply chunk ---- */

/* Result memory that a Call offers, compared with the last few segments before it: a check against
 * all would not be linear. */
#define RECENT_SEGMENTS 16

/* Of a list that is longer, `last` spares nearly every segment the comparison: by a hash of the
 * handle, when a segment had it last, modulo 256. What it says of longer ago may be wrong, and then
 * costs no more than time. */
#define HANDLE_BITS 7

struct recent {
    struct rpcrdma1_segment segment[RECENT_SEGMENTS];
    uint32_t count;
    uint8_t last[1 << HANDLE_BITS];
};

static void begin_handles(struct recent *recent)
{
    memset(recent->last, 0, sizeof recent->last);
    for (uint32_t i = 0; i < RECENT_SEGMENTS; i++)
        recent->last[hash(recent->segment[i].handle, HANDLE_BITS)] = (uint8_t)i;
}

/* Whether one of the last segments may have this handle, which is one of the last from now on. */
static bool may_be_recent(struct recent *recent, uint32_t handle)
{
    if (recent->count < RECENT_SEGMENTS)
        return true;
    if (recent->count == RECENT_SEGMENTS)
        begin_handles(recent);
    uint8_t *last = &recent->last[hash(handle, HANDLE_BITS)];
    uint8_t distance = (uint8_t)(recent->count - *last);
    *last = (uint8_t)recent->count;
    return distance <= RECENT_SEGMENTS;
}

static bool share_memory(const struct rpcrdma1_segment *a, const struct rpcrdma1_segment *b)
{
    if (a->handle != b->handle)
        return false;
    return a->offset <= b->offset ? b->offset - a->offset < a->length
                                  : a->offset - b->offset < b->length;
}

static void compare_result_memory(struct rpcrdma_send *send, const struct recent *recent,
                                  const struct rpcrdma1_segment *segment, int64_t at)
{
    uint32_t stored = recent->count < RECENT_SEGMENTS ? recent->count : RECENT_SEGMENTS;
    for (uint32_t i = 0; i < stored; i++)
        if (share_memory(segment, &recent->segment[i]))
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_3_RESULT_MEMORY_ONCE, at, NO_REACTION,
                       "memory of handle 0x%x is offered for two results", segment->handle);
}

static inline void check_result_memory(struct rpcrdma_send *send, struct recent *recent,
                                       const struct rpcrdma1_segment *segment, int64_t at)
{
    if (segment->length == 0)
        return;
    if (may_be_recent(recent, segment->handle))
        compare_result_memory(send, recent, segment, at);
    recent->segment[recent->count++ % RECENT_SEGMENTS] = *segment;
}

/* The segments of a Write or Reply chunk; returns their length together. */
static inline uint64_t check_segments(struct rpcrdma_send *send, struct recent *recent,
                                      const struct rpcrdma1_segment_array *segments)
{
    uint64_t length = 0;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    for (const uint8_t *at = iter.p; rpcrdma1_segment_array_next(&iter, &segment); at = iter.p) {
        length += segment.length;
        check_bounds_of_memory(send, &segment, place(send, at) + SEGMENT_AT_OFFSET);
        if (is_call(send))
            check_result_memory(send, recent, &segment, place(send, at));
    }
    return length;
}

static void check_write_list(struct rpcrdma_send *send, struct recent *recent)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&send->chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        uint64_t length = check_segments(send, recent, &chunk.target);
        if (is_call(send) && chunk.target.count > 0 && length == 0)
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_6_WRITE_CHUNK_WITHOUT_ROOM,
                       place(send, chunk.target.wire) + SEGMENT_AT_LENGTH, NO_REACTION,
                       chunk.target.count == 1 ? "the Write chunk has %u segment and no room"
                                               : "the Write chunk has %u segments and no room",
                       chunk.target.count);
    }
}

static void check_reply_chunk(struct rpcrdma_send *send, struct recent *recent)
{
    if (!send->chunks->rdma_reply.present)
        return;
    const struct rpcrdma1_segment_array *target = &send->chunks->rdma_reply.value.target;
    uint64_t length = check_segments(send, recent, target);
    int64_t at = target->count > 0 ? place(send, target->wire) + SEGMENT_AT_LENGTH
                                   : place_of_count(send, target);
    if (is_call(send) && (is_inline(send) || send->has_position_zero) && length == 0)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_WITHOUT_ROOM, at, NO_REACTION,
                   target->count == 1 ? "the Reply chunk has %u segment and no room"
                                      : "the Reply chunk has %u segments and no room",
                   target->count);
    if (!is_reply(send) || length == 0)
        return;
    if (is_inline(send)) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_3_SHORT_REPLY_LEAVES_CHUNK_UNUSED, at,
                   REQUESTER_MAY(RPCRDMA_DISCARD),
                   "an RDMA_MSG Reply returns %u octets in its Reply chunk", length);
    } else if (length % 4 != 0) {
        break_rule(&send->review, RPCRDMA_RFC8166_3_5_3_SPECIAL_CHUNK_WHOLE_WORDS, at,
                   REQUESTER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD),
                   "the Reply chunk returns %u octets, not a multiple of four", length);
    } else if (length < RPCRDMA_RPC_REPLY_SIZE_MIN) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_LONG_REPLY_LENGTH, at,
                   REQUESTER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD),
                   "the Reply chunk returns %u octets; the smallest RPC Reply has %u", length,
                   RPCRDMA_RPC_REPLY_SIZE_MIN);
    }
}

/* ---- the Call chunk of -07 ---- */

static void check_call_chunk(struct rpcrdma_send *send)
{
    const struct rpcrdma1_read_list *list = &send->message.call_chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    struct rpcrdma1_read_segment segment;
    for (const uint8_t *at = iter.p; rpcrdma1_read_list_next(&iter, &segment); at = iter.p) {
        check_bounds_of_memory(send, &segment.target, place(send, at) + ENTRY_AT_OFFSET);
        if (segment.position != 0)
            break_rule(&send->review, send->review.own->call_chunk_position_zero,
                       place(send, at) + ENTRY_AT_POSITION, RESPONDER_MAY(RPCRDMA_ERR_BAD_XDR),
                       "the Call chunk has Position %u", segment.position);
    }
    check_special_call(send, place(send, list->wire));
}

/* ---- who holds the payload of a Special Format message ---- */

/* False, as check_holder(). */
static bool check_holder_07(struct rpcrdma_send *send)
{
    const struct own_rules *own = send->review.own;
    const struct rpcrdma1_write_chunk_opt *reply = &send->chunks->rdma_reply;
    static const struct reactions refuse = {RPCRDMA_DISCARD | RPCRDMA_TERMINATE,
                                            RPCRDMA_ERR_BAD_XDR | RPCRDMA_GARBAGE_ARGS};
    int64_t list =
        is_call(send) ? place(send, send->message.call_chunk.wire) : place_of_reply(send);
    if (is_call(send) && !send->has_position_zero)
        break_rule(&send->review, own->call_chunk_present, list, RESPONDER_MAY(RPCRDMA_ERR_BAD_XDR),
                   "the Call chunk has no segments");
    else if (is_call(send) && send->position_zero_length == 0)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_NOMSG_HOLDS_PAYLOAD, list, refuse,
                   "the Call chunk has no octets");
    else if (is_reply(send) && !reply->present)
        break_rule(&send->review, own->reply_chunk_present, list, refuse,
                   "an RDMA2_REPLY_EXTERNAL has no Reply chunk");
    else if (is_reply(send) && reply_chunk_length(send) == 0)
        break_rule(&send->review, own->reply_chunk_holds_payload, list, refuse,
                   "the Reply chunk of an RDMA2_REPLY_EXTERNAL returns no octets");
    else
        return true;
    return false;
}

/* False ends the judgement: without a holder, what the lists say besides is of no interest. */
static bool check_holder(struct rpcrdma_send *send)
{
    const struct rpcrdma1_chunk_lists *chunks = send->chunks;
    bool none = chunks->rdma_reads.count == 0 && chunks->rdma_writes.count == 0 &&
                !chunks->rdma_reply.present;
    bool reply_form = chunks->rdma_reads.count == 0 && chunks->rdma_reply.present;
    if (is_07(send))
        return check_holder_07(send);
    bool holds_reply = chunks->rdma_reply.present && reply_chunk_length(send) > 0;
    if (is_04(send) ? (is_call(send) ? send->position_zero_length > 0 : holds_reply)
                    : send->position_zero_length > 0 || (reply_form && holds_reply))
        return true;
    static const struct reactions refuse = {RPCRDMA_DISCARD, RPCRDMA_ERR_CHUNK};
    int64_t lists = place(send, chunks->rdma_reads.wire);
    if (none)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_NOMSG_LIST_PRESENT, lists, refuse,
                   "an RDMA_NOMSG has no chunk list at all");
    else if (send->has_position_zero)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_NOMSG_HOLDS_PAYLOAD, lists, refuse,
                   "the Position Zero Read chunk of an RDMA_NOMSG has no octets");
    else if (reply_form)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_NOMSG_HOLDS_PAYLOAD, place_of_reply(send),
                   refuse, "the Reply chunk of an RDMA_NOMSG returns no octets");
    else
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_NOMSG_HOLDS_PAYLOAD, lists, refuse,
                   "no chunk of this RDMA_NOMSG holds the RPC message");
    return false;
}

void rpcrdma_judge_chunks(struct rpcrdma_send *send)
{
    if (is_special(send) && !check_holder(send))
        return;
    struct recent recent; /* filled as it is used */
    recent.count = 0;
    if (send->message.call_chunk.count > 0)
        check_call_chunk(send);
    if (send->chunks->rdma_reads.count > 0)
        check_read_list(send);
    if (send->chunks->rdma_writes.count > 0)
        check_write_list(send, &recent);
    check_reply_chunk(send, &recent);
}
