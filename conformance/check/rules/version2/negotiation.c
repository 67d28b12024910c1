// SPDX-License-Identifier: BSD-3-Clause
/*
 * Which version the sides speak, and by whose rules a Send is judged: those of the version that its
 * own version word names (draft -07 sections 4.3, 7.1.1 and 7.1.2; draft -04 section 7).
 *
 * A client offers version 2 with its first Send and may find a server that refuses it. Nothing on
 * the wire names the draft. A Send that no draft reads which is known here is an offer of some
 * later version to RFC 8166, and nothing else.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

static bool is_unseen(const struct rpcrdma_check *check)
{
    return check->config.mid_stream || check->traffic[RPCRDMA_CLIENT].forgot;
}

/* Nothing was sent before, or it is not known what was. */
static bool is_first(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    return check->side[RPCRDMA_CLIENT].sends == 0 && check->two.side[RPCRDMA_CLIENT].sends == 0 &&
           !is_unseen(check);
}

/* ---- which draft ---- */

/* As far as it was recorded. */
static bool decodes(const struct rpcrdma_send *send, enum rpcrdma_protocol protocol)
{
    struct rpcrdma_message message;
    ptrdiff_t n = rpcrdma_message_decode(&message, protocol, send->octets, send->length, NULL);
    return !rpcrdma_xdr_failed(n) || (send->missing > 0 && n == RPCRDMA_XDR_E_TRUNCATED);
}

/* Its type alone tells the draft, for the other one has none of that number. */
static bool has_own_type(const struct rpcrdma_send *send)
{
    uint32_t type = send->review.judgement->procedure;
    return send->review.judgement->has_procedure &&
           (type <= RPCRDMA2_04_NOMSG ||
            (type > RPCRDMA2_04_UPDPROP && type <= RPCRDMA2_07_REPLY_INLINE));
}

/* A Send is of the other draft than those before it: what was read of them by the wrong rules
 * proves nothing. If that draft was sure, both are in doubt now. */
static void change_draft(struct rpcrdma_send *send, enum rpcrdma_protocol draft, bool sure)
{
    struct version2 *two = &send->review.check->two;
    rpcrdma_state_gap(send->review.check);
    send->answers = NULL;
    two->draft_is_sure = sure && !two->draft_is_sure;
    two->protocol = draft;
    two->told_by = 0;
}

/* What the Sends show until both sides have told it; false if no draft is known that reads them. A
 * broken Send of one draft may be a good one of the other. */
static bool guess_draft(struct rpcrdma_send *send)
{
    struct version2 *two = &send->review.check->two;
    bool first = is_first(send) && two->side[RPCRDMA_SERVER].sends == 0, sure;
    enum rpcrdma_protocol guess = rpcrdma_guess_draft(send->octets, send->length, first, &sure);
    bool good = decodes(send, guess) && (send->missing == 0 || has_own_type(send));
    if (good && two->decoded && sure && guess != two->protocol) {
        change_draft(send, guess, sure);
    } else if (good && (sure || !two->decoded)) {
        two->protocol = guess;
        two->draft_is_sure = sure;
    }
    two->told_by |= (uint8_t)((good && has_own_type(send)) << send->review.event->from);
    two->decoded = two->decoded || good;
    return two->decoded;
}

static bool choose_draft(struct rpcrdma_send *send)
{
    struct version2 *two = &send->review.check->two;
    enum rpcrdma_protocol draft = send->review.check->config.draft;
    if (draft == RPCRDMA_PROTOCOL_AUTO)
        draft = send->review.event->draft;
    if (!rpcrdma_protocol_is_draft(draft))
        return two->told_by == TOLD_BY_BOTH || guess_draft(send);
    two->protocol = draft;
    return two->draft_is_sure = two->decoded = true;
}

static void use_draft(struct rpcrdma_send *send)
{
    const struct version2 *two = &send->review.check->two;
    send->review.judgement->protocol = two->protocol;
    send->review.judgement->draft_is_sure = two->draft_is_sure;
    review_use(&send->review, two->protocol);
}

/* ---- which version ---- */

/* Of any version. */
static bool is_error(const struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    return judgement->has_procedure && judgement->procedure == RPCRDMA2_07_ERROR;
}

/* The code that only -07 has, in an error of any version. */
static bool is_mismatch(const struct rpcrdma_send *send)
{
    size_t at = RPCRDMA2_07_HDR_PREFIX_SIZE;
    return send->length >= at + 4 &&
           rpcrdma_xdr_load32(send->octets + at) == RPCRDMA2_07_ERR_VERS_MISMATCH;
}

