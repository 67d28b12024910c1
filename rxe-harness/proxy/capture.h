// SPDX-License-Identifier: BSD-3-Clause
/*
 * What two peers sent each other, as a capture that any reader of RoCEv2 takes (pcapng): the
 * packets that an ideal network would have shown. Queue pairs are made up, and so are addresses
 * that are not given; handles, offsets and contents are the peers' own; check sums are 0.
 */
#ifndef HARNESS_PROXY_CAPTURE_H
#define HARNESS_PROXY_CAPTURE_H

#include "conformance/input/frame/packet.h"

#include <rpcrdma/check.h>

#include <stdio.h>

struct capture_file;

/* One connection in it. */
struct capture_flow {
    struct capture_file *file; /* NULL: it is not captured */
    unsigned number;
    uint32_t psn[2]; /* of the next request of each side */
    struct address address[2];
    unsigned interface; /* by what is seen of it */
};

/* What a side said when they met; the last two are read of the client. */
struct capture_side {
    const uint8_t *private_data;
    size_t private_length;
    const struct address *address; /* or NULL */
    uint16_t port;                 /* of the server; 0: NFS/RDMA's */
    bool unseen;                   /* they had met before, and what was said is not known */
    bool sends_only;               /* RDMA Reads and Writes are not seen */
    bool within;                   /* nor are they, but what the client does with its memory */
};

/* At most `room` octets are written besides the file's header, CAPTURE_HEADER octets at most. The
 * stream stays the caller's. NULL without memory. */
#define CAPTURE_HEADER 256
struct capture_file *capture_create(FILE *stream, size_t room);
/* False: not all of it could be written, and `errno` says why. */
bool capture_finish(struct capture_file *file);
/* For one who reads along: what was added until now. */
void capture_flush(struct capture_file *file);
/* What follows goes to another stream, as a capture of its own. False: not all that went to the one
 * before could be written. */
bool capture_continue(struct capture_file *file, FILE *stream);
/* From now on frames have this time, nanoseconds since 1970 (0: that of the clock), and the next
 * one this comment; it may be empty. */
void capture_set(struct capture_file *file, int64_t time, const char *comment);

/* A whole packet of IP as it was, CAPTURE_PACKET_MAX octets at most. Nothing is written without
 * room for it. */
#define CAPTURE_PACKET_MAX 4191
void capture_packet(struct capture_file *file, const uint8_t *packet, size_t length);

/* The peers have met: sides[0] is the client. False: there is no room for it. */
bool capture_meet(struct capture_flow *flow, struct capture_file *file, unsigned number,
                  const struct capture_side sides[2]);
/* A Send, an RDMA operation of the server's, or the end; a gap looks as if a packet were missing.
 * Octets that the event counts as missing, or an operation's whose data is NULL, are cut off the
 * frames. What a side does with its memory is a frame, too, where `within` was said. Others are
 * not to be seen in a capture.
 * False: there is no room for it; the flow ends here. */
bool capture_add(struct capture_flow *flow, const struct rpcrdma_event *event);

#endif
