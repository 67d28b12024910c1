// SPDX-License-Identifier: BSD-3-Clause
/*
 * JUnit and TAP know tests, which pass or fail. Here each rule that the checker can see broken is a
 * test. It passes where no finding of it is a failure, which does not mean that the traffic had an
 * occasion to break it. What could not be checked is a test of its own.
 */
#include "conformance/report/outcome/outcome.h"

#include "conformance/report/results/xml.h"

#include <inttypes.h>
#include <string.h>

/* What is no rule: what could not be checked, and what a list expected and did not occur. */
enum { CASE_MISSED = RPCRDMA_RULES, CASE_STALE };

/* The same list of test cases for both forms. */
struct outcome_case {
    unsigned rule; /* enum rpcrdma_rule, or one of these */
    bool failed;
    uint64_t count; /* findings, what could not be checked, or lines of the list */
};

static void each_case(const struct outcome *outcome,
                      void (*visit)(void *arg, const struct outcome_case *test), void *arg)
{
    for (unsigned rule = 0; rule < RPCRDMA_RULES; rule++) {
        if (rpcrdma_requirements[rule].severity < 0 ||
            !outcome->is_checked(outcome->arg, (enum rpcrdma_rule)rule))
            continue;
        struct outcome_case test = {.rule = rule};
        for (int side = 0; side < 2; side++) {
            const struct by_rule_row *row = &outcome->by_rule->rows[rule][side];
            test.count += row->count;
            test.failed = test.failed || (row->count > 0 && row->severity >= outcome->fail_on);
        }
        visit(arg, &test);
    }
    uint64_t missed = missed_count(outcome->missed);
    visit(arg, &(struct outcome_case){
                   .rule = CASE_MISSED, .failed = outcome->strict && missed > 0, .count = missed});
    size_t stale = outcome->known->stale_count;
    if (outcome->known->file)
        visit(arg, &(struct outcome_case){.rule = CASE_STALE, .failed = stale > 0, .count = stale});
}

static const char *case_name(const struct outcome_case *test)
{
    return test->rule == CASE_MISSED  ? "captures-checked-in-full"
           : test->rule == CASE_STALE ? "expected-failures-occurred"
                                      : rpcrdma_requirements[test->rule].id;
}

/* ---- JUnit ---- */

struct writer {
    FILE *out;
    const struct outcome *outcome;
    uint64_t count, failures;
};

static void count_case(void *arg, const struct outcome_case *test)
{
    struct writer *writer = arg;
    writer->count++;
    writer->failures += test->failed;
}

/* The kept findings of the rule, or what could not be checked or did not occur. */
static void put_details(FILE *out, const struct outcome *outcome, const struct outcome_case *test)
{
    if (test->rule == CASE_MISSED)
        missed_print_total(out, outcome->missed);
    for (size_t i = 0; test->rule == CASE_STALE && i < outcome->known->stale_count; i++) {
        xml_text(out, outcome->known->stale[i]);
        putc('\n', out);
    }
    for (const struct kept *kept = outcome->kept->first; kept; kept = kept->next)
        if (kept->rule == test->rule)
            xml_text(out, kept->details);
}

static void put_case(void *arg, const struct outcome_case *test)
{
    struct writer *writer = arg;
    FILE *out = writer->out;
    fputs("    <testcase", out);
    xml_attribute(out, "name", case_name(test));
    xml_attribute(out, "classname",
                  test->rule >= RPCRDMA_RULES
                      ? "check"
                      : rpcrdma_rule_scope_name(rpcrdma_requirements[test->rule].scope));
    if (test->count == 0) {
        fputs("/>\n", out);
        return;
    }
    const char *element = test->failed ? "failure" : "system-out";
    fprintf(out, ">\n      <%s", element);
    if (test->failed)
        fprintf(out, " type=\"%s\" message=\"%" PRIu64 " %s\"",
                test->rule == CASE_MISSED  ? "not-checked"
                : test->rule == CASE_STALE ? "stale"
                                           : "finding",
                test->count,
                test->rule == CASE_MISSED  ? "not checked"
                : test->rule == CASE_STALE ? "did not occur"
                                           : "findings");
    putc('>', out);
    put_details(out, writer->outcome, test);
    fprintf(out, "</%s>\n    </testcase>\n", element);
}

static void put_subject(FILE *out, const struct outcome *outcome)
{
    fputs(" name=\"rpcrdma check", out);
    for (int i = 0; i < outcome->file_count; i++) {
        putc(' ', out);
        xml_text(out, outcome->files[i]);
    }
    putc('"', out);
}

void outcome_junit(FILE *out, const struct outcome *outcome)
{
    struct writer writer = {.out = out, .outcome = outcome};
    each_case(outcome, count_case, &writer);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", out);
    put_subject(out, outcome);
    fprintf(out, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"0\" skipped=\"0\">\n",
            writer.count, writer.failures);
    xml_properties(out, NULL, outcome->incomplete);
    each_case(outcome, put_case, &writer);
    fputs("  </testsuite>\n</testsuites>\n", out);
}

/* ---- TAP ---- */

/* Not all could be judged, and --strict is not given, or not all was read: no failure, but no "ok"
 * without a word. */
static void print_directive(FILE *out, const struct outcome *outcome,
                            const struct outcome_case *test)
{
    bool unsure = outcome->incomplete && !test->failed;
    if (unsure)
        fprintf(out, " # SKIP %s", outcome->incomplete);
    if (unsure || test->rule != CASE_MISSED || test->count == 0)
        return;
    fputs(test->failed ? ": " : " # SKIP not checked: ", out);
    missed_print_total(out, outcome->missed);
}

static void print_case(void *arg, const struct outcome_case *test)
{
    struct writer *writer = arg;
    FILE *out = writer->out;
    fprintf(out, "%sok %" PRIu64 " - %s", test->failed ? "not " : "", ++writer->count,
            case_name(test));
    print_directive(out, writer->outcome, test);
    putc('\n', out);
    if (test->count == 0)
        return;
    fprintf(out, "  ---\n  count: %" PRIu64 "\n", test->count);
    unsigned number = 0;
    for (size_t i = 0; test->rule == CASE_STALE && i < test->count; i++) {
        char key[32];
        snprintf(key, sizeof key, "line%zu", i + 1);
        yaml_scalar(out, key, writer->outcome->known->stale[i]);
    }
    for (const struct kept *kept = writer->outcome->kept->first; kept; kept = kept->next)
        if (kept->rule == test->rule) {
            char key[32];
            number++;
            snprintf(key, sizeof key, "place%u", number);
            yaml_scalar(out, key, kept->place);
            snprintf(key, sizeof key, "text%u", number);
            yaml_scalar(out, key, kept->text);
        }
    fputs("  ...\n", out);
}

void outcome_tap(FILE *out, const struct outcome *outcome, unsigned version)
{
    struct writer writer = {.out = out, .outcome = outcome};
    each_case(outcome, count_case, &writer);
    fprintf(out, "TAP version %u\n1..%" PRIu64 "\n", version, writer.count);
    writer.count = 0;
    each_case(outcome, print_case, &writer);
    tap_incomplete(out, outcome->incomplete);
}
