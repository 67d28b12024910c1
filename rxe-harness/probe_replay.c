// SPDX-License-Identifier: BSD-3-Clause
/*
 * A recorded conversation, sent again to a live peer: every Send of the client in order, with fresh
 * XIDs and in memory of today's. What the peer does is held against what the specification leaves
 * open, as ever, and against what the recorded server did.
 */
#include "answer.h"
#include "probe.h"
#include "regions.h"

#include <alloc.h>
#include <run.h>

#include <rpcrdma/rpc_header.h>

#include <stdlib.h>
#include <string.h>

#define WAITS 4     /* times the probe's patience, for what the recorded server answered */
#define MESSAGES 64 /* that may come while a NULL is waited for */

/* One Send of the recorded client. */
struct sent {
    const char *skipped; /* why it was not sent, or NULL */
    bool sent, answered;
    bool is_reply; /* nothing answers it */
    bool unknown;  /* the recording ends before an answer */
    bool earlier;  /* the connection ended behind it in the recording, and now before the answer */
    uint32_t old_xid, xid;
    size_t length;
    struct answer_call call;
    struct regions regions;
    size_t answer; /* the event that answers it in the recording; 0: none does */
    struct answer recorded, live;
};

struct replay {
    struct probe *probe;
    const struct vector_test *test;
    struct sent *sent; /* one an event */
    size_t last;       /* the event that was sent last */
    unsigned waiting;  /* Calls that the recording shows answered, and are not yet */
    bool closed, stalled;
};

/* ---- the recording ---- */

static bool is_send(const struct vector_event *event, enum rpcrdma_endpoint from)
{
    return event->event.type == RPCRDMA_EVENT_SEND && event->event.from == from;
}

/* What a Send shows of itself: XID, and whether an RPC Call is behind the header. */
static uint32_t xid_of(const struct rpcrdma_event *event)
{
    return event->length < 4 ? 0 : xdr_load32(event->data);
}

static bool holds_call(const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    return end >= 0 && header.rdma_body.proc == RPCRDMA1_MSG && length - (size_t)end >= 8 &&
           xdr_load32(octets + end + 4) == 0;
}

/* The event that answers this one: the next of the server's with its XID. */
static size_t find_answer(const struct vector_test *test, size_t at)
{
    uint32_t xid = xid_of(&test->events[at].event);
    for (size_t i = at + 1; i < test->count; i++) {
        const struct rpcrdma_event *event = &test->events[i].event;
        if (event->type != RPCRDMA_EVENT_SEND || xid_of(event) != xid)
            continue;
        if (event->from == RPCRDMA_CLIENT)
            return 0; /* asked again */
        if (!holds_call(event->data, event->length))
            return i;
    }
    return 0;
}

struct written {
    const struct vector_test *test;
    size_t from, to;
};

/* What the recorded server wrote there. */
static bool fetch_recorded(void *arg, uint32_t handle, uint64_t offset, uint8_t *octets,
                           size_t length)
{
    const struct written *written = arg;
    size_t found = 0;
    for (size_t i = written->from; i < written->to; i++) {
        const struct rpcrdma_event *event = &written->test->events[i].event;
        if (event->type != RPCRDMA_EVENT_RDMA_WRITE || event->data == NULL ||
            event->handle != handle || event->offset < offset || event->offset - offset >= length ||
            event->length > length - (event->offset - offset))
            continue;
        memcpy(octets + (event->offset - offset), event->data, event->length);
        found += event->length;
    }
    return found >= length;
}

/* The server ended the connection, and this was the last Send before. */
static bool ended_by(const struct vector_test *test, size_t at)
{
    for (size_t i = at + 1; i < test->count; i++) {
        const struct vector_event *event = &test->events[i];
        if (is_send(event, RPCRDMA_CLIENT))
            return false;
        if (event->event.type == RPCRDMA_EVENT_DISCONNECT)
            return event->event.from == RPCRDMA_SERVER;
    }
    return false;
}

/* Nothing came any more: the client may have gone before it could. */
static bool ends_with(const struct vector_test *test, size_t at)
{
    for (size_t i = at + 1; i < test->count; i++)
        if (test->events[i].event.from == RPCRDMA_SERVER)
            return false;
    return true;
}

