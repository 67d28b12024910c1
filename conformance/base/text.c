// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

size_t text_utf8(const char *text, size_t left)
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

static uint32_t code_of(const char *text, size_t length)
{
    static const unsigned char bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & bits[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

static bool is_between(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

static bool is_harmless(uint32_t code)
{
    return code >= 0x20 && !is_between(code, 0x7f, 0x9f) && !is_between(code, 0x200e, 0x200f) &&
           !is_between(code, 0x2028, 0x202e) && !is_between(code, 0x2066, 0x2069);
}

/* Octets that stand for themselves, up to the next that does not; *step: how many those are. */
static size_t plain_part(const char *text, size_t length, size_t *step)
{
    size_t at = 0;
    *step = 0;
    while (at < length) {
        size_t next = text_utf8(text + at, length - at);
        *step = next > 0 ? next : 1;
        if (next == 0 || !is_harmless(code_of(text + at, next)))
            break;
        at += next;
    }
    return at;
}

void text_put_some(FILE *out, const char *text, size_t length)
{
    while (length > 0) {
        size_t step, plain = plain_part(text, length, &step);
        fwrite(text, 1, plain, out);
        text += plain;
        length -= plain;
        if (length == 0)
            return;
        putc('?', out);
        text += step;
        length -= step;
    }
}

void text_put(FILE *out, const char *text)
{
    text_put_some(out, text, strlen(text));
}

char *text_mask(char *text)
{
    char *to = text, *from = text;
    size_t left = strlen(text);
    while (left > 0) {
        size_t step, plain = plain_part(from, left, &step);
        memmove(to, from, plain);
        to += plain;
        from += plain;
        left -= plain;
        if (left == 0)
            break;
        *to++ = '?';
        from += step;
        left -= step;
    }
    *to = '\0';
    return text;
}
