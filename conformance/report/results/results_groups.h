// SPDX-License-Identifier: BSD-3-Clause
/* Failures that are alike: the same was expected, the same came, for the same cause. */
#ifndef CONFORMANCE_RESULTS_GROUPS_H
#define CONFORMANCE_RESULTS_GROUPS_H

#include "conformance/report/results/results.h"

struct result_group {
    const char *wanted, *got, *cause; /* in general words; cause may be "" */
    const struct result *first;       /* of them */
    size_t count;
};

struct result_groups {
    struct result_group *list; /* the largest first */
    size_t count;
    size_t *of_result; /* by result: the index of its group, or SIZE_MAX */
};

/* Of all failures that are not expected. */
void result_groups_make(struct result_groups *groups, const struct results *results);
void result_groups_free(struct result_groups *groups);

#endif
