// SPDX-License-Identifier: BSD-3-Clause
/* Calls of an NFSv4 server, and their Replies: names alone. The checker applies no binding to them:
 * none of their items is eligible (RFC 8267, 6.5). */
#ifndef CONFORMANCE_CALLBACK_H
#define CONFORMANCE_CALLBACK_H

#include <rpcrdma/binding.h>

/* Of whatever program a client has named. */
extern const struct rpcrdma_binding callback_binding;

#endif
