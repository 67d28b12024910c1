// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Requester of version 1 in the place of the client of a model. The other side sends,
 * reads and writes what stands in the tree. The program above begins the Calls that stand there
 * as far as the Requester says that it has credits; it has to say so exactly where the model goes
 * on by a Call. What the Requester sends, what it makes of each answer, the credits that it was
 * granted and the memory that it keeps registered are the model's.
 */
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/requester/reverse.h"
#include "rxe-harness/tests/models/version1.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/transport/test_program.h"

#include <check.h>
#include <rpcrdma/private_data.h>
#include <string.h>

enum { ITEM = 8, ROOM = 64, MEMORIES = 8, FORMS = 2 };

static struct {
    struct transport *transport;
    struct link *peer; /* the other side's end */
    struct requester *requester;
    struct seen came[STEPS]; /* by the other side's Sends */
    unsigned arrived, taken;
    unsigned limit; /* credits that the Requester has heard of */
    bool lost;      /* the connection, which the Requester need not have noticed */
    uint32_t exposed[MEMORIES];
    unsigned exposed_count;
    struct {
        bool waits;
        struct requester_pending pending;
        struct offered offered;
    } calls[CALLS];
    bool refused[CALLS]; /* a Call of the other side's, which has a chunk */
} state;

static bool has_reverse; /* Calls in these runs */
static const struct link_ops *own_ops;
static struct link_ops seeing;

static const uint8_t stored[4 + ITEM] = {0, 0, 0, ITEM, 3, 1, 4, 1, 5, 9, 2, 6};
static const uint8_t count[4] = {0, 0, 0, ITEM};
static const struct requester_call forms[] = {
    [NO_CHUNK] = {.procedure = TEST_NULL},
    [READ_CHUNK] = {.procedure = TEST_STORE,
                    .args = stored,
                    .args_length = sizeof stored,
                    .item_at = 4,
                    .item_length = ITEM,
                    .read_segments = 1},
    [WRITE_CHUNK] = {.procedure = TEST_FETCH,
                     .args = count,
                     .args_length = sizeof count,
                     .write_segments = 1,
                     .write_room = ITEM},
    [REPLY_CHUNK] = {.procedure = TEST_FETCH,
                     .args = count,
                     .args_length = sizeof count,
                     .reply_segments = 1,
                     .reply_room = ROOM},
};

/* ---- what the Requester does ---- */

static bool see_send(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    struct offered offered;
    size_t payload;
    struct seen seen = read_send(octets, length, REQUESTER_CREDITS, &offered, &payload);
    if (seen.what != CALL)
        seen = read_send(octets, length, REVERSE_CREDITS, &offered, &payload);
    walk.outputs++;
    if (handle)
        wrong("a Requester invalidates");
    if (seen.what != CALL && (seen.what == ERROR) != state.refused[seen.xid % CALLS])
        wrong("it takes a chunk of a reverse Call, or none for one");
    if (tree_descend(&seen) && seen.what == CALL)
        state.calls[seen.xid].offered = offered;
    return own_ops->send(link, octets, length, handle);
}

static bool see_expose(struct link *link, struct link_memory *memory, unsigned access)
{
    ck_assert_uint_lt(state.exposed_count, MEMORIES);
    bool good = own_ops->expose(link, memory, access);
    state.exposed[state.exposed_count++] = memory->handle;
    return good;
}

static void see_hide(struct link *link, struct link_memory *memory)
{
    unsigned i = 0;
    while (i < state.exposed_count && state.exposed[i] != memory->handle)
        i++;
    ck_assert_uint_lt(i, state.exposed_count);
    state.exposed[i] = state.exposed[--state.exposed_count];
    own_ops->hide(link, memory);
}

static void tamper(void *arg, struct link *link)
{
    (void)arg;
    own_ops = link->ops;
    seeing = *own_ops;
    seeing.send = see_send;
    seeing.expose = see_expose;
    seeing.hide = see_hide;
    link->ops = &seeing;
}

static void accuse(void *arg, const struct rpcrdma_event *event,
                   const struct rpcrdma_finding *finding)
{
    (void)arg, (void)event;
    if (finding->severity != RPCRDMA_NOTE)
        wrong("it accuses the other side by %s", rpcrdma_requirements[finding->rule].id);
}

/* ---- a walk ---- */

