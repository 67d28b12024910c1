// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/proxy/chunks.h"

#include "rxe-harness/proxy/version2.h"
#include "rxe-harness/transport/blank.h"
#include "rxe-harness/transport/segments.h"

#include <stdlib.h>

/* Octets between two segments in memory of ours: what is written there was meant for a segment that
 * ended before. */
#define GUARD 64

static bool fail(struct chunks *chunks, const char *why)
{
    chunks->error = why;
    return false;
}

static bool give_up(struct chunks *chunks, const char *why)
{
    chunks->too_much = true;
    return fail(chunks, why);
}

/* ---- Calls ---- */

struct sizes {
    uint64_t reads, writes;
    unsigned read_segments, pieces;
};

static bool add_up(void *arg, uint8_t *segment, enum segment_list list)
{
    struct sizes *sizes = arg;
    bool is_read = list == SEGMENT_READ;
    *(is_read ? &sizes->reads : &sizes->writes) += rpcrdma_xdr_load32(segment + 4);
    sizes->read_segments += is_read;
    sizes->pieces += !is_read;
    return true;
}

struct moving {
    struct chunks *chunks;
    struct chunks_call *call;
    uint64_t read, written; /* octets so far */
    bool failed;
};

static bool pull(void *arg, uint8_t *segment, enum segment_list list)
{
    struct moving *moving = arg;
    struct chunks *chunks = moving->chunks;
    struct link *caller = chunks->caller;
    uint32_t handle = rpcrdma_xdr_load32(segment), length = rpcrdma_xdr_load32(segment + 4);
    uint64_t offset = rpcrdma_xdr_load64(segment + 8);
    if (list != SEGMENT_READ || length == 0)
        return true;
    uint8_t *octets = moving->call->reads.octets + moving->read;
    if (!caller->ops->read(caller, handle, offset, octets, length))
        return fail(chunks, "an RDMA Read of the caller's memory failed");
    chunks->moved(chunks->arg, false, handle, offset, octets, length);
    chunks->relayed[0] += length;
    moving->read += length;
    return true;
}

static bool redirect(void *arg, uint8_t *segment, enum segment_list list)
{
    struct moving *moving = arg;
    struct chunks_call *call = moving->call;
    bool is_read = list == SEGMENT_READ;
    uint64_t *at = is_read ? &moving->read : &moving->written;
    const struct link_memory *memory = is_read ? &call->reads : &call->writes;
    uint32_t length = rpcrdma_xdr_load32(segment + 4);
    if (is_read && *at == 0)
        call->read_handle = rpcrdma_xdr_load32(segment);
    if (call->named != 0 && rpcrdma_xdr_load32(segment) == call->named)
        call->named_in = memory;
    if (!is_read)
        call->pieces[call->count++] =
            (struct chunks_piece){.at = *at,
                                  .handle = rpcrdma_xdr_load32(segment),
                                  .length = length,
                                  .offset = rpcrdma_xdr_load64(segment + 8)};
    rpcrdma_xdr_store32(segment, memory->handle);
    rpcrdma_xdr_store64(segment + 8, memory->offset + *at);
    *at += length + (is_read ? 0 : GUARD);
    return true;
}

static bool provide(struct chunks *chunks, struct link_memory *memory, uint64_t length,
                    unsigned access)
{
    if (length == 0)
        return true;
    memory->length = (size_t)length;
    memory->octets = calloc(1, memory->length);
    if (memory->octets == NULL)
        return false;
    if (access == LINK_PEER_READS) /* filled first */
        return true;
    blank_fill(memory->octets, 0, memory->length);
    return chunks->answerer->ops->expose(chunks->answerer, memory, access);
}

static void forget(struct chunks *chunks, struct chunks_call *call)
{
    struct link *answerer = chunks->answerer;
    struct link_memory *both[] = {&call->reads, &call->writes};
    for (int i = 0; i < 2; i++) {
        if (both[i]->own)
            answerer->ops->hide(answerer, both[i]);
        chunks->octets -= both[i]->length;
        free(both[i]->octets);
    }
    chunks->count--;
    free(call->pieces);
    free(call);
}

/* Where all segments are without octets there is memory of ours as well: their handles would be the
 * caller's, which the answerer may invalidate and has not. */
static uint64_t read_room(const struct sizes *sizes)
{
    return sizes->reads > 0 || sizes->read_segments == 0 ? sizes->reads : 1;
}

static uint64_t write_room(const struct sizes *sizes)
{
    return sizes->writes + (uint64_t)GUARD * sizes->pieces;
}

