// SPDX-License-Identifier: BSD-3-Clause
/*
 * The memory that each side has registered for the other, where a source reports it: one entry a
 * handle. An entry stays when its handle is invalidated, until the room is needed, so that a handle
 * that became invalid differs from one that was never seen.
 */
#ifndef CONFORMANCE_REGISTRATIONS_H
#define CONFORMANCE_REGISTRATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rpcrdma/check.h>

struct registration {
    uint64_t offset, length;
    uint64_t answers; /* of its side: beyond this many, a Call that followed it is answered */
    uint64_t user;    /* the latest Call that offered it, counted from 1; 0: none has */
    uint32_t handle;
    uint32_t number; /* of this registration, among all; never 0 */
    uint32_t next;   /* in the bucket of its handle */
    uint8_t from;    /* enum rpcrdma_endpoint */
    uint8_t access;  /* a set of enum rpcrdma_access */
    bool is_shared;  /* by one Call after the other */
    bool valid;
};

struct registrations {
    struct registration *all;
    uint32_t *buckets;
    uint32_t count, mask; /* how many there can be */
    uint32_t used, victim;
    uint32_t number;
    bool forgot[2]; /* there can be valid ones of this side that are not in it */
};

/* As many as `count` in this memory, which is laid out by the caller; `mask` + 1 buckets. */
void rpcrdma_registrations_init(struct registrations *registrations, struct registration *all,
                                uint32_t count, uint32_t *buckets, uint32_t mask);

/* The entry of this handle, valid or not; or NULL. */
struct registration *rpcrdma_registrations_find(const struct registrations *registrations,
                                                enum rpcrdma_endpoint from, uint32_t handle);

/* An entry for the handle, which is made valid under a number of its own. There must be room for
 * one at least. */
struct registration *rpcrdma_registrations_add(struct registrations *registrations,
                                               enum rpcrdma_endpoint from, uint32_t handle);

void rpcrdma_registrations_invalidate(const struct registrations *registrations,
                                      enum rpcrdma_endpoint from, uint32_t handle);

/* Some of both sides were not seen. */
void rpcrdma_registrations_gap(struct registrations *registrations);

#endif
