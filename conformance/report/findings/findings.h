// SPDX-License-Identifier: BSD-3-Clause
/* How `check` reports what it found: as text for people, or as JSON. */
#ifndef CONFORMANCE_FINDINGS_H
#define CONFORMANCE_FINDINGS_H

#include "conformance/describe/json.h"
#include "conformance/base/terminal.h"
#include "conformance/report/findings/by_rule.h"
#include "conformance/report/findings/history.h"
#include "conformance/report/findings/missed.h"
#include "conformance/report/findings/unanswered.h"
#include "conformance/report/findings/tally.h"
#include "conformance/report/results/known.h"
#include "conformance/input/source.h"

/* An event that was checked, with those of its findings that the user wants to see. */
struct judged {
    const struct source_event *source;
    const struct rpcrdma_judgement *judgement;
    const struct history *history; /* of its connection, for evidence; or NULL */
    struct ladder_window *window;  /* the event the latest in it, for ladders; or NULL */
    unsigned count;
    const struct rpcrdma_finding *findings[RPCRDMA_FINDINGS];
};

/* How findings are written as text. */
struct findings_printer {
    FILE *out;
    const struct style *style;
    unsigned width;
    bool explain;
};

/* All of its findings, and with --explain the event. */
void findings_text(const struct findings_printer *printer, const struct judged *judged);
/* One of them: some lines. */
void findings_text_one(const struct findings_printer *printer, const struct judged *judged,
                       const struct rpcrdma_finding *finding);
const char *severity_color(const struct style *style, enum rpcrdma_severity severity);

void findings_json(FILE *out, const struct judged *judged);
/* `incomplete`: why the run did not see all, or NULL. */
void findings_json_summary(FILE *out, const struct tally *tally, const struct by_rule *by_rule,
                           const struct missed *missed, const struct unanswered *unanswered,
                           const struct known *known, uint64_t expected, const char *incomplete);

#endif
