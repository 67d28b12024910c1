// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/findings/by_rule.h"

#include "conformance/base/text.h"
#include "conformance/base/alloc.h"
#include "conformance/report/findings/findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Connections of one file are judged each for itself: findings come in another order than frames.
 */
static bool is_before(const struct place *one, const struct place *other)
{
    return strcmp(one->file, other->file) == 0 && one->at.frame < other->at.frame;
}

static void note_peer(struct by_rule_peer *peer, const struct source_event *event, bool is_server)
{
    char name[sizeof peer->name];
    source_peer(name, sizeof name, event->connection, is_server);
    if (peer->name[0] == '\0')
        snprintf(peer->name, sizeof peer->name, "%s", name);
    else if (strcmp(peer->name, name) != 0)
        peer->others = true;
}

uint64_t by_rule_add(struct by_rule *by_rule, const struct rpcrdma_finding *finding,
                     const struct source_event *event)
{
    struct by_rule_row *row = &by_rule->rows[finding->rule][finding->from];
    struct place here = place_of(event);
    if (row->count == 0 || is_before(&here, &row->first)) {
        row->first = here;
        rpcrdma_finding_text(finding, row->text, sizeof row->text);
    }
    if (row->count == 0 || !is_before(&here, &row->last))
        row->last = here;
    if (row->count == 0 || finding->severity > row->severity)
        row->severity = finding->severity;
    if (finding->severity == RPCRDMA_VIOLATION) {
        row->violations++;
        note_peer(&by_rule->peers[finding->from], event, finding->from == RPCRDMA_SERVER);
    }
    return ++row->count;
}

/* ---- in order ---- */

struct entry {
    enum rpcrdma_rule rule;
    enum rpcrdma_endpoint side;
    const struct by_rule_row *row;
};

static int compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->row->severity != b->row->severity)
        return a->row->severity > b->row->severity ? -1 : 1;
    if (a->row->count != b->row->count)
        return a->row->count > b->row->count ? -1 : 1;
    if (a->rule != b->rule)
        return a->rule < b->rule ? -1 : 1;
    return (int)a->side - (int)b->side;
}

void by_rule_visit(const struct by_rule *by_rule,
                   void (*visit)(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                                 const struct by_rule_row *row),
                   void *arg)
{
    struct entry *entries = alloc_zeroed(2 * (size_t)RPCRDMA_RULES, sizeof *entries);
    size_t count = 0;
    for (unsigned rule = 0; rule < RPCRDMA_RULES; rule++)
        for (int side = 0; side < 2; side++)
            if (by_rule->rows[rule][side].count > 0)
                entries[count++] =
                    (struct entry){(enum rpcrdma_rule)rule, (enum rpcrdma_endpoint)side,
                                   &by_rule->rows[rule][side]};
    qsort(entries, count, sizeof *entries, compare);
    for (size_t i = 0; i < count; i++)
        visit(arg, entries[i].rule, entries[i].side, entries[i].row);
    free(entries);
}

/* ---- who is at fault ---- */

struct blame {
    uint64_t rules, violations;
};

static void add_blame(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                      const struct by_rule_row *row)
{
    struct blame *blame = (struct blame *)arg + (int)side;
    (void)rule;
    blame->rules += row->violations > 0;
    blame->violations += row->violations;
}

static void put_blame(FILE *out, enum rpcrdma_endpoint side, const struct by_rule_peer *peer,
                      const struct blame *blame)
{
    fprintf(out, "the %s", endpoint_name(side));
    if (strcmp(peer->name, "*") != 0) /* vectors and hex text have no addresses */
        fprintf(out, ", %s%s", peer->name, peer->others ? " and others" : "");
    fprintf(out, ": %" PRIu64 " violation%s of %" PRIu64 " rule%s", blame->violations,
            blame->violations == 1 ? "" : "s", blame->rules, blame->rules == 1 ? "" : "s");
}

void by_rule_blame(FILE *out, const struct by_rule *by_rule, const char *before, const char *after)
{
    struct blame blame[2] = {{0}};
    by_rule_visit(by_rule, add_blame, blame);
    int first = blame[RPCRDMA_SERVER].violations > blame[RPCRDMA_CLIENT].violations;
    if (blame[0].violations + blame[1].violations == 0)
        return;
    fputs(before, out);
    for (int i = 0; i < 2; i++) {
        int side = i == 0 ? first : 1 - first;
        if (blame[side].violations == 0)
            continue;
        fputs(i > 0 ? "; " : "", out);
        put_blame(out, (enum rpcrdma_endpoint)side, &by_rule->peers[side], &blame[side]);
    }
    fputs(after, out);
}

