// SPDX-License-Identifier: BSD-3-Clause
/*
 * The probe's own conversation with the reference Responder is recorded and replayed: the same
 * Responder answers the same, and one that is made to differ is distinguished, layer by layer.
 */
#include "rxe-harness/replay/nfs_ids.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"
#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct link_ops honest, faulty;
static unsigned sends, connections;
static struct link *chatty;

/* ---- faults ---- */

static bool is_error(const uint8_t *octets)
{
    return rpcrdma_xdr_load32(octets + 12) == RPCRDMA1_ERROR;
}

static bool swallow_errors(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    return is_error(octets) || honest.send(link, octets, length, handle);
}

static bool close_on_error(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    if (!is_error(octets))
        return honest.send(link, octets, length, handle);
    honest.close(link);
    return false;
}

static bool version_for_chunk(struct link *link, const void *octets, size_t length,
                              const uint32_t *handle)
{
    uint8_t copy[RPCRDMA1_ERR_VERS_LENGTH] = {0};
    if (!is_error(octets))
        return honest.send(link, octets, length, handle);
    memcpy(copy, octets, 16);
    for (size_t i = 16; i < sizeof copy; i += 4)
        rpcrdma_xdr_store32(copy + i, 1);
    return honest.send(link, copy, sizeof copy, NULL);
}

/* Replies without lists: the last word is accept_stat. */
static bool other_stat(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    uint8_t copy[RPCRDMA1_HEADER_MIN + 24];
    if (length != sizeof copy)
        return honest.send(link, octets, length, handle);
    memcpy(copy, octets, sizeof copy);
    rpcrdma_xdr_store32(copy + sizeof copy - 4, 1);
    return honest.send(link, copy, sizeof copy, handle);
}

static bool more_results(struct link *link, const void *octets, size_t length,
                         const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE + 4] = {0};
    memcpy(copy, octets, length);
    bool more = !is_error(octets) && length > RPCRDMA1_HEADER_MIN + 24 && length < 200;
    return honest.send(link, copy, length + (more ? 4 : 0), handle);
}

/* One octet of the first segment that was used is said to be in the second. */
static bool other_segments(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    struct rpcrdma1_header header;
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    ptrdiff_t end = rpcrdma1_header_decode(&header, copy, length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = end < 0 ? NULL : rpcrdma1_chunks(&header);
    struct rpcrdma1_write_chunk chunk;
    if (lists) {
        struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
        if (rpcrdma1_write_list_next(&iter, &chunk) && chunk.target.count > 1) {
            uint8_t *first = copy + (chunk.target.wire - copy);
            rpcrdma_xdr_store32(first + 4, rpcrdma_xdr_load32(first + 4) - 1);
            rpcrdma_xdr_store32(first + 20, rpcrdma_xdr_load32(first + 20) + 1);
        }
    }
    return honest.send(link, copy, length, handle);
}

static bool lose_the_20th(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    return ++sends >= 20 || honest.send(link, octets, length, handle);
}

static const struct {
    bool (*send)(struct link *, const void *, size_t, const uint32_t *);
    const char *test; /* recorded of this case */
    enum ending ending;
    const char *text; /* in what is said of it */
} faults[] = {
    {swallow_errors, "no-room-for-reply", ENDING_SILENT, "silence"},
    {swallow_errors, "faults-in-a-row", ENDING_SILENT, "silence"},
    {close_on_error, "no-room-for-reply", ENDING_CLOSED, "the end of the connection"},
    {version_for_chunk, "no-room-for-reply", ENDING_WRONG, "err-vers"},
    {version_for_chunk, "faults-in-a-row", ENDING_WRONG, "err-vers"},
    {other_stat, "calls-in-a-row", ENDING_TOLERATED, "accept_stat 1"},
    {more_results, "pull-5-in-3", ENDING_TOLERATED, "results of another length"},
    {more_results, "push-5-in-3", ENDING_TOLERATED, "results of another length"},
    {other_segments, "push-5-in-3", ENDING_WRONG, "other segments"},
    {lose_the_20th, "calls-in-a-row", ENDING_SILENT, "silence"},
    {lose_the_20th, "calls-in-a-row", ENDING_STALLED, "silence"},
};

/* ---- the peer ---- */

static void *begin(void *arg, struct link *link)
{
    const struct link_ops *fault = arg;
    if (fault) {
        honest = *link->ops;
        faulty = honest;
        faulty.send = fault->send;
        link->ops = &faulty;
    }
    sends = 0;
    return responder_new(link);
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static struct probe probe_of(const struct link_ops *fault)
{
    static struct link_ops given;
    if (fault)
        given = *fault;
    const struct loopback_peer peer = {.options = responder_options(),
                                       .begin = begin,
                                       .step = step,
                                       .end = end,
                                       .arg = fault ? &given : NULL};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .hazards.all = true},
                          .peer.invalidates = true};
    probe.peer.transport = transport_loopback(&peer);
    return probe;
}

static void finish(struct probe *probe)
{
    results_free(&probe->run.results);
    probe->peer.transport->ops->close(probe->peer.transport);
}

