// SPDX-License-Identifier: BSD-3-Clause
/* Reports of a run, and the options that ask for them: vectors, probe, serve and proxy. */
#ifndef CONFORMANCE_REPORTS_H
#define CONFORMANCE_REPORTS_H

#include "conformance/options/options.h"
#include "conformance/report/results/results.h"

/* The settings of these commands begin with these. */
struct reports {
    struct options options; /* only the colour is used */
    unsigned tap;           /* its version, in place of the text, or 0 */
    bool all;
    const char *incomplete;          /* why not all was run, or NULL */
    const char *name;                /* of what was tested, or NULL */
    const char *wire;                /* what the wire does wrong, or NULL */
    const char *junit, *json, *html; /* files to write, or NULL */
    const char *known_file, *write_known;
    struct known known;
};

extern const struct option_row options_reports[], options_known[];
#define OPTION_GROUP_KNOWN                                                                         \
    {                                                                                              \
        "Expected failures", "expected-failures", options_known                                    \
    }
#define OPTION_GROUP_REPORTS                                                                       \
    {                                                                                              \
        "Reports (in addition to the text)", "report-options", options_reports                     \
    }

/* Read what the options name. Returns STATUS_GOOD, or the status to exit with. */
int reports_prepare(struct reports *reports);

/*
 * Write all reports. `who` was tested, unless --name says otherwise; it may be NULL where the
 * results name their subject. Returns the status to exit with.
 */
int reports_write(struct reports *reports, const char *who, struct results *results);

/* Write one file. Returns false after a complaint. */
bool reports_write_file(const char *file, void (*write)(FILE *, const struct results *, size_t),
                        const struct results *runs, size_t count);

#endif
