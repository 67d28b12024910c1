// SPDX-License-Identifier: BSD-3-Clause
/*
 * The probes that `trace` sets in the kernel: of each, the function whose entry it watches and the
 * fields it reads there, by name; and the lines that tell tracefs so.
 */
#ifndef HARNESS_TRACE_PROBES_H
#define HARNESS_TRACE_PROBES_H

#include "rxe-harness/trace/layout.h"

#include <stdint.h>

/* Octets of memory that one argument of a kprobe event can take. One event takes 3072 octets at
 * most, so that what is longer takes a second one, of the same function: MORE of it. */
#define PROBE_PIECE 512u
#define PROBE_SEND_MAX (8 * PROBE_PIECE) /* octets of a Send that are read */

/* In place of a number of pieces: no more than the first 8 octets. */
#define PROBE_WORD UINT32_MAX
/* Fields whose names begin so, and go on with a number, say which entry it was: an event and MORE
 * of it have the same ones, and in two entries of a thread that follow each other they are equal at
 * most where the same is done once more. They are not worth an event of their own. */
#define PROBE_ENTRY "entry"

#define PROBE_LINE 4096 /* octets of a line that tracefs takes */

enum trace_side { TRACE_CLIENT = 1, TRACE_SERVER = 2, TRACE_BOTH = 3 };

struct trace_field {
    const char *name, *expression;
    unsigned pieces; /* of what it points to, instead of the value; 0: the value */
    unsigned first;  /* which of them */
};

struct trace_probe {
    const char *name;
    unsigned sides;                   /* a set of enum trace_side: whose probe it is */
    const char *module;               /* whose function and types it is */
    const char *functions[3];         /* the first that the kernel has is watched; up to NULL */
    const struct trace_field *fields; /* up to one without a name */
    bool of_operations;               /* only RDMA Reads and Writes need it */
    bool of_registrations;            /* only what the client does with its memory needs it */
    bool without_registrations;       /* in place of such a one */
    bool at_return;                   /* not the entry of the function is watched, but its return */
    bool is_content;                  /* the pieces are of a Send: no more than asked for */
};

/* Up to one without a name. */
extern const struct trace_probe trace_probes[];

/* The line that makes an event of `probe` in the group `group`, with pieces up to `snap` octets of
 * a Send; an empty line where nothing is left to read. False after writing into `error` what the
 * kernel does not have. */
bool probe_line(const struct trace_probe *probe, const struct btf *types, const char *group,
                unsigned snap, char line[PROBE_LINE], char *error, size_t size);

/* What is asked for. */
struct trace_wish {
    unsigned sides;     /* a set of enum trace_side */
    unsigned snap;      /* octets of a Send */
    bool sends_only;    /* no RDMA Reads and Writes */
    bool registrations; /* what the client does with its memory */
};

/* The lines of all probes that are wished for, out of the types of the kernel that runs; `set` is
 * called with each, and returns false to stop. False after writing into `error` why, unless `set`
 * did. Of a kernel in which registrations cannot be found nothing is wished of them any more, and
 * `error` says what is not there; else it is empty. */
bool probe_lines(struct trace_wish *wish, const char *group,
                 bool (*set)(void *arg, const char *name, const char *line), void *arg, char *error,
                 size_t size);

#endif
