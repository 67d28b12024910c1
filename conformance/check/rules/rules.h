// SPDX-License-Identifier: BSD-3-Clause
/* Inside librpcrdma-check: the rules, one scope a file, in the order in which they are applied. */
#ifndef CONFORMANCE_RULES_H
#define CONFORMANCE_RULES_H

#include "conformance/check/core/send.h"

/* ---- every version ---- */

/* By whose rules a Send is judged, and which version its connection speaks from then on
 * (negotiation.c). Only called once something of version 2 was sent. */
enum judged_by {
    BY_VERSION_1,
    BY_VERSION_2,
    JUDGED_ALREADY, /* its version is at fault */
};
enum judged_by rpcrdma_judge_version(struct rpcrdma_send *send);
void rpcrdma_settle_version(struct rpcrdma_send *send, enum judged_by by);

/* Find the Call that a Send may answer (transaction.c). */
void rpcrdma_find_answered(struct rpcrdma_send *send);

/* Decode the header and apply the rules of header scope (header.c; version2/header.c). */
void rpcrdma_judge_header(struct rpcrdma_send *send);
void rpcrdma_judge_header2(struct rpcrdma_send *send);

/* Their parts that the versions share: who receives it, the range of ERR_VERS, a credit word of 0,
 * the length of the payload (header.c), and octets of what holds the RPC message of a Special
 * Format Call (chunks.c). */
void rpcrdma_set_receivers(struct rpcrdma_send *send);
void rpcrdma_judge_version_range(struct rpcrdma_send *send);
void rpcrdma_judge_credit(struct rpcrdma_send *send);
void rpcrdma_judge_payload(struct rpcrdma_send *send);
void rpcrdma_sum_position_zero(struct rpcrdma_send *send);

/* The rules of header scope that look at chunk lists (chunks.c). */
void rpcrdma_judge_chunks(struct rpcrdma_send *send);

/* What header and payload show together (message.c). */
void rpcrdma_judge_message(struct rpcrdma_send *send);

/* The same of a Long Call, whose first octets an RDMA Read has moved. */
void rpcrdma_judge_long_call(struct review *review, struct call *call, const uint8_t *octets,
                             size_t length, uint64_t total);

/* An RDMA operation moved octets at this segment, which may belong to such a message (special.c).
 */
void rpcrdma_take_lead(struct review *review, const struct offered_memory *segment);

/* Remember what a Call calls, as its RPC header says it (binding.c). */
void rpcrdma_take_program(struct call *call, const struct rpcrdma_rpc_header *rpc,
                          const struct rpcrdma_binding *applied);

/* Whether the Write chunks of a Call may come back without segments: of a program that is not known
 * they may. That is known, too, where no binding is applied (binding.c). */
bool rpcrdma_may_return_empty(const struct rpcrdma_check *check, const struct call *call);

/* The arguments of what is called have nothing that may be in a Read chunk, whatever they are. */
bool rpcrdma_takes_nothing(const struct called *called);

/* What the upper layer's binding allows (binding.c). */
void rpcrdma_judge_binding(struct rpcrdma_send *send);

/* Why a Responder must not take a Call, and a Reply to a Call with such a reason, which the caller
 * asks first; which Sends have to be dropped, and whether an RDMA_ERROR answers one of them
 * (refusal.c). */
enum refusal rpcrdma_refusal(const struct rpcrdma_send *send);
void rpcrdma_judge_refusal(struct rpcrdma_send *send);
void rpcrdma_take_dropped(struct rpcrdma_send *send);
bool rpcrdma_answers_dropped(struct rpcrdma_send *send);

/* An answer and its Call (transaction.c); and the parts of it that the versions share: a Reply, and
 * whether its Call is over. */
void rpcrdma_judge_answer(struct rpcrdma_send *send);
void rpcrdma_judge_reply(struct rpcrdma_send *send);
void rpcrdma_settle_call(struct rpcrdma_send *send);

/* What went before on the connection, and the private data that set it up (connection.c). */
void rpcrdma_judge_connection(struct rpcrdma_send *send);
void rpcrdma_judge_private_data(struct review *review);

/* Receive buffers that are missing, memory that is refused, atomic operations (provider.c). */
void rpcrdma_judge_provider(struct review *review);

/* ---- version 2 alone, each for every Send whose header decodes ---- */

/*
 * A message in pieces (continuation.c). A last piece gets the whole payload, as far as it is kept.
 */
void rpcrdma_judge_continuation(struct rpcrdma_send *send);

/* A control message between the pieces of something, or its properties (continuation.c). */
void rpcrdma_judge_control_between(struct rpcrdma_send *send);

/* Transport properties: what a side tells (properties.c). */
void rpcrdma_judge_properties(struct rpcrdma_send *send);