/* It answers a message of another version, on a connection that speaks -07. */
static bool is_unseen_mismatch(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    bool is_07 = check->two.decoded ? check->two.protocol == RPCRDMA_PROTOCOL_2_07
                                    : check->config.draft == RPCRDMA_PROTOCOL_2_07;
    return is_07 && is_unseen(check) && is_error(send) && is_mismatch(send);
}

/* A server that does not speak version 2 says so, as far as the error was recorded. It repeats the
 * version word of what it refuses. */
static bool is_refusal(const struct rpcrdma_send *send)
{
    const uint8_t *at = send->octets + RPCRDMA2_07_HDR_PREFIX_SIZE;
    if (!is_error(send) || send->length < RPCRDMA2_07_HDR_PREFIX_SIZE + 12)
        return is_error(send) && send->missing > 0;
    return rpcrdma_xdr_load32(at) == RPCRDMA2_07_ERR_VERS &&
           (rpcrdma_xdr_load32(at + 4) > RPCRDMA_VERSION_2 ||
            rpcrdma_xdr_load32(at + 8) < RPCRDMA_VERSION_2);
}

/* Version 1 was spoken before; or something of version 2 that no draft could read here, and then
 * what follows is of no draft that is known either. */
static bool is_outside(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    const struct traffic *traffic = &check->traffic[RPCRDMA_CLIENT];
    bool is_auto = check->config.draft == RPCRDMA_PROTOCOL_AUTO;
    if (traffic->answers > 0 || (is_auto && check->side[RPCRDMA_CLIENT].speaks_2))
        return true;
    if (is_error(send) && send->answers && send->answers->version == RPCRDMA_VERSION_1)
        return true;
    if (is_unseen(check))
        return is_auto && is_refusal(send);
    if (is_auto && is_error(send))
        return true;
    return send->review.event->from == RPCRDMA_SERVER &&
           (is_auto ? check->side[RPCRDMA_CLIENT].sends : traffic->calls) > 0;
}

/* A client that goes on after ERR_VERS. True: by its version's rules nothing else is to be said. */
static bool check_refused(struct rpcrdma_send *send)
{
    const struct version2 *two = &send->review.check->two;
    uint32_t version = send->review.judgement->version;
    if (send->review.event->from != RPCRDMA_CLIENT || is_error(send) ||
        !send->review.judgement->has_version || two->low > two->high ||
        (version >= two->low && version <= two->high))
        return false;
    break_rule(&send->review,
               two->protocol == RPCRDMA_PROTOCOL_2_04 ? RPCRDMA2_04_7_2_REFUSED_VERSION_NOT_USED
                                                      : RPCRDMA2_07_7_1_1_REFUSED_VERSION_NOT_USED,
               RPCRDMA1_AT_RDMA_VERS, RESPONDER_MAY(RPCRDMA_ERR_VERS),
               "the version is %u; the server speaks %u to %u", version, two->low, two->high);
    return true;
}

/* What a server sends in another version than the client's first message has. */
static void check_server_version(struct rpcrdma_send *send)
{
    const struct version2 *two = &send->review.check->two;
    break_rule(&send->review,
               two->protocol == RPCRDMA_PROTOCOL_2_04 ? RPCRDMA2_04_7_3_REPLIES_KEEP_VERSION
                                                      : RPCRDMA2_07_4_3_3_SERVER_VERSION,
               RPCRDMA1_AT_RDMA_VERS, EITHER_MAY(RPCRDMA_DISCARD, RPCRDMA_DISCARD),
               "the version is %u; the client's first message has 2",
               send->review.judgement->version);
}

/* A Send of another version, after one of version 2. */
static enum judged_by other_version(struct rpcrdma_send *send)
{
    const struct version2 *two = &send->review.check->two;
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    bool is_07 = two->protocol == RPCRDMA_PROTOCOL_2_07;
    bool settled = two->state == VERSION_SETTLED;
    if (two->state == VERSION_REFUSED)
        return check_refused(send) ? JUDGED_ALREADY : BY_VERSION_1;
    if (is_error(send)) /* it has the version of what it answers */
        return settled && is_07 && (send->answers || is_mismatch(send)) ? BY_VERSION_2
                                                                        : BY_VERSION_1;
    if (send->review.event->from == RPCRDMA_SERVER) {
        if (send->answers ? send->answers->version != RPCRDMA_VERSION_2 : !(settled && is_07))
            return BY_VERSION_1;
        check_server_version(send);
        return JUDGED_ALREADY;
    }
    if (!settled || !is_07)
        return BY_VERSION_1;
    break_rule(&send->review, RPCRDMA2_07_4_3_3_CLIENT_VERSION, RPCRDMA1_AT_RDMA_VERS,
               EITHER_MAY(RPCRDMA_ERR_VERS_MISMATCH | RPCRDMA_ERR_VERS, RPCRDMA_DISCARD),
               "the version is %u; the server has taken version 2", judgement->version);
    return JUDGED_ALREADY;
}

