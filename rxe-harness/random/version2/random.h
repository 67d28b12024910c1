// SPDX-License-Identifier: BSD-3-Clause
/* What the files of random conversations share of version 2. */
#ifndef HARNESS_RANDOM_VERSION2_RANDOM_H
#define HARNESS_RANDOM_VERSION2_RANDOM_H

#include "rxe-harness/random/random.h"

/* The last Send of a Call, changed as the step says; returns its length. */
size_t random2_change_octets(const struct random_step *step, enum rpcrdma_protocol draft,
                             uint8_t octets[REQUESTER_INLINE], size_t length);

/* The last Send of a Call as it went. */
struct random2_sent {
    unsigned open; /* what the checker says that it leaves open */
    int broken;    /* the first rule that it breaks, or -1 */
    uint8_t octets[REQUESTER_INLINE];
    size_t length;
};
/* What the peer may do with the Call. */
unsigned random2_allowed(const struct random_step *step, enum rpcrdma_protocol draft,
                         const struct random2_sent *sent);

random_player random2_play;

#endif
