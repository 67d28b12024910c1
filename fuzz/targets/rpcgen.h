// SPDX-License-Identifier: BSD-3-Clause
/*
 * The codec that rpcgen makes of the same XDR, made safe to ask: it recurses once for each list
 * entry and reserves what a count says before it looks for it.
 */
#ifndef FUZZ_RPCGEN_H
#define FUZZ_RPCGEN_H

#include <rpc/rpc.h>
#include <rfc8166.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Octets of input with which its recursion stays within a small stack. */
#define RPCGEN_SIZE_MAX 65536

/* Whether its decoder can be given these octets: every count that it would come to fits after
 * itself, or is small. It reads leniently, as that decoder does. */
bool rpcgen_is_safe(const uint8_t *octets, size_t length);

/* Decode; the octets taken, or -1. Free *message with rpcgen_free() in either case. */
ptrdiff_t rpcgen_decode(rdma_msg *message, const uint8_t *octets, size_t length);
void rpcgen_free(rdma_msg *message);

#endif
