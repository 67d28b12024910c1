// SPDX-License-Identifier: BSD-3-Clause
/*
 * Holding a conversation by version 2, Call after Call: a session sends what conforms, in pieces
 * where one Send does not hold it (-07), and of the Call that is to be changed the last Send is
 * changed on its way out.
 */
#include "rxe-harness/random/version2/random.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGES 64 /* that are listened to for one Call */

struct play2 {
    struct probe *probe;
    enum rpcrdma_protocol draft;
    struct random_failure *failure;
    const struct random_conversation *conversation;
    const struct random_step *step; /* whose Call is under way, or NULL */
    bool over, may_close;
    uint32_t xid;
    struct random2_sent sent; /* the last Send of the Call */
};

/* ---- failures ---- */

static void blame(struct play2 *play, enum ending ending, const char *text)
{
    struct random_failure *failure = play->failure;
    const struct requester *peer = play->probe->requester;
    play->over = true;
    if (failure->ending != ENDING_REQUIRED)
        return;
    failure->ending = ending;
    if (play->step) {
        failure->step = (unsigned)(play->step - play->conversation->steps);
        failure->change = play->step->change;
        failure->allowed = random2_allowed(play->step, play->draft, &play->sent);
        failure->rule = play->sent.broken;
    }
    snprintf(failure->text, sizeof failure->text, "%s", text);
    memcpy(failure->sent, play->sent.octets, play->sent.length);
    failure->sent_length = play->sent.length;
    random_came(failure, peer->came, peer->came_length);
}

static void on_finding(void *arg, const struct rpcrdma_event *event,
                       const struct rpcrdma_finding *finding)
{
    struct play2 *play = arg;
    struct random_failure *failure = play->failure;
    char text[200];
    bool fresh = failure->ending == ENDING_REQUIRED;
    rpcrdma_finding_text(finding, text, sizeof text);
    blame(play, ENDING_WRONG, text);
    if (!fresh)
        return;
    failure->by_peer = true;
    failure->rule = (int)finding->rule;
    random_came(failure, event->data, event->length);
}

/* ---- Sends ---- */

/* The Send that ends the Call: what comes before it are pieces. */
static bool ends_call(const struct play2 *play, const uint8_t *octets, size_t length)
{
    struct rpcrdma_message message;
    return play->step && rpcrdma_message_decode(&message, play->draft, octets, length, NULL) >= 0 &&
           message.prefix.xid == play->xid && message.kind == RPCRDMA_KIND_RPC &&
           message.direction == RPCRDMA_CALL && message.form != RPCRDMA_FORM_PIECE;
}

static bool send_changed(void *arg, const void *octets, size_t length, const uint32_t *handle)
{
    struct play2 *play = arg;
    struct requester *peer = play->probe->requester;
    struct random2_sent *sent = &play->sent;
    if (length > sizeof sent->octets || !ends_call(play, octets, length))
        return watched_send(&peer->watched, octets, length, handle);
    memcpy(sent->octets, octets, length);
    sent->length = random2_change_octets(play->step, play->draft, sent->octets, length);
    bool good = watched_send(&peer->watched, sent->octets, sent->length, handle);
    sent->open = peer->open;
    sent->broken = peer->broken;
    return good;
}

/* ---- answers ---- */

static void judge(struct play2 *play, const struct requester_pending *pending,
                  const struct requester_reply *reply)
{
    const struct random_step *step = play->step;
    unsigned allowed = random2_allowed(step, play->draft, &play->sent);
    unsigned outcome = reply->outcome;
    char text[256];
    /* Where segments were changed, so are those that come back, and a Long Reply is elsewhere. */
    if (outcome == 0 && random_changes_segments(step->change))
        outcome = RPCRDMA_PROCESS;
    if (outcome == RPCRDMA_ERR_BAD_XDR && reply->vers == RPCRDMA_VERSION_1)
        outcome = RPCRDMA_ERR_CHUNK; /* the same code, in an answer to version 1 */
    if (outcome == RPCRDMA_CLOSE)
        play->over = true;
    random_react(play->failure, (unsigned)(step - play->conversation->steps), allowed, reply,
                 false);
    const struct random_answer answer = {
        .step = step, .pending = pending, .reply = reply, .outcome = outcome, .allowed = allowed};
    enum ending ending = random_judge(play->probe, &answer, text);
    if (ending != ENDING_REQUIRED)
        blame(play, ending, text);
}

