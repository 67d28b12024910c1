// SPDX-License-Identifier: BSD-3-Clause
/* What a Send looks like, if nothing else of its connection is known. */
#ifndef CONFORMANCE_FRAME_LOOK_H
#define CONFORMANCE_FRAME_LOOK_H

#include <stddef.h>
#include <stdint.h>

/* A Long Call may come from either side: what it calls is in its chunk. */
enum look { LOOKS_OTHER, LOOKS_CALL, LOOKS_LONG_CALL, LOOKS_REPLY, LOOKS_CALLBACK };

/* A Send of `total` octets of which `recorded` are at hand. */
enum look look_at(const uint8_t *octets, size_t recorded, size_t total);

#endif
