// SPDX-License-Identifier: BSD-3-Clause
/* What a run of `check` found, in the forms that other programs and people read. */
#ifndef CONFORMANCE_OUTCOME_H
#define CONFORMANCE_OUTCOME_H

#include "conformance/report/findings/unanswered.h"
#include "conformance/report/outcome/kept.h"
#include "conformance/report/results/known.h"

struct outcome {
    char *const *files;
    int file_count;
    const struct tally *total;
    const struct by_rule *by_rule;
    const struct missed *missed;
    const struct unanswered *unanswered;
    const struct kept_list *kept;
    const struct known *known;
    uint64_t expected;             /* findings that the list expects, which are not counted */
    enum rpcrdma_severity fail_on; /* findings from this severity on are failures */
    const char *incomplete;        /* why the run did not see all, or NULL */
    bool strict;                   /* so is what could not be checked */
    bool (*is_checked)(const void *arg, enum rpcrdma_rule rule); /* it is not filtered out */
    const void *arg;
};

void outcome_html(FILE *out, const struct outcome *outcome);
/* A test case for each rule, and one for what could not be checked. */
void outcome_junit(FILE *out, const struct outcome *outcome);
void outcome_tap(FILE *out, const struct outcome *outcome, unsigned version);

#endif
