// SPDX-License-Identifier: BSD-3-Clause
/* The reader's account of its memory: blocks, buffers, and what is given up when there is no more.
 */
#include "conformance/input/buffer/memory.h"

#include "conformance/tests/support/captures/allocations.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_KEPT (BLOCK_SIZES * BLOCK_STEP)
#define MOST_KEPT 64

static struct memory memory;
static unsigned evictions;
static size_t given_up;

static void evict(void *arg, size_t octets)
{
    ck_assert_ptr_eq(arg, &evictions);
    ck_assert(!memory_fits(&memory, octets));
    evictions++;
    memory_return(&memory, given_up);
    given_up = 0;
}

static void setup(void)
{
    memory = (struct memory){.max = 10000, .evict = evict, .arg = &evictions};
    evictions = 0;
    given_up = 0;
}

/* Blocks of one size, until there is no more: as many as fit, all of it free again afterwards, and
 * no two of them the same. Sizes below a step, of several, and beyond those that are kept. */
START_TEST(blocks)
{
    static const size_t sizes[] = {1, 64, 65, 100, 512, 513, 3000, 10000};
    size_t size = sizes[_i];
    void *block[10000 / 64 + 1];
    for (int round = 0; round < 3; round++) {
        unsigned count = 0;
        size_t each = 0;
        for (;;) {
            void *next = memory_block(&memory, size);
            if (next == NULL)
                break;
            memset(next, (int)count, size);
            block[count++] = next;
            each = memory.used / count;
            ck_assert_uint_eq(memory.used, each * count);
        }
        ck_assert_uint_ge(each, size);
        ck_assert_uint_lt(each, size + BLOCK_STEP);
        ck_assert_uint_eq(count, 10000 / each);
        ck_assert_uint_eq(evictions, round + 1);
        for (unsigned i = 0; i < count; i++) {
            ck_assert_uint_eq(*(uint8_t *)block[i], i & 0xff);
            ck_assert_uint_eq(((uint8_t *)block[i])[size - 1], i & 0xff);
        }
        unsigned given = count;
        while (count > 0)
            memory_block_return(&memory, block[--count], size);
        ck_assert_uint_eq(memory.used, 0);
        if (allocations_counted) /* else none is kept */
            ck_assert_uint_eq(memory.spares, size > LONGEST_KEPT ? 0
                                             : given > MOST_KEPT ? MOST_KEPT
                                                                 : given);
    }
    memory_done(&memory);
    ck_assert_uint_eq(memory.spares, 0);
}
END_TEST

/* Only what does not fit makes room, and only by what it gives up. */
START_TEST(eviction)
{
    ck_assert(memory_take(&memory, 10000));
    ck_assert_uint_eq(evictions, 0);
    given_up = 499;
    ck_assert(!memory_take(&memory, 500));
    ck_assert_uint_eq(evictions, 1);
    ck_assert_uint_eq(memory.used, 9501);
    ck_assert(memory_take(&memory, 499));
    given_up = 500;
    ck_assert(memory_take(&memory, 500));
    ck_assert_uint_eq(evictions, 2);
    ck_assert_uint_eq(memory.used, 10000);
    ck_assert(!memory_take(&memory, SIZE_MAX));
}
END_TEST

/* A buffer has what was added, however it grew; it is counted, and not changed where it cannot. */
START_TEST(buffers)
{
    struct buffer buffer = {0};
    uint8_t octets[700];
    for (size_t i = 0; i < sizeof octets; i++)
        octets[i] = (uint8_t)(i * 7);
    for (size_t added = 0; added < 7 * sizeof octets; added += sizeof octets) {
        ck_assert(buffer_add(&memory, &buffer, octets, sizeof octets));
        ck_assert_uint_eq(buffer.length, added + sizeof octets);
        ck_assert_uint_eq(memory.used, buffer.capacity);
        ck_assert_uint_ge(buffer.capacity, buffer.length);
        for (size_t i = 0; i <= added; i += sizeof octets)
            ck_assert_mem_eq(buffer.octets + i, octets, sizeof octets);
    }
    ck_assert(buffer_add(&memory, &buffer, octets, 0));
    size_t length = buffer.length, used = memory.used;
    while (buffer_add(&memory, &buffer, octets, sizeof octets))
        length = buffer.length, used = memory.used;
    ck_assert_uint_eq(buffer.length, length);
    ck_assert_uint_eq(memory.used, used);
    ck_assert_uint_ge(evictions, 1);
    buffer_free(&memory, &buffer);
    ck_assert_uint_eq(memory.used, 0);
    ck_assert_uint_eq(buffer.length + buffer.capacity, 0);
}
END_TEST

/* What is there is filled to its last octet before there is more. */
START_TEST(filled)
{
    struct buffer buffer = {0};
    static const uint8_t octets[4096];
    ck_assert(buffer_add(&memory, &buffer, octets, 4000));
    size_t first = buffer.capacity;
    ck_assert(buffer_add(&memory, &buffer, octets, first - 4000));
    ck_assert_uint_eq(buffer.capacity, first);
    ck_assert(buffer_add(&memory, &buffer, octets, 1));
    ck_assert_uint_eq(buffer.capacity, 2 * first);
    ck_assert(buffer_add(&memory, &buffer, octets, first - 1));
    ck_assert_uint_eq(buffer.capacity, 2 * first);
    ck_assert_uint_eq(memory.used, 2 * first);
    buffer_free(&memory, &buffer);
}
END_TEST

/* No message is longer than MESSAGE_MAX, however much memory there is. */
START_TEST(longest)
{
    struct buffer buffer = {0};
    uint8_t *octets = calloc(1, MESSAGE_MAX);
    ck_assert_ptr_nonnull(octets);
    memory.max = (size_t)4 * MESSAGE_MAX;
    ck_assert(buffer_add(&memory, &buffer, octets, MESSAGE_MAX - 1));
    ck_assert(buffer_add(&memory, &buffer, octets, 1));
    ck_assert(!buffer_add(&memory, &buffer, octets, 1));
    ck_assert_uint_eq(buffer.length, MESSAGE_MAX);
    buffer_free(&memory, &buffer);
    ck_assert_uint_eq(memory.used, 0);
    free(octets);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("memory");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_loop_test(tests, blocks, 0, 8);
    tcase_add_test(tests, eviction);
    tcase_add_test(tests, buffers);
    tcase_add_test(tests, filled);
    tcase_add_test(tests, longest);
    return run_tests("memory of the capture reader", tests);
}
