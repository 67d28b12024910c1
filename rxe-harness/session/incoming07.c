// SPDX-License-Identifier: BSD-3-Clause
/*
 * What came of -07, in the order of checks that the readings give: length, version, type, place in
 * a sequence, XDR, values, lists. A fault in a Call or in properties is answered by an error; a
 * faulty Reply is dropped, but for a broken sequence of pieces (6.3.9).
 */
#include "rxe-harness/session/state.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = SESSION_WORD, NO_ERROR = SESSION_NO_ERROR };

static bool is_call_type(uint32_t type)
{
    return type >= RPCRDMA2_07_CALL_EXTERNAL && type <= RPCRDMA2_07_CALL_INLINE;
}

static bool is_rpc_type(uint32_t type)
{
    return type >= RPCRDMA2_07_CALL_EXTERNAL && type <= RPCRDMA2_07_REPLY_INLINE;
}

static bool is_piece_type(uint32_t type)
{
    return type == RPCRDMA2_07_CALL_MIDDLE || type == RPCRDMA2_07_REPLY_MIDDLE;
}

static bool is_property_type(uint32_t type)
{
    return type == RPCRDMA2_07_CONNPROP_MIDDLE || type == RPCRDMA2_07_CONNPROP_FINAL;
}

static enum rpcrdma_direction direction_of(uint32_t type)
{
    return is_call_type(type) ? RPCRDMA_CALL : RPCRDMA_REPLY;
}

/* ---- properties (5.2) ---- */

/* The value of a property that is a number; false: too short for one. Without octets it is the
 * default. */
static bool number_of(const struct rpcrdma_property *property, uint32_t otherwise, uint32_t *value)
{
    *value = otherwise;
    if (property->value.length >= WORD)
        *value = rpcrdma_xdr_load32(property->value.data);
    return property->value.length == 0 || property->value.length >= WORD;
}

/* All are taken, or none (7.2.2). */
static uint32_t take_properties(struct session *session, const struct rpcrdma_message *message)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&message->properties.set);
    struct rpcrdma_property property;
    uint32_t receive_size = session->peer_receive_size, reverse = session->peer_reverse, other;
    bool good = true;
    while (good && rpcrdma_property_array_next(&iter, &property))
        if (property.id == RPCRDMA2_07_PROPID_RBSIZ)
            good = number_of(&property, SESSION_INLINE, &receive_size);
        else if (property.id == RPCRDMA2_07_PROPID_BRS)
            good = number_of(&property, RPCRDMA2_07_RVRSDIR_NONE, &reverse);
        else if (property.id >= RPCRDMA2_07_PROPID_SBSIZ && property.id < RPCRDMA2_07_PROPID_BRS)
            good = number_of(&property, 0, &other);
    if (!good)
        return RPCRDMA2_07_ERR_BAD_PROPVAL;
    session->peer_receive_size = receive_size < SESSION_FIRST ? SESSION_FIRST : receive_size;
    session->peer_reverse = reverse;
    session->stage =
        message->prefix.procedure == RPCRDMA2_07_CONNPROP_FINAL ? STAGE_FINAL : STAGE_MIDDLE;
    if (session->stage == STAGE_FINAL && !session->told_properties &&
        !session->options.no_properties)
        session_queue_properties07(session);
    return NO_ERROR;
}

/* ---- pieces (6.6.2) ---- */

/* Later pieces of a message that was refused are dropped (7.1.4). */
static void remember_failed(struct session *session, uint32_t xid)
{
    session->failed[session->failed_count++ % SESSION_FAILED] = xid;
}

/* Whether it belongs to one; its last Send ends that. */
static bool is_failed(struct session *session, uint32_t xid, uint32_t type)
{
    unsigned count =
        session->failed_count < SESSION_FAILED ? session->failed_count : SESSION_FAILED;
    for (unsigned i = 0; i < count; i++) {
        if (session->failed[i] != xid)
            continue;
        if (is_piece_type(type))
            return true;
        session->failed[i] = session->failed[0];
        session->failed[0] = session->failed[count - 1];
        session->failed_count = count - 1;
        return true;
    }
    return false;
}

