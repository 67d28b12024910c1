// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/figures/figures.h"

#include "conformance/describe/json.h"
#include "conformance/base/text.h"

#include <string.h>

struct difference {
    const char *where;
    enum figure figure;
    bool per_call, has[2];
    double value[2];
};

struct comparison {
    void (*tell)(void *arg, const struct difference *difference);
    void *arg;
};

static bool is_per_call(enum figure figure)
{
    return figure > FIGURE_CALLS && figure < FIGURE_COUNTED &&
           figure_names[figure].how == FIGURE_ADDS;
}

/* NULL: the procedure does not occur. */
static bool value_of(const struct figures_row *row, enum figure figure, double *value)
{
    uint64_t number;
    if (row == NULL || !figure_value(row, figure, &number))
        return false;
    uint64_t calls = row->count[FIGURE_CALLS];
    *value = !is_per_call(figure) ? (double)number
             : calls == 0         ? 0
                                  : (double)number / (double)calls;
    return true;
}

/* In thousandths, for figures are printed so; percentiles are the ends of bars, and a mean or a
 * longest time is as precise as they are. */
static bool is_same(const struct difference *difference)
{
    double a = difference->value[0], b = difference->value[1], larger = a > b ? a : b;
    double distance = a > b ? a - b : b - a;
    if (difference->has[0] != difference->has[1])
        return false;
    return figure_names[difference->figure].unit == UNIT_NANOSECONDS
               ? distance * (int)HISTOGRAM_PARTS <= larger
               : distance * 1000 <= larger;
}

static void compare_rows(const struct comparison *comparison, const char *where,
                         const struct figures_row *first, const struct figures_row *second,
                         bool of_procedure)
{
    for (int i = 0; i < FIGURES; i++) {
        struct difference difference = {.where = where, .figure = (enum figure)i};
        if (of_procedure && i >= FIGURES_OF_PROCEDURES && i < FIGURE_COUNTED)
            continue;
        difference.per_call = is_per_call(difference.figure);
        difference.has[0] = value_of(first, difference.figure, &difference.value[0]);
        difference.has[1] = value_of(second, difference.figure, &difference.value[1]);
        if (!is_same(&difference))
            comparison->tell(comparison->arg, &difference);
    }
}

static const struct figures_row *find(const struct figures *figures, const char *name)
{
    const struct figures_procedure *at = figures->procedures;
    while (at && strcmp(at->name, name) != 0)
        at = at->next;
    return at ? &at->row : NULL;
}

static void compare(const struct comparison *comparison, const struct figures *first,
                    const struct figures *second)
{
    compare_rows(comparison, "total", &first->total, &second->total, false);
    for (const struct figures_procedure *at = first->procedures; at; at = at->next)
        compare_rows(comparison, at->name, &at->row, find(second, at->name), true);
    for (const struct figures_procedure *at = second->procedures; at; at = at->next)
        if (find(first, at->name) == NULL)
            compare_rows(comparison, at->name, NULL, &at->row, true);
}

/* ---- as text ---- */

struct difference_page {
    FILE *out;
    const struct style *style;
    const char *where; /* of the line before */
};

static void tell_line(void *arg, const struct difference *difference)
{
    struct difference_page *page = arg;
    char value[2][FIGURE_TEXT] = {"-", "-"}, what[64];
    const struct figure_name *figure = &figure_names[difference->figure];
    if (page->where == NULL || strcmp(page->where, difference->where) != 0) {
        fprintf(page->out, "%s%s", page->where ? "\n" : "", page->style->bold);
        text_put(page->out, difference->where);
        fprintf(page->out, "%s\n", page->style->plain);
    }
    page->where = difference->where;
    for (int i = 0; i < 2; i++)
        if (difference->has[i])
            figure_text(figure->unit, difference->value[i], value[i]);
    snprintf(what, sizeof what, "%s%s", figure->text, difference->per_call ? ", a Call" : "");
    fprintf(page->out, "    %-44s %9s %9s", what, value[0], value[1]);
    if (difference->has[0] && difference->has[1] && difference->value[0] > 0)
        fprintf(page->out, "  x %.2f", difference->value[1] / difference->value[0]);
    putc('\n', page->out);
}

void figures_compare_print(FILE *out, const struct style *style, const struct figures *first,
                           const struct figures *second)
{
    struct difference_page page = {.out = out, .style = style};
    compare(&(struct comparison){tell_line, &page}, first, second);
    if (page.where == NULL)
        fputs("no figure differs\n", out);
}

/* ---- as JSON ---- */

static void tell_object(void *arg, const struct difference *difference)
{
    static const char *const keys[] = {"first", "second"};
    struct json *json = arg;
    json_open(json, NULL, '{');
    json_text(json, "kind", "difference");
    json_text(json, "where", difference->where);
    json_text(json, "figure", figure_names[difference->figure].key);
    json_truth(json, "perCall", difference->per_call);
    for (int i = 0; i < 2; i++)
        if (difference->has[i])
            json_decimal(json, keys[i], difference->value[i]);
        else
            json_none(json, keys[i]);
    json_close(json, '}');
    json_line(json);
}

void figures_compare_json(FILE *out, const struct figures *first, const struct figures *second)
{
    struct json json = {.out = out};
    compare(&(struct comparison){tell_object, &json}, first, second);
}
