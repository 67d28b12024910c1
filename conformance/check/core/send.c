// SPDX-License-Identifier: BSD-3-Clause
/* One Send, before its rules are applied. */
#include "conformance/check/core/send.h"

/* Whether it has them is false so far. */
static inline void load_words(struct rpcrdma_judgement *judgement, const uint8_t *octets,
                              size_t length)
{
    if (length < RPCRDMA1_AT_RDMA_XID + 4)
        return;
    judgement->has_xid = true;
    judgement->xid = rpcrdma_xdr_load32(octets + RPCRDMA1_AT_RDMA_XID);
    if (length < RPCRDMA1_AT_RDMA_VERS + 4)
        return;
    judgement->has_version = true;
    judgement->version = rpcrdma_xdr_load32(octets + RPCRDMA1_AT_RDMA_VERS);
    if (length < RPCRDMA1_AT_RDMA_CREDIT + 4)
        return;
    judgement->has_credit = true;
    judgement->credit = rpcrdma_xdr_load32(octets + RPCRDMA1_AT_RDMA_CREDIT);
    if (length < RPCRDMA1_AT_PROC + 4)
        return;
    judgement->has_procedure = true;
    judgement->procedure = rpcrdma_xdr_load32(octets + RPCRDMA1_AT_PROC);
}

/* Field by field, those that are 0 in their order: the large tables in it are filled only where
 * they are used. */
void rpcrdma_send_begin(struct rpcrdma_send *send, struct rpcrdma_check *check,
                        const struct rpcrdma_event *event, struct rpcrdma_judgement *judgement)
{
    static const uint8_t nothing[1];
    review_begin(&send->review, check, event, judgement);
    send->octets = event->data ? event->data : nothing;
    send->length = event->data ? event->length : 0;
    send->total = (uint64_t)event->length + event->missing;
    if (send->total < event->length)
        send->total = UINT64_MAX;
    send->missing = send->total - send->length;
    const enum rpcrdma_endpoint peer = other(event->from);
    send->own = &check->two.side[event->from];
    send->peer = &check->two.side[peer];
    send->freed_before = check->traffic[peer].freed;
    send->rpc_length = -1;
    send->state = HEADER_NONE;
    send->receivers = 0;
    send->drop = DROP_NOTHING;
    send->results = 0;
    send->may_be_overlooked = send->is_padded = send->may_be_refused = send->is_first = false;
    send->contradicts = send->is_foreign = send->has_position_zero = send->is_protected = false;
    send->has_results = false;
    send->position_zero_length = 0;
    send->chunks = NULL;
    send->payload = (struct payload){.length = 0};
    send->binding = NULL;
    send->answers = send->named = NULL;
    send->reads.count = 0;
    send->reads.descends = send->reads.interleaved = send->reads.overlap = false;
    load_words(judgement, send->octets, send->length);
}
