// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma check`: check traffic against the rules. */
#include "conformance/base/alloc.h"
#include "conformance/command/commands.h"
#include "conformance/run/connections.h"
#include "conformance/report/known.h"
#include "conformance/base/options.h"
#include "conformance/run/record.h"
#include "conformance/base/register.h"
#include "conformance/report/findings.h"
#include "conformance/report/results.h"

#include <rpcrdma/binding.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_RULE = OPTION_OWN };

/* Connections of a capture that get a line of their own in its summary. */
#define SUMMARIES_MAX 1000

struct summary {
    struct summary *next;
    char name[128];
    struct tally tally;
};

struct check {
    struct options options;
    enum result_level level; /* findings of rules below it are not shown */
    bool *rules;             /* by row of the register: wanted; NULL where all are */
    const char *connection;
    struct known known;
    const char *known_file, *write_known;
    enum { BINDING_AUTO, BINDING_NONE } binding;
    const char *record;    /* file of vectors to write, or NULL */
    const char *reference; /* what was recorded: the first file */
    struct recorder recorder;
    uint64_t known_count; /* findings of listed rules: not shown, not counted as violations */
    struct report report;
    struct progress progress;
    struct tally total;
    uint64_t connection_count;
    int status;

    /* Of the file at work. */
    const char *failure; /* why the sink stopped */
    struct connections open;
    struct summary *summaries, **summaries_end;
    unsigned summary_count;
};

/* ---- What the user wants to see ---- */

/* An expected failure. */
static bool is_known(struct check *check, const struct source_event *event,
                     const struct rpcrdma_finding *finding)
{
    char peer[128];
    bool is_server = event->event.from == RPCRDMA_SERVER;
    known_peer(peer, sizeof peer, event->connection, is_server);
    bool known = known_finding(&check->known, rpcrdma_requirements[finding->rule].id,
                               is_server ? "server" : "client", peer);
    check->known_count += known;
    return known;
}

static bool is_wanted(const struct check *check, const struct rpcrdma_finding *finding)
{
    return level_of_rule(&rpcrdma_requirements[finding->rule]) <= check->level &&
           (check->rules == NULL || check->rules[finding->rule]);
}

/* ---- Events ---- */

/* Only connections of captures are told apart in the summary: a test or a line has its own id. */
static struct summary *summary_of(struct check *check, struct connection *connection,
                                  const struct source_event *event)
{
    if (connection->summary || event->frame == 0)
        return connection->summary;
    struct summary *made = check->summary_count < SUMMARIES_MAX ? calloc(1, sizeof *made) : NULL;
    if (made == NULL)
        return NULL;
    snprintf(made->name, sizeof made->name, "%s", event->connection);
    *check->summaries_end = made;
    check->summaries_end = &made->next;
    check->summary_count++;
    return connection->summary = made;
}

static void count(struct tally *tally, const struct judged *judged)
{
    tally_event(tally, judged->source, judged->verdict);
    for (unsigned i = 0; i < judged->count; i++)
        tally->grades[judged->findings[i]->severity]++;
}

static void show(struct check *check, struct connection *connection, const struct judged *judged)
{
    struct summary *summary = summary_of(check, connection, judged->source);
    count(&check->total, judged);
    if (summary)
        count(&summary->tally, judged);
    if (check->options.json || judged->count > 0)
        progress_clear(&check->progress);
    if (check->options.json)
        report_json(stdout, judged);
    else
        report_text(&check->report, judged);
}

static bool check_event(void *arg, const struct source_event *event)
{
    struct check *check = arg;
    uint64_t before = check->open.made;
    struct connection *connection =
        connections_get(&check->open, event->connection_id, event->config);
    if (connection == NULL) {
        check->failure = "not enough memory for another connection";
        return false;
    }
    struct rpcrdma_judgement verdict;
    rpcrdma_check_event(connection->check, &event->event, &verdict);
    if (check->connection && strcmp(check->connection, event->connection) != 0)
        return true;
    if (check->open.made != before)
        check->connection_count++;
    if (check->record && !record_event(&check->recorder, event, &verdict)) {
        check->failure = "not enough memory to record it";
        return false;
    }
    if (event->event.type == RPCRDMA_EVENT_GAP)
        return true; /* nothing that a side did: for the checker alone */
    struct judged judged = {.source = event, .verdict = &verdict};
    for (unsigned i = 0; i < verdict.count && i < RPCRDMA_FINDINGS; i++)
        if (is_wanted(check, &verdict.findings[i]) && !is_known(check, event, &verdict.findings[i]))
            judged.findings[judged.count++] = &verdict.findings[i];
    show(check, connection, &judged);
    return !output_failed(stdout);
}

