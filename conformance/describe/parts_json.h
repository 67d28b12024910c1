// SPDX-License-Identifier: BSD-3-Clause
/* A Send and parts of a judgement as JSON, for `check --json` and for the library. */
#ifndef CONFORMANCE_PARTS_JSON_H
#define CONFORMANCE_PARTS_JSON_H

#include "conformance/describe/json.h"

#include <rpcrdma/check.h>

/* What the checker read in a Send; null where it is too short, and for events other than Sends. */
void rpcrdma_judgement_put_read(struct json *json, const struct rpcrdma_judgement *judgement,
                                bool is_send);

/* The keys of a finding. */
void rpcrdma_finding_put(struct json *json, const struct rpcrdma_finding *finding,
                         const struct rpcrdma_event *event);

/* All null for version 1. */
void rpcrdma_judgement_put_version2(struct json *json, const struct rpcrdma_judgement *judgement,
                                    bool is_send);

/* The keys of a Send, from "draft" to "error". Returns whether it decodes. */
bool rpcrdma_send_put(struct json *json, const struct rpcrdma_event *event);

#endif
