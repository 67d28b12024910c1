// SPDX-License-Identifier: BSD-3-Clause
/* Running vectors: against our own checker, or against somebody else's parser. */
#ifndef CONFORMANCE_RUN_H
#define CONFORMANCE_RUN_H

#include "conformance/run/corpus.h"
#include "conformance/report/results.h"
#include "conformance/run/testee.h"

/* One event of a vector, judged by the checker, with its result as far as it is told by the vector:
 * how it ended is for the visitor to say. */
struct run_event {
    const struct vector_file *file;
    const struct vector_test *test;
    const struct vector_event *event;
    size_t index;
    bool either_role; /* calls go both ways: a Send that shows no direction may be of either */
    const struct rpcrdma_judgement *verdict;
    struct result *result;
};
typedef void run_visitor(void *arg, const struct run_event *event);

/* Judge all vectors, connection by connection. */
void run_visit(const struct corpus *corpus, struct results *results, run_visitor *visit, void *arg);

/* The reactions that a vector leaves open: its own, or else the checker's. */
unsigned run_reactions(const struct run_event *event);

/* "process, discard" */
void run_print_reactions(FILE *out, unsigned reactions);

void run_checker(const struct corpus *corpus, struct results *results);

/* Returns false after a complaint that the testee cannot be started at all. */
bool run_testee(const struct corpus *corpus, const struct testee_options *options,
                struct progress *progress, struct results *results);

#endif
