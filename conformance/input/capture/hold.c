// SPDX-License-Identifier: BSD-3-Clause
/*
 * Events that wait until it is certain that the capture missed nothing before them.
 *
 * If a Call and its acknowledgement are missing, the Reply arrives without a Call, and only the
 * next request of the Call's sender shows, by its sequence number, that there was another. So what
 * one side did is passed on once a later request of the other side is the next in order. If one is
 * missing, the checker gets a gap event first; from then on it draws no conclusion from what it has
 * not seen, and nothing waits.
 */
#include "conformance/input/capture/hold.h"

#include <stdlib.h>
#include <string.h>

struct held_event {
    struct held_event *next;
    uint64_t frame;
    int64_t time;
    size_t size;
    struct rpcrdma_event event;
    uint8_t octets[];
};

static void pass_on(struct capture_context *context, struct connection *connection,
                    const struct rpcrdma_event *event, uint64_t frame, int64_t time)
{
    struct source_reader *reader = context->reader;
    struct source_event out = {
        .event = *event,
        .file = reader->file,
        .connection = connection->name,
        .connection_id = connection->id,
        .index = connection->events,
        .frame = frame,
        .time = time,
        .config = &connection->config,
    };
    if (context->stop)
        return;
    if (event->type != RPCRDMA_EVENT_GAP) {
        connection->events++;
        reader->counts->events++;
    }
    if (event->missing > 0)
        source_missed(reader, &(struct source_miss){SOURCE_CUT, frame, connection->name,
                                                    "the capture has only their beginnings"});
    if (!reader->sink->event(reader->sink->arg, &out))
        context->stop = true;
}

static void pass_on_oldest(struct capture_context *context, struct connection *connection)
{
    struct held_event *held = connection->held;
    connection->held = held->next;
    pass_on(context, connection, &held->event, held->frame, held->time);
    memory_return(&context->memory, held->size);
    free(held);
}

static void pass_on_all(struct capture_context *context, struct connection *connection)
{
    while (connection->held)
        pass_on_oldest(context, connection);
}

void hold_gap(struct capture_context *context, struct connection *connection, uint64_t frame)
{
    static const struct rpcrdma_event gap = {.type = RPCRDMA_EVENT_GAP};
    pass_on(context, connection, &gap, connection->held ? connection->held->frame : frame,
            context->time);
    connection->holds = false;
    pass_on_all(context, connection);
}

static struct held_event *copy_event(struct capture_context *context,
                                     const struct rpcrdma_event *event, uint64_t frame)
{
    struct memory *memory = &context->memory;
    size_t length = event->data ? event->length : 0, size = sizeof(struct held_event) + length;
    if (!memory_take(memory, size))
        return NULL;
    struct held_event *held = malloc(size);
    if (held == NULL) {
        memory_return(memory, size);
        return NULL;
    }
    *held =
        (struct held_event){.frame = frame, .time = context->time, .size = size, .event = *event};
    if (event->data)
        held->event.data = held->octets;
    if (length > 0)
        memcpy(held->octets, event->data, length);
    return held;
}

/* False if there is no memory. */
static bool hold(struct capture_context *context, struct connection *connection,
                 const struct rpcrdma_event *event, uint64_t frame)
{
    struct held_event *held = copy_event(context, event, frame);
    if (held == NULL)
        return false;
    if (connection->held) /* looked at after the copy: its memory may have evicted them */
        connection->held_last->next = held;
    else
        connection->held = held;
    connection->held_last = held;
    return true;
}

void hold_event(struct capture_context *context, struct connection *connection,
                const struct rpcrdma_event *event, uint64_t frame)
{
    if (event->type == RPCRDMA_EVENT_DISCONNECT)
        hold_end(context, connection);
    else if (connection->holds && hold(context, connection, event, frame))
        return;
    pass_on_all(context, connection);
    pass_on(context, connection, event, frame, context->time);
}

void hold_release(struct capture_context *context, struct connection *connection)
{
    while (connection->held && connection->flow[1 - (int)connection->held->event.from].whole_until >
                                   connection->held->frame)
        pass_on_oldest(context, connection);
}

bool hold_evict(struct capture_context *context, struct connection *connection)
{
    bool any = connection->held != NULL;
    pass_on_all(context, connection);
    return any;
}

void hold_end(struct capture_context *context, struct connection *connection)
{
    bool missing = context->reader->counts->lost > 0 || connection->flow[0].stalled ||
                   connection->flow[1].stalled;
    if (connection->held && missing)
        hold_gap(context, connection, connection->held->frame);
    pass_on_all(context, connection);
}
