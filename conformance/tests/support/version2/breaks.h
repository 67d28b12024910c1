// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule of a draft in one Send of a random conversation. */
#ifndef CONFORMANCE_TESTS_BREAKS2_H
#define CONFORMANCE_TESTS_BREAKS2_H

#include "conformance/tests/support/version2/layout.h"

/* Of -07 and of -04: the rule, or NULL if it is no break there; types of headers that it fits, a
 * bit each. One of the functions is there, and returns false if the Send is not fit. */
struct talk2_break {
    const char *name, *rule[2];
    uint32_t types[2];
    bool (*spoil)(struct talk2_flight *flight);
    bool (*spoil_at)(struct talk2_flight *flight, const struct layout *at);
};

#define D07 "rpcrdma2-07/"
#define D04 "rpcrdma2-04/"

/* Up to one without a name: in first words and what is not RPC; in chunk lists; in RPC messages. */
extern const struct talk2_break talk2_breaks[], talk2_list_breaks[], talk2_message_breaks[];

/* False if this Send is not fit for it, and is as it was. */
bool talk2_break(const struct talk2_break *kind, struct talk2 *talk, struct talk2_flight *flight);

/* In a conversation of this draft; or NULL. */
static inline const char *talk2_broken_rule(const struct talk2_break *kind,
                                            const struct talk2 *talk)
{
    return kind->rule[talk->protocol != RPCRDMA_PROTOCOL_2_07];
}

#endif
