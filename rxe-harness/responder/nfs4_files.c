// SPDX-License-Identifier: BSD-3-Clause
/* The directory, its files, and what they hold (RFC 8881 sections 18.4, 18.13 and 18.22 to 18.32).
 */
#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/nfs4_state.h"

#include <string.h>

static const uint8_t zeros[8];

/* ---- what there is ---- */

static const char file_name[] = "file";

const uint8_t *nfs4_handle(enum nfs4_file file)
{
    static const uint8_t handles[][FILES_HANDLE] = {[NFS4_DIRECTORY] = "the root",
                                                    [NFS4_FILE] = "the file",
                                                    [NFS4_WRITTEN] = "written",
                                                    [NFS4_LINK] = "the link"};
    return handles[file];
}

void nfs4_edit(struct nfs4 *nfs4, uint32_t edition)
{
    static uint8_t octets[CONTENT_SIZE];
    const struct rpcrdma_xdr_opaque all = {.data = octets, .length = sizeof octets};
    content_fill(edition, content_file(file_name, strlen(file_name)), 0, octets, sizeof octets);
    nfs4->changes += nfs4->store.edition != edition;
    nfs4->store.edition = files_write(&nfs4->store, 0, &all) == FILES_OK ? edition : 0;
}

bool nfs4_exists(const struct nfs4 *nfs4, enum nfs4_file file)
{
    if (file == NFS4_LINK)
        return nfs4->store.name_length > 0;
    return file != NFS4_WRITTEN || nfs4->is_writable;
}

static nfs_component4 name_of(const struct nfs4 *nfs4, enum nfs4_file file)
{
    if (file == NFS4_LINK)
        return (nfs_component4){.data = nfs4->store.name, .length = nfs4->store.name_length};
    const char *name = file == NFS4_FILE ? file_name : FILES_WRITTEN;
    return (nfs_component4){.data = (const uint8_t *)name, .length = (uint32_t)strlen(name)};
}

enum nfs4_file nfs4_find(const struct nfs4 *nfs4, const nfs_component4 *name)
{
    for (enum nfs4_file file = NFS4_FILE; file <= NFS4_LINK; file++) {
        const nfs_component4 own = name_of(nfs4, file);
        if (nfs4_exists(nfs4, file) && own.length == name->length && own.length > 0 &&
            memcmp(own.data, name->data, own.length) == 0)
            return file;
    }
    return NFS4_NO_FILE;
}

enum nfs_nfsstat4 nfs4_lookup(struct nfs4_work *work, const struct nfs_argop4 *args,
                              struct nfs_resop4 *result)
{
    (void)result;
    if (work->current != NFS4_DIRECTORY)
        return work->current == NFS4_LINK ? NFS_NFS4ERR_SYMLINK : NFS_NFS4ERR_NOTDIR;
    enum nfs4_file found = nfs4_find(work->nfs4, &args->oplookup.objname);
    if (found == NFS4_NO_FILE)
        return NFS_NFS4ERR_NOENT;
    work->current = found;
    return NFS_NFS4_OK;
}

/* Cookies below 3 are taken (RFC 8881 section 18.23.3). */
static uint64_t cookie_of(enum nfs4_file file)
{
    return 1 + (uint64_t)file;
}

enum nfs_nfsstat4 nfs4_readdir(struct nfs4_work *work, const struct nfs_argop4 *args,
                               struct nfs_resop4 *result)
{
    struct nfs_READDIR4resok *list = &result->opreaddir.resok4;
    uint32_t count = 0;
    if (work->current != NFS4_DIRECTORY)
        return NFS_NFS4ERR_NOTDIR;
    *list = (struct nfs_READDIR4resok){.cookieverf = zeros, .reply.eof = true};
    for (enum nfs4_file file = NFS4_FILE; file <= NFS4_LINK; file++) {
        if (cookie_of(file) <= args->opreaddir.cookie || !nfs4_exists(work->nfs4, file))
            continue;
        struct nfs_entry4_entry *entry = &work->entries[count];
        *entry =
            (struct nfs_entry4_entry){.cookie = cookie_of(file), .name = name_of(work->nfs4, file)};
        nfs4_attributes(work->nfs4, &work->rooms[count++], file, &args->opreaddir.attr_request,
                        &entry->attrs);
    }
    bool some = count > 0;
    list->reply.entries = (struct nfs_entry4){.items = work->entries, .count = count};
    while (count > 0 && nfs_resop4_size(result, NULL) > (ptrdiff_t)args->opreaddir.maxcount) {
        list->reply.entries.count = --count;
        list->reply.eof = false;
    }
    return some && count == 0 ? NFS_NFS4ERR_TOOSMALL : NFS_NFS4_OK;
}

/* ---- what they hold ---- */

/* The octets are put in by who sends the Reply, which all of them together have to fit into. The
 * item counts when its result does. */
