// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Requester by version 2: a session on a link that the checker sees. It begins with a
 * NULL, which a peer of version 1 can take and refuse; Calls of the Responder's are answered while
 * it waits for Replies.
 */
#include "rxe-harness/requester/caller.h"
#include "rxe-harness/requester/reverse.h"
#include "rxe-harness/session/session.h"

#include "conformance/base/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { MESSAGE_MAX = 8 << 20 };

/* ---- Calls ---- */

/* The same lists as a message of version 2: what holds the Call is apart from the data items. The
 * first handle is the one that may be invalidated. */
static bool begin_as_is(struct requester *requester, const struct requester_call *call,
                        struct requester_pending *pending)
{
    struct call_lists *draft = calloc(1, sizeof *draft);
    size_t length;
    *pending = (struct requester_pending){.xid = ++requester->xid};
    bool good = draft && requester_build_lists(requester, call, pending, draft, &length);
    if (good) {
        const struct rpcrdma1_chunk_lists *lists = &draft->header.rdma_body.rdma_msg;
        uint32_t apart = call->long_segments;
        const struct session_message message = {
            .direction = RPCRDMA_CALL,
            .xid = pending->xid,
            .rpc = pending->call,
            .length = length,
            .external = apart > 0,
            .invalidate = requester->invalidates && pending->memory.count > 0
                              ? pending->memory.pieces[0].handle
                              : 0,
            .call = {.items = draft->reads, .count = apart},
            .reads = {.items = draft->reads + apart, .count = draft->read_count - apart},
            .writes = lists->rdma_writes,
            .reply = lists->rdma_reply};
        good = session_send(requester->session, &message);
    }
    free(draft);
    return good;
}

static bool begin(struct requester *requester, const struct requester_call *call,
                  struct requester_pending *pending)
{
    if (begin_as_is(requester, call, pending))
        return true;
    if (call->long_segments > 0)
        return false;
    struct requester_call longer = *call;
    longer.long_segments = 1;
    requester_forget(requester, pending);
    return begin_as_is(requester, &longer, pending);
}

/* ---- what a message means ---- */

static void read_error(const struct rpcrdma_message *message, struct requester_reply *reply)
{
    const char *name = rpcrdma_error_name(message->protocol, message->error.code);
    reply->outcome = rpcrdma_reaction_of_error(message->protocol, message->error.code);
    reply->code = message->error.code;
    reply->vers = message->prefix.version;
    for (uint32_t i = 0; i < 2; i++)
        reply->value[i] = i < message->error.values ? message->error.value[i] : 0;
    reply->low = reply->value[0];
    reply->high = reply->value[1];
    snprintf(reply->text, sizeof reply->text, "RDMA2_ERROR %s (%u), %u and %u",
             name ? name : "code", reply->code, reply->low, reply->high);
}

/* A segment that came back is memory of this Call, up to its length. */
static bool is_offered(const struct requester_pending *pending,
                       const struct rpcrdma1_segment *segment)
{
    for (unsigned i = 0; i < pending->memory.count; i++) {
        const struct link_memory *piece = &pending->memory.pieces[i];
        if (piece->handle == segment->handle && piece->offset == segment->offset)
            return segment->length <= piece->length;
    }
    return false;
}

static bool are_offered(const struct requester_pending *pending,
                        const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        if (!is_offered(pending, &segment))
            return false;
    return true;
}

static bool chunks_are_offered(const struct requester_pending *pending,
                               const struct rpcrdma1_chunk_lists *chunks)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (!are_offered(pending, &chunk.target) ||
            rpcrdma1_segments_length(&chunk.target) > pending->item_room)
            return false;
    return !chunks->rdma_reply.present || are_offered(pending, &chunks->rdma_reply.value.target);
}

void requester_read_event(const struct session_event *event,
                          const struct requester_pending *pending, struct requester_reply *reply)
{
    const struct rpcrdma_message *message = &event->message;
    *reply = (struct requester_reply){.xid = message->prefix.xid};
    if (event->type == SESSION_ERROR || event->type == SESSION_REFUSED) {
        read_error(message, reply);
        return;
    }
    if (!chunks_are_offered(pending, &message->chunks)) {
        snprintf(reply->text, sizeof reply->text, "a Reply in memory that its Call did not offer");
        return;
    }
    requester_read_writes(reply, &message->chunks.rdma_writes);
    if (message->form == RPCRDMA_FORM_SPECIAL)
        requester_read_long(&message->chunks, pending, reply);
    else
        requester_read_rpc(reply, event->payload, event->length);
}

/* ---- Replies, and Calls of the Responder's ---- */

static void finish(struct requester *requester, struct requester_pending *pending, unsigned timeout,
                   struct requester_reply *reply)
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
    if (event.type == SESSION_REFUSED) /* the version: what waits behind the first message, too */
        reply->xid = pending->xid;
    if (event.type == SESSION_UNSENT)
        snprintf(reply->text, sizeof reply->text,
                 "no answer: the Call was not sent, for the peer "
                 "has lowered what it takes");
}

/* ---- beginning and end ---- */

/* The session and the functions above have looked at it. */
static bool takes(const struct requester *requester)
{
    (void)requester;
    return true;
}

static void forget(struct requester *requester)
{
    session_free(requester->session);
    requester->session = NULL;
}

static const struct caller version2 = {
    .begin = begin, .finish = finish, .takes = takes, .forget = forget, .lengthens = true};

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
                                            .reverse = SESSION_REVERSE_PIECES,
                                            .message_max = MESSAGE_MAX,
                                            .queue_max = MESSAGE_MAX,
                                            .piece = wanted->piece};
    requester->session = session_new(requester->link, &options);
    return requester->session != NULL;
}

enum requester_settled requester_offer_version2(struct requester *requester,
                                                const struct requester_options *wanted)
{
    const struct requester_call null = {.procedure = 0};
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply = {.outcome = 0};
    requester->caller = &version2;
    bool good = open_session(requester, wanted) && requester_begin(requester, &null, &pending);
    if (good)
        requester_receive(requester, &pending, wanted->timeout, &reply);
    requester_forget(requester, &pending);
    uint32_t version = good ? session_counts(requester->session).version : 0;
    bool nothing = reply.outcome == RPCRDMA_DISCARD || reply.outcome == RPCRDMA_CLOSE;
    return version == 2   ? REQUESTER_SPEAKS_2
           : version == 1 ? REQUESTER_SPEAKS_1
           : nothing      ? REQUESTER_UNANSWERED
                          : REQUESTER_UNSETTLED;
}

/* ---- Calls that are made again ---- */

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
