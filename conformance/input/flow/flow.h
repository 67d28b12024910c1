// SPDX-License-Identifier: BSD-3-Clause
/* One direction of a reliable connection. */
#ifndef CONFORMANCE_FLOW_FLOW_H
#define CONFORMANCE_FLOW_FLOW_H

#include "conformance/input/flow/connection.h"

/* A packet of a known flow. */
void flow_packet(struct capture_context *context, struct connection *connection,
                 enum rpcrdma_endpoint sender, const struct packet *packet);

/* No packets will follow: pass on what is complete, count what is not. */
void flow_end(struct capture_context *context, struct connection *connection);

/* Drop what a connection has under way to free memory. */
void flow_evict(struct capture_context *context, struct connection *connection);

#endif
