// SPDX-License-Identifier: BSD-3-Clause
/* File handles in results: of NFS version 3 (RFC 1813), and, in version 4, among attributes. */
#include "rxe-harness/replay/nfs_ids.h"

#include <nfs3_handles.h>

/* ---- version 3 ---- */

enum { LOOKUP = 3, CREATE = 8, MKDIR = 9, SYMLINK = 10, MKNOD = 11, READDIRPLUS = 17 };

static void give(struct names_given *given, const struct rpcrdma_xdr_opaque *entry,
                 const struct handles_post_op_fh3 *handle)
{
    if (handle->handle_follows)
        names_give(given, NAME_FILE, entry, handle->handle.data.data, handle->handle.data.length);
}

static void read_lookup(const struct requester_reply *reply, struct names_given *given)
{
    struct handles_LOOKUP3res results;
    if (rpcrdma_xdr_failed(handles_LOOKUP3res_decode_complete(&results, reply->results,
                                                              reply->results_length, NULL, NULL)) ||
        results.status != HANDLES_NFS3_OK)
        return;
    const struct rpcrdma_xdr_opaque *handle = &results.resok.object.data;
    names_give(given, NAME_FILE, NULL, handle->data, handle->length);
}

static void read_create(const struct requester_reply *reply, struct names_given *given)
{
    struct handles_CREATE3res results;
    if (!rpcrdma_xdr_failed(handles_CREATE3res_decode_complete(
            &results, reply->results, reply->results_length, NULL, NULL)) &&
        results.status == HANDLES_NFS3_OK)
        give(given, NULL, &results.resok.obj);
}

static void read_directory(const struct requester_reply *reply, struct names_given *given)
{
    struct handles_READDIRPLUS3res results;
    struct handles_entryplus3_entry entry;
    if (rpcrdma_xdr_failed(handles_READDIRPLUS3res_decode_complete(
            &results, reply->results, reply->results_length, NULL, NULL)) ||
        results.status != HANDLES_NFS3_OK)
        return;
    struct rpcrdma_xdr_iter iter = handles_entryplus3_iter(&results.resok.reply.entries);
    while (handles_entryplus3_next(&iter, &entry))
        give(given, &entry.name, &entry.name_handle);
}

void names_read3(const struct requester_reply *reply, uint32_t procedure, struct names_given *given)
{
    switch (procedure) {
    case LOOKUP:
        read_lookup(reply, given);
        break;
    case CREATE:
    case MKDIR:
    case SYMLINK:
    case MKNOD:
        read_create(reply, given);
        break;
    case READDIRPLUS:
        read_directory(reply, given);
        break;
    }
}

/* ---- version 4 ---- */

/* Octets of the values of the attributes before FILEHANDLE (RFC 7530 section 5.6); these two have a
 * length of their own. */
enum { BITMAP = 254, ACL = 255, ACE = 12 };
static const uint8_t sizes[NFS_FATTR4_FILEHANDLE] = {
    [NFS_FATTR4_SUPPORTED_ATTRS] = BITMAP,
    [NFS_FATTR4_TYPE] = 4,
    [NFS_FATTR4_FH_EXPIRE_TYPE] = 4,
    [NFS_FATTR4_CHANGE] = 8,
    [NFS_FATTR4_SIZE] = 8,
    [NFS_FATTR4_LINK_SUPPORT] = 4,
    [NFS_FATTR4_SYMLINK_SUPPORT] = 4,
    [NFS_FATTR4_NAMED_ATTR] = 4,
    [NFS_FATTR4_FSID] = 16,
    [NFS_FATTR4_UNIQUE_HANDLES] = 4,
    [NFS_FATTR4_LEASE_TIME] = 4,
    [NFS_FATTR4_RDATTR_ERROR] = 4,
    [NFS_FATTR4_ACL] = ACL,
    [NFS_FATTR4_ACLSUPPORT] = 4,
    [NFS_FATTR4_ARCHIVE] = 4,
    [NFS_FATTR4_CANSETTIME] = 4,
    [NFS_FATTR4_CASE_INSENSITIVE] = 4,
    [NFS_FATTR4_CASE_PRESERVING] = 4,
    [NFS_FATTR4_CHOWN_RESTRICTED] = 4,
};

/* The values that are left to be read. */
struct values {
    const uint8_t *octets;
    size_t left;
    bool good;
};

static const uint8_t *skip(struct values *values, uint64_t octets)
{
    const uint8_t *at = values->octets;
    values->good = values->good && octets <= values->left;
    if (!values->good)
        return NULL;
    values->octets += octets;
    values->left -= (size_t)octets;
    return at;
}

static uint32_t word(struct values *values)
{
    const uint8_t *at = skip(values, 4);
    return at ? rpcrdma_xdr_load32(at) : 0;
}

static uint64_t padded(uint32_t length)
{
    return ((uint64_t)length + 3) & ~(uint64_t)3;
}

static void skip_value(struct values *values, uint8_t size)
{
    if (size == BITMAP) {
        skip(values, 4 * (uint64_t)word(values));
    } else if (size == ACL) { /* type, flag, mask and who */
        for (uint32_t count = word(values); values->good && count > 0; count--) {
            skip(values, ACE);
            skip(values, padded(word(values)));
        }
    } else {
        skip(values, size);
    }
}

void names_read_attributes(const struct nfs_fattr4 *attributes,
                           const struct rpcrdma_xdr_opaque *entry, struct names_given *given)
{
    const nfs_bitmap4 *bitmap = &attributes->attrmask;
    struct rpcrdma_xdr_iter iter =
        rpcrdma_xdr_iterate(bitmap->wire, bitmap->octets, bitmap->items, bitmap->count);
    struct values values = {
        .octets = attributes->attr_vals.data, .left = attributes->attr_vals.length, .good = true};
    uint32_t there;
    if (!rpcrdma_xdr_uint32_next(&iter, &there) || !(there >> NFS_FATTR4_FILEHANDLE & 1))
        return;
    for (unsigned i = 0; i < NFS_FATTR4_FILEHANDLE; i++)
        if (there >> i & 1)
            skip_value(&values, sizes[i]);
    uint32_t length = word(&values);
    const uint8_t *handle = skip(&values, padded(length));
    if (handle)
        names_give(given, NAME_FILE, entry, handle, length);
}

void names_read_directory(const struct nfs_READDIR4resok *directory, struct names_given *given)
{
    struct rpcrdma_xdr_iter iter = nfs_entry4_iter(&directory->reply.entries);
    struct nfs_entry4_entry entry;
    while (nfs_entry4_next(&iter, &entry))
        names_read_attributes(&entry.attrs, &entry.name, given);
}
