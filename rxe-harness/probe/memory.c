// SPDX-License-Identifier: BSD-3-Clause
/*
 * The memory that the chunks of a Send name. Its segments are moved to memory that is registered
 * for this connection, and keep what they have to do with each other: those that overlapped in the
 * octets that were given do so in what is sent. A segment that goes on beyond the address space, or
 * is larger than what is set aside, stays as it was; no memory is there.
 */
#include "rxe-harness/probe/memory.h"

#include "rxe-harness/transport/segments.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>

#define CHUNK_MAX 4194304 /* octets, for a Long Call and for all else */
/* Octets of Read chunks that every Responder takes. RFC 8166 gives no number: a chunk that is
 * unreasonably long need not be pulled (8.1.4), and what is so is the upper layer's affair (3.4.4).
 */
#define READ_LIMIT 65536
#define REPLY_MIN 24 /* octets of an accepted Reply without results */

struct memory_moving {
    struct probe_memory *memory;
    struct requester *requester;
    uint32_t numbers;
    uint32_t invalidate, became; /* the handle that may be invalidated, and where it was moved */
    uint64_t call_octets;        /* of Position Zero chunks */
};

static struct rpcrdma1_segment load(const uint8_t *at)
{
    return (struct rpcrdma1_segment){.handle = rpcrdma_xdr_load32(at + RPCRDMA1_SEGMENT_AT_HANDLE),
                                     .length = rpcrdma_xdr_load32(at + RPCRDMA1_SEGMENT_AT_LENGTH),
                                     .offset = rpcrdma_xdr_load64(at + RPCRDMA1_SEGMENT_AT_OFFSET)};
}

static void store(uint8_t *at, uint32_t handle, uint64_t offset)
{
    rpcrdma_xdr_store32(at + RPCRDMA1_SEGMENT_AT_HANDLE, handle);
    rpcrdma_xdr_store64(at + RPCRDMA1_SEGMENT_AT_OFFSET, offset);
}

static bool leaves_address_space(const struct rpcrdma1_segment *segment)
{
    return segment->length > 0 && segment->offset > UINT64_MAX - (segment->length - 1);
}

static bool is_of_long_call(const uint8_t *at, enum segment_list list)
{
    return list == SEGMENT_READ && rpcrdma_xdr_load32(at - 4) == 0; /* its Position */
}

/* A stretch that has one of these octets, or NULL. */
static struct probe_stretch *stretch_of(struct probe_memory *memory, uint32_t handle,
                                        uint64_t first, uint64_t last)
{
    for (unsigned i = 0; i < memory->count; i++) {
        struct probe_stretch *stretch = &memory->stretches[i];
        if (stretch->handle == handle && first <= stretch->last && last >= stretch->first)
            return stretch;
    }
    return NULL;
}

static struct probe_stretch *stretch_with(struct probe_memory *memory,
                                          const struct rpcrdma1_segment *segment)
{
    return segment->length == 0 ? NULL
                                : stretch_of(memory, segment->handle, segment->offset,
                                             segment->offset + (segment->length - 1));
}

/* One stretch of all that hang together. */
static bool gather(void *arg, uint8_t *at, enum segment_list list)
{
    struct memory_moving *moving = arg;
    struct probe_memory *memory = moving->memory;
    struct rpcrdma1_segment segment = load(at);
    if (is_of_long_call(at, list))
        moving->call_octets += segment.length;
    if (is_of_long_call(at, list) || segment.length == 0 || leaves_address_space(&segment))
        return true;
    struct probe_stretch all = {.handle = segment.handle,
                                .first = segment.offset,
                                .last = segment.offset + (segment.length - 1),
                                .access =
                                    list == SEGMENT_READ ? LINK_PEER_READS : LINK_PEER_WRITES};
    struct probe_stretch *other;
    while ((other = stretch_of(memory, segment.handle, all.first, all.last))) {
        all.first = other->first < all.first ? other->first : all.first;
        all.last = other->last > all.last ? other->last : all.last;
        all.access |= other->access;
        *other = memory->stretches[--memory->count];
    }
    if (memory->count < REQUESTER_SEGMENTS)
        memory->stretches[memory->count++] = all;
    return true;
}

