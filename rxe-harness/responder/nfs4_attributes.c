// SPDX-License-Identifier: BSD-3-Clause
/* Attributes of the directory and its file (RFC 8881 section 5.8): constants, as XDR words. */
#include "rxe-harness/responder/nfs4_state.h"

#include "conformance/base/count.h"

#include <string.h>

#define READABLE 0444
#define SEARCHABLE 0555

struct attribute {
    uint32_t number;
    uint32_t words; /* of its value */
    uint32_t directory[4], file[4];
};

/* In the order of numbers, as values have to be. SUPPORTED_ATTRS and FILEHANDLE are made below. */
static const struct attribute attributes[] = {
    {NFS_FATTR4_TYPE, 1, {NFS_NF4DIR}, {NFS_NF4REG}},
    {NFS_FATTR4_FH_EXPIRE_TYPE, 1, {0}, {0}},
    {NFS_FATTR4_CHANGE, 2, {0, 1}, {0, 1}},
    {NFS_FATTR4_SIZE, 2, {0, 4096}, {0, FILES_SIZE}},
    {NFS_FATTR4_LINK_SUPPORT, 1, {0}, {0}},
    {NFS_FATTR4_SYMLINK_SUPPORT, 1, {0}, {0}},
    {NFS_FATTR4_NAMED_ATTR, 1, {0}, {0}},
    {NFS_FATTR4_FSID, 4, {0, FILES_FSID, 0, 0}, {0, FILES_FSID, 0, 0}},
    {NFS_FATTR4_UNIQUE_HANDLES, 1, {1}, {1}},
    {NFS_FATTR4_LEASE_TIME, 1, {NFS4_LEASE}, {NFS4_LEASE}},
    {NFS_FATTR4_RDATTR_ERROR, 1, {NFS_NFS4_OK}, {NFS_NFS4_OK}},
    {NFS_FATTR4_ACLSUPPORT, 1, {0}, {0}},
    {NFS_FATTR4_CANSETTIME, 1, {1}, {1}},
    {NFS_FATTR4_CASE_INSENSITIVE, 1, {0}, {0}},
    {NFS_FATTR4_CASE_PRESERVING, 1, {1}, {1}},
    {NFS_FATTR4_CHOWN_RESTRICTED, 1, {1}, {1}},
    {NFS_FATTR4_FILEHANDLE, 1 + FILES_HANDLE / 4, {0}, {0}},
    {NFS_FATTR4_FILEID, 2, {0, FILES_DIRECTORY_ID}, {0, FILES_FILE_ID}},
    {NFS_FATTR4_FILES_AVAIL, 2, {0, 0}, {0, 0}},
    {NFS_FATTR4_FILES_FREE, 2, {0, 0}, {0, 0}},
    {NFS_FATTR4_FILES_TOTAL, 2, {0, 2}, {0, 2}},
    {NFS_FATTR4_HOMOGENEOUS, 1, {1}, {1}},
    {NFS_FATTR4_MAXFILESIZE, 2, {0x7fffffff, 0xffffffff}, {0x7fffffff, 0xffffffff}},
    {NFS_FATTR4_MAXLINK, 1, {1}, {1}},
    {NFS_FATTR4_MAXNAME, 1, {255}, {255}},
    {NFS_FATTR4_MAXREAD, 2, {0, FILES_READ_SIZE}, {0, FILES_READ_SIZE}},
    {NFS_FATTR4_MAXWRITE, 2, {0, FILES_READ_SIZE}, {0, FILES_READ_SIZE}},
    {NFS_FATTR4_MODE, 1, {SEARCHABLE}, {READABLE}},
    {NFS_FATTR4_NO_TRUNC, 1, {1}, {1}},
    {NFS_FATTR4_NUMLINKS, 1, {2}, {1}},
    {NFS_FATTR4_OWNER, 2, {1, 0x30000000}, {1, 0x30000000}}, /* "0" */
    {NFS_FATTR4_OWNER_GROUP, 2, {1, 0x30000000}, {1, 0x30000000}},
    {NFS_FATTR4_RAWDEV, 2, {0, 0}, {0, 0}},
    {NFS_FATTR4_SPACE_AVAIL, 2, {0, 0}, {0, 0}},
    {NFS_FATTR4_SPACE_FREE, 2, {0, 0}, {0, 0}},
    {NFS_FATTR4_SPACE_TOTAL, 2, {0, FILES_SIZE}, {0, FILES_SIZE}},
    {NFS_FATTR4_SPACE_USED, 2, {0, 4096}, {0, FILES_SIZE}},
    {NFS_FATTR4_TIME_ACCESS, 3, {0, 1, 0}, {0, 1, 0}},
    {NFS_FATTR4_TIME_DELTA, 3, {0, 1, 0}, {0, 1, 0}},
    {NFS_FATTR4_TIME_METADATA, 3, {0, 1, 0}, {0, 1, 0}},
    {NFS_FATTR4_TIME_MODIFY, 3, {0, 1, 0}, {0, 1, 0}},
    {NFS_FATTR4_MOUNTED_ON_FILEID, 2, {0, FILES_DIRECTORY_ID}, {0, FILES_FILE_ID}},
    {NFS_FATTR4_SUPPATTR_EXCLCREAT, 1, {0}, {0}}, /* an empty bitmap */
};