/* A server cannot know which version to speak. */
static void check_server_first(struct rpcrdma_send *send)
{
    if (send->review.event->from == RPCRDMA_SERVER && is_first(send) &&
        send->review.check->two.side[RPCRDMA_SERVER].sends == 0 &&
        send->review.judgement->protocol == RPCRDMA_PROTOCOL_2_07)
        break_rule(&send->review, RPCRDMA2_07_4_3_3_SERVER_WAITS, RPCRDMA_NO_OFFSET,
                   EITHER_MAY(ALSO | RPCRDMA_DISCARD | RPCRDMA_CLOSE,
                              ALSO | RPCRDMA_DISCARD | RPCRDMA_CLOSE),
                   "a Send from the server before any from its client");
}

/* To a peer that knows RFC 8166 alone it is an offer. The configuration names a draft where both
 * sides are known to speak it. */
static void note_offer(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    if (check->config.draft != RPCRDMA_PROTOCOL_AUTO || !send->is_first ||
        !send->review.judgement->has_version)
        return;
    review_use(&send->review, RPCRDMA_PROTOCOL_1);
    break_rule(&send->review, RPCRDMA_RFC8166_7_LATER_VERSION_OFFERED, RPCRDMA1_AT_RDMA_VERS,
               RESPONDER_MAY(
                   ALSO | (send->total < RPCRDMA1_HEADER_MIN ? RPCRDMA_DISCARD : RPCRDMA_ERR_VERS)),
               "version 2 is offered");
    use_draft(send);
}

enum judged_by rpcrdma_judge_version(struct rpcrdma_send *send)
{
    const struct version2 *two = &send->review.check->two;
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    bool is_2 = judgement->has_version ? judgement->version == RPCRDMA_VERSION_2
                                       : two->state == VERSION_SETTLED;
    if (two->state == VERSION_OPEN && !is_2 && is_unseen_mismatch(send)) {
        use_draft(send);
        return BY_VERSION_2;
    }
    if (two->state == VERSION_OPEN && (!is_2 || is_outside(send)))
        return BY_VERSION_1;
    if (is_2 && !choose_draft(send)) {
        if (send->missing == 0)
            return BY_VERSION_1;
        rpcrdma_state_gap(send->review.check); /* it may have been anything */
        return JUDGED_ALREADY;
    }
    use_draft(send);
    if (!is_2) {
        enum judged_by by = other_version(send);
        if (by == BY_VERSION_1) {
            review_use(&send->review, RPCRDMA_PROTOCOL_1);
            send->review.judgement->protocol = RPCRDMA_PROTOCOL_1;
            send->review.judgement->draft_is_sure = false;
        }
        return by;
    }
    if (two->state == VERSION_REFUSED && check_refused(send))
        return JUDGED_ALREADY;
    send->is_first = send->review.event->from == RPCRDMA_CLIENT && is_first(send);
    check_server_first(send);
    note_offer(send);
    return BY_VERSION_2;
}

/* ---- what follows from it ---- */

/* An ERR_VERS that was taken: the client chooses again. */
static bool refuses(const struct rpcrdma_send *send)
{
    return send->state == HEADER_DECODED && send->message.kind == RPCRDMA_KIND_ERROR &&
           send->message.error.code == RPCRDMA2_07_ERR_VERS;
}

/* It does not show that the client has spoken the version. */
static bool is_lone_error(const struct rpcrdma_send *send)
{
    return send->review.check->two.state == VERSION_OPEN && send->state == HEADER_DECODED &&
           send->message.kind == RPCRDMA_KIND_ERROR;
}

void rpcrdma_settle_version(struct rpcrdma_send *send, enum judged_by by)
{
    struct rpcrdma_check *check = send->review.check;
    struct version2 *two = &check->two;
    bool from_server = send->review.event->from == RPCRDMA_SERVER;
    if (by == BY_VERSION_2)
        send->own->sends++;
    if (by == JUDGED_ALREADY)
        check->side[send->review.event->from].sends++;
    if (from_server && two->state == VERSION_OFFERED && refuses(send) && send->answers) {
        two->state = VERSION_REFUSED;
        two->low = send->message.error.value[0];
        two->high = send->message.error.value[1];
    } else if (by == BY_VERSION_1) {
        /* Version 1 is taken: it is as if nothing had been offered. */
        if (two->state == VERSION_REFUSED && check->traffic[RPCRDMA_CLIENT].answers > 0)
            two->state = VERSION_OPEN;
    } else if (by == BY_VERSION_2 && !refuses(send)) {
        if (from_server && !is_lone_error(send))
            two->state = VERSION_SETTLED;
        else if (!from_server && two->state != VERSION_SETTLED)
            two->state = VERSION_OFFERED;
    }
}
