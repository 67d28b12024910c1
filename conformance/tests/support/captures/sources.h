// SPDX-License-Identifier: BSD-3-Clause
/* Octets read as if they were a file, and what the sink was handed. */
#ifndef CONFORMANCE_SOURCES_H
#define CONFORMANCE_SOURCES_H

#include "conformance/input/source.h"

/* The events of one file, as far as they fit. */
#define GOT_MAX 8

struct got {
    unsigned events, closed, stop_after;
    struct {
        struct rpcrdma_event event;
        struct rpcrdma_check_config config;
        uint8_t data[256];
        char test[64], connection[64];
        uint64_t connection_id, index, frame, line;
    } event[GOT_MAX];
};

extern struct got got;
extern struct source_options got_options;
extern struct source_counts got_counts;
extern char got_error[512];

bool get_event(void *arg, const struct source_event *event);
void get_closed(void *arg, uint64_t connection_id);

/* The fixture: nothing handed on yet, and the usual options. */
void begin_reading(void);

bool read_octets(const void *octets, size_t length);
bool read_text(const char *text);

/* Event `i` is a Send of these octets. */
void assert_send(unsigned i, const void *octets, size_t length);

#endif
