// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages in pieces (draft -07 sections 4.1, 6.3.6, 6.3.9 and 6.6.2). Each side can be in the
 * middle of one. The pieces stand one after the other; that with the chunk lists comes last, and
 * then the whole RPC message is judged, as far as its octets are kept.
 *
 * Where a sequence breaks off, its receiver answers by an error and drops pieces, and it is not
 * said which: nothing more is said of that message.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpc.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <string.h>

/* What rdma_remaining counts: what comes after this Send, or its own octets as well. */
enum remaining { AFTER = 1 << 0, INCLUDING = 1 << 1 };

/* An inline message or a piece has one word at least. */
#define PIECE_MIN 4

enum {
    AT_XID = RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_XID,
    AT_TYPE = RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_HTYPE,
    AT_REMAINING = RPCRDMA2_07_HDR_PREFIX_SIZE + RPCRDMA2_07_HDR_CALL_MIDDLE_AT_RDMA_REMAINING,
};

#define INVAL_CONT RPCRDMA_ERR_INVAL_CONT

static struct pieces *pieces_of(const struct rpcrdma_send *send)
{
    return &send->own->pieces;
}

static bool is_rpc(const struct rpcrdma_send *send)
{
    return send->message.kind == RPCRDMA_KIND_RPC;
}

static bool is_piece(const struct rpcrdma_send *send)
{
    return is_rpc(send) && send->message.form == RPCRDMA_FORM_PIECE;
}

/* A piece, or what can be the last one. */
static bool has_octets(const struct rpcrdma_send *send)
{
    return is_rpc(send) && send->message.form != RPCRDMA_FORM_SPECIAL;
}

/* ---- what the pieces bring ---- */

/* Keep the octets before the first that is missing. */
static void keep(const struct rpcrdma_send *send, struct pieces *pieces)
{
    uint32_t room = rpcrdma_continued(&send->review.check->config) - pieces->length;
    size_t length = send->payload.length < room ? send->payload.length : room;
    if (!pieces->cut && length > 0)
        memcpy(pieces->octets + pieces->length, send->payload.octets, length);
    if (!pieces->cut)
        pieces->length += (uint32_t)length;
    pieces->cut = pieces->cut || length < send->payload.total;
    pieces->total += send->payload.total;
    pieces->last = send->payload.total;
    if (rpcrdma_send_limit(send) > pieces->limit)
        pieces->limit = rpcrdma_send_limit(send);
    pieces->remaining = send->message.rpc.remaining;
    pieces->count++;
}

/* Others of this message may have come before: unseen, or with what its receiver has dropped. */
static bool may_have_begun(const struct rpcrdma_send *send, const struct pieces *pieces)
{
    return pieces->unseen || (pieces->broken && pieces->broken_xid == send->message.prefix.xid);
}

/* Its receiver may drop what is left of it. */
static void fail(struct pieces *pieces)
{
    pieces->failed = pieces->broken = true;
    pieces->broken_xid = pieces->xid;
}

static void begin(const struct rpcrdma_send *send, struct pieces *pieces)
{
    pieces->open = true;
    pieces->failed = pieces->mixed = false;
    pieces->kind = (uint8_t)send->message.direction;
    pieces->xid = send->message.prefix.xid;
    pieces->length = pieces->count = pieces->limit = 0;
    pieces->total = 0;
    pieces->headless = may_have_begun(send, pieces);
    pieces->cut = false;
    pieces->reading = AFTER | INCLUDING;
}

/* ---- rdma_remaining ---- */

static void false_remaining(struct rpcrdma_send *send, struct pieces *pieces, int64_t at,
                            uint64_t expected)
{
    bool call = send->message.direction == RPCRDMA_CALL;
    uint32_t open = INVAL_CONT | RPCRDMA_PROCESS;
    fail(pieces);
    break_rule(&send->review,
               call ? RPCRDMA2_07_6_3_6_CALL_REMAINING : RPCRDMA2_07_6_3_9_REPLY_REMAINING, at,
               EITHER_MAY(open, open | RPCRDMA_DISCARD | RPCRDMA_TERMINATE),
               "%u octets of the %u that remained, and %u are said to follow", send->payload.total,
               expected, send->message.rpc.remaining);
}

/* Of the first piece: in both readings at least a word has to follow. */
static void check_first_remaining(struct rpcrdma_send *send, struct pieces *pieces)
{
    uint64_t remaining = send->message.rpc.remaining;
    if (remaining < PIECE_MIN)
        pieces->reading &= (uint8_t)~AFTER;
    if (remaining < send->payload.total + PIECE_MIN)
        pieces->reading &= (uint8_t)~INCLUDING;
    if (pieces->reading == 0)
        false_remaining(send, pieces, AT_REMAINING, remaining);
}

