// SPDX-License-Identifier: BSD-3-Clause
/* What a parser answered, compared with the checker's judgement; and how a disagreement is named.
 */
#ifndef FUZZ_KIT_COMPARE_H
#define FUZZ_KIT_COMPARE_H

#include "conformance/report/results/tolerance.h"
#include "fuzz/kit/table.h"

struct question {
    const uint8_t *octets;
    size_t length;
    bool is_reply;
    struct rpcrdma_judgement judgement;
    unsigned open; /* reactions that are open or tolerated */
};

/* Judge one Send by itself, on a connection whose beginning was not seen. */
void compare_judge(struct question *question, const struct tolerance *tolerance);

/* The rule that keeps the Send from being taken in, as a name, or "". Where there are several it is
 * the first that is not expected: one that is means that all are. */
void compare_rule(const struct question *question, char name[KIT_NAME]);

/* False if the answer is one of those that are open. */
bool compare_disagrees(const struct question *question, struct kit_answer answer,
                       struct disagreement *found);

#endif
