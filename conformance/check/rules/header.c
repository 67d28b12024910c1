// SPDX-License-Identifier: BSD-3-Clause
/*
 * Header scope: what one transport header shows by itself (RFC 8166 sections 3.4, 4.2 to 4.6).
 *
 * The tests stand in the order in which a receiver makes them, and each that fails ends the
 * judgement of what lies after it: a Send breaks the rule that it breaks first, and is not blamed
 * for the consequences.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpc.h>
#include <rpcrdma/rpcrdma.h>

/* ---- who receives it, and what it may do ---- */

void rpcrdma_set_receivers(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    if (judgement->direction == RPCRDMA_CALL)
        send->receivers = RPCRDMA_AS_RESPONDER;
    else if (judgement->direction == RPCRDMA_REPLY ||
             (send->answers && judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR))
        send->receivers = RPCRDMA_AS_REQUESTER;
    else if (check->config.reverse_direction || check->traffic[RPCRDMA_SERVER].calls > 0)
        send->receivers = RPCRDMA_AS_EITHER;
    else
        send->receivers = send->review.event->from == RPCRDMA_CLIENT ? RPCRDMA_AS_RESPONDER
                                                                     : RPCRDMA_AS_REQUESTER;
}

/* ---- RDMA_ERROR ---- */

/* Only version 1 is known to have no further codes: other versions fix just ERR_VERS (section 7).
 */
static bool error_is_judged(const struct rpcrdma_send *send)
{
    return send->review.judgement->version == RPCRDMA_VERSION_1 ||
           (send->length >= RPCRDMA1_ERROR_SIZE_MIN &&
            rpcrdma_xdr_load32(send->octets + RPCRDMA1_ERROR_AT_ERR) == RPCRDMA1_ERR_VERS);
}

void rpcrdma_judge_version_range(struct rpcrdma_send *send)
{
    uint32_t low = send->message.error.value[0], high = send->message.error.value[1];
    uint32_t version = send->review.judgement->version;
    /* In version 2 two numbers are not taken to say that none between them is missing. */
    bool is_between = send->review.rules != NULL && version > low && version < high;
    if (low > high)
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_1_VERSION_RANGE_ORDERED,
                   RPCRDMA1_ERR_VERS_AT_RDMA_VERS_LOW, NO_REACTION,
                   "the supported versions begin at %u and end at %u", low, high);
    else if (send->answers && !send->answers->mixed && send->answers->version != version)
        return; /* the wrong version was echoed: the transaction says so */
    else if (version >= low && version <= high)
        break_rule_as(&send->review, is_between ? RPCRDMA_WARNING : RPCRDMA_VIOLATION,
                      RPCRDMA_RFC8166_4_5_1_VERSION_RANGE_EXCLUDES_FAILED,
                      RPCRDMA1_ERR_VERS_AT_RDMA_VERS_LOW, NO_REACTION,
                      "version %u is refused, yet within the supported range, %u to %u", version,
                      low, high);
}

static void check_error_body(struct rpcrdma_send *send, size_t length)
{
    if (send->review.judgement->credit == 0)
        break_rule(&send->review, RPCRDMA_RFC8166_3_3_1_GRANT_NOT_ZERO, RPCRDMA1_AT_RDMA_CREDIT,
                   NO_REACTION, "the credit grant is 0");
    if (send->total > length)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_ERROR_ENDS_WITH_CODE, (int64_t)length,
                   NO_REACTION, "%u octets follow the RDMA_ERROR", send->total - length);
    if (send->message.error.code == RPCRDMA1_ERR_VERS)
        rpcrdma_judge_version_range(send);
}

static void check_error(struct rpcrdma_send *send)
{
    struct rpcrdma_xdr_error error;
    ptrdiff_t length = rpcrdma_message_decode(&send->message, RPCRDMA_PROTOCOL_1, send->octets,
                                              send->length, &error);
    bool version1 = send->review.judgement->version == RPCRDMA_VERSION_1;
    send->drop = version1 ? DROP_ERROR : DROP_NOTHING;
    rpcrdma_react(&send->review,
                  EITHER_MAY(version1 ? RPCRDMA_DISCARD : RPCRDMA_DISCARD | RPCRDMA_ERR_VERS,
                             !rpcrdma_xdr_failed(length) ? RPCRDMA_TERMINATE : RPCRDMA_DISCARD));
    if (!rpcrdma_xdr_failed(length)) {
        send->state = HEADER_DECODED;
        send->review.judgement->header_length = length;
        check_error_body(send, (size_t)length);
        return;
    }
    if (send->missing > 0) {
        send->state = HEADER_UNSEEN;
        return;
    }
    if (!error_is_judged(send))
        return;
    if (error.code == RPCRDMA_XDR_E_ENUM)
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_ERROR_CODE_DEFINED, error.offset, NO_REACTION,
                   "%u is no error code of version 1",
                   rpcrdma_xdr_load32(send->octets + RPCRDMA1_ERROR_AT_ERR));
    else
        break_rule(&send->review, RPCRDMA_RFC8166_4_XDR_ENCODED, error.offset, NO_REACTION,
                   "the RDMA_ERROR ends after %u octets, inside this field", send->total);
}

