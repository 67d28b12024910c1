// SPDX-License-Identifier: BSD-3-Clause
/* The runtime under the generated codecs: errors and their places, words, spans of words. */
#include <rpcrdma/xdr_runtime.h>

#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

/* ---- errors ---- */

static const int codes[] = {
    RPCRDMA_XDR_E_ARGUMENT,    RPCRDMA_XDR_E_SPACE,      RPCRDMA_XDR_E_TRUNCATED,
    RPCRDMA_XDR_E_PRESENCE,    RPCRDMA_XDR_E_BOOL,       RPCRDMA_XDR_E_ENUM,
    RPCRDMA_XDR_E_UNION,       RPCRDMA_XDR_E_COUNT,      RPCRDMA_XDR_E_BOUND,
    RPCRDMA_XDR_E_PAD,         RPCRDMA_XDR_E_TRAILING,   RPCRDMA_XDR_E_LIMIT,
    RPCRDMA_E_PD_ABSENT,       RPCRDMA_E_PD_TRUNCATED,   RPCRDMA_E_PD_VERSION,
    RPCRDMA1_E_RUNT,           RPCRDMA1_E_VERSION,       RPCRDMA1_E_ERROR,
    RPCRDMA1_E_PROCEDURE,      RPCRDMA1_E_POSITION,      RPCRDMA1_E_POSITION_ZERO,
    RPCRDMA1_E_READ_LIST,      RPCRDMA1_E_REPLY_CHUNK,   RPCRDMA1_E_NO_MESSAGE,
    RPCRDMA2_E_POSITION_ORDER, RPCRDMA2_E_CALL_POSITION, RPCRDMA2_E_PROPERTY,
    RPCRDMA2_E_OPTION,
};
#define CODES (sizeof codes / sizeof codes[0])

static bool is_code(int code)
{
    for (size_t i = 0; i < CODES; i++)
        if (codes[i] == code)
            return true;
    return false;
}

START_TEST(names_and_texts)
{
    const char *no_name = rpcrdma_xdr_error_name(0), *no_text = rpcrdma_xdr_error_text(0);
    for (size_t i = 0; i < CODES; i++) {
        ck_assert_str_ne(rpcrdma_xdr_error_name(codes[i]), no_name);
        ck_assert_str_ne(rpcrdma_xdr_error_text(codes[i]), no_text);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(rpcrdma_xdr_error_name(codes[i]), rpcrdma_xdr_error_name(codes[j]));
            ck_assert_str_ne(rpcrdma_xdr_error_text(codes[i]), rpcrdma_xdr_error_text(codes[j]));
        }
    }
    ck_assert_str_eq(rpcrdma_xdr_error_name(RPCRDMA_XDR_E_COUNT), "XDR_E_COUNT");
    ck_assert_str_eq(rpcrdma_xdr_error_name(RPCRDMA_E_PD_VERSION), "RPCRDMA_E_PD_VERSION");
}
END_TEST

/* A code that is added has to be added above, with name and text. */
START_TEST(no_other_code)
{
    for (int code = -1000; code <= 1000; code++) {
        bool is_named = strcmp(rpcrdma_xdr_error_name(code), rpcrdma_xdr_error_name(0)) != 0;
        bool has_text = strcmp(rpcrdma_xdr_error_text(code), rpcrdma_xdr_error_text(0)) != 0;
        ck_assert_msg(is_named == is_code(code) && has_text == is_code(code), "%d", code);
    }
}
END_TEST

static void check_path(const struct rpcrdma_xdr_error *error, const char *want)
{
    size_t length = strlen(want);
    for (size_t size = 0; size <= length + 2; size++) {
        char *block = malloc(size + 2), *room = block + 1;
        ck_assert_ptr_nonnull(block);
        memset(block, '#', size + 2);
        ck_assert_uint_eq(rpcrdma_xdr_error_path(error, room, size), length);
        if (size > 0) {
            ck_assert_uint_eq(strlen(room), size <= length ? size - 1 : length);
            ck_assert_mem_eq(room, want, strlen(room));
        }
        ck_assert_int_eq(block[0], '#');
        ck_assert_int_eq(room[size], '#');
        free(block);
    }
}

