// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/link.h"

#include "rxe-harness/transport/user/wait.h"
#include "rxe-harness/transport/user/wire.h"

#include <stdio.h>
#include <stdlib.h>

#define SEND_MAX 65536     /* octets of a Send */
#define DEFAULT_TIME 5000u /* milliseconds */

static struct user_link *own_of(struct link *link)
{
    return (struct user_link *)link;
}

/* With the lock held: false once the connection is gone. */
static bool is_open(struct user_link *own)
{
    if (own->end->open)
        return true;
    own->link.starved = own->end->starved;
    if (own->link.why[0] == '\0')
        snprintf(own->link.why, sizeof own->link.why, "%s",
                 own->end->why ? own->end->why : "closed");
    return false;
}

/* ---- what happened ---- */

/* Report RDMA operations up to the next Send. The lock is held, but not while the observer runs. */
static void tell_operations(struct user_link *own)
{
    struct user_end *end = own->end;
    end->observed = own->link.observe != NULL;
    while (end->first && !end->first->is_send) {
        struct happening *happening = end_next(end);
        pthread_mutex_unlock(own->lock);
        if (own->link.observe)
            own->link.observe(own->link.observe_arg, happening->is_write, happening->handle,
                              happening->offset, happening->octets, happening->length);
        free(happening);
        pthread_mutex_lock(own->lock);
    }
}

/* NULL: none came. */
static struct happening *next_send(struct user_link *own)
{
    tell_operations(own);
    return end_next(own->end);
}

static void give_back(struct user_link *own)
{
    if (own->given)
        own->end->taken--;
    free(own->given);
    own->given = NULL;
}

static void wait_event(struct link *link, unsigned timeout, struct link_event *event)
{
    struct user_link *own = own_of(link);
    int64_t until = wait_until(timeout);
    *event = (struct link_event){.type = LINK_NOTHING};
    pthread_mutex_lock(own->lock);
    own->end->observed = own->link.observe != NULL;
    give_back(own);
    while (!(own->given = next_send(own)) && is_open(own) &&
           wait_for(own->lock, own->changed, until))
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
    pthread_mutex_unlock(own->lock);
}

/* ---- what we ask ---- */

static bool complete(struct user_link *own, struct work *work)
{
    int64_t until = wait_until(own->timeout);
    pthread_mutex_lock(own->lock);
    tell_operations(own);
    work->state = own->end->open ? WORK_UNDER_WAY : WORK_FAILED;
    if (own->end->open) {
        own->end->work = work;
        own->begin(own);
    }
    while (work->state == WORK_UNDER_WAY)
        if (!wait_for(own->lock, own->changed, until) && work->state == WORK_UNDER_WAY)
            end_fail(own->end, "an operation did not complete in time");
    bool good = work->state == WORK_DONE;
    is_open(own);
    pthread_mutex_unlock(own->lock);
    return good;
}

static bool send_message(struct link *link, const void *octets, size_t length,
                         const uint32_t *invalidate)
{
    struct work work = {
        .kind = WORK_SEND, .from = octets, .length = length, .invalidate = invalidate};
    return length <= SEND_MAX && complete(own_of(link), &work);
}

static bool read_memory(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    struct work work = {
        .kind = WORK_READ, .to = octets, .length = length, .handle = handle, .offset = offset};
    return complete(own_of(link), &work);
}

static bool write_memory(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    struct work work = {
        .kind = WORK_WRITE, .from = octets, .length = length, .handle = handle, .offset = offset};
    return complete(own_of(link), &work);
}

/* ---- memory ---- */

uint32_t user_link_handle(struct user_link *own)
{
    own->handles = own->handles * 1664525 + 1013904223;
    return own->handles;
}

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    struct user_link *own = own_of(link);
    struct exposed *made = calloc(1, sizeof *made);
    memory->own = made;
    if (made == NULL)
        return false;
    pthread_mutex_lock(own->lock);
    *made = (struct exposed){.next = own->end->memory,
                             .octets = memory->octets,
                             .offset = (uintptr_t)memory->octets,
                             .length = memory->length,
                             .handle = user_link_handle(own),
                             .access = access};
    memory->handle = made->handle;
    memory->offset = made->offset;
    own->end->observed = own->link.observe != NULL;
    own->end->memory = made;
    pthread_mutex_unlock(own->lock);
    return true;
}

static void hide(struct link *link, struct link_memory *memory)
{
    struct user_link *own = own_of(link);
    if (memory->own == NULL)
        return;
    pthread_mutex_lock(own->lock);
    end_forget(own->end, memory->own);
    pthread_mutex_unlock(own->lock);
    free(memory->own);
    memory->own = NULL;
}

/* ---- beginning and end ---- */

static void close_link(struct link *link)
{
    struct user_link *own = own_of(link);
    pthread_mutex_lock(own->lock);
    give_back(own);
    pthread_mutex_unlock(own->lock);
    own->close(own);
}

static const struct link_ops ops = {.send = send_message,
                                    .wait = wait_event,
                                    .expose = expose,
                                    .hide = hide,
                                    .read = read_memory,
                                    .write = write_memory,
                                    .close = close_link};

struct user_link *user_link_new(const struct link_options *options)
{
    struct user_link *own = calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    wire_random(&own->handles, sizeof own->handles);
    own->link.ops = &ops;
    own->timeout = options->timeout > 0 ? options->timeout : DEFAULT_TIME;
    return own;
}
