// SPDX-License-Identifier: BSD-3-Clause
/* Each form of a report has each part of a result: as text, TAP, JUnit XML, JSON and as a page. */
#include "conformance/report/results/results.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/register.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULE "rfc8166/3.4.5/position-multiple-of-four"
#define OTHER_RULE "rfc8166/4.2.2/version-one"

static const char *text_of_rule(const char *id)
{
    return rpcrdma_requirements[register_find(id)].text;
}

/* One that has everything. */
static void fill(struct result *result)
{
    static const uint8_t octets[] = {1, 2, 3, 0xab, 5};
    const struct result filled = {.file = alloc_text("dir/a.json"),
                                  .test = alloc_text("bad"),
                                  .comment = alloc_text("what it is"),
                                  .event = 2,
                                  .from = alloc_text("server"),
                                  .type = alloc_text("send"),
                                  .rule = alloc_text(RULE),
                                  .way = alloc_text("XDR_E_COUNT"),
                                  .breaks = true,
                                  .role = alloc_text("Requester"),
                                  .testee = {.question = alloc_text("reply 010203ab05"),
                                             .log = alloc_text("one\ntwo"),
                                             .answer = alloc_text("fail"),
                                             .legal = true,
                                             .refused = true},
                                  .alike = {.wanted = alloc_text("accept"),
                                            .got = alloc_text("fail"),
                                            .cause = alloc_text("a cause")},
                                  .unseen = true,
                                  .microseconds = 1250000,
                                  .level = RESULT_SHOULD,
                                  .ending = ENDING_WRONG,
                                  .expected = alloc_text("accept 28"),
                                  .actual = alloc_text("fail: why"),
                                  .octets = alloc_copy(octets, sizeof octets),
                                  .length = sizeof octets,
                                  .offset = 20,
                                  .field = alloc_text("rdma_reads[0].position")};
    *result = filled;
}

static struct results one_full(void)
{
    struct results results = {.subject = alloc_text("peer"), .seed = 7};
    fill(results_add(&results));
    return results;
}

static char *wide_text(const struct results *results, bool all)
{
    struct alloc_stream text;
    alloc_begin(&text);
    results_text(text.out, terminal_style(COLOR_NEVER, stdout), 1000, results, all);
    return alloc_end(&text);
}

static char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *print(const char *format, ...)
{
    struct alloc_stream text;
    va_list args;
    alloc_begin(&text);
    va_start(args, format);
    vfprintf(text.out, format, args);
    va_end(args);
    return alloc_end(&text);
}

