// SPDX-License-Identifier: BSD-3-Clause
/* The queue of messages that wait to be sent, and what the drafts share of sending them. */
#include "rxe-harness/session/state.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = SESSION_PREFIX, WORD = SESSION_WORD };

uint32_t session_send_limit(const struct session *session)
{
    if (session->options.active && session->totals.sent == 0)
        return SESSION_FIRST;
    return session->peer_receive_size < session->options.send_size ? session->peer_receive_size
                                                                   : session->options.send_size;
}

/* ---- the queue ---- */

/* A message with room for its body and payload at the end of the queue, or NULL. */
static struct outgoing *queue(struct session *session, size_t body, size_t length)
{
    size_t room = session->options.queue_max - session->queued;
    if (body > room || length > room - body)
        return NULL;
    struct outgoing *out = malloc(sizeof *out + body + length);
    if (out == NULL)
        return NULL;
    *out = (struct outgoing){.version = 2, .body = body, .length = length};
    *session->end = out;
    session->end = &out->next;
    session->queued += body + length;
    return out;
}

void session_drop(struct session *session, struct outgoing **at)
{
    struct outgoing *out = *at;
    *at = out->next;
    if (out->next == NULL)
        session->end = at;
    session->queued -= out->body + out->length;
    session->errors -= out->type == RPCRDMA2_07_ERROR;
    free(out);
}

void session_drop_queue(struct session *session)
{
    while (session->first)
        session_drop(session, &session->first);
}

bool session_queue_control(struct session *session, uint32_t xid, uint32_t version, uint32_t type,
                           const uint8_t *body, size_t length)
{
    struct outgoing *out = queue(session, length, 0);
    if (out == NULL)
        return false;
    out->xid = xid;
    out->version = version;
    out->type = type;
    memcpy(out->octets, body, length);
    return true;
}

bool session_queue_error(struct session *session, const struct rpcrdma_prefix *about, uint32_t code,
                         const uint32_t values[2])
{
    uint8_t body[SESSION_ERROR_MAX];
    ptrdiff_t length = session_is_04(session) ? session_encode_error04(body, code, values)
                                              : session_encode_error07(body, code, values);
    if (length < 0 || !session_queue_control(session, about->xid, about->version, RPCRDMA2_07_ERROR,
                                             body, (size_t)length))
        return false;
    session->errors++;
    return true;
}

bool session_send_error(struct session *session, uint32_t xid, uint32_t code,
                        const uint32_t values[2])
{
    const struct rpcrdma_prefix about = {.xid = xid, .version = 2};
    return session_queue_error(session, &about, code, values);
}

/* The least level of the peer that takes it, where it is a reverse Call (-04 5.2.2, -07 5.2.5). */
static uint32_t level_of(const struct session *session, const struct session_message *message)
{
    if (message->direction != RPCRDMA_CALL || session->options.active)
        return RPCRDMA2_07_RVRSDIR_NONE;
    bool plain = !message->external && message->reads.count == 0 && message->writes.count == 0 &&
                 !message->reply.present;
    return plain ? RPCRDMA2_07_RVRSDIR_SIMPLE : RPCRDMA2_07_RVRSDIR_GENL;
}

bool session_may_continue(const struct session *session, uint32_t level)
{
    return level == RPCRDMA2_07_RVRSDIR_NONE || session->peer_reverse >= RPCRDMA2_07_RVRSDIR_CONT;
}

bool session_send(struct session *session, const struct session_message *message)
{
    uint32_t level = level_of(session, message);
    if (session->state > SESSION_SETTLED || session->peer_reverse < level ||
        (!message->external && message->length < WORD))
        return false;
    ptrdiff_t body = session_is_04(session) ? session_encode04(session, message)
                                            : session_encode07(session, message);
    if (body < 0)
        return false;
    size_t length = message->external ? 0 : message->length;
    bool in_pieces =
        !session_is_04(session) && !message->external && session_may_continue(session, level);
    if (!in_pieces && length > session_send_limit(session) - PREFIX - (size_t)body)
        return false;
    struct outgoing *out = queue(session, (size_t)body, length);
    if (out == NULL)
        return false;
    bool is_call = message->direction == RPCRDMA_CALL;
    out->xid = message->xid;
    out->is_call = is_call;
    out->is_reply = !is_call;
    out->level = level;
    if (session_is_04(session)) {
        out->type = message->external ? RPCRDMA2_04_NOMSG : RPCRDMA2_04_MSG;
    } else if (message->external) {
        out->type = is_call ? RPCRDMA2_07_CALL_EXTERNAL : RPCRDMA2_07_REPLY_EXTERNAL;
    } else {
        out->type = is_call ? RPCRDMA2_07_CALL_INLINE : RPCRDMA2_07_REPLY_INLINE;
        if (in_pieces)
            out->middle = is_call ? RPCRDMA2_07_CALL_MIDDLE : RPCRDMA2_07_REPLY_MIDDLE;
    }
    out->invalidates = message->invalidates != NULL;
    out->handle = out->invalidates ? *message->invalidates : 0;
    memcpy(out->octets, session->buffer, (size_t)body);
    if (out->length > 0)
        memcpy(out->octets + body, message->rpc, out->length);
    return true;
}

/* ---- Sends ---- */

bool session_send_buffer(struct session *session, const struct outgoing *out, uint32_t type,
                         uint32_t credit, size_t length, const uint32_t *invalidates)
{
    const struct rpcrdma2_07_hdr_prefix prefix = {
        .rdma_start = {out->xid, out->version, credit, type}};
    rpcrdma2_07_hdr_prefix_encode(session->buffer, PREFIX, &prefix, NULL);
    session->totals.sent++;
    session->totals.sent_grant = !session_is_04(session) && type == RPCRDMA2_07_GRANT;
    return session->link->ops->send(session->link, session->buffer, length, invalidates);
}

bool session_send_rest(struct session *session, const struct outgoing *out, uint32_t credit)
{
    size_t left = out->length - out->at;
    memcpy(session->buffer + PREFIX, out->octets, out->body);
    memcpy(session->buffer + PREFIX + out->body, out->octets + out->body + out->at, left);
    return session_send_buffer(session, out, out->type, credit, PREFIX + out->body + left,
                               out->invalidates ? &out->handle : NULL);
}

bool session_give_up(struct session *session, struct outgoing **at)
{
    uint32_t xid = (*at)->xid;
    bool is_call = (*at)->is_call, is_reply = (*at)->is_reply;
    /* Its first pieces went, and nothing but its last may follow them (-07 6.3.6). */
    session->broken = (*at)->at > 0;
    session_drop(session, at);
    if (session->broken)
        return false;
    if (is_call) {
        session->has_unsent = true;
        session->unsent = xid;
        return false;
    }
    return !is_reply ||
           session_send_error(session, xid, RPCRDMA2_07_ERR_SYSTEM, (const uint32_t[2]){0, 0});
}

void session_pump(struct session *session)
{
    bool may_begin = session->state == SESSION_SETTLED ||
                     (session->state == SESSION_NEW && session->options.active);
    if (may_begin && session_is_04(session))
        session_pump04(session);
    else if (may_begin)
        session_pump07(session);
}

bool session_post(struct session *session, uint8_t *octets, size_t length)
{
    session->totals.told = session->totals.received + session->options.credits;
    if (length >= RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_CREDIT + WORD)
        rpcrdma_xdr_store32(octets + RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_CREDIT,
                            session_is_04(session) ? session->options.credits
                                                   : session->totals.told);
    session->totals.sent++;
    session->totals.sent_grant = false;
    return session->link->ops->send(session->link, octets, length, NULL);
}
