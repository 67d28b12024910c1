// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/report/peer_log.h"

#include "conformance/base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool peer_log_begin(struct peer_log *log)
{
    struct stat status;
    if (log->path == NULL)
        return true;
    log->fd = open(log->path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (log->fd < 0)
        log->fd = open(log->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (log->fd >= 0 && (fstat(log->fd, &status) != 0 || S_ISDIR(status.st_mode))) {
        close(log->fd);
        log->fd = -1;
        errno = EISDIR;
    }
    if (log->fd < 0) {
        say("%s: %s", log->path, strerror(errno));
        return false;
    }
    /* A file that somebody else writes is only read. */
    log->marks = S_ISCHR(status.st_mode);
    lseek(log->fd, 0, SEEK_END);
    return true;
}

/* A file that is shorter now was begun anew. */
static void follow(const struct peer_log *log)
{
    struct stat status;
    if (!log->marks && fstat(log->fd, &status) == 0 && status.st_size < lseek(log->fd, 0, SEEK_CUR))
        lseek(log->fd, 0, SEEK_SET);
}

/* What a process does to itself is no crash of its kernel. */
static bool tells_of_a_crash(const char *line)
{
    if (strstr(line, "traps: "))
        return false;
    for (const char *const *word = peer_log_words; *word; word++)
        if (strstr(line, *word))
            return true;
    return false;
}

/* Of a record of /dev/kmsg without what stands before its text. */
static const char *text_of(const struct peer_log *log)
{
    const char *text = log->marks ? strchr(log->line, ';') : NULL;
    return text ? text + 1 : log->line;
}

static void take_line(struct peer_log *log, struct results *results)
{
    log->line[log->length] = '\0';
    log->length = 0;
    if (log->told || log->running.id == NULL || !tells_of_a_crash(log->line))
        return;
    log->told = true;
    struct result *result = live_result(results, &log->running, NULL, false, "client");
    struct alloc_stream text;
    alloc_begin(&text);
    fprintf(text.out, "%s: %s", log->path, text_of(log));
    result->actual = alloc_end(&text);
    result->expected = alloc_text("nothing in the log that tells of a crash");
    result->ending = ENDING_CRASHED;
}

static void take(struct peer_log *log, struct results *results, const char *octets, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (octets[i] == '\n')
            take_line(log, results);
        else if (log->length + 1 < sizeof log->line)
            log->line[log->length++] = octets[i];
}

void peer_log_turn(struct peer_log *log, struct results *results, const struct live_case *begins)
{
    char octets[8192]; /* a record of the kernel's fits */
    ssize_t length;
    if (log->path == NULL)
        return;
    follow(log);
    /* A kernel whose oldest records were overwritten says EPIPE once, and goes on with the next. */
    while ((length = read(log->fd, octets, sizeof octets)) > 0 || (length < 0 && errno == EPIPE))
        if (length > 0)
            take(log, results, octets, (size_t)length);
    log->told = false;
    log->running = begins ? *begins : (struct live_case){NULL, NULL, NULL};
    if (log->marks && log->running.id)
        dprintf(log->fd, "rpcrdma: %s\n", log->running.id);
}

void peer_log_end(struct peer_log *log)
{
    if (log->path)
        close(log->fd);
}
