// SPDX-License-Identifier: BSD-3-Clause
/* The memory that a checker needs, by its configuration. */
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#include <stdint.h>

static const struct {
    uint32_t calls, segments;
    bool good;
} sizes[] = {
    {1, 0, true},
    {1, 1, true},
    {256, 64, true},
    {1u << 20, 1u << 20, true},
    {0, 64, true},
    {0, 0, true},
    {(1u << 20) + 1, 64, false},
    {64, (1u << 20) + 1, false},
    {UINT32_MAX, 64, false},
    {64, UINT32_MAX, false},
};
#define SIZES COUNT(sizes)

START_TEST(size_and_init)
{
    struct rpcrdma_check_config config = {.max_calls = sizes[_i].calls,
                                          .max_segments = sizes[_i].segments};
    size_t octets = rpcrdma_check_size(&config);
    ck_assert_int_eq(octets != 0, sizes[_i].good);
    if (config.max_calls == 0) { /* 0 is the default */
        struct rpcrdma_check_config same = RPCRDMA_CHECK_CONFIG_DEFAULT;
        ck_assert_uint_eq(octets, rpcrdma_check_size(&same));
        same = (struct rpcrdma_check_config){.max_calls = 256, .max_segments = 64};
        ck_assert_uint_eq(octets, rpcrdma_check_size(&same));
    }
    if (!sizes[_i].good) {
        static max_align_t room[4096];
        ck_assert_ptr_null(rpcrdma_check_init(room, sizeof room, &config));
        return;
    }
    ck_assert_uint_eq(octets % 4, 0); /* whatever is in it is aligned */
    ck_assert_uint_lt(
        octets,
        (uint64_t)((config.max_calls ? config.max_calls : 256) + config.max_segments + 100) * 1024);
    void *memory = malloc(octets);
    ck_assert_ptr_nonnull(memory);
    memset(memory, 0x5a, octets); /* what was there does not matter */
    ck_assert_ptr_null(rpcrdma_check_init(NULL, octets, &config));
    ck_assert_ptr_null(rpcrdma_check_init(memory, octets - 1, &config));
    ck_assert_ptr_null(rpcrdma_check_init(memory, 0, &config));
    struct rpcrdma_check *check = rpcrdma_check_init(memory, octets, &config);
    ck_assert_ptr_eq(check, memory);
    struct rpcrdma_judgement judgement;
    play_judge(check, "> 7 1 32 0 0 1 1 0xa 100 0 0 0 0 call", &judgement);
    play_judge(check, "< 7 1 32 0 0 1 1 0xb 100 0 0 0 0 reply", &judgement);
    ck_assert_uint_eq(judgement.count, 1);
    free(memory);
}
END_TEST

/* Of a configuration for one Call the segments decide. */
START_TEST(size_of_segments)
{
    struct rpcrdma_check_config config = {.max_calls = 1};
    size_t octets = rpcrdma_check_size(&config), more;
    config.max_segments = 64; /* the default */
    ck_assert_uint_eq(rpcrdma_check_size(&config), octets);
    config.max_segments = 63;
    ck_assert_uint_lt(rpcrdma_check_size(&config), octets);
    config.max_segments = 65; /* and one bucket for each, by the next power of two */
    more = rpcrdma_check_size(&config);
    ck_assert_uint_gt(more, octets + 64 * sizeof(uint32_t));
    ck_assert_uint_lt(more, octets + 64 * sizeof(uint32_t) + 256);
}
END_TEST

/* Only who sees registrations has room for them: as many as for what Calls offer. */
START_TEST(size_of_registrations)
{
    struct rpcrdma_check_config config = {.max_calls = 1};
    size_t octets = rpcrdma_check_size(&config), one;
    config.registrations_seen[RPCRDMA_SERVER] = true;
    one = rpcrdma_check_size(&config);
    ck_assert_uint_gt(one, octets + 64 * 16);
    config.registrations_seen[RPCRDMA_CLIENT] = true;
    ck_assert_uint_eq(rpcrdma_check_size(&config), one);
    config.max_segments = 65;
    ck_assert_uint_gt(rpcrdma_check_size(&config), one);
}
END_TEST

/* Both sides have room for this many octets of a continued message. */
START_TEST(size_of_continued)
{
    struct rpcrdma_check_config config = {.continued_octets = 4096};
    size_t octets = rpcrdma_check_size(&config);
    config.continued_octets = 0; /* the default */
    ck_assert_uint_eq(rpcrdma_check_size(&config), octets);
    config.continued_octets = 4097;
    ck_assert_uint_eq(rpcrdma_check_size(&config), octets + 2);
    config.continued_octets = 1;
    ck_assert_uint_eq(rpcrdma_check_size(&config), octets - 2 * 4095);
    config.continued_octets = 1u << 26;
    ck_assert_uint_eq(rpcrdma_check_size(&config), octets + 2 * ((1u << 26) - 4096));
    config.continued_octets++;
    ck_assert_uint_eq(rpcrdma_check_size(&config), 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("size");
    tcase_add_loop_test(tests, size_and_init, 0, SIZES);
    tcase_add_test(tests, size_of_segments);
    tcase_add_test(tests, size_of_registrations);
    tcase_add_test(tests, size_of_continued);
    return run_tests("size", tests);
}
