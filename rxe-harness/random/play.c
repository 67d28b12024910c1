// SPDX-License-Identifier: BSD-3-Clause
/*
 * Holding a conversation, and judging it. A Send that was not changed has to be executed, with the
 * right results where there is room for them; of others the checker says which reactions are open.
 */
#include "rxe-harness/random/random.h"

#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGES 256       /* that are listened to in one conversation */
#define REPLY_MIN 24       /* octets of an accepted Reply without results */
#define INLINE_SURE 1024   /* octets of a Send that every peer takes */
#define NFS_MOST 512       /* octets of a COMPOUND's results beside the data */
#define INLINE_NEVER 70000 /* octets of results that no peer of ours may send inline */

/* A Call that waits for its answer. */
struct flight {
    const struct random_step *step;
    unsigned number;
    bool open, by_nfs;
    uint32_t xid;
    unsigned allowed;
    struct requester_pending pending;
    uint8_t *args;
    uint8_t sent[REQUESTER_INLINE];
    size_t sent_length;
};

struct play {
    struct probe *probe;
    const struct random_conversation *conversation;
    struct random_failure *failure;
    struct flight flights[RANDOM_STEPS];
    unsigned count, left; /* flights; those that are open */
    unsigned messages;
    const struct flight *changed; /* the last Send that was not as it should be, or NULL */
    bool may_close;               /* after one of the Sends so far */
    bool over;
};

/* ---- failures ---- */

static void blame(struct play *play, const struct flight *flight, enum ending ending,
                  const char *text)
{
    struct random_failure *failure = play->failure;
    play->over = true;
    if (failure->ending != ENDING_REQUIRED)
        return;
    if (flight == NULL)
        flight =
            play->changed ? play->changed : &play->flights[play->count > 0 ? play->count - 1 : 0];
    failure->ending = ending;
    failure->step = flight->number;
    failure->change = flight->step ? flight->step->change : RANDOM_NONE;
    failure->allowed = flight->allowed;
    snprintf(failure->text, sizeof failure->text, "%s", text);
    memcpy(failure->sent, flight->sent, flight->sent_length);
    failure->sent_length = flight->sent_length;
}

static void on_finding(void *arg, const struct rpcrdma_event *event,
                       const struct rpcrdma_finding *finding)
{
    struct play *play = arg;
    char text[200];
    bool fresh = play->failure->ending == ENDING_REQUIRED;
    rpcrdma_finding_text(finding, text, sizeof text);
    blame(play, NULL, ENDING_WRONG, text);
    if (!fresh)
        return;
    play->failure->by_peer = true;
    play->failure->rule = (int)finding->rule;
    random_came(play->failure, event->data, event->length);
}

/* ---- what is open ---- */

/* PROCESS where the results fit, ERR_CHUNK where they do not, both where it is the peer's affair.
 * NFS may bring less than there is room for, or say no. */
static unsigned room_for(const struct random_step *step, bool by_nfs)
{
    bool brings = step->procedure == TEST_FETCH || step->procedure == TEST_ECHO;
    size_t item = brings ? step->size : 0;
    size_t payload = REPLY_MIN + 8 + (by_nfs ? NFS_MOST : 0);
    if (step->write_segments > 0 && item > 0 && step->write_room < item)
        return RPCRDMA_ERR_CHUNK | (by_nfs ? RPCRDMA_PROCESS : 0);
    if (step->write_segments == 0)
        payload += item + 3;
    size_t lists = 48 + 16 * (size_t)(step->write_segments + step->reply_segments);
    bool small = payload + lists <= INLINE_SURE;
    bool in_chunk = step->reply_segments > 0 && step->reply_room >= payload;
    if (in_chunk || (small && step->reply_segments == 0))
        return RPCRDMA_PROCESS;
    if (!small && payload > INLINE_NEVER && !by_nfs)
        return RPCRDMA_ERR_CHUNK;
    return RPCRDMA_PROCESS | RPCRDMA_ERR_CHUNK;
}

/* The arguments are inline, and say that there are more of them. */
static bool is_garbage(const struct random_step *step)
{
    return (step->procedure == TEST_STORE || step->procedure == TEST_ECHO) &&
           step->long_segments == 0;
}

static unsigned allowed_of(const struct flight *flight, unsigned open, bool by_nfs)
{
    enum random_change change = flight->step->change;
    struct rpcrdma1_header header;
    bool decodes =
        rpcrdma1_header_decode(&header, flight->sent, flight->sent_length, NULL, NULL) >= 0;
    unsigned allowed = probe_with_close(open);
    if (random_conforms(change))
        return room_for(flight->step, by_nfs);
    if (change == RANDOM_ARGUMENT && !by_nfs && is_garbage(flight->step))
        return RPCRDMA_GARBAGE_ARGS | (flight->step->read_segments > 0 ? RPCRDMA_ERR_CHUNK : 0);
    if ((allowed & (RPCRDMA_PROCESS | RPCRDMA_TERMINATE | RPCRDMA_ERR_CHUNK)) &&
        probe_reads_as_reply(flight->sent, flight->sent_length))
        allowed |= RPCRDMA_DISCARD;
    if (allowed & RPCRDMA_PROCESS)
        allowed |= RPCRDMA_GARBAGE_ARGS | (room_for(flight->step, by_nfs) & RPCRDMA_ERR_CHUNK);
    /* Segments that are others: there need be no memory, and no room. */
    if (decodes && random_changes_segments(change))
        allowed |= RPCRDMA_CLOSE | (allowed & RPCRDMA_PROCESS ? RPCRDMA_ERR_CHUNK : 0);
    return allowed;
}

