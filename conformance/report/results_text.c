// SPDX-License-Identifier: BSD-3-Clause
/* Results for people: each failure as a compiler gives its diagnostics, then the two axes. */
#include "conformance/base/register.h"
#include "conformance/report/results.h"

#include <inttypes.h>
#include <string.h>

static const char *color_of(const struct style *style, const struct result *result)
{
    switch (grade_of(result->ending, result->level)) {
    case GRADE_BROKEN:
    case GRADE_BAD:
        return style->red;
    case GRADE_WARNING:
        return style->yellow;
    default:
        return style->cyan;
    }
}

#define OCTETS_SHOWN 128

/* What one side sent, as words. */
static void print_octets(FILE *out, const struct style *style, const char *from,
                         const uint8_t *octets, size_t length)
{
    fprintf(out, "    %s%s sent:%s ", style->dim, from, style->plain);
    for (size_t i = 0; i < length && i < OCTETS_SHOWN; i++)
        fprintf(out, "%s%s%02x", i > 0 && i % 32 == 0 ? "\n                " : "",
                i > 0 && i % 4 == 0 ? " " : "", octets[i]);
    if (length == 0)
        fputs("nothing", out);
    if (length > OCTETS_SHOWN)
        fprintf(out, "... (%zu octets)", length);
    putc('\n', out);
}

static void print_failure(FILE *out, const struct style *style, unsigned width,
                          const struct result *result)
{
    if (result->file)
        fprintf(out, "%s%s:", style->bold, result->file);
    result_print_name(out, result);
    fprintf(out, ": %s%s%s%s%s", style->plain, color_of(style, result),
            ending_titles[result->ending], result->known ? " (expected)" : "", style->plain);
    if (result->rule)
        fprintf(out, " [%s%s]", result->breaks ? "" : "near miss of ", result->rule);
    fprintf(out, "\n    %sexpected:%s ", style->dim, style->plain);
    terminal_wrap(out, result->expected, 14, 14, width);
    fprintf(out, "    %sactual:%s   ", style->dim, style->plain);
    terminal_wrap(out, result->actual, 14, 14, width);
    if (result->offset >= 0)
        fprintf(out, "    %sat octet:%s %" PRId64 "%s%s\n", style->dim, style->plain,
                result->offset, result->field ? ", " : "", result->field ? result->field : "");
    if (result->answer) {
        bool client = strcmp(result->from, "client") == 0;
        print_octets(out, style, client ? "client" : "server", result->octets, result->length);
        print_octets(out, style, client ? "server" : "client", result->answer,
                     result->answer_length);
    }
    int row = result->rule ? register_find(result->rule) : -1;
    fprintf(out, "    %svector:%s   ", style->dim, style->plain);
    terminal_wrap(out, result->comment, 14, 14, width);
    if (row >= 0) {
        fprintf(out, "    %swhy:%s      ", style->dim, style->plain);
        terminal_wrap(out, rpcrdma_requirements[row].text, 14, 14, width);
    }
}

static void print_table(FILE *out, const struct style *style, const struct results *results)
{
    fprintf(out, "%s%-16s", style->dim, "ending");
    for (int level = 0; level < RESULT_LEVELS; level++)
        fprintf(out, "%10s", level_names[level]);
    fprintf(out, "%10s%s\n", "all", style->plain);
    for (int ending = 0; ending < ENDINGS; ending++) {
        size_t counts[RESULT_LEVELS], all = 0;
        for (int level = 0; level < RESULT_LEVELS; level++)
            all += counts[level] =
                results_count(results, (enum ending)ending, (enum result_level)level);
        if (all == 0)
            continue;
        fprintf(out, "%-16s", ending_titles[ending]);
        for (int level = 0; level < RESULT_LEVELS; level++)
            fprintf(out, "%10zu", counts[level]);
        fprintf(out, "%10zu\n", all);
    }
}

#define REASONS_SHOWN 8

/* Not applicable, and with this reason: the first of them counts all. */
static size_t count_reason(const struct results *results, size_t at)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        if (result->ending != ENDING_NOT_APPLICABLE || result->actual == NULL ||
            strcmp(result->actual, results->list[at].actual) != 0)
            continue;
        if (i < at)
            return 0;
        count++;
    }
    return count;
}

static void print_reasons(FILE *out, unsigned width, const struct results *results)
{
    unsigned shown = 0;
    for (size_t i = 0; i < results->count && shown < REASONS_SHOWN; i++) {
        const struct result *result = &results->list[i];
        bool applies = result->ending != ENDING_NOT_APPLICABLE || result->actual == NULL;
        size_t count = applies ? 0 : count_reason(results, i);
        if (count == 0)
            continue;
        fprintf(out, "%snot applicable, %zu: ", shown++ == 0 ? "\n" : "", count);
        terminal_wrap(out, result->actual, 20, 4, width);
    }
}

void results_text(FILE *out, const struct style *style, unsigned width,
                  const struct results *results)
{
    size_t known = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        known += result->known;
        if (ending_is_failure(result->ending))
            print_failure(out, style, width, result);
    }
    size_t failed = results_failed(results);
    if (failed + known > 0)
        putc('\n', out);
    print_table(out, style, results);
    print_reasons(out, width, results);
    fprintf(out, "\n%s: %zu result%s, %s%zu failed%s", results->subject, results->count,
            results->count == 1 ? "" : "s", failed > 0 ? style->red : "", failed,
            failed > 0 ? style->plain : "");
    if (known > 0)
        fprintf(out, ", %zu expected failure%s", known, known == 1 ? "" : "s");
    putc('\n', out);
}
