// SPDX-License-Identifier: BSD-3-Clause
/* A live result has the level of its rule; without one it is a must. */
#include "rxe-harness/report/live.h"

#include "conformance/base/count.h"

#include <check.h>
#include <stdlib.h>

static const struct row {
    const char *rule;
    enum result_level level;
    bool exists;
} rows[] = {
    {"rfc8166/3.3.1/calls-within-grant", RESULT_MUST, true},
    {"rfc8166/3.4.5.2/padding-in-read-chunk", RESULT_SHOULD, true},
    {"rfc8166/3.3.1/request-of-zero", RESULT_ADVISORY, true},
    {"rfc8166/3.3.1/no-such-rule", RESULT_MUST, false},
    {NULL, RESULT_MUST, false},
};

START_TEST(results_have_the_level_of_their_rule)
{
    const struct live_case about = {"probe", "case", "What it is."};
    struct results results = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct result *result =
            live_result(&results, &about, rows[i].rule, i % 2 == 1, "server");
        ck_assert_msg(result->level == rows[i].level, "row %zu", i);
        ck_assert_msg((result->rule != NULL) == rows[i].exists, "row %zu", i);
        ck_assert_int_eq(result->breaks, i % 2 == 1);
        ck_assert_int_eq(result->offset, -1);
        ck_assert_str_eq(result->from, "server");
    }
    ck_assert_uint_eq(results.count, COUNT(rows));
    results_free(&results);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live results");
    TCase *tests = tcase_create("live results");
    tcase_add_test(tests, results_have_the_level_of_their_rule);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
