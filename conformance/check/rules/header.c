// SPDX-License-Identifier: BSD-3-Clause
/*
 * Header scope: what one transport header shows by itself (RFC 8166 sections 3.4, 4.2 to 4.6).
 *
 * The tests stand in the order in which a receiver makes them, and each that fails ends the
 * judgement of what lies behind it: a Send breaks the rule that it breaks first, and is not blamed
 * for the consequences.
 */
#include "conformance/check/core/checker.h"

#include <rpcrdma/rpcrdma.h>

/* ---- who receives it, and what it may do ---- */

static void set_receivers(struct send *send)
{
    const struct rpcrdma_check *check = send->check;
    const struct rpcrdma_judgement *verdict = send->verdict;
    bool error = verdict->has_procedure && verdict->procedure == RPCRDMA1_ERROR;
    if (verdict->direction == RPCRDMA_CALL)
        send->receivers = RECEIVER_RESPONDER;
    else if (verdict->direction == RPCRDMA_REPLY || (error && send->answers))
        send->receivers = RECEIVER_REQUESTER;
    else if (check->config.reverse_direction || check->flow[RPCRDMA_SERVER].calls > 0)
        send->receivers = RECEIVER_RESPONDER | RECEIVER_REQUESTER;
    else
        send->receivers =
            send->event->from == RPCRDMA_CLIENT ? RECEIVER_RESPONDER : RECEIVER_REQUESTER;
}

static void react_both(struct send *send, unsigned responder, unsigned requester)
{
    rpcrdma_react(send, RECEIVER_RESPONDER, responder);
    rpcrdma_react(send, RECEIVER_REQUESTER, requester);
}

/* ---- RDMA_ERROR ---- */

/* Only version 1 is known to have no further codes: other versions fix just ERR_VERS (section 7).
 */
static bool error_is_judged(const struct send *send)
{
    return send->verdict->version == RPCRDMA_VERSION_1 ||
           (send->length >= 20 && rpcrdma_xdr_load32(send->octets + 16) == RPCRDMA1_ERR_VERS);
}

static void check_error_body(struct send *send, size_t length)
{
    const struct rpcrdma1_error *error = &send->header.rdma_body.rdma_error;
    uint32_t version = send->verdict->version;
    if (send->verdict->credit == 0)
        rpcrdma_report(send, RPCRDMA_RFC8166_3_3_1_GRANT_NOT_ZERO, 8, "the credit grant is 0", 0, 0,
                       0);
    if (send->total > length)
        rpcrdma_report(send, RPCRDMA_RFC8166_4_2_4_ERROR_ENDS_WITH_CODE, (int64_t)length,
                       "%u octets follow the RDMA_ERROR", send->total - length, 0, 0);
    if (error->err != RPCRDMA1_ERR_VERS)
        return;
    if (error->range.rdma_vers_low > error->range.rdma_vers_high)
        rpcrdma_report(send, RPCRDMA_RFC8166_4_5_1_VERSION_RANGE_ORDERED, 20,
                       "the supported versions begin at %u and end at %u",
                       error->range.rdma_vers_low, error->range.rdma_vers_high, 0);
    else if (send->answers && !send->answers->mixed && send->answers->version != version)
        return; /* the wrong version was echoed: the transaction says so */
    else if (version >= error->range.rdma_vers_low && version <= error->range.rdma_vers_high)
        rpcrdma_report(send, RPCRDMA_RFC8166_4_5_1_VERSION_RANGE_EXCLUDES_FAILED, 20,
                       "version %u is refused, yet within the supported range, %u to %u", version,
                       error->range.rdma_vers_low, error->range.rdma_vers_high);
}

static void check_error(struct send *send)
{
    struct rpcrdma_xdr_error error;
    ptrdiff_t length =
        rpcrdma1_header_decode(&send->header, send->octets, send->length, NULL, &error);
    react_both(send,
               send->verdict->version == RPCRDMA_VERSION_1 ? RPCRDMA_DISCARD
                                                           : RPCRDMA_DISCARD | RPCRDMA_ERR_VERS,
               length >= 0 ? RPCRDMA_TERMINATE : RPCRDMA_DISCARD);
    if (length >= 0) {
        send->state = HEADER_DECODED;
        send->verdict->header_length = length;
        check_error_body(send, (size_t)length);
        return;
    }
    if (send->missing > 0) {
        send->state = HEADER_UNSEEN;
        return;
    }
    if (!error_is_judged(send))
        return;
    send->state = HEADER_MALFORMED;
    if (error.code == RPCRDMA_XDR_E_ENUM)
        rpcrdma_report(send, RPCRDMA_RFC8166_4_5_ERROR_CODE_DEFINED, error.offset,
                       "%u is no error code of version 1", rpcrdma_xdr_load32(send->octets + 16), 0,
                       0);
    else
        rpcrdma_report(send, RPCRDMA_RFC8166_4_XDR_ENCODED, error.offset,
                       "the RDMA_ERROR ends after %u octets, inside this field", send->total, 0, 0);
}

