// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a Responder must refuse, and took all the same (RFC 8166 sections 4.5.2 and 6.1). The Call
 * shows that it has to be refused, the Reply that it was not: so the Reply breaks the rule.
 */
#include "conformance/check/rules/rules.h"

static bool has_finding(const struct rpcrdma_send *send, enum rpcrdma_rule rule)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    rule = rule_in_force(&send->review, rule);
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].rule == rule)
            return true;
    return false;
}

/* -07: to a misaligned Position an RPC Reply of GARBAGE_ARGS is an answer, too. */
static bool is_misaligned_07(const struct rpcrdma_send *send)
{
    uint32_t open = send->review.open[RPCRDMA_RESPONDER];
    return is_07(send) && has_finding(send, RPCRDMA_RFC8166_3_4_5_POSITION_MULTIPLE_OF_FOUR) &&
           (open & (RPCRDMA_PROCESS | RPCRDMA_DISCARD)) == 0;
}

enum refusal rpcrdma_refusal(const struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    uint32_t open = send->review.open[RPCRDMA_RESPONDER];
    bool is_judged = judgement->version == RPCRDMA_VERSION_1 || send->review.rules != NULL;
    if (is_judged && !send->may_be_overlooked && open != 0 &&
        (open & ~(uint32_t)(RPCRDMA_ERR_CHUNK | RPCRDMA_ERR_BAD_XDR)) == 0)
        return REFUSE_HEADER;
    if (is_misaligned_07(send))
        return REFUSE_EXECUTION;
    return has_finding(send, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED) ? REFUSE_INELIGIBLE
                                                                        : REFUSE_NOTHING;
}

void rpcrdma_judge_refusal(struct rpcrdma_send *send)
{
    const struct call *call = send->answers;
    if (call->refusal == REFUSE_NOTHING || call->mixed || call->resent)
        return;
    bool executed = send->rpc_length >= 0 && send->rpc.accepted && send->rpc.accept_stat == 0;
    if (call->refusal == REFUSE_HEADER || (call->refusal == REFUSE_EXECUTION && executed))
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_2_XDR_ERROR_ANSWERED, RPCRDMA1_AT_PROC,
                   NO_REACTION,
                   send->review.rules == NULL
                       ? "a Reply answers a Call whose header only ERR_CHUNK can answer"
                       : "a Reply answers a Call whose header only BAD_XDR can answer");
    else if (call->refusal == REFUSE_INELIGIBLE && executed)
        break_rule(&send->review, RPCRDMA_RFC8166_6_1_INELIGIBLE_CALL_NOT_EXECUTED,
                   send->review.judgement->header_length, NO_REACTION,
                   "a Call was executed that has an argument in a Read chunk that is not eligible");
}