/* ---- version 2, which RFC 8166 leaves room for (section 7) ---- */

enum spoken {
    NOT_SPOKEN, /* the peer has shown that it speaks version 1 */
    OFFERED,    /* by a client, which goes on in version 1 if its offer is refused */
    SPOKEN,     /* by both sides: rules of version 1 do not apply */
};

/* Whether version 2 may be spoken: a client offers it before it has a Reply, a server only follows.
 */
static enum spoken version_2(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    const struct traffic *traffic = &check->traffic[RPCRDMA_CLIENT];
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    enum rpcrdma_endpoint from = send->review.event->from;
    if (judgement->version != RPCRDMA_VERSION_2 || traffic->answers > 0)
        return NOT_SPOKEN;
    if (check->side[other(from)].speaks_2 && (from == RPCRDMA_SERVER || check->side[from].speaks_2))
        return judgement->procedure == RPCRDMA1_ERROR && !check->side[from].speaks_2 ? NOT_SPOKEN
                                                                                     : SPOKEN;
    return from == RPCRDMA_CLIENT || traffic->forgot ? OFFERED : NOT_SPOKEN;
}

/* A version other than 1. RDMA_DONE of any version may be dropped, and so must what is too short.
 */
static void check_other_version(struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    bool is_short = send->total < RPCRDMA1_HEADER_MIN;
    bool dropped = is_short || judgement->procedure == RPCRDMA1_DONE;
    struct reactions reactions = EITHER_MAY(
        (is_short ? 0 : RPCRDMA_ERR_VERS) | (dropped ? RPCRDMA_DISCARD : 0), RPCRDMA_DISCARD);
    if (version_2(send) == OFFERED)
        break_rule(&send->review, RPCRDMA_RFC8166_7_LATER_VERSION_OFFERED, RPCRDMA1_AT_RDMA_VERS,
                   reactions, "version 2 is offered");
    else
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_2_VERSION_ONE, RPCRDMA1_AT_RDMA_VERS,
                   reactions, "the version is %u, not 1", judgement->version);
}

/* ---- fixed words ---- */

static bool is_long_enough(struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    if (send->total >= RPCRDMA1_HEADER_MIN)
        return true;
    if (send->total >= RPCRDMA1_SIZE_MIN && version_2(send) == OFFERED)
        return true; /* it can be a header of version 2 */
    if (send->total < RPCRDMA1_SIZE_MIN ||
        (judgement->has_procedure && judgement->procedure != RPCRDMA1_DONE &&
         judgement->procedure != RPCRDMA1_ERROR)) {
        break_rule(
            &send->review, RPCRDMA_RFC8166_4_5_MINIMAL_HEADER,
            (int64_t)(send->total & ~(uint64_t)3), EITHER_MAY(RPCRDMA_DISCARD, RPCRDMA_DISCARD),
            "%u octets are less than the smallest header, %u", send->total, RPCRDMA1_HEADER_MIN);
        /* One of another version may be for its receiver. */
        if (!judgement->has_version || judgement->version == RPCRDMA_VERSION_1)
            send->drop = DROP_SHORT;
        return false;
    }
    return true;
}

/* Version and procedure of a Send that is long enough and no RDMA_ERROR; false ends its judgement.
 */
static bool check_fixed_words(struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    if (judgement->version != RPCRDMA_VERSION_1) {
        check_other_version(send);
        return false;
    }
    switch (judgement->procedure) {
    case RPCRDMA1_MSG:
    case RPCRDMA1_NOMSG:
        return true;
    case RPCRDMA1_DONE:
        send->drop = DROP_DONE;
        break_rule(&send->review, RPCRDMA_RFC8166_4_6_2_DONE_NOT_SENT, RPCRDMA1_AT_PROC,
                   EITHER_MAY(RPCRDMA_DISCARD, RPCRDMA_DISCARD), "the procedure is RDMA_DONE");
        return false;
    case RPCRDMA1_MSGP:
        send->may_be_overlooked = send->is_padded = true; /* section 4.6.1: a SHOULD */
        break_rule(&send->review, RPCRDMA_RFC8166_4_6_1_MSGP_NOT_SENT, RPCRDMA1_AT_PROC,
                   EITHER_MAY(RPCRDMA_ERR_CHUNK, RPCRDMA_DISCARD), "the procedure is RDMA_MSGP");
        return false;
    default:
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_2_PROCEDURE_DEFINED, RPCRDMA1_AT_PROC,
                   EITHER_MAY(RPCRDMA_ERR_CHUNK, RPCRDMA_DISCARD),
                   "%u is not a procedure of version 1", judgement->procedure);
        return false;
    }
}

