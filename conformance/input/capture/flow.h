// SPDX-License-Identifier: BSD-3-Clause
/* One direction of a reliable connection. */
#ifndef CONFORMANCE_CAPTURE_FLOW_H
#define CONFORMANCE_CAPTURE_FLOW_H

#include "conformance/input/capture/connection.h"

/* A packet of a known flow. False if it shows that the connection has ended. */
bool flow_packet(struct capture_context *context, struct connection *connection,
                 enum rpcrdma_endpoint sender, const struct packet *packet);

/* Drop what is being assembled. */
void flow_reset(struct capture_context *context, struct flow *flow);

/* Drop what a connection has under way to free memory. False if that is nothing. */
bool flow_evict(struct capture_context *context, struct connection *connection);

#endif
