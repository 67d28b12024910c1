// SPDX-License-Identifier: BSD-3-Clause
/* A COMPOUND of NFSv4: its operations in turn, until one fails (RFC 8881 section 2.10 and 18). What
 * files hold is in nfs4_files.c. */
#include "rxe-harness/responder/nfs4_state.h"

#include "conformance/base/count.h"

#include <stdlib.h>
#include <string.h>

/* ---- the current file ---- */

static enum nfs_nfsstat4 put_root(struct nfs4_work *work, const struct nfs_argop4 *args,
                                  struct nfs_resop4 *result)
{
    (void)args, (void)result;
    work->current = NFS4_DIRECTORY;
    return NFS_NFS4_OK;
}

static enum nfs_nfsstat4 put_handle(struct nfs4_work *work, const struct nfs_argop4 *args,
                                    struct nfs_resop4 *result)
{
    (void)result;
    const nfs_fh4 *handle = &args->opputfh.object;
    for (enum nfs4_file file = NFS4_DIRECTORY; file <= NFS4_LINK; file++) {
        if (handle->length != FILES_HANDLE ||
            memcmp(handle->data, nfs4_handle(file), FILES_HANDLE) != 0)
            continue;
        bool is_there = nfs4_exists(work->nfs4, file);
        if (is_there)
            work->current = file;
        return is_there ? NFS_NFS4_OK : NFS_NFS4ERR_STALE;
    }
    return NFS_NFS4ERR_BADHANDLE;
}

static enum nfs_nfsstat4 get_handle(struct nfs4_work *work, const struct nfs_argop4 *args,
                                    struct nfs_resop4 *result)
{
    (void)args;
    result->opgetfh.resok4.object =
        (nfs_fh4){.data = nfs4_handle(work->current), .length = FILES_HANDLE};
    return NFS_NFS4_OK;
}

static enum nfs_nfsstat4 save(struct nfs4_work *work, const struct nfs_argop4 *args,
                              struct nfs_resop4 *result)
{
    (void)args, (void)result;
    work->saved = work->current;
    return NFS_NFS4_OK;
}

static enum nfs_nfsstat4 restore(struct nfs4_work *work, const struct nfs_argop4 *args,
                                 struct nfs_resop4 *result)
{
    (void)args, (void)result;
    if (work->saved == NFS4_NO_FILE)
        return NFS_NFS4ERR_NOFILEHANDLE;
    work->current = work->saved;
    return NFS_NFS4_OK;
}

static enum nfs_nfsstat4 lookup_parent(struct nfs4_work *work, const struct nfs_argop4 *args,
                                       struct nfs_resop4 *result)
{
    (void)args, (void)result;
    return work->current == NFS4_DIRECTORY ? NFS_NFS4ERR_NOENT : NFS_NFS4ERR_NOTDIR;
}

/* ---- looking ---- */

static enum nfs_nfsstat4 get_attributes(struct nfs4_work *work, const struct nfs_argop4 *args,
                                        struct nfs_resop4 *result)
{
    nfs4_attributes(work->nfs4, &work->rooms[0], work->current, &args->opgetattr.attr_request,
                    &result->opgetattr.resok4.obj_attributes);
    return NFS_NFS4_OK;
}

static enum nfs_nfsstat4 access_file(struct nfs4_work *work, const struct nfs_argop4 *args,
                                     struct nfs_resop4 *result)
{
    uint32_t may = NFS_ACCESS4_READ;
    if (work->current == NFS4_DIRECTORY)
        may |= NFS_ACCESS4_LOOKUP;
    if (work->current == NFS4_WRITTEN)
        may |= NFS_ACCESS4_MODIFY | NFS_ACCESS4_EXTEND;
    uint32_t all =
        may | NFS_ACCESS4_MODIFY | NFS_ACCESS4_EXTEND | NFS_ACCESS4_DELETE | NFS_ACCESS4_EXECUTE;
    result->opaccess.resok4 = (struct nfs_ACCESS4resok){.supported = args->opaccess.access & all,
                                                        .access = args->opaccess.access & may};
    return NFS_NFS4_OK;
}

