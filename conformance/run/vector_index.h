// SPDX-License-Identifier: BSD-3-Clause
/* The vectors of the tree, and which of them, and which live cases, are about a rule; the tables
 * are made of their files. */
#ifndef CONFORMANCE_VECTOR_INDEX_H
#define CONFORMANCE_VECTOR_INDEX_H

#include <stdbool.h>

struct vector_index_row {
    const char *rule, *file, *id; /* rule: "" where the vector is about none */
    bool near_miss; /* the vector comes near to breaking the rule; else it breaks it */
};

/* Up to a row without a rule. */
extern const struct vector_index_row vector_index[];

struct live_index_row {
    const char *rule;
    const char *command; /* "probe" or "serve" */
    const char *cases;   /* or why there is none */
};

/* The same, of rules that are not decided by looking on. */
extern const struct live_index_row live_index[];

#endif
