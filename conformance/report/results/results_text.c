// SPDX-License-Identifier: BSD-3-Clause
/* Results for people: each failure as a compiler gives its diagnostics, then the two axes. */
#include "conformance/base/text.h"
#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/report/results/results.h"
#include "conformance/report/results/results_groups.h"

#include <inttypes.h>
#include <stdlib.h>
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

/* What the peer left on its standard error, line by line. */
static void print_log(FILE *out, const struct style *style, const char *log)
{
    const char *before = "   ";
    fprintf(out, "    %sstderr:%s", style->dim, style->plain);
    for (size_t length; *log != '\0'; log += length + (log[length] == '\n')) {
        length = strcspn(log, "\n");
        fputs(before, out);
        text_put_some(out, log, length);
        before = "\n              ";
    }
    putc('\n', out);
}

static void print_failure(FILE *out, const struct style *style, unsigned width,
                          const struct result *result)
{
    fputs(style->bold, out);
    if (result->file) {
        text_put(out, result->file);
        putc(':', out);
    }
    result_print_name(out, result);
    fprintf(out, ": %s%s%s%s%s", style->plain, color_of(style, result),
            ending_titles[result->ending], result->known ? " (expected)" : "", style->plain);
    if (result->rule)
        fprintf(out, " [%s%s]",
                result->breaks    ? ""
                : result->accused ? "wrongly found: "
                                  : "near miss of ",
                result->rule);
    if (result->role)
        fprintf(out, ", as a %s", result->role);
    fprintf(out, "\n    %sexpected:%s ", style->dim, style->plain);
    terminal_wrap(out, result->expected, 14, 14, width);
    fprintf(out, "    %sactual:%s   ", style->dim, style->plain);
    terminal_wrap(out, result->actual, 14, 14, width);
    if (result->offset >= 0)
        fprintf(out, "    %sat octet:%s %" PRId64 "%s%s\n", style->dim, style->plain,
                result->offset, result->field ? ", " : "", result->field ? result->field : "");
    bool client = strcmp(result->from, "client") == 0;
    if (result->answer || result->role || result->tells_octets)
        print_octets(out, style, client ? "client" : "server", result->octets, result->length);
    if (result->answer)
        print_octets(out, style, client ? "server" : "client", result->answer,
                     result->answer_length);
    if (result->testee.log)
        print_log(out, style, result->testee.log);
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

/* What is wrong, the most frequent first. */
static void print_groups(FILE *out, unsigned width, const struct result_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        const struct result_group *group = &groups->list[i];
        struct alloc_stream text;
        alloc_begin(&text);
        fprintf(text.out, "expected %s, got %s%s%s, first in ", group->wanted, group->got,
                group->cause[0] != '\0' ? ": " : "", group->cause);
        result_print_name(text.out, group->first);
        char *line = alloc_end(&text);
        fprintf(out, "%5zu x ", group->count);
        terminal_wrap(out, line, 8, 8, width);
        free(line);
    }
    if (groups->count > 0)
        putc('\n', out);
}

#define SHOWN_OF_GROUP 3

static void print_failures(FILE *out, const struct style *style, unsigned width,
                           const struct results *results, bool all)
{
    struct result_groups groups;
    result_groups_make(&groups, results);
    size_t *shown = alloc_zeroed(groups.count, sizeof *shown), left_out = 0;
    if (groups.count < results_failed(results))
        print_groups(out, width, &groups);
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        size_t group = groups.of_result[i];
        bool wanted = group != SIZE_MAX && shown[group]++ < SHOWN_OF_GROUP;
        if (ending_is_failure(result->ending) && (wanted || all))
            print_failure(out, style, width, result);
        else if (group != SIZE_MAX)
            left_out++;
    }
    if (left_out > 0)
        fprintf(out, "\n%zu more failures of the same kinds (--all prints them)\n", left_out);
    free(shown);
    result_groups_free(&groups);
}

static void print_sums(FILE *out, const struct style *style, const struct results *results,
                       size_t known)
{
    size_t failed = results_failed(results), refused, misread,
           legal = results_legal(results, &refused, &misread);
    putc('\n', out);
    if (legal > 0)
        fprintf(out, "%slegal Sends refused: %zu of %zu%s", refused > 0 ? style->red : "", refused,
                legal, refused > 0 ? style->plain : "");
    if (misread > 0)
        fprintf(out, ", %smisread: %zu%s", style->red, misread, style->plain);
    if (legal > 0)
        putc('\n', out);
    if (results->seed > 0)
        fprintf(out, "opening vector: seed %" PRIu32 "\n", results->seed);
    if (results->wire) {
        fputs("wire: ", out);
        text_put(out, results->wire);
        putc('\n', out);
    }
    text_put(out, results->subject);
    fprintf(out, ": %zu result%s, %s%zu failed%s", results->count, results->count == 1 ? "" : "s",
            failed > 0 ? style->red : "", failed, failed > 0 ? style->plain : "");
    if (known > 0)
        fprintf(out, ", %zu expected failure%s", known, known == 1 ? "" : "s");
    if (results_stale(results) > 0)
        fprintf(out, "; %s%zu expected failure%s did not occur%s", style->red,
                results_stale(results), results_stale(results) == 1 ? "" : "s", style->plain);
    if (results->incomplete)
        fprintf(out, "; %s%s%s", style->bold, results->brief ? results->brief : results->incomplete,
                style->plain);
    putc('\n', out);
}

void results_text(FILE *out, const struct style *style, unsigned width,
                  const struct results *results, bool all)
{
    size_t known = results_known(results);
    print_failures(out, style, width, results, all);
    if (results_failed(results) + (all ? known : 0) > 0)
        putc('\n', out);
    print_table(out, style, results);
    print_reasons(out, width, results);
    print_sums(out, style, results, known);
}
