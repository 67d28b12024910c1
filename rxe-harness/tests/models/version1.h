// SPDX-License-Identifier: BSD-3-Clause
/* Sends of version 1, as the other side of a model makes them and reads ours. */
#ifndef HARNESS_TEST_MODELS_VERSION1_H
#define HARNESS_TEST_MODELS_VERSION1_H

#include "rxe-harness/tests/models/tree.h"

#include <rpcrdma/rpcrdma.h>

enum { SEND_MAX = 256, RPC_CALL = 40, RPC_REPLY = 24 };

/* What a Call offers of its memory; or what its Reply returns of it. */
struct offered {
    unsigned kind; /* of chunk; there is one segment */
    struct rpcrdma1_segment segment;
    uint32_t position;
};

uint32_t xid_of(const struct seen *seen);
/* The header, and after it the octets of an RPC message. Returns the length of the Send. */
size_t make_send(uint8_t octets[SEND_MAX], const struct seen *seen, const struct offered *offered,
                 const uint8_t *rpc, size_t length);
size_t make_rpc_call(uint8_t octets[RPC_CALL], uint32_t xid, uint32_t program, uint32_t version,
                     uint32_t procedure);
size_t make_rpc_reply(uint8_t octets[RPC_REPLY], uint32_t xid);
/* What a Send of ours is in the tree, `full` being all the credits that it can have; the octets of
 * its RPC message begin at *payload. Says what is wrong with it. */
struct seen read_send(const uint8_t *octets, size_t length, uint32_t full, struct offered *offered,
                      size_t *payload);

#endif