/* ---- answers ---- */

static void judge(struct play *play, struct flight *flight, const struct requester_reply *reply)
{
    char text[256];
    unsigned outcome = reply->outcome;
    /* Where segments were changed the octets of a Long Reply are not where they would be. */
    if (outcome == 0 && reply->is_long && random_changes_segments(flight->step->change))
        outcome = RPCRDMA_PROCESS;
    flight->open = false;
    play->left--;
    random_react(play->failure, flight->number, flight->allowed, reply, flight->by_nfs);
    /* RFC 8166 does not forbid to close after the error that it asks for. */
    play->may_close = play->may_close ||
                      (reply->outcome & flight->allowed & (RPCRDMA_ERR_CHUNK | RPCRDMA_ERR_VERS));
    const struct random_answer answer = {.step = flight->step,
                                         .pending = &flight->pending,
                                         .reply = reply,
                                         .outcome = outcome,
                                         .allowed = flight->allowed,
                                         .by_nfs = flight->by_nfs};
    enum ending ending = random_judge(play->probe, &answer, text);
    if (ending != ENDING_REQUIRED)
        blame(play, flight, ending, text);
}

static struct flight *flight_of(struct play *play, uint32_t xid)
{
    for (unsigned i = 0; i < play->count; i++)
        if (play->flights[i].open && play->flights[i].xid == xid)
            return &play->flights[i];
    return NULL;
}

static void take(struct play *play, const struct link_event *event)
{
    struct requester_reply reply;
    struct flight *flight =
        event->length < 4 ? NULL : flight_of(play, rpcrdma_xdr_load32(event->octets));
    if (++play->messages > MESSAGES)
        blame(play, NULL, ENDING_WRONG, "messages without end");
    if (flight == NULL)
        return;
    bool fine = play->failure->ending == ENDING_REQUIRED;
    requester_read_reply(event, &flight->pending, &reply);
    judge(play, flight, &reply);
    if (fine && play->failure->ending != ENDING_REQUIRED)
        random_came(play->failure, event->octets, event->length);
}

static void take_end(struct play *play)
{
    static const struct requester_reply end = {.outcome = RPCRDMA_CLOSE};
    char text[200];
    play->over = true;
    for (unsigned i = 0; i < play->count; i++)
        if (play->flights[i].open)
            random_react(play->failure, play->flights[i].number, play->flights[i].allowed, &end,
                         false);
    if (play->may_close)
        return;
    snprintf(text, sizeof text, "the end of the connection: %.120s",
             play->probe->requester->link->why);
    blame(play, NULL, ENDING_CLOSED, text);
}

/* What comes within the time. False: nothing did. */
static bool listen(struct play *play, unsigned timeout)
{
    struct link_event event;
    requester_wait(play->probe->requester, timeout, &event);
    if (event.type == LINK_RECEIVED)
        take(play, &event);
    if (event.type == LINK_CLOSED)
        take_end(play);
    return event.type == LINK_RECEIVED;
}

/* Whether an answer has to come yet. */
static bool misses(const struct play *play)
{
    for (unsigned i = 0; i < play->count; i++)
        if (play->flights[i].open && !(play->flights[i].allowed & RPCRDMA_DISCARD))
            return true;
    return false;
}

/* A NULL tells silence from a peer that hangs; then what is still open was dropped. */
static void settle(struct play *play)
{
    static const struct requester_call null = {.procedure = 0};
    struct probe *probe = play->probe;
    struct requester *peer = probe->requester;
    struct requester_pending pending;
    struct link_event event;
    bool answered = false;
    peer->program = probe->options.program;
    peer->version = probe->options.version;
    bool begun = requester_begin(peer, &null, &pending);
    while (!play->over && begun) {
        unsigned time = play->left > 0 && misses(play) ? probe->peer.late : probe->peer.patience;
        requester_wait(peer, answered ? time : probe->options.timeout, &event);
        if (event.type == LINK_CLOSED)
            take_end(play);
        if (event.type != LINK_RECEIVED)
            break;
        answered =
            answered || (event.length >= 4 && rpcrdma_xdr_load32(event.octets) == pending.xid);
        take(play, &event);
        if (answered && play->left == 0)
            break;
    }
    requester_forget(peer, &pending);
    if (!begun && !play->over)
        listen(play, probe->peer.patience);
    if (!answered && !play->over)
        blame(play, NULL, ENDING_STALLED, "no answer to NULL");
}

