// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transaction scope: an answer beside the Call that it answers (RFC 8166 sections 3.4.6, 4.3, 4.5;
 * RFC 8797 section 4.1). Every Write chunk and the Reply chunk of the Call come back; only their
 * lengths change, and never grow.
 *
 * The XID is all that joins the two, and it can be wrong, be used twice, or belong to a Call that
 * was not seen. So an answer is compared only with a Call that is known for certain (`judged`), and
 * one that a Requester may have dropped leaves its Call in doubt instead of answered: no later
 * message is accused on the strength of a guess.
 */
#include "conformance/check/rules/rules.h"

void rpcrdma_find_answered(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    if (check->rows[ROW_WAITING].oldest == NONE || !send->review.judgement->has_xid)
        return; /* nothing waits: most Calls of a client that waits for each Reply */
    struct call *call =
        rpcrdma_state_find(check, other(send->review.event->from), send->review.judgement->xid);
    if (is_waiting(call))
        send->answers = call;
}

/* What comes back is not what was offered: the Reply is dropped. */
#define copied_wrong(send, rule, at, ...)                                                          \
    break_rule(&(send)->review, rule, place(send, at), REQUESTER_MAY(RPCRDMA_DISCARD), __VA_ARGS__)

/* ---- one chunk, offered and returned ---- */

/* The rules that apply to a returned chunk: those of Write chunks, or of the Reply chunk. */
struct chunk_rules {
    enum rpcrdma_rule copied, within_offer, in_order;
    const char *name;
};

static const struct chunk_rules write_rules = {
    RPCRDMA_RFC8166_3_4_6_SEGMENT_COUNT_COPIED,
    RPCRDMA_RFC8166_3_4_6_RETURNED_LENGTH_WITHIN_OFFER,
    RPCRDMA_RFC8166_3_4_6_FILLED_IN_ORDER,
    "Write",
};
static const struct chunk_rules reply_rules = {
    RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_COPIED,
    RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_LENGTH_WITHIN_OFFER,
    RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_FILLED_IN_ORDER,
    "Reply",
};

struct compared {
    uint64_t returned; /* octets */
    uint64_t moved;    /* how far RDMA Writes were seen to reach, in all segments together */
    bool has_hole;     /* of what is returned of a segment, some octets were never written */
    bool misplaced;    /* RDMA Writes do not reach to the end of what is returned of a segment */
    uint64_t room;
};

/* Of a rule that has another grade in some protocol. */
static bool is_violation(const struct rpcrdma_send *send, enum rpcrdma_rule rule)
{
    rule = rule_in_force(&send->review, rule);
    return rule < RPCRDMA_RULES && rpcrdma_requirements[rule].severity == RPCRDMA_VIOLATION;
}

/* RDMA Writes reach to the end of what is returned of a segment, but not all of that was written.
 */
static bool has_hole(const struct offered_memory *offered, uint32_t returned)
{
    return offered->missing > 0 && offered->moved >= returned &&
           (offered->missing_to <= returned || offered->moved - offered->missing < returned);
}

/* Compare returned segments with the offered ones from memory `i` on, which are as many. */
static inline void compare_segments(struct rpcrdma_send *send, const struct chunk_rules *rules,
                                    const struct rpcrdma1_segment_array *returned, uint32_t i,
                                    struct compared *sum)
{
    const struct offered_memory *all = send->review.check->memory;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(returned);
    struct rpcrdma1_segment segment;
    bool partial = false;
    for (const uint8_t *at = iter.p; rpcrdma1_segment_array_next(&iter, &segment);
         at = iter.p, i = all[i].next) {
        const struct offered_memory *offered = &all[i];
        if (segment.handle != offered->handle)
            copied_wrong(send, rules->copied, at,
                         "the returned segment has handle 0x%x; the offered one has 0x%x",
                         segment.handle, offered->handle, 0);
        else if (segment.offset != offered->offset)
            copied_wrong(send, rules->copied, at + SEGMENT_AT_OFFSET,
                         "the returned segment has offset 0x%x; the offered one has 0x%x",
                         segment.offset, offered->offset, 0);
        else if (segment.length > offered->length)
            copied_wrong(send, rules->within_offer, at + SEGMENT_AT_LENGTH,
                         "%u octets are returned of a segment of %u", segment.length,
                         offered->length);
        if (partial && segment.length > 0) {
            break_rule(&send->review, rules->in_order, place(send, at + SEGMENT_AT_LENGTH),
                       REQUESTER_MAY(is_violation(send, rules->in_order)
                                         ? RPCRDMA_DISCARD
                                         : RPCRDMA_PROCESS | RPCRDMA_DISCARD),
                       "a segment holds %u octets although one before it is not full",
                       segment.length);
        }
        partial = partial || segment.length < offered->length;
        sum->returned += segment.length;
        sum->moved += offered->moved;
        sum->has_hole = sum->has_hole || has_hole(offered, segment.length);
        sum->misplaced = sum->misplaced || offered->moved < segment.length;
        sum->room += offered->length;
    }
}

