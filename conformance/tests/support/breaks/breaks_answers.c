// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule that shows only when a Call, what RDMA moved and the answer are seen
 * together. */
#include "conformance/tests/support/breaks/breaks.h"

#include <rpcrdma/rpcrdma.h>
#include <string.h>

static uint8_t payload[MESSAGE_MAX];
static struct message other;

/* A Reply to a Call that is seen from its beginning on, without copies. */
static bool is_sole_reply(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_reply(talk, call) && call->copies == 1 && !talk->config.mid_stream &&
           talk->config.bindings;
}

static bool is_client_reply(const struct talk *talk, const struct talk_call *call)
{
    return is_sole_reply(talk, call) && call->is_nfs && call->from == RPCRDMA_CLIENT &&
           !call->is_long && !call->long_reply;
}

/* ---- a Call that has to be refused is taken ---- */

/* Judge the Call as it is, and then the Reply that a careless Responder sends. */
static bool take_all_the_same(struct talk *talk, struct talk_call *call)
{
    static const uint8_t reply[52] = {[7] = 1, [11] = 8, [35] = 1};
    enum rpcrdma_endpoint from = talk->out.event.from;
    talk_judge_first(talk);
    memcpy(talk->out.octets, reply, sizeof reply);
    rpcrdma_xdr_store32(talk->out.octets, call->xid);
    rpcrdma_xdr_store32(talk->out.octets + 28, call->xid);
    talk->out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND,
                                             .from = talk_peer(from),
                                             .data = talk->out.octets,
                                             .length = sizeof reply};
    return true;
}

static bool is_bare_call(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_call(talk, call) && call->writes == 0 && !call->has_reply &&
           !talk->config.mid_stream;
}

static bool misaligned_taken(struct talk *talk, struct talk_call *call)
{
    if (!is_bare_call(talk, call) || call->reads == 0 || call->is_long)
        return false;
    rpcrdma_xdr_store32(talk->out.octets + 20, call->read[0].position + 2);
    return take_all_the_same(talk, call);
}

static bool procedure_taken(struct talk *talk, struct talk_call *call)
{
    if (!is_bare_call(talk, call) || call->from != RPCRDMA_CLIENT)
        return false;
    rpcrdma_xdr_store32(talk->out.octets + 12, 9);
    return take_all_the_same(talk, call);
}

static bool count_taken(struct talk *talk, struct talk_call *call)
{
    if (!is_bare_call(talk, call) || call->reads > 0 || call->from != RPCRDMA_CLIENT)
        return false;
    rpcrdma_xdr_store32(talk->out.octets + 20, 1);
    rpcrdma_xdr_store32(talk->out.octets + 24, 0x10000000);
    return take_all_the_same(talk, call);
}

/* An argument that is not eligible leaves the payload, and the Call is executed. */
static bool ineligible_taken(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->call;
    if (!is_bare_call(talk, call) || !call->is_nfs || call->from != RPCRDMA_CLIENT ||
        call->is_long || call->reads > 0 || message->others == 0 || !talk->config.bindings)
        return false;
    other = *message;
    other.items = 1;
    other.item[0] = message->other[0];
    call->read[0] =
        (struct rpcrdma1_read_segment){(uint32_t)other.item[0].at, {9, other.item[0].length, 9}};
    talk_lists(talk)->rdma_reads.items = call->read;
    talk_lists(talk)->rdma_reads.count = 1;
    ptrdiff_t n =
        rpcrdma1_header_encode(talk->out.octets, sizeof talk->out.octets, &talk->out.header, NULL);
    talk->out.event.length = (size_t)n + message_reduce(&other, 1, talk->out.octets + n);
    return take_all_the_same(talk, call);
}

/* ---- Write chunks that have octets, though nothing can be in them ---- */

static bool use_first_chunk(struct talk *talk, struct talk_call *call, uint32_t octets)
{
    struct talk_chunk *chunk = &call->write[0];
    if (call->writes == 0 || chunk->count == 0 || chunk->returned_empty ||
        chunk->segment[0].length < octets || talk->rdma_seen)
        return false;
    chunk->returned[0].length = octets;
    return true;
}

static bool chunk_of_failed_call(struct talk *talk, struct talk_call *call)
{
    return is_sole_reply(talk, call) && !call->is_long && !call->long_reply &&
           call->status != TALK_SUCCESS && use_first_chunk(talk, call, 4);
}

