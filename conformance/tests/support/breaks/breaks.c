// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule in the headers, chunk lists and order of a conversation. */
#include "conformance/tests/support/breaks/breaks.h"

#include <rpcrdma/rpcrdma.h>
#include <string.h>

static uint32_t procedure(const struct talk *talk)
{
    return talk->out.header.rdma_body.proc;
}

bool talk_is_send(const struct talk *talk)
{
    return talk->out.event.type == RPCRDMA_EVENT_SEND;
}

bool talk_is_call(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_send(talk) && talk->out.event.from == call->from && call->copies == 1 &&
           !call->doubled;
}

bool talk_is_reply(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_send(talk) && talk->out.event.from != call->from &&
           procedure(talk) != RPCRDMA1_ERROR && !call->unseen && !call->doubled;
}

bool talk_is_error(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_send(talk) && procedure(talk) == RPCRDMA1_ERROR && !call->unseen &&
           !call->doubled;
}

struct rpcrdma1_chunk_lists *talk_lists(struct talk *talk)
{
    return &talk->out.header.rdma_body.rdma_msg;
}

void talk_judge_first(struct talk *talk)
{
    const char *expected = talk->expected;
    talk->expected = NULL;
    talk_judge(talk);
    talk->expected = expected;
}

static bool set_word(struct talk *talk, size_t at, uint32_t word)
{
    rpcrdma_xdr_store32(talk->out.octets + at, word);
    return true;
}

static bool other_version(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set_word(talk, 4, 3 + pick(&talk->dice, 9));
}

static bool msgp(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set_word(talk, 12, RPCRDMA1_MSGP);
}

static bool done(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set_word(talk, 12, RPCRDMA1_DONE);
}

static bool undefined_procedure(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set_word(talk, 12, 5 + pick(&talk->dice, 99));
}

static bool bad_presence(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set_word(talk, 16, 2 + pick(&talk->dice, 99));
}

static bool bad_count(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->reads == 0 && call->writes > 0 &&
           set_word(talk, 24, 0x10000000u << pick(&talk->dice, 4));
}

static bool runt(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call))
        return false;
    talk->out.event.length = 16 + pick(&talk->dice, 12);
    return true;
}

static bool rpc_xid(struct talk *talk, struct talk_call *call)
{
    return talk_is_send(talk) && talk->out.payload_length > 0 &&
           set_word(talk, talk->out.header_length, ~call->xid);
}

static bool message_type(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && talk->out.payload_length > 0 &&
           set_word(talk, talk->out.header_length + 4, 2);
}

static bool rpc_version(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && talk->out.payload_length > 0 &&
           set_word(talk, talk->out.header_length + 8, 3);
}

static bool part_of_a_word(struct talk *talk, struct talk_call *call)
{
    if ((!talk_is_call(talk, call) && !talk_is_reply(talk, call)) || talk->out.payload_length == 0)
        return false;
    talk->out.event.length++;
    return true;
}

static bool after_nomsg(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_send(talk) || procedure(talk) != RPCRDMA1_NOMSG)
        return false;
    talk->out.event.length += call ? 4 : 0;
    return true;
}

static bool position(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call) || call->reads != 1 || call->is_long)
        return false;
    return set_word(talk, 20, call->read[0].position + 1 + pick(&talk->dice, 3));
}

static bool position_beyond(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call) || call->reads != 1 || call->is_long)
        return false;
    return set_word(talk, 20, (uint32_t)talk->out.payload_length + 4);
}

static bool position_in_header(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call) || call->reads != 1 || call->is_long || call->service)
        return false;
    return set_word(talk, 20, 4 + 4 * pick(&talk->dice, 9));
}

static bool read_list_in_reply(struct talk *talk, struct talk_call *call)
{
    static const struct rpcrdma1_read_segment segment = {40, {1, 4, 0}};
    if (!talk_is_reply(talk, call) || call->long_reply)
        return false;
    talk_lists(talk)->rdma_reads.items = &segment;
    talk_lists(talk)->rdma_reads.count = 1;
    return true;
}

static bool no_grant(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && set_word(talk, 8, 0);
}

