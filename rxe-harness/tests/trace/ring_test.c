// SPDX-License-Identifier: BSD-3-Clause
/* Pages of a ring are walked to their end, whatever they hold. */
#include "rxe-harness/trace/ring.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char format_text[] =
    "name: received\nID: 1773\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
    "\tfield:u8 length;\toffset:8;\tsize:1;\tsigned:0;\n"
    "\tfield:u64 octets0[];\toffset:9;\tsize:512;\tsigned:0;\n\nprint fmt: \"(%lx)\"\n";

static uint8_t page[4096];
static size_t used;

static void set_commit(uint64_t flags)
{
    uint64_t commit = (used - 16) | flags;
    memcpy(page + 8, &commit, sizeof commit);
}

static void begin_page(uint64_t time)
{
    memset(page, 0, sizeof page);
    memcpy(page, &time, sizeof time);
    used = 16;
}

static void put_word(uint32_t word)
{
    memcpy(page + used, &word, sizeof word);
    used += sizeof word;
}

static void put_record(unsigned type, uint32_t delta, const void *octets, size_t length)
{
    put_word(delta << 5 | type);
    if (type == 0)
        put_word((uint32_t)length + 4);
    memcpy(page + used, octets, length);
    used += (length + 3) / 4 * 4;
}

/* Walk; returns how many records there were, or -1 if it is broken. */
static int walk(size_t length, uint64_t *time)
{
    struct ring_page at;
    const uint8_t *record;
    size_t size;
    bool broken;
    int count = 0;
    uint8_t *copy = malloc(length > 0 ? length : 1); /* so that sanitizers see its end */
    memcpy(copy, page, length);
    if (!ring_page_begin(&at, copy, length)) {
        free(copy);
        return -1;
    }
    while (ring_page_next(&at, &record, &size, &broken)) {
        ck_assert(record >= copy);
        ck_assert_uint_le(size, length);
        ck_assert_uint_le((size_t)(record - copy) + size, length);
        *time = at.time;
        count++;
    }
    free(copy);
    return broken ? -1 : count;
}

START_TEST(reads_a_format)
{
    struct ring_format format;
    ck_assert(ring_format_read(&format, format_text));
    ck_assert_uint_eq(format.id, 1773);
    ck_assert_uint_eq(format.count, 4);
    const struct ring_field *octets = ring_format_find(&format, "octets0");
    ck_assert_ptr_nonnull(octets);
    ck_assert_uint_eq(octets->offset, 9);
    ck_assert_uint_eq(octets->size, 512);
    ck_assert_ptr_null(ring_format_find(&format, "octets"));
}
END_TEST

START_TEST(refuses_what_is_no_format)
{
    static const char *const bad[] = {
        "",
        "ID: 1\n",
        "\tfield:int a;\toffset:0;\tsize:4;\n",
        "ID: 1\n\tfield:int a\n",
        "ID: 1\n\tfield:int a;\tsize:4;\n",
        "ID: 1\n\tfield:int a;\toffset:;\tsize:4;\n",
        "ID: 1\n\tfield:int a;\toffset:0;\tsize:99999999999;\n",
        "ID: 1\n\tfield:int ;\toffset:0;\tsize:4;\n",
        "ID: 1\n\tfield:int a234567890123456789012345678901234567890;\toffset:0;\tsize:4;\n",
    };
    struct ring_format format;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!ring_format_read(&format, bad[i]), "%s", bad[i]);
}
END_TEST

START_TEST(takes_numbers_within_the_record)
{
    static const uint8_t record[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct ring_field field = {"x", 4, 4};
    uint64_t value;
    ck_assert(ring_number(&field, record, 8, &value));
    ck_assert(!ring_number(&field, record, 7, &value));
    field.size = 3;
    ck_assert(!ring_number(&field, record, 8, &value));
    field = (struct ring_field){"x", SIZE_MAX, 2};
    ck_assert(!ring_number(&field, record, 8, &value));
    ck_assert(!ring_number(NULL, record, 8, &value));
}
END_TEST

START_TEST(walks_a_page)
{
    static const uint8_t octets[200] = {0xed, 6};
    uint64_t time = 0;
    begin_page(1000);
    put_record(2, 5, octets, 8);
    put_word(3u << 5 | 30); /* the time goes on by 1 << 27 | 3 */
    put_word(1);
    put_record(0, 7, octets, 130);
    put_word(1u << 5 | 29); /* a record that was given back */
    put_word(8);
    put_word(0);
    put_record(1, 1, octets, 4);
    set_commit(0);
    ck_assert_int_eq(walk(sizeof page, &time), 3);
    ck_assert_uint_eq(time, 1000 + 5 + (1u << 27) + 3 + 7 + 1 + 1);
}
END_TEST

START_TEST(counts_what_was_lost)
{
    static const uint8_t octets[8] = {0};
    static const uint64_t lost = 42;
    struct ring_page at;
    begin_page(1);
    put_record(2, 0, octets, 8);
    memcpy(page + used, &lost, sizeof lost);
    set_commit(0xc0000000u);
    ck_assert(ring_page_begin(&at, page, sizeof page));
    ck_assert(at.lost);
    ck_assert_uint_eq(at.count, 42);
    set_commit(0x80000000u);
    ck_assert(ring_page_begin(&at, page, sizeof page));
    ck_assert(at.lost);
    ck_assert_uint_eq(at.count, 0);
    set_commit(0);
    ck_assert(ring_page_begin(&at, page, sizeof page));
    ck_assert(!at.lost);
}
END_TEST

/* Each way in which a page can end in a record, and lengths that lie. */
START_TEST(stays_in_the_page)
{
    static const uint8_t octets[64] = {0};
    static const uint32_t lies[] = {0, 3, 61, 0xffffffffu};
    uint64_t time;
    begin_page(0);
    for (size_t length = 0; length < 16; length++)
        ck_assert_int_eq(walk(length, &time), -1);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        begin_page(0);
        put_word(0);
        put_word(lies[i]);
        used += 52;
        set_commit(0);
        ck_assert_int_eq(walk(used, &time), -1);
    }
    begin_page(0);
    put_record(0, 0, octets, 40);
    for (size_t whole = used; used > 16; used--) {
        set_commit(0);
        ck_assert_int_eq(walk(used, &time), used == whole ? 1 : -1);
    }
    begin_page(0);
    put_record(2, 0, octets, 8);
    set_commit(0);
    struct ring_page at;
    ck_assert(ring_page_begin(&at, page, used));
    ck_assert(!ring_page_begin(&at, page, used - 1));
}
END_TEST

/* Pages of chance. */
START_TEST(walks_what_nobody_made)
{
    uint64_t time;
    uint32_t state = 1;
    for (unsigned round = 0; round < 20000; round++) {
        begin_page(0);
        while (used < 256) {
            state = state * 1664525u + 1013904223u;
            put_word(round % 2 ? state >> 8 : state >> 24);
        }
        set_commit(0);
        walk(used, &time);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ring");
    TCase *tests = tcase_create("pages");
    tcase_add_test(tests, reads_a_format);
    tcase_add_test(tests, refuses_what_is_no_format);
    tcase_add_test(tests, takes_numbers_within_the_record);
    tcase_add_test(tests, walks_a_page);
    tcase_add_test(tests, counts_what_was_lost);
    tcase_add_test(tests, stays_in_the_page);
    tcase_add_test(tests, walks_what_nobody_made);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
