// SPDX-License-Identifier: BSD-3-Clause
/*
 * How the compiler refuses: errors at a place of the source, and the end of memory.
 */
#include "gen/front/diag.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Octets shown of a long line, and how many of them stand before the caret at most. */
#define EXCERPT_LENGTH 100
#define EXCERPT_BEFORE 60

/* Every block hangs on this chain, so that a leak checker finds all of them reachable. */
struct block {
    struct block *next;
    max_align_t data[];
};

static struct block *blocks;

/* The source is shown, not obeyed: nothing in it may steer the terminal. */
static int printable(char octet)
{
    return octet >= ' ' && octet <= '~' ? octet : octet == '\t' ? '\t' : '?';
}

static void print_excerpt(const struct spec *spec, struct loc loc)
{
    if (loc.line == 0 || loc.line > spec->line_count)
        return;
    const char *line = spec->lines[loc.line - 1];
    size_t length = strlen(line);
    size_t caret = loc.column - 1 <= length ? loc.column - 1 : length;
    size_t first = length > EXCERPT_LENGTH && caret > EXCERPT_BEFORE ? caret - EXCERPT_BEFORE : 0;
    size_t end = length - first > EXCERPT_LENGTH ? first + EXCERPT_LENGTH : length;

    fputs("    ", stderr);
    for (size_t i = first; i < end; i++)
        fputc(printable(line[i]), stderr);
    fputs("\n    ", stderr);
    for (size_t i = first; i < caret; i++)
        fputc(line[i] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
}

static void print_at(const struct spec *spec, struct loc loc, const char *severity,
                     const char *format, va_list arguments)
{
    fprintf(stderr, "%s:%u:%u: %s: ", loc.file, loc.line, loc.column, severity);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    print_excerpt(spec, loc);
}

void diag_error(const struct spec *spec, struct loc loc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_at(spec, loc, "error", format, arguments);
    va_end(arguments);
}

void diag_note(const struct spec *spec, struct loc loc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_at(spec, loc, "note", format, arguments);
    va_end(arguments);
}

void diag_hint(const struct spec *spec, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: note: ", spec->file);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void diag_file_error(const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: error: ", file);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void *diag_alloc(size_t count, size_t size)
{
    struct block *block = NULL;
    if (count <= (SIZE_MAX - sizeof *block) / size)
        block = calloc(1, sizeof *block + count * size);
    if (block == NULL) {
        fputs("xdrgen: error: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    block->next = blocks;
    blocks = block;
    return block->data;
}

char *diag_copy(const char *text, size_t length)
{
    char *copy = diag_alloc(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}
