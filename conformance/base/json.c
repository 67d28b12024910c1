// SPDX-License-Identifier: BSD-3-Clause
/* Writing JSON (RFC 8259). */
#include "conformance/base/json.h"

#include "conformance/base/text.h"

#include <string.h>

static void put_escape(FILE *out, unsigned char octet)
{
    static const char digits[] = "0123456789abcdef";
    char escape[] = "\\u00..";
    switch (octet) {
    case '"':
        fputs("\\\"", out);
        return;
    case '\\':
        fputs("\\\\", out);
        return;
    case '\n':
        fputs("\\n", out);
        return;
    case '\t':
        fputs("\\t", out);
        return;
    default:
        escape[4] = digits[octet >> 4];
        escape[5] = digits[octet & 15];
        fputs(escape, out);
    }
}

/* Printable ASCII that stands for itself. */
static bool is_plain(unsigned char octet)
{
    return octet - 0x20u < 0x5fu && octet != '"' && octet != '\\';
}

/* Octets that are not UTF-8 become U+FFFD: a file name may have any octets, JSON may not. */
static void put_string(FILE *out, const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t start = 0, i = 0;
    putc_unlocked('"', out);
    for (;;) {
        while (i < length && is_plain(p[i]))
            i++;
        if (i == length)
            break;
        size_t step = p[i] >= 0x80 ? text_utf8(text + i, length - i) : 0;
        if (step > 0) {
            i += step;
            continue;
        }
        fwrite_unlocked(text + start, 1, i - start, out);
        if (p[i] >= 0x80)
            fputs("\\ufffd", out);
        else
            put_escape(out, p[i]);
        start = ++i;
    }
    fwrite_unlocked(text + start, 1, i - start, out);
    putc_unlocked('"', out);
}

static void put_key(struct json *json, const char *key)
{
    if (json->comma)
        putc_unlocked(',', json->out);
    json->comma = true;
    if (key) {
        put_string(json->out, key, strlen(key));
        putc_unlocked(':', json->out);
    }
}

static void put_unsigned(FILE *out, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    fwrite_unlocked(digits + at, 1, sizeof digits - at, out);
}

void json_open(struct json *json, const char *key, char bracket)
{
    put_key(json, key);
    putc_unlocked(bracket, json->out);
    json->comma = false;
}

void json_close(struct json *json, char bracket)
{
    putc_unlocked(bracket, json->out);
    json->comma = true;
}

void json_bytes(struct json *json, const char *key, const char *text, size_t length)
{
    put_key(json, key);
    put_string(json->out, text, length);
}

void json_text(struct json *json, const char *key, const char *text)
{
    if (text)
        json_bytes(json, key, text, strlen(text));
    else
        json_none(json, key);
}

void json_hex(struct json *json, const char *key, const uint8_t *octets, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    put_key(json, key);
    putc_unlocked('"', json->out);
    for (size_t i = 0; i < length; i++) {
        putc_unlocked(digits[octets[i] >> 4], json->out);
        putc_unlocked(digits[octets[i] & 15], json->out);
    }
    putc_unlocked('"', json->out);
}

void json_unsigned(struct json *json, const char *key, uint64_t number)
{
    put_key(json, key);
    put_unsigned(json->out, number);
}

void json_signed(struct json *json, const char *key, int64_t number)
{
    put_key(json, key);
    if (number < 0)
        putc_unlocked('-', json->out);
    put_unsigned(json->out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void json_decimal(struct json *json, const char *key, double number)
{
    put_key(json, key);
    fprintf(json->out, "%.3f", number);
}

void json_truth(struct json *json, const char *key, bool truth)
{
    put_key(json, key);
    fputs(truth ? "true" : "false", json->out);
}

void json_none(struct json *json, const char *key)
{
    put_key(json, key);
    fputs("null", json->out);
}

void json_line(struct json *json)
{
    putc_unlocked('\n', json->out);
    json->comma = false;
}
