// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of one Send: those of the vectors. Its chunks are moved to memory that is really registered
 * and its XID is made fresh; what the Responder does has to be one of the reactions that the
 * vector leaves open.
 */
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"
#include "conformance/run/run.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

#define SEND_MAX 1024 /* octets that every Responder takes */
#define TRIES 4       /* messages that may come before the answer */

struct sending {
    struct probe *probe;
    const struct probe_send *send;
    uint8_t octets[SEND_MAX];
    uint32_t xid;
    struct probe_memory memory;
    bool is_reply;   /* what is sent may be taken for a Reply */
    uint8_t *answer; /* or NULL */
    size_t answer_length;
};

/* ---- what is sent ---- */

bool probe_reads_as_reply(const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = end >= 0 ? rpcrdma1_chunks(&header) : NULL;
    if (lists && header.rdma_vers == 1 && header.rdma_body.proc == RPCRDMA1_NOMSG)
        return lists->rdma_reads.count == 0 &&
               (lists->rdma_writes.count > 0 || lists->rdma_reply.present);
    return end >= 0 && length >= (size_t)end + 8 && rpcrdma_xdr_load32(octets + end + 4) != 0;
}

static void freshen(struct sending *sending, size_t length)
{
    if (length < 4)
        return;
    sending->xid = ++sending->probe->requester->xid;
    sending->is_reply = probe_reads_as_reply(sending->octets, length);
    size_t at = probe_freshen(RPCRDMA_PROTOCOL_1, sending->octets, length, sending->xid);
    if (at == 0)
        return;
    sending->probe->run.current.xids_differ =
        rpcrdma_xdr_load32(sending->octets + at) != sending->xid;
}

bool probe_is_harmless(uint32_t program, enum rpcrdma_protocol protocol, const uint8_t *octets,
                       size_t length)
{
    struct rpcrdma_message message;
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t end = rpcrdma_message_decode(&message, protocol, octets, length, NULL);
    if (rpcrdma_xdr_failed(end) || message.kind != RPCRDMA_KIND_RPC ||
        message.form == RPCRDMA_FORM_SPECIAL ||
        rpcrdma_rpc_header_decode(&rpc, octets + end, length - (size_t)end, NULL) < 0 ||
        rpc.is_reply || rpc.proc == 0)
        return true;
    return rpc.prog != NFS_PROGRAM || rpc.prog == program;
}

/* ---- what comes back ---- */

static void keep_answer(struct sending *sending, const struct link_event *event)
{
    free(sending->answer);
    sending->answer = alloc_copy(event->octets, event->length);
    sending->answer_length = event->length;
}

static void take_end(const struct sending *sending, struct requester_reply *reply)
{
    *reply = (struct requester_reply){.outcome = RPCRDMA_CLOSE};
    snprintf(reply->text, sizeof reply->text, "the end of the connection: %.100s",
             sending->probe->requester->link->why);
}

static bool wait_answer(struct sending *sending, struct requester_reply *reply)
{
    struct requester *peer = sending->probe->requester;
    struct link_event event;
    for (int tries = 0; tries < TRIES; tries++) {
        requester_wait(peer, sending->probe->peer.patience, &event);
        if (event.type == LINK_NOTHING) {
            *reply = (struct requester_reply){.outcome = RPCRDMA_DISCARD, .text = "silence"};
            return true;
        }
        if (event.type == LINK_CLOSED) {
            take_end(sending, reply);
            return true;
        }
        requester_read_reply(&event, &sending->memory.reply, reply);
        keep_answer(sending, &event);
        if (event.length >= 4 && (sending->send->length < 4 || reply->xid == sending->xid))
            return true;
    }
    return false;
}

static unsigned allowed_of(const struct sending *sending)
{
    unsigned allowed = probe_with_close(sending->send->reactions);
    /* Nothing waits for a Reply: it is dropped, for what is wrong with it or after it was taken. */
    unsigned taken = RPCRDMA_PROCESS | RPCRDMA_TERMINATE | RPCRDMA_ERR_CHUNK;
    if (sending->is_reply && (allowed & taken))
        allowed |= RPCRDMA_DISCARD;
    if (allowed & RPCRDMA_PROCESS)
        allowed |= RPCRDMA_GARBAGE_ARGS; /* the arguments are of an unknown program */
    /* The Reply is put into the chunk that is offered, and does not fit (4.5.3): to put it inline
     * is a MAY (4.3.3). And how long a Call may be is the Responder's affair (8.1.4). */
    if ((sending->memory.full || sending->memory.large) && (allowed & RPCRDMA_PROCESS))
        allowed |= RPCRDMA_ERR_CHUNK;
    /* Memory that is not there: the operation fails, which ends the connection (4.5.4). So it does
     * where a fault is found only after the chunk was read. */
    if (!sending->memory.moved)
        allowed |= RPCRDMA_CLOSE;
    if (!sending->memory.moved && (allowed & RPCRDMA_PROCESS))
        allowed |= RPCRDMA_ERR_CHUNK;
    return allowed;
}

