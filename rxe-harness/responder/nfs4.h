// SPDX-License-Identifier: BSD-3-Clause
/*
 * As much of NFSv4.1 (RFC 8881) as a client needs for a mount, a look into the directory, reading
 * its file, and giving back the delegation that came with it. Minor version 2 is taken as well;
 * what it adds is not supported. Where it is writable there is more: the file that can be written
 * and the link (files.h); of version 4.0 what needs no state; and each session's back channel is
 * tried by one NULL (nfs4_due()), without whose Reply SEQUENCE says that it is down.
 *
 * Clients, sessions, states and files outlive connections; a back channel does not.
 */
#ifndef HARNESS_RESPONDER_NFS4_H
#define HARNESS_RESPONDER_NFS4_H

#include <rpcrdma/rpcrdma1.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NFS4_PROGRAM 100003u
#define NFS4_VERSION 4u
#define NFS4_COMPOUND 1u
#define NFS4_RESULTS 32768 /* octets of a COMPOUND's results, without the data of READ */
#define NFS4_SESSION_ID 16
#define NFS4_CREDENTIAL 400 /* octets: RFC 5531 section 8.2 */
#define NFS4_STATE_OTHER 12 /* octets of a stateid4 that name the state */

struct nfs4;

/* NULL: no memory. */
struct nfs4 *nfs4_new(bool is_writable);
void nfs4_free(struct nfs4 *nfs4);

/* From now on the file is that of this edition (files.h); 0: as it began. Only where nothing is
 * writable. */
void nfs4_edit(struct nfs4 *nfs4, uint32_t edition);

/* What comes from now on comes over another connection, on which no session has a back channel.
 * Returns its number. And one has ended, with the back channels on it. */
uint64_t nfs4_connect(struct nfs4 *nfs4);
void nfs4_disconnect(struct nfs4 *nfs4, uint64_t connection);
/* Where there are several at once: what follows is of that connection, and of this thread alone,
 * until it leaves. */
void nfs4_enter(struct nfs4 *nfs4, uint64_t connection);
void nfs4_leave(struct nfs4 *nfs4);

#define NFS4_ITEMS 8 /* READs and READLINKs of one COMPOUND; more are put off by DELAY */

struct nfs4_results {
    uint8_t octets[NFS4_RESULTS];
    size_t length;
    /* What READ or READLINK brings: comes at `at` of the octets, with its count word, where it is
     * not. */
    struct nfs4_item {
        size_t at, length;
        const uint8_t *octets; /* NULL: those of the one file, TEST_OCTET */
    } items[NFS4_ITEMS];
    unsigned item_count;
};

/* Execute a COMPOUND, from its tag on. The results live until the next one. NULL: the arguments
 * cannot be read. */
const struct nfs4_results *nfs4_compound(struct nfs4 *nfs4, const uint8_t *args, size_t length);

/* What a Call to the client needs to know (RFC 8881 section 2.10.3.1). */
struct nfs4_back_channel {
    uint32_t program;
    uint32_t flavor; /* of the credential: AUTH_NONE (0) or AUTH_SYS (1), as the client wants it */
    uint8_t credential[NFS4_CREDENTIAL];
    uint32_t credential_length;
    uint8_t session[NFS4_SESSION_ID];
    uint32_t sequence; /* of the next Call in its only slot */
};
/* The back channel of this connection. False: there is none. */
bool nfs4_back_channel(const struct nfs4 *nfs4, struct nfs4_back_channel *channel);
/* A Call of its slot was executed. */
void nfs4_back_channel_used(struct nfs4 *nfs4);
/* The same if it is to be tried by NULL, and then not again; and that it works. */
bool nfs4_due(struct nfs4 *nfs4, struct nfs4_back_channel *channel);
void nfs4_back_channel_works(struct nfs4 *nfs4);

struct nfs4_delegation {
    uint8_t other[NFS4_STATE_OTHER];
    const uint8_t *handle; /* FILES_HANDLE octets */
    bool is_used;          /* the client has seen the OPEN's results: another Call came */
};
/* The delegation that the client of the back channel holds. False: none. */
bool nfs4_delegation(const struct nfs4 *nfs4, struct nfs4_delegation *delegation);

/* ---- a Call in the reverse direction (RFC 8167): its headers (reverse_call.c) ---- */

#define REVERSE_OCTETS 768 /* of a Call */

struct nfs4_call {
    uint32_t xid, procedure, credits;
    const struct nfs4_back_channel *channel;
    const struct rpcrdma1_write_chunk *chunk; /* or NULL */
};

/* Returns the octets that its arguments follow. */
size_t reverse_call_encode(uint8_t octets[REVERSE_OCTETS], const struct nfs4_call *call);

#endif
