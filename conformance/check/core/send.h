// SPDX-License-Identifier: BSD-3-Clause
/*
 * Inside librpcrdma-check: one Send, decoded once for the rules of all scopes. What depends on the
 * version of the protocol is filled in by the code of that version's header (rules/header.c); all
 * other rules look at `message`, which is the same for all versions.
 */
#ifndef CONFORMANCE_SEND_H
#define CONFORMANCE_SEND_H

#include "conformance/check/core/review.h"

#include <rpcrdma/message.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/xdr_runtime.h> /* rpcrdma_xdr_round */

/* How far the header of a Send could be understood. */
enum header_state {
    HEADER_NONE,   /* too short, of another version or procedure, or its XDR is wrong */
    HEADER_UNSEEN, /* it ends beyond what was recorded */
    HEADER_DECODED,
};

/* Places in the chunk lists, which have the same octets in all versions. */
enum {
    ENTRY_AT_POSITION = RPCRDMA1_READ_LIST_ENTRY_AT_POSITION,
    ENTRY_AT_HANDLE = RPCRDMA1_READ_LIST_ENTRY_AT_TARGET_HANDLE,
    ENTRY_AT_LENGTH = RPCRDMA1_READ_LIST_ENTRY_AT_TARGET_LENGTH,
    ENTRY_AT_OFFSET = RPCRDMA1_READ_LIST_ENTRY_AT_TARGET_OFFSET,
    SEGMENT_AT_LENGTH = RPCRDMA1_SEGMENT_AT_LENGTH,
    SEGMENT_AT_OFFSET = RPCRDMA1_SEGMENT_AT_OFFSET,
};

/* Distinct Read chunks that are distinguished when Positions do not ascend. More than this, out of
 * order, are not compared with each other: memory is fixed, and no upper layer has more. */
#define READ_CHUNKS 64
#define READ_CHUNK_BITS 7 /* their index has twice as many places */

struct read_chunk {
    uint32_t position;
    uint64_t length;
    int64_t at; /* its first entry */
};

struct read_chunks {
    uint32_t count; /* of distinct Positions, those that are aligned and not zero */
    bool descends;  /* their order in the list is another */
    bool interleaved, overlap;
    struct read_chunk last;
    struct read_chunk *current;           /* where the last segment went, or NULL */
    struct read_chunk chunk[READ_CHUNKS]; /* sorted once the list was checked */
    uint8_t index[1 << READ_CHUNK_BITS];  /* if `descends`, by hash of Position: 1 + the number of
                                             the chunk while they are counted, or 0 */
};

/* What follows the header. */
struct payload {
    const uint8_t *octets;
    size_t length; /* recorded */
    uint64_t total;
    int64_t at; /* where it begins in the Send; before 0 for what earlier pieces brought */
};

struct rpcrdma_send {
    struct review review;
    const uint8_t *octets;
    size_t length;            /* recorded */
    uint64_t total;           /* on the wire */
    uint64_t missing;         /* total - length */
    struct side2 *own, *peer; /* version 2: what is known of its sender, and of its receiver */
    uint64_t freed_before;    /* traffic.freed of the Calls from the other side, before this Send */
    ptrdiff_t rpc_length;     /* RPC message after the header: octets of the RPC header, or -1 */

    /* 0 until something is known. By the header's code (rules/header.c): */
    enum header_state state;
    enum rpcrdma_roles receivers; /* as what it is taken, as far as that is known */
    enum drop drop;               /* why its receiver has to drop it, or has to as a Responder */
    uint32_t results;             /* Call: this many of its results are eligible, if has_results */
    bool may_be_overlooked;       /* nothing obliges a Responder to see the fault that it has */
    bool is_padded;               /* RDMA_MSGP, which only ERR_CHUNK should answer */
    bool may_be_refused;          /* a receiver that does not take it may answer by RDMA_ERROR */
    bool is_first;                /* version 2: of the client and its connection */
    bool contradicts;             /* version 2: the RPC message has the other direction */
    bool is_foreign;              /* of a version that both sides speak and that is not judged */
    bool has_position_zero;
    bool is_protected;                         /* RPCSEC_GSS integrity or privacy */
    bool has_results;                          /* Call whose arguments were read to their end */
    uint64_t position_zero_length;             /* octets of the Position Zero Read chunk */
    const struct rpcrdma1_chunk_lists *chunks; /* those of `message`, if it conveys RPC; or NULL */
    struct payload payload;                    /* with chunks */
    const struct rpcrdma_binding *binding; /* of an inline Call: that of its protocol, if applied */
    struct call *answers; /* Reply, RDMA_ERROR: the Call that waits for it, or NULL */
    struct call *named;   /* Reply with two XIDs: the Call of its RPC message, if that waits */

