// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stopped, reading = -1;

/* With SA_RESTART a read that was waiting begins anew, by its number: that is an empty file now. */
static void read_nothing(void)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0)
        return;
    dup2(nothing, (int)reading);
    close(nothing);
}

void source_stop(void)
{
    int error = errno;
    stopped = 1;
    if (reading >= 0)
        read_nothing();
    errno = error;
}

bool source_stopped(void)
{
    return stopped != 0;
}

void source_reading(int descriptor)
{
    reading = descriptor;
    if (stopped && descriptor >= 0)
        read_nothing();
}
