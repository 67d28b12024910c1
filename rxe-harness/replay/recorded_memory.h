// SPDX-License-Identifier: BSD-3-Clause
/*
 * The memory that a recorded Send offers, made anew: one region for each handle, so that segments
 * which lay beside or over each other do so again.
 */
#ifndef HARNESS_REGIONS_H
#define HARNESS_REGIONS_H

#include "rxe-harness/requester/requester.h"

#include <rpcrdma/rpcrdma.h>

#define REGIONS_OCTETS_MAX ((uint64_t)4 << 20) /* of one Send */

struct region {
    uint32_t handle; /* as recorded */
    uint64_t offset, length;
    unsigned access; /* enum link_access */
    uint8_t *octets;
    uint64_t filled;          /* octets, one put there twice counts twice */
    struct link_memory piece; /* as it is now */
};

struct regions {
    struct region list[REQUESTER_SEGMENTS];
    unsigned count;
    struct requester_memory exposed;
    uint64_t octets;
};

/* What the header offers. False: more than there is room for. The regions are all zeros. */
bool regions_collect(struct regions *regions, uint8_t *octets,
                     const struct rpcrdma1_chunk_lists *lists);
/* What the recorded peer read there is put there again. */
void regions_fill(struct regions *regions, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length);
/* The region of a recorded handle that has these octets, and where they are; or NULL. */
struct region *regions_find(struct regions *regions, uint32_t handle, uint64_t offset,
                            size_t length, uint8_t **octets);
/* Register all, and move the segments in the header there. False: no resources. */
bool regions_move(struct regions *regions, struct requester *requester, uint8_t *octets,
                  const struct rpcrdma1_chunk_lists *lists);
/* What is there now, at a place of today. False: it is not among these. */
bool regions_fetch(const struct regions *regions, uint32_t handle, uint64_t offset, uint8_t *octets,
                   size_t length);
void regions_free(struct regions *regions, struct requester *requester);

#endif
