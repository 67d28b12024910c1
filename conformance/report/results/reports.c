// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/results/reports.h"

#include "conformance/base/alloc.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"

#include <stdlib.h>

const struct option_row options_known[] = {
    {"known", "FILE",
     "expected failures, a line each: a test and how it ended, or RULE or RULE#WAY for a class, # "
     "before a reason; one that does not occur is an error (man: EXPECTED FAILURES)",
     SETS(INPUT, struct reports, known_file)},
    {"write-known", "FILE", "write such a list of the tests that failed",
     SETS(OUTPUT, struct reports, write_known), .updates = "known"},
    {0}};

const struct option_row options_reports[] = {
    {"name", "NAME", "what reports call the peer or program that is tested",
     SETS(TEXT, struct reports, name)},
    {"all", NULL, "print every failure, not the first three of a kind; and expected ones",
     SETS(FLAG, struct reports, all)},
    {"tap", "[VERSION]", "Test Anything Protocol in place of the text: version 14, or 13 for prove",
     .words = TAP_VERSIONS, .values = tap_versions, SETS(WORD, struct reports, tap)},
    {"junit", "FILE", "write JUnit XML", SETS(OUTPUT, struct reports, junit),
     .gathered = "junit.xml"},
    {"json", "FILE", "write one JSON object a line", SETS(OUTPUT, struct reports, json),
     .gathered = "results.json"},
    {"html", "FILE", "write a page that needs no other file", SETS(OUTPUT, struct reports, html),
     .gathered = "report.html"},
    OPTION_ROW_SITE,
    OPTION_ROW_FOLDER,
    OPTION_ROW_COLOR,
    OPTION_ROW_HELP,
    {0}};

int reports_prepare(struct reports *reports)
{
    bool good = reports->known_file == NULL || known_read(&reports->known, reports->known_file);
    return good ? STATUS_GOOD : STATUS_UNREADABLE;
}

static void write_junit(FILE *out, const struct results *runs, size_t count)
{
    (void)count;
    results_junit(out, runs);
}

static void write_json(FILE *out, const struct results *runs, size_t count)
{
    (void)count;
    results_json(out, runs);
}

bool reports_write_file(const char *file, void (*write)(FILE *, const struct results *, size_t),
                        const struct results *runs, size_t count)
{
    if (file == NULL)
        return true;
    struct output output;
    if (!output_begin(&output, file))
        return false;
    write(output.stream, runs, count);
    return output_end(&output);
}

static void print(const struct reports *reports, const struct results *results)
{
    if (reports->tap)
        results_tap(stdout, results, 1, reports->tap);
    else
        results_text(stdout, terminal_style(reports->options.color, stdout), terminal_width(stdout),
                     results, reports->all);
    fflush(stdout); /* complaints come after what was found */
    output_failed(stdout);
}

/* A list of what failed, where all was judged that could fail. */
static bool write_known(const struct reports *reports, const struct results *results)
{
    const char *why = results->incomplete               ? results->incomplete
                      : results_judged(results) == 0    ? "nothing was judged"
                      : results_opening_failed(results) ? "the opening vector failed"
                                                        : NULL;
    if (why == NULL)
        return known_write(&reports->known, reports->write_known);
    output_not_written(reports->write_known, why); /* what was not seen may belong there */
    return interrupted();
}

int reports_write(struct reports *reports, const char *who, struct results *results)
{
    const char *subject = reports->name ? reports->name : who;
    if (subject) {
        free(results->subject);
        results->subject = alloc_text(subject);
    }
    if (reports->wire) {
        free(results->wire);
        results->wire = alloc_text(reports->wire);
    }
    if (interrupt_settle()) {
        reports->incomplete = interrupt_text();
        results->brief = NULL;
    }
    if (reports->incomplete == NULL)
        reports->incomplete = results->incomplete;
    results->incomplete = reports->incomplete;
    reports->known.partial = reports->known.partial || reports->incomplete;
    results_apply_known(results, &reports->known);
    print(reports, results);
    if (reports->incomplete && !interrupted() && results_judged(results) == 0)
        return STATUS_UNREADABLE; /* the reports of an earlier run stay */
    bool written = reports_write_file(reports->junit, write_junit, results, 1);
    written = reports_write_file(reports->json, write_json, results, 1) && written;
    written = reports_write_file(reports->html, results_html, results, 1) && written;
    int status = results_status(results);
    if (reports->write_known)
        written = write_known(reports, results) && written;
    return written ? status : STATUS_UNREADABLE;
}