/* What answers the Call; other answers are passed over. Silence is believed after a while, where it
 * is open; NULL tells later whether the peer hangs. */
static void listen(struct play2 *play, struct requester_pending *pending)
{
    struct probe *probe = play->probe;
    struct requester_reply reply = {.outcome = RPCRDMA_DISCARD};
    bool silence_open = play->step->change != RANDOM_NONE;
    for (int i = 0; i < MESSAGES; i++) {
        /* The first wait sends what is to be sent. */
        requester_finish(probe->requester, pending,
                         silence_open ? probe->peer.late : probe->options.timeout, &reply);
        if (reply.outcome == RPCRDMA_DISCARD || reply.outcome == RPCRDMA_CLOSE ||
            reply.xid == pending->xid)
            break;
    }
    play->over = play->over || probe->requester->unsent; /* nothing of its to be judged */
    if (!play->over)
        judge(play, pending, &reply);
}

/* ---- Calls ---- */

static void call(struct play2 *play, const struct random_step *step)
{
    struct probe *probe = play->probe;
    struct requester *peer = probe->requester;
    struct requester_pending pending;
    struct requester_call made;
    uint8_t *args = random_call(probe, step, false, &made);
    play->step = step;
    play->xid = peer->xid + 1;
    play->sent.open = RPCRDMA_PROCESS;
    play->sent.broken = -1;
    play->sent.length = 0;
    if (requester_begin(peer, &made, &pending))
        listen(play, &pending);
    requester_forget(peer, &pending);
    free(args);
}

/* After what is not as it should be, does it answer yet? */
static void settle(struct play2 *play)
{
    struct probe *probe = play->probe;
    const struct random_step *last = play->step;
    unsigned allowed = last ? random2_allowed(last, play->draft, &play->sent) : 0;
    probe->requester->program = probe->options.program;
    probe->requester->version = probe->options.version;
    play->xid = 0; /* nothing of this is changed */
    /* What was changed into a piece makes the first NULL one that does not continue it. */
    for (int tries = 0; tries < 1 + (last && last->change != RANDOM_NONE); tries++)
        if (requester_null(probe->requester, probe->options.timeout) || play->over)
            return;
    if (!requester_gone(probe->requester))
        blame(play, ENDING_STALLED, "no answer to NULL");
    else if (!(allowed & RPCRDMA_CLOSE))
        blame(play, ENDING_CLOSED, "the end of the connection");
    play->over = true;
}

bool random2_play(struct probe *probe, const struct random_conversation *conversation,
                  struct random_failure *failure, uint64_t *calls)
{
    *failure = (struct random_failure){.ending = ENDING_REQUIRED, .rule = -1};
    if (probe_connect(probe) == NULL)
        return false;
    struct play2 *play = calloc(1, sizeof *play);
    if (play == NULL)
        return false;
    *play = (struct play2){.probe = probe,
                           .draft = probe->options.draft,
                           .failure = failure,
                           .conversation = conversation};
    probe->run.finding = on_finding;
    probe->run.finding_arg = play;
    probe->requester->watched.outgoing_arg = play;
    probe->requester->watched.outgoing = send_changed;
    for (unsigned i = 0; i < conversation->count && !play->over; i++) {
        call(play, &conversation->steps[i]);
        ++*calls;
        if (!play->over && conversation->steps[i].change != RANDOM_NONE)
            settle(play);
    }
    if (!play->over)
        settle(play);
    probe->run.finding = NULL;
    probe_disconnect(probe);
    free(play);
    return true;
}
