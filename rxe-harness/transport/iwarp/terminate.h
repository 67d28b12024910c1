// SPDX-License-Identifier: BSD-3-Clause
/* Why a connection is ended by a Terminate message (RFC 5040, 4.8; RFC 5041, 8.2; RFC 5044, 8). */
#ifndef HARNESS_IWARP_TERMINATE_H
#define HARNESS_IWARP_TERMINATE_H

#include "rxe-harness/transport/iwarp/fpdu.h"

/* The first two octets of the message: layer and type of the error, and its code. */
enum reason {
    RDMAP_CATASTROPHE = 0x0000,
    RDMAP_HANDLE = 0x0100,
    RDMAP_BOUNDS = 0x0101,
    RDMAP_ACCESS = 0x0102,
    RDMAP_BAD_VERSION = 0x0205,
    RDMAP_OPCODE = 0x0206,
    RDMAP_INVALIDATE = 0x0209,
    RDMAP_UNSPECIFIED = 0x02ff,
    DDP_HANDLE = 0x1100,
    DDP_BOUNDS = 0x1101,
    DDP_BAD_VERSION = 0x1104,
    DDP_QUEUE = 0x1201,
    DDP_NO_BUFFER = 0x1202,
    DDP_NUMBER = 0x1203,
    DDP_PLACE = 0x1204,
    DDP_TOO_LONG = 0x1205,
    DDP_UNTAGGED_VERSION = 0x1206,
    LLP_CHECK_SUM = 0x2002,
    LLP_MARKER = 0x2003,
};

/* What it means, for who ends the connection, and for the other side. */
const char *reason_ours(enum reason reason);
const char *reason_theirs(uint16_t reason);

/* Put the message out: message number 1 of its queue. `segment`: the ULPDU that is wrong, of which
 * `recorded` octets are at hand, and whose headers go with it; NULL where it is no ULPDU's fault.
 */
void terminate_put(struct fpdu_out *out, enum reason reason, const uint8_t *segment,
                   size_t recorded, size_t length);

#endif
