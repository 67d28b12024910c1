// SPDX-License-Identifier: BSD-3-Clause
/* What all cases share: connections, patience, findings, results. */
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_FACTOR 20 /* times the median of NULL */
#define PATIENCE_MIN 40    /* milliseconds */
#define MEASURED 7

#define PROBE_CONNECTION_MAX (256u << 10) /* octets that are recorded of one */

/* ---- results ---- */

struct result *probe_result(struct probe *probe, const char *rule, bool breaks)
{
    const struct live_case about = {probe->file, probe->case_id, probe->case_comment};
    return live_result(&probe->results, &about, rule, breaks, "client");
}

static void on_finding(void *arg, const struct rpcrdma_event *event,
                       const struct rpcrdma_finding *finding)
{
    struct probe *probe = arg;
    const struct live_case about = {probe->file, probe->case_id, probe->case_comment};
    /* What an RDMA Read fetches is our own, faults and all. */
    bool own = event->type == RPCRDMA_EVENT_RDMA_READ &&
               strcmp(rpcrdma_requirements[finding->rule].role, "responder") != 0;
    /* What was concluded may have been otherwise. */
    own = own || (probe->infers && event->type != RPCRDMA_EVENT_SEND);
    own = own || (probe->xids_differ && finding->rule == RPCRDMA_RFC8166_4_2_1_XID_EQUAL);
    const struct requester *peer = probe->peer;
    struct result *result = finding->severity != RPCRDMA_NOTE && !own
                                ? live_finding(&probe->results, &about, event, finding)
                                : NULL;
    if (result && peer && event->type == RPCRDMA_EVENT_SEND)
        live_exchange(result, event->data, event->length, peer->sent, peer->sent_length);
}

void probe_name(struct probe *probe, const char *id, const char *comment)
{
    probe->case_id = id;
    probe->case_comment = comment;
}

bool probe_wants(struct probe *probe, const char *id, const char *comment, const char *hazard)
{
    bool named = probe->only && strcmp(probe->only, id) == 0;
    if (probe->only && !named)
        return false;
    probe->shown++;
    if (probe->list) {
        printf("%s%s%s%s\n    %s\n", id, hazard ? " (hazardous: " : "", hazard ? hazard : "",
               hazard ? ")" : "", comment);
        return false;
    }
    return hazard == NULL || named || probe_hazard_wanted(probe->hazards, hazard);
}

/* ---- connections ---- */

void probe_disconnect(struct probe *probe)
{
    if (probe->peer) {
        probe->xid = probe->peer->xid;
        requester_close(probe->peer);
    }
    probe->peer = NULL;
}

struct requester *probe_open(struct probe *probe)
{
    const struct requester_options options = {.timeout = probe->timeout,
                                              .invalidates = probe->invalidates,
                                              .private_data = probe->private_data,
                                              .private_length = probe->private_length,
                                              .infers = probe->infers,
                                              .binding = true,
                                              .finding = on_finding,
                                              .witness = probe->recorder ? probe_record : NULL,
                                              .arg = probe};
    probe_disconnect(probe);
    probe->connections++;
    probe->connection_left = PROBE_CONNECTION_MAX;
    probe->peer = requester_connect(probe->transport, &options);
    if (probe->peer == NULL)
        return NULL;
    probe->peer->xid = probe->xid;
    probe->peer->program = probe->program;
    probe->peer->version = probe->version;
    return probe->peer;
}

struct requester *probe_connect(struct probe *probe)
{
    /* A peer that was hurt may take a while to come back. */
    for (int tries = 0; tries < 3; tries++)
        if (probe_open(probe) && requester_null(probe->peer, probe->timeout))
            return probe->peer;
    probe_disconnect(probe);
    return NULL;
}

static int64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool measure(struct probe *probe)
{
    int64_t times[MEASURED];
    for (int i = 0; i < MEASURED; i++) {
        int64_t begin = microseconds();
        if (!requester_null(probe->peer, probe->timeout))
            return false;
        times[i] = microseconds() - begin;
    }
    qsort(times, MEASURED, sizeof times[0], compare_times);
    int64_t patience = PATIENCE_FACTOR * times[MEASURED / 2] / 1000;
    patience = patience < PATIENCE_MIN ? PATIENCE_MIN : patience;
    probe->patience = patience < probe->timeout ? (unsigned)patience : probe->timeout;
    return true;
}

