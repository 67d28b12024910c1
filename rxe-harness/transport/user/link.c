// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/link.h"

#include "rxe-harness/transport/user/wait.h"
#include "rxe-harness/transport/user/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEND_MAX 65536     /* octets of a Send */
#define DEFAULT_TIME 5000u /* milliseconds */
#define PLACE_ALIGNED UINT64_C(0xf)
#define PLACE_STEP (UINT64_C(1) << 32) /* no memory reaches the next */

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

/* ---- RDMA Writes in any order before the Send ---- */

#define PARTS_MAX 4 /* of one */

static bool write_now(struct user_link *own, uint32_t handle, uint64_t offset,
                      const uint8_t *octets, size_t length)
{
    struct work work = {
        .kind = WORK_WRITE, .from = octets, .length = length, .handle = handle, .offset = offset};
    return complete(own, &work);
}

static bool hold_part(struct user_link *own, uint32_t handle, uint64_t offset,
                      const uint8_t *octets, size_t length)
{
    struct held_write *held = malloc(sizeof *held + length);
    if (held == NULL)
        return false;
    *held = (struct held_write){
        .next = own->held, .handle = handle, .offset = offset, .length = length};
    if (length > 0)
        memcpy(held->octets, octets, length);
    own->held = held;
    return true;
}

static struct held_write *take_any(struct user_link *own)
{
    uint32_t count = 0;
    for (struct held_write *at = own->held; at; at = at->next)
        count++;
    struct held_write **at = &own->held, *taken;
    for (uint32_t skip = count > 0 ? wire_below(&own->chance, count) : 0; skip > 0; skip--)
        at = &(*at)->next;
    taken = *at;
    if (taken)
        *at = taken->next;
    return taken;
}

/* False: one has failed. */
static bool write_held(struct user_link *own)
{
    struct held_write *part;
    bool good = true;
    while ((part = take_any(own))) {
        good = good && write_now(own, part->handle, part->offset, part->octets, part->length);
        free(part);
    }
    own->decided = false;
    return good;
}

/* Whether the Writes up to the next Send go in any order. */
static bool shuffles(struct user_link *own)
{
    if (!own->decided)
        own->shuffles = wire_happens(&own->chance, WIRE_SHUFFLE);
    own->decided = true;
    return own->shuffles;
}

/* In parts. */
static bool hold(struct user_link *own, uint32_t handle, uint64_t offset, const uint8_t *octets,
                 size_t length)
{
    size_t parts = 1 + wire_below(&own->chance, PARTS_MAX), most = (length + parts - 1) / parts;
    for (size_t at = 0, part; at < length; at += part) {
        part = length - at < most ? length - at : most;
        if (!hold_part(own, handle, offset + at, octets + at, part))
            return false;
    }
    return length > 0 || hold_part(own, handle, offset, octets, 0);
}

/* ---- the operations ---- */

static bool send_message(struct link *link, const void *octets, size_t length,
                         const uint32_t *invalidate)
{
    struct work work = {
        .kind = WORK_SEND, .from = octets, .length = length, .invalidate = invalidate};
    return length <= SEND_MAX && write_held(own_of(link)) && complete(own_of(link), &work);
}

static bool read_memory(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    struct work work = {
        .kind = WORK_READ, .to = octets, .length = length, .handle = handle, .offset = offset};
    return write_held(own_of(link)) && complete(own_of(link), &work);
}

static bool write_memory(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    return shuffles(own_of(link)) ? hold(own_of(link), handle, offset, octets, length)
                                  : write_now(own_of(link), handle, offset, octets, length);
}

/* ---- memory ---- */

uint32_t user_link_handle(struct user_link *own)
{
    own->handles = own->handles * 1664525 + 1013904223;
    return own->handles;
}

/* Where the peer sees memory: not where it is, so that equal runs send equal octets, but as it
 * is aligned. */
static uint64_t place(struct user_link *own, const uint8_t *octets)
{
    own->places += PLACE_STEP;
    return own->places | ((uintptr_t)octets & PLACE_ALIGNED);
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
                             .offset = place(own, memory->octets),
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
    write_held(own);
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
    wire_begin(&own->chance);
    wire_random(&own->places, sizeof own->places);
    own->places &= ~(UINT64_C(3) << 62 | PLACE_ALIGNED);
    own->link.ops = &ops;
    own->timeout = options->timeout > 0 ? options->timeout : DEFAULT_TIME;
    return own;
}
