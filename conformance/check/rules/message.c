// SPDX-License-Identifier: BSD-3-Clause
/*
 * Message scope: the transport header and the RPC message after it, side by side (RFC 8166 sections
 * 3.4.2, 3.4.5, 4.2.1 and 8.2.2; RFC 5531 for the RPC header).
 *
 * The RPC message can follow the header, or be moved by RDMA. Its rules are the same in both cases,
 * so they take octets, an XID and an offset, and not a Send. They read no further than the RPC
 * header: what the arguments say is for the protocol's binding.
 */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpc.h>

#define RPC_VERSION 2 /* RFC 5531 section 9 */

#define UNDECODABLE                                                                                \
    EITHER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS,       \
               RPCRDMA_PROCESS | RPCRDMA_DISCARD)

/* The RPC message of a Send, or of a Long Call whose first octets were moved. */
struct rpc_message {
    const uint8_t *octets;
    size_t length; /* recorded */
    uint64_t total;
    uint32_t xid;                     /* of the transport header */
    enum rpcrdma_direction direction; /* as that says it: version 2 alone */
    int64_t offset;                   /* of its first octet in the event */
    const struct call *answers;       /* version 2: the Call of that XID, or NULL */
    bool contradicts;                 /* contradicts() */
};

static void check_xid(struct review *review, const struct rpc_message *message)
{
    uint32_t xid = rpcrdma_xdr_load32(message->octets + RPCRDMA_RPC_AT_XID);
    /* The Call had these two already: its Responder has no third choice. */
    bool is_echo = message->answers && message->answers->rpc_xid == xid;
    if (xid != message->xid && !is_echo)
        break_rule(
            review, RPCRDMA_RFC8166_4_2_1_XID_EQUAL, message->offset,
            EITHER_MAY(RPCRDMA_PROCESS | RPCRDMA_ERR_CHUNK, RPCRDMA_PROCESS | RPCRDMA_DISCARD),
            "the XID of the RPC message is 0x%x, that of the header 0x%x", xid, message->xid);
}

/* The transport header says that it goes the other way. */
static bool contradicts(const struct rpc_message *message)
{
    return message->direction != RPCRDMA_DIRECTION_UNKNOWN &&
           message->length >= RPCRDMA_RPC_AT_MTYPE + 4 &&
           rpcrdma_xdr_load32(message->octets + RPCRDMA_RPC_AT_MTYPE) !=
               (uint32_t)message->direction;
}

/* False if the transport header says something else. */
static bool check_direction(struct review *review, const struct rpc_message *message, uint32_t type)
{
    if (!message->contradicts)
        return true;
    bool draft_04 = review->judgement->protocol == RPCRDMA_PROTOCOL_2_04;
    uint32_t process = draft_04 ? RPCRDMA_PROCESS : 0;
    break_rule(review, review->own->direction, message->offset + RPCRDMA_RPC_AT_MTYPE,
               EITHER_MAY(RPCRDMA_ERR_BAD_XDR | RPCRDMA_DISCARD | process,
                          RPCRDMA_ERR_BAD_XDR | RPCRDMA_DISCARD | process),
               "the message type is %u; the transport header says %u", type, message->direction);
    return false;
}

/* Its XID and type, which come before all else; false if they say nothing that can be trusted. */
static bool check_first_words(struct review *review, const struct rpc_message *message)
{
    if (message->length < RPCRDMA_RPC_AT_MTYPE + 4) {
        if (message->total < RPCRDMA_RPC_AT_MTYPE + 4)
            break_rule(review, RPCRDMA_RFC8166_4_RPC_LAYOUT, message->offset + RPCRDMA_RPC_AT_MTYPE,
                       UNDECODABLE, "the RPC message ends after %u octets", message->total);
        return false;
    }
    check_xid(review, message);
    uint32_t type = rpcrdma_xdr_load32(message->octets + RPCRDMA_RPC_AT_MTYPE);
    if (type > 1)
        break_rule(review, RPCRDMA_RFC8166_2_2_2_MESSAGE_TYPE,
                   message->offset + RPCRDMA_RPC_AT_MTYPE,
                   EITHER_MAY(RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK, RPCRDMA_DISCARD),
                   "the message type is %u, neither Call nor Reply", type);
    return type <= 1 && check_direction(review, message, type);
}

