// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages of -07 on their way out, in the order in which they were queued: cut into pieces where
 * one Send does not hold them (6.6.2), and sent as the peer's credits allow (4.2.1). A GRANT is
 * sent where the peer may otherwise wait for ever: after half of its credits were used by messages
 * that nothing of ours answers; and in answer to a GRANT beyond its limit, which a side sends that
 * wants to send and has no credit left because its last one went into a GRANT. GRANTs are not
 * answered otherwise, so two idle sides fall silent.
 */
#include "rxe-harness/session/state.h"

#include <string.h>

enum { PREFIX = SESSION_PREFIX, WORD = SESSION_WORD };

/* ---- messages ---- */

/* Those whose value is not the default (5.2). */
bool session_queue_properties07(struct session *session)
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

ptrdiff_t session_encode_error07(uint8_t body[SESSION_ERROR_MAX], uint32_t code,
                                 const uint32_t values[2])
{
    struct rpcrdma2_07_hdr_error message = {.rdma_err = code};
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
    return rpcrdma2_07_hdr_error_encode(body, SESSION_ERROR_MAX, &message, NULL);
}

/* The last word of the body is the first of the payload, where it has one. */
static ptrdiff_t encode_body(const struct session_message *message, uint8_t *body, size_t size)
{
    struct rpcrdma2_07_read_list call, reads;
    struct rpcrdma2_07_write_list writes;
    struct rpcrdma2_07_write_chunk_opt reply = {.present = message->reply.present};
    COPY_SPAN(call, message->call);
    COPY_SPAN(reads, message->reads);
    COPY_SPAN(writes, message->writes);
    COPY_SPAN(reply.value.rdma_target, message->reply.value.target);
    if (message->direction == RPCRDMA_CALL && message->external) {
        const struct rpcrdma2_07_hdr_call_external body_of = {.rdma_inv_handle =
                                                                  message->invalidate,
                                                              .rdma_call = call,
                                                              .rdma_reads = reads,
                                                              .rdma_provisional_writes = writes,
                                                              .rdma_provisional_reply = reply};
        return rpcrdma2_07_hdr_call_external_encode(body, size, &body_of, NULL);
    }
    if (message->direction == RPCRDMA_CALL) {
        const struct rpcrdma2_07_hdr_call_inline body_of = {.rdma_inv_handle = message->invalidate,
                                                            .rdma_reads = reads,
                                                            .rdma_provisional_writes = writes,
                                                            .rdma_provisional_reply = reply};
        return rpcrdma2_07_hdr_call_inline_encode(body, size, &body_of, NULL);
    }
    if (message->external) {
        const struct rpcrdma2_07_hdr_reply_external body_of = {.rdma_writes = writes,
                                                               .rdma_reply = reply};
        return rpcrdma2_07_hdr_reply_external_encode(body, size, &body_of, NULL);
    }
    const struct rpcrdma2_07_hdr_reply_inline body_of = {.rdma_writes = writes};
    return rpcrdma2_07_hdr_reply_inline_encode(body, size, &body_of, NULL);
}

ptrdiff_t session_encode07(struct session *session, const struct session_message *message)
{
    ptrdiff_t n = encode_body(message, session->buffer, session->options.send_size);
    /* The last Send has the whole header and a word of payload at least. */
    if (n < 0 || PREFIX + (size_t)n > session_send_limit(session))
        return -1;
    return n - (message->external ? 0 : WORD);
}

/* ---- Sends ---- */

static uint32_t credit_word(struct session *session)
{
    return session->totals.told = session->totals.received + session->options.credits;
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
    return session_send_buffer(session, out, out->middle, credit_word(session),
                               PREFIX + WORD + piece, NULL);
}

/* Where the peer takes no pieces of it any more, it may do as a whole. */
static bool still_fits(const struct session *session, struct outgoing *out)
{
    bool continues = session_may_continue(session, out->level);
    if (out->at == 0 && !continues)
        out->middle = 0;
    return session->peer_reverse >= out->level && (out->at == 0 || continues) &&
           PREFIX + out->body + (out->middle ? WORD : out->length) <= session_send_limit(session);
}

static bool send_next(struct session *session)
{
    struct outgoing *first = session->first;
    if (!still_fits(session, first))
        return session_give_up(session, &session->first);
    size_t piece = next_piece(session, first);
    if (piece > 0)
        return send_piece(session, first, piece);
    bool good = session_send_rest(session, first, credit_word(session));
    session_drop(session, &session->first);
    return good;
}

/* ---- credits ---- */

static bool grant_is_due(const struct session *session)
{
    int32_t own = (int32_t)(session->totals.limit - session->totals.sent);
    int32_t peers = (int32_t)(session->totals.told - session->totals.received);
    if (own < 0 || (session->first && session->first->at > 0))
        return false;
    if (peers < 0)
        return true;
    if (session->first)
        return own == 0 && session->totals.sent_grant &&
               (session->options.active || !session->totals.received_grant);
    return !session->totals.received_grant && peers <= (int32_t)(session->options.credits / 2);
}

void session_pump07(struct session *session)
{
    bool good = true;
    while (good && session->first && (int32_t)(session->totals.limit - session->totals.sent) > 0)
        good = send_next(session);
    if (good && session->state == SESSION_SETTLED && grant_is_due(session)) {
        const struct outgoing grant = {.xid = 0, .version = 2};
        session->grants_sent++;
        session_send_buffer(session, &grant, RPCRDMA2_07_GRANT, credit_word(session), PREFIX, NULL);
    }
}
