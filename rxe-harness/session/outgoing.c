// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages on their way out, in the order in which they were queued: cut into pieces where one Send
 * does not hold them (6.6.2), and sent as the peer's credits allow (4.2.1). A GRANT is sent where
 * the peer may otherwise wait for ever: after half of its credits were used by messages that
 * nothing of ours answers; and in answer to a GRANT beyond its limit, which a side sends that wants
 * to send and has no credit left because its last one went into a GRANT. GRANTs are not answered
 * otherwise, so two idle sides fall silent.
 */
#include "rxe-harness/session/state.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = RPCRDMA2_07_HDR_PREFIX_SIZE, WORD = 4 };

uint32_t session_send_limit(const struct session *session)
{
    if (session->options.active && session->sent == 0)
        return SESSION_FIRST;
    return session->peer_receive_size < session->options.send_size ? session->peer_receive_size
                                                                   : session->options.send_size;
}

/* ---- the queue ---- */

static struct outgoing *queue(struct session *session, size_t body, size_t length)
{
    size_t room = session->options.queue_max - session->queued;
    if (body > room || length > room - body)
        return NULL;
    struct outgoing *out = malloc(sizeof *out + body + length);
    if (out == NULL)
        return NULL;
    *out = (struct outgoing){.body = body, .length = length};
    if (session->last)
        session->last->next = out;
    else
        session->first = out;
    session->last = out;
    session->queued += body + length;
    return out;
}

static void drop_first(struct session *session)
{
    struct outgoing *out = session->first;
    session->first = out->next;
    if (session->first == NULL)
        session->last = NULL;
    session->queued -= out->body + out->length;
    session->errors -= out->type == RPCRDMA2_07_ERROR;
    free(out);
}

