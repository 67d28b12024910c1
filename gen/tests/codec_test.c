// SPDX-License-Identifier: BSD-3-Clause
/* What xdrgen generates, construct by construct, on octets laid down by hand (codec.x). */
#include <test/codec.h>
#include <test/codec_own.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

DECODER(scalars, test_scalars, test_scalars)
DECODER(texts, test_texts, test_texts)
DECODER(arrays, test_arrays, test_arrays)
DECODER(by_bool, test_by_bool, test_by_bool)
DECODER(by_int, test_by_int, test_by_int)
DECODER(by_color, test_by_color, test_by_color)
DECODER(by_unsigned, test_by_unsigned, test_by_unsigned)
DECODER(chains, test_chains, test_chains)
DECODER(extra, own_extra, own_extra)

/* ---- scalars: -1, 2, -3, 4 + 2^63, 1.5, -2.0, TRUE, GREEN ---- */

#define SCALARS                                                                                    \
    0xffffffff, 2, 0xffffffff, 0xfffffffd, 0x80000000, 4, 0x3fc00000, 0xc0000000, 0, 1, 2
#define SCALARS_AT(o, what)                                                                        \
    AT(o, what "i"), AT((o) + 4, what "u"), AT((o) + 8, what "h"), AT((o) + 16, what "uh"),        \
        AT((o) + 24, what "f"), AT((o) + 28, what "d"), AT((o) + 36, what "b"),                    \
        AT((o) + 40, what "c")

static void check_scalars(const struct test_scalars *value)
{
    ck_assert_int_eq(value->i, -1);
    ck_assert_uint_eq(value->u, 2);
    ck_assert_int_eq(value->h, -3);
    ck_assert_uint_eq(value->uh, 0x8000000000000004);
    ck_assert(value->f == 1.5f);
    ck_assert(value->d == -2.0);
    ck_assert(value->b);
    ck_assert_int_eq(value->c, TEST_GREEN);
}

START_TEST(each_scalar)
{
    struct octets octets = WORDS(SCALARS);
    struct test_scalars value;
    CHECK_OBJECT(scalars, octets, SCALARS_AT(0, ""));
    ck_assert_int_eq(test_scalars_decode(&value, octets.at, octets.length, NULL, NULL), 44);
    check_scalars(&value);
}
END_TEST

static void check_word(uint32_t offset, uint32_t word, int code, const char *path)
{
    struct octets octets = WORDS(SCALARS);
    rpcrdma_xdr_store32(octets.at + offset, word);
    if (code)
        check_bad(scalars, octets, code, offset, path);
    else
        CHECK_OBJECT(scalars, octets, SCALARS_AT(0, ""));
}

START_TEST(bool_and_enum_are_closed)
{
    check_word(36, 0, 0, "");
    check_word(36, 2, RPCRDMA_XDR_E_BOOL, "b");
    check_word(36, 0x01000000, RPCRDMA_XDR_E_BOOL, "b");
    check_word(36, 0xffffffff, RPCRDMA_XDR_E_BOOL, "b");
    check_word(40, 0xfffffffd, 0, "");
    check_word(40, 0, 0, "");
    check_word(40, 0x7fffffff, 0, "");
    check_word(40, 1, RPCRDMA_XDR_E_ENUM, "c"); /* in a gap */
    check_word(40, 3, RPCRDMA_XDR_E_ENUM, "c");
    check_word(40, 0xfffffffe, RPCRDMA_XDR_E_ENUM, "c");
    check_word(40, 0x80000000, RPCRDMA_XDR_E_ENUM, "c");
}
END_TEST

/* ---- opaque data and strings ---- */

/* fixed[3], six[6], any<> of 1, bound<7> of 7, text<> of 4, short_text<9> of none */
#define TEXTS                                                                                      \
    0x61626300, 0x61626364, 0x65660000, 1, 0x61000000, 7, 0x61626364, 0x65666700, 4, 0x61626364, 0

START_TEST(opaque)
{
    CHECK_OBJECT(texts, WORDS(TEXTS), AT(0, "fixed"), AT(4, "six"), COUNT_AT(12, "any", 4),
                 COUNT_AT(20, "bound", 8), COUNT_AT(32, "text", 4), AT(40, "short_text"));
}
END_TEST

