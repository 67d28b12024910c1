// SPDX-License-Identifier: BSD-3-Clause
/*
 * Probing a live Responder by version 2, either draft (options.draft of the probe). Each case has a
 * connection of its own, which begins with a NULL of version 2, unless the case is about the first
 * message, and ends with one. What the last Send of a case leaves open to the Responder says the
 * checker, as it does for captures; it also judges all that the Responder sends.
 */
#ifndef HARNESS_PROBE2_H
#define HARNESS_PROBE2_H

#include "rxe-harness/probe/probe.h"
#include "rxe-harness/session/session.h"

#define PROBE2_SENDS 10
#define PROBE2_WORDS 32

/* A Send as 32-bit words; those that are PROBE2_XID and the like are replaced. */
struct probe2_send {
    uint32_t words[PROBE2_WORDS];
    size_t count;
};

enum {
    PROBE2_XIDS = 16,
    PROBE2_XID = 0x5eed0000,     /* that of the case; the next 15 are those after it */
    PROBE2_PROGRAM = 0x5eed0010, /* of NULL, and its version */
    PROBE2_VERSION = 0x5eed0011,
    PROBE2_HANDLE = 0x5eed0012, /* memory that holds the RPC header of a NULL, and its place */
    PROBE2_OFFSET_HIGH = 0x5eed0013,
    PROBE2_OFFSET_LOW = 0x5eed0014,
};

struct probe2_case {
    const char *id, *comment, *rule;
    bool first;      /* nothing is sent before it */
    unsigned open;   /* reactions beside those that the checker leaves open, or 0 */
    uint32_t answer; /* type of what answers the last Send, where that is no RPC; or 0 */
    size_t pad;      /* octets of the last Send, filled up with zeros; 0: as it is */
    bool anew; /* the Sends before the last go on a connection of their own, which ends then */
    size_t granting; /* this many Sends, from the first on, have the credit word below */
    uint32_t credit;
    unsigned replies; /* that have come, after the last Send, to the Calls of the case; 0: by that
                         Send alone */
    size_t sends;
    struct probe2_send send[PROBE2_SENDS];
};
/* Up to one without an id. */
extern const struct probe2_case probe2_cases04[], probe2_cases07[];
const struct probe2_case *probe2_cases(enum rpcrdma_protocol draft);

/* A connection of a case. */
struct probe2_peer {
    struct probe *probe;
    struct link *link;
    struct session *session;
    struct watched watched;
    struct link_memory memory;
    uint8_t rpc[REQUESTER_RPC];
    unsigned open;          /* reactions that our last Send leaves open */
    unsigned wanted;        /* and the last one of the case */
    uint32_t first;         /* the case's XIDs are this and the 15 after it */
    unsigned replies;       /* that came to them */
    bool withholds;         /* the case sets credit words of its own */
    const uint32_t *credit; /* the word that Sends have, or NULL: that of the session */
    uint8_t sent[SESSION_INLINE], came[SESSION_INLINE];
    size_t sent_length, came_length;
};

/* What a Send led to: one of enum rpcrdma_reaction, in words, and the octets that came. */
struct probe2_outcome {
    unsigned reaction; /* 0: what has no name among the reactions */
    char text[160];
};

/* NULL after probe->peer.transport->error is set. */
struct probe2_peer *probe2_connect(struct probe *probe);
void probe2_close(struct probe2_peer *peer);
/* A NULL inline, and what came. */
struct probe2_outcome probe2_null(struct probe2_peer *peer);
/* A Send of a case as it is, but for its credit word. */
void probe2_post(struct probe2_peer *peer, uint8_t *octets, size_t length);
/* What answers the message of this XID. */
struct probe2_outcome probe2_wait(struct probe2_peer *peer, uint32_t xid, unsigned timeout);

/* False: the peer cannot be reached, or does not speak version 2. */
bool probe2_begin(struct probe *probe);
void probe2_run_cases(struct probe *probe);
/* Part of them: those in which data is moved. */
void probe2_run_data(struct probe *probe);

#endif
