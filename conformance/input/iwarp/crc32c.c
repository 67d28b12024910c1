// SPDX-License-Identifier: BSD-3-Clause
/* CRC32C (Castagnoli), reflected, four bits at a time. */
#include "conformance/input/iwarp/crc32c.h"

/* What four bits do to the register: the polynomial 0x82f63b78, shifted out of each. */
static const uint32_t step[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t crc32c_add(uint32_t crc, const uint8_t *octets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        crc ^= octets[i];
        crc = crc >> 4 ^ step[crc & 15];
        crc = crc >> 4 ^ step[crc & 15];
    }
    return crc;
}

uint32_t crc32c_end(uint32_t crc)
{
    crc = ~crc;
    return crc >> 24 | (crc >> 8 & 0xff00) | (crc << 8 & 0xff0000) | crc << 24;
}
