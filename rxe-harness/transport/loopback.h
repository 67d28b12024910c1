// SPDX-License-Identifier: BSD-3-Clause
/*
 * A transport inside the process, with RDMA's semantics and no device: the peer that connects meets
 * a peer that is driven, step by step, while the other side waits. So nothing depends on time:
 * where the peer has nothing more to do, waiting is over at once.
 */
#ifndef HARNESS_LOOPBACK_H
#define HARNESS_LOOPBACK_H

#include "rxe-harness/transport/transport.h"

/* The side that is connected to. */
struct loopback_peer {
    const struct link_options *options;
    /* A connection was opened; returns what `step` and `end` are given, or NULL to reject it. The
     * link belongs to the peer. */
    void *(*begin)(void *arg, struct link *link);
    /* Do something; false: there is nothing to do. */
    bool (*step)(void *peer);
    /* The other side is gone: close the link, if that is still to be done, and forget it. */
    void (*end)(void *peer);
    void (*forget)(void *arg); /* the transport is closed; or NULL */
    void *arg;
};

/* The peer's description is copied, its options are not. NULL: no memory. */
struct transport *transport_loopback(const struct loopback_peer *peer);

/* For faulty peers: the Receive that holds the message they were given last is not posted again. */
void loopback_lose_receive(struct link *link);

#endif
