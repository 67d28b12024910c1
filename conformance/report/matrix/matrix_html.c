// SPDX-License-Identifier: BSD-3-Clause
/* The matrix as a page: implementations, sections and levels, and behind each cell its tests. */
#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/report/results/html.h"
#include "conformance/report/matrix/matrix.h"
#include "conformance/report/results/results_pieces.h"

#include <stdlib.h>
#include <string.h>

/* Results of one column, section and level. */
struct matrix_entry {
    const struct result *result;
    size_t column;
    int row; /* of its rule, or -1 */
};

struct matrix_page {
    FILE *out;
    const struct matrix *matrix;
    struct matrix_entry *entries; /* by section, level and column */
    size_t count;
    unsigned drawn;
};

static const char *word(const char *text)
{
    return text ? text : "";
}

/* ---- order ---- */

/* "rfc8166/3.4.5", as the register has it; what has no rule comes last, and is one section. */
static bool same_section(int a, int b)
{
    if (a < 0 || b < 0)
        return a < 0 && b < 0;
    const char *left = rpcrdma_requirements[a].id, *right = rpcrdma_requirements[b].id;
    size_t length = result_section_length(left);
    return length == result_section_length(right) && strncmp(left, right, length) == 0;
}

static int compare_entries(const void *a, const void *b)
{
    const struct matrix_entry *left = a, *right = b;
    if (!same_section(left->row, right->row)) /* sections stand together in the register */
        return (unsigned)left->row < (unsigned)right->row ? -1 : 1;
    if (left->result->level != right->result->level)
        return left->result->level < right->result->level ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    int order = strcmp(left->result->test, right->result->test);
    return order != 0 ? order : (left->result > right->result) - (left->result < right->result);
}

static void collect(struct matrix_page *page)
{
    size_t room = 0;
    for (size_t i = 0; i < page->matrix->count; i++)
        room += page->matrix->columns[i].latest->count;
    page->entries = alloc_zeroed(room, sizeof *page->entries);
    for (size_t i = 0; i < page->matrix->count; i++) {
        const struct results *run = page->matrix->columns[i].latest;
        for (size_t j = 0; j < run->count; j++)
            if (matrix_counts(&run->list[j]))
                page->entries[page->count++] = (struct matrix_entry){
                    &run->list[j], i, run->list[j].rule ? register_find(run->list[j].rule) : -1};
    }
    qsort(page->entries, page->count, sizeof *page->entries, compare_entries);
}

static size_t end_of_section(const struct matrix_page *page, size_t from)
{
    size_t to = from + 1;
    while (to < page->count && same_section(page->entries[to].row, page->entries[from].row))
        to++;
    return to;
}

static size_t end_of_level(const struct matrix_page *page, size_t from, size_t end)
{
    size_t to = from + 1;
    while (to < end && page->entries[to].result->level == page->entries[from].result->level)
        to++;
    return to;
}

static size_t end_of_column(const struct matrix_page *page, size_t from, size_t end)
{
    size_t to = from + 1;
    while (to < end && page->entries[to].column == page->entries[from].column)
        to++;
    return to;
}

/* ---- pieces ---- */

static void put_section(FILE *out, int row)
{
    if (row < 0)
        fputs("No rule", out);
    else
        result_put_section(out, rpcrdma_requirements[row].id);
}

/* "c2-rfc8166:3.4.5-must" */
static void put_id(FILE *out, const struct matrix_entry *entry)
{
    const char *id = entry->row < 0 ? "none" : rpcrdma_requirements[entry->row].id;
    size_t length = entry->row < 0 ? strlen(id) : result_section_length(id);
    fprintf(out, "c%zu-", entry->column);
    for (size_t i = 0; i < length; i++)
        putc(id[i] == '/' ? ':' : id[i], out);
    fprintf(out, "-%s", level_names[entry->result->level]);
}

static void put_count(FILE *out, const struct matrix_count *sum)
{
    if (sum->asked == 0)
        fputs("<span class=none>&ndash;</span>", out);
    else
        fprintf(out, "<span class=\"grade %s\">%s %zu/%zu</span>", grade_names[sum->gravest],
                sum->good == sum->asked ? "&#10003;" : "&#10007;", sum->good, sum->asked);
}

static void put_peer(FILE *out, const struct results *run)
{
    html_text(out, word(run->about.peer));
    fputs(", ", out);
    html_text(out, word(run->about.side));
}

