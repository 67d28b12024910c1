// SPDX-License-Identifier: BSD-3-Clause
/*
 * Calls of `serve` in the reverse direction (RFC 8167), to a client of NFSv4.1 whose session has
 * its back channel on the connection: what is due, and what its answers are worth.
 */
#ifndef HARNESS_SERVE_REVERSE_H
#define HARNESS_SERVE_REVERSE_H

#include "rxe-harness/responder/nfs4.h"

#include "conformance/report/results/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum serve_reverse {
    SERVE_NO_REVERSE,
    SERVE_REVERSE_NULL,
    SERVE_REVERSE_SAME_XID, /* NULL with the XID of a Call of the client's that waits */
    SERVE_REVERSE_GRANT,    /* NULL; then as many at a time as were granted */
    SERVE_REVERSE_CHUNK,    /* NULL with a Write chunk, which nothing would use */
    SERVE_REVERSE_RECALL,   /* CB_SEQUENCE and CB_RECALL of the delegation */
};

#define REVERSE_AT_ONCE 16 /* Calls in flight, of those that are granted */

struct reverse {
    enum serve_reverse kind;
    unsigned replies; /* to the client, since the back channel is there */
    unsigned made, answered;
    uint32_t first_xid; /* of the Calls: one after the other */
    uint32_t granted;
    bool waits[1 + REVERSE_AT_ONCE];
    bool sequenced;  /* CB_SEQUENCE was executed */
    char wrong[160]; /* what is wrong with an answer, or empty */
};

/* The next Call, before (`before`) or after the Reply to the client's Call `xid` goes out, or after
 * an answer came (neither). Returns its octets; 0: none is due. */
enum reverse_moment { REVERSE_BEFORE_REPLY, REVERSE_AFTER_REPLY, REVERSE_AFTER_ANSWER };
size_t reverse_next(struct reverse *reverse, struct nfs4 *nfs4, enum reverse_moment moment,
                    uint32_t xid, uint8_t octets[REVERSE_OCTETS]);
/* Whether a Send of the client's answers a Call; then it is judged. */
bool reverse_take(struct reverse *reverse, struct nfs4 *nfs4, const uint8_t *octets, size_t length);
/* Calls in the reverse direction that are not answered: no text forbids a client to end the
 * connection (`gone`) with such Calls before it, but it has Receives for them (`starved`: it had
 * none). */
enum ending reverse_end(bool gone, bool starved);
/* How the case ends, as far as the answers say. `gone`: the connection is, and no more
 * came than was under way. */
enum ending reverse_ending(const struct reverse *reverse, const struct nfs4 *nfs4, bool gone,
                           bool starved, char text[256]);

#endif
