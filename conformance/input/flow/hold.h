// SPDX-License-Identifier: BSD-3-Clause
/* Events on their way to the sink, which may have to wait. Every transport hands its assembled
 * messages and RDMA operations to hold_event(). */
#ifndef CONFORMANCE_FLOW_HOLD_H
#define CONFORMANCE_FLOW_HOLD_H

#include "conformance/input/flow/connection.h"

/* Pass an event on to the sink, now or once nothing before it can be missing. */
void hold_event(struct capture_context *context, struct connection *connection,
                const struct rpcrdma_event *event, uint64_t frame);

/* A RPCRDMA_EVENT_GAP, which that frame shows. Between beginning and end of a gap, events may be
 * passed on that were recorded before some of those that wait. */
void hold_begin_gap(struct capture_context *context, struct connection *connection, uint64_t frame);
void hold_end_gap(struct capture_context *context, struct connection *connection);

/* Both at once. */
void hold_gap(struct capture_context *context, struct connection *connection, uint64_t frame);

/* Count Sends and RDMA operations that are lost, or may be. */
void hold_lost(struct capture_context *context, struct connection *connection, uint64_t count,
               uint64_t frame);

/* Count those that the end of their connection broke off: nobody sent or received the rest. */
void hold_broken_off(struct capture_context *context, const struct connection *connection,
                     uint64_t count, uint64_t frame);

/* At the end of a connection: count it if its opening, or one of its sides, was never recorded.
 * That nothing was found in it proves little. */
void hold_missing_parts(struct capture_context *context, const struct connection *connection);

/* Count one that was not recorded to its end. */
void hold_cut(struct capture_context *context, const struct connection *connection, uint64_t frame);

/* Pass on the events before which nothing can be missing any more. */
void hold_release(struct capture_context *context, struct connection *connection);

/* Pass on all events to free memory, as hold_end() does. */
void hold_evict(struct capture_context *context, struct connection *connection);

/* Whether the connection should be ended by hold_end() only at the end of the capture: an event
 * waits that would be a fault, unless packets before it are missing, and whether the capture lacks
 * packets is not known yet. */
bool hold_is_undecided(const struct capture_context *context, const struct connection *connection);

/* Pass on all events: no later packet will decide. If packets of the capture were missing before,
 * more may be: what they could explain comes after a gap. Else those that seem early are marked as
 * unconfirmed. */
void hold_end(struct capture_context *context, struct connection *connection);

#endif