/* What is left after this Send by the words of the piece before it, in either reading. */
static void check_remaining(struct rpcrdma_send *send, struct pieces *pieces)
{
    bool last = !is_piece(send);
    uint64_t now = last ? 0 : send->message.rpc.remaining, here = send->payload.total;
    uint64_t least = last ? 0 : PIECE_MIN;
    if (pieces->remaining != here + now || now < least)
        pieces->reading &= (uint8_t)~AFTER;
    if (pieces->remaining != pieces->last + (last ? here : now) ||
        (!last && now < here + PIECE_MIN))
        pieces->reading &= (uint8_t)~INCLUDING;
    if (pieces->reading == 0)
        false_remaining(send, pieces, last ? send->review.judgement->header_length : AT_REMAINING,
                        pieces->remaining);
    else if (last && pieces->reading == INCLUDING)
        break_rule(&send->review, RPCRDMA2_07_6_3_6_REMAINING_INCLUDES_ITSELF,
                   send->review.judgement->header_length,
                   EITHER_MAY(ALSO | INVAL_CONT, ALSO | INVAL_CONT | RPCRDMA_DISCARD),
                   "the pieces counted their own octets among those that remain");
}

/* Whether its receiver takes it, drops it or refuses it is open: nothing depends on it from here
 * on.
 */
static void doubt(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    if (send->answers)
        rpcrdma_state_set(check, send->answers, CALL_DOUBTFUL);
    if (send->message.kind == RPCRDMA_KIND_RPC && send->message.direction == RPCRDMA_CALL)
        check->traffic[send->review.event->from].forgot_memory = true;
    send->state = HEADER_NONE;
    send->chunks = NULL;
}

/* ---- other messages, where pieces are to follow ---- */

void rpcrdma_judge_control_between(struct rpcrdma_send *send)
{
    struct pieces *pieces = pieces_of(send);
    if (pieces->control_told)
        return;
    pieces->control_told = true;
    break_rule(&send->review, RPCRDMA2_07_6_3_6_CONTROL_BETWEEN, AT_TYPE,
               EITHER_MAY(ALSO | INVAL_CONT, ALSO | INVAL_CONT),
               "a message of type %u between the pieces of another",
               send->review.judgement->procedure);
}

/* Another message of the same kind, or something that is no piece of such a one. */
static void check_foreign(struct rpcrdma_send *send, struct pieces *pieces)
{
    bool call = pieces->kind == RPCRDMA_CALL;
    bool same = has_octets(send) && send->message.direction == pieces->kind;
    enum rpcrdma_rule rule = same   ? RPCRDMA2_07_4_1_PIECES_NOT_MIXED
                             : call ? RPCRDMA2_07_6_3_6_CALL_CONTINUES
                                    : RPCRDMA2_07_6_3_9_REPLY_CONTINUES;
    uint32_t dropped = RPCRDMA_DISCARD | (call || same ? 0 : RPCRDMA_TERMINATE);
    break_rule(&send->review, rule, same ? AT_XID : AT_TYPE,
               EITHER_MAY(INVAL_CONT, INVAL_CONT | dropped),
               "a message of type %u with XID 0x%x, where the pieces of XID 0x%x go on",
               send->review.judgement->procedure, send->message.prefix.xid, pieces->xid);
    fail(pieces);
    pieces->mixed = true;
    pieces->mixed_xid = send->message.prefix.xid;
    doubt(send);
}

/* ---- the last piece ---- */

static uint64_t reply_room(const struct rpcrdma_send *send)
{
    const struct offered_memory *all = send->review.check->memory;
    uint64_t room = 0;
    for (uint32_t i = send->answers->first; i != NONE; i = all[i].next)
        room += all[i].kind == MEMORY_REPLY ? all[i].length : 0;
    return room;
}

/* A Reply that fits one Send may come in pieces all the same. */
static void check_reply_chunk(struct rpcrdma_send *send, const struct pieces *pieces)
{
    if (!is_reply(send) || !send->answers || !send->answers->judged ||
        !send->answers->offers.has_reply_chunk || pieces->limit == 0)
        return;
    uint64_t room = reply_room(send);
    if (pieces->total <= room && send->message.header + pieces->total > pieces->limit)
        break_rule(&send->review, RPCRDMA2_07_6_6_3_REPLY_CHUNK_PREFERRED, RPCRDMA_NO_OFFSET,
                   NO_REACTION, "the Reply of %u octets comes in pieces; its Reply chunk takes %u",
                   pieces->total, room);
}

/* The Send stands for the whole message from here on. */
static void join(struct rpcrdma_send *send, const struct pieces *pieces)
{
    send->payload.octets = pieces->octets;
    send->payload.length = pieces->length;
    send->payload.at -= (int64_t)(pieces->total - send->payload.total);
    send->payload.total = pieces->total;
}

static void end(struct rpcrdma_send *send, struct pieces *pieces)
{
    bool whole = !pieces->failed && !pieces->headless;
    pieces->open = pieces->failed = false;
    if (!whole) {
        doubt(send);
        return;
    }
    keep(send, pieces);
    join(send, pieces);
    check_reply_chunk(send, pieces);
}

static void go_on(struct rpcrdma_send *send, struct pieces *pieces)
{
    if (pieces->failed)
        rpcrdma_react(&send->review,
                      EITHER_MAY(ALSO | RPCRDMA_DISCARD | INVAL_CONT,
                                 ALSO | RPCRDMA_DISCARD | INVAL_CONT | RPCRDMA_TERMINATE));
    else
        check_remaining(send, pieces);
    if (is_piece(send))
        keep(send, pieces);
    else
        end(send, pieces);
}

