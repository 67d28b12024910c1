// SPDX-License-Identifier: BSD-3-Clause
/* Text of foreign origin: what may steer a terminal becomes "?", the rest stays. And names that are
 * given with options. */
#include "conformance/base/text.h"
#include "conformance/base/chosen.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *wanted;
} rows[] = {
    {"", ""},
    {"plain ~ text", "plain ~ text"},
    {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x9f", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x9f"},
    {"\x1b]0;title\x07", "?]0;title?"},
    {"a\nb\tc\rd", "a?b?c?d"},
    {"\x7f", "?"},
    {"\xc2\x80\xc2\x9b"
     "31m\xc2\x9f\xc2\xa0",
     "??31m?\xc2\xa0"}, /* C1 ends at U+009F */
    {"\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90", "\xe2\x80\x8d??\xe2\x80\x90"},
    {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
     "\xe2\x80\xa7????\xe2\x80\xaf"},
    {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "\xe2\x81\xa5??\xe2\x81\xaa"},
    {"\xd8\x9b\xd8\x9c\xd8\x9d", "\xd8\x9b?\xd8\x9d"}, /* the Arabic letter mark */
    {"\xff\xc3", "??"},                                /* no UTF-8; a character that is cut off */
    {"\xc0\xaf", "??"},                                /* not the shortest form */
    {"\xe0\x9f\xbf", "???"},                           /* not the shortest form */
    {"\xed\xa0\x80", "???"},                           /* a surrogate */
    {"\xf4\x90\x80\x80", "????"},                      /* beyond U+10FFFF */
    {"\xe2\x82"
     "A",
     "??A"},
};

static char *put(const char *text, size_t length)
{
    char *out = NULL;
    size_t size;
    FILE *stream = open_memstream(&out, &size);
    ck_assert_ptr_nonnull(stream);
    text_put_some(stream, text, length);
    fclose(stream);
    return out;
}

START_TEST(what_may_steer_is_masked)
{
    char *out = put(rows[_i].text, strlen(rows[_i].text)), *copy = strdup(rows[_i].text);
    ck_assert_str_eq(out, rows[_i].wanted);
    ck_assert_str_eq(text_mask(copy), rows[_i].wanted);
    free(out);
    free(copy);
}
END_TEST

/* Nothing is read behind the length that is given, wherever that cuts a character. */
START_TEST(a_part_ends_where_it_is_said_to)
{
    static const char text[] = "a\xf0\x9f\x90\x9f";
    static const char *const wanted[] = {"", "a", "a?", "a??", "a???", text};
    for (size_t length = 0; length < sizeof text; length++) {
        char *copy = malloc(length + 1), *out; /* of that size: ASan sees more being read */
        memcpy(copy, text, length);
        out = put(copy, length);
        ck_assert_str_eq(out, wanted[length]);
        free(out);
        free(copy);
    }
}
END_TEST

/* No octet that a terminal may obey comes through, whatever two or three octets come in. */
START_TEST(nothing_else_comes_through)
{
    for (unsigned i = 1; i < 1u << 16; i++) {
        const char text[] = {(char)(i >> 8), (char)i, '\xae', '\0'};
        char *out = put(text, 3);
        const unsigned char *p = (unsigned char *)out;
        for (; *p != '\0'; p++) {
            ck_assert_msg(*p >= 0x20 && *p != 0x7f, "%04x", i);
            ck_assert_msg(p[0] != 0xc2 || p[1] >= 0xa0, "%04x", i);
            ck_assert_msg(p[0] != 0xe2 || p[1] != 0x80 || p[2] != 0xae, "%04x", i);
        }
        free(out);
    }
}
END_TEST

/* ---- names that options take ---- */

/* With commas, given again, with * at the end, rules by their section. */
static const struct {
    const char *texts[2]; /* as given; NULL: not again */
    const char *id;
    bool has, names, has_rule;
    const char *missing;
} names_rows[] = {
    {{"a"}, "a", true, true, true, NULL},
    {{"a"}, "ab", false, false, false, "a"},
    {{"ab"}, "a", false, false, false, "ab"},
    {{"a,b"}, "b", true, true, true, "a"},
    {{"a", "b"}, "b", true, true, true, "a"},
    {{"b,b", "b"}, "b", true, true, true, NULL}, /* each of them was found */
    {{"a*"}, "ab", true, false, true, NULL},
    {{"a*,b"}, "ab", true, false, true, "b"},
    {{"*"}, "ab", true, false, true, NULL},
    {{"a*b"}, "axb", false, false, false, "a*b"}, /* a * in the midst is none */
    {{""}, "a", false, false, false, ""},
    {{"a,"}, "a", true, true, true, ""},
    {{"rfc8166/4.5"}, "rfc8166/4.5/x", false, false, true, "rfc8166/4.5"},
    {{"rfc8166/4"}, "rfc8166/4.5/x", false, false, true, "rfc8166/4"},
    {{"rfc8166/4"}, "rfc8166/40/x", false, false, false, "rfc8166/4"},
    {{"rfc8166/4.5/x"}, "rfc8166/4.5/x", true, true, true, NULL},
    {{"rfc8166/4.5/x"}, "rfc8166/4.5/xy", false, false, false, "rfc8166/4.5/x"},
};

START_TEST(names_are_found)
{
    struct chosen chosen = {0}, rules = {0};
    for (size_t i = 0; i < COUNT(names_rows[_i].texts) && names_rows[_i].texts[i]; i++) {
        chosen_add(&chosen, names_rows[_i].texts[i]);
        chosen_add(&rules, names_rows[_i].texts[i]);
    }
    ck_assert(chosen_has(&chosen, names_rows[_i].id) == names_rows[_i].has);
    ck_assert(chosen_names(&chosen, names_rows[_i].id) == names_rows[_i].names);
    ck_assert_pstr_eq(chosen_missing(&chosen), names_rows[_i].missing);
    ck_assert(chosen_has_rule(&rules, names_rows[_i].id) == names_rows[_i].has_rule);
    chosen_free(&chosen);
    chosen_free(&rules);
    ck_assert(!chosen_has(&chosen, names_rows[_i].id)); /* of none */
}
END_TEST

START_TEST(all_are_found)
{
    struct chosen chosen = {0};
    chosen_add(&chosen, NULL);
    ck_assert(chosen_has(&chosen, "a"));
    ck_assert(!chosen_names(&chosen, "a"));
    ck_assert_ptr_null(chosen_missing(&chosen));
    chosen_free(&chosen);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("text");
    tcase_add_loop_test(tests, what_may_steer_is_masked, 0, COUNT(rows));
    tcase_add_test(tests, a_part_ends_where_it_is_said_to);
    tcase_add_test(tests, nothing_else_comes_through);
    tcase_add_loop_test(tests, names_are_found, 0, COUNT(names_rows));
    tcase_add_test(tests, all_are_found);
    return run_tests("text", tests);
}
