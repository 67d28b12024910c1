// SPDX-License-Identifier: BSD-3-Clause
/*
 * The session of version 2 in the place of one side of a model. The other side sends what stands in
 * the tree, the program above the session calls and answers as it says there, or sooner, and
 * whatever the session sends has to be the tree's: type, XID, credit word, invalidation. At each
 * node it has the counts of the model; it sends where the model can only go on by its Send, and
 * where the other side has nothing left to send by.
 */
#include "rxe-harness/tests/models/tree.h"
#include "rxe-harness/tests/support/session_stage.h"

#include <check.h>
#include <rpcrdma/message.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 40 };

static unsigned grants_max;    /* by this side in one run */
static unsigned first_credits; /* nothing has come before that word */
static bool has_properties;

/* ---- one walk from the root ---- */

static struct {
    uint32_t sent, received, limit, told, grants;
    bool was_grant; /* what the other side has sent last */
    uint32_t handles[CALLS];
    struct link_memory memory[CALLS];
    uint8_t octets[CALLS][8];
    bool peer_in_pieces;
    bool begun[CALLS], answered[CALLS]; /* by the program above the session */
    bool got[CALLS];                    /* a Call came to it */
} state;

static uint32_t xid_of(const struct seen *seen)
{
    return 0x1000 + seen->xid;
}

/* What a Send of the session is in the tree. */
static struct seen read_send(const uint8_t *octets, size_t length, bool invalidates)
{
    struct rpcrdma_message message;
    struct seen seen = {.side = own, .flags = invalidates ? INVALIDATES : 0};
    if (rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, octets, length, NULL) < 0) {
        wrong("a Send does not decode");
        return seen;
    }
    bool is_call = message.direction == RPCRDMA_CALL;
    seen.credits = message.prefix.credit;
    seen.xid = message.prefix.xid - 0x1000;
    if (message.kind == RPCRDMA_KIND_RPC && message.form == RPCRDMA_FORM_PIECE)
        seen.what = is_call ? CALL_PIECE : REPLY_PIECE;
    else if (message.kind == RPCRDMA_KIND_RPC)
        seen.what = is_call ? CALL : REPLY;
    else if (message.kind == RPCRDMA_KIND_ERROR)
        seen.what = ERROR;
    else
        seen.what = message.kind == RPCRDMA_KIND_GRANT ? REFRESH : FINAL;
    if (seen.what == REFRESH || seen.what == FINAL)
        seen.xid = 0;
    return seen;
}

static struct link_ops seeing;

static bool see_send(struct link *link, const void *octets, size_t length,
                     const uint32_t *invalidates)
{
    struct seen seen = read_send(octets, length, invalidates != NULL);
    walk.outputs++;
    state.grants += seen.what == REFRESH;
    walk.left = walk.left || state.grants > grants_max;
    if (!walk.left && walk.wrong[0] == '\0') {
        tree_descend(&seen);
        state.sent++;
        state.told = seen.credits;
    }
    return own_ops->send(link, octets, length, invalidates);
}

static void see_wait(struct link *link, unsigned timeout, struct link_event *event)
{
    own_ops->wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || walk.left || walk.wrong[0] != '\0')
        return;
    struct seen seen = {.side = !own, .flags = event->invalidated ? INVALIDATES : 0};
    struct seen sent = read_send(event->octets, event->length, event->invalidated);
    seen.what = sent.what;
    seen.xid = sent.xid;
    seen.credits = sent.credits;
    if (rpcrdma_xdr_load32(event->octets + 12) == 6)
        seen.what = MIDDLE;
    if (seen.what == ERROR && rpcrdma_xdr_load32(event->octets + 16) == 1)
        seen.what = ERR_VERS;
    tree_descend(&seen);
    state.received++;
    state.was_grant = seen.what == REFRESH;
    if (seen.what != ERR_VERS)
        state.limit = seen.credits;
}

static void read_token(const struct seen *seen, bool is_first)
{
    static unsigned grants;
    if (is_first) {
        first_credits = seen->credits;
        grants = 0;
    }
    has_properties = has_properties || seen->what == FINAL;
    grants += seen->side == own && seen->what == REFRESH;
    grants_max = grants > grants_max ? grants : grants_max;
}

