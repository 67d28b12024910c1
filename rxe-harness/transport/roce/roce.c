// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/roce.h"

#include "rxe-harness/transport/address.h"
#include "rxe-harness/transport/roce/connection.h"
#include "rxe-harness/transport/roce/wire.h"

#include "conformance/base/clock.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SEND_MAX 65536 /* octets of a Send */
#define HEADERS 80     /* of IPv6, UDP and RoCE, with the CRC */
#define DISCONNECT_TIME 500

struct roce_link {
    struct link link; /* first */
    struct roce_host *host;
    struct roce_connection *connection;
    unsigned timeout;
    struct happening *given; /* the Send that the caller has */
    uint32_t handles;        /* the last handle */
};

struct roce {
    struct transport transport; /* first */
    struct addrinfo *address;
    struct roce_host *host; /* of one that listens */
    struct roce_listener listener;
};

static struct roce_link *roce_of(struct link *link)
{
    return (struct roce_link *)link;
}

static int64_t after(unsigned milliseconds)
{
    return clock_microseconds() + (int64_t)milliseconds * 1000;
}

/* With the lock held: false once the connection is gone. */
static bool is_open(struct roce_link *own)
{
    const struct roce_connection *connection = own->connection;
    const struct queue_pair *pair = &connection->pair;
    if (pair->open)
        return true;
    const char *why = pair->why ? pair->why : connection->why;
    own->link.starved = pair->starved;
    if (own->link.why[0] == '\0')
        snprintf(own->link.why, sizeof own->link.why, "%s", why ? why : "closed");
    return false;
}

/* ---- what happened ---- */

/* Report RDMA operations up to the next Send. The lock is held, but not while the observer runs. */
static void tell_operations(struct roce_link *own)
{
    struct queue_pair *pair = &own->connection->pair;
    pair->observed = own->link.observe != NULL;
    while (pair->first && !pair->first->is_send) {
        struct happening *happening = roce_responder_next(pair);
        pthread_mutex_unlock(&own->host->lock);
        if (own->link.observe)
            own->link.observe(own->link.observe_arg, happening->is_write, happening->handle,
                              happening->offset, happening->octets, happening->length);
        free(happening);
        pthread_mutex_lock(&own->host->lock);
    }
}

/* NULL: none came. */
static struct happening *next_send(struct roce_link *own)
{
    tell_operations(own);
    return roce_responder_next(&own->connection->pair);
}

/* ---- a link's operations ---- */

static bool complete(struct roce_link *own, struct work *work)
{
    struct roce_connection *connection = own->connection;
    int64_t until = after(own->timeout);
    pthread_mutex_lock(&own->host->lock);
    tell_operations(own);
    roce_requester_begin(&connection->pair, work, clock_microseconds());
    host_wake(own->host);
    while (work->state == WORK_UNDER_WAY)
        if (!host_wait(own->host, &connection->changed, until) && work->state == WORK_UNDER_WAY)
            queue_pair_fail(&connection->pair, "an operation did not complete in time");
    bool good = work->state == WORK_DONE;
    is_open(own);
    pthread_mutex_unlock(&own->host->lock);
    return good;
}

static bool send_message(struct link *link, const void *octets, size_t length,
                         const uint32_t *invalidate)
{
    struct work work = {
        .kind = WORK_SEND, .from = octets, .length = length, .invalidate = invalidate};
    return length <= SEND_MAX && complete(roce_of(link), &work);
}

static bool read_memory(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    struct work work = {
        .kind = WORK_READ, .to = octets, .length = length, .handle = handle, .offset = offset};
    return complete(roce_of(link), &work);
}

static bool write_memory(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    struct work work = {
        .kind = WORK_WRITE, .from = octets, .length = length, .handle = handle, .offset = offset};
    return complete(roce_of(link), &work);
}

/* Handles do not come again soon: a late RDMA operation meets none. */
static uint32_t new_handle(struct roce_link *own)
{
    own->handles = own->handles * 1664525 + 1013904223;
    return own->handles;
}

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    struct roce_link *own = roce_of(link);
    struct roce_memory *made = calloc(1, sizeof *made);
    memory->own = made;
    if (made == NULL)
        return false;
    *made = (struct roce_memory){.octets = memory->octets,
                                 .offset = (uintptr_t)memory->octets,
                                 .length = memory->length,
                                 .handle = new_handle(own),
                                 .access = access};
    memory->handle = made->handle;
    memory->offset = made->offset;
    pthread_mutex_lock(&own->host->lock);
    own->connection->pair.observed = own->link.observe != NULL;
    made->next = own->connection->pair.memory;
    own->connection->pair.memory = made;
    pthread_mutex_unlock(&own->host->lock);
    return true;
}

