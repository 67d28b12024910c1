// SPDX-License-Identifier: BSD-3-Clause
/* From packets to the connections they belong to. */
#ifndef CONFORMANCE_CAPTURE_DEMUX_H
#define CONFORMANCE_CAPTURE_DEMUX_H

#include "conformance/input/capture/connections.h"
#include "conformance/input/capture/establish.h"
#include "conformance/input/capture/iwarp.h"

struct demux {
    struct connection_table table;
    struct request_table requests;
    struct capture_iwarp iwarp;
    struct pending *waiting; /* packets of connections that are not known yet, by frame */
};

/* False if there is no memory; demux_done() is due even then. */
bool demux_init(struct demux *demux, struct capture_context *context);

/* No packet follows: what waits for others is decided. */
void demux_end(struct demux *demux);

/* Close what is open, free everything. */
void demux_done(struct demux *demux);

/* A packet of InfiniBand, over whatever link; a TCP segment, which may be iWARP. */
void demux_packet(struct demux *demux, const struct packet *packet);
void demux_segment(struct demux *demux, const struct packet *packet);

#endif
