// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/results/reports.h"

#include "conformance/base/alloc.h"
#include "conformance/base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    {"tap", NULL, "Test Anything Protocol, version 14, in place of the text",
     SETS(FLAG, struct reports, tap)},
    {"junit", "FILE", "write JUnit XML", SETS(OUTPUT, struct reports, junit)},
    {"json", "FILE", "write one JSON object a line", SETS(OUTPUT, struct reports, json)},
    {"html", "FILE", "write a page that needs no other file", SETS(OUTPUT, struct reports, html)},
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
    FILE *out = fopen(file, "w");
    if (out == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    write(out, runs, count);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        file_error(file, strerror(errno));
        return false;
    }
    return true;
}

static void print(const struct reports *reports, const struct results *results)
{
    if (reports->tap)
        results_tap(stdout, results);
    else
        results_text(stdout, terminal_style(reports->options.color, stdout), terminal_width(stdout),
                     results, reports->all);
    fflush(stdout); /* complaints come after what was found */
    output_failed(stdout);
}

int reports_write(struct reports *reports, const char *who, struct results *results)
{
    const char *subject = reports->name ? reports->name : who;
    if (subject) {
        free(results->subject);
        results->subject = alloc_text(subject);
    }
    results_apply_known(results, &reports->known);
    print(reports, results);
    bool written = reports_write_file(reports->junit, write_junit, results, 1);
    written = reports_write_file(reports->json, write_json, results, 1) && written;
    written = reports_write_file(reports->html, results_html, results, 1) && written;
    int status = results_status(results, &reports->known);
    if (reports->write_known)
        written = results_write_known(results, &reports->known, reports->write_known) && written;
    return written ? status : STATUS_UNREADABLE;
}
