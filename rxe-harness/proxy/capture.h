// SPDX-License-Identifier: BSD-3-Clause
/*
 * What two peers sent each other, as a capture that any reader of RoCEv2 takes: the packets that an
 * ideal network would have shown. Addresses and queue pairs are made up, handles, offsets and
 * contents are the client's own; check sums are 0.
 */
#ifndef HARNESS_PROXY_CAPTURE_H
#define HARNESS_PROXY_CAPTURE_H

#include "rxe-harness/transport/transport.h"

#include <rpcrdma/check.h>

struct capture_file;

/* One connection in it. */
struct capture_flow {
    struct capture_file *file; /* NULL: it is not captured */
    unsigned number;
    uint32_t psn[2]; /* of the next request of each side */
};

/* At most `room` octets are written. NULL after writing why into `error`. */
struct capture_file *capture_create(const char *path, size_t room, char *error, size_t size);
/* False: not all of it could be written, and `errno` says why. */
bool capture_finish(struct capture_file *file);

/* The peers have met: links[0] is to the client. False: there is no room for it. */
bool capture_meet(struct capture_flow *flow, struct capture_file *file, unsigned number,
                  struct link *const links[2]);
/* A Send, an RDMA operation of the server's, or the end; a gap looks as if a packet were missing.
 * Others are not to be seen in a capture.
 * False: there is no room for it; the flow ends here. */
bool capture_add(struct capture_flow *flow, const struct rpcrdma_event *event);

#endif
