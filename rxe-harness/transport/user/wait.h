// SPDX-License-Identifier: BSD-3-Clause
/* A thread that serves peers, and those who wait for it. */
#ifndef HARNESS_USER_WAIT_H
#define HARNESS_USER_WAIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A condition for wait_for(). */
bool wait_condition(pthread_cond_t *changed);
/* Wait, with the lock held, until `until`, in microseconds of the clock. False: it is over. */
bool wait_for(pthread_mutex_t *lock, pthread_cond_t *changed, int64_t until);
/* The time of the clock in that many milliseconds. */
int64_t wait_until(unsigned milliseconds);
/* What poll() takes to wait until then: milliseconds, -1 for INT64_MAX. */
int wait_poll_time(int64_t until);

/* A pipe by which a thread that polls is woken: [0] is polled. False: errno says why. */
bool wake_open(int wake[2]);
void wake_up(const int wake[2]);
void wake_clear(const int wake[2]);
void wake_close(const int wake[2]);

/* As pthread_create(); signals are for the program's own threads. Returns 0 or an error number. */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
