// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/clock.h"

#include <time.h>

int64_t clock_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_milliseconds(void)
{
    return clock_microseconds() / 1000;
}
