// SPDX-License-Identifier: BSD-3-Clause
/* Packets of a flow that came before their turn. */
#ifndef CONFORMANCE_FLOW_PENDING_H
#define CONFORMANCE_FLOW_PENDING_H

#include "conformance/input/buffer/memory.h"
#include "conformance/input/frame/packet.h"

struct pending {
    struct pending *next;
    size_t size;
    bool tried; /* before its connection was known */
    struct packet packet;
    uint8_t octets[];
};

/* In the order of their sequence numbers. */
struct pending_list {
    struct pending *first;
    unsigned count;
};

/* A copy with its octets, or NULL if there is no memory. */
struct pending *pending_copy(struct memory *memory, const struct packet *packet);

/* Keep a copy, unless there are enough of them, no memory, or one of this number. */
void pending_add(struct memory *memory, struct pending_list *list, const struct packet *packet);

/* Take out the first. The caller frees it by pending_free(). */
struct pending *pending_take(struct pending_list *list);
void pending_free(struct memory *memory, struct pending *pending);

/* Drop all. */
void pending_drop(struct memory *memory, struct pending_list *list);

#endif
