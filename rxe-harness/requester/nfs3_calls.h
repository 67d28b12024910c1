// SPDX-License-Identifier: BSD-3-Clause
/*
 * NFS version 3 (RFC 1813) over a session of version 2: Calls whose data goes in the Payload
 * stream, in Read and Write chunks, or in a message that is in a chunk as a whole.
 */
#ifndef HARNESS_NFS3_CALLS_H
#define HARNESS_NFS3_CALLS_H

#include "rxe-harness/session/session.h"

#define NFS3_HANDLE_MAX 64
#define NFS3_NAME_MAX 64
#define NFS3_SEGMENTS 3 /* of each chunk */

/* How data goes: in the message itself, which is in pieces where one Send does not hold it (-07
 * alone); in a chunk of its own, if it is a READ's or a WRITE's; with all of its message in a
 * chunk.
 */
enum nfs3_way { NFS3_PAYLOAD, NFS3_CHUNK, NFS3_EXTERNAL };
#define NFS3_WAYS 3

struct nfs3_handle {
    uint32_t length;
    uint8_t octets[NFS3_HANDLE_MAX];
};

struct nfs3_client {
    struct link *link;
    struct session *session;
    enum rpcrdma_protocol protocol;
    uint32_t xid;     /* of the last Call */
    unsigned timeout; /* milliseconds for a Reply */
    /* Let the peer invalidate the first handle of a Call. Memory of user space cannot be
     * invalidated over verbs. */
    bool invalidates;
    unsigned invalidated; /* Replies that did so */
    unsigned answered;    /* Calls of the peer's, in the reverse direction */
    char error[256];      /* why the last call returned false */
};

/* The object of this name in the root, which has an empty handle here. */
bool nfs3_lookup(struct nfs3_client *client, const char *name, struct nfs3_handle *handle);
bool nfs3_write(struct nfs3_client *client, enum nfs3_way way, const struct nfs3_handle *handle,
                uint64_t offset, const uint8_t *data, uint32_t length);
/* All of them, or false. */
bool nfs3_read(struct nfs3_client *client, enum nfs3_way way, const struct nfs3_handle *handle,
               uint64_t offset, uint8_t *data, uint32_t length);
/* Entries after `cookie`, in results of `count` octets at most. Those of the last one are in
 * `cookie` then, and whether it was the last of the directory in `end`. */
typedef bool nfs3_entry(void *arg, const char *name, uint64_t id);
bool nfs3_readdir(struct nfs3_client *client, enum nfs3_way way, const struct nfs3_handle *handle,
                  uint64_t *cookie, uint32_t count, bool *end, nfs3_entry *entry, void *arg);

/*
 * Against the reference Responder: write its file in all ways, in sizes up to `longest`, and read
 * it back in all ways, octet by octet; read its directory likewise, name by name. False:
 * client->error says what differed.
 */
bool nfs3_exercise(struct nfs3_client *client, uint32_t longest);

#endif