static void hide(struct link *link, struct link_memory *memory)
{
    struct roce_link *own = roce_of(link);
    if (memory->own == NULL)
        return;
    pthread_mutex_lock(&own->host->lock);
    roce_responder_forget(&own->connection->pair, memory->own);
    pthread_mutex_unlock(&own->host->lock);
    free(memory->own);
    memory->own = NULL;
}

static void give_back(struct roce_link *own)
{
    if (own->given)
        own->connection->pair.taken--;
    free(own->given);
    own->given = NULL;
}

static void wait_event(struct link *link, unsigned timeout, struct link_event *event)
{
    struct roce_link *own = roce_of(link);
    int64_t until = after(timeout);
    *event = (struct link_event){.type = LINK_NOTHING};
    pthread_mutex_lock(&own->host->lock);
    own->connection->pair.observed = own->link.observe != NULL;
    give_back(own);
    while (!(own->given = next_send(own)) && is_open(own) &&
           host_wait(own->host, &own->connection->changed, until))
        ;
    if (own->given == NULL)
        own->given = next_send(own);
    if (own->given)
        *event = (struct link_event){.type = LINK_RECEIVED,
                                     .octets = own->given->octets,
                                     .length = own->given->length,
                                     .invalidated = own->given->invalidated,
                                     .handle = own->given->handle};
    else if (!is_open(own))
        event->type = LINK_CLOSED;
    pthread_mutex_unlock(&own->host->lock);
}

/* Say so to the peer, twice if need be, and wait a moment for its answer. */
static void close_link(struct link *link)
{
    struct roce_link *own = roce_of(link);
    struct roce_connection *connection = own->connection;
    pthread_mutex_lock(&own->host->lock);
    for (int tries = 0; connection->state == CONNECTION_OPEN && tries < 2; tries++) {
        int64_t until = after(DISCONNECT_TIME);
        connection_disconnect(connection);
        while (connection->state == CONNECTION_OPEN &&
               host_wait(own->host, &connection->changed, until))
            ;
    }
    give_back(own);
    connection_remove(connection);
    pthread_mutex_unlock(&own->host->lock);
    host_put(own->host);
    free(own);
}

static const struct link_ops ops = {.send = send_message,
                                    .wait = wait_event,
                                    .expose = expose,
                                    .hide = hide,
                                    .read = read_memory,
                                    .write = write_memory,
                                    .close = close_link};

/* ---- connections ---- */

/* Takes over the caller's use of the host. With the lock held. NULL: no memory. */
static struct roce_link *new_link(struct roce_host *host, const struct roce_path *path,
                                  const struct link_options *options,
                                  const struct roce_request *request)
{
    struct roce_link *own = calloc(1, sizeof *own);
    if (own == NULL || !(own->connection = connection_new(host, path, request))) {
        free(own);
        return NULL;
    }
    wire_random(&own->handles, sizeof own->handles);
    own->link.ops = &ops;
    own->host = host;
    own->timeout = options->timeout > 0 ? options->timeout : 5000;
    own->connection->pair.receive_size = options->receive_size;
    own->connection->pair.receives = options->receives;
    return own;
}

static void keep_private_data(struct roce_link *own)
{
    own->link.private_length = own->connection->private_length;
    memcpy(own->link.private_data, own->connection->private_data, own->connection->private_length);
}

/* The link that was to be opened, or NULL after its end. The lock is held, and given up. */
static struct link *opened(struct roce_link *own, const char *what, char *error, size_t size)
{
    struct roce_connection *connection = own->connection;
    struct roce_host *host = own->host;
    int64_t until = after(own->timeout);
    while (connection->state != CONNECTION_OPEN && connection->state != CONNECTION_OVER &&
           host_wait(host, &connection->changed, until))
        ;
    bool good = connection->state == CONNECTION_OPEN;
    if (good)
        keep_private_data(own);
    else if (connection->why)
        snprintf(error, size, "%s: %s", what, connection->why);
    else if (host->send_error != 0)
        snprintf(error, size, "%s: %s", what, strerror(host->send_error));
    else
        snprintf(error, size,
                 "%s: no answer; UDP port 4791 has to be open in both directions, also to packets "
                 "from other ports",
                 what);
    pthread_mutex_unlock(&host->lock);
    if (good)
        return &own->link;
    close_link(&own->link);
    return NULL;
}

