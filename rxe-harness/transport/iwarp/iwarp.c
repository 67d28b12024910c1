// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/iwarp.h"

#include "rxe-harness/transport/address.h"
#include "rxe-harness/transport/iwarp/listener.h"
#include "rxe-harness/transport/user/link.h"
#include "rxe-harness/transport/user/wait.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/clock.h"
#include "conformance/input/iwarp/crc32c.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE 100         /* milliseconds: a signal that ends all waiting does not wake us */
#define DEATH_MIN 256     /* octets of a message in the midst of which a connection dies */
#define CONNECT_TIME 5000 /* milliseconds, where the caller does not say */

struct iwarp {
    struct transport transport; /* first */
    struct addrinfo *address;
    bool listens;
    struct listener listener;
    struct iwarp_wishes wishes;
};

static struct iwarp_wishes wishes = {.revision = 2, .crc = true};
static pthread_once_t once = PTHREAD_ONCE_INIT;

void iwarp_set(const struct iwarp_wishes *set)
{
    wishes = *set;
}

/* Its table is made when it is first used, and threads share it. */
static void prepare_check_sums(void)
{
    crc32c_add(CRC32C_BEGIN, NULL, 0);
}

/* ---- links ---- */

static void begin(struct user_link *link)
{
    struct iwarp_socket *own = link->connection;
    own->requester.sent = own->requester.filled = 0;
    own->requester.asked = own->requester.came = 0;
    own->dies = own->end.work->kind != WORK_READ && own->end.work->length > DEATH_MIN &&
                wire_happens(&own->end.chance, WIRE_DEATH);
    iwarp_socket_push(own);
    if (own->out.to > 0 || own->more || !own->end.open)
        wake_up(own->wake);
}

static void close_link(struct user_link *link)
{
    iwarp_socket_close(link->connection);
    free(link);
}

static void keep_private_data(struct link *link, const struct mpa_start *start)
{
    link->private_length = start->private_length < LINK_PRIVATE_DATA_MAX ? start->private_length
                                                                         : LINK_PRIVATE_DATA_MAX;
    memcpy(link->private_data, start->private_data, link->private_length);
}

/* A link over this socket, which is closed if there is no memory: then it is NULL. */
static struct link *new_link(int socket, const struct iwarp_terms *terms,
                             const struct iwarp_seen *seen, const struct mpa_start *start,
                             const struct link_options *options)
{
    uint32_t first;
    struct user_link *link = user_link_new(options);
    wire_random(&first, sizeof first);
    struct iwarp_socket *own = link ? iwarp_socket_start(socket, terms, seen, options->receive_size,
                                                         options->receives, first)
                                    : NULL;
    if (own == NULL) {
        close(socket);
        free(link);
        return NULL;
    }
    keep_private_data(&link->link, start);
    link->connection = own;
    link->end = &own->end;
    link->lock = &own->lock;
    link->changed = &own->changed;
    link->begin = begin;
    link->close = close_link;
    return &link->link;
}

/* ---- connecting ---- */

/* Wait until the socket can be read, or written; false: the time is over. */
static bool wait_ready(int socket, short events, int64_t until)
{
    struct pollfd ready = {.fd = socket, .events = events};
    int left;
    while ((left = wait_poll_time(until)) > 0)
        if (poll(&ready, 1, left < PIECE ? left : PIECE) > 0)
            return true;
    return false;
}

