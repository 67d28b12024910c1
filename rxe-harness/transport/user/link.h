// SPDX-License-Identifier: BSD-3-Clause
/* The operations of a link in user space, over its end of the connection (end.h). */
#ifndef HARNESS_USER_LINK_H
#define HARNESS_USER_LINK_H

#include "rxe-harness/transport/user/end.h"

#include <pthread.h>

struct user_link {
    struct link link; /* first */
    struct user_end *end;
    pthread_mutex_t *lock;
    pthread_cond_t *changed; /* whenever the end has */
    /* Begin end->work; with the lock held. */
    void (*begin)(struct user_link *own);
    /* Disconnect, and free all that is the provider's, with the link. */
    void (*close)(struct user_link *own);
    void *connection; /* the provider's */
    unsigned timeout;
    struct happening *given; /* the Send that the caller has */
    uint32_t handles;        /* the last handle */
    uint64_t places;         /* and where its memory is for the peer */
    struct wire_chance chance;
    bool decided, shuffles; /* RDMA Writes up to the next Send go in any order (wire.h) */
    struct held_write *held;
};

/* A link whose end, lock, begin, close and connection the caller sets; NULL: no memory. */
struct user_link *user_link_new(const struct link_options *options);
/* Handles do not come again soon: a late RDMA operation meets none. */
uint32_t user_link_handle(struct user_link *own);

#endif
