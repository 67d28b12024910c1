// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a parser of transport headers may do though the specification does not leave it open to a
 * whole receiver: it sees one Send and no connection, and it may have limits of its own. The runner
 * of vectors and the fuzz kit share this.
 */
#ifndef CONFORMANCE_TOLERANCE_H
#define CONFORMANCE_TOLERANCE_H

#include <rpcrdma/check.h>

/* What a Requester offers in its Calls: a set. Replies to other Calls are never addressed to it. */
enum tolerance_offers {
    OFFERS_WRITE_CHUNKS = 1 << 0,    /* more than one Write chunk */
    OFFERS_WRITE_AND_REPLY = 1 << 1, /* a Write list together with a Reply chunk */
};

/* Limits of an implementation; the specification sets none of them. */
struct tolerance {
    uint64_t max_read; /* octets of Read chunks in a Call that its Responder fetches */
    /* 0: no limit */
    uint32_t max_segments;       /* in a header */
    uint32_t max_chunk_segments; /* in a chunk */
    uint32_t max_read_chunks;    /* in a Call */
    uint32_t max_write_chunks;   /* in a Call */
    unsigned offers;             /* a set of enum tolerance_offers */
    uint64_t versions; /* bit N: its Requester speaks version N and so receives answers of it */
};
#define TOLERANCE_DEFAULT ((struct tolerance){.max_read = 1048576, .versions = 1 << 1})

/* Whether a Requester or Responder speaks this version. */
bool tolerance_speaks(const struct tolerance *tolerance, uint32_t version);

/* Whether the transport header by itself shows a receiver (of a Reply, or of a Call) that the rule
 * is broken, and keeps it from going on. */
bool tolerance_is_shown(enum rpcrdma_rule rule, bool is_reply);

/*
 * Whether the fault of a Send lies outside its transport header (in the RPC message, in what came
 * before on the connection), so that a parser of headers cannot see it: to accept is tolerated.
 */
bool tolerance_is_blind(const struct rpcrdma_judgement *judgement, bool is_reply);

/*
 * Reactions beyond judgement->reactions that are tolerated of a Responder (is_reply false) or a
 * Requester with these limits. `octets` is the Send that was judged.
 */
unsigned tolerance_reactions(const struct tolerance *tolerance,
                             const struct rpcrdma_judgement *judgement, const uint8_t *octets,
                             size_t length, bool is_reply);

/* The same of a Send of version 2, by itself or within a conversation that its receiver follows;
 * that the receiver speaks version 2 need not be said. */
unsigned tolerance_reactions2(const struct tolerance *tolerance,
                              const struct rpcrdma_judgement *judgement, const uint8_t *octets,
                              size_t length, bool is_reply, bool conversation);

/* Whether there is anything in a Send that can be beyond a limit: a Read list, several segments or
 * chunks, or octets in a chunk. */
bool tolerance_has_amounts(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length);

#endif
