// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONFORMANCE_UTF8_H
#define CONFORMANCE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Octets of the UTF-8 character that begins here, 1 to 4; 0 if it is invalid (RFC 3629: no
 * surrogates, shortest form). `left` is at least 1. */
size_t rpcrdma_utf8(const char *text, size_t left);

/* The character of that many octets, as the function above counted them. */
uint32_t rpcrdma_utf8_code(const char *text, size_t octets);

/* It could steer a terminal or turn a line round: control characters (C0, DEL, C1), marks of
 * writing direction, separators of lines and paragraphs. */
bool rpcrdma_utf8_steers(uint32_t code);

#endif