void session_drop_queue(struct session *session)
{
    while (session->first)
        drop_first(session);
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

/* Those whose value is not the default (5.2). */
bool session_queue_properties(struct session *session)
{
    enum { PROPERTIES = 4 };
    const struct session_options *options = &session->options;
    const uint32_t told[PROPERTIES][2] = {
        {RPCRDMA2_07_PROPID_RBSIZ, options->receive_size},
        {RPCRDMA2_07_PROPID_SBSIZ, options->send_size},
        {RPCRDMA2_07_PROPID_RCSIZ, options->segments},
        {RPCRDMA2_07_PROPID_BRS, options->reverse},
    };
    uint8_t values[PROPERTIES][WORD], body[256];
    struct rpcrdma2_07_propval items[PROPERTIES];
    uint32_t count = options->active ? PROPERTIES : PROPERTIES - 1; /* a server tells no BRS */
    for (uint32_t i = 0; i < count; i++) {
        rpcrdma_xdr_store32(values[i], told[i][1]);
        items[i] =
            (struct rpcrdma2_07_propval){.rdma_which = told[i][0], .rdma_data = {values[i], WORD}};
    }
    const struct rpcrdma2_07_hdr_connprop message = {
        .rdma_props = {.items = items, .count = count}};
    ptrdiff_t length = rpcrdma2_07_hdr_connprop_encode(body, sizeof body, &message, NULL);
    session->told_properties = true;
    return session_queue_control(session, 0, 2, RPCRDMA2_07_CONNPROP_FINAL, body, (size_t)length);
}

bool session_queue_error(struct session *session, const struct rpcrdma_prefix *about, uint32_t code,
                         const uint32_t values[2])
{
    struct rpcrdma2_07_hdr_error message = {.rdma_err = code};
    uint8_t body[32];
    switch (code) {
    case RPCRDMA2_07_ERR_VERS:
        message.rdma_vrange = (struct rpcrdma2_07_err_vers){values[0], values[1]};
        break;
    case RPCRDMA2_07_ERR_WRITE_RESOURCE:
        message.rdma_writeres = (struct rpcrdma2_07_err_write){values[0], values[1]};
        break;
    case RPCRDMA2_07_ERR_READ_CHUNKS:
    case RPCRDMA2_07_ERR_WRITE_CHUNKS:
        message.rdma_max_chunks = values[0];
        break;
    case RPCRDMA2_07_ERR_SEGMENTS:
        message.rdma_max_segments = values[0];
        break;
    case RPCRDMA2_07_ERR_REPLY_RESOURCE:
        message.rdma_length_needed = values[0];
        break;
    default:
        break;
    }
    ptrdiff_t length = rpcrdma2_07_hdr_error_encode(body, sizeof body, &message, NULL);
    session->errors++;
    if (length >= 0 && session_queue_control(session, about->xid, about->version, RPCRDMA2_07_ERROR,
                                             body, (size_t)length))
        return true;
    session->errors--;
    return false;
}

bool session_send_error(struct session *session, uint32_t xid, uint32_t code,
                        const uint32_t values[2])
{
    const struct rpcrdma_prefix about = {.xid = xid, .version = 2};
    return session_queue_error(session, &about, code, values);
}

/* ---- messages ---- */

/* The body of a message; its last word is the first of the payload, where it has one. Returns its
 * octets, or -1. */
static ptrdiff_t encode_body(const struct session_message *message, uint8_t *body, size_t size)
{
    if (message->direction == RPCRDMA_CALL && message->external) {
        const struct rpcrdma2_07_hdr_call_external call = {
            .rdma_inv_handle = message->invalidate,
            .rdma_call = message->call,
            .rdma_reads = message->reads,
            .rdma_provisional_writes = message->writes,
            .rdma_provisional_reply = message->reply};
        return rpcrdma2_07_hdr_call_external_encode(body, size, &call, NULL);
    }
    if (message->direction == RPCRDMA_CALL) {
        const struct rpcrdma2_07_hdr_call_inline call = {.rdma_inv_handle = message->invalidate,
                                                         .rdma_reads = message->reads,
                                                         .rdma_provisional_writes = message->writes,
                                                         .rdma_provisional_reply = message->reply};
        return rpcrdma2_07_hdr_call_inline_encode(body, size, &call, NULL);
    }
    if (message->external) {
        const struct rpcrdma2_07_hdr_reply_external reply = {.rdma_writes = message->writes,
                                                             .rdma_reply = message->reply};
        return rpcrdma2_07_hdr_reply_external_encode(body, size, &reply, NULL);
    }
    const struct rpcrdma2_07_hdr_reply_inline reply = {.rdma_writes = message->writes};
    return rpcrdma2_07_hdr_reply_inline_encode(body, size, &reply, NULL);
}

bool session_send(struct session *session, const struct session_message *message)
{
    bool is_call = message->direction == RPCRDMA_CALL;
    if (session->state > SESSION_SETTLED ||
        (is_call && !session->options.active && session->peer_reverse == RPCRDMA2_07_RVRSDIR_NONE))
        return false;
    ptrdiff_t n = encode_body(message, session->buffer, session->options.send_size);
    size_t body = (size_t)n - (message->external ? 0 : WORD);
    /* The last Send has the whole header and a word of payload at least. */
    if (n < 0 || PREFIX + (size_t)n > session_send_limit(session) ||
        (!message->external && message->length < WORD))
        return false;
    struct outgoing *out = queue(session, body, message->external ? 0 : message->length);
    if (out == NULL)
        return false;
    out->xid = message->xid;
    out->version = 2;
    out->type = is_call ? (message->external ? RPCRDMA2_07_CALL_EXTERNAL : RPCRDMA2_07_CALL_INLINE)
                : message->external ? RPCRDMA2_07_REPLY_EXTERNAL
                                    : RPCRDMA2_07_REPLY_INLINE;
    if (!message->external)
        out->middle = is_call ? RPCRDMA2_07_CALL_MIDDLE : RPCRDMA2_07_REPLY_MIDDLE;
    out->invalidates = message->invalidates != NULL;
    out->handle = out->invalidates ? *message->invalidates : 0;
    memcpy(out->octets, session->buffer, body);
    memcpy(out->octets + body, message->rpc, out->length);
    return true;
}

/* ---- Sends ---- */

/* Write the prefix and send what is in the buffer. */
static bool post(struct session *session, uint32_t xid, uint32_t version, uint32_t type,
                 size_t length, const uint32_t *invalidates)
{
    session->told = session->received + session->options.credits;
    const struct rpcrdma2_07_hdr_prefix prefix = {
        .rdma_start = {xid, version, session->told, type}};
    rpcrdma2_07_hdr_prefix_encode(session->buffer, PREFIX, &prefix, NULL);
    session->sent++;
    session->sent_grant = type == RPCRDMA2_07_GRANT;
    return session->link->ops->send(session->link, session->buffer, length, invalidates);
}

bool session_post(struct session *session, uint8_t *octets, size_t length)
{
    session->told = session->received + session->options.credits;
    if (length >= RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_CREDIT + WORD)
        rpcrdma_xdr_store32(octets + RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_CREDIT,
                            session->told);
    session->sent++;
    session->sent_grant = false;
    return session->link->ops->send(session->link, octets, length, NULL);
}

/* Octets of payload in the next piece, or 0: what is left goes into the last Send. No piece, the
 * last one included, has less than a word, so what is left never has 5 to 7 octets where the last
 * Send, full of chunk lists, has no room for them. */
static size_t next_piece(const struct session *session, const struct outgoing *out)
{
    size_t limit = session_send_limit(session), left = out->length - out->at;
    size_t last = limit - PREFIX - out->body, most = limit - PREFIX - WORD;
    size_t piece = session->options.piece;
    if (piece != 0 && piece < last)
        last = piece;
    if (piece != 0 && piece < most)
        most = piece;
    if (out->middle == 0 || left <= last)
        return 0;
    piece = most < left - WORD ? most : left - WORD;
    if (left - piece > last && left - piece < 2 * WORD)
        piece -= WORD;
    return piece;
}

static bool send_piece(struct session *session, struct outgoing *out, size_t piece)
{
    /* Both kinds of MIDDLE have the same octets. */
    const struct rpcrdma2_07_hdr_call_middle middle = {
        .rdma_remaining = (uint32_t)(out->length - out->at - piece)};
    rpcrdma2_07_hdr_call_middle_encode(session->buffer + PREFIX, RPCRDMA2_07_HDR_CALL_MIDDLE_SIZE,
                                       &middle, NULL);
    memcpy(session->buffer + PREFIX + WORD, out->octets + out->body + out->at, piece);
    out->at += piece;
    session->pieces_sent++;
    return post(session, out->xid, out->version, out->middle, PREFIX + WORD + piece, NULL);
}

static bool send_last(struct session *session, struct outgoing *out)
{
    size_t left = out->length - out->at;
    memcpy(session->buffer + PREFIX, out->octets, out->body);
    memcpy(session->buffer + PREFIX + out->body, out->octets + out->body + out->at, left);
    bool good = post(session, out->xid, out->version, out->type, PREFIX + out->body + left,
                     out->invalidates ? &out->handle : NULL);
    drop_first(session);
    return good;
}

/* The peer may have told of smaller Receives after the message was queued. */
static bool still_fits(const struct session *session, const struct outgoing *out)
{
    return PREFIX + out->body + (out->middle ? WORD : 0) <= session_send_limit(session);
}

/* A Requester whose Reply cannot be sent learns so. */
static bool give_up(struct session *session)
{
    uint32_t xid = session->first->xid, type = session->first->type;
    drop_first(session);
    return (type != RPCRDMA2_07_REPLY_EXTERNAL && type != RPCRDMA2_07_REPLY_INLINE) ||
           session_send_error(session, xid, RPCRDMA2_07_ERR_SYSTEM, (const uint32_t[2]){0, 0});
}

static bool send_next(struct session *session)
{
    if (!still_fits(session, session->first))
        return give_up(session);
    size_t piece = next_piece(session, session->first);
    return piece > 0 ? send_piece(session, session->first, piece)
                     : send_last(session, session->first);
}

/* ---- credits ---- */

static bool grant_is_due(const struct session *session)
{
    int32_t own = (int32_t)(session->limit - session->sent);
    int32_t peers = (int32_t)(session->told - session->received);
    if (own < 0 || (session->first && session->first->at > 0))
        return false;
    if (peers < 0)
        return true;
    if (session->first)
        return own == 0 && session->sent_grant &&
               (session->options.active || !session->received_grant);
    return !session->received_grant && peers <= (int32_t)(session->options.credits / 2);
}

void session_pump(struct session *session)
{
    bool may_begin = session->state == SESSION_SETTLED ||
                     (session->state == SESSION_NEW && session->options.active);
    bool good = may_begin;
    while (good && session->first && (int32_t)(session->limit - session->sent) > 0)
        good = send_next(session);
    if (good && session->state == SESSION_SETTLED && grant_is_due(session)) {
        session->grants_sent++;
        post(session, 0, 2, RPCRDMA2_07_GRANT, PREFIX, NULL);
    }
}