/* Every octet of padding, one after the other; no other octet. */
START_TEST(padding)
{
    static const struct {
        uint32_t at, first;
        const char *path;
    } pads[] = {{3, 3, "fixed"}, {10, 10, "six"}, {11, 10, "six"},  {17, 17, "any"},
                {18, 17, "any"}, {19, 17, "any"}, {31, 31, "bound"}};
    for (size_t i = 0; i < sizeof pads / sizeof pads[0]; i++)
        for (int bit = 0; bit < 8; bit++) {
            struct octets octets = WORDS(TEXTS);
            octets.at[pads[i].at] = (uint8_t)(1 << bit);
            check_bad(texts, octets, RPCRDMA_XDR_E_PAD, pads[i].first, pads[i].path);
        }
    struct octets octets = WORDS(TEXTS);
    struct rpcrdma_xdr_error error;
    octets.at[2] = octets.at[9] = octets.at[16] = octets.at[30] = 0xff;
    ck_assert_int_eq(texts(octets.at, octets.length, &error), (ptrdiff_t)octets.length);
}
END_TEST

START_TEST(bounds_of_opaque)
{
    check_bad(texts, WORDS(0, 0, 0, 0, 8, 0, 0, 0, 0), RPCRDMA_XDR_E_BOUND, 16, "bound");
    check_bad(texts, WORDS(0, 0, 0, 0, 0xffffffff, 0, 0, 0, 0), RPCRDMA_XDR_E_BOUND, 16, "bound");
    check_bad(texts, WORDS(0, 0, 0, 0, 0, 0, 10, 0, 0, 0), RPCRDMA_XDR_E_BOUND, 24, "short_text");
    const uint32_t counts[] = {5, 0x7fffffff, 0x80000000, 0xfffffffc, 0xfffffffd, 0xffffffff};
    for (int i = 0; i < 6; i++)
        check_bad(texts, WORDS(0, 0, 0, counts[i], 0), RPCRDMA_XDR_E_COUNT, 12, "any");
}
END_TEST

START_TEST(limits_of_opaque)
{
    struct octets octets = WORDS(TEXTS);
    struct test_texts value;
    struct rpcrdma_xdr_error error;
    struct test_limits limits = {.texts_any = 1, .texts_text = 4};
    ck_assert_int_eq(test_texts_decode(&value, octets.at, octets.length, &limits, NULL), 44);
    limits.texts_text = 3;
    ck_assert_int_eq(test_texts_decode(&value, octets.at, octets.length, &limits, &error),
                     RPCRDMA_XDR_E_LIMIT);
    ck_assert_uint_eq(error.offset, 32);
}
END_TEST

/* ---- arrays ---- */

/* fixed[2], wide[2], far<2> of 1, flags<4> of 2, colors<> of 2, three[3], row[4], rows<3> of 1,
 * few<5> of 1, structs<2> of 1, blobs[2] of 0 and 1 octet, labels<> of 2 and 0 octets */
#define ARRAYS                                                                                     \
    1, 2, 0, 1, 0, 2, 1, 0, 9, 2, 1, 0, 2, 0, 2, 0, 2, 0xfffffffd, 1, 2, 3, 4, 1, 1, 2, 3, 4, 1,   \
        9, 1, SCALARS, 0, 1, 0x61000000, 2, 2, 0x61620000, 0

START_TEST(array)
{
    CHECK_OBJECT(arrays, WORDS(ARRAYS), AT(0, "fixed"), AT(8, "wide"), COUNT_AT(24, "far", 8),
                 COUNT_AT(36, "flags", 8), COUNT_AT(48, "colors", 8), AT(60, "three"),
                 AT(72, "row"), COUNT_AT(88, "rows", 16), COUNT_AT(108, "few", 4),
                 COUNT_AT(116, "structs", 44), (struct field){164, "blobs", 0, 172},
                 COUNT_AT(168, "blobs[1]", 4), COUNT_AT(176, "labels", 8),
                 COUNT_AT(180, "labels[0]", 4), AT(188, "labels[1]"));
}
END_TEST

