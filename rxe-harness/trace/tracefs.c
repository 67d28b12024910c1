// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define INSTANCE "rpcrdma-"
#define GROUP "rpcrdma_trace_"
#define TEXT_STEP 65536 /* octets of a text file of the kernel's that are read at once */
#define TEXT_MAX (1024 * TEXT_STEP)

static bool fail(const struct tracefs *tracefs, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(const struct tracefs *tracefs, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tracefs->error, tracefs->error_size, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- files ---- */

static void join(char path[TRACEFS_PATH], const char *folder, const char *name)
{
    snprintf(path, TRACEFS_PATH, "%s/%s", folder, name);
}

/* Write a line; never truncating, which would remove other people's probes. */
static bool put_line(const char *folder, const char *name, const char *line)
{
    char path[TRACEFS_PATH];
    join(path, folder, name);
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    size_t length = strlen(line);
    bool good = file >= 0 && write(file, line, length) == (ssize_t)length;
    int error = errno;
    if (file >= 0)
        close(file);
    errno = error;
    return good;
}

/* The whole of a text file, for free(); NULL if it cannot be read. */
static char *read_text(const char *folder, const char *name)
{
    char path[TRACEFS_PATH];
    join(path, folder, name);
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(TEXT_STEP) : NULL;
    size_t length = 0, room = TEXT_STEP;
    while (text && (length += fread(text + length, 1, room - length, file)) == room) {
        char *more = room < TEXT_MAX ? realloc(text, room + TEXT_STEP) : NULL;
        if (more == NULL)
            free(text);
        text = more;
        room += TEXT_STEP;
    }
    if (text)
        text[length] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* ---- what killed runs have left ---- */

/* "p:GROUP/NAME module:function …", "r10:…" at a return: remove the probes whose group begins so.
 */
static void remove_probes(const struct tracefs *tracefs, const char *group)
{
    char *text = read_text(tracefs->root, "kprobe_events"), *next = NULL;
    for (char *line = text ? strtok_r(text, "\n", &next) : NULL; line;
         line = strtok_r(NULL, "\n", &next)) {
        char command[160];
        const char *name = strchr(line, ':');
        if ((*line != 'p' && *line != 'r') || name == NULL ||
            strncmp(name + 1, group, strlen(group)) != 0)
            continue;
        snprintf(command, sizeof command, "-%.*s", (int)strcspn(name, " "), name);
        put_line(tracefs->root, "kprobe_events", command);
    }
    free(text);
}

/* The lock of an instance's folder; -1: somebody else has it, or it is gone. */
static int lock_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0) {
        close(folder);
        folder = -1;
    }
    return folder;
}

static void remove_left(const struct tracefs *tracefs, const char *instances, const char *name)
{
    char path[TRACEFS_PATH], group[TRACEFS_PATH];
    snprintf(path, sizeof path, "%.160s/%.64s", instances, name);
    int lock = lock_folder(path);
    if (lock < 0)
        return;
    close(lock);
    rmdir(path); /* which disables its events */
    snprintf(group, sizeof group, GROUP "%.64s/", name + strlen(INSTANCE));
    remove_probes(tracefs, group);
}

static void remove_all_left(const struct tracefs *tracefs, const char *instances)
{
    DIR *folder = opendir(instances);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (strncmp(entry->d_name, INSTANCE, strlen(INSTANCE)) == 0)
            remove_left(tracefs, instances, entry->d_name);
    if (folder)
        closedir(folder);
}

/* ---- begin ---- */

static const char *find_root(void)
{
    static const char *const roots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        char path[TRACEFS_PATH];
        join(path, roots[i], "kprobe_events");
        if (access(path, F_OK) == 0)
            return roots[i];
    }
    return NULL;
}

/* Whether probes can be set at all, and why not. */
static bool may_set(const struct tracefs *tracefs)
{
    char path[TRACEFS_PATH];
    join(path, tracefs->root, "kprobe_events");
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file >= 0) {
        close(file);
        return true;
    }
    if (errno == EPERM)
        return fail(tracefs,
                    "%s: the kernel is locked down and lets nobody set probes "
                    "(/sys/kernel/security/lockdown)",
                    path);
    return fail(tracefs, "%s: %s", path, strerror(errno));
}

static bool make_instance(struct tracefs *tracefs, const char *instances)
{
    char path[TRACEFS_PATH];
    snprintf(path, sizeof path, "%.160s/" INSTANCE "%ld", instances, (long)getpid());
    if (mkdir(path, 0700) != 0)
        return fail(tracefs, "%s: %s", path, strerror(errno));
    memcpy(tracefs->instance, path, sizeof path);
    tracefs->lock = lock_folder(path);
    return tracefs->lock >= 0 || fail(tracefs, "%s: %s", path, strerror(errno));
}

