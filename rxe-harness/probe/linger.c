// SPDX-License-Identifier: BSD-3-Clause
/*
 * A Responder may answer a Call with an error, and end the connection a moment later. So that this
 * does not depend on who is faster, such a connection stays open, with its memory, while the next
 * cases go on, and is looked at again.
 */
#include "rxe-harness/probe/probe.h"

#include "conformance/base/alloc.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINGER_FACTOR 6 /* times what is waited for an answer */
#define LINGER_MAX 500  /* milliseconds */

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void look_again(struct probe *probe, struct probe_linger *linger)
{
    struct requester *peer = linger->peer;
    struct link_event event;
    do
        requester_wait(peer, 0, &event);
    while (event.type == LINK_RECEIVED);
    if (peer->gone) {
        struct result *result = &probe->results.list[linger->result];
        struct alloc_stream actual;
        alloc_begin(&actual);
        fprintf(actual.out, "%s, then the end of the connection", result->actual);
        free(result->actual);
        result->actual = alloc_end(&actual);
        result->ending = ENDING_CLOSED;
    }
    requester_hide(peer, &linger->memory);
    requester_close(peer);
    for (size_t i = 0; i < PROBE_BUFFERS; i++)
        free(linger->buffers[i]);
}

void probe_settle(struct probe *probe, bool all)
{
    unsigned done = 0;
    for (; done < probe->linger_count; done++) {
        int64_t left = probe->linger[done].until - milliseconds();
        if (left > 0 && !all && probe->linger_count < PROBE_LINGERS)
            break;
        if (left > 0)
            poll(NULL, 0, (int)left);
        look_again(probe, &probe->linger[done]);
        if (!all && probe->linger_count == PROBE_LINGERS) {
            done++;
            break;
        }
    }
    probe->linger_count -= done;
    memmove(probe->linger, probe->linger + done, probe->linger_count * sizeof *probe->linger);
}

void probe_let_linger(struct probe *probe, const struct requester_memory *memory,
                      uint8_t *const buffers[PROBE_BUFFERS])
{
    struct probe_linger *linger = &probe->linger[probe->linger_count++];
    unsigned time = LINGER_FACTOR * probe->patience;
    *linger =
        (struct probe_linger){.peer = probe->peer,
                              .memory = *memory,
                              .result = probe->results.count - 1,
                              .until = milliseconds() + (time < LINGER_MAX ? time : LINGER_MAX)};
    memcpy(linger->buffers, buffers, sizeof linger->buffers);
    /* What it still says is of a case that is over. */
    probe->peer->finding = NULL;
    probe->peer->witness = NULL;
    probe->xid = probe->peer->xid;
    probe->peer = NULL;
}
