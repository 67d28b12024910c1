// SPDX-License-Identifier: BSD-3-Clause
/*
 * Files that a command writes. Each is whole or not there: it is written beside the old one, which
 * it replaces at the end. Where that end does not come, or the disk is full, the old one stays as
 * it was. What is no regular file (a FIFO, /dev/stdout) is written in place.
 */
#ifndef CONFORMANCE_OUTPUT_H
#define CONFORMANCE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
    FILE *stream;     /* NULL: nothing is being written */
    const char *file; /* as the user named it; not copied */
    char *target;     /* that file without symbolic links; NULL where it is written in place */
    char *beside;     /* where it is written until it is whole */
};

/* Begin to write `file`. Complains and returns false if that cannot be. */
bool output_begin(struct output *output, const char *file);

/* Put the file in its place. Complains and returns false where not all could be written: then the
 * old file is still there. */
bool output_end(struct output *output);

/* Do not: the old file stays. For an output that was not begun, too. */
void output_drop(struct output *output);

/* Say on stderr that the file stays as it is, and why. */
void output_not_written(const char *file, const char *why);

/* Remove what was written beside and is not in its place. Safe in a signal handler. */
void output_abandon(void);

/* The file that is meant, without symbolic links at its end, whether it exists or not. For free();
 * NULL with errno where links go round in a circle, or without memory. */
char *output_target(const char *file);

/* ---- which files may be written (overwrite.c) ---- */

/* A file or folder on the command line. */
struct named_file {
    const char *option;  /* "html"; NULL: an operand */
    const char *name;    /* "-": standard input, of an operand */
    const char *updates; /* the option that may read the file that this one writes, or NULL */
    bool is_written;
};

/*
 * Returns STATUS_GOOD, or STATUS_USAGE after a complaint that names both, where an output is also
 * read, would be made in a folder that is read, or is another output; under whatever names.
 */
int overwrite_check(const char *command, const struct named_file *files, size_t count);

#endif