/* AUTH_SYS and AUTH_NONE; both name no file any more (RFC 8881 section 2.6.3.1.1.8). */
static enum nfs_nfsstat4 tell_flavors(struct nfs4_work *work, const struct nfs_argop4 *args,
                                      struct nfs_resop4 *result)
{
    (void)args;
    work->current = NFS4_NO_FILE;
    work->flavors[0] = (struct nfs_secinfo4){.flavor = 1};
    work->flavors[1] = (struct nfs_secinfo4){.flavor = 0};
    result->opsecinfo.resok4 = (nfs_SECINFO4resok){.items = work->flavors, .count = 2};
    return NFS_NFS4_OK;
}

/* ---- COMPOUND ---- */

static enum nfs_nfsstat4 refuse(struct nfs4_work *work, const struct nfs_argop4 *args,
                                struct nfs_resop4 *result)
{
    (void)work, (void)args, (void)result;
    return NFS_NFS4ERR_PERM;
}

enum {
    NEEDS_FILE = 1,
    ALONE = 2, /* without a session, in a COMPOUND of its own */
    CHANGES = 4,
    BY_40 = 8, /* needs no state: by version 4.0, too */
};

static const struct {
    enum nfs_opnum4 number;
    nfs4_operation *execute;
    unsigned flags;
} operations[] = {
    {NFS_OP_PUTROOTFH, put_root, BY_40},
    {NFS_OP_PUTPUBFH, put_root, BY_40},
    {NFS_OP_PUTFH, put_handle, BY_40},
    {NFS_OP_GETFH, get_handle, NEEDS_FILE | BY_40},
    {NFS_OP_SAVEFH, save, NEEDS_FILE | BY_40},
    {NFS_OP_RESTOREFH, restore, BY_40},
    {NFS_OP_LOOKUP, nfs4_lookup, NEEDS_FILE | BY_40},
    {NFS_OP_LOOKUPP, lookup_parent, NEEDS_FILE | BY_40},
    {NFS_OP_GETATTR, get_attributes, NEEDS_FILE | BY_40},
    {NFS_OP_ACCESS, access_file, NEEDS_FILE | BY_40},
    {NFS_OP_READDIR, nfs4_readdir, NEEDS_FILE | BY_40},
    {NFS_OP_READ, nfs4_read, NEEDS_FILE | BY_40},
    {NFS_OP_READLINK, nfs4_readlink, NEEDS_FILE | BY_40},
    {NFS_OP_OPEN, nfs4_open, NEEDS_FILE},
    {NFS_OP_CLOSE, nfs4_close, NEEDS_FILE},
    {NFS_OP_DELEGRETURN, nfs4_delegreturn, NEEDS_FILE},
    {NFS_OP_TEST_STATEID, nfs4_test_stateid, 0},
    {NFS_OP_FREE_STATEID, nfs4_free_stateid, 0},
    {NFS_OP_SECINFO, tell_flavors, NEEDS_FILE | BY_40},
    {NFS_OP_SECINFO_NO_NAME, tell_flavors, NEEDS_FILE},
    {NFS_OP_RECLAIM_COMPLETE, nfs4_reclaim_complete, 0},
    {NFS_OP_EXCHANGE_ID, nfs4_exchange_id, ALONE},
    {NFS_OP_CREATE_SESSION, nfs4_create_session, ALONE},
    {NFS_OP_DESTROY_SESSION, nfs4_destroy_session, ALONE},
    {NFS_OP_DESTROY_CLIENTID, nfs4_destroy_clientid, ALONE},
    {NFS_OP_BIND_CONN_TO_SESSION, nfs4_bind_conn_to_session, ALONE},
    {NFS_OP_WRITE, nfs4_write, NEEDS_FILE | CHANGES | BY_40},
    {NFS_OP_CREATE, nfs4_create, NEEDS_FILE | CHANGES | BY_40},
    {NFS_OP_REMOVE, nfs4_remove, NEEDS_FILE | CHANGES | BY_40},
    {NFS_OP_RENAME, refuse, NEEDS_FILE | CHANGES | BY_40},
    {NFS_OP_LINK, refuse, NEEDS_FILE | CHANGES | BY_40},
    {NFS_OP_SETATTR, refuse, NEEDS_FILE | CHANGES | BY_40},
};

