// SPDX-License-Identifier: BSD-3-Clause
/* Headers and properties of version 2, for the walk. */
#ifndef CONFORMANCE_WALK_VERSION2_H
#define CONFORMANCE_WALK_VERSION2_H

#include "conformance/walk/walk.h"

#include <rpcrdma/message.h>

/* What follows the prefix in a message of -07 of this type; NULL: nothing does, or the type is not
 * known. */
const struct xdr_type *rpcrdma_walk2_body(uint32_t type);
bool rpcrdma_walk2_has_no_body(uint32_t type);

/* Whether the body's last word is the first of the RPC message. */
bool rpcrdma_walk2_has_first_word(uint32_t type);

/* A known property whose value is one word; the one for reverse-direction support. */
bool rpcrdma_walk2_is_word(enum rpcrdma_protocol draft, uint32_t property);
bool rpcrdma_walk2_is_reverse_support(enum rpcrdma_protocol draft, uint32_t property);

#endif
