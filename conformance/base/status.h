// SPDX-License-Identifier: BSD-3-Clause
/* Exit statuses, and how a command says what went wrong. */
#ifndef CONFORMANCE_STATUS_H
#define CONFORMANCE_STATUS_H

#include <stdio.h>

enum status {
    STATUS_GOOD = 0,
    STATUS_VIOLATED = 1, /* check: a violation; decode: a Send that does not decode */
    STATUS_USAGE = 2,
    STATUS_UNREADABLE = 3,    /* an input, or the output; outweighs STATUS_VIOLATED */
    STATUS_INTERRUPTED = 130, /* by a signal, whatever was found; see interrupt.h */
};

/* Say something on stderr, in one line. What the arguments hold cannot steer a terminal (text.h).
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Say on stderr what is wrong with the command line; returns STATUS_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Say on stderr in one line that a file is not what it should be; returns STATUS_UNREADABLE. */
int file_error(const char *file, const char *text);

/* So the complaint begins about a file that nothing could be read of. */
#define UNOPENED "cannot be opened: "

/* Inputs that could not be read, or are not what they should be, kept for the reports, where stderr
 * is not at hand. Zeroed at first. */
struct unread {
    unsigned count, unopened;    /* files; those of them that could not be opened */
    char file[512], latest[512]; /* the first; that of the latest complaint */
    char why[512];               /* of the first */
    char text[1152], brief[96];
};

/* Keep a file or folder; one that comes more than once in a row counts once. */
void unread_keep(struct unread *unread, const char *file, const char *why);

/* The same, with a complaint by file_error(). Returns STATUS_UNREADABLE. */
int unread_add(struct unread *unread, const char *file, const char *why);

/* A sentence on all of them that can be shown on a terminal; it lives as long as `unread` and until
 * it is asked for again. NULL where nothing was added. */
const char *unread_text(struct unread *unread);

/* The same without names and reasons, for text that stderr stands beside. */
const char *unread_brief(struct unread *unread);

/* "2 files"; "1 of 2 files" where nothing was read of the other. */
void put_files(FILE *out, int read, int given);

/* At the end of a command: what was written has to have arrived. Returns the status to exit with;
 * where the reader of the output has gone, the process ends by SIGPIPE. */
int close_output(int status);

/* Where one of these files is no regular one, such as a pipe that goes on, each line of the output
 * is written as it comes. Before anything is printed. */
void output_live(int count, char *const *files);

/* Whether writing has failed; the first time it is true, errno is kept for close_output(). */
int output_failed(FILE *out);

#endif
