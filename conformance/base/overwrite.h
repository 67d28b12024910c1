// SPDX-License-Identifier: BSD-3-Clause
/* No command writes over what it reads, or two reports into one file. */
#ifndef CONFORMANCE_OVERWRITE_H
#define CONFORMANCE_OVERWRITE_H

#include <stdbool.h>
#include <stddef.h>

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
