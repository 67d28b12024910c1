// SPDX-License-Identifier: BSD-3-Clause
/*
 * Limits that figures have to keep, a line each:
 *
 *     total: retransmitted <= 0
 *     NFS 4 READ: rdmaWrites per call <= 1   # one chunk each
 *     NFS 4 READ: timeP99 <= 2 ms
 *     connection: inFlight >= 8
 *
 * Before the colon stands a procedure as the table names it, "total", or "connection": each of
 * them. A procedure that does not occur, or a figure that is not known, keeps no limit.
 */
#ifndef CONFORMANCE_BUDGET_H
#define CONFORMANCE_BUDGET_H

#include "conformance/report/figures/figures.h"

struct limit {
    struct limit *next;
    unsigned line;
    char *text;  /* as it was read, without reason */
    char *where; /* "total" */
    enum figure figure;
    bool per_call, at_least;
    double bound;
    /* After budget_judge(): */
    bool is_known, held;
    double value;        /* the worst, if it is known */
    const char *culprit; /* the connection that has it, or NULL */
};

struct budget { /* begins as zeros */
    struct limit *limits, **limits_end;
};

/* Complains and returns false where it cannot be read. */
bool budget_read(struct budget *budget, const char *file);
/* Returns how many limits are not kept. */
unsigned budget_judge(struct budget *budget, const struct figures *figures);
void budget_free(struct budget *budget);

/* "12 ms of at most 2 ms"; "NFS 4 READ does not occur". */
#define LIMIT_TEXT 320
const char *limit_text(const struct limit *limit, char text[LIMIT_TEXT]);

#endif
