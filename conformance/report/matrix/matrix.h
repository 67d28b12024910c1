// SPDX-License-Identifier: BSD-3-Clause
/*
 * Who conforms: results of many implementations, by section and level, each with its dates. Of one
 * implementation (peer, side and transport) the latest results are shown, and how they differ from
 * those before.
 */
#ifndef CONFORMANCE_MATRIX_H
#define CONFORMANCE_MATRIX_H

#include "conformance/base/terminal.h"
#include "conformance/report/results/results.h"

/* Of the tests that could be judged. */
struct matrix_count {
    size_t asked, good;
    enum grade gravest;
};

struct matrix_column {
    const struct results *latest, *before; /* before: NULL where there is one date only */
};

struct matrix {
    struct matrix_column *columns; /* in the order of peers, sides and transports */
    size_t count;
    char *kit; /* of today's kit, or NULL */
};

/* The runs stay the caller's. */
void matrix_make(struct matrix *matrix, const struct results *runs, size_t count);
void matrix_free(struct matrix *matrix);

/* Whether the test was asked, and can tell something of its peer. */
bool matrix_counts(const struct result *result);

/* Of a level; of all levels: RESULT_LEVELS. */
struct matrix_count matrix_sum(const struct results *run, enum result_level level);

/* What became of the tests that both have, good before and not now, or the other way round. */
struct matrix_change {
    const struct result *now, *before;
};
size_t matrix_changes(const struct matrix_column *column, struct matrix_change **changes);
bool matrix_is_better(const struct matrix_change *change);

void matrix_text(FILE *out, const struct style *style, const struct matrix *matrix);
void matrix_html(FILE *out, const struct matrix *matrix);
/* "RFC 8166 | 390 of 412 MUST" as an image. */
void matrix_badge(FILE *out, const struct results *run);

/* NULL, or why the results cannot be taken among others: what is said of the peer is not complete,
 * or they tell of what is not public. `is_hazardous`: of a test, by its name. */
const char *matrix_refuses(const struct results *run, bool (*is_hazardous)(const char *test),
                           char text[256]);
/* Leave out what it refuses. Returns how many results those were. */
size_t matrix_reduce(struct results *run, bool (*is_hazardous)(const char *test));

#endif