static void read_recorded(const struct vector_test *test, size_t at, struct sent *sent)
{
    if (sent->answer == 0) {
        sent->recorded.outcome = ended_by(test, at) ? RPCRDMA_CLOSE : RPCRDMA_DISCARD;
        sent->unknown = ends_with(test, at);
        return;
    }
    struct written written = {.test = test, .from = at, .to = sent->answer};
    const struct rpcrdma_event *event = &test->events[sent->answer].event;
    const struct link_event message = {
        .type = LINK_RECEIVED, .octets = event->data, .length = event->length};
    answer_read(&sent->recorded, &message, &sent->call, fetch_recorded, &written);
}

/* ---- sending ---- */

/* What the recorded server read, until it answered. */
static void fill(struct replay *replay, size_t at, struct sent *sent)
{
    const struct vector_test *test = replay->test;
    size_t end = sent->answer > 0 ? sent->answer : test->count;
    for (size_t i = at + 1; i < end; i++) {
        const struct rpcrdma_event *event = &test->events[i].event;
        if (event->type == RPCRDMA_EVENT_RDMA_READ && event->data)
            regions_fill(&sent->regions, event->handle, event->offset, event->data, event->length);
    }
}

static void read_call(struct sent *sent, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    if (rpcrdma_rpc_header_decode(&rpc, octets, length, NULL) < 0)
        return;
    sent->is_reply = rpc.is_reply;
    sent->call = (struct answer_call){
        .known = !rpc.is_reply, .program = rpc.prog, .version = rpc.vers, .procedure = rpc.proc};
}

#define LONG_CALL 4096 /* octets that hold every RPC header */

/* The first octets of what the Position Zero Read chunks hold, copied to `octets` or from there.
 * Returns how many; -1: the recorded server did not read all of them. */
static ptrdiff_t copy_long_call(struct sent *sent, const struct rpcrdma1_chunk_lists *lists,
                                uint8_t *octets, size_t room, bool back)
{
    struct xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma1_read_segment read;
    size_t length = 0;
    while (rpcrdma1_read_list_next(&iter, &read)) {
        uint8_t *place = NULL;
        uint32_t all = read.target.length;
        if (read.position != 0)
            continue;
        const struct region *region =
            regions_find(&sent->regions, read.target.handle, read.target.offset, all, &place);
        if (region == NULL || region->filled < all)
            return -1;
        size_t part = all < room - length ? all : room - length;
        if (part > 0)
            memcpy(back ? place : octets + length, back ? octets + length : place, part);
        length += part;
    }
    return (ptrdiff_t)length;
}

static bool renew_long_call(struct sent *sent, const struct rpcrdma1_chunk_lists *lists)
{
    uint8_t octets[LONG_CALL];
    ptrdiff_t length = copy_long_call(sent, lists, octets, sizeof octets, false);
    if (length < 4)
        return length == 0;
    if (xdr_load32(octets) == sent->old_xid) {
        xdr_store32(octets, sent->xid);
        copy_long_call(sent, lists, octets, 4, true);
    }
    read_call(sent, octets, (size_t)length);
    return true;
}

/* Memory and XIDs: makes of the recorded octets those that are sent. Returns why not, or NULL. */
static const char *renew(struct replay *replay, size_t at, struct sent *sent, uint8_t *octets)
{
    struct requester *peer = replay->probe->peer;
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, sent->length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = end < 0 ? NULL : rpcrdma1_chunks(&header);
    size_t rpc = sent->length >= 4 ? probe_freshen(octets, sent->length, sent->xid) : 0;
    if (rpc > 0 && end >= 0) {
        read_call(sent, octets + rpc, sent->length - rpc);
        replay->probe->xids_differ =
            replay->probe->xids_differ || xdr_load32(octets + rpc) != sent->xid;
    }
    if (lists == NULL)
        return NULL;
    if (!regions_collect(&sent->regions, octets, lists))
        return "it offers more memory than there is for one Send";
    fill(replay, at, sent);
    if (!renew_long_call(sent, lists))
        return "the recorded server did not read the Long Call, which is not known therefore";
    return regions_move(&sent->regions, peer, octets, lists) ? NULL : "memory cannot be registered";
}

