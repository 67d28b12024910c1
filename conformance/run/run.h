// SPDX-License-Identifier: BSD-3-Clause
/* Running vectors: against our own checker, or against somebody else's parser. */
#ifndef CONFORMANCE_RUN_H
#define CONFORMANCE_RUN_H

#include "conformance/base/chosen.h"
#include "conformance/describe/json.h"
#include "conformance/run/corpus.h"
#include "conformance/report/results/results.h"
#include "conformance/run/testee/dialogue.h"
#include "conformance/report/results/tolerance.h"

/* One event of a vector, judged by the checker, with its result as far as the vector gives it:
 * how it ended is for the visitor to say. */
struct run_event {
    const struct vector_file *file;
    const struct vector_test *test;
    const struct vector_event *event;
    size_t index;
    bool either_role; /* calls go both ways: a Send that shows no direction may be of either */
    const struct rpcrdma_judgement *judgement;
    struct result *result;
};
typedef void run_visitor(void *arg, const struct run_event *event);

/* Which vectors are run: those that one of the words names, as an id or a rule; NULL: all. */
struct run_filter {
    struct chosen cases, rules;
};

/* Drop the others from the corpus. Returns a case that no vector is, or a rule that none is about;
 * or NULL. */
const char *run_select(struct corpus *corpus, struct run_filter *filter);

/* Whether a vector is called so, or is about the rule of this id. */
bool run_has(const struct corpus *corpus, const char *word);

/* What --list tells of a case. */
struct run_listed {
    const char *subject, *id, *comment, *rule, *hazard; /* rule and hazard may be NULL */
    bool breaks;                                        /* the rule */
};
/* As a line of JSON, or if that is NULL as text, below its subject where that is another than the
 * one `before`, which is NULL at first. */
void run_list_case(const struct run_listed *listed, const char *before, struct json *json);

/* So all vectors, each below the file that it is from. */
void run_list(const struct corpus *corpus, struct json *json);

/* Judge all vectors, connection by connection. */
void run_visit(const struct corpus *corpus, struct results *results, run_visitor *visit, void *arg);

/* The reactions that a vector leaves open: its own, or else the checker's. */
unsigned run_reactions(const struct run_event *event);

/* "process, discard" */
void run_print_reactions(FILE *out, unsigned reactions);

/* The ladder of a result: its vector's events, up to the one that it is about and beyond. For
 * struct results, with the corpus. */
void run_draw(FILE *out, const struct result *result, const void *corpus);

void run_checker(const struct corpus *corpus, struct results *results);

/* How somebody else's parser is asked. */
struct testee_settings {
    struct testee_options process;
    struct tolerance tolerance;
    bool decode;   /* as a codec: "decode HEX" */
    bool context;  /* with the direction, and with the Call that a Reply answers */
    uint32_t seed; /* of the opening vector */
};

/* Print the lines that a testee would be asked, one a vector's event. */
void run_print_lines(const struct corpus *corpus, const struct testee_settings *settings,
                     FILE *out);

/* Returns false, with one line in `error`, where the testee cannot be started at all. */
bool run_testee(const struct corpus *corpus, const struct testee_settings *settings,
                struct progress *progress, struct results *results, char *error, size_t error_size);

#endif