/* Whether it is a Call of another version of RPC. */
static bool has_other_version(struct review *review, const struct rpc_message *message)
{
    const uint8_t *version = message->octets + RPCRDMA_RPC_CALL_AT_RPCVERS;
    if (rpcrdma_xdr_load32(message->octets + RPCRDMA_RPC_AT_MTYPE) != 0 ||
        message->length < RPCRDMA_RPC_CALL_AT_RPCVERS + 4 ||
        rpcrdma_xdr_load32(version) == RPC_VERSION)
        return false;
    break_rule(review, RPCRDMA_RFC8166_4_RPC_LAYOUT, message->offset + RPCRDMA_RPC_CALL_AT_RPCVERS,
               UNDECODABLE, "the RPC version is %u, not 2", rpcrdma_xdr_load32(version));
    return true;
}

/* The octets of the RPC header, or -1 if it says nothing that can be trusted. */
static ptrdiff_t check_rpc_header(struct review *review, const struct rpc_message *message,
                                  struct rpcrdma_rpc_header *rpc)
{
    struct rpcrdma_xdr_error error; /* large, and set only if decoding fails */
    if (!check_first_words(review, message) || has_other_version(review, message))
        return -1;
    ptrdiff_t length = rpcrdma_rpc_header_decode(rpc, message->octets, message->length, &error);
    if (!rpcrdma_xdr_failed(length))
        return length;
    bool cut = error.code == RPCRDMA_XDR_E_TRUNCATED || error.code == RPCRDMA_XDR_E_COUNT;
    if (!cut || message->length == message->total)
        break_rule(review, RPCRDMA_RFC8166_4_RPC_LAYOUT, message->offset + error.offset,
                   UNDECODABLE,
                   cut ? "the RPC header ends inside this field"
                       : "this field of the RPC header has a value that RFC 5531 does not define");
    return -1;
}

/* ---- where Read chunks may stand in a Call ---- */

static void check_against_rpc_header(struct rpcrdma_send *send, const struct read_chunk *chunk)
{
    const struct rpcrdma_rpc_header *rpc = &send->rpc;
    if (rpc->has_gss && rpc->gss_proc != GSS_PROC_DATA) {
        break_rule(
            &send->review, RPCRDMA_RFC8166_8_2_2_GSS_ELEMENTS_NOT_REDUCED,
            chunk->at + ENTRY_AT_POSITION, RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
            "a Read chunk at Position %u in a Call that sets up or ends an RPCSEC_GSS context",
            chunk->position);
        return;
    }
    if (chunk->position >= (uint64_t)send->rpc_length)
        return;
    if (rpc->cred_flavor == RPCRDMA_RPC_GSS && chunk->position >= rpc->cred_offset)
        break_rule(&send->review, RPCRDMA_RFC8166_8_2_2_GSS_ELEMENTS_NOT_REDUCED,
                   chunk->at + ENTRY_AT_POSITION,
                   RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
                   "Position %u lies in the RPCSEC_GSS credential or verifier", chunk->position);
    else
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_2_POSITION_IN_RPC_HEADER,
                   chunk->at + ENTRY_AT_POSITION,
                   RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
                   "Position %u lies in the RPC header; the arguments begin at %u", chunk->position,
                   (uint64_t)send->rpc_length);
}

/* Positions count in the unreduced stream: what lower chunks took out is added back. */
static void check_bounds(struct rpcrdma_send *send, uint64_t payload)
{
    const struct read_chunks *chunks = &send->reads;
    uint64_t before = 0;
    if (chunks->overlap || chunks->count > READ_CHUNKS)
        return;
    for (uint32_t i = 0; i < chunks->count; i++) {
        const struct read_chunk *chunk = &chunks->chunk[i];
        if (chunk->position > payload + before) {
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_POSITION_IN_BOUNDS,
                       chunk->at + ENTRY_AT_POSITION,
                       RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
                       "Position %u lies beyond the payload, which ends at %u", chunk->position,
                       payload + before);
            return;
        }
        before += rpcrdma_xdr_round(chunk->length);
    }
}

