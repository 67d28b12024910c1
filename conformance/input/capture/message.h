// SPDX-License-Identifier: BSD-3-Clause
/* Sends and RDMA Writes of one flow, assembled from their packets. */
#ifndef CONFORMANCE_CAPTURE_MESSAGE_H
#define CONFORMANCE_CAPTURE_MESSAGE_H

#include "conformance/input/capture/connection.h"

/* A packet of a Send or an RDMA Write, next in order. A message that is complete becomes an
 * event; a packet of any other kind is ignored. */
void message_packet(struct capture_context *context, struct connection *connection,
                    enum rpcrdma_endpoint sender, const struct packet *packet);

/* Packets are missing: drop the message that is being assembled, count it, and report a gap. */
void message_lose(struct capture_context *context, struct connection *connection, struct flow *flow,
                  uint64_t frame);

/* Drop the message that is being assembled without a word. */
void message_drop(struct capture_context *context, struct flow *flow);

#endif
