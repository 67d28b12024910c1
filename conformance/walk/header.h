// SPDX-License-Identifier: BSD-3-Clause
/* A walk over the transport header of any version, with the names that its specification gives. */
#ifndef CONFORMANCE_WALK_HEADER_H
#define CONFORMANCE_WALK_HEADER_H

#include "conformance/walk/walk.h"

#include <rpcrdma/message.h>

/*
 * Visit every field of the header at the start of a Send, as rpcrdma_walk() does. Returns where the
 * payload begins, or -1. Of -07, whose XDR describes prefix and body apart and counts the first
 * word of the RPC message to some bodies, the fields are those of one header without that word.
 *
 * A field that is a plain number but has a named value has the name in `text`: a type or an error
 * code of -07, and the id of a property. The value of a property that is one word is in `value`.
 */
ptrdiff_t rpcrdma_walk_header(enum rpcrdma_protocol protocol, const void *octets, size_t length,
                              walk_visitor *visit, void *arg, struct walk_error *error);

#endif