/* ---- the lists decode ---- */

static const char *malformed(int code)
{
    switch (code) {
    case RPCRDMA_XDR_E_PRESENCE:
        return "the word that says whether an entry follows is %u, neither 0 nor 1";
    case RPCRDMA_XDR_E_COUNT:
        return "%u segments are more than the Send can hold";
    default:
        return "the header ends inside this field";
    }
}

static bool decode_lists(struct rpcrdma_send *send)
{
    struct rpcrdma_xdr_error error;
    ptrdiff_t length = rpcrdma_message_decode(&send->message, RPCRDMA_PROTOCOL_1, send->octets,
                                              send->length, &error);
    if (rpcrdma_xdr_failed(length)) {
        /* What the capture left out may have been the rest of the lists. */
        bool cut = error.code == RPCRDMA_XDR_E_TRUNCATED || error.code == RPCRDMA_XDR_E_COUNT;
        if (send->missing > 0 && cut) {
            send->state = HEADER_UNSEEN;
            return false;
        }
        /* Decoders that are in use take any word but 0 for "present". */
        send->may_be_overlooked = error.code == RPCRDMA_XDR_E_PRESENCE;
        uint32_t word =
            error.offset + 4 <= send->length ? rpcrdma_xdr_load32(send->octets + error.offset) : 0;
        break_rule(&send->review, RPCRDMA_RFC8166_4_XDR_ENCODED, error.offset,
                   EITHER_MAY(RPCRDMA_ERR_CHUNK, RPCRDMA_DISCARD), malformed(error.code), word);
        return false;
    }
    send->state = HEADER_DECODED;
    send->review.judgement->header_length = length;
    send->chunks = &send->message.chunks;
    send->payload.octets = send->octets + length;
    send->payload.length = send->length - (size_t)length;
    send->payload.total = send->total - (uint64_t)length;
    send->payload.at = length;
    return true;
}

/* ---- direction (readings: role belongs to a message) ---- */

/* The Read list is the very one of the Call that waits for an answer, whose memory only the other
 * side can name. */
static bool copies_read_list(const struct rpcrdma_send *send)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&send->chunks->rdma_reads);
    struct rpcrdma1_read_segment segment;
    if (send->answers == NULL || !send->answers->judged)
        return false;
    const struct offered_memory *all = send->review.check->memory;
    uint32_t i = send->answers->first;
    for (; rpcrdma1_read_list_next(&iter, &segment); i = all[i].next)
        if (i == NONE || all[i].kind != MEMORY_READ || all[i].chunk != segment.position ||
            all[i].handle != segment.target.handle || all[i].length != segment.target.length ||
            all[i].offset != segment.target.offset)
            return false;
    return i == NONE || all[i].kind != MEMORY_READ;
}

/* The Reply chunk is the one of the Call that waits for an answer. An address that begins at 0 may
 * be another one of the same handle. */
static bool copies_reply_chunk(const struct rpcrdma_send *send)
{
    struct rpcrdma_xdr_iter iter;
    struct rpcrdma1_segment segment;
    const struct rpcrdma1_write_chunk *reply = &send->chunks->rdma_reply.value;
    if (send->answers == NULL || !send->answers->judged || !send->chunks->rdma_reply.present ||
        reply->target.count == 0 || reply->target.count != send->answers->offers.reply_segments)
        return false;
    const struct offered_memory *all = send->review.check->memory;
    uint32_t i = send->answers->first;
    while (i != NONE && all[i].kind != MEMORY_REPLY)
        i = all[i].next;
    for (iter = rpcrdma1_segment_array_iter(&reply->target);
         rpcrdma1_segment_array_next(&iter, &segment); i = all[i].next)
        if (i == NONE || segment.handle != all[i].handle || segment.offset != all[i].offset ||
            segment.offset == 0 || segment.length > all[i].length)
            return false;
    return true;
}

