// SPDX-License-Identifier: BSD-3-Clause
/*
 * SIGINT, SIGTERM and SIGHUP end a run, and lose nothing of it: reading stops as if the file ended,
 * all waiting is over (clock.h), and the command reports what it has, and that it was interrupted.
 * A second signal, 0.2 s or more after the first, ends the process at once.
 */
#ifndef CONFORMANCE_INTERRUPT_H
#define CONFORMANCE_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* Catch these signals from now on, but for SIGHUP where it is ignored (nohup). */
void interrupt_catch(void);

/* Whether one came, until interrupt_settle(). */
bool interrupted(void);

/* The run is over, and the reports begin: what comes now changes neither them nor the status.
 * Returns whether the run was interrupted. */
bool interrupt_settle(void);

/* The same where a signal is how the run ends: it was not interrupted. */
void interrupt_accept(void);

/* "interrupted", or NULL where it was not. */
const char *interrupt_text(void);

/* This process group ends with us if we are ended at once; 0: none. */
void interrupt_child(pid_t leader);

/* The status to exit with, STATUS_INTERRUPTED for an interrupted run unless something could not be
 * read or written. After SIGINT the process ends by that signal, so that a shell ends its loop. */
int interrupt_status(int status);

#endif
