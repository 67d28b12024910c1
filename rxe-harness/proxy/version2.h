// SPDX-License-Identifier: BSD-3-Clause
/* What the proxy changes in Sends of version 2. */
#ifndef HARNESS_PROXY_VERSION2_H
#define HARNESS_PROXY_VERSION2_H

#include <rpcrdma/message.h>

/* A side is not told of longer Sends than these octets, which the proxy takes. Another message than
 * one of properties stays as it is. */
void proxy2_limit_properties(uint8_t *octets, enum rpcrdma_protocol protocol, size_t length,
                             uint32_t limit);
/* The handle that a Call lets the other side invalidate; of version 1, which names none, nothing is
 * changed. */
void proxy2_name_handle(uint8_t *octets, const struct rpcrdma_message *message, uint32_t handle);

#endif