/* No RPC header is shorter than the shortest Call: what is said to lie in it is no argument. */
static void check_long_call_positions(struct rpcrdma_send *send)
{
    const struct read_chunks *chunks = &send->reads;
    for (uint32_t i = 0; i < chunks->count && i < READ_CHUNKS; i++)
        if (chunks->chunk[i].position < RPCRDMA_RPC_CALL_SIZE_MIN)
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_2_POSITION_IN_RPC_HEADER,
                       chunks->chunk[i].at + ENTRY_AT_POSITION,
                       RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
                       "Position %u lies in the RPC header; the shortest has %u octets",
                       chunks->chunk[i].position, RPCRDMA_RPC_CALL_SIZE_MIN);
}

static void check_call_chunks(struct rpcrdma_send *send)
{
    const struct read_chunks *chunks = &send->reads;
    uint32_t stored = chunks->count < READ_CHUNKS ? chunks->count : READ_CHUNKS;
    unsigned before = send->review.judgement->count;
    for (uint32_t i = 0; i < stored; i++)
        check_against_rpc_header(send, &chunks->chunk[i]);
    if (stored > 0 && send->is_protected && send->review.judgement->count == before)
        break_rule(&send->review, RPCRDMA_RFC8166_8_2_2_3_PAYLOAD_NOT_REDUCED,
                   chunks->chunk[0].at + ENTRY_AT_POSITION,
                   RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS),
                   "a Read chunk at Position %u in a Call under RPCSEC_GSS service %u",
                   chunks->chunk[0].position, send->rpc.gss_service);
    if (send->is_protected && send->chunks->rdma_writes.count > 0)
        break_rule(&send->review, RPCRDMA_RFC8166_8_2_2_3_WRITE_LIST_UNDER_GSS,
                   place(send, send->chunks->rdma_writes.wire), NO_REACTION,
                   "a Write list in a Call under RPCSEC_GSS service %u", send->rpc.gss_service);
}

void rpcrdma_judge_message(struct rpcrdma_send *send)
{
    const struct rpcrdma_judgement *judgement = send->review.judgement;
    if (is_special(send) && is_call(send)) {
        check_long_call_positions(send);
        check_bounds(send, send->position_zero_length);
    }
    if (!is_inline(send) || send->payload.total < 4)
        return;
    struct rpc_message message = {send->payload.octets,
                                  send->payload.length,
                                  send->payload.total,
                                  judgement->xid,
                                  send->message.direction,
                                  send->payload.at,
                                  send->review.rules ? send->answers : NULL,
                                  false};
    send->contradicts = message.contradicts = contradicts(&message);
    send->rpc_length = check_rpc_header(&send->review, &message, &send->rpc);
    if (!rpcrdma_xdr_failed(send->rpc_length) && is_call(send)) {
        send->is_protected = rpcrdma_is_protected(&send->rpc);
        check_call_chunks(send);
    }
    if (is_call(send))
        check_bounds(send, send->payload.total);
}

/* Of a Call whose header was not seen to its end: what is called, and how it is protected. */
static bool look_at_call(const struct rpc_message *message, struct rpcrdma_rpc_header *rpc)
{
    enum { GSS_BODY = RPCRDMA_RPC_CALL_AT_CRED_BODY + 4 }; /* after its length */
    const uint8_t *octets = message->octets;
    if (message->length < GSS_BODY ||
        rpcrdma_xdr_load32(octets + RPCRDMA_RPC_AT_MTYPE) != RPCRDMA_CALL ||
        rpcrdma_xdr_load32(octets + RPCRDMA_RPC_CALL_AT_RPCVERS) != RPC_VERSION)
        return false;
    *rpc = (struct rpcrdma_rpc_header){
        .rpcvers = RPC_VERSION,
        .prog = rpcrdma_xdr_load32(octets + RPCRDMA_RPC_CALL_AT_PROG),
        .vers = rpcrdma_xdr_load32(octets + RPCRDMA_RPC_CALL_AT_VERS),
        .proc = rpcrdma_xdr_load32(octets + RPCRDMA_RPC_CALL_AT_PROC),
        .cred_flavor = rpcrdma_xdr_load32(octets + RPCRDMA_RPC_CALL_AT_CRED_FLAVOR)};
    if (rpc->cred_flavor != RPCRDMA_RPC_GSS)
        return true;
    if (message->length < GSS_BODY + RPCRDMA_GSS_AT_SERVICE + 4)
        return false;
    rpc->has_gss = true;
    rpc->gss_proc = rpcrdma_xdr_load32(octets + GSS_BODY + RPCRDMA_GSS_AT_GSS_PROC);
    rpc->gss_service = rpcrdma_xdr_load32(octets + GSS_BODY + RPCRDMA_GSS_AT_SERVICE);
    return true;
}

