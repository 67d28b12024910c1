// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/wire.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/random.h>

#define MILLION 1000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wire_faults set_faults;
static bool is_set;
static uint64_t state;
static atomic_uint deaths;

/* splitmix64 */
static uint64_t draw(uint64_t *from)
{
    uint64_t z = *from += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void wire_set(const struct wire_faults *faults)
{
    pthread_mutex_lock(&lock);
    is_set = faults != NULL;
    set_faults = faults ? *faults : (struct wire_faults){.seed = 0};
    state = set_faults.seed;
    pthread_mutex_unlock(&lock);
}

bool wire_is_set(void)
{
    return is_set;
}

uint32_t wire_delay(void)
{
    return set_faults.delay;
}

uint32_t wire_mtu(void)
{
    return set_faults.mtu;
}

void wire_begin(struct wire_chance *chance)
{
    pthread_mutex_lock(&lock);
    chance->state = is_set ? draw(&state) : 0;
    pthread_mutex_unlock(&lock);
}

enum wire_fault wire_next(struct wire_chance *chance)
{
    uint64_t at = is_set ? draw(&chance->state) % MILLION : MILLION;
    for (int i = 0; i < WIRE_PACKET_FAULTS; i++) {
        if (at < set_faults.rate[i])
            return (enum wire_fault)i;
        at -= set_faults.rate[i];
    }
    return WIRE_NONE;
}

bool wire_happens(struct wire_chance *chance, enum wire_fault fault)
{
    return is_set && set_faults.rate[fault] > 0 &&
           draw(&chance->state) % MILLION < set_faults.rate[fault];
}

uint32_t wire_below(struct wire_chance *chance, uint32_t limit)
{
    return (uint32_t)(draw(&chance->state) % limit);
}

void wire_died(void)
{
    atomic_fetch_add(&deaths, 1);
}

unsigned wire_deaths(void)
{
    return atomic_load(&deaths);
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
        at[i] = (uint8_t)draw(&state);
    pthread_mutex_unlock(&lock);
    while (!seeded && length > 0) {
        ssize_t got = getrandom(at, length, 0);
        at += got > 0 ? got : 0;
        length -= got > 0 ? (size_t)got : 0;
    }
}
