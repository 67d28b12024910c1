// SPDX-License-Identifier: BSD-3-Clause
/* Where an event is from, and what it is. */
#include "conformance/decode/place.h"

#include "conformance/base/text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

const char *endpoint_name(enum rpcrdma_endpoint endpoint)
{
    return endpoint == RPCRDMA_CLIENT ? "client" : "server";
}

const char *event_type_name(enum rpcrdma_event_type type)
{
    static const char *const names[] = {
        [RPCRDMA_EVENT_SEND] = "send",
        [RPCRDMA_EVENT_RDMA_READ] = "rdma-read",
        [RPCRDMA_EVENT_RDMA_WRITE] = "rdma-write",
        [RPCRDMA_EVENT_PRIVATE_DATA] = "private-data",
        [RPCRDMA_EVENT_DISCONNECT] = "disconnect",
        [RPCRDMA_EVENT_GAP] = "gap",
        [RPCRDMA_EVENT_ATOMIC] = "atomic",
        [RPCRDMA_EVENT_NOT_READY] = "not-ready",
        [RPCRDMA_EVENT_REFUSED] = "refused",
        [RPCRDMA_EVENT_REGISTERED] = "registered",
        [RPCRDMA_EVENT_INVALIDATED] = "invalidated",
        [RPCRDMA_EVENT_COMPLETED] = "completed",
    };
    return names[type];
}

const char *access_name(unsigned access)
{
    static const char *const names[] = {"none", "read", "write", "both"};
    return names[access & (RPCRDMA_ACCESS_READ | RPCRDMA_ACCESS_WRITE)];
}

void place_print(FILE *out, const struct source_event *event)
{
    text_put(out, strcmp(event->file, "-") == 0 ? "standard input" : event->file);
    if (event->test) {
        putc(':', out);
        text_put(out, event->test);
        fprintf(out, ":event %" PRIu64, event->index);
    }
    if (event->test == NULL && event->frame)
        fprintf(out, ":frame %" PRIu64, event->frame);
    else if (event->test == NULL && event->line)
        fprintf(out, ":line %" PRIu64, event->line);
}

struct moment moment_of(const struct source_event *event)
{
    return (struct moment){
        .frame = event->frame, .line = event->line, .index = event->index, .time = event->time};
}

struct place place_of(const struct source_event *event)
{
    struct place place = {.file = event->file, .at = moment_of(event)};
    if (event->test)
        snprintf(place.test, sizeof place.test, "%s", event->test);
    return place;
}

void place_text(const struct place *place, char *text, size_t size)
{
    if (place->test[0] != '\0')
        snprintf(text, size, "event %" PRIu64 " of %s", place->at.index, place->test);
    else if (place->at.frame)
        snprintf(text, size, "frame %" PRIu64, place->at.frame);
    else if (place->at.line)
        snprintf(text, size, "line %" PRIu64, place->at.line);
    else
        snprintf(text, size, "Send %" PRIu64, place->at.index + 1);
}

void time_text(int64_t time, char text[TIME_TEXT])
{
    struct tm parts;
    time_t seconds = (time_t)(time / 1000000000);
    text[0] = '\0';
    if (time <= 0 || gmtime_r(&seconds, &parts) == NULL)
        return;
    size_t length = strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + length, TIME_TEXT - length, ".%09dZ", (int)(time % 1000000000));
}
