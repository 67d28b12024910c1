// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a Send is about, as its upper layer names it: the procedure, its operations, and the item
 * in each chunk. The procedure of a Reply is that of its Call, which is remembered.
 */
#ifndef CONFORMANCE_ITEMS_H
#define CONFORMANCE_ITEMS_H

#include "conformance/input/source.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma1.h>

/* Calls that are remembered; a later one can take the place of another. */
#define ITEMS_CALLS 1024

/* Sides that can be in the middle of a message; a later one can take the place of another. */
#define ITEMS_PIECES 64

/* Programs of callbacks that are remembered. */
#define ITEMS_CALLBACKS 16

/* Chunks of a list that can have a name; later ones have none. */
#define ITEMS_CHUNKS 64

struct items_call {
    bool known;
    enum rpcrdma_endpoint from;
    uint64_t connection;
    uint32_t xid, program, version, procedure;
    const char *hidden; /* by what of RPCSEC_GSS its arguments and results are, or NULL */
};

/* A message of which pieces came, in version 2, and how many octets of it. */
struct items_pieces {
    bool open;
    enum rpcrdma_endpoint from;
    uint64_t connection;
    uint32_t xid;
    uint64_t octets;
};

struct items { /* begins as zeros; of one file */
    struct items_call calls[ITEMS_CALLS];
    struct items_pieces pieces[ITEMS_PIECES];
    uint32_t callbacks[ITEMS_CALLBACKS]; /* programs that clients let servers call */
    unsigned callback_count;
};

enum chunk_kind { CHUNK_READ, CHUNK_WRITE, CHUNK_REPLY };

struct chunk_item {
    enum chunk_kind kind;
    uint32_t position; /* CHUNK_READ */
    uint32_t number;   /* CHUNK_WRITE: in the list, from 0 */
    const char *item;  /* or NULL where it is not known */
    uint64_t length;   /* octets in it; of Write and Reply chunks in a Call, room for as many */
};

/* A Send that was looked at. It points into the event. */
struct items_view {
    uint32_t xid;
    bool has_lists; /* or else the rest says nothing */
    struct rpcrdma1_chunk_lists lists;
    bool is_piece; /* version 2: `length` octets of an RPC message of `total`, from octet `first`
                      on; `total` is 0 where its beginning was not seen */
    uint64_t first, length, total;
    bool is_reply;                         /* its RPC message, where that is seen */
    struct items_call call;                /* `known`: the program called */
    const struct rpcrdma_binding *binding; /* or NULL */
    bool is_readable;                      /* content is the upper layer's, not wrapped */
    struct rpcrdma_content content;
    struct chunk_item read[ITEMS_CHUNKS];
    uint32_t read_count;
    const char *write_item[ITEMS_CHUNKS];
};

/* Operations that are printed; more than this are not. */
#define ITEMS_OPERATIONS 64

/* Look at a Send, and remember it if it is a Call. */
void items_look(struct items *items, const struct source_event *event, struct items_view *view);

/* The operations of a procedure that has several, in order. Returns how far they are known. */
enum rpcrdma_reading items_operations(const struct items_view *view,
                                      void (*visit)(void *arg, const char *name), void *arg);

/* The chunks, in the order of their lists. */
void items_chunks(const struct items_view *view,
                  void (*visit)(void *arg, const struct chunk_item *chunk), void *arg);

/* Of whatever program a client has named. */
extern const struct rpcrdma_binding callback_binding;

#endif