/* What the session has to say, in a version that has sessions. */
static enum nfs_nfsstat4 place_in_session(const struct nfs4_work *work, bool is_alone)
{
    if (work->session == NULL && !is_alone)
        return NFS_NFS4ERR_OP_NOT_IN_SESSION;
    return work->session == NULL && work->operations > 1 ? NFS_NFS4ERR_NOT_ONLY_OP : NFS_NFS4_OK;
}

static enum nfs_nfsstat4 execute(struct nfs4_work *work, const struct nfs_argop4 *args,
                                 uint32_t number, struct nfs_resop4 *result)
{
    size_t i = 0;
    if (args->argop == NFS_OP_SEQUENCE && work->minor > 0)
        return number == 0 ? nfs4_sequence(work, args, result) : NFS_NFS4ERR_SEQUENCE_POS;
    while (i < COUNT(operations) && operations[i].number != args->argop)
        i++;
    unsigned flags = i < COUNT(operations) ? operations[i].flags : 0;
    enum nfs_nfsstat4 status =
        work->minor > 0 ? place_in_session(work, flags & ALONE) : NFS_NFS4_OK;
    if (status != NFS_NFS4_OK)
        return status;
    if (i == COUNT(operations) || (work->minor == 0 && !(flags & BY_40)))
        return args->argop == NFS_OP_ILLEGAL ? NFS_NFS4ERR_OP_ILLEGAL : NFS_NFS4ERR_NOTSUPP;
    if ((flags & NEEDS_FILE) && work->current == NFS4_NO_FILE)
        return NFS_NFS4ERR_NOFILEHANDLE;
    if ((flags & CHANGES) && !work->nfs4->is_writable)
        return NFS_NFS4ERR_ROFS;
    if ((flags & CHANGES) && work->results->item_count > 0) /* which points at what is there now */
        return NFS_NFS4ERR_DELAY;
    return operations[i].execute(work, args, result);
}

static void put(struct nfs4_results *results, uint32_t word)
{
    rpcrdma_xdr_store32(results->octets + results->length, word);
    results->length += 4;
}

enum { FAILED = 12 }; /* octets of the result of an operation that failed, at most */

/* The count word of an item is the caller's to write, with it. Returns the status, which is another
 * if there is no room. */
static enum nfs_nfsstat4 put_result(struct nfs4_results *results, const struct nfs_resop4 *result,
                                    enum nfs_nfsstat4 status)
{
    size_t room = sizeof results->octets - FAILED - results->length;
    ptrdiff_t length = 0;
    if (status == NFS_NFS4_OK)
        length = nfs_resop4_encode(results->octets + results->length, room, result, NULL);
    if (rpcrdma_xdr_failed(length))
        status = NFS_NFS4ERR_REP_TOO_BIG;
    if (status != NFS_NFS4_OK) {
        put(results, result->resop);
        put(results, status);
        if (result->resop == NFS_OP_SETATTR)
            put(results, 0); /* none of the attributes is set */
        return status;
    }
    results->length += (size_t)length;
    if (result->resop == NFS_OP_READ || result->resop == NFS_OP_READLINK)
        results->items[results->item_count++].at = results->length -= 4;
    return status;
}

