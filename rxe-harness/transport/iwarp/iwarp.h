// SPDX-License-Identifier: BSD-3-Clause
/*
 * Links over iWARP in user space: MPA, DDP and RDMAP (RFC 5044, 5041, 5040, 6581) over a TCP
 * socket, no RDMA device, no kernel module, no privileges.
 *
 * For the peer it is an adapter: a thread of each link serves RDMA Reads and takes RDMA Writes
 * while the link's owner does something else. As iWARP has it, a Send or an RDMA Write of ours is
 * done when TCP has it; what the peer thinks of it comes as a Terminate, and ends the connection
 * later.
 */
#ifndef HARNESS_IWARP_H
#define HARNESS_IWARP_H

#include "rxe-harness/transport/transport.h"

/* "HOST", "HOST:PORT" or "[HOST]:PORT", as transport_verbs(). NULL after writing why into `error`.
 */
struct transport *transport_iwarp(const char *address, bool listen, char *error, size_t error_size);

/* What our side of MPA asks for. */
struct iwarp_wishes {
    uint8_t revision; /* 1 or 2; a peer that does not answer revision 2 is asked by 1 */
    bool crc;         /* check sums; used if either side wants them */
    bool markers;     /* in what comes here */
};

/* Of transports opened from now on; at first revision 2, check sums, no markers. */
void iwarp_set(const struct iwarp_wishes *wishes);

#endif
