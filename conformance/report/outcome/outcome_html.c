// SPDX-License-Identifier: BSD-3-Clause
/* The findings as a page that needs no other file. */
#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/report/outcome/outcome.h"
#include "conformance/report/ladder/ladder.h"
#include "conformance/report/results/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct outcome_page {
    FILE *out;
    const struct outcome *outcome;
};

static const char *class_of(enum rpcrdma_severity severity)
{
    return severity == RPCRDMA_VIOLATION ? "bad"
           : severity == RPCRDMA_WARNING ? "warning"
                                         : "remark";
}

static void put_place(const struct outcome_page *page, const struct place *place)
{
    char text[160];
    if (page->outcome->file_count > 1) {
        html_text(page->out, place->file);
        putc(':', page->out);
    }
    place_text(place, text, sizeof text);
    html_text(page->out, text);
}

static void put_row(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                    const struct by_rule_row *row)
{
    const struct outcome_page *page = arg;
    FILE *out = page->out;
    fprintf(out,
            "<tr><td class=count>%" PRIu64 "</td><td class=\"grade %s\">%s</td><td>%s</td>"
            "<td class=rule><a href=\"#rule%u-%d\">",
            row->count, class_of(row->severity), rpcrdma_severity_name(row->severity),
            endpoint_name(side), (unsigned)rule, (int)side);
    html_text(out, rpcrdma_requirements[rule].id);
    const char *class = page->outcome->file_count > 1 ? "text" : "place";
    fprintf(out, "</a></td><td class=%s>", class);
    put_place(page, &row->first);
    fprintf(out, "</td><td class=%s>", class);
    put_place(page, &row->last);
    fputs("</td></tr>\n", out);
}

static bool any_found(const struct outcome *outcome)
{
    const uint64_t *severities = outcome->total->severities;
    return severities[RPCRDMA_VIOLATION] + severities[RPCRDMA_WARNING] + severities[RPCRDMA_NOTE] >
           0;
}

static void put_table(struct outcome_page *page)
{
    if (!any_found(page->outcome)) {
        fputs(page->outcome->expected > 0 ? "<p>Nothing was found but what the list expects.</p>\n"
                                          : "<p>No rule is broken in what was checked.</p>\n",
              page->out);
        return;
    }
    fputs(
        "<h2>Findings by rule</h2>\n<div class=wide><table><thead><tr><th class=count>findings</th>"
        "<th>severity</th><th>side</th><th>rule</th><th>first</th><th>last</th></tr></thead>"
        "<tbody>\n",
        page->out);
    by_rule_visit(page->outcome->by_rule, put_row, page);
    fputs("</tbody></table></div>\n", page->out);
}

/* Prints one line; returns the next. */
static const char *put_line(FILE *out, const char *line)
{
    char text[512];
    size_t length = strcspn(line, "\n");
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1),
             line);
    html_text(out, text);
    putc('\n', out);
    return line + length + (line[length] == '\n');
}

static void put_finding(FILE *out, const struct kept *kept)
{
    const char *line = kept->details + strcspn(kept->details, "\n");
    line += *line == '\n'; /* the first line is the summary */
    fputs("<details open><summary><code>", out);
    html_text(out, kept->place);
    fprintf(out, "</code> <span class=\"grade %s\">%s</span> ", class_of(kept->severity),
            rpcrdma_severity_name(kept->severity));
    html_text(out, kept->text);
    fputs("</summary>\n<pre class=lines>", out);
    while (*line != '\0')
        line = put_line(out, line);
    fputs("</pre>\n", out);
    if (kept->octets)
        html_octets(out, kept->octets, kept->length, kept->offset);
    if (kept->ladder)
        ladder_svg(out, kept->ladder);
    fputs("</details>\n", out);
}

static void put_rule(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                     const struct by_rule_row *row)
{
    const struct outcome_page *page = arg;
    const struct rpcrdma_requirement *requirement = &rpcrdma_requirements[rule];
    FILE *out = page->out;
    char address[REGISTER_ADDRESS];
    uint64_t shown = 0;
    fprintf(out, "<h3 id=\"rule%u-%d\">", (unsigned)rule, (int)side);
    html_text(out, requirement->id);
    fprintf(out, ", %s</h3>\n<p>", endpoint_name(side));
    if (register_address(requirement->id, address))
        fprintf(out, "<a href=\"%s\">section</a>, ", address);
    html_page_link(out, requirement->id);
    fprintf(out, "level %s: ", rpcrdma_rule_level_name(requirement->level));
    html_text(out, requirement->text);
    fputs("</p>\n", out);
    for (const struct kept *kept = page->outcome->kept->first; kept; kept = kept->next)
        if (kept->rule == rule && kept->side == side) {
            put_finding(out, kept);
            shown++;
        }
    if (shown < row->count)
        fprintf(out, "<p class=dim>%" PRIu64 " more</p>\n", row->count - shown);
}

/* Lines that were printed for this; none: nothing. */
static void put_lines(FILE *out, struct alloc_stream *stream)
{
    char *text = alloc_end(stream);
    if (*text != '\0') {
        fputs("<pre class=lines>", out);
        for (const char *line = text; *line != '\0';)
            line = put_line(out, line);
        fputs("</pre>\n", out);
    }
    free(text);
}

