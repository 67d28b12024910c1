// SPDX-License-Identifier: BSD-3-Clause
/*
 * Events that wait until it is sure that the capture missed nothing before them.
 *
 * Where a Call and its acknowledgement are missing, the Reply stands alone, and only the next
 * request of the Call's side tells by its number that there was another. So what a side did is
 * handed on once a later request of the other is the next in order. If one is missing, the checker
 * hears of that first; from then on it does not rely on what it has not seen, and nothing waits.
 */
#include "conformance/input/capture/connections.h"

#include <stdlib.h>
#include <string.h>

struct held {
    struct held *next;
    uint64_t frame;
    size_t size;
    struct rpcrdma_event event;
    uint8_t octets[];
};

static void hand_on(struct peers *peers, struct connection *connection,
                    const struct rpcrdma_event *event, uint64_t frame)
{
    struct source_event out = {
        .event = *event,
        .file = peers->file,
        .connection = connection->name,
        .connection_id = connection->id,
        .index = connection->events,
        .frame = frame,
        .config = &connection->config,
    };
    if (peers->stop)
        return;
    if (event->type != RPCRDMA_EVENT_GAP) {
        connection->events++;
        peers->counts->events++;
    }
    if (!peers->sink->event(peers->sink->arg, &out))
        peers->stop = true;
}

static void hand_on_oldest(struct peers *peers, struct connection *connection)
{
    struct held *held = connection->held;
    connection->held = held->next;
    hand_on(peers, connection, &held->event, held->frame);
    peers->memory -= held->size;
    free(held);
}

static void hand_on_all(struct peers *peers, struct connection *connection)
{
    while (connection->held)
        hand_on_oldest(peers, connection);
}

static void tell_gap(struct peers *peers, struct connection *connection, uint64_t frame)
{
    static const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    hand_on(peers, connection, &gap, connection->held ? connection->held->frame : frame);
    connection->holds = false;
    hand_on_all(peers, connection);
}

/* False if there is no memory. */
static bool hold(struct peers *peers, struct connection *connection,
                 const struct rpcrdma_event *event, uint64_t frame)
{
    size_t length = event->data ? event->length : 0, size = sizeof(struct held) + length;
    if (!memory_take(peers, size))
        return false;
    struct held *held = malloc(size);
    if (held == NULL) {
        peers->memory -= size;
        return false;
    }
    *held = (struct held){.frame = frame, .size = size, .event = *event};
    if (event->data)
        held->event.data = held->octets;
    if (length > 0)
        memcpy(held->octets, event->data, length);
    if (connection->held)
        connection->held_last->next = held;
    else
        connection->held = held;
    connection->held_last = held;
    return true;
}

void peers_emit(struct peers *peers, struct connection *connection,
                const struct rpcrdma_event *event, uint64_t frame)
{
    if (event->type == RPCRDMA_EVENT_GAP) {
        tell_gap(peers, connection, frame);
        return;
    }
    if (event->type == RPCRDMA_EVENT_DISCONNECT)
        held_end(peers, connection);
    else if (connection->holds && hold(peers, connection, event, frame))
        return;
    hand_on_all(peers, connection);
    hand_on(peers, connection, event, frame);
}

void held_release(struct peers *peers, struct connection *connection)
{
    while (connection->held &&
           connection->lane[1 - (int)connection->held->event.from].sure > connection->held->frame)
        hand_on_oldest(peers, connection);
}

bool held_yield(struct peers *peers, struct connection *connection)
{
    bool any = connection->held != NULL;
    hand_on_all(peers, connection);
    return any;
}

void held_end(struct peers *peers, struct connection *connection)
{
    bool lost =
        peers->counts->lost > 0 || connection->lane[0].stalled || connection->lane[1].stalled;
    if (connection->held && lost)
        tell_gap(peers, connection, connection->held->frame);
    hand_on_all(peers, connection);
}
