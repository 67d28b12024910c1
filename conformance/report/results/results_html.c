// SPDX-License-Identifier: BSD-3-Clause
/*
 * Results of one or several peers as a page of HTML: sums on the two axes, a matrix of rules and
 * peers, and every vector with its octets. The page loads nothing and needs no script to be read.
 */
#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/status.h"
#include "conformance/report/results/html.h"
#include "conformance/base/register.h"
#include "conformance/report/results/results.h"
#include "conformance/report/results/results_groups.h"
#include "conformance/report/results/results_pieces.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One vector, as all runs saw it. */
struct contents_entry {
    const struct result *first;
    const struct result **by_run; /* NULL where a run did not have it */
    int row;                      /* of its rule, or -1 */
};

struct page {
    FILE *out;
    const struct results *runs;
    size_t run_count;
    struct contents_entry *entries;
    size_t count;
    const struct result **slots; /* the memory of all by_run */
    unsigned drawn;
};

/* ---- vectors of all runs side by side ---- */

/* A live test has a result of its own, the last by its name, and one for each rule that was broken
 * in it. */
struct seen {
    const struct result *result;
    size_t run;
    const char *finding; /* the rule, or "" */
};

static int compare_vectors(const struct result *a, const struct result *b)
{
    int order = strcmp(a->test, b->test);
    return order != 0 ? order : (a->event > b->event) - (a->event < b->event);
}

static int compare_seen(const void *a, const void *b)
{
    const struct seen *left = a, *right = b;
    int order = compare_vectors(left->result, right->result);
    order = order != 0 ? order : strcmp(left->finding, right->finding);
    order = order != 0 ? order : (left->run > right->run) - (left->run < right->run);
    return order != 0 ? order : (left->result > right->result) - (left->result < right->result);
}

/* They come in the order of their runs. */
static void find_findings(struct seen *seen, size_t count)
{
    qsort(seen, count, sizeof *seen, compare_seen);
    for (size_t i = 0; i + 1 < count; i++)
        if (seen[i].run == seen[i + 1].run && seen[i].result->rule &&
            compare_vectors(seen[i].result, seen[i + 1].result) == 0)
            seen[i].finding = seen[i].result->rule;
    qsort(seen, count, sizeof *seen, compare_seen);
}

static bool is_another(const struct seen *seen, const struct seen *before)
{
    return compare_vectors(seen->result, before->result) != 0 ||
           strcmp(seen->finding, before->finding) != 0;
}

/* As the register has the rules; results without a rule come last. */
static int compare_entries(const void *a, const void *b)
{
    const struct contents_entry *left = a, *right = b;
    unsigned left_row = (unsigned)left->row, right_row = (unsigned)right->row; /* -1: the last */
    if (left_row != right_row)
        return left_row < right_row ? -1 : 1;
    return compare_vectors(left->first, right->first);
}

static void collect(struct page *page)
{
    size_t all = 0, used = 0;
    for (size_t run = 0; run < page->run_count; run++)
        all += page->runs[run].count;
    struct seen *seen = alloc_zeroed(all, sizeof *seen);
    for (size_t run = 0; run < page->run_count; run++)
        for (size_t i = 0; i < page->runs[run].count; i++)
            seen[used++] = (struct seen){&page->runs[run].list[i], run, ""};
    find_findings(seen, all);
    page->entries = alloc_zeroed(all, sizeof *page->entries);
    page->slots = alloc_zeroed(all, page->run_count * sizeof *page->slots);
    for (size_t i = 0; i < all; i++) {
        const struct result *result = seen[i].result;
        if (i == 0 || is_another(&seen[i], &seen[i - 1])) {
            struct contents_entry *entry = &page->entries[page->count];
            entry->first = result;
            entry->row = result->rule ? register_find(result->rule) : -1;
            entry->by_run = page->slots + page->count++ * page->run_count;
        }
        page->entries[page->count - 1].by_run[seen[i].run] = result;
    }
    free(seen);
    qsort(page->entries, page->count, sizeof *page->entries, compare_entries);
}

