// SPDX-License-Identifier: BSD-3-Clause
/* The first page of a folder that --output made. */
#ifndef CONFORMANCE_GATHERED_H
#define CONFORMANCE_GATHERED_H

/* Write `folder`/index.html: the command line, how it ended, and each file in the folder. Returns
 * the status to exit with. */
int gathered_index(const char *folder, char *const *words, int status);

#endif
