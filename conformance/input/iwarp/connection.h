// SPDX-License-Identifier: BSD-3-Clause
/* One iWARP connection: TCP, MPA and RDMAP on top of each other, from segments to events. */
#ifndef CONFORMANCE_IWARP_CONNECTION_H
#define CONFORMANCE_IWARP_CONNECTION_H

#include "conformance/input/iwarp/mpa.h"
#include "conformance/input/iwarp/rdmap.h"
#include "conformance/input/iwarp/tcp.h"

#include <stddef.h>

struct iwarp_endpoint {
    uint8_t address[16]; /* IPv4 addresses are mapped */
    uint16_t port;
};

/* Who gets the events. `own`: octets that each connection keeps for it. */
struct iwarp_output {
    size_t own_size;
    /* Whether a Send looks like RPC-over-RDMA; if so, whether it is from the client. */
    bool (*is_wanted)(void *arg, const uint8_t *octets, size_t recorded, size_t total,
                      bool *from_client);
    /* A connection of RPC-over-RDMA. `mid_stream`: its beginning was not seen. */
    void (*open)(void *arg, void *own, const struct iwarp_endpoint end[2], bool mid_stream);
    void (*event)(void *arg, void *own, const struct rpcrdma_event *event, uint64_t frame);
    /* Something was not seen, for this reason; `count` Sends and RDMA operations, as far as known.
     */
    void (*lost)(void *arg, void *own, const char *reason, uint32_t count, uint64_t frame);
    void (*cut)(void *arg, void *own, uint64_t frame);
    void (*unread)(void *arg, void *own, const char *reason, uint64_t frame);
    /* A side ended the connection in the midst of a message. */
    void (*broken_off)(void *arg, void *own, uint64_t frame);
    /* Whether segments of either side were recorded. */
    void (*close)(void *arg, void *own, const bool seen[2]);
    void *arg;
};

struct iwarp_options {
    uint16_t port; /* connections to it are wanted */
    bool all;      /* all are */
};

enum iwarp_phase {
    IWARP_STARTING, /* the reply of MPA has not been seen */
    IWARP_RUNNING,
    IWARP_OVER, /* what still comes is of no interest */
};

struct iwarp_start { /* the frame by which a side starts MPA, as it comes in */
    uint8_t octets[MPA_START_MAX];
    size_t recorded, total;
    uint64_t frame;
    bool done;  /* its end was reached */
    bool whole; /* and all of it was recorded */
    struct mpa_start parsed;
};

struct iwarp_side { /* what the layers below are given to find their way back */
    struct iwarp_connection *connection;
    enum rpcrdma_endpoint side;
};

struct iwarp_connection {
    struct iwarp_connection *newer, *older, *next; /* the table's */
    struct iwarp_endpoint end[2];                  /* the client's first */
    const struct iwarp_output *output;
    const struct iwarp_options *options;
    enum iwarp_phase phase;
    bool opened; /* not as long as it is not known to be wanted */
    bool mid_stream;
    bool seen[2];       /* segments by each side */
    const char *reason; /* why something was lost last */
    uint64_t frame;     /* of the latest event: a segment that waited comes with an earlier one */
    bool ended, terminated; /* by TCP, or by a Terminate message after which nothing counts */
    enum rpcrdma_endpoint ended_by;
    uint64_t ended_in;
    uint32_t first; /* number of the first octet of the request of MPA */
    struct iwarp_start start[2];
    struct iwarp_side side[2];
    struct tcp_stream tcp;
    struct mpa_stream mpa[2];
    struct rdmap rdmap;
    max_align_t own[];
};

/* NULL if there is no memory. */
struct iwarp_connection *iwarp_connection_new(struct memory *memory,
                                              const struct iwarp_output *output,
                                              const struct iwarp_options *options,
                                              uint64_t *retransmitted);

/* From the request of MPA on, which is this segment. */
void iwarp_connection_begin(struct iwarp_connection *connection, const struct tcp_segment *request);

/* From the middle on, where this side sends this segment. */
void iwarp_connection_join(struct iwarp_connection *connection, enum rpcrdma_endpoint side,
                           const struct tcp_segment *segment);

void iwarp_connection_take(struct iwarp_connection *connection, enum rpcrdma_endpoint side,
                           const struct tcp_segment *segment);

/* Whether this segment brings new octets of a side that had ended the connection by TCP. */
bool iwarp_connection_is_after_end(const struct iwarp_connection *connection,
                                   enum rpcrdma_endpoint side, const struct tcp_segment *segment);

/* Give up what waits and what is being put together. */
void iwarp_connection_evict(struct iwarp_connection *connection, uint64_t frame);

/* The connection has ended unseen: its ports are used by another. */
void iwarp_connection_displace(struct iwarp_connection *connection, uint64_t frame);

/* Nothing more comes. Only iwarp_connection_free() is to be called then. */
void iwarp_connection_end(struct iwarp_connection *connection, uint64_t frame);
void iwarp_connection_free(struct iwarp_connection *connection);

#endif
