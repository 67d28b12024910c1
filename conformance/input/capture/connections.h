// SPDX-License-Identifier: BSD-3-Clause
/* The connections of a capture, found by addresses and queue pair. */
#ifndef CONFORMANCE_CAPTURE_CONNECTIONS_H
#define CONFORMANCE_CAPTURE_CONNECTIONS_H

#include "conformance/input/flow/connection.h"

/* Connections whose end was asked for, and that still wait for what crosses the request. */
#define ENDING_MAX 64

struct connection_table {
    struct capture_context *context;
    struct connection **entries; /* made when they are needed first */
    uint32_t used;               /* high-water mark; entries beyond it are untouched */
    uint32_t unused, oldest, newest;
    uint32_t *buckets;
    bool *displaced;    /* by bucket */
    uint32_t last;      /* flow found last */
    uint32_t half_open; /* connections with only one known flow */
    uint64_t ids;
    struct ending {
        uint32_t index;
        uint64_t id;
    } ending[ENDING_MAX];
    unsigned ending_count;
};

/* False if there is no memory. Takes over the eviction of the context's memory. */
bool connection_table_init(struct connection_table *table, struct capture_context *context);

/* Close what is open, free everything. */
void connection_table_done(struct connection_table *table);

/* The connection in which `source` sends to this queue pair, and which side of it `source` is; or
 * NULL. */
struct connection *connection_find(struct connection_table *table, const struct address *source,
                                   const struct address *destination, uint32_t queue_pair,
                                   enum rpcrdma_endpoint *sender);

/* Add a connection; NULL if there is no memory for even one. One of the queue pairs may be
 * NO_QUEUE_PAIR. A connection that used one of them before has ended. */
struct connection *connection_add(struct connection_table *table, const struct address *client,
                                  uint32_t client_queue_pair, const struct address *server,
                                  uint32_t server_queue_pair);

/* These queue pairs have a connection of no interest: one that used them before has ended. */
void connection_displace(struct connection_table *table, const struct address *client,
                         uint32_t client_queue_pair, const struct address *server,
                         uint32_t server_queue_pair);

/* Whether connection_displace() was called for a packet's queue pair. By accident also true for
 * one in thousands of others. */
bool connection_is_displaced(const struct connection_table *table, const struct packet *packet);

/* The queue pair that `sender` of a half-open connection sends to is known now. */
void connection_complete(struct connection_table *table, struct connection *connection,
                         enum rpcrdma_endpoint sender, uint32_t queue_pair);

/* Merge two half-open connections that prove to be the same one: `into` continues with both. */
void connection_join(struct connection_table *table, struct connection *into,
                     struct connection *from);

/* This side asks for the end, in the frame that is being read. Packets that cross the request are
 * still taken, some frames long. */
void connection_end(struct connection_table *table, struct connection *connection,
                    enum rpcrdma_endpoint by);

/* Close those for which nothing more is waited for. */
void connection_settle_ends(struct connection_table *table);

/* No events will follow. The flows stay known, so that late packets are not taken for a new
 * connection. */
void connection_close(struct connection_table *table, struct connection *connection);

/* Mark as used last, so that it is evicted last. */
void connection_touch(struct connection_table *table, struct connection *connection);

/* Iterate from the newest to the oldest; NULL at the end. */
static inline struct connection *connection_newest(const struct connection_table *table)
{
    return table->newest == NO_INDEX ? NULL : table->entries[table->newest];
}

static inline struct connection *connection_older(const struct connection_table *table,
                                                  const struct connection *connection)
{
    return connection->older == NO_INDEX ? NULL : table->entries[connection->older];
}

/* A packet of an unknown flow, or of a half-open connection (`known`): its connection, or NULL if
 * it does not look like RPC-over-RDMA. `acknowledging`: its flow has acknowledgements. */
struct connection *recognise(struct connection_table *table, const struct packet *packet,
                             struct connection *known, enum rpcrdma_endpoint *sender,
                             bool acknowledging);

#endif
