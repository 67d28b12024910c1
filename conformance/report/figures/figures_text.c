// SPDX-License-Identifier: BSD-3-Clause
/* The figures as tables for people. */
#include "conformance/base/count.h"
#include "conformance/base/status.h"
#include "conformance/base/text.h"
#include "conformance/report/figures/budget.h"
#include "conformance/report/figures/figures.h"
#include "conformance/report/findings/missed.h"

#include <inttypes.h>
#include <string.h>

enum { CONNECTIONS_PRINTED = 20 };

/* ---- a connection ---- */

static void print_count(FILE *out, uint64_t number, const char *one, const char *several)
{
    fprintf(out, "%" PRIu64 " %s", number, number == 1 ? one : several);
}

static void print_credits(FILE *out, const struct figures_row *row)
{
    uint64_t least, most;
    fprintf(out, "    at most %" PRIu64 " in flight", row->count[FIGURE_IN_FLIGHT]);
    if (figure_value(row, FIGURE_GRANTED_MOST, &most) &&
        figure_value(row, FIGURE_GRANTED_LEAST, &least)) {
        fprintf(out, " of %" PRIu64, least);
        if (least != most)
            fprintf(out, " to %" PRIu64, most);
        fprintf(out, " granted, used up by ");
        print_count(out, row->count[FIGURE_AT_GRANT], "Call", "Calls");
    } else {
        fputs("; what was granted is not known", out);
    }
    putc('\n', out);
}

/* What is seldom, where it occurs. */
static void print_oddities(FILE *out, const struct figures_row *row)
{
    static const enum figure odd[] = {FIGURE_STRAY_REPLIES, FIGURE_STRAY_READS,
                                      FIGURE_STRAY_WRITES,  FIGURE_NOT_READY,
                                      FIGURE_REFUSED,       FIGURE_REGISTRATIONS};
    const char *before = "    ";
    for (size_t i = 0; i < COUNT(odd); i++) {
        if (row->count[odd[i]] == 0)
            continue;
        fprintf(out, "%s%s: %" PRIu64, before, figure_names[odd[i]].text, row->count[odd[i]]);
        before = "; ";
    }
    if (before[0] == ';')
        putc('\n', out);
}

static void print_row(FILE *out, const struct figures_row *row)
{
    fputs("    ", out);
    print_count(out, row->count[FIGURE_CALLS], "Call", "Calls");
    fprintf(out, ": %" PRIu64 " answered, ", row->count[FIGURE_REPLIES]);
    print_count(out, row->count[FIGURE_ERRORS], "transport error", "transport errors");
    fprintf(out, ", %" PRIu64 " unanswered; %" PRIu64 " sent again\n",
            row->count[FIGURE_UNANSWERED], row->count[FIGURE_RETRANSMITTED]);
    print_credits(out, row);
    print_oddities(out, row);
}

static void print_connections(FILE *out, const struct style *style, const struct figures *figures)
{
    unsigned printed = 0;
    const struct figures_connection *at = figures->connections;
    for (; at && printed < CONNECTIONS_PRINTED; at = at->next, printed++) {
        fprintf(out, "%sconnection ", style->bold);
        text_put(out, at->name);
        fprintf(out, "%s\n", style->plain);
        print_row(out, &at->row);
    }
    if (figures->connection_count > printed)
        fprintf(out, "connections after the first %u are in the total only\n", printed);
    if (figures->connection_count > 1) {
        fprintf(out, "%stotal of %u connections%s\n", style->bold, figures->connection_count,
                style->plain);
        print_row(out, &figures->total);
    }
}

/* ---- procedures ---- */

static void print_mean(FILE *out, int width, uint64_t sum, uint64_t count)
{
    char text[FIGURE_TEXT];
    if (count == 0)
        fprintf(out, " %*s", width, "-");
    else
        fprintf(out, " %*s", width, figure_text(UNIT_OCTETS, (double)sum / (double)count, text));
}

static void print_time(FILE *out, const struct figures_row *row, enum figure figure)
{
    char text[FIGURE_TEXT];
    uint64_t value;
    bool known = figure_value(row, figure, &value);
    fprintf(out, " %7s", known ? figure_text(UNIT_NANOSECONDS, (double)value, text) : "-");
}

/* The name comes last, so that none has to be cut: --budget takes it as it stands here. */
static void print_procedure(FILE *out, const struct figures_procedure *procedure)
{
    const struct figures_row *row = &procedure->row;
    const uint64_t *count = row->count;
    uint64_t calls = count[FIGURE_CALLS];
    fprintf(out, "%7" PRIu64, calls);
    print_mean(out, 6, count[FIGURE_CALL_OCTETS], calls + count[FIGURE_RETRANSMITTED]);
    print_mean(out, 6, count[FIGURE_REPLY_OCTETS], count[FIGURE_REPLIES]);
    print_mean(out, 6, count[FIGURE_RDMA_READ_OCTETS], calls);
    print_mean(out, 7, count[FIGURE_RDMA_WRITE_OCTETS], calls);
    print_mean(out, 5,
               count[FIGURE_READ_SEGMENTS] + count[FIGURE_WRITE_SEGMENTS] +
                   count[FIGURE_REPLY_SEGMENTS],
               calls);
    fprintf(out, " %7" PRIu64 " %5" PRIu64, count[FIGURE_REPLY_CHUNKS],
            count[FIGURE_REPLY_CHUNKS_USED]);
    print_time(out, row, FIGURE_TIME_P50);
    print_time(out, row, FIGURE_TIME_P99);
    fputs("  ", out);
    text_put(out, procedure->name);
    putc('\n', out);
}

static void print_procedures(FILE *out, const struct style *style, const struct figures *figures)
{
    if (figures->procedures == NULL)
        return;
    fputs("\n         octets a Call by                     Reply chunks     time of\n", out);
    fprintf(out, "%s%7s %6s %6s %6s %7s %5s %7s %5s %7s %7s  %s%s\n", style->bold, "Calls", "Call",
            "Reply", "Read", "Write", "segm.", "offered", "used", "50 %", "99 %", "procedure",
            style->plain);
    for (const struct figures_procedure *at = figures->procedures; at; at = at->next)
        print_procedure(out, at);
}

/* ---- all ---- */

static void print_limits(FILE *out, const struct style *style, const struct budget *budget)
{
    char text[LIMIT_TEXT];
    if (budget->limits)
        putc('\n', out);
    for (const struct limit *limit = budget->limits; limit; limit = limit->next) {
        fprintf(out, "%s%s%s ", limit->held ? "" : style->red, limit->held ? "kept  " : "BROKEN",
                style->plain);
        text_put(out, limit_text(limit, text));
        putc('\n', out);
    }
}

static void print_total(FILE *out, const struct figures_view *view)
{
    const struct figures *figures = view->figures;
    putc('\n', out);
    put_files(out, view->files_read, view->file_count);
    fputs(", ", out);
    print_count(out, figures->connection_count, "connection", "connections");
    fputs(", ", out);
    print_count(out, figures->events, "event", "events");
    if (figures->last > figures->first)
        fprintf(out, " in %.3f seconds", (double)(figures->last - figures->first) / 1e9);
    if (missed_count(view->missed) > 0) {
        fputs("; not counted: ", out);
        missed_print_total(out, view->missed);
    }
    if (view->brief)
        fprintf(out, "; %s", view->brief);
    putc('\n', out);
}

void figures_print(FILE *out, const struct style *style, const struct figures_view *view)
{
    print_connections(out, style, view->figures);
    print_procedures(out, style, view->figures);
    print_limits(out, style, view->budget);
    print_total(out, view);
}
