// SPDX-License-Identifier: BSD-3-Clause
/* The monotonic clock: for waiting and for measuring, not the time of day. */
#ifndef CONFORMANCE_CLOCK_H
#define CONFORMANCE_CLOCK_H

#include <stdint.h>

int64_t clock_microseconds(void);
int64_t clock_milliseconds(void);

/* From now on each look at the clock finds another hour gone: whoever waits until some time waits
 * no longer. Safe in a signal handler. */
void clock_end(void);

#endif
