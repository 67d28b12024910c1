// SPDX-License-Identifier: BSD-3-Clause
/* Calls in the reverse direction (RFC 8167), as far as a small client of NFS version 4.1 gets them:
 * the server asks by NULL whether its back channel works, and recalls a delegation. */
#ifndef HARNESS_REVERSE_H
#define HARNESS_REVERSE_H

#include "rxe-harness/requester/requester.h"

#include <rpcrdma/rpc_header.h>

#define REVERSE_PROGRAM 0x40000000u /* of the callbacks */
#define REVERSE_VERSION 1u
#define REVERSE_CREDITS 8 /* that the server is granted for its Calls */

/* The accept_stat for such a Call, if it is no CB_COMPOUND that is executed: there is NULL of one
 * program. */
uint32_t requester_answer_status(const struct rpcrdma_rpc_header *rpc);
/* The message that came last, if it is a Call of the server's: answer it. False: it is none. A
 * recalled delegation is noted, and the caller's to give back. */
bool requester_answer_call(struct requester *requester);

#endif
