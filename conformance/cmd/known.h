// SPDX-License-Identifier: BSD-3-Clause
/*
 * Lists of departures that are known of a peer: one rule id a line, then optionally # and a reason.
 * A list that goes stale is found out: what it names has to occur.
 */
#ifndef CONFORMANCE_KNOWN_H
#define CONFORMANCE_KNOWN_H

#include <rpcrdma/rules.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct known {
    const char *file; /* NULL: there is no list */
    bool listed[RPCRDMA_RULES];
    uint64_t found[RPCRDMA_RULES]; /* findings of each rule, listed or not */
};

/* Read a list. Complains and returns false if it cannot be read or a line names no rule. */
bool known_read(struct known *known, const char *file);

/* Write the list of what was found, for --write-known. Complains and returns false if it cannot. */
bool known_write(const struct known *known, const char *file);

/* Say on stderr which listed rules did not occur; returns how many. */
unsigned known_missing(const struct known *known);

#endif
