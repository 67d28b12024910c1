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

/* The library has these, and its global names begin so. */
#define json_open rpcrdma_json_open
#define json_close rpcrdma_json_close
#define json_text rpcrdma_json_text
#define json_bytes rpcrdma_json_bytes
#define json_hex rpcrdma_json_hex
#define json_unsigned rpcrdma_json_unsigned
#define json_signed rpcrdma_json_signed
#define json_decimal rpcrdma_json_decimal
#define json_truth rpcrdma_json_truth
#define json_none rpcrdma_json_none
#define json_line rpcrdma_json_line
#define json_optional rpcrdma_json_optional

struct json {
    FILE *out;           /* or NULL: into memory */
    char *text;          /* memory of `size` octets */
    size_t size, length; /* what there would be with room enough */
    bool comma;          /* before the next value or key */
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
/* null where it is not present */
void json_optional(struct json *json, const char *key, bool present, uint64_t number);
/* In memory: terminates it, cut to fit. Returns the length it would have. */
size_t rpcrdma_json_end(struct json *json);
void json_line(struct json *json); /* ends an object on a line of its own */

#endif
