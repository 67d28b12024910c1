// SPDX-License-Identifier: BSD-3-Clause
/* The first page of a folder that --output made. */
#ifndef CONFORMANCE_GATHERED_H
#define CONFORMANCE_GATHERED_H

#include "conformance/options/command.h"

struct gathered {
    const char *index, *folder;
    const char *const *names; /* of files in the folder, or paths of others, up to NULL */
    char *const *words;       /* the command line */
};

/* Write the index: the command line, how it ended, and these files. Of what an earlier run left in
 * the folder it says nothing. Returns the status to exit with. */
int gathered_index(const struct gathered *gathered, const struct command *command, int status);

#endif
