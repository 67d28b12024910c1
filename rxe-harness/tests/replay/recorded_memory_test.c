// SPDX-License-Identifier: BSD-3-Clause
/* The memory that a recorded Send offered, as it is made again. */
#include "rxe-harness/replay/recorded_memory.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

static struct regions regions;
static uint8_t octets[512];

/* Two Read segments and one of a Write chunk; `handle`: of the Write chunk. */
static void collect(uint32_t handle)
{
    const struct rpcrdma1_read_segment reads[] = {
        {.position = 44, .target = {.handle = 7, .length = 100, .offset = 1000}},
        {.position = 44, .target = {.handle = 7, .length = 50, .offset = 1100}}};
    const struct rpcrdma1_segment segment = {.handle = handle, .length = 30, .offset = 1200};
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = &segment, .count = 1}};
    const struct rpcrdma1_header made = {
        .rdma_xid = 1,
        .rdma_vers = 1,
        .rdma_credit = 1,
        .rdma_body = {.proc = RPCRDMA1_MSG,
                      .rdma_msg = {.rdma_reads = {.items = reads, .count = 2},
                                   .rdma_writes = {.items = &chunk, .count = 1}}}};
    struct rpcrdma1_header header;
    ptrdiff_t length = rpcrdma1_header_encode(octets, sizeof octets, &made, NULL);
    ck_assert_int_gt(length, 0);
    ck_assert_int_eq(rpcrdma1_header_decode(&header, octets, (size_t)length, NULL, NULL), length);
    regions = (struct regions){.count = 0};
    ck_assert(regions_collect(&regions, octets, rpcrdma1_chunks(&header)));
}

/* Segments of one handle are one region, for all that any of them is offered for. */
START_TEST(segments_share_a_region)
{
    collect(7);
    ck_assert_uint_eq(regions.count, 1);
    ck_assert_uint_eq(regions.list[0].offset, 1000);
    ck_assert_uint_eq(regions.list[0].length, 230);
    ck_assert_uint_eq(regions.octets, 230);
    ck_assert_uint_eq(regions.list[0].access, LINK_PEER_READS | LINK_PEER_WRITES);
    regions_free(&regions, NULL);
    collect(8);
    ck_assert_uint_eq(regions.count, 2);
    ck_assert_uint_eq(regions.octets, 180);
    ck_assert_uint_eq(regions.list[0].access, LINK_PEER_READS);
    ck_assert_uint_eq(regions.list[1].access, LINK_PEER_WRITES);
    regions_free(&regions, NULL);
}
END_TEST

/* What is put there adds up, and lies where it was; what goes beyond does not count. */
START_TEST(regions_are_filled)
{
    static const uint8_t content[150] = {1, 2, 3, [149] = 4}, zeros[80];
    uint8_t *place;
    collect(7);
    regions_fill(&regions, 7, 1000, content, 100);
    ck_assert_uint_eq(regions.list[0].filled, 100);
    regions_fill(&regions, 7, 1100, content + 100, 50);
    ck_assert_uint_eq(regions.list[0].filled, 150);
    regions_fill(&regions, 7, 1229, content, 2);
    regions_fill(&regions, 7, 999, content, 1);
    regions_fill(&regions, 9, 1000, content, 1);
    ck_assert_uint_eq(regions.list[0].filled, 150);
    ck_assert_ptr_nonnull(regions_find(&regions, 7, 1000, 230, &place));
    ck_assert_mem_eq(place, content, 150);
    ck_assert_mem_eq(place + 150, zeros, 80);
    ck_assert_ptr_null(regions_find(&regions, 7, 1000, 231, &place));
    ck_assert_ptr_nonnull(regions_find(&regions, 7, 1230, 0, &place));
    ck_assert_ptr_null(regions_find(&regions, 7, 1231, 0, &place));
    regions_free(&regions, NULL);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("recorded memory");
    tcase_add_test(tests, segments_share_a_region);
    tcase_add_test(tests, regions_are_filled);
    return run_tests("recorded memory", tests);
}