static unsigned occurrences(const char *text, const char *part)
{
    unsigned count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void is_text(char *said, char *wanted)
{
    ck_assert_str_eq(said, wanted);
    free(said);
    free(wanted);
}

static void has(const char *said, const char *part, unsigned times)
{
    ck_assert_msg(occurrences(said, part) == times, "'%s' %u times, not %u, in\n%s", part,
                  occurrences(said, part), times, said);
}

START_TEST(a_failure_is_told_in_full)
{
    struct results results = one_full();
    is_text(wide_text(&results, false),
            print("dir/a.json:bad:event 2: wrong answer [" RULE "], as a Requester\n"
                  "    expected: accept 28\n"
                  "    actual:   fail: why\n"
                  "    at octet: 20, rdma_reads[0].position\n"
                  "    server sent: 010203ab 05\n"
                  "    stderr:   one\n"
                  "              two\n"
                  "    vector:   what it is\n"
                  "    why:      %s\n\n"
                  "%-16s%10s%10s%10s%10s\n%-16s%10d%10d%10d%10d\n\n"
                  "legal Sends refused: 1 of 1\n"
                  "opening vector: seed 7\n"
                  "peer: 1 result, 1 failed\n",
                  text_of_rule(RULE), "ending", "must", "should", "advisory", "all", "wrong answer",
                  0, 1, 0, 1));
    results_free(&results);
}
END_TEST

/* What came back is the other side's; a rule is broken, nearly broken, or found for nothing. */
START_TEST(who_sent_and_why_it_is_there)
{
    static const struct {
        bool breaks, accused;
        const char *said;
    } rules[] = {{true, false, " [" RULE "]"},
                 {false, false, " [near miss of " RULE "]"},
                 {false, true, " [wrongly found: " RULE "]"}};
    for (size_t i = 0; i < 2 * COUNT(rules); i++) {
        struct results results = one_full();
        struct result *result = results.list;
        bool is_client = i % 2;
        result->breaks = rules[i / 2].breaks;
        result->accused = rules[i / 2].accused;
        free(result->from);
        result->from = alloc_text(is_client ? "client" : "server");
        result->answer = alloc_copy("\x77\x88", 2);
        result->answer_length = 2;
        char *text = wide_text(&results, false);
        has(text, rules[i / 2].said, 1);
        has(text,
            is_client ? "    client sent: 010203ab 05\n    server sent: 7788\n"
                      : "    server sent: 010203ab 05\n    client sent: 7788\n",
            1);
        free(text);
        results_free(&results);
    }
}
END_TEST

static char *tap_block(int offset)
{
    return print("  ---\n  ending: \"wrong answer\"\n  level: \"should\"\n"
                 "  expected: \"accept 28\"\n  actual: \"fail: why\"\n"
                 "  vector: \"what it is\"\n  requirement: \"%s\"\n  role: \"Requester\"\n"
                 "  offset: %d\n  field: \"rdma_reads[0].position\"\n"
                 "  octets: \"010203ab05\"\n  stderr: \"one\\x0atwo\"\n  ...\n",
                 text_of_rule(RULE), offset);
}

START_TEST(tap_tells_a_failure_in_full)
{
    struct results results = one_full();
    fill(results_add(&results));
    fill(results_add(&results));
    results.list[1].known = true;
    results.list[1].event = 0;
    results.list[1].offset = 0;
    results.list[2].ending = ENDING_NOT_APPLICABLE;
    results.wire = alloc_text("drops");
    results.incomplete = "stopped";
    struct alloc_stream stream;
    alloc_begin(&stream);
    results_tap(stream.out, &results, 1, 13);
    char *first = tap_block(20), *second = tap_block(0);
    is_text(alloc_end(&stream),
            print("TAP version 13\n1..3\n# wire: drops\nnot ok 1 - bad:event 2 " RULE "\n%s"
                  "not ok 2 - bad " RULE " # TODO expected failure\n%s"
                  "ok 3 - bad:event 2 " RULE " # SKIP not applicable\nBail out! stopped\n",
                  first, second));
    free(first);
    free(second);
    results_free(&results);
}
END_TEST

START_TEST(junit_tells_a_failure_in_full)
{
    struct results results = one_full();
    struct result *more = results_add(&results);
    fill(more);
    more->ending = ENDING_CRASHED;
    more->offset = -1;
    results.incomplete = "stopped";
    struct alloc_stream stream;
    alloc_begin(&stream);
    results_junit(stream.out, &results);
    char *text = alloc_end(&stream);
    char *body = print("\n    <testcase name=\"bad:event 2\" classname=\"rfc8166.3.4.5."
                       "position-multiple-of-four\" time=\"1.250000\">\n"
                       "      <failure type=\"wrong-answer\" message=\"expected accept 28; actual "
                       "fail: why\">what it is\nrequirement: %s\nrole: Requester\noffset: 20\n"
                       "field: rdma_reads[0].position\noctets: 010203ab05</failure>\n"
                       "      <system-err>one\ntwo</system-err>\n    </testcase>\n",
                       text_of_rule(RULE));
    has(text, body, 1);
    has(text, "<error type=\"crashed\" ", 1);
    has(text, "\noffset: ", 1);
    has(text,
        "<testsuites name=\"peer\" tests=\"2\" failures=\"1\" errors=\"1\" skipped=\"0\" "
        "time=\"2.500000\">\n  <testsuite name=\"dir/a.json\" tests=\"2\" failures=\"1\" "
        "errors=\"1\" ",
        1);
    has(text, "<property name=\"incomplete\" value=\"stopped\"/>", 1);
    free(body);
    free(text);
    results_free(&results);
}
END_TEST

static struct results read_again(const struct results *results, bool small)
{
    struct results again = {.count = 0};
    char file[] = "/tmp/results_test.XXXXXX";
    FILE *out = fdopen(mkstemp(file), "w");
    ck_assert_ptr_nonnull(out);
    (small ? results_json_small : results_json)(out, results);
    fclose(out);
    ck_assert(results_read(&again, file));
    unlink(file);
    return again;
}

static void same_result(const struct result *a, const struct result *b)
{
    const char *const texts[][2] = {{a->file, b->file},
                                    {a->test, b->test},
                                    {a->comment, b->comment},
                                    {a->from, b->from},
                                    {a->type, b->type},
                                    {a->rule, b->rule},
                                    {a->way, b->way},
                                    {a->role, b->role},
                                    {a->expected, b->expected},
                                    {a->actual, b->actual},
                                    {a->field, b->field},
                                    {a->testee.question, b->testee.question},
                                    {a->testee.log, b->testee.log},
                                    {a->alike.wanted, b->alike.wanted},
                                    {a->alike.got, b->alike.got},
                                    {a->alike.cause, b->alike.cause}};
    for (size_t i = 0; i < COUNT(texts); i++)
        ck_assert_pstr_eq(texts[i][0], texts[i][1]);
    ck_assert(a->event == b->event && a->offset == b->offset && a->level == b->level &&
              a->ending == b->ending && a->known == b->known && a->breaks == b->breaks &&
              a->accused == b->accused && a->unseen == b->unseen && a->opening == b->opening &&
              a->left_out == b->left_out && a->testee.legal == b->testee.legal &&
              a->testee.refused == b->testee.refused);
    ck_assert_uint_eq(a->length, b->length);
    ck_assert_mem_eq(a->octets, b->octets, a->length);
    ck_assert_uint_eq(a->answer_length, b->answer_length);
    ck_assert(a->answer_length == 0 || memcmp(a->answer, b->answer, a->answer_length) == 0);
}

/* What is written is read again, each member of it by itself. */
START_TEST(json_has_each_member)
{
    enum { ROWS = 12 };
    struct results results = one_full();
    while (results.count < ROWS)
        fill(results_add(&results));
    struct result *list = results.list;
    list[1].known = true;
    list[2].breaks = false;
    list[3].breaks = false, list[3].accused = true;
    list[4].unseen = false;
    list[5].opening = true;
    list[6].left_out = true;
    list[7].testee.legal = false;
    list[8].testee.refused = false;
    list[9].answer = alloc_copy("\xab\0\x01", 3), list[9].answer_length = 3;
    list[10].offset = 0, list[10].event = 0, list[10].level = RESULT_ADVISORY;
    list[11].offset = -1, list[11].ending = ENDING_SILENT, list[11].level = RESULT_MUST;
    results.about =
        (struct results_about){alloc_text("a"), alloc_text("b"), alloc_text("c"), alloc_text("d"),
                               alloc_text("e"), alloc_text("f"), alloc_text("g")};
    results.wire = alloc_text("wire");
    struct results again = read_again(&results, false);
    ck_assert_uint_eq(again.count, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        same_result(&list[i], &again.list[i]);
    const struct results_about *about = &again.about;
    is_text(print("%s %s %s%s%s%s%s%s%s", again.subject, again.wire, about->peer, about->release,
                  about->side, about->transport, about->date, about->version, about->kit),
            print("peer wire abcdefg"));
    ck_assert_ptr_null(again.incomplete);
    results_free(&again);
    results_free(&results);
}
END_TEST

/* Of what ended well the names alone: those of one rule, level and ending stand together. */
START_TEST(json_of_names)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "bad"};
    struct results results = {.subject = alloc_text("peer")};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct result *result = results_add(&results);
        fill(result);
        free(result->test);
        result->test = alloc_text(names[i]);
        result->ending = i == 6 ? ENDING_CLOSED : ENDING_REQUIRED;
    }
    struct result *list = results.list;
    list[1].ending = ENDING_TOLERATED;
    list[2].level = RESULT_MUST;
    list[3].unseen = false;
    list[4].event = 0;
    free(list[5].rule);
    list[5].rule = NULL;
    struct alloc_stream stream;
    alloc_begin(&stream);
    results_json_small(stream.out, &results);
    char *text = alloc_end(&stream);
