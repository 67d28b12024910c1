// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Requester: builds Calls with chunks, keeps the memory that they name, and holds
 * everything that the Responder sends against the rules by librpcrdma-check. It speaks version 1,
 * or version 2 over a session.
 */
#ifndef HARNESS_REQUESTER_H
#define HARNESS_REQUESTER_H

#include "rxe-harness/requester/observe_by_reply.h"
#include "rxe-harness/transport/watched.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma.h>

#define REQUESTER_INLINE 4096u /* octets of its Sends and Receives */
#define REQUESTER_RECEIVES 256
#define REQUESTER_SEGMENTS 64 /* of one Call */
#define REQUESTER_CREDITS 64  /* asked for */
#define REQUESTER_CHUNKS 8    /* Write chunks of one Call */

/* Told of every rule that the Responder breaks. */
typedef void requester_finding(void *arg, const struct rpcrdma_event *event,
                               const struct rpcrdma_finding *finding);

/* Shown every event and what the checker says of it. */
typedef void requester_witness(void *arg, const struct rpcrdma_check_config *config,
                               const struct rpcrdma_event *event,
                               const struct rpcrdma_judgement *judgement);

struct requester_options {
    unsigned timeout; /* milliseconds */
    /* RPCRDMA_PROTOCOL_2_04 or _2_07: offer version 2 by a NULL of this program; a peer that has
     * version 1 alone is spoken to in that, unless `no_fallback`: on the same connection if it
     * says so, on a second one if it is silent or ends the first (-04 7.2, -07 4.3.2). */
    enum rpcrdma_protocol draft;
    bool no_fallback;
    uint32_t xid;              /* that was used last; 0: none, and a constant is the first */
    bool no_properties;        /* version 2: tell none */
    uint32_t told_size;        /* and this Receive Buffer Size; 0: REQUESTER_INLINE */
    uint32_t program, version; /* of RPC; 0: the caller sets them afterwards */
    size_t piece;              /* -07: octets of payload of each piece at most, or 0 */
    bool invalidates;          /* tell the peer to use Send With Invalidate */
    const void *private_data;  /* instead of ours, which say so; or NULL */
    size_t private_length;
    bool infers;  /* judge, and show the witness, what Replies tell of RDMA operations */
    bool binding; /* check what comes by the upper layer's binding, too */
    requester_finding *finding; /* or NULL */
    requester_witness *witness; /* or NULL */
    unsigned linger; /* milliseconds after a Reply, to see what is written yet; version 1 */
    void (*tamper)(void *arg, struct link *link); /* shown the link before it is used; or NULL */
    void *arg;                                    /* of them */
};

struct requester {
    struct link *link;
    struct watched watched;
    /* Where the transport does not show RDMA operations: what Replies tell of them is shown to the
     * witness, judged apart, for it may have been otherwise. Or NULL. */
    struct reply_observer *observer;
    struct watched shown;
    const struct caller *caller;
    struct session *session; /* of version 2; NULL: version 1 */
    requester_finding *finding;
    requester_witness *witness;
    void *finding_arg;
    uint32_t xid;        /* of the last Call */
    uint32_t granted;    /* by the last message of the Responder's */
    uint32_t send_limit; /* inline threshold of our Sends */
    uint32_t program, version;
    unsigned reactions; /* that the last Send of the Responder's leaves open */
    unsigned open;      /* that the last Send of ours does */
    unsigned linger;    /* as the options said */
    bool offered;       /* a Call that offered memory was answered */
    bool late;          /* memory of a Call was written after its Reply had come */
    int broken;         /* the first rule that it breaks, or -1 */
    bool invalidates;   /* version 2: name a handle that may be invalidated */
    bool unsent;        /* version 2: a Call was not sent, for the peer takes less than before */
    unsigned answered;  /* Calls of the Responder's, in the reverse direction */
    bool recalled;      /* the delegation of this stateid4.other was */
    uint8_t recalled_other[12];
    /* The last Send of each side; what did not fit is cut off. */
    uint8_t sent[REQUESTER_INLINE], came[REQUESTER_INLINE];
    size_t sent_length, came_length;
    unsigned messages; /* that came */
};

/* Memory of one Call or Send, registered piece by piece. */
struct requester_memory {
    struct link_memory pieces[REQUESTER_SEGMENTS];
    unsigned count;
    bool one_handle; /* a chunk is registered as a whole: its segments have one handle */
};

/* A Call to be made. The item and the Payload stream of a Long Call are cut into this many
 * segments.
 */
struct requester_call {
    uint32_t procedure;
    const uint8_t *args; /* not reduced */
    size_t args_length;
    size_t item_at, item_length; /* in args: what a Read chunk holds, if read_segments is not 0 */
    unsigned read_segments;
    unsigned read_items; /* this many of the length, each after the count of its octets: each has a
                            Read chunk; 0: one */
    unsigned long_segments; /* not 0: a Long Call */
    unsigned write_segments, reply_segments;
    size_t write_room, reply_room; /* octets */
    unsigned write_chunks;         /* each of that room, in write_segments; 0: one, if it has any */
    unsigned empty_chunks;         /* by bits, from the first on: these have no segments */
    bool one_handle;               /* of all segments of a chunk; else each has its own */
    bool as_root;                  /* AUTH_SYS, user 0; else AUTH_NONE */
};

