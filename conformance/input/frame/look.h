// SPDX-License-Identifier: BSD-3-Clause
/* What a Send looks like, if nothing else of its connection is known. */
#ifndef CONFORMANCE_FRAME_LOOK_H
#define CONFORMANCE_FRAME_LOOK_H

#include <rpcrdma/message.h>

#include <stddef.h>
#include <stdint.h>

/* A Long Call may come from either side: what it calls is in its chunk. */
enum look { LOOKS_OTHER, LOOKS_CALL, LOOKS_LONG_CALL, LOOKS_REPLY, LOOKS_CALLBACK };

/* Decode the header at the start of a Send, of version 2 by the draft that it shows. Returns false
 * where it does not decode, or has another version. */
bool look_decode(struct rpcrdma_message *message, const uint8_t *octets, size_t length);

/* A Send of `total` octets of which `recorded` are at hand; and one whose header was decoded. */
enum look look_at(const uint8_t *octets, size_t recorded, size_t total);
enum look look_at_decoded(const struct rpcrdma_message *message, const uint8_t *octets,
                          size_t recorded, size_t total);

#endif
