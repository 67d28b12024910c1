// SPDX-License-Identifier: BSD-3-Clause
/*
 * Header scope in version 2: what one transport header shows by itself (draft -07 sections 6 and 7;
 * draft -04 section 6.2). The tests stand in the order in which a receiver makes them, and as in
 * header.c each that fails ends the judgement of what lies after it.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <string.h>

/* Where both drafts have the same field. */
enum {
    AT_XID = RPCRDMA2_04_AT_RDMA_XID,
    AT_TYPE = RPCRDMA2_04_AT_RDMA_PROC,
    AT_ERROR = RPCRDMA2_04_ERROR_AT_RDMA_ERR,
    PREFIX = RPCRDMA2_07_HDR_PREFIX_SIZE,
    AT_HANDLE_07 = PREFIX + RPCRDMA2_07_HDR_CALL_INLINE_AT_RDMA_INV_HANDLE,
};

/* What is malformed and shorter than this may be dropped: -07 section 7 has 20 octets by mistake,
 * -04 has nothing instead of the 28 of version 1. */
static uint32_t least(const struct rpcrdma_send *send)
{
    return is_04(send) ? RPCRDMA1_HEADER_MIN : 20;
}

static uint32_t drop_if_short(const struct rpcrdma_send *send)
{
    return send->total < least(send) ? RPCRDMA_DISCARD : 0;
}

/* Both sides can be either role to a message that is neither Call nor answer. */
#define BOTH_MAY(set) EITHER_MAY(set, set)

/* ---- direction, which the type or a field of its own says ---- */

static bool has_direction04(uint32_t type)
{
    return type == RPCRDMA2_04_MSG || type == RPCRDMA2_04_NOMSG || type == RPCRDMA2_04_OPTIONAL;
}

static enum rpcrdma_direction direction_of(const struct rpcrdma_send *send)
{
    uint32_t type = send->review.judgement->procedure;
    if (!is_04(send))
        return type < RPCRDMA2_07_CALL_EXTERNAL || type > RPCRDMA2_07_REPLY_INLINE
                   ? RPCRDMA_DIRECTION_UNKNOWN
               : type < RPCRDMA2_07_REPLY_EXTERNAL ? RPCRDMA_CALL
                                                   : RPCRDMA_REPLY;
    if (!has_direction04(type) || send->length < RPCRDMA2_04_MSG_AT_RDMA_DIRECTION + 4)
        return RPCRDMA_DIRECTION_UNKNOWN;
    uint32_t field = rpcrdma_xdr_load32(send->octets + RPCRDMA2_04_MSG_AT_RDMA_DIRECTION);
    return field == RPCRDMA2_04_CALL    ? RPCRDMA_CALL
           : field == RPCRDMA2_04_REPLY ? RPCRDMA_REPLY
                                        : RPCRDMA_DIRECTION_UNKNOWN;
}

/* ---- XDR ---- */

static const char *malformed(int code)
{
    switch (code) {
    case RPCRDMA_XDR_E_PRESENCE:
        return "the word that says whether an entry follows is %u, neither 0 nor 1";
    case RPCRDMA_XDR_E_COUNT:
        return "%u are more than the Send can hold";
    case RPCRDMA_XDR_E_ENUM:
        return "%u is not one of the values of this field";
    default:
        return "the header ends inside this field";
    }
}

static bool is_piece(const struct rpcrdma_send *send)
{
    uint32_t type = send->review.judgement->procedure;
    return !is_04(send) && (type == RPCRDMA2_07_CALL_MIDDLE || type == RPCRDMA2_07_REPLY_MIDDLE);
}

/* A value of a property that is longer than what is left. */
static bool is_in_value(const struct rpcrdma_xdr_error *error)
{
    const char *field = error->depth > 0 ? error->path[0].name : NULL;
    return field != NULL && strcmp(field, "rdma_data") == 0 &&
           (error->code == RPCRDMA_XDR_E_TRUNCATED || error->code == RPCRDMA_XDR_E_COUNT);
}

