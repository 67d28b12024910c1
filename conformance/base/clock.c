// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/clock.h"

#include <signal.h>
#include <time.h>

#define HOUR INT64_C(3600000000) /* microseconds */

static volatile sig_atomic_t ended;

void clock_end(void)
{
    ended = 1;
}

int64_t clock_microseconds(void)
{
    static _Atomic int64_t hours;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t time = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    return ended ? time + ++hours * HOUR : time;
}

int64_t clock_milliseconds(void)
{
    return clock_microseconds() / 1000;
}
