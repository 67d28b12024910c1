// SPDX-License-Identifier: BSD-3-Clause
/*
 * Lists of departures that are known of a peer: one rule id a line, or that of a test, then
 * optionally # and a reason. A list that goes stale is found out: what it names has to occur.
 */
#ifndef CONFORMANCE_KNOWN_H
#define CONFORMANCE_KNOWN_H

#include <rpcrdma/rules.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct known_test {
    char *id;
    bool listed, found;
};

struct known {
    const char *file; /* NULL: there is no list */
    bool no_tests;    /* there are none: what a line names is a rule */
    bool listed[RPCRDMA_RULES];
    uint64_t found[RPCRDMA_RULES]; /* findings of each rule, listed or not */
    struct known_test *tests;      /* listed, or found to fail */
    size_t count, room;
    bool write_tests; /* known_write() names tests, not rules wherever there is one */
};

/* Read a list. Complains and returns false if it cannot be read, or a line cannot be right: every
 * rule id has a slash and is in the register, and the id of a test has none. */
bool known_read(struct known *known, const char *file);

/* A test failed, of which `rule` is a row of the register or -1. Is it listed, or its rule? */
bool known_failure(struct known *known, const char *test, int rule);

/* Write the list of what was found, for --write-known. Complains and returns false if it cannot. */
bool known_write(const struct known *known, const char *file);

/* Say on stderr which listed departures did not occur; returns how many. */
unsigned known_missing(const struct known *known);

void known_free(struct known *known);

#endif
