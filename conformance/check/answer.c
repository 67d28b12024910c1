// SPDX-License-Identifier: BSD-3-Clause
/* The RDMA_ERROR with which a Responder answers a Send that it cannot take (RFC 8166 section 4.5).
 */
#include "conformance/check/rules/rules.h"

/* Of the reactions that are open to a Responder the one that tells the Requester most. An
 * RDMA_ERROR is never answered, lest two sides do so forever. */
static enum rpcrdma_reaction choose(const struct rpcrdma_send *send)
{
    uint32_t open = send->review.open[RPCRDMA_RESPONDER];
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    if (judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR)
        return RPCRDMA_DISCARD;
    if ((open & RPCRDMA_PROCESS) || judgement->direction == RPCRDMA_REPLY)
        return RPCRDMA_PROCESS;
    if (open & RPCRDMA_ERR_VERS)
        return RPCRDMA_ERR_VERS;
    return open & RPCRDMA_ERR_CHUNK ? RPCRDMA_ERR_CHUNK : RPCRDMA_DISCARD;
}

enum rpcrdma_reaction rpcrdma_check_answer(const void *octets, size_t length, uint32_t credits,
                                           uint8_t answer[RPCRDMA_ANSWER_MAX],
                                           size_t *answer_length)
{
    struct rpcrdma_check nothing = {.config = {.max_calls = 0}};
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .data = octets, .length = length};
    struct rpcrdma_judgement judgement;
    struct rpcrdma_send send;
    rpcrdma_send_begin(&send, &nothing, &event, &judgement);
    rpcrdma_judge_header(&send);
    rpcrdma_judge_message(&send);
    enum rpcrdma_reaction reaction = choose(&send);
    bool version = reaction == RPCRDMA_ERR_VERS;
    *answer_length = 0;
    if (!version && reaction != RPCRDMA_ERR_CHUNK)
        return reaction;
    struct rpcrdma1_header header = {
        .rdma_xid = judgement.xid,
        .rdma_vers = judgement.version,
        .rdma_credit = credits > 0 ? credits : 1,
        .rdma_body = {.proc = RPCRDMA1_ERROR,
                      .rdma_error = {.err = version ? RPCRDMA1_ERR_VERS : RPCRDMA1_ERR_CHUNK,
                                     .range = {RPCRDMA_VERSION_1, RPCRDMA_VERSION_1}}}};
    ptrdiff_t octets_written = rpcrdma1_header_encode(answer, RPCRDMA_ANSWER_MAX, &header, NULL);
    *answer_length = octets_written > 0 ? (size_t)octets_written : 0;
    return reaction;
}
