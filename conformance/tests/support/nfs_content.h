// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random arguments and results of NFS, versions 2, 3 and 4 with all operations of its minor
 * versions up to 2 and those of RFC 8276, and of its callbacks. Items that RFC 8267 makes eligible
 * are marked in the message.
 */
#ifndef CONFORMANCE_TESTS_NFS_CONTENT_H
#define CONFORMANCE_TESTS_NFS_CONTENT_H

#include "conformance/tests/support/message.h"

#define NFS_OPERATIONS 6
#define NFS_ANY UINT32_MAX

struct nfs_asked {
    uint32_t program, version, procedure;
    uint32_t operations, operation[NFS_OPERATIONS], minor;
    uint32_t results, most[NFS_OPERATIONS]; /* eligible ones: octets, or NFS_ANY */
    bool unbounded;                         /* other results that can be longer than any Send */
};

/* What to call; then its arguments, after the RPC header. */
void nfs_choose(struct nfs_asked *asked, struct dice *dice);
void nfs_arguments(struct nfs_asked *asked, struct dice *dice, struct message *message);

/* Results of that, as they follow the RPC header of a Reply that reports success. `room`: octets
 * that each of the eligible ones can have. */
void nfs_results(const struct nfs_asked *asked, struct dice *dice, const uint32_t *room,
                 struct message *message);

/* A callback of NFS version 4. */
void nfs_callback(struct nfs_asked *asked, struct dice *dice, struct message *message);

#endif
