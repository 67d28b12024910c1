// SPDX-License-Identifier: BSD-3-Clause
/* Lists of expected failures say which answer is expected: no other is covered. */
#include "conformance/report/results/known.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/report/results/results.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void read_text(struct known *known, const char *text)
{
    char file[] = "/tmp/known_test.XXXXXX";
    int fd = mkstemp(file);
    ck_assert_int_ge(fd, 0);
    FILE *out = fdopen(fd, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
    bool good = known_read(known, file);
    unlink(file);
    known->file = "list";
    ck_assert(good);
}

#define RULE "rfc8166/4.6.1/msgp-not-sent"

static const struct {
    const char *line;
    const char *answer; /* NULL: none was given */
    enum ending ending;
    bool covered;
} tests[] = {
    {"a wrong-answer", "fail", ENDING_WRONG, true},
    {"a wrong-answer", "accept", ENDING_WRONG, true},
    {"a wrong-answer:fail", "fail", ENDING_WRONG, true},
    {"a wrong-answer:fail", "accept", ENDING_WRONG, false},
    {"a wrong-answer:fail", "fai", ENDING_WRONG, false},
    {"a wrong-answer:fail", "failed", ENDING_WRONG, false},
    {"a wrong-answer:fail", NULL, ENDING_WRONG, false},
    {"a wrong-answer:fail", "fail", ENDING_CLOSED, false},
    {"a wrong-answer:accept", "accept-length", ENDING_WRONG, false},
    {"a wrong-answer:fail,wrong-answer:discard", "discard", ENDING_WRONG, true},
    {"a wrong-answer:fail,closed", NULL, ENDING_CLOSED, true},
    {"a closed,wrong-answer:fail", "accept", ENDING_WRONG, false},
    {"a:1 wrong-answer:fail", "fail", ENDING_WRONG, false},
    {RULE " wrong-answer", "accept", ENDING_WRONG, true},
    {RULE " wrong-answer:fail", "fail", ENDING_WRONG, true},
    {RULE " wrong-answer:fail", "accept", ENDING_WRONG, false},
    {RULE "#XDR_E_COUNT wrong-answer:fail", "fail", ENDING_WRONG, false},
};

START_TEST(test_answers)
{
    struct known known = {.kind = KNOWN_TESTS};
    const struct known_failure failure = {
        .test = "a", .ending = tests[_i].ending, .rule = RULE, .answer = tests[_i].answer};
    read_text(&known, tests[_i].line);
    ck_assert_msg(known_failure(&known, &failure) == tests[_i].covered, "%s: %s", tests[_i].line,
                  tests[_i].answer ? tests[_i].answer : "-");
    ck_assert_uint_eq(known_settle(&known), !tests[_i].covered);
    known_free(&known);
}
END_TEST

/* What need not occur is no failure that is missed, wherever the list says so. */
START_TEST(test_sometimes)
{
    static const struct {
        const char *line;
        bool sometimes;
    } lines[] = {
        {"a closed,as-required", true},
        {"a closed,as-required,silent", true},
        {"a closed,as-required,wrong-answer:fail", true},
        {"a closed,silent", false},
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct known known = {.kind = KNOWN_TESTS};
        const struct known_failure failure = {.test = "a", .ending = ENDING_CLOSED};
        read_text(&known, lines[i].line);
        known_judged(&known, "a", 0);
        ck_assert_uint_eq(known_settle(&known), !lines[i].sometimes);
        ck_assert(known_failure(&known, &failure));
        ck_assert_uint_eq(known_settle(&known), 0);
        known_free(&known);
    }
}
END_TEST

/* What was not run need not have occurred; what was judged there has to. */
START_TEST(test_partial)
{
    static const struct {
        bool partial, judged, stale;
    } rows[] = {
        {false, false, true}, {false, true, true}, {true, false, false}, {true, true, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct known known = {.kind = KNOWN_TESTS, .partial = rows[i].partial};
        read_text(&known, "a closed");
        known_judged(&known, rows[i].judged ? "a" : "b", 0);
        ck_assert_msg(known_settle(&known) == rows[i].stale, "row %zu", i);
        known_free(&known);
    }
}
END_TEST

/* The kit's names have the answer; one without it is that of what was accepted. */
static const struct {
    const char *line, *name;
    bool covered;
} names[] = {
    {RULE " wrong-answer", RULE, true},
    {RULE " wrong-answer", RULE ":fail", false},
    {RULE ":fail wrong-answer", RULE ":fail", true},
    {RULE ":fail wrong-answer", RULE ":discard", false},
    {RULE ":fail wrong-answer", RULE, false},
    {"kit/refuses-valid/requester/rdma-msg wrong-answer", "kit/accepts-invalid/requester/rdma-msg",
     false},
};

START_TEST(test_kit)
{
    struct known known = {.kind = KNOWN_KIT};
    read_text(&known, names[_i].line);
    ck_assert_msg(known_has(&known, names[_i].name, ENDING_WRONG) == names[_i].covered, "%s: %s",
                  names[_i].line, names[_i].name);
    known_free(&known);
}
END_TEST

/* Of traffic: a side, and a peer or all of them. */
static const struct {
    const char *line, *side, *peer;
    bool covered;
} findings[] = {
    {RULE " server 192.0.2.1:20049", "server", "192.0.2.1:20049", true},
    {RULE " server 192.0.2.1:20049", "server", "192.0.2.2:20049", false},
    {RULE " server 192.0.2.1:20049", "client", "192.0.2.1:20049", false},
    {RULE " client *", "client", "192.0.2.2:20049", true},
    {RULE " client *", "server", "192.0.2.2:20049", false},
};

START_TEST(test_findings)
{
    struct known known = {.kind = KNOWN_TRAFFIC};
    read_text(&known, findings[_i].line);
    ck_assert(known_finding(&known, RULE, findings[_i].side, findings[_i].peer) ==
              findings[_i].covered);
    ck_assert(
        !known_finding(&known, "rfc8166/4.2.2/version-one", findings[_i].side, findings[_i].peer));
    ck_assert_uint_eq(known_settle(&known), !findings[_i].covered);
    known_free(&known);
}
END_TEST

/* A list covers no opening vector, and of recorded traffic nothing that is not a finding of a rule.
 */
START_TEST(a_list_covers_what_may_be_expected)
{
    static const struct {
        enum known_kind kind;
        enum ending ending;
        bool opening, covered;
        const char *rule, *from;
    } rows[] = {
        {KNOWN_TESTS, ENDING_WRONG, false, true, NULL, "client"},
        {KNOWN_TESTS, ENDING_WRONG, true, false, NULL, "client"},
        {KNOWN_TESTS, ENDING_REQUIRED, false, false, NULL, "client"},
        {KNOWN_TRAFFIC, ENDING_WRONG, false, true, RULE, "client"},
        {KNOWN_TRAFFIC, ENDING_WRONG, false, false, RULE, "server"},
        {KNOWN_TRAFFIC, ENDING_WRONG, false, false, NULL, "client"},
        {KNOWN_TRAFFIC, ENDING_CRASHED, false, false, RULE, "client"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct results results = {.count = 0};
        struct result *result = results_add(&results);
        struct known known = {.kind = rows[i].kind};
        read_text(&known, known.kind == KNOWN_TESTS ? "a wrong-answer,silent" : RULE " client *");
        result->rule = rows[i].rule ? alloc_text(rows[i].rule) : NULL;
        result->test = alloc_text("a");
        result->ending = rows[i].ending;
        result->opening = rows[i].opening;
        result->from = alloc_text(rows[i].from);
        results_apply_known(&results, &known);
        ck_assert_msg(result->known == rows[i].covered, "row %zu", i);
        known_free(&known);
        results_free(&results);
    }
}
END_TEST

/* ---- what is taken for a list ---- */

static const struct {
    enum known_kind kind;
    const char *line;
    bool good;
} lines[] = {
    {KNOWN_TESTS, "", true},
    {KNOWN_TESTS, "# nothing", true},
    {KNOWN_TESTS, "a closed # a reason", true},
    {KNOWN_TESTS, "a closed#", false},
    {KNOWN_TESTS, "a", false},
    {KNOWN_TESTS, "a closed more", false},
    {KNOWN_TESTS, "a as-required", false},
    {KNOWN_TESTS, "a as-required,closed", false},
    {KNOWN_TESTS, "a closed,as-required", true},
    {KNOWN_TESTS, "a tolerated", false},
    {KNOWN_TESTS, "a limit", false},
    {KNOWN_TESTS, "a not-applicable", false},
    {KNOWN_TESTS, "a silent,stalled,crashed,garbled,early,closed", true},
    {KNOWN_TESTS, "a close", false},
    {KNOWN_TESTS, "a closed,", false},
    {KNOWN_TESTS, "a wrong-answer:", false},
    {KNOWN_TESTS, "a closed:fail", false},
    {KNOWN_TESTS, "a:0 closed", true},
    {KNOWN_TESTS, "a:4294967295 closed", true},
    {KNOWN_TESTS, "a:4294967296 closed", false},
    {KNOWN_TESTS, "a: closed", false},
    {KNOWN_TESTS, "a:-1 closed", false},
    {KNOWN_TESTS, "a:1x closed", false},
    {KNOWN_TESTS, RULE " closed", true},
    {KNOWN_TESTS, RULE "#WAY silent,wrong-answer:fail", true},
    {KNOWN_TESTS, RULE "# closed", false},
    {KNOWN_TESTS, RULE "x closed", false},
    {KNOWN_TESTS, RULE " closed,as-required", false},
    {KNOWN_TESTS, RULE " stalled", false},
    {KNOWN_TESTS, RULE " closed,crashed", false},
    {KNOWN_TESTS, RULE " garbled", false},
    {KNOWN_TESTS, RULE " early", false},
    {KNOWN_KIT, RULE " wrong-answer", true},
    {KNOWN_KIT, RULE ":fail wrong-answer", true},
    {KNOWN_KIT, RULE ": wrong-answer", false},
    {KNOWN_KIT, RULE " closed", false},
    {KNOWN_KIT, RULE " wrong-answer:fail", false},
    {KNOWN_KIT, "a wrong-answer", false},
    {KNOWN_KIT, "kit/refuses-valid/x wrong-answer", true},
    {KNOWN_KIT, "kit/crashed/x wrong-answer", false},
    {KNOWN_TRAFFIC, RULE " client *", true},
    {KNOWN_TRAFFIC, RULE " server 192.0.2.1", true},
    {KNOWN_TRAFFIC, RULE " peer *", false},
    {KNOWN_TRAFFIC, RULE " client", false},
    {KNOWN_TRAFFIC, RULE " client * more", false},
    {KNOWN_TRAFFIC, RULE "x client *", false},
};

START_TEST(a_line_is_taken_or_refused)
{
    struct known known = {.kind = lines[_i].kind};
    char file[] = "/tmp/known_test.XXXXXX";
    FILE *out = fdopen(mkstemp(file), "w");
    ck_assert_ptr_nonnull(out);
    fprintf(out, "%s\n", lines[_i].line);
    fclose(out);
    ck_assert_msg(known_read(&known, file) == lines[_i].good, "%s", lines[_i].line);
    unlink(file);
    known_free(&known);
}
END_TEST

/* ---- what is written ---- */

static void is_written(const struct known *known, const char *wanted)
{
    char file[] = "/tmp/known_test.XXXXXX", text[2000] = "";
    close(mkstemp(file));
    ck_assert(known_write(known, file));
    FILE *in = fopen(file, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_uint_lt(fread(text, 1, sizeof text, in), sizeof text);
    fclose(in);
    unlink(file);
    ck_assert_str_eq(text, wanted);
}

static void find(struct known *known, const char *test, unsigned event, enum ending ending,
                 const char *answer)
{
    const struct known_failure failure = {
        .test = test, .event = event, .ending = ending, .rule = RULE, .answer = answer};
    known_judged(known, test, event);
    known_failure(known, &failure);
}

/* Each failure once, in the order in which it was found, and which answer was wrong. */
START_TEST(a_new_list)
{
    struct known known = {.kind = KNOWN_TESTS};
    find(&known, "b", 0, ENDING_WRONG, "fail");
    find(&known, "a", 2, ENDING_WRONG, "fail");
    find(&known, "a", 2, ENDING_WRONG, "fail");
    find(&known, "a", 2, ENDING_WRONG, "accept");
    find(&known, "a", 0, ENDING_CRASHED, "fail");
    find(&known, "c", 1, ENDING_WRONG, NULL);
    is_written(&known, "# Expected failures, one a line: a test and how it ended, with the wrong "
                       "answer. After # the reason.\n"
                       "b wrong-answer:fail # reason: \na:2 wrong-answer:fail # reason: \n"
                       "a:2 wrong-answer:accept # reason: \na crashed # reason: \n"
                       "c:1 wrong-answer # reason: \n");
    known_free(&known);
    known = (struct known){.kind = KNOWN_TRAFFIC};
    known_finding(&known, RULE, "server", "192.0.2.1");
    known_finding(&known, RULE, "server", "192.0.2.1");
    known_finding(&known, RULE, "client", "192.0.2.1");
    is_written(&known, "# Expected failures, one a line: a rule, client or server, the peer's "
                       "address. After # the reason.\n" RULE " server 192.0.2.1 # reason: \n" RULE
                       " client 192.0.2.1 # reason: \n");
    known_free(&known);
}
END_TEST

/* What did not occur goes, unless it need not have; what is new comes last, and remarks stay. */
START_TEST(a_list_that_is_written_again)
{
    struct known known = {.kind = KNOWN_TESTS};
    read_text(&known, "# head\na closed # why\ngone silent # old\nb silent,as-required\n\n"
                      "c:1  wrong-answer:fail\n" RULE "#X silent\n# foot\n");
    find(&known, "a", 0, ENDING_CLOSED, NULL);
    find(&known, "new", 0, ENDING_SILENT, NULL);
    find(&known, "c", 1, ENDING_WRONG, "fail");
    find(&known, "c", 2, ENDING_WRONG, "fail");
    is_written(&known, "# head\na closed # why\nb silent,as-required\n\nc:1  wrong-answer:fail\n"
                       "# foot\nnew silent # reason: \nc:2 wrong-answer:fail # reason: \n");
    ck_assert_uint_eq(known_settle(&known), 2);
    ck_assert_str_eq(known.stale[0], "gone silent");
    ck_assert_str_eq(known.stale[1], RULE "#X silent");
    struct alloc_stream stream;
    alloc_begin(&stream);
    struct json json = {.out = stream.out};
    json_open(&json, NULL, '{');
    known_json(&json, &known);
    json_close(&json, '}');
    char *text = alloc_end(&stream);
    ck_assert_str_eq(text, "{\"stale\":[\"gone silent\",\"" RULE "#X silent\"]}");
    free(text);
    known_free(&known);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("known");
    tcase_add_loop_test(tcase, test_answers, 0, COUNT(tests));
    tcase_add_test(tcase, test_sometimes);
    tcase_add_test(tcase, test_partial);
    tcase_add_loop_test(tcase, test_kit, 0, COUNT(names));
    tcase_add_loop_test(tcase, test_findings, 0, COUNT(findings));
    tcase_add_test(tcase, a_list_covers_what_may_be_expected);
    tcase_add_loop_test(tcase, a_line_is_taken_or_refused, 0, COUNT(lines));
    tcase_add_test(tcase, a_new_list);
    tcase_add_test(tcase, a_list_that_is_written_again);
    return run_tests("known", tcase);
}
