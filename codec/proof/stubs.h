// SPDX-License-Identifier: BSD-3-Clause
/*
 * What Frama-C does not know of gcc, in C; and where the octets end. The input is the last `length`
 * octets of one object, so that its end is the same address for all lengths: an octet read too far
 * is an octet outside the object, whatever the length.
 */
#ifndef CODEC_PROOF_STUBS_H
#define CODEC_PROOF_STUBS_H

#include <stdint.h>
#include <string.h>

#define __builtin_memcpy memcpy

static inline uint32_t proof_bswap32(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

static inline uint64_t proof_bswap64(uint64_t x)
{
    return (uint64_t)proof_bswap32((uint32_t)x) << 32 | proof_bswap32((uint32_t)(x >> 32));
}

#define __builtin_bswap32 proof_bswap32
#define __builtin_bswap64 proof_bswap64

#ifdef PROOF_LENGTH
extern uint8_t proof_octets[PROOF_LENGTH];
#define rpcrdma_xdr_end(buf, length)                                                               \
    ((void)(buf), (void)(length), (const uint8_t *)proof_octets + PROOF_LENGTH)
#endif

#endif
