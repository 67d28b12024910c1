// SPDX-License-Identifier: BSD-3-Clause
/* Where an event is from, in words: "nfs.pcap:frame 120". */
#ifndef CONFORMANCE_PLACE_H
#define CONFORMANCE_PLACE_H

#include "conformance/input/source.h"

#include <stdio.h>

/* A place that outlives its event; of the name of a long test only the beginning is kept. */
struct place {
    const char *file; /* lives as long as the command line */
    char test[80];    /* or "" */
    struct moment {   /* in the file, or the test */
        uint64_t frame, line, index;
        int64_t time; /* 0: not known */
    } at;
};

struct moment moment_of(const struct source_event *event);

struct place place_of(const struct source_event *event);

void place_print(FILE *out, const struct source_event *event);
/* The same without the file: "frame 120", "line 4", "event 1 of private"; "Send 1" of a raw file.
 */
void place_text(const struct place *place, char *text, size_t size);

/* "2026-11-21T15:28:20.000123456Z"; "" where the time is not known. */
#define TIME_TEXT 40
void time_text(int64_t time, char text[TIME_TEXT]);

const char *endpoint_name(enum rpcrdma_endpoint endpoint);

/* "rdma-read" */
const char *event_type_name(enum rpcrdma_event_type type);

/* What the other side may do with registered memory: "read", "write", "both", "none". */
const char *access_name(unsigned access);

#endif
