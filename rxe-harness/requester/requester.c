// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/requester.h"

#include "rxe-harness/requester/caller.h"

#include "conformance/base/clock.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the connection ---- */

void requester_close(struct requester *requester)
{
    if (requester->link)
        watched_end(&requester->watched, RPCRDMA_CLIENT);
    if (requester->caller)
        requester->caller->forget(requester);
    if (requester->link)
        requester->link->ops->close(requester->link);
    observe_free(requester->observer);
    watched_free(&requester->watched);
    watched_free(&requester->shown);
    free(requester);
}

bool requester_send(struct requester *requester, const uint8_t *octets, size_t length)
{
    return requester->link->ops->send(requester->link, octets, length, NULL);
}

void requester_wait(struct requester *requester, unsigned timeout, struct link_event *event)
{
    requester->link->ops->wait(requester->link, timeout, event);
}

bool requester_gone(const struct requester *requester)
{
    return requester->watched.gone;
}

/* ---- memory ---- */

bool requester_expose(struct requester *requester, struct requester_memory *memory, uint8_t *octets,
                      size_t length, unsigned access, struct link_memory *piece)
{
    static uint8_t nothing[8]; /* a zero-length segment still needs a handle */
    if (memory->count == REQUESTER_SEGMENTS)
        return false;
    *piece = (struct link_memory){.octets = length > 0 ? octets : nothing,
                                  .length = length > 0 ? length : sizeof nothing};
    if (!requester->link->ops->expose(requester->link, piece, access))
        return false;
    observe_exposed(requester->observer, piece, access);
    memory->pieces[memory->count++] = *piece;
    return true;
}

void requester_hide(struct requester *requester, struct requester_memory *memory)
{
    for (unsigned i = 0; i < memory->count; i++) {
        observe_hidden(requester->observer, &memory->pieces[i]);
        requester->link->ops->hide(requester->link, &memory->pieces[i]);
    }
    memory->count = 0;
}

/* ---- Calls ---- */

void requester_rpc(uint8_t octets[REQUESTER_RPC], uint32_t xid, uint32_t program, uint32_t version,
                   uint32_t procedure)
{
    const uint32_t words[REQUESTER_RPC / 4] = {xid, 0, 2, program, version, procedure};
    for (size_t i = 0; i < REQUESTER_RPC / 4; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
}

void requester_null_call(const struct requester *requester, uint32_t xid,
                         uint8_t octets[REQUESTER_NULL])
{
    const struct rpcrdma1_header header = {.rdma_xid = xid,
                                           .rdma_vers = RPCRDMA_VERSION_1,
                                           .rdma_credit = REQUESTER_CREDITS,
                                           .rdma_body.proc = RPCRDMA1_MSG};
    rpcrdma1_header_encode(octets, RPCRDMA1_HEADER_MIN, &header, NULL);
    requester_rpc(octets + RPCRDMA1_HEADER_MIN, xid, requester->program, requester->version, 0);
}

size_t requester_long_header(uint32_t xid, const struct link_memory *memory,
                             uint8_t octets[REQUESTER_LONG_HEADER])
{
    const struct rpcrdma1_read_segment segment = {.target = {.handle = memory->handle,
                                                             .length = (uint32_t)memory->length,
                                                             .offset = memory->offset}};
    const struct rpcrdma1_header header = {
        .rdma_xid = xid,
        .rdma_vers = RPCRDMA_VERSION_1,
        .rdma_credit = REQUESTER_CREDITS,
        .rdma_body = {.proc = RPCRDMA1_NOMSG,
                      .rdma_nomsg.rdma_reads = {.items = &segment, .count = 1}}};
    ptrdiff_t length = rpcrdma1_header_encode(octets, REQUESTER_LONG_HEADER, &header, NULL);
    return rpcrdma_xdr_failed(length) ? 0 : (size_t)length;
}

bool requester_begin(struct requester *requester, const struct requester_call *call,
                     struct requester_pending *pending)
{
    return requester->caller->begin(requester, call, pending);
}

void requester_finish(struct requester *requester, struct requester_pending *pending,
                      unsigned timeout, struct requester_reply *reply)
{
    requester->caller->finish(requester, pending, timeout, reply);
}

#define DROPPED_MAX 2048

/* What is dropped does not lengthen the time: a peer could hold us by it. */
static unsigned left_until(int64_t until)
{
    int64_t left = until - clock_milliseconds();
    return left > 0 ? (unsigned)left : 0;
}

void requester_receive(struct requester *requester, struct requester_pending *pending,
                       unsigned timeout, struct requester_reply *reply)
{
    int64_t until = clock_milliseconds() + timeout;
    for (unsigned i = 0; i < DROPPED_MAX; i++) {
        requester_finish(requester, pending, left_until(until), reply);
        bool nothing = reply->outcome == RPCRDMA_DISCARD || reply->outcome == RPCRDMA_CLOSE;
        bool fits = reply->outcome != 0 && reply->xid == pending->xid;
        if (nothing || (fits && requester->caller->takes(requester)))
            return;
    }
}

void requester_forget(struct requester *requester, struct requester_pending *pending)
{
    requester_hide(requester, &pending->memory);
    free(pending->call);
    free(pending->item);
    free(pending->reply);
    *pending = (struct requester_pending){.xid = 0};
}

bool requester_null(struct requester *requester, unsigned timeout)
{
    const struct requester_call call = {.procedure = 0};
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    int64_t until = clock_milliseconds() + timeout;
    bool good = requester_begin(requester, &call, &pending);
    /* A late answer to what came before is not this one's. */
    for (unsigned tries = 0; good && tries < 8 && reply.xid != pending.xid; tries++) {
        requester_finish(requester, &pending, left_until(until), &reply);
        good = reply.outcome != RPCRDMA_DISCARD && reply.outcome != RPCRDMA_CLOSE;
    }
    good = good && reply.xid == pending.xid &&
           (reply.outcome == RPCRDMA_PROCESS || reply.outcome == RPCRDMA_GARBAGE_ARGS);
    requester_forget(requester, &pending);
    return good;
}
