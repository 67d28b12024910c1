// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transaction scope in version 2: an error beside the message that it answers (draft -07 section 7,
 * draft -04 section 6.2.4), and the memory that an answer may invalidate (-07 section 6.5, -04
 * section 6.2.3). Replies have the rules of all versions (transaction.c).
 *
 * An error has no direction. It answers a message of its receiver that waits; or, of -07, the last
 * Reply that its receiver sent, which a Requester can refuse in few ways.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* Both drafts have these words after the code. */
enum { AT_CODE = RPCRDMA2_04_ERROR_AT_RDMA_ERR, AT_FIRST_VALUE = AT_CODE + 4 };

/* The reaction that sends an error, by its code; the last is that of the system. */
static const uint32_t codes_04[] = {
    [RPCRDMA2_04_ERR_VERS] = RPCRDMA_ERR_VERS,
    [RPCRDMA2_04_ERR_BAD_XDR] = RPCRDMA_ERR_BAD_XDR,
    [RPCRDMA2_04_ERR_INVALID_PROC] = RPCRDMA_ERR_INVALID_PROC,
    [RPCRDMA2_04_ERR_READ_CHUNKS] = RPCRDMA_ERR_READ_CHUNKS,
    [RPCRDMA2_04_ERR_WRITE_CHUNKS] = RPCRDMA_ERR_WRITE_CHUNKS,
    [RPCRDMA2_04_ERR_SEGMENTS] = RPCRDMA_ERR_SEGMENTS,
    [RPCRDMA2_04_ERR_WRITE_RESOURCE] = RPCRDMA_ERR_WRITE_RESOURCE,
    [RPCRDMA2_04_ERR_REPLY_RESOURCE] = RPCRDMA_ERR_REPLY_RESOURCE,
    [RPCRDMA2_04_ERR_INVALID_OPTION] = RPCRDMA_ERR_INVALID_OPTION,
    [RPCRDMA2_04_ERR_SYSTEM] = RPCRDMA_ERR_SYSTEM,
};
static const uint32_t codes_07[] = {
    [RPCRDMA2_07_ERR_VERS] = RPCRDMA_ERR_VERS,
    [RPCRDMA2_07_ERR_BAD_XDR] = RPCRDMA_ERR_BAD_XDR,
    [RPCRDMA2_07_ERR_BAD_PROPVAL] = RPCRDMA_ERR_BAD_PROPVAL,
    [RPCRDMA2_07_ERR_INVAL_HTYPE] = RPCRDMA_ERR_INVAL_HTYPE,
    [RPCRDMA2_07_ERR_INVAL_CONT] = RPCRDMA_ERR_INVAL_CONT,
    [RPCRDMA2_07_ERR_READ_CHUNKS] = RPCRDMA_ERR_READ_CHUNKS,
    [RPCRDMA2_07_ERR_WRITE_CHUNKS] = RPCRDMA_ERR_WRITE_CHUNKS,
    [RPCRDMA2_07_ERR_SEGMENTS] = RPCRDMA_ERR_SEGMENTS,
    [RPCRDMA2_07_ERR_WRITE_RESOURCE] = RPCRDMA_ERR_WRITE_RESOURCE,
    [RPCRDMA2_07_ERR_REPLY_RESOURCE] = RPCRDMA_ERR_REPLY_RESOURCE,
    [RPCRDMA2_07_ERR_VERS_MISMATCH] = RPCRDMA_ERR_VERS_MISMATCH,
    [RPCRDMA2_07_ERR_SYSTEM] = RPCRDMA_ERR_SYSTEM,
};

uint32_t rpcrdma_reaction_of_error(enum rpcrdma_protocol protocol, uint32_t code)
{
    if (protocol == RPCRDMA_PROTOCOL_2_04)
        return code <= RPCRDMA2_04_ERR_SYSTEM ? codes_04[code] : 0;
    return code <= RPCRDMA2_07_ERR_SYSTEM ? codes_07[code] : 0;
}

static uint32_t meaning(const struct rpcrdma_send *send)
{
    return rpcrdma_reaction_of_error(send->message.protocol, send->message.error.code);
}

/* ---- what an error says of the chunks of its Call ---- */

