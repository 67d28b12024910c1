// SPDX-License-Identifier: BSD-3-Clause
/*
 * Where events come from: vectors, captures, single Sends. Each reader hands its events to a sink,
 * in order, and keeps no more of a file in memory than `struct source_options` allows.
 */
#ifndef CONFORMANCE_SOURCE_H
#define CONFORMANCE_SOURCE_H

#include "conformance/input/capture/capture.h"
#include "conformance/input/reader/reader.h"

/*
 * Read one file ("-" is standard input) into the sink. Returns true when all of it was read. On
 * damage everything before it has gone to the sink, `error` holds one line without newline, and
 * false is returned.
 */
bool source_read(const char *file, const struct source_options *options,
                 const struct source_sink *sink, struct source_counts *counts, char *error,
                 size_t error_size);

/* The readers of the other formats. They return what source_read() returns. */
bool source_read_text(struct source_reader *reader); /* hex and raw */
bool source_read_vectors(struct source_reader *reader);

#endif
