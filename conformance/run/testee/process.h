// SPDX-License-Identifier: BSD-3-Clause
/* A command of the user's with pipes to and from it. */
#ifndef CONFORMANCE_TESTEE_PROCESS_H
#define CONFORMANCE_TESTEE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct testee_process {
    pid_t pid;        /* 0: none runs; it leads a process group of its own */
    int in, out, err; /* its standard input, output and error, none of which blocks; -1: closed */
};

#define TESTEE_NO_PROCESS ((struct testee_process){.in = -1, .out = -1, .err = -1})

/* Run `command` by /bin/sh. Returns false, with errno set, if no process can be made. */
bool testee_start(struct testee_process *process, const char *command);

static inline bool testee_runs(const struct testee_process *process)
{
    return process->pid > 0;
}

/*
 * Whether it ends within a moment, its output being closed; `text` says how, or that it goes on.
 * *no_command: the shell could not run the command.
 */
bool testee_ended(const struct testee_process *process, char *text, size_t size, bool *no_command);

/* End it and everything that it started. The pipes stay open to be read. */
void testee_kill(struct testee_process *process);

/* The same, and close the pipes. */
void testee_stop(struct testee_process *process);

#endif