/* What is not known cannot be compared: of a Call that came again, or whose memory was forgotten.
 * That nothing was moved is known only where all RDMA operations are seen. */
static bool knows_moved(const struct rpcrdma_send *send, const struct compared *sum)
{
    return (sum->moved > 0 || send->review.check->config.operations_seen) && sum->returned > 0 &&
           !send->answers->resent &&
           !send->review.check->traffic[other(send->review.event->from)].forgot_memory;
}

/* Octets that were written against octets that the Reply speaks of. */
static void check_moved(struct rpcrdma_send *send, const uint8_t *at, const struct compared *sum)
{
    uint64_t padded = rpcrdma_xdr_round(sum->returned);
    if (!knows_moved(send, sum))
        return;
    if (sum->has_hole)
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_6_RETURNED_LENGTH_WRITTEN, place(send, at),
                   NO_REACTION, "%u octets are returned, but not all of them were written",
                   sum->returned);
    else if (sum->misplaced && sum->moved >= sum->returned)
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_6_RETURNED_LENGTH_WRITTEN, place(send, at),
                   NO_REACTION,
                   "%u octets are returned, but %u were written, and not into the same segments",
                   sum->returned, sum->moved);
    else if (sum->moved == sum->returned)
        return;
    else if (sum->moved == padded)
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_6_2_PADDING_NOT_WRITTEN, place(send, at),
                   NO_REACTION, "%u octets were written for a result of %u: its padding, too",
                   sum->moved, sum->returned);
    else
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_6_RETURNED_LENGTH_WRITTEN, place(send, at),
                   NO_REACTION, "%u octets are returned, but %u were written", sum->returned,
                   sum->moved);
}

/* ---- the Write list ---- */

/* A Write chunk as it was offered: its segments from memory `first` on, and where the next chunk
 * begins. */
struct offered {
    uint32_t first, count, next;
};

static struct offered offered_chunk(const struct offered_memory *all, uint32_t i, uint32_t chunk)
{
    struct offered offered = {i, 0, i};
    for (; i != NONE && all[i].kind == MEMORY_WRITE && all[i].chunk == chunk; i = all[i].next)
        offered.count++;
    if (i != NONE && all[i].kind == MEMORY_EMPTY_WRITE && all[i].chunk == chunk)
        i = all[i].next;
    offered.next = i;
    return offered;
}

/* The Call was denied, or not executed. A Long Reply shows it if RDMA Writes were seen to. */
static bool has_no_results(const struct rpcrdma_send *send)
{
    const struct lead *lead = &send->answers->lead;
    const struct rpcrdma_rpc_header *rpc =
        !rpcrdma_xdr_failed(send->rpc_length) ? &send->rpc : NULL;
    struct rpcrdma_rpc_header moved;
    /* Where a Call may have come again, which of its Replies was written is not known. */
    if (is_special(send) && lead->is_reply &&
        !send->review.check->traffic[other(send->review.event->from)].forgot_memory) {
        const uint8_t *octets = rpcrdma_state_lead(send->review.check, send->answers);
        if (!rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&moved, octets, lead->length, NULL)))
            rpc = &moved;
    }
    return rpc != NULL && rpc->is_reply && (!rpc->accepted || rpc->accept_stat != 0);
}

