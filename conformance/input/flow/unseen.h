// SPDX-License-Identifier: BSD-3-Clause
/* Requests of a flow that the receiver has acknowledged, and that were not seen yet. */
#ifndef CONFORMANCE_FLOW_UNSEEN_H
#define CONFORMANCE_FLOW_UNSEEN_H

#include "conformance/input/frame/packet.h"

#define UNSEEN_MAX 8

/* Begins as zeros. Each entry: all up to `psn` had been received by `frame`; both rise. */
struct unseen {
    struct unseen_entry {
        uint32_t psn;
        uint64_t frame;
        struct stamp stamp; /* of that frame */
    } entries[UNSEEN_MAX];
    unsigned count;
};

/* Note an acknowledgement of requests that were not seen. */
void unseen_add(struct unseen *list, uint32_t psn, uint64_t frame, struct stamp stamp);

/* All requests before `psn` were seen, or will not come any more. */
void unseen_drop(struct unseen *list, uint32_t psn);

/* The frame by which the receiver had this request, or NULL: that is not known. */
const struct unseen_entry *unseen_find(const struct unseen *list, uint32_t psn);

/* The last acknowledgement that was recorded before this frame, or NULL. */
const struct unseen_entry *unseen_before(const struct unseen *list, uint64_t frame);

/* The last of all, or NULL. */
const struct unseen_entry *unseen_last(const struct unseen *list);

#endif
