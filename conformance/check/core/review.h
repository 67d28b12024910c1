// SPDX-License-Identifier: BSD-3-Clause
/* Inside librpcrdma-check: one event under review, and how a broken rule is reported. */
#ifndef CONFORMANCE_REVIEW_H
#define CONFORMANCE_REVIEW_H

#include "conformance/check/core/state.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma.h>

/* Rules of a draft of version 2, held beside those of version 1. RPCRDMA_RULES: it has none. */
struct own_rules {
    enum rpcrdma_rule positions_ascend, items_not_at_zero;          /* of the Read list */
    enum rpcrdma_rule call_chunk_position_zero, call_chunk_present; /* of the Call chunk */
    enum rpcrdma_rule reply_chunk_present, reply_chunk_holds_payload;
    enum rpcrdma_rule direction;      /* the RPC message goes the way that the header says */
    enum rpcrdma_rule answers_unseen; /* broken where what is answered, or its end, was not seen */
    enum rpcrdma_rule value_form;     /* of a property */
};

/* By draft. */
extern const struct own_rules rpcrdma_own_rules[2];

struct review {
    struct rpcrdma_check *check;
    const struct rpcrdma_event *event;
    enum rpcrdma_endpoint author; /* of what is judged */
    struct rpcrdma_judgement *judgement;
    uint32_t open[2]; /* reactions open to the receiver of a Send, by enum rpcrdma_role */
    const uint16_t
        *rules; /* version 2: under which id each rule holds; NULL: all under their own */
    const struct own_rules *own; /* NULL in version 1 */
};

/* By draft and rule: the rule that says the same there, or RPCRDMA_RULES if nothing does. */
extern const uint16_t rpcrdma_shared_rules[2][RPCRDMA_RULES];

/* Judge by the rules of this protocol. */
static inline void review_use(struct review *review, enum rpcrdma_protocol protocol)
{
    bool is_draft = rpcrdma_protocol_is_draft(protocol);
    review->rules = is_draft ? rpcrdma_shared_rules[protocol - RPCRDMA_PROTOCOL_2_04] : NULL;
    review->own = is_draft ? &rpcrdma_own_rules[protocol - RPCRDMA_PROTOCOL_2_04] : NULL;
}

/* The rule of the protocol in use that says what this one says, or RPCRDMA_RULES. */
static inline enum rpcrdma_rule rule_in_force(const struct review *review, enum rpcrdma_rule rule)
{
    return review->rules == NULL ? rule : (enum rpcrdma_rule)review->rules[rule];
}

/* What a fault leaves open to each receiver. 0: what was open before. */
struct reactions {
    uint32_t requester, responder;
};

/* Besides what it may do already, and not instead of going on. */
#define ALSO (1u << 31)

#define NO_REACTION ((struct reactions){0, 0})
#define RESPONDER_MAY(set) ((struct reactions){0, set})
#define REQUESTER_MAY(set) ((struct reactions){set, 0})
#define EITHER_MAY(responder, requester) ((struct reactions){requester, responder})

/* Begin to review an event: an empty judgement. */
static inline void review_begin(struct review *review, struct rpcrdma_check *check,
                                const struct rpcrdma_event *event,
                                struct rpcrdma_judgement *judgement)
{
    review->check = check;
    review->event = event;
    review->author = event->from;
    review->judgement = judgement;
    review->open[RPCRDMA_REQUESTER] = review->open[RPCRDMA_RESPONDER] = RPCRDMA_PROCESS;
    judgement->has_xid = judgement->has_version = false;
    judgement->has_credit = judgement->has_procedure = false;
    judgement->xid = judgement->version = judgement->credit = judgement->procedure = 0;
    judgement->direction = RPCRDMA_DIRECTION_UNKNOWN;
    review_use(review, RPCRDMA_PROTOCOL_1);
    judgement->header_length = judgement->payload = -1;
    judgement->protocol = RPCRDMA_PROTOCOL_1;
    judgement->draft_is_sure = false;
    judgement->kind = RPCRDMA_KIND_RPC;
    judgement->form = RPCRDMA_FORM_INLINE;
    judgement->remaining = 0;
    judgement->reactions = 0;
    judgement->count = 0;
}

/*
 * Report that the event breaks a rule, and what its receivers may do about it. The register gives
 * the severity. A rule is reported once an event, at its first place. `format` lives forever and
 * holds up to three %u (decimal) or %x (hexadecimal), for the values that follow it.
 *
 * Reactions replace to go on with the message; where an earlier fault has stopped a receiver
 * already, that one decides.
 *
 * A rule of version 1 is reported in version 2 under the id that says the same there. Where none
 * does, nothing happens at all; nor with a rule that unjudged.tsv says is not judged yet.
 */
#define break_rule(review, rule, offset, reactions, ...)                                           \
    rpcrdma_break_rule(review, rule, offset, reactions, FORMAT_AND_3(__VA_ARGS__, 0, 0, 0, unused))
#define FORMAT_AND_3(format, a, b, c, ...) format, a, b, c
__attribute__((cold)) void rpcrdma_break_rule(struct review *review, enum rpcrdma_rule rule,
                                              int64_t offset, struct reactions reactions,
                                              const char *format, uint64_t a, uint64_t b,
                                              uint64_t c);

/* The reactions alone: of a message that breaks no rule, or of a rule that was reported before. */
void rpcrdma_react(struct review *review, struct reactions reactions);

/* As rpcrdma_break_rule(), where the case at hand is less severe than the register says. */
#define break_rule_as(review, severity, rule, offset, reactions, ...)                              \
    rpcrdma_break_rule_as(review, severity, rule, offset, reactions,                               \
                          FORMAT_AND_3(__VA_ARGS__, 0, 0, 0, unused))
static inline void rpcrdma_break_rule_as(struct review *review, enum rpcrdma_severity severity,
                                         enum rpcrdma_rule rule, int64_t offset,
                                         struct reactions reactions, const char *format, uint64_t a,
                                         uint64_t b, uint64_t c)
{
    struct rpcrdma_judgement *judgement = review->judgement;
    unsigned before = judgement->count;
    rpcrdma_break_rule(review, rule, offset, reactions, format, a, b, c);
    if (judgement->count > before)
        judgement->findings[before].severity = severity;
}

#endif
