// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/wire.h"
#include "conformance/base/count.h"

#include <pthread.h>
#include <string.h>
#include <sys/random.h>

#define MILLION 1000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wire_faults set_faults;
static bool is_set;
static uint64_t state;

/* splitmix64 */
static uint64_t draw(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void wire_set(const struct wire_faults *faults)
{
    pthread_mutex_lock(&lock);
    is_set = faults != NULL;
    set_faults = faults ? *faults : (struct wire_faults){0};
    state = set_faults.seed;
    pthread_mutex_unlock(&lock);
}

enum wire_fault wire_next(void)
{
    enum wire_fault fault = WIRE_NONE;
    pthread_mutex_lock(&lock);
    if (is_set) {
        const uint32_t chances[] = {set_faults.loss, set_faults.duplicate, set_faults.reorder,
                                    set_faults.damage};
        uint64_t at = draw() % MILLION;
        for (size_t i = 0; fault == WIRE_NONE && i < COUNT(chances); i++) {
            if (at < chances[i])
                fault = (enum wire_fault)(WIRE_LOSS + i);
            at -= at < chances[i] ? 0 : chances[i];
        }
    }
    pthread_mutex_unlock(&lock);
    return fault;
}

/* ---- who looks on ---- */

static pthread_mutex_t watching = PTHREAD_MUTEX_INITIALIZER;
static wire_watcher *watcher;
static void *watcher_arg;

void wire_watch(wire_watcher *set, void *arg)
{
    pthread_mutex_lock(&watching);
    watcher = set;
    watcher_arg = arg;
    pthread_mutex_unlock(&watching);
}

bool wire_is_watched(void)
{
    pthread_mutex_lock(&watching);
    bool is = watcher != NULL;
    pthread_mutex_unlock(&watching);
    return is;
}

void wire_seen(const uint8_t *packet, size_t length)
{
    pthread_mutex_lock(&watching);
    if (watcher)
        watcher(watcher_arg, packet, length);
    pthread_mutex_unlock(&watching);
}

/* ---- chance ---- */

void wire_random(void *octets, size_t length)
{
    uint8_t *at = octets;
    pthread_mutex_lock(&lock);
    bool seeded = is_set;
    for (size_t i = 0; seeded && i < length; i++)
        at[i] = (uint8_t)draw();
    pthread_mutex_unlock(&lock);
    while (!seeded && length > 0) {
        ssize_t got = getrandom(at, length, 0);
        at += got > 0 ? got : 0;
        length -= got > 0 ? (size_t)got : 0;
    }
}
