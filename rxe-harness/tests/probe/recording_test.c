// SPDX-License-Identifier: BSD-3-Clause
/*
 * A recording changes no verdict, whether the transport shows RDMA operations or not: of a
 * Responder that rounds up the lengths that it returns, to a multiple of four.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/transport/segments.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the peer ---- */

static struct link_ops honest, faulty;

static bool round_up(void *arg, uint8_t *segment, enum segment_list list)
{
    (void)arg;
    uint32_t length = rpcrdma_xdr_load32(segment + 4);
    if (list != SEGMENT_READ)
        rpcrdma_xdr_store32(segment + 4, (length + 3) & ~UINT32_C(3));
    return true;
}

static bool send_rounded(struct link *link, const void *octets, size_t length,
                         const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE];
    struct rpcrdma1_header header;
    memcpy(copy, octets, length);
    ptrdiff_t end = rpcrdma1_header_decode(&header, copy, length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists =
        rpcrdma_xdr_failed(end) ? NULL : rpcrdma1_chunks(&header);
    if (lists)
        segments_each(copy, lists, round_up, NULL);
    return honest.send(link, copy, length, handle);
}

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    honest = faulty = *link->ops;
    faulty.send = send_rounded;
    link->ops = &faulty;
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

/* ---- the runs ---- */

static void run(struct probe *probe, struct recorder *recorder, bool infers)
{
    static struct link_options options;
    static struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end};
    options = *responder_options();
    *probe = (struct probe){
        .options = {.timeout = 1000, .program = TEST_PROGRAM, .version = TEST_VERSION},
        .peer = {.invalidates = true, .infers = infers},
        .run.recording = {.recorder = recorder, .left = PROBE_RECORD_MAX}};
    probe->peer.transport = transport_loopback(&peer);
    ck_assert(probe_begin(probe));
    probe_run_cases(probe);
    probe_run_table(probe);
    probe_end(probe);
}

static void finish(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    free(probe->run.stopped);
    probe->peer.transport->ops->close(probe->peer.transport);
}

START_TEST(a_recording_changes_no_verdict)
{
    struct recorder recorder = {0};
    struct probe plain, recorded;
    run(&plain, NULL, false);
    run(&recorded, &recorder, false);
    ck_assert_uint_eq(plain.run.results.count, recorded.run.results.count);
    for (size_t i = 0; i < plain.run.results.count; i++) {
        const struct result *one = &plain.run.results.list[i];
        const struct result *other = &recorded.run.results.list[i];
        ck_assert_str_eq(one->test, other->test);
        ck_assert_pstr_eq(one->rule, other->rule);
        ck_assert_int_eq(one->ending, other->ending);
        ck_assert_str_eq(one->actual, other->actual);
    }
    record_free(&recorder);
    finish(&recorded);
    finish(&plain);
}
END_TEST

static unsigned count(const struct results *results, const char *rule)
{
    unsigned found = 0;
    for (size_t i = 0; i < results->count; i++)
        found += results->list[i].rule && strcmp(results->list[i].rule, rule) == 0 &&
                 results->list[i].ending == ENDING_WRONG;
    return found;
}

/* How many octets were written is not known where the transport does not show it. */
START_TEST(nobody_is_judged_by_what_is_concluded)
{
    struct recorder recorder = {0};
    struct probe probe;
    run(&probe, &recorder, true);
    ck_assert_uint_eq(count(&probe.run.results, "rfc8166/3.4.6/returned-length-written"), 0);
    ck_assert_uint_gt(count(&probe.run.results, "rfc8166/3.4.6/returned-length-within-offer"), 0);
    record_free(&recorder);
    finish(&probe);
}
END_TEST

/* ---- the room ---- */

static void record_send(struct probe *probe, size_t length)
{
    static const uint8_t octets[1 << 20];
    const struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    const struct rpcrdma_judgement judgement = {.count = 0};
    const struct rpcrdma_event event = {.from = RPCRDMA_CLIENT, .data = octets, .length = length};
    probe_record(probe, &config, &event, &judgement);
}

/* A connection may fill its room, and all of them theirs; one that is longer is left out from then
 * on, and takes no more of the others' room. */
START_TEST(a_recording_keeps_to_its_room)
{
    enum { MOST = 256 << 10, ROOM = 3 * MOST };
    static const struct {
        size_t sends[3];
        size_t left; /* of all the room */
        bool is_whole;
    } rows[] = {
        {{MOST}, ROOM - MOST, true},
        {{MOST + 1}, ROOM, false},
        {{MOST - 1, 1}, ROOM - MOST, true},
        {{MOST - 1, 2}, ROOM - MOST + 1, false},
        {{MOST, 1, 1}, ROOM - MOST, false},
        {{MOST + 1, 1, 1}, ROOM, false}, /* which is not recorded either */
        {{1, MOST, 1}, ROOM - 1, false},
    };
    struct recorder recorder = {0};
    struct probe probe = {.run.current.id = "case"};
    probe.run.recording.recorder = &recorder;
    probe.run.recording.left = ROOM;
    for (int i = 0; i < 2; i++) { /* the connection before has taken none of this one's */
        probe.run.recording.left = ROOM;
        probe_begin_recording(&probe);
        for (int j = 0; j < 3 && rows[_i].sends[j] > 0; j++)
            record_send(&probe, rows[_i].sends[j]);
        ck_assert_uint_eq(probe.run.recording.left, rows[_i].left);
    }
    probe.run.recording.left = 2;
    probe_begin_recording(&probe);
    record_send(&probe, 2);
    record_send(&probe, 1);
    ck_assert_uint_eq(probe.run.recording.left, 0);
    char file[] = P_tmpdir "/recording-XXXXXX";
    close(mkstemp(file));
    ck_assert_int_eq(record_write(&recorder, file, "a test"), rows[_i].is_whole);
    if (rows[_i].is_whole) {
        struct corpus corpus = {0};
        corpus_add(&corpus, file);
        ck_assert_uint_eq(corpus.files[0].count, 2);
        corpus_free(&corpus);
    }
    unlink(file);
    record_free(&recorder);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("recording");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_recording_changes_no_verdict);
    tcase_add_test(tests, nobody_is_judged_by_what_is_concluded);
    tcase_add_loop_test(tests, a_recording_keeps_to_its_room, 0, 7);
    return run_tests("recording", tests);
}
