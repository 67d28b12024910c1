// SPDX-License-Identifier: BSD-3-Clause
// once
/*
 * What the checker says of each vector, of each row of the tests of rules, and of their neighbours
 * (support/neighbours/sums.h). Vectors and rows say what is right; this holds what lies around
 * them, so that no limit, operand or text changes unseen.
 */
#include "conformance/tests/support/neighbours/stories.h"
#include "conformance/tests/support/neighbours/sums.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

START_TEST(rules_are_reported_as_always)
{
    const char *path = "conformance/tests/data/sums.tsv";
    stories_of_vectors(sums_add);
    stories_of_rows(sums_add);
    ck_assert_uint_gt(sums_stories(), 2500);
    unsigned differ = sums_compare(path);
    ck_assert_msg(
        differ == 0,
        "%u rules are reported otherwise than %s says. SHOW=RULE %s prints each finding of one; "
        "where the change is meant, or a vector or a row is new: make accept",
        differ, path, "build/tests/conformance/tests/sums_test");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sums");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, rules_are_reported_as_always);
    return run_tests("sums", tests);
}