/* What came back. */
struct requester_reply {
    unsigned outcome;   /* one of enum rpcrdma_reaction: PROCESS is a Reply, DISCARD is silence */
    uint32_t xid;       /* of it */
    bool accepted;      /* PROCESS: with `stat` */
    uint32_t stat;      /* accept_stat */
    bool is_long;       /* in the Reply chunk */
    bool in_chunk;      /* the item is in the Write chunk */
    size_t item_length; /* there */
    unsigned chunks; /* Write chunks that came back, of which the first ones have these lengths */
    size_t chunk_lengths[REQUESTER_CHUNKS];
    const uint8_t *results;
    size_t results_length;
    uint32_t vers, low, high; /* ERR_VERS: versions */
    uint32_t code, value[2];  /* of an error of version 2 */
    char text[160];           /* of what came, or why nothing did */
};

/* A Call with its memory, until requester_forget(). */
struct requester_pending {
    uint32_t xid;
    struct requester_memory memory;
    uint8_t *call, *item, *reply; /* of a Long Call; of the Write chunks; of the Reply chunk */
    size_t item_room, reply_room; /* item_room: of each Write chunk */
};

/* NULL after transport->error is set. */
struct requester *requester_connect(struct transport *transport,
                                    const struct requester_options *options);
/* The same without binding and witness. */
struct requester *requester_open(struct transport *transport, unsigned timeout, bool invalidates,
                                 requester_finding *finding, void *arg);
void requester_close(struct requester *requester);
/* Where the XIDs of a run begin: a server may remember what it answered to an XID, beyond
 * connections and for minutes, and takes an equal Call for the same. No other run begins there, not
 * even one at once, but by the same seed of --wire. */
uint32_t requester_fresh_xid(void);

/* Register octets for the peer; false where there is no room, or no resources. */
bool requester_expose(struct requester *requester, struct requester_memory *memory, uint8_t *octets,
                      size_t length, unsigned access, struct link_memory *piece);
void requester_hide(struct requester *requester, struct requester_memory *memory);

/* Send octets as they are; the checker sees them. */
bool requester_send(struct requester *requester, const uint8_t *octets, size_t length);
/* The next message or the end of the connection, judged. */
void requester_wait(struct requester *requester, unsigned timeout, struct link_event *event);
/* Whether the connection has ended, as far as it was waited for. */
bool requester_gone(const struct requester *requester);
/* What a message means to a Requester; `pending`: where its Reply chunk is, or NULL. */
void requester_read_reply(const struct link_event *event, const struct requester_pending *pending,
                          struct requester_reply *reply);

/* A Call with its memory and the octets of its Send, which is not sent. False: it does not fit. */
bool requester_prepare(struct requester *requester, const struct requester_call *call,
                       struct requester_pending *pending, uint8_t octets[REQUESTER_INLINE],
                       size_t *length);
/* Begin a Call. Where one Send does not hold it version 2 cuts it (-07) or makes it a Long Call
 * (-04). False: it does not fit, or the connection is gone. */
bool requester_begin(struct requester *requester, const struct requester_call *call,
                     struct requester_pending *pending);
/* Wait for its reply. The results live until the next event. */
void requester_finish(struct requester *requester, struct requester_pending *pending,
                      unsigned timeout, struct requester_reply *reply);
/* The same, as a Requester has to be: what answers another Call, or is not a Reply, is dropped. */
void requester_receive(struct requester *requester, struct requester_pending *pending,
                       unsigned timeout, struct requester_reply *reply);
void requester_forget(struct requester *requester, struct requester_pending *pending);

/* Version 2: make a Call and wait for what answers it, then forget it with `pending`. An error that
 * says how much room the results need is taken at its word, once. False: it cannot be sent. */
bool requester_call2(struct requester *requester, const struct requester_call *call,
                     struct requester_pending *pending, unsigned timeout,
                     struct requester_reply *reply);

/* Calls of the test program in all forms, after that which settled the version. `is_refused`: the
 * first of them has to be answered by an error. Returns NULL, or in `text` what was otherwise. */
const char *requester_call_test(struct requester *requester, bool is_refused, unsigned timeout,
                                char text[256]);

/* An RPC Call of NULL, inline, that is answered by a Reply of any kind. */
bool requester_null(struct requester *requester, unsigned timeout);

/* The 40 octets of an RPC Call's header; those of one with AUTH_SYS. */
#define REQUESTER_RPC 40
#define REQUESTER_RPC_SYS 60
void requester_rpc(uint8_t octets[REQUESTER_RPC], uint32_t xid, uint32_t program, uint32_t version,
                   uint32_t procedure);

/* An RDMA_MSG with an inline RPC Call of NULL and this XID, of the Requester's program. */
#define REQUESTER_NULL (RPCRDMA1_HEADER_MIN + REQUESTER_RPC)
void requester_null_call(const struct requester *requester, uint32_t xid,
                         uint8_t octets[REQUESTER_NULL]);

/* The header of a Long Call whose octets are in this memory. Returns its length. */
#define REQUESTER_LONG_HEADER 64
size_t requester_long_header(uint32_t xid, const struct link_memory *memory,
                             uint8_t octets[REQUESTER_LONG_HEADER]);

#endif
