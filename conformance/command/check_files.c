// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma check`: from the events of a file to its findings, and the summary of the file. */
#include "conformance/base/text.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/status.h"
#include "conformance/command/check.h"
#include "conformance/base/count.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the user wants to see ---- */

/* An expected failure. */
static bool is_known(struct check_command *check, const struct source_event *event,
                     const struct rpcrdma_finding *finding)
{
    char peer[128];
    bool is_server = finding->from == RPCRDMA_SERVER;
    source_peer(peer, sizeof peer, event->connection, is_server);
    bool known = known_finding(&check->known, rpcrdma_requirements[finding->rule].id,
                               endpoint_name(finding->from), peer);
    check->seen.known += known;
    return known;
}

static bool is_of_side(const struct check_command *check, enum rpcrdma_endpoint from)
{
    return check->side == SIDE_BOTH ||
           from == (check->side == SIDE_CLIENT ? RPCRDMA_CLIENT : RPCRDMA_SERVER);
}

bool check_wants_rule(const struct check_command *check, enum rpcrdma_rule rule)
{
    return level_of_rule(&rpcrdma_requirements[rule]) <= check->level &&
           (check->rules == NULL || check->rules[rule]);
}

/* Remember some names, to say which there are if the wanted one is not among them. */
static bool is_other_connection(struct check_command *check, const char *name)
{
    if (connection_is_meant(name, check->connection))
        return false;
    const size_t room = COUNT(check->seen.others.name);
    unsigned i = 0;
    while (i < check->seen.others.count && i < room &&
           strcmp(check->seen.others.name[i], name) != 0)
        i++;
    if (i == room)
        check->seen.others.more = true;
    else if (i == check->seen.others.count)
        snprintf(check->seen.others.name[check->seen.others.count++],
                 sizeof *check->seen.others.name, "%s", name);
    return true;
}

/* ---- Events ---- */

static void set_name(struct summary *summary, const char *name)
{
    snprintf(summary->name, sizeof summary->name, "%s", name);
    summary->half = strchr(name, '?') != NULL;
}

/* Only connections of captures have a summary each: a test or a line has its own id. */
static struct summary *summary_of(struct check_command *check, struct open_connection *connection,
                                  const struct source_event *event)
{
    struct summary *known = connection->summary;
    if (known && known->half && strcmp(known->name, event->connection) != 0)
        set_name(known, event->connection); /* its other side was found */
    if (known || event->frame == 0)
        return known;
    struct summary *made =
        check->work.summary_count < SUMMARIES_MAX ? calloc(1, sizeof *made) : NULL;
    if (made == NULL)
        return NULL;
    set_name(made, event->connection);
    *check->work.summaries_end = made;
    check->work.summaries_end = &made->next;
    check->work.summary_count++;
    return connection->summary = made;
}

static void count(struct tally *tally, const struct judged *judged)
{
    tally_event(tally, judged->source, judged->judgement);
    for (unsigned i = 0; i < judged->count; i++)
        tally->severities[judged->findings[i]->severity]++;
}

static void show_ladder(const struct findings_printer *printer, const struct judged *judged)
{
    struct ladder ladder;
    ladder_take(&ladder, judged->window, judged);
    putc('\n', printer->out);
    ladder_text(printer->out, printer->style, &ladder);
    putc('\n', printer->out);
}

/* The first findings of each rule and side, unless all are wanted. */
static void show_text(struct check_command *check, const struct judged *judged)
{
    struct judged shown;
    if (judged->count == 0 && !check->options.json)
        return; /* most events */
    shown = *judged;
    shown.count = 0;
    for (unsigned i = 0; i < judged->count; i++) {
        const struct rpcrdma_finding *finding = judged->findings[i];
        uint64_t number = by_rule_add(&check->seen.by_rule, finding, judged->source);
        bool is_shown = check->all || number <= BY_RULE_PRINTED;
        outputs_add(check, judged, finding, is_shown);
        if (is_shown)
            shown.findings[shown.count++] = finding;
    }
    if (check->options.json || shown.count > 0)
        progress_clear(&check->progress);
    if (check->options.json)
        findings_json(stdout, judged);
    else if (!check->tap)
        findings_text(&check->printer, &shown);
    if (check->ladder && !check->tap && shown.count > 0)
        show_ladder(&check->printer, &shown);
}

