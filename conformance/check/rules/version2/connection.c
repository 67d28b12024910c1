// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connection scope in version 2: how long a Send may be, what a client begins with, and which Calls
 * a server may send (draft -07 sections 4.2.2, 4.3, 4.6, 5.2 and 6.3.4; draft -04 sections 2.3, 5.2
 * and 7). Calls and grants of -04 are kept as those of version 1 (connection.c).
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpc.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* ---- how long a Send may be ---- */

#define CAN_CLOSE EITHER_MAY(ALSO | RPCRDMA_CLOSE, ALSO | RPCRDMA_CLOSE)

static void too_long(struct rpcrdma_send *send, enum rpcrdma_rule rule, uint64_t limit)
{
    break_rule(&send->review, rule, RPCRDMA_NO_OFFSET, CAN_CLOSE,
               "the Send has %u octets; the limit is %u", send->total, limit);
}

/* What the other side may have told before is not known. */
static bool is_unknown(const struct rpcrdma_send *send, enum rpcrdma_endpoint side)
{
    const struct rpcrdma_check *check = send->review.check;
    return check->config.mid_stream || check->traffic[side].forgot;
}

static bool has_told(const struct properties *properties, enum property property)
{
    return properties->known >> property & 1;
}

/* The largest Send that its receiver takes, if it has said so, or 0. */
static uint32_t told_limit(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    const struct properties *peer = &send->peer->properties;
    if (check->config.inline_threshold[from] != 0)
        return check->config.inline_threshold[from];
    uint32_t size = peer->receive_size_before;
    if (size < peer->unsure_size)
        size = peer->unsure_size;
    if (!has_told(peer, PROPERTY_RECEIVE_SIZE)) /* or it has taken that back */
        return size > DEFAULT_RECEIVE_SIZE ? size : 0;
    if (size < peer->value[PROPERTY_RECEIVE_SIZE])
        size = peer->value[PROPERTY_RECEIVE_SIZE];
    return size < FIRST_SEND_MAX ? FIRST_SEND_MAX : size;
}

uint32_t rpcrdma_send_limit(const struct rpcrdma_send *send)
{
    uint32_t told = told_limit(send);
    if (told != 0)
        return told;
    return is_unknown(send, other(send->review.event->from)) ? 0 : DEFAULT_RECEIVE_SIZE;
}

static bool had_reply_chunk(const struct rpcrdma_send *send)
{
    return is_reply(send) && is_inline(send) && send->answers &&
           send->answers->offers.has_reply_chunk;
}

/* The receiver has said nothing. RFC 8797 has sizes for version 1, which -04 admits and -07 does
 * not. */
static void check_default(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    uint32_t negotiated = rpcrdma_state_negotiated(check, from);
    if (send->total <= DEFAULT_RECEIVE_SIZE || is_unknown(send, other(from)))
        return;
    if (is_04(send) && send->total > negotiated)
        too_long(send, RPCRDMA2_04_2_3_SEND_ABOVE_DEFAULT, DEFAULT_RECEIVE_SIZE);
    else if (is_07(send) && send->total <= negotiated)
        too_long(send, RPCRDMA2_07_4_2_2_PRIVATE_DATA_NOT_COUNTED, DEFAULT_RECEIVE_SIZE);
    else if (is_07(send))
        too_long(send,
                 had_reply_chunk(send) ? RPCRDMA2_07_6_6_3_REPLY_CHUNK_USED
                                       : RPCRDMA2_07_4_2_2_SEND_WITHIN_DEFAULT,
                 DEFAULT_RECEIVE_SIZE);
}

static bool is_final(const struct rpcrdma_send *send)
{
    return is_07(send) && send->review.judgement->has_procedure &&
           send->review.judgement->procedure == RPCRDMA2_07_CONNPROP_FINAL;
}