/* A socket that is connected, or -1. */
static int reach(const struct addrinfo *address, int64_t until, char *error, size_t size)
{
    int status = 0, fd = socket(address->ai_family, SOCK_STREAM, 0);
    socklen_t status_size = sizeof status;
    if (fd >= 0)
        socket_prepare(fd);
    if (fd < 0 || (connect(fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS))
        status = errno;
    else if (!wait_ready(fd, POLLOUT, until))
        status = ETIMEDOUT;
    else
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &status, &status_size);
    if (status == 0)
        return fd;
    snprintf(error, size, "cannot connect: %s", strerror(status));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Send our request, and take the peer's reply; NULL, or what is wrong. *silent: the peer ended the
 * connection instead of a reply. */
static const char *exchange(int socket, struct iwarp_seen *seen, const struct iwarp_wishes *asked,
                            const struct link_options *options, int64_t until,
                            struct start_frame *reply, bool *silent)
{
    uint8_t request[MPA_START_MAX];
    size_t length =
        start_make_request(request, asked, options->private_data, options->private_length);
    *silent = false;
    if (send(socket, request, length, MSG_NOSIGNAL) != (ssize_t)length)
        return "the connection was lost";
    seen_octets(seen, SEEN_OURS, request, length);
    while (start_missing(reply) > 0) {
        if (!wait_ready(socket, POLLIN, until))
            return "no reply of MPA";
        size_t before = reply->have;
        bool lives = start_receive(socket, reply);
        seen_octets(seen, SEEN_PEERS, reply->octets + before, reply->have - before);
        if (!lives) {
            *silent = reply->have == 0;
            return "the peer ended the connection in place of a reply of MPA";
        }
    }
    return start_parse(reply, true);
}

/* To one address, by one revision. */
static struct link *connect_by(const struct iwarp_wishes *asked, const struct addrinfo *address,
                               const struct link_options *options, char *error, size_t size,
                               bool *silent)
{
    struct iwarp_terms terms;
    struct iwarp_seen seen;
    struct start_frame reply = {.have = 0};
    int64_t until = wait_until(options->timeout > 0 ? options->timeout : CONNECT_TIME);
    *silent = false;
    int fd = reach(address, until, error, size);
    if (fd < 0)
        return NULL;
    seen_begin(&seen, fd, true);
    const char *why = exchange(fd, &seen, asked, options, until, &reply, silent);
    if (why == NULL)
        why = start_agree(asked, &reply.parsed, &terms);
    if (why) {
        snprintf(error, size, "cannot connect: %s", why);
        seen_end(&seen, SEEN_OURS);
        close(fd);
        return NULL;
    }
    struct link *link = new_link(fd, &terms, &seen, &reply.parsed, options);
    if (link == NULL)
        snprintf(error, size, "not enough memory");
    return link;
}

/* The first of the host's addresses that answers; a peer that knows revision 1 alone ends a
 * connection that begins by 2 (RFC 6581, 8). */
static struct link *connect_link(struct transport *transport, const struct link_options *options)
{
    const struct iwarp *iwarp = (const struct iwarp *)transport;
    struct link *link = NULL;
    transport->error[0] = '\0';
    for (const struct addrinfo *at = iwarp->address; at && link == NULL; at = at->ai_next) {
        struct iwarp_wishes asked = iwarp->wishes;
        bool silent;
        link = connect_by(&asked, at, options, transport->error, sizeof transport->error, &silent);
        if (link || !silent || asked.revision == 1)
            continue;
        asked.revision = 1;
        link = connect_by(&asked, at, options, transport->error, sizeof transport->error, &silent);
    }
    return link;
}

/* ---- accepting ---- */

static void reject(int socket, struct iwarp_seen *seen, const struct mpa_start *request)
{
    uint8_t reply[MPA_START_MAX];
    size_t length = start_make_reject(reply, request);
    ssize_t sent = send(socket, reply, length, MSG_NOSIGNAL);
    if (sent > 0) /* a peer that is gone knows it */
        seen_octets(seen, SEEN_OURS, reply, (size_t)sent);
    seen_end(seen, SEEN_OURS);
    close(socket);
}

static struct link *accept_link(struct transport *transport, const struct link_options *options,
                                unsigned timeout)
{
    struct iwarp *iwarp = (struct iwarp *)transport;
    struct link peer = {.ops = NULL};
    struct link_options answer = *options;
    struct start_frame request;
    struct iwarp_terms terms;
    struct iwarp_seen seen;
    uint8_t reply[MPA_START_MAX];
    transport->error[0] = '\0';
    int fd = listener_next(&iwarp->listener, &request, wait_until(timeout));
    if (fd < 0)
        return NULL;
    seen_begin(&seen, fd, false);
    seen_octets(&seen, SEEN_PEERS, request.octets, request.have);
    start_parse(&request, false); /* its private data are in this copy */
    keep_private_data(&peer, &request.parsed);
    if (transport->meet && !transport->meet(transport->meet_arg, &peer, &answer)) {
        reject(fd, &seen, &request.parsed);
        return NULL;
    }
    size_t length = start_make_reply(reply, &iwarp->wishes, &request.parsed, answer.private_data,
                                     answer.private_length, &terms);
    if (send(fd, reply, length, MSG_NOSIGNAL) != (ssize_t)length) {
        snprintf(transport->error, sizeof transport->error,
                 "cannot accept: the connection was lost");
        close(fd);
        return NULL;
    }
    seen_octets(&seen, SEEN_OURS, reply, length);
    struct link *link = new_link(fd, &terms, &seen, &request.parsed, &answer);
    if (link == NULL)
        snprintf(transport->error, sizeof transport->error, "not enough memory");
    return link;
}

/* ---- the transport ---- */

static void close_transport(struct transport *transport)
{
    struct iwarp *iwarp = (struct iwarp *)transport;
    if (iwarp->listens)
        listener_close(&iwarp->listener);
    if (iwarp->address)
        freeaddrinfo(iwarp->address);
    free(iwarp);
}

static const struct transport_ops transport_ops = {
    .connect = connect_link, .accept = accept_link, .close = close_transport};

struct transport *transport_iwarp(const char *address, bool listen, char *error, size_t error_size)
{
    char host[256];
    const char *port;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = listen ? AI_PASSIVE : 0};
    if (!address_split(address, host, sizeof host, &port)) {
        snprintf(error, error_size, "not an address: HOST, HOST:PORT or [HOST]:PORT");
        return NULL;
    }
    struct iwarp *iwarp = calloc(1, sizeof *iwarp);
    if (iwarp == NULL) {
        snprintf(error, error_size, "not enough memory");
        return NULL;
    }
    pthread_once(&once, prepare_check_sums);
    iwarp->transport.ops = &transport_ops;
    iwarp->transport.invalidates = true;
    iwarp->wishes = wishes;
    int status = getaddrinfo(host[0] != '\0' ? host : NULL, port, &hints, &iwarp->address);
    if (status != 0) {
        snprintf(error, error_size, "%s", gai_strerror(status));
    } else if (listen && !listener_open(&iwarp->listener, iwarp->address)) {
        snprintf(error, error_size, "cannot listen: %s", strerror(errno));
    } else {
        iwarp->listens = listen;
        return &iwarp->transport;
    }
    close_transport(&iwarp->transport);
    return NULL;
}