/* A token or other part of RPCSEC_GSS. */
static bool token_in_chunk(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->reply;
    if (!is_sole_reply(talk, call) || call->is_long || call->long_reply || call->gss_proc == 0 ||
        call->status != TALK_SUCCESS || message->others == 0 ||
        !use_first_chunk(talk, call, message->other[0].length))
        return false;
    other = *message;
    other.items = 1;
    other.item[0] = message->other[0];
    talk->out.payload = payload;
    talk->out.payload_length = message_reduce(&other, 1, payload);
    return true;
}

/* A result that is not eligible. */
static bool ineligible_result(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->reply;
    if (!is_client_reply(talk, call) || call->status != TALK_SUCCESS || message->items > 0 ||
        message->others == 0 || call->asked.results > 0)
        return false;
    uint32_t n = pick(&talk->dice, message->others);
    if (!use_first_chunk(talk, call, message->other[n].length))
        return false;
    other = *message;
    other.items = 1;
    other.item[0] = message->other[n];
    talk->out.payload = payload;
    talk->out.payload_length = message_reduce(&other, 1, payload);
    return true;
}

/* READ data that is in its chunk, which comes back unused. */
static bool pushed_but_unused(struct talk *talk, struct talk_call *call)
{
    if (!is_client_reply(talk, call) || call->status != TALK_SUCCESS || call->writes == 0 ||
        call->served[0] == UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < call->write[0].count; i++)
        call->write[0].returned[i].length = 0;
    return true;
}

/* ---- Long messages ---- */

/* The Reply to a Long Call. */
static bool answers_long_call(struct talk *talk, struct talk_call *call)
{
    if (!is_sole_reply(talk, call) || !call->is_nfs || call->from != RPCRDMA_CLIENT ||
        !call->is_long || call->long_reply || !talk->rdma_seen || !talk->content_seen ||
        talk->one_handle || call->status != TALK_SUCCESS || call->writes == 0 ||
        call->served[0] == UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < call->write[0].count; i++)
        call->write[0].returned[i].length = 0;
    uint32_t out = 0;
    for (uint32_t i = 1; i < call->writes; i++)
        out |= (uint32_t)(call->served[i] != UINT32_MAX) << i;
    talk->out.payload = payload;
    talk->out.payload_length = message_reduce(&call->content->reply, out, payload);
    return talk->out.payload_length + talk_header_length(call) <= talk->threshold[RPCRDMA_SERVER];
}

static bool is_watched_long_reply(const struct talk *talk, const struct talk_call *call)
{
    return is_sole_reply(talk, call) && call->long_reply && talk->rdma_seen && !talk->one_handle;
}

static bool long_reply_length(struct talk *talk, struct talk_call *call)
{
    if (!is_watched_long_reply(talk, call) || call->reply.returned[0].length < 60 ||
        call->reply.count != 1)
        return false;
    call->reply.returned[0].length -= 8;
    return true;
}

/* An RDMA Write of the first octets of a Long Reply brings another XID; the Reply ends it. */
static bool long_reply_xid(struct talk *talk, struct talk_call *call)
{
    struct rpcrdma_event *event = &talk->out.event;
    if (is_watched_long_reply(talk, call))
        return call->marked;
    if (talk_is_send(talk) || event->data != call->content->reply_stream || event->length < 8 ||
        call->doubled || call->unseen || call->copies > 1)
        return false;
    memcpy(payload, event->data, event->length);
    rpcrdma_xdr_store32(payload, ~call->xid);
    event->data = payload;
    call->marked = true;
    return false;
}

static bool read_list_copied(struct talk *talk, struct talk_call *call)
{
    if (!is_sole_reply(talk, call) || !call->long_reply || !call->is_long ||
        call->from != RPCRDMA_CLIENT || talk->config.reverse_direction)
        return false;
    talk_lists(talk)->rdma_reads.items = call->read;
    talk_lists(talk)->rdma_reads.count = call->reads;
    return true;
}

/* ---- Send With Invalidate ---- */

static bool invalidating_call(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call) || !talk->invalidates || call->is_long)
        return false;
    talk->out.event.invalidate = true;
    talk->out.event.handle = 0x666;
    return true;
}

static bool invalidating_error(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_error(talk, call) || !talk->invalidates || call->copies > 1)
        return false;
    talk->out.event.invalidate = true;
    talk->out.event.handle = 0x666;
    return true;
}

