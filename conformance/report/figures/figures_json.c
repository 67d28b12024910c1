// SPDX-License-Identifier: BSD-3-Clause
/* `stat --json`: an object for each procedure, connection and limit, and one of the total at the
 * end. The keys are a contract. */
#include "conformance/describe/json.h"
#include "conformance/report/figures/budget.h"
#include "conformance/report/figures/figures.h"
#include "conformance/report/findings/missed.h"

static void put_figure(struct json *json, const struct figures_row *row, enum figure figure)
{
    uint64_t value;
    if (figure_value(row, figure, &value))
        json_unsigned(json, figure_names[figure].key, value);
    else
        json_none(json, figure_names[figure].key);
}

/* [from, below, count] of each bar that is not empty. */
static void put_histogram(struct json *json, const struct histogram *time)
{
    json_open(json, "histogram", '[');
    for (unsigned i = 0; i < HISTOGRAM_BARS; i++) {
        if (time->bar[i] == 0)
            continue;
        json_open(json, NULL, '[');
        json_unsigned(json, NULL, histogram_from(i));
        json_unsigned(json, NULL, histogram_from(i + 1));
        json_unsigned(json, NULL, time->bar[i]);
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void put_row(struct json *json, const struct figures_row *row, bool of_procedure)
{
    json_open(json, "figures", '{');
    for (int i = 0; i < FIGURES; i++)
        if (!of_procedure || i < FIGURES_OF_PROCEDURES || i >= FIGURE_COUNTED)
            put_figure(json, row, (enum figure)i);
    json_close(json, '}');
    put_histogram(json, &row->time);
}

/* In flight and granted, a pair for each step; null where nothing was sent. */
static void put_timeline(struct json *json, const struct timeline *timeline)
{
    if (!timeline->begun) {
        json_none(json, "timeline");
        return;
    }
    json_open(json, "timeline", '{');
    json_signed(json, "start", timeline->start);
    json_signed(json, "step", timeline->width);
    json_open(json, "inFlight", '[');
    for (unsigned i = 0; i < timeline->used; i++)
        if (timeline->step[i].seen)
            json_unsigned(json, NULL, timeline->step[i].in_flight);
        else
            json_none(json, NULL);
    json_close(json, ']');
    json_open(json, "granted", '[');
    for (unsigned i = 0; i < timeline->used; i++)
        if (timeline->step[i].seen && timeline->step[i].granted > 0)
            json_unsigned(json, NULL, timeline->step[i].granted);
        else
            json_none(json, NULL);
    json_close(json, ']');
    json_close(json, '}');
}

static void put_limit(struct json *json, const struct limit *limit)
{
    json_open(json, NULL, '{');
    json_text(json, "kind", "limit");
    json_unsigned(json, "line", limit->line);
    json_text(json, "text", limit->text);
    if (limit->is_known)
        json_decimal(json, "value", limit->value);
    else
        json_none(json, "value");
    json_text(json, "connection", limit->culprit);
    json_truth(json, "kept", limit->held);
    json_close(json, '}');
    json_line(json);
}

static void put_total(struct json *json, const struct figures_view *view)
{
    const struct figures *figures = view->figures;
    json_open(json, NULL, '{');
    json_text(json, "kind", "total");
    json_open(json, "files", '[');
    for (int i = 0; i < view->file_count; i++)
        json_text(json, NULL, view->files[i]);
    json_close(json, ']');
    json_unsigned(json, "connections", figures->connection_count);
    json_unsigned(json, "events", figures->events);
    json_signed(json, "nanoseconds", figures->last - figures->first);
    put_row(json, &figures->total, false);
    missed_json(json, view->missed);
    json_text(json, "incomplete", view->incomplete);
    json_close(json, '}');
    json_line(json);
}

void figures_json(FILE *out, const struct figures_view *view)
{
    struct json json = {.out = out};
    for (const struct figures_procedure *at = view->figures->procedures; at; at = at->next) {
        json_open(&json, NULL, '{');
        json_text(&json, "kind", "procedure");
        json_text(&json, "name", at->name);
        put_row(&json, &at->row, true);
        json_close(&json, '}');
        json_line(&json);
    }
    for (const struct figures_connection *at = view->figures->connections; at; at = at->next) {
        json_open(&json, NULL, '{');
        json_text(&json, "kind", "connection");
        json_text(&json, "file", at->file);
        json_text(&json, "name", at->name);
        put_row(&json, &at->row, false);
        put_timeline(&json, &at->timeline);
        json_close(&json, '}');
        json_line(&json);
    }
    for (const struct limit *limit = view->budget->limits; limit; limit = limit->next)
        put_limit(&json, limit);
    put_total(&json, view);
}
