// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma stat`: what connections were used for, in figures. */
#include "conformance/base/interrupt.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"
#include "conformance/command/commands.h"
#include "conformance/options/options.h"
#include "conformance/report/figures/budget.h"
#include "conformance/report/figures/figures.h"
#include "conformance/report/findings/missed.h"
#include "conformance/run/connections.h"

#include <rpcrdma/binding.h>

#include <string.h>

struct stat_command {
    struct options options;
    const char *connection; /* the only one, or NULL */
    const char *budget_file, *html;
    bool compare;

    struct figures figures[2]; /* of all files; of the first and the second with --compare */
    struct missed missed;
    struct budget budget;
    struct progress progress;
    struct unread unread;
    int files_read; /* of which something was read, or all */
    int status;

    /* The file at work. */
    struct figures *at;
    struct connections open;
    const char *failure; /* why the sink stopped */
};

/* ---- reading ---- */

static bool stat_event(void *arg, const struct source_event *event)
{
    struct stat_command *stat = arg;
    struct rpcrdma_judgement judgement;
    struct open_connection *connection =
        connections_get(&stat->open, event->connection_id, event->config);
    if (connection == NULL) {
        stat->failure = "not enough memory for another connection";
        return false;
    }
    rpcrdma_check_event(connection->check, &event->event, &judgement);
    if (!connection_is_meant(event->connection, stat->connection))
        return true;
    if (connection->summary == NULL)
        connection->summary = figures_connect(stat->at, event);
    figures_add(stat->at, connection->summary, event, &judgement);
    return true;
}

static void end_connection(void *arg, struct open_connection *connection)
{
    struct stat_command *stat = arg;
    if (connection->summary)
        figures_close(stat->at, connection->summary);
}

static void stat_closed(void *arg, uint64_t connection_id)
{
    struct stat_command *stat = arg;
    connections_drop(&stat->open, connection_id);
}

static void stat_missed(void *arg, const struct source_miss *miss)
{
    struct stat_command *stat = arg;
    if (miss->connection == NULL || connection_is_meant(miss->connection, stat->connection))
        missed_add(&stat->missed, stat->progress.file, miss);
}

static void stat_file(struct stat_command *stat, const char *file)
{
    struct source_sink sink = {
        .event = stat_event, .closed = stat_closed, .missed = stat_missed, .arg = stat};
    struct source_counts counts;
    char error[512];
    stat->failure = NULL;
    stat->open = (struct connections){.ended = end_connection, .arg = stat};
    figures_begin_file(stat->at);
    progress_start(&stat->progress, file);
    stat->options.source.progress = progress_show;
    stat->options.source.progress_arg = &stat->progress;
    bool good = source_read(file, &stat->options.source, &sink, &counts, error, sizeof error);
    progress_clear(&stat->progress);
    stat->files_read += good || counts.events > 0;
    connections_free(&stat->open);
    figures_end_file(stat->at);
    if ((good && stat->failure == NULL) || (interrupted() && stat->failure == NULL))
        return;
    stat->status = unread_add(&stat->unread, file, stat->failure ? stat->failure : error);
}

/* ---- the end ---- */

static void write_html(struct stat_command *stat, const struct figures_view *view)
{
    struct output output;
    bool good = output_begin(&output, stat->html);
    if (good) {
        figures_html(output.stream, view);
        good = output_end(&output);
    }
    if (!good)
        stat->status = STATUS_UNREADABLE;
}

static void end_compare(struct stat_command *stat)
{
    const struct figures *first = &stat->figures[0], *second = &stat->figures[1];
    if (stat->options.json)
        figures_compare_json(stdout, first, second);
    else
        figures_compare_print(stdout, terminal_style(stat->options.color, stdout), first, second);
    if (missed_count(&stat->missed) > 0) {
        fflush(stdout);
        say("not all of the files could be read: see 'rpcrdma stat' of each");
    }
}

static void end_figures(struct stat_command *stat, int files, char **names)
{
    struct figures_view view = {.figures = &stat->figures[0],
                                .missed = &stat->missed,
                                .files = names,
                                .file_count = files,
                                .files_read = stat->files_read,
                                .budget = &stat->budget};
    view.incomplete = interrupted() ? interrupt_text() : unread_text(&stat->unread);
    view.brief = interrupted() ? interrupt_text() : unread_brief(&stat->unread);
    if (budget_judge(&stat->budget, view.figures) > 0 && stat->status == STATUS_GOOD)
        stat->status = STATUS_VIOLATED;
    if (stat->options.json)
        figures_json(stdout, &view);
    else
        figures_print(stdout, terminal_style(stat->options.color, stdout), &view);
    bool nothing = view.incomplete && !interrupted() && view.figures->events == 0;
    if (stat->html && !nothing) /* or else the page of an earlier run stays */
        write_html(stat, &view);
}

