// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Responder of version 1 in the place of the server of a model. The other side calls
 * as it stands in the tree, with memory that is registered until its answer has come, and in words
 * that make the Responder do each thing that the model can do with such a Call. Its RDMA operations
 * and answers have to be the tree's, and each Call that has come is answered once it is taken.
 */
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/models/version1.h"
#include "rxe-harness/transport/loopback.h"

#include <check.h>
#include <rpcrdma/private_data.h>
#include <string.h>

enum { ITEM = 8, LONG = 8192, ROOM = LONG + 64 };

/* How a Call is worded. */
enum way {
    SERVED,
    UNUSED,   /* nothing goes into its Write chunk */
    BROKEN,   /* no Call of RPC that can be answered */
    UNUSABLE, /* neither is its chunk */
    WAYS
};

static struct {
    struct transport *transport;
    struct link *peer; /* the other side's end */
    struct responder *responder;
    unsigned arrived, taken, answered;
    struct {
        bool waits;
        enum way way;
        struct offered offered;
        struct link_memory memory;
        size_t written;
    } calls[CALLS];
    uint8_t octets[CALLS][ROOM];
} state;

static bool has_errors; /* these runs: else no Call is broken */
static const struct link_ops *own_ops;
static struct link_ops seeing;

/* ---- what the Responder does ---- */

static void hide(unsigned n)
{
    if (state.calls[n].memory.own)
        own_ops->hide(state.peer, &state.calls[n].memory);
}

/* The Call with this memory; CALLS: none that waits. */
static unsigned call_of(uint32_t handle)
{
    unsigned n = 0;
    while (n < CALLS && !(state.calls[n].waits && state.calls[n].offered.kind != NO_CHUNK &&
                          state.calls[n].offered.segment.handle == handle))
        n++;
    return n;
}

static bool see_read(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                     size_t length)
{
    unsigned n = call_of(handle);
    struct seen read = {.side = own, .what = READ, .xid = n};
    const struct seen data = {.side = !own, .what = DATA, .xid = n};
    if (n == CALLS || state.calls[n].offered.kind != READ_CHUNK || length != ITEM)
        wrong("it reads %zu octets that no Call offers", length);
    tree_descend(&read);
    bool good = own_ops->read(link, handle, offset, octets, length);
    if (!good)
        wrong("it reads what it may not: %s", link->why);
    tree_descend(&data);
    return good;
}

static bool see_write(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                      size_t length)
{
    unsigned n = call_of(handle);
    const struct seen seen = {.side = own, .what = WRITE, .xid = n};
    if (n == CALLS || state.calls[n].offered.kind < WRITE_CHUNK)
        wrong("it writes %zu octets that no Call offers", length);
    else
        state.calls[n].written += length;
    tree_descend(&seen);
    bool good = own_ops->write(link, handle, offset, octets, length);
    if (!good)
        wrong("it writes what it may not: %s", link->why);
    return good;
}

static bool is_pattern(const uint8_t *octets, size_t length)
{
    size_t same = 0;
    while (same < length && octets[same] == TEST_OCTET(same))
        same++;
    return same == length;
}

/* The results of RPC: those in the Send, and those in memory. */
static bool has_results(unsigned n, const struct seen *seen, const uint8_t *rpc, size_t length)
{
    unsigned kind = state.calls[n].offered.kind;
    const uint8_t *memory = state.octets[n];
    if (kind == REPLY_CHUNK)
        return seen->flags & RETURNS && length == 0 &&
               state.calls[n].written == RPC_REPLY + 4 + LONG &&
               rpcrdma_xdr_load32(memory) == xid_of(seen) &&
               is_pattern(memory + RPC_REPLY + 4, LONG);
    if (length < RPC_REPLY || rpcrdma_xdr_load32(rpc + RPC_REPLY - 4) != 0)
        return false;
    if (kind == WRITE_CHUNK && state.calls[n].way == SERVED)
        return seen->flags & RETURNS && length == RPC_REPLY + 4 && is_pattern(memory, ITEM);
    if (kind == READ_CHUNK)
        return length == RPC_REPLY + 8 && rpcrdma_xdr_load32(rpc + RPC_REPLY) == ITEM &&
               rpcrdma_xdr_load32(rpc + RPC_REPLY + 4) == ITEM * (n + 1);
    return length == RPC_REPLY;
}