/* `of`: its column, where the row is shown without a head. */
static void begin_cell(FILE *out, const char *of)
{
    fputs("<td class=cell data-of=\"", out);
    html_text(out, of);
    fputs("\">", out);
}

/* ---- the implementations ---- */

static void put_change(FILE *out, const struct matrix_change *change)
{
    fprintf(out, "<br><span class=\"grade %s\">%s</span> <code>",
            matrix_is_better(change) ? "good" : "bad",
            matrix_is_better(change) ? "better" : "worse");
    result_put_name(out, change->now);
    fprintf(out, "</code>: %s, before %s\n", ending_titles[change->now->ending],
            ending_titles[change->before->ending]);
}

static void put_changes(FILE *out, const struct matrix_column *column)
{
    struct matrix_change *changes;
    size_t count = matrix_changes(column, &changes);
    if (column->before == NULL) {
        fputs("the first", out);
    } else {
        fputs("since ", out);
        html_text(out, word(column->before->about.date));
        fprintf(out, ": %s\n", count == 0 ? "no test ended otherwise" : "");
    }
    for (size_t i = 0; i < count; i++)
        put_change(out, &changes[i]);
    free(changes);
}

static void put_implementation(const struct matrix_page *page, size_t index)
{
    FILE *out = page->out;
    const struct results *run = page->matrix->columns[index].latest;
    const struct results_about *about = &run->about;
    const char *kit = page->matrix->kit;
    fprintf(out, "<tr id=peer%zu><th class=peer>", index);
    put_peer(out, run);
    fputs("<br>", out);
    matrix_badge(out, run);
    fputs("</th><td class=text data-of=release>", out);
    html_name(out, word(about->release));
    fputs("</td><td class=text data-of=transport>", out);
    html_text(out, word(about->transport));
    fputs("</td><td class=text data-of=date>", out);
    html_text(out, word(about->date));
    fprintf(out, "</td><td class=text data-of=kit title=\"%s\">", word(about->kit));
    html_text(out, word(about->version));
    fprintf(out, "%s</td>",
            kit && about->kit && strcmp(kit, about->kit) != 0 ? ", which asked otherwise" : "");
    for (int level = 0; level < RESULT_LEVELS; level++) {
        struct matrix_count sum = matrix_sum(run, (enum result_level)level);
        begin_cell(out, level_names[level]);
        put_count(out, &sum);
        fputs("</td>", out);
    }
    fputs("<td class=text data-of=changes>", out);
    put_changes(out, &page->matrix->columns[index]);
    fputs("</td></tr>\n", out);
}

static void put_implementations(const struct matrix_page *page)
{
    FILE *out = page->out;
    fputs("<h2>Implementations</h2>\n<div class=wide><table class=cards><thead><tr><th>peer</th>"
          "<th>release</th><th>transport</th><th>date</th><th>kit</th>",
          out);
    for (int level = 0; level < RESULT_LEVELS; level++)
        fprintf(out, "<th>%s</th>", level_names[level]);
    fputs("<th>changes</th></tr></thead><tbody>\n", out);
    for (size_t i = 0; i < page->matrix->count; i++)
        put_implementation(page, i);
    fputs("</tbody></table></div>\n", out);
}

/* ---- sections and levels ---- */

static void put_cell(const struct matrix_page *page, size_t from, size_t to)
{
    struct matrix_count sum = {.gravest = GRADE_GOOD};
    for (size_t i = from; i < to; i++) {
        const struct result *result = page->entries[i].result;
        enum grade grade = grade_of(result->ending, result->level);
        sum.asked++;
        sum.good += !ending_is_failure(result->ending);
        sum.gravest = grade > sum.gravest ? grade : sum.gravest;
    }
    fputs("<a href=\"#", page->out);
    put_id(page->out, &page->entries[from]);
    fputs("\">", page->out);
    put_count(page->out, &sum);
    fputs("</a>", page->out);
}

static void put_level(const struct matrix_page *page, size_t from, size_t to)
{
    fprintf(page->out, "<td>%s</td>", level_names[page->entries[from].result->level]);
    for (size_t column = 0, at = from; column < page->matrix->count; column++) {
        bool has = at < to && page->entries[at].column == column;
        size_t end = has ? end_of_column(page, at, to) : at;
        if (has) {
            fputs("<td class=cell data-of=\"", page->out);
            put_peer(page->out, page->matrix->columns[column].latest);
            fputs("\">", page->out);
            put_cell(page, at, end);
        } else {
            fputs("<td class=\"cell none\">&ndash;", page->out);
        }
        fputs("</td>", page->out);
        at = end;
    }
    fputs("</tr>\n", page->out);
}

