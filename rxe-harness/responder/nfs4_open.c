// SPDX-License-Identifier: BSD-3-Clause
/* What clients hold: opened files and delegations (RFC 8881 sections 8.2, 10.2 and 10.4). */
#include "rxe-harness/responder/nfs4_state.h"

#include <string.h>

static const uint8_t zeros[NFS4_STATE_OTHER];
static const uint8_t ones[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                               0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

void nfs4_forget_states(struct nfs4 *nfs4, uint64_t client)
{
    for (int i = 0; i < NFS4_STATES; i++)
        if (nfs4->states[i].client == client)
            nfs4->states[i].client = 0;
}

static struct nfs4_held *find(const struct nfs4_work *work, const struct nfs_stateid4 *stateid)
{
    for (int i = 0; i < NFS4_STATES && work->session; i++) {
        struct nfs4_held *held = &work->nfs4->states[i];
        if (held->client == work->session->client &&
            memcmp(held->other, stateid->other, NFS4_STATE_OTHER) == 0)
            return held;
    }
    return NULL;
}

static struct nfs4_held *hold(struct nfs4_work *work, bool is_delegation)
{
    struct nfs4_held *place = NULL;
    for (int i = 0; i < NFS4_STATES && place == NULL; i++)
        if (work->nfs4->states[i].client == 0)
            place = &work->nfs4->states[i];
    if (place == NULL)
        return NULL;
    *place = (struct nfs4_held){.client = work->session->client, .is_delegation = is_delegation};
    rpcrdma_xdr_store64(place->other, ++work->nfs4->made);
    rpcrdma_xdr_store32(place->other + 8, is_delegation);
    return place;
}

static struct nfs4_held *delegation_of(const struct nfs4 *nfs4, uint64_t client)
{
    for (int i = 0; i < NFS4_STATES; i++)
        if (nfs4->states[i].client == client && nfs4->states[i].is_delegation)
            return (struct nfs4_held *)(uintptr_t)&nfs4->states[i];
    return NULL;
}

/* Of the delegation it is now known that its client knows of it. */
static void use_delegation(const struct nfs4_work *work)
{
    struct nfs4_held *held =
        work->session ? delegation_of(work->nfs4, work->session->client) : NULL;
    if (held)
        held->is_used = true;
}

bool nfs4_knows_state(const struct nfs4_work *work, const struct nfs_stateid4 *stateid)
{
    use_delegation(work);
    return find(work, stateid) || memcmp(stateid->other, zeros, sizeof zeros) == 0 ||
           memcmp(stateid->other, ones, sizeof ones) == 0;
}

/* ---- OPEN ---- */

/* What is opened: a name in the current directory, or the current file itself. */
static enum nfs_nfsstat4 choose(struct nfs4_work *work, const struct nfs_open_claim4 *claim)
{
    const nfs_component4 *name = NULL;
    if (claim->claim == NFS_CLAIM_NULL)
        name = &claim->file;
    else if (claim->claim == NFS_CLAIM_DELEGATE_CUR)
        name = &claim->delegate_cur_info.file;
    else if (claim->claim != NFS_CLAIM_FH && claim->claim != NFS_CLAIM_DELEG_CUR_FH)
        return NFS_NFS4ERR_NO_GRACE;
    if (name && work->current != NFS4_DIRECTORY)
        return NFS_NFS4ERR_NOTDIR;
    enum nfs4_file file = name ? nfs4_find(work->nfs4, name) : work->current;
    if (file == NFS4_NO_FILE)
        return NFS_NFS4ERR_NOENT;
    if (file != NFS4_FILE && file != NFS4_WRITTEN)
        return file == NFS4_LINK ? NFS_NFS4ERR_SYMLINK : NFS_NFS4ERR_ISDIR;
    work->current = file;
    return NFS_NFS4_OK;
}

/* One for each client, of the file that cannot be written, if it can be recalled, and is not
 * unwanted. */
static void delegate(struct nfs4_work *work, const struct nfs_OPEN4args *asked,
                     struct nfs_open_delegation4 *delegation)
{
    static const uint8_t everyone[] = "EVERYONE@";
    uint32_t want = asked->share_access & NFS_OPEN4_SHARE_ACCESS_WANT_DELEG_MASK;
    const struct nfs4_session *bound = nfs4_bound(work->nfs4);
    *delegation = (struct nfs_open_delegation4){.delegation_type = NFS_OPEN_DELEGATE_NONE};
    if (work->current != NFS4_FILE || bound == NULL || bound->client != work->session->client ||
        want == NFS_OPEN4_SHARE_ACCESS_WANT_NO_DELEG ||
        want == NFS_OPEN4_SHARE_ACCESS_WANT_CANCEL ||
        delegation_of(work->nfs4, work->session->client))
        return;
    const struct nfs4_held *held = hold(work, true);
    if (held == NULL)
        return;
    delegation->delegation_type = NFS_OPEN_DELEGATE_READ;
    delegation->read = (struct nfs_open_read_delegation4){
        .stateid = {.seqid = 1, .other = held->other},
        .permissions.who = {.data = everyone, .length = sizeof everyone - 1}};
}

enum nfs_nfsstat4 nfs4_open(struct nfs4_work *work, const struct nfs_argop4 *args,
                            struct nfs_resop4 *result)
{
    const struct nfs_OPEN4args *asked = &args->opopen;
    bool writes = asked->share_access & NFS_OPEN4_SHARE_ACCESS_WRITE;
    if (asked->openhow.opentype != NFS_OPEN4_NOCREATE || (writes && !work->nfs4->is_writable))
        return NFS_NFS4ERR_ROFS;
    enum nfs_nfsstat4 status = choose(work, &asked->claim);
    if (status != NFS_NFS4_OK)
        return status;
    if (writes && work->current != NFS4_WRITTEN)
        return NFS_NFS4ERR_ACCESS;
    const struct nfs4_held *held = hold(work, false);
    if (held == NULL)
        return NFS_NFS4ERR_DELAY;
    struct nfs_OPEN4resok *opened = &result->opopen.resok4;
    *opened = (struct nfs_OPEN4resok){.stateid = {.seqid = 1, .other = held->other},
                                      .cinfo = {.atomic = true, .before = 1, .after = 1},
                                      .rflags = NFS_OPEN4_RESULT_LOCKTYPE_POSIX};
    delegate(work, asked, &opened->delegation);
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_close(struct nfs4_work *work, const struct nfs_argop4 *args,
                             struct nfs_resop4 *result)
{
    struct nfs4_held *held = find(work, &args->opclose.open_stateid);
    use_delegation(work);
    if (held == NULL || held->is_delegation)
        return NFS_NFS4ERR_BAD_STATEID;
    held->client = 0;
    /* The special one that is no state any more (RFC 8881 section 18.2.4). */
    result->opclose.open_stateid = (struct nfs_stateid4){.seqid = UINT32_MAX, .other = zeros};
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_delegreturn(struct nfs4_work *work, const struct nfs_argop4 *args,
                                   struct nfs_resop4 *result)
{
    (void)result;
    struct nfs4_held *held = find(work, &args->opdelegreturn.deleg_stateid);
    if (held == NULL || !held->is_delegation)
        return NFS_NFS4ERR_BAD_STATEID;
    held->client = 0;
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_test_stateid(struct nfs4_work *work, const struct nfs_argop4 *args,
                                    struct nfs_resop4 *result)
{
    struct rpcrdma_xdr_iter iter = nfs_stateid4_array_iter(&args->optest_stateid.ts_stateids);
    struct nfs_stateid4 stateid;
    uint32_t count = 0;
    while (count < NFS4_STATES && nfs_stateid4_array_next(&iter, &stateid))
        work->statuses[count++] = find(work, &stateid) ? NFS_NFS4_OK : NFS_NFS4ERR_BAD_STATEID;
    result->optest_stateid.tsr_resok4.tsr_status_codes =
        (struct nfs_nfsstat4_array){.items = work->statuses, .count = count};
    return count == args->optest_stateid.ts_stateids.count ? NFS_NFS4_OK : NFS_NFS4ERR_INVAL;
}

enum nfs_nfsstat4 nfs4_free_stateid(struct nfs4_work *work, const struct nfs_argop4 *args,
                                    struct nfs_resop4 *result)
{
    (void)result;
    struct nfs4_held *held = find(work, &args->opfree_stateid.fsa_stateid);
    if (held == NULL)
        return NFS_NFS4ERR_BAD_STATEID;
    held->client = 0;
    return NFS_NFS4_OK;
}

bool nfs4_delegation(const struct nfs4 *nfs4, struct nfs4_delegation *delegation)
{
    const struct nfs4_session *bound = nfs4_bound(nfs4);
    const struct nfs4_held *held = bound ? delegation_of(nfs4, bound->client) : NULL;
    if (held == NULL)
        return false;
    delegation->handle = nfs4_handle(NFS4_FILE);
    delegation->is_used = held->is_used;
    memcpy(delegation->other, held->other, NFS4_STATE_OTHER);
    return true;
}
