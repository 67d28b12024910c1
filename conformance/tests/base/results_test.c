// SPDX-License-Identifier: BSD-3-Clause
/* What is said of results: who is counted as what, what is alike, and that sums are those of what
 * is listed. */
#include "conformance/report/results/results.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/status.h"
#include "conformance/report/results/results_groups.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* A result in a word each: what it was, and how it is counted. */
struct row {
    const char *test, *expected, *actual;
    enum ending ending;
    bool known, opening, legal, refused;
};

static struct results make(const struct row *rows, size_t count)
{
    struct results results = {.subject = alloc_text("peer")};
    for (size_t i = 0; i < count; i++) {
        struct result *result = results_add(&results);
        result->test = alloc_text(rows[i].test);
        result->comment = alloc_text("");
        result->from = alloc_text("client");
        result->type = alloc_text("send");
        result->expected = alloc_text(rows[i].expected ? rows[i].expected : "");
        result->actual = alloc_text(rows[i].actual ? rows[i].actual : "");
        result->ending = rows[i].ending;
        result->known = rows[i].known;
        result->opening = rows[i].opening;
        result->testee.legal = rows[i].legal;
        result->testee.refused = rows[i].refused;
    }
    return results;
}

static const struct row several[] = {
    {"opening", .ending = ENDING_WRONG, .opening = true, .legal = true},
    {"good", .ending = ENDING_REQUIRED, .legal = true},
    {"known", .ending = ENDING_WRONG, .known = true, .legal = true, .refused = true},
    {"refused", .ending = ENDING_CLOSED, .legal = true, .refused = true},
    {"misread", .ending = ENDING_WRONG, .legal = true},
    {"limit", .ending = ENDING_LIMIT, .legal = true, .refused = true},
    {"crash", .ending = ENDING_CRASHED, .refused = true},
    {"elsewhere", .ending = ENDING_NOT_APPLICABLE, .legal = true},
};

START_TEST(each_is_counted_as_what_it_is)
{
    struct results results = make(several, COUNT(several));
    size_t refused, misread;
    ck_assert_uint_eq(results_failed(&results), 4); /* opening, refused, misread, crash */
    ck_assert_uint_eq(results_known(&results), 1);
    ck_assert_uint_eq(results_judged(&results), 5); /* not: opening, limit, elsewhere */
    ck_assert_uint_eq(results_legal(&results, &refused, &misread), 5); /* nor the limit here */
    ck_assert_uint_eq(refused, 2);
    ck_assert_uint_eq(misread, 2); /* a refusal is no misreading */
    results_free(&results);
}
END_TEST

START_TEST(a_run_that_judged_nothing_has_failed)
{
    static const struct row opening[] = {{"opening", .ending = ENDING_REQUIRED, .opening = true}};
    static const struct row good[] = {{"opening", .ending = ENDING_REQUIRED, .opening = true},
                                      {"good", .ending = ENDING_REQUIRED}};
    struct results nothing = make(opening, COUNT(opening)), something = make(good, COUNT(good));
    ck_assert_int_eq(results_status(&nothing), STATUS_VIOLATED);
    ck_assert_int_eq(results_status(&something), STATUS_GOOD);
    results_free(&nothing);
    results_free(&something);
}
END_TEST

START_TEST(alike_is_one_group)
{
    static const struct row rows[] = {
        {"a", "x", "once", .ending = ENDING_WRONG},
        {"b", "x", "thrice", .ending = ENDING_WRONG},
        {"c", "x", "known", .ending = ENDING_WRONG, .known = true},
        {"d", "x", "once too", .ending = ENDING_WRONG},
        {"e", "x", "thrice", .ending = ENDING_WRONG},
        {"f", "x", "good", .ending = ENDING_REQUIRED},
        {"g", "x", "thrice", .ending = ENDING_WRONG},
    };
    static const struct {
        const char *first;
        size_t count;
    } wanted[] = {{"b", 3}, {"a", 1}, {"d", 1}}; /* of equals, what came first */
    static const size_t of_result[] = {1, 0, SIZE_MAX, 2, 0, SIZE_MAX, 0};
    struct results results = make(rows, COUNT(rows));
    struct result_groups groups;
    result_groups_make(&groups, &results);
    ck_assert_uint_eq(groups.count, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        ck_assert_str_eq(groups.list[i].first->test, wanted[i].first);
        ck_assert_uint_eq(groups.list[i].count, wanted[i].count);
    }
    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_uint_eq(groups.of_result[i], of_result[i]);
    result_groups_free(&groups);
    results_free(&results);
}
END_TEST

static char *text_of(const struct results *results)
{
    const struct style *plain = terminal_style(COLOR_NEVER, stdout);
    struct alloc_stream text;
    alloc_begin(&text);
    results_text(text.out, plain, 100, results, false);
    return alloc_end(&text);
}

