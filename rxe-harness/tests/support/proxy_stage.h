// SPDX-License-Identifier: BSD-3-Clause
/* The proxy as the peer of a loopback, between its clients and a target. */
#ifndef HARNESS_TEST_PROXY_STAGE_H
#define HARNESS_TEST_PROXY_STAGE_H

#include "rxe-harness/proxy/proxy.h"

/* Set what is to be set of it before a client connects. */
extern struct proxy proxy;

#define PROXY_STAGE_CONNECTIONS 64 /* at once */

/* Where clients connect. The target is closed with the stage. */
struct transport *proxy_stage_open(struct transport *target, enum rpcrdma_protocol draft);
void proxy_stage_close(struct transport *transport);
/* No connection is relayed any more. */
bool proxy_stage_gone(void);
/* Findings about this side, "client" or "server". */
unsigned proxy_stage_accused(const char *side);

#endif
