// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONFORMANCE_SEND_JSON_H
#define CONFORMANCE_SEND_JSON_H

#include "conformance/describe/json.h"

#include <rpcrdma/check.h>

/* The keys of a Send, from "draft" to "error". Returns whether it decodes. */
bool rpcrdma_send_put(struct json *json, const struct rpcrdma_event *event);

#endif
