// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/replay_stage.h"

#include "rxe-harness/transport/loopback.h"

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- the recording ---- */

struct vector_event events[REPLAY_EVENTS];
static uint8_t pool[REPLAY_EVENTS][4 * REPLAY_WORDS];
struct vector_test recording;

struct rpcrdma_event *record(enum rpcrdma_endpoint from, enum rpcrdma_event_type type,
                             const uint32_t *words, size_t count)
{
    uint8_t *octets = pool[recording.count];
    struct rpcrdma_event *event = &events[recording.count++].event;
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    *event =
        (struct rpcrdma_event){.from = from, .type = type, .data = octets, .length = 4 * count};
    return event;
}
void record_rdma(enum rpcrdma_event_type type, uint32_t handle, uint64_t offset,
                 const uint32_t *words, size_t count)
{
    struct rpcrdma_event *event = record(RPCRDMA_SERVER, type, words, count);
    event->handle = handle;
    event->offset = offset;
}
void leaves_open(const char *reactions)
{
    events[recording.count - 1].expect = json_loads(reactions, 0, NULL);
    ck_assert_ptr_nonnull(events[recording.count - 1].expect);
}

/* ---- the peer ---- */

struct replay_peer peer;
const char *replay_stage_origin;

void does(enum deed deed, const uint32_t *words, size_t count)
{
    peer.deeds[peer.told].deed = deed;
    peer.deeds[peer.told].count = count;
    if (count > 0)
        memcpy(peer.deeds[peer.told].words, words, 4 * count);
    peer.told++;
}
uint32_t came_word(unsigned call, size_t word)
{
    ck_assert_uint_gt(peer.count, call);
    ck_assert_uint_ge(peer.lengths[call], 4 * word + 4);
    return rpcrdma_xdr_load32(peer.came[call] + 4 * word);
}

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    peer.link = link;
    return &peer;
}

static void send_words(uint32_t xid, const uint32_t *words, size_t count)
{
    uint8_t octets[4 * REPLAY_WORDS];
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i] == X ? xid : words[i]);
    if (peer.grants && count > 3)
        rpcrdma_xdr_store32(octets + 8, peer.grants);
    peer.link->ops->send(peer.link, octets, 4 * count, NULL);
}

static void answer_one(void)
{
    uint32_t xid = came_word(peer.answered++, 0);
    if (peer.done == peer.told)
        return;
    const enum deed deed = peer.deeds[peer.done].deed;
    if (peer.before)
        peer.before();
    if (deed == ANSWERS || deed == CLOSES_AFTER)
        send_words(xid, peer.deeds[peer.done].words, peer.deeds[peer.done].count);
    peer.done++;
    if (deed == CLOSES || deed == CLOSES_AFTER) {
        peer.link->ops->close(peer.link);
        peer.link = NULL;
    }
}

static bool is_null(const struct link_event *event)
{
    return event->length == 4 * 17 && rpcrdma_xdr_load32(event->octets + 4 * 12) == 0;
}

static bool step(void *arg)
{
    struct link_event event;
    (void)arg;
    if (peer.link == NULL)
        return false;
    peer.link->ops->wait(peer.link, 0, &event);
    peer.idle += event.type == LINK_NOTHING;
    if (event.type != LINK_RECEIVED)
        return false;
    if (is_null(&event)) {
        if (!peer.deaf || peer.count == 0)
            send_words(rpcrdma_xdr_load32(event.octets), WORDS_OF(ANSWER(X)));
        return true;
    }
    ck_assert_uint_lt(peer.count, REPLAY_EVENTS);
    ck_assert_uint_le(event.length, sizeof peer.came[0]);
    memcpy(peer.came[peer.count], event.octets, event.length);
    peer.lengths[peer.count++] = event.length;
    unsigned waiting = peer.count - peer.answered;
    peer.at_once = waiting > peer.at_once ? waiting : peer.at_once;
    while (peer.count >= peer.holds && peer.answered < peer.count && peer.link)
        answer_one();
    return true;
}

static void end(void *arg)
{
    (void)arg;
    if (peer.link)
        peer.link->ops->close(peer.link);
    peer.link = NULL;
}

/* ---- the replay ---- */

struct probe probe;
const struct result *judged[REPLAY_EVENTS];
unsigned judgements;

void replay_stage_setup(void)
{
    memset(events, 0, sizeof events);
    memset(&peer, 0, sizeof peer);
    replay_stage_origin = "recorded";
    recording = (struct vector_test){.id = "test", .comment = "by hand", .events = events};
}

void play(void)
{
    json_t *root = json_pack("{s{ss}}", "source", "origin", replay_stage_origin);
    struct vector_file file = {
        .path = (char[]){"recorded"}, .root = root, .tests = &recording, .count = 1};
    const struct corpus corpus = {.files = &file, .count = 1};
    const struct loopback_peer side = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    probe = (struct probe){.options = {.timeout = 2,
                                       .program = TEST_PROGRAM,
                                       .version = TEST_VERSION,
                                       .hazards.all = true},
                           .peer = {.patience = 1, .late = 1, .invalidates = true}};
    probe.peer.transport = transport_loopback(&side);
    probe_run_corpus(&probe, &corpus);
    ck_assert(!probe.run.current.xids_differ); /* in what comes after it */
    json_decref(root);
    judgements = 0;
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (result->expected && strncmp(result->expected, "as recorded", 11) == 0)
            judged[judgements++] = result;
    }
}

void replay_stage_teardown(void)
{
    results_free(&probe.run.results);
    if (probe.peer.transport)
        probe.peer.transport->ops->close(probe.peer.transport);
    for (size_t i = 0; i < REPLAY_EVENTS; i++)
        json_decref(events[i].expect);
    probe = (struct probe){.requester = NULL};
}

void is_judged(unsigned at, enum ending ending, const char *expected, const char *actual)
{
    ck_assert_uint_gt(judgements, at);
    ck_assert_str_eq(judged[at]->actual, actual);
    ck_assert_str_eq(judged[at]->expected, expected);
    ck_assert_int_eq(judged[at]->ending, ending);
}
