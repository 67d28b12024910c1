// SPDX-License-Identifier: BSD-3-Clause
/*
 * One local address that speaks RoCEv2: a UDP socket at port 4791, all connections on it, and a
 * thread that serves the peers as an adapter would, whatever the connections' owners do meanwhile.
 *
 * Everything of a host and of its connections is used with its lock held.
 */
#ifndef HARNESS_ROCE_HOST_H
#define HARNESS_ROCE_HOST_H

#include "rxe-harness/transport/roce/management.h"

#include <pthread.h>

#define REQUESTS_MAX 16 /* to connect, not yet accepted */

struct roce_connection;

/* A request that came. */
struct roce_request {
    struct roce_path path;
    struct management message;
    uint8_t private_data[REQUEST_PRIVATE_MAX];
};

struct roce_listener {
    struct roce_listener *next;
    uint16_t port; /* of RDMA CM */
    struct roce_request requests[REQUESTS_MAX];
    unsigned count;
    pthread_cond_t changed;
};

struct roce_host {
    struct roce_host *next;
    unsigned users;
    struct address local;
    uint32_t scope;
    int socket, wake[2];
    pthread_t thread;
    pthread_mutex_t lock;
    bool stops;
    struct roce_connection *connections;
    struct roce_listener *listeners;
    uint32_t datagrams; /* sent: their PSN */
    struct frame *late; /* one that comes after the next (wire.h), or NULL */
    struct roce_path late_path;
    int64_t late_until;
    int send_error; /* errno of the last packet that could not be sent, or 0 */
};

/* The host of this address, which is made unless it is there. NULL: errno says why. */
struct roce_host *host_get(const struct address *local, uint32_t scope);
/* Another host of this process, for a route to the same family; NULL: there is none. */
struct roce_host *host_other(bool v6);
void host_put(struct roce_host *host);
/* The thread has something new to do. */
void host_wake(struct roce_host *host);
/* Send a frame by this path. What the socket does not take is lost, as on a wire. */
void host_transmit(struct roce_host *host, const struct roce_path *path, struct frame *frame);
/* The same for a message of connection management. */
void host_manage(struct roce_host *host, const struct roce_path *path,
                 const struct management *message);

#endif
