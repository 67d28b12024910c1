// SPDX-License-Identifier: BSD-3-Clause
/*
 * For mutants.sh: a checker that does not know the rule which the environment names, or one that
 * writes each broken rule into the file which it names, once. Linked with
 * --wrap=rpcrdma_break_rule, in the mutants build only.
 */
#include "conformance/check/core/review.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __real_rpcrdma_break_rule(struct review *review, enum rpcrdma_rule rule, int64_t offset,
                               struct reactions reactions, const char *format, uint64_t a,
                               uint64_t b, uint64_t c);
void __wrap_rpcrdma_break_rule(struct review *review, enum rpcrdma_rule rule, int64_t offset,
                               struct reactions reactions, const char *format, uint64_t a,
                               uint64_t b, uint64_t c);

static void write_down(enum rpcrdma_rule rule)
{
    static bool written[RPCRDMA_RULES];
    const char *path = getenv("RPCRDMA_TEST_BROKEN");
    if (path == NULL || written[rule])
        return;
    written[rule] = true;
    FILE *out = fopen(path, "a");
    if (out == NULL || fprintf(out, "%s\n", rpcrdma_requirements[rule].id) < 0 || fclose(out) != 0)
        abort();
}

void __wrap_rpcrdma_break_rule(struct review *review, enum rpcrdma_rule rule, int64_t offset,
                               struct reactions reactions, const char *format, uint64_t a,
                               uint64_t b, uint64_t c)
{
    const char *mutant = getenv("RPCRDMA_TEST_MUTANT");
    enum rpcrdma_rule here = rule_in_force(review, rule);
    if (here != RPCRDMA_RULES)
        write_down(here);
    if (mutant == NULL || here == RPCRDMA_RULES ||
        strcmp(mutant, rpcrdma_requirements[here].id) != 0)
        __real_rpcrdma_break_rule(review, rule, offset, reactions, format, a, b, c);
}
