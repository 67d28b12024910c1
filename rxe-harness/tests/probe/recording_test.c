// SPDX-License-Identifier: BSD-3-Clause
/*
 * A recording changes no verdict, whether the transport shows RDMA operations or not: of a
 * Responder that rounds up the lengths that it returns, to a multiple of four.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/transport/segments.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

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

int main(void)
{
    Suite *suite = suite_create("recording");
    TCase *tests = tcase_create("recording");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_recording_changes_no_verdict);
    tcase_add_test(tests, nobody_is_judged_by_what_is_concluded);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