static enum rpcrdma_rule xdr_encoded(const struct rpcrdma_send *send)
{
    return is_04(send) ? RPCRDMA2_04_6_2_XDR_ENCODED : RPCRDMA2_07_7_2_XDR_ENCODED;
}

/* -04: who does not support an operation on properties, or the option, may refuse it before it
 * reads on (5.3, 6.2.4); what answers a request is itself not answered (6.2.4). */
static uint32_t answers04(const struct rpcrdma_send *send)
{
    switch (send->review.judgement->procedure) {
    case RPCRDMA2_04_RESPROP:
        return RPCRDMA_DISCARD;
    case RPCRDMA2_04_OPTIONAL:
        return RPCRDMA_ERR_INVALID_OPTION;
    case RPCRDMA2_04_CONNPROP:
    case RPCRDMA2_04_REQPROP:
    case RPCRDMA2_04_UPDPROP:
        return RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC;
    default:
        return 0;
    }
}

static void break_xdr(struct rpcrdma_send *send, const struct rpcrdma_xdr_error *error)
{
    uint32_t word =
        error->offset + 4 <= send->length ? rpcrdma_xdr_load32(send->octets + error->offset) : 0;
    if (is_in_value(error) && !is_04(send)) {
        break_rule(&send->review, RPCRDMA2_07_5_1_VALUE_WITHIN_MESSAGE, error->offset,
                   BOTH_MAY(RPCRDMA_ERR_BAD_PROPVAL | RPCRDMA_ERR_BAD_XDR),
                   "the value of a property has %u octets, more than the message", word);
        return;
    }
    /* Decoders that are in use take any word but 0 for "present". */
    send->may_be_overlooked = error->code == RPCRDMA_XDR_E_PRESENCE;
    bool control = send->review.judgement->direction == RPCRDMA_DIRECTION_UNKNOWN;
    bool is_rpc04 = is_04(send) && has_direction04(send->review.judgement->procedure);
    uint32_t answer = RPCRDMA_ERR_BAD_XDR | drop_if_short(send) |
                      (is_piece(send) ? RPCRDMA_ERR_INVAL_CONT : 0) |
                      (is_04(send) ? answers04(send) : 0);
    uint32_t drop = RPCRDMA_DISCARD | (is_piece(send) ? RPCRDMA_ERR_INVAL_CONT : 0) |
                    (is_reply(send) && !is_04(send) ? RPCRDMA_TERMINATE : 0);
    if (error->code == RPCRDMA_XDR_E_PAD) { /* which changes nothing of what is meant */
        answer |= RPCRDMA_PROCESS;
        drop |= RPCRDMA_PROCESS;
    }
    /* Whether it is a Reply cannot be seen where -04 has a field for that. */
    uint32_t requester = !control ? drop : is_rpc04 ? answer | drop : answer;
    break_rule(&send->review, xdr_encoded(send), error->offset, EITHER_MAY(answer, requester),
               malformed(error->code), word);
}

/* False ends the judgement. */
static bool decode(struct rpcrdma_send *send, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_judgement *judgement = send->review.judgement;
    ptrdiff_t length = rpcrdma_message_decode(&send->message, judgement->protocol, send->octets,
                                              send->length, error);
    bool cut = error->code == RPCRDMA_XDR_E_TRUNCATED || error->code == RPCRDMA_XDR_E_COUNT;
    if (rpcrdma_xdr_failed(length)) {
        if (send->missing > 0 && cut)
            send->state = HEADER_UNSEEN;
        return false;
    }
    send->state = HEADER_DECODED;
    judgement->header_length = length;
    judgement->kind = send->message.kind;
    judgement->form = send->message.form;
    return true;
}

/* ---- errors ---- */

/* After an error that wants more or other memory the Call can be sent again with it. */
static bool is_about_resources(const struct rpcrdma_send *send)
{
    return rpcrdma_reaction_of_error(send->message.protocol, send->message.error.code) &
           (RPCRDMA_ERR_READ_CHUNKS | RPCRDMA_ERR_WRITE_CHUNKS | RPCRDMA_ERR_SEGMENTS |
            RPCRDMA_ERR_WRITE_RESOURCE | RPCRDMA_ERR_REPLY_RESOURCE);
}