static bool move_call(struct chunks *chunks, struct chunks_call *call, uint8_t *octets,
                      const struct rpcrdma_message *message, const struct sizes *sizes)
{
    struct link *answerer = chunks->answerer;
    struct moving moving = {.chunks = chunks, .call = call};
    call->pieces = calloc((size_t)sizes->pieces + 1, sizeof *call->pieces);
    bool good = call->pieces && provide(chunks, &call->reads, read_room(sizes), LINK_PEER_READS) &&
                provide(chunks, &call->writes, write_room(sizes), LINK_PEER_WRITES);
    chunks->octets += call->reads.length + call->writes.length;
    if (!good)
        return give_up(chunks, "no memory for the chunks of a Call");
    if (!segments_each_of(octets, message, pull, &moving))
        return false;
    if (call->reads.octets && !answerer->ops->expose(answerer, &call->reads, LINK_PEER_READS))
        return give_up(chunks, "no memory for the chunks of a Call");
    moving.read = 0;
    bool moved = segments_each_of(octets, message, redirect, &moving);
    if (call->named_in)
        proxy2_name_handle(octets, message, call->named_in->handle);
    return moved;
}

/* Only the last Send of a message in pieces has chunks, and names a handle. */
static bool is_whole(const struct rpcrdma_message *message)
{
    return message->kind == RPCRDMA_KIND_RPC && message->form != RPCRDMA_FORM_PIECE;
}

static bool decode_call(struct rpcrdma_message *message, enum rpcrdma_protocol protocol,
                        uint8_t *octets, size_t length)
{
    uint32_t version = protocol == RPCRDMA_PROTOCOL_1 ? 1 : 2;
    return rpcrdma_message_decode(message, protocol, octets, length, NULL) >= 0 &&
           message->prefix.version == version && is_whole(message) &&
           message->direction != RPCRDMA_REPLY;
}

bool chunks_call(struct chunks *chunks, enum rpcrdma_protocol protocol, uint8_t *octets,
                 size_t length)
{
    struct rpcrdma_message message;
    struct sizes sizes = {0};
    if (!decode_call(&message, protocol, octets, length))
        return true;
    uint32_t named =
        protocol != RPCRDMA_PROTOCOL_1 && chunks->invalidates ? message.rpc.invalidate : 0;
    proxy2_name_handle(octets, &message, 0);
    segments_each_of(octets, &message, add_up, &sizes);
    if (sizes.read_segments + sizes.pieces == 0)
        return true;
    if (sizes.reads > CHUNKS_CALL_MAX || sizes.writes > CHUNKS_CALL_MAX ||
        read_room(&sizes) + write_room(&sizes) > CHUNKS_TOTAL_MAX - chunks->octets ||
        chunks->count >= CHUNKS_CALLS_MAX)
        return give_up(chunks, "the chunks of Calls take more memory than there is for them");
    struct chunks_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return give_up(chunks, "no memory for the chunks of a Call");
    call->xid = message.prefix.xid;
    call->named = named;
    call->next = chunks->calls;
    chunks->calls = call;
    chunks->count++;
    return move_call(chunks, call, octets, &message, &sizes);
}

/* ---- Replies ---- */

static bool is_ours(const struct chunks_call *call, const uint8_t *segment, enum segment_list list)
{
    return list != SEGMENT_READ && call->writes.octets &&
           rpcrdma_xdr_load32(segment) == call->writes.handle;
}

/* Each has its own place, for there is something after each. */
static struct chunks_piece *find_piece(const struct chunks_call *call, uint64_t at)
{
    for (unsigned i = 0; i < call->count; i++)
        if (call->pieces[i].at == at)
            return &call->pieces[i];
    return NULL;
}

/* A segment of ours, in the Reply: its octets go to the caller, and it is the caller's again. What
 * is not of ours stays: it is for the checker to say so. */
