// SPDX-License-Identifier: BSD-3-Clause
/* Names that options take: with commas, given again, with * at the end, rules by their section. */
#include "conformance/base/chosen.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>

static const struct {
    const char *texts[2]; /* as given; NULL: not again */
    const char *id;
    bool has, names, has_rule;
    const char *missing;
} rows[] = {
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
    for (size_t i = 0; i < COUNT(rows[_i].texts) && rows[_i].texts[i]; i++) {
        chosen_add(&chosen, rows[_i].texts[i]);
        chosen_add(&rules, rows[_i].texts[i]);
    }
    ck_assert(chosen_has(&chosen, rows[_i].id) == rows[_i].has);
    ck_assert(chosen_names(&chosen, rows[_i].id) == rows[_i].names);
    ck_assert_pstr_eq(chosen_missing(&chosen), rows[_i].missing);
    ck_assert(chosen_has_rule(&rules, rows[_i].id) == rows[_i].has_rule);
    chosen_free(&chosen);
    chosen_free(&rules);
    ck_assert(!chosen_has(&chosen, rows[_i].id)); /* of none */
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
    TCase *tests = tcase_create("chosen names");
    tcase_add_loop_test(tests, names_are_found, 0, COUNT(rows));
    tcase_add_test(tests, all_are_found);
    return run_tests("chosen names", tests);
}
