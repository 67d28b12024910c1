// SPDX-License-Identifier: BSD-3-Clause
/* A Call in the reverse direction (RFC 8167): its headers. */
#ifndef HARNESS_RESPONDER_REVERSE_CALL_H
#define HARNESS_RESPONDER_REVERSE_CALL_H

#include "rxe-harness/responder/nfs4.h"

#include <rpcrdma/rpcrdma1.h>

#define REVERSE_OCTETS 768 /* of a Call */

struct nfs4_call {
    uint32_t xid, procedure, credits;
    const struct nfs4_back_channel *channel;
    const struct rpcrdma1_write_chunk *chunk; /* or NULL */
};

/* Returns the octets that its arguments follow. */
size_t reverse_call_encode(uint8_t octets[REVERSE_OCTETS], const struct nfs4_call *call);

#endif