static bool see_send(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    struct offered returned;
    size_t payload;
    struct seen seen = read_send(octets, length, RESPONDER_CREDITS, &returned, &payload);
    unsigned n = seen.xid < CALLS ? seen.xid : 0;
    walk.outputs++;
    state.answered++;
    if (handle)
        seen.flags |= *handle == state.calls[n].offered.segment.handle ? INVALIDATES : STRAY;
    if (!tree_descend(&seen) || seen.what == CALL)
        return false;
    if (!state.calls[n].waits)
        wrong("it answers a Call that does not wait");
    if (seen.flags & RETURNS && returned.segment.length != state.calls[n].written)
        wrong("it returns %u octets, and wrote %zu", returned.segment.length,
              state.calls[n].written);
    if (seen.what == REPLY && state.calls[n].way >= BROKEN)
        wrong("it serves what is no Call");
    if (seen.what == REPLY &&
        !has_results(n, &seen, (const uint8_t *)octets + payload, length - payload))
        wrong("other results");
    bool good = own_ops->send(link, octets, length, handle);
    state.calls[n].waits = false;
    hide(n);
    return good;
}

/* ---- a walk ---- */

static void read_token(const struct seen *seen, bool is_first)
{
    (void)is_first;
    has_errors = has_errors || seen->what == ERROR;
}

static void *begin_responder(void *arg, struct link *link)
{
    (void)arg;
    own_ops = link->ops;
    seeing = *own_ops;
    seeing.send = see_send;
    seeing.read = see_read;
    seeing.write = see_write;
    link->ops = &seeing;
    state.responder = responder_new(link);
    ck_assert_ptr_nonnull(state.responder);
    return &state;
}

static bool step_responder(void *peer)
{
    (void)peer;
    return false; /* when, is a choice */
}

static void end_responder(void *peer)
{
    (void)peer;
    responder_free(state.responder);
}

static void open_peer(void)
{
    const struct rpcrdma_private_data data = {.remote_invalidation = invalidation,
                                              .send_size = RESPONDER_INLINE,
                                              .receive_size = RESPONDER_INLINE};
    uint8_t told[RPCRDMA_PRIVATE_DATA_LENGTH];
    const struct link_options options = {.receive_size = RESPONDER_INLINE,
                                         .receives = STEPS,
                                         .private_data = told,
                                         .private_length = sizeof told};
    rpcrdma_private_data_encode(told, sizeof told, &data);
    state.peer = state.transport->ops->connect(state.transport, &options);
    ck_assert_ptr_nonnull(state.peer);
}

static void begin(void)
{
    const struct loopback_peer peer = {.options = responder_options(),
                                       .begin = begin_responder,
                                       .step = step_responder,
                                       .end = end_responder};
    memset(&state, 0, sizeof state);
    state.transport = transport_loopback(&peer);
    open_peer();
}

static void end_connection(void)
{
    for (unsigned n = 0; n < CALLS; n++) {
        hide(n);
        state.calls[n].waits = false;
    }
    state.peer->ops->close(state.peer);
}

static void end(void)
{
    end_connection();
    state.transport->ops->close(state.transport);
}

/* ---- the other side ---- */

/* The results of its Reply do not fit, or its Position is beyond the message. */
static void spoil_chunk(struct offered *offered)
{
    if (offered->kind == READ_CHUNK)
        offered->position = 4096;
    else
        offered->segment.length = ITEM;
}

