// SPDX-License-Identifier: BSD-3-Clause
/*
 * The parts of a Send, field by field: the transport header of whichever version it names, and the
 * RPC header of an RPC message that follows it.
 */
#ifndef CONFORMANCE_SEND_H
#define CONFORMANCE_SEND_H

#include "conformance/walk/walk.h"

#include <rpcrdma/check.h>

/* Why a part does not decode. */
struct send_fault {
    bool found;
    size_t offset; /* in the Send */
    char field[sizeof((struct walk_error *)NULL)->path];
    char text[160];
};

struct send {
    const uint8_t *data;
    size_t length, missing;  /* octets recorded, and those that were not */
    struct send_fault fault; /* the first one */
};

struct send send_of(const struct rpcrdma_event *event);

/* Visit the transport header. Returns its length, or -1 with send->fault filled. */
ptrdiff_t send_walk_header(struct send *send, walk_visitor *visit, void *arg);

/* Whether the header, of that length, is that of an RDMA_MSG, so that an RPC message follows. */
bool send_has_rpc(const struct send *send, ptrdiff_t header_length);

/* Visit the RPC header at `offset`; the fields' offsets count from the start of the Send. Returns
 * its length, or -1 with send->fault filled. */
ptrdiff_t send_walk_rpc(struct send *send, size_t offset, walk_visitor *visit, void *arg);

/* Whether a field has octets of its own: everything but the opening and closing of structures. */
bool field_is_leaf(const struct walk_field *field);

/* The name that version 1 gives a procedure (rdma_proc), or NULL. */
const char *procedure_name(uint32_t procedure);

#endif
