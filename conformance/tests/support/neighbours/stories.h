// SPDX-License-Identifier: BSD-3-Clause
/* What the tree has of events: all vectors, and the rows of all tables of tests (PLAY_ROWS). */
#ifndef CONFORMANCE_TESTS_NEIGHBOURS_STORIES_H
#define CONFORMANCE_TESTS_NEIGHBOURS_STORIES_H

#include "conformance/tests/support/neighbours/neighbours.h"

/* `last`: the last event of a row in words, or NULL. The story is there until it returns. */
typedef void visit_stories(struct story *story, const char *last);

/* From the top of the tree. */
void stories_of_vectors(visit_stories *visit);
void stories_of_rows(visit_stories *visit);

#endif