/* Whether a message may follow what its side sent before (6.3.4, 6.3.6). */
static bool may_follow(const struct session *session, const struct rpcrdma_prefix *prefix)
{
    uint32_t type = prefix->procedure;
    if (type == RPCRDMA2_07_GRANT)
        return true;
    if (is_property_type(type))
        return !session->in.open && session->stage != STAGE_FINAL;
    if (session->stage == STAGE_MIDDLE)
        return false;
    return !session->in.open ||
           (prefix->xid == session->in.xid && direction_of(type) == session->in.direction &&
            type != RPCRDMA2_07_CALL_EXTERNAL && type != RPCRDMA2_07_REPLY_EXTERNAL);
}

static bool append(struct session *session, const uint8_t *octets, size_t length)
{
    size_t most = session->options.message_max;
    if (length > most || session->in.length > most - length)
        return false;
    if (session->in.length + length > session->in.room) {
        size_t room = 2 * (session->in.length + length);
        uint8_t *more = realloc(session->in.octets, room < most ? room : most);
        if (more == NULL)
            return false;
        session->in.octets = more;
        session->in.room = room < most ? room : most;
    }
    memcpy(session->in.octets + session->in.length, octets, length);
    session->in.length += length;
    return true;
}

/* rdma_remaining counts what follows this Send, or this Send as well: a peer may mean either, but
 * the same throughout. `remaining` of the last Send is 0 in the first reading. */
static bool counts_down(struct session *session, uint32_t remaining, size_t length, bool is_last)
{
    bool is_first = session->in.length == 0;
    uint32_t before = session->in.remaining;
    if (is_first) {
        session->in.after = true;
        session->in.including = remaining > length;
        return remaining > 0;
    }
    session->in.after &= is_last ? before == length
                                 : remaining > 0 && before > length && before - length == remaining;
    /* The piece before had `last_piece` octets, which its own count included. */
    uint32_t due = before > session->in.last_piece ? before - session->in.last_piece : 0;
    session->in.including &= is_last ? due == length : due == remaining && remaining > length;
    return session->in.after || session->in.including;
}

static uint32_t take_piece(struct session *session, const struct rpcrdma_message *message,
                           const uint8_t *octets, size_t length)
{
    bool is_last = message->form == RPCRDMA_FORM_INLINE;
    uint32_t remaining = is_last ? 0 : message->rpc.remaining;
    if (!session->in.open)
        session->in.length = 0;
    if (!counts_down(session, remaining, length, is_last))
        return RPCRDMA2_07_ERR_INVAL_CONT;
    if (!append(session, octets, length))
        return RPCRDMA2_07_ERR_SYSTEM;
    session->in.open = !is_last;
    session->in.direction = message->direction;
    session->in.xid = message->prefix.xid;
    session->in.remaining = remaining;
    session->in.last_piece = (uint32_t)length;
    return NO_ERROR;
}

/* ---- lists of a Call (6.3.8) ---- */

static bool lists_are_good(const struct rpcrdma_message *message)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&message->chunks.rdma_reads);
    struct rpcrdma1_read_segment read;
    uint32_t before = 0;
    for (; rpcrdma1_read_list_next(&iter, &read); before = read.position)
        if (read.position == 0 || read.position % WORD != 0 || read.position < before)
            return false;
    iter = rpcrdma1_read_list_iter(&message->call_chunk);
    while (rpcrdma1_read_list_next(&iter, &read))
        if (read.position != 0)
            return false;
    return message->form != RPCRDMA_FORM_SPECIAL || message->direction != RPCRDMA_CALL ||
           message->call_chunk.count > 0;
}

static bool has_too_many_segments(const struct session *session,
                                  const struct rpcrdma_message *message)
{
    uint64_t count = (uint64_t)message->call_chunk.count + message->chunks.rdma_reads.count +
                     rpcrdma1_write_list_segments(&message->chunks.rdma_writes);
    if (message->chunks.rdma_reply.present)
        count += message->chunks.rdma_reply.value.target.count;
    return count > session->options.segments;
}

/* ---- messages ---- */

