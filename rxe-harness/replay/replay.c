// SPDX-License-Identifier: BSD-3-Clause
/*
 * A recorded conversation, sent again to a live peer: every Send of the client in order, with fresh
 * XIDs and in memory of today's. What the peer does is compared with what the specification leaves
 * open, as ever, and against what the recorded server did.
 */
#include "rxe-harness/replay/replay.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGES 64 /* that may come while a NULL is waited for */

/* ---- the recording ---- */

static bool is_send(const struct vector_event *event, enum rpcrdma_endpoint from)
{
    return event->event.type == RPCRDMA_EVENT_SEND && event->event.from == from;
}

/* What a Send shows of itself: XID, and whether an RPC Call is after the header. */
static uint32_t xid_of(const struct rpcrdma_event *event)
{
    return event->length < 4 ? 0 : rpcrdma_xdr_load32(event->data);
}

static bool holds_call(const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    return !rpcrdma_xdr_failed(end) && header.rdma_body.proc == RPCRDMA1_MSG &&
           length - (size_t)end >= 8 && rpcrdma_xdr_load32(octets + end + 4) == 0;
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
        sent->recorded.outcome = replay_ended_by(test, at) ? RPCRDMA_CLOSE : RPCRDMA_DISCARD;
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

/* The same XID for what had the same. */
static uint32_t map_xid(struct replay *replay, size_t at, uint32_t old)
{
    for (size_t i = 0; i < at; i++)
        if (replay->sent[i].sent && replay->sent[i].length >= 4 && replay->sent[i].old_xid == old)
            return replay->sent[i].xid;
    return ++replay->probe->requester->xid;
}

static const char *unfit(const struct replay *replay, const struct rpcrdma_event *event)
{
    if (replay->closed)
        return "the connection has ended";
    if (event->invalidate)
        return "a Send With Invalidate";
    if (event->length > replay->probe->requester->send_limit)
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
    uint32_t xid = event->length < 4 ? 0 : rpcrdma_xdr_load32(event->octets);
    if (holds_call(event->octets, event->length))
        return; /* of the reverse direction */
    for (size_t i = 0; i <= replay->last; i++) {
        struct sent *sent = &replay->sent[i];
        if (!sent->sent || sent->answered || sent->xid != xid)
            continue;
        sent->answered = true;
        sent->came = alloc_copy(event->octets, event->length);
        sent->came_length = event->length;
        replay->waiting -= sent->answer > 0;
        answer_read(&sent->live, event, &sent->call, fetch_live, &sent->regions);
        names_learn(&replay->names, sent->recorded.names, sent->live.names);
        regions_free(&sent->regions, replay->probe->requester);
        return;
    }
}

/* False: nothing came, or the connection is gone. */
static bool step(struct replay *replay, unsigned timeout, struct link_event *event)
{
    if (replay->closed)
        return false;
    requester_wait(replay->probe->requester, timeout, event);
    if (event->type == LINK_RECEIVED)
        take(replay, event);
    replay->closed = event->type == LINK_CLOSED;
    return event->type == LINK_RECEIVED;
}

/* What the recorded server had answered by then is waited for: what comes next may build on it. Who
 * let us wait in vain once is not waited for as long again. */
static void await(struct replay *replay, size_t answer)
{
    struct probe *probe = replay->probe;
    struct link_event event;
    for (size_t i = 0; i < answer; i++) {
        struct sent *sent = &replay->sent[i];
        if (!sent->sent || sent->answer != answer)
            continue;
        while (!sent->answered &&
               step(replay, replay->missed ? probe->peer.patience : probe->options.timeout, &event))
            continue;
        replay->missed = replay->missed || !sent->answered;
    }
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
    bool begun = requester_begin(probe->requester, &null, &pending);
    for (int i = 0; begun && i < MESSAGES; i++) {
        if (!step(replay, answered ? probe->peer.patience : probe->options.timeout, &event))
            break;
        answered =
            answered || (event.length >= 4 && rpcrdma_xdr_load32(event.octets) == pending.xid);
    }
    if (!begun) /* what the link has to say of it */
        while (step(replay, probe->peer.patience, &event))
            continue;
    replay->stalled = !answered && !replay->closed;
    requester_forget(probe->requester, &pending);
}

/* What nothing answers uses a Receive as well, which the peer needs time to post again. */
static void wait_for_drops(struct replay *replay)
{
    struct link_event event;
    if (replay->dropped + replay->waiting + 1 < replay->probe->requester->granted)
        return;
    while (step(replay, replay->probe->peer.patience, &event))
        continue;
    replay->dropped = 0;
}

static void send_again(struct replay *replay, size_t at)
{
    const struct rpcrdma_event *event = &replay->test->events[at].event;
    struct sent *sent = &replay->sent[at];
    struct requester *peer = replay->probe->requester;
    struct link_event came;
    sent->answer = find_answer(replay->test, at);
    sent->old_xid = xid_of(event);
    sent->length = event->length;
    sent->skipped = unfit(replay, event);
    if (sent->skipped)
        return;
    while (replay->waiting > 0 && replay->waiting >= peer->granted &&
           step(replay, replay->probe->peer.patience, &came))
        continue;
    if (sent->answer == 0)
        wait_for_drops(replay);
    sent->xid = event->length < 4 ? 0 : map_xid(replay, at, sent->old_xid);
    uint8_t *octets = alloc_zeroed(1, peer->send_limit);
    if (event->length > 0)
        memcpy(octets, event->data, event->length);
    sent->skipped = replay_renew(replay, at, sent, octets);
    if (sent->skipped == NULL && sent->is_reply)
        sent->skipped = "a Reply to what the server called then";
    if (sent->skipped == NULL) {
        read_recorded(replay->test, at, sent);
        sent->sent = true;
        replay->last = at;
        replay->waiting += sent->answer > 0;
        replay->dropped += sent->answer == 0;
        sent->went = alloc_copy(octets, sent->length);
        requester_send(peer, octets, sent->length);
    }
    free(octets);
}

/* ---- one conversation ---- */

static const char *hazard_of(const struct vector_test *test)
{
    const char *hazard = NULL;
    for (size_t i = 0; i < test->count && hazard == NULL; i++)
        if (is_send(&test->events[i], RPCRDMA_CLIENT))
            hazard = probe_hazard(RPCRDMA_PROTOCOL_1, test->events[i].event.data,
                                  test->events[i].event.length);
    return hazard;
}

static void play(struct replay *replay)
{
    const struct vector_test *test = replay->test;
    for (size_t i = 0; i < test->count; i++)
        if (is_send(&test->events[i], RPCRDMA_CLIENT))
            send_again(replay, i);
        else if (is_send(&test->events[i], RPCRDMA_SERVER))
            await(replay, i);
    settle(replay);
    for (size_t i = 0; i < test->count; i++)
        if (is_send(&test->events[i], RPCRDMA_CLIENT))
            replay_judge(replay, i);
    replay_judge_end(replay);
}

void probe_run_replay(struct probe *probe, const struct vector_test *test)
{
    struct replay replay = {.probe = probe, .test = test};
    const struct probe_about about = {probe->run.file, test->id, test->comment, NULL,
                                      hazard_of(test), false};
    if (test->count == 0 || !probe_wants(probe, &about))
        return;
    probe_name(probe, test->id, test->comment);
    size_t results = probe->run.results.count;
    if (probe_ready(probe) == NULL) {
        probe_not_run(probe, &about);
        return;
    }
    replay.sent = alloc_zeroed(test->count, sizeof *replay.sent);
    play(&replay);
    probe->run.current.xids_differ = false;
    for (size_t i = 0; i < test->count; i++) {
        regions_free(&replay.sent[i].regions, probe->requester);
        answer_free(&replay.sent[i].recorded);
        answer_free(&replay.sent[i].live);
        free(replay.sent[i].went);
        free(replay.sent[i].came);
    }
    free(replay.sent);
    names_free(&replay.names);
    if (probe->run.results.count > results)
        probe_ran(probe);
    probe_disconnect(probe);
    probe_cut(probe, results, &about);
}
