// SPDX-License-Identifier: BSD-3-Clause
/* What a parser answered, compared with the checker's judgement; and how a disagreement is named.
 */
#ifndef FUZZ_KIT_COMPARE_H
#define FUZZ_KIT_COMPARE_H

#include "conformance/run/tolerance.h"
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

/* Whether all that is wrong with the Send is expected of this parser: then it is not asked. */
bool compare_is_known(const struct question *question);

/* The rule that the Send breaks first, as a name, or "". */
void compare_rule(const struct question *question, char name[KIT_NAME]);

/* False if the answer is one of those that are open. */
bool compare_disagrees(const struct question *question, struct kit_answer answer,
                       struct disagreement *found);

#endif
