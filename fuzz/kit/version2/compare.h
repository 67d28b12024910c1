// SPDX-License-Identifier: BSD-3-Clause
/* What a parser of version 2 answered, compared with the checker's judgement by that draft. */
#ifndef FUZZ_KIT_COMPARE2_H
#define FUZZ_KIT_COMPARE2_H

#include "conformance/report/results/tolerance.h"
#include "fuzz/kit/kit.h"
#include "fuzz/kit/table.h"

#include <rpcrdma/check.h>

struct question2 {
    const uint8_t *octets;
    size_t length;
    enum rpcrdma_protocol draft; /* of version 2 */
    bool is_reply;
    struct rpcrdma_judgement judgement;
    unsigned open; /* reactions that are open or tolerated */
};

/* Judge one Send by itself, on a connection of that draft whose beginning was not seen. */
void compare2_judge(struct question2 *question, const struct tolerance *tolerance);

/* The rule that keeps the Send from being taken in, if there is one that is not expected to be
 * overlooked; or "". */
const char *compare2_rule(const struct question2 *question);

/* False if the answer is one of those that are open. */
bool compare2_disagrees(const struct question2 *question, struct kit_answer answer,
                        struct disagreement *found);

#endif
