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

static void has(const char *said, const char *part, unsigned times)
{
    ck_assert_msg(occurrences(said, part) == times, "'%s' %u times, not %u, in\n%s", part,
                  occurrences(said, part), times, said);
}

static char *wide_text(const struct results *results, bool all)
{
    struct alloc_stream text;
    alloc_begin(&text);
    results_text(text.out, terminal_style(COLOR_NEVER, stdout), 1000, results, all);
    return alloc_end(&text);
}

/* The last line: how many, in the right number, and what did not happen. */
START_TEST(the_last_line)
{
    static const struct {
        unsigned results, known, stale;
        const char *incomplete, *brief, *said;
    } rows[] = {
        {1, 0, 0, NULL, NULL, "\npeer: 1 result, 1 failed\n"},
        {2, 0, 0, NULL, NULL, "\npeer: 2 results, 2 failed\n"},
        {3, 1, 0, NULL, NULL, "\npeer: 3 results, 2 failed, 1 expected failure\n"},
        {3, 2, 0, NULL, NULL, "\npeer: 3 results, 1 failed, 2 expected failures\n"},
        {1, 0, 1, NULL, NULL, "\npeer: 1 result, 1 failed; 1 expected failure did not occur\n"},
        {1, 0, 2, NULL, NULL, "\npeer: 1 result, 1 failed; 2 expected failures did not occur\n"},
        {1, 0, 0, "a long reason", NULL, "\npeer: 1 result, 1 failed; a long reason\n"},
        {1, 0, 0, "a long reason", "brief", "\npeer: 1 result, 1 failed; brief\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct row bad[3] = {{.test = "a", .ending = ENDING_WRONG},
                             {.test = "b", .ending = ENDING_WRONG},
                             {.test = "c", .ending = ENDING_WRONG}};
        for (unsigned k = 0; k < rows[i].known; k++)
            bad[k].known = true;
        struct results results = make(bad, rows[i].results);
        char first[] = "x", second[] = "y", *stale[] = {first, second};
        struct known known = {.stale = stale, .stale_count = rows[i].stale};
        results.known = &known;
        results.incomplete = rows[i].incomplete;
        results.brief = rows[i].brief;
        results.wire = alloc_text("drops a\nfourth");
        char *text = wide_text(&results, false);
        has(text, rows[i].said, 1);
        has(text, "\nwire: drops a?fourth\n", 1);
        has(text, "opening vector", 0);
        free(text);
        results_free(&results);
    }
}
END_TEST

/* Three of a kind unless all are asked for; expected ones only then. Their kinds come first. */
START_TEST(how_many_are_printed)
{
    static const struct row rows[] = {
        {"a1", "x", "one", .ending = ENDING_WRONG},
        {"b1", "x", "two", .ending = ENDING_CLOSED},
        {"a2", "x", "one", .ending = ENDING_WRONG},
        {"k", "x", "one", .ending = ENDING_WRONG, .known = true},
        {"a3", "x", "one", .ending = ENDING_WRONG},
        {"a4", "x", "one", .ending = ENDING_WRONG},
        {"good", "x", "x", .ending = ENDING_TOLERATED},
        {"a5", "x", "one", .ending = ENDING_WRONG},
    };
    struct results results = make(rows, COUNT(rows));
    for (int all = 0; all < 2; all++) {
        char *text = wide_text(&results, all);
        ck_assert_ptr_eq(strstr(text, "    5 x expected x, got one, first in a1\n"
                                      "    1 x expected x, got two, first in b1\n\na1: "),
                         text);
        has(text, ": wrong answer", all ? 6 : 3);
        has(text, "a4: wrong answer", all);
        has(text, "a5: wrong answer", all);
        has(text, "k: wrong answer (expected)", all);
        has(text, "b1: closed", 1);
        has(text, "\n2 more failures of the same kinds (--all prints them)\n", !all);
        has(text,
            "tolerated                1         0         0         1\n"
            "wrong answer             6         0         0         6\n"
            "closed                   1         0         0         1\n\n",
            1);
        free(text);
    }
    results_free(&results);
}
END_TEST

