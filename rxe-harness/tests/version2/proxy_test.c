// SPDX-License-Identifier: BSD-3-Clause
/*
 * The proxy between a prober of version 2 and the reference Responder: all cases end as they do
 * without it, what was sent is recorded and captured, and its faults arrive.
 */
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/proxy_stage.h"

#include "conformance/input/source.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct probe probe;

static void open_probe(void)
{
    probe = (struct probe){
        .options = {.timeout = 100,
                    .draft = RPCRDMA_PROTOCOL_2_07,
                    .program = TEST_PROGRAM,
                    .version = 1},
        .peer = {.transport = proxy_stage_open(responder_loopback_version2(RPCRDMA_PROTOCOL_2_07),
                                               RPCRDMA_PROTOCOL_2_07),
                 .invalidates = true,
                 .forgets = true}};
    probe_name(&probe, "through-the-proxy", "What comes through.");
    probe.run.file = "probe";
}

static void run(void)
{
    open_probe();
    ck_assert_msg(probe2_begin(&probe), "%s", probe.peer.transport->error);
    probe2_run_cases(&probe);
}

static void forget(void)
{
    results_free(&probe.run.results);
    free(probe.run.stopped);
    proxy_stage_close(probe.peer.transport);
}

START_TEST(all_cases_pass_through)
{
    run();
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ck_assert_msg(!ending_is_failure(result->ending), "%s: %s", result->test, result->actual);
    }
    ck_assert_uint_ge(probe.run.results.count, 230);
    ck_assert_uint_eq(proxy_stage_accused("server"), 0);
    ck_assert_uint_gt(proxy_stage_accused("client"), 20);
    forget();
}
END_TEST

/* ---- faults ---- */

/* The second message of a side meets the fault: what the prober sees of its second NULL. */
static const struct {
    const char *fault;
    unsigned reaction;
} faults[] = {
    {"drop-call:2", RPCRDMA_DISCARD},
    {"drop-reply:2", RPCRDMA_DISCARD},
    {"twice-reply:2", RPCRDMA_PROCESS},
    {"cut-call:2", RPCRDMA_ERR_BAD_XDR},
    {"cut-reply:2", RPCRDMA_DISCARD},
    {"xid-reply:2", RPCRDMA_DISCARD},
    {"version-call:2", RPCRDMA_ERR_VERS},
    {"version-reply:2", RPCRDMA_DISCARD},
    {"grant-zero:2", RPCRDMA_PROCESS},
    {"type-call:2", RPCRDMA_ERR_INVAL_HTYPE},
    {"error-reply:2", RPCRDMA_ERR_BAD_XDR},
    {"close-call:2", RPCRDMA_CLOSE | RPCRDMA_TERMINATE},
    {"close-reply:2", RPCRDMA_CLOSE | RPCRDMA_TERMINATE},
};

START_TEST(a_fault_arrives)
{
    ck_assert(proxy_fault_read(&proxy.fault, faults[_i].fault));
    open_probe();
    struct probe2_peer *peer = probe2_connect(&probe);
    ck_assert_ptr_nonnull(peer);
    struct probe2_outcome first = probe2_null(peer), second = probe2_null(peer);
    ck_assert_uint_eq(first.reaction, RPCRDMA_PROCESS);
    ck_assert_msg(second.reaction == faults[_i].reaction, "%s: %s", faults[_i].fault, second.text);
    probe2_close(peer);
    ck_assert_uint_eq(proxy_stage_accused("server"),
                      0); /* what comes of a fault is not charged to a peer */
    forget();
}
END_TEST

/* ---- what is written of it ---- */

struct seen {
    struct rpcrdma_check *check;
    unsigned sends[2], findings, version2;
};

static bool on_event(void *arg, const struct source_event *source)
{
    struct seen *seen = arg;
    struct rpcrdma_judgement judgement;
    rpcrdma_check_event(seen->check, &source->event, &judgement);
    for (unsigned i = 0; i < judgement.count; i++)
        seen->findings += judgement.findings[i].severity != RPCRDMA_NOTE;
    if (source->event.type == RPCRDMA_EVENT_SEND) {
        seen->sends[source->event.from]++;
        seen->version2 += judgement.protocol == RPCRDMA_PROTOCOL_2_07 && judgement.draft_is_sure;
    }
    return true;
}

static struct seen read_file(const char *file)
{
    const struct source_options options = {
        .port = 20049, .memory = 16u << 20, .draft = RPCRDMA_PROTOCOL_2_07};
    const struct rpcrdma_check_config config = {.draft = RPCRDMA_PROTOCOL_2_07,
                                                .seen_between = true};
    struct source_counts counts = {0};
    char error[256] = "";
    size_t size = rpcrdma_check_size(&config);
    void *memory = malloc(size);
    struct seen seen = {.check = rpcrdma_check_init(memory, size, &config)};
    const struct source_sink sink = {.event = on_event, .arg = &seen};
    ck_assert_msg(source_read(file, &options, &sink, &counts, error, sizeof error), "%s", error);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    free(memory);
    return seen;
}

#define NULLS 5

static void hold_conversation(void)
{
    open_probe();
    struct probe2_peer *peer = probe2_connect(&probe);
    ck_assert_ptr_nonnull(peer);
    for (int i = 0; i < NULLS; i++)
        ck_assert_uint_eq(probe2_null(peer).reaction, RPCRDMA_PROCESS);
    probe2_close(peer);
    forget();
}

static void is_conversation(const char *file)
{
    struct seen seen = read_file(file);
    ck_assert_uint_eq(seen.sends[RPCRDMA_CLIENT], NULLS);
    ck_assert_uint_ge(seen.sends[RPCRDMA_SERVER], NULLS);
    ck_assert_uint_eq(seen.version2, seen.sends[0] + seen.sends[1]);
    ck_assert_uint_eq(seen.findings, 0);
}

START_TEST(a_capture_tells_the_same)
{
    char file[] = "/tmp/rpcrdma-proxy2-XXXXXX";
    int descriptor = mkstemp(file);
    ck_assert_int_ge(descriptor, 0);
    FILE *stream = fdopen(descriptor, "wb");
    struct capture_file *capture = capture_create(stream, (size_t)1 << 20);
    ck_assert_ptr_nonnull(capture);
    proxy = (struct proxy){.capture = capture};
    hold_conversation();
    ck_assert(capture_finish(capture));
    is_conversation(file);
    fclose(stream);
    unlink(file);
}
END_TEST

START_TEST(a_record_tells_the_same)
{
    char file[] = "/tmp/rpcrdma-proxy2-XXXXXX";
    struct recorder recorder = {0};
    int descriptor = mkstemp(file);
    ck_assert_int_ge(descriptor, 0);
    proxy = (struct proxy){.recorder = &recorder, .record_left = (size_t)1 << 20};
    hold_conversation();
    ck_assert(record_write(&recorder, file, "a test"));
    record_free(&recorder);
    is_conversation(file);
    close(descriptor);
    unlink(file);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("the proxy between peers of version 2");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, all_cases_pass_through);
    tcase_add_loop_test(cases, a_fault_arrives, 0, COUNT(faults));
    tcase_add_test(cases, a_capture_tells_the_same);
    tcase_add_test(cases, a_record_tells_the_same);
    return run_tests("the proxy between peers of version 2", cases);
}
