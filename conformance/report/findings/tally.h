// SPDX-License-Identifier: BSD-3-Clause
/* What was seen: counts of events and findings, for the summaries of `check`. */
#ifndef CONFORMANCE_TALLY_H
#define CONFORMANCE_TALLY_H

#include "conformance/input/source.h"
#include "conformance/base/terminal.h"

enum {
    TALLY_PROCEDURES = 26 /* the five of version 1, others, and Sends too short to have one; then
                             the types of the drafts of version 2 */
};
enum { TALLY_DIRECTIONS = 3 }; /* call, reply, not known */

struct tally {
    uint64_t events;
    uint64_t sends[TALLY_PROCEDURES][TALLY_DIRECTIONS];
    uint64_t by_type[RPCRDMA_EVENT_TYPES];
    uint64_t severities[RPCRDMA_VIOLATION + 1];
    uint64_t drafts[2][2]; /* Sends of version 2 by draft, -04 first, and by whether it is known */
};

void tally_event(struct tally *tally, const struct source_event *event,
                 const struct rpcrdma_judgement *judgement);

/* Add the counts of another. */
void tally_add(struct tally *tally, const struct tally *other);

/* "1 violation, 0 warnings, 2 notes" */
void tally_print_severities(FILE *out, const struct style *style, const struct tally *tally);

/* "6 Sends: 3 calls, 3 replies; RDMA_MSG 5, RDMA_NOMSG 1" */
void tally_print_line(FILE *out, const struct tally *tally);

/* Which drafts Sends of version 2 were judged by, and why; nothing where there are none. `asked`:
 * the user named it. */
void tally_print_drafts(FILE *out, const struct tally *tally, bool asked);

/* Procedures by direction, then everything that was no Send. */
void tally_print_table(FILE *out, const struct style *style, const struct tally *tally);

#endif
