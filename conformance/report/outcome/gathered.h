// SPDX-License-Identifier: BSD-3-Clause
/* The first page of a folder that --output made. */
#ifndef CONFORMANCE_GATHERED_H
#define CONFORMANCE_GATHERED_H

/* Write `index`: the command line, how it ended, and these files of the folder, up to NULL. Of what
 * an earlier run left there it says nothing. Returns the status to exit with. */
int gathered_index(const char *index, const char *folder, const char *const *names,
                   char *const *words, int status);

#endif