static void check_size(struct rpcrdma_send *send)
{
    const struct properties *own = &send->own->properties;
    uint32_t limit = told_limit(send);
    if (send->is_first) {
        if (send->total > FIRST_SEND_MAX)
            too_long(send,
                     is_04(send) ? RPCRDMA2_04_7_FIRST_SEND_OF_1024
                                 : RPCRDMA2_07_4_3_FIRST_SEND_OF_1024,
                     FIRST_SEND_MAX);
    } else if (is_final(send)) {
        if (send->total > DEFAULT_RECEIVE_SIZE)
            too_long(send, RPCRDMA2_07_6_3_4_WITHIN_DEFAULT, DEFAULT_RECEIVE_SIZE);
    } else if (limit == 0) {
        check_default(send);
    } else if (send->total > limit) {
        too_long(send,
                 had_reply_chunk(send) ? RPCRDMA_RFC8166_3_5_3_REPLY_CHUNK_USED
                                       : RPCRDMA_RFC8166_4_2_4_SEND_WITHIN_THRESHOLD,
                 limit);
    } else if (is_07(send) && ((own->told & ~own->unsure) >> PROPERTY_SEND_SIZE & 1) &&
               send->total > own->value[PROPERTY_SEND_SIZE] &&
               own->value[PROPERTY_SEND_SIZE] >= FIRST_SEND_MAX) {
        too_long(send, RPCRDMA2_07_5_2_1_SEND_WITHIN_OWN_SIZE, own->value[PROPERTY_SEND_SIZE]);
    }
}

/* ---- a client's first Send ---- */

static void check_first(struct rpcrdma_send *send)
{
    if (!send->is_first)
        return;
    if (send->total < RPCRDMA1_HEADER_MIN)
        break_rule(&send->review,
                   is_04(send) ? RPCRDMA2_04_7_FIRST_SEND_OF_28 : RPCRDMA2_07_4_3_FIRST_SEND_OF_28,
                   RPCRDMA_NO_OFFSET, NO_REACTION,
                   "the first Send has %u octets; a server of version 1 drops less than %u",
                   send->total, RPCRDMA1_HEADER_MIN);
    if (is_07(send) && send->state == HEADER_DECODED && send->message.kind == RPCRDMA_KIND_RPC &&
        send->message.form == RPCRDMA_FORM_PIECE)
        break_rule(&send->review, RPCRDMA2_07_4_3_FIRST_SEND_IS_PIECE, RPCRDMA_NO_OFFSET,
                   NO_REACTION, "the first Send is a piece: the rest waits for a grant");
}

/* ---- Calls of the server ---- */

/* The property of -04, whose enum no message has as its type. */
enum { REVERSE_04_NONE, REVERSE_04_INLINE, REVERSE_04_GENL };

static bool has_lists(const struct rpcrdma_send *send)
{
    return send->message.chunks.rdma_reads.count > 0 || send->message.chunks.rdma_writes.count > 0;
}

/* A client that takes no chunks refuses them by any error about resources (4.6.4); where there are
 * none it has that of the system (7.4.1). */
static uint32_t refusals(const struct rpcrdma_send *send)
{
    bool has_chunks = has_lists(send) || send->message.chunks.rdma_reply.present ||
                      send->message.call_chunk.count > 0;
    return RPCRDMA_ERR_SYSTEM | (has_chunks ? RPCRDMA_ERR_READ_CHUNKS | RPCRDMA_ERR_WRITE_CHUNKS |
                                                  RPCRDMA_ERR_SEGMENTS | RPCRDMA_ERR_REPLY_RESOURCE
                                            : 0);
}

static void not_prepared(struct rpcrdma_send *send, enum rpcrdma_rule rule, const char *text)
{
    break_rule(&send->review, rule, RPCRDMA_NO_OFFSET,
               RESPONDER_MAY(ALSO | RPCRDMA_DISCARD | RPCRDMA_CLOSE | RPCRDMA_ERR_INVAL_HTYPE |
                             refusals(send)),
               text);
}

