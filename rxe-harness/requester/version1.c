// SPDX-License-Identifier: BSD-3-Clause
/* Calls by version 1: a Send each, and what comes next is the answer. */
#include "rxe-harness/requester/caller.h"

#include <rpcrdma/rpcrdma.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>

static bool build_call(struct requester *requester, const struct requester_call *call,
                       struct requester_pending *pending, struct call_lists *draft,
                       uint8_t octets[REQUESTER_INLINE], size_t *length)
{
    size_t inlined;
    if (!requester_build_lists(requester, call, pending, draft, &inlined))
        return false;
    ptrdiff_t header = rpcrdma1_header_encode(octets, REQUESTER_INLINE, &draft->header, NULL);
    if (rpcrdma_xdr_failed(header) || inlined > requester->send_limit ||
        (size_t)header > requester->send_limit - inlined)
        return false;
    memcpy(octets + header, pending->call, inlined);
    *length = (size_t)header + inlined;
    return true;
}

bool requester_prepare(struct requester *requester, const struct requester_call *call,
                       struct requester_pending *pending, uint8_t octets[REQUESTER_INLINE],
                       size_t *length)
{
    struct call_lists *draft = calloc(1, sizeof *draft);
    *pending = (struct requester_pending){.xid = ++requester->xid};
    if (draft == NULL)
        return false;
    draft->header.rdma_xid = requester->xid;
    draft->header.rdma_vers = RPCRDMA_VERSION_1;
    draft->header.rdma_credit = REQUESTER_CREDITS;
    bool good = build_call(requester, call, pending, draft, octets, length);
    free(draft);
    return good;
}

static bool begin(struct requester *requester, const struct requester_call *call,
                  struct requester_pending *pending)
{
    uint8_t octets[REQUESTER_INLINE];
    size_t length;
    return requester_prepare(requester, call, pending, octets, &length) &&
           requester_send(requester, octets, length);
}

static size_t copy_memory(const struct requester_memory *memory, uint8_t *copy)
{
    size_t length = 0;
    for (unsigned i = 0; i < memory->count; length += memory->pieces[i++].length)
        if (copy)
            memcpy(copy + length, memory->pieces[i].octets, memory->pieces[i].length);
    return length;
}

/* Whether the Call's memory is written after its Reply. */
static void linger(struct requester *requester, const struct requester_pending *pending)
{
    size_t length = copy_memory(&pending->memory, NULL);
    uint8_t *copies = malloc(2 * length + 1);
    if (copies && length > 0) {
        copy_memory(&pending->memory, copies);
        poll(NULL, 0, (int)requester->linger);
        copy_memory(&pending->memory, copies + length);
        requester->late = requester->late || memcmp(copies, copies + length, length) != 0;
    }
    free(copies);
}

static void finish(struct requester *requester, struct requester_pending *pending, unsigned timeout,
                   struct requester_reply *reply)
{
    struct link_event event;
    requester_wait(requester, timeout, &event);
    if (event.type == LINK_RECEIVED && event.length >= 4 && pending->memory.count > 0 &&
        rpcrdma_xdr_load32(event.octets) == pending->xid) {
        requester->offered = true;
        if (requester->linger > 0)
            linger(requester, pending);
    }
    if (event.type == LINK_RECEIVED)
        requester_read_reply(&event, pending, reply);
    else
        requester_read_nothing(requester, event.type == LINK_CLOSED, reply);
}

static bool takes(const struct requester *requester)
{
    return requester->reactions & (RPCRDMA_PROCESS | RPCRDMA_TERMINATE);
}

static void forget(struct requester *requester)
{
    (void)requester; /* it has nothing of its own */
}

const struct caller requester_version1 = {
    .begin = begin, .finish = finish, .takes = takes, .forget = forget};