static void check_closed(void *arg, uint64_t connection_id)
{
    struct check *check = arg;
    connections_drop(&check->open, connection_id);
}

/* ---- Files ---- */

/* Print the connections of a capture, and forget them. */
static void end_summaries(struct check *check, const struct source_counts *counts)
{
    const struct report *report = &check->report;
    while (check->summaries) {
        struct summary *summary = check->summaries;
        check->summaries = summary->next;
        if (!check->options.json) {
            fprintf(report->out, "%sconnection %s%s\n    ", report->style->bold, summary->name,
                    report->style->plain);
            tally_print_line(report->out, &summary->tally);
            fputs("\n    ", report->out);
            tally_print_grades(report->out, report->style, &summary->tally);
            putc('\n', report->out);
        }
        free(summary);
    }
    if (check->summary_count == SUMMARIES_MAX && !check->options.json)
        fprintf(report->out, "connections beyond the first %d are counted below\n", SUMMARIES_MAX);
    if (counts->lost > 0 && !check->options.json)
        fprintf(report->out, "%" PRIu64 " Send%s could not be judged: packets are missing\n",
                counts->lost, counts->lost == 1 ? "" : "s");
    check->summaries_end = &check->summaries;
    check->summary_count = 0;
}

static void check_file(struct check *check, const char *file)
{
    struct source_sink sink = {.event = check_event, .closed = check_closed, .arg = check};
    struct source_counts counts;
    char error[512];
    check->failure = NULL;
    check->summaries_end = &check->summaries;
    progress_start(&check->progress, file);
    check->options.source.progress = progress_show;
    check->options.source.progress_arg = &check->progress;
    bool good = source_read(file, &check->options.source, &sink, &counts, error, sizeof error);
    progress_clear(&check->progress);
    connections_free(&check->open);
    end_summaries(check, &counts);
    if (ferror(stdout) || (good && check->failure == NULL))
        return;
    fflush(stdout); /* so that the complaint stands behind what was found before */
    check->status = file_error(file, check->failure ? check->failure : error);
}

static void end(struct check *check, int files)
{
    const struct report *report = &check->report;
    if (check->total.grades[RPCRDMA_VIOLATION] > 0 && check->status == STATUS_GOOD)
        check->status = STATUS_VIOLATED;
    if (known_missing(&check->known) > 0 && check->status == STATUS_GOOD)
        check->status = STATUS_VIOLATED;
    if (check->total.events == 0 && check->status == STATUS_GOOD) {
        fputs("rpcrdma: nothing was judged\n", stderr);
        check->status = STATUS_VIOLATED;
    }
    if (check->write_known && !known_write(&check->known, check->write_known))
        check->status = STATUS_UNREADABLE;
    if (check->record && !record_write(&check->recorder, check->record, check->reference))
        check->status = STATUS_UNREADABLE;
    record_free(&check->recorder);
    if (check->options.json) {
        report_json_summary(stdout, &check->total);
        return;
    }
    if (check->total.events == 0)
        return;
    fputs("\n", report->out);
    tally_print_table(report->out, report->style, &check->total);
    fprintf(report->out, "\n%d file%s, %" PRIu64 " connection%s, %" PRIu64 " event%s: ", files,
            files == 1 ? "" : "s", check->connection_count, check->connection_count == 1 ? "" : "s",
            check->total.events, check->total.events == 1 ? "" : "s");
    tally_print_grades(report->out, report->style, &check->total);
    if (check->known_count > 0)
        fprintf(report->out, ", %" PRIu64 " expected", check->known_count);
    putc('\n', report->out);
}

/* ---- Options ---- */

