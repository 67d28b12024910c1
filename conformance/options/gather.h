// SPDX-License-Identifier: BSD-3-Clause
/* --output FOLDER: every report and recording that a command can write, in one folder. */
#ifndef CONFORMANCE_GATHER_H
#define CONFORMANCE_GATHER_H

#include "conformance/options/command.h"

#include <stdbool.h>

/*
 * Make the folder, if need be, and give a name there to each file that the command can write
 * (`gathered` in its row) and that no option names. Complains and returns false where there can be
 * no such folder.
 */
bool gather_files(const struct command *command, void *settings, const char *folder);

/* The folder of this run, or NULL; its first page, which is written as the files are; and the names
 * of the files that it has written there, or paths, with a slash, of those elsewhere, up to NULL.
 * Such a path begins at the working directory. */
const char *gather_folder(void);
const char *gather_index(void);
const char *const *gather_names(void);

#endif