static size_t put_args(unsigned n, unsigned kind, enum way way, uint8_t *args)
{
    if (kind == NO_CHUNK || way == UNUSED)
        return 0;
    rpcrdma_xdr_store32(args, kind == REPLY_CHUNK ? LONG : ITEM);
    for (unsigned i = 0; kind == READ_CHUNK && i < ITEM; i++)
        state.octets[n][i] = (uint8_t)(n + 1); /* so that each has a sum of its own */
    return 4;
}

static void send_call(const struct seen *seen, enum way way)
{
    unsigned n = seen->xid, kind = seen->flags;
    static const uint32_t procedures[] = {TEST_NULL, TEST_STORE, TEST_FETCH, TEST_FETCH};
    struct link_memory *memory = &state.calls[n].memory;
    struct offered *offered = &state.calls[n].offered;
    uint8_t octets[SEND_MAX], rpc[RPC_CALL + 4];
    *memory = (struct link_memory){.octets = state.octets[n],
                                   .length = kind == REPLY_CHUNK ? ROOM : ITEM};
    memset(state.octets[n], 0, sizeof state.octets[n]);
    if (kind != NO_CHUNK)
        ck_assert(own_ops->expose(state.peer, memory,
                                  kind == READ_CHUNK ? LINK_PEER_READS : LINK_PEER_WRITES));
    *offered = (struct offered){.kind = kind,
                                .position = RPC_CALL + 4,
                                .segment = {.handle = memory->handle,
                                            .length = (uint32_t)memory->length,
                                            .offset = memory->offset}};
    if (way == UNUSABLE)
        spoil_chunk(offered);
    size_t length = make_rpc_call(rpc, xid_of(seen), TEST_PROGRAM, TEST_VERSION,
                                  way == UNUSED ? TEST_NULL : procedures[kind]);
    if (way == BROKEN)
        rpcrdma_xdr_store32(rpc + 8, 3); /* the version of RPC */
    length += put_args(n, kind, way, rpc + length);
    state.calls[n].way = way;
    state.calls[n].waits = true;
    state.calls[n].written = 0;
    state.arrived++;
    ck_assert(
        own_ops->send(state.peer, octets, make_send(octets, seen, offered, rpc, length), NULL));
}

static void comes(const struct step *step)
{
    tree_descend(&step->seen);
    if (step->seen.what == LOST) {
        end_connection();
        state.arrived = state.taken = state.answered = 0;
        open_peer();
    } else {
        send_call(&step->seen, (enum way)step->way);
    }
}

static void take(const struct step *step)
{
    if (step->act == COMES) {
        comes(step);
        return;
    }
    state.taken++;
    if (!responder_step(state.responder, 0))
        wrong("it does not take a Call: %s", state.peer->why);
    else if (state.answered != state.taken)
        wrong("it does not answer a Call, or twice");
}

/* ---- choices ---- */

static bool is_way(unsigned kind, enum way way)
{
    return way == SERVED || (way == UNUSED && kind == WRITE_CHUNK) ||
           (has_errors &&
            (way == BROKEN || (way == UNUSABLE && (kind == READ_CHUNK || kind == REPLY_CHUNK))));
}

static unsigned choose(struct step choices[CHOICES], const struct step *last)
{
    struct seen next[CHOICES];
    unsigned chosen = 0, all = tree_next(next);
    (void)last;
    if (state.taken < state.arrived)
        choices[chosen++] = (struct step){.act = GOES_ON};
    for (unsigned i = 0; i < all; i++) {
        ck_assert_uint_lt(chosen + WAYS, CHOICES);
        if (next[i].what == LOST)
            choices[chosen++] = (struct step){.act = COMES, .seen = next[i]};
        for (enum way way = SERVED; next[i].side != own && next[i].what == CALL && way < WAYS;
             way++)
            if (is_way(next[i].flags, way))
                choices[chosen++] = (struct step){.act = COMES, .way = way, .seen = next[i]};
    }
    return chosen;
}

const struct follower responder_follower = {
    .read = read_token, .begin = begin, .take = take, .choose = choose, .end = end};
