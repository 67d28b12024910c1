// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/findings/unanswered.h"

#include "conformance/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 1000
#define SECOND INT64_C(1000000000)

struct unanswered_row {
    struct unanswered_row *next;
    const char *file;
    char connection[128];
    enum rpcrdma_endpoint from;
    uint32_t xid; /* of the oldest */
    uint64_t frame;
    int64_t waited;
    uint64_t ended_in; /* by the other side; 0: it did not end the connection */
    unsigned count;
};

/* Of Calls that wait, oldest first, those before the other side's end: what was recorded or sent
 * later did not wait for that. Returns how many are left. */
static unsigned before_end(const struct history_call **list, unsigned count,
                           const struct moment *end)
{
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++)
        if (list[i]->at.frame < end->frame && list[i]->at.time <= end->time)
            list[left++] = list[i];
    return left;
}

static void add_side(struct unanswered *all, const char *file, const char *connection,
                     const struct history *history, enum rpcrdma_endpoint from, int64_t now)
{
    const struct history_call *list[HISTORY_CALLS_MAX], *oldest;
    unsigned count = history_waiting(history, from, list, HISTORY_CALLS_MAX);
    bool ended = history->end.seen && history->end.by != from;
    if (ended) {
        now = history->end.at.time;
        count = before_end(list, count, &history->end.at);
    }
    oldest = count > 0 ? list[0] : NULL;
    if (count == 0 || oldest->at.time <= 0 ||
        (!ended && now - oldest->at.time < UNANSWERED_SECONDS * SECOND))
        return;
    struct unanswered_row *row = all->count < ROWS_MAX ? calloc(1, sizeof *row) : NULL;
    if (row == NULL) {
        all->left_out++;
        all->untold++;
        return;
    }
    *row = (struct unanswered_row){.file = file,
                                   .from = from,
                                   .xid = oldest->xid,
                                   .frame = oldest->at.frame,
                                   .waited = now - oldest->at.time,
                                   .ended_in = ended ? history->end.at.frame : 0,
                                   .count = count};
    snprintf(row->connection, sizeof row->connection, "%s", connection);
    if (all->last)
        all->last->next = row;
    else
        all->rows = row;
    all->last = row;
    all->count++;
}

void unanswered_add(struct unanswered *all, const char *file, const char *connection,
                    const struct history *history, int64_t now)
{
    add_side(all, file, connection, history, RPCRDMA_CLIENT, now);
    add_side(all, file, connection, history, RPCRDMA_SERVER, now);
}

static bool is_of(const struct unanswered_row *row, const char *file, const char *connection)
{
    return row->file == file && strcmp(row->connection, connection) == 0;
}

bool unanswered_has(const struct unanswered *all, const char *file, const char *connection)
{
    for (const struct unanswered_row *row = all->rows; row; row = row->next)
        if (is_of(row, file, connection))
            return true;
    return false;
}

static void print_row(FILE *out, const struct unanswered_row *row)
{
    enum rpcrdma_endpoint other = row->from == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    fprintf(out, "no answer was seen in %.*f s to %u Call%s of the %s",
            row->waited < SECOND ? 3 : 1, (double)row->waited / (double)SECOND, row->count,
            row->count == 1 ? "" : "s", endpoint_name(row->from));
    if (row->ended_in > 0)
        fprintf(out, ", until the %s ended the connection in frame %" PRIu64, endpoint_name(other),
                row->ended_in);
    fprintf(out, "; %s in frame %" PRIu64 ", XID 0x%08" PRIx32 "\n",
            row->count == 1 ? "it is" : "the oldest is", row->frame, row->xid);
}

void unanswered_print(FILE *out, const struct unanswered *all, const char *file,
                      const char *connection, const char *indent)
{
    for (const struct unanswered_row *row = all->rows; row; row = row->next)
        if (is_of(row, file, connection)) {
            fputs(indent, out);
            print_row(out, row);
        }
}

void unanswered_print_all(FILE *out, const struct unanswered *all, const char *file)
{
    for (const struct unanswered_row *row = all->rows; row; row = row->next)
        if (row->file == file) {
            fputs("connection ", out);
            text_put(out, row->connection);
            fputs(": ", out);
            print_row(out, row);
        }
}

void unanswered_print_rest(FILE *out, struct unanswered *all)
{
    if (all->untold > 0)
        fprintf(out,
                "no answer was seen on %" PRIu64
                " more side%s of connections: only the first %d are "
                "listed\n",
                all->untold, all->untold == 1 ? "" : "s", ROWS_MAX);
    all->untold = 0;
}

void unanswered_json(struct json *json, const struct unanswered *all)
{
    json_open(json, "unanswered", '[');
    for (const struct unanswered_row *row = all->rows; row; row = row->next) {
        char xid[16];
        snprintf(xid, sizeof xid, "0x%08" PRIx32, row->xid);
        json_open(json, NULL, '{');
        json_text(json, "file", row->file);
        json_text(json, "connection", row->connection);
        json_text(json, "from", endpoint_name(row->from));
        json_unsigned(json, "count", row->count);
        json_unsigned(json, "frame", row->frame);
        json_text(json, "xid", xid);
        json_unsigned(json, "milliseconds", (uint64_t)(row->waited / (SECOND / 1000)));
        json_optional(json, "endedIn", row->ended_in > 0, row->ended_in);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_unsigned(json, "unansweredLeftOut", all->left_out);
}

void unanswered_free(struct unanswered *all)
{
    while (all->rows) {
        struct unanswered_row *next = all->rows->next;
        free(all->rows);
        all->rows = next;
    }
    *all = (struct unanswered){0};
}
