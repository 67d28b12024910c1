// SPDX-License-Identifier: BSD-3-Clause
/* A reliable connection: how it is made and ended (InfiniBand specification, 12.9), and its queue
 * pair. */
#ifndef HARNESS_ROCE_CONNECTION_H
#define HARNESS_ROCE_CONNECTION_H

#include "rxe-harness/transport/roce/host.h"
#include "rxe-harness/transport/roce/queue_pair.h"

enum connection_state {
    CONNECTION_ASKED,    /* our request is out */
    CONNECTION_MET,      /* the peer's request has come */
    CONNECTION_ANSWERED, /* our reply to it is out */
    CONNECTION_OPEN,
    CONNECTION_OVER,
};

struct roce_connection {
    struct roce_connection *next;
    struct roce_host *host;
    enum connection_state state;
    bool active; /* it is we who asked */
    struct management_side own, peer;
    uint64_t guid, transaction; /* of the side that asked */
    uint16_t port;
    uint8_t private_data[REPLY_PRIVATE_MAX]; /* the peer's */
    size_t private_length;
    uint8_t said[REPLY_PRIVATE_MAX]; /* ours */
    size_t said_length;
    int64_t again;  /* microseconds: when the last message is sent once more */
    bool parting;   /* we said that it ends, and have no answer */
    unsigned tries; /* of it */
    struct queue_pair pair;
    struct roce_datagrams datagrams;
    struct wire_chance requests, responses; /* packets of ours */
    pthread_cond_t changed;
    const char *why; /* it is over */
    unsigned reason; /* of the peer's reject, or 0 */
};

/* One that asks, or answers `request`. It is known to the host until connection_remove(). NULL: no
 * memory. */
struct roce_connection *connection_new(struct roce_host *host, const struct roce_path *path,
                                       const struct roce_request *request);
/* Ask, or answer: with private data that are cut at what fits. */
void connection_begin(struct roce_connection *connection, const void *private_data, size_t length,
                      int64_t now);
void connection_reject(struct roce_connection *connection);
/* Tells the peer that its answer is not waited for any longer. */
void connection_give_up(struct roce_connection *connection);
/* Say that it ends, for the first time or again. */
void connection_disconnect(struct roce_connection *connection);
/* It is over; the first reason counts. */
void connection_over(struct roce_connection *connection, const char *why);
void connection_remove(struct roce_connection *connection);

/* ---- called by the host ---- */

void connection_take_management(struct roce_connection *connection,
                                const struct management *message, int64_t now);
void connection_take(struct roce_connection *connection, const struct packet *packet,
                     bool acknowledge, int64_t now);
/* As roce_requester_run(); *more: it has still to send. */
int64_t connection_run(struct roce_connection *connection, int64_t now, bool *more);

#endif
