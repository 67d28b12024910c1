// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a client says that it read: a line for each file, as cksum (POSIX) prints it: the sum, the
 * length, the name. A file that could not be read has none. Each case has its own edition of the
 * files (responder/files.h), so the sum says whether these are the octets of this case.
 */
#ifndef HARNESS_SERVE_TOLD_H
#define HARNESS_SERVE_TOLD_H

#include "conformance/report/results/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOLD_FILES 16 /* whose stale octets are recognised */
#define TOLD_LINE 1024

/* What a client has to make of its Replies, beside no wrong data. */
enum told_wanted {
    TOLD_ANYTHING,
    TOLD_DATA_OR_ERROR,
    TOLD_DATA,     /* the Replies are right */
    TOLD_ERROR,    /* the RPC has to end with an error */
    TOLD_RECEIVED, /* whatever is read of it: it has to be received */
};

struct told_reads {
    int source; /* a descriptor that does not block, or -1: told_line() is called */
    char line[TOLD_LINE];
    size_t filled;
    bool overlong; /* the line; what is left of it is passed over */
    uint32_t edition;
    unsigned right;  /* files of this case, read as they are */
    char wrong[200]; /* about the first that was not, or empty */
    struct told_file {
        uint32_t file, edition;
    } last[TOLD_FILES]; /* read as they were then */
    unsigned files;
};

/* Open a file, a FIFO, or "-", which is the standard input. False after a complaint. */
bool told_open(struct told_reads *told, const char *path);
void told_close(struct told_reads *told);
/* A case begins, with this edition of the files. */
void told_begin(struct told_reads *told, uint32_t edition);
/* Take all that was said by now. */
void told_take(struct told_reads *told);
/* How the case ended by that. `failure`: what else is known of it, or NULL. False: nothing is to be
 * said. */
bool told_ending(const struct told_reads *told, enum told_wanted wanted, const char *failure,
                 enum ending *ending, char text[256]);
/* One file that was read to its end; a name with directories goes by its last part. */
void told_read(struct told_reads *told, const char *name, uint32_t sum, uint64_t length);

/* As cksum sums up octets: begins with 0, and ends with the length. */
uint32_t told_sum(uint32_t sum, const uint8_t *octets, size_t length);
uint32_t told_sum_end(uint32_t sum, uint64_t length);

#endif
