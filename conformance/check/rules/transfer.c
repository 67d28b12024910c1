// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transfer scope: RDMA Reads and Writes beside the memory that Calls offer (RFC 8166 sections
 * 3.4.5, 3.4.6, 3.5 and 4.5.3).
 *
 * An operation names a handle and an address, never a Call. Several Calls can offer the same
 * memory, so an operation is accused only if no Call accounts for it: first those that wait, then
 * those answered are tried, and a Call that was forgotten ends the search without a finding.
 */
#include "conformance/check/rules/rules.h"

/* An operation can cover neighbouring segments of one handle; more than this are not followed. */
#define NEIGHBOURS 16

/* Segments of one handle that are looked at, lest the cost of an operation grow without bound. */
#define CANDIDATES 4096

struct operation {
    enum rpcrdma_endpoint target; /* whose memory */
    bool is_read;
    uint32_t handle;
    uint64_t offset, length;
    bool unsure; /* there were too many segments to look at all */
};

static bool fits_kind(const struct operation *op, const struct offered_memory *memory)
{
    return op->is_read ? memory->kind == MEMORY_READ
                       : memory->kind == MEMORY_WRITE || memory->kind == MEMORY_REPLY;
}

/* Segment of the handle, kind and Call state in which this offset lies. */
static struct offered_memory *find(struct rpcrdma_check *check, struct operation *op,
                                   uint64_t offset, bool answered)
{
    struct offered_memory *memory = rpcrdma_state_memory(check, op->handle);
    for (unsigned n = 0; memory; memory = rpcrdma_state_memory_next(check, memory), n++) {
        if (n == CANDIDATES) {
            op->unsure = true;
            return NULL;
        }
        if (offset < memory->offset || offset - memory->offset >= memory->length)
            continue;
        const struct call *call = &check->calls[memory->call];
        if (call->from == op->target && fits_kind(op, memory) &&
            (call->state == CALL_ANSWERED) == answered)
            return memory;
    }
    return NULL;
}

/* Octets `from` on of the segment are moved. What falls between those that are missing is taken to
 * be missing no more, even if it is moved for the second time. */
static void note_moved(struct offered_memory *memory, uint32_t from, uint32_t length)
{
    uint32_t end = from + length, known = end < memory->moved ? end : memory->moved;
    uint32_t low = from > memory->missing_from ? from : memory->missing_from;
    uint32_t high = known < memory->missing_to ? known : memory->missing_to;
    if (from > memory->moved) {
        memory->missing_from = memory->missing == 0 ? memory->moved : memory->missing_from;
        memory->missing_to = from;
        memory->missing += from - memory->moved;
    } else if (high > low) {
        memory->missing -= high - low < memory->missing ? high - low : memory->missing;
    }
    memory->moved = end > memory->moved ? end : memory->moved;
}

/* Follow the operation through the segments that it covers; true if they hold all of it. */
static bool cover(struct rpcrdma_check *check, struct operation *op, bool answered)
{
    uint64_t offset = op->offset, left = op->length;
    for (int i = 0; i < NEIGHBOURS && left > 0; i++) {
        struct offered_memory *memory = find(check, op, offset, answered);
        if (memory == NULL)
            return false;
        uint64_t inside = offset - memory->offset;
        uint64_t here = memory->length - inside < left ? memory->length - inside : left;
        note_moved(memory, (uint32_t)inside, (uint32_t)here);
        offset += here;
        left -= here;
    }
    op->unsure = op->unsure || left > 0; /* the rest was not looked at */
    return left == 0;
}

/* The RDMA Read was asked for after the answer to its Call was sent. */
static bool follows_answer(const struct review *review, const struct offered_memory *memory)
{
    const struct rpcrdma_event *event = review->event;
    return event->has_order && event->sent > review->check->calls[memory->call].answer;
}