struct rules2 {
    enum rpcrdma_rule read_maximum, write_maximum, segment_maximum, chunk_index, write_length,
        reply_length;
};
static const struct rules2 rules_04 = {
    RPCRDMA2_04_6_2_4_READ_MAXIMUM_EXCEEDED,    RPCRDMA2_04_6_2_4_WRITE_MAXIMUM_EXCEEDED,
    RPCRDMA2_04_6_2_4_SEGMENT_MAXIMUM_EXCEEDED, RPCRDMA2_04_6_2_4_CHUNK_INDEX,
    RPCRDMA2_04_6_2_4_WRITE_LENGTH_NEEDED,      RPCRDMA2_04_6_2_4_REPLY_LENGTH_NEEDED};
static const struct rules2 rules_07 = {RPCRDMA2_07_7_3_1_READ_MAXIMUM_EXCEEDED,
                                       RPCRDMA2_07_7_3_2_WRITE_MAXIMUM_EXCEEDED,
                                       RPCRDMA2_07_7_3_3_SEGMENT_MAXIMUM_EXCEEDED,
                                       RPCRDMA2_07_7_3_4_CHUNK_INDEX,
                                       RPCRDMA2_07_7_3_4_LENGTH_NEEDED,
                                       RPCRDMA2_07_7_3_5_LENGTH_NEEDED};

/* What the Call that an error answers has offered. */
struct offered_handle {
    uint32_t read_chunks, write_chunks; /* Read chunks: the one at Position zero is one */
    uint32_t segments;                  /* of the chunk that has most */
    uint32_t all_segments;
    bool has_reply_chunk;
    uint64_t reply_length;
    uint64_t named_length; /* of the Write chunk of this number, from 1 on */
};

static bool is_same_chunk(const struct offered_memory *a, const struct offered_memory *b)
{
    return a->kind == b->kind && a->chunk == b->chunk;
}

static struct offered_handle what_was_offered(const struct rpcrdma_send *send, uint32_t number)
{
    const struct offered_memory *all = send->review.check->memory, *last = NULL;
    struct offered_handle offered = {.has_reply_chunk = send->answers->offers.has_reply_chunk,
                                     .write_chunks = send->answers->offers.write_chunks};
    uint32_t run = 0;
    for (uint32_t i = send->answers->first; i != NONE; last = &all[i], i = all[i].next) {
        bool begins = last == NULL || !is_same_chunk(last, &all[i]);
        run = begins ? 1 : run + 1;
        offered.read_chunks += begins && all[i].kind == MEMORY_READ;
        if (all[i].kind != MEMORY_EMPTY_WRITE && run > offered.segments)
            offered.segments = run;
        offered.all_segments += all[i].kind != MEMORY_EMPTY_WRITE;
        if (all[i].kind == MEMORY_REPLY)
            offered.reply_length += all[i].length;
        if (all[i].kind == MEMORY_WRITE && number > 0 && all[i].chunk == number - 1)
            offered.named_length += all[i].length;
    }
    return offered;
}

#define END_CALL REQUESTER_MAY(RPCRDMA_TERMINATE)

/* More of something than the Responder takes: then the Call had more. Had it none, the error is of
 * another Call, it seems. Zero Write chunks can be what the Responder lacks. */
static void check_maximum(struct rpcrdma_send *send, enum rpcrdma_rule rule, uint32_t had)
{
    uint32_t maximum = send->message.error.value[0];
    if (maximum < had || send->answers->from == RPCRDMA_SERVER)
        return;
    if (had > 0)
        break_rule(&send->review, rule, AT_FIRST_VALUE, END_CALL,
                   "the Call had %u, which is no more than %u", had, maximum);
    else if (is_07(send) && !(meaning(send) == RPCRDMA_ERR_WRITE_CHUNKS && maximum == 0))
        break_rule(&send->review, RPCRDMA2_07_7_3_CHUNK_OF_ERROR, AT_CODE, END_CALL,
                   "the Call had nothing that this error could be about");
}

