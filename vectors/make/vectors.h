// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vectors as tables of text, from which the JSON files are made.
 *
 * An event is a row of words. "> ..." is of the client, "< ..." of the server. The first word
 * says what it is:
 *
 *   msg nomsg msgp done error:chunk error:vers:LOW:HIGH    a Send with this procedure
 *   raw                                                    a Send of the words after "|" alone
 *   rdma-read:HANDLE:OFFSET rdma-write:HANDLE:OFFSET       an RDMA operation, "|" and what it moved
 *   private-data                                           "|" and the octets
 *   atomic:HANDLE:OFFSET                                   an atomic operation, "|" and its octets
 *   refused-read:HANDLE:OFFSET:LENGTH                      an RDMA Read that the side refused
 *   refused-write:HANDLE:OFFSET:LENGTH                     an RDMA Write
 *   not-ready:N                                            no receive buffer after N Sends
 *   registered-ACCESS:HANDLE:OFFSET:LENGTH                 it registered that: read, write, both
 *   invalidated:HANDLE                                     and took it back
 *   completed:XID                                          an RPC of the side is over
 *   disconnect
 *
 * and of version 2, whose words of a header are explained in version2/README.md. Then, in a Send,
 *
 *   xid:N vers:N credit:N      fixed words other than XID, 1 and CREDITS
 *   read:POSITION:SEGMENTS     entries of the Read list
 *   write:SEGMENTS             one Write chunk; "write:" is an empty one
 *   reply:SEGMENTS             the Reply chunk
 *   invalidate:HANDLE          it is a Send With Invalidate
 *
 * SEGMENTS are "HANDLE/LENGTH/OFFSET,..."; "N*HANDLE/LENGTH/OFFSET" is N neighbours. Behind "|"
 * comes the Payload stream: numbers are words, and
 *
 *   call call:XID              RPC Call of 40 octets, of a program without a known binding
 *   gss:PROC:SERVICE           the same with RPCSEC_GSS, 68 octets; 60 if PROC is not 0
 *   nfs2:PROC nfs3:PROC nfs4:PROC nfsacl:PROC  RPC Call of 40 octets of NFS, of NFSACL
 *   accepted accepted:XID      RPC Reply, executed: 24 octets
 *   *N +N                      N words, N octets of zeros
 *   text:STRING                its length, it, and its padding
 *   octets:N                   the octets 1, 2, 3 and so on up to N
 *   item:N                     these and their padding
 *
 * librpcrdma lays all of it out; last come the changes to the octets:
 *
 *   @OFFSET=N                  store this word there
 *   cut:N                      keep the first N octets
 *   part:FROM:N                of the Payload stream keep N octets from there on
 */
#ifndef VECTORS_MAKE_VECTORS_H
#define VECTORS_MAKE_VECTORS_H

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma1.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define XID 0x2f0c0001u
#define CREDITS 32
#define PROGRAM 0x20008166u /* of the numbers that users give (RFC 5531 section 8.3) */

/*
 * What a strict checker says of an event, in words: "V:SECTION/SLUG@OFFSET" for a finding (V, W or
 * N for its judgement; "@..." if it has a place; "rfc8797/4/..." for a document other than RFC
 * 8166), the reactions open to the receiver, and "length:N", or "length:-" where the header does
 * not decode. Of a Send the reaction is "process" and the length as laid out where nothing else is
 * said. NULL: just that.
 */
struct vector_event {
    const char *what, *expected;
};

#define VECTOR_EVENTS 24

struct vector {
    const char *id, *comment;
    const char *flags;     /* words, each explained in a note */
    const char *near_miss; /* "SECTION/SLUG ..." of the rules that it nearly breaks, or NULL */
    const char *settings;  /* "c2s:N s2c:N nfs reverse pull:N", N as in C, or NULL */
    struct vector_event events[VECTOR_EVENTS];
};

/* What a flag means. */
struct note {
    const char *flag, *kind, *description;
    const char *links; /* words, or NULL */
};

struct vector_group {
    const char *file, *title, *origin, *reference;
    const struct vector *vectors;
    size_t count;
    const char *protocol;     /* NULL: version 1 */
    const struct note *notes; /* besides those that all files share */
    size_t note_count;
};

#define GROUP(name, table) .file = name, .vectors = table, .count = COUNT(table)

/* The files, in no particular order, up to a NULL (main.c). */
extern const struct vector_group *const vector_groups[];

/* Those that are made of others, likewise (version2/translated.c). */
const struct vector_group *const *translated_groups(void);

/* Flags that more than one file has, up to a row of NULL (notes.c). */
extern const struct note shared_notes[];

/* ---- from text to octets (compose.c) ---- */

#define COMPOSED_OCTETS 16384

enum composed_kind {
    COMPOSED_SEND,
    COMPOSED_TRANSFER,
    COMPOSED_PRIVATE,
    COMPOSED_DISCONNECT,
    COMPOSED_MEMORY,
    COMPOSED_NUMBER,
};

struct composed {
    enum composed_kind kind;
    const char *key;  /* the JSON member: "send" and the like */
    const char *from; /* "client" or "server" */
    bool invalidate;
    uint32_t handle; /* of an RDMA operation, or to invalidate */
    uint64_t offset;
    const char *what, *word; /* of memory: "operation" or "access", and which */
    uint32_t number;         /* its length; or what the member says */
    const char *reactions;   /* to a Send that is good; NULL: "process" */
    size_t header_length;
    size_t length;
    uint8_t octets[COMPOSED_OCTETS];
};

/* What of a vector's earlier events its next one depends on. */
struct conversation {
    const char *id;    /* of the vector */
    uint32_t sends[2]; /* of the client and of the server: -07 counts them in the credit word */
};

/* Ends the program with a word about the vector where the text is wrong. */
void compose(struct composed *composed, const char *text, struct conversation *conversation);

/* ---- from tables to JSON (json.c) ---- */

void write_group(FILE *out, const struct vector_group *group);

/* Say what is wrong with a row of a table, and give up. */
_Noreturn void bad_row(const char *id, const char *what, const char *word);

#endif