/* ---- fixed words ---- */

static bool is_long_enough(struct send *send)
{
    const struct rpcrdma_judgement *verdict = send->verdict;
    if (send->total >= RPCRDMA1_HEADER_MIN)
        return true;
    if (send->total < 16 || (verdict->has_procedure && verdict->procedure != RPCRDMA1_DONE &&
                             verdict->procedure != RPCRDMA1_ERROR)) {
        rpcrdma_report(
            send, RPCRDMA_RFC8166_4_5_MINIMAL_HEADER, (int64_t)(send->total & ~(uint64_t)3),
            "%u octets are less than the smallest header, %u", send->total, RPCRDMA1_HEADER_MIN, 0);
        react_both(send, RPCRDMA_DISCARD, RPCRDMA_DISCARD);
        return false;
    }
    return true;
}

/* Version and procedure of a Send that is long enough and no RDMA_ERROR; false ends its judgement.
 */
static bool check_fixed_words(struct send *send)
{
    const struct rpcrdma_judgement *verdict = send->verdict;
    bool short_done = send->total < RPCRDMA1_HEADER_MIN;
    if (verdict->version != RPCRDMA_VERSION_1) {
        bool done = verdict->procedure == RPCRDMA1_DONE;
        react_both(send, (short_done ? 0 : RPCRDMA_ERR_VERS) | (done ? RPCRDMA_DISCARD : 0),
                   RPCRDMA_DISCARD);
        rpcrdma_report(send, RPCRDMA_RFC8166_4_2_2_VERSION_ONE, 4, "the version is %u, not 1",
                       verdict->version, 0, 0);
        return false;
    }
    switch (verdict->procedure) {
    case RPCRDMA1_MSG:
    case RPCRDMA1_NOMSG:
        return true;
    case RPCRDMA1_DONE:
        react_both(send, RPCRDMA_DISCARD, RPCRDMA_DISCARD);
        rpcrdma_report(send, RPCRDMA_RFC8166_4_6_2_DONE_NOT_SENT, 12, "the procedure is RDMA_DONE",
                       0, 0, 0);
        return false;
    case RPCRDMA1_MSGP:
        react_both(send, RPCRDMA_ERR_CHUNK, RPCRDMA_DISCARD);
        rpcrdma_report(send, RPCRDMA_RFC8166_4_6_1_MSGP_NOT_SENT, 12, "the procedure is RDMA_MSGP",
                       0, 0, 0);
        return false;
    default:
        react_both(send, RPCRDMA_ERR_CHUNK, RPCRDMA_DISCARD);
        rpcrdma_report(send, RPCRDMA_RFC8166_4_5_2_PROCEDURE_DEFINED, 12,
                       "%u is no procedure of version 1", verdict->procedure, 0, 0);
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

static bool decode_lists(struct send *send)
{
    struct rpcrdma_xdr_error error;
    ptrdiff_t length =
        rpcrdma1_header_decode(&send->header, send->octets, send->length, NULL, &error);
    if (length < 0) {
        /* What the capture left out may have been the rest of the lists. */
        bool cut = error.code == RPCRDMA_XDR_E_TRUNCATED || error.code == RPCRDMA_XDR_E_COUNT;
        if (send->missing > 0 && cut) {
            send->state = HEADER_UNSEEN;
            return false;
        }
        send->state = HEADER_MALFORMED;
        react_both(send, RPCRDMA_ERR_CHUNK, RPCRDMA_DISCARD);
        uint32_t word =
            error.offset + 4 <= send->length ? rpcrdma_xdr_load32(send->octets + error.offset) : 0;
        rpcrdma_report(send, RPCRDMA_RFC8166_4_XDR_ENCODED, error.offset, malformed(error.code),
                       word, 0, 0);
        return false;
    }
    send->state = HEADER_DECODED;
    send->verdict->header_length = length;
    send->chunks = rpcrdma1_chunks(&send->header);
    send->payload = send->octets + length;
    send->payload_length = send->length - (size_t)length;
    send->payload_total = send->total - (uint64_t)length;
    return true;
}

/* ---- direction (readings: role belongs to a message) ---- */

/* Position Zero segments taken together. */
static void sum_position_zero(struct send *send)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&send->chunks->rdma_reads);
    struct rpcrdma1_read_segment segment;
    while (rpcrdma1_read_list_next(&iter, &segment)) {
        if (segment.position == 0) {
            send->has_position_zero = true;
            send->position_zero_length += segment.target.length;
        }
    }
}