static void put_sections(const struct matrix_page *page)
{
    FILE *out = page->out;
    fputs(
        "<h2>Sections</h2>\n<p class=dim>Tests that ended well, of those that could be judged. The "
        "colour is that of the gravest; &ndash;: none was asked. Each number leads to its "
        "tests.</p>\n<div class=wide><table class=cards><thead><tr><th>section</th><th>level</th>",
        out);
    for (size_t i = 0; i < page->matrix->count; i++) {
        fprintf(out, "<th class=peer><a href=\"#peer%zu\">", i);
        put_peer(out, page->matrix->columns[i].latest);
        fputs("</a></th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
    for (size_t from = 0, to; from < page->count; from = to) {
        to = end_of_section(page, from);
        for (size_t at = from, end; at < to; at = end) {
            end = end_of_level(page, at, to);
            fputs(at == from ? "<tr><td class=part>" : "<tr><td class=\"part again\">", out);
            put_section(out, page->entries[at].row);
            fputs("</td>", out);
            put_level(page, at, end);
        }
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- the tests of a cell ---- */

static void put_failure(struct matrix_page *page, const struct matrix_entry *entry)
{
    FILE *out = page->out;
    const struct result *result = entry->result;
    const struct results *run = page->matrix->columns[entry->column].latest;
    fputs("<details><summary><code>", out);
    result_put_name(out, result);
    fputs("</code> &middot; ", out);
    result_put_ending(out, result);
    if (result->rule) {
        fputs(" <span class=dim>", out);
        html_text(out, result->rule);
        fputs("</span>", out);
    }
    fputs("</summary>\n", out);
    result_put_sends(out, result);
    fputs("<p>Expected: ", out);
    html_text(out, result->expected);
    fputs("<br>\nActual: ", out);
    html_text(out, result->actual);
    fputs("</p>\n", out);
    if (run->draw && page->drawn < RESULT_LADDERS) {
        run->draw(out, result, run->draw_arg);
        page->drawn++;
    }
    fputs("</details>\n", out);
}

static void put_tests(struct matrix_page *page, size_t from, size_t to)
{
    FILE *out = page->out;
    const struct matrix_entry *first = &page->entries[from];
    size_t good = 0;
    fputs("<h3 id=\"", out);
    put_id(out, first);
    fputs("\">", out);
    put_section(out, first->row);
    fprintf(out, ", %s: ", level_names[first->result->level]);
    put_peer(out, page->matrix->columns[first->column].latest);
    fputs("</h3>\n", out);
    for (size_t i = from; i < to; i++)
        if (ending_is_failure(page->entries[i].result->ending))
            put_failure(page, &page->entries[i]);
        else
            good++;
    if (good == 0)
        return;
    fprintf(out, "<p>%zu ended well:", good);
    for (size_t i = from; i < to; i++)
        if (!ending_is_failure(page->entries[i].result->ending)) {
            fputs(" <code>", out);
            result_put_name(out, page->entries[i].result);
            fputs("</code>", out);
        }
    fputs("</p>\n", out);
}

static void put_all_tests(struct matrix_page *page)
{
    fputs("<h2>Tests</h2>\n", page->out);
    for (size_t from = 0, to; from < page->count; from = to) {
        to = end_of_column(page, from, end_of_level(page, from, end_of_section(page, from)));
        put_tests(page, from, to);
    }
}

void matrix_html(FILE *out, const struct matrix *matrix)
{
    struct matrix_page page = {.out = out, .matrix = matrix};
    collect(&page);
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
            "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
            "<title>Who conforms to RPC-over-RDMA</title>\n<style>\n%s</style></head><body>\n"
            "<h1>Who conforms to RPC-over-RDMA</h1>\n<p class=dim>%zu implementations; made by "
            "rpcrdma " RPCRDMA_KIT_VERSION ". Hazardous tests are left out, and so is what a peer "
            "did not survive.</p>\n",
            html_style, matrix->count);
    put_implementations(&page);
    put_sections(&page);
    put_all_tests(&page);
    fprintf(out, "<script>\n%s</script>\n</body></html>\n", html_script);
    free(page.entries);
}
