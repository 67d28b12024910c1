// SPDX-License-Identifier: BSD-3-Clause
/*
 * A connection of a capture, and what all parts of the capture reader share.
 *
 * A connection has two flows, one for each direction. A flow is what one side sends to the other's
 * queue pair: its own requests (Sends, RDMA Writes, RDMA Read requests), whose sequence numbers
 * (PSNs) it counts, and its responses to the peer's requests.
 */
#ifndef CONFORMANCE_CAPTURE_CONNECTION_H
#define CONFORMANCE_CAPTURE_CONNECTION_H

#include "conformance/input/buffer/memory.h"
#include "conformance/input/capture/packet.h"
#include "conformance/input/source.h"

#define NO_INDEX UINT32_MAX
#define NO_QUEUE_PAIR UINT32_MAX

/* Calls remembered of a connection of which only one flow is known. */
#define CALLS_MAX 16

struct capture_context {
    struct source_reader *reader;
    struct memory memory;
    uint64_t frame; /* being read */
    int64_t time;   /* of that frame, nanoseconds since 1970 */
    bool stop;      /* the sink wants no more */
};

enum message_kind { MESSAGE_NONE, MESSAGE_SEND, MESSAGE_WRITE };

struct flow {
    struct address source, destination;
    uint32_t queue_pair; /* of the destination; NO_QUEUE_PAIR until it is known */
    uint32_t hash_next;
    uint32_t psn; /* expected next, if known */
    bool psn_known;
    bool psn_announced;   /* by connection management alone: no packet has confirmed it */
    uint64_t whole_until; /* the latest frame up to which no request was missing */
    bool stalled;         /* packets are missing, and may yet be sent again */
    uint32_t stalled_for;
    enum message_kind message;
    uint32_t handle; /* RDMA Write */
    uint64_t offset;
    struct buffer content;
    struct read_queue *reads; /* RDMA Reads that this side has requested; NULL until the first */
};

struct connection {
    uint32_t newer, older; /* by use; `newer` also links unused entries */
    bool in_use, closed;
    uint64_t id, events;
    uint32_t mtu;
    uint32_t comm_id[2];
    bool cm_seen;
    struct rpcrdma_check_config config;
    char name[2 * ADDRESS_TEXT + 32];
    bool holds;                            /* new events wait until nothing before is missing */
    struct held_event *held, *held_last;   /* those, oldest first */
    struct flow flow[2];                   /* by the endpoint that sends */
    uint32_t calls[CALLS_MAX], calls_seen; /* XIDs in the one flow, to find the other by */
};

/* The known flow of a half-open connection, of which the other is not known; else -1. */
static inline int known_flow(const struct connection *connection)
{
    bool client = connection->flow[RPCRDMA_CLIENT].queue_pair != NO_QUEUE_PAIR;
    bool server = connection->flow[RPCRDMA_SERVER].queue_pair != NO_QUEUE_PAIR;
    return connection->closed || client == server ? -1 : client ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
}

#endif