/* The same XID for what had the same. */
static uint32_t map_xid(struct replay *replay, size_t at, uint32_t old)
{
    for (size_t i = 0; i < at; i++)
        if (replay->sent[i].sent && replay->sent[i].length >= 4 && replay->sent[i].old_xid == old)
            return replay->sent[i].xid;
    return ++replay->probe->peer->xid;
}

static const char *unfit(const struct replay *replay, const struct rpcrdma_event *event)
{
    if (replay->closed)
        return "the connection has ended";
    if (event->invalidate)
        return "a Send With Invalidate";
    if (event->length > replay->probe->peer->send_limit)
        return "longer than what the peer takes";
    return NULL;
}

/* ---- what comes ---- */

static bool fetch_live(void *arg, uint32_t handle, uint64_t offset, uint8_t *octets, size_t length)
{
    return regions_fetch(arg, handle, offset, octets, length);
}

static void take(struct replay *replay, const struct link_event *event)
{
    uint32_t xid = event->length < 4 ? 0 : xdr_load32(event->octets);
    if (holds_call(event->octets, event->length))
        return; /* of the reverse direction */
    for (size_t i = 0; i <= replay->last; i++) {
        struct sent *sent = &replay->sent[i];
        if (!sent->sent || sent->answered || sent->xid != xid)
            continue;
        sent->answered = true;
        replay->waiting -= sent->answer > 0;
        answer_read(&sent->live, event, &sent->call, fetch_live, &sent->regions);
        regions_free(&sent->regions, replay->probe->peer);
        return;
    }
}

/* False: nothing came, or the connection is gone. */
static bool step(struct replay *replay, unsigned timeout, struct link_event *event)
{
    if (replay->closed)
        return false;
    requester_wait(replay->probe->peer, timeout, event);
    if (event->type == LINK_RECEIVED)
        take(replay, event);
    replay->closed = event->type == LINK_CLOSED;
    return event->type == LINK_RECEIVED;
}

static unsigned patience(const struct replay *replay)
{
    const struct probe *probe = replay->probe;
    unsigned wait = WAITS * probe->patience;
    return wait < probe->timeout ? wait : probe->timeout;
}

/* What the recorded server had answered by then is waited for. */
static void await(struct replay *replay, size_t answer)
{
    struct link_event event;
    for (size_t i = 0; i < answer; i++)
        if (replay->sent[i].sent && replay->sent[i].answer == answer)
            while (!replay->sent[i].answered && step(replay, patience(replay), &event))
                continue;
}

/* A NULL that is answered after all; and what is late. */
static void settle(struct replay *replay)
{
    static const struct requester_call null = {.procedure = 0};
    struct probe *probe = replay->probe;
    struct requester_pending pending;
    struct link_event event;
    bool answered = false;
    if (replay->closed)
        return;
    bool begun = requester_begin(probe->peer, &null, &pending);
    for (int i = 0; begun && i < MESSAGES; i++) {
        if (!step(replay, answered ? probe->patience : probe->timeout, &event))
            break;
        answered = answered || (event.length >= 4 && xdr_load32(event.octets) == pending.xid);
    }
    if (!begun) /* what the link has to say of it */
        while (step(replay, probe->patience, &event))
            continue;
    replay->stalled = !answered && !replay->closed;
    requester_forget(probe->peer, &pending);
}

static void send_again(struct replay *replay, size_t at)
{
    const struct rpcrdma_event *event = &replay->test->events[at].event;
    struct sent *sent = &replay->sent[at];
    struct requester *peer = replay->probe->peer;
    struct link_event came;
    sent->answer = find_answer(replay->test, at);
    sent->old_xid = xid_of(event);
    sent->length = event->length;
    sent->skipped = unfit(replay, event);
    if (sent->skipped)
        return;
    while (replay->waiting > 0 && replay->waiting >= peer->granted &&
           step(replay, patience(replay), &came))
        continue;
    sent->xid = event->length < 4 ? 0 : map_xid(replay, at, sent->old_xid);
    uint8_t *octets = alloc_copy(event->data, event->length);
    sent->skipped = renew(replay, at, sent, octets);
    if (sent->skipped == NULL && sent->is_reply)
        sent->skipped = "a Reply to what the server called then";
    if (sent->skipped == NULL) {
        read_recorded(replay->test, at, sent);
        sent->sent = true;
        replay->last = at;
        replay->waiting += sent->answer > 0;
        requester_send(peer, octets, event->length);
    }
    free(octets);
}

