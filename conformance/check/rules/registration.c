// SPDX-License-Identifier: BSD-3-Clause
/*
 * Memory as its owner sees it: registered, offered by Calls, invalidated, given back to the upper
 * layer (RFC 8166 sections 3.4.5, 4.4.1, 8.1.2 and 8.1.3). Nothing of it is on the wire: these
 * rules need a source within the side, and are silent about a side without one.
 *
 * Section 4.4.3 leaves it to Requesters to register regions beforehand, and to copy out of them:
 * what stays registered when its RPC ends need not be what the upper layer gets. So that is a
 * warning; and a note alone, of the Call, where the handle is known to serve one Call after the
 * other.
 */
#include "conformance/check/rules/rules.h"

static bool is_within(const struct registration *registration,
                      const struct rpcrdma1_segment *segment)
{
    return segment->length <= registration->length && segment->offset >= registration->offset &&
           segment->offset - registration->offset <= registration->length - segment->length;
}

/* What the Call needs of the registration: it is there, and holds what is offered. */
static bool is_usable(struct rpcrdma_send *send, const struct registration *registration,
                      enum memory_kind kind, const struct rpcrdma1_segment *segment, int64_t at)
{
    unsigned needed = kind == MEMORY_READ ? RPCRDMA_ACCESS_READ : RPCRDMA_ACCESS_WRITE;
    const char *why = NULL;
    if (registration == NULL || !registration->valid)
        why = "handle 0x%x is offered, and not registered";
    else if (!(registration->access & needed))
        why = needed == RPCRDMA_ACCESS_READ
                  ? "handle 0x%x is offered to be read, and registered to be written alone"
                  : "handle 0x%x is offered to be written, and registered to be read alone";
    else if (!is_within(registration, segment))
        why = "at handle 0x%x, %u octets are offered from 0x%x, which are not all registered";
    if (why)
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_MEMORY_REGISTERED, at, NO_REACTION, why,
                   segment->handle, segment->length, segment->offset);
    return why == NULL;
}

/* How long it has been registered before this Call. */
static void check_age(struct rpcrdma_send *send, const struct registration *registration,
                      int64_t at)
{
    const struct traffic *traffic = &send->review.check->traffic[send->review.event->from];
    if (registration->user != 0)
        break_rule(&send->review, RPCRDMA_RFC8166_8_1_2_NO_PERSISTENT_MEMORY, at, NO_REACTION,
                   "handle 0x%x has stayed registered since an earlier Call offered it",
                   registration->handle);
    else if (traffic->answers > registration->answers && !traffic->forgot)
        break_rule(&send->review, RPCRDMA_RFC8166_8_1_3_REGISTERED_JUST_IN_TIME, at, NO_REACTION,
                   "handle 0x%x was registered before another Call, which is answered already",
                   registration->handle);
}

uint32_t rpcrdma_judge_offered(struct rpcrdma_send *send, bool again, enum memory_kind kind,
                               const struct rpcrdma1_segment *segment, int64_t at)
{
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    const struct registrations *all = &check->registrations;
    if (segment->length == 0)
        return 0;
    struct registration *registration = rpcrdma_registrations_find(all, from, segment->handle);
    if ((registration == NULL && all->forgot[from]) ||
        !is_usable(send, registration, kind, segment, at))
        return 0;
    uint64_t user = check->traffic[from].calls;
    if (registration->user != user && !again) {
        check_age(send, registration, at);
        registration->is_shared = registration->user != 0;
    }
    registration->user = user;
    return registration->number;
}

static void judge_registered(struct review *review)
{
    const struct rpcrdma_event *event = review->event;
    const struct traffic *traffic = &review->check->traffic[event->from];
    struct registration *registration =
        rpcrdma_registrations_add(&review->check->registrations, event->from, event->handle);
    registration->offset = event->offset;
    registration->length = event->length;
    registration->access = (uint8_t)event->access;
    registration->answers = traffic->answers + traffic->in_flight;
}

/* What the Call of this XID offered, and is registered for it still. */
static const struct offered_memory *still_registered(const struct rpcrdma_check *check,
                                                     const struct call *call)
{
    for (uint32_t i = call->first; i != NONE; i = check->memory[i].next) {
        const struct offered_memory *memory = &check->memory[i];
        if (memory->registration == 0)
            continue;
        const struct registration *registration =
            rpcrdma_registrations_find(&check->registrations, call->from, memory->handle);
        if (registration && registration->valid && !registration->is_shared &&
            registration->number == memory->registration)
            return memory;
    }
    return NULL;
}

static void judge_completed(struct review *review)
{
    struct rpcrdma_check *check = review->check;
    struct call *call = rpcrdma_state_find(check, review->event->from, review->event->xid);
    if (call == NULL || !call->judged)
        return;
    const struct offered_memory *memory = still_registered(check, call);
    if (memory == NULL)
        return;
    if (call->state == CALL_PENDING)
        break_rule(review, RPCRDMA_RFC8166_4_4_1_CANCELLED_CALLS_TOO, RPCRDMA_NO_OFFSET,
                   NO_REACTION,
                   "the RPC with XID 0x%x ends without a Reply while handle 0x%x is registered",
                   call->xid, memory->handle);
    else
        break_rule(review, RPCRDMA_RFC8166_4_4_1_MEMORY_FENCED, RPCRDMA_NO_OFFSET, NO_REACTION,
                   "the RPC with XID 0x%x ends while handle 0x%x is still registered", call->xid,
                   memory->handle);
}

void rpcrdma_judge_registration(struct review *review)
{
    const struct rpcrdma_event *event = review->event;
    struct rpcrdma_check *check = review->check;
    if (!check->config.registrations_seen[event->from])
        return;
    switch ((int)event->type) {
    case RPCRDMA_EVENT_REGISTERED:
        judge_registered(review);
        break;
    case RPCRDMA_EVENT_INVALIDATED:
        rpcrdma_registrations_invalidate(&check->registrations, event->from, event->handle);
        break;
    case RPCRDMA_EVENT_COMPLETED:
        judge_completed(review);
        break;
    }
}
