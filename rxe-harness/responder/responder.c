// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Responder: a connection, and version 1 on it. A Send goes through
 * rpcrdma_check_answer() first, which says what RFC 8166 section 4.5 asks for; what remains has a
 * header to go by. The Call is put together out of the Payload stream and the Read chunks,
 * executed, and the Reply taken apart again.
 */
#include "rxe-harness/responder/work.h"

#include "rxe-harness/transport/loopback.h"

#include <rpcrdma/check.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

const struct link_options *responder_options(void)
{
    static const struct rpcrdma_private_data message = {.remote_invalidation = true,
                                                        .send_size = RESPONDER_INLINE,
                                                        .receive_size = RESPONDER_INLINE};
    static uint8_t octets[RPCRDMA_PRIVATE_DATA_LENGTH];
    static const struct link_options options = {.receive_size = RESPONDER_INLINE,
                                                .receives = 2 * RESPONDER_CREDITS + SESSION_SPARE,
                                                .private_data = octets,
                                                .private_length = sizeof octets,
                                                .timeout = 5000};
    rpcrdma_private_data_encode(octets, sizeof octets, &message);
    return &options;
}

/* ---- the Reply ---- */

struct answering {
    struct rpcrdma1_header header;
    struct returned returned;
    uint8_t octets[RESPONDER_INLINE];
};

static void answer_error(struct served_call *work)
{
    struct link *link = work->responder->link;
    struct rpcrdma1_header header = {.rdma_xid = work->message.prefix.xid,
                                     .rdma_vers = RPCRDMA_VERSION_1,
                                     .rdma_credit = RESPONDER_CREDITS};
    uint8_t octets[RPCRDMA1_ERR_CHUNK_LENGTH];
    header.rdma_body.proc = RPCRDMA1_ERROR;
    header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    link->ops->send(link, octets, sizeof octets, NULL);
    responder_lose_error(work);
}

static bool send_answer(struct served_call *work, struct answering *answer, bool is_long)
{
    struct responder *responder = work->responder;
    struct link *link = responder->link;
    size_t payload = is_long ? 0 : work->reply_length;
    ptrdiff_t length =
        rpcrdma1_header_encode(answer->octets, sizeof answer->octets, &answer->header, NULL);
    if (rpcrdma_xdr_failed(length) || (size_t)length + payload > responder->send_limit)
        return false;
    memcpy(answer->octets + length, responder->reply, payload);
    uint32_t handle;
    bool invalidates =
        responder->invalidates && responder_offered_handle(&work->message.chunks, &handle);
    link->ops->send(link, answer->octets, (size_t)length + payload, invalidates ? &handle : NULL);
    return true;
}

/* Short if it fits inline, else in the Reply chunk. False: neither. */
static bool reply(struct served_call *work, struct answering *answer)
{
    struct responder *responder = work->responder;
    const struct rpcrdma1_write_chunk_opt *offered = &work->message.chunks.rdma_reply;
    struct rpcrdma1_chunk_lists lists = {.rdma_reads = {.count = 0}};
    struct returned *returned = &answer->returned;
    answer->header = (struct rpcrdma1_header){.rdma_xid = work->message.prefix.xid,
                                              .rdma_vers = RPCRDMA_VERSION_1,
                                              .rdma_credit = RESPONDER_CREDITS};
    returned->write_count = returned->segment_count = 0;
    if (!responder_fill_writes(work, returned))
        return false;
    lists.rdma_writes =
        (struct rpcrdma1_write_list){.items = returned->writes, .count = returned->write_count};
    size_t header = RPCRDMA1_HEADER_MIN + 8 * (size_t)returned->write_count +
                    16 * (size_t)returned->segment_count +
                    (offered->present ? 4 + 16 * (size_t)offered->value.target.count : 0);
    bool is_long = header + work->reply_length > responder->send_limit;
    lists.rdma_reply.present = offered->present;
    if (is_long && !offered->present)
        return false;
    if (offered->present &&
        !responder_fill(work, returned, &offered->value.target, &lists.rdma_reply.value.target,
                        responder->reply, is_long ? work->reply_length : 0))
        return false;
    if (is_long)
        responder_lose_write(work, &lists.rdma_reply.value.target);
    answer->header.rdma_body.proc = is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    answer->header.rdma_body.rdma_msg = lists;
    return send_answer(work, answer, is_long);
}

