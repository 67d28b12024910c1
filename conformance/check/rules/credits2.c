// SPDX-License-Identifier: BSD-3-Clause
/*
 * Credits of draft -07 (section 4.2.1): each side counts its Sends, and its peer's latest total
 * says how many there may be. Numbers are modulo 2^32.
 */
#include "conformance/check/rules/rules.h"

void rpcrdma_judge_credits2(struct rpcrdma_send *send)
{
    enum rpcrdma_endpoint from = send->review.event->from;
    struct side2 *side = send->review.check->two.side;
    if (!is_07(send))
        return;
    side[from].credits.sent++;
    if (send->review.judgement->has_credit)
        side[other(from)].credits.limit = send->review.judgement->credit;
}