static void check_write_resource(struct rpcrdma_send *send, const struct rules2 *rules,
                                 const struct offered_handle *offered)
{
    uint32_t number = send->message.error.value[0], needed = send->message.error.value[1];
    if (number > offered->write_chunks)
        break_rule(&send->review, rules->chunk_index, AT_FIRST_VALUE, END_CALL,
                   "Write chunk %u is named; the Call offered %u", number, offered->write_chunks);
    else if (number > 0 && needed > 0 && needed <= offered->named_length)
        break_rule(&send->review, rules->write_length, AT_FIRST_VALUE + 4, END_CALL,
                   "%u octets are needed; Write chunk %u has %u", needed, number,
                   offered->named_length);
}

static void check_resources(struct rpcrdma_send *send)
{
    const struct rules2 *rules = is_04(send) ? &rules_04 : &rules_07;
    uint32_t value = send->message.error.value[0];
    struct offered_handle offered = what_was_offered(send, value);
    switch (meaning(send)) {
    case RPCRDMA_ERR_READ_CHUNKS:
        check_maximum(send, rules->read_maximum, offered.read_chunks);
        break;
    case RPCRDMA_ERR_WRITE_CHUNKS:
        check_maximum(send, rules->write_maximum, offered.write_chunks);
        break;
    case RPCRDMA_ERR_SEGMENTS:
        /* The property of -07 is about the whole header (5.2.4), the error about a chunk (7.3.3):
         * the maximum may be of either. */
        check_maximum(send, rules->segment_maximum,
                      is_04(send) ? offered.segments : offered.all_segments);
        break;
    case RPCRDMA_ERR_WRITE_RESOURCE:
        check_write_resource(send, rules, &offered);
        break;
    case RPCRDMA_ERR_REPLY_RESOURCE:
        if (offered.has_reply_chunk && value > 0 && value <= offered.reply_length)
            break_rule(&send->review, rules->reply_length, AT_FIRST_VALUE, END_CALL,
                       "%u octets are needed; the Reply chunk has %u", value, offered.reply_length);
        break;
    }
}

/* ---- what it answers ---- */

static bool is_defined_type(uint32_t type)
{
    return type >= RPCRDMA2_07_ERROR && type <= RPCRDMA2_07_REPLY_INLINE;
}

static void check_refused_type(struct rpcrdma_send *send)
{
    const struct call *call = send->answers;
    if (!is_07(send) || meaning(send) != RPCRDMA_ERR_INVAL_HTYPE || call->mixed)
        return;
    if (call->type < 32)
        send->review.check->two.side[call->from].refused_types |= 1u << call->type;
    if (is_defined_type(call->type) && call->from == RPCRDMA_CLIENT)
        break_rule(&send->review, RPCRDMA2_07_6_1_DEFINED_TYPE_REFUSED, AT_CODE, END_CALL,
                   "type %u is refused, which every receiver knows", call->type);
}

/* Code 1 says that the version is not known, code 11 of -07 that it is not that of the connection.
 */
static bool is_about_version(const struct rpcrdma_send *send)
{
    return meaning(send) & (RPCRDMA_ERR_VERS | RPCRDMA_ERR_VERS_MISMATCH);
}

static void check_versions(struct rpcrdma_send *send)
{
    const struct call *call = send->answers;
    uint32_t version = send->review.judgement->version;
    if (call->mixed)
        return;
    enum rpcrdma_severity severity = rpcrdma_version_severity(send);
    if (version != call->version)
        break_rule_as(&send->review, severity, RPCRDMA_RFC8166_4_5_ERROR_VERSION,
                      RPCRDMA1_AT_RDMA_VERS, REQUESTER_MAY(RPCRDMA_TERMINATE | RPCRDMA_DISCARD),
                      "the version is %u; the message that failed had %u", version, call->version);
    if (call->version != RPCRDMA_VERSION_2 && !is_about_version(send))
        break_rule_as(&send->review, severity, RPCRDMA_RFC8166_4_5_1_UNSUPPORTED_VERSION_ANSWERED,
                      AT_CODE, REQUESTER_MAY(RPCRDMA_TERMINATE | RPCRDMA_DISCARD),
                      "a message of version %u is answered by an error about something else",
                      call->version);
}

/* ---- an error that no message waits for ---- */

/* A Requester can answer a Reply, or pieces of one, that have a type or an order which it does not
 * take. */
