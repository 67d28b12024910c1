// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/input/frame/icrc.h"

#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0xedb88320u /* of Ethernet, the least significant bit first */

enum {
    LOCAL_ROUTE = 8, /* octets of a local route header that RoCE has not: ones */
    UDP_SIZE = 8,
    BASE_SIZE = 12,
    IP4_SIZE = 20,
    IP4_TOS = 1,
    IP4_TTL = 8,
    IP4_CHECK_SUM = 10,
    IP4_IDENTIFICATION = 4,
    IP6_HOP_LIMIT = 7,
    UDP_CHECK_SUM = 6,
    BASE_RESERVED = 4, /* congestion bits are in it */
    HEAD_MAX = LOCAL_ROUTE + 40 + UDP_SIZE + BASE_SIZE,
};

/* table[n][i]: an octet i, followed by n octets of zero. */
static uint32_t table[8][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
        table[0][i] = value;
    }
    for (int n = 1; n < 8; n++)
        for (int i = 0; i < 256; i++)
            table[n][i] = table[n - 1][i] >> 8 ^ table[0][table[n - 1][i] & 0xff];
}

static uint32_t add(uint32_t crc, const uint8_t *p, size_t length)
{
    for (; length >= 8; p += 8, length -= 8) {
        crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        crc = table[7][crc & 0xff] ^ table[6][crc >> 8 & 0xff] ^ table[5][crc >> 16 & 0xff] ^
              table[4][crc >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^
              table[0][p[7]];
    }
    for (; length > 0; p++, length--)
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
    return crc;
}

/* What routers and switches may change counts as ones. */
static size_t mask_headers(uint8_t head[HEAD_MAX], const uint8_t *ip, size_t ip_length)
{
    uint8_t *at = head + LOCAL_ROUTE, *udp = at + ip_length;
    memset(head, 0xff, LOCAL_ROUTE);
    memcpy(at, ip, ip_length + UDP_SIZE + BASE_SIZE);
    if (ip_length == IP4_SIZE) {
        at[IP4_TOS] = at[IP4_TTL] = 0xff;
        memset(at + IP4_CHECK_SUM, 0xff, 2);
    } else {
        at[0] |= 0x0f; /* traffic class and flow label */
        memset(at + 1, 0xff, 3);
        at[IP6_HOP_LIMIT] = 0xff;
    }
    memset(udp + UDP_CHECK_SUM, 0xff, 2);
    udp[UDP_SIZE + BASE_RESERVED] = 0xff;
    return LOCAL_ROUTE + ip_length + UDP_SIZE + BASE_SIZE;
}

uint32_t icrc_compute(const uint8_t *ip, size_t ip_length, size_t length)
{
    uint8_t head[HEAD_MAX];
    size_t size = mask_headers(head, ip, ip_length), covered = size - LOCAL_ROUTE;
    pthread_once(&made, make_table);
    return ~add(add(UINT32_MAX, head, size), ip + covered, length - covered);
}

/* ---- the identification that is not known ---- */

/* The product of two polynomials modulo that of the CRC; bit 31 is the coefficient of x^0. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit != 0; bit >>= 1) {
        if (a & bit)
            product ^= b;
        b = b >> 1 ^ (b & 1 ? POLYNOMIAL : 0);
    }
    return product;
}

/* x to the power of 8 times `octets`: what that many octets of zero make of a CRC. */
static uint32_t zeros(size_t octets)
{
    uint32_t power = UINT32_C(1) << 31, square = UINT32_C(1) << 23; /* x^0, x^8 */
    for (; octets > 0; octets >>= 1, square = multiply(square, square))
        if (octets & 1)
            power = multiply(power, square);
    return power;
}

/* The CRC is linear: each bit of the identification changes it by a word that depends on the length
 * alone. Is the difference a sum of some of these words? */
static bool is_sum(uint32_t difference, size_t after)
{
    uint32_t word[16], shift = zeros(after);
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t field[2] = {(uint8_t)(1u << i >> 8), (uint8_t)(1u << i)};
        word[i] = multiply(shift, add(0, field, 2));
    }
    for (unsigned i = 0; i < 16; i++) { /* Gauss: each word has a bit that no later one has */
        uint32_t lowest = word[i] & -word[i];
        for (unsigned j = i + 1; j < 16; j++)
            if (word[j] & lowest)
                word[j] ^= word[i];
        if (difference & lowest)
            difference ^= word[i];
    }
    return difference == 0;
}

bool icrc_fits(const uint8_t *ip, size_t ip_length, size_t length, uint32_t received)
{
    uint32_t difference = received ^ icrc_compute(ip, ip_length, length);
    return difference == 0 ||
           (ip_length == IP4_SIZE && is_sum(difference, length - IP4_IDENTIFICATION - 2));
}
