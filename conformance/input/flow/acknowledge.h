// SPDX-License-Identifier: BSD-3-Clause
/* What the acknowledgements of a flow show besides the order of its requests. */
#ifndef CONFORMANCE_FLOW_ACKNOWLEDGE_H
#define CONFORMANCE_FLOW_ACKNOWLEDGE_H

#include "conformance/input/flow/connection.h"

enum acknowledgement {
    ACKNOWLEDGED,     /* all requests up to the packet's number */
    REFUSED_FOR_NOW,  /* from the packet's number on: these will be sent again */
    REFUSED_FOR_GOOD, /* the same, and the queue pair has failed */
};

enum acknowledgement acknowledgement_kind(const struct packet *packet);

/* Events that a refusal by `receiver` shows: no receive buffer, memory that is not accessible. */
void acknowledge_refusal(struct capture_context *context, struct connection *connection,
                         enum rpcrdma_endpoint receiver, const struct packet *packet);

#endif
