// SPDX-License-Identifier: BSD-3-Clause
/* Where an event stands. */
#include "conformance/base/place.h"

#include <inttypes.h>
#include <string.h>

const char *endpoint_name(enum rpcrdma_endpoint endpoint)
{
    return endpoint == RPCRDMA_CLIENT ? "client" : "server";
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
