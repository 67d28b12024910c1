// SPDX-License-Identifier: BSD-3-Clause
/*
 * Reference decoders, which rpcgen makes of the same XDR for libtirpc: how many octets of a Send
 * each takes for the header. The header of -07 is read type by type, as its text says; where a type
 * ends with the first word of the RPC message, that word is one of them.
 */
#ifndef CODEC_TESTS_REFERENCE_H
#define CODEC_TESTS_REFERENCE_H

#include <stddef.h>

#define REFERENCE_REFUSES (-1)
#define REFERENCE_DIFFERS (-2) /* it takes it, but would write other octets */

long reference_rfc8166(const void *octets, size_t length);
long reference_rpcrdma2_04(const void *octets, size_t length);
long reference_rpcrdma2_07(const void *octets, size_t length);

/* ---- for these functions ---- */

/* The octets that an XDR function takes for a value of `size` octets, and writes
 * again. `xdr` is a bool_t (*)(XDR *, TYPE *). */
long reference_read(void (*xdr)(void), size_t size, const void *octets, size_t length);

#endif
