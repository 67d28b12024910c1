// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/findings/history.h"

#include <rpcrdma/rpcrdma1.h>

#include <stdlib.h>
#include <string.h>

enum { PLACES = 4 };

static struct history *make(uint32_t size)
{
    struct history *history = calloc(1, sizeof *history + size * sizeof *history->calls);
    if (history)
        history->size = size;
    return history;
}

struct history *history_make(void)
{
    return make(HISTORY_CALLS_FIRST);
}

static uint32_t slot(const struct history *history, enum rpcrdma_endpoint from, uint32_t xid)
{
    uint32_t mixed = (xid ^ (uint32_t)from << 31) * 0x9e3779b1u;
    return mixed >> 16 & (history->size - 1);
}

static bool is_call(const struct history_call *call, enum rpcrdma_endpoint from, uint32_t xid)
{
    return call->xid == xid && call->from == from && call->used;
}

/* A Call is in one of a few places in a row: the index of the i-th. */
static uint32_t place_at(const struct history *history, uint32_t slot, uint32_t i)
{
    return (slot + i) & (history->size - 1);
}

/* The index of the Call, or history->size. */
static uint32_t find(const struct history *history, enum rpcrdma_endpoint from, uint32_t xid)
{
    uint32_t first = slot(history, from, xid);
    for (uint32_t i = 0; i < PLACES; i++)
        if (is_call(&history->calls[place_at(history, first, i)], from, xid))
            return place_at(history, first, i);
    return history->size;
}

const struct history_call *history_find(const struct history *history, enum rpcrdma_endpoint from,
                                        uint32_t xid)
{
    uint32_t i = find(history, from, xid);
    return i < history->size ? &history->calls[i] : NULL;
}

static struct history_call *oldest(struct history *history, uint32_t first)
{
    struct history_call *oldest = &history->calls[first];
    for (uint32_t i = 1; i < PLACES; i++) {
        struct history_call *call = &history->calls[place_at(history, first, i)];
        if (call->number < oldest->number)
            oldest = call;
    }
    return oldest;
}

/* The place of the Call, or one that is not needed any more, or else the oldest. */
static struct history_call *choose(struct history *history, enum rpcrdma_endpoint from,
                                   uint32_t xid)
{
    uint32_t first = slot(history, from, xid);
    struct history_call *spare = NULL;
    for (uint32_t i = 0; i < PLACES; i++) {
        struct history_call *call = &history->calls[place_at(history, first, i)];
        if (is_call(call, from, xid))
            return call;
        if (spare == NULL && (!call->used || call->answered))
            spare = call;
    }
    return spare ? spare : oldest(history, first);
}

/* Twice the room, or as much as before where there is no memory. */
static struct history *grow(struct history *history)
{
    struct history *larger = make(2 * history->size);
    if (larger == NULL)
        return history;
    memcpy(larger->private_data, history->private_data, sizeof larger->private_data);
    memcpy(larger->grant, history->grant, sizeof larger->grant);
    larger->end = history->end;
    larger->numbers = history->numbers;
    larger->forgot = history->forgot;
    for (uint32_t i = 0; i < history->size; i++) {
        const struct history_call *call = &history->calls[i];
        if (call->used)
            *choose(larger, call->from, call->xid) = *call;
    }
    free(history);
    return larger;
}

static void add_call(struct history *history, struct history_call *call,
                     const struct source_event *event, uint32_t xid)
{
    call->used = true;
    call->answered = false;
    call->number = history->numbers++;
    call->at = moment_of(event);
    call->from = event->event.from;
    call->xid = xid;
    call->length = event->event.data ? event->event.length : 0;
    size_t kept = call->length < HISTORY_OCTETS ? call->length : HISTORY_OCTETS;
    if (kept >
        0) /* memcpy() of so few octets at most would be a string instruction, which is slow */
        memmove(call->octets, event->event.data, kept);
}

/* A Call that still waits is not given up while there can be room for both. */
static struct history *remember_call(struct history *history, const struct source_event *event,
                                     uint32_t xid)
{
    enum rpcrdma_endpoint from = event->event.from;
    struct history_call *call = choose(history, from, xid);
    bool taken = call->used && !call->answered && !is_call(call, from, xid);
    if (taken && history->size < HISTORY_CALLS_MAX) {
        history = grow(history);
        call = choose(history, from, xid);
    }
    history->forgot =
        history->forgot || (call->used && !call->answered && !is_call(call, from, xid));
    add_call(history, call, event, xid);
    return history;
}

static void add_answer(struct history *history, const struct source_event *event,
                       const struct rpcrdma_judgement *judgement)
{
    enum rpcrdma_endpoint from = event->event.from;
    enum rpcrdma_endpoint caller = from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    uint32_t i = find(history, caller, judgement->xid);
    if (i < history->size)
        history->calls[i].answered = true;
    if (judgement->has_credit && judgement->header_length >= 0)
        history->grant[from] = (struct history_grant){
            .seen = true, .at = moment_of(event), .credits = judgement->credit};
}

static void add_private_data(struct history *history, const struct source_event *event)
{
    struct history_private_data *side = &history->private_data[event->event.from];
    *side = (struct history_private_data){.seen = true, .at = moment_of(event)};
    side->length = event->event.data ? event->event.length : 0;
    if (side->length > sizeof side->octets)
        side->length = sizeof side->octets;
    if (side->length > 0)
        memcpy(side->octets, event->event.data, side->length);
}

struct history *history_add(struct history *history, const struct source_event *event,
                            const struct rpcrdma_judgement *judgement)
{
    if (event->event.type == RPCRDMA_EVENT_PRIVATE_DATA)
        add_private_data(history, event);
    if (event->event.type == RPCRDMA_EVENT_DISCONNECT && !history->end.seen)
        history->end = (struct history_end){true, moment_of(event), event->event.from};
    if (event->event.type != RPCRDMA_EVENT_SEND || !judgement->has_xid)
        return history;
    bool is_error = judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR;
    if (judgement->direction == RPCRDMA_CALL)
        return remember_call(history, event, judgement->xid);
    if (judgement->direction == RPCRDMA_REPLY || is_error)
        add_answer(history, event, judgement);
    return history;
}

unsigned history_waiting(const struct history *history, enum rpcrdma_endpoint from,
                         const struct history_call **list, unsigned most)
{
    unsigned count = 0;
    for (unsigned i = 0; i < history->size; i++) {
        const struct history_call *call = &history->calls[i];
        if (!call->used || call->answered || call->from != from)
            continue;
        unsigned at = count < most ? count : most;
        for (; at > 0 && list[at - 1]->number > call->number; at--)
            if (at < most)
                list[at] = list[at - 1];
        if (at < most)
            list[at] = call;
        count++;
    }
    return count;
}