static void check_write_chunk(struct rpcrdma_send *send,
                              const struct rpcrdma1_segment_array *returned, uint32_t chunk,
                              const struct offered *offer, bool *unused_before)
{
    const struct call *call = send->answers;
    uint32_t offered = offer->count;
    const uint8_t *at = returned->wire - RPCRDMA1_WRITE_CHUNK_SIZE_MIN;
    struct compared sum = {0};
    if (returned->count == 0 && offered > 0) {
        *unused_before = true;
        if (!rpcrdma_may_return_empty(send->review.check, call)) {
            break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_2_RETURNED_UNUSED, place(send, at),
                       REQUESTER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD),
                       offered == 1 ? "rdma_writes[%u], offered with %u segment, comes back empty"
                                    : "rdma_writes[%u], offered with %u segments, comes back empty",
                       chunk, offered);
        }
        return;
    }
    if (returned->count != offered) {
        copied_wrong(send,
                     offered == 0 ? RPCRDMA_RFC8166_4_3_2_3_EMPTY_CHUNK_RETURNED_EMPTY
                                  : write_rules.copied,
                     at,
                     returned->count == 1 ? "rdma_writes[%u] has %u segment; the Call offered %u"
                                          : "rdma_writes[%u] has %u segments; the Call offered %u",
                     chunk, returned->count, offered);
        return;
    }
    compare_segments(send, &write_rules, returned, offer->first, &sum);
    if (sum.returned == 0) {
        *unused_before = *unused_before || sum.room > 0;
        return;
    }
    check_moved(send, at, &sum);
    if (has_no_results(send)) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_2_RETURNED_UNUSED, place(send, at),
                   REQUESTER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD),
                   "rdma_writes[%u] returns %u octets in a Reply without results", chunk,
                   sum.returned);
        return;
    }
    if (call->rpc.is_gss_control)
        break_rule(&send->review, RPCRDMA_RFC8166_8_2_2_GSS_ELEMENTS_NOT_REDUCED, place(send, at),
                   REQUESTER_MAY(RPCRDMA_TERMINATE),
                   "rdma_writes[%u] returns %u octets of RPCSEC_GSS itself", chunk, sum.returned);
    if (call->rpc.is_protected) {
        break_rule(&send->review, RPCRDMA_RFC8166_8_2_2_3_RESULT_NOT_REDUCED, place(send, at),
                   REQUESTER_MAY(RPCRDMA_TERMINATE),
                   "rdma_writes[%u] returns %u octets to a Call under RPCSEC_GSS protection", chunk,
                   sum.returned);
    }
    if (*unused_before)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_1_CHUNKS_USED_IN_ORDER, place(send, at),
                   NO_REACTION, "rdma_writes[%u] is used although one before it is not", chunk);
}

static uint32_t first_result_memory(const struct rpcrdma_send *send)
{
    const struct offered_memory *all = send->review.check->memory;
    uint32_t i = send->answers->first;
    while (i != NONE && all[i].kind == MEMORY_READ)
        i = all[i].next;
    return i;
}

static void check_write_list(struct rpcrdma_send *send)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    const struct call *call = send->answers;
    if (call->offers.write_chunks == 0 && writes->count > 0) {
        copied_wrong(send, RPCRDMA_RFC8166_3_4_3_MEMORY_FROM_REQUESTER, writes->wire,
                     "%u Write chunks come back; the Call offered none", writes->count, 0, 0);
        return;
    }
    if (call->offers.write_chunks != writes->count) {
        copied_wrong(send, write_rules.copied, writes->wire,
                     "%u Write chunks come back; the Call offered %u", writes->count,
                     call->offers.write_chunks, 0);
        return;
    }
    uint32_t i = first_result_memory(send);
    uint32_t used = 0;
    bool unused_before = false;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    struct rpcrdma1_write_chunk chunk;
    for (uint32_t n = 0; rpcrdma1_write_list_next(&iter, &chunk); n++) {
        struct offered offer = offered_chunk(send->review.check->memory, i, n);
        check_write_chunk(send, &chunk.target, n, &offer, &unused_before);
        used += call->offers.has_results && rpcrdma1_segments_length(&chunk.target) > 0;
        i = offer.next;
    }
    if (call->offers.has_results && used > call->offers.results)
        break_rule(&send->review, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED,
                   place(send, writes->wire), REQUESTER_MAY(RPCRDMA_TERMINATE),
                   "%u Write chunks return octets, but %u results are eligible", used,
                   call->offers.results);
}

