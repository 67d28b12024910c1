// SPDX-License-Identifier: BSD-3-Clause
/* A program that is one test in its own process, for another that reads what it prints. */
#ifndef CONFORMANCE_TESTS_ALONE_H
#define CONFORMANCE_TESTS_ALONE_H

#include <check.h>
#include <stdlib.h>

static inline int run_alone(const TTest *test)
{
    Suite *suite = suite_create("runs");
    TCase *tests = tcase_create("runs");
    tcase_add_test(tests, test);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
