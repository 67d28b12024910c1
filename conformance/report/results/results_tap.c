// SPDX-License-Identifier: BSD-3-Clause
/* Results in the Test Anything Protocol, version 14. An expected failure is a TODO. */
#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/base/text.h"
#include "conformance/report/results/results.h"
#include "conformance/report/results/xml.h"

#include <inttypes.h>
#include <stdlib.h>

const int tap_versions[] = {14, 13};

static void print_detail(FILE *out, const struct result *result)
{
    int row = result->rule ? register_find(result->rule) : -1;
    if (row >= 0)
        yaml_scalar(out, "requirement", rpcrdma_requirements[row].text);
    if (result->role)
        yaml_scalar(out, "role", result->role);
    if (result->offset >= 0)
        fprintf(out, "  offset: %" PRId64 "\n", result->offset);
    if (result->field)
        yaml_scalar(out, "field", result->field);
    fputs("  octets: \"", out);
    for (size_t i = 0; i < result->length; i++)
        fprintf(out, "%02x", result->octets[i]);
    fputs("\"\n", out);
    if (result->testee.log)
        yaml_scalar(out, "stderr", result->testee.log);
}

/* A # would begin a directive. */
static void print_name(FILE *out, const char *name)
{
    char *text = alloc_text(name);
    for (char *at = text; *at; at++)
        if (*at == '#' || *at == '\\')
            *at = ' ';
    text_put(out, text);
    free(text);
}

/* `of`: who was tested, where there are several; or NULL. */
static void print_result(FILE *out, size_t number, const char *of, const struct result *result)
{
    bool failed = ending_is_failure(result->ending);
    fprintf(out, "%sok %zu - ", failed ? "not " : "", number);
    if (of) {
        print_name(out, of);
        fputs(": ", out);
    }
    result_print_name(out, result);
    if (result->rule) {
        putc(' ', out);
        text_put(out, result->rule);
    }
    if (result->ending == ENDING_NOT_APPLICABLE)
        fputs(" # SKIP not applicable", out);
    else if (result->known)
        fputs(" # TODO expected failure", out);
    putc('\n', out);
    if (!failed)
        return;
    fputs("  ---\n", out);
    yaml_scalar(out, "ending", ending_titles[result->ending]);
    yaml_scalar(out, "level", level_names[result->level]);
    yaml_scalar(out, "expected", result->expected);
    yaml_scalar(out, "actual", result->actual);
    yaml_scalar(out, "vector", result->comment);
    print_detail(out, result);
    fputs("  ...\n", out);
}

void results_tap(FILE *out, const struct results *runs, size_t count, unsigned version)
{
    size_t all = 0, number = 0;
    for (size_t i = 0; i < count; i++)
        all += runs[i].count + results_stale(&runs[i]);
    fprintf(out, "TAP version %u\n1..%zu\n", version, all);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].wire) {
            fputs("# wire: ", out);
            text_put(out, runs[i].wire);
            putc('\n', out);
        }
        for (size_t j = 0; j < runs[i].count; j++)
            print_result(out, ++number, count > 1 ? runs[i].subject : NULL, &runs[i].list[j]);
        for (size_t j = 0; j < results_stale(&runs[i]); j++) {
            fprintf(out, "not ok %zu - expected failure did not occur: ", ++number);
            print_name(out, runs[i].known->stale[j]);
            putc('\n', out);
        }
        tap_incomplete(out, runs[i].incomplete);
    }
}