/* ---- the Reply chunk ---- */

/* The RPC message of a Long Reply, as RDMA Writes were seen to bring it. */
static void check_long_reply(struct rpcrdma_send *send)
{
    const struct call *call = send->answers;
    const struct lead *lead = &call->lead;
    const uint8_t *octets = rpcrdma_state_lead(send->review.check, call);
    if (!is_special(send) || !lead->is_reply || lead->length < RPCRDMA_RPC_AT_MTYPE + 4)
        return;
    uint32_t xid = rpcrdma_xdr_load32(octets + RPCRDMA_RPC_AT_XID);
    uint32_t type = rpcrdma_xdr_load32(octets + RPCRDMA_RPC_AT_MTYPE);
    if (xid != call->xid)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_1_XID_EQUAL, RPCRDMA1_AT_RDMA_XID,
                   REQUESTER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD),
                   "the XID of the RPC message in the Reply chunk is 0x%x, that of the header 0x%x",
                   xid, call->xid);
    else if (type != RPCRDMA_REPLY)
        break_rule(&send->review, RPCRDMA_RFC8166_2_2_2_MESSAGE_TYPE, RPCRDMA_NO_OFFSET,
                   REQUESTER_MAY(RPCRDMA_DISCARD),
                   "the message type of the RPC message in the Reply chunk is %u, not Reply", type);
}

static void check_reply_chunk(struct rpcrdma_send *send)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    const struct rpcrdma1_segment_array *returned = &send->chunks->rdma_reply.value.target;
    const struct call *call = send->answers;
    const uint8_t *at = writes->wire + writes->octets;
    struct compared sum = {0};
    if (!send->chunks->rdma_reply.present) {
        if (call->offers.has_reply_chunk && !is_07(send)) {
            break_rule(&send->review, reply_rules.copied, place(send, at),
                       REQUESTER_MAY(RPCRDMA_PROCESS | RPCRDMA_DISCARD),
                       "the Call offered a Reply chunk, which does not come back");
        }
        return;
    }
    if (!call->offers.has_reply_chunk) {
        copied_wrong(send, RPCRDMA_RFC8166_3_4_3_MEMORY_FROM_REQUESTER, at,
                     "a Reply chunk comes back; the Call offered none", 0, 0, 0);
        return;
    }
    if (returned->count != call->offers.reply_segments) {
        copied_wrong(send, reply_rules.copied, returned->wire - RPCRDMA1_WRITE_CHUNK_SIZE_MIN,
                     returned->count == 1 ? "the Reply chunk has %u segment; the Call offered %u"
                                          : "the Reply chunk has %u segments; the Call offered %u",
                     returned->count, call->offers.reply_segments, 0);
        return;
    }
    const struct offered_memory *all = send->review.check->memory;
    uint32_t i = first_result_memory(send);
    while (i != NONE && all[i].kind != MEMORY_REPLY)
        i = all[i].next;
    compare_segments(send, &reply_rules, returned, i, &sum);
    if (knows_moved(send, &sum) && (sum.has_hole || sum.misplaced || sum.moved != sum.returned))
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_LENGTH_WRITTEN, place(send, at),
                   NO_REACTION,
                   "the Reply chunk returns %u octets; RDMA Writes reached %u, and not all of them",
                   sum.returned, sum.moved);
    check_long_reply(send);
}

/* ---- replies and errors ---- */

static bool offers(const struct rpcrdma_check *check, const struct call *call, uint32_t handle)
{
    const struct offered_memory *all = check->memory;
    for (uint32_t i = call->first; i != NONE; i = all[i].next)
        if (all[i].kind != MEMORY_EMPTY_WRITE && all[i].handle == handle)
            return true;
    return false;
}

