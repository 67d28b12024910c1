// SPDX-License-Identifier: BSD-3-Clause
/* CRC32C (Castagnoli), reflected, eight octets at a time. */
#include "conformance/input/iwarp/crc32c.h"

#include <stdbool.h>

#define POLYNOMIAL 0x82f63b78u
#define SLICES 8

/* table[n][octet]: what an octet does to the register once n more octets have followed. */
static uint32_t table[SLICES][256];

static void make_table(void)
{
    static bool made;
    if (made)
        return;
    for (uint32_t octet = 0; octet < 256; octet++) {
        uint32_t crc = octet;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        table[0][octet] = crc;
    }
    for (int n = 1; n < SLICES; n++)
        for (uint32_t octet = 0; octet < 256; octet++) {
            uint32_t before = table[n - 1][octet];
            table[n][octet] = before >> 8 ^ table[0][before & 255];
        }
    made = true;
}

uint32_t crc32c_add(uint32_t crc, const uint8_t *octets, size_t count)
{
    make_table();
    for (; count >= SLICES; count -= SLICES, octets += SLICES)
        crc = table[7][(crc ^ octets[0]) & 255] ^ table[6][(crc >> 8 ^ octets[1]) & 255] ^
              table[5][(crc >> 16 ^ octets[2]) & 255] ^ table[4][crc >> 24 ^ octets[3]] ^
              table[3][octets[4]] ^ table[2][octets[5]] ^ table[1][octets[6]] ^ table[0][octets[7]];
    for (; count > 0; count--, octets++)
        crc = crc >> 8 ^ table[0][(crc ^ octets[0]) & 255];
    return crc;
}

uint32_t crc32c_end(uint32_t crc)
{
    crc = ~crc;
    return crc >> 24 | (crc >> 8 & 0xff00) | (crc << 8 & 0xff0000) | crc << 24;
}
