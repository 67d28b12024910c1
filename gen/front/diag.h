// SPDX-License-Identifier: BSD-3-Clause
/*
 * How the compiler refuses: errors at a place of the source, and the end of memory.
 */
#ifndef XDRGEN_DIAG_H
#define XDRGEN_DIAG_H

#include <stddef.h>

#include "gen/front/ast.h"

#define DIAG_FORMAT(string, first) __attribute__((format(printf, string, first)))

/* "FILE:LINE:COLUMN: error: …", the source line and a caret, on standard error. */
void diag_error(const struct spec *spec, struct loc loc, const char *format, ...) DIAG_FORMAT(3, 4);

/* The same with "note:", after an error: what else the reader should look at. */
void diag_note(const struct spec *spec, struct loc loc, const char *format, ...) DIAG_FORMAT(3, 4);

/* "note: …" without a place: what to write instead. */
void diag_hint(const struct spec *spec, const char *format, ...) DIAG_FORMAT(2, 3);

/* "FILE: error: …": the file as a whole. */
void diag_file_error(const char *file, const char *format, ...) DIAG_FORMAT(2, 3);

/* Zeroed memory that lives until the process ends. Where there is none the process ends: then
 * nothing has been judged, so the exit status is that of an error. */
void *diag_alloc(size_t count, size_t size);

/* A copy of length octets, with a NUL after them. */
char *diag_copy(const char *text, size_t length);

#endif
