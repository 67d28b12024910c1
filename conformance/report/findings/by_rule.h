// SPDX-License-Identifier: BSD-3-Clause
/* Findings by rule and side: how many, and where the first and the last of them are. */
#ifndef CONFORMANCE_BY_RULE_H
#define CONFORMANCE_BY_RULE_H

#include "conformance/describe/json.h"
#include "conformance/decode/place.h"
#include "conformance/base/terminal.h"

/* Findings of a rule and a side that are printed, unless all are. */
enum { BY_RULE_PRINTED = 3 };

struct by_rule_row {
    uint64_t count, violations;     /* of all, and of these which are that grave */
    enum rpcrdma_severity severity; /* the highest */
    struct place first, last;       /* by frame, where there are frames */
    char text[256];                 /* of the first */
};

/* Who broke rules as one of the two sides, by violations: the first address, and whether there are
 * others. */
struct by_rule_peer {
    char name[128];
    bool others;
};

struct by_rule {
    struct by_rule_row rows[RPCRDMA_RULES][2]; /* by the endpoint that broke the rule */
    struct by_rule_peer peers[2];
};

/* Take down a finding. Returns how many there are now of its rule and side. */
uint64_t by_rule_add(struct by_rule *by_rule, const struct rpcrdma_finding *finding,
                     const struct source_event *event);

/* Visit the rows that are not empty: the most severe first, then those with most findings. */
void by_rule_visit(const struct by_rule *by_rule,
                   void (*visit)(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                                 const struct by_rule_row *row),
                   void *arg);

/* Which side is at fault, and by how many violations of how many rules, between these two texts:
 * "the server, 192.0.2.1: 70 violations of 1 rule". Without violations nothing. */
void by_rule_blame(FILE *out, const struct by_rule *by_rule, const char *before, const char *after);

/* `several`: there are several files, and places name theirs. Not all findings were printed unless
 * `all`. */
void by_rule_print(FILE *out, const struct style *style, const struct by_rule *by_rule,
                   bool several, bool all);
/* The key "rules". */
void by_rule_json(struct json *json, const struct by_rule *by_rule);

#endif