/* ---- pieces ---- */

static void put_id(FILE *out, int row)
{
    if (row < 0) {
        fputs("no-rule", out);
        return;
    }
    for (const char *p = rpcrdma_requirements[row].id; *p != '\0'; p++)
        putc(*p == '/' ? ':' : *p, out);
}

static void put_heads(const struct page *page, const char *class)
{
    for (size_t run = 0; run < page->run_count; run++) {
        fprintf(page->out, "<th class=%s>", class);
        html_text(page->out, page->runs[run].subject);
        fputs("</th>", page->out);
    }
}

/* ---- sums ---- */

static void put_sum_row(const struct page *page, const struct results *run, int ending)
{
    FILE *out = page->out;
    size_t all = 0;
    for (int level = 0; level < RESULT_LEVELS; level++)
        all += results_count(run, (enum ending)ending, (enum result_level)level);
    if (all == 0)
        return;
    fprintf(out, "<tr><th>%s</th>", ending_titles[ending]);
    for (int level = 0; level < RESULT_LEVELS; level++) {
        size_t count = results_count(run, (enum ending)ending, (enum result_level)level);
        enum grade grade = grade_of((enum ending)ending, (enum result_level)level);
        if (count > 0)
            fprintf(out, "<td class=count><span class=\"grade %s\">%zu</span></td>",
                    grade_names[grade], count);
        else
            fputs("<td class=\"count dim\">0</td>", out);
    }
    fprintf(out, "<td class=count>%zu</td></tr>\n", all);
}

/* Of a peer that was asked to take Sends. */
static void put_legal_row(const struct page *page, const struct results *run)
{
    size_t refused, misread, legal = results_legal(run, &refused, &misread);
    if (legal == 0)
        return;
    fprintf(page->out,
            "<tr><th>legal Sends refused</th><td class=count colspan=%d>"
            "<span class=\"grade %s\">%zu of %zu</span>",
            RESULT_LEVELS + 1, grade_names[refused > 0 ? GRADE_BAD : GRADE_GOOD], refused, legal);
    if (misread > 0)
        fprintf(page->out, ", <span class=\"grade %s\">misread: %zu</span>", grade_names[GRADE_BAD],
                misread);
    fputs("</td></tr>\n", page->out);
}

static void put_sums(const struct page *page)
{
    FILE *out = page->out;
    fputs("<h2>Sums</h2>\n<div class=sums>\n", out);
    for (size_t i = 0; i < page->run_count; i++) {
        const struct results *run = &page->runs[i];
        size_t failed = results_failed(run), known = results_known(run);
        fputs("<div><h3>", out);
        html_text(out, run->subject);
        fprintf(out, "</h3>\n<p>%zu tests, <span class=\"grade %s\">%zu failed</span>", run->count,
                grade_names[failed > 0 ? GRADE_BAD : GRADE_GOOD], failed);
        if (known > 0)
            fprintf(out, ", %zu expected failures", known);
        fputs("</p>\n", out);
        if (run->wire) {
            fputs("<p>wire: <code>", out);
            html_text(out, run->wire);
            fputs("</code></p>\n", out);
        }
        fputs("<div class=wide><table><thead><tr><th>ending</th>", out);
        for (int level = 0; level < RESULT_LEVELS; level++)
            fprintf(out, "<th class=count>%s</th>", level_names[level]);
        fputs("<th class=count>all</th></tr></thead><tbody>\n", out);
        for (int ending = 0; ending < ENDINGS; ending++)
            put_sum_row(page, run, ending);
        put_legal_row(page, run);
        fputs("</tbody></table></div></div>\n", out);
    }
    fputs("</div>\n", out);
}

/* ---- what failed alike ---- */

