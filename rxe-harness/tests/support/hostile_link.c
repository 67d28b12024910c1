// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/hostile_link.h"

#include "rxe-harness/requester/requester.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 4      /* of a client that is sound */
#define GIVES_UP 200 /* milliseconds after which it leaves without a Reply */
#define ONE_OF 8     /* who leaves by chance does so at every eighth wait */
#define PIECES 64    /* of a message that is given up for another one */
#define REMAINING 4000000u
#define OCTETS 128

struct hostile_link {
    struct link link; /* first */
    struct hostile *how;
    struct link *inner; /* or NULL */
    uint32_t random, count, handle;
    bool waiting, gone; /* waiting: for a Reply */
    uint8_t octets[OCTETS];
};

struct hostile_transport {
    struct transport transport; /* first */
    struct hostile *how;
};

static struct hostile_link *own_of(struct link *link)
{
    return (struct hostile_link *)link;
}

static uint32_t dice(struct hostile_link *own)
{
    own->random = own->random * 1664525 + 1013904223;
    return own->random >> 8;
}

static void leave(struct hostile_link *own)
{
    own->gone = true;
    snprintf(own->link.why, sizeof own->link.why, "the peer has left");
}

/* ---- what it sends ---- */

static void give(struct hostile_link *own, const uint32_t *words, size_t count,
                 struct link_event *event)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(own->octets + 4 * i, words[i]);
    *event = (struct link_event){.type = LINK_RECEIVED, .octets = own->octets, .length = 4 * count};
}

static void give_garbage(struct hostile_link *own, struct link_event *event)
{
    uint32_t words[16];
    for (size_t i = 0; i < 16; i++)
        words[i] = dice(own);
    give(own, words, 16, event);
}

static void give_reply(struct hostile_link *own, struct link_event *event)
{
    uint32_t xid = 0xbad00000 + own->count++;
    const uint32_t words[] = {xid, 1, 8, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0};
    give(own, words, 13, event);
}

/* Of a Reply where the tool calls, else of a Call. */
static void give_piece(struct hostile_link *own, struct link_event *event)
{
    uint32_t number = own->count++;
    uint32_t xid = 0xbad00000 + number / PIECES;
    const uint32_t words[] = {xid, 2, 8, own->inner ? 12 : 9, REMAINING - 4 * (number % PIECES),
                              xid};
    give(own, words, 6, event);
}

/* A client that is sound. */
static void give_call(struct hostile_link *own, unsigned timeout, struct link_event *event)
{
    if (own->waiting && timeout > 0)
        poll(NULL, 0, (int)(timeout < GIVES_UP ? timeout : GIVES_UP));
    own->handle += own->waiting ? 1 : 0; /* looks in vain */
    if (own->count == CALLS || (own->waiting && (timeout >= GIVES_UP || own->handle > GIVES_UP)))
        leave(own);
    if (own->waiting || own->gone)
        return;
    uint32_t xid = 0x600d0000 + own->count++;
    uint8_t rpc[REQUESTER_RPC];
    const uint32_t words[RPCRDMA1_HEADER_MIN / 4 + REQUESTER_RPC / 4] = {xid, 1, 8};
    requester_rpc(rpc, xid, 100003, 4, 0);
    give(own, words, sizeof words / 4, event);
    memcpy(own->octets + RPCRDMA1_HEADER_MIN, rpc, sizeof rpc);
    own->waiting = true;
    own->handle = 0;
}

static void harm(struct hostile_link *own, unsigned timeout, struct link_event *event)
{
    switch (own->how->manner) {
    case HOSTILE_FLOODS:
        give_garbage(own, event);
        break;
    case HOSTILE_DRIPS:
        poll(NULL, 0, timeout > 1 ? (int)timeout - 1 : 0);
        give_reply(own, event);
        break;
    case HOSTILE_XIDS:
        give_reply(own, event);
        break;
    case HOSTILE_PIECES:
        give_piece(own, event);
        break;
    case HOSTILE_SILENT:
        poll(NULL, 0, (int)timeout);
        break;
    case HOSTILE_NOT:
    case HOSTILE_LEAVES:
    case HOSTILE_HURRY:
        break;
    }
}

/* ---- the link ---- */

static bool is_sound(const struct hostile_link *own)
{
    const struct hostile *how = own->how;
    return how->manner == HOSTILE_NOT || how->manner == HOSTILE_LEAVES ||
           (own->inner && how->sent <= how->sound);
}