static enum ending ending_of(const struct requester_reply *reply, unsigned allowed)
{
    unsigned outcome = reply->outcome;
    if (outcome & allowed)
        return ENDING_REQUIRED;
    /* RPC refuses the Call before its arguments are looked at, where they could be garbage. */
    bool refused = outcome == RPCRDMA_PROCESS && !(reply->accepted && reply->stat == 0);
    if (refused && (allowed & RPCRDMA_GARBAGE_ARGS))
        return ENDING_TOLERATED;
    if (outcome == RPCRDMA_DISCARD)
        return ENDING_SILENT;
    return outcome == RPCRDMA_CLOSE ? ENDING_CLOSED : ENDING_WRONG;
}

/*
 * Silence is confirmed by a NULL that is answered. A Responder with several threads, or a slow one,
 * may answer late: what still comes is the answer, and *reply, and so is the end of the connection
 * where that is open. False: the NULL is not answered.
 */
static bool confirm_silence(struct sending *sending, unsigned allowed,
                            struct requester_reply *reply)
{
    static const struct requester_call null = {.procedure = 0};
    struct probe *probe = sending->probe;
    struct requester_pending pending;
    struct link_event event;
    bool answered = false, late = false;
    bool begun = requester_begin(probe->requester, &null, &pending);
    for (int tries = 0; begun && tries < 2 * TRIES; tries++) {
        requester_wait(probe->requester, answered ? probe->peer.late : probe->options.timeout,
                       &event);
        if (event.type == LINK_CLOSED && answered && !late && (allowed & RPCRDMA_CLOSE))
            take_end(sending, reply);
        if (event.type != LINK_RECEIVED)
            break;
        struct requester_reply came;
        requester_read_reply(&event, &sending->memory.reply, &came);
        answered = answered || came.xid == pending.xid;
        if (came.xid == sending->xid && sending->send->length >= 4) {
            late = true;
            *reply = came;
            keep_answer(sending, &event);
        }
        if (answered && (late || (allowed & RPCRDMA_DISCARD)))
            break;
    }
    requester_forget(probe->requester, &pending);
    return answered;
}

static enum ending run_and_judge(struct sending *sending, size_t length,
                                 struct requester_reply *reply)
{
    struct probe *probe = sending->probe;
    unsigned allowed = allowed_of(sending);
    probe->run.current.error_open = true; /* the case itself judges what answers its Send */
    /* If it fails the connection has ended, or been ended by an answer that is waiting. */
    requester_send(probe->requester, sending->octets, length);
    if (!wait_answer(sending, reply)) {
        snprintf(reply->text, sizeof reply->text, "messages that answer something else");
        return ENDING_WRONG;
    }
    bool closed = reply->outcome == RPCRDMA_CLOSE;
    bool silent = reply->outcome == RPCRDMA_DISCARD;
    bool alive = closed || (silent ? confirm_silence(sending, allowed, reply)
                                   : requester_null(probe->requester, probe->options.timeout));
    enum ending ending = ending_of(reply, allowed);
    if (alive)
        return ending;
    bool gone = probe_is_gone(probe);
    if (gone && !(allowed & RPCRDMA_CLOSE)) {
        snprintf(reply->text + strlen(reply->text), sizeof reply->text - strlen(reply->text),
                 ", then the end of the connection");
        return probe_closed_after(ending, reply->outcome);
    }
    if (!gone) {
        snprintf(reply->text + strlen(reply->text), sizeof reply->text - strlen(reply->text),
                 ", then no answer to NULL");
        return ENDING_STALLED;
    }
    /* It ended after that patience, and before the NULL was answered: this is what came. */
    if (reply->outcome == RPCRDMA_DISCARD)
        take_end(sending, reply);
    return ending_of(reply, allowed);
}

