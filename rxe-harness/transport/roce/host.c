// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/host.h"

#include "rxe-harness/transport/roce/connection.h"
#include "rxe-harness/transport/user/ip.h"
#include "rxe-harness/transport/user/wait.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define SOCKET_ROOM (4 << 20)
#define BURST 64 /* packets taken in one go */

static pthread_mutex_t hosts_lock = PTHREAD_MUTEX_INITIALIZER;
static struct roce_host *hosts;

/* ---- sending ---- */

#define LATE_TIME 2000 /* microseconds that a packet is late if none follows */

static void put_on_wire(struct roce_host *host, const struct roce_path *path,
                        const struct frame *frame)
{
    struct sockaddr_storage to;
    socklen_t size = path_remote(path, &to);
    ssize_t sent = sendto(host->socket, frame->octets + frame->begin, frame->length - frame->begin,
                          MSG_DONTWAIT, (const struct sockaddr *)&to, size);
    host->send_error = sent < 0 ? errno : 0;
    if (sent >= 0)
        wire_seen(frame->octets, frame->length);
}

static void send_late(struct roce_host *host)
{
    struct frame *frame = host->late;
    host->late = NULL;
    if (frame)
        put_on_wire(host, &host->late_path, frame);
    free(frame);
}

/* False: there is one already, or no memory. */
static bool keep_late(struct roce_host *host, const struct roce_path *path,
                      const struct frame *frame)
{
    struct frame *late = host->late ? NULL : malloc(sizeof *late);
    if (late == NULL)
        return false;
    *late = *frame;
    host->late = late;
    host->late_path = *path;
    host->late_until = clock_microseconds() + LATE_TIME;
    host_wake(host);
    return true;
}

void host_transmit(struct roce_host *host, const struct roce_path *path, struct frame *frame)
{
    switch (wire_next()) {
    case WIRE_LOSS:
        return;
    case WIRE_DAMAGE:
        frame->octets[frame->length - 1] ^= 1;
        break;
    case WIRE_DUPLICATE:
        put_on_wire(host, path, frame);
        break;
    case WIRE_REORDER:
        if (keep_late(host, path, frame))
            return;
        break;
    case WIRE_NONE:
        break;
    }
    put_on_wire(host, path, frame);
    send_late(host);
}

void host_manage(struct roce_host *host, const struct roce_path *path,
                 const struct management *message)
{
    struct frame frame;
    management_make(&frame, path, message, host->datagrams++);
    host_transmit(host, path, &frame);
}

/* ---- what comes ---- */

/* A request to connect; one that was taken before is asked again when its answer was lost. */
static void take_request(struct roce_host *host, const struct roce_path *path,
                         const struct management *message)
{
    struct roce_listener *listener = host->listeners;
    while (listener && listener->port != message->port)
        listener = listener->next;
    if (listener == NULL || message->mtu == 0) {
        const struct management reject = {.kind = MANAGEMENT_REJECT,
                                          .transaction = message->transaction,
                                          .receiver = message->sender.id,
                                          .reason = REJECT_NO_SERVICE};
        host_manage(host, path, &reject);
        return;
    }
    for (unsigned i = 0; i < listener->count; i++)
        if (listener->requests[i].message.sender.id == message->sender.id &&
            listener->requests[i].message.guid == message->guid)
            return;
    if (listener->count == REQUESTS_MAX)
        return; /* it is sent again */
    struct roce_request *request = &listener->requests[listener->count++];
    *request = (struct roce_request){.path = *path, .message = *message};
    memcpy(request->private_data, message->private_data, message->private_length);
    request->message.private_data = NULL;
    pthread_cond_signal(&listener->changed);
}

/* Whose message it is. */
static struct roce_connection *find_managed(struct roce_host *host, const struct roce_path *path,
                                            const struct management *message)
{
    struct roce_connection *at = host->connections;
    for (; at; at = at->next) {
        bool is_request = message->kind == MANAGEMENT_REQUEST;
        if (!address_equal(&at->pair.path.remote, &path->remote))
            continue;
        if (is_request
                ? !at->active && at->peer.id == message->sender.id && at->guid == message->guid
                : at->own.id == message->receiver)
            break;
    }
    return at;
}

static void take_management(struct roce_host *host, const struct roce_path *path,
                            const struct management *message, int64_t now)
{
    struct roce_connection *connection = find_managed(host, path, message);
    if (connection) {
        connection_take_management(connection, message, now);
    } else if (message->kind == MANAGEMENT_REQUEST) {
        take_request(host, path, message);
    } else if (message->kind == MANAGEMENT_DISCONNECT) { /* one that is forgotten here */
        const struct management answer = {.kind = MANAGEMENT_DISCONNECTED,
                                          .transaction = message->transaction,
                                          .sender.id = message->receiver,
                                          .receiver = message->sender.id};
        host_manage(host, path, &answer);
    }
}

static void take_packet(struct roce_host *host, const struct roce_path *path,
                        const struct packet *packet, bool acknowledge, int64_t now)
{
    struct management message;
    if (packet->opcode == OP_DATAGRAM) {
        if (management_take(packet, &message))
            take_management(host, path, &message, now);
        return;
    }
    for (struct roce_connection *at = host->connections; at; at = at->next)
        if (at->pair.number == packet->queue_pair &&
            address_equal(&at->pair.path.remote, &path->remote)) {
            connection_take(at, packet, acknowledge, now);
            return;
        }
}

