// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/check/core/registrations.h"

#include <string.h>

enum { NO_ENTRY = -1 };

void rpcrdma_registrations_init(struct registrations *registrations, struct registration *all,
                                uint32_t count, uint32_t *buckets, uint32_t mask)
{
    *registrations =
        (struct registrations){.all = all, .buckets = buckets, .count = count, .mask = mask};
    if (count > 0)
        memset(buckets, 0xff, ((size_t)mask + 1) * sizeof *buckets);
}

static uint32_t *bucket(const struct registrations *registrations, enum rpcrdma_endpoint from,
                        uint32_t handle)
{
    uint32_t word = handle * 0x9e3779b1u;
    return &registrations->buckets[(word ^ word >> 15 ^ (uint32_t)from) & registrations->mask];
}

struct registration *rpcrdma_registrations_find(const struct registrations *registrations,
                                                enum rpcrdma_endpoint from, uint32_t handle)
{
    if (registrations->count == 0)
        return NULL;
    uint32_t i = *bucket(registrations, from, handle);
    for (; i != (uint32_t)NO_ENTRY; i = registrations->all[i].next)
        if (registrations->all[i].handle == handle && registrations->all[i].from == from)
            return &registrations->all[i];
    return NULL;
}

/* The entries go in turn. */
static uint32_t make_room(struct registrations *registrations)
{
    uint32_t i = registrations->victim;
    registrations->victim = (i + 1) % registrations->count;
    struct registration *gone = &registrations->all[i];
    uint32_t *link = bucket(registrations, gone->from, gone->handle);
    while (*link != i)
        link = &registrations->all[*link].next;
    *link = gone->next;
    registrations->forgot[gone->from] |= gone->valid;
    return i;
}

static struct registration *take(struct registrations *registrations, enum rpcrdma_endpoint from,
                                 uint32_t handle)
{
    uint32_t i = registrations->used < registrations->count ? registrations->used++
                                                            : make_room(registrations);
    uint32_t *link = bucket(registrations, from, handle);
    registrations->all[i] =
        (struct registration){.handle = handle, .from = (uint8_t)from, .next = *link};
    *link = i;
    return &registrations->all[i];
}

struct registration *rpcrdma_registrations_add(struct registrations *registrations,
                                               enum rpcrdma_endpoint from, uint32_t handle)
{
    struct registration *entry = rpcrdma_registrations_find(registrations, from, handle);
    if (entry == NULL)
        entry = take(registrations, from, handle);
    if (++registrations->number == 0)
        registrations->number = 1;
    entry->number = registrations->number;
    entry->user = 0;
    entry->is_shared = false;
    entry->valid = true;
    return entry;
}

void rpcrdma_registrations_invalidate(const struct registrations *registrations,
                                      enum rpcrdma_endpoint from, uint32_t handle)
{
    struct registration *entry = rpcrdma_registrations_find(registrations, from, handle);
    if (entry != NULL)
        entry->valid = false;
}

void rpcrdma_registrations_gap(struct registrations *registrations)
{
    if (registrations->count > 0)
        memset(registrations->buckets, 0xff,
               ((size_t)registrations->mask + 1) * sizeof *registrations->buckets);
    registrations->used = registrations->victim = 0;
    registrations->forgot[RPCRDMA_CLIENT] = registrations->forgot[RPCRDMA_SERVER] = true;
}
