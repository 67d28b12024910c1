// SPDX-License-Identifier: BSD-3-Clause
/* The figures as a page that needs no other file. */
#include "conformance/report/figures/budget.h"
#include "conformance/report/figures/figures.h"
#include "conformance/report/findings/missed.h"
#include "conformance/report/results/html.h"

#include <inttypes.h>

enum { BOTTOM = 20, PLOTS = 20 };
#define WIDTH 592
#define HEIGHT 120
#define LEFT 56

/* ---- plots ---- */

static void put_label(FILE *out, unsigned x, unsigned y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=%u y=%u text-anchor=%s class=dim>", x, y, anchor);
    html_text(out, text);
    fputs("</text>\n", out);
}

static void begin_plot(FILE *out, const char *what)
{
    fprintf(out, "<svg class=ladder role=img aria-label=\"%s\" viewBox=\"0 0 %u %u\">\n", what,
            WIDTH, HEIGHT + BOTTOM);
    fprintf(out, "<path d=\"M%u 8V%uH%u\"/>\n", LEFT, HEIGHT, WIDTH - 8);
}

static void put_histogram(FILE *out, const struct histogram *time)
{
    unsigned first, last;
    uint64_t most = 0;
    char text[FIGURE_TEXT];
    if (!histogram_range(time, &first, &last))
        return;
    for (unsigned i = first; i <= last; i++)
        most = time->bar[i] > most ? time->bar[i] : most;
    begin_plot(out, "times from Call to Reply");
    double step = (double)(WIDTH - 8 - LEFT) / (last - first + 1);
    for (unsigned i = first; i <= last; i++) {
        double height = (HEIGHT - 16) * (double)time->bar[i] / (double)most;
        if (time->bar[i] == 0)
            continue;
        fprintf(out, "<rect class=moved x=%.1f y=%.1f width=%.1f height=%.1f><title>",
                LEFT + step * (i - first), HEIGHT - height, step * 0.9, height);
        fprintf(out, "from %s: ", figure_text(UNIT_NANOSECONDS, (double)histogram_from(i), text));
        fprintf(out, "%" PRIu64 "</title></rect>\n", time->bar[i]);
    }
    snprintf(text, sizeof text, "%" PRIu64, most);
    put_label(out, LEFT - 6, 20, "end", text);
    put_label(out, LEFT, HEIGHT + 15, "start",
              figure_text(UNIT_NANOSECONDS, (double)histogram_from(first), text));
    put_label(out, WIDTH - 8, HEIGHT + 15, "end",
              figure_text(UNIT_NANOSECONDS, (double)time->most, text));
    fputs("</svg>\n", out);
}

static uint32_t highest(const struct timeline *timeline)
{
    uint32_t most = 1;
    for (unsigned i = 0; i < timeline->used; i++) {
        const struct timeline_step *step = &timeline->step[i];
        most = step->in_flight > most ? step->in_flight : most;
        most = step->granted > most ? step->granted : most;
    }
    return most;
}

void timeline_svg(FILE *out, const struct timeline *timeline, bool holds)
{
    double most = highest(timeline), step = (double)(WIDTH - 8 - LEFT) / (int)TIMELINE_STEPS;
    uint32_t granted = 0;
    char text[FIGURE_TEXT];
    begin_plot(out, "Calls in flight and credits granted");
    for (unsigned i = 0; i < timeline->used; i++) {
        const struct timeline_step *at = &timeline->step[i];
        double x = LEFT + step * i, height = (HEIGHT - 16) * at->in_flight / most;
        granted = at->granted > 0 || !holds ? at->granted : granted;
        double y = HEIGHT - (HEIGHT - 16) * granted / most;
        if (at->in_flight > 0)
            fprintf(out, "<rect class=moved x=%.1f y=%.1f width=%.1f height=%.1f />\n", x,
                    HEIGHT - height, step * 0.9, height);
        if (granted > 0)
            fprintf(out, "<path class=memory d=\"M%.1f %.1fh%.1f\"/>\n", x, y, step);
        if (at->marked)
            fprintf(out, "<rect class=twice x=%.1f y=1 width=%.1f height=6 />\n", x, step * 0.9);
    }
    snprintf(text, sizeof text, "%.0f", most);
    put_label(out, LEFT - 6, 20, "end", text);
    put_label(out, LEFT, HEIGHT + 15, "start", "0 s");
    put_label(out, WIDTH - 8, HEIGHT + 15, "end",
              figure_text(UNIT_NANOSECONDS, (double)timeline->width * (int)TIMELINE_STEPS, text));
    fputs("</svg>\n", out);
}

/* ---- tables ---- */

static void put_value(FILE *out, const struct figures_row *row, enum figure figure)
{
    char text[FIGURE_TEXT];
    uint64_t value;
    bool known = figure_value(row, figure, &value);
    if (known && figure_names[figure].unit == UNIT_NANOSECONDS)
        html_text(out, figure_text(UNIT_NANOSECONDS, (double)value, text));
    else if (known)
        fprintf(out, "%" PRIu64, value);
    else
        fputs("not known", out);
}

