// SPDX-License-Identifier: BSD-3-Clause
/* Which processors copy by vectors: those with AVX2 whose system saves its registers. This one is
 * asked as well, and the compiler's own answer compared. */
#include "codec/copy.c"
#include "codec/tests/support/run_suite.h"

#include <check.h>

#if HAS_VECTORS
#include <cpuid.h>

/* A processor that is made up: its highest leaf, and what it answers. */
static struct {
    uint32_t leaves, features, extended, saved;
} made;

static uint32_t answer(uint32_t leaf, char which)
{
    ck_assert_uint_le(leaf, made.leaves);
    if (leaf == 0)
        return which == 'a' ? made.leaves : 0x756e6547;
    if (leaf == 1)
        return which == 'c' ? made.features : 0;
    ck_assert_uint_eq(leaf, 7);
    return which == 'b' ? made.extended : 0;
}

static uint32_t answer_saved(void)
{
    ck_assert(made.features & 0x08000000); /* or the instruction is invalid */
    return made.saved;
}

static bool finds(uint32_t leaves, uint32_t features, uint32_t extended, uint32_t saved)
{
    made.leaves = leaves;
    made.features = features;
    made.extended = extended;
    made.saved = saved;
    return find_avx2(answer, answer_saved);
}

/* The numbers are those of Intel's manual, volume 1, 14.3 and 14.7.1. */
START_TEST(made_up)
{
    const uint32_t osxsave = 0x08000000, avx2 = 0x20, all = UINT32_MAX;
    ck_assert(finds(7, osxsave, avx2, 6));
    ck_assert(finds(0x20, all, all, all));
    ck_assert(finds(8, osxsave, avx2, 7));
    ck_assert(!finds(6, all, all, all));
    ck_assert(!finds(1, all, all, all));
    ck_assert(!finds(7, all & ~osxsave, all, all));
    ck_assert(!finds(7, all, all & ~avx2, all));
    ck_assert(!finds(7, all, all, 0));
    ck_assert(!finds(7, all, all, 2));
    ck_assert(!finds(7, all, all, 4));
    ck_assert(!finds(7, all, all, all & ~2u));
    ck_assert(!finds(7, all, all, all & ~4u));
    ck_assert(!finds(7, 0, 0, 0));
}
END_TEST

START_TEST(this_one)
{
    unsigned a, b, c, d;
    ck_assert_int_eq(__get_cpuid(0, &a, &b, &c, &d), 1);
    ck_assert_uint_eq(cpuid(0, 'a'), a);
    ck_assert_uint_eq(cpuid(0, 'b'), b);
    ck_assert_uint_eq(cpuid(0, 'c'), c);
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        ck_assert_uint_eq(cpuid(7, 'b'), b);
    uint8_t wire[24] = {0}, to[24];
    bool has = __builtin_cpu_supports("avx2") != 0;
    ck_assert_int_eq(find_avx2(cpuid, xgetbv), has);
    rpcrdma_xdr_copy_16(to, wire, 1);
    ck_assert(copy_16 == (has ? copy_16_by_vectors : copy_16_plainly));
    ck_assert(copy_24 == (has ? copy_24_by_vectors : copy_24_plainly));
    copy_16 = find_16, copy_24 = find_24;
    rpcrdma_xdr_copy_24(to, wire, 1);
    ck_assert(copy_16 == (has ? copy_16_by_vectors : copy_16_plainly));
    ck_assert(copy_24 == (has ? copy_24_by_vectors : copy_24_plainly));
}
END_TEST

#endif

int main(void)
{
    Suite *suite = suite_create("processors");
#if HAS_VECTORS
    TCase *tests = tcase_create("processors");
    tcase_add_test(tests, made_up);
    tcase_add_test(tests, this_one);
    suite_add_tcase(suite, tests);
#endif
    return run_suite(suite);
}