/* ---- events ---- */

/* A back channel that came with the last Call is tried. */
static void try_back_channel(struct responder *responder)
{
    struct link *link = responder->link;
    struct nfs4_back_channel channel;
    uint8_t octets[REVERSE_OCTETS];
    nfs4_enter(responder->nfs4, responder->nfs4_connection);
    bool due = nfs4_due(responder->nfs4, &channel);
    nfs4_leave(responder->nfs4);
    if (!due)
        return;
    const struct nfs4_call call = {
        .xid = RESPONDER_REVERSE_XID + responder->reverse_xid++, .credits = 1, .channel = &channel};
    link->ops->send(link, octets, reverse_call_encode(octets, &call), NULL);
    responder->calls.made++;
}

static void take_answer(struct responder *responder, const struct served_call *work)
{
    if (!responder->nfs4 || !responder_take_answer(responder, work->message.prefix.xid,
                                                   work->payload, work->payload_length))
        return;
    nfs4_enter(responder->nfs4, responder->nfs4_connection);
    nfs4_back_channel_works(responder->nfs4);
    nfs4_leave(responder->nfs4);
}

static bool execute(struct served_call *work)
{
    if (!responder_collect(work))
        return false;
    responder_lose_read(work);
    if (!responder_execute(work))
        return false;
    responder_mix_up(work);
    return true;
}

static void serve(struct responder *responder, const uint8_t *octets, size_t length)
{
    struct link *link = responder->link;
    uint8_t error[RPCRDMA_ANSWER_MAX];
    size_t error_length;
    static _Thread_local struct answering answer;
    enum rpcrdma_reaction reaction = rpcrdma_check_answer(RPCRDMA_PROTOCOL_1, octets, length,
                                                          RESPONDER_CREDITS, error, &error_length);
    if (error_length > 0)
        link->ops->send(link, error, error_length, NULL);
    struct served_call work = {.responder = responder};
    if (reaction != RPCRDMA_PROCESS)
        return;
    if (rpcrdma_xdr_failed(
            rpcrdma_message_decode(&work.message, RPCRDMA_PROTOCOL_1, octets, length, NULL)) ||
        work.message.kind != RPCRDMA_KIND_RPC)
        return;
    work.payload = octets + work.message.header;
    work.payload_length = length - work.message.header;
    bool is_call = work.message.form == RPCRDMA_FORM_SPECIAL
                       ? work.message.chunks.rdma_reads.count > 0
                       : work.payload_length >= 8 && rpcrdma_xdr_load32(work.payload + 4) == 0;
    if (!is_call) {
        take_answer(responder, &work);
        return;
    }
    if (!execute(&work) || !reply(&work, &answer))
        answer_error(&work);
    responder_write_late(responder);
    if (responder->nfs4)
        try_back_channel(responder);
}

static bool step_session(struct responder *responder, unsigned timeout)
{
    struct session_event event;
    session_wait(responder->session, timeout, &event);
    if (event.type == SESSION_VERSION1)
        serve(responder, event.payload, event.length);
    else
        responder_take2(responder, &event);
    responder->gone = event.type == SESSION_CLOSED;
    return event.type != SESSION_NOTHING && event.type != SESSION_CLOSED;
}

bool responder_step(struct responder *responder, unsigned timeout)
{
    struct link_event event;
    if (responder->gone)
        return false;
    if (responder->session)
        return step_session(responder, timeout);
    responder->link->ops->wait(responder->link, timeout, &event);
    if (event.type == LINK_RECEIVED)
        serve(responder, event.octets, event.length);
    responder->gone = event.type == LINK_CLOSED;
    return event.type == LINK_RECEIVED;
}

bool responder_gone(const struct responder *responder)
{
    return responder->gone;
}

