// SPDX-License-Identifier: BSD-3-Clause
/*
 * NFS version 4.0 on the Requester's side, as far as a live case needs it of somebody else's
 * server: COMPOUNDs that begin at the root and hold no state (RFC 7530; the anonymous state
 * identifier). All XDR is the generated codec's.
 */
#ifndef HARNESS_NFS_H
#define HARNESS_NFS_H

#include "rxe-harness/requester/requester.h"

#include <compound.h>

#define NFS_PROGRAM 100003u
#define NFS_VERSION 4u
#define NFS_COMPOUND 1u
#define NFS_OPERATIONS 40 /* of one COMPOUND */

/* The names and data that operations are given stay the caller's. */
struct nfs_compound {
    struct nfs_argop4 operations[NFS_OPERATIONS];
    unsigned count; /* one too many: it does not fit */
    uint32_t minor; /* version */
};

/* PUTROOTFH, and what follows it. */
void nfs_begin(struct nfs_compound *compound);

/* A session of version 4.1 (RFC 8881): one slot. */
struct nfs_session {
    uint64_t client;
    uint32_t client_sequence; /* of CREATE_SESSION */
    uint32_t sequence;        /* of the slot's last Call */
    uint8_t id[16];
    uint32_t flags; /* of the session, as the server has it */
};
/* Alone in their COMPOUNDs. `owner`: who the client is. */
void nfs_exchange_id(struct nfs_compound *compound, const char *owner, const uint8_t verifier[8]);
void nfs_create_session(struct nfs_compound *compound, const struct nfs_session *session,
                        uint32_t flags, uint32_t callbacks);
void nfs_destroy_session(struct nfs_compound *compound, const struct nfs_session *session);
void nfs_destroy_clientid(struct nfs_compound *compound, const struct nfs_session *session);
/* SEQUENCE of the slot's next Call, and PUTROOTFH. `keeps`: the server is to keep the Reply, which
 * has to be short for that. */
void nfs_begin_in_session(struct nfs_compound *compound, struct nfs_session *session, bool keeps);
/* Put SEQUENCE of the slot's next Call before the operations, which begin with PUTROOTFH. */
void nfs_enter_session(struct nfs_compound *compound, struct nfs_session *session);
/* A LOOKUP for each name of a path, names between slashes, `length` octets of it. */
void nfs_lookup(struct nfs_compound *compound, const char *path, size_t length);
void nfs_remove(struct nfs_compound *compound, const char *name);
void nfs_read(struct nfs_compound *compound, uint64_t offset, uint32_t count);
void nfs_write(struct nfs_compound *compound, uint64_t offset, const uint8_t *data,
               uint32_t length);
/* Open a file of the current directory to read it, unless the caller changes that; and close what
 * `other` (12 octets) names. */
struct nfs_OPEN4args *nfs_open(struct nfs_compound *compound, const struct nfs_session *session,
                               const char *name);
void nfs_close(struct nfs_compound *compound, const uint8_t *other);
void nfs_return_delegation(struct nfs_compound *compound, const uint8_t *other);
void nfs_reclaim_complete(struct nfs_compound *compound, struct nfs_session *session);
void nfs_create_link(struct nfs_compound *compound, const char *name, const char *target);
void nfs_readlink(struct nfs_compound *compound);
void nfs_getattr(struct nfs_compound *compound);
/* SECINFO_NO_NAME of the current file. */
void nfs_secinfo(struct nfs_compound *compound);
void nfs_readdir(struct nfs_compound *compound, uint32_t most);

/* Make the arguments; sets the Call's procedure, args, args_length and, where an operation has an
 * eligible argument, item_at and item_length. NULL: it cannot be encoded. To be freed. */
uint8_t *nfs_encode(const struct nfs_compound *compound, struct requester_call *call);

/* An eligible result: wherever it came. */
struct nfs_item {
    const uint8_t *octets;
    uint32_t length;
    bool in_chunk, eof;
};

/* The results of a COMPOUND in turn. `is_out`: its item is in the Write chunk of this number. */
typedef bool nfs_visitor(void *arg, const struct nfs_resop4 *result, bool is_out, unsigned number);

/* False after writing why into `wrong`, if the visitor has not, where they cannot be read or a
 * visit returned false. */
bool nfs_each_result(const struct requester_reply *reply, nfs_visitor *visit, void *arg,
                     char wrong[128]);

struct nfs_results {
    uint32_t status;                /* of the last operation */
    unsigned count;                 /* of results */
    uint32_t written;               /* octets, by the last WRITE */
    unsigned entries;               /* that the last READDIR brought */
    struct nfs_session session;     /* of EXCHANGE_ID or CREATE_SESSION */
    uint32_t session_status;        /* of SEQUENCE: flags */
    bool has_gss;                   /* SECINFO_NO_NAME names RPCSEC_GSS */
    bool is_opened, has_delegation; /* by OPEN: these stateid4.other */
    uint8_t opened[12], delegation[12];
    unsigned item_count;
    struct nfs_item items[REQUESTER_CHUNKS];
    char wrong[128]; /* why they cannot be read; empty if they can */
};

/* False, with results->wrong set, if they are no results of a COMPOUND. What is read lives as long
 * as the reply and the pending Call do. */
bool nfs_read_results(const struct requester_pending *pending, const struct requester_reply *reply,
                      struct nfs_results *results);

#endif
