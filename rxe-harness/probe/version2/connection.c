// SPDX-License-Identifier: BSD-3-Clause
/* A connection on which the checker sees both sides, and what comes back on it. */
#include "rxe-harness/probe/version2/probe.h"

#include "rxe-harness/report/live.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rules.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CREDITS = 64 };

/* ---- the checker ---- */

/* Where a case itself leaves the Responder no credits, what the text of 4.2.1 allows is open: it
 * compares the count before a Send. */
static bool is_open(const struct probe2_peer *peer, enum rpcrdma_rule rule)
{
    return peer->withholds && rule == RPCRDMA2_07_4_2_1_SEND_AT_LIMIT;
}

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    struct probe2_peer *peer = arg;
    struct probe *probe = peer->probe;
    const struct live_case about = {probe->run.file, probe->run.case_id, probe->run.case_comment};
    bool is_send = event->type == RPCRDMA_EVENT_SEND;
    if (event->from == RPCRDMA_CLIENT) {
        if (is_send)
            peer->open = judgement->reactions;
        return;
    }
    if (is_send) {
        peer->came_length = event->length < sizeof peer->came ? event->length : sizeof peer->came;
        memcpy(peer->came, event->data, peer->came_length);
    }
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].severity > RPCRDMA_NOTE &&
            !is_open(peer, judgement->findings[i].rule))
            live_finding(&probe->run.results, &about, event, &judgement->findings[i]);
}

/* The credit word is the case's, if it has one. */
static bool send_with_credit(void *arg, const void *octets, size_t length, const uint32_t *handle)
{
    struct probe2_peer *peer = arg;
    if (length > sizeof peer->sent)
        return false;
    memcpy(peer->sent, octets, length);
    peer->sent_length = length;
    if (peer->credit && length >= RPCRDMA_AT_CREDIT + sizeof(uint32_t))
        rpcrdma_xdr_store32(peer->sent + RPCRDMA_AT_CREDIT, *peer->credit);
    return watched_send(&peer->watched, peer->sent, length, handle);
}

/* ---- the connection ---- */

static bool make_checker(struct probe2_peer *peer)
{
    const struct rpcrdma_check_config config = {
        .draft = peer->probe->options.draft, .max_calls = 64, .seen_between = true};
    peer->watched.on_event = on_event;
    peer->watched.outgoing = send_with_credit;
    peer->watched.arg = peer->watched.outgoing_arg = peer;
    return watched_init(&peer->watched, &config);
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
    peer->link = transport->ops->connect(transport, &receives);
    if (peer->link == NULL)
        return false;
    watched_begin(&peer->watched, peer->link);
    peer->session = session_new(peer->link, &options);
    return peer->session != NULL;
}

/* What a Call in a chunk is read from. */
static bool expose_null(struct probe2_peer *peer)
{
    struct probe *probe = peer->probe;
    requester_rpc(peer->rpc, probe->run.xid, probe->options.program, probe->options.version, 0);
    peer->memory = (struct link_memory){.octets = peer->rpc, .length = sizeof peer->rpc};
    return peer->link->ops->expose(peer->link, &peer->memory, LINK_PEER_READS);
}

struct probe2_peer *probe2_connect(struct probe *probe)
{
    struct probe2_peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL)
        return NULL;
    peer->probe = probe;
    if (make_checker(peer) && open_link(peer, probe->peer.transport) && expose_null(peer))
        return peer;
    probe2_close(peer);
    return NULL;
}

void probe2_close(struct probe2_peer *peer)
{
    if (peer == NULL)
        return;
    session_free(peer->session);
    if (peer->memory.own)
        peer->link->ops->hide(peer->link, &peer->memory);
    if (peer->link)
        peer->link->ops->close(peer->link);
    watched_free(&peer->watched);
    free(peer);
}

/* ---- messages ---- */

static struct probe2_outcome outcome_of_reply(const struct session_event *event)
{
    enum { GARBAGE_ARGS = 4 };
    struct probe2_outcome outcome = {.reaction = RPCRDMA_PROCESS, .text = "a Reply"};
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t length = rpcrdma_rpc_header_decode(&rpc, event->payload, event->length, NULL);
    if (length < 0 || !rpc.is_reply)
        outcome = (struct probe2_outcome){.reaction = 0, .text = "a Reply that does not decode"};
    else if (rpc.accepted && rpc.accept_stat == GARBAGE_ARGS)
        outcome = (struct probe2_outcome){RPCRDMA_GARBAGE_ARGS, "a Reply of GARBAGE_ARGS"};
    return outcome;
}

static struct probe2_outcome outcome_of(const struct probe2_peer *peer,
                                        const struct session_event *event)
{
    struct probe2_outcome outcome = {.reaction = 0};
    uint32_t code;
    switch (event->type) {
    case SESSION_NOTHING:
        return (struct probe2_outcome){RPCRDMA_DISCARD, "silence"};
    case SESSION_CLOSED:
        outcome.reaction = RPCRDMA_CLOSE | RPCRDMA_TERMINATE;
        snprintf(outcome.text, sizeof outcome.text, "the end of the connection: %.100s",
                 peer->link->why);
        return outcome;
    case SESSION_ERROR:
    case SESSION_REFUSED:
        code = event->message.error.code;
        outcome.reaction = rpcrdma_reaction_of_error(peer->probe->options.draft, code);
        const char *name = rpcrdma_error_name(peer->probe->options.draft, code);
        snprintf(outcome.text, sizeof outcome.text, "RDMA2_ERROR %s (%u)", name ? name : "code",
                 code);
        return outcome;
    case SESSION_REPLY:
        return outcome_of_reply(event);
    case SESSION_UNSENT:
        return (struct probe2_outcome){0, "nothing was asked: the peer has lowered what it takes"};
    default:
        return (struct probe2_outcome){0, "a message of another kind"};
    }
}

/* Answers to what came before are passed over. */
struct probe2_outcome probe2_wait(struct probe2_peer *peer, uint32_t xid, unsigned timeout)
{
    enum { TRIES = 16 };
    struct session_event event = {.type = SESSION_NOTHING};
    for (int i = 0; i < TRIES; i++) {
        session_wait(peer->session, timeout, &event);
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
    session_post(peer->session, octets, length);
}

struct probe2_outcome probe2_null(struct probe2_peer *peer)
{
    struct probe *probe = peer->probe;
    uint8_t rpc[REQUESTER_RPC];
    const struct session_message message = {
        .direction = RPCRDMA_CALL, .xid = ++probe->run.xid, .rpc = rpc, .length = sizeof rpc};
    requester_rpc(rpc, message.xid, probe->options.program, probe->options.version, 0);
    if (!session_send(peer->session, &message))
        return (struct probe2_outcome){0, "the peer does not speak version 2"};
    return probe2_wait(peer, message.xid, probe->options.timeout);
}
