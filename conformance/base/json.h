// SPDX-License-Identifier: BSD-3-Clause
/*
 * Writing JSON, straight to a stream: a capture has millions of Sends, so nothing is built up in
 * memory. The caller opens and closes in order; commas come by themselves.
 */
#ifndef CONFORMANCE_JSON_H
#define CONFORMANCE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    bool comma; /* before the next value or key */
};

/* `key` is NULL for an element of an array or the whole object. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_text(struct json *json, const char *key, const char *text); /* NULL gives null */
void json_bytes(struct json *json, const char *key, const char *text, size_t length);
void json_hex(struct json *json, const char *key, const uint8_t *octets, size_t length);
void json_unsigned(struct json *json, const char *key, uint64_t number);
void json_signed(struct json *json, const char *key, int64_t number);
void json_decimal(struct json *json, const char *key, double number); /* in thousandths; finite */
void json_truth(struct json *json, const char *key, bool truth);
void json_none(struct json *json, const char *key);
void json_line(struct json *json); /* ends an object on a line of its own */

#endif