static void read_token(const struct seen *seen, bool is_first)
{
    (void)is_first;
    has_reverse = has_reverse || (seen->side != own && seen->what == CALL);
}

static void *begin_peer(void *arg, struct link *link)
{
    (void)arg;
    state.peer = link;
    return &state;
}

static bool step_peer(void *peer)
{
    (void)peer;
    return false;
}

static void end_peer(void *peer)
{
    (void)peer;
}

static void open_requester(void)
{
    const struct requester_options options = {
        .timeout = 10, .invalidates = true, .finding = accuse, .tamper = tamper};
    state.requester = requester_connect(state.transport, &options);
    ck_assert_ptr_nonnull(state.requester);
    state.limit = 1;
    state.requester->program = TEST_PROGRAM;
    state.requester->version = TEST_VERSION;
}

static void begin(void)
{
    static struct link_options options = {.receive_size = REQUESTER_INLINE, .receives = STEPS};
    static uint8_t told[RPCRDMA_PRIVATE_DATA_LENGTH];
    const struct rpcrdma_private_data data = {.remote_invalidation = invalidation,
                                              .send_size = REQUESTER_INLINE,
                                              .receive_size = REQUESTER_INLINE};
    const struct loopback_peer peer = {
        .options = &options, .begin = begin_peer, .step = step_peer, .end = end_peer};
    rpcrdma_private_data_encode(told, sizeof told, &data);
    options.private_data = told;
    options.private_length = sizeof told;
    memset(&state, 0, sizeof state);
    state.transport = transport_loopback(&peer);
    open_requester();
}

static void end_connection(void)
{
    for (unsigned n = 0; n < CALLS; n++) {
        requester_forget(state.requester, &state.calls[n].pending);
        state.calls[n].waits = false;
    }
    requester_close(state.requester);
}

static void end(void)
{
    end_connection();
    state.transport->ops->close(state.transport);
}

/* ---- the other side ---- */

static void send_answer(const struct seen *seen)
{
    struct offered returned = state.calls[seen->xid].offered;
    bool in_chunk = seen->flags & RETURNS;
    uint8_t octets[SEND_MAX], rpc[RPC_REPLY + 4 + ITEM] = {0};
    size_t length = make_rpc_reply(rpc, xid_of(seen));
    if (returned.kind == READ_CHUNK) { /* how many were stored, and their sum */
        rpc[length + 3] = ITEM;
        rpc[length + 7] = 3 + 1 + 4 + 1 + 5 + 9 + 2 + 6;
        length += 8;
    } else if (returned.kind != NO_CHUNK) {
        rpc[length + 3] = ITEM;
        for (unsigned i = 0; i < ITEM; i++)
            rpc[length + 4 + i] = TEST_OCTET(i);
        length += 4 + (in_chunk ? 0 : ITEM);
    }
    uint32_t handle = returned.segment.handle;
    returned.segment.length = in_chunk ? ITEM : 0;
    if (in_chunk && returned.kind == REPLY_CHUNK)
        returned.segment.length = sizeof rpc;
    if (returned.kind == READ_CHUNK)
        returned.kind = NO_CHUNK;
    ck_assert(own_ops->send(state.peer, octets, make_send(octets, seen, &returned, rpc, length),
                            seen->flags & INVALIDATES ? &handle : NULL));
}

/* `refused`: with a chunk, which this Requester does not take in that direction. */
static void send_call(const struct seen *seen, bool refused)
{
    const struct offered offered = {.kind = refused ? WRITE_CHUNK : NO_CHUNK,
                                    .segment = {.handle = 7, .length = ITEM}};
    uint8_t octets[SEND_MAX], rpc[RPC_CALL];
    state.refused[seen->xid] = refused;
    size_t length = make_rpc_call(rpc, xid_of(seen), REVERSE_PROGRAM, REVERSE_VERSION, 0);
    ck_assert(
        own_ops->send(state.peer, octets, make_send(octets, seen, &offered, rpc, length), NULL));
}

static void read_memory(const struct seen *seen)
{
    const struct rpcrdma1_segment *segment = &state.calls[seen->xid].offered.segment;
    const struct seen data = {.side = own, .what = DATA, .n = seen->n, .xid = seen->xid};
    uint8_t octets[ITEM];
    if (segment->length != ITEM ||
        !own_ops->read(state.peer, segment->handle, segment->offset, octets, ITEM))
        wrong("memory that a Call offers cannot be read");
    else if (memcmp(octets, stored + 4, ITEM) != 0)
        wrong("other octets are read than those of the item");
    tree_descend(&data);
}

