// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE /* vasprintf */
#include "conformance/base/status.h"

#include "conformance/base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Everything that goes to stderr, in one line: none of it may steer a terminal. */
static void put_line(const char *before, const char *format, va_list args)
{
    char *text = NULL;
    fprintf(stderr, "%s", before);
    if (vasprintf(&text, format, args) >= 0)
        text_put(stderr, text);
    putc('\n', stderr);
    free(text);
}

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line("rpcrdma: ", format, args);
    va_end(args);
}

int usage_error(const char *command, const char *format, ...)
{
    const char *blank = command ? " " : "";
    char before[64];
    command = command ? command : "";
    snprintf(before, sizeof before, "rpcrdma%s%s: ", blank, command);
    va_list args;
    va_start(args, format);
    put_line(before, format, args);
    va_end(args);
    fprintf(stderr, "Try 'rpcrdma%s%s --help'.\n", blank, command);
    return STATUS_USAGE;
}

int file_error(const char *file, const char *text)
{
    say("%s: %s", strcmp(file, "-") == 0 ? "standard input" : file, text);
    return STATUS_UNREADABLE;
}

void unread_keep(struct unread *unread, const char *file, const char *why)
{
    if (unread->count == 0) {
        snprintf(unread->file, sizeof unread->file, "%s", file);
        snprintf(unread->why, sizeof unread->why, "%s", why);
    }
    if (unread->count == 0 || strncmp(unread->latest, file, sizeof unread->latest - 1) != 0) {
        unread->count++;
        unread->unopened += strncmp(why, UNOPENED, strlen(UNOPENED)) == 0;
    }
    snprintf(unread->latest, sizeof unread->latest, "%s", file);
}

int unread_add(struct unread *unread, const char *file, const char *why)
{
    unread_keep(unread, file, why);
    return file_error(file, why);
}

const char *unread_text(struct unread *unread)
{
    if (unread->count == 0)
        return NULL;
    int length = unread->count == 1
                     ? snprintf(unread->text, sizeof unread->text, "a file could not be read: ")
                     : snprintf(unread->text, sizeof unread->text,
                                "%u files could not be read, the first: ", unread->count);
    snprintf(unread->text + length, sizeof unread->text - (size_t)length, "%s: %s", unread->file,
             unread->why);
    return text_mask(unread->text);
}

const char *unread_brief(struct unread *unread)
{
    const char *how =
        unread->unopened == unread->count ? "could not be opened" : "could not be read in full";
    size_t length = 0;
    if (unread->count == 0)
        return NULL;
    if (unread->count == 1)
        snprintf(unread->brief, sizeof unread->brief, "a file %s", how);
    else
        length = (size_t)snprintf(unread->brief, sizeof unread->brief, "%u files %s", unread->count,
                                  how);
    if (unread->unopened > 0 && unread->unopened < unread->count)
        snprintf(unread->brief + length, sizeof unread->brief - length, ", %u of them not opened",
                 unread->unopened);
    return unread->brief;
}

void put_files(FILE *out, int read, int given)
{
    if (read < given)
        fprintf(out, "%d of ", read);
    fprintf(out, "%d file%s", given, given == 1 ? "" : "s");
}

static int output_errno;

int output_failed(FILE *out)
{
    if (!ferror(out))
        return 0;
    if (output_errno == 0)
        output_errno = errno != 0 ? errno : EIO;
    return 1;
}

void output_live(int count, char *const *files)
{
    struct stat status;
    for (int i = 0; i < count; i++) {
        int missing =
            strcmp(files[i], "-") == 0 ? fstat(STDIN_FILENO, &status) : stat(files[i], &status);
        if (missing == 0 && !S_ISREG(status.st_mode))
            setvbuf(stdout, NULL, _IOLBF, 0);
    }
}

/* The reader has what it wanted, as `head` does: end as any filter ends then, without a word. */
static void end_as_by_sigpipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

int close_output(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !output_failed(stdout))
        return status;
    output_failed(stdout);
    if (output_errno == EPIPE)
        end_as_by_sigpipe();
    return file_error("standard output", strerror(output_errno != 0 ? output_errno : EIO));
}
