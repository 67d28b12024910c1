// SPDX-License-Identifier: BSD-3-Clause
/* Captures in the format pcapng. */
#ifndef CONFORMANCE_CAPTURE_PCAPNG_H
#define CONFORMANCE_CAPTURE_PCAPNG_H

#include "conformance/input/capture/frames.h"

#define PCAPNG_FIRST_OCTET 0x0a

/* The description of an interface on which RDMA Reads and Writes were not seen. */
#define PCAPNG_SENDS_ONLY "RPC-over-RDMA, Sends only"
/* The same, and the client told what it did with its memory. */
#define PCAPNG_WITHIN_CLIENT "RPC-over-RDMA, Sends only, within the client"

struct pcapng;

/* NULL if it is not pcapng, or there is no memory: then `error` says why. The stream stays the
 * caller's. */
struct pcapng *pcapng_open(FILE *stream, char error[FRAMES_ERROR]);

enum frames_result pcapng_next(struct pcapng *pcapng, struct captured_frame *frame,
                               char error[FRAMES_ERROR]);

void pcapng_close(struct pcapng *pcapng); /* which may be NULL */

#endif