static bool is_mismatch(const struct rpcrdma_send *send)
{
    return !is_04(send) && send->message.error.code == RPCRDMA2_07_ERR_VERS_MISMATCH;
}

static void check_error_body(struct rpcrdma_send *send)
{
    uint32_t code = send->message.error.code;
    uint64_t after = send->total - send->message.header;
    if (rpcrdma_reaction_of_error(send->message.protocol, code) == 0) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_ERROR_CODE_DEFINED, AT_ERROR,
                   REQUESTER_MAY(RPCRDMA_DISCARD), "%u is no error code of this draft", code);
        return;
    }
    if (is_04(send) && send->message.prefix.credit == 0 && code != RPCRDMA2_04_ERR_VERS)
        break_rule(&send->review, RPCRDMA_RFC8166_3_3_1_GRANT_NOT_ZERO, RPCRDMA1_AT_RDMA_CREDIT,
                   NO_REACTION, "the credit grant is 0");
    if (after > 0)
        break_rule(&send->review,
                   is_04(send) ? RPCRDMA2_04_6_2_1_ERROR_WITHOUT_PAYLOAD
                               : RPCRDMA2_07_6_1_ENDS_WITH_HEADER,
                   send->review.judgement->header_length,
                   REQUESTER_MAY(RPCRDMA_TERMINATE | RPCRDMA_DISCARD), "%u octets follow the error",
                   after);
    if (code == RPCRDMA2_07_ERR_VERS)
        rpcrdma_judge_version_range(send);
}

static void check_error(struct rpcrdma_send *send)
{
    struct rpcrdma_xdr_error error = {.code = 0};
    bool good = decode(send, &error);
    /* VERS_MISMATCH repeats a version that has no such code. */
    bool is_foreign = send->review.judgement->version != RPCRDMA_VERSION_2;
    uint32_t open = !good                             ? RPCRDMA_DISCARD
                    : is_about_resources(send)        ? RPCRDMA_TERMINATE | RPCRDMA_PROCESS
                    : is_mismatch(send) && is_foreign ? RPCRDMA_TERMINATE | RPCRDMA_DISCARD
                                                      : RPCRDMA_TERMINATE;
    rpcrdma_react(&send->review, EITHER_MAY(RPCRDMA_DISCARD, open));
    if (good) {
        check_error_body(send);
    } else if (error.code == RPCRDMA_XDR_E_ENUM) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_ERROR_CODE_DEFINED, error.offset, NO_REACTION,
                   "%u is no error code of this draft",
                   rpcrdma_xdr_load32(send->octets + AT_ERROR));
    } else if (send->state != HEADER_UNSEEN) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_XDR_ENCODED, error.offset, NO_REACTION,
                   "the error ends after %u octets, inside this field", send->total);
    }
}

/* ---- types ---- */

static bool type_is_defined(const struct rpcrdma_send *send)
{
    uint32_t type = send->review.judgement->procedure;
    return is_04(send) ? type <= RPCRDMA2_04_NOMSG ||
                             (type >= RPCRDMA2_04_ERROR && type <= RPCRDMA2_04_UPDPROP)
                       : type >= RPCRDMA2_07_ERROR && type <= RPCRDMA2_07_REPLY_INLINE;
}

/* Of -07 a type above the last may be an extension's, which a sender is free to try. */
static void check_undefined_type(struct rpcrdma_send *send)
{
    uint32_t type = send->review.judgement->procedure;
    uint32_t refuse = is_04(send) ? RPCRDMA_ERR_INVALID_PROC : RPCRDMA_ERR_INVAL_HTYPE;
    bool extends = !is_04(send) && type > RPCRDMA2_07_REPLY_INLINE;
    refuse |= drop_if_short(send);
    break_rule_as(&send->review, extends ? RPCRDMA_WARNING : RPCRDMA_VIOLATION,
                  RPCRDMA_RFC8166_4_5_2_PROCEDURE_DEFINED, AT_TYPE,
                  EITHER_MAY(refuse, is_04(send) ? RPCRDMA_DISCARD : refuse | RPCRDMA_DISCARD),
                  "%u is no type of this draft", type);
}

