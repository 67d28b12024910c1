// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule of draft -07 in one Send of a random conversation. */
#ifndef CONFORMANCE_TESTS_BREAKS2_H
#define CONFORMANCE_TESTS_BREAKS2_H

#include "conformance/tests/support/version2/conversation.h"

struct talk2_break {
    const char *name, *rule; /* of rpcrdma2-07 */
    uint32_t types;          /* of headers that it fits, a bit each */
    bool (*spoil)(struct talk2_flight *flight);
};

/* Up to one without a name. */
extern const struct talk2_break talk2_breaks[];

/* False if this Send is not fit for it, and is as it was. */
bool talk2_break(const struct talk2_break *kind, struct talk2 *talk, struct talk2_flight *flight);

#endif
