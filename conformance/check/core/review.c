// SPDX-License-Identifier: BSD-3-Clause
/* One event under review: an empty judgement that broken rules fill. */
#include "conformance/check/core/review.h"

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
