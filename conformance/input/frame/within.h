// SPDX-License-Identifier: BSD-3-Clause
/*
 * What one side did with its own memory, as a packet of a capture that `rpcrdma trace` made: no
 * device sends it. It stands among the packets of that side, and has no sequence number.
 *
 * Its payload has WITHIN_OCTETS octets: what it is (1 registered, 2 invalidated, 3 completed), what
 * registered memory is for (1 read, 2 write, 3 both), two octets of 0; the handle; the XID; the
 * offset; the length, of 8 octets like the offset; and the letters "rpcrdma" with a 0.
 */
#ifndef CONFORMANCE_FRAME_WITHIN_H
#define CONFORMANCE_FRAME_WITHIN_H

#include <rpcrdma/check.h>

#define WITHIN_OCTETS 36

/* Fills type, handle, offset, length, access and xid. False: it is no such packet. */
bool within_read(const uint8_t *octets, size_t length, struct rpcrdma_event *event);

/* False: it is another event. */
bool within_write(const struct rpcrdma_event *event, uint8_t octets[WITHIN_OCTETS]);

#endif
