// SPDX-License-Identifier: BSD-3-Clause
/* Running the cases in which more happens than one Send. */
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/report/live.h"

#include "conformance/base/alloc.h"

/* Why the case cannot be run, or NULL. */
static const char *lacking(const struct probe *probe, const struct probe_case *test_case)
{
    if (probe->peer.dead)
        return "the peer is gone";
    if (test_case->needs_test_program && !probe->peer.has_test_program)
        return "the peer does not offer the test program";
    if ((test_case->needs_nfs || test_case->needs_file) && !probe->peer.has_nfs)
        return "the peer offers no NFS version 4.0";
    if (test_case->needs_file && probe->options.nfs_file == NULL)
        return "no file was named that it may write (--nfs-file)";
    return NULL;
}

static void run_case(struct probe *probe, const struct probe_case *test_case)
{
    char text[256] = "";
    struct requester last = {.sent_length = 0}; /* its octets, where something is wrong */
    probe_name(probe, test_case->id, test_case->comment);
    const char *actual = lacking(probe, test_case);
    enum ending ending = actual ? ENDING_NOT_APPLICABLE : ENDING_REQUIRED;
    if (actual == NULL && probe_connect(probe) == NULL) {
        probe->peer.dead = true;
        ending = ENDING_CRASHED;
        actual = "no connection, or no answer to NULL, before the case";
    } else if (actual == NULL) {
        probe->run.inapplicable = false;
        actual = test_case->run(probe, test_case, text);
        if (actual && probe->requester)
            last = *probe->requester;
        if (actual)
            ending = probe->run.inapplicable ? ENDING_NOT_APPLICABLE : test_case->ending;
        else if (probe_connect(probe) == NULL)
            ending = ENDING_CRASHED, actual = "no connection any more after the case";
    }
    probe_disconnect(probe);
    struct result *result = probe_result(probe, test_case->rule, false);
    result->ending = ending;
    result->expected = alloc_text(test_case->comment);
    result->actual = alloc_text(actual ? actual : "as required");
    if (last.sent_length > 0)
        live_exchange(result, last.sent, last.sent_length, last.came_length > 0 ? last.came : NULL,
                      last.came_length);
}

static void run_cases(struct probe *probe, const struct probe_case *cases)
{
    for (const struct probe_case *test_case = cases; test_case->id; test_case++)
        if (probe_wants(probe, test_case->id, test_case->comment, test_case->hazard))
            run_case(probe, test_case);
}

void probe_run_cases(struct probe *probe)
{
    probe->run.file = "probe";
    run_cases(probe, probe_connection_cases);
    run_cases(probe, probe_cases);
    run_cases(probe, probe_nfs_cases);
}