/* The octets of an RPC header that was not seen to its end, at least: its credential's are known.
 */
static uint64_t header_least(const struct rpc_message *message)
{
    uint32_t credential = rpcrdma_xdr_load32(message->octets + RPCRDMA_RPC_CALL_AT_CRED_BODY);
    return RPCRDMA_RPC_CALL_SIZE_MIN +
           (credential <= RPCRDMA_RPC_AUTH_BODY_MAX ? rpcrdma_xdr_round(credential) : 0);
}

/* A Read chunk of a Long Call, at a Position other than zero. False if nothing is wrong with it. */
static bool check_long_argument(struct review *review, const struct call *call,
                                const struct rpcrdma_rpc_header *rpc, uint64_t header,
                                uint32_t position)
{
    bool in_header = position < header && position >= RPCRDMA_RPC_CALL_SIZE_MIN;
    if (call->rpc.is_gss_control || (in_header && rpc->cred_flavor == RPCRDMA_RPC_GSS))
        break_rule(review, RPCRDMA_RFC8166_8_2_2_GSS_ELEMENTS_NOT_REDUCED, RPCRDMA_NO_OFFSET,
                   NO_REACTION,
                   in_header ? "the Long Call has a Read chunk at Position %u, in its RPCSEC_GSS "
                               "credential or verifier"
                             : "the Long Call has a Read chunk at Position %u, and sets up or ends "
                               "an RPCSEC_GSS context",
                   position);
    else if (in_header)
        break_rule(review, RPCRDMA_RFC8166_3_4_2_POSITION_IN_RPC_HEADER, RPCRDMA_NO_OFFSET,
                   NO_REACTION,
                   "Position %u lies in the RPC header of the Long Call, which has %u octets or "
                   "more",
                   position, header);
    else if (call->rpc.is_protected)
        break_rule(review, RPCRDMA_RFC8166_8_2_2_3_PAYLOAD_NOT_REDUCED, RPCRDMA_NO_OFFSET,
                   NO_REACTION,
                   "the Long Call has a Read chunk at Position %u and RPCSEC_GSS service %u",
                   position, rpc->gss_service);
    else if (call->from == RPCRDMA_CLIENT && call->rpc.shows_arguments &&
             rpcrdma_takes_nothing(&call->rpc))
        break_rule(review, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED, RPCRDMA_NO_OFFSET,
                   NO_REACTION,
                   "the Long Call has a Read chunk at Position %u, and its procedure no eligible "
                   "argument",
                   position);
    else
        return false;
    return true;
}

void rpcrdma_judge_long_call(struct review *review, struct call *call, const uint8_t *octets,
                             size_t length, uint64_t total)
{
    struct rpcrdma_rpc_header rpc;
    struct rpc_message message = {octets, length, total, call->xid, RPCRDMA_DIRECTION_UNKNOWN,
                                  0,      NULL,   false};
    ptrdiff_t n = check_rpc_header(review, &message, &rpc);
    if (rpcrdma_xdr_failed(n) && !look_at_call(&message, &rpc))
        return;
    if (rpc.is_reply) {
        break_rule(review, RPCRDMA_RFC8166_2_2_2_MESSAGE_TYPE, RPCRDMA_RPC_AT_MTYPE, NO_REACTION,
                   "the RPC message in the Position Zero Read chunk is a Reply, not a Call");
        return;
    }
    call->rpc.is_protected = rpcrdma_is_protected(&rpc);
    rpcrdma_take_program(call, &rpc,
                         rpcrdma_binding_find(review->check->config.bindings, rpc.prog, rpc.vers));
    uint64_t header = rpcrdma_xdr_failed(n) ? header_least(&message) : (uint64_t)n;
    const struct offered_memory *all = review->check->memory;
    for (uint32_t i = call->first; i != NONE; i = all[i].next)
        if (all[i].kind == MEMORY_READ && all[i].chunk != 0 &&
            check_long_argument(review, call, &rpc, header, all[i].chunk))
            return;
}