void responder_announced(struct responder *responder, const uint8_t *octets, size_t length)
{
    struct rpcrdma_private_data own, peer;
    uint32_t thresholds[2];
    const struct link *link = responder->link;
    bool told = rpcrdma_private_data_find(&own, octets, length) == 0;
    bool learnt = rpcrdma_private_data_find(&peer, link->private_data, link->private_length) == 0;
    rpcrdma_inline_thresholds(learnt ? &peer : NULL, told ? &own : NULL, thresholds);
    responder->invalidates = learnt && peer.remote_invalidation;
    responder->send_limit =
        thresholds[1] < RESPONDER_INLINE ? thresholds[1] : (uint32_t)RESPONDER_INLINE;
}

struct responder *responder_new(struct link *link)
{
    struct responder *responder = calloc(1, sizeof *responder);
    if (responder == NULL)
        return NULL;
    responder->link = link;
    responder->call = malloc(RESPONDER_MESSAGE_MAX);
    responder->reply = malloc(RESPONDER_MESSAGE_MAX);
    if (responder->call == NULL || responder->reply == NULL) {
        responder->link = NULL; /* stays the caller's */
        responder_free(responder);
        return NULL;
    }
    const struct link_options *options = responder_options();
    responder_announced(responder, options->private_data, options->private_length);
    return responder;
}

void responder_speak_nfs4(struct responder *responder, struct nfs4 *nfs4)
{
    responder->nfs4 = nfs4;
    responder->nfs4_connection = nfs4_connect(nfs4);
}

void responder_edit(struct responder *responder, uint32_t edition)
{
    responder->store.edition = edition;
}

struct session_options responder_session_options(enum rpcrdma_protocol draft)
{
    return (struct session_options){.protocol = draft,
                                    .credits = RESPONDER_CREDITS,
                                    .send_size = RESPONDER_INLINE,
                                    .receive_size = RESPONDER_INLINE,
                                    .segments = RESPONDER_SEGMENTS,
                                    .message_max = RESPONDER_MESSAGE_MAX,
                                    .queue_max = 2 * RESPONDER_MESSAGE_MAX};
}

bool responder_speak(struct responder *responder, const struct session_options *options)
{
    responder->session = session_new(responder->link, options);
    return responder->session != NULL;
}

bool responder_speak_version2(struct responder *responder, enum rpcrdma_protocol draft)
{
    const struct session_options options = responder_session_options(draft);
    return responder_speak(responder, &options);
}

struct session *responder_session(struct responder *responder)
{
    return responder->session;
}

void responder_free(struct responder *responder)
{
    responder_write_late(responder);
    if (responder->nfs4)
        nfs4_disconnect(responder->nfs4, responder->nfs4_connection);
    session_free(responder->session);
    if (responder->link)
        responder->link->ops->close(responder->link);
    free(responder->call);
    free(responder->reply);
    free(responder->store.octets);
    free(responder);
}

/* ---- over loopback ---- */

static void *begin_version2(void *arg, struct link *link)
{
    const enum rpcrdma_protocol *draft = arg;
    struct responder *responder = responder_new(link);
    if (responder == NULL || responder_speak_version2(responder, *draft))
        return responder;
    responder->link = NULL; /* stays the caller's */
    responder_free(responder);
    return NULL;
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static void *begin_nfs4(void *arg, struct link *link)
{
    struct responder *responder = responder_new(link);
    if (responder)
        responder_speak_nfs4(responder, arg);
    return responder;
}

static void forget_nfs4(void *arg)
{
    nfs4_free(arg);
}

struct transport *responder_loopback(void)
{
    struct nfs4 *nfs4 = nfs4_new(true);
    const struct loopback_peer peer = {.options = responder_options(),
                                       .begin = begin_nfs4,
                                       .step = step,
                                       .end = end,
                                       .forget = forget_nfs4,
                                       .arg = nfs4};
    struct transport *transport = nfs4 ? transport_loopback(&peer) : NULL;
    if (transport == NULL)
        nfs4_free(nfs4);
    return transport;
}

struct transport *responder_loopback_version2(enum rpcrdma_protocol draft)
{
    static enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};
    const struct loopback_peer peer = {.options = responder_options(),
                                       .begin = begin_version2,
                                       .step = step,
                                       .end = end,
                                       .arg = &drafts[draft == RPCRDMA_PROTOCOL_2_07]};
    return transport_loopback(&peer);
}
