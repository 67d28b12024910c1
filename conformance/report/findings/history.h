// SPDX-License-Identifier: BSD-3-Clause
/*
 * What is remembered of a connection in order to explain its findings: where its Calls, private
 * data and credit grants were seen. The checker does not need it, and its size is
 * limited: a later Call can take the place of another, which is then not named.
 */
#ifndef CONFORMANCE_HISTORY_H
#define CONFORMANCE_HISTORY_H

#include "conformance/decode/place.h"

/* Room for Calls grows from the first to the second: most connections have few at a time. */
enum { HISTORY_CALLS_FIRST = 8, HISTORY_CALLS_MAX = 128 };
enum { HISTORY_OCTETS = 256, HISTORY_PRIVATE_DATA = 64 };

struct history_call {
    bool used, answered;
    uint64_t number; /* counts up: which is older */
    struct moment at;
    enum rpcrdma_endpoint from;
    uint32_t xid;
    size_t length;                  /* of the Send */
    uint8_t octets[HISTORY_OCTETS]; /* its beginning, where most Calls name their operations */
};

struct history_private_data {
    bool seen;
    struct moment at;
    size_t length;
    uint8_t octets[HISTORY_PRIVATE_DATA];
};

struct history_grant {
    bool seen;
    struct moment at;
    uint32_t credits;
};

struct history_end { /* one side ended the connection */
    bool seen;
    struct moment at;
    enum rpcrdma_endpoint by;
};

struct history {
    struct history_private_data private_data[2]; /* by the endpoint that sent it */
    struct history_grant grant[2];
    struct history_end end; /* the first */
    uint64_t numbers;
    bool forgot;   /* a Call that had no answer yet */
    uint32_t size; /* a power of two */
    struct history_call calls[];
};

/* An empty one, for free(); NULL without memory. */
struct history *history_make(void);

/* Take down an event: private data before its findings are explained, a Send after that. Returns
 * the history, which may have moved. */
struct history *history_add(struct history *history, const struct source_event *event,
                            const struct rpcrdma_judgement *judgement);

/* The Call of that side with the XID, or NULL. */
const struct history_call *history_find(const struct history *history, enum rpcrdma_endpoint from,
                                        uint32_t xid);

/* The Calls of a side that have no answer yet, oldest first. Returns how many there are; the first
 * `most` of them are stored. */
unsigned history_waiting(const struct history *history, enum rpcrdma_endpoint from,
                         const struct history_call **list, unsigned most);

#endif
