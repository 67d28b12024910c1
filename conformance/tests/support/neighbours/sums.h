// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the checker says of stories and of their neighbours, as one sum a rule: how many findings,
 * and a digest of each with its story, neighbour, event, offset, words, and the reactions that it
 * alone leaves open. What is said beside findings is one sum more, "open". A change of one rule
 * changes one line of conformance/tests/data/sums.tsv, and a new rule adds one; a story more
 * changes those of the rules that its neighbours break. The order of the findings of an event does
 * not count.
 *
 * From the top of the tree, SHOW=RULE build/tests/conformance/tests/sums_test prints each finding
 * of the rule, to be compared with what it printed before a change; `make accept` takes over what
 * is meant.
 */
#ifndef CONFORMANCE_TESTS_NEIGHBOURS_SUMS_H
#define CONFORMANCE_TESTS_NEIGHBOURS_SUMS_H

#include "conformance/tests/support/neighbours/neighbours.h"

/* Judge the story and its neighbours, unless one of its id was; `last`: its last event in words, or
 * NULL. */
void sums_add(struct story *story, const char *last);
/* How many stories there were. */
unsigned sums_stories(void);
/* Compare with the list, or write it (SUMS=write). Names each rule that differs; returns how many.
 * SUMS=no: what differs does not count. */
unsigned sums_compare(const char *path);

#endif
