// SPDX-License-Identifier: BSD-3-Clause
/* A COMPOUND of NFSv4.1: its operations in turn, until one fails (RFC 8881 section 2.10 and 18). */
#include "rxe-harness/responder/nfs4_state.h"

#include "conformance/base/count.h"

#include <stdlib.h>
#include <string.h>

#define OPERATIONS_MAX 64
#define COOKIE 3 /* of the only entry: those below are taken (RFC 8881 section 18.23.3) */

static const uint8_t directory_handle[FILES_HANDLE] = "the root",
                     file_handle[FILES_HANDLE] = "the file";
static const uint8_t file_name[4] = "file";
static const uint8_t zeros[8];

const uint8_t *nfs4_handle(enum nfs4_file file)
{
    return file == NFS4_FILE ? file_handle : directory_handle;
}

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
    for (enum nfs4_file file = NFS4_DIRECTORY; file <= NFS4_FILE; file++) {
        if (handle->length == FILES_HANDLE &&
            memcmp(handle->data, nfs4_handle(file), FILES_HANDLE) == 0) {
            work->current = file;
            return NFS_NFS4_OK;
        }
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

static enum nfs_nfsstat4 lookup(struct nfs4_work *work, const struct nfs_argop4 *args,
                                struct nfs_resop4 *result)
{
    (void)result;
    const nfs_component4 *name = &args->oplookup.objname;
    if (work->current != NFS4_DIRECTORY)
        return NFS_NFS4ERR_NOTDIR;
    if (name->length != sizeof file_name || memcmp(name->data, file_name, sizeof file_name) != 0)
        return NFS_NFS4ERR_NOENT;
    work->current = NFS4_FILE;
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
    nfs4_attributes(work, work->current, &args->opgetattr.attr_request,
                    &result->opgetattr.resok4.obj_attributes);
    return NFS_NFS4_OK;
}

static enum nfs_nfsstat4 access_file(struct nfs4_work *work, const struct nfs_argop4 *args,
                                     struct nfs_resop4 *result)
{
    uint32_t may = NFS_ACCESS4_READ;
    if (work->current == NFS4_DIRECTORY)
        may |= NFS_ACCESS4_LOOKUP;
    uint32_t all =
        may | NFS_ACCESS4_MODIFY | NFS_ACCESS4_EXTEND | NFS_ACCESS4_DELETE | NFS_ACCESS4_EXECUTE;
    result->opaccess.resok4 = (struct nfs_ACCESS4resok){.supported = args->opaccess.access & all,
                                                        .access = args->opaccess.access & may};
    return NFS_NFS4_OK;
}

static enum nfs_nfsstat4 read_directory(struct nfs4_work *work, const struct nfs_argop4 *args,
                                        struct nfs_resop4 *result)
{
    struct nfs_READDIR4resok *list = &result->opreaddir.resok4;
    if (work->current != NFS4_DIRECTORY)
        return NFS_NFS4ERR_NOTDIR;
    *list = (struct nfs_READDIR4resok){.cookieverf = zeros, .reply.eof = true};
    if (args->opreaddir.cookie >= COOKIE)
        return NFS_NFS4_OK;
    work->entry = (struct nfs_entry4_entry){
        .cookie = COOKIE, .name = {.data = file_name, .length = sizeof file_name}};
    nfs4_attributes(work, NFS4_FILE, &args->opreaddir.attr_request, &work->entry.attrs);
    list->reply.entries = (struct nfs_entry4){.items = &work->entry, .count = 1};
    return nfs_resop4_size(result, NULL) > (ptrdiff_t)args->opreaddir.maxcount
               ? NFS_NFS4ERR_TOOSMALL
               : NFS_NFS4_OK;
}

/* The data are put in by who sends the Reply; of a COMPOUND only one READ has some. */
static enum nfs_nfsstat4 read_file(struct nfs4_work *work, const struct nfs_argop4 *args,
                                   struct nfs_resop4 *result)
{
    const struct nfs_READ4args *asked = &args->opread;
    uint64_t left = asked->offset < FILES_SIZE ? FILES_SIZE - asked->offset : 0;
    uint32_t count = asked->count < FILES_READ_SIZE ? asked->count : FILES_READ_SIZE;
    if (work->current != NFS4_FILE)
        return NFS_NFS4ERR_ISDIR;
    if (!nfs4_may_read(work, &asked->stateid))
        return NFS_NFS4ERR_BAD_STATEID;
    if (work->results->has_data)
        return NFS_NFS4ERR_DELAY;
    count = count < left ? count : (uint32_t)left;
    result->opread.resok4 = (struct nfs_READ4resok){.eof = count == left};
    work->results->has_data = true;
    work->results->data_length = count;
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

static enum nfs_nfsstat4 read_only(struct nfs4_work *work, const struct nfs_argop4 *args,
                                   struct nfs_resop4 *result)
{
    (void)work, (void)args, (void)result;
    return NFS_NFS4ERR_ROFS;
}

static const struct {
    enum nfs_opnum4 number;
    nfs4_operation *execute;
    bool needs_file;
    bool is_alone; /* without a session, in a COMPOUND of its own */
} operations[] = {
    {NFS_OP_PUTROOTFH, put_root, false, false},
    {NFS_OP_PUTPUBFH, put_root, false, false},
    {NFS_OP_PUTFH, put_handle, false, false},
    {NFS_OP_GETFH, get_handle, true, false},
    {NFS_OP_SAVEFH, save, true, false},
    {NFS_OP_RESTOREFH, restore, false, false},
    {NFS_OP_LOOKUP, lookup, true, false},
    {NFS_OP_LOOKUPP, lookup_parent, true, false},
    {NFS_OP_GETATTR, get_attributes, true, false},
    {NFS_OP_ACCESS, access_file, true, false},
    {NFS_OP_READDIR, read_directory, true, false},
    {NFS_OP_READ, read_file, true, false},
    {NFS_OP_OPEN, nfs4_open, true, false},
    {NFS_OP_CLOSE, nfs4_close, true, false},
    {NFS_OP_DELEGRETURN, nfs4_delegreturn, true, false},
    {NFS_OP_TEST_STATEID, nfs4_test_stateid, false, false},
    {NFS_OP_FREE_STATEID, nfs4_free_stateid, false, false},
    {NFS_OP_SECINFO, tell_flavors, true, false},
    {NFS_OP_SECINFO_NO_NAME, tell_flavors, true, false},
    {NFS_OP_RECLAIM_COMPLETE, nfs4_reclaim_complete, false, false},
    {NFS_OP_EXCHANGE_ID, nfs4_exchange_id, false, true},
    {NFS_OP_CREATE_SESSION, nfs4_create_session, false, true},
    {NFS_OP_DESTROY_SESSION, nfs4_destroy_session, false, true},
    {NFS_OP_DESTROY_CLIENTID, nfs4_destroy_clientid, false, true},
    {NFS_OP_BIND_CONN_TO_SESSION, nfs4_bind_conn_to_session, false, true},
    {NFS_OP_WRITE, read_only, true, false},
    {NFS_OP_CREATE, read_only, true, false},
    {NFS_OP_REMOVE, read_only, true, false},
    {NFS_OP_RENAME, read_only, true, false},
    {NFS_OP_LINK, read_only, true, false},
    {NFS_OP_SETATTR, read_only, true, false},
};

static enum nfs_nfsstat4 execute(struct nfs4_work *work, const struct nfs_argop4 *args,
                                 uint32_t number, struct nfs_resop4 *result)
{
    size_t i = 0;
    if (args->argop == NFS_OP_SEQUENCE)
        return number == 0 ? nfs4_sequence(work, args, result) : NFS_NFS4ERR_SEQUENCE_POS;
    while (i < COUNT(operations) && operations[i].number != args->argop)
        i++;
    bool is_known = i < COUNT(operations);
    if (work->session == NULL && !(is_known && operations[i].is_alone))
        return NFS_NFS4ERR_OP_NOT_IN_SESSION;
    if (work->session == NULL && work->operations > 1)
        return NFS_NFS4ERR_NOT_ONLY_OP;
    if (!is_known)
        return args->argop == NFS_OP_ILLEGAL ? NFS_NFS4ERR_OP_ILLEGAL : NFS_NFS4ERR_NOTSUPP;
    if (operations[i].needs_file && work->current == NFS4_NO_FILE)
        return NFS_NFS4ERR_NOFILEHANDLE;
    return operations[i].execute(work, args, result);
}

static void put(struct nfs4_results *results, uint32_t word)
{
    rpcrdma_xdr_store32(results->octets + results->length, word);
    results->length += 4;
}

/* The count word of READ's data is the caller's to write, with them. */
static void put_result(struct nfs4_results *results, const struct nfs_resop4 *result,
                       enum nfs_nfsstat4 status)
{
    if (status != NFS_NFS4_OK) {
        put(results, result->resop);
        put(results, status);
        if (result->resop == NFS_OP_SETATTR)
            put(results, 0); /* none of the attributes is set */
        return;
    }
    ptrdiff_t length = nfs_resop4_encode(results->octets + results->length,
                                         sizeof results->octets - results->length, result, NULL);
    results->length += rpcrdma_xdr_failed(length) ? 0 : (size_t)length;
    if (result->resop == NFS_OP_READ)
        results->data_at = results->length -= 4;
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
    if (results->has_data || results->length > NFS4_KEPT)
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
        put_result(work->results, &result, status);
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
    results->length = results->data_at = results->data_length = 0;
    results->has_data = false;
    if (rpcrdma_xdr_failed(
            nfs_COMPOUND4args_decode_complete(&compound, args, length, NULL, NULL)) ||
        compound.tag.length > NFS4_OWNER)
        return NULL;
    size_t count_at = begin(results, &compound.tag);
    if (compound.minorversion < 1 || compound.minorversion > 2) {
        rpcrdma_xdr_store32(results->octets, NFS_NFS4ERR_MINOR_VERS_MISMATCH);
    } else if (compound.argarray.count > OPERATIONS_MAX) {
        rpcrdma_xdr_store32(results->octets, NFS_NFS4ERR_TOO_MANY_OPS);
    } else {
        struct nfs4_work work = {
            .nfs4 = nfs4, .results = results, .operations = compound.argarray.count};
        run(&work, &compound, count_at);
    }
    return results;
}

struct nfs4 *nfs4_new(void)
{
    return calloc(1, sizeof(struct nfs4));
}

void nfs4_free(struct nfs4 *nfs4)
{
    free(nfs4);
}