/* False: nothing has come. */
static bool receive(struct roce_host *host)
{
    struct roce_path path = {.local = host->local, .scope = host->scope};
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    struct frame frame;
    struct packet packet;
    bool acknowledge;
    uint8_t *room = frame_room(&frame, &path);
    frame.length = 0;
    size_t most = (size_t)(frame.octets + sizeof frame.octets - room);
    ssize_t length = recvfrom(host->socket, room, most, MSG_DONTWAIT | MSG_TRUNC,
                              (struct sockaddr *)&from, &size);
    if (length < 0)
        return errno == EINTR;
    if ((size_t)length > most)
        return true;
    path.remote = ip_address((const struct sockaddr *)&from);
    bool good = frame_take(&frame, &path, ip_port((const struct sockaddr *)&from), (size_t)length,
                           &packet, &acknowledge);
    if (frame.length > 0)
        wire_seen(frame.octets, frame.length);
    if (good)
        take_packet(host, &path, &packet, acknowledge, clock_microseconds());
    return true;
}

/* ---- the thread ---- */

/* What is due. Returns when to look again. */
static int64_t run_all(struct roce_host *host)
{
    int64_t now = clock_microseconds(), next = INT64_MAX;
    if (host->late && now >= host->late_until)
        send_late(host);
    for (struct roce_connection *at = host->connections; at; at = at->next) {
        bool more = false;
        int64_t due = connection_run(at, now, &more);
        next = more ? now : due < next ? due : next;
    }
    if (host->late && host->late_until < next)
        next = host->late_until;
    return next;
}

static void *serve(void *arg)
{
    struct roce_host *host = arg;
    struct pollfd ready[2] = {{.fd = host->socket, .events = POLLIN},
                              {.fd = host->wake[0], .events = POLLIN}};
    pthread_mutex_lock(&host->lock);
    while (!host->stops) {
        int time = wait_poll_time(run_all(host));
        pthread_mutex_unlock(&host->lock);
        poll(ready, 2, time);
        wake_clear(host->wake);
        pthread_mutex_lock(&host->lock);
        for (int i = 0; i < BURST && receive(host); i++)
            ;
    }
    pthread_mutex_unlock(&host->lock);
    return NULL;
}

void host_wake(struct roce_host *host)
{
    wake_up(host->wake);
}

/* ---- beginning and end ---- */

/* Fragments are forbidden, and the CRC covers the identification, which then is 0: but only where
 * the socket is not connected. The check sum of UDP may be 0. */
static void set_options(int fd, bool v6)
{
    int yes = 1, room = SOCKET_ROOM;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
#ifdef IP_MTU_DISCOVER
    int forbid = IP_PMTUDISC_DO;
    if (!v6)
        setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &forbid, sizeof forbid);
#endif
#ifdef __linux__
    enum {
        NO_CHECK6_TX = 101,
        NO_CHECK6_RX = 102
    }; /* linux/udp.h: not all C libraries have them */
    if (v6) {
        setsockopt(fd, IPPROTO_UDP, NO_CHECK6_RX, &yes, sizeof yes);
        setsockopt(fd, IPPROTO_UDP, NO_CHECK6_TX, &yes, sizeof yes);
    }
#endif
#ifdef IPV6_V6ONLY
    if (v6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
#endif
}

static int open_socket(const struct address *local, uint32_t scope)
{
    const struct roce_path here = {.local = *local, .remote = *local, .scope = scope};
    struct sockaddr_storage address;
    socklen_t size = path_remote(&here, &address);
    int fd = socket(address.ss_family, SOCK_DGRAM, 0);
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    set_options(fd, path_is_v6(&here));
    if (bind(fd, (const struct sockaddr *)&address, size) == 0)
        return fd;
    int status = errno;
    close(fd);
    errno = status;
    return -1;
}

static struct roce_host *host_new(const struct address *local, uint32_t scope)
{
    struct roce_host *host = calloc(1, sizeof *host);
    if (host == NULL)
        return NULL;
    host->local = *local;
    host->scope = scope;
    pthread_mutex_init(&host->lock, NULL);
    host->wake[0] = host->wake[1] = -1;
    host->socket = open_socket(local, scope);
    errno = host->socket < 0        ? errno
            : wake_open(host->wake) ? thread_start(&host->thread, serve, host)
                                    : errno;
    if (errno == 0)
        return host;
    int status = errno;
    if (host->socket >= 0)
        close(host->socket);
    wake_close(host->wake);
    pthread_mutex_destroy(&host->lock);
    free(host);
    errno = status;
    return NULL;
}

struct roce_host *host_get(const struct address *local, uint32_t scope)
{
    pthread_mutex_lock(&hosts_lock);
    struct roce_host *host = hosts;
    while (host && !(address_equal(&host->local, local) && host->scope == scope))
        host = host->next;
    if (host == NULL && (host = host_new(local, scope))) {
        host->next = hosts;
        hosts = host;
    }
    if (host)
        host->users++;
    pthread_mutex_unlock(&hosts_lock);
    return host;
}

struct roce_host *host_other(bool v6)
{
    pthread_mutex_lock(&hosts_lock);
    struct roce_host *host = hosts;
    while (host && path_is_v6(&(struct roce_path){.local = host->local}) != v6)
        host = host->next;
    if (host)
        host->users++;
    pthread_mutex_unlock(&hosts_lock);
    return host;
}

void host_put(struct roce_host *host)
{
    pthread_mutex_lock(&hosts_lock);
    bool last = --host->users == 0;
    struct roce_host **at = &hosts;
    while (last && *at != host)
        at = &(*at)->next;
    if (last)
        *at = host->next;
    if (last) {
        pthread_mutex_lock(&host->lock);
        host->stops = true;
        pthread_mutex_unlock(&host->lock);
        host_wake(host);
        pthread_join(host->thread, NULL);
        close(host->socket);
        wake_close(host->wake);
        pthread_mutex_destroy(&host->lock);
        free(host->late);
        free(host);
    }
    pthread_mutex_unlock(&hosts_lock);
}