static void write_result(struct sending *sending, size_t length, enum ending ending,
                         const char *actual)
{
    const struct probe_send *send = sending->send;
    unsigned allowed = allowed_of(sending);
    const char *theirs =
        send->breaks ? probe_receiver_rule(sending->octets, length, allowed) : NULL;
    const char *rule = theirs ? theirs : send->rule;
    if (ending_is_failure(ending))
        rule = probe_charged(sending->probe->requester, rule);
    struct result *result = probe_result(sending->probe, rule, send->breaks);
    struct alloc_stream expected;
    if (theirs && send->rule) /* kinds of failures are parted by what is wrong with the Send */
        result->alike.cause = alloc_text(send->rule);
    alloc_begin(&expected);
    run_print_reactions(expected.out, allowed);
    if (theirs && send->rule && strcmp(theirs, send->rule) != 0)
        fprintf(expected.out, "; the Send breaks %s", send->rule);
    result->expected = alloc_end(&expected);
    result->actual = alloc_text(actual);
    result->ending = ending;
    live_exchange(result, sending->octets, length, sending->answer, sending->answer_length);
    free(sending->answer);
}

/* An error, and a connection that goes on so far. */
static bool may_end_yet(const struct sending *sending, const struct requester_reply *reply)
{
    const struct probe *probe = sending->probe;
    return (reply->outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_ERR_VERS)) &&
           !(allowed_of(sending) & RPCRDMA_CLOSE) && !requester_gone(probe->requester);
}

/* Memory for the peer: what it reads begins with a NULL of an unknown program. */
static void prepare(struct sending *sending, size_t length)
{
    freshen(sending, length);
    probe_memory_move(&sending->memory, sending->probe->requester, RPCRDMA_PROTOCOL_1,
                      sending->octets, length);
    requester_rpc(sending->memory.call, sending->xid, TEST_PROGRAM, TEST_VERSION, 0);
}

/* Why it is not sent, or NULL. */
static const char *unsuitable(const struct probe *probe, const struct probe_send *send)
{
    if (send->length > SEND_MAX)
        return "longer than every peer takes";
    bool is_harmless =
        (!send->needs_nfs || probe->options.program == NFS_PROGRAM) &&
        probe_is_harmless(probe->options.program, RPCRDMA_PROTOCOL_1, send->octets, send->length);
    return is_harmless ? NULL : "a Call of a program that is not probed";
}

static void leave_out(struct probe *probe, const struct probe_send *send, const char *reason)
{
    struct sending sending = {.probe = probe, .send = send};
    size_t length = send->length < SEND_MAX ? send->length : SEND_MAX;
    memcpy(sending.octets, send->octets, length);
    write_result(&sending, length, ENDING_NOT_APPLICABLE, reason);
}

static void send_and_judge(struct probe *probe, const struct probe_send *send)
{
    struct sending sending = {.probe = probe, .send = send};
    struct requester_reply reply = {.outcome = 0};
    memcpy(sending.octets, send->octets, send->length);
    prepare(&sending, send->length);
    enum ending ending = run_and_judge(&sending, send->length, &reply);
    probe->run.current.error_open = false;
    bool watched = may_end_yet(&sending, &reply);
    write_result(&sending, send->length, ending, reply.text);
    probe_ran(probe);
    if (watched) {
        probe_watch(probe, &sending.memory);
        return;
    }
    probe_memory_free(&sending.memory, probe->requester);
    probe_disconnect(probe);
}

void probe_run_send(struct probe *probe, const struct probe_send *send)
{
    const struct probe_about about = {send->subject,
                                      send->id,
                                      send->comment,
                                      send->rule,
                                      probe_hazard(RPCRDMA_PROTOCOL_1, send->octets, send->length),
                                      send->breaks};
    if (!probe_wants(probe, &about))
        return;
    const char *reason = unsuitable(probe, send);
    probe_name(probe, send->id, send->comment);
    size_t before = probe->run.results.count;
    if (reason == NULL && probe_ready(probe) == NULL) {
        probe_not_run(probe, &about);
        return;
    }
    if (reason)
        leave_out(probe, send, reason);
    else
        send_and_judge(probe, send);
    probe_cut(probe, before, &about);
}

/* ---- where they come from ---- */

static void run_row(struct probe *probe, const struct probe_row *row,
                    const struct probe_sends *sends)
{
    const struct probe_send send = {.subject = "one Send, of the vectors",
                                    .id = row->id,
                                    .comment = row->comment,
                                    .rule = row->rule,
                                    .breaks = row->breaks,
                                    .reactions = row->reactions,
                                    .octets = sends->octets,
                                    .length = sends->at[1]};
    probe_run_send(probe, &send);
}

void probe_run_table(struct probe *probe)
{
    probe_each_row(probe, RPCRDMA_PROTOCOL_1, run_row);
}
