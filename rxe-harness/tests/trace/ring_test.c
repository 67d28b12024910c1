// SPDX-License-Identifier: BSD-3-Clause
/* Pages of a ring are walked to their end, whatever they hold. */
#include "rxe-harness/trace/ring.h"

#include "rxe-harness/tests/support/links/page_stage.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format_text[] =
    "name: received\nID: 1773\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
    "\tfield:u8 length;\toffset:8;\tsize:1;\tsigned:0;\n"
    "\tfield:u64 octets0[];\toffset:9;\tsize:512;\tsigned:0;\n\nprint fmt: \"(%lx)\"\n";

static struct {
    size_t length;
    uint8_t first; /* octet */
    uint64_t time;
} walked[8];

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
        ck_assert(!broken);
        if (count < 8) {
            walked[count].length = size;
            walked[count].first = size > 0 ? record[0] : 0;
            walked[count].time = at.time;
        }
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
    ck_assert(ring_format_read(&format, "a b\nID: 1\n\tfield:plain;\toffset:4;\tsize:2;\n"));
    ck_assert_uint_eq(ring_format_find(&format, "plain")->offset, 4);
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
        "ID: 1\n\tfield:int a;\toffset:0;\tsize:65537;\n",
        "ID: 1\n\tfield:int a;\toffset:0;\tsize:4\n",
        "ID: 1\n\tfield:int a;\toffset:0\n\tfield:int b;\toffset:4;\tsize:4;\n",
        "ID: 1\n\tfield:int ;\toffset:0;\tsize:4;\n",
        "ID: 1\n\tfield:int a234567890123456789012345678901234567890;\toffset:0;\tsize:4;\n",
    };
    struct ring_format format;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!ring_format_read(&format, bad[i]), "%s", bad[i]);
}
END_TEST

/* As many fields as there is room for, with names that long, at places that far. */
START_TEST(reads_a_format_to_its_limits)
{
    static char text[RING_FIELDS * 80 + 200];
    for (unsigned fields = RING_FIELDS; fields <= RING_FIELDS + 1; fields++) {
        struct ring_format format;
        size_t at = (size_t)sprintf(text, "ID: 7\n");
        for (unsigned i = 0; i < fields; i++)
            at += (size_t)sprintf(text + at, "\tfield:u64 *a%030u;\toffset:%u;\tsize:65536;\n", i,
                                  i * 8);
        ck_assert_int_eq(ring_format_read(&format, text), fields == RING_FIELDS);
        ck_assert_uint_eq(format.count, RING_FIELDS);
        char name[40];
        sprintf(name, "a%030u", RING_FIELDS - 1);
        const struct ring_field *last = ring_format_find(&format, name);
        ck_assert_ptr_nonnull(last);
        ck_assert_uint_eq(last->offset, 8 * (RING_FIELDS - 1));
        ck_assert_uint_eq(last->size, 65536);
    }
}
END_TEST

START_TEST(takes_numbers_within_the_record)
{
    static const uint8_t record[16] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    struct ring_field field;
    uint64_t value, expected = 0;
    for (size_t size = 1; size <= 8; size++) {
        field = (struct ring_field){"x", 8 - size, size};
        expected = expected << 8 | 9;
        bool is_number = (size & (size - 1)) == 0;
        ck_assert_int_eq(ring_number(&field, record, 8, &value), is_number);
        ck_assert(!is_number || value == expected);
        ck_assert(!ring_number(&field, record, 7, &value));
    }
    unsigned id;
    ck_assert(ring_record_id(record, 2, &id));
    ck_assert_uint_eq(id, 0x0909);
    ck_assert(!ring_record_id(record, 1, &id));
    field = (struct ring_field){"x", 4, 4};
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
    page_begin(1000);
    page_record(2, 5, octets, 8);
    page_word(3u << 5 | 30); /* the time goes on by 75 << 27 | 3, ten seconds */
    page_word(75);
    page_record(0, 7, octets, 130);
    page_word(1u << 5 | 29); /* a record that was given back */
    page_word(8);
    page_word(0);
    page_record(1, 1, octets, 4);
    page_commit(0);
    ck_assert_int_eq(walk(sizeof page, &time), 3);
    ck_assert_uint_eq(time, 1000 + 5 + (UINT64_C(75) << 27) + 3 + 7 + 1 + 1);
}
END_TEST

