// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/roce/host.h"

#include "rxe-harness/transport/roce/connection.h"
#include "rxe-harness/transport/user/ip.h"
#include "rxe-harness/transport/user/wait.h"

#include "conformance/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define SOCKET_ROOM (4 << 20)
#define BURST 64            /* packets taken in one go */
#define ID_STEP 0x9e3779b1u /* odd: no id comes again before all have been */

static pthread_mutex_t hosts_lock = PTHREAD_MUTEX_INITIALIZER;
static struct roce_host *hosts;

/* ---- sending ---- */

#define HELD_TIME 2000 /* microseconds that a packet is held if none follows */
#define ROOM_TIME 20   /* milliseconds */
#define LATE_MAX 4096  /* packets on their way; what is more is lost */

/* A packet on its way. */
struct roce_late {
    struct roce_late *next;
    int64_t until;                    /* microseconds */
    const struct wire_chance *chance; /* whose it is */
    struct roce_path path;
    struct frame frame;
};

/* A receiver in this machine may keep packets in the room of our socket: for a moment it is waited
 * for, since a packet that is lost costs more. */
static bool has_room(int socket)
{
    struct pollfd ready = {.fd = socket, .events = POLLOUT};
    return (errno == EAGAIN || errno == ENOBUFS) && poll(&ready, 1, ROOM_TIME) > 0;
}

static void put_on_wire(struct roce_host *host, const struct roce_path *path,
                        const struct frame *frame)
{
    struct sockaddr_storage to;
    socklen_t size = path_remote(path, &to);
    ssize_t sent;
    unsigned tries = 0;
    do
        sent = sendto(host->socket, frame->octets + frame->begin, frame->length - frame->begin,
                      MSG_DONTWAIT, (const struct sockaddr *)&to, size);
    while (sent < 0 && tries++ == 0 && has_room(host->socket));
    host->send_error = sent < 0 ? errno : 0;
    if (sent >= 0)
        wire_seen(frame->octets, frame->length);
}

/* NULL: no memory; the packet is lost. */
static struct roce_late *late_new(const struct roce_path *path, const struct frame *frame,
                                  int64_t time)
{
    struct roce_late *late = malloc(sizeof *late);
    if (late == NULL)
        return NULL;
    late->next = NULL;
    late->until = clock_microseconds() + time;
    late->path = *path;
    late->frame = *frame;
    return late;
}

/* Onto the wire, where the packet takes its time. */
static void send_frame(struct roce_host *host, const struct roce_path *path,
                       const struct frame *frame)
{
    uint32_t delay = wire_delay();
    if (delay == 0) {
        put_on_wire(host, path, frame);
        return;
    }
    struct roce_late *late = host->late_count < LATE_MAX ? late_new(path, frame, delay) : NULL;
    if (late == NULL)
        return;
    if (host->late == NULL)
        host->late_end = &host->late;
    *host->late_end = late;
    host->late_end = &late->next;
    host->late_count++;
    host_wake(host);
}

static void send_held(struct roce_host *host)
{
    struct roce_late *held = host->held;
    host->held = NULL;
    if (held)
        send_frame(host, &held->path, &held->frame);
    free(held);
}

/* What has been on its way for long enough. Returns when to look again. */
static int64_t send_late(struct roce_host *host, int64_t now)
{
    if (host->held && now >= host->held->until)
        send_held(host);
    while (host->late && now >= host->late->until) {
        struct roce_late *late = host->late;
        host->late = late->next;
        host->late_count--;
        put_on_wire(host, &late->path, &late->frame);
        free(late);
    }
    int64_t next = host->late ? host->late->until : INT64_MAX;
    return host->held && host->held->until < next ? host->held->until : next;
}

void host_transmit(struct roce_host *host, const struct roce_path *path, struct frame *frame,
                   struct wire_chance *chance)
{
    switch (wire_next(chance)) {
    case WIRE_LOSS:
        return;
    case WIRE_DAMAGE:
        frame->octets[frame->length - 1] ^= 1;
        break;
    case WIRE_DUPLICATE:
        send_frame(host, path, frame);
        break;
    case WIRE_REORDER:
        if (host->held == NULL && (host->held = late_new(path, frame, HELD_TIME))) {
            host->held->chance = chance;
            host_wake(host);
            return;
        }
        break;
    default:
        break;
    }
    send_frame(host, path, frame);
    if (host->held && host->held->chance == chance)
        send_held(host);
}

void host_manage(struct roce_host *host, const struct roce_path *path,
                 const struct management *message, struct roce_datagrams *datagrams)
{
    struct frame frame;
    management_make(&frame, path, message, datagrams->sent++);
    host_transmit(host, path, &frame, &datagrams->chance);
}

/* ---- what comes ---- */