static uint64_t octets_of(const struct probe_memory *memory)
{
    uint64_t octets = 0;
    for (unsigned i = 0; i < memory->count && octets < CHUNK_MAX; i++) {
        uint64_t span = memory->stretches[i].last - memory->stretches[i].first;
        octets += span < CHUNK_MAX ? span + 1 : CHUNK_MAX;
    }
    return octets;
}

static uint8_t *set_aside(uint64_t octets, size_t least)
{
    return alloc_zeroed(octets > CHUNK_MAX ? CHUNK_MAX
                        : octets > least   ? (size_t)octets
                                           : least,
                        1);
}

/* The segments of a Position Zero chunk hold a Call together. */
static bool move_call(struct memory_moving *moving, uint8_t *at,
                      const struct rpcrdma1_segment *segment)
{
    struct probe_memory *memory = moving->memory;
    struct link_memory piece;
    if (segment->length > CHUNK_MAX - memory->call_used ||
        !requester_expose(moving->requester, &memory->exposed, memory->call + memory->call_used,
                          segment->length, LINK_PEER_READS, &piece))
        return false;
    memory->call_used += segment->length;
    store(at, piece.handle, piece.offset);
    return true;
}

static bool expose_stretch(struct memory_moving *moving, struct probe_stretch *stretch)
{
    struct probe_memory *memory = moving->memory;
    if (stretch->is_exposed)
        return true;
    uint64_t span = stretch->last - stretch->first;
    if (span >= CHUNK_MAX - memory->room_used)
        return false;
    stretch->octets = memory->room + memory->room_used;
    stretch->is_exposed = requester_expose(moving->requester, &memory->exposed, stretch->octets,
                                           (size_t)span + 1, stretch->access, &stretch->piece);
    memory->room_used += stretch->is_exposed ? (size_t)span + 1 : 0;
    return stretch->is_exposed;
}

static bool move_other(struct memory_moving *moving, uint8_t *at,
                       const struct rpcrdma1_segment *segment, enum segment_list list)
{
    struct probe_memory *memory = moving->memory;
    struct probe_stretch empty = {.first = segment->offset, .octets = memory->room};
    struct probe_stretch *stretch = stretch_with(memory, segment);
    if (segment->length == 0) {
        stretch = &empty;
        empty.is_exposed = requester_expose(
            moving->requester, &memory->exposed, memory->room, 0,
            list == SEGMENT_READ ? LINK_PEER_READS : LINK_PEER_WRITES, &empty.piece);
    }
    if (stretch == NULL || !(stretch->is_exposed || expose_stretch(moving, stretch)))
        return false;
    uint64_t inside = segment->offset - stretch->first;
    store(at, stretch->piece.handle, stretch->piece.offset + inside);
    if (list != SEGMENT_REPLY)
        return true;
    if (memory->reply.reply == NULL)
        memory->reply.reply = stretch->octets + inside;
    memory->reply.reply_room += segment->length;
    return true;
}

static void note_invalidated(struct memory_moving *moving, uint32_t handle, const uint8_t *at)
{
    if (handle != 0 && handle == moving->invalidate && moving->became == 0)
        moving->became = load(at).handle;
}

static bool move(void *arg, uint8_t *at, enum segment_list list)
{
    struct memory_moving *moving = arg;
    struct rpcrdma1_segment segment = load(at);
    bool good = !leaves_address_space(&segment) &&
                (is_of_long_call(at, list) ? move_call(moving, at, &segment)
                                           : move_other(moving, at, &segment, list));
    moving->memory->moved = moving->memory->moved && good;
    if (good)
        note_invalidated(moving, segment.handle, at);
    return true;
}