static unsigned occurrences(const char *text, const char *part)
{
    unsigned count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

START_TEST(a_reason_is_said_once_with_its_count)
{
    static const struct row rows[] = {
        {"a", .actual = "no test program", .ending = ENDING_NOT_APPLICABLE},
        {"b", .actual = "no second connection", .ending = ENDING_NOT_APPLICABLE},
        {"c", .actual = "no test program", .ending = ENDING_REQUIRED},
        {"d", .actual = "no test program", .ending = ENDING_NOT_APPLICABLE},
    };
    struct results results = make(rows, COUNT(rows));
    char *text = text_of(&results);
    ck_assert_msg(occurrences(text, "not applicable, ") == 2, "%s", text);
    ck_assert_msg(occurrences(text, "not applicable, 2: no test program\n") == 1, "%s", text);
    ck_assert_msg(occurrences(text, "not applicable, 1: no second connection\n") == 1, "%s", text);
    free(text);
    results_free(&results);
}
END_TEST

/* 128 octets are shown; of more it is said how many there are. */
START_TEST(octets_that_are_left_out_are_counted)
{
    static const struct row rows[] = {{"a", .ending = ENDING_WRONG}};
    static const size_t lengths[] = {0, 128, 129};
    static const char *const wanted[] = {"nothing", NULL, "... (129 octets)"};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct results results = make(rows, COUNT(rows));
        results.list[0].tells_octets = true;
        results.list[0].octets = alloc_octets(lengths[i]);
        memset(results.list[0].octets, 0xa5, lengths[i]);
        results.list[0].length = lengths[i];
        char *text = text_of(&results);
        ck_assert_uint_eq(occurrences(text, "a5"), lengths[i] < 128 ? lengths[i] : 128);
        ck_assert_uint_eq(occurrences(text, "octets)"), lengths[i] > 128);
        ck_assert_msg(wanted[i] == NULL || strstr(text, wanted[i]), "%s", text);
        free(text);
        results_free(&results);
    }
}
END_TEST

/* The number that the first attribute of this name after `at` has. */
static unsigned long attribute(const char *at, const char *name)
{
    char begin[32];
    snprintf(begin, sizeof begin, " %s=\"", name);
    at = strstr(at, begin);
    ck_assert_ptr_nonnull(at);
    return strtoul(at + strlen(begin), NULL, 10);
}

/* A build server adds up, and looks whether the attributes say the same. */
START_TEST(sums_of_junit_are_those_of_its_cases)
{
    static const char *const names[] = {"tests", "failures", "errors", "skipped"};
    static const char *const elements[] = {"<testcase ", "<failure ", "<error ", "<skipped "};
    struct results results = make(several, COUNT(several));
    for (size_t i = 0; i < results.count; i++) {
        results.list[i].file = alloc_text(i < 3 ? "first.json" : "second.json");
        results.list[i].microseconds = 2000000;
    }
    struct alloc_stream stream;
    alloc_begin(&stream);
    results_junit(stream.out, &results);
    char *text = alloc_end(&stream);
    char *first = strstr(text, "<testsuite "),
         *second = first ? strstr(first + 1, "<testsuite ") : NULL;
    ck_assert_ptr_nonnull(second);
    ck_assert_ptr_null(strstr(second + 1, "<testsuite "));
    ck_assert(strncmp(second, "<testsuite name=\"second.json\"", 29) == 0);
    for (size_t i = 0; i < COUNT(names); i++) {
        unsigned all = occurrences(text, elements[i]), later = occurrences(second, elements[i]);
        ck_assert_uint_eq(attribute(text, names[i]), all);
        ck_assert_uint_eq(attribute(first, names[i]), all - later);
        ck_assert_uint_eq(attribute(second, names[i]), later);
    }
    ck_assert_uint_eq(attribute(strstr(first, "<testcase "), "time"), 2); /* seconds */
    ck_assert_uint_eq(attribute(text, "time"), 2 * COUNT(several));
    ck_assert_uint_eq(attribute(first, "time"), 2 * 3);
    ck_assert_uint_eq(attribute(second, "time"), 2 * (COUNT(several) - 3));
    free(text);
    results_free(&results);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("results");
    tcase_add_test(tcase, each_is_counted_as_what_it_is);
    tcase_add_test(tcase, a_run_that_judged_nothing_has_failed);
    tcase_add_test(tcase, alike_is_one_group);
    tcase_add_test(tcase, a_reason_is_said_once_with_its_count);
    tcase_add_test(tcase, octets_that_are_left_out_are_counted);
    tcase_add_test(tcase, sums_of_junit_are_those_of_its_cases);
    return run_tests("results", tcase);
}
