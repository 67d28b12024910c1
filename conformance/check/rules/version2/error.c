// SPDX-License-Identifier: BSD-3-Clause
/* The octets of an error of version 2: section 7 of -07, section 6.2.4 of -04. */
#include "conformance/check/rules/rules.h"

#include <rpcrdma/rpcrdma2_07.h>

/* The last code that either draft defines. */
#define CODES RPCRDMA2_07_ERR_SYSTEM

static uint32_t code_of(enum rpcrdma_protocol protocol, enum rpcrdma_reaction reaction)
{
    for (uint32_t code = 0; code <= CODES; code++)
        if (rpcrdma_reaction_of_error(protocol, code) == (uint32_t)reaction)
            return code;
    return 0;
}

ptrdiff_t rpcrdma_encode_error2(enum rpcrdma_protocol draft, uint8_t *answer,
                                const struct rpcrdma_prefix *prefix, enum rpcrdma_reaction reaction)
{
    uint32_t code = code_of(draft, reaction);
    bool is_version =
        code == RPCRDMA2_07_ERR_VERS; /* of those that are chosen the one with values */
    const struct rpcrdma_message message = {
        .prefix = *prefix,
        .error = {.code = code,
                  .values = is_version ? 2 : 0,
                  .value = {RPCRDMA_VERSION_2, RPCRDMA_VERSION_2}}};
    return rpcrdma_error_encode(answer, RPCRDMA_ANSWER_MAX, &message);
}
