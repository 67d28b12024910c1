// SPDX-License-Identifier: BSD-3-Clause
/* Clients and sessions of NFSv4.1 (RFC 8881 sections 2.4, 2.10 and 18.34 to 18.51). */
#include "rxe-harness/responder/nfs4_state.h"

#include <string.h>

/* ---- clients ---- */

static struct nfs4_client *find_client(struct nfs4 *nfs4, uint64_t id)
{
    for (int i = 0; id != 0 && i < NFS4_CLIENTS; i++)
        if (nfs4->clients[i].id == id)
            return &nfs4->clients[i];
    return NULL;
}

static void forget_client(struct nfs4 *nfs4, struct nfs4_client *client)
{
    nfs4_forget_states(nfs4, client->id);
    for (int i = 0; i < NFS4_SESSIONS; i++)
        if (nfs4->sessions[i].client == client->id)
            nfs4->sessions[i].client = 0;
    client->id = 0;
}

/* By its owner; or a free place, which may have to be made. */
static struct nfs4_client *place_client(struct nfs4 *nfs4, const struct rpcrdma_xdr_opaque *owner)
{
    struct nfs4_client *first = &nfs4->clients[0];
    for (int i = 0; i < NFS4_CLIENTS; i++) {
        struct nfs4_client *client = &nfs4->clients[i];
        if (client->id != 0 && client->owner_length == owner->length &&
            memcmp(client->owner, owner->data, owner->length) == 0)
            return client;
        if (client->id < first->id)
            first = client;
    }
    if (first->id != 0)
        forget_client(nfs4, first);
    return first;
}

