// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/loopback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum side { ACTIVE, PASSIVE };

struct passed_message {
    struct passed_message *next;
    size_t length;
    bool invalidated;
    uint32_t handle;
    uint8_t octets[];
};

struct loopback_region {
    struct loopback_region *next;
    struct link_memory memory;
    unsigned access;
};

struct pair;

struct end {
    struct link link; /* first: a link is its end */
    struct pair *pair;
    enum side side;
    size_t receive_size;
    unsigned receives; /* posted and not yet used */
    struct passed_message *first, *last, *given;
    bool is_lost; /* the Receive of the one that is given is not posted again */
    struct loopback_region *regions;
};

/* Both ends of a connection, freed when both have closed. */
struct pair {
    struct end end[2];
    struct loopback_peer peer;
    void *instance; /* of the peer */
    bool open;
    uint32_t next_handle;
};

struct loopback {
    struct transport transport; /* first */
    struct loopback_peer peer;
};

static struct end *end_of(struct link *link)
{
    return (struct end *)link;
}

static struct end *other_of(struct end *end)
{
    return &end->pair->end[1 - end->side];
}

/* The connection ends for both; the first reason stays. */
static void break_off(struct pair *pair, const char *why)
{
    for (int i = 0; i < 2 && pair->open; i++)
        snprintf(pair->end[i].link.why, sizeof pair->end[i].link.why, "%s", why);
    pair->open = false;
}

static void starve(struct end *receiver, const char *why)
{
    struct pair *pair = receiver->pair;
    pair->end[receiver == &pair->end[0]].link.starved = pair->open;
    break_off(pair, why);
}

/* ---- memory ---- */

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    struct end *end = end_of(link);
    struct loopback_region *region = malloc(sizeof *region);
    if (region == NULL)
        return false;
    memory->handle = end->pair->next_handle += 0x101; /* neighbours differ in two octets */
    memory->offset = (uint64_t)memory->handle << 24 | 0x7f00000000000000;
    memory->own = region;
    *region = (struct loopback_region){.next = end->regions, .memory = *memory, .access = access};
    end->regions = region;
    return true;
}

static void take_out(struct end *end, const struct loopback_region *region)
{
    struct loopback_region **at = &end->regions;
    while (*at != NULL && *at != region)
        at = &(*at)->next;
    if (*at != NULL)
        *at = region->next;
}

static void hide(struct link *link, struct link_memory *memory)
{
    take_out(end_of(link), memory->own);
    free(memory->own);
    memory->own = NULL;
}

static struct loopback_region *find(struct end *end, uint32_t handle)
{
    struct loopback_region *region = end->regions;
    while (region != NULL && region->memory.handle != handle)
        region = region->next;
    return region;
}

/* The octets that an operation of the peer's may touch, or NULL after the connection ended. */
static uint8_t *reach(struct end *end, uint32_t handle, uint64_t offset, size_t length,
                      enum link_access access)
{
    const struct loopback_region *region = find(end, handle);
    const char *why = NULL;
    if (!end->pair->open)
        return NULL;
    if (region == NULL)
        why = "remote access error: no memory has this handle";
    else if (!(region->access & access))
        why = "remote access error: the memory is not registered for this";
    else if (offset < region->memory.offset ||
             offset - region->memory.offset > region->memory.length ||
             length > region->memory.length - (offset - region->memory.offset))
        why = "remote access error: beyond the memory's bounds";
    if (why == NULL)
        return region->memory.octets + (offset - region->memory.offset);
    break_off(end->pair, why);
    return NULL;
}

static bool transfer(struct link *link, uint32_t handle, uint64_t offset, void *into,
                     const void *from, size_t length)
{
    struct end *target = other_of(end_of(link));
    bool is_write = from != NULL;
    uint8_t *octets =
        reach(target, handle, offset, length, is_write ? LINK_PEER_WRITES : LINK_PEER_READS);
    if (octets == NULL)
        return false;
    if (length > 0)
        memcpy(is_write ? octets : into, is_write ? from : octets, length);
    if (target->link.observe)
        target->link.observe(target->link.observe_arg, is_write, handle, offset, octets, length);
    return true;
}

static bool read_memory(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    return transfer(link, handle, offset, octets, NULL, length);
}

static bool write_memory(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    return transfer(link, handle, offset, NULL, octets, length);
}

/* ---- Sends ---- */

/* A Send With Invalidate takes the memory away from the peer that names it. */
static bool invalidate(struct end *target, uint32_t handle)
{
    struct loopback_region *region = find(target, handle);
    if (region == NULL) {
        break_off(target->pair, "remote invalidation of a handle that no memory has");
        return false;
    }
    region->access = 0;
    return true;
}

