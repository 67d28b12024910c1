// SPDX-License-Identifier: BSD-3-Clause
/*
 * From what probes have seen to the events of connections: Sends with their octets, as far as they
 * are known, RDMA Reads and Writes with handle, offset and length, connections and their ends.
 */
#ifndef HARNESS_TRACE_ASSEMBLE_H
#define HARNESS_TRACE_ASSEMBLE_H

#include "rxe-harness/proxy/capture.h"
#include "rxe-harness/trace/probes.h"
#include "rxe-harness/trace/sighting.h"

struct assembler;

struct assembler_counts {
    unsigned connections;
    uint64_t sends, operations, registrations;
    uint64_t cut;      /* Sends whose last octets are not known */
    uint64_t unplaced; /* Sends, RDMA operations and lists of memory that are not known to their
                          end: a gap each */
};

/* What of all that is seen goes to the capture. */
struct assembler_filter {
    uint16_t port; /* servers at this port only; 0: at any */
    bool has_peer; /* connections with this address at one of their ends only */
    struct address peer;
};

/* What is seen goes to the capture, as far as the filter lets it; what was wished for is all that
 * can be seen. NULL without memory. */
struct assembler *assembler_create(struct capture_file *capture,
                                   const struct assembler_filter *filter,
                                   const struct trace_wish *wish);
void assembler_free(struct assembler *assembler);
/* What the probe `name` has seen, in the order of time. */
void assembler_take(struct assembler *assembler, const char *name, const struct sighting *sighting);
/* Something was not seen, on any of the connections. */
void assembler_gap(struct assembler *assembler);
const struct assembler_counts *assembler_counts(const struct assembler *assembler);

#endif
