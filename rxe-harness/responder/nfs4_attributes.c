// SPDX-License-Identifier: BSD-3-Clause
/* Attributes of the directory and its file (RFC 8881 section 5.8): constants, as XDR words, but for
 * a few. */
#include "rxe-harness/responder/nfs4_state.h"

#include "conformance/base/count.h"

#include <string.h>

#define READABLE 0444
#define WRITABLE 0644
#define LINK_MODE 0777
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

/* Values are put one after the other into the room. */
struct putting {
    const struct nfs4 *nfs4;
    struct nfs4_attribute_room *room;
    uint32_t length;
};

static void put(struct putting *putting, uint32_t word)
{
    rpcrdma_xdr_store32(putting->room->octets + putting->length, word);
    putting->length += 4;
}

static void put_supported(struct putting *putting)
{
    uint32_t supported[3] = {1u << NFS_FATTR4_SUPPORTED_ATTRS};
    for (size_t i = 0; i < COUNT(attributes); i++)
        set(supported, attributes[i].number);
    put(putting, 3);
    for (int i = 0; i < 3; i++)
        put(putting, supported[i]);
}

static void put_handle(struct putting *putting, enum nfs4_file file)
{
    put(putting, FILES_HANDLE);
    memcpy(putting->room->octets + putting->length, nfs4_handle(file), FILES_HANDLE);
    putting->length += FILES_HANDLE;
}

/* What is not as the table has it: where there is more than the one file, and what has changed. The
 * last word is enough. */
static uint32_t own_value(const struct nfs4 *nfs4, enum nfs4_file file, uint32_t number,
                          uint32_t usual)
{
    bool is_link = file == NFS4_LINK, is_own = is_link || file == NFS4_WRITTEN;
    bool is_kept = is_own || (file == NFS4_FILE && nfs4->store.edition > 0);
    switch (number) {
    case NFS_FATTR4_CHANGE:
        return usual + (uint32_t)nfs4->changes;
    case NFS_FATTR4_SYMLINK_SUPPORT:
        return nfs4->is_writable;
    case NFS_FATTR4_TYPE:
        return is_link ? NFS_NF4LNK : usual;
    case NFS_FATTR4_MODE:
        return is_link ? LINK_MODE : is_own ? WRITABLE : usual;
    case NFS_FATTR4_FILEID:
    case NFS_FATTR4_MOUNTED_ON_FILEID:
        return is_link ? FILES_LINK_ID : is_own ? FILES_WRITTEN_ID : usual;
    case NFS_FATTR4_SIZE:
    case NFS_FATTR4_SPACE_USED:
        return is_link ? nfs4->store.target_length : is_kept ? nfs4->store.length : usual;
    default:
        return usual;
    }
}

static void put_value(struct putting *putting, enum nfs4_file file,
                      const struct attribute *attribute)
{
    const uint32_t *words = file == NFS4_DIRECTORY ? attribute->directory : attribute->file;
    for (uint32_t i = 0; i + 1 < attribute->words; i++)
        put(putting, words[i]);
    put(putting, own_value(putting->nfs4, file, attribute->number, words[attribute->words - 1]));
}

void nfs4_attributes(const struct nfs4 *nfs4, struct nfs4_attribute_room *room, enum nfs4_file file,
                     const nfs_bitmap4 *asked, struct nfs_fattr4 *fattr)
{
    struct rpcrdma_xdr_iter iter =
        rpcrdma_xdr_iterate(asked->wire, asked->octets, asked->items, asked->count);
    struct putting putting = {.nfs4 = nfs4, .room = room};
    uint32_t wanted[3] = {0}, word;
    for (size_t i = 0; i < COUNT(wanted) && rpcrdma_xdr_uint32_next(&iter, &word); i++)
        wanted[i] = word;
    memset(room->bitmap, 0, sizeof room->bitmap);
    if (has(wanted, NFS_FATTR4_SUPPORTED_ATTRS)) {
        set(room->bitmap, NFS_FATTR4_SUPPORTED_ATTRS);
        put_supported(&putting);
    }
    for (size_t i = 0; i < COUNT(attributes); i++) {
        if (!has(wanted, attributes[i].number))
            continue;
        set(room->bitmap, attributes[i].number);
        if (attributes[i].number == NFS_FATTR4_FILEHANDLE)
            put_handle(&putting, file);
        else
            put_value(&putting, file, &attributes[i]);
    }
    *fattr = (struct nfs_fattr4){.attrmask = {.items = room->bitmap, .count = COUNT(room->bitmap)},
                                 .attr_vals = {.data = room->octets, .length = putting.length}};
}
