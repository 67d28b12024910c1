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
#include "rxe-harness/transport/user/wire.h"

#include <pthread.h>

#define REQUESTS_MAX 16 /* to connect, not yet accepted */
/* Microseconds for which one waits that is not repeated: who asks for the last time asks no more.
 */
#define REQUEST_LIFE INT64_C(10000000)

struct roce_connection;
struct roce_late;

/* A request that came. */
struct roce_request {
    uint32_t id;  /* ours of the communication */
    int64_t seen; /* when it came, for the first time or again: microseconds */
    struct roce_path path;
    struct management message;
    uint8_t private_data[REQUEST_PRIVATE_MAX];
};

/* Messages of one sender's. */
struct roce_datagrams {
    uint32_t sent; /* their PSN */
    struct wire_chance chance;
};

struct roce_listener {
    struct roce_listener *next;
    uint16_t port; /* of RDMA CM */
    struct roce_request requests[REQUESTS_MAX];
    unsigned count;
    pthread_cond_t changed;
};

/* Take away the first that waits, but for those whose time is over. False: there is none. */
bool listener_take(struct roce_listener *listener, int64_t now, struct roce_request *request);

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
    uint32_t ids;                    /* the last one for a request that came */
    struct roce_datagrams datagrams; /* of no connection */
    struct roce_late
        *held; /* a packet that goes after the next one of its sender (wire.h), or NULL */
    struct roce_late *late, **late_end; /* those that take their time, in order */
    unsigned late_count;
    int send_error; /* errno of the last packet that could not be sent, or 0 */
};

/* The host of this address, which is made unless it is there. NULL: errno says why. */
struct roce_host *host_get(const struct address *local, uint32_t scope);
/* Another host of this process, for a route to the same family; NULL: there is none. */
struct roce_host *host_other(bool v6);
void host_put(struct roce_host *host);
/* The thread has something new to do. */
void host_wake(struct roce_host *host);
/* Send a frame by this path; what happens to it is drawn from `chance`. What the socket does not
 * take is lost, as on a wire. */
void host_transmit(struct roce_host *host, const struct roce_path *path, struct frame *frame,
                   struct wire_chance *chance);
/* The same for a message of connection management. */
void host_manage(struct roce_host *host, const struct roce_path *path,
                 const struct management *message, struct roce_datagrams *datagrams);

#endif
