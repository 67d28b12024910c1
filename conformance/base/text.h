// SPDX-License-Identifier: BSD-3-Clause
/*
 * Text of foreign origin (names of files and peers, comments, what libraries and testees say) on
 * its way to a terminal. Octets that could steer it, turn the line round or are no UTF-8 become
 * "?": control characters (C0, newline and tab among them, DEL, C1), marks of writing direction
 * (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and line separators (U+2028,
 * U+2029).
 */
#ifndef CONFORMANCE_TEXT_H
#define CONFORMANCE_TEXT_H

#include <stddef.h>
#include <stdio.h>

void text_put(FILE *out, const char *text);
/* The first `length` octets. */
void text_put_some(FILE *out, const char *text, size_t length);

/* The same in place: it gets no longer. Returns `text`. */
char *text_mask(char *text);

#endif
