// SPDX-License-Identifier: BSD-3-Clause
/* Results as the XML of JUnit that build servers read: a suite for each vector file. */
#include "conformance/base/register.h"
#include "conformance/report/results/results.h"
#include "conformance/report/results/xml.h"

#include <inttypes.h>
#include <string.h>

/* "error": the peer did not live through it; "failure": it answered, but wrongly. */
static const char *element_of(const struct result *result)
{
    return grade_of(result->ending, result->level) == GRADE_BROKEN ? "error" : "failure";
}

/* "rfc8166.3.4.5.position-multiple-of-four": a build server makes a tree of the dots. */
static void put_class(FILE *out, const struct result *result)
{
    fputs(" classname=\"", out);
    const char *name = result->rule ? result->rule : result->opening ? "opening" : "conforming";
    for (; *name != '\0'; name++)
        putc(*name == '/' ? '.' : *name, out);
    putc('"', out);
}

static void put_line(FILE *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    fprintf(out, "\n%s: ", name);
    xml_text(out, text);
}

/* All that is needed to see the fault without any other file. */
static void put_body(FILE *out, const struct result *result)
{
    int row = result->rule ? register_find(result->rule) : -1;
    xml_text(out, result->comment);
    put_line(out, "requirement", row < 0 ? NULL : rpcrdma_requirements[row].text);
    put_line(out, "role", result->role);
    if (result->offset >= 0)
        fprintf(out, "\noffset: %" PRId64, result->offset);
    put_line(out, "field", result->field);
    fputs("\noctets: ", out);
    for (size_t i = 0; i < result->length; i++)
        fprintf(out, "%02x", result->octets[i]);
}

static void put_log(FILE *out, const char *log)
{
    fputs("      <system-err>", out);
    for (; *log != '\0'; log++)
        if (*log == '\n')
            putc('\n', out);
        else
            xml_text(out, (char[]){*log, '\0'});
    fputs("</system-err>\n", out);
}

static void put_failure(FILE *out, const struct result *result)
{
    const char *element = element_of(result);
    fprintf(out, ">\n      <%s", element);
    xml_attribute(out, "type", ending_names[result->ending]);
    fputs(" message=\"expected ", out);
    xml_text(out, result->expected);
    fputs("; actual ", out);
    xml_text(out, result->actual);
    fputs("\">", out);
    put_body(out, result);
    fprintf(out, "</%s>\n", element);
    if (result->testee.log)
        put_log(out, result->testee.log);
    fputs("    </testcase>\n", out);
}

static void put_case(FILE *out, const struct result *result)
{
    fputs("    <testcase name=\"", out);
    result_print_name(out, result); /* an id: nothing to escape */
    putc('"', out);
    put_class(out, result);
    fprintf(out, " time=\"%.6f\"", (double)result->microseconds / 1e6);
    if (result->ending == ENDING_NOT_APPLICABLE || result->known)
        fprintf(out, "><skipped message=\"%s\"/></testcase>\n",
                result->known ? "expected failure" : "not applicable");
    else if (ending_is_failure(result->ending))
        put_failure(out, result);
    else
        fputs("/>\n", out);
}

struct junit_counts {
    size_t tests, failures, errors, skipped;
    uint64_t microseconds;
};

static struct junit_counts count(const struct result *list, size_t length)
{
    struct junit_counts counts = {.tests = length};
    for (size_t i = 0; i < length; i++) {
        counts.microseconds += list[i].microseconds;
        if (list[i].known || list[i].ending == ENDING_NOT_APPLICABLE)
            counts.skipped++;
        else if (ending_is_failure(list[i].ending))
            *(strcmp(element_of(&list[i]), "error") == 0 ? &counts.errors : &counts.failures) += 1;
    }
    return counts;
}

/* `stale`: failures besides those of the list. */
static void put_counts(FILE *out, const struct result *list, size_t length, size_t stale)
{
    struct junit_counts counts = count(list, length);
    counts.tests += stale;
    counts.failures += stale;
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\"",
            counts.tests, counts.failures, counts.errors, counts.skipped,
            (double)counts.microseconds / 1e6);
}

static const char *suite_of(const struct result *result)
{
    return result->file ? result->file : result->test;
}

/* Lines of the list that did not occur: a suite of its own, for its test may not have been run. */
static void put_stale(FILE *out, const struct results *results)
{
    size_t count = results_stale(results);
    if (count == 0)
        return;
    fprintf(out,
            "  <testsuite name=\"expected failures\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
            "skipped=\"0\" time=\"0\">\n",
            count, count);
    for (size_t i = 0; i < count; i++) {
        fputs("    <testcase classname=\"expected failures\"", out);
        xml_attribute(out, "name", results->known->stale[i]);
        fputs(" time=\"0\"><failure type=\"stale\" message=\"did not occur\"/></testcase>\n", out);
    }
    fputs("  </testsuite>\n", out);
}

void results_junit(FILE *out, const struct results *results)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    xml_attribute(out, "name", results->subject);
    put_counts(out, results->list, results->count, results_stale(results));
    fputs(">\n", out);
    if (results->count == 0 && results->incomplete) {
        fputs("  <testsuite name=\"none\" tests=\"0\">\n", out);
        xml_properties(out, results->wire, results->incomplete);
        fputs("  </testsuite>\n", out);
    }
    for (size_t i = 0, end; i < results->count; i = end) {
        const struct result *first = &results->list[i];
        for (end = i + 1; end < results->count; end++)
            if (strcmp(suite_of(&results->list[end]), suite_of(first)) != 0)
                break;
        fputs("  <testsuite", out);
        xml_attribute(out, "name", suite_of(first));
        put_counts(out, first, end - i, 0);
        fputs(">\n", out);
        xml_properties(out, results->wire, results->incomplete);
        for (size_t j = i; j < end; j++)
            put_case(out, &results->list[j]);
        fputs("  </testsuite>\n", out);
    }
    put_stale(out, results);
    fputs("</testsuites>\n", out);
}