static void show(struct check_command *check, struct open_connection *connection,
                 const struct judged *judged)
{
    struct summary *summary = summary_of(check, connection, judged->source);
    count(summary ? &summary->tally : &check->seen.total, judged);
    show_text(check, judged);
}

/* Returns whether anything was found. */
static bool judge(struct check_command *check, struct open_connection *connection,
                  const struct source_event *event, const struct rpcrdma_judgement *judgement)
{
    struct judged judged; /* large: its findings are not cleared */
    judged.source = event;
    judged.judgement = judgement;
    judged.history = connection->history;
    judged.window = connection->window;
    judged.count = 0;
    check->seen.side = check->seen.side || is_of_side(check, event->event.from);
    for (unsigned i = 0; i < judgement->count && i < RPCRDMA_FINDINGS; i++)
        if (is_of_side(check, judgement->findings[i].from) &&
            check_wants_rule(check, judgement->findings[i].rule) &&
            !is_known(check, event, &judgement->findings[i]))
            judged.findings[judged.count++] = &judgement->findings[i];
    if (judged.window)
        ladder_add(judged.window, &judged);
    show(check, connection, &judged);
    return judged.count > 0;
}

/* The client's Calls that wait, and what the server has granted, after this event. */
static void note_time(struct open_connection *connection, const struct source_event *event,
                      bool found)
{
    struct summary *summary = connection->summary;
    const struct history *history = connection->history;
    if (summary == NULL || event->time <= 0)
        return;
    if (summary->timeline == NULL)
        summary->timeline = calloc(1, sizeof *summary->timeline);
    if (summary->timeline == NULL)
        return; /* it has no plot, then */
    timeline_add(summary->timeline, event->time, history_waiting(history, RPCRDMA_CLIENT, NULL, 0),
                 history->grant[RPCRDMA_SERVER].credits);
    if (found)
        timeline_mark(summary->timeline, event->time);
}

/* False without memory. */
static bool begin_connection(const struct check_command *check, struct open_connection *connection)
{
    if (connection->history == NULL)
        connection->history = history_make();
    if (connection->window == NULL && (check->ladder || check->outputs.html))
        connection->window = calloc(1, sizeof(struct ladder_window));
    return connection->history && (connection->window || !(check->ladder || check->outputs.html));
}

/* Nothing that a side did: for the checker alone, and for ladders. */
static void add_gap(struct open_connection *connection, const struct source_event *event,
                    const struct rpcrdma_judgement *judgement)
{
    struct judged judged; /* large */
    judged.source = event;
    judged.judgement = judgement;
    judged.count = 0;
    if (connection->window)
        ladder_add(connection->window, &judged);
}

static bool check_event(void *arg, const struct source_event *event)
{
    struct check_command *check = arg;
    uint64_t before = check->work.open.made;
    struct open_connection *connection =
        connections_get(&check->work.open, event->connection_id, event->config);
    if (connection == NULL || !begin_connection(check, connection)) {
        check->work.failure = "not enough memory for another connection";
        return false;
    }
    struct rpcrdma_judgement judgement;
    rpcrdma_check_event(connection->check, &event->event, &judgement);
    if (is_other_connection(check, event->connection))
        return true;
    if (check->work.open.made != before)
        check->seen.connections++;
    if (check->outputs.record && !record_event(&check->recorder, event, &judgement)) {
        check->work.failure = "cannot be recorded: the temporary file cannot be written";
        return false;
    }
    if (event->event.type == RPCRDMA_EVENT_GAP) {
        add_gap(connection, event, &judgement);
        return true;
    }
    bool early = event->event.type == RPCRDMA_EVENT_PRIVATE_DATA;
    if (early)
        connection->history = history_add(connection->history, event, &judgement);
    bool found = judge(check, connection, event, &judgement);
    if (!early)
        connection->history = history_add(connection->history, event, &judgement);
    if (check->outputs.html)
        note_time(connection, event, found);
    return !output_failed(stdout) || check->sarif.out.stream || check->outputs.html ||
           check->outputs.junit || check->outputs.annotate;
}

static void check_closed(void *arg, uint64_t connection_id)
{
    struct check_command *check = arg;
    connections_drop(&check->work.open, connection_id);
    record_closed(&check->recorder, check->work.file, connection_id);
}