/* An operation may have ended the session that the COMPOUND is of, or put another in its place. */
static void leave_ended_session(struct nfs4_work *work)
{
    if (work->session == NULL ||
        (work->session->client != 0 && work->session->made == work->session_made))
        return;
    work->session = NULL;
    work->slot = NULL;
}

static void keep(struct nfs4_work *work)
{
    const struct nfs4_results *results = work->results;
    if (work->slot == NULL)
        return;
    work->slot->length = 0;
    if (results->item_count > 0 || results->length > NFS4_KEPT)
        return;
    work->slot->length = results->length;
    memcpy(work->slot->results, results->octets, results->length);
}

/* Status, tag, and the number of results stand before the results. */
static size_t begin(struct nfs4_results *results, const nfs_utf8str_cs *tag)
{
    put(results, NFS_NFS4_OK);
    put(results, tag->length);
    memset(results->octets + results->length, 0, tag->length + 4);
    memcpy(results->octets + results->length, tag->data, tag->length);
    results->length += (tag->length + 3) & ~(size_t)3;
    put(results, 0);
    return results->length - 4;
}

static void run(struct nfs4_work *work, const struct nfs_COMPOUND4args *args, size_t count_at)
{
    struct rpcrdma_xdr_iter iter = nfs_argop4_array_iter(&args->argarray);
    struct nfs_argop4 operation;
    enum nfs_nfsstat4 status = NFS_NFS4_OK;
    uint32_t done = 0;
    while (status == NFS_NFS4_OK && nfs_argop4_array_next(&iter, &operation)) {
        struct nfs_resop4 result = {.resop = operation.argop};
        status = execute(work, &operation, done, &result);
        if (work->again && status == NFS_NFS4_OK) {
            work->results->length = work->slot->length;
            memcpy(work->results->octets, work->slot->results, work->slot->length);
            return;
        }
        status = put_result(work->results, &result, status);
        leave_ended_session(work);
        done++;
    }
    rpcrdma_xdr_store32(work->results->octets, status);
    rpcrdma_xdr_store32(work->results->octets + count_at, done);
    keep(work);
}

const struct nfs4_results *nfs4_compound(struct nfs4 *nfs4, const uint8_t *args, size_t length)
{
    struct nfs_COMPOUND4args compound;
    struct nfs4_results *results = &nfs4->results;
    results->length = 0;
    results->item_count = 0;
    if (rpcrdma_xdr_failed(
            nfs_COMPOUND4args_decode_complete(&compound, args, length, NULL, NULL)) ||
        compound.tag.length > NFS4_OWNER)
        return NULL;
    size_t count_at = begin(results, &compound.tag);
    if (compound.minorversion > 2 || (compound.minorversion == 0 && !nfs4->is_writable)) {
        rpcrdma_xdr_store32(results->octets, NFS_NFS4ERR_MINOR_VERS_MISMATCH);
    } else if (compound.argarray.count > NFS4_OPERATIONS) {
        rpcrdma_xdr_store32(results->octets, NFS_NFS4ERR_TOO_MANY_OPS);
    } else {
        struct nfs4_work work = {.nfs4 = nfs4,
                                 .results = results,
                                 .minor = compound.minorversion,
                                 .operations = compound.argarray.count};
        run(&work, &compound, count_at);
    }
    return results;
}

struct nfs4 *nfs4_new(bool is_writable)
{
    struct nfs4 *nfs4 = calloc(1, sizeof(struct nfs4));
    if (nfs4 == NULL)
        return NULL;
    pthread_mutex_init(&nfs4->mutex, NULL);
    nfs4->is_writable = is_writable;
    nfs4->current = nfs4->connections = 1;
    return nfs4;
}

void nfs4_free(struct nfs4 *nfs4)
{
    if (nfs4 == NULL)
        return;
    pthread_mutex_destroy(&nfs4->mutex);
    free(nfs4->store.octets);
    free(nfs4);
}
