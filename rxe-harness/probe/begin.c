// SPDX-License-Identifier: BSD-3-Clause
/* What has to be known of a peer before it is tested: how fast it answers, and what it offers. */
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/clock.h"

#include <stdlib.h>

#define PATIENCE_FACTOR 20 /* times the median of NULL */
#define PATIENCE_MIN 40    /* milliseconds */
#define PATIENCE_WIRE                                                                              \
    5000              /* where packets are sent again, once timers say so: as long as ours do */
#define LATE_MIN 1000 /* a busy machine may hold up one thread of a server for so long */
#define MEASURED 7
#define FIRST_XID 0x7e500000

uint32_t probe_first_xid(const struct probe *probe)
{
    return probe->peer.forgets ? FIRST_XID : requester_fresh_xid();
}

unsigned probe_patience_min(void)
{
    return wire_is_set() ? PATIENCE_WIRE : PATIENCE_MIN;
}

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static unsigned within(int64_t time, unsigned least, unsigned most)
{
    int64_t longer = time < least ? least : time;
    return longer < most ? (unsigned)longer : most;
}

static bool measure(struct probe *probe)
{
    int64_t times[MEASURED];
    for (int i = 0; i < MEASURED; i++) {
        int64_t begin = clock_microseconds();
        if (!requester_null(probe->requester, probe->options.timeout))
            return false;
        times[i] = clock_microseconds() - begin;
    }
    qsort(times, MEASURED, sizeof times[0], compare_times);
    int64_t patience = PATIENCE_FACTOR * times[MEASURED / 2] / 1000;
    probe->peer.patience = within(patience, probe_patience_min(), probe->options.timeout);
    probe->peer.late = within(patience, LATE_MIN, probe->options.timeout);
    return true;
}

static bool find_test_program(struct probe *probe)
{
    static const uint8_t args[4] = {0};
    const struct requester_call call = {
        .procedure = TEST_FETCH, .args = args, .args_length = sizeof args};
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    probe->requester->program = TEST_PROGRAM;
    probe->requester->version = TEST_VERSION;
    if (requester_begin(probe->requester, &call, &pending))
        requester_finish(probe->requester, &pending, probe->options.timeout, &reply);
    requester_forget(probe->requester, &pending);
    return reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0;
}

/* With what came in place of the Reply, and how the connection ended, if it did. */
static void tell_no_null(struct probe *probe)
{
    const char *why = probe->requester ? probe->requester->link->why : probe->run.unmet;
    unsigned messages = probe->requester ? probe->requester->messages : probe->run.unanswering;
    char came[64] = "";
    if (messages > 0)
        snprintf(came, sizeof came, ": %u message%s came, and not its Reply", messages,
                 messages == 1 ? "" : "s");
    snprintf(probe->peer.transport->error, sizeof probe->peer.transport->error,
             "the peer answers no NULL of program %u version %u%s%s%s%.128s",
             probe->options.program, probe->options.version,
             rpcrdma_protocol_is_draft(probe->options.draft) ? " in version 2" : "", came,
             why[0] != '\0' ? ": " : "", why);
}

bool probe_begin(struct probe *probe)
{
    probe->run.file = "probe";
    probe->run.first_xid = probe_first_xid(probe);
    probe->run.xid = probe->run.first_xid;
    probe_name(probe, "connect", "Connect, and call NULL.");
    bool good = probe_connect(probe) && measure(probe);
    if (good) {
        probe->peer.has_test_program = find_test_program(probe);
        probe->peer.has_nfs =
            !rpcrdma_protocol_is_draft(probe->options.draft) && probe_find_nfs(probe);
    }
    if (!good && probe->peer.transport->error[0] == '\0')
        tell_no_null(probe);
    probe_disconnect(probe);
    return good;
}
