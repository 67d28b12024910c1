// SPDX-License-Identifier: BSD-3-Clause
/* For targets that are readers of files: octets as a stream, and a sink that looks at every octet
 * of every event. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "fuzz/fuzz.h"
#include "conformance/input/source.h"

struct input_seen {
    uint64_t events, connections, next; /* next: the index expected of an event */
    uint64_t connection;
    bool any;
    volatile uint64_t sum;
};

static inline bool input_event(void *arg, const struct source_event *found)
{
    struct input_seen *seen = arg;
    const struct rpcrdma_event *event = &found->event;
    const uint8_t *octets = event->data;
    uint64_t sum = seen->sum;
    FUZZ_ASSERT(found->file != NULL && found->connection != NULL && found->config != NULL);
    FUZZ_ASSERT(event->type < RPCRDMA_EVENT_TYPES);
    FUZZ_ASSERT(event->from == RPCRDMA_CLIENT || event->from == RPCRDMA_SERVER);
    FUZZ_ASSERT(event->missing <= SIZE_MAX - event->length);
    for (size_t i = 0; octets && i < event->length; i++)
        sum += octets[i];
    for (const char *c = found->connection; *c; c++)
        sum += (uint8_t)*c;
    /* The checker takes what the reader says of the connection. */
    FUZZ_ASSERT(rpcrdma_check_size(found->config) > 0);
    if (found->index == 0 && event->type != RPCRDMA_EVENT_GAP)
        seen->connections++;
    seen->sum = sum;
    seen->events += event->type != RPCRDMA_EVENT_GAP; /* a gap is no event of the capture */
    return true;
}

static inline void input_closed(void *arg, uint64_t connection)
{
    struct input_seen *seen = arg;
    seen->connection = connection;
}

typedef bool input_reader(struct source_reader *reader);

/* Read the octets and close the stream; what was counted is what came, and a refusal is one line.
 */
static inline bool input_read(input_reader *read, FILE *stream,
                              const struct source_options *options, struct input_seen *seen)
{
    struct source_sink sink = {.event = input_event, .closed = input_closed, .arg = seen};
    struct source_counts counts = {0};
    char error[512] = "";
    struct source_reader reader = {stream, "input", options, &sink, &counts, error, sizeof error};
    bool good = read(&reader);
    if (reader.stream)
        fclose(reader.stream);
    FUZZ_ASSERT(counts.events == seen->events);
    FUZZ_ASSERT(counts.connections >= seen->connections);
    FUZZ_ASSERT(good || (error[0] != '\0' && strchr(error, '\n') == NULL));
    return good;
}

static inline FILE *input_stream(const uint8_t *data, size_t size)
{
    /* A stream for reading does not write. */
    FILE *stream = fmemopen((void *)(uintptr_t)data, size, "rb");
    FUZZ_ASSERT(stream != NULL);
    return stream;
}

#endif
