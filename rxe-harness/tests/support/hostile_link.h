// SPDX-License-Identifier: BSD-3-Clause
/* A transport whose peers do harm in one way. Its links keep to the time that they are given, as a
 * device does: what a wait costs is real. */
#ifndef HARNESS_TEST_HOSTILE_LINK_H
#define HARNESS_TEST_HOSTILE_LINK_H

#include "rxe-harness/transport/transport.h"

enum hostile_manner {
    HOSTILE_NOT,    /* of a client: four NULLs, and it leaves */
    HOSTILE_SILENT, /* nothing comes */
    HOSTILE_FLOODS, /* each wait finds 64 random octets */
    HOSTILE_XIDS,   /* or a Reply of version 1 to no Call */
    HOSTILE_DRIPS,  /* such a Reply comes just before the time is over */
    HOSTILE_PIECES, /* a piece of -07 is there at each wait; no message ever ends */
    HOSTILE_LEAVES, /* each wait and each Send may be the last one, by chance */
    HOSTILE_HURRY,  /* leaves as soon as it is there */
};

struct hostile {
    enum hostile_manner manner;
    /* Peers are those of this transport, which is closed with it, until they were sent this many
     * messages; NULL: they are clients, to be accepted. */
    struct transport *inner;
    unsigned sound;
    unsigned connections; /* that come; 0: without end */
    uint32_t seed;        /* of what is random */
    unsigned opened, open, most_open, sent;
};

/* `how` stays the caller's until the transport is closed. NULL: no memory. */
struct transport *hostile_open(struct hostile *how);

#endif