static enum rpcrdma_direction direction_of(const struct rpcrdma_send *send)
{
    const struct rpcrdma1_chunk_lists *chunks = send->chunks;
    if (is_inline(send)) {
        uint32_t word = send->payload.length >= RPCRDMA_RPC_AT_MTYPE + 4
                            ? rpcrdma_xdr_load32(send->payload.octets + RPCRDMA_RPC_AT_MTYPE)
                            : UINT32_MAX;
        return word == 0 ? RPCRDMA_CALL : word == 1 ? RPCRDMA_REPLY : RPCRDMA_DIRECTION_UNKNOWN;
    }
    if (send->has_position_zero)
        return copies_read_list(send) || copies_reply_chunk(send) ? RPCRDMA_REPLY : RPCRDMA_CALL;
    if (chunks->rdma_reads.count == 0 && chunks->rdma_reply.present)
        return RPCRDMA_REPLY;
    return RPCRDMA_DIRECTION_UNKNOWN;
}

/* ---- credits and payload ---- */

void rpcrdma_judge_credit(struct rpcrdma_send *send)
{
    if (send->review.judgement->credit != 0)
        return;
    if (is_reply(send)) {
        break_rule(&send->review, RPCRDMA_RFC8166_3_3_1_GRANT_NOT_ZERO, RPCRDMA1_AT_RDMA_CREDIT,
                   REQUESTER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD), "the credit grant is 0");
    } else if (is_call(send)) {
        break_rule(&send->review, RPCRDMA_RFC8166_3_3_1_REQUEST_OF_ZERO, RPCRDMA1_AT_RDMA_CREDIT,
                   NO_REACTION, "the Call asks for 0 credits");
    }
}

void rpcrdma_judge_payload(struct rpcrdma_send *send)
{
    int64_t at = send->payload.at;
    if (is_special(send)) {
        if (send->payload.total > 0)
            break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_NOMSG_ENDS_WITH_LISTS, at,
                       EITHER_MAY(ALSO | RPCRDMA_ERR_CHUNK, ALSO | RPCRDMA_DISCARD),
                       "%u octets follow the chunk lists of an RDMA_NOMSG", send->payload.total);
    } else if (send->payload.total < 4) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_MSG_HAS_PAYLOAD, at,
                   EITHER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_DISCARD, RPCRDMA_DISCARD),
                   "%u octets of RPC message follow the header; its XID alone has 4",
                   send->payload.total);
    } else if (send->payload.total % 4 != 0) {
        break_rule(
            &send->review, RPCRDMA_RFC8166_3_4_4_4_PAYLOAD_WHOLE_WORDS, at,
            EITHER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS,
                       RPCRDMA_PROCESS | RPCRDMA_DISCARD),
            "the Payload stream has %u octets, not a multiple of four", send->payload.total);
    }
}

/* Whether a receiver that cannot take it may answer by RDMA_ERROR. */
static bool may_be_refused(const struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    return judgement->has_procedure && send->total >= RPCRDMA1_HEADER_MIN &&
           judgement->procedure != RPCRDMA1_ERROR &&
           (judgement->version != RPCRDMA_VERSION_1 || judgement->procedure != RPCRDMA1_DONE);
}

static void check_lists(struct rpcrdma_send *send)
{
    if (send->chunks->rdma_reads.count > 0)
        rpcrdma_sum_position_zero(send);
    send->review.judgement->direction = direction_of(send);
    rpcrdma_judge_payload(send);
    rpcrdma_judge_credit(send);
    rpcrdma_judge_chunks(send);
}

void rpcrdma_judge_header(struct rpcrdma_send *send)
{
    /* Too short for its fixed words only because the capture is: nothing can be said. */
    if (send->missing > 0 && send->length < RPCRDMA1_SIZE_MIN)
        send->state = HEADER_UNSEEN;
    else if (send->review.judgement->version == RPCRDMA_VERSION_2 &&
             send->total >= RPCRDMA1_SIZE_MIN && version_2(send) == SPOKEN)
        send->is_foreign = true;
    else if (!is_long_enough(send))
        send->state = HEADER_NONE;
    else if (send->review.judgement->procedure == RPCRDMA1_ERROR)
        check_error(send);
    else if (check_fixed_words(send) && decode_lists(send))
        check_lists(send);
    send->may_be_refused = send->chunks != NULL || may_be_refused(send); /* RDMA_MSG, RDMA_NOMSG */
    rpcrdma_set_receivers(send);
    if (send->review.judgement->version == RPCRDMA_VERSION_2 &&
        send->review.judgement->has_procedure &&
        send->review.judgement->procedure != RPCRDMA1_ERROR)
        send->review.check->side[send->review.event->from].speaks_2 = true;
}
