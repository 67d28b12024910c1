// SPDX-License-Identifier: BSD-3-Clause
/*
 * A peer may die in a case, and in one that ended as it may: with the end of the connection. So the
 * connection for the next case is also a look at the peer. Where none comes about the death is
 * charged to the case before; then the peer is started again, or waited for, and the run goes on.
 * The end of a connection that outlived its case (late_close.c) is followed by a look of its own.
 */
#include "rxe-harness/probe/probe.h"

#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define PAUSE 100        /* milliseconds between attempts to connect */
#define XIDS 1024        /* for each case */
#define XIDS_TO_BEGIN 64 /* of them for NULLs until the peer answers one */

void probe_ran(struct probe *probe)
{
    probe->run.has_last = true;
    probe->run.last = probe->run.results.count - 1;
}

static void charge(struct probe *probe, size_t which)
{
    struct result *result = &probe->run.results.list[which];
    struct alloc_stream actual;
    alloc_begin(&actual);
    fprintf(actual.out, "%s; then no connection (%s): the peer died", result->actual,
            probe->run.unmet);
    free(result->actual);
    result->actual = alloc_end(&actual);
    result->ending = ENDING_CRASHED;
}

static void restart(const char *command)
{
    fflush(NULL);
    int status = system(command);
    if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        say("'%s' failed", command);
}

static bool comes_back(struct probe *probe)
{
    int64_t until = clock_milliseconds() + probe->options.wait;
    if (probe->options.restart)
        restart(probe->options.restart);
    while (probe_connect(probe) == NULL) {
        if (clock_milliseconds() >= until)
            return false;
        poll(NULL, 0, PAUSE);
    }
    return true;
}

/* A case has XIDs of its own, so that what it sends depends neither on which other cases are run
 * nor on how often the peer had to be asked before. None comes a second time. */
static void skip_to(uint32_t *xid, uint32_t first)
{
    if ((int32_t)(first - *xid) > 0)
        *xid = first;
}

/* The peer died in this case, or after the beginning: it has its time to come back. The connections
 * that are still watched have ended with it, which says nothing of their cases. */
static void bury(struct probe *probe, const size_t *which)
{
    if (interrupted())
        return; /* we no longer wait for it */
    if (which)
        charge(probe, *which);
    probe_drop_watched(probe);
    probe->peer.dead = !comes_back(probe);
    if (probe->peer.dead && probe->run.stopped == NULL)
        probe->run.stopped =
            alloc_text(which ? probe->run.results.list[*which].test : "the beginning");
}

/* A connection that has answered a NULL, if the peer lives or comes back. */
static void look(struct probe *probe)
{
    bool was_run = probe->run.has_last;
    size_t last = probe->run.last;
    probe->run.has_last = false;
    if (probe_connect(probe) == NULL)
        bury(probe, was_run ? &last : NULL);
}

bool probe_outlived(struct probe *probe, size_t result)
{
    if (requester_null(probe->requester, probe->options.timeout))
        return true;
    /* One connection may have its own reasons. */
    if (probe_connect(probe) == NULL)
        bury(probe, &result);
    return probe->requester != NULL;
}

struct requester *probe_ready(struct probe *probe)
{
    uint32_t first = probe->run.first_xid + XIDS * probe->run.current.place;
    if (probe->peer.dead || interrupted())
        return NULL;
    skip_to(&probe->run.xid, first);
    look(probe);
    if (probe->requester)
        probe_settle(probe, false);
    if (probe->requester)
        skip_to(&probe->requester->xid, first + XIDS_TO_BEGIN);
    return probe->requester;
}

void probe_cut(struct probe *probe, size_t before, const struct probe_about *about)
{
    if (!interrupted())
        return;
    while (probe->run.results.count > before)
        results_drop_last(&probe->run.results);
    probe->run.has_last = false;
    probe_drop_watched(probe);
    probe_not_run(probe, about);
}

void probe_end(struct probe *probe)
{
    if (interrupted())
        probe_drop_watched(probe);
    if (interrupted())
        probe->run.has_last = false;
    if (probe->run.has_last || probe->run.watch.count > 0)
        look(probe);
    if (probe->requester)
        probe_settle(probe, true);
    probe_disconnect(probe);
}

void probe_not_run(struct probe *probe, const struct probe_about *about)
{
    probe_name(probe, about->id, about->comment);
    struct result *result = probe_result(probe, about->rule, false);
    result->ending = ENDING_NOT_APPLICABLE;
    result->expected = alloc_text(about->comment);
    result->actual =
        alloc_text(interrupted() ? "not run: interrupted" : "not run: the peer had died");
    probe->run.not_run++;
}