/* Whether the Call came before the other one. Both wait. */
static bool is_older(const struct rpcrdma_check *check, const struct call *call,
                     const struct call *than)
{
    enum { STEPS = 64 };
    uint32_t i = than->older;
    for (unsigned n = 0; i != NONE && n < STEPS; n++, i = check->calls[i].older)
        if (&check->calls[i] == call)
            return true;
    return false;
}

/* Another Call that waits, and that the Responder has, offers the same handle: that is not the
 * transaction's own. Seen on the way, a later Call may not have arrived yet. */
static void check_alone(struct rpcrdma_send *send, uint32_t handle)
{
    enum { CANDIDATES = 64 };
    struct rpcrdma_check *check = send->review.check;
    const struct offered_memory *memory = rpcrdma_state_memory(check, handle);
    for (unsigned n = 0; memory && n < CANDIDATES;
         n++, memory = rpcrdma_state_memory_next(check, memory)) {
        const struct call *call = &check->calls[memory->call];
        if (call == send->answers || call->from != send->answers->from ||
            call->state != CALL_PENDING || !call->judged || call->xid == send->answers->xid ||
            (check->config.seen_between && !is_older(check, call, send->answers)))
            continue;
        break_rule(&send->review, RPCRDMA_RFC8797_4_1_INVALIDATE_OWN_TRANSACTION, RPCRDMA_NO_OFFSET,
                   REQUESTER_MAY(ALSO | RPCRDMA_CLOSE),
                   "the Send invalidates handle 0x%x, which the Call with XID 0x%x offers as well",
                   handle, call->xid);
        return;
    }
}

static void check_invalidate(struct rpcrdma_send *send)
{
    uint32_t handle = send->review.event->handle;
    if (!send->review.event->invalidate || !send->answers->judged)
        return;
    if (offers(send->review.check, send->answers, handle)) {
        check_alone(send, handle);
        return;
    }
    break_rule(&send->review, RPCRDMA_RFC8797_4_1_INVALIDATE_OWN_TRANSACTION, RPCRDMA_NO_OFFSET,
               REQUESTER_MAY(ALSO | RPCRDMA_CLOSE),
               "the Send invalidates handle 0x%x, which its Call did not offer", handle);
}

/* A Requester that drops a Reply goes on waiting; whether it does is not seen. */
void rpcrdma_settle_call(struct rpcrdma_send *send)
{
    if (send->review.open[RPCRDMA_REQUESTER] & (RPCRDMA_PROCESS | RPCRDMA_TERMINATE))
        rpcrdma_state_answer(send->review.check, send->answers);
    else
        rpcrdma_state_set(send->review.check, send->answers, CALL_DOUBTFUL);
}

/* A Requester may look at the XID of the RPC message alone, and take the Reply for that Call. */
static void find_named(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint requester = other(send->review.event->from);
    if (!is_inline(send) || send->payload.length < 4)
        return;
    uint32_t xid = rpcrdma_xdr_load32(send->payload.octets);
    if (xid == send->review.judgement->xid)
        return;
    struct call *call = rpcrdma_state_find(check, requester, xid);
    if (!is_waiting(call))
        return;
    send->named = call;
    check->traffic[requester].answers += send->answers == NULL;
    rpcrdma_state_set(check, call, CALL_DOUBTFUL);
}

void rpcrdma_judge_reply(struct rpcrdma_send *send)
{
    struct traffic *traffic = &send->review.check->traffic[other(send->review.event->from)];
    find_named(send);
    if (send->answers == NULL) {
        const struct call *known = rpcrdma_state_find(
            send->review.check, other(send->review.event->from), send->review.judgement->xid);
        if (traffic->forgot)
            return;
        break_rule(&send->review, RPCRDMA_RFC8166_2_2_2_REPLY_MATCHES_CALL, 0,
                   REQUESTER_MAY(RPCRDMA_DISCARD),
                   known ? "XID 0x%x was answered before"
                         : "no Call with XID 0x%x waits for a Reply",
                   send->review.judgement->xid);
        return;
    }
    enum rpcrdma_severity severity = rpcrdma_version_severity(send);
    traffic->answers++;
    if (send->answers->version != send->review.judgement->version && !send->answers->mixed) {
        break_rule_as(&send->review, severity, RPCRDMA_RFC8166_4_5_1_UNSUPPORTED_VERSION_ANSWERED,
                      RPCRDMA1_AT_RDMA_VERS, REQUESTER_MAY(RPCRDMA_DISCARD),
                      "a Reply answers a Call of version %u", send->answers->version);
    } else if (send->answers->judged) {
        check_write_list(send);
        check_reply_chunk(send);
        if (rpcrdma_state_has_reads(send->review.check, send->answers))
            rpcrdma_judge_fetched(send);
        if (send->review.event->invalidate &&
            send->review.judgement->protocol == RPCRDMA_PROTOCOL_1)
            check_invalidate(send);
    }
    if (send->answers->refusal != REFUSE_NOTHING)
        rpcrdma_judge_refusal(send);
    send->answers->answer = send->review.check->side[send->review.event->from].sends;
    rpcrdma_settle_call(send);
}