#define ENDED(rule, level, ending, unseen, tests)                                                  \
    "{\"kind\":\"ended\",\"rule\":" rule ",\"level\":\"" level "\",\"ending\":\"" ending           \
    "\",\"unseen\":" unseen ",\"tests\":[" tests "]}\n"
#define QUOTED "\"" RULE "\""
    has(text, ENDED(QUOTED, "should", "as-required", "true", "\"a:2\",\"e\""), 1);
    has(text, ENDED(QUOTED, "should", "tolerated", "true", "\"b:2\""), 1);
    has(text, ENDED(QUOTED, "must", "as-required", "true", "\"c:2\""), 1);
    has(text, ENDED(QUOTED, "should", "as-required", "false", "\"d:2\""), 1);
    has(text, ENDED("null", "should", "as-required", "true", "\"f:2\""), 1);
    has(text, "\"kind\":\"ended\"", 5);
    has(text, "\"kind\":\"result\"", 1);
    has(text,
        "\"legalSends\":7,\"legalSendsRefused\":1,\"as-required\":5,\"tolerated\":1,"
        "\"limit\":0,\"wrong-answer\":0,\"silent\":0,\"closed\":1,",
        1);
    free(text);
    struct results again = read_again(&results, true);
    ck_assert_uint_eq(again.count, COUNT(names));
    for (size_t i = 0; i < again.count; i++) {
        const struct result *result = &again.list[i];
        size_t from = 0;
        while (strcmp(list[from].test, result->test) != 0)
            from++;
        bool failed = ending_is_failure(result->ending); /* which is seen */
        ck_assert(result->event == list[from].event && result->level == list[from].level &&
                  result->ending == list[from].ending &&
                  (failed || result->unseen == list[from].unseen));
        ck_assert_pstr_eq(result->rule, list[from].rule);
    }
    results_free(&again);
    results_free(&results);
}
END_TEST

