// SPDX-License-Identifier: BSD-3-Clause
/*
 * Whether a connection is RPC-over-RDMA at all. Where only the port says so, its events wait until
 * a Send has a version that can be one: NVMe or iSER at that port are not accused.
 */
#ifndef CONFORMANCE_FLOW_DOUBT_H
#define CONFORMANCE_FLOW_DOUBT_H

#include <rpcrdma/check.h>

#include <stdbool.h>

enum doubt_state {
    DOUBT_NONE,
    DOUBT_OPEN,  /* its events wait */
    DOUBT_OTHER, /* it is of another protocol */
};

struct doubt {
    enum doubt_state state;
    unsigned waiting, sends; /* events that wait, and the Sends among them */
};

/* What the connection is, now that this is its next event. */
enum doubt_state doubt_judge(struct doubt *doubt, const struct rpcrdma_event *event);

#endif