static void begin(void)
{
    memset(&state, 0, sizeof state);
    state.limit = 1;
    stage_setup();
    for (int i = 0; i < 2; i++) {
        options[i].credits = first_credits;
        options[i].piece = PIECE;
        options[i].no_properties = !has_properties;
    }
    connect_sides(own == ACTIVE, own == PASSIVE);
    seeing = *own_ops;
    seeing.send = see_send;
    seeing.wait = see_wait;
    links[own]->ops = &seeing;
    links[!own]->ops = own_ops;
    for (unsigned n = 0; invalidation && n < CALLS; n++) {
        /* A Call of either side has memory of its own number at both, so that handles agree. */
        state.memory[n] = (struct link_memory){.octets = state.octets[n], .length = 8};
        ck_assert(
            own_ops->expose(links[n % 2 == 0 ? own : !own], &state.memory[n], LINK_PEER_WRITES));
    }
}

/* Memory of the side that calls: at each side one for two Calls. */
static uint32_t handle_of(unsigned caller, unsigned xid)
{
    unsigned n = 2 * (xid % 2) + (caller == own ? 0 : 1);
    return invalidation ? state.memory[n].handle : 0;
}

/* ---- steps ---- */

static void post(const struct seen *seen, const uint32_t *words, size_t count, size_t from,
                 size_t to)
{
    uint8_t octets[256];
    bool is_call = seen->what == CALL || seen->what == CALL_PIECE;
    uint8_t *rpc = make_rpc(xid_of(seen), is_call ? RPCRDMA_CALL : RPCRDMA_REPLY, 2 * PIECE);
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    memcpy(octets + 4 * count, rpc + from, to - from);
    free(rpc);
    uint32_t handle = handle_of(own, seen->xid);
    ck_assert(own_ops->send(links[!own], octets, 4 * count + to - from,
                            seen->flags & INVALIDATES ? &handle : NULL));
}

#define POST(seen, from, to, ...)                                                                  \
    post(seen, (const uint32_t[]){xid_of(seen), 2, (seen)->credits, __VA_ARGS__},                  \
         3 + sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), from, to)

/* The other side sends this, which the session has to take for what it is. */
static void comes(const struct seen *seen)
{
    static const int expected[] = {[CALL] = SESSION_CALL,
                                   [REPLY] = SESSION_REPLY,
                                   [ERROR] = SESSION_ERROR,
                                   [ERR_VERS] = SESSION_REFUSED};
    size_t from = state.peer_in_pieces ? PIECE : 0, to = from + PIECE;
    switch (seen->what) {
    case CALL:
        POST(seen, from, to, 10, handle_of(!own, seen->xid), 0, 0, 0);
        break;
    case REPLY:
        POST(seen, from, to, 13, 0);
        break;
    case CALL_PIECE:
        POST(seen, 0, PIECE, 9, PIECE);
        break;
    case REPLY_PIECE:
        POST(seen, 0, PIECE, 12, PIECE);
        break;
    case REFRESH:
        POST(seen, 0, 0, 5);
        break;
    case MIDDLE:
        POST(seen, 0, 0, 6, 0);
        break;
    case FINAL:
        POST(seen, 0, 0, 7, 1, 5, 4, 3);
        break;
    case ERROR:
        POST(seen, 0, 0, 4, 2);
        break;
    default:
        POST(seen, 0, 0, 4, 1, 1, 1);
    }
    if (seen->what == CALL_PIECE || seen->what == REPLY_PIECE)
        state.peer_in_pieces = true;
    else if (seen->what == CALL || seen->what == REPLY)
        state.peer_in_pieces = false;
    struct session_event event = after(own);
    int type =
        seen->what <= ERROR || seen->what == ERR_VERS ? expected[seen->what] : SESSION_NOTHING;
    if ((int)event.type != type && !walk.left)
        wrong("the session makes something else of what came");
    if (event.type == SESSION_CALL)
        state.got[seen->xid] = true;
    if ((event.type == SESSION_CALL || event.type == SESSION_REPLY) &&
        event.message.prefix.xid != xid_of(seen))
        wrong("another XID");
    if (event.type == SESSION_REPLY && event.invalidated != (seen->flags & INVALIDATES))
        wrong("it does not say what is invalidated");
}

static void send_message(const struct seen *seen, bool is_call, size_t length)
{
    const uint32_t handle = handle_of(is_call ? own : !own, seen->xid);
    uint8_t *rpc = make_rpc(xid_of(seen), is_call ? RPCRDMA_CALL : RPCRDMA_REPLY, length);
    const struct session_message message = {.direction = is_call ? RPCRDMA_CALL : RPCRDMA_REPLY,
                                            .xid = xid_of(seen),
                                            .rpc = rpc,
                                            .length = length,
                                            .invalidate = is_call ? handle : 0,
                                            .invalidates =
                                                seen->flags & INVALIDATES ? &handle : NULL};
    if (!session_send(sessions[own], &message))
        wrong("the session does not take a message");
    free(rpc);
}

