// SPDX-License-Identifier: BSD-3-Clause
/*
 * The parts of a Send, field by field: the transport header of whichever version it names, and the
 * RPC header of an RPC message that follows it.
 */
#ifndef CONFORMANCE_SEND_H
#define CONFORMANCE_SEND_H

#include "conformance/walk/header.h"

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
    size_t length, missing;         /* octets recorded, and those that were not */
    enum rpcrdma_protocol protocol; /* by which it is read */
    bool draft_sure;                /* version 2: the draft is known */
    struct send_fault fault;        /* the first one */
};

struct send rpcrdma_send_of(const struct rpcrdma_event *event);

/* What follows a header of that length. */
enum send_rest {
    SEND_REST_NONE,     /* no RPC message: what follows does not belong there */
    SEND_REST_RPC,      /* the RPC message, or its first piece */
    SEND_REST_CONTINUED /* a later piece of one */
};
enum send_rest rpcrdma_send_rest(const struct send *send, ptrdiff_t header_length);

/* Visit the transport header. Returns its length, or -1 with send->fault filled. */
ptrdiff_t rpcrdma_send_walk_header(struct send *send, walk_visitor *visit, void *arg);

/* Visit the RPC header at `offset`; the fields' offsets count from the start of the Send. Returns
 * its length, or -1 with send->fault filled. Of a piece that ends within the RPC header, the octets
 * of the fields before that. */
ptrdiff_t rpcrdma_send_walk_rpc(struct send *send, size_t offset, walk_visitor *visit, void *arg);

/* Whether a field has octets of its own: everything but the opening and closing of structures. */
bool rpcrdma_field_is_leaf(const struct walk_field *field);

/* "04" or "07"; NULL for version 1. */
const char *rpcrdma_draft_name(enum rpcrdma_protocol protocol);

#endif
