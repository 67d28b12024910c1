// SPDX-License-Identifier: BSD-3-Clause
/*
 * A conversation as octets: what the target `check` eats, the mutator edits and the seed maker
 * writes.
 *
 * It begins with four octets of settings: flags, max_calls (0: 8), max_segments (0: 16), inline
 * threshold in KiB. Events follow, 16 octets each, and then what the event carries. In an event,
 * octet 0 is its type (bits 0 to 2, and 6 for 8), whether it is the server's (3), names a handle to
 * invalidate or refuses an RDMA Read (4), or moves octets not seen (5); octet 1 says how many
 * octets are missing at its end, up to 127, and from 128 on 64 for each beyond, or what registered
 * memory is for; then come 2 octets of length, 4 of handle or XID, 8 of offset or of Sends
 * received.
 *
 * All octets mean something: where they end early, the event is shorter.
 */
#ifndef FUZZ_CONVERSATION_H
#define FUZZ_CONVERSATION_H

#include <rpcrdma/check.h>
#include <rpcrdma/xdr.h>

#include <string.h>

#define CONVERSATION_SETTINGS 4
#define CONVERSATION_EVENT 16

enum conversation_flag {
    CONVERSATION_REVERSE = 1,
    CONVERSATION_MID_STREAM = 2,
    CONVERSATION_NFS = 4,
    CONVERSATION_CAPTURED = 8,
    CONVERSATION_REGISTRATIONS = 16,
};

enum {
    CONVERSATION_SERVER = 8,
    CONVERSATION_INVALIDATE = 16,
    CONVERSATION_UNSEEN = 32,
    CONVERSATION_TYPE_8 = 64,
};

/* It can carry octets; of others a length is all that there is. */
static inline bool conversation_carries(enum rpcrdma_event_type type)
{
    return type <= RPCRDMA_EVENT_PRIVATE_DATA || type == RPCRDMA_EVENT_ATOMIC;
}

/* Take the next event off *at; false at the end. event->data points into the octets. */
static inline bool conversation_next(const uint8_t **at, const uint8_t *end,
                                     struct rpcrdma_event *event)
{
    const uint8_t *p = *at;
    if (end - p < CONVERSATION_EVENT)
        return false;
    size_t left = (size_t)(end - p) - CONVERSATION_EVENT;
    bool unseen = p[0] & CONVERSATION_UNSEEN;
    unsigned type = (p[0] & 7u) + (p[0] & CONVERSATION_TYPE_8 ? 8 : 0);
    *event = (struct rpcrdma_event){
        .type = (enum rpcrdma_event_type)(type % RPCRDMA_EVENT_TYPES),
        .from = p[0] & CONVERSATION_SERVER ? RPCRDMA_SERVER : RPCRDMA_CLIENT,
        .invalidate = p[0] & CONVERSATION_INVALIDATE,
        .missing = p[1] < 128 ? p[1] : (p[1] - 127u) * 64,
        .length = (size_t)p[2] << 8 | p[3],
        .handle = rpcrdma_xdr_load32(p + 4),
        .offset = rpcrdma_xdr_load64(p + 8),
        .received = rpcrdma_xdr_load64(p + 8),
        .is_read = p[0] & CONVERSATION_INVALIDATE,
        .access = p[1] & (RPCRDMA_ACCESS_READ | RPCRDMA_ACCESS_WRITE),
        .xid = rpcrdma_xdr_load32(p + 4),
    };
    bool moved = event->type == RPCRDMA_EVENT_RDMA_READ || event->type == RPCRDMA_EVENT_RDMA_WRITE;
    p += CONVERSATION_EVENT;
    if ((unseen && moved) || !conversation_carries(event->type)) {
        event->missing = conversation_carries(event->type) ? event->missing : 0;
        *at = p;
        return true;
    }
    if (event->length > left)
        event->length = left;
    event->data = p;
    *at = p + event->length;
    return true;
}

/* Append an event to the octets in `room`; the new length, or the old one if it does not fit. */
static inline size_t conversation_put(uint8_t *room, size_t length, size_t capacity,
                                      const struct rpcrdma_event *event)
{
    size_t carried = event->data && conversation_carries(event->type) ? event->length : 0;
    bool completed = event->type == RPCRDMA_EVENT_COMPLETED;
    bool not_ready = event->type == RPCRDMA_EVENT_NOT_READY;
    if (event->length > UINT16_MAX || capacity - length < CONVERSATION_EVENT ||
        capacity - length - CONVERSATION_EVENT < carried)
        return length;
    uint8_t *p = room + length;
    p[0] = (uint8_t)(((uint32_t)event->type & 7u) | (event->type & 8 ? CONVERSATION_TYPE_8 : 0) |
                     (event->from == RPCRDMA_SERVER ? CONVERSATION_SERVER : 0) |
                     (event->invalidate || event->is_read ? CONVERSATION_INVALIDATE : 0) |
                     (event->data ? 0 : CONVERSATION_UNSEEN));
    size_t many = event->missing / 64 < 128 ? event->missing / 64 : 128;
    p[1] = (uint8_t)(event->missing < 128 ? event->missing | event->access : 127 + many);
    p[2] = (uint8_t)(event->length >> 8);
    p[3] = (uint8_t)event->length;
    rpcrdma_xdr_store32(p + 4, completed ? event->xid : event->handle);
    rpcrdma_xdr_store64(p + 8, not_ready ? event->received : event->offset);
    if (carried > 0)
        memcpy(p + CONVERSATION_EVENT, event->data, carried);
    return length + CONVERSATION_EVENT + carried;
}

#endif
