// SPDX-License-Identifier: BSD-3-Clause
/* What depends on there being a terminal: colour, width, and a line of progress. */
#ifndef CONFORMANCE_TERMINAL_H
#define CONFORMANCE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* How to set text off; every member is "" where there is no colour. */
struct style {
    const char *bold, *dim, *red, *yellow, *cyan, *plain;
};

/* Colour on a terminal, unless NO_COLOR is set (https://no-color.org) or TERM is "dumb". */
const struct style *terminal_style(enum color_when when, FILE *stream);

/* Columns of the terminal, or 80; within reason. */
unsigned terminal_width(FILE *stream);

/* Print `text`, as text_put() does, in lines of at most `width` columns. The first continues a line
 * at column `at`; the others are indented by `indent`. Ends with a newline. */
void terminal_wrap(FILE *out, const char *text, unsigned at, unsigned indent, unsigned width);

/* A line on stderr that says how far a file is read; nothing unless stderr is a terminal. */
struct progress {
    const char *file;
    bool enabled, shown;
    int64_t next; /* milliseconds of the monotonic clock before which it is left alone */
    bool lines;
};

void progress_start(struct progress *progress, const char *file);
/* The same, and where there is no terminal lines now and then: "what: 20 of 300". */
void progress_start_lines(struct progress *progress, const char *what);
void progress_show(void *progress, uint64_t done, uint64_t total);
void progress_clear(struct progress *progress);

#endif
