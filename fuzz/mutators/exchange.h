// SPDX-License-Identifier: BSD-3-Clause
/* NFS Calls and their Replies, small, for conversations to begin with. */
#ifndef FUZZ_EXCHANGE_H
#define FUZZ_EXCHANGE_H

#include "fuzz/mutators/mutator.h"

#include <rpcrdma/check.h>

/* Octets of a message made here, at most. */
#define EXCHANGE_MAX 512

/* One of the exchanges that there are, as two or three events, of which the octets lie in `rooms`;
 * returns how many. Chance says what goes by chunk, and under which security. */
unsigned make_exchange(struct rpcrdma_event events[3], uint8_t rooms[3][EXCHANGE_MAX],
                       struct chance *chance);

#endif
