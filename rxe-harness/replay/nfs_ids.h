// SPDX-License-Identifier: BSD-3-Clause
/*
 * What an NFS server gave a name of its own: clients, sessions, files, states. The names that a
 * recorded server gave stand in the Calls of the recording; today's are put in their place.
 */
#ifndef HARNESS_NAMES_H
#define HARNESS_NAMES_H

#include "rxe-harness/requester/requester.h"

#include <compound.h>

#include <stddef.h>

#define NAME_OCTETS 128 /* NFS4_FHSIZE, and no other is longer */
#define NAMES_GIVEN 512 /* by one Reply; of more nothing is known */
#define NAMES_MAX 4096

enum name_kind {
    NAME_CLIENT,
    NAME_FIRST_SESSION, /* a client with the number that its first session has to have */
    NAME_VERIFIER,
    NAME_SESSION,
    NAME_FILE,
    NAME_STATE,
    NAME_DELEGATION,
};

/* In the order of the results, with room for `room` names. */
struct names_given {
    unsigned results; /* so far */
    unsigned count, room;
    struct name_given {
        unsigned result;
        enum name_kind kind;
        uint64_t entry; /* of a directory: the hash of what the file is called there; else 0 */
        size_t length;
        uint8_t octets[NAME_OCTETS];
    } list[];
};

struct name {
    size_t old_length, fresh_length; /* another one: only after a count word, as files have it */
    uint8_t old[NAME_OCTETS], fresh[NAME_OCTETS];
};
struct replay_names {
    struct name *list;
    size_t count, room;
};

/* One name more, if it is too long to stand for something else by chance, and there is room.
 * `entry`: the directory entry of the file, or NULL. */
void names_give(struct names_given *given, enum name_kind kind,
                const struct rpcrdma_xdr_opaque *entry, const uint8_t *octets, size_t length);

/* The names in the results of a procedure of NFS version 4, or 3, to be freed; NULL: there are
 * none.
 */
struct names_given *names_read(const struct requester_reply *reply, uint32_t version,
                               uint32_t procedure);
/* Into `given`: the handles in the results of NFS version 3, and those of version 4 that stand
 * among attributes. */
void names_read3(const struct requester_reply *reply, uint32_t procedure,
                 struct names_given *given);
void names_read_directory(const struct nfs_READDIR4resok *directory, struct names_given *given);
void names_read_attributes(const struct nfs_fattr4 *attributes,
                           const struct rpcrdma_xdr_opaque *entry, struct names_given *given);
/* Two Replies to the same Call: what the one called so the other calls otherwise. */
void names_learn(struct replay_names *names, const struct names_given *old,
                 const struct names_given *fresh);
/* Where a Call became longer, or shorter. */
#define NAMES_SHIFTS 16
struct names_shifts {
    unsigned count;
    struct {
        size_t at; /* in the Call as it was */
        ptrdiff_t by;
    } list[NAMES_SHIFTS];
};
/* Replace in a Call, from the start of the RPC message on, in a buffer of `room` octets. Returns
 * how long it is then. Without `shifts` only what keeps the length. */
size_t names_apply(const struct replay_names *names, uint8_t *octets, size_t length, size_t room,
                   struct names_shifts *shifts);
void names_free(struct replay_names *names);

#endif
