// SPDX-License-Identifier: BSD-3-Clause
/*
 * A connection of a capture, and what all parts of the capture reader share.
 *
 * A connection has two flows, one for each direction. A flow is what one side sends to the other's
 * queue pair: its own requests (Sends, RDMA Writes, RDMA Read requests), whose sequence numbers
 * (PSNs) it counts, and its responses to the peer's requests.
 */
#ifndef CONFORMANCE_FLOW_CONNECTION_H
#define CONFORMANCE_FLOW_CONNECTION_H

#include "conformance/input/buffer/memory.h"
#include "conformance/input/flow/doubt.h"
#include "conformance/input/flow/order.h"
#include "conformance/input/frame/packet.h"
#include "conformance/input/flow/pending.h"
#include "conformance/input/flow/unacknowledged.h"
#include "conformance/input/flow/unseen.h"
#include "conformance/input/reader/reader.h"

#define NO_INDEX UINT32_MAX
#define NO_QUEUE_PAIR UINT32_MAX

/* Calls remembered of a connection with only one known flow. */
#define CALLS_MAX 16

/* Frames by which packets are displaced where several ports or queues record them. */
#define REORDER_FRAMES 24

struct capture_context {
    struct source_reader *reader;
    struct memory memory;
    uint64_t frame;     /* being read */
    struct stamp stamp; /* of that frame */
    bool stop;          /* the sink wants no more */
    bool ends;          /* the whole capture has been read */
    bool sends_only;    /* where this frame comes from, RDMA Reads and Writes are not seen */
    bool within_client; /* and what the client did with its memory is */
    size_t doubted;     /* octets of events that wait for struct doubt */
    uint64_t others;    /* connections to the port that are of another protocol */
};

enum message_kind { MESSAGE_NONE, MESSAGE_SEND, MESSAGE_WRITE };

/* A Send or RDMA Write under assembly. */
struct assembly {
    enum message_kind kind;
    bool headless; /* its beginning is missing, and that was counted */
    uint32_t first_psn;
    uint32_t handle, length; /* RDMA Write */
    uint64_t offset;
    struct buffer content;
};

/* What is known of the number of the next request. */
enum psn_state { PSN_UNKNOWN, PSN_AT_LEAST, PSN_EXACT };

struct flow {
    struct address source, destination;
    uint32_t queue_pair; /* of the destination; NO_QUEUE_PAIR until it is known */
    uint32_t hash_next;
    enum psn_state psn_state;
    uint32_t psn;         /* of the next request */
    uint32_t first_psn;   /* of the first request that was taken */
    bool psn_announced;   /* by connection management alone: no packet has confirmed it */
    uint64_t whole_until; /* the latest frame up to which no request was missing */

    bool stalled; /* packets are missing, and may yet come */
    uint32_t stalled_for;
    uint32_t furthest_psn; /* of those that came while it stalled */
    struct pending_list pending;
    struct unseen unseen;

    struct assembly assembly;
    struct pending_list answers; /* the peer's responses that came before their RDMA Reads */
    uint64_t reads_over;         /* a bit each: what is missing of the response may come late */
    struct read_queue *reads;    /* RDMA Reads that this side has requested; NULL until the first */

    uint64_t sends;    /* passed on */
    uint64_t received; /* of them, by the acknowledgements seen */
    struct unacknowledged unacknowledged;
    uint64_t not_ready; /* Sends that had been refused for lack of a receive buffer */
};

/* A request to disconnect: what crosses it still comes. */
struct connection_end {
    bool asked;
    enum rpcrdma_endpoint by;
    uint64_t frame;
};

struct connection {
    uint32_t index;        /* in the table */
    uint32_t newer, older; /* by use; `newer` also links unused entries */
    bool in_use, closed;
    bool undecided; /* closed, but for the last events: see hold_is_undecided() */
    bool failed;    /* by a NAK: only what the NAK's receiver had sent before still comes */
    enum rpcrdma_endpoint survivor; /* that receiver */
    struct connection_end end;
    uint64_t lost; /* of it, by the capture */
    uint64_t id, events;
    uint32_t mtu;
    uint32_t comm_id[2];
    uint32_t request_psn; /* the client's, in the connection request */
    bool cm_seen;
    bool seen[2];      /* packets by each endpoint */
    bool acknowledges; /* its known flow does, while the other one is not known */
    struct rpcrdma_check_config config;
    char name[2 * ADDRESS_TEXT + 32];
    struct order order;
    uint64_t overdue;           /* what is taken now was acknowledged in this frame */
    struct stamp overdue_stamp; /* of that frame */
    uint64_t
        unsure;     /* frame of the latest answer whose sender had not acknowledged all before it */
    unsigned early; /* of the events that wait, how many seem early */
    bool holds;     /* new events wait until nothing before is missing */
    struct held_event *held, *held_last; /* those, oldest first */
    struct doubt doubt;
    struct doubt overruled;                    /* with --all-qp: what would be said of it without */
    struct held_event *doubted, *doubted_last; /* what waits for it, oldest first */
    struct flow flow[2];                       /* by the endpoint that sends */
    uint32_t calls[CALLS_MAX], calls_seen;     /* XIDs in the one flow, to find the other by */
};

/* The known flow of a half-open connection, whose other flow is unknown; else -1. */
static inline int known_flow(const struct connection *connection)
{
    bool client = connection->flow[RPCRDMA_CLIENT].queue_pair != NO_QUEUE_PAIR;
    bool server = connection->flow[RPCRDMA_SERVER].queue_pair != NO_QUEUE_PAIR;
    return connection->closed || client == server ? -1 : client ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
}

#endif