static uint64_t octets_read(const struct rpcrdma1_read_list *reads)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    uint64_t octets = 0;
    while (rpcrdma1_read_list_next(&iter, &segment))
        octets += segment.target.length;
    return octets;
}

/* Where a Call of version 2 has the handle that the Responder may invalidate; 0: nowhere. */
static size_t place_of_invalidate(const struct rpcrdma_message *message)
{
    if (message->protocol == RPCRDMA_PROTOCOL_1 || message->kind != RPCRDMA_KIND_RPC ||
        message->form == RPCRDMA_FORM_PIECE || message->direction != RPCRDMA_CALL)
        return 0;
    return message->protocol == RPCRDMA_PROTOCOL_2_04 ? RPCRDMA_PREFIX_LENGTH + 4
                                                      : RPCRDMA_PREFIX_LENGTH;
}

void probe_memory_move(struct probe_memory *memory, struct requester *requester,
                       enum rpcrdma_protocol protocol, uint8_t *octets, size_t length)
{
    struct memory_moving moving = {.memory = memory, .requester = requester};
    struct rpcrdma_message message;
    *memory = (struct probe_memory){.moved = true};
    bool is_good =
        !rpcrdma_xdr_failed(rpcrdma_message_decode(&message, protocol, octets, length, NULL));
    if (is_good)
        segments_each_of(octets, &message, gather, &moving);
    memory->room = set_aside(octets_of(memory), 0);
    memory->call = set_aside(moving.call_octets, REQUESTER_RPC);
    if (!is_good)
        return;
    size_t place = place_of_invalidate(&message);
    moving.invalidate = place > 0 ? message.rpc.invalidate : 0;
    segments_each_of(octets, &message, move, &moving);
    if (moving.invalidate != 0) {
        memory->invalidates = true;
        memory->moved = memory->moved && moving.became != 0;
        if (moving.became != 0)
            rpcrdma_xdr_store32(octets + place, moving.became);
    }
    const struct rpcrdma1_write_chunk_opt *reply = &message.chunks.rdma_reply;
    memory->large =
        octets_read(&message.call_chunk) + octets_read(&message.chunks.rdma_reads) > READ_LIMIT;
    memory->full = reply->present && rpcrdma1_segments_length(&reply->value.target) < REPLY_MIN;
}

/* Numbers in place of the handles that registration gives. */
static bool number(void *arg, uint8_t *at, enum segment_list list)
{
    struct memory_moving *moving = arg;
    struct probe_memory *memory = moving->memory;
    struct rpcrdma1_segment segment = load(at);
    if (leaves_address_space(&segment))
        return true;
    struct probe_stretch *stretch =
        is_of_long_call(at, list) ? NULL : stretch_with(memory, &segment);
    uint32_t own = REQUESTER_SEGMENTS + moving->numbers++;
    store(at, stretch ? (uint32_t)(stretch - memory->stretches) : own,
          stretch ? segment.offset - stretch->first : 0);
    note_invalidated(moving, segment.handle, at);
    return true;
}

void probe_memory_number(enum rpcrdma_protocol protocol, uint8_t *octets, size_t length)
{
    struct probe_memory memory = {.count = 0};
    struct memory_moving moving = {.memory = &memory};
    struct rpcrdma_message message;
    if (rpcrdma_xdr_failed(rpcrdma_message_decode(&message, protocol, octets, length, NULL)))
        return;
    size_t place = place_of_invalidate(&message);
    moving.invalidate = place > 0 ? message.rpc.invalidate : 0;
    segments_each_of(octets, &message, gather, &moving);
    segments_each_of(octets, &message, number, &moving);
    if (moving.became != 0)
        rpcrdma_xdr_store32(octets + place, moving.became);
}

void probe_memory_free(struct probe_memory *memory, struct requester *requester)
{
    requester_hide(requester, &memory->exposed);
    free(memory->room);
    free(memory->call);
}
