// SPDX-License-Identifier: BSD-3-Clause
/* Where an event is from, and what it is. */
#include "conformance/base/place.h"

#include <inttypes.h>
#include <string.h>

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
    };
    return names[type];
}

void place_print(FILE *out, const struct source_event *event)
{
    fputs(strcmp(event->file, "-") == 0 ? "standard input" : event->file, out);
    if (event->test)
        fprintf(out, ":%s:event %" PRIu64, event->test, event->index);
    else if (event->frame)
        fprintf(out, ":frame %" PRIu64, event->frame);
    else if (event->line)
        fprintf(out, ":line %" PRIu64, event->line);
}
