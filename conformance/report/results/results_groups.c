// SPDX-License-Identifier: BSD-3-Clause
/* One fault of a parser shows in hundreds of vectors: they are sorted, and neighbours compared. */
#include "conformance/report/results/results_groups.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct member {
    const struct result *result;
    size_t index, group;
};

static const char *wanted_of(const struct result *result)
{
    return result->alike.wanted ? result->alike.wanted : result->expected;
}

static const char *got_of(const struct result *result)
{
    return result->alike.got ? result->alike.got : result->actual;
}

static const char *cause_of(const struct result *result)
{
    return result->alike.cause ? result->alike.cause : result->rule ? result->rule : "";
}

static int compare_alike(const struct result *a, const struct result *b)
{
    int order = strcmp(wanted_of(a), wanted_of(b));
    order = order != 0 ? order : strcmp(got_of(a), got_of(b));
    return order != 0 ? order : strcmp(cause_of(a), cause_of(b));
}

static int compare_members(const void *a, const void *b)
{
    const struct member *left = a, *right = b;
    int order = compare_alike(left->result, right->result);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

/* The largest first; among equals the one that was found first. */
static int compare_groups(const void *a, const void *b)
{
    const struct result_group *left = a, *right = b;
    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    return (left->first > right->first) - (left->first < right->first);
}

static size_t collect(struct member *members, const struct results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        if (ending_is_failure(result->ending) && !result->known)
            members[count++] = (struct member){.result = result, .index = i};
    }
    qsort(members, count, sizeof *members, compare_members);
    return count;
}

void result_groups_make(struct result_groups *groups, const struct results *results)
{
    struct member *members = alloc_zeroed(results->count, sizeof *members);
    size_t count = collect(members, results);
    *groups = (struct result_groups){0};
    groups->list = alloc_zeroed(count, sizeof *groups->list);
    groups->of_result = alloc_zeroed(results->count, sizeof *groups->of_result);
    for (size_t i = 0; i < results->count; i++)
        groups->of_result[i] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct result *result = members[i].result;
        if (i == 0 || compare_alike(members[i - 1].result, result) != 0)
            groups->list[groups->count++] = (struct result_group){wanted_of(result), got_of(result),
                                                                  cause_of(result), result, 0};
        groups->list[groups->count - 1].count++;
    }
    qsort(groups->list, groups->count, sizeof *groups->list, compare_groups);
    for (size_t i = 0; i < count; i++)
        for (size_t g = 0; g < groups->count; g++)
            if (compare_alike(groups->list[g].first, members[i].result) == 0)
                groups->of_result[members[i].index] = g;
    free(members);
}

void result_groups_free(struct result_groups *groups)
{
    free(groups->list);
    free(groups->of_result);
    *groups = (struct result_groups){0};
}