/* Each has its octets and its time; what follows the end of a page is nothing. */
START_TEST(records_are_whole)
{
    uint8_t octets[120];
    uint64_t time = 0;
    const uint64_t high = UINT64_C(0x0800000000000000);
    page_begin(high | 1000);
    memset(octets, 1, sizeof octets);
    page_record(1, 1, octets, 4);
    memset(octets, 2, sizeof octets);
    page_record(28, 0, octets, 112);
    memset(octets, 3, sizeof octets);
    page_record(0, 4, octets, 113);
    page_word(7u << 5 | 31); /* the time is 2 << 27 | 7, but for the highest bits */
    page_word(2);
    memset(octets, 4, sizeof octets);
    page_record(0, 0x7ffffff, octets, 0);
    page_record(2, 0, octets, 8);
    page_word(29); /* nothing more */
    page_record(2, 0, octets, 8);
    page_commit(0);
    static const size_t lengths[] = {4, 112, 113, 0, 8};
    const uint64_t stamp = high | (2u << 27) | 7, times[] = {high + 1001, high + 1001, high + 1005,
                                                             stamp + 0x7ffffff, stamp + 0x7ffffff};
    static const uint8_t firsts[] = {1, 2, 3, 0, 4};
    ck_assert_int_eq(walk(sizeof page, &time), 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(walked[i].length, lengths[i]);
        ck_assert_uint_eq(walked[i].first, firsts[i]);
        ck_assert_uint_eq(walked[i].time, times[i]);
    }
}
END_TEST

START_TEST(counts_what_was_lost)
{
    static const uint8_t octets[8] = {0};
    static const uint64_t lost = 42;
    struct ring_page at;
    page_begin(1);
    page_record(2, 0, octets, 8);
    memcpy(page + page_used, &lost, sizeof lost);
    page_commit(PAGE_COUNTED);
    ck_assert(ring_page_begin(&at, page, sizeof page));
    ck_assert(at.lost);
    ck_assert_uint_eq(at.count, 42);
    ck_assert(ring_page_begin(&at, page, page_used + 8));
    ck_assert_uint_eq(at.count, 42);
    ck_assert(ring_page_begin(&at, page, page_used + 7)); /* no room for it */
    ck_assert(at.lost);
    ck_assert_uint_eq(at.count, 0);
    page_commit(PAGE_COUNTED & ~PAGE_LOST);
    ck_assert(ring_page_begin(&at, page, sizeof page));
    ck_assert(!at.lost);
    ck_assert_uint_eq(at.count, 0);
    page_commit(PAGE_LOST);
    ck_assert(ring_page_begin(&at, page, sizeof page));
    ck_assert(at.lost);
    ck_assert_uint_eq(at.count, 0);
    page_commit(0);
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
    page_begin(0);
    for (size_t length = 0; length < 16; length++)
        ck_assert_int_eq(walk(length, &time), -1);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        page_begin(0);
        page_word(0);
        page_word(lies[i]);
        page_used += 52;
        page_commit(0);
        ck_assert_int_eq(walk(page_used, &time), -1);
    }
    page_begin(0);
    page_record(0, 0, octets, 40);
    for (size_t whole = page_used; page_used > 16; page_used--) {
        page_commit(0);
        ck_assert_int_eq(walk(page_used, &time), page_used == whole ? 1 : -1);
    }
    page_begin(0);
    page_record(2, 0, octets, 8);
    page_commit(0);
    struct ring_page at;
    ck_assert(ring_page_begin(&at, page, page_used));
    ck_assert(!ring_page_begin(&at, page, page_used - 1));
}
END_TEST

/* Two words, whose second is in the page, or after its end. */
START_TEST(the_second_word_belongs_to_it)
{
    static const unsigned types[] = {30, 31, 0};
    uint64_t time;
    for (size_t i = 0; i < 3; i++) {
        page_begin(0);
        page_word(1u << 5 | types[i]);
        page_word(4);
        page_commit(0);
        ck_assert_int_eq(walk(page_used, &time), types[i] == 0);
        page_used -= 4;
        page_commit(0);
        ck_assert_int_eq(walk(page_used + 4, &time), -1);
    }
    page_begin(0);
    page_word(1); /* half of the first one, which would be that of a record */
    page_used -= 2;
    page_commit(0);
    ck_assert_int_eq(walk(sizeof page, &time), -1);
}
END_TEST

/* Pages of chance. */
START_TEST(walks_what_nobody_made)
{
    uint64_t time;
    uint32_t state = 1;
    for (unsigned round = 0; round < 20000; round++) {
        page_begin(0);
        while (page_used < 256) {
            state = state * 1664525u + 1013904223u;
            page_word(round % 2 ? state >> 8 : state >> 24);
        }
        page_commit(0);
        walk(page_used, &time);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("pages");
    tcase_add_test(tests, reads_a_format);
    tcase_add_test(tests, refuses_what_is_no_format);
    tcase_add_test(tests, takes_numbers_within_the_record);
    tcase_add_test(tests, walks_a_page);
    tcase_add_test(tests, reads_a_format_to_its_limits);
    tcase_add_test(tests, records_are_whole);
    tcase_add_test(tests, counts_what_was_lost);
    tcase_add_test(tests, stays_in_the_page);
    tcase_add_test(tests, the_second_word_belongs_to_it);
    tcase_add_test(tests, walks_what_nobody_made);
    return run_tests("ring", tests);
}
