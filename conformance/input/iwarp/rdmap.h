// SPDX-License-Identifier: BSD-3-Clause
/*
 * RDMAP over DDP (RFC 5040, 5041): ULPDUs of both directions of a connection become Sends, RDMA
 * Writes, RDMA Reads with what was read, and the end that a Terminate message is, with the RDMA
 * operation that it refuses.
 */
#ifndef CONFORMANCE_IWARP_RDMAP_H
#define CONFORMANCE_IWARP_RDMAP_H

#include "conformance/input/buffer/memory.h"

#include <rpcrdma/check.h>

/* RDMA Reads under way in one direction: connections agree on far fewer. */
#define RDMAP_READS_MAX 128

struct rdmap_handler {
    /* Something is complete. */
    void (*event)(void *arg, const struct rpcrdma_event *event, uint64_t frame);
    /* Something was not seen; `count` Sends and RDMA operations, or 0 where that is not known. */
    void (*lost)(void *arg, uint32_t count, uint64_t frame);
    /* Only the beginning of what an RDMA Read read was recorded. */
    void (*cut)(void *arg, uint64_t frame);
    /* A ULPDU that RDMAP does not explain. */
    void (*unread)(void *arg, uint64_t frame);
    /* This side ended the connection by a Terminate message. */
    void (*terminated)(void *arg, enum rpcrdma_endpoint side, uint64_t frame);
};

struct rdmap_read { /* an RDMA Read that waits for its response */
    uint32_t sink_handle, handle, length;
    uint64_t sink_offset, offset;
    bool silent; /* it means nothing to the upper layer */
};

struct rdmap_side {
    struct buffer send; /* that is being put together */
    bool sending, send_broken;
    bool number_known[2]; /* of the next message in queue 0 (Sends) and 1 (RDMA Read Requests) */
    uint32_t number[2];
    struct buffer write;
    bool writing, write_broken;
    uint32_t write_handle;
    uint64_t write_offset;
    struct rdmap_read *reads; /* RDMAP_READS_MAX of them, once there is one: a ring */
    unsigned read_first, read_count;
    struct buffer response; /* to the first of them */
    bool response_broken;
    uint32_t unrequested; /* responses to no request that was seen, since the last request */
    bool lost;            /* octets, since its last Send */
};

struct rdmap {
    struct memory *memory;
    const struct rdmap_handler *handler;
    void *arg;
    struct rdmap_side side[2];
    /* The client's next message is the one of no length by which a connection of RFC 6581 gets
     * under way; the upper layer knows nothing of it. */
    bool ready_to_receive;
};

/* From the first message on. Without this the numbers of messages are taken as they come. */
void rdmap_begin(struct rdmap *rdmap);

/* The next ULPDU of this side, of which `recorded` octets are at hand. */
void rdmap_take(struct rdmap *rdmap, enum rpcrdma_endpoint side, const uint8_t *octets,
                size_t recorded, size_t length, uint64_t frame);

/* Some ULPDUs of this side are missing: reported as lost, with what is known of it now. */
void rdmap_skip(struct rdmap *rdmap, enum rpcrdma_endpoint side, uint64_t frame);

/* Nothing more comes of this side, and no octets of it are missing: whether it was in the midst of
 * a Send or an RDMA Write, which is dropped. */
bool rdmap_break_off(struct rdmap *rdmap, enum rpcrdma_endpoint side);

/* Nothing more comes. What could not be counted before is lost. */
void rdmap_end(struct rdmap *rdmap, uint64_t frame);

/* Give up what is being put together, for the memory. */
void rdmap_evict(struct rdmap *rdmap, uint64_t frame);

/* Whether a ULPDU can begin like this. */
bool rdmap_is_plausible(const uint8_t *octets, size_t recorded, size_t length);

/* The payload of a ULPDU that is a whole Send; NULL if it is not one. */
const uint8_t *rdmap_whole_send(const uint8_t *octets, size_t recorded, size_t length,
                                size_t *payload_recorded, size_t *payload_length);

#endif