static bool unknown_xid(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || talk->config.mid_stream)
        return false;
    if (talk->out.payload_length > 0)
        set_word(talk, talk->out.header_length, ~call->xid);
    return set_word(talk, 0, ~call->xid);
}

static bool write_list_lost(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || call->writes == 0)
        return false;
    talk_lists(talk)->rdma_writes.count--;
    return true;
}

static bool other_handle(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || call->writes == 0 || call->write[0].count == 0 ||
        call->write[0].returned_empty)
        return false;
    call->write[0].returned[0].handle ^= 1;
    return true;
}

static bool too_much_returned(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || call->writes == 0 || call->write[0].count != 1 ||
        call->write[0].returned_empty || talk->rdma_seen)
        return false;
    call->write[0].returned[0].length = call->write[0].segment[0].length + 1;
    return true;
}

static bool reply_chunk_lost(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || !call->has_reply || call->long_reply)
        return false;
    talk_lists(talk)->rdma_reply.present = false;
    return true;
}

static bool reply_chunk_invented(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || call->has_reply)
        return false;
    talk_lists(talk)->rdma_reply.present = true;
    return true;
}

static bool reply_chunk_used(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || !call->has_reply || call->long_reply ||
        call->reply.segment[0].length == 0)
        return false;
    call->reply.returned[0].length = 1;
    return true;
}

static bool foreign_invalidated(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || !talk->invalidates)
        return false;
    talk->out.event.invalidate = true;
    talk->out.event.handle = 0x666;
    return true;
}

static bool error_code(struct talk *talk, struct talk_call *call)
{
    return talk_is_send(talk) && procedure(talk) == RPCRDMA1_ERROR && call && set_word(talk, 16, 3);
}

static bool after_error(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_send(talk) || procedure(talk) != RPCRDMA1_ERROR)
        return false;
    talk->out.event.length += call ? 4 : 0;
    return true;
}

static bool foreign_memory(struct talk *talk, struct talk_call *call)
{
    if (talk_is_send(talk) || talk->config.mid_stream)
        return false;
    talk->out.event.handle = 0x666;
    return call != NULL;
}

static bool beyond_memory(struct talk *talk, struct talk_call *call)
{
    if (talk_is_send(talk) || talk->config.mid_stream || talk->one_handle)
        return false;
    talk->out.event.length += 100000;
    talk->out.event.data = NULL;
    return call != NULL;
}

/* A Reply, and after it what belongs before it. */
static bool write_too_late(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || call->writes == 0 || call->write[0].count == 0 ||
        call->write[0].segment[0].length == 0 || call->copies > 1)
        return false;
    if (talk->config.mid_stream)
        return false; /* the Call may have been sent before what is seen, too */
    talk_judge_first(talk);
    enum rpcrdma_endpoint from = talk->out.event.from;
    talk->out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_RDMA_WRITE,
                                             .from = from,
                                             .handle = call->write[0].segment[0].handle,
                                             .offset = call->write[0].segment[0].offset,
                                             .length = 1};
    return true;
}

static bool reply_twice(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || call->copies > 1 || talk->config.mid_stream)
        return false;
    talk_judge_first(talk);
    return true;
}

static bool too_many_calls(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_reply(talk, call) || talk->config.mid_stream || talk->config.seen_between ||
        call->long_reply) /* its credits could be a request */
        return false;
    if (talk->out.octets[15] != 0)
        return false; /* the credit word of an RDMA_NOMSG can be no grant (RFC 8167) */
    uint32_t waiting = talk_in_flight(talk, call->from) - !call->answered;
    if (waiting < 2 || call->copies > 1)
        return false;
    set_word(talk, 8, waiting); /* the grant, wholly used */
    const char *expected = talk->expected;
    talk->expected = NULL;
    talk_judge(talk);
    talk->replied[call->from] = true;
    talk->before = talk->after = NULL;
    talk_make_call(talk, call, call->from);
    static const uint8_t header[28] = {[7] = 1, [11] = 64};
    memcpy(talk->out.octets, header, sizeof header);
    rpcrdma_xdr_store32(talk->out.octets, call->xid);
    memcpy(talk->out.octets + 28, call->content->call.octets, 40);
    talk_begin(talk, RPCRDMA_EVENT_SEND, call->from);
    talk->out.event.length = 28 + 40;
    talk->expected = expected;
    return true;
}

