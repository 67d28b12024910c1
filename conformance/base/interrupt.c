// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/interrupt.h"

#include "conformance/base/clock.h"
#include "conformance/base/count.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"
#include "conformance/base/stop.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* What ends a command may signal it twice at once: timeout(1) does, itself and by the group. */
#define ONE_SIGNAL_NANOSECONDS INT64_C(200000000)

static volatile sig_atomic_t caught, child;
static struct timespec first; /* when it came */
static bool settled, was_interrupted;

static bool is_first_again(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t seconds = now.tv_sec - first.tv_sec;
    return seconds * 1000000000 + now.tv_nsec - first.tv_nsec < ONE_SIGNAL_NANOSECONDS;
}

static void catch (int number)
{
    if (caught != 0) {
        if (is_first_again())
            return;
        output_abandon();
        if (child > 0)
            kill(-(pid_t)child, SIGKILL);
        signal(number, SIG_DFL);
        raise(number); /* it comes when this function returns */
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &first);
    caught = number;
    clock_end();
    source_stop();
}

void interrupt_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    /* What was begun is written on: only reading stops, by source_stop(). */
    struct sigaction action = {.sa_handler = catch, .sa_flags = SA_RESTART}, old;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        bool ignored = sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!ignored || numbers[i] != SIGHUP)
            sigaction(numbers[i], &action, NULL);
    }
}

bool interrupted(void)
{
    return settled ? was_interrupted : caught != 0;
}

bool interrupt_settle(void)
{
    was_interrupted = interrupted();
    settled = true;
    return was_interrupted;
}

void interrupt_accept(void)
{
    settled = true;
    was_interrupted = false;
}

const char *interrupt_text(void)
{
    return interrupted() ? "interrupted" : NULL;
}

void interrupt_child(pid_t leader)
{
    child = (sig_atomic_t)leader;
}

int interrupt_status(int status)
{
    if (!interrupt_settle() || status == STATUS_UNREADABLE)
        return status;
    if (caught == SIGINT) {
        signal(SIGINT, SIG_DFL);
        raise(SIGINT);
    }
    return STATUS_INTERRUPTED;
}
