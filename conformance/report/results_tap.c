// SPDX-License-Identifier: BSD-3-Clause
/* Results in the Test Anything Protocol, version 14. A expected failure is a TODO. */
#include "conformance/base/register.h"
#include "conformance/report/results.h"

#include <inttypes.h>

/* A double-quoted YAML scalar. */
static void print_scalar(FILE *out, const char *key, const char *text)
{
    fprintf(out, "  %s: \"", key);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\x%02x", (unsigned)c);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else
            putc(c, out);
    }
    fputs("\"\n", out);
}

static void print_detail(FILE *out, const struct result *result)
{
    int row = result->rule ? register_find(result->rule) : -1;
    if (row >= 0)
        print_scalar(out, "requirement", rpcrdma_requirements[row].text);
    if (result->role)
        print_scalar(out, "role", result->role);
    if (result->offset >= 0)
        fprintf(out, "  offset: %" PRId64 "\n", result->offset);
    if (result->field)
        print_scalar(out, "field", result->field);
    fputs("  octets: \"", out);
    for (size_t i = 0; i < result->length; i++)
        fprintf(out, "%02x", result->octets[i]);
    fputs("\"\n", out);
    if (result->log)
        print_scalar(out, "stderr", result->log);
}

static void print_result(FILE *out, size_t number, const struct result *result)
{
    bool failed = ending_is_failure(result->ending);
    fprintf(out, "%sok %zu - ", failed ? "not " : "", number);
    result_print_name(out, result);
    if (result->rule)
        fprintf(out, " %s", result->rule);
    if (result->ending == ENDING_NOT_APPLICABLE)
        fputs(" # SKIP not applicable", out);
    else if (result->known)
        fputs(" # TODO expected failure", out);
    putc('\n', out);
    if (!failed)
        return;
    fputs("  ---\n", out);
    print_scalar(out, "ending", ending_titles[result->ending]);
    print_scalar(out, "level", level_names[result->level]);
    print_scalar(out, "expected", result->expected);
    print_scalar(out, "actual", result->actual);
    print_scalar(out, "vector", result->comment);
    print_detail(out, result);
    fputs("  ...\n", out);
}

void results_tap(FILE *out, const struct results *results)
{
    fprintf(out, "TAP version 14\n1..%zu\n", results->count);
    for (size_t i = 0; i < results->count; i++)
        print_result(out, i + 1, &results->list[i]);
}
