// SPDX-License-Identifier: BSD-3-Clause
/* The public calls of librpcrdma-check: one connection, fed event by event. */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/binding.h>

struct rpcrdma_check *rpcrdma_check_init(void *memory, size_t size,
                                         const struct rpcrdma_check_config *config)
{
    return rpcrdma_state_init(memory, size, config, rpcrdma_bindings);
}

static void judge_send(struct rpcrdma_check *check, const struct rpcrdma_event *event,
                       struct rpcrdma_judgement *judgement)
{
    struct rpcrdma_send send;
    rpcrdma_send_begin(&send, check, event, judgement);
    rpcrdma_find_answered(&send);
    rpcrdma_judge_header(&send);
    rpcrdma_judge_message(&send);
    rpcrdma_judge_binding(&send);
    rpcrdma_judge_answer(&send);
    rpcrdma_judge_connection(&send);
    if (send.receivers & RECEIVER_RESPONDER)
        judgement->reactions |= send.review.open[RPCRDMA_RESPONDER];
    if (send.receivers & RECEIVER_REQUESTER)
        judgement->reactions |= send.review.open[RPCRDMA_REQUESTER];
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
    case RPCRDMA_EVENT_SEND:
    case RPCRDMA_EVENT_DISCONNECT:
        break;
    }
}
