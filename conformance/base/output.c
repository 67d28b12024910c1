// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/output.h"

#include "conformance/base/count.h"
#include "conformance/base/status.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40
#define OUTPUTS_MAX 8
#define BESIDE ".rpcrdma-XXXXXX" /* hidden: no run takes it for one of its files */

/* ---- what is unfinished ---- */

static char *volatile unfinished[OUTPUTS_MAX];

static bool note(char *beside)
{
    for (size_t i = 0; i < COUNT(unfinished); i++)
        if (unfinished[i] == NULL) {
            unfinished[i] = beside;
            return true;
        }
    errno = EMFILE;
    return false;
}

static void forget(const char *beside)
{
    for (size_t i = 0; i < COUNT(unfinished); i++)
        if (unfinished[i] == beside)
            unfinished[i] = NULL;
}

void output_abandon(void)
{
    for (size_t i = 0; i < COUNT(unfinished); i++)
        if (unfinished[i])
            unlink(unfinished[i]);
}

/* ---- names ---- */

/* The folder of a path, up to and with its last slash: 0 where it has none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* `name` in the folder of `path`. */
static char *in_folder_of(const char *path, const char *name)
{
    size_t folder = name[0] == '/' ? 0 : folder_length(path);
    char *joined = malloc(folder + strlen(name) + 1);
    if (joined) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, strlen(name) + 1);
    }
    return joined;
}

char *output_target(const char *file)
{
    char *path = strdup(file);
    for (int i = 0; path; i++) {
        char link[PATH_MAX];
        ssize_t length = readlink(path, link, sizeof link - 1);
        if (length < 0)
            return path;
        link[length] = '\0';
        char *next = i < LINKS_MAX ? in_folder_of(path, link) : NULL;
        if (i == LINKS_MAX)
            errno = ELOOP;
        free(path);
        path = next;
    }
    return NULL;
}

/* ---- writing ---- */

/* Names of what is open, such as /dev/stdout: another file in its place would not be what is open.
 */
static bool is_special(const char *file, const struct stat *status)
{
    return !S_ISREG(status->st_mode) || strncmp(file, "/dev/", 5) == 0 ||
           strncmp(file, "/proc/", 6) == 0;
}

/* A second position in the same file would write over what the first one wrote. */
static FILE *open_in_place(const char *file, const struct stat *status)
{
    struct stat own;
    if (fstat(STDOUT_FILENO, &own) != 0 || own.st_dev != status->st_dev ||
        own.st_ino != status->st_ino)
        return fopen(file, "w");
    int copy = fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;
    FILE *stream = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (stream == NULL && copy >= 0)
        close(copy);
    return stream;
}

/* Owner and permissions of the file that is replaced, or those of any new file. */
static void set_mode(int fd, const struct stat *old)
{
    if (old) {
        if (fchown(fd, old->st_uid, old->st_gid) == 0 || old->st_uid == geteuid())
            fchmod(fd, old->st_mode & 0777);
        return;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
}

static bool open_beside(struct output *output, const struct stat *old)
{
    output->beside = in_folder_of(output->target, BESIDE);
    int fd = output->beside ? mkstemp(output->beside) : -1;
    if (fd < 0)
        return false;
    set_mode(fd, old);
    output->stream = note(output->beside) ? fdopen(fd, "w") : NULL;
    if (output->stream)
        return true;
    int error = errno;
    close(fd);
    unlink(output->beside);
    forget(output->beside);
    errno = error;
    return false;
}

static bool open_output(struct output *output)
{
    struct stat status;
    bool exists = stat(output->file, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (exists && is_special(output->file, &status))
        return (output->stream = open_in_place(output->file, &status)) != NULL;
    if (exists && access(output->file, W_OK) != 0)
        return false; /* it could be replaced, but is protected from that */
    output->target = output_target(output->file);
    return output->target && open_beside(output, exists ? &status : NULL);
}

static void forget_all(struct output *output)
{
    forget(output->beside);
    free(output->beside);
    free(output->target);
    *output = (struct output){.file = output->file};
}

bool output_begin(struct output *output, const char *file)
{
    *output = (struct output){.file = file};
    if (open_output(output))
        return true;
    file_error(file, strerror(errno));
    forget_all(output);
    return false;
}

bool output_end(struct output *output)
{
    bool good = ferror(output->stream) == 0;
    int error = errno;
    if (fclose(output->stream) != 0) {
        error = errno;
        good = false;
    }
    output->stream = NULL;
    if (good && output->target && rename(output->beside, output->target) != 0) {
        error = errno;
        good = false;
    }
    if (!good && output->beside)
        unlink(output->beside);
    if (!good)
        file_error(output->file, strerror(error != 0 ? error : EIO));
    forget_all(output);
    return good;
}

void output_not_written(const char *file, const char *why)
{
    char text[128];
    snprintf(text, sizeof text, "is not written: %s", why);
    file_error(file, text);
}

void output_drop(struct output *output)
{
    if (output->stream)
        fclose(output->stream);
    if (output->beside)
        unlink(output->beside);
    forget_all(output);
}
