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
    char *files[FILES_MAX]; /* settings point to them until the end */
    const char *names[FILES_MAX + 1];
    int count;
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

bool gather_files(const struct command *command, void *settings, const char *folder)
{
    if (!make_folder(folder))
        return false;
    gathered.folder = folder;
    for (const struct option_group *group = command->groups; group->rows; group++)
        for (const struct option_row *row = group->rows; row->name; row++) {
            if (row->gathered == NULL || gathered.count == FILES_MAX)
                continue;
            const char **file = (const char **)((char *)settings + row->at);
            if (*file != NULL)
                continue;
            gathered.names[gathered.count] = row->gathered;
            *file = gathered.files[gathered.count++] = path_in(folder, row->gathered);
        }
    return true;
}

const char *gather_folder(void)
{
    return gathered.folder;
}

const char *const *gather_names(void)
{
    return gathered.names;
}
