// SPDX-License-Identifier: BSD-3-Clause
/* One event under review: an empty judgement that broken rules fill. */
#include "conformance/check/core/review.h"

void rpcrdma_review_begin(struct review *review, struct rpcrdma_check *check,
                          const struct rpcrdma_event *event, struct rpcrdma_judgement *judgement)
{
    review->check = check;
    review->event = event;
    review->judgement = judgement;
    review->open[RPCRDMA_REQUESTER] = review->open[RPCRDMA_RESPONDER] = RPCRDMA_PROCESS;
    judgement->has_xid = judgement->has_version = false;
    judgement->has_credit = judgement->has_procedure = false;
    judgement->xid = judgement->version = judgement->credit = judgement->procedure = 0;
    judgement->direction = RPCRDMA_DIRECTION_UNKNOWN;
    judgement->header_length = -1;
    judgement->reactions = 0;
    judgement->count = 0;
}

/* To take the message in, or, of an RDMA_ERROR, to end its RPC. */
#define GOING_ON ((uint32_t)(RPCRDMA_PROCESS | RPCRDMA_TERMINATE))

static void react(uint32_t *open, uint32_t reactions)
{
    if (reactions & ALSO)
        *open |= reactions & ~ALSO;
    else if (reactions != 0 && (*open & GOING_ON))
        *open = (*open & ~GOING_ON) | reactions;
}

void rpcrdma_react(struct review *review, struct reactions reactions)
{
    react(&review->open[RPCRDMA_REQUESTER], reactions.requester);
    react(&review->open[RPCRDMA_RESPONDER], reactions.responder);
}

void rpcrdma_break_rule(struct review *review, enum rpcrdma_rule rule, int64_t offset,
                        struct reactions reactions, const char *format, uint64_t a, uint64_t b,
                        uint64_t c)
{
    struct rpcrdma_judgement *judgement = review->judgement;
    rpcrdma_react(review, reactions);
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].rule == rule)
            return;
    if (judgement->count == RPCRDMA_FINDINGS)
        return;
    judgement->findings[judgement->count++] = (struct rpcrdma_finding){
        .rule = rule,
        .severity = (enum rpcrdma_severity)rpcrdma_requirements[rule].severity,
        .offset = offset,
        .format = format,
        .value = {a, b, c},
    };
}
