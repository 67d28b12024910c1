// SPDX-License-Identifier: BSD-3-Clause
/* What our own reader, and tshark, make of a capture that a test has written. */
#ifndef HARNESS_CAPTURE_STAGE_H
#define HARNESS_CAPTURE_STAGE_H

#include <rpcrdma/check.h>

#include <stdbool.h>

struct captured {
    void *memory;
    struct rpcrdma_check *check;
    unsigned sends[2], disconnects[2], findings;
    uint32_t invalidated; /* the handle, by the last Send that did */
    size_t moved[2], missing;
    uint64_t lost, unread;
    unsigned connections;
    bool operations_seen; /* of the last connection */
    unsigned by_type[RPCRDMA_EVENT_TYPES];
    enum rpcrdma_rule rule; /* of the last finding */
};

/* Every event is judged; connections to port 20049 are of interest. */
void read_capture(const char *file, struct captured *captured);
/* Whether there is a tshark to ask; or else it is said, and counted as skipped. */
bool has_tshark(void);
/* Lines that tshark prints of the capture where the filter matches. */
unsigned seen_by_tshark(const char *file, const char *filter);

#endif
