// SPDX-License-Identifier: BSD-3-Clause
/* For WP: loads and stores octet by octet, and memcpy by its contract. */
#ifndef CODEC_PROOF_WP_STUBS_H
#define CODEC_PROOF_WP_STUBS_H

#include <stddef.h>
#include <stdint.h>

#undef __BYTE_ORDER__
#define __BYTE_ORDER__ 0

/*@ requires \valid(to + (0 .. size - 1)) && \valid_read(from + (0 .. size - 1));
    assigns to[0 .. size - 1];
    exits \false; */
void proof_copy(uint8_t *to, const uint8_t *from, size_t size);
#define __builtin_memcpy(to, from, size) proof_copy((uint8_t *)(to), (const uint8_t *)(from), size)

#endif