START_TEST(element_at_fault)
{
    static const struct {
        uint32_t at, word;
        int code;
        const char *path;
    } faults[] = {
        {40, 2, RPCRDMA_XDR_E_BOOL, "flags[0]"},
        {44, 0x100, RPCRDMA_XDR_E_BOOL, "flags[1]"},
        {56, 1, RPCRDMA_XDR_E_ENUM, "colors[1]"},
        {68, 5, RPCRDMA_XDR_E_ENUM, "three[2]"},
        {156, 2, RPCRDMA_XDR_E_BOOL, "structs[0].b"},
        {160, 1, RPCRDMA_XDR_E_ENUM, "structs[0].c"},
        {168, 8, RPCRDMA_XDR_E_BOUND, "blobs[1]"},
        {180, 10, RPCRDMA_XDR_E_BOUND, "labels[0]"},
        {188, 1, RPCRDMA_XDR_E_COUNT, "labels[1]"},
        {24, 3, RPCRDMA_XDR_E_BOUND, "far"},
        {36, 5, RPCRDMA_XDR_E_BOUND, "flags"},
        {88, 4, RPCRDMA_XDR_E_BOUND, "rows"},
        {108, 6, RPCRDMA_XDR_E_BOUND, "few"},
        {116, 3, RPCRDMA_XDR_E_BOUND, "structs"},
        {48, 0x40000001, RPCRDMA_XDR_E_COUNT, "colors"},
        {176, 0x40000001, RPCRDMA_XDR_E_COUNT, "labels"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct octets octets = WORDS(ARRAYS);
        rpcrdma_xdr_store32(octets.at + faults[i].at, faults[i].word);
        check_bad(arrays, octets, faults[i].code, faults[i].at, faults[i].path);
    }
}
END_TEST

START_TEST(elements)
{
    struct octets octets = WORDS(ARRAYS);
    struct test_arrays value;
    struct test_scalars scalar;
    struct rpcrdma_xdr_iter iter, row_iter;
    ck_assert_int_eq(test_arrays_decode(&value, octets.at, octets.length, NULL, NULL),
                     (ptrdiff_t)octets.length);
    int32_t i;
    iter = RPCRDMA_XDR_ITER(&value.fixed);
    ck_assert(rpcrdma_xdr_int32_next(&iter, &i) && i == 1 && rpcrdma_xdr_int32_next(&iter, &i) &&
              i == 2);
    ck_assert(!rpcrdma_xdr_int32_next(&iter, &i));
    int64_t h;
    iter = RPCRDMA_XDR_ITER(&value.wide);
    ck_assert(rpcrdma_xdr_int64_next(&iter, &h) && h == 1 && rpcrdma_xdr_int64_next(&iter, &h) &&
              h == 2);
    ck_assert(!rpcrdma_xdr_int64_next(&iter, &h));
    bool b;
    iter = RPCRDMA_XDR_ITER(&value.flags);
    ck_assert(rpcrdma_xdr_bool_next(&iter, &b) && b && rpcrdma_xdr_bool_next(&iter, &b) && !b);
    ck_assert(!rpcrdma_xdr_bool_next(&iter, &b));
    enum test_color c;
    iter = test_color_array_iter(&value.three);
    ck_assert(test_color_array_next(&iter, &c) && c == TEST_RED);
    ck_assert(test_color_array_next(&iter, &c) && c == TEST_GREEN);
    ck_assert(test_color_array_next(&iter, &c) && c == TEST_BLACK);
    ck_assert(!test_color_array_next(&iter, &c));
    test_quad quad;
    iter = test_quad_array_iter(&value.rows);
    ck_assert(test_quad_array_next(&iter, &quad));
    row_iter = RPCRDMA_XDR_ITER(&quad);
    for (int32_t want = 1; want <= 4; want++)
        ck_assert(rpcrdma_xdr_int32_next(&row_iter, &i) && i == want);
    ck_assert(!rpcrdma_xdr_int32_next(&row_iter, &i) && !test_quad_array_next(&iter, &quad));
    iter = test_scalars_array_iter(&value.structs);
    ck_assert(test_scalars_array_next(&iter, &scalar));
    check_scalars(&scalar);
    ck_assert(!test_scalars_array_next(&iter, &scalar));
    test_name name;
    iter = test_name_array_iter(&value.labels);
    ck_assert(test_name_array_next(&iter, &name) && name.length == 2);
    ck_assert_mem_eq(name.data, "ab", 2);
    ck_assert(test_name_array_next(&iter, &name) && name.length == 0);
    ck_assert(!test_name_array_next(&iter, &name));
}
END_TEST

/* ---- unions ---- */

START_TEST(unions)
{
    CHECK_OBJECT(by_bool, WORDS(1, 0, 9), AT(0, "known"), AT(4, "value"));
    CHECK_OBJECT(by_bool, WORDS(0), AT(0, "known"));
    check_bad(by_bool, WORDS(2, 0, 9), RPCRDMA_XDR_E_BOOL, 0, "known");

    CHECK_OBJECT(by_int, WORDS(0xffffffff), AT(0, "kind"));
    CHECK_OBJECT(by_int, WORDS(0, 1, 0x61000000), AT(0, "kind"), COUNT_AT(4, "text", 4));
    CHECK_OBJECT(by_int, WORDS(7, 1, 0x61000000), AT(0, "kind"), COUNT_AT(4, "text", 4));
    CHECK_OBJECT(by_int, WORDS(1, 5, 0x61626364, 0x65000000), AT(0, "kind"),
                 COUNT_AT(4, "rest", 8));
    check_bad(by_int, WORDS(0x80000000, 6, 0, 0), RPCRDMA_XDR_E_BOUND, 4, "rest");

    CHECK_OBJECT(by_color, WORDS(0xfffffffd, 0), AT(0, "kind"), AT(4, "maybe"));
    CHECK_OBJECT(by_color, WORDS(0xfffffffd, 1, SCALARS), AT(0, "kind"), AT(4, "maybe"),
                 SCALARS_AT(8, "maybe."));
    CHECK_OBJECT(by_color, WORDS(2, 1, 77), AT(0, "kind"), COUNT_AT(4, "list", 4));
    CHECK_OBJECT(by_color, WORDS(0x7fffffff), AT(0, "kind"));
    check_bad(by_color, WORDS(0xfffffffd, 2), RPCRDMA_XDR_E_PRESENCE, 4, "maybe");
    check_bad(by_color, WORDS(1), RPCRDMA_XDR_E_ENUM, 0, "kind");
    check_bad(by_color, WORDS(0), RPCRDMA_XDR_E_UNION, 0, "kind"); /* RED has no arm */

    CHECK_OBJECT(by_unsigned, WORDS(0xffffffff, 0x61626364, 0x65660000), AT(0, "kind"),
                 AT(4, "body"));
    CHECK_OBJECT(by_unsigned, WORDS(0), AT(0, "kind"));
}
END_TEST

/* ---- lists and optional data ---- */

/* Entries {7, "a", TRUE 9} and {8, "", FALSE}, pairs {1, 2} and {3, 4}, BLACK, {1, 2, 3, 4} */
#define CHAINS                                                                                     \
    1, 7, 1, 0x61000000, 1, 0, 9, 1, 8, 0, 0, 0, 1, 1, 0, 2, 1, 3, 0, 4, 0, 1, 0xfffffffd, 1, 1,   \
        2, 3, 4

START_TEST(lists)
{
    CHECK_OBJECT(chains, WORDS(CHAINS), AT(0, "entries[0]"), AT(4, "entries[0].key"),
                 COUNT_AT(8, "entries[0].value", 4), AT(16, "entries[0].known"),
                 AT(20, "entries[0].value"), AT(28, "entries[1]"), AT(32, "entries[1].key"),
                 AT(36, "entries[1].value"), AT(40, "entries[1].known"), AT(44, "entries[2]"),
                 AT(48, "pairs[0]"), AT(52, "pairs[0].left"), AT(56, "pairs[0].right"),
                 AT(64, "pairs[1]"), AT(68, "pairs[1].left"), AT(72, "pairs[1].right"),
                 AT(80, "pairs[2]"), AT(84, "shade"), AT(88, "shade"), AT(92, "numbers"),
                 AT(96, "numbers"));
    CHECK_OBJECT(chains, WORDS(0, 0, 0, 0), AT(0, "entries[0]"), AT(4, "pairs[0]"), AT(8, "shade"),
                 AT(12, "numbers"));
}
END_TEST

START_TEST(entry_at_fault)
{
    static const struct {
        uint32_t at, word;
        int code;
        const char *path;
    } faults[] = {
        {0, 2, RPCRDMA_XDR_E_PRESENCE, "entries[0]"},
        {8, 8, RPCRDMA_XDR_E_BOUND, "entries[0].value"},
        {16, 3, RPCRDMA_XDR_E_BOOL, "entries[0].known"},
        {28, 0x100, RPCRDMA_XDR_E_PRESENCE, "entries[1]"},
        {44, 3, RPCRDMA_XDR_E_PRESENCE, "entries[2]"},
        {64, 2, RPCRDMA_XDR_E_PRESENCE, "pairs[1]"},
        {80, 0xffffffff, RPCRDMA_XDR_E_PRESENCE, "pairs[2]"},
        {84, 2, RPCRDMA_XDR_E_PRESENCE, "shade"},
        {88, 1, RPCRDMA_XDR_E_ENUM, "shade"},
        {92, 2, RPCRDMA_XDR_E_PRESENCE, "numbers"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct octets octets = WORDS(CHAINS);
        rpcrdma_xdr_store32(octets.at + faults[i].at, faults[i].word);
        check_bad(chains, octets, faults[i].code, faults[i].at, faults[i].path);
    }
}
END_TEST

START_TEST(entries)
{
    struct octets octets = WORDS(CHAINS);
    struct test_chains value;
    struct test_entry_entry entry;
    struct test_pair_entry pair;
    ck_assert_int_eq(test_chains_decode(&value, octets.at, octets.length, NULL, NULL),
                     (ptrdiff_t)octets.length);
    struct rpcrdma_xdr_iter iter = test_entry_iter(&value.entries);
    ck_assert(test_entry_next(&iter, &entry));
    ck_assert_uint_eq(entry.key, 7);
    ck_assert_mem_eq(entry.value_.data, "a", 1);
    ck_assert(entry.flag.known && entry.flag.value_ == 9);
    ck_assert(test_entry_next(&iter, &entry));
    ck_assert_uint_eq(entry.key, 8);
    ck_assert(!entry.flag.known);
    ck_assert(!test_entry_next(&iter, &entry));
    iter = test_pair_iter(&value.pairs);
    ck_assert(test_pair_next(&iter, &pair) && pair.left == 1 && pair.right == 2);
    ck_assert(test_pair_next(&iter, &pair) && pair.left == 3 && pair.right == 4);
    ck_assert(!test_pair_next(&iter, &pair));
    ck_assert(value.shade.present && value.shade.value == TEST_BLACK);
    ck_assert(value.numbers.present);
}
END_TEST

/* ---- values that have no encoding ---- */

START_TEST(values_without_encoding)
{
    static const bool flags[5];
    static const enum test_color colors[] = {TEST_RED, TEST_BLUE, (enum test_color)1};
    static const uint8_t octets[9] = "12345678";
    uint8_t room[256];
    struct rpcrdma_xdr_error error;
    char path[64];
    struct test_by_color color = {.kind = (enum test_color)1};
    ck_assert_int_eq(test_by_color_encode(room, sizeof room, &color, &error), RPCRDMA_XDR_E_UNION);
    struct test_scalars scalar = {.c = (enum test_color)3};
    ck_assert_int_eq(test_scalars_encode(room, sizeof room, &scalar, &error), RPCRDMA_XDR_E_ENUM);
    struct test_by_int number = {.kind = 5, .rest = {octets, 6}};
    ck_assert_int_eq(test_by_int_encode(room, sizeof room, &number, &error), RPCRDMA_XDR_E_BOUND);
    number.rest.length = 5;
    ck_assert_int_eq(test_by_int_encode(room, sizeof room, &number, &error), 16);
    struct octets laid = WORDS(ARRAYS);
    struct test_arrays value, good;
    ck_assert_int_eq(test_arrays_decode(&good, laid.at, laid.length, NULL, NULL),
                     (ptrdiff_t)laid.length);
    value = good;
    value.flags = (struct rpcrdma_xdr_bool_array){.items = flags, .count = 5};
    ck_assert_int_eq(test_arrays_encode(room, sizeof room, &value, &error), RPCRDMA_XDR_E_BOUND);
    value = good;
    value.three = (struct test_color_array){.items = colors, .count = 3};
    ck_assert_int_eq(test_arrays_encode(room, sizeof room, &value, &error), RPCRDMA_XDR_E_ENUM);
    rpcrdma_xdr_error_path(&error, path, sizeof path);
    ck_assert_str_eq(path, "three[2]");
    value.three.count = 2; /* a fixed array of another size */
    ck_assert_int_eq(test_arrays_encode(room, sizeof room, &value, &error), RPCRDMA_XDR_E_BOUND);
}
END_TEST

/* ---- what rpcgen does not know ---- */

#define EXTRA 1, 2, 3, 4, 5, 6

/* A mode, then the unions that one chooses; all of them FIRST. */
#define MODES 0, 0, 0

START_TEST(own_constructs)
{
    CHECK_OBJECT(
        extra, WORDS(EXTRA, 2, 1, 0, 9, 7, 8, 2, 5, 5, 1, 2, 3, 0x61626300, 1, 2, 0, 1, 2, 2, 1, 2),
        AT(0, "wide"), AT(16, "point.x"), AT(20, "point.y"), AT(24, "answer"), AT(28, "known"),
        AT(32, "value"), AT(40, "points"), COUNT_AT(48, "switches", 8), AT(60, "last"),
        AT(64, "last.kind"), COUNT_AT(68, "last.rest", 4), AT(76, "ready"),
        COUNT_AT(80, "states", 8), AT(92, "how"), AT(96, "kind"), AT(100, "is"), AT(104, "sort"));
    CHECK_OBJECT(extra, WORDS(EXTRA, 1, 0, 7, 8, 0, 1, 1, 0, 0, MODES), AT(0, "wide"),
                 AT(16, "point.x"), AT(20, "point.y"), AT(24, "answer"), AT(28, "known"),
                 AT(32, "points"), AT(40, "switches"), AT(44, "last"), AT(48, "last.kind"),
                 AT(52, "ready"), AT(56, "states"), AT(60, "how"), AT(64, "kind"), AT(68, "sort"));
    check_bad(extra, WORDS(EXTRA, 3, 0, 7, 8, 0, 0, 0, 0, MODES), RPCRDMA_XDR_E_ENUM, 24, "answer");
    check_bad(extra, WORDS(EXTRA, 1, 0, 7, 8, 1, 4, 0, 0, 0, MODES), RPCRDMA_XDR_E_ENUM, 44,
              "switches[0]");
    check_bad(extra, WORDS(EXTRA, 1, 0, 7, 8, 0, 0, 2, 0, MODES), RPCRDMA_XDR_E_BOOL, 48, "ready");
    check_bad(extra, WORDS(EXTRA, 1, 0, 7, 8, 0, 0, 1, 2, 0, 2, MODES), RPCRDMA_XDR_E_BOOL, 60,
              "states[1]");
    check_bad(extra, WORDS(EXTRA, 1, 0, 7, 8, 0, 0, 1, 3, 0, 0, 0, MODES), RPCRDMA_XDR_E_BOUND, 52,
              "states");
}
END_TEST

/* Values without a gap that do not begin at 0 (answer), and one alone (switches): no other word is
 * one. */
START_TEST(enum_from_one)
{
    const uint32_t none[] = {0, 3, 4, 6, 0x80000001, 0xffffffff};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        check_bad(extra, WORDS(EXTRA, none[i], 0, 7, 8, 0, 0, 0, 0, MODES), RPCRDMA_XDR_E_ENUM, 24,
                  "answer");
        check_bad(extra, WORDS(EXTRA, 2, 0, 7, 8, 2, 5, none[i], 0, 0, 0, MODES),
                  RPCRDMA_XDR_E_ENUM, 48, "switches[1]");
    }
}
END_TEST

/* A value that two names share fills no gap; a default arm opens no enum. */
START_TEST(enum_with_repeated_value)
{
    const uint32_t none[] = {1, 3, 0x80000000, 0xffffffff};
    for (int i = 0; i < 4; i++) {
        check_bad(extra, WORDS(EXTRA, 1, 0, 7, 8, 0, 0, 1, 0, none[i], 0, 0), RPCRDMA_XDR_E_ENUM,
                  56, "how");
        check_bad(extra, WORDS(EXTRA, 1, 0, 7, 8, 0, 0, 1, 0, 0, none[i], 0, 0), RPCRDMA_XDR_E_ENUM,
                  60, "kind");
        check_bad(extra, WORDS(EXTRA, 1, 0, 7, 8, 0, 0, 1, 0, 0, 0, none[i]), RPCRDMA_XDR_E_ENUM,
                  64, "sort");
    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("constructs");
    tcase_add_test(all, each_scalar);
    tcase_add_test(all, bool_and_enum_are_closed);
    tcase_add_test(all, opaque);
    tcase_add_test(all, padding);
    tcase_add_test(all, bounds_of_opaque);
    tcase_add_test(all, limits_of_opaque);
    tcase_add_test(all, array);
    tcase_add_test(all, element_at_fault);
    tcase_add_test(all, elements);
    tcase_add_test(all, unions);
    tcase_add_test(all, lists);
    tcase_add_test(all, entry_at_fault);
    tcase_add_test(all, entries);
    tcase_add_test(all, values_without_encoding);
    tcase_add_test(all, own_constructs);
    tcase_add_test(all, enum_from_one);
    tcase_add_test(all, enum_with_repeated_value);
    return run_tests("codec", all);
}