/* The address of ours from which packets go to `remote`, and the largest payload of RoCE that the
 * route takes. */
static bool find_route(const struct addrinfo *remote, struct roce_path *path, uint32_t *mtu)
{
    struct sockaddr_storage to = {0}, here;
    socklen_t size = sizeof here;
    int octets = 1500;
    int fd = socket(remote->ai_family, SOCK_DGRAM, 0);
    memcpy(&to, remote->ai_addr, remote->ai_addrlen);
    bool good = fd >= 0 && connect(fd, (const struct sockaddr *)&to, remote->ai_addrlen) == 0 &&
                getsockname(fd, (struct sockaddr *)&here, &size) == 0;
#ifdef IP_MTU
    bool v6 = remote->ai_family == AF_INET6;
    socklen_t octets_size = sizeof octets;
    if (good && getsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_MTU : IP_MTU, &octets,
                           &octets_size) != 0)
        octets = 1500;
#endif
    int status = errno;
    if (fd >= 0)
        close(fd);
    errno = status;
    if (!good)
        return false;
    *path = (struct roce_path){.local = path_address((const struct sockaddr *)&here),
                               .remote = path_address((const struct sockaddr *)&to)};
    if (here.ss_family == AF_INET6) {
        struct sockaddr_in6 v6_here;
        memcpy(&v6_here, &here, sizeof v6_here);
        path->scope = v6_here.sin6_scope_id;
    }
    for (*mtu = ROCE_MTU_MAX; *mtu > 256 && (int)*mtu + HEADERS > octets;)
        *mtu /= 2;
    return true;
}

static struct link *connect_to(const struct addrinfo *remote, uint16_t port,
                               const struct link_options *options, char *error, size_t size)
{
    struct roce_path path;
    uint32_t mtu = 0;
    struct roce_host *host =
        find_route(remote, &path, &mtu) ? host_get(&path.local, path.scope) : NULL;
    /* A proxy that listens at one address of a machine can call from there as well. */
    if (host == NULL && errno == EADDRINUSE && (host = host_other(path_is_v6(&path)))) {
        path.local = host->local;
        path.scope = host->scope;
    }
    if (host == NULL) {
        snprintf(error, size,
                 errno == EADDRINUSE ? "UDP port 4791 is in use: by soft-RoCE of this network "
                                       "namespace (then use verbs://), or by another program: %s"
                                     : "cannot connect: %s",
                 strerror(errno));
        return NULL;
    }
    pthread_mutex_lock(&host->lock);
    struct roce_link *own = new_link(host, &path, options, NULL);
    if (own == NULL) {
        pthread_mutex_unlock(&host->lock);
        host_put(host);
        snprintf(error, size, "not enough memory");
        return NULL;
    }
    own->connection->port = port;
    own->connection->pair.mtu = mtu;
    connection_begin(own->connection, options->private_data, options->private_length,
                     clock_microseconds());
    return opened(own, "cannot connect", error, size);
}

static uint16_t port_of(const struct addrinfo *address)
{
    uint16_t port;
    if (address->ai_family == AF_INET6)
        port = ((const struct sockaddr_in6 *)(const void *)address->ai_addr)->sin6_port;
    else
        port = ((const struct sockaddr_in *)(const void *)address->ai_addr)->sin_port;
    return ntohs(port);
}

/* The first of the host's addresses that answers. */
static struct link *connect_link(struct transport *transport, const struct link_options *options)
{
    const struct roce *roce = (const struct roce *)transport;
    struct link *link = NULL;
    if (options->private_length > REQUEST_PRIVATE_MAX) {
        snprintf(transport->error, sizeof transport->error,
                 "cannot connect: a request has room for %d octets of private data, not %zu",
                 REQUEST_PRIVATE_MAX, options->private_length);
        return NULL;
    }
    for (const struct addrinfo *at = roce->address; link == NULL && at; at = at->ai_next)
        if (at->ai_family == AF_INET || at->ai_family == AF_INET6) {
            transport->error[0] = '\0';
            link = connect_to(at, port_of(at), options, transport->error, sizeof transport->error);
        }
    return link;
}

