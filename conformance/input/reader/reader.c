// SPDX-License-Identifier: BSD-3-Clause
/* Errors and losses of a reader. */
#include "conformance/input/reader/reader.h"

#include <rpcrdma/rpcrdma.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool source_is_version2(const struct rpcrdma_event *event)
{
    struct rpcrdma_prefix prefix;
    return event->type == RPCRDMA_EVENT_SEND && event->data &&
           rpcrdma_prefix_load(&prefix, event->data, event->length) && prefix.version == 2;
}

bool source_fail(struct source_reader *reader, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(reader->error, reader->error_size, format, args);
    va_end(args);
    return false;
}

void source_missed(struct source_reader *reader, const struct source_miss *miss)
{
    reader->counts->missed[miss->kind] += miss->count;
    if (reader->sink->missed)
        reader->sink->missed(reader->sink->arg, miss);
}

void source_unread(struct source_reader *reader, uint64_t frame, const char *reason)
{
    struct source_miss miss = {.kind = SOURCE_UNREAD, .count = 1, .frame = frame, .reason = reason};
    source_missed(reader, &miss);
}

/* The colon before the queue pair or port that ends at `end`; NULL if there is none. */
static const char *number_of_end(const char *begin, const char *end)
{
    const char *colon = end;
    while (colon > begin && colon[-1] != ':')
        colon--;
    return colon > begin && colon < end && *colon >= '0' && *colon <= '9' ? colon - 1 : NULL;
}

void source_peer(char *peer, size_t size, const char *connection, bool is_server)
{
    const char *between = connection ? strchr(connection, '-') : NULL;
    const char *address = is_server && between ? between + 1 : connection;
    const char *after = is_server && between ? between + strlen(between) : between;
    const char *end = between ? number_of_end(address, after) : NULL;
    if (end == NULL)
        snprintf(peer, size, "*");
    else
        snprintf(peer, size, "%.*s", (int)(end - address), address);
}