static bool send_message(struct link *link, const void *octets, size_t length,
                         const uint32_t *handle)
{
    struct end *end = end_of(link), *target = other_of(end);
    if (!end->pair->open)
        return false;
    if (target->receives == 0)
        starve(target, "receiver not ready: a Send found no Receive");
    else if (length > target->receive_size)
        break_off(end->pair, "a Send was longer than its Receive");
    if (!end->pair->open || (handle && !invalidate(target, *handle)))
        return false;
    struct passed_message *message = malloc(sizeof *message + length);
    if (message == NULL) {
        break_off(end->pair, "out of memory");
        return false;
    }
    *message = (struct passed_message){.length = length, .invalidated = handle != NULL};
    message->handle = handle ? *handle : 0;
    if (length > 0)
        memcpy(message->octets, octets, length);
    if (target->last)
        target->last->next = message;
    else
        target->first = message;
    target->last = message;
    target->receives--;
    return true;
}

/* ---- events ---- */

static void give(struct end *end, struct link_event *event)
{
    struct passed_message *message = end->first;
    end->first = message->next;
    if (end->first == NULL)
        end->last = NULL;
    end->given = message;
    *event = (struct link_event){.type = LINK_RECEIVED,
                                 .octets = message->octets,
                                 .length = message->length,
                                 .invalidated = message->invalidated,
                                 .handle = message->handle};
}

static void wait_event(struct link *link, unsigned timeout, struct link_event *event)
{
    struct end *end = end_of(link);
    struct pair *pair = end->pair;
    (void)timeout;
    if (end->given) {
        free(end->given);
        end->given = NULL;
        end->receives += !end->is_lost;
        end->is_lost = false;
    }
    while (end->side == ACTIVE && end->first == NULL && pair->open &&
           pair->peer.step(pair->instance))
        continue;
    *event = (struct link_event){.type = pair->open ? LINK_NOTHING : LINK_CLOSED};
    if (end->first) /* what arrived before the end is still there */
        give(end, event);
}

void loopback_lose_receive(struct link *link)
{
    end_of(link)->is_lost = true;
}

/* ---- ends ---- */

static void free_messages(struct end *end)
{
    free(end->given);
    while (end->first) {
        struct passed_message *message = end->first;
        end->first = message->next;
        free(message);
    }
    while (end->regions) {
        struct loopback_region *region = end->regions;
        end->regions = region->next;
        free(region);
    }
}

static void close_end(struct link *link)
{
    struct end *end = end_of(link);
    struct pair *pair = end->pair;
    break_off(pair, LINK_LEFT);
    if (end->side == PASSIVE)
        return; /* the side that connected frees both */
    pair->peer.end(pair->instance);
    free_messages(&pair->end[ACTIVE]);
    free_messages(&pair->end[PASSIVE]);
    free(pair);
}

static const struct link_ops ops = {.send = send_message,
                                    .wait = wait_event,
                                    .expose = expose,
                                    .hide = hide,
                                    .read = read_memory,
                                    .write = write_memory,
                                    .close = close_end};

static void begin_end(struct pair *pair, enum side side, const struct link_options *own,
                      const struct link_options *peers)
{
    struct end *end = &pair->end[side];
    *end = (struct end){.link.ops = &ops,
                        .pair = pair,
                        .side = side,
                        .receive_size = own->receive_size,
                        .receives = own->receives};
    end->link.private_length = peers->private_length;
    if (peers->private_length > 0)
        memcpy(end->link.private_data, peers->private_data, peers->private_length);
}

static struct link *connect_pair(struct transport *transport, const struct link_options *options)
{
    const struct loopback *loopback = (const struct loopback *)transport;
    struct pair *pair = calloc(1, sizeof *pair);
    if (pair == NULL) {
        snprintf(transport->error, sizeof transport->error, "not enough memory");
        return NULL;
    }
    pair->peer = loopback->peer;
    pair->open = true;
    pair->next_handle = 0x1000;
    begin_end(pair, ACTIVE, options, loopback->peer.options);
    begin_end(pair, PASSIVE, loopback->peer.options, options);
    pair->instance = pair->peer.begin(pair->peer.arg, &pair->end[PASSIVE].link);
    if (pair->instance == NULL) {
        snprintf(transport->error, sizeof transport->error, "the peer rejected the connection");
        free(pair);
        return NULL;
    }
    return &pair->end[ACTIVE].link;
}

static void close_transport(struct transport *transport)
{
    const struct loopback_peer *peer = &((const struct loopback *)transport)->peer;
    if (peer->forget)
        peer->forget(peer->arg);
    free(transport);
}

static const struct transport_ops transport_ops = {.connect = connect_pair,
                                                   .close = close_transport};

struct transport *transport_loopback(const struct loopback_peer *peer)
{
    struct loopback *loopback = calloc(1, sizeof *loopback);
    if (loopback == NULL)
        return NULL;
    loopback->transport.ops = &transport_ops;
    loopback->transport.invalidates = true;
    loopback->transport.in_turn = true;
    loopback->peer = *peer;
    return &loopback->transport;
}
