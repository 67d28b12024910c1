// SPDX-License-Identifier: BSD-3-Clause
/* Octets at the end of what can be read: reading past them ends the program, in any build. */
#ifndef CONFORMANCE_GUARDED_H
#define CONFORMANCE_GUARDED_H

#include <stddef.h>
#include <stdint.h>

#define GUARDED_MAX 65536

/* A copy, up to the next call. */
const uint8_t *guarded(const uint8_t *octets, size_t length);

#endif
