// SPDX-License-Identifier: BSD-3-Clause
/* A connection on which the checker sees both sides, and what comes back on it. */
#include "rxe-harness/probe/version2/probe.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/requester/caller.h"

#include <rpcrdma/rules.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CREDITS = 64 };

/* ---- the checker ---- */

/* Segments that come back are our own, faults and all. Where a case itself leaves the Responder no
 * credits, what the text of 4.2.1 allows is open: it compares the count before a Send. */
static bool is_open(const struct probe2_peer *peer, enum rpcrdma_rule rule)
{
    return peer->requester.broken == (int)rule ||
           (peer->withholds && rule == RPCRDMA2_07_4_2_1_SEND_AT_LIMIT);
}

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    struct probe2_peer *peer = arg;
    struct probe *probe = peer->probe;
    const struct live_case about = {probe->run.file, probe->run.current.id,
                                    probe->run.current.comment};
    bool is_send = event->type == RPCRDMA_EVENT_SEND;
    if (probe->run.recording.recorder)
        probe_record(probe, &peer->requester.watched.config, event, judgement);
    if (event->from == RPCRDMA_CLIENT) {
        if (is_send) {
            peer->requester.open = judgement->reactions;
            peer->requester.broken = judgement->count > 0 ? (int)judgement->findings[0].rule : -1;
        }
        return;
    }
    if (is_send) {
        peer->requester.came_length = event->length < sizeof peer->requester.came
                                          ? event->length
                                          : sizeof peer->requester.came;
        memcpy(peer->requester.came, event->data, peer->requester.came_length);
        if (judgement->has_credit && judgement->direction != RPCRDMA_CALL)
            peer->requester.granted = judgement->credit;
    }
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].from == RPCRDMA_SERVER &&
            judgement->findings[i].severity > RPCRDMA_NOTE &&
            !is_open(peer, judgement->findings[i].rule))
            live_finding(&probe->run.results, &about, event, &judgement->findings[i]);
}

/* The credit word is the case's, if it has one. */
static bool send_with_credit(void *arg, const void *octets, size_t length, const uint32_t *handle)
{
    struct probe2_peer *peer = arg;
    if (length > sizeof peer->requester.sent)
        return false;
    memcpy(peer->requester.sent, octets, length);
    peer->requester.sent_length = length;
    if (peer->credit && length >= RPCRDMA_AT_CREDIT + sizeof(uint32_t))
        rpcrdma_xdr_store32(peer->requester.sent + RPCRDMA_AT_CREDIT, *peer->credit);
    return watched_send(&peer->requester.watched, peer->requester.sent, length, handle);
}

/* ---- the connection ---- */

static bool make_checker(struct probe2_peer *peer)
{
    const struct rpcrdma_check_config config = {
        .draft = peer->probe->options.draft, .max_calls = 64, .seen_between = true};
    peer->requester.watched.on_event = on_event;
    peer->requester.watched.outgoing = send_with_credit;
    peer->requester.watched.arg = peer->requester.watched.outgoing_arg = peer;
    return watched_init(&peer->requester.watched, &config);
}

static bool open_link(struct probe2_peer *peer, struct transport *transport)
{
    const struct session_options options = {.protocol = peer->probe->options.draft,
                                            .active = true,
                                            .no_properties = true,
                                            .credits = CREDITS,
                                            .send_size = SESSION_INLINE,
                                            .receive_size = SESSION_INLINE,
                                            .segments = 16,
                                            .message_max = 65536,
                                            .queue_max = 65536};
    const struct link_options receives = {.receive_size = SESSION_INLINE,
                                          .receives = session_receives(&options),
                                          .timeout = peer->probe->options.timeout};
    transport->error[0] = '\0';
    peer->requester.link = transport->ops->connect(transport, &receives);
    if (peer->requester.link == NULL)
        return false;
    watched_begin(&peer->requester.watched, peer->requester.link);
    peer->requester.session = session_new(peer->requester.link, &options);
    return peer->requester.session != NULL;
}

struct probe2_peer *probe2_connect(struct probe *probe)
{
    struct probe2_peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL)
        return NULL;
    peer->probe = probe;
    probe_begin_recording(probe);
    if (make_checker(peer) && open_link(peer, probe->peer.transport))
        return peer;
    probe2_close(peer);
    return NULL;
}

void probe2_close(struct probe2_peer *peer)
{
    if (peer == NULL)
        return;
    session_free(peer->requester.session);
    probe2_forget_vector(peer);
    if (peer->requester.link)
        peer->requester.link->ops->close(peer->requester.link);
    watched_free(&peer->requester.watched);
    free(peer);
}