static void wait_event(struct link *link, unsigned timeout, struct link_event *event)
{
    struct hostile_link *own = own_of(link);
    *event = (struct link_event){.type = LINK_NOTHING};
    if (own->how->manner == HOSTILE_HURRY ||
        (own->how->manner == HOSTILE_LEAVES && dice(own) % ONE_OF == 0))
        leave(own);
    if (own->gone)
        event->type = LINK_CLOSED;
    else if (!is_sound(own))
        harm(own, timeout, event);
    else if (own->inner)
        own->inner->ops->wait(own->inner, timeout, event);
    else
        give_call(own, timeout, event);
    if (own->inner && event->type == LINK_CLOSED && !own->gone) {
        own->gone = true;
        own->link.starved = own->inner->starved;
        memcpy(own->link.why, own->inner->why, sizeof own->link.why);
    }
    if (own->gone)
        event->type = LINK_CLOSED;
}

static bool send_octets(struct link *link, const void *octets, size_t length,
                        const uint32_t *invalidate)
{
    struct hostile_link *own = own_of(link);
    own->how->sent++;
    if (own->how->manner == HOSTILE_LEAVES && dice(own) % ONE_OF == 0)
        leave(own);
    if (own->gone)
        return false;
    own->waiting = false;
    return !own->inner || !is_sound(own) ||
           own->inner->ops->send(own->inner, octets, length, invalidate);
}

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    struct hostile_link *own = own_of(link);
    if (own->inner)
        return own->inner->ops->expose(own->inner, memory, access);
    memory->handle = ++own->handle;
    memory->offset = 0;
    return true;
}

static void hide(struct link *link, struct link_memory *memory)
{
    struct hostile_link *own = own_of(link);
    if (own->inner)
        own->inner->ops->hide(own->inner, memory);
}

/* A client has no memory; a Responder's is not for us. */
static bool read_nothing(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                         size_t length)
{
    (void)handle, (void)offset, (void)octets, (void)length;
    leave(own_of(link));
    return false;
}

static bool write_nothing(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                          size_t length)
{
    (void)handle, (void)offset, (void)octets, (void)length;
    leave(own_of(link));
    return false;
}

static void close_link(struct link *link)
{
    struct hostile_link *own = own_of(link);
    own->how->open--;
    if (own->inner)
        own->inner->ops->close(own->inner);
    free(own);
}

static const struct link_ops ops = {.send = send_octets,
                                    .wait = wait_event,
                                    .expose = expose,
                                    .hide = hide,
                                    .read = read_nothing,
                                    .write = write_nothing,
                                    .close = close_link};

/* ---- the transport ---- */

static struct link *open_link(struct hostile *how, struct link *inner)
{
    struct hostile_link *own = calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    own->link.ops = &ops;
    own->how = how;
    own->inner = inner;
    own->random = how->seed + 7919 * how->opened;
    how->opened++;
    how->open++;
    how->most_open = how->open > how->most_open ? how->open : how->most_open;
    if (inner) {
        memcpy(own->link.private_data, inner->private_data, sizeof inner->private_data);
        own->link.private_length = inner->private_length;
    }
    return &own->link;
}

static struct link *connect_link(struct transport *transport, const struct link_options *options)
{
    struct hostile *how = ((struct hostile_transport *)transport)->how;
    struct link *inner = how->inner->ops->connect(how->inner, options);
    if (inner == NULL)
        memcpy(transport->error, how->inner->error, sizeof transport->error);
    return inner ? open_link(how, inner) : NULL;
}

static struct link *accept_link(struct transport *transport, const struct link_options *options,
                                unsigned timeout)
{
    struct hostile *how = ((struct hostile_transport *)transport)->how;
    struct link_options answer = *options;
    transport->error[0] = '\0';
    if (how->connections > 0 && how->opened == how->connections) {
        poll(NULL, 0, (int)timeout);
        return NULL;
    }
    struct link *link = open_link(how, NULL);
    if (transport->meet == NULL || transport->meet(transport->meet_arg, link, &answer))
        return link;
    link->ops->close(link);
    return NULL;
}

static void close_transport(struct transport *transport)
{
    struct hostile *how = ((struct hostile_transport *)transport)->how;
    if (how->inner)
        how->inner->ops->close(how->inner);
    free(transport);
}

static const struct transport_ops transport_ops = {
    .connect = connect_link, .accept = accept_link, .close = close_transport};

struct transport *hostile_open(struct hostile *how)
{
    struct hostile_transport *own = calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    own->transport.ops = &transport_ops;
    own->transport.invalidates = true;
    own->how = how;
    return &own->transport;
}
