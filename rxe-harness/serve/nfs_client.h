// SPDX-License-Identifier: BSD-3-Clause
/* The reference Requester as a client of NFSv4.1: a session with a back channel, the directory, its
 * file and a delegation, which it gives back when it is asked to. */
#ifndef HARNESS_SERVE_NFS_CLIENT_H
#define HARNESS_SERVE_NFS_CLIENT_H

#include "rxe-harness/requester/requester.h"
#include "rxe-harness/serve/told.h"

/* Returns NULL, or what went wrong, which may be in `text`. */
const char *serve_nfs_client(struct requester *requester, char text[256]);

/* A fault in how it takes the Replies to several READs. */
enum reads_fault {
    READS_FAULTLESS,
    READS_SECOND_INTO_FIRST, /* the second item is taken from the first one's memory */
    READS_COUNTS_USED,       /* chunks are counted as they are used: empty ones are passed over */
    READS_NOTHING_IN_NONE,   /* a READ that brings nothing leaves its chunk to the next one */
    READS_TAKES_INLINE,      /* data inline are taken beside a chunk of theirs */
    READS_TRUSTS_LIST,       /* the data are in the chunks, whatever came back of them */
    READS_IGNORES_STATUS,    /* a READ that failed brought what its chunk has room for */
};

/* It reads the file by several READs in one COMPOUND, with as many Write chunks, or fewer, some of
 * them empty, and tells of it. Returns NULL, or why it was not read to its end. */
const char *serve_nfs_reader(struct requester *requester, enum reads_fault fault,
                             struct told_reads *told, char text[256]);

#endif