/* A table of what is not 0, and the histogram. */
static void put_row(FILE *out, const struct figures_row *row, bool of_procedure)
{
    uint64_t value;
    fputs("<div class=wide><table><tbody>\n", out);
    for (int i = 0; i < FIGURES; i++) {
        enum figure figure = (enum figure)i;
        if ((of_procedure && i >= FIGURES_OF_PROCEDURES && i < FIGURE_COUNTED) ||
            !figure_value(row, figure, &value) || value == 0)
            continue;
        fprintf(out, "<tr><td>%s</td><td class=count>", figure_names[i].text);
        put_value(out, row, figure);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    put_histogram(out, &row->time);
}

static void put_procedures(FILE *out, const struct figures *figures)
{
    static const enum figure columns[] = {FIGURE_CALLS,
                                          FIGURE_CALL_OCTETS,
                                          FIGURE_REPLY_OCTETS,
                                          FIGURE_RDMA_READ_OCTETS,
                                          FIGURE_RDMA_WRITE_OCTETS,
                                          FIGURE_REPLY_CHUNKS,
                                          FIGURE_REPLY_CHUNKS_USED,
                                          FIGURE_TIME_P50,
                                          FIGURE_TIME_P99};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    fputs("<h2>Procedures</h2>\n<div class=wide><table><thead><tr><th>procedure</th>", out);
    for (int i = 0; i < COLUMNS; i++)
        fprintf(out, "<th class=count>%s</th>", figure_names[columns[i]].text);
    fputs("</tr></thead><tbody>\n", out);
    unsigned number = 0;
    for (const struct figures_procedure *at = figures->procedures; at; at = at->next) {
        fprintf(out, "<tr><td class=text><a href=\"#procedure%u\">", number++);
        html_text(out, at->name);
        fputs("</a></td>", out);
        for (int i = 0; i < COLUMNS; i++) {
            fputs("<td class=count>", out);
            put_value(out, &at->row, columns[i]);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    number = 0;
    for (const struct figures_procedure *at = figures->procedures; at; at = at->next) {
        fprintf(out, "<h3 id=procedure%u>", number++);
        html_text(out, at->name);
        fputs("</h3>\n", out);
        put_row(out, &at->row, true);
    }
}

static void put_connections(FILE *out, const struct figures *figures)
{
    unsigned shown = 0;
    fputs("<h2>Connections</h2>\n<p class=dim>The bars are Calls of the client in flight, the line "
          "is what its server granted.</p>\n",
          out);
    for (const struct figures_connection *at = figures->connections; at && shown < PLOTS;
         at = at->next, shown++) {
        fputs("<h3>", out);
        html_text(out, at->name);
        fputs("</h3>\n", out);
        if (at->timeline.begun)
            timeline_svg(out, &at->timeline, true);
        put_row(out, &at->row, false);
    }
    if (figures->connection_count > shown)
        fprintf(out, "<p class=dim>%u more</p>\n", figures->connection_count - shown);
}

static void put_total(FILE *out, const struct figures *figures)
{
    struct timeline sum = {.begun = false};
    const struct figures_connection *at;
    for (at = figures->connections; at; at = at->next)
        timeline_span(&sum, &at->timeline);
    for (at = figures->connections; at; at = at->next)
        timeline_sum(&sum, &at->timeline);
    fputs("<h2>Total</h2>\n", out);
    if (sum.begun) {
        fputs(
            "<p class=dim>The bars are Calls of clients in flight, the line is what their servers "
            "granted: of each connection the most in that time, added up.</p>\n",
            out);
        timeline_svg(out, &sum, false);
    }
    put_row(out, &figures->total, false);
}

static void put_limits(FILE *out, const struct budget *budget)
{
    char text[LIMIT_TEXT];
    if (budget->limits == NULL)
        return;
    fputs("<h2>Limits</h2>\n<table><tbody>\n", out);
    for (const struct limit *limit = budget->limits; limit; limit = limit->next) {
        fprintf(out, "<tr><td class=\"grade %s\">%s</td><td>", limit->held ? "good" : "bad",
                limit->held ? "kept" : "broken");
        html_text(out, limit_text(limit, text));
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

void figures_html(FILE *out, const struct figures_view *view)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
            "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
            "<title>RPC-over-RDMA in figures</title>\n<style>\n%s</style></head><body>\n"
            "<h1>RPC-over-RDMA in figures</h1>\n<p class=dim>",
            html_style);
    for (int i = 0; i < view->file_count; i++) {
        fputs(i > 0 ? ", " : "", out);
        html_text(out, view->files[i]);
    }
    fputs("; made by rpcrdma " RPCRDMA_KIT_VERSION "</p>\n", out);
    if (view->incomplete)
        fprintf(out, "<p><b>Incomplete: %s.</b></p>\n", view->incomplete);
    if (missed_count(view->missed) > 0) {
        fputs("<p>Not counted: ", out);
        missed_print_total(out, view->missed);
        fputs(".</p>\n", out);
    }
    put_limits(out, view->budget);
    put_total(out, view->figures);
    put_procedures(out, view->figures);
    put_connections(out, view->figures);
    fputs("</body></html>\n", out);
}