START_TEST(paths)
{
    struct rpcrdma_xdr_error error;
    rpcrdma_xdr_note(&error, RPCRDMA_XDR_E_ENUM, 12, "");
    check_path(&error, "");
    rpcrdma_xdr_note(&error, RPCRDMA_XDR_E_ENUM, 12, "proc");
    check_path(&error, "proc");
    rpcrdma_xdr_note(&error, RPCRDMA_XDR_E_ENUM, 12, "b");
    rpcrdma_xdr_note_step(&error, "a", -1);
    check_path(&error, "a.b");
    rpcrdma_xdr_note(&error, RPCRDMA_XDR_E_TRUNCATED, 28, "length");
    rpcrdma_xdr_note_step(&error, "target", -1);
    rpcrdma_xdr_note_step(&error, "", -1);
    rpcrdma_xdr_note_step(&error, "rdma_reads", 2);
    check_path(&error, "rdma_reads[2].target.length");
    rpcrdma_xdr_note(&error, RPCRDMA_XDR_E_BOUND, 4, "");
    rpcrdma_xdr_note_step(&error, "", 0);
    rpcrdma_xdr_note_step(&error, "", 4294967295);
    rpcrdma_xdr_note_step(&error, "rows", -1);
    check_path(&error, "rows[4294967295][0]");
    ck_assert_int_eq(error.code, RPCRDMA_XDR_E_BOUND);
    ck_assert_uint_eq(error.offset, 4);
}
END_TEST

/* Steps beyond the deepest are the outer ones, and are dropped. */
START_TEST(deep_path)
{
    struct rpcrdma_xdr_error error;
    rpcrdma_xdr_note(&error, RPCRDMA_XDR_E_ENUM, 0, "v");
    for (int i = 0; i < 2 * RPCRDMA_XDR_PATH_MAX; i++)
        rpcrdma_xdr_note_step(&error, "s", i);
    ck_assert_uint_eq(error.depth, RPCRDMA_XDR_PATH_MAX);
    check_path(&error, "s[10].s[9].s[8].s[7].s[6].s[5].s[4].s[3].s[2].s[1].s[0].v");
}
END_TEST

/* ---- words ---- */

START_TEST(words_at_any_alignment)
{
    const uint8_t big[] = {0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xf8};
    for (size_t at = 0; at < 8; at++) {
        uint8_t *memory = malloc(at + sizeof big);
        ck_assert_ptr_nonnull(memory);
        memcpy(memory + at, big, sizeof big);
        ck_assert_uint_eq(rpcrdma_xdr_load32(memory + at), 0x81020304);
        ck_assert_uint_eq(rpcrdma_xdr_load64(memory + at), 0x81020304050607f8);
        memset(memory, 0, at + sizeof big);
        rpcrdma_xdr_store32(memory + at, 0x81020304);
        ck_assert_mem_eq(memory + at, big, 4);
        ck_assert_uint_eq(memory[at + 4], 0);
        rpcrdma_xdr_store64(memory + at, 0x81020304050607f8);
        ck_assert_mem_eq(memory + at, big, 8);
        free(memory);
    }
}
END_TEST

/* The octets are those of IEEE 754, by hand. */
START_TEST(floating_point)
{
    const uint8_t single[] = {0xc0, 0x49, 0x0f, 0xdb},              /* -pi */
        twice[] = {0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a}; /* 0.1 */
    uint8_t room[8];
    ck_assert(rpcrdma_xdr_load_float(single) == -3.14159274101257324f);
    ck_assert(rpcrdma_xdr_load_double(twice) == 0.1);
    rpcrdma_xdr_store_float(room, -3.14159274101257324f);
    ck_assert_mem_eq(room, single, 4);
    rpcrdma_xdr_store_double(room, 0.1);
    ck_assert_mem_eq(room, twice, 8);
}
END_TEST

START_TEST(spans_of_words)
{
    const uint8_t wire[] = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 3, 0, 0, 0, 4};
    const uint32_t items[] = {1, 0xfffffffe, 3, 4};
    const uint64_t wide[] = {0x1fffffffe, 0x300000004};
    const struct rpcrdma_xdr_uint32_array spans[] = {{.wire = wire, .count = 4, .octets = 16},
                                                     {.items = items, .count = 4}};
    const struct rpcrdma_xdr_uint64_array wide_spans[] = {{.wire = wire, .count = 2, .octets = 16},
                                                          {.items = wide, .count = 2}};
    for (int i = 0; i < 2; i++) {
        struct rpcrdma_xdr_iter iter = RPCRDMA_XDR_ITER(&spans[i]),
                                wide_iter = RPCRDMA_XDR_ITER(&wide_spans[i]);
        uint32_t word;
        uint64_t two;
        for (int j = 0; j < 4; j++) {
            ck_assert(rpcrdma_xdr_uint32_next(&iter, &word));
            ck_assert_uint_eq(word, items[j]);
        }
        ck_assert(!rpcrdma_xdr_uint32_next(&iter, &word));
        for (int j = 0; j < 2; j++) {
            ck_assert(rpcrdma_xdr_uint64_next(&wide_iter, &two));
            ck_assert_uint_eq(two, wide[j]);
        }
        ck_assert(!rpcrdma_xdr_uint64_next(&wide_iter, &two));
    }
    struct rpcrdma_xdr_uint32_array empty = {0};
    struct rpcrdma_xdr_iter none = RPCRDMA_XDR_ITER(&empty);
    uint32_t word;
    ck_assert(!rpcrdma_xdr_uint32_next(&none, &word));
}
END_TEST

