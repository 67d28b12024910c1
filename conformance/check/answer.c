// SPDX-License-Identifier: BSD-3-Clause
/*
 * The error with which a Responder answers a Send that it cannot take: RFC 8166 section 4.5, and
 * section 7 of the later draft of version 2 or section 6.2.4 of the earlier one.
 */
#include "conformance/check/rules/rules.h"
#include "conformance/base/count.h"

/* Errors that a Send is answered by, the one that tells its sender most first. Whether resources
 * are short only the Responder knows. */
static const enum rpcrdma_reaction preferred[] = {
    RPCRDMA_ERR_VERS,         RPCRDMA_ERR_VERS_MISMATCH,  RPCRDMA_ERR_CHUNK,
    RPCRDMA_ERR_INVALID_PROC, RPCRDMA_ERR_INVALID_OPTION, RPCRDMA_ERR_INVAL_HTYPE,
    RPCRDMA_ERR_BAD_PROPVAL,  RPCRDMA_ERR_INVAL_CONT,     RPCRDMA_ERR_BAD_XDR,
    RPCRDMA_ERR_SYSTEM,
};

/* An error is never answered, lest two sides do so forever. Errors have one type in all versions.
 */
static enum rpcrdma_reaction choose(const struct rpcrdma_judgement *judgement, uint32_t open)
{
    if (judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR)
        return RPCRDMA_DISCARD;
    if ((open & RPCRDMA_PROCESS) || judgement->direction == RPCRDMA_REPLY)
        return RPCRDMA_PROCESS;
    for (unsigned i = 0; i < COUNT(preferred); i++)
        if (open & preferred[i])
            return preferred[i];
    return RPCRDMA_DISCARD;
}

/* ---- octets ---- */

static ptrdiff_t encode_1(uint8_t *answer, const struct rpcrdma_prefix *prefix, bool version)
{
    struct rpcrdma1_header header = {
        .rdma_xid = prefix->xid,
        .rdma_vers = prefix->version,
        .rdma_credit = prefix->credit,
        .rdma_body = {.proc = RPCRDMA1_ERROR,
                      .rdma_error = {.err = version ? RPCRDMA1_ERR_VERS : RPCRDMA1_ERR_CHUNK,
                                     .range = {RPCRDMA_VERSION_1, RPCRDMA_VERSION_1}}}};
    return rpcrdma1_header_encode(answer, RPCRDMA_ANSWER_MAX, &header, NULL);
}

/* Grants of -07 are totals, and 0 is a valid one. */
static size_t encode(uint8_t *answer, const struct rpcrdma_judgement *judgement, uint32_t credits,
                     enum rpcrdma_reaction reaction)
{
    bool is_total = judgement->protocol == RPCRDMA_PROTOCOL_2_07;
    const struct rpcrdma_prefix prefix = {.xid = judgement->xid,
                                          .version = judgement->version,
                                          .credit = credits > 0 || is_total ? credits : 1};
    ptrdiff_t length;
    if (reaction == RPCRDMA_PROCESS || reaction == RPCRDMA_DISCARD || !judgement->has_procedure)
        return 0;
    if (judgement->protocol == RPCRDMA_PROTOCOL_1)
        length = encode_1(answer, &prefix, reaction == RPCRDMA_ERR_VERS);
    else
        length = rpcrdma_encode_error2(judgement->protocol, answer, &prefix, reaction);
    return length > 0 ? (size_t)length : 0;
}

/* ---- one Send by itself ---- */

static uint32_t judge_1(struct rpcrdma_send *send)
{
    rpcrdma_judge_header(send);
    rpcrdma_judge_message(send);
    return send->review.open[RPCRDMA_RESPONDER];
}

static uint32_t judge_2(struct rpcrdma_send *send, enum rpcrdma_protocol protocol)
{
    struct rpcrdma_judgement *judgement = send->review.judgement;
    judgement->protocol = protocol;
    review_use(&send->review, protocol);
    if (judgement->has_procedure && judgement->version != RPCRDMA_VERSION_2)
        return RPCRDMA_ERR_VERS;
    rpcrdma_judge_header2(send);
    if (is_inline(send))
        rpcrdma_judge_payload(send);
    rpcrdma_judge_message(send);
    uint32_t open = send->review.open[RPCRDMA_RESPONDER];
    /* BAD_XDR has the number of ERR_CHUNK, which the rules of all versions name. */
    return open & RPCRDMA_ERR_CHUNK ? (open & ~(uint32_t)RPCRDMA_ERR_CHUNK) | RPCRDMA_ERR_BAD_XDR
                                    : open;
}

enum rpcrdma_reaction rpcrdma_check_answer(enum rpcrdma_protocol protocol, const void *octets,
                                           size_t length, uint32_t credits,
                                           uint8_t answer[RPCRDMA_ANSWER_MAX],
                                           size_t *answer_length)
{
    *answer_length = 0;
    if (protocol != RPCRDMA_PROTOCOL_1 && !rpcrdma_protocol_is_draft(protocol))
        return RPCRDMA_DISCARD;
    struct rpcrdma_check nothing = {.config = {.max_calls = 0}};
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND, .data = octets, .length = length};
    struct rpcrdma_judgement judgement;
    struct rpcrdma_send send;
    rpcrdma_send_begin(&send, &nothing, &event, &judgement);
    uint32_t open = protocol == RPCRDMA_PROTOCOL_1 ? judge_1(&send) : judge_2(&send, protocol);
    enum rpcrdma_reaction reaction = choose(&judgement, open);
    *answer_length = encode(answer, &judgement, credits, reaction);
    return reaction;
}

/* To pass over a bad value is for who does not know the property; here all of the draft are. */
static uint32_t open_to_one_who_knows(const struct rpcrdma_judgement *judgement)
{
    uint32_t open = judgement->reactions;
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].rule == rpcrdma_own_rules[0].value_form ||
            judgement->findings[i].rule == rpcrdma_own_rules[1].value_form)
            open &= ~(uint32_t)RPCRDMA_PROCESS;
    return open;
}

enum rpcrdma_reaction rpcrdma_judgement_answer(const struct rpcrdma_judgement *judgement,
                                               uint32_t credits, uint8_t answer[RPCRDMA_ANSWER_MAX],
                                               size_t *answer_length)
{
    enum rpcrdma_reaction reaction = choose(judgement, open_to_one_who_knows(judgement));
    *answer_length = encode(answer, judgement, credits, reaction);
    return reaction;
}
