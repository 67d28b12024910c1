// SPDX-License-Identifier: BSD-3-Clause
/* Findings that are kept until the end, for the reports that are written then. */
#ifndef CONFORMANCE_KEPT_H
#define CONFORMANCE_KEPT_H

#include "conformance/report/figures/timeline.h"
#include "conformance/report/findings/findings.h"

/* More are left out of the reports; the table by rule counts all. */
enum { KEPT_MAX = 10000 };
/* Findings after these have no ladder. */
enum { KEPT_LADDERS = 100 };

struct kept {
    struct kept *next;
    enum rpcrdma_rule rule;
    enum rpcrdma_endpoint side;
    enum rpcrdma_severity severity;
    char *place;     /* "nfs.pcap:frame 45" */
    char *text;      /* what is wrong */
    char *details;   /* as `check` prints it, all lines */
    uint8_t *octets; /* of a Send: its beginning */
    size_t length;
    int64_t offset;        /* of the field at fault in them, or -1 */
    struct ladder *ladder; /* or NULL */
};

/* A connection with findings, and with several Calls in flight at once: these and its credits over
 * time. */
struct kept_connection {
    struct kept_connection *next;
    char *file, *name;
    struct timeline timeline;
};
/* More are left out. */
enum { KEPT_CONNECTIONS = 20 };

/* Begins as zeros. */
struct kept_list {
    struct kept *first, *last;
    struct kept_connection *connections, *last_connection;
    unsigned connection_count;
    size_t count, ladders;
};

void kept_add(struct kept_list *list, const struct judged *judged,
              const struct rpcrdma_finding *finding);
void kept_connection(struct kept_list *list, const char *file, const char *name,
                     const struct timeline *timeline);
void kept_free(struct kept_list *list);

#endif
