// SPDX-License-Identifier: BSD-3-Clause
/* RPC-over-RDMA connections of which the capture lacks the beginning. */
#ifndef CONFORMANCE_CAPTURE_RECOGNISE_H
#define CONFORMANCE_CAPTURE_RECOGNISE_H

#include "conformance/input/capture/connections.h"

/* A packet of an unknown flow, or of a half-open connection (`known`): its connection, or NULL if
 * it does not look like RPC-over-RDMA. `acknowledging`: its flow has acknowledgements. */
struct connection *recognise(struct connection_table *table, const struct packet *packet,
                             struct connection *known, enum rpcrdma_endpoint *sender,
                             bool acknowledging);

#endif
