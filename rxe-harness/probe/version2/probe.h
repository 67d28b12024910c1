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

#define PROBE2_SENDS 4
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
};

struct probe2_case {
    const char *id, *comment, *rule;
    bool breaks;     /* the last Send does, the rule; else it may come near to it */
    bool first;      /* nothing is sent before it */
    uint32_t answer; /* type of what answers the last Send, where that is no RPC; or 0 */
    size_t pad;      /* octets of the last Send, filled up with zeros; 0: as it is */
    bool anew; /* the Sends before the last go on a connection of their own, which ends then */
    bool falls_back; /* the last Send has version 1, which the refusal of the one before names */
    size_t granting; /* this many Sends, from the first on, have the credit word below */
    uint32_t credit;
    unsigned replies; /* that have come, after the last Send, to the Calls of the case; 0: by that
                         Send alone */
    const struct probe_sends *vector; /* all Sends, of a vector; or NULL */
    size_t sends;
    struct probe2_send send[PROBE2_SENDS];
};
/* Those that are more than Sends, up to one without an id. */
const struct probe2_case *probe2_cases(enum rpcrdma_protocol draft);

/* A connection of a case. */
struct probe2_peer {
    struct probe *probe;
    struct requester requester; /* its link, session and checker, and what they last saw */
    struct probe_sends *vector; /* its Sends with today's XIDs, or NULL */
    struct probe_memory *moved; /* of each of them that was sent */
    size_t moved_count;
    unsigned wanted;        /* reactions that the last Send of the case leaves open */
    uint32_t first;         /* the case's XIDs are this and the 15 after it */
    unsigned replies;       /* that came to them */
    bool backwards;         /* a Reply was sent, or a piece of one */
    bool withholds;         /* the case sets credit words of its own */
    char early[PROBE_TEXT]; /* an error to a Send before the last, which left none open; or empty */
    const uint32_t *credit; /* the word that Sends have, or NULL: that of the session */
};

/* What a Send led to: one of enum rpcrdma_reaction, in words, and the octets that came. */
struct probe2_outcome {
    unsigned reaction; /* 0: what has no name among the reactions */
    bool refused;      /* a Reply, by which RPC refuses the Call or did not execute it */
    bool is_error;     /* RDMA2_ERROR */
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
/* All cases: those of the tables, those of the vectors, those in which data is moved. */
void probe2_run_cases(struct probe *probe);
void probe2_run_data(struct probe *probe);
/* What a client can send of vectors of this draft. */
void probe2_run_corpus(struct probe *probe, const struct corpus *corpus);

/* ---- Sends of vectors (vectors.c) ---- */

/* Give the connection the Sends of a case. */
void probe2_take_vector(struct probe2_peer *peer, const struct probe2_case *test_case);
/* One of them, in memory that is registered now; its length. */
size_t probe2_vector_send(struct probe2_peer *peer, size_t which, uint8_t octets[SESSION_INLINE]);
void probe2_forget_vector(struct probe2_peer *peer);
/* The type of what answers the last of them, where that is no RPC; or 0. */
uint32_t probe2_answer(enum rpcrdma_protocol draft, const struct probe_sends *sends);
/* The class of hazard that one of them belongs to, or NULL. */
const char *probe2_hazard(const struct probe *probe, const struct probe2_case *test_case);
/* Why the case is not run, or NULL. */
const char *probe2_unsuitable(const struct probe *probe, const struct probe2_case *test_case);

/* ---- what is open (open.c) ---- */

/* Reactions to a Send that was just judged: what the checker leaves open, and what follows from it
 * for a live peer. */
unsigned probe2_open(const struct probe2_peer *peer, const uint8_t *octets, size_t length);
/* To take it is to send nothing: what is no Call, a piece that is not the last. */
bool probe2_is_taken_in_silence(enum rpcrdma_protocol draft, const uint8_t *octets, size_t length);
/* A Reply, or a piece of one: by its header type (-07), or by the word after the prefix, whether
 * the rest decodes or not. */
bool probe2_is_reply(enum rpcrdma_protocol draft, const uint8_t *octets, size_t length);
/* Segments without memory, without room, or without a Call in it: -07 section 7.3 names no code for
 * that. */
#define PROBE2_WITHOUT_MEMORY                                                                      \
    (RPCRDMA_CLOSE | RPCRDMA_ERR_BAD_XDR | RPCRDMA_ERR_READ_CHUNKS | RPCRDMA_ERR_WRITE_CHUNKS |    \
     RPCRDMA_ERR_SEGMENTS | RPCRDMA_ERR_WRITE_RESOURCE | RPCRDMA_ERR_REPLY_RESOURCE |              \
     RPCRDMA_ERR_SYSTEM)

#endif
