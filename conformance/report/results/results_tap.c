// SPDX-License-Identifier: BSD-3-Clause
/* Results in the Test Anything Protocol, version 14. An expected failure is a TODO. */
#include "conformance/base/register.h"
#include "conformance/report/results/results.h"
#include "conformance/report/results/xml.h"

#include <inttypes.h>

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
    yaml_scalar(out, "ending", ending_titles[result->ending]);
    yaml_scalar(out, "level", level_names[result->level]);
    yaml_scalar(out, "expected", result->expected);
    yaml_scalar(out, "actual", result->actual);
    yaml_scalar(out, "vector", result->comment);
    print_detail(out, result);
    fputs("  ...\n", out);
}

void results_tap(FILE *out, const struct results *results, unsigned version)
{
    fprintf(out, "TAP version %u\n1..%zu\n", version, results->count);
    if (results->wire)
        fprintf(out, "# wire: %s\n", results->wire);
    for (size_t i = 0; i < results->count; i++)
        print_result(out, i + 1, &results->list[i]);
    tap_incomplete(out, results->incomplete);
}
