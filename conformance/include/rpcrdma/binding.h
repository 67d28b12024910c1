// SPDX-License-Identifier: BSD-3-Clause
/*
 * Upper-layer bindings (RFC 8166 section 6): which items of a protocol may leave the Payload stream
 * for a chunk. A binding reads the arguments of a Call or the results of a Reply, and names the
 * items that it meets; the checker does the rest. To add one, see conformance/BINDINGS.md.
 */
#ifndef RPCRDMA_BINDING_H
#define RPCRDMA_BINDING_H

#include <rpcrdma/rpcrdma1.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arguments or results, as they stand in the payload. */
struct rpcrdma_content {
    uint32_t version, procedure; /* of the program called */
    const uint8_t *octets;
    size_t length;
    uint64_t position;                       /* of the first octet in the Payload stream */
    struct rpcrdma_xdr_reduction *reduction; /* what the Read chunks took out; for results, what the
                                        Write chunks did */
    size_t read; /* `length` at first; the binding sets it to the octets that it has read: up to the
                    end, or up to where it had to stop */
    bool bounded; /* Calls: set by a binding where more than the arguments bounds the Reply */
    uint32_t callback_program; /* Calls: set by a binding where the client says which program its
                                  server is to call (nothing of it is eligible); or 0 */
    uint64_t other_results;    /* Calls: octets of results that are not eligible and that can come
                                  back, at least, where the arguments say how many; or 0 */
};

#define RPCRDMA_ITEM_ANY UINT64_MAX /* length: not known */

/* One item that is DDP-eligible: an argument that may be in a Read chunk, or a result that may be
 * in a Write chunk. */
struct rpcrdma_item {
    const char *name;  /* "WRITE data"; lives forever */
    uint64_t position; /* arguments: of its first octet in the unreduced Payload stream, as its
                          hole has it if it is out */
    uint64_t length;   /* octets: its count word; of a result in a Call the most that can come back,
                          or RPCRDMA_ITEM_ANY where that is not known */
    uint32_t beside;   /* of a result in a Call: octets of other results that come with it, at
                          least, its count word among them */
    bool out;          /* it is in a chunk, not in the payload */
};

/* How far a binding could read. */
enum rpcrdma_reading {
    RPCRDMA_READ_ALL,   /* to the end of what it knows */
    RPCRDMA_READ_PART,  /* up to an operation that it does not know: nothing is said of the rest */
    RPCRDMA_UNREADABLE, /* up to octets that are not the protocol's */
};

/* What is heard of a message. The calls come in the order of the items; all but `operation` are
 * there. */
struct rpcrdma_item_sink {
    /* An operation begins; for protocols whose messages hold several. NULL if nobody listens. */
    void (*operation)(void *arg, const char *name);
    /* An eligible argument (in a Call). */
    void (*argument)(void *arg, const struct rpcrdma_item *item);
    /* In a Call: a result that the Reply can bring, in the order in which Write chunks serve them.
     */
    void (*expected)(void *arg, const struct rpcrdma_item *item);
    /*
     * In a Reply: an operation begins whose result is eligible, and which brought one. Returns
     * whether its item is in a chunk; then content->reduction->next_item is set for the decoder.
     */
    bool (*result_is_out)(void *arg);
    /* In a Reply: that item; or NULL, without the call before, if the operation brought none. */
    void (*result)(void *arg, const struct rpcrdma_item *item);
    void *arg;
};

struct rpcrdma_send; /* a Send as the checker sees it */

struct rpcrdma_binding {
    const char *name;
    uint32_t program, low_version, high_version;
    /* The name of a procedure, or NULL. */
    const char *(*procedure)(uint32_t version, uint32_t procedure);
    /* Also called without any octets: a procedure that can then be read to its end, as one without
     * arguments can, has none that is eligible. */
    enum rpcrdma_reading (*call)(struct rpcrdma_content *content,
                                 const struct rpcrdma_item_sink *sink);
    enum rpcrdma_reading (*reply)(struct rpcrdma_content *content,
                                  const struct rpcrdma_item_sink *sink);

    /* What a protocol says beyond RFC 8166. May a Write chunk that is not used come back without
     * segments? The hooks are for bindings inside the checker, and NULL for all others: they judge
     * the lists of a Call, a Long Call from the server, the Write chunk of this number, meant
     * for an operation that failed, and the result of this number, which has no Write chunk and is
     * not inline. */
    bool may_return_empty;
    void (*lists)(struct rpcrdma_send *send);
    void (*long_callback)(struct rpcrdma_send *send);
    void (*no_result)(struct rpcrdma_send *send, const struct rpcrdma1_segment_array *returned,
                      uint32_t number);
    void (*surplus_result)(struct rpcrdma_send *send, uint32_t number);

    /* The most octets that the results of a procedure can have beside a single one that is
     * eligible, its count word among them; 0: not known. NULL: never known. */
    uint32_t (*most_beside)(uint32_t version, uint32_t procedure);
};

/* The first of the bindings, up to a NULL, that serves this version of the program; or NULL. */
RPCRDMA_API const struct rpcrdma_binding *rpcrdma_binding_find(
    const struct rpcrdma_binding *const *bindings, uint32_t program, uint32_t version);

/* The bindings of NFS versions 2, 3 and 4, and of NFSACL (RFC 8267); protocols beside NFS that have
 * none, so that nothing is eligible; and all of them. */
RPCRDMA_API extern const struct rpcrdma_binding rpcrdma_binding_nfs2, rpcrdma_binding_nfs3,
    rpcrdma_binding_nfs4, rpcrdma_binding_nfsacl;
RPCRDMA_API extern const struct rpcrdma_binding rpcrdma_binding_mount, rpcrdma_binding_nlm,
    rpcrdma_binding_nsm;
RPCRDMA_API extern const struct rpcrdma_binding *const rpcrdma_bindings[];

#ifdef __cplusplus
}
#endif
#endif
