// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/findings/history.h"

#include <rpcrdma/rpcrdma1.h>

#include <string.h>

static unsigned slot(enum rpcrdma_endpoint from, uint32_t xid)
{
    uint32_t mixed = (xid ^ (uint32_t)from << 31) * 0x9e3779b1u;
    return mixed >> 25 & (HISTORY_CALLS - 1);
}

static struct history_call *find(struct history *history, enum rpcrdma_endpoint from, uint32_t xid)
{
    struct history_call *call = &history->calls[slot(from, xid)];
    return call->used && call->from == from && call->xid == xid ? call : NULL;
}

const struct history_call *history_find(const struct history *history, enum rpcrdma_endpoint from,
                                        uint32_t xid)
{
    const struct history_call *call = &history->calls[slot(from, xid)];
    return call->used && call->from == from && call->xid == xid ? call : NULL;
}

static void add_call(struct history *history, const struct source_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    enum rpcrdma_endpoint from = event->event.from;
    struct history_call *call = &history->calls[slot(from, judgement->xid)];
    call->used = true;
    call->answered = false;
    call->number = history->numbers++;
    call->at = moment_of(event);
    call->from = from;
    call->xid = judgement->xid;
    call->length = event->event.data ? event->event.length : 0;
    memcpy(call->octets, call->length > 0 ? event->event.data : "",
           call->length < HISTORY_OCTETS ? call->length : HISTORY_OCTETS);
}

static void add_answer(struct history *history, const struct source_event *event,
                       const struct rpcrdma_judgement *judgement)
{
    enum rpcrdma_endpoint from = event->event.from;
    struct history_call *call =
        find(history, from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT, judgement->xid);
    if (call)
        call->answered = true;
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

void history_add(struct history *history, const struct source_event *event,
                 const struct rpcrdma_judgement *judgement)
{
    if (event->event.type == RPCRDMA_EVENT_PRIVATE_DATA)
        add_private_data(history, event);
    if (event->event.type != RPCRDMA_EVENT_SEND || !judgement->has_xid)
        return;
    bool is_error = judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR;
    if (judgement->direction == RPCRDMA_CALL)
        add_call(history, event, judgement);
    else if (judgement->direction == RPCRDMA_REPLY || is_error)
        add_answer(history, event, judgement);
}

unsigned history_waiting(const struct history *history, enum rpcrdma_endpoint from,
                         const struct history_call **list, unsigned most)
{
    unsigned count = 0;
    for (unsigned i = 0; i < HISTORY_CALLS; i++) {
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
