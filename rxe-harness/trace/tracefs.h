// SPDX-License-Identifier: BSD-3-Clause
/*
 * The kernel's tracing file system: an instance of our own with probes in a group of our own, both
 * named after the process. It holds a lock for as long as it lives, so that the next run finds what
 * a killed one has left, and removes it.
 */
#ifndef HARNESS_TRACE_TRACEFS_H
#define HARNESS_TRACE_TRACEFS_H

#include "rxe-harness/trace/ring.h"

#define TRACEFS_EVENTS 32
#define TRACEFS_PATH 256

struct tracefs_event {
    char name[32];
    struct ring_format format;
};

struct tracefs {
    const char *root;
    char group[48];              /* of the probes */
    char instance[TRACEFS_PATH]; /* its folder; empty: it was not made */
    int lock;                    /* of that folder */
    struct tracefs_event events[TRACEFS_EVENTS];
    unsigned count;
    char *error; /* where it is said why something failed */
    size_t error_size;
};

/* Remove what killed runs have left, and make an instance. False after writing why into `error`. */
bool tracefs_begin(struct tracefs *tracefs, char *error, size_t size);
/* Set a probe; `arg` is the tracefs (as probe_lines() calls it). */
bool tracefs_set(void *arg, const char *name, const char *line);
/* From now on the probes write; ring_kib: the size of the ring that each processor has. */
bool tracefs_start(struct tracefs *tracefs, unsigned ring_kib);
void tracefs_stop(struct tracefs *tracefs);
/* Entries of functions at which a probe of ours did not fire. */
uint64_t tracefs_missed(const struct tracefs *tracefs);
/* Take everything away. Also where tracefs_begin() failed. */
void tracefs_end(struct tracefs *tracefs);

/* Processors that have a ring: opens it for reading without waiting; -1: there is none of this
 * number. */
int tracefs_open_ring(const struct tracefs *tracefs, unsigned processor);

#endif
