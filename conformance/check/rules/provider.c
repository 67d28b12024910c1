// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the providers of both sides show of their memory and receive buffers (RFC 8166 sections
 * 3.3.1, 3.4.5 and 4.5.3). A provider can have reasons that nobody sees, so that these are
 * warnings.
 */
#include "conformance/check/rules/rules.h"

/* A Call that waits, and that others followed before it was refused. Sends that are answered had
 * their buffers. */
static enum buffer buffer_of_earlier(const struct review *review)
{
    enum { STEPS = 64 };
    const struct rpcrdma_check *check = review->check;
    enum rpcrdma_endpoint sender = other(review->event->from);
    uint32_t i = check->rows[ROW_WAITING].newest;
    for (unsigned n = 0; i != NONE && n < STEPS; n++, i = check->calls[i].older) {
        const struct call *call = &check->calls[i];
        if (call->from == sender && call->has_buffer && call->number == review->event->received)
            return BUFFER_FOR_CALL;
    }
    return BUFFER_UNKNOWN;
}

/* The Send that found no buffer, if it is known to have a right to one. */
static enum buffer buffer_due(const struct review *review)
{
    const struct side *sender = &review->check->side[other(review->event->from)];
    return sender->sends == review->event->received + 1 ? sender->due : buffer_of_earlier(review);
}

static void judge_not_ready(struct review *review)
{
    switch (buffer_due(review)) {
    case BUFFER_FOR_CALL:
        break_rule(review, RPCRDMA_RFC8166_3_3_1_RECEIVES_BEFORE_LARGER_GRANT, RPCRDMA_NO_OFFSET,
                   NO_REACTION,
                   "no receive buffer for a Call within the credits that were granted");
        break;
    case BUFFER_FOR_REPLY:
        break_rule(review, RPCRDMA_RFC8166_3_3_1_REPLY_RECEIVES_MAINTAINED, RPCRDMA_NO_OFFSET,
                   NO_REACTION, "no receive buffer for the Reply to a Call that waits");
        break;
    case BUFFER_UNKNOWN:
        break;
    }
}

static bool holds(const struct offered_memory *memory, const struct rpcrdma_event *event)
{
    return event->length <= memory->length && event->offset >= memory->offset &&
           event->offset - memory->offset <= memory->length - event->length;
}

/* A Call of this side that waits offers this memory for this operation. */
static bool is_offered(struct rpcrdma_check *check, const struct rpcrdma_event *event)
{
    enum { CANDIDATES = 4096 };
    const struct offered_memory *memory = rpcrdma_state_memory(check, event->handle);
    for (unsigned n = 0; memory && n < CANDIDATES;
         n++, memory = rpcrdma_state_memory_next(check, memory)) {
        const struct call *call = &check->calls[memory->call];
        if (call->from == event->from && call->state == CALL_PENDING && call->judged &&
            (memory->kind == MEMORY_READ) == event->is_read && holds(memory, event))
            return true;
    }
    return false;
}

static void judge_refused(struct review *review)
{
    const struct rpcrdma_event *event = review->event;
    if (event->length > 0 && is_offered(review->check, event))
        break_rule(review, RPCRDMA_RFC8166_3_4_5_MEMORY_REGISTERED, RPCRDMA_NO_OFFSET, NO_REACTION,
                   "%u octets at handle 0x%x are offered by a Call that waits, and refused",
                   event->length, event->handle);
}

void rpcrdma_judge_provider(struct review *review)
{
    switch ((int)review->event->type) {
    case RPCRDMA_EVENT_NOT_READY:
        judge_not_ready(review);
        break;
    case RPCRDMA_EVENT_REFUSED:
        judge_refused(review);
        break;
    case RPCRDMA_EVENT_ATOMIC:
        break_rule(review, RPCRDMA_RFC8166_4_5_3_ONLY_READ_AND_WRITE, RPCRDMA_NO_OFFSET,
                   NO_REACTION, "an atomic operation at handle 0x%x", review->event->handle);
        break;
    }
}