/* An RDMA_ERROR that no Call waits for. */
static void check_stray_error(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    enum rpcrdma_endpoint from = send->review.event->from;
    const struct traffic *traffic = &check->traffic[other(from)];
    if (traffic->forgot)
        return;
    struct call *call = rpcrdma_state_find_rpc_xid(check, other(from), send->review.judgement->xid);
    if (call != NULL) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_ERROR_XID, 0, REQUESTER_MAY(RPCRDMA_DISCARD),
                   "XID 0x%x is that of the RPC message; its header had 0x%x", call->rpc_xid,
                   call->xid);
        rpcrdma_state_set(check, call, CALL_DOUBTFUL);
        return;
    }
    if (traffic->calls == 0 && check->traffic[from].calls > 0)
        break_rule(&send->review, RPCRDMA_RFC8166_4_2_4_REQUESTER_SENDS_NO_ERROR, RPCRDMA1_AT_PROC,
                   REQUESTER_MAY(RPCRDMA_DISCARD),
                   "an RDMA_ERROR from the side that sends the Calls");
    else if (!rpcrdma_answers_dropped(send))
        break_rule(&send->review, RPCRDMA_RFC8166_4_5_ERROR_WITHOUT_CALL, RPCRDMA1_AT_RDMA_XID,
                   REQUESTER_MAY(RPCRDMA_DISCARD), "no message with XID 0x%x waits for an answer",
                   send->review.judgement->xid);
}

static void check_error(struct rpcrdma_send *send)
{
    const struct call *call = send->answers;
    uint32_t version = send->review.judgement->version;
    if (call == NULL) {
        check_stray_error(send);
        return;
    }
    send->review.check->traffic[other(send->review.event->from)].errors++;
    if (version != call->version && !call->mixed) {
        break_rule_as(&send->review, rpcrdma_version_severity(send),
                      RPCRDMA_RFC8166_4_5_ERROR_VERSION, RPCRDMA1_AT_RDMA_VERS,
                      REQUESTER_MAY(RPCRDMA_TERMINATE | RPCRDMA_DISCARD),
                      "the version is %u; the message that failed had %u", version, call->version);
    }
    /* Version 2 has this code, too. */
    if (call->version != RPCRDMA_VERSION_1 && call->version != RPCRDMA_VERSION_2 && !call->mixed &&
        send->message.error.code != RPCRDMA1_ERR_VERS) {
        break_rule_as(&send->review, rpcrdma_version_severity(send),
                      RPCRDMA_RFC8166_4_5_1_UNSUPPORTED_VERSION_ANSWERED, RPCRDMA1_ERROR_AT_ERR,
                      REQUESTER_MAY(RPCRDMA_TERMINATE | RPCRDMA_DISCARD),
                      "a message of version %u is answered by ERR_CHUNK", call->version);
    }
    check_invalidate(send);
    rpcrdma_settle_call(send);
}

void rpcrdma_judge_answer(struct rpcrdma_send *send)
{
    bool decoded = send->state == HEADER_DECODED;
    if (decoded && send->message.kind == RPCRDMA_KIND_ERROR)
        check_error(send);
    else if (decoded && is_reply(send))
        rpcrdma_judge_reply(send);
    else if (send->answers && !is_call(send)) /* a lax Requester took it */
        rpcrdma_state_set(send->review.check, send->answers, CALL_DOUBTFUL);
}
