// SPDX-License-Identifier: BSD-3-Clause
/*
 * Octets that are kept until the end of a run, without the memory for them: chains of pieces, many
 * at a time, in a temporary file. What fits the buffer needs no file.
 */
#ifndef CONFORMANCE_SPILL_H
#define CONFORMANCE_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* All zero: nothing is kept. */
struct spill {
    bool has_file;
    int fd;         /* of a file that has no name any more */
    uint64_t start; /* offset of the buffer: what is before it is in the file */
    char *buffer;
    size_t length; /* octets in the buffer */
};

/*
 * Append a piece to the chain whose last piece is *last, or begin a chain where that is 0; *last
 * becomes this one, and of a new chain also names its first. Returns false, with errno set, where
 * the file cannot be written; the chain is then lost.
 */
bool spill_add(struct spill *spill, uint64_t *last, const void *octets, size_t length);

/* Copy the chain that begins with `first` to a stream. Returns false, with errno set, where it
 * cannot be read; errors of the stream are the stream's. */
bool spill_copy(const struct spill *spill, uint64_t first, FILE *out);

void spill_free(struct spill *spill);

#endif
