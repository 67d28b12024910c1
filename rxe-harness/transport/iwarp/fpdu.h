// SPDX-License-Identifier: BSD-3-Clause
/* FPDUs on their way to the socket (RFC 5044, 4): length, ULPDU, padding, check sum, markers. */
#ifndef HARNESS_IWARP_FPDU_H
#define HARNESS_IWARP_FPDU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FPDU_ROOM (1u << 18) /* octets that wait for the socket */

struct fpdu_out {
    bool markers, crc;
    uint64_t position, begin; /* octets since the first FPDU; of this one */
    uint32_t check_sum;
    size_t ulpdu; /* its octets so far */
    size_t from, to;
    uint8_t octets[FPDU_ROOM];
};

/* The longest ULPDU whose FPDU is one segment of TCP of this size (5.1). */
size_t fpdu_ulpdu_max(size_t segment, bool markers);

/* Whether an FPDU with a ULPDU of this length can wait. */
bool fpdu_fits(struct fpdu_out *out, size_t length);
/* Begin one, put all of its ULPDU, end it. */
void fpdu_begin(struct fpdu_out *out, size_t length);
void fpdu_put(struct fpdu_out *out, const void *octets, size_t count);
void fpdu_put_number(struct fpdu_out *out, unsigned size, uint64_t number);
void fpdu_end(struct fpdu_out *out);

#endif
