// SPDX-License-Identifier: BSD-3-Clause
/*
 * Elements copied at once are those read one by one: for every count up to 40, at every alignment,
 * for every number asked for, and nothing beyond them is written. Encoded ones are back again. Uses
 * no library of tests, for dist_test.sh compiles it for other machines.
 */
#include <rpcrdma/rpcrdma1.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static void verdict(int holds, const char *what, uint32_t count, uint32_t max)
{
    if (holds)
        return;
    printf("not ok: %s: %u of %u\n0 passed, 1 failed, 0 skipped\n", what, (unsigned)max,
           (unsigned)count);
    exit(1);
}

/* `octets` octets of which the sanitizer knows both ends, `shift` past an aligned place. */
static uint8_t *any_octets(size_t octets, size_t shift)
{
    static uint32_t seed = 8166;
    uint8_t *p = malloc(octets + shift);
    if (p == NULL)
        abort();
    for (size_t i = 0; i < octets + shift; i++)
        p[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
    return p;
}

static void segments(uint32_t count, uint32_t max, size_t shift)
{
    uint8_t *octets = any_octets(count * (size_t)RPCRDMA1_SEGMENT_SIZE, shift);
    struct rpcrdma1_segment_array span;
    span.wire = octets + shift;
    span.count = count;
    span.octets = count * RPCRDMA1_SEGMENT_SIZE;
    struct rpcrdma1_segment *items = malloc((max + 1) * sizeof *items), one, guard;
    if (items == NULL)
        abort();
    memset(&guard, 0xa5, sizeof guard);
    memcpy(&items[max], &guard, sizeof guard);
    int holds = rpcrdma1_segment_array_copy(&span, items, max) == (count < max ? count : max) &&
                memcmp(&items[max], &guard, sizeof guard) == 0;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(&span);
    for (uint32_t i = 0; i < max && rpcrdma1_segment_array_next(&iter, &one); i++)
        holds = holds && items[i].handle == one.handle && items[i].length == one.length &&
                items[i].offset == one.offset;
    verdict(holds, "segments", count, max);
    free(items);
    free(octets);
}

static void reads(uint32_t count, uint32_t max, size_t shift)
{
    uint8_t *octets = any_octets(count * (size_t)RPCRDMA1_READ_LIST_ENTRY_SIZE + 4, shift);
    struct rpcrdma1_read_list span;
    span.wire = octets + shift;
    span.count = count;
    span.octets = count * RPCRDMA1_READ_LIST_ENTRY_SIZE + 4;
    struct rpcrdma1_read_segment *items = malloc((max + 1) * sizeof *items), one, guard;
    if (items == NULL)
        abort();
    memset(&guard, 0xa5, sizeof guard);
    memcpy(&items[max], &guard, sizeof guard);
    int holds = rpcrdma1_read_list_copy(&span, items, max) == (count < max ? count : max) &&
                memcmp(&items[max], &guard, sizeof guard) == 0;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&span);
    for (uint32_t i = 0; i < max && rpcrdma1_read_list_next(&iter, &one); i++)
        holds = holds && items[i].position == one.position &&
                items[i].target.handle == one.target.handle &&
                items[i].target.length == one.target.length &&
                items[i].target.offset == one.target.offset;
    verdict(holds, "entries of a Read list", count, max);
    free(items);
    free(octets);
}

/* Encoding copies many segments at once, too: with no octet less of room. */
static void encoded(uint32_t count)
{
    uint8_t *octets = any_octets(count * (size_t)RPCRDMA1_SEGMENT_SIZE, 0);
    struct rpcrdma1_segment_array span;
    span.wire = octets;
    span.count = count;
    span.octets = count * RPCRDMA1_SEGMENT_SIZE;
    struct rpcrdma1_segment *items = malloc(count * sizeof *items);
    if (items == NULL)
        abort();
    rpcrdma1_segment_array_copy(&span, items, count);
    struct rpcrdma1_header header = {.rdma_vers = 1};
    header.rdma_body.rdma_msg.rdma_reply.present = true;
    header.rdma_body.rdma_msg.rdma_reply.value.target.items = items;
    header.rdma_body.rdma_msg.rdma_reply.value.target.count = count;
    size_t length = RPCRDMA1_MSG_SIZE_MIN + 4 + span.octets;
    uint8_t *room = any_octets(length, 0);
    verdict(rpcrdma1_header_encode(room, length, &header, NULL) == (ptrdiff_t)length &&
                memcmp(room + length - span.octets, octets, span.octets) == 0,
            "segments encoded", count, count);
    verdict(rpcrdma1_header_encode(room, length - 1, &header, NULL) == RPCRDMA_XDR_E_SPACE,
            "segments without room", count, count);
    free(room);
    free(items);
    free(octets);
}

int main(void)
{
    for (uint32_t count = 1; count <= 3 * MOST; count++)
        encoded(count);
    for (uint32_t count = 1; count <= MOST; count++)
        for (uint32_t max = 0; max <= count + 1; max++)
            for (size_t shift = 0; shift < 17; shift += 1 + (count > 12) * 6) {
                segments(count, max, shift);
                reads(count, max, shift);
            }
    puts("3 passed, 0 failed, 0 skipped");
    return 0;
}