/* ---- every Send ---- */

/* The message is judged when it is whole; its receiver may compare the XIDs before (6.3.6, 6.3.9).
 */
static void allow_early_comparison(struct rpcrdma_send *send)
{
    bool is_sound = send->review.judgement->count == 0; /* else that says what is open */
    if (is_sound && send->payload.length >= 4 &&
        rpcrdma_xdr_load32(send->payload.octets) != send->message.prefix.xid)
        rpcrdma_react(&send->review,
                      EITHER_MAY(ALSO | RPCRDMA_ERR_BAD_XDR, ALSO | RPCRDMA_DISCARD));
}

/* Where the beginning was not seen an inline message can be the rest of one. */
static bool may_be_rest(const struct rpcrdma_send *send)
{
    uint32_t type = send->message.direction == RPCRDMA_CALL ? 0 : 1;
    return send->payload.length < RPCRDMA_RPC_AT_MTYPE + 4 ||
           rpcrdma_xdr_load32(send->payload.octets) != send->message.prefix.xid ||
           rpcrdma_xdr_load32(send->payload.octets + RPCRDMA_RPC_AT_MTYPE) != type;
}

static void start(struct rpcrdma_send *send, struct pieces *pieces)
{
    if (is_piece(send)) {
        begin(send, pieces);
        check_first_remaining(send, pieces);
        allow_early_comparison(send);
        keep(send, pieces);
    } else if (has_octets(send) && may_have_begun(send, pieces) && may_be_rest(send)) {
        doubt(send);
    }
    /* Of a grant or an error nothing follows. */
    if (is_rpc(send) || send->message.kind == RPCRDMA_KIND_PROPERTIES)
        pieces->unseen = false;
}

/* A Reply while its Call still comes. One that denies the Call may need no more than its beginning.
 * After a gap the end of the Call may be missing as well. */
static void check_early_reply(struct rpcrdma_send *send)
{
    struct pieces *call = &send->peer->pieces;
    if (!is_rpc(send) || !is_reply(send) || !call->open || call->kind != RPCRDMA_CALL ||
        call->xid != send->message.prefix.xid)
        return;
    bool may_be_missing = send->review.check->traffic[other(send->review.event->from)].forgot;
    if (!call->failed && !may_be_missing)
        break_rule(&send->review, RPCRDMA2_07_6_6_2_REPLY_BEFORE_CALL_ENDS, AT_XID,
                   REQUESTER_MAY(ALSO | RPCRDMA_DISCARD),
                   "a Reply to XID 0x%x, whose Call has not ended", call->xid);
    fail(call);
}

/* What the other side has refused may go on, or not. */
static void take_error(const struct rpcrdma_send *send)
{
    struct pieces *refused = &send->peer->pieces;
    if (send->message.kind == RPCRDMA_KIND_ERROR && refused->open &&
        send->message.prefix.xid == refused->xid)
        fail(refused);
}

static void take_next(struct rpcrdma_send *send, struct pieces *pieces)
{
    enum rpcrdma_kind kind = send->message.kind;
    bool control = kind == RPCRDMA_KIND_GRANT || kind == RPCRDMA_KIND_ERROR;
    if (has_octets(send) && send->message.direction == pieces->kind &&
        send->message.prefix.xid == pieces->xid) {
        go_on(send, pieces);
    } else if (control && !pieces->failed) {
        rpcrdma_judge_control_between(send);
    } else if (!control && !pieces->failed) {
        check_foreign(send, pieces);
    } else if (!control) {
        pieces->open = false; /* given up */
        start(send, pieces);
    }
}

/* Memory can still be written until the Reply is whole. */
static void check_invalidation(struct rpcrdma_send *send)
{
    if (send->review.event->invalidate && is_piece(send) && is_reply(send))
        break_rule(&send->review, RPCRDMA2_07_6_5_INVALIDATES_WITH_LAST_PIECE, RPCRDMA_NO_OFFSET,
                   NO_REACTION, "a piece of a Reply invalidates handle 0x%x, and others follow",
                   send->review.event->handle);
}

/* What cannot be read where pieces are to follow: no section says which fault is looked at first
 * (7.1.4, 7.2.1). */
static void take_malformed(struct rpcrdma_send *send, struct pieces *pieces)
{
    if (pieces->open && send->may_be_refused)
        rpcrdma_react(&send->review, EITHER_MAY(ALSO | INVAL_CONT, ALSO | INVAL_CONT));
    if (pieces->open)
        fail(pieces);
}

void rpcrdma_judge_continuation(struct rpcrdma_send *send)
{
    struct pieces *pieces = pieces_of(send);
    if (!is_07(send))
        return;
    if (send->state != HEADER_DECODED) {
        take_malformed(send, pieces);
        return;
    }
    take_error(send);
    check_early_reply(send);
    check_invalidation(send);
    if (pieces->open)
        take_next(send, pieces);
    else
        start(send, pieces);
}
