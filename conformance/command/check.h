// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma check`: its settings, and its run over the files. */
#ifndef CONFORMANCE_CHECK_H
#define CONFORMANCE_CHECK_H

#include "conformance/base/status.h"
#include "conformance/options/options.h"
#include "conformance/report/findings/annotate.h"
#include "conformance/report/findings/findings.h"
#include "conformance/report/outcome/kept.h"
#include "conformance/report/findings/sarif.h"
#include "conformance/report/ladder/ladder.h"
#include "conformance/report/results/known.h"
#include "conformance/report/results/results.h"
#include "conformance/run/connections.h"
#include "conformance/run/record.h"

/* Connections of a capture that can have lines of their own in its summary. */
#define SUMMARIES_MAX 1000

struct summary {
    struct summary *next;
    char name[128];
    bool half; /* one of its sides is not known yet */
    struct tally tally;
    struct timeline *timeline; /* for --html, where times are known; or NULL */
};

enum check_side { SIDE_BOTH, SIDE_CLIENT, SIDE_SERVER };

/* Files to write, or NULL. */
struct check_outputs {
    const char *record; /* vectors */
    const char *html, *junit, *sarif, *annotate;
    const char *reference; /* beside `record`, what was recorded: the first file */
};

/* What was seen so far. */
struct check_seen {
    struct tally total; /* with that of the connections of a file once the file has ended */
    struct by_rule by_rule;
    struct missed missed;
    struct unanswered unanswered;
    uint64_t known; /* findings of listed rules: not shown, not counted as violations */
    uint64_t connections, clean; /* of captures: those without a finding */
    int files;                   /* of which something was read, or all */
    bool side;                   /* an event of --side */
    struct unread unread;
    struct {
        unsigned count;
        bool more; /* than have a name here */
        char name[5][128];
    } others; /* connections that --connection left out */
};

/* The file at work. */
struct check_work {
    const char *file;
    const char *failure; /* why the sink stopped */
    struct source_counts counts;
    struct connections open;
    struct summary *summaries, **summaries_end;
    unsigned summary_count;
};

struct check_command {
    struct options options;
    enum result_level level; /* findings of rules below it are not shown */
    enum check_side side;    /* whose findings are */
    struct chosen rule_names;
    bool *rules;            /* by row of the register: wanted; NULL where all are */
    const char *connection; /* the only one, or NULL */
    const char *known_file, *write_known;
    enum { BINDING_AUTO, BINDING_NONE } binding;
    enum { FAIL_ON_VIOLATION, FAIL_ON_WARNING, FAIL_ON_NOTE } fail_on;
    bool all, strict, ladder;
    unsigned tap; /* the version of TAP in place of the text, or 0 */
    struct check_outputs outputs;

    struct known known;
    struct recorder recorder;
    struct findings_printer printer;
    struct progress progress;
    int status;
    const char *incomplete; /* why the run did not see all, or NULL; known at its end */

    struct check_seen seen;
    struct check_work work;

    /* For the reports. */
    struct kept_list kept;
    struct sarif sarif;
    struct annotations annotations;
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
