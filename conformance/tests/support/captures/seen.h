// SPDX-License-Identifier: BSD-3-Clause
/* What the capture reader says of a capture that was made up, a line an event. */
#ifndef CONFORMANCE_SEEN_H
#define CONFORMANCE_SEEN_H

#include "conformance/tests/support/captures/synthetic.h"

#include "conformance/input/source.h"
#include "codec/tests/support/run_suite.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#define CLIENT RPCRDMA_CLIENT
#define SERVER RPCRDMA_SERVER

extern char seen[16384];
extern char missed[4096]; /* "5 lost 1: reason", a line for each as far as there is room */
extern size_t seen_length;
extern unsigned stop_after, events_seen, seen_before_miss, opened, closed;
extern unsigned most_open; /* connections at a time */
extern uint64_t next_index[8192], last_frame[8192];
extern int64_t last_time;              /* of the event that was seen last */
extern size_t last_length;             /* likewise */
extern struct rpcrdma_event last_read; /* without its octets */
extern uint64_t first_missed;          /* frames read when the sink was first told of a miss */
extern struct source_options options;
extern struct source_counts counts;
extern char read_error[512];
extern uint8_t octets[8192];
extern bool quiet, displaced; /* displaced: frames were recorded in another order */
extern bool times_differ;     /* frames have not their numbers for seconds, and 7 us */

/* The first, a middle or the last packet of a Send of 2100 octets, by its opcode. */
/* Connections of which the opening, or one side, was not recorded. */
extern unsigned unopened, one_sided;

/* Packets may be recorded this many frames late, as the manual says. */
#define WINDOW 24

/* More frames than that, with nothing new in them. */
void pass_window(void);

void part(enum rpcrdma_endpoint sender, uint8_t opcode, uint32_t psn);

bool see_event(void *arg, const struct source_event *event);
void see_closed(void *arg, uint64_t connection_id);
bool read_capture(void);

/* The capture is read without error, and these are its events. */
void expect(const char *events);

#define NAME "0: 192.0.2.1:0x11-192.0.2.2:0x12\n"

void setup(void);
TCase *new_case(Suite *suite, const char *name);

#endif