static void put_groups(const struct page *page, const struct results *run)
{
    FILE *out = page->out;
    struct result_groups groups;
    result_groups_make(&groups, run);
    if (groups.count > 0) {
        fputs("<h3>", out);
        html_text(out, run->subject);
        fputs("</h3>\n<div class=wide><table><thead><tr><th class=count>how often</th>"
              "<th>expected</th><th>got</th><th>cause</th><th>first</th></tr></thead><tbody>\n",
              out);
    }
    for (size_t i = 0; i < groups.count; i++) {
        const struct result_group *group = &groups.list[i];
        const char *const cells[] = {group->wanted, group->got};
        fprintf(out, "<tr><td class=count>%zu</td>", group->count);
        for (size_t j = 0; j < COUNT(cells); j++) {
            fputs("<td class=text>", out);
            html_text(out, cells[j]);
            fputs("</td>", out);
        }
        fputs("<td>", out);
        html_name(out, group->cause);
        fputs("</td><td><code>", out);
        result_put_name(out, group->first);
        fputs("</code></td></tr>\n", out);
    }
    fputs(groups.count > 0 ? "</tbody></table></div>\n" : "", out);
    result_groups_free(&groups);
}

static void put_incomplete(const struct page *page)
{
    for (size_t i = 0; i < page->run_count; i++)
        if (page->runs[i].incomplete) {
            fputs("<p><b>", page->out);
            html_text(page->out, page->runs[i].subject);
            fprintf(page->out, ": incomplete: %s.</b></p>\n", page->runs[i].incomplete);
        }
}

static void put_stale(const struct page *page)
{
    for (size_t i = 0; i < page->run_count; i++)
        for (size_t j = 0; j < results_stale(&page->runs[i]); j++) {
            fputs("<p><b>", page->out);
            html_text(page->out, page->runs[i].subject);
            fputs(": this expected failure did not occur: <code>", page->out);
            html_text(page->out, page->runs[i].known->stale[j]);
            fputs("</code></b></p>\n", page->out);
        }
}

static void put_failures(const struct page *page)
{
    size_t failed = 0;
    for (size_t i = 0; i < page->run_count; i++)
        failed += results_failed(&page->runs[i]);
    if (failed == 0)
        return;
    fputs("<h2>Failures</h2>\n", page->out);
    for (size_t i = 0; i < page->run_count; i++)
        put_groups(page, &page->runs[i]);
}