static void connection_ended(void *arg, struct open_connection *connection)
{
    struct check_command *check = arg;
    const struct summary *summary = connection->summary;
    if (summary && connection->history &&
        !missed_is_one_sided(&check->seen.missed, check->work.file, summary->name))
        unanswered_add(&check->seen.unanswered, check->work.file, summary->name,
                       connection->history, check->work.counts.until);
}

static void check_missed(void *arg, const struct source_miss *miss)
{
    struct check_command *check = arg;
    if (miss->connection && is_other_connection(check, miss->connection))
        return;
    missed_add(&check->seen.missed, check->work.file, miss);
    outputs_missed(check, miss);
}

/* ---- Files ---- */

static bool has_findings(const struct summary *summary)
{
    for (int i = 0; i <= RPCRDMA_VIOLATION; i++)
        if (summary->tally.severities[i] > 0)
            return true;
    return false;
}

static bool is_clean(const struct check_command *check, const struct summary *summary)
{
    return !has_findings(summary) &&
           !missed_has(&check->seen.missed, check->work.file, summary->name) &&
           !unanswered_has(&check->seen.unanswered, check->work.file, summary->name);
}

static void print_summary(const struct check_command *check, const struct summary *summary)
{
    const struct findings_printer *printer = &check->printer;
    fprintf(printer->out, "%sconnection ", printer->style->bold);
    text_put(printer->out, summary->name);
    fprintf(printer->out, "%s\n    ", printer->style->plain);
    tally_print_line(printer->out, &summary->tally);
    fputs("\n    ", printer->out);
    tally_print_severities(printer->out, printer->style, &summary->tally);
    putc('\n', printer->out);
    missed_print(printer->out, &check->seen.missed, check->work.file, summary->name, "    ");
    unanswered_print(printer->out, &check->seen.unanswered, check->work.file, summary->name,
                     "    ");
}

/* Print the connections of a capture that there is something to say of, and forget all. */
static void end_summaries(struct check_command *check)
{
    bool text = !check->options.json && !check->tap;
    while (check->work.summaries) {
        struct summary *summary = check->work.summaries;
        check->work.summaries = summary->next;
        tally_add(&check->seen.total, &summary->tally);
        if (is_clean(check, summary))
            check->seen.clean++;
        else if (text)
            print_summary(check, summary);
        if (summary->timeline && has_findings(summary))
            kept_connection(&check->kept, check->work.file, summary->name, summary->timeline);
        free(summary->timeline);
        free(summary);
    }
    if (check->work.summary_count == SUMMARIES_MAX && text)
        fprintf(check->printer.out,
                "connections after the first %d are counted in the total only\n", SUMMARIES_MAX);
    if (text)
        missed_print_rest(check->printer.out, &check->seen.missed, check->work.file);
    if (text)
        unanswered_print_rest(check->printer.out, &check->seen.unanswered);
    check->work.summaries_end = &check->work.summaries;
    check->work.summary_count = 0;
}

/* Findings about another protocol, such as NVMe, mean nothing. */
static void say_overruled(const char *file, uint64_t count)
{
    if (count == 0)
        return;
    fflush(stdout);
    say("%s: %" PRIu64
        " connection%s, judged for --all-qp, may be of another protocol: its first Sends have no "
        "version of RPC-over-RDMA",
        file, count, count == 1 ? "" : "s");
}

void check_file(struct check_command *check, const char *file)
{
    struct source_sink sink = {
        .event = check_event, .closed = check_closed, .missed = check_missed, .arg = check};
    char error[512];
    check->work.file = file;
    check->work.failure = NULL;
    check->work.open.ended = connection_ended;
    check->work.open.arg = check;
    check->work.summaries_end = &check->work.summaries;
    progress_start(&check->progress, file);
    check->options.source.progress = progress_show;
    check->options.source.progress_arg = &check->progress;
    bool good =
        source_read(file, &check->options.source, &sink, &check->work.counts, error, sizeof error);
    progress_clear(&check->progress);
    check->seen.files += good || check->work.counts.events > 0;
    connections_free(&check->work.open);
    end_summaries(check);
    say_overruled(file, check->work.counts.overruled);
    if (ferror(stdout) || (good && check->work.failure == NULL))
        return;
    if (interrupted() && check->work.failure == NULL)
        return;     /* it ended where we stopped */
    fflush(stdout); /* so that the complaint follows what was found before */
    const char *why = check->work.failure ? check->work.failure : error;
    check->status = unread_add(&check->seen.unread, file, why);
}
