// SPDX-License-Identifier: BSD-3-Clause
/* The reference Requester as a client of NFSv4.1: a session with a back channel, the directory, its
 * file and a delegation, which it gives back when it is asked to. */
#ifndef HARNESS_SERVE_NFS_CLIENT_H
#define HARNESS_SERVE_NFS_CLIENT_H

#include "rxe-harness/requester/requester.h"

/* Returns NULL, or what went wrong, which may be in `text`. */
const char *serve_nfs_client(struct requester *requester, char text[256]);

#endif
