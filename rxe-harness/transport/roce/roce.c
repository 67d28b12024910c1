// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/roce.h"

#include "rxe-harness/transport/address.h"
#include "rxe-harness/transport/roce/connection.h"
#include "rxe-harness/transport/user/link.h"
#include "rxe-harness/transport/user/ip.h"
#include "rxe-harness/transport/user/wait.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/clock.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEADERS 80          /* of IPv6, UDP and RoCE, with the CRC */
#define DISCONNECT_TIME 64u /* milliseconds, then twice as many each time */
#define DISCONNECT_TRIES 4

struct roce {
    struct transport transport; /* first */
    struct addrinfo *address;
    struct roce_host *host; /* of one that listens */
    struct roce_listener listener;
};

/* ---- a link's operations ---- */

static void begin(struct user_link *own)
{
    struct roce_connection *connection = own->connection;
    roce_requester_begin(&connection->pair, clock_microseconds());
    host_wake(connection->host);
}

/* Say so to the peer, a few times if need be, and wait a moment for its answer; also of one that
 * has failed here, which the peer may not know, and go on for ever. */
static void close_link(struct user_link *own)
{
    struct roce_connection *connection = own->connection;
    struct roce_host *host = connection->host;
    pthread_mutex_lock(&host->lock);
    connection_give_up(connection);
    if (connection->state == CONNECTION_OPEN)
        connection_disconnect(connection);
    for (unsigned tries = 0; connection->parting && tries < DISCONNECT_TRIES; tries++) {
        int64_t until = wait_until(DISCONNECT_TIME << tries);
        if (tries > 0)
            connection_disconnect(connection);
        while (connection->parting && wait_for(&host->lock, &connection->changed, until))
            ;
    }
    connection_remove(connection);
    pthread_mutex_unlock(&host->lock);
    host_put(host);
    free(own);
}

/* ---- connections ---- */

/* Takes over the caller's use of the host. With the lock held. NULL: no memory. */
static struct user_link *new_link(struct roce_host *host, const struct roce_path *path,
                                  const struct link_options *options,
                                  const struct roce_request *request)
{
    struct user_link *own = user_link_new(options);
    struct roce_connection *connection = own ? connection_new(host, path, request) : NULL;
    if (connection == NULL) {
        free(own);
        return NULL;
    }
    connection->pair.end.receive_size = options->receive_size;
    connection->pair.end.receives = options->receives;
    own->connection = connection;
    own->end = &connection->pair.end;
    own->lock = &host->lock;
    own->changed = &connection->changed;
    own->begin = begin;
    own->close = close_link;
    return own;
}

static void keep_private_data(struct user_link *own)
{
    const struct roce_connection *connection = own->connection;
    own->link.private_length = connection->private_length;
    memcpy(own->link.private_data, connection->private_data, connection->private_length);
}

/* The link that was to be opened, or NULL after its end. The lock is held, and given up. */
static struct link *opened(struct user_link *own, const char *what, char *error, size_t size)
{
    struct roce_connection *connection = own->connection;
    struct roce_host *host = connection->host;
    int64_t until = wait_until(own->timeout);
    while (connection->state != CONNECTION_OPEN && connection->state != CONNECTION_OVER &&
           wait_for(&host->lock, &connection->changed, until))
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
    close_link(own);
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
    *path = (struct roce_path){.local = ip_address((const struct sockaddr *)&here),
                               .remote = ip_address((const struct sockaddr *)&to)};
    if (here.ss_family == AF_INET6) {
        struct sockaddr_in6 v6_here;
        memcpy(&v6_here, &here, sizeof v6_here);
        path->scope = v6_here.sin6_scope_id;
    }
    for (*mtu = ROCE_MTU_MAX; *mtu > 256 && (int)*mtu + HEADERS > octets;)
        *mtu /= 2;
    if (wire_mtu() == 0)
        return true;
    good = wire_mtu() <= *mtu;
    *mtu = wire_mtu();
    errno = EMSGSIZE;
    return good;
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
                 errno == EADDRINUSE
                     ? "UDP port 4791 is in use: by soft-RoCE of this network "
                       "namespace (then use verbs://), or by another program (a peer on "
                       "this machine needs an address of its own, such as "
                       "roce://127.0.0.2): %s"
                     : "cannot connect: %s",
                 strerror(errno));
        return NULL;
    }
    pthread_mutex_lock(&host->lock);
    struct user_link *own = new_link(host, &path, options, NULL);
    if (own == NULL) {
        pthread_mutex_unlock(&host->lock);
        host_put(host);
        snprintf(error, size, "not enough memory");
        return NULL;
    }
    struct roce_connection *connection = own->connection;
    connection->port = port;
    connection->pair.mtu = mtu;
    connection_begin(connection, options->private_data, options->private_length,
                     clock_microseconds());
    struct link *link = opened(own, "cannot connect", error, size);
    size_t said = strlen(error);
    if (link == NULL && memcmp(&path.local, &path.remote, sizeof path.local) == 0)
        snprintf(error + said, size - said,
                 "; it is where this process itself sends from: no other one is there");
    return link;
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
    int64_t until = wait_until(timeout);
    bool some;
    while (!(some = listener_take(listener, clock_microseconds(), request)) &&
           wait_for(&roce->host->lock, &listener->changed, until))
        ;
    return some;
}

static struct link *accept_link(struct transport *transport, const struct link_options *options,
                                unsigned timeout)
{
    struct roce *roce = (struct roce *)transport;
    struct roce_request request;
    transport->error[0] = '\0';
    pthread_mutex_lock(&roce->host->lock);
    bool came = next_request(roce, timeout, &request);
    struct user_link *own = came ? new_link(roce->host, &request.path, options, &request) : NULL;
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
    own->end->receive_size = answer.receive_size;
    own->end->receives = answer.receives;
    if (wanted) {
        connection_begin(own->connection, answer.private_data, answer.private_length,
                         clock_microseconds());
        return opened(own, "cannot accept", transport->error, sizeof transport->error);
    }
    connection_reject(own->connection);
    pthread_mutex_unlock(&roce->host->lock);
    close_link(own);
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
    const struct address local = ip_address((const struct sockaddr *)&address);
    uint32_t scope = 0;
    if (address.ss_family == AF_INET6)
        scope = ((const struct sockaddr_in6 *)&address)->sin6_scope_id;
    if (!wait_condition(&roce->listener.changed) || !(roce->host = host_get(&local, scope)))
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
