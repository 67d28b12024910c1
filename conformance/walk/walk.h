// SPDX-License-Identifier: BSD-3-Clause
/*
 * Walk over an XDR object by the tables that xdrgen makes of the specification, one field at a
 * time, each with its path, offset and value. It serves people (decode, --explain, the field of a
 * finding); the generated codec serves machines. The two share no code, so tests compare them with
 * each other.
 */
#ifndef CONFORMANCE_WALK_H
#define CONFORMANCE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xdr_type; /* one row of a generated table: see tables.h */

/*
 * A path names fields as one would speak of them: a union and those of its arms that are structs
 * add no step, so it is "rdma_reads[2].position" and not "rdma_body.rdma_msg.rdma_reads[2]…".
 */
enum walk_kind {
    WALK_UNSIGNED, /* number, and its name in `text` if it has one */
    WALK_SIGNED,   /* number, as int64_t */
    WALK_BOOL,     /* number: 0 or 1; also the presence word of an optional or a list entry */
    WALK_ENUM,     /* number, and its name in `text` (NULL when it is not a value of the enum) */
    WALK_OPAQUE,   /* bytes, number = their count (padding not included) */
    WALK_STRING,   /* the same */
    WALK_COUNT,    /* the count word before a variable array or opaque */
    WALK_BEGIN,    /* a struct, array, list or union opens: "members" follow until WALK_END */
    WALK_END,
};

struct walk_field {
    enum walk_kind kind;
    const char *path; /* from the root; lives until the visitor returns */
    const char *name; /* last step of it: the XDR's field name; "" for an array's or list's
                         element and for the root */
    const char *type; /* XDR type name, for people */
    bool array;       /* WALK_BEGIN: members are elements (of an array or list), not fields */
    bool present;     /* WALK_BOOL as presence word: this is one, and what `number` says */
    bool is_presence;
    unsigned depth; /* open WALK_BEGINs around it */
    size_t offset;  /* of its first octet, from the start of the object */
    size_t length;  /* octets on the wire, padding included; 0 for BEGIN and END */
    uint64_t number;
    const char *text;
    const uint8_t *bytes;
    bool has_value; /* WALK_OPAQUE: the octets are a number, `value`: see header.h */
    uint32_t value;
};

#define WALK_PATH 256 /* longer paths are cut */

struct walk_error {
    int code; /* as the codec's: see rpcrdma/xdr.h */
    size_t offset;
    char path[WALK_PATH];
};

typedef bool walk_visitor(void *arg, const struct walk_field *field); /* false stops the walk */

/*
 * Visit every field of the object of `type` at the start of buf. Returns the octets it takes, or -1
 * after filling `error` where it is malformed: what stands before the fault has been visited.
 * Returns -1 with error->code 0 when the visitor stopped it.
 */
ptrdiff_t rpcrdma_walk(const struct xdr_type *type, const void *buf, size_t length,
                       walk_visitor *visit, void *arg, struct walk_error *error);

/* The roots, from the generated tables. */
extern const struct xdr_type *const rpcrdma_walk_rpcrdma1_header;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_04_header; /* and see header.h */
extern const struct xdr_type *const rpcrdma_walk_rpcrdma_rpc_msg;

#endif