static void end_events(struct stat_command *stat, int files)
{
    for (int i = 0; i < (stat->compare ? files : 1); i++) {
        if (stat->figures[i].events > 0 || stat->status != STATUS_GOOD || interrupted())
            continue;
        if (stat->connection) {
            stat->status = usage_error("stat", "no connection is named '%s'", stat->connection);
        } else {
            say("nothing was counted");
            stat->status = STATUS_VIOLATED;
        }
    }
}

/* ---- options ---- */

static const struct option_row options_stat[] = {
    {"connection", "NAME", "only this connection, named as in the report, or all of an address",
     SETS(TEXT, struct stat_command, connection)},
    {"budget", "FILE",
     "limits, a line each: 'NFS 4 READ: timeP99 <= 2 ms'; one that is not kept makes the exit "
     "status 1",
     SETS(INPUT, struct stat_command, budget_file),
     .more = "Before the colon stands a procedure as the table names it, or total, or connection, "
             "for each of them; after it a figure as --json names it, also with \"per call\", "
             "then <= or >= and a number (k, M, G) or a time (ns, us, ms, s). After # stands a "
             "reason. What does not occur, or is not known, keeps no limit."},
    {"compare", NULL, "print the figures in which two FILEs differ, a Call where they add up",
     SETS(FLAG, struct stat_command, compare),
     .more = "Times are equal where an eighth is all that they differ by."},
    {"html", "FILE", "write a page with plots that needs no other file",
     SETS(OUTPUT, struct stat_command, html), .gathered = "report.html"},
    OPTION_ROW_FOLDER,
    {0}};

const struct command command_stat = {
    .name = "stat",
    .run = cmd_stat,
    .summary = "count what the connections were used for, and how long it took",
    .operands = "FILE...",
    .text = "Count, for each procedure: Calls and their answers, octets inline, segments and "
            "chunks offered and used, RDMA Reads and Writes, and the time from Call to Reply; for "
            "each connection also Calls in flight against credits granted, Calls sent again, and "
            "Sends that met no Receive. Nothing is judged.",
    .groups =
        (const struct option_group[]){
            OPTION_GROUP_INPUT, {"Figures", NULL, options_stat}, OPTION_GROUP_OUTPUT, {0}},
    .status = "0 all limits are kept, 1 one is not, or nothing was counted, 2 wrong usage, 3 a "
              "file is unreadable or not what it claims to be, 130 interrupted.",
    .ends = {"counted; no limit is broken", "a limit is not kept, or nothing was counted"},
};

static int parse_options(struct stat_command *stat, int argc, char **argv)
{
    int status = options_parse(&command_stat, argc, argv, stat, NULL);
    if (status >= 0)
        return status;
    if (optind == argc)
        return usage_error(argv[0], "no FILE given");
    if (stat->compare && argc - optind != 2)
        return usage_error(argv[0], "option '--compare' takes two FILEs");
    if (stat->compare && (stat->budget_file || stat->html))
        return usage_error(argv[0], "options '--compare' and '--%s' exclude each other",
                           stat->budget_file ? "budget" : "html");
    if (stat->budget_file && !budget_read(&stat->budget, stat->budget_file))
        return STATUS_UNREADABLE;
    return -1;
}

int cmd_stat(int argc, char **argv)
{
    static struct stat_command stat; /* its histograms are large */
    stat.options = OPTIONS_DEFAULT;
    int status = parse_options(&stat, argc, argv);
    if (status < 0) {
        int files = argc - optind;
        for (int i = 0; i < files && !interrupted(); i++) {
            stat.at = &stat.figures[stat.compare ? i : 0];
            stat_file(&stat, argv[optind + i]);
        }
        for (int i = 0; i < 2; i++)
            figures_sum(&stat.figures[i]);
        interrupt_settle();
        end_events(&stat, files);
        if (stat.compare)
            end_compare(&stat);
        else
            end_figures(&stat, files, argv + optind);
        status = close_output(stat.status);
    }
    for (int i = 0; i < 2; i++)
        figures_free(&stat.figures[i]);
    missed_free(&stat.missed);
    budget_free(&stat.budget);
    return status;
}