/* A property that a side tells: which one, or -1; and what holds of that side from then on. */
int rpcrdma_property_of(const struct rpcrdma_send *send, uint32_t id);
void rpcrdma_take_property(struct rpcrdma_send *send, const struct rpcrdma_property *property);
void rpcrdma_change_property(struct rpcrdma_send *send, enum property which, uint32_t value);

/* The same of what may hold or not: of a size, the larger one does. */
void rpcrdma_change_perhaps(struct rpcrdma_send *send, enum property which, uint32_t value);
void rpcrdma_take_set_perhaps(struct rpcrdma_send *send, const struct rpcrdma_property_array *set);

/* What cannot be read, where properties are to follow or may not: no section says which fault is
 * looked at first (properties.c). */
void rpcrdma_judge_unread(struct rpcrdma_send *send);

/* The messages by which properties of -04 change; forget: one of them with an invalid value;
 * refusal: an error, which may answer one (properties04.c). */
void rpcrdma_judge_properties04(struct rpcrdma_send *send);
void rpcrdma_take_refusal04(struct rpcrdma_send *send);
void rpcrdma_forget_properties04(struct rpcrdma_send *send);

/* Limits that the other side has told, other than of the length of a Send (version2/limits.c). */
void rpcrdma_judge_limits2(struct rpcrdma_send *send);

/* What the sender of a Send has received for certain: what it answers (properties.c). */
void rpcrdma_take_received(struct rpcrdma_send *send);
bool rpcrdma_knows(const struct rpcrdma_check *check, enum rpcrdma_endpoint side, uint64_t posted);

/* Credits of -07 (version2/credits.c). */
void rpcrdma_judge_credits2(struct rpcrdma_send *send);

/* The octets of the error that this reaction stands for, of at most RPCRDMA_ANSWER_MAX; or what the
 * encoder returned (version2/error.c). */
ptrdiff_t rpcrdma_encode_error2(enum rpcrdma_protocol draft, uint8_t *answer,
                                const struct rpcrdma_prefix *prefix,
                                enum rpcrdma_reaction reaction);

/* An error of version 2, and which memory a Send may invalidate (version2/answer.c). */
void rpcrdma_judge_error2(struct rpcrdma_send *send);
void rpcrdma_judge_invalidation2(struct rpcrdma_send *send);

/* What went before on the connection (version2/connection.c); and of all versions, a Call, a
 * message that an error may answer, and a grant of version 1 and -04 (connection.c). */
void rpcrdma_judge_connection2(struct rpcrdma_send *send);
uint32_t rpcrdma_send_limit(const struct rpcrdma_send *send); /* its length, or 0: unknown */
struct call *rpcrdma_take_call(struct rpcrdma_send *send);
bool rpcrdma_is_surely_same(const struct rpcrdma_send *send, const struct call *known);
void rpcrdma_take_message(struct rpcrdma_send *send);
void rpcrdma_take_grant(struct rpcrdma_send *send);

/* How grave it is that the version of an answer is not its Call's. Before anything was answered, a
 * message that was missed may have had this XID, and another version: that of a client's offer. */
static inline enum rpcrdma_severity rpcrdma_version_severity(const struct rpcrdma_send *send)
{
    const struct traffic *traffic = &send->review.check->traffic[send->answers->from];
    return traffic->forgot && traffic->answers == 0 ? RPCRDMA_WARNING : RPCRDMA_VIOLATION;
}

/* Whether the receiver has to have a buffer for this Call, or for this answer to a Call. Of what
 * came twice it is not known how often it was to be expected. */
static inline enum buffer rpcrdma_buffer_for_call(const struct traffic *traffic,
                                                  const struct call *call)
{
    bool granted = traffic->answers > 0 ? traffic->in_flight <= latest_grant(traffic)
                                        : traffic->in_flight == 1;
    return !call->resent && !call->crossed && granted && !traffic->forgot ? BUFFER_FOR_CALL
                                                                          : BUFFER_UNKNOWN;
}

static inline enum buffer rpcrdma_buffer_for_answer(const struct call *call)
{
    return call && call->counted && !call->resent && !call->mixed ? BUFFER_FOR_REPLY
                                                                  : BUFFER_UNKNOWN;
}

/* ---- other events ---- */

/* RDMA operations; and of a Reply, whether they have fetched all that its Call holds in Read chunks
 * (transfer.c). */
void rpcrdma_judge_transfer(struct review *review);
void rpcrdma_judge_fetched(struct rpcrdma_send *send);

/* What a side does with its own memory; and a segment that a Call offers, at this place of the Send
 * and perhaps not for the first time: the number of the registration that it lies in, or 0
 * (registration.c). */
void rpcrdma_judge_registration(struct review *review);
uint32_t rpcrdma_judge_offered(struct rpcrdma_send *send, bool again, enum memory_kind kind,
                               const struct rpcrdma1_segment *segment, int64_t at);

#endif