static bool may_answer_reply(const struct rpcrdma_send *send)
{
    return is_07(send) && (meaning(send) & (RPCRDMA_ERR_INVAL_HTYPE | RPCRDMA_ERR_INVAL_CONT));
}

/* The other side has answered a Call of this side that had this XID, or is about to; or it has
 * begun to answer an unknown one, or has sent something between the pieces. */
static bool answers_reply(const struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    const struct pieces *pieces = &send->peer->pieces;
    uint32_t xid = send->review.judgement->xid;
    return rpcrdma_state_find(check, send->review.event->from, xid) != NULL ||
           (pieces->count > 0 && pieces->kind == RPCRDMA_REPLY &&
            (pieces->xid == xid || (pieces->mixed && pieces->mixed_xid == xid)));
}

static void check_stray(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    const struct traffic *traffic = &check->traffic[other(from)];
    bool only_calls = traffic->calls == 0 && check->traffic[from].calls > 0;
    struct call *call = rpcrdma_state_find_rpc_xid(check, other(from), judgement->xid);
    if (traffic->forgot || (answers_reply(send) && may_answer_reply(send)))
        return;
    if (call != NULL) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_ERROR_XID, RPCRDMA1_AT_RDMA_XID,
                   REQUESTER_MAY(RPCRDMA_DISCARD),
                   "XID 0x%x is that of the RPC message; its header had 0x%x", call->rpc_xid,
                   call->xid);
        rpcrdma_state_set(check, call, CALL_DOUBTFUL);
    } else if (only_calls && (is_04(send) || answers_reply(send))) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_REQUESTER_SENDS_NO_ERROR, RPCRDMA1_AT_PROC,
                   EITHER_MAY(RPCRDMA_DISCARD, RPCRDMA_DISCARD),
                   "an error from the side that sends the Calls");
    } else {
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_ERROR_WITHOUT_CALL, RPCRDMA1_AT_RDMA_XID,
                   EITHER_MAY(RPCRDMA_DISCARD, RPCRDMA_DISCARD),
                   "no message with XID 0x%x waits for an answer", judgement->xid);
    }
}

void rpcrdma_judge_error2(struct rpcrdma_send *send)
{
    struct call *call = send->answers;
    if (call == NULL) {
        check_stray(send);
        return;
    }
    send->review.check->traffic[other(send->review.event->from)].errors++;
    check_versions(send);
    if (call->judged && !call->mixed)
        check_resources(send);
    check_refused_type(send);
    call->ended_by_system = meaning(send) == RPCRDMA_ERR_SYSTEM;
    rpcrdma_settle_call(send);
}

/* ---- remote invalidation ---- */

void rpcrdma_judge_invalidation2(struct rpcrdma_send *send)
{
    const struct rpcrdma_event *event = send->review.event;
    const struct call *call = send->answers;
    if (!event->invalidate)
        return;
    if (is_07(send) && send->message.kind != RPCRDMA_KIND_RPC)
        break_rule(&send->review, RPCRDMA2_07_6_5_CONTROL_NOT_INVALIDATING, RPCRDMA_NO_OFFSET,
                   EITHER_MAY(ALSO | RPCRDMA_CLOSE, ALSO | RPCRDMA_CLOSE),
                   "a Send that is no Reply invalidates handle 0x%x", event->handle);
    if (!is_reply(send) || call == NULL || !call->judged)
        return;
    if (call->invalidate == 0)
        break_rule(&send->review,
                   is_04(send) ? RPCRDMA2_04_6_2_3_PLAIN_SEND : RPCRDMA2_07_6_5_PLAIN_SEND_IF_ZERO,
                   RPCRDMA_NO_OFFSET, REQUESTER_MAY(ALSO | RPCRDMA_CLOSE),
                   "the Send invalidates handle 0x%x; its Call named none", event->handle);
    else if (call->invalidate != event->handle)
        break_rule(&send->review, RPCRDMA_RFC8797_4_1_INVALIDATE_OWN_TRANSACTION, RPCRDMA_NO_OFFSET,
                   REQUESTER_MAY(ALSO | RPCRDMA_CLOSE),
                   "the Send invalidates handle 0x%x; its Call named 0x%x", event->handle,
                   call->invalidate);
}
