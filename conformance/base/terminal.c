// SPDX-License-Identifier: BSD-3-Clause
/* Terminals. */
#include "conformance/base/terminal.h"

#include "conformance/base/text.h"
#include "conformance/base/clock.h"
#include "conformance/base/interrupt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PROGRESS_FIRST 500 /* milliseconds: what takes no longer shows no progress */
#define PROGRESS_EVERY 100
#define PROGRESS_LINES 10000 /* where there is no terminal, a line as often */

const struct style *terminal_style(enum color_when when, FILE *stream)
{
    static const struct style none = {"", "", "", "", "", ""};
    static const struct style colors = {
        "\033[1m", "\033[2m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[0m",
    };
    if (when == COLOR_AUTO) {
        const char *forbidden = getenv("NO_COLOR"), *term = getenv("TERM");
        bool wanted = (forbidden == NULL || *forbidden == '\0') && term != NULL &&
                      strcmp(term, "dumb") != 0 && isatty(fileno(stream)) == 1;
        when = wanted ? COLOR_ALWAYS : COLOR_NEVER;
    }
    return when == COLOR_ALWAYS ? &colors : &none;
}

unsigned terminal_width(FILE *stream)
{
    unsigned width = 80;
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
#else
    (void)stream;
#endif
    return width < 40 ? 40 : width > 120 ? 120 : width;
}

/* Columns of the first `length` octets: in UTF-8, octets that continue a character take none. */
static unsigned columns(const char *text, size_t length)
{
    unsigned count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

void terminal_wrap(FILE *out, const char *text, unsigned at, unsigned indent, unsigned width)
{
    bool first = true; /* of the line: no blank before it */
    for (;;) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " ");
        if (length == 0)
            break;
        unsigned word = columns(text, length);
        if (!first && at + 1 + word > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        if (!first)
            putc(' ', out);
        text_put_some(out, text, length);
        at += word + !first;
        first = false;
        text += length;
    }
    putc('\n', out);
}

void progress_start(struct progress *progress, const char *file)
{
    *progress = (struct progress){.file = file, .enabled = isatty(STDERR_FILENO) == 1};
    if (progress->enabled)
        progress->next = clock_milliseconds() + PROGRESS_FIRST;
}

void progress_start_lines(struct progress *progress, const char *what)
{
    progress_start(progress, what);
    progress->lines = !progress->enabled;
    if (progress->lines)
        progress->next = clock_milliseconds() + PROGRESS_LINES;
}

/* A line, for a log. */
static void show_line(struct progress *progress, uint64_t done, uint64_t total)
{
    int64_t time = clock_milliseconds();
    if (time < progress->next || interrupted()) /* then clocks run ahead */
        return;
    progress->next = time + PROGRESS_LINES;
    text_put_some(stderr, progress->file, strnlen(progress->file, 50));
    fprintf(stderr, ": %" PRIu64 " of %" PRIu64 "\n", done, total);
}

void progress_show(void *arg, uint64_t done, uint64_t total)
{
    struct progress *progress = arg;
    if (progress->lines)
        show_line(progress, done, total);
    int64_t time = progress->enabled ? clock_milliseconds() : 0;
    if (!progress->enabled || time < progress->next)
        return;
    progress->next = time + PROGRESS_EVERY;
    progress->shown = true;
    putc('\r', stderr);
    text_put_some(stderr, progress->file, strnlen(progress->file, 50));
    if (total > 0 && done <= total)
        fprintf(stderr, ": %3u %%\033[K", (unsigned)((double)done * 100 / (double)total));
    else
        fprintf(stderr, ": %" PRIu64 " MiB\033[K", done >> 20);
    fflush(stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->shown = false;
}
