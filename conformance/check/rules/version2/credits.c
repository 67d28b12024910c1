// SPDX-License-Identifier: BSD-3-Clause
/*
 * Credits of draft -07 (sections 4.2.1 and 4.3). Each side counts its Sends and goes by the last
 * total that it has received. Two things are left open and both are accepted here: whether a total
 * is made of the Sends or of the Receives of the side that says it, and whether a Send counts
 * itself. All numbers are modulo 2^32.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_07.h>

/* This many are advertised at most: less than 2^31 - 1. */
#define ADVERTISED_MAX (INT32_MAX - 1)

/* From this many on, drafts before -05 may have written two numbers of 16 bits. */
#define HALVES_MIN 65536

enum { AT_CREDIT = RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_CREDIT };

#define ALSO_CLOSE EITHER_MAY(ALSO | RPCRDMA_CLOSE, ALSO | RPCRDMA_CLOSE)

/* Sends that a side has posted. */
static uint32_t sent_by(const struct side2 *side)
{
    return side->credits.sent_before + (uint32_t)side->sends;
}

/* ---- what a Send uses up ---- */

/* RDMA2_GRANT can go one beyond the limit, for its receiver keeps a Receive for it, and further
 * where more was sent already when the last word came. Whether that is one beyond this Send or the
 * one after it depends on whether a Send counts itself. */
static void check_grant(struct rpcrdma_send *send, struct credits *credits)
{
    /* Seen from between the sides, each word that is still on its way may allow one. */
    bool between = send->review.check->config.seen_between;
    uint64_t allowed = 1 + (between ? send->peer->sends - send->own->received : 0);
    if (credits->grants_over++ >= allowed)
        break_rule(&send->review, RPCRDMA2_07_4_2_1_1_ONE_GRANT_BEYOND, RPCRDMA_NO_OFFSET,
                   ALSO_CLOSE, "grant %u in a row beyond the limit, which is %u Sends",
                   credits->grants_over, credits->limit);
}

/* `beyond` is how many more were sent before than the limit allows, such grants left out. */
static void check_beyond(struct rpcrdma_send *send, const struct credits *credits, uint32_t sent,
                         int32_t beyond)
{
    const struct side2 *peer = send->peer;
    if (beyond > 0)
        break_rule(&send->review, RPCRDMA2_07_4_2_1_SENDS_WITHIN_LIMIT, RPCRDMA_NO_OFFSET,
                   ALSO_CLOSE, "%u Sends were posted before; the limit is %u", sent,
                   credits->limit);
    else if (peer->sends == 0 && !credits->limited)
        break_rule(&send->review, RPCRDMA2_07_4_3_ONE_SEND_AT_FIRST, RPCRDMA_NO_OFFSET, ALSO_CLOSE,
                   "a second Send before anything came from the other side");
    else
        break_rule(&send->review, RPCRDMA2_07_4_2_1_SEND_AT_LIMIT, RPCRDMA_NO_OFFSET, ALSO_CLOSE,
                   "%u Sends were posted before, as many as the limit allows", sent);
}

static void check_limit(struct rpcrdma_send *send, struct credits *credits, uint32_t sent)
{
    int32_t beyond = (int32_t)(sent - credits->limit);
    bool is_grant = send->message.kind == RPCRDMA_KIND_GRANT;
    if (beyond < 0)
        credits->grants_over = 0;
    else if (is_grant && (uint32_t)beyond <= credits->beyond + credits->grants_over + 1)
        check_grant(send, credits);
    else
        check_beyond(send, credits, sent, beyond - (int32_t)credits->grants_over);
}

/* ---- what its credit word says ---- */

/* What the word advertises beyond a count that is one of `least` to `most`; or -1. */
static int64_t advertised(uint32_t word, uint32_t least, uint32_t most)
{
    uint32_t beyond = word - most;
    if (beyond <= ADVERTISED_MAX)
        return beyond;
    return word - least <= most - least ? 0 : -1;
}

/* By the reading that makes it the smallest number. What is still on its way is unknown, from
 * wherever it is seen: a side has received no more for certain than what it has answered. */
