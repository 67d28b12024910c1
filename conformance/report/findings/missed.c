// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/findings/missed.h"

#include "conformance/base/text.h"
#include "conformance/base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1000 }; /* more are counted in the totals only */

struct missed_row {
    struct missed_row *next;
    enum source_miss_kind kind;
    const char *file, *reason; /* they outlive the row */
    char *connection;          /* or NULL */
    uint64_t count, first;     /* frame, or 0 */
    bool printed;
};

/* By kind: its key in JSON, its name in a sum, and what it says of one and of several. What has no
 * name in a sum could not have been checked by anybody. */
static const struct {
    const char *key, *name, *one, *several;
} kinds[SOURCE_MISS_KINDS] = {
    [SOURCE_LOST] = {"lost", "lost", "message could not be checked",
                     "messages could not be checked"},
    [SOURCE_CUT] = {"cut", "cut", "message could be checked in part only",
                    "messages could be checked in part only"},
    [SOURCE_UNREAD] = {"unread", "unread", "frame could not be read", "frames could not be read"},
    [SOURCE_UNOPENED] = {"unopened", "unopened", "connection whose opening was not recorded",
                         "connections whose opening was not recorded"},
    [SOURCE_ONE_SIDED] = {"oneSided", "one-sided",
                          "connection of which one side alone was recorded",
                          "connections of which one side alone was recorded"},
    [SOURCE_BROKEN_OFF] = {"brokenOff", NULL, "message was not sent to its end",
                           "messages were not sent to their ends"},
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool fits(const struct missed_row *row, const char *file, const struct source_miss *miss)
{
    return row->kind == miss->kind && row->file == file && same_text(row->reason, miss->reason) &&
           same_text(row->connection, miss->connection);
}

static struct missed_row *find(const struct missed *missed, const char *file,
                               const struct source_miss *miss)
{
    if (missed->recent && fits(missed->recent, file, miss))
        return missed->recent;
    struct missed_row *row = missed->rows;
    while (row && !fits(row, file, miss))
        row = row->next;
    return row;
}

static struct missed_row *make(struct missed *missed, const char *file,
                               const struct source_miss *miss)
{
    if (missed->row_count == ROWS_MAX)
        return NULL;
    struct missed_row *row = alloc_zeroed(1, sizeof *row);
    *row = (struct missed_row){
        .kind = miss->kind, .file = file, .reason = miss->reason, .first = miss->frame};
    row->connection = miss->connection ? alloc_text(miss->connection) : NULL;
    if (missed->last_row)
        missed->last_row->next = row;
    else
        missed->rows = row;
    missed->last_row = row;
    missed->row_count++;
    return row;
}

void missed_add(struct missed *missed, const char *file, const struct source_miss *miss)
{
    struct missed_row *row = find(missed, file, miss);
    if (row == NULL)
        row = make(missed, file, miss);
    if (row)
        row->count += miss->count;
    missed->recent = row;
    missed->total[miss->kind] += miss->count;
}

uint64_t missed_count(const struct missed *missed)
{
    uint64_t count = 0;
    for (int kind = 0; kind < SOURCE_MISS_KINDS; kind++)
        count += kinds[kind].name ? missed->total[kind] : 0;
    return count;
}

bool missed_has(const struct missed *missed, const char *file, const char *connection)
{
    for (const struct missed_row *row = missed->rows; row; row = row->next)
        if (row->file == file && same_text(row->connection, connection))
            return true;
    return false;
}

bool missed_is_one_sided(const struct missed *missed, const char *file, const char *connection)
{
    for (const struct missed_row *row = missed->rows; row; row = row->next)
        if (row->kind == SOURCE_ONE_SIDED && row->file == file &&
            same_text(row->connection, connection))
            return true;
    return false;
}

static void print_row(FILE *out, const struct missed_row *row)
{
    bool one = row->count == 1;
    fprintf(out, "%" PRIu64 " ", row->count);
    fputs(one ? kinds[row->kind].one : kinds[row->kind].several, out);
    fprintf(out, ": %s", row->reason);
    if (row->first > 0)
        fprintf(out, " (%sframe %" PRIu64 ")", one ? "" : "first: ", row->first);
    putc('\n', out);
}

void missed_print(FILE *out, const struct missed *missed, const char *file, const char *connection,
                  const char *indent)
{
    for (struct missed_row *row = missed->rows; row; row = row->next)
        if (row->file == file && same_text(row->connection, connection)) {
            fputs(indent, out);
            print_row(out, row);
            row->printed = true;
        }
}

static void print_named(FILE *out, const struct missed_row *row)
{
    if (row->connection) {
        fputs("connection ", out);
        text_put(out, row->connection);
        fputs(": ", out);
    }
    print_row(out, row);
}

void missed_print_rest(FILE *out, const struct missed *missed, const char *file)
{
    for (struct missed_row *row = missed->rows; row; row = row->next)
        if (row->file == file && !row->printed) {
            print_named(out, row);
            row->printed = true;
        }
}

void missed_print_all(FILE *out, const struct missed *missed, const char *file)
{
    for (const struct missed_row *row = missed->rows; row; row = row->next)
        if (row->file == file)
            print_named(out, row);
}

void missed_print_total(FILE *out, const struct missed *missed)
{
    const char *separator = "";
    for (int kind = 0; kind < SOURCE_MISS_KINDS; kind++)
        if (kinds[kind].name && missed->total[kind] > 0) {
            fprintf(out, "%s%" PRIu64 " %s", separator, missed->total[kind], kinds[kind].name);
            separator = ", ";
        }
}

const char *missed_kind_text(enum source_miss_kind kind)
{
    return kinds[kind].name ? kinds[kind].several : NULL;
}

void missed_json(struct json *json, const struct missed *missed)
{
    for (int kind = 0; kind < SOURCE_MISS_KINDS; kind++)
        json_unsigned(json, kinds[kind].key, missed->total[kind]);
    json_open(json, "missed", '[');
    for (const struct missed_row *row = missed->rows; row; row = row->next) {
        json_open(json, NULL, '{');
        json_text(json, "kind", kinds[row->kind].key);
        json_text(json, "file", row->file);
        json_text(json, "connection", row->connection);
        json_text(json, "reason", row->reason);
        json_unsigned(json, "count", row->count);
        if (row->first > 0)
            json_unsigned(json, "frame", row->first);
        else
            json_none(json, "frame");
        json_close(json, '}');
    }
    json_close(json, ']');
}

void missed_free(struct missed *missed)
{
    while (missed->rows) {
        struct missed_row *next = missed->rows->next;
        free(missed->rows->connection);
        free(missed->rows);
        missed->rows = next;
    }
    *missed = (struct missed){0};
}
