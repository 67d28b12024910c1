// SPDX-License-Identifier: BSD-3-Clause
/* What the files of the reference Responder share. */
#ifndef HARNESS_RESPONDER_WORK_H
#define HARNESS_RESPONDER_WORK_H

#include "rxe-harness/responder/nfs3.h"
#include "rxe-harness/responder/nfs4.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/session/session.h"

#include <rpcrdma/message.h>

#define SEGMENTS_MAX 1024
#define WRITE_CHUNKS_MAX 64
#define RESPONDER_REVERSE_XID 0x52000000u /* that of our first Call in the reverse direction */

struct responder {
    struct link *link;
    bool gone;
    bool invalidates;        /* version 1: the peer takes Send With Invalidate */
    uint32_t send_limit;     /* version 1: inline threshold of our Sends */
    uint8_t *call, *reply;   /* RESPONDER_MESSAGE_MAX octets each */
    struct session *session; /* where version 2 is spoken, or NULL */
    struct files_store store;
    unsigned every, served; /* Calls of version 2: between reverse Calls; in all */
    bool prefers_reply_chunk, empties_unused;
    uint32_t reverse_xid;
    struct responder_calls calls;
    struct nfs4 *nfs4; /* the caller's, or NULL */
    uint64_t nfs4_connection;
    enum responder_fault fault;
    struct late_write *late;
    unsigned lost; /* by RESPONDER_LOSES_WORK_REQUESTS */
};

/* A Call that is being answered. */
struct served_call {
    struct responder *responder;
    struct rpcrdma_message message; /* the header */
    const uint8_t *payload;         /* as it was sent */
    size_t payload_length;
    size_t call_length, reply_length;
    struct served_item {
        size_t at, length; /* in the reply; its length word is before */
    } items[NFS4_ITEMS];   /* the eligible results in turn */
    unsigned item_count;
};

/* The Write list that goes back. */
struct returned {
    struct rpcrdma1_write_chunk writes[WRITE_CHUNKS_MAX];
    struct rpcrdma1_segment segments[SEGMENTS_MAX];
    uint32_t write_count, segment_count;
};

/* Put the unreduced Call together, out of the Payload stream and the Read chunks. False: it cannot
 * be, or is longer than we take. */
bool responder_collect(struct served_call *work);
/* Make the unreduced Reply. False: not a Call that can be answered. */
bool responder_execute(struct served_call *work);

/* An RDMA Write to what the Requester offered, in the way that the fault has it. */
bool responder_write(struct responder *responder, const struct rpcrdma1_segment *segment,
                     const uint8_t *octets, size_t length);
/* After a Reply: those that the fault has put off. */
void responder_write_late(struct responder *responder);

/* RESPONDER_LOSES_WORK_REQUESTS: after a Call was read; after its Reply was written into these
 * segments; after an RDMA_ERROR; and what then becomes of each Reply. */
void responder_lose_read(struct served_call *work);
void responder_lose_write(struct served_call *work, const struct rpcrdma1_segment_array *filled);
void responder_lose_error(struct served_call *work);
void responder_mix_up(struct served_call *work);

/* Return a chunk with `data` written into its segments in order; what is not used has length 0.
 * False: the chunk has no room, or the peer's memory was refused. */
bool responder_fill(struct served_call *work, struct returned *returned,
                    const struct rpcrdma1_segment_array *offered,
                    struct rpcrdma1_segment_array *filled, const uint8_t *data, size_t length);
/* Each Write chunk takes the eligible result of its number, if there is one and it has segments;
 * the others come back unused. */
bool responder_fill_writes(struct served_call *work, struct returned *returned);
/* A handle that the Call offered, for its Reply to invalidate. */
bool responder_offered_handle(const struct rpcrdma1_chunk_lists *chunks, uint32_t *handle);

/* A Reply to a Call of ours, of this XID: whether it is one, and says that it was executed. */
bool responder_take_answer(struct responder *responder, uint32_t xid, const uint8_t *payload,
                           size_t length);

/* Take what came by a session of version 2: answer a Call. */
void responder_take2(struct responder *responder, const struct session_event *event);

#endif