/* Eight reasons at most. */
START_TEST(reasons_are_bounded)
{
    static const char *const reasons[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    struct row rows[COUNT(reasons)];
    for (size_t i = 0; i < COUNT(reasons); i++)
        rows[i] = (struct row){.test = "a", .actual = reasons[i], .ending = ENDING_NOT_APPLICABLE};
    struct results results = make(rows, COUNT(rows));
    char *text = wide_text(&results, true);
    has(text, "not applicable, 1: ", 8);
    has(text, "\n\nnot applicable, 1: 0\nnot applicable, 1: 1\n", 1);
    has(text, "not applicable, 1: 7\n", 1);
    free(text);
    results_free(&results);
}
END_TEST

/* ---- two axes ---- */

START_TEST(endings_and_grades)
{
    static const struct {
        enum ending ending;
        const char *name, *title;
        bool failure, broken, judged;
        enum grade must, should, advisory;
    } rows[ENDINGS] = {
        {ENDING_REQUIRED, "as-required", "as required", false, false, true, GRADE_GOOD, GRADE_GOOD,
         GRADE_GOOD},
        {ENDING_TOLERATED, "tolerated", "tolerated", false, false, true, GRADE_REMARK, GRADE_REMARK,
         GRADE_REMARK},
        {ENDING_LIMIT, "limit", "limit", false, false, false, GRADE_REMARK, GRADE_REMARK,
         GRADE_REMARK},
        {ENDING_WRONG, "wrong-answer", "wrong answer", true, false, true, GRADE_BAD, GRADE_WARNING,
         GRADE_REMARK},
        {ENDING_SILENT, "silent", "silent", true, false, true, GRADE_BAD, GRADE_WARNING,
         GRADE_REMARK},
        {ENDING_CLOSED, "closed", "closed", true, false, true, GRADE_BAD, GRADE_WARNING,
         GRADE_REMARK},
        {ENDING_STALLED, "stalled", "stalled", true, true, true, GRADE_BROKEN, GRADE_BROKEN,
         GRADE_BROKEN},
        {ENDING_CRASHED, "crashed", "crashed", true, true, true, GRADE_BROKEN, GRADE_BROKEN,
         GRADE_BROKEN},
        {ENDING_GARBLED, "garbled", "garbled", true, true, true, GRADE_BROKEN, GRADE_BROKEN,
         GRADE_BROKEN},
        {ENDING_EARLY, "early", "early", true, true, true, GRADE_BROKEN, GRADE_BROKEN,
         GRADE_BROKEN},
        {ENDING_NOT_APPLICABLE, "not-applicable", "not applicable", false, false, false, GRADE_NONE,
         GRADE_NONE, GRADE_NONE},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        enum ending ending = rows[i].ending;
        ck_assert_int_eq(ending, (int)i);
        ck_assert_str_eq(ending_names[i], rows[i].name);
        ck_assert_str_eq(ending_titles[i], rows[i].title);
        ck_assert_int_eq(ending_is_failure(ending), rows[i].failure);
        ck_assert_int_eq(ending_is_broken(ending), rows[i].broken);
        ck_assert_int_eq(ending_is_judged(ending), rows[i].judged);
        ck_assert_int_eq(grade_of(ending, RESULT_MUST), rows[i].must);
        ck_assert_int_eq(grade_of(ending, RESULT_SHOULD), rows[i].should);
        ck_assert_int_eq(grade_of(ending, RESULT_ADVISORY), rows[i].advisory);
    }
    static const struct {
        int level;
        enum result_level of;
    } levels[] = {{RPCRDMA_LEVEL_MUST, RESULT_MUST},
                  {RPCRDMA_LEVEL_SHOULD, RESULT_SHOULD},
                  {RPCRDMA_LEVEL_DERIVED, RESULT_SHOULD},
                  {RPCRDMA_LEVEL_ADVISORY, RESULT_ADVISORY},
                  {RPCRDMA_LEVEL_NONE, RESULT_ADVISORY}};
    for (size_t i = 0; i < COUNT(levels); i++) {
        struct rpcrdma_requirement rule = rpcrdma_requirements[0];
        rule.level = levels[i].level;
        ck_assert_int_eq(level_of_rule(&rule), levels[i].of);
    }
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
    tcase_add_test(tcase, the_last_line);
    tcase_add_test(tcase, how_many_are_printed);
    tcase_add_test(tcase, reasons_are_bounded);
    tcase_add_test(tcase, endings_and_grades);
    return run_tests("results", tcase);
}
