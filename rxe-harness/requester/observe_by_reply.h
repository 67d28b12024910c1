// SPDX-License-Identifier: BSD-3-Clause
/*
 * Where a transport does not show what the peer reads and writes: a Reply tells. What its Call
 * offered to be read was read before, what its chunks return was written, and both still lie in the
 * memory. Memory for results alone is filled before the peer knows of it: where the end of what is
 * returned is as it was filled, that was not written.
 */
#ifndef HARNESS_OBSERVE_BY_REPLY_H
#define HARNESS_OBSERVE_BY_REPLY_H

#include "rxe-harness/transport/transport.h"

#define OBSERVED_CALLS 128 /* in flight; of more nothing is known */

struct observed_call {
    uint8_t *octets; /* of the Send; NULL: no Call is here */
    size_t length;
};

struct observed_memory {
    struct link_memory link;
    bool is_filled;
};

struct reply_observer {
    struct observed_call calls[OBSERVED_CALLS];
    struct observed_memory *memory; /* all that is registered */
    size_t count, room;
    void (*moved)(void *arg, bool is_write, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length);
    void *arg;
    bool unwritten;          /* by the last Reply, of what it returns */
    bool late;               /* such octets were written after a Reply had come */
    void (*wait)(void *arg); /* for what may be written late; NULL: some milliseconds */
};

/* All but observe_reply() may be called without one. */
/* `access`: LINK_PEER_READS, LINK_PEER_WRITES. */
void observe_exposed(struct reply_observer *observer, const struct link_memory *memory,
                     unsigned access);
void observe_hidden(struct reply_observer *observer, const struct link_memory *memory);
void observe_sent(struct reply_observer *observer, const uint8_t *octets, size_t length);
/* Tells `moved` what happened before this message came. */
void observe_reply(struct reply_observer *observer, const uint8_t *octets, size_t length);
void observe_free(struct reply_observer *observer);

#endif
