// SPDX-License-Identifier: BSD-3-Clause
/* Sends and RDMA Writes of one flow, assembled from their packets. */
#ifndef CONFORMANCE_FLOW_MESSAGE_H
#define CONFORMANCE_FLOW_MESSAGE_H

#include "conformance/input/flow/connection.h"

/* A packet of a Send or an RDMA Write, next in order. A message that is complete becomes an
 * event; a packet of another kind is ignored. */
void message_packet(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint sender, const struct packet *packet);

bool message_begins_send(uint8_t opcode);
bool message_ends_send(uint8_t opcode);

/* This many packets are missing: drop the message that is being assembled, count what may be lost,
 * and report a gap. */
void message_lose(struct capture_context *context, struct connection *connection, struct flow *flow,
                  uint64_t frame, uint64_t packets);

/* The same, but hold_end_gap() is left to the caller. */
void message_begin_loss(struct capture_context *context, struct connection *connection,
                        struct flow *flow, uint64_t frame, uint64_t packets);

/* Drop the message that is being assembled. False if there is none. */
bool message_drop(struct capture_context *context, struct flow *flow);

#endif