/* ---- judging ---- */

static const char *const reasons[] = {
    [ANSWER_SAME] = "as recorded",
    [ANSWER_REACTION] = "another reaction than recorded, but one that is left open",
    [ANSWER_RPC] = "another answer of RPC: the server offers, or makes of the arguments, something "
                   "else than the recorded one",
    [ANSWER_STATUS] = "another status of NFS: files, clients and sessions are not those of the "
                      "recorded server",
    [ANSWER_RESULTS] = "results of another length: what they tell of is not the recorded server's",
    [ANSWER_CHUNKS] = "the same results, but not in the same Write chunks",
    [ANSWER_PLACE] = "what fits inline may be there or in the Reply chunk",
    [ANSWER_SEGMENTS_RETURNED] = "the same results, but cut into other segments",
    [ANSWER_SEND] = "the same results, but an RPC header of another length",
};

static unsigned allowed_of(const struct replay *replay, size_t at)
{
    struct rpcrdma_verdict verdict = {.reactions = RPCRDMA_PROCESS};
    const struct run_event judged = {.event = &replay->test->events[at], .verdict = &verdict};
    unsigned allowed = run_reactions(&judged);
    if (allowed & RPCRDMA_PROCESS)
        allowed |= RPCRDMA_GARBAGE_ARGS; /* what is good in the transport may not be so in RPC */
    return allowed;
}

/* No more than a comparison says: the transport header is good, and yet the Responder may have no
 * room for the results. */
static bool may_be_full(const struct sent *sent, enum answer_layer layer, unsigned allowed)
{
    return layer == ANSWER_SAME && sent->live.outcome == RPCRDMA_ERR_CHUNK &&
           (allowed & RPCRDMA_PROCESS);
}

static enum ending ending_of(const struct sent *sent, enum answer_layer layer, unsigned allowed)
{
    unsigned outcome = sent->live.outcome;
    /* RPC refuses the Call before its arguments are looked at, where they could be garbage. */
    bool refused = outcome == RPCRDMA_PROCESS && !(sent->live.accepted && sent->live.stat == 0) &&
                   (allowed & RPCRDMA_GARBAGE_ARGS);
    if (sent->earlier || may_be_full(sent, layer, allowed))
        return ENDING_TOLERATED;
    if (!(outcome & allowed) && !refused) {
        if (outcome == RPCRDMA_DISCARD)
            return ENDING_SILENT;
        return outcome == RPCRDMA_CLOSE ? ENDING_CLOSED : ENDING_WRONG;
    }
    if (layer == ANSWER_SAME)
        return ENDING_REQUIRED;
    bool wrong = layer == ANSWER_CHUNKS || layer == ANSWER_SEGMENTS_RETURNED;
    return wrong ? ENDING_WRONG : ENDING_TOLERATED;
}

static const char *reason_of(const struct sent *sent, enum answer_layer layer, unsigned allowed)
{
    if (sent->earlier)
        return "the connection ends as recorded, but earlier";
    if (may_be_full(sent, layer, allowed))
        return "as recorded; right if there is no room for the results";
    if (sent->unknown)
        return "not recorded";
    if (layer == ANSWER_REACTION && !(sent->live.outcome & allowed))
        return "neither recorded nor left open";
    return reasons[layer];
}

static void set_text(struct result *result, const struct sent *sent, enum answer_layer layer,
                     unsigned allowed)
{
    char was[400], is[400], text[600];
    struct alloc_stream expected;
    answer_print(&sent->recorded, was, sizeof was);
    answer_print(&sent->live, is, sizeof is);
    alloc_begin(&expected);
    fprintf(expected.out,
            "as recorded, %s; left open: ", sent->unknown ? "nothing up to the end" : was);
    run_print_reactions(expected.out, allowed);
    result->expected = alloc_end(&expected);
    snprintf(text, sizeof text, "%s; %s", is, reason_of(sent, layer, allowed));
    result->actual = alloc_text(text);
}

