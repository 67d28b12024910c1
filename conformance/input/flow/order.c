// SPDX-License-Identifier: BSD-3-Clause
/*
 * Order between the two sides.
 *
 * Sequence numbers order the packets of one direction only. Where two mirror ports record the two
 * directions, a Reply may be recorded a few frames before its Call, and the checker would blame the
 * server for an answer to nothing. A Call cannot follow its own Reply, so where both are seen
 * within a few frames their order is known all the same. It is enough to remember the latest XIDs
 * and handles: what is not found waits, but nothing is decided by its absence alone.
 */
#include "conformance/input/flow/order.h"
#include "conformance/input/frame/look.h"
#include "conformance/input/frame/packet.h"

#include <rpcrdma/rpcrdma.h>

#define PREFIX 4 /* octets with the XID */

/* Each key has two places: the latest of those that share them are known. */
static uint32_t *places(uint32_t slots[ORDER_SLOTS], uint32_t key)
{
    return &slots[2 * ((key * 0x9e3779b1u) >> 28)];
}

/* 0 is an empty place. */
static uint32_t mark(uint32_t key)
{
    return key == 0 ? UINT32_MAX : key;
}

static uint32_t *find(uint32_t slots[ORDER_SLOTS], uint32_t key)
{
    key = mark(key);
    uint32_t *place = places(slots, key);
    return place[0] == key ? &place[0] : place[1] == key ? &place[1] : NULL;
}

static void learn(uint32_t slots[ORDER_SLOTS], uint32_t key)
{
    key = mark(key);
    uint32_t *place = places(slots, key);
    if (place[0] != key) {
        place[1] = place[0];
        place[0] = key;
    }
}

/* Visit the handles that a header offers; stops when `visit` returns false. */
typedef bool visit_handle(void *arg, uint32_t handle);

static bool visit_segments(const struct rpcrdma1_segment_array *segments, visit_handle *visit,
                           void *arg)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        if (!visit(arg, segment.handle))
            return false;
    return true;
}

static bool visit_reads(const struct rpcrdma1_read_list *reads, visit_handle *visit, void *arg)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment read;
    while (rpcrdma1_read_list_next(&iter, &read))
        if (!visit(arg, read.target.handle))
            return false;
    return true;
}

static void visit_handles(const struct rpcrdma_message *message, visit_handle *visit, void *arg)
{
    const struct rpcrdma1_chunk_lists *lists = &message->chunks;
    if (message->kind != RPCRDMA_KIND_RPC || !visit_reads(&message->call_chunk, visit, arg) ||
        !visit_reads(&lists->rdma_reads, visit, arg))
        return;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk write;
    while (rpcrdma1_write_list_next(&iter, &write))
        if (!visit_segments(&write.target, visit, arg))
            return;
    if (lists->rdma_reply.present)
        visit_segments(&lists->rdma_reply.value.target, visit, arg);
}

/* An RPC Reply, whatever XID it has. */
static bool has_reply(const struct rpcrdma_event *send, const struct rpcrdma_message *header)
{
    return header->kind == RPCRDMA_KIND_RPC && header->form != RPCRDMA_FORM_SPECIAL &&
           header->header + 8 <= send->length &&
           load_be32((const uint8_t *)send->data + header->header + 4) == RPCRDMA_REPLY;
}

/* A Reply, an RDMA_ERROR, or a RESPROP of -04. The header is NULL if it does not decode. */
static bool is_answer(const struct rpcrdma_event *send, const struct rpcrdma_message *header)
{
    const uint8_t *octets = send->data;
    bool is_error = send->length >= 16 && load_be32(octets + 12) == RPCRDMA1_ERROR;
    return is_error ||
           (header && (rpcrdma_type_answers(header->protocol, header->prefix.procedure) ||
                       has_reply(send, header) ||
                       look_at_decoded(header, octets, send->length,
                                       send->length + send->missing) == LOOKS_REPLY));
}

static bool learn_handle(void *arg, uint32_t handle)
{
    learn(arg, handle);
    return true;
}

/* Not the last Send of an RPC message. The header is NULL if it does not decode. */
static bool is_piece(const struct rpcrdma_message *header)
{
    return header && header->kind == RPCRDMA_KIND_RPC && header->form == RPCRDMA_FORM_PIECE;
}

/* Only version 2 has them; most Replies need not be decoded. */
static bool may_be_piece(const struct rpcrdma_event *send)
{
    const uint8_t *octets = send->data;
    return send->length >= 8 && load_be32(octets + 4) == RPCRDMA_VERSION_2;
}

static enum order_place note_send(struct order *order, const struct rpcrdma_event *event)
{
    if (event->length < PREFIX)
        return ORDER_FREE;
    struct rpcrdma_message message;
    const struct rpcrdma_message *header = NULL;
    uint32_t xid = load_be32(event->data);
    uint32_t *call = find(order->xids[1 - (int)event->from], xid);
    bool is_known = call != NULL;
    if ((!is_known || may_be_piece(event)) && look_decode(&message, event->data, event->length))
        header = &message;
    if (is_known) { /* the Reply to a known Call */
        if (!is_piece(header))
            *call = 0;
        return ORDER_ANSWERS;
    }
    if (is_answer(event, header))
        return ORDER_EARLY;
    if (!is_piece(header)) /* a Reply waits for all of its Call */
        learn(order->xids[event->from], xid);
    if (header)
        visit_handles(header, learn_handle, order->handles[event->from]);
    return ORDER_FREE;
}

enum order_place order_note(struct order *order, const struct rpcrdma_event *event)
{
    switch (event->type) {
    case RPCRDMA_EVENT_SEND:
        return note_send(order, event);
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
        return find(order->handles[1 - (int)event->from], event->handle) ? ORDER_ANSWERS
                                                                         : ORDER_EARLY;
    case RPCRDMA_EVENT_PRIVATE_DATA:
    case RPCRDMA_EVENT_DISCONNECT:
    case RPCRDMA_EVENT_GAP:
    case RPCRDMA_EVENT_ATOMIC:
    case RPCRDMA_EVENT_NOT_READY:
    case RPCRDMA_EVENT_REFUSED:
    case RPCRDMA_EVENT_REGISTERED:
    case RPCRDMA_EVENT_INVALIDATED:
    case RPCRDMA_EVENT_COMPLETED:
        break;
    }
    return ORDER_FREE;
}

struct wanted {
    uint32_t handle;
    bool found;
};

static bool compare_handle(void *arg, uint32_t handle)
{
    struct wanted *wanted = arg;
    wanted->found = handle == wanted->handle;
    return !wanted->found;
}

bool order_explains(const struct rpcrdma_event *call, const struct rpcrdma_event *early)
{
    if (call->type != RPCRDMA_EVENT_SEND || call->from == early->from || call->length < PREFIX)
        return false;
    bool is_send = early->type == RPCRDMA_EVENT_SEND;
    if (is_send && (early->length < PREFIX || load_be32(call->data) != load_be32(early->data)))
        return false;
    struct rpcrdma_message message;
    bool decoded = look_decode(&message, call->data, call->length);
    if (is_send)
        return !is_answer(call, decoded ? &message : NULL) && !(decoded && is_piece(&message));
    struct wanted wanted = {.handle = early->handle};
    if (decoded)
        visit_handles(&message, compare_handle, &wanted);
    return wanted.found;
}