enum nfs_nfsstat4 nfs4_exchange_id(struct nfs4_work *work, const struct nfs_argop4 *args,
                                   struct nfs_resop4 *result)
{
    static const uint8_t self[] = "rpcrdma serve";
    const struct nfs_EXCHANGE_ID4args *asked = &args->opexchange_id;
    const struct rpcrdma_xdr_opaque *owner = &asked->eia_clientowner.co_ownerid;
    const struct rpcrdma_xdr_opaque name = {.data = self, .length = sizeof self - 1};
    const uint8_t *verifier = asked->eia_clientowner.co_verifier;
    if (owner->length > NFS4_OWNER || asked->eia_state_protect.spa_how != NFS_SP4_NONE)
        return NFS_NFS4ERR_INVAL;
    struct nfs4_client *client = place_client(work->nfs4, owner);
    bool known = client->id != 0 && memcmp(client->verifier, verifier, 8) == 0;
    if ((asked->eia_flags & NFS_EXCHGID4_FLAG_UPD_CONFIRMED_REC_A) && !known)
        return NFS_NFS4ERR_NOENT;
    if (!known) { /* a client that began anew holds nothing any more */
        forget_client(work->nfs4, client);
        *client = (struct nfs4_client){
            .id = ++work->nfs4->made, .owner_length = owner->length, .sequence = 1};
        memcpy(client->verifier, verifier, 8);
        memcpy(client->owner, owner->data, owner->length);
    }
    result->opexchange_id.eir_resok4 = (struct nfs_EXCHANGE_ID4resok){
        .eir_clientid = client->id,
        .eir_sequenceid = client->sequence,
        .eir_flags = NFS_EXCHGID4_FLAG_USE_NON_PNFS |
                     (client->confirmed ? NFS_EXCHGID4_FLAG_CONFIRMED_R : 0),
        .eir_server_owner.so_major_id = name,
        .eir_server_scope = name};
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_destroy_clientid(struct nfs4_work *work, const struct nfs_argop4 *args,
                                        struct nfs_resop4 *result)
{
    (void)result;
    struct nfs4_client *client = find_client(work->nfs4, args->opdestroy_clientid.dca_clientid);
    if (client == NULL)
        return NFS_NFS4ERR_STALE_CLIENTID;
    for (int i = 0; i < NFS4_SESSIONS; i++)
        if (work->nfs4->sessions[i].client == client->id)
            return NFS_NFS4ERR_CLIENTID_BUSY;
    forget_client(work->nfs4, client);
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_reclaim_complete(struct nfs4_work *work, const struct nfs_argop4 *args,
                                        struct nfs_resop4 *result)
{
    (void)result;
    struct nfs4_client *client = find_client(work->nfs4, work->session->client);
    if (args->opreclaim_complete.rca_one_fs)
        return NFS_NFS4_OK;
    if (client->reclaimed)
        return NFS_NFS4ERR_COMPLETE_ALREADY;
    client->reclaimed = true;
    return NFS_NFS4_OK;
}

/* ---- sessions ---- */

static struct nfs4_session *find_session(struct nfs4 *nfs4, const uint8_t *id)
{
    for (int i = 0; i < NFS4_SESSIONS; i++)
        if (nfs4->sessions[i].client != 0 && memcmp(nfs4->sessions[i].id, id, NFS4_SESSION_ID) == 0)
            return &nfs4->sessions[i];
    return NULL;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* What was asked for, as far as we go. */
static struct nfs_channel_attrs4 grant(const struct nfs_channel_attrs4 *asked, uint32_t requests)
{
    return (struct nfs_channel_attrs4){
        .ca_maxrequestsize = smaller(asked->ca_maxrequestsize, NFS4_RESULTS),
        .ca_maxresponsesize = smaller(asked->ca_maxresponsesize, NFS4_RESULTS),
        .ca_maxresponsesize_cached = smaller(asked->ca_maxresponsesize_cached, NFS4_KEPT),
        .ca_maxoperations = smaller(asked->ca_maxoperations, NFS4_OPERATIONS),
        .ca_maxrequests = smaller(asked->ca_maxrequests, requests)};
}

enum { AUTH_SYS = 1 };

/* The body of AUTH_SYS (RFC 5531 appendix A), whose name and groups are few enough by XDR. */
static void put_credential(struct nfs4_back_channel *channel, const struct nfs_authsys_parms *parms)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_xdr_iterate(parms->gids.wire, parms->gids.octets,
                                                       parms->gids.items, parms->gids.count);
    uint32_t name = (parms->machinename.length + 3) & ~3u, group;
    uint8_t *at = channel->credential;
    rpcrdma_xdr_store32(at, parms->stamp);
    rpcrdma_xdr_store32(at + 4, parms->machinename.length);
    memcpy(at + 8, parms->machinename.data, parms->machinename.length);
    at += 8 + name;
    rpcrdma_xdr_store32(at, parms->uid);
    rpcrdma_xdr_store32(at + 4, parms->gid);
    rpcrdma_xdr_store32(at + 8, parms->gids.count);
    for (at += 12; rpcrdma_xdr_uint32_next(&iter, &group); at += 4)
        rpcrdma_xdr_store32(at, group);
    channel->credential_length = (uint32_t)(at - channel->credential);
}

/* AUTH_SYS, if the client lists it, else AUTH_NONE. */
static void choose_credential(struct nfs4_session *session,
                              const struct nfs_CREATE_SESSION4args *asked)
{
    struct rpcrdma_xdr_iter iter = nfs_callback_sec_parms4_array_iter(&asked->csa_sec_parms);
    struct nfs_callback_sec_parms4 parms;
    while (session->channel.flavor == 0 && nfs_callback_sec_parms4_array_next(&iter, &parms)) {
        if (parms.cb_secflavor != AUTH_SYS)
            continue;
        put_credential(&session->channel, &parms.cbsp_sys_cred);
        session->channel.flavor = AUTH_SYS;
    }
}

static struct nfs4_session *make_session(struct nfs4 *nfs4, struct nfs4_client *client,
                                         const struct nfs_CREATE_SESSION4args *asked)
{
    struct nfs4_session *place = &nfs4->sessions[0];
    for (int i = 0; i < NFS4_SESSIONS && place->client != 0; i++)
        if (nfs4->sessions[i].client == 0 || nfs4->sessions[i].made < place->made)
            place = &nfs4->sessions[i];
    *place =
        (struct nfs4_session){.client = client->id,
                              .made = ++nfs4->made,
                              .create_sequence = asked->csa_sequence,
                              .flags = asked->csa_flags & NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN,
                              .fore = grant(&asked->csa_fore_chan_attrs, NFS4_SLOTS),
                              .back = grant(&asked->csa_back_chan_attrs, 1),
                              .back_sequence = 1};
    place->bound = place->flags != 0 ? nfs4->current : 0;
    place->channel.program = asked->csa_cb_program;
    choose_credential(place, asked);
    rpcrdma_xdr_store64(place->id, client->id);
    rpcrdma_xdr_store64(place->id + 8, place->made);
    return place;
}

enum nfs_nfsstat4 nfs4_create_session(struct nfs4_work *work, const struct nfs_argop4 *args,
                                      struct nfs_resop4 *result)
{
    const struct nfs_CREATE_SESSION4args *asked = &args->opcreate_session;
    struct nfs4_client *client = find_client(work->nfs4, asked->csa_clientid);
    struct nfs4_session *session = NULL;
    if (client == NULL)
        return NFS_NFS4ERR_STALE_CLIENTID;
    if (asked->csa_fore_chan_attrs.ca_maxrequests == 0)
        return NFS_NFS4ERR_INVAL;
    for (int i = 0; i < NFS4_SESSIONS; i++)
        if (work->nfs4->sessions[i].client == client->id &&
            work->nfs4->sessions[i].create_sequence == asked->csa_sequence)
            session = &work->nfs4->sessions[i]; /* the same Call again */
    bool again = session && asked->csa_sequence + 1 == client->sequence;
    if (!again && asked->csa_sequence != client->sequence)
        return NFS_NFS4ERR_SEQ_MISORDERED;
    if (!again) {
        session = make_session(work->nfs4, client, asked);
        client->confirmed = true;
        client->sequence++;
    }
    result->opcreate_session.csr_resok4 =
        (struct nfs_CREATE_SESSION4resok){.csr_sessionid = session->id,
                                          .csr_sequence = session->create_sequence,
                                          .csr_flags = session->flags,
                                          .csr_fore_chan_attrs = session->fore,
                                          .csr_back_chan_attrs = session->back};
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_destroy_session(struct nfs4_work *work, const struct nfs_argop4 *args,
                                       struct nfs_resop4 *result)
{
    (void)result;
    struct nfs4_session *session = find_session(work->nfs4, args->opdestroy_session.dsa_sessionid);
    if (session == NULL)
        return NFS_NFS4ERR_BADSESSION;
    session->client = 0;
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_bind_conn_to_session(struct nfs4_work *work, const struct nfs_argop4 *args,
                                            struct nfs_resop4 *result)
{
    const struct nfs_BIND_CONN_TO_SESSION4args *asked = &args->opbind_conn_to_session;
    struct nfs4_session *session = find_session(work->nfs4, asked->bctsa_sessid);
    if (session == NULL)
        return NFS_NFS4ERR_BADSESSION;
    bool back = asked->bctsa_dir != NFS_CDFC4_FORE;
    if (back && session->bound != work->nfs4->current) {
        session->bound = work->nfs4->current;
        session->called = session->works = false;
    }
    result->opbind_conn_to_session.bctsr_resok4 = (struct nfs_BIND_CONN_TO_SESSION4resok){
        .bctsr_sessid = session->id, .bctsr_dir = back ? NFS_CDFS4_BOTH : NFS_CDFS4_FORE};
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_sequence(struct nfs4_work *work, const struct nfs_argop4 *args,
                                struct nfs_resop4 *result)
{
    const struct nfs_SEQUENCE4args *asked = &args->opsequence;
    struct nfs4_session *session = find_session(work->nfs4, asked->sa_sessionid);
    if (session == NULL)
        return NFS_NFS4ERR_BADSESSION;
    uint32_t slots = session->fore.ca_maxrequests;
    if (asked->sa_slotid >= slots)
        return NFS_NFS4ERR_BADSLOT;
    if (work->operations > session->fore.ca_maxoperations)
        return NFS_NFS4ERR_TOO_MANY_OPS;
    struct nfs4_slot *slot = &session->slots[asked->sa_slotid];
    work->again = asked->sa_sequenceid == slot->sequence;
    if (work->again && slot->length == 0)
        return NFS_NFS4ERR_RETRY_UNCACHED_REP;
    if (!work->again && asked->sa_sequenceid != slot->sequence + 1)
        return NFS_NFS4ERR_SEQ_MISORDERED;
    slot->sequence = asked->sa_sequenceid;
    work->session = session;
    work->session_made = session->made;
    work->slot = slot;
    bool tries = work->nfs4->is_writable; /* its back channel */
    bool down = session->flags != 0 && (session->bound == 0 || (tries && !session->works));
    result->opsequence.sr_resok4 = (struct nfs_SEQUENCE4resok){
        .sr_sessionid = session->id,
        .sr_sequenceid = slot->sequence,
        .sr_slotid = asked->sa_slotid,
        .sr_highest_slotid = slots - 1,
        .sr_target_highest_slotid = slots - 1,
        .sr_status_flags = down ? NFS_SEQ4_STATUS_CB_PATH_DOWN_SESSION : 0};
    return NFS_NFS4_OK;
}

/* ---- the back channel ---- */

void nfs4_enter(struct nfs4 *nfs4, uint64_t connection)
{
    pthread_mutex_lock(&nfs4->mutex);
    nfs4->current = connection;
}

void nfs4_leave(struct nfs4 *nfs4)
{
    pthread_mutex_unlock(&nfs4->mutex);
}

uint64_t nfs4_connect(struct nfs4 *nfs4)
{
    nfs4_enter(nfs4, 0);
    uint64_t connection = nfs4->current = ++nfs4->connections;
    nfs4_leave(nfs4);
    return connection;
}

void nfs4_disconnect(struct nfs4 *nfs4, uint64_t connection)
{
    pthread_mutex_lock(&nfs4->mutex);
    for (int i = 0; i < NFS4_SESSIONS; i++)
        if (nfs4->sessions[i].bound == connection)
            nfs4->sessions[i].bound = 0;
    nfs4_leave(nfs4);
}

/* The one that was made last. */
struct nfs4_session *nfs4_bound(const struct nfs4 *nfs4)
{
    const struct nfs4_session *found = NULL;
    for (int i = 0; i < NFS4_SESSIONS; i++)
        if (nfs4->sessions[i].client != 0 && nfs4->sessions[i].bound == nfs4->current &&
            (found == NULL || nfs4->sessions[i].made > found->made))
            found = &nfs4->sessions[i];
    return (struct nfs4_session *)(uintptr_t)found;
}

bool nfs4_back_channel(const struct nfs4 *nfs4, struct nfs4_back_channel *channel)
{
    const struct nfs4_session *session = nfs4_bound(nfs4);
    if (session == NULL)
        return false;
    *channel = session->channel;
    channel->sequence = session->back_sequence;
    memcpy(channel->session, session->id, NFS4_SESSION_ID);
    return true;
}

void nfs4_back_channel_used(struct nfs4 *nfs4)
{
    struct nfs4_session *session = nfs4_bound(nfs4);
    if (session)
        session->back_sequence++;
}

bool nfs4_due(struct nfs4 *nfs4, struct nfs4_back_channel *channel)
{
    struct nfs4_session *session = nfs4_bound(nfs4);
    if (!nfs4->is_writable || session == NULL || session->called)
        return false;
    session->called = true;
    return nfs4_back_channel(nfs4, channel);
}

void nfs4_back_channel_works(struct nfs4 *nfs4)
{
    struct nfs4_session *session = nfs4_bound(nfs4);
    if (session)
        session->works = true;
}
