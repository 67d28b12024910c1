// SPDX-License-Identifier: BSD-3-Clause
/* Inside librpcrdma-check: the rules, one scope a file, in the order in which they are applied. */
#ifndef CONFORMANCE_RULES_H
#define CONFORMANCE_RULES_H

#include "conformance/check/core/send.h"

/* Find the Call that a Send may answer (transaction.c). */
void rpcrdma_find_answered(struct rpcrdma_send *send);

/* Decode the header and apply the rules of header scope (header.c). */
void rpcrdma_judge_header(struct rpcrdma_send *send);

/* The rules of header scope that look at chunk lists (chunks.c). */
void rpcrdma_judge_chunks(struct rpcrdma_send *send);

/* What header and payload show together (message.c). */
void rpcrdma_judge_message(struct rpcrdma_send *send);

/* The same of a Long Call, whose first octets an RDMA Read has moved. */
void rpcrdma_judge_long_call(struct review *review, struct call *call, const uint8_t *octets,
                             size_t length, uint64_t total);

/* An RDMA operation moved octets at this segment, which may belong to such a message (special.c).
 */
void rpcrdma_take_lead(struct review *review, const struct memory *segment);

/* Remember what a Call calls, as its RPC header says it (binding.c). */
void rpcrdma_take_program(struct call *call, const struct rpcrdma_rpc_header *rpc,
                          const struct rpcrdma_binding *applied);

/* Whether the Write chunks of a Call may come back without segments: of a program that is not known
 * they may. That is known, too, where no binding is applied (binding.c). */
bool rpcrdma_may_return_empty(const struct rpcrdma_check *check, const struct call *call);

/* What the upper layer's binding allows (binding.c). */
void rpcrdma_judge_binding(struct rpcrdma_send *send);

/* Why a Responder must not take a Call, and a Reply to one that it must not take (refusal.c). */
enum refusal rpcrdma_refusal(const struct rpcrdma_send *send);
void rpcrdma_judge_refusal(struct rpcrdma_send *send);

/* An answer and its Call (transaction.c). */
void rpcrdma_judge_answer(struct rpcrdma_send *send);

/* What went before on the connection, and the private data that set it up (connection.c). */
void rpcrdma_judge_connection(struct rpcrdma_send *send);
void rpcrdma_judge_private_data(struct review *review);

/* Receive buffers that are missing, memory that is refused, atomic operations (provider.c). */
void rpcrdma_judge_provider(struct review *review);

/* RDMA operations (transfer.c). */
void rpcrdma_judge_transfer(struct review *review);

#endif
