// SPDX-License-Identifier: BSD-3-Clause
/* The events of a connection that wait, and where among them a new one belongs. */
#ifndef CONFORMANCE_FLOW_ARRANGE_H
#define CONFORMANCE_FLOW_ARRANGE_H

#include "conformance/input/flow/connection.h"

struct held_event {
    struct held_event *next;
    uint64_t frame;
    struct stamp stamp;
    size_t size;
    uint64_t by; /* the frame by which it happened: before its own if it was acknowledged there */
    uint64_t sends; /* of its side, with itself */
    enum order_place place;
    bool is_first; /* Send of its side */
    bool is_call;  /* of version 1 (those of version 2 tell of credits, and may be needed earlier),
                      or more than one Send before the other side's first */
    struct rpcrdma_event event;
    uint8_t octets[];
};

/* Put it among those that wait, which it belongs to from now on. */
void arrange_add(struct connection *connection, struct held_event *new);

/* The first of all is a Call: what may have come before it goes before it. Calls that were too
 * many only as they were recorded accuse nobody. False if there is nothing. */
bool arrange_move_before(struct connection *connection);

#endif
