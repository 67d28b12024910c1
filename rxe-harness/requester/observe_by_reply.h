// SPDX-License-Identifier: BSD-3-Clause
/*
 * Where a transport does not show what the peer reads and writes: a Reply tells. What its Call
 * offered to be read was read before, what its chunks return was written, and both still lie in the
 * memory.
 */
#ifndef HARNESS_INFER_H
#define HARNESS_INFER_H

#include "rxe-harness/transport/transport.h"

#define INFER_CALLS 128 /* in flight; of more nothing is known */

struct infer_call {
    uint8_t *octets; /* of the Send; NULL: no Call is here */
    size_t length;
};

struct infer {
    struct infer_call calls[INFER_CALLS];
    struct link_memory *memory; /* all that is registered */
    size_t count, room;
    void (*moved)(void *arg, bool is_write, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length);
    void *arg;
};

/* All but infer_reply() may be called without one. */
void infer_exposed(struct infer *infer, const struct link_memory *memory);
void infer_hidden(struct infer *infer, const struct link_memory *memory);
void infer_sent(struct infer *infer, const uint8_t *octets, size_t length);
/* Tells `moved` what happened before this message came. */
void infer_reply(struct infer *infer, const uint8_t *octets, size_t length);
void infer_free(struct infer *infer);

#endif
