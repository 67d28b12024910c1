// SPDX-License-Identifier: BSD-3-Clause
/* The end of every test program: run it, and fail with it. */
#ifndef CODEC_TESTS_SUPPORT_RUN_SUITE_H
#define CODEC_TESTS_SUPPORT_RUN_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV); /* CK_VERBOSITY, or what is normal */
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A program with one group of tests. */
static inline int run_tests(const char *title, TCase *tests)
{
    Suite *suite = suite_create(title);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}

#endif