static void write_memory(const struct seen *seen)
{
    const struct offered *offered = &state.calls[seen->xid].offered;
    uint8_t octets[RPC_REPLY + 4 + ITEM] = {0};
    uint8_t *item = octets;
    if (offered->kind == REPLY_CHUNK) {
        item += make_rpc_reply(octets, xid_of(seen)) + 4;
        item[-1] = ITEM;
    }
    for (unsigned i = 0; i < ITEM; i++)
        item[i] = TEST_OCTET(i);
    if (!own_ops->write(state.peer, offered->segment.handle, offered->segment.offset, octets,
                        (size_t)(item + ITEM - octets)))
        wrong("memory that a Call offers cannot be written");
}

static void comes(const struct step *step)
{
    const struct seen *seen = &step->seen;
    tree_descend(seen);
    switch (seen->what) {
    case LOST:
        state.peer->ops->close(state.peer);
        state.lost = true;
        return;
    case READ:
        read_memory(seen);
        return;
    case WRITE:
        write_memory(seen);
        return;
    case CALL:
        send_call(seen, step->way != 0);
        break;
    default:
        send_answer(seen);
    }
    state.came[state.arrived++] = *seen;
}

/* ---- the Requester, and the program above it ---- */

static bool is_item(const struct requester_pending *pending, const struct requester_reply *reply)
{
    const uint8_t *item = reply->in_chunk ? pending->item : reply->results + 4;
    unsigned same = 0;
    if (reply->results_length != (reply->in_chunk ? 4 : 4 + ITEM) ||
        (reply->in_chunk && reply->item_length != ITEM))
        return false;
    while (same < ITEM && item[same] == TEST_OCTET(same))
        same++;
    return same == ITEM;
}

static void check_answer(const struct seen *seen, const struct requester_reply *reply)
{
    const struct requester_pending *pending = &state.calls[seen->xid].pending;
    unsigned kind = state.calls[seen->xid].offered.kind;
    if (reply->xid != xid_of(seen) || !state.calls[seen->xid].waits)
        wrong("it takes XID %x for %x", reply->xid, xid_of(seen));
    else if (seen->what == ERROR && reply->outcome != RPCRDMA_ERR_CHUNK)
        wrong("of an error it makes: %s", reply->text);
    else if (seen->what == REPLY && (reply->outcome != RPCRDMA_PROCESS || reply->stat != 0))
        wrong("of a Reply it makes: %s", reply->text);
    else if (seen->what == REPLY && kind >= WRITE_CHUNK && !is_item(pending, reply))
        wrong("the results are not the item");
    else if (seen->what == REPLY && reply->is_long != (kind == REPLY_CHUNK))
        wrong("the Reply is not where it was sent");
}

static unsigned waiting(unsigned *last)
{
    unsigned calls = 0;
    for (unsigned n = 0; n < CALLS; n++)
        if (state.calls[n].waits) {
            calls++;
            *last = n;
        }
    return calls;
}

/* A Call that is alone is waited for by the Requester; else the program looks for what answers
 * which. */
static void take_message(void)
{
    const struct seen *seen = &state.came[state.taken++];
    struct requester_reply reply;
    struct link_event event;
    unsigned last = 0;
    if (waiting(&last) == 1 && !has_reverse) {
        requester_receive(state.requester, &state.calls[last].pending, 10, &reply);
    } else {
        requester_wait(state.requester, 10, &event);
        if (event.type != LINK_RECEIVED) {
            wrong("what has come does not come: %s", state.requester->link->why);
            return;
        }
        bool answers = requester_answer_call(state.requester);
        if (answers != (seen->what == CALL) || (answers && walk.outputs != 1))
            wrong("it takes a Call for an answer, or does not answer it");
        if (answers)
            return;
        requester_read_reply(&event, &state.calls[seen->xid].pending, &reply);
    }
    check_answer(seen, &reply);
    state.limit = seen->credits;
    requester_forget(state.requester, &state.calls[seen->xid].pending);
    state.calls[seen->xid].waits = false;
}

