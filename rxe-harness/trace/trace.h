// SPDX-License-Identifier: BSD-3-Clause
/* Reading the rings of all processors: what the probes see, in the order of time. */
#ifndef HARNESS_TRACE_TRACE_H
#define HARNESS_TRACE_TRACE_H

#include "rxe-harness/trace/assemble.h"
#include "rxe-harness/trace/tracefs.h"

struct trace;

struct trace_losses {
    uint64_t overwritten; /* records that a ring had no room for; at least 1 where the kernel does
                             not say how many */
    uint64_t missed;      /* entries of functions at which a probe did not fire */
    uint64_t broken;      /* pages that cannot be read */
    uint64_t unpaired;    /* records that are half of what an entry has, without the other half */
};

/* The rings of `tracefs`, which has been started. NULL after writing why into `error`. */
struct trace *trace_open(struct tracefs *tracefs, struct assembler *assembler, char *error,
                         size_t size);
/* Read what there is. What is newer than some milliseconds waits for the next time, since another
 * processor may have seen something before it; `all`: it does not. */
void trace_read(struct trace *trace, bool all);
const struct trace_losses *trace_losses(const struct trace *trace);
void trace_close(struct trace *trace);

#endif
