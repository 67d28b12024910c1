// SPDX-License-Identifier: BSD-3-Clause
/* The latest Sends and RDMA Writes of a flow, until the receiver acknowledges them. */
#ifndef CONFORMANCE_FLOW_UNACKNOWLEDGED_H
#define CONFORMANCE_FLOW_UNACKNOWLEDGED_H

#include "conformance/input/frame/packet.h"

#define UNACKNOWLEDGED_MAX 8

struct unacknowledged {
    struct sent_request {
        uint32_t first_psn, last_psn;
        uint32_t handle, length; /* RDMA Write */
        uint64_t offset;
        uint64_t number; /* of Sends that came before */
        bool is_send;
    } requests[UNACKNOWLEDGED_MAX];
    unsigned begin, count;
};

/* Add one. If there are too many, the oldest is forgotten. */
void unacknowledged_add(struct unacknowledged *list, const struct sent_request *request);

/* All up to this number have been acknowledged. Returns how many Sends the receiver has, by the
 * requests that the list still had; or `known` if there is no news. */
uint64_t unacknowledged_take(struct unacknowledged *list, uint32_t psn, uint64_t known);

/* The request with this number, or NULL. */
const struct sent_request *unacknowledged_find(const struct unacknowledged *list, uint32_t psn);

#endif
