// SPDX-License-Identifier: BSD-3-Clause
/*
 * A file is known by its device and inode, whatever its name. A file that does not exist yet is
 * known by its folder and its name there.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "conformance/base/output.h"

#include "conformance/base/status.h"

#include <ftw.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDERS_OPEN 16

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder of a file, whether the file exists or not. For free(). */
static char *folder_of(const char *file)
{
    char *target = output_target(file);
    char *folder = target ? realpath(dirname(target), NULL) : NULL;
    free(target);
    return folder;
}

/* Neither exists: whether the one is made by making the other. */
static bool is_same_new(const char *a, const char *b)
{
    char *left = output_target(a), *right = output_target(b);
    char *left_folder = folder_of(a), *right_folder = folder_of(b);
    bool same = left_folder && right_folder && strcmp(left_folder, right_folder) == 0 &&
                strcmp(basename(left), basename(right)) == 0;
    free(left);
    free(right);
    free(left_folder);
    free(right_folder);
    return same;
}

static int status_of(const struct named_file *file, struct stat *status)
{
    bool is_stdin = file->option == NULL && strcmp(file->name, "-") == 0;
    return is_stdin ? fstat(STDIN_FILENO, status) : stat(file->name, status);
}

/* Terminals and /dev/null may be several things at once. */
static bool is_same_file(const struct named_file *a, const struct named_file *b)
{
    struct stat left, right;
    int missing_left = status_of(a, &left), missing_right = status_of(b, &right);
    if (missing_left == 0 && missing_right == 0)
        return is_same(&left, &right) && !S_ISCHR(left.st_mode);
    return missing_left != 0 && missing_right != 0 && is_same_new(a->name, b->name);
}

/* ---- folders ---- */

static const struct stat *wanted; /* nftw() passes nothing on */

static int is_wanted(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    struct stat linked;
    (void)place;
    if (kind == FTW_SL && stat(path, &linked) == 0)
        status = &linked;
    return is_same(status, wanted);
}

/* Whether a folder on the way to `file` is `folder`. */
static bool is_below(const char *file, const struct stat *folder)
{
    char *path = folder_of(file); /* "/a/b": the folders are /a/b, /a and / */
    struct stat status;
    bool found = false;
    while (path && !found && stat(path, &status) == 0) {
        char *slash = strrchr(path, '/');
        found = is_same(&status, folder);
        if (slash[1] == '\0')
            break; /* the root */
        slash[slash == path] = '\0';
    }
    free(path);
    return found;
}

/* Whether the file is in the folder or below, or is one that is linked there. */
static bool is_in_folder(const char *file, const char *folder, const struct stat *folder_status)
{
    struct stat status;
    if (is_below(file, folder_status))
        return true;
    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    wanted = &status;
    return nftw(folder, is_wanted, FOLDERS_OPEN, FTW_PHYS) == 1;
}

/* ---- complaints ---- */

static int refuse_input(const char *command, const struct named_file *written,
                        const struct named_file *read)
{
    bool is_stdin = read->option == NULL && strcmp(read->name, "-") == 0;
    if (read->option)
        return usage_error(command, "'%s', which '--%s' reads, would be overwritten by '--%s %s'",
                           read->name, read->option, written->option, written->name);
    return usage_error(command, "'%s' would be overwritten by '--%s %s'",
                       is_stdin ? "standard input" : read->name, written->option, written->name);
}

static int check_input(const char *command, const struct named_file *written,
                       const struct named_file *read)
{
    struct stat status;
    if (written->updates && read->option && strcmp(written->updates, read->option) == 0)
        return STATUS_GOOD;
    if (is_same_file(written, read))
        return refuse_input(command, written, read);
    if (status_of(read, &status) == 0 && S_ISDIR(status.st_mode) &&
        is_in_folder(written->name, read->name, &status))
        return usage_error(command,
                           "'--%s %s' would be written into the folder '%s', which is read",
                           written->option, written->name, read->name);
    return STATUS_GOOD;
}

static int check_output(const char *command, const struct named_file *a, const struct named_file *b)
{
    if (!is_same_file(a, b))
        return STATUS_GOOD;
    return usage_error(command, "'--%s %s' and '--%s %s' would be one file", a->option, a->name,
                       b->option, b->name);
}

/* /dev/stdout is meant to be; the file that it was sent to is not, by its own name. */
static int check_stdout(const char *command, const struct named_file *written)
{
    struct stat own, status;
    bool same = fstat(STDOUT_FILENO, &own) == 0 && stat(written->name, &status) == 0 &&
                is_same(&own, &status) && S_ISREG(own.st_mode);
    if (!same || strncmp(written->name, "/dev/", 5) == 0 ||
        strncmp(written->name, "/proc/", 6) == 0)
        return STATUS_GOOD;
    return usage_error(command, "'--%s %s' is the standard output, too", written->option,
                       written->name);
}

int overwrite_check(const char *command, const struct named_file *files, size_t count)
{
    int status = STATUS_GOOD;
    for (size_t i = 0; i < count && status == STATUS_GOOD; i++) {
        if (!files[i].is_written)
            continue;
        status = check_stdout(command, &files[i]);
        for (size_t j = 0; j < count && status == STATUS_GOOD; j++)
            if (!files[j].is_written)
                status = check_input(command, &files[i], &files[j]);
            else if (j > i)
                status = check_output(command, &files[i], &files[j]);
    }
    return status;
}