#define SPAN_TEST(name_, type_, ...)                                                               \
    START_TEST(name_##_span)                                                                       \
    {                                                                                              \
        const type_ items[] = {__VA_ARGS__};                                                       \
        const uint32_t count = sizeof items / sizeof items[0];                                     \
        const struct rpcrdma_xdr_##name_##_array spans[] = {                                       \
            {.wire = signed_wire, .count = count, .octets = sizeof signed_wire},                   \
            {.items = items, .count = count}};                                                     \
        for (int i = 0; i < 2; i++) {                                                              \
            struct rpcrdma_xdr_iter iter = RPCRDMA_XDR_ITER(&spans[i]);                            \
            type_ value;                                                                           \
            for (uint32_t j = 0; j < count; j++) {                                                 \
                ck_assert(rpcrdma_xdr_##name_##_next(&iter, &value));                              \
                ck_assert(value == items[j]);                                                      \
            }                                                                                      \
            ck_assert(!rpcrdma_xdr_##name_##_next(&iter, &value));                                 \
        }                                                                                          \
    }                                                                                              \
    END_TEST

static const uint8_t signed_wire[] = {0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0, 0, 4};
SPAN_TEST(int32, int32_t, 0, -0x1000000, 0, 0x7f000004)
SPAN_TEST(int64, int64_t, 0xff000000, 0x7f000004)
SPAN_TEST(bool, bool, false, true, false, true)

/* ---- items that were taken out ---- */

/* The octets of struct { opaque a<>; opaque b<>; opaque c<>; }, where b is elsewhere. */
static const uint8_t reduced[] = {0, 0, 0, 1, 'a', 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 2, 'c', 'c', 0, 0};

static bool get_three(struct rpcrdma_xdr_reduction *reduction, struct rpcrdma_xdr_opaque three[3])
{
    uint8_t *copy = exact(reduced, sizeof reduced);
    struct rpcrdma_xdr_error error;
    const struct rpcrdma_xdr_in in = {copy, copy + sizeof reduced, NULL, &error, reduction};
    const uint8_t *p = copy;
    for (int i = 0; i < 3 && p != NULL; i++)
        p = rpcrdma_xdr_get_opaque(&in, p, 16, 0, &three[i]);
    bool whole = p == copy + sizeof reduced;
    drop(copy);
    return whole;
}

START_TEST(item_taken_out)
{
    /* b would begin at 12; what was taken out counts with its padding: c's data begins at 24. */
    struct rpcrdma_xdr_hole holes[] = {{.position = 11, .length = 5},
                                       {.position = 12, .length = 5},
                                       {.position = 23, .length = 2},
                                       {.position = 99, .length = 2}};
    struct rpcrdma_xdr_reduction reduction = {.holes = holes, .hole_count = 4};
    struct rpcrdma_xdr_opaque three[3];
    ck_assert(get_three(&reduction, three));
    ck_assert_uint_eq(three[0].length, 1);
    ck_assert_uint_eq(three[1].length, 5);
    ck_assert_ptr_null(three[1].data);
    ck_assert_uint_eq(three[2].length, 2);
    ck_assert_ptr_nonnull(three[2].data);
    ck_assert(!holes[0].taken && holes[1].taken && !holes[2].taken && !holes[3].taken);
    ck_assert_uint_eq(holes[1].count, 5);
    ck_assert_uint_eq(reduction.removed, 8);
    reduction = (struct rpcrdma_xdr_reduction){.hole_count = 0};
    ck_assert(!get_three(&reduction, three));
    ck_assert(!get_three(NULL, three));
}
END_TEST

/* Two are out, and the object has 100 octets before these. */
START_TEST(two_items_taken_out)
{
    static const uint8_t octets[] = {0, 0, 0, 1, 'a', 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 6};
    struct rpcrdma_xdr_hole holes[] = {{.position = 112, .length = 5},
                                       {.position = 124, .length = 6}};
    struct rpcrdma_xdr_reduction reduction = {.holes = holes, .hole_count = 2, .before = 100};
    const struct rpcrdma_xdr_in in = {octets, octets + sizeof octets, NULL, NULL, &reduction};
    struct rpcrdma_xdr_opaque v;
    ck_assert(!rpcrdma_xdr_take_out(&in, octets, 10, &v));
    ck_assert(rpcrdma_xdr_take_out(&in, octets + 8, 10, &v));
    ck_assert_uint_eq(v.length, 5);
    ck_assert_uint_eq(reduction.removed, 8);
    ck_assert(rpcrdma_xdr_take_out(&in, octets + 12, 10, &v));
    ck_assert_uint_eq(v.length, 6);
    ck_assert_uint_eq(reduction.removed, 16);
    ck_assert_uint_eq(reduction.next, 2);
}
END_TEST

/* One octet is enough to be the next item. */
START_TEST(least_item_out)
{
    static const uint8_t octets[] = {0, 0, 0, 1};
    struct rpcrdma_xdr_reduction reduction = {.next_item = true};
    const struct rpcrdma_xdr_in in = {octets, octets + sizeof octets, NULL, NULL, &reduction};
    struct rpcrdma_xdr_opaque v;
    ck_assert(rpcrdma_xdr_take_out(&in, octets, 10, &v));
    ck_assert_uint_eq(reduction.item, 1);
    ck_assert_uint_eq(reduction.removed, 4);
}
END_TEST

/* A step without a name and an index is not shown. */
START_TEST(empty_step)
{
    static const char text[] = "x";
    struct rpcrdma_xdr_error error;
    rpcrdma_xdr_note(&error, RPCRDMA_XDR_E_COUNT, 8, text + 1);
    ck_assert_uint_eq(error.depth, 0);
    rpcrdma_xdr_note_step(&error, text + 1, 0);
    ck_assert_uint_eq(error.depth, 1);
    rpcrdma_xdr_note_step(&error, text, -1);
    ck_assert_uint_eq(error.depth, 2);
}
END_TEST

/* The next item that has octets is out, and only that: an empty one before it stays, and so does
 * the one after it. One that is too long, or whose count is cut, is refused. */
START_TEST(next_item_out)
{
    /* The last octet is beyond the end, and would make the count 5. */
    static const uint8_t octets[] = {0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1, 'a', 0, 0, 0, 5};
    struct rpcrdma_xdr_reduction reduction = {.next_item = true, .before = 100};
    const struct rpcrdma_xdr_in in = {octets, octets + sizeof octets - 1, NULL, NULL, &reduction};
    struct rpcrdma_xdr_opaque v = {.data = octets, .length = 77};
    ck_assert(!rpcrdma_xdr_take_out(&in, octets, 10, &v));
    ck_assert(reduction.next_item);
    ck_assert(!rpcrdma_xdr_take_out(&in, octets + 4, 4, &v));
    ck_assert(!rpcrdma_xdr_take_out(&in, octets + 13, 10, &v));
    ck_assert_uint_eq(v.length, 77);
    ck_assert_uint_eq(reduction.removed, 0);
    ck_assert(rpcrdma_xdr_take_out(&in, octets + 4, 5, &v));
    ck_assert_ptr_null(v.data);
    ck_assert_uint_eq(v.length, 5);
    ck_assert(!reduction.next_item);
    ck_assert_uint_eq(reduction.item, 5);
    ck_assert_uint_eq(reduction.removed, 8);
    ck_assert(!rpcrdma_xdr_take_out(&in, octets + 8, 10, &v));
    ck_assert_uint_eq(reduction.item, 5);
    ck_assert_uint_eq(reduction.removed, 8);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("xdr");
    TCase *errors = tcase_create("errors"), *data = tcase_create("data");
    tcase_add_test(errors, names_and_texts);
    tcase_add_test(errors, no_other_code);
    tcase_add_test(errors, paths);
    tcase_add_test(errors, deep_path);
    tcase_add_test(errors, empty_step);
    tcase_add_test(data, words_at_any_alignment);
    tcase_add_test(data, floating_point);
    tcase_add_test(data, spans_of_words);
    tcase_add_test(data, int32_span);
    tcase_add_test(data, int64_span);
    tcase_add_test(data, bool_span);
    tcase_add_test(data, item_taken_out);
    tcase_add_test(data, two_items_taken_out);
    tcase_add_test(data, next_item_out);
    tcase_add_test(data, least_item_out);
    suite_add_tcase(suite, errors);
    suite_add_tcase(suite, data);
    return run_suite(suite);
}