/* The level of reverse-direction support of the client is what its server may ask for (5.2.5). */
static bool is_beyond_level(const struct session *session, uint32_t type)
{
    return session->options.active && is_call_type(type) &&
           (session->options.reverse == RPCRDMA2_07_RVRSDIR_NONE ||
            (is_piece_type(type) && session->options.reverse < RPCRDMA2_07_RVRSDIR_CONT) ||
            (type == RPCRDMA2_07_CALL_EXTERNAL &&
             session->options.reverse < RPCRDMA2_07_RVRSDIR_GENL));
}

static uint32_t take_rpc(struct session *session, const struct link_event *came,
                         struct session_event *event)
{
    const struct rpcrdma_message *message = &event->message;
    const uint8_t *payload = came->octets + message->header;
    size_t length = came->length - message->header;
    bool begins = !session->in.open, is_external = message->form == RPCRDMA_FORM_SPECIAL;
    if (!lists_are_good(message) || (is_external && length > 0))
        return RPCRDMA2_07_ERR_BAD_XDR;
    if (has_too_many_segments(session, message))
        return RPCRDMA2_07_ERR_SEGMENTS;
    if (!is_external && begins && rpcrdma_xdr_load32(payload) != message->prefix.xid)
        return RPCRDMA2_07_ERR_BAD_XDR;
    event->payload = payload;
    event->length = length;
    if (session->in.open || message->form == RPCRDMA_FORM_PIECE) {
        uint32_t code = take_piece(session, message, payload, length);
        if (code != NO_ERROR || session->in.open)
            return code;
        event->payload = session->in.octets;
        event->length = session->in.length;
    }
    event->type = message->direction == RPCRDMA_CALL ? SESSION_CALL : SESSION_REPLY;
    return NO_ERROR;
}

/* Returns the error to answer with. */
static uint32_t take_message(struct session *session, const struct link_event *came,
                             const struct rpcrdma_prefix *prefix, struct session_event *event)
{
    uint32_t type = prefix->procedure;
    struct rpcrdma_message *message = &event->message;
    if (type < RPCRDMA2_07_ERROR || type > RPCRDMA2_07_REPLY_INLINE ||
        is_beyond_level(session, type))
        return RPCRDMA2_07_ERR_INVAL_HTYPE;
    if (!may_follow(session, prefix))
        return RPCRDMA2_07_ERR_INVAL_CONT;
    if (rpcrdma_message_decode(message, RPCRDMA_PROTOCOL_2_07, came->octets, came->length, NULL) <
        0)
        return RPCRDMA2_07_ERR_BAD_XDR;
    if (message->kind == RPCRDMA_KIND_PROPERTIES)
        return take_properties(session, message);
    return message->kind == RPCRDMA_KIND_RPC ? take_rpc(session, came, event) : NO_ERROR;
}

static void answer(struct session *session, const struct rpcrdma_prefix *prefix, uint32_t code)
{
    const uint32_t most[2] = {session->options.segments, 0};
    uint32_t type = prefix->procedure;
    bool is_reply = is_rpc_type(type) && !is_call_type(type);
    if (is_rpc_type(type) && (is_piece_type(type) || session->in.open))
        remember_failed(session, prefix->xid);
    if (session->in.open && prefix->xid == session->in.xid)
        session->in.open = false;
    if (!is_reply || code == RPCRDMA2_07_ERR_INVAL_CONT || code == RPCRDMA2_07_ERR_INVAL_HTYPE)
        session_queue_error(session, prefix, code, most);
}

bool session_take07(struct session *session, const struct link_event *came,
                    const struct rpcrdma_prefix *prefix, struct session_event *event)
{
    uint32_t type = prefix->procedure;
    session->totals.limit = prefix->credit;
    session->totals.received_grant = type == RPCRDMA2_07_GRANT;
    if (type == RPCRDMA2_07_ERROR)
        return session_take_error(session, came, event);
    if (is_rpc_type(type) && is_failed(session, prefix->xid, type))
        return false;
    uint32_t code = take_message(session, came, prefix, event);
    if (code != NO_ERROR)
        answer(session, prefix, code);
    return code == NO_ERROR && event->type != SESSION_NOTHING;
}