/* Who waits for one Call does not take what answers another. The model drops nothing: this walk is
 * over. */
static void wait_for_another(void)
{
    const struct seen *seen = &state.came[state.taken++];
    struct requester_reply reply;
    unsigned n = 0;
    while (n == seen->xid || !state.calls[n].waits)
        n++;
    requester_receive(state.requester, &state.calls[n].pending, 10, &reply);
    if (reply.outcome != RPCRDMA_DISCARD)
        wrong("it takes what answers another Call: %s", reply.text);
    walk.left = true;
}

/* The end of the connection: Calls that wait are the program's to make again. */
static void take_end(void)
{
    struct link_event event;
    requester_wait(state.requester, 10, &event);
    if (event.type != LINK_CLOSED || !requester_gone(state.requester))
        wrong("it does not notice the end of its connection");
    end_connection();
    state.lost = false;
    open_requester();
}

static void applies(const struct seen *seen)
{
    state.requester->xid = xid_of(seen) - 1;
    state.calls[seen->xid].waits = true;
    if (!requester_begin(state.requester, &forms[seen->flags], &state.calls[seen->xid].pending) ||
        walk.outputs != 1)
        wrong("it does not send a Call");
}

/* Of each Call that waits, and of no other. */
static void check_memory(void)
{
    unsigned offered = 0;
    for (unsigned n = 0; n < CALLS; n++) {
        unsigned i = 0;
        if (!state.calls[n].waits || state.calls[n].offered.kind == NO_CHUNK)
            continue;
        offered++;
        while (i < state.exposed_count && state.exposed[i] != state.calls[n].offered.segment.handle)
            i++;
        if (i == state.exposed_count)
            wrong("memory of a Call that waits is not registered");
    }
    if (offered != state.exposed_count)
        wrong("memory of a Call that is over is registered");
}

static void take(const struct step *step)
{
    if (step->act == COMES)
        comes(step);
    else if (step->act == APPLIES)
        applies(&step->seen);
    else if (step->way != 0)
        wait_for_another();
    else if (state.taken < state.arrived)
        take_message();
    else
        take_end();
    if (walk.left)
        return;
    check_memory();
    if (state.requester->granted != state.limit)
        wrong("it has %u credits, and not %u", state.requester->granted, state.limit);
}

/* ---- choices ---- */

/* A Call further down, on this connection. */
static bool calls_later(void)
{
    for (unsigned run = walk.node.low; run < walk.node.high; run++)
        for (const char *at = tree_at(&walk.node, run); *at != '\0'; at += TOKEN) {
            struct seen seen = tree_token(at);
            if (seen.what == LOST)
                break;
            if (seen.side == own && seen.what == CALL)
                return true;
        }
    return false;
}

static unsigned choose(struct step choices[CHOICES], const struct step *last)
{
    struct seen next[CHOICES];
    unsigned ignored, chosen = 0, all = tree_next(next);
    bool all_taken = state.taken == state.arrived, may_call = false;
    bool has_credit = waiting(&ignored) < state.requester->granted;
    (void)last;
    if (!all_taken || state.lost)
        choices[chosen++] = (struct step){.act = GOES_ON};
    if (state.taken + 1 == state.arrived && waiting(&ignored) > 1 && !has_reverse)
        choices[chosen++] = (struct step){.act = GOES_ON, .way = 1};
    for (unsigned i = 0; i < all && !state.lost; i++) {
        bool is_call = next[i].what == CALL;
        ck_assert_uint_lt(chosen + FORMS, CHOICES);
        if (next[i].side != own || next[i].what == LOST)
            for (unsigned way = 0; way < (is_call ? FORMS : 1); way++)
                choices[chosen++] = (struct step){.act = COMES, .way = way, .seen = next[i]};
        else if (is_call && has_credit)
            choices[chosen++] = (struct step){.act = APPLIES, .seen = next[i]};
        may_call = may_call || (next[i].side == own && is_call);
    }
    if (all_taken && !state.lost && may_call && !has_credit)
        wrong("it has no credit for a Call, and the model has");
    if (all_taken && !state.lost && !may_call && has_credit && calls_later())
        wrong("it has a credit for a Call, and the model has none");
    return chosen;
}

const struct follower requester_follower = {
    .read = read_token, .begin = begin, .take = take, .choose = choose, .end = end};