/* ---- text ---- */

struct table {
    FILE *out;
    const struct style *style;
    bool several, all;
    int width; /* of places */
    uint64_t rows, left_out;
    const char *violation; /* the first rule that is violated, or NULL */
};

static void text_of(const struct table *table, const struct place *place, char *text, size_t size)
{
    size_t length = 0;
    const char *slash = strrchr(place->file, '/');
    if (table->several)
        length = (size_t)snprintf(text, size, "%.60s:", slash ? slash + 1 : place->file);
    place_text(place, text + length, size - length);
}

static void measure(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                    const struct by_rule_row *row)
{
    struct table *table = arg;
    const struct place *places[] = {&row->first, &row->last};
    (void)side; /* its column has a fixed width, and the rule's is the last */
    if (table->violation == NULL && row->severity == RPCRDMA_VIOLATION)
        table->violation = rpcrdma_requirements[rule].id;
    for (int i = 0; i < 2; i++) {
        char text[200];
        text_of(table, places[i], text, sizeof text);
        if ((int)strlen(text) > table->width)
            table->width = (int)strlen(text);
    }
    table->rows++;
}

static void print_row(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                      const struct by_rule_row *row)
{
    struct table *table = arg;
    char first[200], last[200];
    text_of(table, &row->first, first, sizeof first);
    text_of(table, &row->last, last, sizeof last);
    text_mask(first);
    text_mask(last);
    fprintf(table->out, "%8" PRIu64 "  %s%-9s%s  %-6s  %-*s  %-*s  %s\n", row->count,
            severity_color(table->style, row->severity), rpcrdma_severity_name(row->severity),
            table->style->plain, endpoint_name(side), table->width, first, table->width, last,
            rpcrdma_requirements[rule].id);
    if (row->count > BY_RULE_PRINTED)
        table->left_out += row->count - BY_RULE_PRINTED;
}

void by_rule_print(FILE *out, const struct style *style, const struct by_rule *by_rule,
                   bool several, bool all)
{
    struct table table = {
        .out = out, .style = style, .several = several, .all = all, .width = (int)strlen("first")};
    by_rule_visit(by_rule, measure, &table);
    if (table.rows == 0)
        return;
    fprintf(out, "%s%8s  %-9s  %-6s  %-*s  %-*s  %s%s\n", style->dim, "findings", "severity",
            "side", table.width, "first", table.width, "last", "rule", style->plain);
    by_rule_visit(by_rule, print_row, &table);
    char before[48];
    snprintf(before, sizeof before, "%sat fault:%s ", style->bold, style->plain);
    by_rule_blame(out, by_rule, before, "\n");
    if (table.left_out > 0 && !all)
        fprintf(out,
                "%" PRIu64 " more of these %s not printed above: the first %d of each row are; "
                "--all prints all\n",
                table.left_out, table.left_out == 1 ? "was" : "were", BY_RULE_PRINTED);
    if (table.violation)
        fprintf(out, "'rpcrdma rules %s' says what that rule asks, and what tests it\n",
                table.violation);
    putc('\n', out);
}

/* ---- JSON ---- */

static void put_place(struct json *json, const char *key, const struct place *place)
{
    json_open(json, key, '{');
    json_text(json, "file", place->file);
    json_text(json, "test", place->test[0] != '\0' ? place->test : NULL);
    json_unsigned(json, "event", place->at.index);
    if (place->at.frame > 0)
        json_unsigned(json, "frame", place->at.frame);
    else
        json_none(json, "frame");
    json_close(json, '}');
}

static void put_row(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                    const struct by_rule_row *row)
{
    struct json *json = arg;
    json_open(json, NULL, '{');
    json_text(json, "rule", rpcrdma_requirements[rule].id);
    json_text(json, "severity", rpcrdma_severity_name(row->severity));
    json_text(json, "from", endpoint_name(side));
    json_unsigned(json, "count", row->count);
    put_place(json, "first", &row->first);
    put_place(json, "last", &row->last);
    json_close(json, '}');
}

void by_rule_json(struct json *json, const struct by_rule *by_rule)
{
    json_open(json, "rules", '[');
    by_rule_visit(by_rule, put_row, json);
    json_close(json, ']');
}
