// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/watched.h"

#include "conformance/report/ladder/scene.h"

#include <stdlib.h>
#include <time.h>

/* ---- scenes ---- */

static bool keeps_scenes;
static struct scene *latest, *left; /* left: the latest one, whose connection is gone */

void watched_keep_scenes(void)
{
    keeps_scenes = true;
}

const struct scene *watched_scene(void)
{
    return latest;
}

void watched_forget_scene(void)
{
    latest = NULL;
    scene_end(left);
    left = NULL;
}

static void add_to_scene(struct watched *watched, const struct rpcrdma_event *event)
{
    struct timespec now;
    if (watched->scene == NULL)
        return;
    if (latest != watched->scene)
        watched_forget_scene();
    latest = watched->scene;
    clock_gettime(CLOCK_REALTIME, &now);
    scene_add(latest, event, &watched->judgement, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
}

static void leave_scene(struct watched *watched)
{
    if (latest && latest == watched->scene)
        left = latest;
    else
        scene_end(watched->scene);
    watched->scene = NULL;
}

/* ---- events ---- */

void watched_judge(struct watched *watched, const struct rpcrdma_event *event)
{
    rpcrdma_check_event(watched->check, event, &watched->judgement);
    add_to_scene(watched, event);
    if (watched->on_event)
        watched->on_event(watched->arg, event, &watched->judgement);
}

void watched_private(struct watched *watched, enum rpcrdma_endpoint from, const uint8_t *octets,
                     size_t length)
{
    const struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_PRIVATE_DATA, .from = from, .data = octets, .length = length};
    if (length > 0)
        watched_judge(watched, &event);
}

void watched_moved(struct watched *watched, enum rpcrdma_endpoint from, bool is_write,
                   uint32_t handle, uint64_t offset, const uint8_t *octets, size_t length)
{
    const struct rpcrdma_event event = {.type = is_write ? RPCRDMA_EVENT_RDMA_WRITE
                                                         : RPCRDMA_EVENT_RDMA_READ,
                                        .from = from,
                                        .data = octets,
                                        .length = length,
                                        .handle = handle,
                                        .offset = offset};
    watched_judge(watched, &event);
}

void watched_end(struct watched *watched, enum rpcrdma_endpoint from)
{
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_DISCONNECT, .from = from};
    if (watched->gone)
        return;
    watched->gone = true;
    watched_judge(watched, &event);
}

static enum rpcrdma_endpoint peer_of(const struct watched *watched)
{
    return watched->side == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

/* ---- both directions ---- */

bool watched_send(struct watched *watched, const void *octets, size_t length,
                  const uint32_t *invalidate)
{
    const struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                        .from = watched->side,
                                        .data = octets,
                                        .length = length,
                                        .invalidate = invalidate != NULL,
                                        .handle = invalidate ? *invalidate : 0};
    watched_judge(watched, &event);
    return watched->own->send(watched->link, octets, length, invalidate);
}

void watched_take(struct watched *watched, unsigned timeout, struct link_event *event)
{
    watched->own->wait(watched->link, timeout, event);
}

void watched_came(struct watched *watched, const struct link_event *event)
{
    const struct rpcrdma_event came = {.type = RPCRDMA_EVENT_SEND,
                                       .from = peer_of(watched),
                                       .data = event->octets,
                                       .length = event->length,
                                       .invalidate = event->invalidated,
                                       .handle = event->handle};
    if (event->type == LINK_RECEIVED)
        watched_judge(watched, &came);
    else if (event->type == LINK_CLOSED)
        watched_end(watched, came.from);
}

void watched_wait(struct watched *watched, unsigned timeout, struct link_event *event)
{
    watched_take(watched, timeout, event);
    watched_came(watched, event);
}

/* ---- in place of the link's own operations ---- */

static struct watched *watched_of(const struct link *link)
{
    return link->observe_arg;
}

static bool send_seen(struct link *link, const void *octets, size_t length,
                      const uint32_t *invalidate)
{
    struct watched *watched = watched_of(link);
    return watched->outgoing ? watched->outgoing(watched->outgoing_arg, octets, length, invalidate)
                             : watched_send(watched, octets, length, invalidate);
}

static void wait_seen(struct link *link, unsigned timeout, struct link_event *event)
{
    struct watched *watched = watched_of(link);
    if (watched->incoming)
        watched->incoming(watched->arg, timeout, event);
    else
        watched_wait(watched, timeout, event);
}

static bool read_seen(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                      size_t length)
{
    struct watched *watched = watched_of(link);
    if (!watched->own->read(link, handle, offset, octets, length))
        return false;
    watched_moved(watched, watched->side, false, handle, offset, octets, length);
    return true;
}

static bool write_seen(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                       size_t length)
{
    struct watched *watched = watched_of(link);
    if (!watched->own->write(link, handle, offset, octets, length))
        return false;
    watched_moved(watched, watched->side, true, handle, offset, octets, length);
    return true;
}

static void peer_moved(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                       const uint8_t *octets, size_t length)
{
    watched_moved(arg, peer_of(arg), is_write, handle, offset, octets, length);
}

/* ---- beginning and end ---- */

bool watched_init(struct watched *watched, const struct rpcrdma_check_config *config)
{
    size_t size = rpcrdma_check_size(config);
    watched->config = *config;
    watched->scene = keeps_scenes ? scene_begin(&watched->config) : NULL;
    watched->memory = malloc(size);
    watched->check =
        watched->memory ? rpcrdma_check_init(watched->memory, size, &watched->config) : NULL;
    return watched->check != NULL;
}

void watched_begin(struct watched *watched, struct link *link)
{
    watched->link = link;
    watched->own = link->ops;
    watched->ops = *link->ops;
    watched->ops.send = send_seen;
    watched->ops.wait = wait_seen;
    watched->ops.read = read_seen;
    watched->ops.write = write_seen;
    link->ops = &watched->ops;
    link->observe = peer_moved;
    link->observe_arg = watched;
}

void watched_leave(struct watched *watched)
{
    watched->link->ops = watched->own;
}

void watched_free(struct watched *watched)
{
    leave_scene(watched);
    free(watched->memory);
    watched->memory = NULL;
}
