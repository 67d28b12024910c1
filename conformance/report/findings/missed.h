// SPDX-License-Identifier: BSD-3-Clause
/* What of the captures could not be checked: by kind, connection and reason. */
#ifndef CONFORMANCE_MISSED_H
#define CONFORMANCE_MISSED_H

#include "conformance/describe/json.h"
#include "conformance/base/terminal.h"
#include "conformance/input/source.h"

struct missed_row; /* linked, in the order in which they were first seen */

/* Begins as zeros. Rows are of one file; the totals are of all files. */
struct missed {
    struct missed_row *rows, *last_row, *recent;
    unsigned row_count;
    uint64_t total[SOURCE_MISS_KINDS];
};

void missed_add(struct missed *missed, const char *file, const struct source_miss *miss);
/* Of all kinds; what the end of a connection broke off does not count. */
uint64_t missed_count(const struct missed *missed);

/* The rows of a connection. */
void missed_print(FILE *out, const struct missed *missed, const char *file, const char *connection,
                  const char *indent);
/* The rows of a file that were not printed yet, with the names of their connections. */
void missed_print_rest(FILE *out, const struct missed *missed, const char *file);
/* Whether that connection has rows. */
bool missed_has(const struct missed *missed, const char *file, const char *connection);
/* Whether one side alone of the connection was recorded. */
bool missed_is_one_sided(const struct missed *missed, const char *file, const char *connection);
/* All rows of a file, with the names of their connections. */
void missed_print_all(FILE *out, const struct missed *missed, const char *file);
/* "3 lost, 1 cut" */
void missed_print_total(FILE *out, const struct missed *missed);
/* "messages could not be checked"; NULL of what does not count. */
const char *missed_kind_text(enum source_miss_kind kind);
/* A key for each kind, and "missed". */
void missed_json(struct json *json, const struct missed *missed);

void missed_free(struct missed *missed);

#endif
