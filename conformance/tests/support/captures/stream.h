// SPDX-License-Identifier: BSD-3-Clause
/* A TCP connection segment by segment, and what of it is passed on: ">0123" are octets of side 0,
 * "<lost:4 " are missing of side 1. */
#ifndef CONFORMANCE_TESTS_STREAM_H
#define CONFORMANCE_TESTS_STREAM_H

#include "conformance/input/iwarp/tcp.h"

#include "conformance/tests/support/captures/seen.h"

extern struct memory stream_memory;
extern struct tcp_stream stream;
extern uint64_t retransmitted, segments_taken;
extern char passed[8192];
extern size_t passed_length;
extern unsigned mirrored; /* 1: side 0 of a test is side 1 of the stream */

/* The fixtures: both sides at their first numbers, which wrap soon. */
#define FIRST 0xfffffff0u
#define OTHER 0x7ffffff8u
void begin_stream(void);
void begin_mirrored_stream(void);
void restart_stream(void);
void end_stream(void);

/* Octets of one side from `at` on, the other side's having been received up to `ack`. */
struct tcp_segment segment_of(unsigned side, uint32_t at, uint32_t ack, const char *text);

void take_segment(unsigned side, const struct tcp_segment *segment);
void take(unsigned side, uint32_t at, uint32_t ack, const char *text);
void take_fin(unsigned side, uint32_t at, const char *text);

/* Without an acknowledgement: what the field holds means nothing. */
void take_unacknowledging(unsigned side, uint32_t at, uint32_t field, const char *text);

/* This many segments that bring nothing. */
void take_empty(unsigned count, unsigned side, uint32_t at, uint32_t ack);

void expect_passed(const char *expected);

#endif