static bool has(const uint32_t bitmap[3], uint32_t number)
{
    return bitmap[number / 32] >> number % 32 & 1;
}

static void set(uint32_t bitmap[3], uint32_t number)
{
    bitmap[number / 32] |= 1u << number % 32;
}

static void put(struct nfs4_work *work, struct nfs_fattr4 *fattr, uint32_t word)
{
    rpcrdma_xdr_store32(work->attributes + fattr->attr_vals.length, word);
    fattr->attr_vals.length += 4;
}

static void put_supported(struct nfs4_work *work, struct nfs_fattr4 *fattr)
{
    uint32_t supported[3] = {1u << NFS_FATTR4_SUPPORTED_ATTRS};
    for (size_t i = 0; i < COUNT(attributes); i++)
        set(supported, attributes[i].number);
    put(work, fattr, 3);
    for (int i = 0; i < 3; i++)
        put(work, fattr, supported[i]);
}

static void put_value(struct nfs4_work *work, enum nfs4_file file,
                      const struct attribute *attribute, struct nfs_fattr4 *fattr)
{
    bool is_handle = attribute->number == NFS_FATTR4_FILEHANDLE;
    const uint32_t *words = file == NFS4_FILE ? attribute->file : attribute->directory;
    for (uint32_t i = 0; !is_handle && i < attribute->words; i++)
        put(work, fattr, words[i]);
    if (!is_handle)
        return;
    put(work, fattr, FILES_HANDLE);
    memcpy(work->attributes + fattr->attr_vals.length, nfs4_handle(file), FILES_HANDLE);
    fattr->attr_vals.length += FILES_HANDLE;
}

void nfs4_attributes(struct nfs4_work *work, enum nfs4_file file, const nfs_bitmap4 *asked,
                     struct nfs_fattr4 *fattr)
{
    struct rpcrdma_xdr_iter iter =
        rpcrdma_xdr_iterate(asked->wire, asked->octets, asked->items, asked->count);
    uint32_t wanted[3] = {0}, word;
    for (size_t i = 0; i < COUNT(wanted) && rpcrdma_xdr_uint32_next(&iter, &word); i++)
        wanted[i] = word;
    *fattr = (struct nfs_fattr4){.attr_vals.data = work->attributes};
    memset(work->bitmap, 0, sizeof work->bitmap);
    if (has(wanted, NFS_FATTR4_SUPPORTED_ATTRS)) {
        set(work->bitmap, NFS_FATTR4_SUPPORTED_ATTRS);
        put_supported(work, fattr);
    }
    for (size_t i = 0; i < COUNT(attributes); i++) {
        if (!has(wanted, attributes[i].number))
            continue;
        set(work->bitmap, attributes[i].number);
        put_value(work, file, &attributes[i], fattr);
    }
    fattr->attrmask = (nfs_bitmap4){.items = work->bitmap, .count = COUNT(work->bitmap)};
}
