// SPDX-License-Identifier: BSD-3-Clause
/* Made-up TCP segments of an iWARP connection, as frames of the capture that seen.h reads. */
#ifndef CONFORMANCE_TESTS_SEGMENTS_H
#define CONFORMANCE_TESTS_SEGMENTS_H

#include "conformance/tests/support/captures/fpdus.h"
#include "conformance/tests/support/captures/seen.h"

#define IWARP "0: 192.0.2.1:900-192.0.2.2:20049\n"

enum { FIN = 1, SYN = 2, RESET = 4, ACKS = 16 };

extern uint16_t port[2];
extern uint32_t next[2]; /* numbers of the next octets */
extern struct fpdus made[2];
extern bool ip6, crc, markers;
extern size_t segment_size;               /* 0: as they are made */
extern unsigned frame_number, frame_lost; /* this frame is not captured */

/* The fixture: a capture without frames, and both sides at their first numbers. */
void begin(void);

/* A segment with these numbers; the frame that is not captured is counted all the same. */
void segment_at(enum rpcrdma_endpoint from, uint32_t sequence, unsigned flags,
                const uint8_t *payload, size_t length);
void segment(enum rpcrdma_endpoint from, unsigned flags, const uint8_t *payload, size_t length);

/* TCP's and MPA's beginning. */
void start(enum rpcrdma_endpoint from, uint8_t flags, uint8_t revision, const void *data,
           size_t length);
void connect_iwarp(void);

/* Send what was made since, in segments of `segment_size`. */
void flush(enum rpcrdma_endpoint from);
void send_call(uint32_t xid);
void send_reply(uint32_t xid);

#endif