static void judge(struct replay *replay, size_t at)
{
    const struct vector_event *event = &replay->test->events[at];
    struct sent *sent = &replay->sent[at];
    const json_t *finding = json_array_get(json_object_get(event->expect, "findings"), 0);
    struct result *result =
        probe_result(replay->probe, finding ? vector_text(finding, "rule") : NULL, finding != NULL);
    result->event = (unsigned)at;
    free(result->octets);
    result->octets = alloc_copy(event->event.data, event->event.length);
    result->length = event->event.length;
    if (sent->skipped) {
        result->ending = ENDING_NOT_APPLICABLE;
        result->expected = alloc_text("as recorded");
        result->actual = alloc_text(sent->skipped);
        return;
    }
    if (!sent->answered) {
        bool closed = replay->closed && at == replay->last;
        sent->live.outcome = closed ? RPCRDMA_CLOSE : RPCRDMA_DISCARD;
    }
    enum answer_layer layer =
        sent->unknown ? ANSWER_SAME : answer_compare(&sent->recorded, &sent->live);
    sent->earlier = layer == ANSWER_REACTION && sent->live.outcome == RPCRDMA_CLOSE &&
                    ended_by(replay->test, at);
    unsigned allowed = allowed_of(replay, at);
    result->ending = ending_of(sent, layer, allowed);
    if (replay->stalled && !sent->answered && at == replay->last)
        result->ending = ENDING_STALLED;
    set_text(result, sent, layer, allowed);
}

/* The end of the connection where every Send had an answer. */
static void judge_end(struct replay *replay)
{
    const struct sent *last = &replay->sent[replay->last];
    bool was_closed = ended_by(replay->test, replay->last);
    if (!last->sent || !last->answered || last->recorded.outcome == RPCRDMA_CLOSE ||
        was_closed == replay->closed)
        return;
    struct result *result = probe_result(replay->probe, NULL, false);
    result->event = (unsigned)replay->last;
    result->ending = was_closed ? ENDING_TOLERATED : ENDING_CLOSED;
    result->expected =
        alloc_text(was_closed ? "as recorded, the end of the connection behind the last answer"
                              : "as recorded, a connection that goes on");
    result->actual = alloc_text(was_closed ? "a connection that goes on"
                                           : "the end of the connection behind the last answer");
}

/* ---- one conversation ---- */

static const char *hazard_of(const struct vector_test *test)
{
    const char *hazard = NULL;
    for (size_t i = 0; i < test->count && hazard == NULL; i++)
        if (is_send(&test->events[i], RPCRDMA_CLIENT))
            hazard = probe_hazard(test->events[i].event.data, test->events[i].event.length);
    return hazard;
}

static void play(struct replay *replay)
{
    const struct vector_test *test = replay->test;
    for (size_t i = 0; i < test->count; i++) {
        if (is_send(&test->events[i], RPCRDMA_CLIENT))
            send_again(replay, i);
        else if (is_send(&test->events[i], RPCRDMA_SERVER))
            await(replay, i);
    }
    settle(replay);
    for (size_t i = 0; i < test->count; i++)
        if (is_send(&test->events[i], RPCRDMA_CLIENT))
            judge(replay, i);
    judge_end(replay);
}

static void add_crash(struct probe *probe, const char *text)
{
    struct result *result = probe_result(probe, NULL, false);
    result->ending = probe->dead ? ENDING_NOT_APPLICABLE : ENDING_CRASHED;
    result->expected = alloc_text("a peer that answers NULL");
    result->actual = alloc_text(probe->dead ? "the peer is gone" : text);
    probe->dead = true;
}

void probe_run_replay(struct probe *probe, const struct vector_test *test)
{
    struct replay replay = {.probe = probe, .test = test};
    if (test->count == 0 || !probe_wants(probe, test->id, test->comment, hazard_of(test)))
        return;
    probe_name(probe, test->id, test->comment);
    if (probe->dead || probe_connect(probe) == NULL) {
        add_crash(probe, "no connection, or no answer to NULL, before the conversation");
        return;
    }
    replay.sent = alloc_zeroed(test->count, sizeof *replay.sent);
    play(&replay);
    probe->xids_differ = false;
    for (size_t i = 0; i < test->count; i++)
        regions_free(&replay.sent[i].regions, probe->peer);
    free(replay.sent);
    if (probe_connect(probe) == NULL)
        add_crash(probe, "no connection, or no answer to NULL, after the conversation");
    probe_disconnect(probe);
}