bool tracefs_begin(struct tracefs *tracefs, char *error, size_t size)
{
    char instances[TRACEFS_PATH];
    *tracefs = (struct tracefs){.lock = -1, .error = error, .error_size = size};
    if (geteuid() != 0)
        return fail(tracefs, "only root can set probes in the kernel");
    tracefs->root = find_root();
    if (tracefs->root == NULL)
        return fail(tracefs, "no tracefs with kprobe events: mount -t tracefs tracefs "
                             "/sys/kernel/tracing");
    if (!may_set(tracefs))
        return false;
    snprintf(tracefs->group, sizeof tracefs->group, GROUP "%ld", (long)getpid());
    join(instances, tracefs->root, "instances");
    /* One run at a time begins: none takes what another is making for left behind. */
    int all = open(instances, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (all < 0 || flock(all, LOCK_EX) != 0)
        fail(tracefs, "%s: %s", instances, strerror(errno));
    else
        remove_all_left(tracefs, instances);
    bool good = all >= 0 && make_instance(tracefs, instances);
    if (all >= 0)
        close(all);
    return good;
}

bool tracefs_set(void *arg, const char *name, const char *line)
{
    struct tracefs *tracefs = arg;
    if (tracefs->count == TRACEFS_EVENTS)
        return fail(tracefs, "too many probes");
    snprintf(tracefs->events[tracefs->count].name, sizeof tracefs->events->name, "%s", name);
    if (!put_line(tracefs->root, "kprobe_events", line))
        return fail(tracefs, "the kernel refuses the probe '%s': %s", name, strerror(errno));
    tracefs->count++;
    return true;
}

/* ---- run ---- */

static bool read_formats(struct tracefs *tracefs)
{
    for (unsigned i = 0; i < tracefs->count; i++) {
        struct tracefs_event *event = &tracefs->events[i];
        char name[TRACEFS_PATH];
        snprintf(name, sizeof name, "events/%s/%s/format", tracefs->group, event->name);
        char *text = read_text(tracefs->instance, name);
        bool good = text && ring_format_read(&event->format, text);
        free(text);
        if (!good)
            return fail(tracefs, "%s/%s cannot be read", tracefs->instance, name);
    }
    return true;
}

static bool enable(const struct tracefs *tracefs, const char *value)
{
    char name[TRACEFS_PATH];
    snprintf(name, sizeof name, "events/%s/enable", tracefs->group);
    return put_line(tracefs->instance, name, value);
}

bool tracefs_start(struct tracefs *tracefs, unsigned ring_kib)
{
    char size[16];
    snprintf(size, sizeof size, "%u", ring_kib);
    if (!read_formats(tracefs))
        return false;
    if (!put_line(tracefs->instance, "buffer_size_kb", size))
        return fail(tracefs, "no rings of %u KiB: %s", ring_kib, strerror(errno));
    if (!put_line(tracefs->instance, "trace_clock", "mono") || !enable(tracefs, "1"))
        return fail(tracefs, "%s: %s", tracefs->instance, strerror(errno));
    return true;
}

void tracefs_stop(struct tracefs *tracefs)
{
    enable(tracefs, "0");
}

/* Lines of "  name   hits   misses". */
uint64_t tracefs_missed(const struct tracefs *tracefs)
{
    uint64_t sum = 0;
    char *text = read_text(tracefs->root, "kprobe_profile"), *next = NULL;
    for (char *line = text ? strtok_r(text, "\n", &next) : NULL; line;
         line = strtok_r(NULL, "\n", &next)) {
        char name[64];
        unsigned long long hits, missed;
        if (sscanf(line, "%63s %llu %llu", name, &hits, &missed) != 3)
            continue;
        for (unsigned i = 0; i < tracefs->count; i++)
            if (strcmp(tracefs->events[i].name, name) == 0)
                sum += missed;
    }
    free(text);
    return sum;
}

int tracefs_open_ring(const struct tracefs *tracefs, unsigned processor)
{
    char path[TRACEFS_PATH];
    snprintf(path, sizeof path, "%.160s/per_cpu/cpu%u/trace_pipe_raw", tracefs->instance,
             processor);
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

void tracefs_end(struct tracefs *tracefs)
{
    char group[64];
    if (tracefs->lock >= 0)
        close(tracefs->lock);
    if (*tracefs->instance == '\0')
        return;
    rmdir(tracefs->instance);
    snprintf(group, sizeof group, "%s/", tracefs->group);
    remove_probes(tracefs, group);
}