/* ---- messages ---- */

static struct probe2_outcome outcome_of_reply(const struct probe2_peer *peer,
                                              const struct session_event *event)
{
    struct probe2_outcome outcome = {.reaction = 0};
    struct requester_reply reply = {.outcome = 0};
    const struct requester_pending *pending =
        peer->moved_count > 0 ? &peer->moved[peer->moved_count - 1].reply : NULL;
    if (event->message.form == RPCRDMA_FORM_SPECIAL)
        requester_read_long(&event->message.chunks, pending, &reply);
    else
        requester_read_rpc(&reply, event->payload, event->length);
    outcome.reaction = reply.outcome;
    outcome.refused = reply.outcome == RPCRDMA_PROCESS && !(reply.accepted && reply.stat == 0);
    snprintf(outcome.text, sizeof outcome.text, "%s", reply.text);
    return outcome;
}

static struct probe2_outcome outcome_of_version1(const struct session_event *event)
{
    struct probe2_outcome outcome = {.text = "a message of version 1 that is no Reply inline"};
    struct requester_reply reply = {.outcome = 0};
    if (event->length < RPCRDMA1_HEADER_MIN ||
        rpcrdma_xdr_load32(event->payload + RPCRDMA_AT_PROCEDURE) != 0)
        return outcome;
    requester_read_rpc(&reply, event->payload + RPCRDMA1_HEADER_MIN,
                       event->length - RPCRDMA1_HEADER_MIN);
    outcome.reaction = reply.outcome;
    snprintf(outcome.text, sizeof outcome.text, "%s", reply.text);
    return outcome;
}

static struct probe2_outcome outcome_of(const struct probe2_peer *peer,
                                        const struct session_event *event)
{
    struct probe2_outcome outcome = {.reaction = 0};
    uint32_t code;
    switch (event->type) {
    case SESSION_NOTHING:
        return (struct probe2_outcome){.reaction = RPCRDMA_DISCARD, .text = "silence"};
    case SESSION_CLOSED:
        outcome.reaction = RPCRDMA_CLOSE | RPCRDMA_TERMINATE;
        snprintf(outcome.text, sizeof outcome.text, "the end of the connection: %.100s",
                 peer->requester.link->why);
        return outcome;
    case SESSION_ERROR:
    case SESSION_REFUSED:
        code = event->message.error.code;
        outcome.is_error = true;
        outcome.reaction = rpcrdma_reaction_of_error(peer->probe->options.draft, code);
        const char *name = rpcrdma_error_name(peer->probe->options.draft, code);
        snprintf(outcome.text, sizeof outcome.text, "RDMA2_ERROR %s (%u)", name ? name : "code",
                 code);
        return outcome;
    case SESSION_REPLY:
        return outcome_of_reply(peer, event);
    case SESSION_UNSENT:
        return (struct probe2_outcome){.text =
                                           "nothing was asked: the peer has lowered what it takes"};
    case SESSION_VERSION1:
        return outcome_of_version1(event);
    case SESSION_CALL:
        break;
    }
    return (struct probe2_outcome){.text = "a message of another kind"};
}

/* Answers to what came before are passed over. */
struct probe2_outcome probe2_wait(struct probe2_peer *peer, uint32_t xid, unsigned timeout)
{
    enum { TRIES = 16 };
    struct session_event event = {.type = SESSION_NOTHING};
    for (int i = 0; i < TRIES; i++) {
        session_wait(peer->requester.session, timeout, &event);
        peer->replies +=
            event.type == SESSION_REPLY && event.message.prefix.xid - peer->first < PROBE2_XIDS;
        bool has_xid = event.type == SESSION_REPLY || event.type == SESSION_ERROR;
        if (!has_xid || event.message.prefix.xid == xid)
            break;
    }
    return outcome_of(peer, &event);
}

void probe2_post(struct probe2_peer *peer, uint8_t *octets, size_t length)
{
    session_post(peer->requester.session, octets, length);
}

struct probe2_outcome probe2_null(struct probe2_peer *peer)
{
    struct probe *probe = peer->probe;
    uint8_t rpc[REQUESTER_RPC];
    const struct session_message message = {
        .direction = RPCRDMA_CALL, .xid = ++probe->run.xid, .rpc = rpc, .length = sizeof rpc};
    requester_rpc(rpc, message.xid, probe->options.program, probe->options.version, 0);
    if (!session_send(peer->requester.session, &message))
        return (struct probe2_outcome){.text = "the peer does not speak version 2"};
    return probe2_wait(peer, message.xid, probe->options.timeout);
}
