// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/replay/recorded_memory.h"

#include "rxe-harness/transport/segments.h"

#include <stdlib.h>
#include <string.h>

static struct region *of_handle(struct regions *regions, uint32_t handle)
{
    for (unsigned i = 0; i < regions->count; i++)
        if (regions->list[i].handle == handle)
            return &regions->list[i];
    return NULL;
}

static bool add(void *arg, uint8_t *segment, enum segment_list list)
{
    struct regions *regions = arg;
    uint32_t handle = rpcrdma_xdr_load32(segment);
    uint64_t length = rpcrdma_xdr_load32(segment + 4), offset = rpcrdma_xdr_load64(segment + 8);
    struct region *region = of_handle(regions, handle);
    if (offset > UINT64_MAX - length)
        return false;
    if (region == NULL) {
        if (regions->count == REQUESTER_SEGMENTS)
            return false;
        region = &regions->list[regions->count++];
        *region = (struct region){.handle = handle, .offset = offset, .length = length};
    }
    uint64_t end = region->offset + region->length;
    uint64_t first = offset < region->offset ? offset : region->offset;
    uint64_t last = offset + length > end ? offset + length : end;
    region->offset = first;
    region->length = last - first;
    region->access |= list == SEGMENT_READ ? LINK_PEER_READS : LINK_PEER_WRITES;
    return region->length <= REGIONS_OCTETS_MAX;
}

bool regions_collect(struct regions *regions, uint8_t *octets,
                     const struct rpcrdma1_chunk_lists *lists)
{
    if (!segments_each(octets, lists, add, regions))
        return false;
    for (unsigned i = 0; i < regions->count; i++) {
        struct region *region = &regions->list[i];
        regions->octets += region->length;
        if (regions->octets > REGIONS_OCTETS_MAX)
            return false;
        region->octets = calloc(1, (size_t)region->length + 1);
        if (region->octets == NULL)
            return false;
    }
    return true;
}

struct region *regions_find(struct regions *regions, uint32_t handle, uint64_t offset,
                            size_t length, uint8_t **octets)
{
    struct region *region = of_handle(regions, handle);
    if (region == NULL || region->octets == NULL || offset < region->offset ||
        offset - region->offset > region->length ||
        length > region->length - (offset - region->offset))
        return NULL;
    *octets = region->octets + (offset - region->offset);
    return region;
}

void regions_fill(struct regions *regions, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length)
{
    uint8_t *place;
    struct region *region = regions_find(regions, handle, offset, length, &place);
    if (region == NULL || length == 0)
        return;
    memcpy(place, octets, length);
    region->filled += length;
}

static bool move(void *arg, uint8_t *segment, enum segment_list list)
{
    const struct region *region = of_handle(arg, rpcrdma_xdr_load32(segment));
    (void)list;
    uint64_t inside = rpcrdma_xdr_load64(segment + 8) - region->offset;
    rpcrdma_xdr_store32(segment, region->piece.handle);
    rpcrdma_xdr_store64(segment + 8, region->piece.offset + inside);
    return true;
}

bool regions_move(struct regions *regions, struct requester *requester, uint8_t *octets,
                  const struct rpcrdma1_chunk_lists *lists)
{
    for (unsigned i = 0; i < regions->count; i++) {
        struct region *region = &regions->list[i];
        if (!requester_expose(requester, &regions->exposed, region->octets, (size_t)region->length,
                              region->access, &region->piece))
            return false;
    }
    return segments_each(octets, lists, move, regions);
}

bool regions_fetch(const struct regions *regions, uint32_t handle, uint64_t offset, uint8_t *octets,
                   size_t length)
{
    for (unsigned i = 0; i < regions->count; i++) {
        const struct region *region = &regions->list[i];
        uint64_t begin = region->piece.offset;
        if (region->piece.handle != handle || offset < begin || offset - begin > region->length ||
            length > region->length - (offset - begin))
            continue;
        if (length > 0)
            memcpy(octets, region->octets + (offset - begin), length);
        return true;
    }
    return false;
}

void regions_free(struct regions *regions, struct requester *requester)
{
    if (requester)
        requester_hide(requester, &regions->exposed);
    for (unsigned i = 0; i < regions->count; i++)
        free(regions->list[i].octets);
    *regions = (struct regions){.count = 0};
}
