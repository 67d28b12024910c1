// SPDX-License-Identifier: BSD-3-Clause
/*
 * The memory of the chunks of Calls that pass through: what a caller offers the other side is
 * read and written by the proxy, and memory of its own offered in its place. The caller is the
 * client; of Calls in the reverse direction (RFC 8167) it is the server. Of version 2, chunks are
 * in the last Send of a message in pieces.
 */
#ifndef HARNESS_PROXY_CHUNKS_H
#define HARNESS_PROXY_CHUNKS_H

#include "rxe-harness/transport/transport.h"

#include <rpcrdma/message.h>

#define CHUNKS_CALL_MAX ((uint64_t)32 << 20)   /* octets of the chunks of one Call */
#define CHUNKS_TOTAL_MAX ((uint64_t)256 << 20) /* of all Calls of a connection */
#define CHUNKS_CALLS_MAX 1024

/* A segment of a Write or Reply chunk: where it is in our memory, what it was for the caller. */
struct chunks_piece {
    uint64_t at;
    uint32_t handle, length;
    uint64_t offset;
    bool written; /* to the caller: once is enough */
};

struct chunks_call {
    struct chunks_call *next;
    uint32_t xid;
    struct link_memory reads, writes;   /* exposed to the answerer where octets is not NULL */
    uint32_t read_handle;               /* the caller's, of the first of what was read */
    uint32_t named;                     /* version 2: the caller's that may be invalidated, or 0 */
    const struct link_memory *named_in; /* the memory that stands for it, or NULL */
    struct chunks_piece *pieces;
    unsigned count;
};

struct chunks {
    struct link *caller, *answerer;
    bool invalidates;          /* the answerer can invalidate memory of ours */
    struct chunks_call *calls; /* not yet answered */
    unsigned count;
    uint64_t octets;
    uint64_t relayed[2]; /* octets read from the caller, and written to it */
    /* Called for each RDMA operation, in the caller's terms. */
    void (*moved)(void *arg, bool is_write, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length);
    void *arg;
    const char *error; /* why the last call returned false */
    bool too_much;     /* and that it was by a limit of ours, not by the caller */
};

/* A Call of the caller's, by this version of the protocol: read its Read chunks, move all its
 * chunks to memory of ours. The handle that a Call of version 2 names to be invalidated becomes
 * that of memory of ours, or 0 where the answerer cannot invalidate that. */
bool chunks_call(struct chunks *chunks, enum rpcrdma_protocol protocol, uint8_t *octets,
                 size_t length);

/* What the answerer sends, searched for an answer: write to the caller what the answerer
 * wrote to us, move the chunks back to the caller's memory, forget the Call. What was written
 * beyond a segment is shown as an RDMA Write, but not passed on; what was not written, at the end
 * of what is returned, is passed on, but not shown. */
bool chunks_reply(struct chunks *chunks, enum rpcrdma_protocol protocol, uint8_t *octets,
                  size_t length);

/* The handle that memory of ours with this handle has for the caller: the one that its Call named,
 * or else the first. False: it is no memory of ours. */
bool chunks_handle(const struct chunks *chunks, uint32_t handle, uint32_t *callers);

void chunks_free(struct chunks *chunks);

#endif
