// SPDX-License-Identifier: BSD-3-Clause
/* The monotonic clock: for waiting and for measuring, not the time of day. */
#ifndef CONFORMANCE_CLOCK_H
#define CONFORMANCE_CLOCK_H

#include <stdint.h>

int64_t clock_microseconds(void);
int64_t clock_milliseconds(void);

/* From now on the clock is an hour later each time it is read, so that no wait goes on. Safe in a
 * signal handler. */
void clock_end(void);

#endif
