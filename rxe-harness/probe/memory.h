// SPDX-License-Identifier: BSD-3-Clause
/* The memory that the chunks of a Send name. */
#ifndef HARNESS_PROBE_MEMORY_H
#define HARNESS_PROBE_MEMORY_H

#include "rxe-harness/requester/requester.h"

/* Segments that overlap: one piece of memory. */
struct probe_stretch {
    uint32_t handle; /* as it was given, as are these */
    uint64_t first, last;
    unsigned access; /* enum link_access */
    bool is_exposed;
    uint8_t *octets;
    struct link_memory piece;
};

struct probe_memory {
    struct requester_memory exposed;
    uint8_t *room; /* for what the peer reads or writes */
    size_t room_used;
    uint8_t *call;                  /* for a Position Zero chunk: at least REQUESTER_RPC octets */
    size_t call_used;               /* of it */
    struct requester_pending reply; /* the Reply chunk in `room` */
    bool moved;                     /* every segment has memory */
    bool large;                     /* there is more to be read than every Responder takes */
    bool full;                      /* the Reply chunk has no room for any Reply */
    bool invalidates;               /* version 2: the Responder may invalidate some of it */
    struct probe_stretch stretches[REQUESTER_SEGMENTS];
    unsigned count;
};

/* Register memory for the segments in these octets, and move them there. */
void probe_memory_move(struct probe_memory *memory, struct requester *requester,
                       enum rpcrdma_protocol protocol, uint8_t *octets, size_t length);
/* Put numbers in place of handles and offsets: octets that are equal then are sent as the same. */
void probe_memory_number(enum rpcrdma_protocol protocol, uint8_t *octets, size_t length);
void probe_memory_free(struct probe_memory *memory, struct requester *requester);

#endif
