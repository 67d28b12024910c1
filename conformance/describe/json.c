// SPDX-License-Identifier: BSD-3-Clause
/* Writing JSON (RFC 8259). */
#include "conformance/describe/json.h"

#include "conformance/describe/utf8.h"

#include <float.h>
#include <string.h>

/* In memory the rest is only counted where there is no more room. */
static void put_memory(struct json *json, const char *octets, size_t count)
{
    if (json->length < json->size) {
        size_t room = json->size - json->length;
        memcpy(json->text + json->length, octets, count < room ? count : room);
    }
    json->length += count;
}

static void put(struct json *json, const char *octets, size_t count)
{
    if (json->out)
        fwrite_unlocked(octets, 1, count, json->out);
    else
        put_memory(json, octets, count);
}

static void put_octet(struct json *json, char octet)
{
    if (json->out)
        putc_unlocked(octet, json->out);
    else
        put_memory(json, &octet, 1);
}

/* Of the basic plane: all that steers is there. */
static void put_code(struct json *json, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";
    char escape[] = "\\u....";
    for (unsigned i = 0; i < 4; i++)
        escape[2 + i] = digits[code >> (12 - 4 * i) & 15];
    put(json, escape, sizeof escape - 1);
}

static void put_escape(struct json *json, uint32_t code)
{
    switch (code) {
    case '"':
        put(json, "\\\"", 2);
        return;
    case '\\':
        put(json, "\\\\", 2);
        return;
    case '\n':
        put(json, "\\n", 2);
        return;
    case '\t':
        put(json, "\\t", 2);
        return;
    default:
        put_code(json, code);
    }
}

/* Printable ASCII that stands for itself. */
static bool is_plain(unsigned char octet)
{
    return octet - 0x20u < 0x5fu && octet != '"' && octet != '\\';
}

/* Octets that are not UTF-8 become U+FFFD: a file name may have any octets, JSON may not. What
 * could steer a terminal is escaped, for JSON is printed on terminals, too. */
static void put_string(struct json *json, const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t start = 0, i = 0;
    put_octet(json, '"');
    for (;;) {
        while (i < length && is_plain(p[i]))
            i++;
        if (i == length)
            break;
        size_t step = rpcrdma_utf8(text + i, length - i);
        uint32_t code = step > 0 ? rpcrdma_utf8_code(text + i, step) : 0xfffd;
        if (step > 1 && !rpcrdma_utf8_steers(code)) {
            i += step;
            continue;
        }
        put(json, text + start, i - start);
        put_escape(json, code);
        start = i += step > 0 ? step : 1;
    }
    put(json, text + start, i - start);
    put_octet(json, '"');
}

static void put_key(struct json *json, const char *key)
{
    if (json->comma)
        put_octet(json, ',');
    json->comma = true;
    if (key) {
        put_string(json, key, strlen(key));
        put_octet(json, ':');
    }
}

static void put_unsigned(struct json *json, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    put(json, digits + at, sizeof digits - at);
}

void json_open(struct json *json, const char *key, char bracket)
{
    put_key(json, key);
    put_octet(json, bracket);
    json->comma = false;
}

void json_close(struct json *json, char bracket)
{
    put_octet(json, bracket);
    json->comma = true;
}

void json_bytes(struct json *json, const char *key, const char *text, size_t length)
{
    put_key(json, key);
    put_string(json, text, length);
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
    put_octet(json, '"');
    for (size_t i = 0; i < length; i++) {
        put_octet(json, digits[octets[i] >> 4]);
        put_octet(json, digits[octets[i] & 15]);
    }
    put_octet(json, '"');
}

void json_unsigned(struct json *json, const char *key, uint64_t number)
{
    put_key(json, key);
    put_unsigned(json, number);
}

void json_signed(struct json *json, const char *key, int64_t number)
{
    put_key(json, key);
    if (number < 0)
        put_octet(json, '-');
    put_unsigned(json, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void json_decimal(struct json *json, const char *key, double number)
{
    put_key(json, key);
    char text[DBL_MAX_10_EXP + 8];
    put(json, text, (size_t)snprintf(text, sizeof text, "%.3f", number));
}

void json_truth(struct json *json, const char *key, bool truth)
{
    put_key(json, key);
    put(json, truth ? "true" : "false", truth ? 4 : 5);
}

void json_none(struct json *json, const char *key)
{
    put_key(json, key);
    put(json, "null", 4);
}

void json_optional(struct json *json, const char *key, bool present, uint64_t number)
{
    if (present)
        json_unsigned(json, key, number);
    else
        json_none(json, key);
}

void json_line(struct json *json)
{
    put_octet(json, '\n');
    json->comma = false;
}

size_t rpcrdma_json_end(struct json *json)
{
    if (json->size > 0)
        json->text[json->length < json->size ? json->length : json->size - 1] = '\0';
    return json->length;
}