/* A type that the other side has refused before. */
static bool is_refused(const struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    uint32_t type = send->review.judgement->procedure;
    return !is_04(send) && !check->config.seen_between && type < 32 &&
           (send->own->refused_types >> type & 1);
}

/* ---- messages without RPC ---- */

static void check_no_payload(struct rpcrdma_send *send)
{
    uint64_t after = send->total - send->message.header;
    if (after > 0)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_NOMSG_ENDS_WITH_LISTS,
                   send->review.judgement->header_length,
                   EITHER_MAY(ALSO | RPCRDMA_ERR_BAD_XDR,
                              ALSO | (is_special(send) ? RPCRDMA_DISCARD : RPCRDMA_ERR_BAD_XDR)),
                   "%u octets follow a header that has no payload", after);
}

static void check_grant(struct rpcrdma_send *send)
{
    check_no_payload(send);
    if (send->message.prefix.xid != 0)
        break_rule(&send->review, RPCRDMA2_07_6_3_2_GRANT_XID_ZERO, AT_XID, NO_REACTION,
                   "the XID of a grant is 0x%x, not 0", send->message.prefix.xid);
}

/* Operations on properties have procedures of their own in the XDR; section 5.3 gives them numbers
 * as options, too. Support for any of them is optional. */
enum { FIRST_OPERATION = 1, LAST_OPERATION = 4 };

static void check_optional(struct rpcrdma_send *send)
{
    uint32_t type = send->message.optional.type;
    struct reactions refuse = EITHER_MAY(ALSO | RPCRDMA_ERR_INVALID_OPTION, ALSO | RPCRDMA_DISCARD);
    if (type >= FIRST_OPERATION && type <= LAST_OPERATION)
        break_rule(&send->review, RPCRDMA2_04_5_3_OPERATION_AS_OPTION,
                   RPCRDMA2_04_OPTIONAL_AT_RDMA_OPTTYPE, refuse,
                   "option %u is a property operation", type);
    else
        rpcrdma_react(&send->review, EITHER_MAY(RPCRDMA_ERR_INVALID_OPTION, RPCRDMA_DISCARD));
}

static void check_properties(struct rpcrdma_send *send)
{
    if (!is_04(send))
        check_no_payload(send);
    else if (send->review.judgement->procedure != RPCRDMA2_04_RESPROP)
        rpcrdma_react(&send->review,
                      BOTH_MAY(ALSO | RPCRDMA_ERR_INVALID_OPTION | RPCRDMA_ERR_INVALID_PROC));
}

/* ---- messages with RPC ---- */

static bool names(const struct rpcrdma1_segment_array *segments, uint32_t handle)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        if (segment.handle == handle)
            return true;
    return false;
}

static bool list_names(const struct rpcrdma1_read_list *reads, uint32_t handle)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    while (rpcrdma1_read_list_next(&iter, &segment))
        if (segment.target.handle == handle)
            return true;
    return false;
}

static bool offers_handle(const struct rpcrdma_message *message, uint32_t handle)
{
    const struct rpcrdma1_chunk_lists *chunks = &message->chunks;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (names(&chunk.target, handle))
            return true;
    return list_names(&message->call_chunk, handle) || list_names(&chunks->rdma_reads, handle) ||
           (chunks->rdma_reply.present && names(&chunks->rdma_reply.value.target, handle));
}

static void check_invalidated_handle(struct rpcrdma_send *send)
{
    uint32_t handle = send->message.rpc.invalidate;
    if (handle == 0)
        return;
    if (is_reply(send))
        break_rule(&send->review, RPCRDMA2_04_6_2_3_HANDLE_IN_REPLY,
                   RPCRDMA2_04_MSG_AT_RDMA_INV_HANDLE, NO_REACTION,
                   "a Reply names handle 0x%x to be invalidated", handle);
    else if (!offers_handle(&send->message, handle))
        break_rule(&send->review,
                   is_04(send) ? RPCRDMA2_04_6_2_3_HANDLE_OFFERED : RPCRDMA2_07_6_5_HANDLE_OFFERED,
                   is_04(send) ? RPCRDMA2_04_MSG_AT_RDMA_INV_HANDLE : AT_HANDLE_07,
                   RESPONDER_MAY(ALSO | RPCRDMA_ERR_BAD_XDR),
                   "handle 0x%x is to be invalidated, and no chunk of the Call has it", handle);
}

