// SPDX-License-Identifier: BSD-3-Clause
/* Running the cases in which more happens than one Send. */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/nfs_data.h"
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/report/live.h"

#include "conformance/base/alloc.h"

static bool is_by_version3(const struct probe *probe)
{
    return !probe->peer.has_nfs && probe->peer.nfs3.usable;
}

/* Why the case cannot be run, or NULL; `no_program`: without the test program. */
static const char *lacking(const struct probe *probe, const struct probe_case *test_case,
                           const char *no_program)
{
    if (test_case->needs_test_program && !probe->peer.has_test_program)
        return no_program;
    bool is_nfs = test_case->needs_nfs || test_case->needs_file;
    if (is_nfs && is_by_version3(probe) && test_case->run3 == NULL)
        return "the peer offers no NFS version 4, and no Call of version 3 is like that";
    if (test_case->needs_file && probe->peer.no_file[0] != '\0')
        return probe->peer.no_file;
    if (is_nfs && !probe->peer.has_nfs && !probe->peer.nfs3.usable)
        return probe->peer.nfs3.why[0] != '\0' ? probe->peer.nfs3.why
                                               : "the peer offers no NFS version 4";
    if (test_case->needs_file && probe->options.nfs_file == NULL)
        return "no file was named that it may write (--nfs-file)";
    return NULL;
}

/* What the checker found wrong in this case comes first: the same fact is not told once more under
 * the rule of the case, which cannot be judged then. */
static enum ending judge(struct probe *probe, const struct probe_case *test_case, size_t before,
                         const char **actual, char text[512])
{
    const struct results *results = &probe->run.results;
    unsigned nothing = probe->run.current.nothing;
    if (*actual == NULL || probe->run.current.observed)
        return ENDING_REQUIRED;
    if (probe->run.current.inapplicable)
        return ENDING_NOT_APPLICABLE;
    if (probe->run.current.tolerated)
        return ENDING_TOLERATED;
    if (test_case->ending != ENDING_WRONG || results->count == before)
        return nothing & RPCRDMA_DISCARD ? ENDING_SILENT
               : nothing & RPCRDMA_CLOSE ? ENDING_CLOSED
                                         : test_case->ending;
    snprintf(text, 512, "not judged, since the peer breaks %s: %.200s",
             results->list[results->count - 1].rule, *actual);
    *actual = text;
    return ENDING_NOT_APPLICABLE;
}

/* Something failed, memory was offered, and a peer can do something while nobody waits. */
static bool may_be_late(const struct probe *probe, const struct probe_case *test_case,
                        const struct requester *last)
{
    const struct probe_current *current = &probe->run.current;
    return last->offered && !probe->peer.transport->in_turn && test_case->ending == ENDING_WRONG &&
           !current->inapplicable && !current->tolerated && !current->observed &&
           current->nothing == 0;
}

#define LATE "rfc8166/3.5.2/writes-before-reply"
#define LATE_TRIES 10 /* who is faster is a matter of chance */
#define LINGER 50     /* milliseconds at most */
#define WRONG_TRIES 2 /* what is wrong after waiting is not late */

static void tell_of_late_writes(struct probe *probe, const struct live_case *about)
{
    struct result *result = live_result(&probe->run.results, about, LATE, true, "server");
    result->expected = alloc_text("RDMA Writes come before the Reply that tells of them");
    result->actual = alloc_text("memory of a Call was written after its Reply had come");
    result->ending = ENDING_WRONG;
}

/* Data that is not right may be data that is not there yet. The case runs again, and waits after
 * each Reply: what is written then is what is wrong with the peer. */
static bool look_for_late_writes(struct probe *probe, const struct probe_case *test_case,
                                 probe_runner *run)
{
    struct probe_current current;
    char text[PROBE_TEXT];
    bool late = false;
    exchange_leave(probe);
    current = probe->run.current;
    probe->run.current.linger = probe->peer.patience < LINGER ? probe->peer.patience : LINGER;
    for (int i = 0, wrong = 0;
         i < LATE_TRIES && wrong < WRONG_TRIES && !late && probe_connect(probe); i++) {
        wrong += run(probe, test_case, text) != NULL;
        late = probe->requester && probe->requester->late;
        exchange_leave(probe);
    }
    probe->run.current = current;
    return late;
}

static void run_case(struct probe *probe, const struct probe_case *test_case)
{
    char text[PROBE_TEXT] = "", judged[512];
    struct requester last = {.sent_length = 0}; /* its octets, where something is wrong */
    size_t before = probe->run.results.count;
    probe_runner *run = test_case->run3 && is_by_version3(probe) ? test_case->run3 : test_case->run;
    const char *actual = run(probe, test_case, text);
    if (actual && probe->requester)
        last = *probe->requester;
    const char *charged = probe_charged(&last, test_case->rule); /* while its link is there */
    const struct live_case about = {probe->run.file, test_case->id, test_case->comment};
    bool late = probe->requester && probe->requester->late;
    if (late || (may_be_late(probe, test_case, &last) && probe->run.results.count == before &&
                 look_for_late_writes(probe, test_case, run)))
        tell_of_late_writes(probe, &about);
    enum ending ending = judge(probe, test_case, before, &actual, judged);
    bool failed = ending_is_failure(ending);
    exchange_leave(probe);
    probe_disconnect(probe);
    struct result *result = probe_result(probe, failed ? charged : test_case->rule, failed);
    result->ending = ending;
    result->expected = alloc_text(test_case->comment);
    result->actual = alloc_text(actual ? actual : "as required");
    if (last.sent_length > 0)
        live_exchange(result, last.sent, last.sent_length, last.came_length > 0 ? last.came : NULL,
                      last.came_length);
    probe_ran(probe);
}

static void leave_out(struct probe *probe, const struct probe_case *test_case, const char *reason)
{
    probe->run.fileless += reason == probe->peer.no_file;
    struct result *result = probe_result(probe, test_case->rule, false);
    result->ending = ENDING_NOT_APPLICABLE;
    result->expected = alloc_text(test_case->comment);
    result->actual = alloc_text(reason);
}

void probe_run_list(struct probe *probe, const char *subject, const struct probe_case *cases)
{
    struct probe_case made;
    char why[PROBE_TEXT];
    for (; cases->id; cases++) {
        const struct probe_case *test_case = probe_nfs_in_place(probe, cases, &made, why);
        const struct probe_about about = {subject,         test_case->id,     test_case->comment,
                                          test_case->rule, test_case->hazard, false};
        if (!probe_wants(probe, &about))
            continue;
        if (test_case == &made)
            made.comment = probe_nfs_comment(probe, cases);
        const char *reason = lacking(probe, test_case, why);
        probe_name(probe, test_case->id, test_case->comment);
        size_t before = probe->run.results.count;
        if (reason == NULL && probe_ready(probe) == NULL) {
            probe_not_run(probe, &about);
            continue;
        }
        if (reason)
            leave_out(probe, test_case, reason);
        else
            run_case(probe, test_case);
        probe_cut(probe, before, &about);
    }
}

void probe_run_cases(struct probe *probe)
{
    probe->run.file = "probe";
    probe_run_list(probe, "connections", probe_connection_cases);
    probe_run_list(probe, "versions", probe_version_cases);
    probe_run_list(probe, "chunks, credits and errors", probe_cases);
    probe_run_list(probe, "series of Sends at fault", probe_series_cases);
    probe_run_list(probe, "NFS", probe_nfs_cases);
    probe_run_list(probe, "NFS with several READs", probe_nfs_reads_cases);
    probe_run_list(probe, "NFS with sessions", probe_nfs_session_cases);
}