static void collect(struct play *play)
{
    while (play->left > 0 && !play->over && listen(play, play->probe->peer.patience))
        continue;
    if (play->over || play->left == 0)
        return;
    settle(play);
    const struct requester_reply silence = {.outcome = RPCRDMA_DISCARD, .text = "silence"};
    for (unsigned i = 0; i < play->count && !play->over; i++)
        if (play->flights[i].open)
            judge(play, &play->flights[i], &silence);
}

/* ---- Calls ---- */

static void send_step(struct play *play, const struct random_step *step)
{
    struct probe *probe = play->probe;
    struct requester *peer = probe->requester;
    struct flight *flight = &play->flights[play->count];
    *flight = (struct flight){.step = step, .number = (unsigned)(step - play->conversation->steps)};
    struct requester_call call;
    flight->by_nfs = play->conversation->by_nfs && step->procedure != TEST_NULL;
    flight->args = random_call(probe, step, flight->by_nfs, &call);
    play->count++;
    if ((flight->by_nfs && flight->args == NULL) ||
        !requester_prepare(peer, &call, &flight->pending, flight->sent, &flight->sent_length))
        return; /* it does not fit into a Send */
    flight->sent_length = random_change_octets(step, flight->sent, flight->sent_length);
    const char *hazard = probe_hazard(RPCRDMA_PROTOCOL_1, flight->sent, flight->sent_length);
    if (hazard && !chosen_has(&probe->options.hazards, hazard))
        return;
    flight->xid = flight->sent_length < 4 ? 0 : rpcrdma_xdr_load32(flight->sent);
    flight->open = true;
    play->left++;
    /* Where it fails, the end of the connection is what comes. */
    requester_send(peer, flight->sent, flight->sent_length);
    flight->allowed = allowed_of(flight, peer->open, flight->by_nfs);
    if (step->change != RANDOM_NONE)
        play->changed = flight;
    if (peer->broken >= 0 && play->failure->ending == ENDING_REQUIRED)
        play->failure->rule = peer->broken;
    play->may_close = play->may_close || (flight->allowed & RPCRDMA_CLOSE);
    probe->run.current.xids_differ = probe->run.current.xids_differ || step->change == RANDOM_XID;
    probe->run.current.error_open =
        probe->run.current.error_open || (flight->allowed & (RPCRDMA_ERR_VERS | RPCRDMA_ERR_CHUNK));
}

static bool announce(struct probe *probe, const struct random_conversation *conversation)
{
    uint8_t octets[ANNOUNCEMENT_MAX];
    probe->run.current.private_length = announcement_encode(&conversation->announced, octets);
    probe->run.current.private_data = octets;
    bool good = probe_connect(probe) != NULL;
    probe->run.current.private_data = NULL;
    return good;
}

static bool open_connection(struct probe *probe, const struct random_conversation *conversation,
                            struct random_failure *failure)
{
    if (!conversation->announces)
        return probe_connect(probe) != NULL;
    if (announce(probe, conversation))
        return true;
    /* One connection may have its own reasons: it is the private data if it is so again, while the
     * peer lives. */
    if (probe_connect(probe) == NULL)
        return false;
    if (announce(probe, conversation))
        return true;
    failure->ending = ENDING_CRASHED;
    failure->connecting = true;
    snprintf(failure->text, sizeof failure->text, "no connection, or no answer to NULL");
    return probe_connect(probe) != NULL;
}

bool random_play(struct probe *probe, const struct random_conversation *conversation,
                 struct random_failure *failure, uint64_t *calls)
{
    *failure = (struct random_failure){.ending = ENDING_REQUIRED, .rule = -1};
    if (!open_connection(probe, conversation, failure))
        return false;
    if (failure->ending != ENDING_REQUIRED) {
        probe_disconnect(probe);
        return true;
    }
    struct play *play = alloc_zeroed(1, sizeof *play);
    play->probe = probe;
    play->conversation = conversation;
    play->failure = failure;
    probe->run.finding = on_finding;
    probe->run.finding_arg = play;
    for (unsigned i = 0; i < conversation->count && !play->over; i++) {
        if (conversation->by_nfs && probe->peer.minor > 0)
            collect(play); /* a session of ours has one slot */
        if (!play->over)
            send_step(play, &conversation->steps[i]);
        ++*calls;
        if (!conversation->steps[i].together || play->left >= probe->requester->granted)
            collect(play);
    }
    if (!play->over)
        collect(play);
    if (!play->over)
        settle(play);
    if (conversation->by_nfs)
        exchange_leave(probe);
    probe->run.finding = NULL;
    probe->run.current.xids_differ = probe->run.current.error_open = false;
    for (unsigned i = 0; i < play->count; i++) {
        requester_forget(probe->requester, &play->flights[i].pending);
        free(play->flights[i].args);
    }
    free(play);
    probe_disconnect(probe);
    return true;
}
