// SPDX-License-Identifier: BSD-3-Clause
/* Whether events of the two sides were recorded in the wrong order. */
#ifndef CONFORMANCE_FLOW_ORDER_H
#define CONFORMANCE_FLOW_ORDER_H

#include <rpcrdma/check.h>

#define ORDER_SLOTS 32

/* By side: XIDs of its Calls that wait for a Reply, handles that its Calls have offered. Entries
 * overwrite each other: then an event seems early that is not, and waits a little in vain. */
struct order {
    uint32_t xids[2][ORDER_SLOTS], handles[2][ORDER_SLOTS];
};

/* What an event is to those of the other side that came before it. */
enum order_place {
    ORDER_FREE,    /* it needs none of them */
    ORDER_ANSWERS, /* a Reply whose Call has come, an RDMA operation on memory that was offered */
    ORDER_EARLY,   /* one whose Call, or whose memory, seems not to have come yet */
};

/* Learn from an event. */
enum order_place order_note(struct order *order, const struct rpcrdma_event *event);

/* Whether this Send is the Call that the early event of the other side belongs to. */
bool order_explains(const struct rpcrdma_event *call, const struct rpcrdma_event *early);

#endif
