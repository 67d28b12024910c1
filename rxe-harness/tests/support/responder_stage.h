// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder as the peer of a loopback, which may call its client back. */
#ifndef HARNESS_TEST_RESPONDER_STAGE_H
#define HARNESS_TEST_RESPONDER_STAGE_H

#include "rxe-harness/responder/responder.h"

struct responder_stage {
    enum rpcrdma_protocol draft;  /* of version 2; RPCRDMA_PROTOCOL_AUTO: version 1 alone */
    unsigned every;               /* Calls between reverse Calls; 0: there are none */
    struct responder *responder;  /* on the connection at hand */
    struct responder_calls calls; /* on the last connection that ended */
};

/* What connects to it meets the stage, which has to outlive the transport. */
struct transport *responder_stage_open(struct responder_stage *stage);

#endif