/* The request that waits longest; false: none came. The lock is held. */
static bool next_request(struct roce *roce, unsigned timeout, struct roce_request *request)
{
    struct roce_listener *listener = &roce->listener;
    int64_t until = after(timeout);
    while (listener->count == 0 && host_wait(roce->host, &listener->changed, until))
        ;
    if (listener->count == 0)
        return false;
    *request = listener->requests[0];
    listener->count--;
    memmove(listener->requests, listener->requests + 1, listener->count * sizeof *request);
    return true;
}

static struct link *accept_link(struct transport *transport, const struct link_options *options,
                                unsigned timeout)
{
    struct roce *roce = (struct roce *)transport;
    struct roce_request request;
    transport->error[0] = '\0';
    pthread_mutex_lock(&roce->host->lock);
    bool came = next_request(roce, timeout, &request);
    struct roce_link *own = came ? new_link(roce->host, &request.path, options, &request) : NULL;
    pthread_mutex_unlock(&roce->host->lock);
    if (own == NULL) {
        if (came)
            snprintf(transport->error, sizeof transport->error, "not enough memory");
        return NULL;
    }
    host_get(&roce->host->local, roce->host->scope); /* the link's own use */
    keep_private_data(own);
    struct link_options answer = *options;
    bool wanted = !transport->meet || transport->meet(transport->meet_arg, &own->link, &answer);
    pthread_mutex_lock(&roce->host->lock);
    own->connection->pair.receive_size = answer.receive_size;
    own->connection->pair.receives = answer.receives;
    if (wanted) {
        connection_begin(own->connection, answer.private_data, answer.private_length,
                         clock_microseconds());
        return opened(own, "cannot accept", transport->error, sizeof transport->error);
    }
    connection_reject(own->connection);
    pthread_mutex_unlock(&roce->host->lock);
    close_link(&own->link);
    return NULL;
}

/* ---- the transport ---- */

static void stop_listening(struct roce *roce)
{
    pthread_mutex_lock(&roce->host->lock);
    struct roce_listener **at = &roce->host->listeners;
    while (*at && *at != &roce->listener)
        at = &(*at)->next;
    if (*at)
        *at = roce->listener.next;
    pthread_mutex_unlock(&roce->host->lock);
    pthread_cond_destroy(&roce->listener.changed);
    host_put(roce->host);
}

static void close_transport(struct transport *transport)
{
    struct roce *roce = (struct roce *)transport;
    if (roce->host)
        stop_listening(roce);
    if (roce->address)
        freeaddrinfo(roce->address);
    free(roce);
}

static const struct transport_ops transport_ops = {
    .connect = connect_link, .accept = accept_link, .close = close_transport};

static bool begin_listening(struct roce *roce)
{
    struct sockaddr_storage address = {0};
    memcpy(&address, roce->address->ai_addr, roce->address->ai_addrlen);
    const struct address local = path_address((const struct sockaddr *)&address);
    uint32_t scope = 0;
    if (address.ss_family == AF_INET6)
        scope = ((const struct sockaddr_in6 *)&address)->sin6_scope_id;
    if (!host_condition(&roce->listener.changed) || !(roce->host = host_get(&local, scope)))
        return false;
    pthread_mutex_lock(&roce->host->lock);
    roce->listener.port = port_of(roce->address);
    roce->listener.next = roce->host->listeners;
    roce->host->listeners = &roce->listener;
    pthread_mutex_unlock(&roce->host->lock);
    return true;
}

struct transport *transport_roce(const char *address, bool listen, char *error, size_t error_size)
{
    char host[256];
    const char *port;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    if (!address_split(address, host, sizeof host, &port)) {
        snprintf(error, error_size, "not an address: HOST, HOST:PORT or [HOST]:PORT");
        return NULL;
    }
    if (host[0] == '\0') {
        snprintf(error, error_size,
                 "an address of this machine has to be named, as in roce://192.0.2.7");
        return NULL;
    }
    struct roce *roce = calloc(1, sizeof *roce);
    if (roce == NULL) {
        snprintf(error, error_size, "not enough memory");
        return NULL;
    }
    roce->transport.ops = &transport_ops;
    roce->transport.invalidates = true;
    int status = getaddrinfo(host, port, &hints, &roce->address);
    if (status != 0)
        snprintf(error, error_size, "%s", gai_strerror(status));
    else if (listen && !begin_listening(roce))
        snprintf(error, error_size, "cannot use UDP port 4791: %s", strerror(errno));
    else
        return &roce->transport;
    close_transport(&roce->transport);
    return NULL;
}