static void applies(const struct seen *seen)
{
    bool is_call = seen->what == CALL || seen->what == CALL_PIECE;
    struct seen last = *seen;
    *(is_call ? &state.begun[seen->xid] : &state.answered[seen->xid]) = true;
    switch (seen->what) {
    case REPLY_PIECE: /* in the model its last piece invalidates */
        last.flags = invalidation ? INVALIDATES : 0;
        send_message(&last, false, 2 * PIECE);
        break;
    case CALL_PIECE:
        send_message(seen, true, 2 * PIECE);
        break;
    case ERROR:
        session_send_error(sessions[own], xid_of(seen), 2, (const uint32_t[2]){0, 0});
        break;
    default:
        send_message(seen, is_call, PIECE);
    }
    after(own);
}

static void check_counts(void)
{
    struct session_counts counts = session_counts(sessions[own]);
    if (counts.sent != state.sent || counts.received != state.received ||
        (counts.version != 1 && counts.left != (int32_t)(state.limit - state.sent)))
        wrong("other counts than the model's");
}

static void take(const struct step *step)
{
    if (step->act == COMES)
        comes(&step->seen);
    else if (step->act == APPLIES)
        applies(&step->seen);
    else
        after(own);
    while (raw(!own).type == LINK_RECEIVED) /* its Receives are posted again */
        continue;
    if (!walk.left)
        check_counts();
}

/* ---- choices ---- */

/* What the program above the session does by this token, and has not done yet. */
static bool is_applied(const struct seen *seen)
{
    bool is_call = seen->what == CALL || seen->what == CALL_PIECE;
    bool is_answer = seen->what == REPLY || seen->what == REPLY_PIECE || seen->what == ERROR;
    return seen->side == own && ((is_call && !state.begun[seen->xid]) ||
                                 (is_answer && !state.answered[seen->xid] && state.got[seen->xid]));
}

/* Somewhere below, but not here: a Call can be waiting for its turn from here on. */
static unsigned add_early(struct step *choices, unsigned count)
{
    for (unsigned run = walk.node.low; own == ACTIVE && run < walk.node.high; run++)
        for (const char *at = tree_at(&walk.node, run); *at != '\0'; at += TOKEN) {
            struct seen seen = tree_token(at);
            if (at == tree_at(&walk.node, run) || seen.what != CALL || !is_applied(&seen))
                continue;
            choices[count] = (struct step){.act = APPLIES, .seen = seen};
            return count + 1;
        }
    return count;
}

/* What the model has next that is not the session's own. */
static unsigned add_next(struct step *choices)
{
    struct seen next[CHOICES];
    unsigned count = 0, all = tree_next(next);
    for (unsigned i = 0; i < all; i++) {
        bool applied = is_applied(&next[i]);
        if (applied || next[i].side != own)
            choices[count++] =
                (struct step){.act = applied ? APPLIES : COMES, .is_due = applied, .seen = next[i]};
    }
    ck_assert_uint_lt(count, CHOICES - 2);
    return count;
}

/* The other side has used up its credits, and no Send is to come by which it would learn of
 * more. */
static bool holds_credits_back(void)
{
    return session_counts(sessions[own]).version == 2 && session_waiting(sessions[own]) == 0 &&
           state.limit > state.sent && state.received > 0 && state.told <= state.received &&
           !state.was_grant;
}

static unsigned choose(struct step choices[CHOICES], const struct step *last)
{
    bool silent = walk.outputs == 0, idled = last && last->act == GOES_ON;
    if (idled && silent && holds_credits_back())
        wrong("it holds credits back");
    if (tree_is_leaf(&walk.node))
        return 0;
    unsigned count = add_next(choices);
    if (idled && silent && count == 0)
        wrong("it stalls");
    if (last && last->is_due && silent)
        wrong("a message is held back");
    if (idled && silent)
        return 0;
    if (session_waiting(sessions[own]) == 0)
        count = add_early(choices, count);
    choices[count] = (struct step){.act = GOES_ON};
    return count + 1;
}

const struct follower session_follower = {
    .read = read_token, .begin = begin, .take = take, .choose = choose, .end = stage_teardown};