static void put_unanswered(const struct outcome_page *page)
{
    const struct outcome *outcome = page->outcome;
    struct alloc_stream stream;
    if (outcome->unanswered->count == 0)
        return;
    alloc_begin(&stream);
    for (int i = 0; i < outcome->file_count; i++)
        unanswered_print_all(stream.out, outcome->unanswered, outcome->files[i]);
    fputs("<h2>Not answered</h2>\n<p class=dim>No rule says how long an answer may take.</p>\n",
          page->out);
    put_lines(page->out, &stream);
    if (outcome->unanswered->left_out > 0)
        fprintf(page->out, "<p class=dim>%" PRIu64 " more</p>\n", outcome->unanswered->left_out);
}

static void put_missed(const struct outcome_page *page)
{
    const struct outcome *outcome = page->outcome;
    struct alloc_stream stream;
    alloc_begin(&stream);
    for (int i = 0; i < outcome->file_count; i++)
        missed_print_all(stream.out, outcome->missed, outcome->files[i]);
    fputs("<h2>Not checked</h2>\n<p>", page->out);
    if (missed_count(outcome->missed) > 0)
        missed_print_total(page->out, outcome->missed);
    else
        fputs("Nothing is known to be missing", page->out);
    fputs(".</p>\n", page->out);
    put_lines(page->out, &stream);
}

static void put_connections(const struct outcome_page *page)
{
    const struct kept_list *kept = page->outcome->kept;
    if (kept->connections == NULL)
        return;
    fputs("<h2>Calls in flight and credits</h2>\n<p class=dim>Of each connection with findings on "
          "which "
          "Calls waited together: the bars are the client's Calls that wait for an answer, the "
          "line is what the server has "
          "granted, of each time the most; red marks above them are findings.</p>\n",
          page->out);
    for (const struct kept_connection *at = kept->connections; at; at = at->next) {
        fputs("<h3>", page->out);
        if (page->outcome->file_count > 1) {
            html_text(page->out, at->file);
            fputs(": ", page->out);
        }
        html_text(page->out, at->name);
        fputs("</h3>\n<div class=wide>", page->out);
        timeline_svg(page->out, &at->timeline, true);
        fputs("</div>\n", page->out);
    }
    if (kept->connection_count > KEPT_CONNECTIONS)
        fprintf(page->out, "<p class=dim>%u more</p>\n", kept->connection_count - KEPT_CONNECTIONS);
}

static void put_head(const struct outcome_page *page)
{
    const struct outcome *outcome = page->outcome;
    const uint64_t *severities = outcome->total->severities;
    FILE *out = page->out;
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
            "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
            "<title>RPC-over-RDMA findings</title>\n<style>\n%s</style></head><body>\n"
            "<h1>RPC-over-RDMA findings</h1>\n<p class=dim>",
            html_style);
    for (int i = 0; i < outcome->file_count; i++) {
        fputs(i > 0 ? ", " : "", out);
        html_text(out, outcome->files[i]);
    }
    fprintf(out, "; made by rpcrdma " RPCRDMA_KIT_VERSION "</p>\n<p>%" PRIu64 " events: ",
            outcome->total->events);
    fprintf(out,
            "<span class=\"grade bad\">%" PRIu64 " violations</span>, <span class=\"grade "
            "warning\">%" PRIu64 " warnings</span>, <span class=\"grade remark\">%" PRIu64
            " notes</span>",
            severities[RPCRDMA_VIOLATION], severities[RPCRDMA_WARNING], severities[RPCRDMA_NOTE]);
    if (outcome->expected > 0) {
        fprintf(out, ", %" PRIu64 " expected by <code>", outcome->expected);
        html_text(out, outcome->known->file);
        fputs("</code>", out);
    }
    fputs("</p>\n", out);
    if (any_found(outcome))
        by_rule_blame(out, outcome->by_rule, "<p><b>At fault:</b> ", "</p>\n");
}

void outcome_html(FILE *out, const struct outcome *outcome)
{
    struct outcome_page page = {.out = out, .outcome = outcome};
    put_head(&page);
    if (outcome->incomplete) {
        fputs("<p><b>Incomplete: ", out);
        html_text(out, outcome->incomplete);
        fputs(".</b></p>\n", out);
    }
    for (size_t i = 0; i < outcome->known->stale_count; i++) {
        fputs("<p><b>This expected failure did not occur: <code>", out);
        html_text(out, outcome->known->stale[i]);
        fputs("</code></b></p>\n", out);
    }
    put_table(&page);
    put_connections(&page);
    put_unanswered(&page);
    put_missed(&page);
    if (any_found(outcome))
        fputs("<h2>Findings</h2>\n", out);
    if (outcome->kept->count > KEPT_LADDERS)
        fprintf(out, "<p class=dim>The first %d have a ladder.</p>\n", KEPT_LADDERS);
    by_rule_visit(outcome->by_rule, put_rule, &page);
    fprintf(out, "<script>\n%s</script>\n</body></html>\n", html_script);
}