static bool find_test_program(struct probe *probe)
{
    static const uint8_t args[4] = {0};
    const struct requester_call call = {
        .procedure = TEST_FETCH, .args = args, .args_length = sizeof args};
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    probe->peer->program = TEST_PROGRAM;
    probe->peer->version = TEST_VERSION;
    if (requester_begin(probe->peer, &call, &pending))
        requester_finish(probe->peer, &pending, probe->timeout, &reply);
    requester_forget(probe->peer, &pending);
    return reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0;
}

bool probe_begin(struct probe *probe)
{
    probe->file = "probe";
    /* A server may remember what it answered to an XID, beyond connections and for minutes. */
    probe->xid = (uint32_t)time(NULL) << 14;
    probe_name(probe, "connect", "Connect, and call NULL.");
    bool good = probe_connect(probe) && measure(probe);
    if (good) {
        probe->has_test_program = find_test_program(probe);
        probe->has_nfs = probe_find_nfs(probe);
    }
    if (!good && probe->transport->error[0] == '\0')
        snprintf(probe->transport->error, sizeof probe->transport->error,
                 "the peer answers no NULL of program %u version %u", probe->program,
                 probe->version);
    probe_disconnect(probe);
    return good;
}

/* ---- recording ---- */

/* A connection that is longer than the room for it is left out: half of one proves nothing. */
void probe_record(void *arg, const struct rpcrdma_check_config *config,
                  const struct rpcrdma_event *event, const struct rpcrdma_judgement *verdict)
{
    struct probe *probe = arg;
    struct source_event source = {.event = *event,
                                  .file = "probe",
                                  .connection = probe->case_id,
                                  .connection_id = probe->connections,
                                  .config = config};
    if (event->length > probe->connection_left || event->length > probe->record_left) {
        probe->connection_left = 0;
        source.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_GAP, .from = event->from};
    } else {
        probe->connection_left -= event->length;
        probe->record_left -= event->length;
    }
    record_event(probe->recorder, &source, verdict);
}

/* ---- cases of more than one Send ---- */

/* Why the case cannot be run, or NULL. */
static const char *lacking(const struct probe *probe, const struct probe_case *each)
{
    if (probe->dead)
        return "the peer is gone";
    if (each->needs_test_program && !probe->has_test_program)
        return "the peer does not offer the test program";
    if ((each->needs_nfs || each->needs_file) && !probe->has_nfs)
        return "the peer offers no NFS version 4.0";
    if (each->needs_file && probe->nfs_file == NULL)
        return "no file was named that it may write (--nfs-file)";
    return NULL;
}

static void run_case(struct probe *probe, const struct probe_case *each)
{
    char text[256] = "";
    struct requester last = {.sent_length = 0}; /* its octets, where something is wrong */
    probe_name(probe, each->id, each->comment);
    const char *actual = lacking(probe, each);
    enum ending ending = actual ? ENDING_NOT_APPLICABLE : ENDING_REQUIRED;
    if (actual == NULL && probe_connect(probe) == NULL) {
        probe->dead = true;
        ending = ENDING_CRASHED;
        actual = "no connection, or no answer to NULL, before the case";
    } else if (actual == NULL) {
        probe->inapplicable = false;
        actual = each->run(probe, each, text);
        if (actual && probe->peer)
            last = *probe->peer;
        if (actual)
            ending = probe->inapplicable ? ENDING_NOT_APPLICABLE : each->ending;
        else if (probe_connect(probe) == NULL)
            ending = ENDING_CRASHED, actual = "no connection any more after the case";
    }
    probe_disconnect(probe);
    struct result *result = probe_result(probe, each->rule, false);
    result->ending = ending;
    result->expected = alloc_text(each->comment);
    result->actual = alloc_text(actual ? actual : "as required");
    if (last.sent_length > 0)
        live_exchange(result, last.sent, last.sent_length, last.came_length > 0 ? last.came : NULL,
                      last.came_length);
}

static void run_cases(struct probe *probe, const struct probe_case *cases)
{
    for (const struct probe_case *each = cases; each->id; each++)
        if (probe_wants(probe, each->id, each->comment, each->hazard))
            run_case(probe, each);
}

void probe_run_cases(struct probe *probe)
{
    probe->file = "probe";
    run_cases(probe, probe_connection_cases);
    run_cases(probe, probe_cases);
    run_cases(probe, probe_nfs_cases);
}
