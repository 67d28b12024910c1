// SPDX-License-Identifier: BSD-3-Clause
/* What the files of random conversations share of version 2. */
#ifndef HARNESS_RANDOM_VERSION2_H
#define HARNESS_RANDOM_VERSION2_H

#include "rxe-harness/random/random.h"

/* The last Send of a Call, changed as the step says; returns its length. */
size_t random_change_octets2(const struct random_step *step, enum rpcrdma_protocol draft,
                             uint8_t octets[REQUESTER_INLINE], size_t length);

/* The last Send of a Call as it went. */
struct random_sent2 {
    unsigned open; /* what the checker says that it leaves open */
    int broken;    /* the first rule that it breaks, or -1 */
    uint8_t octets[REQUESTER_INLINE];
    size_t length;
};
/* What the peer may do with the Call. */
unsigned random_allowed2(const struct random_step *step, enum rpcrdma_protocol draft,
                         const struct random_sent2 *sent);

bool random_play2(struct probe *probe, const struct random_conversation *conversation,
                  struct random_failure *failure, uint64_t *calls);

#endif
