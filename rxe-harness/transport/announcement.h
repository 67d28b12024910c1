// SPDX-License-Identifier: BSD-3-Clause
/* Private data to connect with: the message of RFC 8797, and how it differs from a plain one. */
#ifndef HARNESS_ANNOUNCEMENT_H
#define HARNESS_ANNOUNCEMENT_H

#include <stddef.h>
#include <stdint.h>

struct announcement {
    const char *before; /* octets of another layer before the message, or NULL */
    uint8_t version;    /* of its format; 0: no message */
    uint8_t flags;
    uint32_t size; /* of Sends and Receives, in octets */
    size_t cut;    /* octets of the message that are missing at its end */
};

#define ANNOUNCEMENT_MAX 32
/* Returns the octets written. */
size_t announcement_encode(const struct announcement *announcement,
                           uint8_t octets[ANNOUNCEMENT_MAX]);

#endif
