// SPDX-License-Identifier: BSD-3-Clause
/*
 * Each allocation of a run fails, one in each repetition: the run ends by itself, in good order.
 * What it says then is not looked at.
 */
#include "rxe-harness/tests/support/scarce_memory.h"

#include "rxe-harness/tests/support/nfs/nfs_server.h"
#include "rxe-harness/tests/support/proxy_stage.h"

#include "rxe-harness/probe/probe.h"
#include "rxe-harness/proxy/capture.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/serve.h"

#include "conformance/base/status.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 30 /* seconds for one run */

/* What a run in its own process exits with; STATUS_UNREADABLE: what cannot do without memory said
 * so. */
enum { RAN_OUT = 10, HAD_ENOUGH };

/* ---- runs ---- */

static void probe_some(struct transport *transport, bool nfs, const char *const *cases)
{
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = nfs ? NFS_PROGRAM : TEST_PROGRAM,
                                      .version = nfs ? NFS_VERSION : TEST_VERSION,
                                      .nfs_file = nfs ? "some/where/probe.data" : NULL,
                                      .wait = 1},
                          .peer = {.transport = transport, .forgets = true}};
    for (size_t i = 0; cases[i]; i++)
        chosen_add(&probe.options.cases, cases[i]);
    if (transport && probe_begin(&probe)) {
        probe_run_cases(&probe);
        probe_end(&probe);
    }
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    free(probe.run.stopped);
}

static const char *const calls[] = {"pull-5-in-3",         "push-5-in-3",          "echo-chunks",
                                    "long-call-8191-in-5", "long-reply-8191-in-3", NULL};
static const char *const nfs_calls[] = {"nfs-read-4097-in-5", "nfs-write-3-in-3",
                                        "nfs41-data-5000-in-2", NULL};

static void probe_reference(void)
{
    struct transport *transport = responder_loopback();
    probe_some(transport, false, calls);
    if (transport)
        transport->ops->close(transport);
}

static void probe_nfs(void)
{
    enum nfs_fault fault = GOOD;
    struct transport *transport = nfs_server(&fault);
    probe_some(transport, true, nfs_calls);
    if (transport)
        transport->ops->close(transport);
}

static void relay(void)
{
    char captured[] = P_tmpdir "/scarce-XXXXXX";
    struct recorder recorder = {0};
    int descriptor = mkstemp(captured);
    FILE *stream = fdopen(descriptor, "wb");
    proxy.recorder = &recorder;
    proxy.record_left = 100000;
    proxy.capture = stream ? capture_create(stream, 1 << 20) : NULL;
    unlink(captured);
    struct transport *target = responder_loopback();
    struct transport *transport = target ? proxy_stage_open(target, RPCRDMA_PROTOCOL_AUTO) : NULL;
    probe_some(transport, false, calls);
    if (proxy.capture)
        capture_finish(proxy.capture);
    if (stream)
        fclose(stream);
    record_free(&recorder);
    if (transport)
        proxy_stage_close(transport);
}

static void serve_some(void)
{
    static const char *const only[] = {"reply-with-unasked-write-list", "write-chunk-not-returned",
                                       "reverse-null"};
    for (size_t i = 0; i < COUNT(only); i++) {
        struct serve serve = {.timeout = 1000};
        chosen_add(&serve.selection.cases, only[i]);
        serve_reference(&serve);
        chosen_free(&serve.selection.cases);
        results_free(&serve.results);
    }
}

static void (*const runs[])(void) = {probe_reference, probe_nfs, relay, serve_some};

/* ---- tests ---- */

/* What is left where memory ran out is not looked at by a leak checker. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
static void leave(int status)
{
    if (__has_feature(address_sanitizer))
        _exit(status);
    exit(status);
}

static int run_in_process(void (*run)(void), unsigned number)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(127);
        alarm(PATIENCE);
        scarce_memory_fail(number);
        run();
        leave(scarce_memory_failed() ? RAN_OUT : HAD_ENOUGH);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "allocation %u: signal %d", number, WTERMSIG(status));
    return WEXITSTATUS(status);
}

START_TEST(a_run_ends_in_good_order)
{
    unsigned number = 1, survived = 0;
    int status;
    while ((status = run_in_process(runs[_i], number)) != HAD_ENOUGH) {
        ck_assert_msg(status == RAN_OUT || status == STATUS_UNREADABLE,
                      "allocation %u: exit status %d", number, status);
        survived += status == RAN_OUT;
        number++;
    }
    printf("%u allocations, %u of them can be done without\n", number - 1, survived);
    ck_assert_uint_gt(survived, 10);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("scarce_memory");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_run_ends_in_good_order, 0, COUNT(runs));
    return run_tests("scarce_memory", tests);
}
