// SPDX-License-Identifier: BSD-3-Clause
/* Reading that ends early, as if the file ended there: for a signal handler. */
#ifndef CONFORMANCE_STOP_H
#define CONFORMANCE_STOP_H

#include <stdbool.h>

/* Stop reading, now and from now on; a read that waits for a pipe finds its end. Safe in a signal
 * handler. */
void source_stop(void);
bool source_stopped(void);

/* The descriptor that is being read; -1: none. */
void source_reading(int descriptor);

#endif
