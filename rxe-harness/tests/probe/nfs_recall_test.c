// SPDX-License-Identifier: BSD-3-Clause
/*
 * The cases of Calls in the reverse direction against servers that call only where there is
 * something to say: the cases give them a delegation to recall, judge the Call and what comes after
 * it, and leave nothing behind.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/tests/support/nfs/nfs_server.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define BACK "nfs41-back-channel"
#define UNCAUSED "no Call came in the reverse direction, and none could be caused: "
#define END "nfs41-session-ends-while-called"

/* The result of this case, of which `actual` is copied; `file`: the case may use one. */
static enum ending run_case(enum nfs_fault fault, unsigned minor, const char *file,
                            const char *test, char actual[256])
{
    nfs_server_minor = minor;
    nfs_clients_states = nfs_clients_busy = nfs_server_clients = 0;
    struct probe probe = {
        .options = {
            .timeout = 1000, .program = NFS_PROGRAM, .version = NFS_VERSION, .nfs_file = file}};
    probe.peer.transport = nfs_server(&fault);
    chosen_add(&probe.options.cases, test);
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    ck_assert_uint_gt(probe.run.results.count, 0);
    const struct result *result = &probe.run.results.list[0];
    for (size_t i = 1; i < probe.run.results.count; i++)
        if (ending_is_failure(probe.run.results.list[i].ending))
            result = &probe.run.results.list[i];
    enum ending ending = result->ending;
    ck_assert_str_eq(result->test, test);
    strncpy(actual, result->actual ? result->actual : "", 255)[255] = '\0';
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    probe.peer.transport->ops->close(probe.peer.transport);
    return ending;
}

static const struct {
    enum nfs_fault fault;
    const char *test;
    enum ending ending;
    const char *actual; /* begins so */
    int left, busy;     /* states that nothing can take back; sessions that stayed */
} rows[] = {
    {RECALLS, BACK, ENDING_REQUIRED, "", 0, 0},
    {RECALLS_UNASKED, BACK, ENDING_REQUIRED, "", 0, 0},
    {RECALLS_OPENED, BACK, ENDING_REQUIRED, "", 0, 0},
    {RECALLS_FIRST, BACK, ENDING_REQUIRED, "", 0, 0},
    {RECALLS_ANOTHER, BACK, ENDING_TOLERATED, "as required, but another delegation", 0, 0},
    {REFUSES_OPEN, BACK, ENDING_NOT_APPLICABLE, UNCAUSED "NFS status 10032", 0, 0},
    {CALLS_EARLY, BACK, ENDING_REQUIRED, "", 0, 0},
    {CALLS_EARLY, END, ENDING_NOT_APPLICABLE, UNCAUSED "the server gives no delegation", 0, 0},
    {RECALL_LOST, BACK, ENDING_CLOSED, "", 3, 0},
    {RECALL_BUSY, BACK, ENDING_REQUIRED, "", 0, 0},
    {KEEPS_WAITING, BACK, ENDING_REQUIRED, "", 0, 0},
    {KEEPS_QUIET, BACK, ENDING_NOT_APPLICABLE, UNCAUSED "the OPEN for which a", 0, 0},
    {NEVER_CALLS, BACK, ENDING_NOT_APPLICABLE, UNCAUSED "the server gives no delegation", 0, 0},
    {RECALLS, END, ENDING_REQUIRED, "", 0, 0},
    {RECALLS_FIRST, END, ENDING_REQUIRED, "", 0, 0},
    {RECALL_LOST, END, ENDING_CLOSED, "", 3, 0},
    {RECALL_BUSY, END, ENDING_REQUIRED, "", 0, 1}, /* its Call waits when the session is to go */
    {KEEPS_WAITING, END, ENDING_REQUIRED, "", 0, 0},
    {NEVER_CALLS, END, ENDING_NOT_APPLICABLE, UNCAUSED "the server gives no delegation", 0, 0},
};
static const unsigned minors[] = {0, 2}; /* the lowest that the server has */

START_TEST(a_delegation_is_recalled)
{
    char actual[256];
    size_t at = (size_t)_i % COUNT(rows);
    enum ending ending = run_case(rows[at].fault, minors[(size_t)_i / COUNT(rows)],
                                  "some/where/probe.data", rows[at].test, actual);
    ck_assert_msg(ending == rows[at].ending, "%s ends otherwise: %s", rows[at].test, actual);
    ck_assert_msg(strncmp(actual, rows[at].actual, strlen(rows[at].actual)) == 0, "%s", actual);
    ck_assert_int_eq(nfs_clients_states, rows[at].left);
    ck_assert_int_eq(nfs_server_clients, rows[at].left > 0 ? 2 : 0);
    ck_assert_int_eq(nfs_clients_busy, rows[at].busy);
}
END_TEST

/* Without a file nothing is opened, and the case says what it takes. */
START_TEST(a_recall_takes_a_file)
{
    char actual[256];
    ck_assert_int_eq(run_case(RECALLS, 0, NULL, BACK, actual), ENDING_NOT_APPLICABLE);
    ck_assert_ptr_nonnull(strstr(actual, "--nfs-file"));
    ck_assert_int_eq(nfs_clients_states, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_delegation_is_recalled, 0, COUNT(rows) * COUNT(minors));
    tcase_add_test(tests, a_recall_takes_a_file);
    return run_tests("probe_nfs_recall", tests);
}
