// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/figures/budget.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/nearest.h"
#include "conformance/base/status.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

enum { LINE_OCTETS = 4096 };

struct budget_line {
    const char *file;
    unsigned number;
};

static bool bad_line(const struct budget_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool bad_line(const struct budget_line *line, const char *format, ...)
{
    char text[400];
    va_list args;
    int length = snprintf(text, sizeof text, "line %u: ", line->number);
    va_start(args, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, args);
    va_end(args);
    file_error(line->file, text);
    return false;
}

/* Without blanks at both ends. */
static char *trim(char *text)
{
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static bool read_figure(const struct budget_line *line, struct limit *limit, char *text)
{
    static const char per_call[] = " per call";
    size_t length = strlen(text), tail = strlen(per_call);
    limit->per_call = length > tail && strcmp(text + length - tail, per_call) == 0;
    if (limit->per_call)
        text[length - tail] = '\0';
    text = trim(text);
    limit->figure = figure_find(text, strlen(text));
    if (limit->figure == FIGURES) {
        struct nearest nearest = nearest_begin(text);
        char meant[NEAREST_TEXT];
        for (int i = 0; i < FIGURES; i++)
            nearest_try(&nearest, figure_names[i].key);
        return bad_line(line, "there is no figure '%.80s'%s", text,
                        nearest_text(nearest.word, meant));
    }
    if (limit->per_call &&
        (limit->figure >= FIGURE_COUNTED || figure_names[limit->figure].how != FIGURE_ADDS))
        return bad_line(line, "'%s' cannot be counted per call", text);
    return true;
}

/* "2 ms", "64k", "12" */
static bool read_bound(const struct budget_line *line, struct limit *limit, const char *text)
{
    static const struct {
        const char *word;
        double factor;
        bool is_time;
    } units[] = {{"", 1, false},  {"k", 1e3, false}, {"M", 1e6, false}, {"G", 1e9, false},
                 {"ns", 1, true}, {"us", 1e3, true}, {"ms", 1e6, true}, {"s", 1e9, true}};
    char *end;
    bool is_time = figure_names[limit->figure].unit == UNIT_NANOSECONDS;
    errno = 0;
    limit->bound = strtod(text, &end);
    bool good = *text >= '0' && *text <= '9' && errno == 0 && isfinite(limit->bound);
    while (good && *end == ' ')
        end++;
    for (size_t i = 0; good && i < COUNT(units); i++)
        if (units[i].is_time == is_time && strcmp(units[i].word, end) == 0) {
            limit->bound *= units[i].factor;
            return true;
        }
    return bad_line(line, "'%.40s' is not %s", text,
                    is_time ? "a time such as 500 us, 2 ms or 1.5 s"
                            : "a number such as 12 or 64k");
}

/* The text ends before `mark`, and what follows it is returned; or NULL. */
static char *split_at(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    if (at == NULL)
        return NULL;
    *at = '\0';
    return at + strlen(mark);
}

static bool read_limit(const struct budget_line *line, struct limit *limit, char *text)
{
    char *figure = split_at(text, ": ");
    char *most = figure ? split_at(figure, "<=") : NULL;
    char *least = figure && most == NULL ? split_at(figure, ">=") : NULL;
    if (most == NULL && least == NULL)
        return bad_line(line, "has to be 'PROCEDURE: FIGURE <= NUMBER', or with >=");
    limit->at_least = least != NULL;
    limit->where = alloc_text(trim(text));
    if (!read_figure(line, limit, trim(figure)) ||
        !read_bound(line, limit, trim(least ? least : most)))
        return false;
    if (limit->figure >= FIGURES_OF_PROCEDURES && limit->figure < FIGURE_COUNTED &&
        strcmp(limit->where, "total") != 0 && strcmp(limit->where, "connection") != 0)
        return bad_line(line, "'%s' is a figure of 'total' and 'connection', not of a procedure",
                        figure_names[limit->figure].key);
    return true;
}

static bool read_line(struct budget *budget, const struct budget_line *line, char *text)
{
    split_at(text, "#");
    text = trim(text);
    if (*text == '\0')
        return true;
    struct limit *limit = alloc_zeroed(1, sizeof *limit);
    if (budget->limits_end == NULL)
        budget->limits_end = &budget->limits;
    *budget->limits_end = limit;
    budget->limits_end = &limit->next;
    limit->line = line->number;
    limit->text = alloc_text(text);
    return read_limit(line, limit, text);
}

bool budget_read(struct budget *budget, const char *file)
{
    char text[LINE_OCTETS];
    struct budget_line line = {.file = file};
    FILE *in = fopen(file, "r");
    if (in == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    bool good = true;
    while (good && fgets(text, sizeof text, in)) {
        line.number++;
        good = strchr(text, '\n') || feof(in) ? read_line(budget, &line, text)
                                              : bad_line(&line, "is too long");
    }
    if (good && ferror(in)) {
        file_error(file, strerror(errno));
        good = false;
    }
    fclose(in);
    if (good && budget->limits == NULL) {
        file_error(file, "there is no limit in it");
        good = false;
    }
    return good;
}

/* ---- judging ---- */

static bool value_of(const struct limit *limit, const struct figures_row *row, double *value)
{
    uint64_t number, calls = row->count[FIGURE_CALLS];
    if (!figure_value(row, limit->figure, &number) || (limit->per_call && calls == 0))
        return false;
    *value = limit->per_call ? (double)number / (double)calls : (double)number;
    return true;
}

/* The worst value of all rows that the limit is for counts. */
static void judge_row(struct limit *limit, const struct figures_row *row, const char *culprit)
{
    double value;
    if (!value_of(limit, row, &value))
        return;
    bool held = limit->at_least ? value >= limit->bound : value <= limit->bound;
    bool worse = limit->at_least ? value < limit->value : value > limit->value;
    limit->held = limit->held && held;
    if (!limit->is_known || worse) {
        limit->value = value;
        limit->culprit = culprit;
    }
    limit->is_known = true;
}

static void judge(struct limit *limit, const struct figures *figures)
{
    limit->held = true;
    if (strcmp(limit->where, "total") == 0) {
        judge_row(limit, &figures->total, NULL);
    } else if (strcmp(limit->where, "connection") == 0) {
        for (const struct figures_connection *at = figures->connections; at; at = at->next)
            judge_row(limit, &at->row, at->name);
    } else {
        for (const struct figures_procedure *at = figures->procedures; at; at = at->next)
            if (strcmp(at->name, limit->where) == 0)
                judge_row(limit, &at->row, NULL);
    }
    limit->held = limit->held && limit->is_known;
}

unsigned budget_judge(struct budget *budget, const struct figures *figures)
{
    unsigned broken = 0;
    for (struct limit *limit = budget->limits; limit; limit = limit->next) {
        judge(limit, figures);
        broken += !limit->held;
    }
    return broken;
}

const char *limit_text(const struct limit *limit, char text[LIMIT_TEXT])
{
    char value[FIGURE_TEXT];
    enum figure_unit unit = figure_names[limit->figure].unit;
    if (!limit->is_known)
        snprintf(text, LIMIT_TEXT, "%s: not known", limit->text);
    else
        snprintf(text, LIMIT_TEXT, "%s: %s%s%s", limit->text,
                 figure_text(unit, limit->value, value), limit->culprit ? " of " : "",
                 limit->culprit ? limit->culprit : "");
    return text;
}

void budget_free(struct budget *budget)
{
    for (struct limit *limit = budget->limits, *next; limit; limit = next) {
        next = limit->next;
        free(limit->text);
        free(limit->where);
        free(limit);
    }
    *budget = (struct budget){.limits = NULL};
}
