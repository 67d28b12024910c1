// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/session/state.h"

#include "conformance/base/clock.h"

#include <stdio.h>
#include <stdlib.h>

/* Sends that lead to no event and that are taken in one call, where no time is given. */
#define TAKEN_MAX 1024

unsigned session_receives(const struct session_options *options)
{
    unsigned both = options->protocol == RPCRDMA_PROTOCOL_2_04 ? 2 : 1;
    return both * options->credits + SESSION_SPARE;
}

struct session *session_new(struct link *link, const struct session_options *options)
{
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->link = link;
    session->options = *options;
    session->totals.limit = 1; /* one message until the peer says more (4.3) */
    session->end = &session->first;
    session->peer_receive_size = SESSION_INLINE;
    /* The defaults of each (-04 5.2, -07 5.2). */
    bool is_04 = session_is_04(session);
    session->peer_reverse = is_04 ? RPCRDMA2_07_RVRSDIR_SIMPLE : RPCRDMA2_07_RVRSDIR_NONE;
    session->buffer = malloc(options->send_size);
    session->calls.flying = is_04 ? calloc(options->credits, sizeof *session->calls.flying) : NULL;
    bool first = !is_04 && options->active && !options->no_properties;
    if (session->buffer == NULL || (is_04 && session->calls.flying == NULL) ||
        (first && !session_queue_properties07(session))) {
        session_free(session);
        return NULL;
    }
    return session;
}

void session_free(struct session *session)
{
    if (session == NULL)
        return;
    session_drop_queue(session);
    free(session->in.octets);
    free(session->calls.flying);
    free(session->buffer);
    free(session);
}

/* What the queue has to tell before anything that comes. */
static bool take_queue(struct session *session, struct session_event *event)
{
    if (session->has_unsent) {
        session->has_unsent = false;
        event->type = SESSION_UNSENT;
        event->message.prefix = (struct rpcrdma_prefix){.xid = session->unsent, .version = 2};
        event->message.direction = RPCRDMA_CALL;
        return true;
    }
    if (!session->broken)
        return false;
    session->state = SESSION_OVER;
    event->type = SESSION_CLOSED;
    snprintf(session->link->why, sizeof session->link->why,
             "the peer takes less, in the middle of a message");
    return true;
}

void session_wait(struct session *session, unsigned timeout, struct session_event *event)
{
    int64_t until = clock_milliseconds() + timeout;
    for (unsigned taken = 1;; taken++) {
        int64_t left = until - clock_milliseconds();
        struct link_event came;
        session_pump(session);
        *event = (struct session_event){.type = SESSION_NOTHING};
        if (take_queue(session, event))
            return;
        session->link->ops->wait(session->link, left > 0 ? (unsigned)left : 0, &came);
        *event = (struct session_event){.type = came.type == LINK_CLOSED ? SESSION_CLOSED
                                                                         : SESSION_NOTHING};
        if (session->errors > SESSION_ERRORS_MAX) {
            session->state = SESSION_OVER;
            event->type = SESSION_CLOSED;
            return;
        }
        if (came.type != LINK_RECEIVED || session_take(session, &came, event))
            return;
        if (timeout > 0 ? clock_milliseconds() >= until : taken == TAKEN_MAX)
            return; /* a peer that sends without end does not keep us here */
    }
}

size_t session_waiting(const struct session *session)
{
    size_t count = 0;
    for (const struct outgoing *out = session->first; out; out = out->next)
        count++;
    return count;
}

struct session_counts session_counts(const struct session *session)
{
    return (struct session_counts){
        .sent = session->totals.sent,
        .received = session->totals.received,
        .grants_sent = session->grants_sent,
        .pieces_sent = session->pieces_sent,
        .version = session->state == SESSION_SETTLED  ? 2
                   : session->state == SESSION_PASSES ? 1
                                                      : 0,
        .send_limit = session_send_limit(session),
        .left = session_is_04(session) ? session_calls_left04(session)
                                       : (int32_t)(session->totals.limit - session->totals.sent)};
}
