// SPDX-License-Identifier: BSD-3-Clause
/*
 * A peer may die in a case, and in one that ended as it may: with the end of the connection. So the
 * connection for the next case is also a look at the peer. Where none comes about the death is
 * charged to the case before; then the peer is started again, or waited for, and the run goes on.
 * The end of a connection that outlived its case (late_close.c) is followed by a look of its own.
 *
 * A peer that is there again may not have died at all: on a busy machine a connection can fail to
 * come about by chance. So the cases that are said to have killed it are run once more, after all
 * others; one by which it does not die again has the ending that it had before. A peer that had to
 * be started again was dead, and is not doubted.
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
    probe_doubt(probe, which);
    alloc_begin(&actual);
    fprintf(actual.out, "%s; then no connection (%s): the peer died", result->actual,
            probe->run.unmet[0] != '\0' ? probe->run.unmet : "no answer to NULL");
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
    /* Also where the time of the run is over: that one connection did not come about proves
     * nothing. */
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
    /* When this is asked is a matter of time, so that it is in no recording of a case. */
    requester_witness *witness = probe->requester->witness;
    probe->requester->witness = NULL;
    bool lives = requester_null(probe->requester, probe->options.timeout);
    probe->requester->witness = witness;
    if (lives)
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

/* ---- peers that are there again ---- */

void probe_doubt(struct probe *probe, size_t which)
{
    struct probe_doubts *doubts = &probe->run.doubts;
    const struct result *result = &probe->run.results.list[which];
    if (probe->options.restart || doubts->again)
        return;
    doubts->list = alloc_room(doubts->list, doubts->count, &doubts->room, sizeof *doubts->list);
    doubts->list[doubts->count++] =
        (struct probe_doubt){which, result->ending, alloc_text(result->actual)};
}

static const char *name_of(const struct probe *probe, size_t doubt)
{
    return probe->run.results.list[probe->run.doubts.list[doubt].result].test;
}

bool probe_is_doubted(const struct probe *probe, const char *id)
{
    for (size_t i = 0; i < probe->run.doubts.count; i++)
        if (strcmp(name_of(probe, i), id) == 0)
            return true;
    return false;
}

static void forget(struct probe_doubts *doubts)
{
    for (size_t i = 0; i < doubts->count; i++)
        free(doubts->list[i].actual);
    free(doubts->list);
    *doubts = (struct probe_doubts){.count = 0};
}

bool probe_doubts_begin(struct probe *probe)
{
    struct probe_run *run = &probe->run;
    if (run->doubts.count == 0 || probe->peer.dead || interrupted()) {
        forget(&run->doubts);
        return false;
    }
    run->doubts.again = true;
    run->doubts.from = run->results.count;
    run->doubts.not_run = run->not_run;
    run->doubts.recorder = run->recording.recorder;
    run->recording.recorder = NULL;
    run->selection.wanted = 0;
    run->selection.total = (unsigned)run->doubts.count;
    run->current.place = 0;
    return true;
}

/* It was run again, and the peer lived. */
static bool lived(const struct probe *probe, const char *test)
{
    const struct results *results = &probe->run.results;
    bool was_run = false;
    for (size_t i = probe->run.doubts.from; i < results->count; i++) {
        if (strcmp(results->list[i].test, test) != 0)
            continue;
        if (results->list[i].ending == ENDING_CRASHED)
            return false;
        was_run = was_run || results->list[i].ending != ENDING_NOT_APPLICABLE;
    }
    return was_run;
}

void probe_doubts_end(struct probe *probe)
{
    struct probe_run *run = &probe->run;
    struct probe_doubts *doubts = &run->doubts;
    for (size_t i = doubts->count;
         i-- > 0;) { /* what was charged twice has the older ending last */
        struct result *result = &run->results.list[doubts->list[i].result];
        if (!lived(probe, result->test))
            continue;
        say("no connection after '%s' (%s), but there was one when it was run again: not reported",
            result->test, result->actual);
        free(result->actual);
        result->actual = alloc_text(doubts->list[i].actual);
        result->ending = doubts->list[i].ending;
    }
    while (run->results.count > doubts->from)
        results_drop_last(&run->results);
    run->not_run = doubts->not_run;
    run->recording.recorder = doubts->recorder;
    forget(doubts);
}
