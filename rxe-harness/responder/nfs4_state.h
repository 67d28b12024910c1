// SPDX-License-Identifier: BSD-3-Clause
/* What the files of the NFSv4.1 server share: clients, sessions, states, and a COMPOUND. */
#ifndef HARNESS_RESPONDER_NFS4_STATE_H
#define HARNESS_RESPONDER_NFS4_STATE_H

#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/nfs4.h"

#include <compound.h>
#include <pthread.h>

#define NFS4_CLIENTS 8 /* of more the one that was made first is forgotten */
#define NFS4_SESSIONS 8
#define NFS4_SLOTS 8
#define NFS4_OPERATIONS 64 /* of a COMPOUND */
#define NFS4_STATES 32
#define NFS4_KEPT 2048 /* octets of a slot's results; longer ones are not kept */
#define NFS4_OWNER 1024
#define NFS4_LEASE 90 /* seconds; it never ends here */

struct nfs4_client {
    uint64_t id; /* 0: there is none */
    bool confirmed;
    uint8_t verifier[8], owner[NFS4_OWNER];
    size_t owner_length;
    uint32_t sequence; /* of its next CREATE_SESSION */
    bool reclaimed;
};

struct nfs4_slot {
    uint32_t sequence; /* of the last Call */
    size_t length;     /* of its results; 0: not kept */
    uint8_t results[NFS4_KEPT];
};

struct nfs4_session {
    uint64_t client; /* 0: there is none */
    uint64_t made;   /* which of all sessions it is */
    uint8_t id[NFS4_SESSION_ID];
    uint32_t create_sequence;
    uint32_t flags;
    struct nfs4_back_channel channel; /* without its sequence */
    struct nfs_channel_attrs4 fore, back;
    uint32_t back_sequence;
    uint64_t bound;     /* the connection that is its back channel, or 0 */
    bool called, works; /* the back channel was tried; and answered */
    struct nfs4_slot slots[NFS4_SLOTS];
};

struct nfs4_held {
    uint64_t client; /* 0: there is none */
    bool is_delegation, is_used;
    uint8_t other[NFS4_STATE_OTHER];
};

struct nfs4 {
    pthread_mutex_t mutex;
    bool is_writable;
    uint64_t connections, current; /* so far; the one that is at work */
    uint64_t made;                 /* clients, sessions and states so far */
    uint64_t changes;              /* of files */
    struct files_store store;
    struct nfs4_client clients[NFS4_CLIENTS];
    struct nfs4_session sessions[NFS4_SESSIONS];
    struct nfs4_held states[NFS4_STATES];
    struct nfs4_results results;
};

enum nfs4_file { NFS4_NO_FILE, NFS4_DIRECTORY, NFS4_FILE, NFS4_WRITTEN, NFS4_LINK };
#define NFS4_ENTRIES 3 /* of the directory, at most */

/* What attributes of one file point at. */
struct nfs4_attribute_room {
    uint8_t octets[512];
    uint32_t bitmap[3];
};

/* A COMPOUND while it is executed. */
struct nfs4_work {
    struct nfs4 *nfs4;
    struct nfs4_results *results;
    struct nfs4_session *session;
    uint64_t session_made; /* by which it is still that one */
    struct nfs4_slot *slot;
    bool again;     /* the slot's results are the answer */
    uint32_t minor; /* version */
    enum nfs4_file current, saved;
    uint32_t operations; /* asked for */
    /* What the result of one operation points at. */
    struct nfs4_attribute_room rooms[NFS4_ENTRIES];
    struct nfs_entry4_entry entries[NFS4_ENTRIES];
    struct nfs_secinfo4 flavors[2];
    enum nfs_nfsstat4 statuses[NFS4_STATES];
};

/* Executes one operation. Returns its status, with `result` filled where that is NFS4_OK. */
typedef enum nfs_nfsstat4 nfs4_operation(struct nfs4_work *work, const struct nfs_argop4 *args,
                                         struct nfs_resop4 *result);

nfs4_operation nfs4_exchange_id, nfs4_create_session, nfs4_sequence, nfs4_destroy_session,
    nfs4_destroy_clientid, nfs4_bind_conn_to_session, nfs4_reclaim_complete;
nfs4_operation nfs4_open, nfs4_close, nfs4_delegreturn, nfs4_test_stateid, nfs4_free_stateid;
nfs4_operation nfs4_lookup, nfs4_read, nfs4_readlink, nfs4_readdir, nfs4_write, nfs4_create,
    nfs4_remove;

/* The file of this name in the directory, or NFS4_NO_FILE; and whether this one is there. */
enum nfs4_file nfs4_find(const struct nfs4 *nfs4, const nfs_component4 *name);
bool nfs4_exists(const struct nfs4 *nfs4, enum nfs4_file file);

/* Whether READ or WRITE may go by this: a state of the client's, or one of the special ones. */
bool nfs4_knows_state(const struct nfs4_work *work, const struct nfs_stateid4 *stateid);
/* Forget what a client has open. */
void nfs4_forget_states(struct nfs4 *nfs4, uint64_t client);
struct nfs4_session *nfs4_bound(const struct nfs4 *nfs4);

/* Those attributes of `asked` that there are; `fattr` points into the room. */
void nfs4_attributes(const struct nfs4 *nfs4, struct nfs4_attribute_room *room, enum nfs4_file file,
                     const nfs_bitmap4 *asked, struct nfs_fattr4 *fattr);
/* FILES_HANDLE octets. */
const uint8_t *nfs4_handle(enum nfs4_file file);

#endif