static bool push(void *arg, uint8_t *segment, enum segment_list list)
{
    struct moving *moving = arg;
    struct chunks *chunks = moving->chunks;
    const struct chunks_call *call = moving->call;
    struct link *caller = chunks->caller;
    uint32_t length = rpcrdma_xdr_load32(segment + 4);
    uint64_t at = rpcrdma_xdr_load64(segment + 8) - call->writes.offset;
    struct chunks_piece *piece = is_ours(call, segment, list) ? find_piece(call, at) : NULL;
    if (piece == NULL)
        return true;
    rpcrdma_xdr_store32(segment, piece->handle);
    rpcrdma_xdr_store64(segment + 8, piece->offset);
    const uint8_t *octets = call->writes.octets + at;
    size_t moved = length < piece->length ? length : piece->length;
    if (moved == 0 || piece->written || moving->failed)
        return true;
    piece->written = true;
    moving->failed = !caller->ops->write(caller, piece->handle, piece->offset, octets, moved);
    if (moving->failed)
        return true;
    chunks->relayed[1] += moved;
    size_t written = blank_written(call->writes.octets, (size_t)at, moved);
    if (written > 0)
        chunks->moved(chunks->arg, true, piece->handle, piece->offset, octets, written);
    return true;
}

/* What was written beyond a segment. */
static void look_at_guards(struct chunks *chunks, const struct chunks_call *call)
{
    for (unsigned i = 0; call->writes.octets && i < call->count; i++) {
        const struct chunks_piece *piece = &call->pieces[i];
        uint64_t end = piece->at + piece->length;
        size_t written = blank_last(call->writes.octets, (size_t)end, GUARD);
        if (written > 0)
            chunks->moved(chunks->arg, true, piece->handle, piece->offset + piece->length,
                          call->writes.octets + end, written);
    }
}

/* Of what the answerer sends, only this ends a Call of the caller's. */
static bool is_answer(const struct rpcrdma_message *message, const uint8_t *payload, size_t length)
{
    if (message->kind == RPCRDMA_KIND_ERROR)
        return true;
    if (!is_whole(message))
        return false;
    if (message->direction != RPCRDMA_DIRECTION_UNKNOWN)
        return message->direction == RPCRDMA_REPLY;
    if (message->form == RPCRDMA_FORM_SPECIAL)
        return message->chunks.rdma_reads.count == 0;
    /* not where an RPC Call is after it, in the reverse direction */
    return length < 8 || rpcrdma_xdr_load32(payload + 4) != 0;
}

static bool is_others(void *arg, uint8_t *segment, enum segment_list list)
{
    return !is_ours(arg, segment, list);
}

/* The Call that is answered: of several with one XID that whose memory comes back, or else the
 * oldest. */
static struct chunks_call **find_call(struct chunks *chunks, uint8_t *octets,
                                      const struct rpcrdma_message *message)
{
    struct chunks_call **oldest = NULL;
    for (struct chunks_call **at = &chunks->calls; *at; at = &(*at)->next) {
        if ((*at)->xid != message->prefix.xid)
            continue;
        if (!segments_each_of(octets, message, is_others, *at))
            return at;
        oldest = at;
    }
    return oldest;
}

bool chunks_reply(struct chunks *chunks, enum rpcrdma_protocol protocol, uint8_t *octets,
                  size_t length)
{
    struct rpcrdma_message message;
    if (rpcrdma_message_decode(&message, protocol, octets, length, NULL) < 0 ||
        !is_answer(&message, octets + message.header, length - message.header))
        return true;
    struct chunks_call **at = find_call(chunks, octets, &message);
    if (at == NULL)
        return true;
    struct chunks_call *call = *at;
    struct moving moving = {.chunks = chunks, .call = call};
    segments_each_of(octets, &message, push, &moving);
    look_at_guards(chunks, call);
    *at = call->next;
    forget(chunks, call);
    return !moving.failed || fail(chunks, "an RDMA Write to the caller's memory failed");
}

/* The caller's handle of the first segment with octets, or of the first. */
static uint32_t write_handle(const struct chunks_call *call)
{
    for (unsigned i = 0; i < call->count; i++)
        if (call->pieces[i].length > 0)
            return call->pieces[i].handle;
    return call->pieces[0].handle;
}

bool chunks_handle(const struct chunks *chunks, uint32_t handle, uint32_t *callers)
{
    for (const struct chunks_call *call = chunks->calls; call; call = call->next) {
        bool is_read = call->reads.octets && call->reads.handle == handle;
        bool is_write = call->writes.octets && call->writes.handle == handle && call->count > 0;
        if (!is_read && !is_write)
            continue;
        *callers = call->named_in == (is_read ? &call->reads : &call->writes) ? call->named
                   : is_read                                                  ? call->read_handle
                                                                              : write_handle(call);
        return true;
    }
    return false;
}

void chunks_free(struct chunks *chunks)
{
    while (chunks->calls) {
        struct chunks_call *call = chunks->calls;
        chunks->calls = call->next;
        forget(chunks, call);
    }
}