static enum nfs_nfsstat4 bring(struct nfs4_work *work, const uint8_t *octets, size_t length)
{
    struct nfs4_results *results = work->results;
    size_t all = length;
    for (unsigned i = 0; i < results->item_count; i++)
        all += results->items[i].length;
    if (results->item_count == NFS4_ITEMS || all > FILES_SIZE_MAX)
        return NFS_NFS4ERR_DELAY;
    results->items[results->item_count] = (struct nfs4_item){.length = length, .octets = octets};
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_read(struct nfs4_work *work, const struct nfs_argop4 *args,
                            struct nfs_resop4 *result)
{
    const struct nfs_READ4args *asked = &args->opread;
    bool is_written = work->current == NFS4_WRITTEN;
    bool is_kept = is_written || (work->current == NFS4_FILE && work->nfs4->store.edition > 0);
    uint64_t size = is_kept ? work->nfs4->store.length : FILES_SIZE;
    uint64_t left = asked->offset < size ? size - asked->offset : 0;
    uint32_t count = asked->count < FILES_READ_SIZE || is_written ? asked->count : FILES_READ_SIZE;
    if (work->current != NFS4_FILE && !is_written)
        return work->current == NFS4_LINK ? NFS_NFS4ERR_SYMLINK : NFS_NFS4ERR_ISDIR;
    if (!nfs4_knows_state(work, &asked->stateid))
        return NFS_NFS4ERR_BAD_STATEID;
    count = count < left ? count : (uint32_t)left;
    result->opread.resok4 = (struct nfs_READ4resok){.eof = count == left};
    return bring(work, is_kept && count > 0 ? work->nfs4->store.octets + asked->offset : NULL,
                 count);
}

enum nfs_nfsstat4 nfs4_readlink(struct nfs4_work *work, const struct nfs_argop4 *args,
                                struct nfs_resop4 *result)
{
    const struct files_store *store = &work->nfs4->store;
    (void)args;
    if (work->current != NFS4_LINK)
        return NFS_NFS4ERR_INVAL;
    result->opreadlink.resok4 = (struct nfs_READLINK4resok){.link.length = 0};
    return bring(work, store->target, store->target_length);
}

/* ---- what is changed ---- */

static struct nfs_change_info4 change(struct nfs4 *nfs4)
{
    uint64_t before = 1 + nfs4->changes++;
    return (struct nfs_change_info4){.atomic = true, .before = before, .after = before + 1};
}

enum nfs_nfsstat4 nfs4_write(struct nfs4_work *work, const struct nfs_argop4 *args,
                             struct nfs_resop4 *result)
{
    const struct nfs_WRITE4args *asked = &args->opwrite;
    if (work->current != NFS4_WRITTEN)
        return work->current == NFS4_DIRECTORY ? NFS_NFS4ERR_ISDIR : NFS_NFS4ERR_PERM;
    if (!nfs4_knows_state(work, &asked->stateid))
        return NFS_NFS4ERR_BAD_STATEID;
    uint32_t status = files_write(&work->nfs4->store, asked->offset, &asked->data);
    if (status != FILES_OK)
        return (enum nfs_nfsstat4)status;
    change(work->nfs4);
    result->opwrite.resok4 = (struct nfs_WRITE4resok){
        .count = asked->data.length, .committed = NFS_FILE_SYNC4, .writeverf = zeros};
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_create(struct nfs4_work *work, const struct nfs_argop4 *args,
                              struct nfs_resop4 *result)
{
    const struct nfs_CREATE4args *asked = &args->opcreate;
    if (work->current != NFS4_DIRECTORY)
        return NFS_NFS4ERR_NOTDIR;
    if (asked->objtype.type != NFS_NF4LNK)
        return NFS_NFS4ERR_PERM;
    if (nfs4_find(work->nfs4, &asked->objname) != NFS4_NO_FILE)
        return NFS_NFS4ERR_EXIST;
    uint32_t status =
        files_make_link(&work->nfs4->store, &asked->objname, &asked->objtype.linkdata);
    if (status != FILES_OK)
        return (enum nfs_nfsstat4)status;
    work->current = NFS4_LINK;
    result->opcreate.resok4 = (struct nfs_CREATE4resok){.cinfo = change(work->nfs4)};
    return NFS_NFS4_OK;
}

enum nfs_nfsstat4 nfs4_remove(struct nfs4_work *work, const struct nfs_argop4 *args,
                              struct nfs_resop4 *result)
{
    if (work->current != NFS4_DIRECTORY)
        return NFS_NFS4ERR_NOTDIR;
    uint32_t status = files_remove(&work->nfs4->store, &args->opremove.target);
    if (status != FILES_OK)
        return (enum nfs_nfsstat4)status;
    result->opremove.resok4 = (struct nfs_REMOVE4resok){.cinfo = change(work->nfs4)};
    return NFS_NFS4_OK;
}
