// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/describe/utf8.h"

size_t rpcrdma_utf8(const char *text, size_t left)
{
    static const unsigned char low[] = {0x80, 0xa0, 0x90}, high[] = {0xbf, 0x9f, 0x8f};
    const unsigned char *p = (const unsigned char *)text;
    size_t length = p[0] < 0x80                    ? 1
                    : p[0] >= 0xc2 && p[0] <= 0xdf ? 2
                    : p[0] >= 0xe0 && p[0] <= 0xef ? 3
                    : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
                                                   : 0;
    if (length < 2 || length > left)
        return length == 1;
    unsigned char least = p[0] == 0xe0 ? low[1] : p[0] == 0xf0 ? low[2] : low[0];
    unsigned char most = p[0] == 0xed ? high[1] : p[0] == 0xf4 ? high[2] : high[0];
    if (p[1] < least || p[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

uint32_t rpcrdma_utf8_code(const char *text, size_t octets)
{
    static const unsigned char bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & bits[octets];
    for (size_t i = 1; i < octets; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

static bool is_between(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

bool rpcrdma_utf8_steers(uint32_t code)
{
    return code < 0x20 || is_between(code, 0x7f, 0x9f) || code == 0x061c ||
           is_between(code, 0x200e, 0x200f) || is_between(code, 0x2028, 0x202e) ||
           is_between(code, 0x2066, 0x2069);
}