static void make_recording(struct corpus *corpus, bool infers)
{
    struct recorder recorder = {0};
    struct probe probe = probe_of(NULL);
    char path[] = P_tmpdir "/probe-replay-XXXXXX";
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    probe.run.recording.recorder = &recorder;
    probe.run.recording.left = PROBE_RECORD_MAX;
    probe.peer.infers = infers;
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    finish(&probe);
    ck_assert(record_write(&recorder, path, "the reference Responder"));
    record_free(&recorder);
    corpus_add(corpus, path);
    close(descriptor);
    unlink(path);
    ck_assert_int_eq(corpus->status, 0);
    ck_assert_uint_eq(corpus->faults, 0);
}

/* ---- tests ---- */

static void expect_the_same(bool infers)
{
    struct corpus corpus = {0};
    struct probe probe = probe_of(NULL);
    size_t same = 0;
    make_recording(&corpus, infers);
    ck_assert(probe_begin(&probe));
    probe_run_corpus(&probe, &corpus);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ck_assert_msg(!ending_is_failure(result->ending), "%s: %s", result->comment,
                      result->actual);
        same += result->ending == ENDING_REQUIRED;
    }
    ck_assert_uint_gt(same, 600);
    ck_assert_uint_ge(same + 20, probe.run.results.count);
    corpus_free(&corpus);
    finish(&probe);
}

START_TEST(the_same_responder_answers_the_same)
{
    expect_the_same(false);
}
END_TEST

START_TEST(what_is_concluded_replays_as_well)
{
    expect_the_same(true);
}
END_TEST

START_TEST(a_difference_is_told)
{
    struct corpus corpus = {0};
    const struct link_ops fault = {.send = faults[_i].send};
    struct probe probe = probe_of(&fault);
    bool found = false;
    make_recording(&corpus, false);
    ck_assert(probe_begin(&probe));
    probe_run_corpus(&probe, &corpus);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        found = found ||
                (strcmp(result->comment, faults[_i].test) == 0 &&
                 result->ending == faults[_i].ending && strstr(result->actual, faults[_i].text));
    }
    ck_assert_msg(found, "%s: no %s with '%s'", faults[_i].test, ending_names[faults[_i].ending],
                  faults[_i].text);
    corpus_free(&corpus);
    finish(&probe);
}
END_TEST

/* A peer with few Receives, which grants one credit: no more than one Call is in flight. */
static bool grant_one(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    if (length >= 12)
        rpcrdma_xdr_store32(copy + 8, 1);
    return honest.send(link, copy, length, handle);
}

START_TEST(the_grant_is_kept)
{
    static struct link_ops fault = {.send = grant_one};
    struct corpus corpus = {0};
    struct link_options options = *responder_options();
    options.receives = 2; /* one is given back only when the next is waited for */
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = &fault};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .hazards.all = true},
                          .peer.invalidates = true};
    unsigned met = 0;
    make_recording(&corpus, false);
    probe.peer.transport = transport_loopback(&peer);
    ck_assert(probe_begin(&probe));
    probe_run_corpus(&probe, &corpus);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        bool many = strcmp(result->comment, "calls-up-to-grant") == 0;
        ck_assert_msg(!many || !ending_is_failure(result->ending), "%s", result->actual);
        met += many;
    }
    ck_assert_uint_gt(met, 10);
    corpus_free(&corpus);
    finish(&probe);
}
END_TEST

/* A peer that never stops sending is not listened to for ever. */
static bool chatter(void *peer)
{
    static const uint8_t octets[RPCRDMA1_ERR_CHUNK_LENGTH] = {0x7f, 0, 0, 1, 0, 0, 0, 1, 0, 0,
                                                              0,    1, 0, 0, 0, 4, 0, 0, 0, 2};
    bool done = responder_step(peer, 0);
    if (chatty)
        chatty->ops->send(chatty, octets, sizeof octets, NULL);
    return done || chatty != NULL;
}

static void *begin_chatty(void *arg, struct link *link)
{
    (void)arg;
    if (++connections > 3) /* the probe has measured the peer by then */
        chatty = link;
    return responder_new(link);
}

static void end_chatty(void *peer)
{
    chatty = NULL;
    responder_free(peer);
}

START_TEST(a_peer_that_chattes_is_left)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin_chatty, .step = chatter, .end = end_chatty};
    struct corpus corpus = {0};
    struct probe probe = {.options = {.timeout = 100,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .hazards.all = true},
                          .peer.invalidates = true};
    make_recording(&corpus, false);
    connections = 0;
    probe.peer.transport = transport_loopback(&peer);
    ck_assert(probe_begin(&probe));
    size_t all = corpus.files[0].count;
    corpus.files[0].count = 12;
    probe_run_corpus(&probe, &corpus);
    ck_assert_uint_gt(probe.run.results.count, 5);
    corpus.files[0].count = all;
    corpus_free(&corpus);
    chatty = NULL;
    finish(&probe);
}
END_TEST

