// SPDX-License-Identifier: BSD-3-Clause
/* A TCP socket that listens, and peers whose request of MPA is not complete: one that is slow, or
 * silent, keeps nobody waiting. */
#ifndef HARNESS_IWARP_LISTENER_H
#define HARNESS_IWARP_LISTENER_H

#include "rxe-harness/transport/iwarp/start.h"

#include <netdb.h>

#define BEGINNERS_MAX 16

struct beginner {
    int socket;
    int64_t until;
    struct start_frame frame;
};

struct listener {
    int socket;
    struct beginner beginners[BEGINNERS_MAX];
    unsigned count;
};

/* On the first of the addresses that can be had. False: errno says why. */
bool listener_open(struct listener *listener, const struct addrinfo *address);
/* The next peer whose request is complete: its socket, which is the caller's then, and the request;
 * -1: none came until then, in microseconds of the clock. */
int listener_next(struct listener *listener, struct start_frame *request, int64_t until);
void listener_close(struct listener *listener);

/* The next octets of a frame, which are there or not; false: no more will come. */
bool start_receive(int socket, struct start_frame *frame);
/* A socket as all of ours are: closed on exec, and never waited for. */
void socket_prepare(int socket);

#endif