/* ---- the page ---- */

static void rename_result(struct result *result, const char *test, const char *rule)
{
    free(result->test);
    free(result->rule);
    result->test = alloc_text(test);
    result->rule = rule ? alloc_text(rule) : NULL;
}

static void draw(FILE *out, const struct result *result, const void *arg)
{
    fprintf(out, "[ladder of %s for %s]", result->test, (const char *)arg);
}

static char *page_of(const struct results *runs, size_t count)
{
    struct alloc_stream stream;
    alloc_begin(&stream);
    results_html(stream.out, runs, count);
    return alloc_end(&stream);
}

START_TEST(the_page_of_two_peers)
{
    struct results runs[2] = {one_full(), one_full()};
    for (size_t i = 0; i < 2; i++) {
        while (runs[i].count < 5 - i)
            fill(results_add(&runs[i]));
        rename_result(&runs[i].list[0], "good", RULE);
        runs[i].list[0].ending = ENDING_REQUIRED;
        rename_result(&runs[i].list[1], "dark", OTHER_RULE); /* which is unseen */
        rename_result(&runs[i].list[2], "free", NULL);
        runs[i].list[2].ending = ENDING_TOLERATED;
        runs[i].list[2].level = RESULT_MUST;
        for (size_t k = 0; k < runs[i].count; k++) {
            runs[i].list[k].unseen = k == 1;
            runs[i].list[k].breaks = k != 0;
        }
        runs[i].draw = draw;
    }
    runs[0].draw_arg = "one", runs[1].draw_arg = "two";
    rename_result(&runs[0].list[4], "alone", RULE);
    runs[0].list[4].ending = ENDING_CRASHED;
    runs[0].list[1].known = true;
    runs[1].list[1].ending = ENDING_NOT_APPLICABLE;
    free(runs[1].subject);
    runs[1].subject = alloc_text("other <2>");
    runs[1].incomplete = "stopped";
    char *text = page_of(runs, 2);
    has(text, "<p class=dim>5 tests, 2 peers; made by", 1);
    has(text,
        "<h3>peer</h3>\n<p>5 tests, <span class=\"grade bad\">2 failed</span>, 1 expected "
        "failures</p>",
        1);
    has(text, "<h3>other &lt;2&gt;</h3>\n<p>4 tests, <span class=\"grade bad\">1 failed</span></p>",
        1);
    has(text, "<p><b>other &lt;2&gt;: incomplete: stopped.</b></p>", 1);
    has(text, "incomplete", 1);
    /* sums */
    has(text,
        "<tr><th>wrong answer</th><td class=\"count dim\">0</td><td class=count><span "
        "class=\"grade warning\">2</span></td><td class=\"count dim\">0</td><td class=count>2"
        "</td></tr>",
        1);
    has(text,
        "<tr><th>crashed</th><td class=\"count dim\">0</td><td class=count><span "
        "class=\"grade broken\">1</span>",
        1);
    has(text,
        "<tr><th>legal Sends refused</th><td class=count colspan=4><span class=\"grade bad\">"
        "3 of 5</span></td></tr>",
        1);
    has(text,
        "<tr><th>legal Sends refused</th><td class=count colspan=4><span class=\"grade bad\">"
        "1 of 3</span></td></tr>",
        1);
    /* of each rule and peer: asked and good, the gravest; in the order of the register */
#define CELL(grade, mark, count)                                                                   \
    "<td class=cell><span class=\"grade " grade "\">" mark " " count "</span></td>"
    has(text,
        "\">position-multiple-of-four</a></td><td>must</td>" CELL("broken", "&#10007;", "1/3")
            CELL("warning", "&#10007;", "1/2") "</tr>",
        1);
    has(text,
        "\">version-one</a></td><td>must</td><td class=\"cell none\">&ndash;</td><td "
        "class=\"cell none\">&ndash;</td></tr>",
        1);
    has(text,
        "<tr class=section><th colspan=4>No rule</th></tr>\n<tr><td class=rule><a "
        "href=\"#no-rule\">conforming</a></td><td>must</td>" CELL("remark", "&#10003;", "1/1")
            CELL("remark", "&#10003;", "1/1") "</tr>",
        1);
    has(text, "<tr class=section><th colspan=4>RFC 8166 section 3.4.5</th></tr>", 1);
    ck_assert(strstr(text, "<h3 id=\"rfc8166:3.4.5") < strstr(text, "<h3 id=\"rfc8166:4.2.2") &&
              strstr(text, "<h3 id=\"rfc8166:4.2.2") < strstr(text, "<h3 id=\"no-rule"));
    /* each test */
    has(text,
        "<details open><summary><code>alone:event 2</code> &middot; <span class=\"grade "
        "broken\">crashed</span></summary>",
        1);
    has(text,
        "<details><summary><code>good:event 2</code> <span class=dim>near miss</span>"
        " &middot; <span class=\"grade good\">as required</span> &middot; <span class=\"grade "
        "good\">as required</span></summary>",
        1);
    has(text, "near miss</span>", 1);
    has(text, "<details open>", 3);
    has(text,
        "<span class=\"grade warning\">wrong answer</span> (expected) &middot; <span "
        "class=\"grade none\">not applicable</span></summary>",
        1);
    has(text, "<td class=text>other &lt;2&gt;</td><td colspan=3 class=none>not run</td>", 1);
    has(text, "not run", 1);
    has(text, "; at fault: octet 20, <code>rdma_reads[0].position</code>", 5);
    has(text, "send of 5 octets from the server, received as a Requester", 5);
    has(text, "[ladder of bad for one]", 1);
    has(text, "[ladder of bad for two]", 1);
    has(text, "[ladder of", 4);
    free(text);
    runs[0].list[1].testee.refused = false;
    text = page_of(runs, 1);
    has(text, "<p class=dim>5 tests, 1 peer; made by", 1);
    has(text, "2 of 5</span>, <span class=\"grade bad\">misread: 1</span></td></tr>", 1);
    free(text);
    results_free(&runs[0]);
    results_free(&runs[1]);
}
END_TEST

/* A hundred ladders, and that there are no more is said. */
START_TEST(ladders_are_bounded)
{
    for (unsigned failures = RESULT_LADDERS; failures <= RESULT_LADDERS + 1; failures++) {
        struct results results = {.subject = alloc_text("peer"), .draw = draw, .draw_arg = "x"};
        for (unsigned i = 0; i < failures; i++) {
            struct result *result = results_add(&results);
            fill(result);
            result->event = i;
        }
        char *text = page_of(&results, 1);
        has(text, "[ladder of", RESULT_LADDERS);
        has(text, "The first 100 failures have a ladder.", failures > RESULT_LADDERS);
        free(text);
        results_free(&results);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("forms");
    tcase_add_test(tcase, a_failure_is_told_in_full);
    tcase_add_test(tcase, who_sent_and_why_it_is_there);
    tcase_add_test(tcase, tap_tells_a_failure_in_full);
    tcase_add_test(tcase, junit_tells_a_failure_in_full);
    tcase_add_test(tcase, json_has_each_member);
    tcase_add_test(tcase, json_of_names);
    tcase_add_test(tcase, the_page_of_two_peers);
    tcase_add_test(tcase, ladders_are_bounded);
    return run_tests("results_forms", tcase);
}
