// SPDX-License-Identifier: BSD-3-Clause
/*
 * The RPC message that a Position Zero Read chunk or a Reply chunk holds, as far as RDMA operations
 * were seen to move it (RFC 8166 sections 3.5.3 and 4.2.1). Operations can be of any length, and so
 * its first octets are put together here until they tell what it is.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpc.h>

/* XID and message type are judged as soon as they are seen. */
enum { FIRST_WORDS = RPCRDMA_RPC_AT_MTYPE + 4 };

/* Octets of the chunk before this segment of it, and all of them. */
static uint64_t octets_before(const struct offered_memory *all, uint32_t first,
                              const struct offered_memory *segment, uint64_t *total)
{
    uint64_t before = 0;
    *total = 0;
    for (uint32_t i = first; i != NONE; i = all[i].next) {
        if (all[i].kind != segment->kind || (all[i].kind == MEMORY_READ && all[i].chunk != 0))
            continue;
        if (&all[i] == segment)
            before = *total;
        *total += all[i].length;
    }
    return before;
}

/* Octets of the message from this place on. What begins after a gap is not waited for: each
 * operation either tells more or is the last that is looked at. */
static bool extend(struct lead *lead, uint8_t *known, uint64_t from, const uint8_t *octets,
                   uint64_t length)
{
    lead->broken = from > lead->length;
    if (lead->broken || from + length <= lead->length)
        return false;
    for (; lead->length < LEAD_OCTETS && lead->length < from + length; lead->length++)
        known[lead->length] = octets[lead->length - from];
    return true;
}

void rpcrdma_take_lead(struct review *review, const struct offered_memory *segment)
{
    const struct rpcrdma_event *event = review->event;
    bool is_reply = segment->kind == MEMORY_REPLY;
    struct call *call = &review->check->calls[segment->call];
    struct lead *lead = &call->lead;
    uint8_t *octets = rpcrdma_state_lead(review->check, call);
    uint64_t total, inside = event->offset - segment->offset, length = event->length;
    if ((!is_reply && (segment->kind != MEMORY_READ || segment->chunk != 0)) || call->resent)
        return;
    if (is_reply && !lead->is_reply)
        *lead = (struct lead){.is_reply = true};
    if (lead->is_reply != is_reply || lead->broken || lead->length == LEAD_OCTETS)
        return;
    uint64_t from = inside + octets_before(review->check->memory, call->first, segment, &total);
    /* Neighbours in memory follow each other in the message if they do from its beginning on. */
    if (from > 0 && length > segment->length - inside)
        length = segment->length - inside;
    uint32_t known = lead->length;
    if (!extend(lead, octets, from, event->data, length) || is_reply)
        return;
    bool whole = from == 0 && (length >= LEAD_OCTETS || length >= total);
    bool begins = known < FIRST_WORDS && lead->length >= FIRST_WORDS;
    if (!whole && !begins && lead->length < LEAD_OCTETS && lead->length < total)
        return;
    unsigned found = review->judgement->count;
    review->author = (enum rpcrdma_endpoint)call->from;
    rpcrdma_judge_long_call(review, call, whole ? event->data : octets,
                            whole ? event->length : lead->length, total);
    review->author = event->from;
    lead->broken = whole || review->judgement->count > found; /* enough is known */
}
