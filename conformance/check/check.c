// SPDX-License-Identifier: BSD-3-Clause
/* The public calls of librpcrdma-check: one connection, fed event by event. */
#include "conformance/check/core/checker.h"

static void check_send(struct send *send)
{
    struct rpcrdma_judgement *verdict = send->verdict;
    rpcrdma_find_answered(send);
    rpcrdma_judge_header(send);
    rpcrdma_judge_message(send);
    rpcrdma_judge_binding(send);
    rpcrdma_judge_answer(send);
    rpcrdma_judge_connection(send);
    if (send->receivers & RECEIVER_RESPONDER)
        verdict->reactions |= send->reactions[RECEIVER_RESPONDER];
    if (send->receivers & RECEIVER_REQUESTER)
        verdict->reactions |= send->reactions[RECEIVER_REQUESTER];
}

void rpcrdma_check_event(struct rpcrdma_check *check, const struct rpcrdma_event *event,
                         struct rpcrdma_judgement *verdict)
{
    struct send send;
    rpcrdma_send_begin(&send, check, event, verdict);
    switch (event->type) {
    case RPCRDMA_EVENT_SEND:
        check_send(&send);
        break;
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
        rpcrdma_judge_transfer(&send);
        break;
    case RPCRDMA_EVENT_PRIVATE_DATA:
        rpcrdma_judge_private_data(&send);
        break;
    case RPCRDMA_EVENT_GAP:
        rpcrdma_state_gap(check);
        break;
    case RPCRDMA_EVENT_DISCONNECT:
    case RPCRDMA_EVENT_ATOMIC:
    case RPCRDMA_EVENT_NOT_READY:
    case RPCRDMA_EVENT_REFUSED:
        break;
    }
}
