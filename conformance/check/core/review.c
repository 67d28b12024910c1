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

/*
 * What a rule of version 1 leaves open where a draft has it under an id of its own: no more than
 * its row there says, and going on or ending the RPC if that says so. BAD_XDR has the number of
 * ERR_CHUNK.
 */
static uint32_t adapt(uint32_t set, uint32_t row, bool is_requester, uint32_t not_open)
{
    uint32_t kept = set & (row | ALSO | (row & RPCRDMA_ERR_BAD_XDR ? RPCRDMA_ERR_CHUNK : 0));
    if (set == 0 || set & ALSO)
        return kept;
    kept |= row & RPCRDMA_PROCESS & ~not_open;
    if (is_requester && set & RPCRDMA_DISCARD)
        kept |= row & RPCRDMA_TERMINATE;
    return kept != 0 ? kept : set;
}

/* Where a rule was not reported yet, and there is room. */
static struct rpcrdma_finding *next_finding(struct rpcrdma_judgement *judgement,
                                            enum rpcrdma_rule rule)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].rule == rule)
            return NULL;
    return judgement->count == RPCRDMA_FINDINGS ? NULL : &judgement->findings[judgement->count++];
}

/* The rules that are broken where no Call was seen, or not its end, or no request. */
static bool rests_on_absence(const struct review *review, enum rpcrdma_rule rule)
{
    return rule == RPCRDMA_RFC8166_2_2_2_REPLY_MATCHES_CALL ||
           rule == RPCRDMA_RFC8166_4_5_ERROR_WITHOUT_CALL ||
           (review->own && rule == review->own->answers_unseen) ||
           rule == RPCRDMA_RFC8166_4_5_3_ONLY_RESPONDER_INITIATES ||
           rule == RPCRDMA_RFC8166_4_5_3_WITHIN_OFFERED_MEMORY;
}

void rpcrdma_break_rule(struct review *review, enum rpcrdma_rule rule, int64_t offset,
                        struct reactions reactions, const char *format, uint64_t a, uint64_t b,
                        uint64_t c)
{
    enum rpcrdma_rule here = rule_in_force(review, rule);
    if (here == RPCRDMA_RULES || rpcrdma_requirements[here].severity < 0)
        return;
    bool unconfirmed = review->event->unconfirmed && rests_on_absence(review, rule);
    if (here != rule) {
        /* To go on with an error is to end its RPC. */
        uint32_t not_open = review->judgement->kind == RPCRDMA_KIND_ERROR ? RPCRDMA_PROCESS : 0;
        uint32_t row = rpcrdma_requirements[here].reactions;
        reactions.requester = adapt(reactions.requester, row, true, not_open);
        reactions.responder = adapt(reactions.responder, row, false, not_open);
        rule = here;
    }
    rpcrdma_react(review, reactions);
    struct rpcrdma_finding *finding = next_finding(review->judgement, rule);
    if (finding != NULL)
        *finding = (struct rpcrdma_finding){
            .rule = rule,
            .severity = unconfirmed ? RPCRDMA_NOTE
                                    : (enum rpcrdma_severity)rpcrdma_requirements[rule].severity,
            .from = review->author,
            .protocol = review->judgement->protocol,
            .offset = offset < 0 ? RPCRDMA_NO_OFFSET : offset,
            .format = format,
            .value = {a, b, c},
            .unconfirmed = unconfirmed,
        };
}