static void check_level_07(struct rpcrdma_send *send, uint32_t level)
{
    enum rpcrdma_form form = send->message.form;
    if (level == RPCRDMA2_07_RVRSDIR_NONE) {
        not_prepared(send, RPCRDMA2_07_4_6_3_PEER_REFUSED,
                     "a Call from the server to a client that takes none");
        return;
    }
    if (level >= RPCRDMA2_07_RVRSDIR_GENL)
        return;
    if (form == RPCRDMA_FORM_SPECIAL || has_lists(send) ||
        (form == RPCRDMA_FORM_PIECE && level == RPCRDMA2_07_RVRSDIR_SIMPLE))
        break_rule(&send->review, RPCRDMA2_07_4_6_4_REVERSE_LEVEL, RPCRDMA1_AT_PROC,
                   RESPONDER_MAY(ALSO | RPCRDMA_ERR_INVAL_HTYPE | refusals(send) |
                                 (form == RPCRDMA_FORM_PIECE ? RPCRDMA_ERR_INVAL_CONT : 0)),
                   "a Call of another form than the client takes, which told level %u", level);
    else if (send->message.chunks.rdma_reply.present)
        break_rule(&send->review, RPCRDMA2_07_4_6_4_REVERSE_REPLY_CHUNK, place_of_reply(send),
                   RESPONDER_MAY(ALSO | refusals(send)),
                   "a Call with a Reply chunk to a client that told level %u", level);
}

static void check_level_04(struct rpcrdma_send *send, uint32_t level)
{
    bool plain = send->message.form == RPCRDMA_FORM_INLINE && !has_lists(send) &&
                 !send->message.chunks.rdma_reply.present;
    if (level == REVERSE_04_GENL || (level == REVERSE_04_INLINE && plain))
        return;
    break_rule(&send->review, RPCRDMA2_04_5_2_2_REVERSE_LEVEL, RPCRDMA1_AT_PROC,
               RESPONDER_MAY(ALSO | RPCRDMA_ERR_BAD_XDR | RPCRDMA_ERR_SYSTEM |
                             RPCRDMA_ERR_READ_CHUNKS | RPCRDMA_ERR_WRITE_CHUNKS),
               "a Call of another form than the client takes, whose level is %u", level);
}

#define ANY_LEVEL UINT32_MAX

/* A message is judged by the level that held when its first piece was sent, if that is the higher
 * one: nothing else may come before its last (6.3.6). */
static uint32_t level_of_message(struct rpcrdma_send *send, uint32_t level)
{
    struct pieces *pieces = &send->own->pieces;
    bool is_piece = send->message.form == RPCRDMA_FORM_PIECE;
    bool goes_on =
        is_piece ? pieces->count > 1 : send->payload.at < send->review.judgement->header_length;
    if (is_piece && !goes_on)
        return pieces->level = pieces->headless ? ANY_LEVEL : level;
    return goes_on && pieces->level > level ? pieces->level : level;
}

/* What the client takes: as far as it is not known, anything. */
static uint32_t level_of_client(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    const struct properties *client = &check->two.side[RPCRDMA_CLIENT].properties;
    if (has_told(client, PROPERTY_REVERSE))
        return client->value[PROPERTY_REVERSE];
    if ((client->told | client->unsure) >> PROPERTY_REVERSE & 1)
        return ANY_LEVEL;
    return is_unknown(send, RPCRDMA_CLIENT) || check->config.reverse_direction ? ANY_LEVEL : 0;
}

static void check_untold(struct rpcrdma_send *send)
{
    if (is_07(send))
        not_prepared(send, RPCRDMA_RFC8167_6_PEER_PREPARED,
                     "a Call from the server; the client has not said that it takes any");
    else if (send->peer->sends == 0)
        break_rule(&send->review, RPCRDMA_RFC8167_6_PEER_PREPARED, RPCRDMA_NO_OFFSET,
                   RESPONDER_MAY(ALSO | RPCRDMA_DISCARD | RPCRDMA_CLOSE),
                   "a Call from the server before anything from its client");
    else
        check_level_04(send, REVERSE_04_INLINE);
}

static void check_reverse(struct rpcrdma_send *send)
{
    if (send->review.event->from != RPCRDMA_SERVER || !is_call(send))
        return;
    uint32_t now = level_of_client(send), level = level_of_message(send, now);
    if (level == ANY_LEVEL)
        return;
    if (level == now && !has_told(&send->peer->properties, PROPERTY_REVERSE))
        check_untold(send);
    else
        is_04(send) ? check_level_04(send, level) : check_level_07(send, level);
}

