// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/text.h"

#include "conformance/describe/utf8.h"

#include <string.h>

/* Octets that stand for themselves, up to the next that does not; *step: how many those are. */
static size_t plain_part(const char *text, size_t length, size_t *step)
{
    size_t at = 0;
    *step = 0;
    while (at < length) {
        size_t next = rpcrdma_utf8(text + at, length - at);
        *step = next > 0 ? next : 1;
        if (next == 0 || rpcrdma_utf8_steers(rpcrdma_utf8_code(text + at, next)))
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
