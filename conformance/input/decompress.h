// SPDX-License-Identifier: BSD-3-Clause
/* Compressed files. */
#ifndef CONFORMANCE_DECOMPRESS_H
#define CONFORMANCE_DECOMPRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Octets by which decompress_find() knows a compression. */
#define DECOMPRESS_MAGIC 6
#define DECOMPRESS_ERROR 128

struct compression; /* gzip, xz or zstd */

/* The compression of a file that begins with these octets, or NULL. */
const struct compression *decompress_find(const uint8_t *octets, size_t length);

/*
 * A stream of what is compressed in `stream`, which stays the caller's. Where reading from it
 * fails, `error` (of DECOMPRESS_ERROR octets, which must outlive it) says why. NULL if that is not
 * possible: then `error` says why.
 */
FILE *decompress_open(const struct compression *compression, FILE *stream, char *error);

#endif
