// SPDX-License-Identifier: BSD-3-Clause
/* The codec written by hand, with which the bench compares: as strict as the generated one. */
#include "codec/bench/hand.h"
#include "codec/tests/support/shape.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 0x8166;

static uint32_t below(uint32_t bound)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

static ptrdiff_t any_header(uint8_t *octets, size_t room)
{
    static struct shape shape;
    struct rpcrdma1_header header;
    memset(&shape, 0, sizeof shape);
    shape.xid = below(UINT32_MAX);
    shape.version = 1;
    shape.credit = below(64);
    shape.procedure = below(4) ? below(2) : below(5);
    shape.error = 1 + below(2);
    shape.read_count = below(3);
    shape.write_count = below(3);
    for (uint32_t i = 0; i < shape.write_count; i++)
        shape.writes[i].count = below(3);
    shape.has_reply = below(2);
    shape.reply.count = shape.has_reply ? below(3) : 0;
    shape_fill(&shape, &seed);
    shape_own(&shape, &header);
    ptrdiff_t n = rpcrdma1_header_encode(octets, room, &header, NULL);
    uint8_t *again = malloc((size_t)n); /* a sanitizer sees any octet too many */
    ck_assert_int_eq(hand_encode(again, (size_t)n, &header), n);
    ck_assert_mem_eq(again, octets, (size_t)n);
    for (size_t length = 0; length < (size_t)n; length += 4)
        ck_assert_int_eq(hand_encode(again, length, &header), -1);
    free(again);
    header.rdma_body.proc = (enum rpcrdma1_proc)5;
    ck_assert_int_eq(hand_encode(octets + n, room - (size_t)n, &header), -1);
    return n;
}

static void change(uint8_t *octets, size_t length)
{
    static const uint32_t words[] = {0, 1, 2, 3, 4, 5, 0x10000000, 0x0fffffff, UINT32_MAX};
    if (length >= 4)
        rpcrdma_xdr_store32(octets + 4 * below((uint32_t)length / 4),
                            words[below(sizeof words / sizeof words[0])]);
}

START_TEST(same_answers)
{
    static uint8_t octets[4096];
    unsigned taken = 0, refused = 0;
    for (unsigned round = 0; round < 100000; round++) {
        ptrdiff_t n = any_header(octets, sizeof octets);
        ck_assert_int_ge(n, 16);
        size_t length = (size_t)n;
        for (uint32_t i = below(4); i > 0; i--)
            change(octets, length);
        if (below(4) == 0)
            length = below((uint32_t)length + 1);
        uint8_t *exact = malloc(length + 1); /* a sanitizer sees any look beyond */
        memcpy(exact + 1, octets, length);
        struct hand_view view;
        struct rpcrdma1_header header;
        ptrdiff_t own = rpcrdma1_header_decode(&header, exact + 1, length, NULL, NULL);
        ptrdiff_t hand = hand_decode(&view, exact + 1, length);
        ck_assert_int_eq(hand, own < 0 ? -1 : own);
        taken += own >= 0;
        refused += own < 0;
        free(exact);
    }
    ck_assert_uint_gt(taken, 10000);
    ck_assert_uint_gt(refused, 10000);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, same_answers);
    return run_tests("hand", all);
}