static void check_rpc(struct rpcrdma_send *send)
{
    struct rpcrdma_judgement *judgement = send->review.judgement;
    send->payload.octets = send->octets + send->message.header;
    send->payload.length = send->length - send->message.header;
    send->payload.total = send->total - send->message.header;
    send->payload.at = judgement->header_length;
    judgement->remaining = 0;
    if (send->payload.total > 0 && !(send->message.form == RPCRDMA_FORM_SPECIAL))
        judgement->payload = judgement->header_length;
    if (send->message.form == RPCRDMA_FORM_PIECE) {
        judgement->remaining = send->message.rpc.remaining;
        return;
    }
    send->chunks = &send->message.chunks;
    rpcrdma_sum_position_zero(send);
    if (is_special(send))
        check_no_payload(send);
    check_invalidated_handle(send);
    if (is_04(send)) /* its grants are those of version 1 */
        rpcrdma_judge_credit(send);
    rpcrdma_judge_chunks(send);
}

/* ---- one header ---- */

static void check_body(struct rpcrdma_send *send)
{
    struct rpcrdma_xdr_error error = {.code = 0};
    if (!decode(send, &error)) {
        if (send->state != HEADER_UNSEEN)
            break_xdr(send, &error);
        return;
    }
    switch (send->message.kind) {
    case RPCRDMA_KIND_RPC:
        check_rpc(send);
        break;
    case RPCRDMA_KIND_GRANT:
        check_grant(send);
        break;
    case RPCRDMA_KIND_PROPERTIES:
        check_properties(send);
        break;
    case RPCRDMA_KIND_OPTIONAL:
        check_optional(send);
        break;
    case RPCRDMA_KIND_ERROR:
    case RPCRDMA_KIND_LEGACY:
        break;
    }
}

static void check_header(struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    if (send->total < PREFIX) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_MINIMAL_HEADER,
                   (int64_t)(send->total & ~(uint64_t)3), BOTH_MAY(RPCRDMA_DISCARD),
                   "%u octets are less than the prefix of a header, %u", send->total, PREFIX);
        return;
    }
    if (is_refused(send))
        break_rule(&send->review, RPCRDMA2_07_7_1_3_REFUSED_TYPE_NOT_USED, AT_TYPE,
                   BOTH_MAY(RPCRDMA_ERR_INVAL_HTYPE), "the peer has refused type %u before",
                   judgement->procedure);
    if (judgement->procedure == RPCRDMA2_07_ERROR)
        check_error(send);
    else if (!type_is_defined(send))
        check_undefined_type(send);
    else
        check_body(send);
}

/* XIDs of the two directions can be equal (3.1.5.4), and those of properties any: what is known to
 * be no answer answers nothing. */
static bool may_answer(const struct rpcrdma_send *send)
{
    uint32_t type = send->review.judgement->procedure;
    if (is_call(send))
        return false;
    if (send->state != HEADER_DECODED)
        return true;
    return send->message.kind != RPCRDMA_KIND_GRANT &&
           (send->message.kind != RPCRDMA_KIND_PROPERTIES ||
            (is_04(send) && type == RPCRDMA2_04_RESPROP));
}

/* An error is never answered. */
static bool may_be_refused(const struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    return judgement->has_procedure && judgement->procedure != RPCRDMA2_07_ERROR;
}

void rpcrdma_judge_header2(struct rpcrdma_send *send)
{
    struct rpcrdma_judgement *judgement = send->review.judgement;
    if (judgement->has_procedure)
        judgement->direction = direction_of(send);
    if (send->missing > 0 && send->length < PREFIX)
        send->state = HEADER_UNSEEN;
    else
        check_header(send);
    if (!may_answer(send))
        send->answers = NULL;
    send->may_be_refused = may_be_refused(send);
    rpcrdma_set_receivers(send);
}