/* It has come; the answer takes longer. */
static void acknowledge_request(struct roce_host *host, const struct roce_request *request)
{
    const struct management receipt = {.kind = MANAGEMENT_RECEIPT,
                                       .transaction = request->message.transaction,
                                       .sender.id = request->id,
                                       .receiver = request->message.sender.id};
    host_manage(host, &request->path, &receipt, &host->datagrams);
}

static void drop_old(struct roce_listener *listener, int64_t now)
{
    unsigned left = 0;
    for (unsigned i = 0; i < listener->count; i++)
        if (now - listener->requests[i].seen < REQUEST_LIFE)
            listener->requests[left++] = listener->requests[i];
    listener->count = left;
}

bool listener_take(struct roce_listener *listener, int64_t now, struct roce_request *request)
{
    drop_old(listener, now);
    if (listener->count == 0)
        return false;
    *request = listener->requests[0];
    listener->count--;
    memmove(listener->requests, listener->requests + 1, listener->count * sizeof *request);
    return true;
}

/* Whose sender gave it up. */
static void forget_request(struct roce_host *host, const struct roce_path *path,
                           const struct management *message)
{
    for (struct roce_listener *at = host->listeners; at; at = at->next) {
        unsigned left = 0;
        for (unsigned i = 0; i < at->count; i++) {
            const struct roce_request *request = &at->requests[i];
            if (request->message.sender.id != message->sender.id ||
                request->message.guid != message->guid ||
                !address_equal(&request->path.remote, &path->remote))
                at->requests[left++] = *request;
        }
        at->count = left;
    }
}

/* A request to connect; one that comes once more while it waits makes the peer wait, too. */
static void take_request(struct roce_host *host, const struct roce_path *path,
                         const struct management *message, int64_t now)
{
    struct roce_listener *listener = host->listeners;
    while (listener && listener->port != message->port)
        listener = listener->next;
    if (listener == NULL || message->mtu == 0) {
        const struct management reject = {.kind = MANAGEMENT_REJECT,
                                          .transaction = message->transaction,
                                          .receiver = message->sender.id,
                                          .reason = REJECT_NO_SERVICE};
        host_manage(host, path, &reject, &host->datagrams);
        return;
    }
    for (unsigned i = 0; i < listener->count; i++)
        if (listener->requests[i].message.sender.id == message->sender.id &&
            listener->requests[i].message.guid == message->guid) {
            listener->requests[i].seen = now;
            acknowledge_request(host, &listener->requests[i]);
            return;
        }
    drop_old(listener, now);
    if (listener->count == REQUESTS_MAX)
        return; /* it is sent again */
    struct roce_request *request = &listener->requests[listener->count++];
    host->ids += ID_STEP;
    *request =
        (struct roce_request){.id = host->ids, .seen = now, .path = *path, .message = *message};
    memcpy(request->private_data, message->private_data, message->private_length);
    request->message.private_data = NULL;
    pthread_cond_signal(&listener->changed);
}

static bool is_given_up(const struct management *message)
{
    return message->kind == MANAGEMENT_REJECT && message->reason == REJECT_TIMEOUT;
}

/* Whose message it is. A request, and what takes it back, names its sender alone; what else comes,
 * also from who waits no longer after our request, names us. */
static struct roce_connection *find_managed(struct roce_host *host, const struct roce_path *path,
                                            const struct management *message)
{
    struct roce_connection *at = host->connections;
    for (; at; at = at->next) {
        bool is_request =
            message->kind == MANAGEMENT_REQUEST || (is_given_up(message) && !at->active);
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
        take_request(host, path, message, now);
    } else if (is_given_up(message)) {
        forget_request(host, path, message);
    } else if (message->kind == MANAGEMENT_DISCONNECT) { /* one that is forgotten here */
        const struct management answer = {.kind = MANAGEMENT_DISCONNECTED,
                                          .transaction = message->transaction,
                                          .sender.id = message->receiver,
                                          .receiver = message->sender.id};
        host_manage(host, path, &answer, &host->datagrams);
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
    int64_t now = clock_microseconds(), next = INT64_MAX, due;
    for (struct roce_connection *at = host->connections; at; at = at->next) {
        bool more = false;
        due = connection_run(at, now, &more);
        next = more ? now : due < next ? due : next;
    }
    due = send_late(host, now);
    return due < next ? due : next;
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
    /* Beyond what the system gives everybody, where we may: an adapter sends hundreds of packets in
     * a row. */
#ifdef SO_RCVBUFFORCE
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0)
#endif
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
    wire_begin(&host->datagrams.chance);
    wire_random(&host->ids, sizeof host->ids);
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

static void free_late(struct roce_host *host)
{
    free(host->held);
    for (struct roce_late *next; host->late; host->late = next) {
        next = host->late->next;
        free(host->late);
    }
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
        free_late(host);
        free(host);
    }
    pthread_mutex_unlock(&hosts_lock);
}