    /* Large, and filled where they are used: */
    struct read_chunks reads;       /* of a Call with a Read list */
    struct rpcrdma_message message; /* HEADER_DECODED */
    struct rpcrdma_rpc_header rpc;  /* rpc_length >= 0 */
};

/* Begin to review a Send: an empty judgement, but for the words that it has. */
void rpcrdma_send_begin(struct rpcrdma_send *send, struct rpcrdma_check *check,
                        const struct rpcrdma_event *event, struct rpcrdma_judgement *judgement);

enum { GSS_PROC_DATA = 0 };
enum {
    GSS_SERVICE_NONE = 1,
    GSS_SERVICE_INTEGRITY = 2,
    GSS_SERVICE_PRIVACY = 3,
    GSS_SERVICE_CHANNEL = 4,
};

/* The arguments of a Call whose header was decoded are protected by RPCSEC_GSS. */
static inline bool rpcrdma_is_protected(const struct rpcrdma_rpc_header *rpc)
{
    return rpc->has_gss && rpc->gss_proc == GSS_PROC_DATA &&
           (rpc->gss_service == GSS_SERVICE_INTEGRITY || rpc->gss_service == GSS_SERVICE_PRIVACY);
}

/* It carries data, and does not set up or end an RPCSEC_GSS context. */
static inline bool rpcrdma_is_data(const struct rpcrdma_rpc_header *rpc)
{
    return !rpc->has_gss || rpc->gss_proc == GSS_PROC_DATA;
}

/* Whether a Call's arguments are in the payload as the upper layer wrote them (RFC 2203). */
static inline bool rpcrdma_shows_arguments(const struct rpcrdma_rpc_header *rpc)
{
    return rpc->rpcvers == 2 && !rpcrdma_is_protected(rpc) && !rpc->gss_malformed &&
           (!rpc->has_gss ||
            (rpc->gss_proc == GSS_PROC_DATA &&
             (rpc->gss_service == GSS_SERVICE_NONE || rpc->gss_service == GSS_SERVICE_CHANNEL)));
}

/* Octets before a place in the Send. */
static inline int64_t place(const struct rpcrdma_send *send, const uint8_t *at)
{
    return at - send->octets;
}

/* The count word of a Write or Reply chunk, which precedes its segments. */
static inline int64_t place_of_count(const struct rpcrdma_send *send,
                                     const struct rpcrdma1_segment_array *segments)
{
    return place(send, segments->wire) - RPCRDMA1_WRITE_CHUNK_SIZE_MIN;
}

/* The word that says whether there is a Reply chunk: it follows the Write list. */
static inline int64_t place_of_reply(const struct rpcrdma_send *send)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    return place(send, writes->wire) + writes->octets;
}

static inline bool is_call(const struct rpcrdma_send *send)
{
    return send->review.judgement->direction == RPCRDMA_CALL;
}

static inline bool is_reply(const struct rpcrdma_send *send)
{
    return send->review.judgement->direction == RPCRDMA_REPLY;
}

/* Version 2 by draft -04. */
static inline bool is_04(const struct rpcrdma_send *send)
{
    return send->review.judgement->protocol == RPCRDMA_PROTOCOL_2_04;
}

/* By draft -07. */
static inline bool is_07(const struct rpcrdma_send *send)
{
    return send->review.judgement->protocol == RPCRDMA_PROTOCOL_2_07;
}

/* The RPC message, or its first octets, follow the header. */
static inline bool is_inline(const struct rpcrdma_send *send)
{
    return send->chunks != NULL && send->message.form == RPCRDMA_FORM_INLINE;
}

/* A chunk holds the RPC message. */
static inline bool is_special(const struct rpcrdma_send *send)
{
    return send->chunks != NULL && send->message.form == RPCRDMA_FORM_SPECIAL;
}

#endif
