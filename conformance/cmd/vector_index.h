// SPDX-License-Identifier: BSD-3-Clause
/* Which vectors of the tree are about a rule; the table is made of their files. */
#ifndef CONFORMANCE_VECTOR_INDEX_H
#define CONFORMANCE_VECTOR_INDEX_H

#include <stdbool.h>

struct vector_index_row {
    const char *rule, *file, *id;
    bool near_miss; /* the vector comes near to breaking the rule; else it breaks it */
};

/* Up to a row without a rule. */
extern const struct vector_index_row vector_index[];

#endif