static void put_legend(const struct page *page)
{
    FILE *out = page->out;
    fputs("<h2>Grades</h2>\n<p>A result has two axes: how the vector ended, and the level of the "
          "rule that it breaks. A vector that breaks none, or only nearly, counts as <b>must</b>: "
          "what conforms has to be taken. <b>should</b> holds what the specification recommends "
          "and what it only implies; <b>advisory</b> what is legal but remarkable. An "
          "expected failure is shown, but not counted as failed.</p>\n"
          "<div class=wide><table><thead><tr><th>ending</th><th>what it means</th>",
          out);
    for (int level = 0; level < RESULT_LEVELS; level++)
        fprintf(out, "<th>%s</th>", level_names[level]);
    fputs("</tr></thead><tbody>\n", out);
    for (int ending = 0; ending < ENDINGS; ending++) {
        fprintf(out, "<tr><th>%s</th><td>%s</td>", ending_titles[ending], ending_meanings[ending]);
        for (int level = 0; level < RESULT_LEVELS; level++) {
            enum grade grade = grade_of((enum ending)ending, (enum result_level)level);
            fprintf(out, "<td class=\"%s\">%s</td>", grade_names[grade], grade_titles[grade]);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- the matrix ---- */

/* Of a run's vectors of one rule: how many ended well, and the gravest grade. */
static void put_cell(const struct page *page, size_t run, size_t from, size_t to)
{
    size_t asked = 0, good = 0;
    enum grade gravest = GRADE_GOOD;
    for (size_t i = from; i < to; i++) {
        const struct result *result = page->entries[i].by_run[run];
        if (result == NULL || result->ending == ENDING_NOT_APPLICABLE || result->unseen)
            continue;
        enum grade grade = grade_of(result->ending, result->level);
        asked++;
        good += !ending_is_failure(result->ending);
        if (grade > gravest)
            gravest = grade;
    }
    if (asked == 0)
        fputs("<td class=\"cell none\">&ndash;</td>", page->out);
    else
        fprintf(page->out, "<td class=cell><span class=\"grade %s\">%s %zu/%zu</span></td>",
                grade_names[gravest], good == asked ? "&#10003;" : "&#10007;", good, asked);
}

static size_t end_of_rule(const struct page *page, size_t from)
{
    size_t to = from + 1;
    while (to < page->count && page->entries[to].row == page->entries[from].row)
        to++;
    return to;
}

/* The section's row, where a new one begins. */
static void put_matrix_section(const struct page *page, size_t at)
{
    const struct contents_entry *entry = &page->entries[at];
    if (entry->row < 0) {
        fprintf(page->out, "<tr class=section><th colspan=%zu>No rule</th></tr>\n",
                page->run_count + 2);
        return;
    }
    const char *id = rpcrdma_requirements[entry->row].id;
    const char *before = at > 0 ? rpcrdma_requirements[page->entries[at - 1].row].id : "";
    size_t length = result_section_length(id);
    if (strlen(before) > length && strncmp(id, before, length + 1) == 0)
        return;
    fprintf(page->out, "<tr class=section><th colspan=%zu>", page->run_count + 2);
    result_put_section(page->out, id);
    fputs("</th></tr>\n", page->out);
}

static void put_matrix(const struct page *page)
{
    FILE *out = page->out;
    fputs("<h2>Rules</h2>\n<p class=dim>Tests that ended well, of those that could be asked; "
          "near misses of a rule count with those that break it. The colour is that of the "
          "gravest; &ndash;: never asked, or not to be seen by a parser of headers.</p>\n<div "
          "class=wide><table><thead><tr><th>rule</th><th>level</th>",
          out);
    put_heads(page, "peer");
    fputs("</tr></thead><tbody>\n", out);
    for (size_t from = 0, to; from < page->count; from = to) {
        const struct contents_entry *entry = &page->entries[from];
        const char *id = entry->row < 0 ? "" : rpcrdma_requirements[entry->row].id;
        to = end_of_rule(page, from);
        put_matrix_section(page, from);
        fputs("<tr><td class=rule><a href=\"#", out);
        put_id(out, entry->row);
        fprintf(out, "\">%s</a></td><td>%s</td>",
                entry->row < 0 ? "conforming" : id + result_section_length(id) + 1,
                entry->row < 0 ? "must"
                               : rpcrdma_rule_level_name(rpcrdma_requirements[entry->row].level));
        for (size_t run = 0; run < page->run_count; run++)
            put_cell(page, run, from, to);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- every vector ---- */

static bool has_failed(const struct page *page, const struct contents_entry *entry)
{
    for (size_t run = 0; run < page->run_count; run++)
        if (entry->by_run[run] && ending_is_failure(entry->by_run[run]->ending))
            return true;
    return false;
}

static void put_answers(const struct page *page, const struct contents_entry *entry)
{
    FILE *out = page->out;
    fputs("<div class=wide><table><thead><tr><th>peer</th><th>ending</th><th>expected</th>"
          "<th>actual</th></tr></thead><tbody>\n",
          out);
    for (size_t run = 0; run < page->run_count; run++) {
        const struct result *result = entry->by_run[run];
        fputs("<tr><td class=text>", out);
        html_text(out, page->runs[run].subject);
        if (result == NULL) {
            fputs("</td><td colspan=3 class=none>not run</td></tr>\n", out);
            continue;
        }
        fputs("</td><td>", out);
        result_put_ending(out, result);
        fputs("</td><td class=text>", out);
        html_text(out, result->expected);
        fputs("</td><td class=text>", out);
        html_text(out, result->actual);
        if (result->testee.log) {
            fputs("<pre>", out);
            html_lines(out, result->testee.log);
            fputs("</pre>", out);
        }
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static size_t drawable(const struct page *page)
{
    size_t count = 0;
    for (size_t run = 0; run < page->run_count; run++)
        for (size_t i = 0; page->runs[run].draw && i < page->runs[run].count; i++)
            count += ending_is_failure(page->runs[run].list[i].ending);
    return count;
}

/* Of each run that failed, as long as there are not too many. */
static void put_ladders(struct page *page, const struct contents_entry *entry)
{
    for (size_t run = 0; run < page->run_count; run++) {
        const struct results *results = &page->runs[run];
        const struct result *result = entry->by_run[run];
        if (result == NULL || results->draw == NULL || !ending_is_failure(result->ending) ||
            page->drawn == RESULT_LADDERS)
            continue;
        if (page->run_count > 1) {
            fputs("<p class=dim>", page->out);
            html_text(page->out, results->subject);
            fputs("</p>\n", page->out);
        }
        results->draw(page->out, result, results->draw_arg);
        page->drawn++;
    }
}

static void put_entry(struct page *page, const struct contents_entry *entry)
{
    FILE *out = page->out;
    const struct result *first = entry->first;
    fprintf(out, "<details%s><summary><code>", has_failed(page, entry) ? " open" : "");
    result_put_name(out, first);
    fputs("</code>", out);
    if (first->rule && !first->breaks && !first->accused)
        fputs(" <span class=dim>near miss</span>", out);
    for (size_t run = 0; run < page->run_count; run++)
        if (entry->by_run[run]) {
            fputs(" &middot; ", out);
            result_put_ending(out, entry->by_run[run]);
        }
    fputs("</summary>\n", out);
    result_put_sends(out, first);
    put_answers(page, entry);
    put_ladders(page, entry);
    fputs("</details>\n", out);
}

static void put_vectors(struct page *page)
{
    FILE *out = page->out;
    fputs("<h2>Tests</h2>\n", out);
    if (drawable(page) > RESULT_LADDERS)
        fprintf(out, "<p class=dim>The first %d failures have a ladder.</p>\n", RESULT_LADDERS);
    for (size_t from = 0, to; from < page->count; from = to) {
        int row = page->entries[from].row;
        to = end_of_rule(page, from);
        fputs("<h3 id=\"", out);
        put_id(out, row);
        fputs("\">", out);
        html_text(out, row < 0 ? "Conforming" : rpcrdma_requirements[row].id);
        fputs("</h3>\n<p>", out);
        if (row >= 0) {
            result_put_section(out, rpcrdma_requirements[row].id);
            fputs(", ", out);
            html_page_link(out, rpcrdma_requirements[row].id);
            fprintf(out, "level %s: ", rpcrdma_rule_level_name(rpcrdma_requirements[row].level));
        }
        html_text(out, row < 0 ? "What breaks no rule has to be taken."
                               : rpcrdma_requirements[row].text);
        fputs("</p>\n", out);
        for (size_t i = from; i < to; i++)
            put_entry(page, &page->entries[i]);
    }
}

void results_html(FILE *out, const struct results *runs, size_t count)
{
    struct page page = {.out = out, .runs = runs, .run_count = count};
    collect(&page);
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
            "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
            "<title>RPC-over-RDMA conformance</title>\n<style>\n%s</style></head><body>\n"
            "<h1>RPC-over-RDMA conformance</h1>\n<p class=dim>%zu tests, %zu peer%s; made by "
            "rpcrdma " RPCRDMA_KIT_VERSION "</p>\n",
            html_style, page.count, count, count == 1 ? "" : "s");
    put_failures(&page);
    put_incomplete(&page);
    put_stale(&page);
    put_sums(&page);
    put_matrix(&page);
    put_legend(&page);
    put_vectors(&page);
    fprintf(out, "<script>\n%s</script>\n</body></html>\n", html_script);
    free(page.entries);
    free(page.slots);
}