/* A recording is a file like any other: nothing in it may hurt. */
START_TEST(a_recording_may_hold_anything)
{
    struct corpus corpus = {0};
    struct probe probe = probe_of(NULL);
    uint32_t random = 1;
    make_recording(&corpus, false);
    ck_assert(probe_begin(&probe));
    for (size_t i = 0; i < corpus.files[0].count; i++) {
        struct vector_test *test = &corpus.files[0].tests[i];
        for (size_t j = 0; j < test->count; j++) {
            struct vector_event *event = &test->events[j];
            random = random * 1664525 + 1013904223;
            size_t place = event->event.length > 0 ? (random >> 8) % event->event.length : 0;
            place %= 200;
            if (event->octets && place < event->event.length)
                event->octets[place] ^= (uint8_t)(1 << (random >> 5) % 8);
            if (event->event.type != RPCRDMA_EVENT_SEND && random >> 30 == 0)
                event->event.offset ^= (uint64_t)1 << (random >> 20) % 64;
        }
    }
    probe_run_corpus(&probe, &corpus);
    ck_assert_uint_gt(probe.run.results.count, 600);
    corpus_free(&corpus);
    finish(&probe);
}
END_TEST

/* ---- names ---- */

static size_t put_words(uint8_t *octets, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return 4 * count;
}

/* PUTROOTFH, OPEN without delegation or with one, GETFH of a file whose name has `file` octets. */
static struct names_given *give(uint32_t base, uint32_t file, bool delegated)
{
    uint8_t octets[512] = {0};
    const uint32_t begin[] = {0, 0, 3, 24, 0, 18, 0, 1, base, base + 1, base + 2};
    const uint32_t rest[] = {1, 0, 1, 0, 2, 0, 0};
    size_t at = put_words(octets, begin, COUNT(begin));
    at += put_words(octets + at, rest, COUNT(rest));
    if (delegated) { /* READ: state identifier, recall, an entry of who may */
        const uint32_t delegation[] = {1, 7, base + 3, base + 4, base + 5, 0, 0, 0, 0, 0};
        at += put_words(octets + at, delegation, COUNT(delegation));
    } else {
        at += 4;
    }
    const uint32_t handle[] = {10, 0, file, base + 6, base + 7, base + 8};
    at += put_words(octets + at, handle, COUNT(handle));
    at += ((file + 3) & ~3u) - 12;
    const struct requester_reply reply = {.results = octets, .results_length = at};
    return names_read(&reply, NFS_VERSION, NFS_COMPOUND);
}

START_TEST(names_are_replaced)
{
    struct replay_names names = {.count = 0};
    struct names_shifts shifts = {.count = 0};
    struct names_given *old = give(100, 12, true), *fresh = give(200, 20, false);
    ck_assert_ptr_nonnull(old);
    ck_assert_ptr_nonnull(fresh);
    ck_assert_uint_eq(old->count, 3);
    ck_assert_uint_eq(fresh->count, 2);
    names_learn(&names, old, fresh);
    ck_assert_uint_eq(names.count, 3);
    /* A file, a delegation's state, a word that is no name, an opened state, that file again. */
    const uint32_t call[] = {22,  12, 106, 107, 108, 9,  103, 104, 105,
                             100, 38, 100, 101, 102, 12, 106, 107, 108};
    const uint32_t wanted[] = {22,  20, 206, 207, 208, 0,  0,   9,   200, 201, 202,
                               100, 38, 200, 201, 202, 20, 206, 207, 208, 0,   0};
    uint8_t octets[256], expected[256];
    size_t length = put_words(octets, call, COUNT(call));
    size_t expected_length = put_words(expected, wanted, COUNT(wanted));
    size_t got = names_apply(&names, octets, length, sizeof octets, &shifts);
    ck_assert_uint_eq(got, expected_length);
    ck_assert_mem_eq(octets, expected, expected_length);
    ck_assert_uint_eq(shifts.count, 2);
    ck_assert_uint_eq(shifts.list[0].at, 8);
    ck_assert_uint_eq(shifts.list[1].at, 60);
    ck_assert_int_eq(shifts.list[1].by, 8);
    /* Without room, or where the length has to stay, the file keeps its old name. */
    length = put_words(octets, call, COUNT(call));
    ck_assert_uint_eq(names_apply(&names, octets, length, length, NULL), length);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + 8), 106);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + 24), 200);
    shifts.count = 0;
    ck_assert_uint_eq(names_apply(&names, octets, length, length + 4, &shifts), length);
    names_free(&names);
    free(old);
    free(fresh);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("probe_replay");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_same_responder_answers_the_same);
    tcase_add_test(tests, what_is_concluded_replays_as_well);
    tcase_add_loop_test(tests, a_difference_is_told, 0, COUNT(faults));
    tcase_add_test(tests, the_grant_is_kept);
    tcase_add_test(tests, a_peer_that_chattes_is_left);
    tcase_add_test(tests, a_recording_may_hold_anything);
    tcase_add_test(tests, names_are_replaced);
    return run_tests("probe_replay", tests);
}
