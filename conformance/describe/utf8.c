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