static bool add_rule(void *settings, int option, const char *id)
{
    struct check *check = settings;
    int row = register_find(id);
    (void)option; /* the only one */
    if (row < 0) {
        const char *nearest = register_nearest(id);
        usage_error("check", "no rule '%s'%s%s%s", id, nearest ? "; did you mean '" : "",
                    nearest ? nearest : "", nearest ? "'?" : "");
        return false;
    }
    if (check->rules == NULL)
        check->rules = alloc_zeroed(RPCRDMA_RULES, sizeof *check->rules);
    check->rules[row] = true;
    return true;
}

static const struct option_row options_findings[] = {
    {"level", "LEVEL",
     "must: only rules of that level; should: also those of level should and derived; advisory: "
     "all (the default)",
     .words = "must should advisory", SETS(WORD, struct check, level)},
    {"rule", "RULE", "only this rule, such as rfc8166/3.4.5/position-multiple-of-four",
     RETURNS(OPTION_RULE), .repeated = true},
    {"connection", "NAME", "only this connection, named as in the report",
     SETS(TEXT, struct check, connection),
     .more = "In a capture the name is CLIENT:0xQPN-SERVER:0xQPN; in vectors it is the id of the "
             "test, in hex text \"line 4\"."},
    {"known", "FILE",
     "expected failures, a line each: RULE, client or server, the peer's address or *, # before a "
     "reason: not shown and not violations; one that does not occur is an error",
     SETS(TEXT, struct check, known_file),
     .more = "See EXPECTED FAILURES. The findings are counted at the end."},
    {"write-known", "FILE", "write such a list of what was found",
     SETS(TEXT, struct check, write_known)},
    {"binding", "WHICH",
     "auto: apply the binding of the upper layer that the RPC header names, NFS (the default); "
     "none: check the transport alone",
     .words = "auto none", SETS(WORD, struct check, binding),
     .more = "Vectors name their binding themselves."},
    {"record", "FILE", "write what was checked as vectors, for 'rpcrdma vectors'",
     SETS(TEXT, struct check, record),
     .more = "Each connection becomes a test with its findings. Connections of which packets are "
             "missing are left out."},
    {"explain", NULL, "print each Send that has findings field by field",
     SETS(FLAG, struct check, report.explain),
     .more = "Of a Send of more than 512 octets the beginning and the surroundings of the faults "
             "are printed."},
    {NULL}};

const struct command command_check = {
    .name = "check",
    .run = cmd_check,
    .summary = "check captures, vectors, hex or raw files",
    .operands = "FILE...",
    .text = "Check every Send, RDMA Read, RDMA Write and all CM private data in the files, "
            "connection by connection, against the rules of RFC 8166 and its companions.",
    .groups =
        (const struct option_group[]){
            OPTION_GROUP_INPUT,
            {"Findings (filtered findings are not counted or reported)", NULL, options_findings},
            OPTION_GROUP_OUTPUT,
            {0}},
    .status = "0 nothing violated, 1 violations found, 2 wrong usage, 3 a file is unreadable or "
              "not what it claims to be, whatever was found before.",
};

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct check *check, int argc, char **argv)
{
    int status = options_parse(&command_check, argc, argv, check, add_rule);
    if (status >= 0)
        return status;
    if (optind == argc)
        return usage_error(argv[0], "no FILE given");
    if (check->options.json && check->report.explain)
        return usage_error(argv[0], "options '--json' and '--explain' exclude each other");
    check->reference = argv[optind];
    check->options.source.bindings = check->binding == BINDING_AUTO ? rpcrdma_bindings : NULL;
    bool good = check->known_file == NULL || known_read(&check->known, check->known_file);
    return good ? -1 : STATUS_UNREADABLE;
}

int cmd_check(int argc, char **argv)
{
    struct check check = {
        .options = OPTIONS_DEFAULT, .level = RESULT_ADVISORY, .known.kind = KNOWN_TRAFFIC};
    int status = parse_options(&check, argc, argv);
    if (status < 0) {
        check.report.out = stdout;
        check.report.style = terminal_style(check.options.color, stdout);
        check.report.width = terminal_width(stdout);
        for (int i = optind; i < argc && !ferror(stdout); i++)
            check_file(&check, argv[i]);
        end(&check, argc - optind);
        status = close_output(check.status);
    }
    free(check.rules);
    return status;
}
