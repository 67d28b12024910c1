// SPDX-License-Identifier: BSD-3-Clause
/*
 * The connections of a capture: two lanes each, one a direction, found by addresses and queue pair.
 *
 * A lane is what one side sends to the other's queue pair: its own requests (Sends, RDMA Writes,
 * RDMA Read requests), which count their PSNs, and its responses to the peer's.
 */
#ifndef CONFORMANCE_PEERS_H
#define CONFORMANCE_PEERS_H

#include "conformance/input/capture/cm.h"
#include "conformance/input/capture/packet.h"
#include "conformance/input/source.h"

#define NOBODY UINT32_MAX

/* Connections remembered at a time, and RDMA Reads under way in one lane: reliable connections
 * agree on far fewer of the latter. */
#define CONNECTIONS_MAX 4096
#define READS_MAX 64
#define REQUESTS_MAX 256
/* Calls remembered of a connection of which one lane is not known. */
#define CALLS_MAX 16
/* Octets of one message that is put together. */
#define MESSAGE_MAX (1u << 24)

/* Octets that grow as a message comes in; counted against the memory allowed. */
struct buffer {
    uint8_t *octets;
    size_t length, capacity;
    uint64_t total; /* what was on the wire; more than length where it was not recorded */
};

enum message_kind { MESSAGE_NONE, MESSAGE_SEND, MESSAGE_WRITE };

struct read {
    bool in_use, broken;
    uint32_t psn, packets, next; /* next: index of the response that is expected */
    uint32_t handle, length;
    uint64_t offset;
    struct buffer content;
};

struct lane {
    struct address source, destination;
    uint32_t queue_pair; /* of the destination; NOBODY until it is known */
    uint32_t hash_next;
    uint32_t psn; /* expected next, if known */
    bool psn_known;
    uint64_t sure; /* the latest frame by which no request was missing so far */
    bool psn_told; /* by connection management alone: no packet has confirmed it */
    bool stalled;  /* packets are missing, and may yet be sent again */
    uint32_t stalled_for;
    enum message_kind message;
    uint32_t handle; /* RDMA Write */
    uint64_t offset;
    struct buffer content;
    struct read *reads; /* READS_MAX of them, once there is one */
};

struct connection {
    uint32_t newer, older; /* by use; `newer` also links free ones */
    bool in_use, closed;
    uint64_t id, events;
    uint32_t mtu;
    uint32_t comm_id[2];
    bool cm_seen;
    struct rpcrdma_check_config config;
    char name[2 * ADDRESS_TEXT + 32];
    bool holds;                            /* new events wait until they are sure */
    struct held *held, *held_last;         /* those, oldest first */
    struct lane lane[2];                   /* by the endpoint that sends */
    uint32_t calls[CALLS_MAX], calls_seen; /* XIDs in the one lane, by which to find the other */
};

struct request { /* a CM request that waits for its reply */
    bool in_use;
    struct address client, server;
    uint64_t frame, age;
    struct cm_message message;
    uint8_t private_data[92];
};

struct peers {
    const struct source_options *options;
    const struct source_sink *sink;
    struct source_counts *counts;
    const char *file;
    struct connection *connections; /* CONNECTIONS_MAX */
    uint32_t used;                  /* so many were ever in use */
    uint32_t free, oldest, newest;
    uint32_t *buckets;
    uint32_t last;            /* lane found last */
    struct request *requests; /* REQUESTS_MAX */
    uint64_t ages, ids;
    uint64_t frame;     /* that is read now */
    uint32_t half_open; /* connections of which only one lane is known */
    size_t memory, memory_max;
    bool stop; /* the sink wants no more, or there is no memory at all */
};

bool peers_init(struct peers *peers);

/* Close what is open, free everything. */
void peers_done(struct peers *peers);

void peers_packet(struct peers *peers, const struct packet *packet);

/* ---- between peers.c, held.c, lanes.c and recognise.c ---- */

static inline struct connection *connection_of(struct peers *peers, uint32_t lane)
{
    return &peers->connections[lane / 2];
}

struct connection *peers_add(struct peers *peers, const struct address *client,
                             uint32_t client_queue_pair, const struct address *server,
                             uint32_t server_queue_pair);
void peers_set_queue_pair(struct peers *peers, struct connection *connection,
                          enum rpcrdma_endpoint sender, uint32_t queue_pair);
void peers_close(struct peers *peers, struct connection *connection);
/* Two that turn out to be one, each of which knows one lane: `into` goes on with both. */
void peers_join(struct peers *peers, struct connection *into, struct connection *from);

/* An event happened: hand it on, or hold it until it is sure (held.c). */
void peers_emit(struct peers *peers, struct connection *connection,
                const struct rpcrdma_event *event, uint64_t frame);
/* Hand on what has become sure. */
void held_release(struct peers *peers, struct connection *connection);
/* Hand on all, for the memory; false if there is nothing. */
bool held_yield(struct peers *peers, struct connection *connection);
/* Hand on all: nothing will make it sure. Where packets were missing before, some may be here. */
void held_end(struct peers *peers, struct connection *connection);

/* The lane that is known of a connection that is half open; else -1. */
static inline int known_lane(const struct connection *connection)
{
    bool client = connection->lane[RPCRDMA_CLIENT].queue_pair != NOBODY;
    bool server = connection->lane[RPCRDMA_SERVER].queue_pair != NOBODY;
    return connection->closed || client == server ? -1 : client ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
}

/* A packet of a known lane. */
void lane_packet(struct peers *peers, struct connection *connection, enum rpcrdma_endpoint sender,
                 const struct packet *packet);
void lane_reset(struct peers *peers, struct lane *lane);
/* Give up what a connection has under way, for the memory; false if that is nothing. */
bool lanes_yield(struct peers *peers, struct connection *connection);

/* A packet of no known lane, or of a connection (`known`) that lacks the other: its connection, or
 * NULL if it does not look like RPC-over-RDMA. */
struct connection *recognise(struct peers *peers, const struct packet *packet,
                             struct connection *known, enum rpcrdma_endpoint *sender);

/* Memory, counted. False if it would pass the limit, though others have yielded theirs; then the
 * buffer keeps what it has. */
bool memory_take(struct peers *peers, size_t octets);
bool buffer_add(struct peers *peers, struct buffer *buffer, const uint8_t *octets, size_t count);
void buffer_free(struct peers *peers, struct buffer *buffer);

#endif
