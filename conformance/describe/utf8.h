// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONFORMANCE_UTF8_H
#define CONFORMANCE_UTF8_H

#include <stddef.h>

/* Octets of the UTF-8 character that begins here, 1 to 4; 0 if it is invalid (RFC 3629: no
 * surrogates, shortest form). `left` is at least 1. */
size_t rpcrdma_utf8(const char *text, size_t left);

#endif
