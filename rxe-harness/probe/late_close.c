// SPDX-License-Identifier: BSD-3-Clause
/*
 * A Responder may answer a Call with an error, and end the connection a moment later. So that this
 * does not depend on who is faster, such a connection stays open, with its memory, while the next
 * cases go on, and is looked at again.
 */
#include "rxe-harness/probe/probe.h"

#include "rxe-harness/report/live.h"

#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define WATCH_FACTOR 6 /* times what is waited for an answer */
#define WATCH_MAX 500  /* milliseconds */

enum ending probe_closed_after(enum ending ending, unsigned outcome)
{
    bool was_error = outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_ERR_VERS);
    return was_error && ending == ENDING_REQUIRED ? ENDING_TOLERATED : ENDING_CLOSED;
}

unsigned probe_with_close(unsigned reactions)
{
    bool says_nothing =
        (reactions & RPCRDMA_DISCARD) && (reactions & (RPCRDMA_PROCESS | RPCRDMA_ERR_CHUNK));
    return says_nothing ? reactions | RPCRDMA_CLOSE : reactions;
}

static void release(struct probe *probe, struct probe_watched *watched)
{
    if (probe->run.recording.recorder)
        probe_record_end(probe, watched->peer, watched->connection);
    probe_memory_free(&watched->memory, watched->peer);
    requester_close(watched->peer);
}

static void look_again(struct probe *probe, struct probe_watched *watched)
{
    struct requester *peer = watched->peer;
    struct link_event event = {.type = LINK_RECEIVED};
    for (unsigned i = 0; i < REQUESTER_RECEIVES && event.type == LINK_RECEIVED; i++)
        requester_wait(peer, 0, &event); /* so much can have come; a peer may send on and on */
    if (requester_gone(peer)) {
        struct result *result = &probe->run.results.list[watched->result];
        struct alloc_stream actual;
        alloc_begin(&actual);
        fprintf(actual.out, "%s, then the end of the connection", result->actual);
        free(result->actual);
        result->actual = alloc_end(&actual);
        result->ending = probe_closed_after(result->ending, RPCRDMA_ERR_CHUNK);
        live_scene(&probe->run.results, result);
    }
    release(probe, watched);
}

/* The time of the oldest is over, or its room is wanted. */
static bool is_due(const struct probe *probe, bool all)
{
    const struct probe_run *run = &probe->run;
    return run->watch.count > 0 && (all || run->watch.count == PROBE_WATCHED ||
                                    run->watch.list[0].until <= clock_milliseconds());
}

void probe_settle(struct probe *probe, bool all)
{
    while (is_due(probe, all)) {
        struct probe_watched oldest = probe->run.watch.list[0];
        int64_t left = oldest.until - clock_milliseconds();
        if (left > 0)
            poll(NULL, 0, (int)left);
        memmove(probe->run.watch.list, probe->run.watch.list + 1,
                --probe->run.watch.count * sizeof *probe->run.watch.list);
        look_again(probe, &oldest);
        if (!probe_outlived(probe, oldest.result))
            break;
    }
}

void probe_drop_watched(struct probe *probe)
{
    for (unsigned i = 0; i < probe->run.watch.count; i++)
        release(probe, &probe->run.watch.list[i]);
    probe->run.watch.count = 0;
}

void probe_watch(struct probe *probe, const struct probe_memory *memory)
{
    struct probe_watched *watched = &probe->run.watch.list[probe->run.watch.count++];
    unsigned time = WATCH_FACTOR * probe->peer.patience;
    *watched = (struct probe_watched){.peer = probe->requester,
                                      .memory = *memory,
                                      .result = probe->run.results.count - 1,
                                      .connection = probe->run.recording.connections,
                                      .until = clock_milliseconds() +
                                               (time < WATCH_MAX ? time : WATCH_MAX)};
    /* What it still says is of a case that is over. */
    probe->requester->finding = NULL;
    probe->requester->witness = NULL;
    probe->run.xid = probe->requester->xid;
    probe->requester = NULL;
}