static int64_t least_advertised(const struct rpcrdma_send *send, uint32_t word)
{
    const struct side2 *side = send->own;
    const struct side2 *peer = send->peer;
    uint32_t sent = sent_by(side), came = sent_by(peer);
    int64_t by_sends = advertised(word, sent, sent + 1);
    if (by_sends >= 0 && by_sends < HALVES_MIN) /* as good as 0 */
        return by_sends;
    uint32_t unsure = (uint32_t)(peer->sends - side->received);
    int64_t by_receives = advertised(word, came - unsure, came);
    return by_sends < 0 || (by_receives >= 0 && by_receives < by_sends) ? by_receives : by_sends;
}

static void check_word(struct rpcrdma_send *send, uint32_t word)
{
    struct side2 *side = send->own;
    const struct side2 *peer = send->peer;
    const struct credits *bound = &peer->credits;
    int64_t more = least_advertised(send, word);
    if (more < 0) {
        break_rule(&send->review, RPCRDMA2_07_4_2_1_TOTAL_ABOVE_COUNT, AT_CREDIT, NO_REACTION,
                   "the total is %u; %u Sends went before and %u came", word, sent_by(side),
                   sent_by(peer));
    } else if (more >= HALVES_MIN && !side->credits.halves_told) {
        side->credits.halves_told = true;
        break_rule(&send->review, RPCRDMA2_07_4_2_1_TOTAL_OF_HALVES, AT_CREDIT, NO_REACTION,
                   "the total %u is %u above all counts", word, (uint64_t)more);
    }
    if (bound->limited && (int32_t)(word - bound->limit) < 0 && (int32_t)(word - sent_by(peer)) < 0)
        break_rule(&send->review, RPCRDMA2_07_4_2_1_TOTAL_FALLS, AT_CREDIT, NO_REACTION,
                   "the total falls from %u to %u; the other side has sent %u", bound->limit, word,
                   sent_by(peer));
}

/* An error about the version comes from a server that speaks another, maybe. */
static bool has_total(const struct rpcrdma_send *send)
{
    return send->message.prefix.version == RPCRDMA_VERSION_2 &&
           !(send->message.kind == RPCRDMA_KIND_ERROR &&
             send->message.error.code == RPCRDMA2_07_ERR_VERS);
}

/* What a receiver can drop need not have told it anything. */
static bool may_be_dropped(const struct rpcrdma_send *send)
{
    const uint32_t *open = send->review.open;
    return send->state != HEADER_DECODED ||
           (send->receivers & RPCRDMA_AS_RESPONDER && open[RPCRDMA_RESPONDER] & RPCRDMA_DISCARD) ||
           (send->receivers & RPCRDMA_AS_REQUESTER && open[RPCRDMA_REQUESTER] & RPCRDMA_DISCARD);
}

static void take_limit(struct rpcrdma_send *send, uint32_t word)
{
    const struct rpcrdma_check *check = send->review.check;
    struct credits *bound = &send->peer->credits;
    bool falls = bound->limited && (int32_t)(word - bound->limit) < 0;
    if (!falls || !(check->config.seen_between || may_be_dropped(send))) {
        bound->limit = word;
        bound->limited = true;
    }
    int32_t beyond = (int32_t)(sent_by(send->peer) - bound->limit);
    bound->beyond = beyond > 0 ? (uint32_t)beyond : 0;
    bound->grants_over = 0;
}

void rpcrdma_judge_credits2(struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    struct side2 *side = send->own;
    const struct side2 *peer = send->peer;
    bool decodes = judgement->header_length >= 0;
    if (!is_07(send) || send->review.check->config.credits != RPCRDMA_CREDITS_SUM ||
        !judgement->has_credit || (decodes && !has_total(send)))
        return;
    if (decodes && side->credits.counts_known)
        check_limit(send, &side->credits, sent_by(side));
    if (decodes && side->credits.counts_known && peer->credits.counts_known)
        check_word(send, judgement->credit);
    take_limit(send, judgement->credit);
}
