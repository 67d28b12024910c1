// SPDX-License-Identifier: BSD-3-Clause
/* The files that a trace is written to: one, or several in turn; the latest of them are kept.
 */
#ifndef HARNESS_TRACE_FILES_H
#define HARNESS_TRACE_FILES_H

#include "conformance/base/output.h"
#include "rxe-harness/proxy/capture.h"

struct trace_files {
    const char *name; /* as the user gave it; NULL: standard output */
    uint64_t size;    /* octets after which the next file begins; 0: there is one, of that name */
    uint32_t keep;    /* files of this run that stay; 0: all */
    /* Begins as zeros: */
    struct output output;
    char *current; /* the name of the one at work */
    unsigned number;
};

/* "trace-3.pcapng" for "trace.pcapng": the file of this number, for free(). */
char *trace_file_name(const char *name, unsigned number);

/* Where to write. NULL after a complaint. */
FILE *trace_files_begin(struct trace_files *files);
/* Where the file at work is large enough: end it, begin the next, and remove the one that is too
 * many. False after a complaint: what comes now goes on into the one at work. */
bool trace_files_turn(struct trace_files *files, struct capture_file *capture);
/* End the last one, or drop it if nothing of it is wanted. False after a complaint. */
bool trace_files_end(struct trace_files *files, bool wanted);

#endif