/* ---- RDMA ---- */

/* Octets in the middle of a segment are not written. */
static bool hole_in_segment(struct talk *talk, struct talk_call *call)
{
    struct rpcrdma_event *event = &talk->out.event;
    if (is_sole_reply(talk, call))
        return call->marked && !call->long_reply;
    if (event->type != RPCRDMA_EVENT_RDMA_WRITE || event->length < 100 || call->marked ||
        call->doubled || call->unseen || call->copies > 1 || talk->one_handle)
        return false;
    event->length -= 60;
    talk_judge_first(talk);
    event->offset += event->length + 20;
    event->length = 40;
    event->data = NULL;
    call->marked = true;
    return false;
}

/* As many octets as are returned are written, but some twice and some not. */
static bool hole_beside_twice(struct talk *talk, struct talk_call *call)
{
    struct rpcrdma_event *event = &talk->out.event;
    bool was_marked = call->marked;
    bool done = hole_in_segment(talk, call);
    if (done || was_marked || !call->marked)
        return done;
    talk_judge_first(talk);
    event->offset += 20;
    event->length = 20;
    return false;
}

/* ---- other programs ---- */

static bool mount_reduced(struct talk *talk, struct talk_call *call)
{
    const struct message *message = &call->content->call;
    if (!talk_is_call(talk, call) || call->is_nfs || !talk->config.bindings || call->is_long ||
        !talk_is_plain(call) || call->from != RPCRDMA_CLIENT || call->reads == 0 ||
        message->items == 0)
        return false;
    size_t header = talk->out.header_length;
    rpcrdma_xdr_store32(talk->out.octets + header + 12, 100005);
    rpcrdma_xdr_store32(talk->out.octets + header + 16, 3);
    rpcrdma_xdr_store32(talk->out.octets + header + 20, 1);
    return true;
}

const struct talk_break talk_answer_breaks[] = {
    {"misaligned call taken", "rfc8166/4.5.2/xdr-error-answered", NULL, misaligned_taken, 0, NULL},
    {"undefined procedure taken", "rfc8166/4.5.2/xdr-error-answered", NULL, procedure_taken, 0,
     NULL},
    {"bad count taken", "rfc8166/4.5.2/xdr-error-answered", NULL, count_taken, 0, NULL},
    {"ineligible argument taken", "rfc8166/6.1/ineligible-call-not-executed", NULL,
     ineligible_taken, 0, NULL},
    {"chunk of failed call", "rfc8166/4.3.2.2/returned-unused", chunk_of_failed_call, NULL, 0,
     NULL},
    {"token in chunk", "rfc8166/8.2.2/gss-elements-not-reduced", token_in_chunk, NULL, 0, NULL},
    {"ineligible result", "rfc8166/6.1/only-eligible-reduced", ineligible_result, NULL, 0, NULL},
    {"pushed, but unused", "rfc8166/3.4.6.2/returned-length-is-item-length", pushed_but_unused,
     NULL, 98, SAME_OCTETS},
    {"reply to long call", "rfc8166/4.3.2/eligible-result-pushed", answers_long_call, NULL, 94,
     CAME_TWICE},
    {"length of long reply", "rfc8166/4.3.3/reply-chunk-length-written", long_reply_length, NULL,
     95, CAME_TWICE},
    {"xid of long reply", "rfc8166/4.2.1/xid-equal", long_reply_xid, NULL, 0, NULL},
    {"hole in segment", "rfc8166/3.4.6/returned-length-written", hole_in_segment, NULL, 0, NULL},
    {"hole beside what came twice", "rfc8166/3.4.6/returned-length-written", hole_beside_twice,
     NULL, 0, NULL},
    {"read list copied", "rfc8166/4.3.1/reply-read-list-empty", read_list_copied, NULL, 0, NULL},
    {"call invalidates", "rfc8797/4.1/invalidate-own-transaction", invalidating_call, NULL, 0,
     NULL},
    {"error invalidates", "rfc8797/4.1/invalidate-own-transaction", invalidating_error, NULL, 0,
     NULL},
    {"mount reduced", "rfc8166/6.1/only-eligible-reduced", NULL, mount_reduced, 0, NULL},
    {NULL, NULL, NULL, NULL, 0, NULL},
};
