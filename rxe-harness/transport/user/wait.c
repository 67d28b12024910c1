// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/wait.h"

#include "conformance/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define PIECE INT64_C(100000) /* microseconds */

bool wait_condition(pthread_cond_t *changed)
{
    pthread_condattr_t attributes;
    bool good = pthread_condattr_init(&attributes) == 0 &&
                pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(changed, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return good;
}

/* In pieces: a signal that ends all waiting (clock_end()) does not wake us. */
bool wait_for(pthread_mutex_t *lock, pthread_cond_t *changed, int64_t until)
{
    struct timespec time;
    int64_t left = until - clock_microseconds();
    if (left <= 0)
        return false;
    int64_t piece = left < PIECE ? left : PIECE;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += (long)(piece * 1000);
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(changed, lock, &time) != ETIMEDOUT || piece < left;
}

int64_t wait_until(unsigned milliseconds)
{
    return clock_microseconds() + (int64_t)milliseconds * 1000;
}

int wait_poll_time(int64_t until)
{
    int64_t left = until - clock_microseconds();
    return until == INT64_MAX       ? -1
           : left <= 0              ? 0
           : left / 1000 >= INT_MAX ? INT_MAX
                                    : (int)(left / 1000) + 1;
}

bool wake_open(int wake[2])
{
    if (pipe(wake) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(wake[i], F_SETFD, FD_CLOEXEC);
        fcntl(wake[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

void wake_up(const int wake[2])
{
    ssize_t done = write(wake[1], "", 1); /* a full pipe wakes as well */
    (void)done;
}

void wake_clear(const int wake[2])
{
    char octets[64];
    while (read(wake[0], octets, sizeof octets) > 0)
        ;
}

void wake_close(const int wake[2])
{
    for (int i = 0; i < 2; i++)
        if (wake[i] >= 0)
            close(wake[i]);
}

int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int status = pthread_create(thread, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}