/* ---- Calls ---- */

/* The very Call that was ended by an error of its Responder's system. */
static void check_resent(struct rpcrdma_send *send)
{
    const struct call *known = rpcrdma_state_find(send->review.check, send->review.event->from,
                                                  send->review.judgement->xid);
    if (known && known->state == CALL_ANSWERED && known->ended_by_system &&
        rpcrdma_is_surely_same(send, known))
        break_rule(&send->review,
                   is_04(send) ? RPCRDMA2_04_6_2_4_NOT_RESENT : RPCRDMA2_07_7_4_1_NOT_RESENT,
                   RPCRDMA1_AT_RDMA_XID, NO_REACTION,
                   "the Call with XID 0x%x was ended by an error of the system", known->xid);
}

/* An error that names this XID could be about either. */
static void check_shared_xid(struct rpcrdma_send *send)
{
    const struct call *known = rpcrdma_state_find(send->review.check, send->review.event->from,
                                                  send->review.judgement->xid);
    if (is_07(send) && send->message.kind == RPCRDMA_KIND_PROPERTIES && is_waiting(known) &&
        !known->is_control)
        break_rule(&send->review, RPCRDMA2_07_5_XID_TOLD_APART, RPCRDMA1_AT_RDMA_XID, NO_REACTION,
                   "a Call of the same side has XID 0x%x, too", known->xid);
}

static bool is_unseen(const struct rpcrdma_send *send)
{
    return send->state == HEADER_UNSEEN;
}

/* Neither a Reply nor a whole grant draws an error, but from a server that does not know the
 * version. */
static bool may_be_answered(const struct rpcrdma_send *send)
{
    bool is_grant = send->state == HEADER_DECODED && send->message.kind == RPCRDMA_KIND_GRANT &&
                    send->total == RPCRDMA2_07_HDR_PREFIX_SIZE;
    bool is_offer = send->review.event->from == RPCRDMA_CLIENT &&
                    send->review.check->two.state != VERSION_SETTLED;
    return send->may_be_refused && ((!is_reply(send) && !is_grant) || is_offer);
}

static void take_credits_04(struct rpcrdma_send *send)
{
    bool answers = send->answers || send->named;
    bool is_error = send->message.kind == RPCRDMA_KIND_ERROR;
    bool has_grant = is_error ? send->message.error.code != RPCRDMA2_07_ERR_VERS
                              : send->message.kind == RPCRDMA_KIND_RPC && is_reply(send);
    if (is_04(send) && answers && has_grant)
        rpcrdma_take_grant(send);
}

static void take_message(struct rpcrdma_send *send)
{
    enum rpcrdma_endpoint from = send->review.event->from;
    enum buffer *due = &send->review.check->side[from].due;
    bool decoded = send->state == HEADER_DECODED;
    *due = decoded && is_04(send) ? rpcrdma_buffer_for_answer(send->answers) : BUFFER_UNKNOWN;
    if (is_unseen(send)) {
        rpcrdma_state_gap(send->review.check);
    } else if (decoded && send->chunks && is_call(send) && !send->contradicts) {
        check_resent(send);
        const struct call *call = rpcrdma_take_call(send);
        if (is_04(send)) /* of -07 credits are another matter */
            *due = rpcrdma_buffer_for_call(&send->review.check->traffic[from], call);
    } else if (may_be_answered(send)) {
        if (decoded)
            check_shared_xid(send);
        rpcrdma_take_message(send);
    }
    if (decoded)
        take_credits_04(send);
}

void rpcrdma_judge_connection2(struct rpcrdma_send *send)
{
    struct side *side = &send->review.check->side[send->review.event->from];
    check_size(send);
    check_first(send);
    if (send->state == HEADER_DECODED && send->message.kind == RPCRDMA_KIND_RPC)
        check_reverse(send);
    side->sends++;
    take_message(send);
}
