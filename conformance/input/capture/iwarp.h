// SPDX-License-Identifier: BSD-3-Clause
/* iWARP in a capture: TCP segments in, events of the connections out. */
#ifndef CONFORMANCE_CAPTURE_IWARP_H
#define CONFORMANCE_CAPTURE_IWARP_H

#include "conformance/input/capture/connections.h"
#include "conformance/input/iwarp/table.h"

struct capture_iwarp {
    struct capture_context *context;
    struct connection_table *connections; /* gives the numbers of connections */
    struct iwarp_table table;
    struct pending *waiting; /* segments of connections that are not known yet, by frame */
    void (*evict)(void *arg, size_t octets); /* the next to be asked for memory */
    void *evict_arg;
};

/* Asked for memory before `connections`, which is there already. */
void capture_iwarp_init(struct capture_iwarp *iwarp, struct connection_table *connections);

/* A PACKET_TCP. */
void capture_iwarp_packet(struct capture_iwarp *iwarp, const struct packet *packet);

/* No packet follows: close what is open, free everything. */
void capture_iwarp_end(struct capture_iwarp *iwarp);

#endif