const struct talk_break talk_breaks[] = {
    {"other version", "rfc8166/4.2.2/version-one", NULL, other_version, 0, NULL},
    {"msgp", "rfc8166/4.6.1/msgp-not-sent", NULL, msgp, 0, NULL},
    {"done", "rfc8166/4.6.2/done-not-sent", NULL, done, 0, NULL},
    {"undefined procedure", "rfc8166/4.5.2/procedure-defined", NULL, undefined_procedure, 0, NULL},
    {"bad presence", "rfc8166/4/xdr-encoded", NULL, bad_presence, 0, NULL},
    {"bad count", "rfc8166/4/xdr-encoded", NULL, bad_count, 0, NULL},
    {"runt", "rfc8166/4.5/minimal-header", NULL, runt, 0, NULL},
    {"rpc xid", "rfc8166/4.2.1/xid-equal", NULL, rpc_xid, 0, NULL},
    {"message type", "rfc8166/2.2.2/message-type", NULL, message_type, 0, NULL},
    {"rpc version", "rfc8166/4/rpc-layout", NULL, rpc_version, 0, NULL},
    {"part of a word", "rfc8166/3.4.4.4/payload-whole-words", NULL, part_of_a_word, 0, NULL},
    {"after nomsg", "rfc8166/4.2.4/nomsg-ends-with-lists", NULL, after_nomsg, 0, NULL},
    {"position", "rfc8166/3.4.5/position-multiple-of-four", NULL, position, 0, NULL},
    {"position beyond", "rfc8166/3.4.5/position-in-bounds", NULL, position_beyond, 0, NULL},
    {"position in header", "rfc8166/3.4.2/position-in-rpc-header", NULL, position_in_header, 0,
     NULL},
    {"read list in reply", "rfc8166/4.3.1/reply-read-list-empty", read_list_in_reply, NULL, 0,
     NULL},
    {"no grant", "rfc8166/3.3.1/grant-not-zero", NULL, no_grant, 0, NULL},
    {"unknown xid", "rfc8166/2.2.2/reply-matches-call", NULL, unknown_xid, 0, NULL},
    {"reply twice", "rfc8166/2.2.2/reply-matches-call", NULL, reply_twice, 0, NULL},
    {"write list lost", "rfc8166/3.4.6/segment-count-copied", write_list_lost, NULL, 0, NULL},
    {"other handle", "rfc8166/3.4.6/segment-count-copied", other_handle, NULL, 0, NULL},
    {"too much returned", "rfc8166/3.4.6/returned-length-within-offer", too_much_returned, NULL, 0,
     NULL},
    {"reply chunk lost", "rfc8166/4.3.3/reply-chunk-copied", reply_chunk_lost, NULL, 0, NULL},
    {"reply chunk invented", "rfc8166/3.4.3/memory-from-requester", reply_chunk_invented, NULL, 0,
     NULL},
    {"reply chunk used", "rfc8166/4.3.3/short-reply-leaves-chunk-unused", reply_chunk_used, NULL, 0,
     NULL},
    {"foreign invalidated", "rfc8797/4.1/invalidate-own-transaction", foreign_invalidated, NULL, 0,
     NULL},
    {"error code", "rfc8166/4.5/error-code-defined", NULL, error_code, 0, NULL},
    {"after error", "rfc8166/4.2.4/error-ends-with-code", NULL, after_error, 0, NULL},
    {"foreign memory", "rfc8166/4.5.3/within-offered-memory", foreign_memory, NULL, 0, NULL},
    {"beyond memory", "rfc8166/4.5.3/within-offered-memory", beyond_memory, NULL, 0, NULL},
    {"write too late", "rfc8166/3.5.2/writes-before-reply", NULL, write_too_late, 0, NULL},
    {"too many calls", "rfc8166/3.3.1/calls-within-grant", NULL, too_many_calls, 0, NULL},
    {NULL, NULL, NULL, NULL, 0, NULL},
};
