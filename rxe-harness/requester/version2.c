// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Requester by version 2: a session on a link that the checker sees. It begins with a
 * NULL, which a peer of version 1 can take and refuse; Calls of the Responder's are answered while
 * it waits for Replies.
 */
#include "rxe-harness/requester/version2.h"

#include "rxe-harness/requester/reverse.h"

#include "conformance/base/clock.h"

#include <stdio.h>

enum { MESSAGE_MAX = 8 << 20 };

/* ---- beginning ---- */

static bool open_session(struct requester *requester, const struct requester_options *wanted)
{
    uint32_t told = wanted->told_size > 0 ? wanted->told_size : REQUESTER_INLINE;
    const struct session_options options = {.protocol = wanted->draft,
                                            .active = true,
                                            .no_properties = wanted->no_properties,
                                            .credits = REQUESTER_CREDITS,
                                            .send_size = REQUESTER_INLINE,
                                            .receive_size = told,
                                            .segments = REQUESTER_SEGMENTS,
                                            .reverse = RPCRDMA2_07_RVRSDIR_CONT,
                                            .message_max = MESSAGE_MAX,
                                            .queue_max = MESSAGE_MAX,
                                            .piece = wanted->piece};
    requester->session = session_new(requester->link, &options);
    return requester->session != NULL;
}

bool requester_settle2(struct requester *requester, const struct requester_options *wanted)
{
    const struct requester_call null = {.procedure = 0};
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply = {.outcome = 0};
    bool good = open_session(requester, wanted) && requester_begin(requester, &null, &pending);
    if (good)
        requester_receive(requester, &pending, wanted->timeout, &reply);
    requester_forget(requester, &pending);
    requester->unanswered = reply.outcome == RPCRDMA_DISCARD || reply.outcome == RPCRDMA_CLOSE;
    uint32_t version = good ? session_counts(requester->session).version : 0;
    if (version != 1)
        return version == 2;
    session_free(requester->session); /* version 1 goes on without it */
    requester->session = NULL;
    return !wanted->no_fallback;
}

/* ---- Replies, and Calls of the Responder's ---- */

void requester_finish2(struct requester *requester, struct requester_pending *pending,
                       unsigned timeout, struct requester_reply *reply)
{
    int64_t until = clock_milliseconds() + timeout, left = timeout;
    struct session_event event;
    do {
        session_wait(requester->session, (unsigned)left, &event);
        if (event.type == SESSION_CALL)
            requester->answered += requester_answer_in_session(requester->session, &event);
        left = until - clock_milliseconds();
    } while (left > 0 && (event.type == SESSION_CALL || event.type == SESSION_VERSION1));
    requester->unsent = requester->unsent || event.type == SESSION_UNSENT;
    if (event.type == SESSION_REPLY || event.type == SESSION_ERROR || event.type == SESSION_REFUSED)
        requester_read_event(&event, pending, reply);
    else
        requester_read_nothing(requester, event.type == SESSION_CLOSED, reply);
    if (event.type == SESSION_UNSENT)
        snprintf(reply->text, sizeof reply->text,
                 "no answer: the Call was not sent, for the peer "
                 "has lowered what it takes");
}

/* ---- Calls ---- */

/* Whether the error says how much is needed, and that is more. */
static bool enlarge(const struct requester_reply *reply, struct requester_call *call)
{
    uint32_t needed = reply->value[reply->outcome == RPCRDMA_ERR_WRITE_RESOURCE];
    size_t *room = reply->outcome == RPCRDMA_ERR_WRITE_RESOURCE   ? &call->write_room
                   : reply->outcome == RPCRDMA_ERR_REPLY_RESOURCE ? &call->reply_room
                                                                  : NULL;
    if (room == NULL || needed <= *room || needed > MESSAGE_MAX)
        return false;
    *room = needed;
    unsigned *segments = room == &call->reply_room ? &call->reply_segments : &call->write_segments;
    if (*segments == 0)
        *segments = 1;
    return true;
}

bool requester_call2(struct requester *requester, const struct requester_call *call,
                     struct requester_pending *pending, unsigned timeout,
                     struct requester_reply *reply)
{
    struct requester_call again = *call;
    *reply = (struct requester_reply){.text = "a Call that cannot be sent"};
    if (!requester_begin(requester, call, pending))
        return false;
    requester_receive(requester, pending, timeout, reply);
    if (!enlarge(reply, &again))
        return true;
    requester_forget(requester, pending);
    if (!requester_begin(requester, &again, pending))
        return false;
    requester_receive(requester, pending, timeout, reply);
    return true;
}
