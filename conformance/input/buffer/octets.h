// SPDX-License-Identifier: BSD-3-Clause
/* Numbers in network byte order. */
#ifndef CONFORMANCE_BUFFER_OCTETS_H
#define CONFORMANCE_BUFFER_OCTETS_H

#include <stdint.h>

static inline uint32_t load_be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t load_be24(const uint8_t *p)
{
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline uint32_t load_be32(const uint8_t *p)
{
    return load_be16(p) << 16 | load_be16(p + 2);
}

static inline uint64_t load_be64(const uint8_t *p)
{
    return (uint64_t)load_be32(p) << 32 | load_be32(p + 4);
}

#endif
