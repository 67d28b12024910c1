// SPDX-License-Identifier: BSD-3-Clause
/* The public calls of librpcrdma-check: one connection, fed event by event. */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/binding.h>

struct rpcrdma_check *rpcrdma_check_init(void *memory, size_t size,
                                         const struct rpcrdma_check_config *config)
{
    return rpcrdma_state_init(memory, size, config, rpcrdma_bindings);
}

static void judge_send1(struct rpcrdma_send *send)
{
    struct rpcrdma_judgement *judgement = send->review.judgement;
    rpcrdma_judge_header(send);
    rpcrdma_judge_message(send);
    rpcrdma_judge_binding(send);
    rpcrdma_judge_answer(send);
    rpcrdma_judge_connection(send);
    if (send->state != HEADER_DECODED)
        return;
    judgement->kind = send->message.kind;
    judgement->form = send->message.form;
    if (is_inline(send) && send->payload.total > 0)
        judgement->payload = judgement->header_length;
}

/* The RPC message, or what answers one. */
static void judge_content2(struct rpcrdma_send *send)
{
    if (is_inline(send))
        rpcrdma_judge_payload(send);
    rpcrdma_judge_message(send);
    rpcrdma_judge_binding(send);
    if (send->message.kind == RPCRDMA_KIND_ERROR)
        rpcrdma_judge_error2(send);
    rpcrdma_judge_invalidation2(send);
    if (send->message.kind != RPCRDMA_KIND_ERROR && send->chunks != NULL && is_reply(send) &&
        !send->contradicts)
        rpcrdma_judge_reply(send);
}

static void judge_send2(struct rpcrdma_send *send)
{
    rpcrdma_judge_header2(send);
    rpcrdma_take_received(send);
    rpcrdma_judge_continuation(send);
    if (send->state == HEADER_DECODED)
        judge_content2(send);
    else if (send->answers && !is_call(send)) /* a lax Requester took it */
        rpcrdma_state_set(send->review.check, send->answers, CALL_DOUBTFUL);
    rpcrdma_judge_connection2(send);
    if (send->state == HEADER_DECODED)
        rpcrdma_judge_properties(send);
    else if (send->state != HEADER_UNSEEN)
        rpcrdma_judge_unread(send);
    rpcrdma_judge_credits2(send);
}

/* It is judged by nothing but its version, and an error that says so can answer it. */
static void take_other_version(struct rpcrdma_send *send)
{
    rpcrdma_set_receivers(send);
    if (send->review.event->from == RPCRDMA_CLIENT)
        rpcrdma_take_message(send);
}

/* Something of version 2 was sent, now or before. */
__attribute__((noinline)) static void judge_send_of_any(struct rpcrdma_send *send)
{
    enum judged_by by = rpcrdma_judge_version(send);
    if (by == BY_VERSION_1)
        judge_send1(send);
    else if (by == BY_VERSION_2)
        judge_send2(send);
    else
        take_other_version(send);
    rpcrdma_settle_version(send, by);
}

/* BAD_XDR has the number of ERR_CHUNK, which the rules of all versions name. */
static uint32_t as_version_2(uint32_t reactions)
{
    return reactions & RPCRDMA_ERR_CHUNK
               ? (reactions & ~(uint32_t)RPCRDMA_ERR_CHUNK) | RPCRDMA_ERR_BAD_XDR
               : reactions;
}

static void judge_send(struct rpcrdma_check *check, const struct rpcrdma_event *event,
                       struct rpcrdma_judgement *judgement)
{
    struct rpcrdma_send send;
    rpcrdma_send_begin(&send, check, event, judgement);
    rpcrdma_find_answered(&send);
    if (judgement->version == RPCRDMA_VERSION_2 || check->two.state != VERSION_OPEN ||
        check->config.draft == RPCRDMA_PROTOCOL_2_07 || check->two.decoded)
        judge_send_of_any(&send);
    else
        judge_send1(&send);
    if (send.receivers & RPCRDMA_AS_RESPONDER)
        judgement->reactions |= send.review.open[RPCRDMA_RESPONDER];
    if (send.receivers & RPCRDMA_AS_REQUESTER)
        judgement->reactions |= send.review.open[RPCRDMA_REQUESTER];
    if (send.review.rules != NULL)
        judgement->reactions = as_version_2(judgement->reactions);
    if (event->invalidate)
        rpcrdma_registrations_invalidate(&check->registrations, other(event->from), event->handle);
}

/* RDMA operations are judged by the version that the connection speaks. */
static void use_version(struct review *review)
{
    const struct version2 *two = &review->check->two;
    bool is_2 = two->state == VERSION_OFFERED || two->state == VERSION_SETTLED;
    bool is_1 = review->check->traffic[RPCRDMA_CLIENT].calls > 0;
    if (!is_2 && (review->check->config.draft == RPCRDMA_PROTOCOL_AUTO || is_1))
        return;
    review_use(review, two->protocol);
    review->judgement->protocol = two->protocol;
    review->judgement->draft_is_sure = two->draft_is_sure;
}

void rpcrdma_check_event(struct rpcrdma_check *check, const struct rpcrdma_event *event,
                         struct rpcrdma_judgement *judgement)
{
    struct review review;
    if (event->type == RPCRDMA_EVENT_SEND) {
        judge_send(check, event, judgement);
        return;
    }
    review_begin(&review, check, event, judgement);
    use_version(&review);
    switch (event->type) {
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
        rpcrdma_judge_transfer(&review);
        break;
    case RPCRDMA_EVENT_PRIVATE_DATA:
        rpcrdma_judge_private_data(&review);
        break;
    case RPCRDMA_EVENT_GAP:
        rpcrdma_state_gap(check);
        break;
    case RPCRDMA_EVENT_ATOMIC:
    case RPCRDMA_EVENT_NOT_READY:
    case RPCRDMA_EVENT_REFUSED:
        rpcrdma_judge_provider(&review);
        break;
    case RPCRDMA_EVENT_REGISTERED:
    case RPCRDMA_EVENT_INVALIDATED:
    case RPCRDMA_EVENT_COMPLETED:
        rpcrdma_judge_registration(&review);
        break;
    case RPCRDMA_EVENT_DISCONNECT: /* which ends what memory of its own was registered for */
        rpcrdma_registrations_gap(&check->registrations);
        break;
    case RPCRDMA_EVENT_SEND:
        break;
    }
}
