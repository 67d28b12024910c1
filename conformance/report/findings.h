// SPDX-License-Identifier: BSD-3-Clause
/* How `check` tells what it found: as text for people, or as JSON. */
#ifndef CONFORMANCE_REPORT_H
#define CONFORMANCE_REPORT_H

#include "conformance/input/source.h"
#include "conformance/report/tally.h"
#include "conformance/base/terminal.h"

/* An event, judged, with those of its findings that the user wants to see. */
struct judged {
    const struct source_event *source;
    const struct rpcrdma_judgement *verdict;
    unsigned count;
    const struct rpcrdma_finding *findings[RPCRDMA_FINDINGS];
};

struct report {
    FILE *out;
    const struct style *style;
    unsigned width;
    bool explain;
};

void report_text(const struct report *report, const struct judged *judged);
void report_json(FILE *out, const struct judged *judged);
void report_json_summary(FILE *out, const struct tally *tally);

#endif
