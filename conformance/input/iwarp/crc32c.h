// SPDX-License-Identifier: BSD-3-Clause
/* CRC32C, the check sum of MPA. */
#ifndef CONFORMANCE_IWARP_CRC32C_H
#define CONFORMANCE_IWARP_CRC32C_H

#include <stddef.h>
#include <stdint.h>

#define CRC32C_BEGIN UINT32_MAX

/* Continue with these octets; the first time with CRC32C_BEGIN. */
uint32_t crc32c_add(uint32_t crc, const uint8_t *octets, size_t count);

/* The check sum as a number in network byte order. */
uint32_t crc32c_end(uint32_t crc);

#endif