static void check_where(struct review *review, struct operation *op)
{
    struct rpcrdma_check *check = review->check;
    struct traffic *traffic = &check->traffic[op->target];
    if (cover(check, op, false))
        return;
    /* A Call that is not known may offer this memory: another one, if it is for arguments, or, if
     * it is for results, the same Call, sent and answered before. */
    if (op->is_read ? traffic->forgot_memory : traffic->forgot)
        return;
    const struct offered_memory *late =
        find(check, op, op->offset, false) == NULL ? find(check, op, op->offset, true) : NULL;
    traffic->forgot_memory = traffic->forgot_memory || op->unsure;
    if (op->unsure)
        return;
    /* The last octets of a Read and the Reply go opposite ways: on the way they can be seen to
     * pass. The request tells, where its place is known. */
    if (late && op->is_read && check->config.seen_between && !follows_answer(review, late))
        return;
    if (late) {
        break_rule(review,
                   op->is_read ? RPCRDMA_RFC8166_3_4_5_1_READS_BEFORE_REPLY
                               : RPCRDMA_RFC8166_3_5_2_WRITES_BEFORE_REPLY,
                   RPCRDMA_NO_OFFSET, NO_REACTION,
                   "%u octets at handle 0x%x, whose Call is answered already", op->length,
                   op->handle);
        return;
    }
    /* A Responder that took a message which was not understood here knows what it offers. */
    if (traffic->forgot_memory || rpcrdma_state_has_unread(check, op->target))
        return;
    if (traffic->calls == 0)
        break_rule(review, RPCRDMA_RFC8166_4_5_3_ONLY_RESPONDER_INITIATES, RPCRDMA_NO_OFFSET,
                   NO_REACTION, "%u octets at handle 0x%x, by a side that has no Call to answer",
                   op->length, op->handle);
    else
        break_rule(review, RPCRDMA_RFC8166_4_5_3_WITHIN_OFFERED_MEMORY, RPCRDMA_NO_OFFSET,
                   NO_REACTION, "%u octets from 0x%x at handle 0x%x, which no waiting Call offers",
                   op->length, op->offset, op->handle);
}

void rpcrdma_judge_transfer(struct review *review)
{
    const struct rpcrdma_event *event = review->event;
    struct operation op = {
        .target = other(event->from),
        .is_read = event->type == RPCRDMA_EVENT_RDMA_READ,
        .handle = event->handle,
        .offset = event->offset,
        .length = (uint64_t)event->length + event->missing,
    };
    if (op.length < event->length)
        op.length = UINT64_MAX;
    if (op.length == 0)
        return;
    check_where(review, &op);
    const struct offered_memory *segment =
        event->data ? find(review->check, &op, op.offset, false) : NULL;
    if (segment)
        rpcrdma_take_lead(review, segment);
}

/* ---- before the Reply ---- */

/* Padding that its last segment may end with need not be fetched (section 3.4.5.2). */
enum { PADDING_MOST = 3 };

/* The octets are offered more than once: which of these an RDMA Read was for is not known. */
static bool is_ambiguous(struct rpcrdma_check *check, const struct offered_memory *segment)
{
    const struct offered_memory *memory = rpcrdma_state_memory(check, segment->handle);
    for (unsigned n = 0; memory; memory = rpcrdma_state_memory_next(check, memory), n++)
        if (n == CANDIDATES || (memory != segment && memory->kind == MEMORY_READ &&
                                (memory->offset - segment->offset < segment->length ||
                                 segment->offset - memory->offset < memory->length)))
            return true;
    return false;
}

/* An RPC that was executed, and of an upper layer whose results begin with a status one that did
 * not fail: such a Responder may have stopped before it came to the rest of the arguments. */
static bool succeeded(const struct rpcrdma_send *send)
{
    if (!is_inline(send) || send->rpc_length < 0 || !send->rpc.accepted ||
        send->rpc.accept_stat != 0)
        return false;
    size_t status = (size_t)send->rpc_length;
    if (send->payload.total < status + 4)
        return true;
    return send->payload.length >= status + 4 &&
           rpcrdma_xdr_load32(send->payload.octets + status) == 0;
}

/*
 * What the Responder did not fetch it did not have. But it can tell a Call that came before,
 * perhaps on another connection, by its XID alone (section 4.2.1) and give the answer that it has
 * kept; and of an argument it can store less than there is.
 */
void rpcrdma_judge_fetched(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    const struct call *call = send->answers;
    uint64_t offered = 0, fetched = 0, missing = 0;
    if (call->resent || send->review.event->reads_open ||
        check->traffic[call->from].forgot_memory || !succeeded(send))
        return;
    for (uint32_t i = call->first; i != NONE && check->memory[i].kind == MEMORY_READ;
         i = check->memory[i].next) {
        const struct offered_memory *memory = &check->memory[i];
        uint32_t left = memory->length - memory->moved;
        offered += memory->length;
        fetched += memory->moved - memory->missing;
        if (left <= PADDING_MOST && memory->missing == 0)
            continue;
        if (is_ambiguous(check, memory))
            return;
        missing += left + memory->missing;
    }
    if (missing > 0 && (fetched > 0 || check->config.operations_seen))
        break_rule(&send->review, RPCRDMA_RFC8166_3_5_2_ANSWERED_BEFORE_FETCHED, RPCRDMA_NO_OFFSET,
                   NO_REACTION,
                   "a Reply of success, though of %u octets in Read chunks %u were not fetched",
                   offered, missing);
}
