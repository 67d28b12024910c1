// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/options/gather.h"

#include "conformance/base/alloc.h"
#include "conformance/base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 8 };

static struct {
    const char *folder;
    char *index;
    struct {
        const char *path;   /* settings point to it until the end */
        const char *name;   /* in the folder; of what an option puts elsewhere a path */
        struct stat before; /* of an earlier run, or zero */
    } files[FILES_MAX];
    int count;
    const char *names[FILES_MAX + 1];
} gathered;

static char *path_in(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = alloc_zeroed(length, 1);
    snprintf(path, length, "%s/%s", folder, name);
    return path;
}

static bool make_folder(const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) {
        errno = ENOTDIR;
        if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
            return true;
    }
    file_error(folder, strerror(errno));
    return false;
}

static void add_file(const char *name, const char *path)
{
    gathered.files[gathered.count].name = name;
    gathered.files[gathered.count].path = path;
    if (stat(path, &gathered.files[gathered.count].before) != 0)
        gathered.files[gathered.count].before = (struct stat){0};
    gathered.count++;
}

/* A report takes the place of the old one, and is another file. */
static bool is_new(int i)
{
    const struct stat *before = &gathered.files[i].before;
    struct stat now;
    return stat(gathered.files[i].path, &now) == 0 &&
           (now.st_ino != before->st_ino || now.st_ctim.tv_sec != before->st_ctim.tv_sec ||
            now.st_ctim.tv_nsec != before->st_ctim.tv_nsec);
}

bool gather_files(const struct command *command, void *settings, const char *folder)
{
    if (!make_folder(folder))
        return false;
    gathered.folder = folder;
    gathered.index = path_in(folder, "index.html");
    for (const struct option_group *group = command->groups; group->rows; group++)
        for (const struct option_row *row = group->rows; row->name; row++) {
            if (row->gathered == NULL || gathered.count == FILES_MAX)
                continue;
            const char **file = (const char **)((char *)settings + row->at);
            if (*file == NULL)
                add_file(row->gathered, *file = path_in(folder, row->gathered));
            else
                add_file(strchr(*file, '/') ? *file : path_in(".", *file), *file);
        }
    return true;
}

const char *gather_folder(void)
{
    return gathered.folder;
}

const char *gather_index(void)
{
    return gathered.index;
}

const char *const *gather_names(void)
{
    int count = 0;
    for (int i = 0; i < gathered.count; i++)
        if (is_new(i))
            gathered.names[count++] = gathered.files[i].name;
    gathered.names[count] = NULL;
    return gathered.names;
}