static enum rpcrdma_direction direction_of(const struct send *send)
{
    const struct rpcrdma1_chunk_lists *chunks = send->chunks;
    if (send->verdict->procedure == RPCRDMA1_MSG) {
        uint32_t word =
            send->payload_length >= 8 ? rpcrdma_xdr_load32(send->payload + 4) : UINT32_MAX;
        return word == 0 ? RPCRDMA_CALL : word == 1 ? RPCRDMA_REPLY : RPCRDMA_DIRECTION_UNKNOWN;
    }
    if (send->has_position_zero)
        return RPCRDMA_CALL;
    if (chunks->rdma_reads.count == 0 && chunks->rdma_reply.present)
        return RPCRDMA_REPLY;
    return RPCRDMA_DIRECTION_UNKNOWN;
}

/* ---- credits and payload ---- */

static void check_credit(struct send *send)
{
    if (send->verdict->credit != 0)
        return;
    if (send->verdict->direction == RPCRDMA_REPLY) {
        rpcrdma_report(send, RPCRDMA_RFC8166_3_3_1_GRANT_NOT_ZERO, 8, "the credit grant is 0", 0, 0,
                       0);
        rpcrdma_react(send, RECEIVER_REQUESTER, RPCRDMA_PROCESS | RPCRDMA_DISCARD);
    } else if (send->verdict->direction == RPCRDMA_CALL) {
        rpcrdma_report(send, RPCRDMA_RFC8166_3_3_1_REQUEST_OF_ZERO, 8,
                       "the Call asks for 0 credits", 0, 0, 0);
    }
}

static void check_payload(struct send *send)
{
    int64_t at = send->verdict->header_length;
    if (send->verdict->procedure == RPCRDMA1_NOMSG) {
        if (send->payload_total > 0)
            rpcrdma_report(send, RPCRDMA_RFC8166_4_2_4_NOMSG_ENDS_WITH_LISTS, at,
                           "%u octets follow the chunk lists of an RDMA_NOMSG", send->payload_total,
                           0, 0);
    } else if (send->payload_total < 4) {
        rpcrdma_report(send, RPCRDMA_RFC8166_4_2_4_MSG_HAS_PAYLOAD, at,
                       "%u octets of RPC message follow the header; its XID alone has 4",
                       send->payload_total, 0, 0);
        react_both(send, RPCRDMA_ERR_CHUNK | RPCRDMA_DISCARD, RPCRDMA_DISCARD);
    } else if (send->payload_total % 4 != 0) {
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_4_4_PAYLOAD_WHOLE_WORDS, at,
                       "the Payload stream has %u octets, not a multiple of four",
                       send->payload_total, 0, 0);
        react_both(send,
                   RPCRDMA_PROCESS | RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS,
                   RPCRDMA_PROCESS | RPCRDMA_DISCARD);
    }
}

void rpcrdma_judge_header(struct send *send)
{
    struct rpcrdma_judgement *verdict = send->verdict;
    /* Too short for its fixed words only because the capture is: nothing can be said. */
    if (send->missing > 0 && send->length < 16) {
        send->state = HEADER_UNSEEN;
        set_receivers(send);
        return;
    }
    if (is_long_enough(send)) {
        if (verdict->procedure == RPCRDMA1_ERROR) {
            verdict->direction = RPCRDMA_DIRECTION_UNKNOWN;
            check_error(send);
        } else if (check_fixed_words(send) && decode_lists(send)) {
            sum_position_zero(send);
            verdict->direction = direction_of(send);
            check_payload(send);
            check_credit(send);
            rpcrdma_judge_chunks(send);
        }
    }
    set_receivers(send);
}
