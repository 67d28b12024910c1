// SPDX-License-Identifier: BSD-3-Clause
/* The live commands as they are called, but for the devices: an address leads to a transport of the
 * test's. */
#ifndef HARNESS_TEST_COMMAND_STAGE_H
#define HARNESS_TEST_COMMAND_STAGE_H

#include "rxe-harness/transport/transport.h"

#include <stdint.h>

struct command_stage {
    int (*command)(int argc, char **argv);
    /* The transport of an address, or NULL after writing why into `error`. */
    struct transport *(*open)(const char *address, bool listen, char *error, size_t error_size);
    unsigned limit;     /* seconds that it may take, before it is killed; 0: any */
    unsigned interrupt; /* milliseconds after which it is sent SIGINT; 0: it is not */
    char out[262144];   /* what it printed, on both streams */
    int64_t time;       /* milliseconds that it took */
    long kibibytes;     /* of memory, at most */
};

/* Runs it in a process of its own, with the words of a line, parted by blanks. Returns the exit
 * status, or -1 if it ended otherwise. */
int command_stage_run(struct command_stage *stage, const char *line);

/* The case that `probe` runs, or NULL. */
extern const char *command_stage_case;

#endif
