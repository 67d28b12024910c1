// SPDX-License-Identifier: BSD-3-Clause
/* Calls of captures that waited for an answer until their connection or the capture ended, though
 * that took a while, or the side that owed the answer ended the connection: no rule says how long
 * an answer may take, but a peer that hangs or gives up shows so. */
#ifndef CONFORMANCE_UNANSWERED_H
#define CONFORMANCE_UNANSWERED_H

#include "conformance/describe/json.h"
#include "conformance/report/findings/history.h"

/* Calls that wait no longer than this are under way, unless the other side ended the connection. */
#define UNANSWERED_SECONDS 1

struct unanswered_row; /* linked, in the order in which connections ended */

/* Begins as zeros. */
struct unanswered {
    struct unanswered_row *rows, *last;
    unsigned count;
    /* Sides of connections for which there was no row; of these, those that were not told yet. */
    uint64_t left_out, untold;
};

/* A connection ends at that time: keep its Calls that wait, one row a side. */
void unanswered_add(struct unanswered *all, const char *file, const char *connection,
                    const struct history *history, int64_t now);
bool unanswered_has(const struct unanswered *all, const char *file, const char *connection);
/* The rows of a connection, one a line. */
void unanswered_print(FILE *out, const struct unanswered *all, const char *file,
                      const char *connection, const char *indent);
/* The rows of a file, each with its connection. */
void unanswered_print_all(FILE *out, const struct unanswered *all, const char *file);
/* How many sides have no row, if that was not printed yet. */
void unanswered_print_rest(FILE *out, struct unanswered *all);
void unanswered_json(struct json *json, const struct unanswered *all);
void unanswered_free(struct unanswered *all);

#endif
