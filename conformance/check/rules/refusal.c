// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a Responder must refuse, and took all the same (RFC 8166 sections 4.5.2, 4.6.1 and 6.1), and
 * what it must drop, and answered (sections 4.2.4, 4.5 and 4.6.2). What was sent shows how it has
 * to be met, the answer that it was not: so the answer breaks the rule.
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
    if (send->is_padded)
        return REFUSE_MSGP;
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
    if (call->mixed || call->resent)
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
    else if (call->refusal == REFUSE_MSGP)
        break_rule(&send->review, RPCRDMA_RFC8166_4_6_1_MSGP_REFUSED, RPCRDMA1_AT_PROC, NO_REACTION,
                   "a Reply answers an RDMA_MSGP, which is for ERR_CHUNK to answer");
}

static struct dropped *find_dropped(struct side *side, uint32_t xid)
{
    for (uint32_t i = 0; i < side->drops && i < DROPPED; i++)
        if (side->dropped[i].xid == xid && side->dropped[i].drop != DROP_NOTHING)
            return &side->dropped[i];
    return NULL;
}

void rpcrdma_take_dropped(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    const struct traffic *callers = &check->traffic[other(send->review.event->from)];
    struct side *side = &send->review.check->side[send->review.event->from];
    bool is_stray = !send->answers && callers->calls == 0 && !callers->forgot;
    enum drop drop = send->drop == DROP_ERROR && !is_stray ? DROP_NOTHING : send->drop;
    struct dropped *dropped = judgement->has_xid ? find_dropped(side, judgement->xid) : NULL;
    if (dropped)
        dropped->drop = (uint8_t)drop;
    else if (judgement->has_xid && drop != DROP_NOTHING)
        side->dropped[side->drops++ % DROPPED] = (struct dropped){judgement->xid, (uint8_t)drop};
}

/* Where a Call had the same XID the error can be a second answer to that one: no section says in
 * words that there is none. */
bool rpcrdma_answers_dropped(struct rpcrdma_send *send)
{
    static const struct {
        enum rpcrdma_rule rule;
        const char *what;
    } rows[] = {
        [DROP_SHORT] = {RPCRDMA_RFC8166_4_5_SHORT_MESSAGE_DISCARDED,
                        "an RDMA_ERROR answers the message with XID 0x%x, which is too short"},
        [DROP_DONE] = {RPCRDMA_RFC8166_4_6_2_DONE_DISCARDED,
                       "an RDMA_ERROR answers an RDMA_DONE, with XID 0x%x"},
        [DROP_ERROR] = {RPCRDMA_RFC8166_4_2_4_RESPONDER_DROPS_ERROR,
                        "an RDMA_ERROR answers another one, with XID 0x%x"},
    };
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint peer = other(send->review.event->from);
    uint32_t xid = send->review.judgement->xid;
    const struct dropped *dropped = find_dropped(&check->side[peer], xid);
    if (dropped == NULL)
        return false;
    bool is_sure = rpcrdma_state_find(check, peer, xid) == NULL;
    break_rule_as(&send->review, is_sure ? RPCRDMA_VIOLATION : RPCRDMA_WARNING,
                  rows[dropped->drop].rule, RPCRDMA1_AT_RDMA_XID, REQUESTER_MAY(RPCRDMA_DISCARD),
                  rows[dropped->drop].what, xid);
    return true;
}
