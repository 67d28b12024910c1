// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/listener.h"

#include "rxe-harness/transport/user/wait.h"

#include "conformance/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 64
#define REQUEST_TIME 5000 /* milliseconds for a request to be complete */
#define PIECE 100         /* milliseconds: a signal that ends all waiting does not wake us */

void socket_prepare(int socket)
{
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

bool start_receive(int socket, struct start_frame *frame)
{
    size_t missing = start_missing(frame);
    ssize_t count = missing > 0 ? recv(socket, frame->octets + frame->have, missing, 0) : 0;
    if (count > 0)
        frame->have += (size_t)count;
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

/* ---- beginning and end ---- */

static int open_one(const struct addrinfo *address)
{
    int yes = 1, fd = socket(address->ai_family, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    socket_prepare(fd);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int status = errno;
    close(fd);
    errno = status;
    return -1;
}

bool listener_open(struct listener *listener, const struct addrinfo *address)
{
    *listener = (struct listener){.socket = -1};
    for (; address && listener->socket < 0; address = address->ai_next)
        listener->socket = open_one(address);
    return listener->socket >= 0;
}

void listener_close(struct listener *listener)
{
    for (unsigned i = 0; i < listener->count; i++)
        close(listener->beginners[i].socket);
    if (listener->socket >= 0)
        close(listener->socket);
}

/* ---- those who begin ---- */

static void forget(struct listener *listener, unsigned at)
{
    listener->beginners[at] = listener->beginners[--listener->count];
}

/* There is room for a new one: who has waited longest makes it. */
static void make_room(struct listener *listener)
{
    unsigned oldest = 0;
    if (listener->count < BEGINNERS_MAX)
        return;
    for (unsigned i = 1; i < listener->count; i++)
        if (listener->beginners[i].until < listener->beginners[oldest].until)
            oldest = i;
    close(listener->beginners[oldest].socket);
    forget(listener, oldest);
}

static void take_beginner(struct listener *listener)
{
    int fd = accept(listener->socket, NULL, NULL);
    if (fd < 0)
        return;
    socket_prepare(fd);
    make_room(listener);
    listener->beginners[listener->count++] =
        (struct beginner){.socket = fd, .until = wait_until(REQUEST_TIME)};
}

/* One whose request is complete, or -1. Who ended, is late, or speaks something else is dropped. */
static int find_complete(struct listener *listener, struct start_frame *request)
{
    for (unsigned i = 0; i < listener->count;) {
        struct beginner *beginner = &listener->beginners[i];
        size_t before;
        bool lives = clock_microseconds() < beginner->until;
        do { /* its header, then what follows it */
            before = beginner->frame.have;
            lives = lives && start_receive(beginner->socket, &beginner->frame);
        } while (lives && beginner->frame.have > before && start_missing(&beginner->frame) > 0);
        int fd = beginner->socket;
        bool complete = start_missing(&beginner->frame) == 0;
        if (complete && start_parse(&beginner->frame, false) == NULL) {
            *request = beginner->frame;
            forget(listener, i);
            return fd;
        }
        if (lives && !complete) {
            i++;
            continue;
        }
        close(fd);
        forget(listener, i);
    }
    return -1;
}

int listener_next(struct listener *listener, struct start_frame *request, int64_t until)
{
    for (;;) { /* once at least, if there is no time at all */
        struct pollfd ready[BEGINNERS_MAX + 1];
        int left = wait_poll_time(until);
        unsigned count = listener->count;
        for (unsigned i = 0; i < count; i++)
            ready[i] = (struct pollfd){.fd = listener->beginners[i].socket, .events = POLLIN};
        ready[count] = (struct pollfd){.fd = listener->socket, .events = POLLIN};
        poll(ready, count + 1, left < PIECE ? left : PIECE);
        if (ready[count].revents != 0)
            take_beginner(listener);
        int fd = find_complete(listener, request);
        if (fd >= 0 || clock_microseconds() >= until)
            return fd;
    }
}
