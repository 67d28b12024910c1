// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma check`: its settings, and its run over the files. */
#ifndef CONFORMANCE_CHECK_H
#define CONFORMANCE_CHECK_H

#include "conformance/options/options.h"
#include "conformance/report/findings/annotate.h"
#include "conformance/report/findings/findings.h"
#include "conformance/report/findings/kept.h"
#include "conformance/report/findings/sarif.h"
#include "conformance/report/results/known.h"
#include "conformance/report/results/results.h"
#include "conformance/run/connections.h"
#include "conformance/run/record.h"

/* Connections of a capture that can have lines of their own in its summary. */
#define SUMMARIES_MAX 1000

struct summary {
    struct summary *next;
    char name[128];
    struct tally tally;
};

enum check_side { SIDE_BOTH, SIDE_CLIENT, SIDE_SERVER };

struct check_command {
    struct options options;
    enum result_level level; /* findings of rules below it are not shown */
    enum check_side side;    /* whose findings are */
    bool *rules;             /* by row of the register: wanted; NULL where all are */
    const char *connection;  /* the only one, or NULL */
    const char *known_file, *write_known;
    enum { BINDING_AUTO, BINDING_NONE } binding;
    enum { FAIL_ON_VIOLATION, FAIL_ON_WARNING, FAIL_ON_NOTE } fail_on;
    bool all, strict;
    const char *record;                               /* file of vectors to write, or NULL */
    bool tap;                                         /* in place of the text */
    const char *html, *junit, *sarif_file, *annotate; /* files to write, or NULL */
    const char *reference;                            /* what was recorded: the first file */

    struct known known;
    struct recorder recorder;
    struct report report;
    struct progress progress;
    int status;
    const char *incomplete; /* why the run did not see all, or NULL; known at its end */

    /* What was seen so far. */
    struct tally total; /* with that of the connections of a file once the file has ended */
    struct by_rule by_rule;
    struct missed missed;
    uint64_t known_count; /* findings of listed rules: not shown, not counted as violations */
    uint64_t connection_count, clean_count; /* of captures: those without a finding */
    bool side_seen;                         /* an event of --side */
    struct {
        unsigned count;
        char name[5][128];
    } others; /* connections that --connection left out */

    /* For the reports. */
    struct kept_list kept;
    struct sarif sarif;
    struct annotations annotations;

    /* Of the file at work. */
    const char *file;
    const char *failure; /* why the sink stopped */
    struct connections open;
    struct summary *summaries, **summaries_end;
    unsigned summary_count;
};

/* Check a file; what goes wrong is reported, and sets check->status. */
void check_file(struct check_command *check, const char *file);

/* Whether findings of the rule are shown. */
bool check_wants_rule(const struct check_command *check, enum rpcrdma_rule rule);

/* The files that are written: returns STATUS_GOOD, or the status to exit with. */
int outputs_begin(struct check_command *check, int files, char **names);
/* `is_shown`: it is among the first of its rule and side, or all are shown. */
void outputs_add(struct check_command *check, const struct judged *judged,
                 const struct rpcrdma_finding *finding, bool is_shown);
void outputs_missed(struct check_command *check, const struct source_miss *miss);
void outputs_end(struct check_command *check, int files, char **names);

#endif
