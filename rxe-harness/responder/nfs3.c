// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/responder/nfs3.h"

#include "conformance/base/count.h"
#include "rxe-harness/responder/files.h"

#include <rpcrdma/xdr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE_MAX 64
#define FIRST_ENTRY_ID 100
#define EDITION 0x52000000u /* begins a file handle that names an edition and a file */
#define EDITION_MASK 0xff000000u

enum {
    GETATTR = 1,
    LOOKUP = 3,
    ACCESS = 4,
    READLINK = 5,
    READ = 6,
    WRITE = 7,
    SYMLINK = 10,
    REMOVE = 12,
    READDIR = 16,
    READDIRPLUS = 17,
    FSINFO = 19
};
enum { NFS3ERR_ISDIR = 21, NFS3ERR_INVAL = 22, NFS3ERR_BADHANDLE = 10001 };
enum { NF3REG = 1, NF3DIR = 2, NF3LNK = 5 };

/* What there is. The first is any object whose handle is not one of the others': a MOUNT server
 * gave it. The second is any name that is not one of the others'. */
static const struct object {
    const char *name;
    uint8_t handle[FILES_HANDLE];
    bool is_file;
    uint32_t mode, id;
    uint32_t edition; /* of the content, or 0: none */
} objects[] = {{"", "", false, 0555, FILES_DIRECTORY_ID, 0},
               {"", "the file", true, 0444, FILES_FILE_ID, 0},
               {FILES_WRITTEN, "written", true, 0644, FILES_WRITTEN_ID, 0},
               {NFS3_MANY, "many", false, 0555, 5, 0},
               {NULL, "the link", true, 0777, FILES_LINK_ID, 0}};
#define ROOT (&objects[0])
#define THE_FILE (&objects[1])
#define WRITTEN (&objects[2])
#define MANY (&objects[3])
#define LINK (&objects[4])

/* ---- results ---- */

static void put(struct nfs3_results *results, uint32_t word)
{
    rpcrdma_xdr_store32(results->octets + results->length, word);
    results->length += 4;
}

static void put_all(struct nfs3_results *results, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(results, words[i]);
}
#define PUT(results, ...)                                                                          \
    put_all(results, (const uint32_t[]){__VA_ARGS__},                                              \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t pad(uint32_t octets)
{
    return (4 - octets % 4) % 4;
}

static void put_opaque(struct nfs3_results *results, const void *octets, uint32_t length)
{
    put(results, length);
    memcpy(results->octets + results->length, octets, length);
    memset(results->octets + results->length + length, 0, pad(length));
    results->length += length + pad(length);
}

static uint32_t size_of(const struct files_store *store, const struct object *object)
{
    return object == WRITTEN ? store->length
           : object->edition ? CONTENT_SIZE
           : object == LINK  ? store->target_length
           : object->is_file ? FILES_SIZE
                             : 4096;
}

/* fattr3: times that never change. */
static void put_attributes(struct nfs3_results *results, const struct files_store *store,
                           const struct object *object)
{
    uint32_t size = size_of(store, object);
    uint32_t type = object == LINK ? NF3LNK : object->is_file ? NF3REG : NF3DIR;
    PUT(results, type, object->mode, object->is_file ? 1 : 2, 0, 0, 0, size, 0, size, 0, 0, 0,
        FILES_FSID, object->edition, object->id, 1, 0, 1, 0, 1, 0);
}

/* post_op_attr */
static void put_post_attributes(struct nfs3_results *results, const struct files_store *store,
                                const struct object *object)
{
    put(results, 1);
    put_attributes(results, store, object);
}

/* ---- files of an edition ---- */

static struct object make_edition(uint32_t edition, uint32_t file)
{
    struct object object = {.is_file = true, .mode = 0444, .id = file, .edition = edition};
    rpcrdma_xdr_store32(object.handle, EDITION | edition);
    rpcrdma_xdr_store32(object.handle + 4, file);
    return object;
}

bool nfs3_edition(const uint8_t *handle, size_t length, uint32_t *edition, uint32_t *file)
{
    if (length != FILES_HANDLE || (rpcrdma_xdr_load32(handle) & EDITION_MASK) != EDITION)
        return false;
    *edition = rpcrdma_xdr_load32(handle) & ~EDITION_MASK;
    *file = rpcrdma_xdr_load32(handle + 4);
    return *edition > 0;
}

/* ---- arguments ---- */

/* An opaque item or a string at the beginning. Octets up to what follows it, or 0. */
static size_t take_opaque(const uint8_t *args, size_t length, struct rpcrdma_xdr_opaque *item)
{
    uint32_t octets = length >= 4 ? rpcrdma_xdr_load32(args) : UINT32_MAX;
    if (length < 4 || octets > length - 4 || pad(octets) > length - 4 - octets)
        return 0;
    *item = (struct rpcrdma_xdr_opaque){.data = args + 4, .length = octets};
    return 4 + (size_t)octets + pad(octets);
}

/* The file handle that all arguments begin with; `own`: room for an object that is in no table. */
static size_t take_handle(const uint8_t *args, size_t length, struct object *own,
                          const struct object **object)
{
    struct rpcrdma_xdr_opaque handle;
    size_t taken = take_opaque(args, length, &handle);
    uint32_t edition, file;
    *object = ROOT;
    if (taken == 0 || handle.length > HANDLE_MAX)
        return 0;
    for (size_t i = 1; i < COUNT(objects); i++)
        if (handle.length == FILES_HANDLE &&
            memcmp(handle.data, objects[i].handle, FILES_HANDLE) == 0)
            *object = &objects[i];
    if (nfs3_edition(handle.data, handle.length, &edition, &file)) {
        *own = make_edition(edition, file);
        *object = own;
    }
    return taken;
}

/* ---- procedures ---- */

static bool execute_read(const struct files_store *store, const struct object *object,
                         const uint8_t *args, size_t length, struct nfs3_results *results)
{
    if (length < 12)
        return false;
    uint64_t offset = rpcrdma_xdr_load64(args);
    if (object == MANY) {
        put(results, NFS3ERR_ISDIR);
        put_post_attributes(results, store, object);
        return true;
    }
    if (object != WRITTEN && object->edition == 0) /* whatever handle it is */
        object = THE_FILE;
    uint32_t count = rpcrdma_xdr_load32(args + 8), size = size_of(store, object);
    uint32_t left = offset < size ? (uint32_t)(size - offset) : 0;
    if (object != WRITTEN && count > FILES_READ_SIZE)
        count = FILES_READ_SIZE;
    count = count < left ? count : left;
    put(results, FILES_OK);
    put_post_attributes(results, store, object);
    PUT(results, count, count == left);
    results->has_data = true;
    results->data_length = count;
    results->data = object == WRITTEN && count > 0 ? store->octets + offset : NULL;
    if (object->edition > 0) {
        content_fill(object->edition, object->id, offset, results->content, count);
        results->data = results->content;
    }
    return true;
}

static bool execute_write(struct files_store *store, const struct object *object,
                          const uint8_t *args, size_t length, struct nfs3_results *results)
{
    struct rpcrdma_xdr_opaque data;
    if (length < 16 || object != WRITTEN || take_opaque(args + 16, length - 16, &data) == 0)
        return false;
    uint32_t status = files_write(store, rpcrdma_xdr_load64(args), &data);
    PUT(results, status, 0);
    if (status != FILES_OK) {
        put(results, 0);
        return true;
    }
    put_post_attributes(results, store, object);
    PUT(results, data.length, 2, 0, 1); /* FILE_SYNC, the verifier */
    return true;
}

/* ---- the link ---- */

/* A set_it of sattr3 with its value, of `words`. Octets that it takes, or 0. */
static size_t take_set(const uint8_t *args, size_t length, bool is_time, size_t words)
{
    uint32_t sets = length >= 4 ? rpcrdma_xdr_load32(args) : UINT32_MAX;
    size_t taken = 4 + (sets == (is_time ? 2 : 1) ? 4 * words : 0);
    return sets <= (is_time ? 2 : 1) && length >= taken ? taken : 0;
}

/* sattr3: mode, owner, group, size, two times; nothing is made of them. */
static size_t take_attributes(const uint8_t *args, size_t length)
{
    static const size_t words[] = {1, 1, 1, 2, 2, 2};
    size_t at = 0;
    for (size_t i = 0; i < COUNT(words); i++) {
        size_t taken = take_set(args + at, length - at, i >= 4, words[i]);
        if (taken == 0)
            return 0;
        at += taken;
    }
    return at;
}

/* wcc_data of the folder */
static void put_changed(struct nfs3_results *results, const struct files_store *store)
{
    put(results, 0);
    put_post_attributes(results, store, ROOT);
}

static bool execute_symlink(struct files_store *store, const uint8_t *args, size_t length,
                            struct nfs3_results *results)
{
    struct rpcrdma_xdr_opaque name, target;
    size_t at = take_opaque(args, length, &name);
    size_t set = at > 0 ? take_attributes(args + at, length - at) : 0;
    if (set == 0 || take_opaque(args + at + set, length - at - set, &target) == 0)
        return false;
    uint32_t status = files_make_link(store, &name, &target);
    put(results, status);
    if (status == FILES_OK) {
        put(results, 1);
        put_opaque(results, LINK->handle, FILES_HANDLE);
        put_post_attributes(results, store, LINK);
    }
    put_changed(results, store);
    return true;
}

static bool execute_remove(struct files_store *store, const uint8_t *args, size_t length,
                           struct nfs3_results *results)
{
    struct rpcrdma_xdr_opaque name;
    if (take_opaque(args, length, &name) == 0)
        return false;
    put(results, files_remove(store, &name));
    put_changed(results, store);
    return true;
}

static void execute_readlink(const struct files_store *store, const struct object *object,
                             struct nfs3_results *results)
{
    bool is_there = object == LINK && store->name_length > 0;
    put(results, is_there ? FILES_OK : NFS3ERR_INVAL);
    put_post_attributes(results, store, object);
    results->has_data = is_there;
    results->data_length = is_there ? store->target_length : 0;
    results->data = store->target;
}

static bool execute_lookup(const struct files_store *store, const uint8_t *args, size_t length,
                           struct nfs3_results *results)
{
    struct rpcrdma_xdr_opaque name;
    const struct object *found = THE_FILE;
    struct object own;
    if (take_opaque(args, length, &name) == 0)
        return false;
    if (store->edition > 0) {
        own = make_edition(store->edition, content_file(name.data, name.length));
        found = &own;
    }
    for (size_t i = 2; i < COUNT(objects); i++)
        if (objects[i].name && name.length == strlen(objects[i].name) &&
            memcmp(name.data, objects[i].name, name.length) == 0)
            found = &objects[i];
    found = files_is_link(store, &name) ? LINK : found;
    put(results, FILES_OK);
    put_opaque(results, found->handle, FILES_HANDLE);
    put_post_attributes(results, store, found);
    put_post_attributes(results, store, ROOT);
    return true;
}

/* Entries after the one with this cookie, which is its number, as far as `count` octets hold. */
static bool put_entries(const uint8_t *args, size_t length, struct nfs3_results *results)
{
    if (length < 20)
        return false;
    uint64_t cookie = rpcrdma_xdr_load64(args);
    uint32_t count = rpcrdma_xdr_load32(args + 16);
    size_t most = count < NFS3_RESULTS ? count : NFS3_RESULTS;
    uint32_t next = cookie < NFS3_ENTRIES ? (uint32_t)cookie + 1 : NFS3_ENTRIES + 1;
    for (; next <= NFS3_ENTRIES; next++) {
        char name[32];
        int octets = snprintf(name, sizeof name, "entry %u of many", next);
        if (results->length + 64 > most)
            break;
        PUT(results, 1, 0, FIRST_ENTRY_ID + next);
        put_opaque(results, name, (uint32_t)octets);
        PUT(results, 0, next);
    }
    PUT(results, 0, next > NFS3_ENTRIES); /* no other entry; the end */
    return true;
}

static bool execute_readdir(const struct object *object, uint32_t procedure, const uint8_t *args,
                            size_t length, struct nfs3_results *results)
{
    PUT(results, 0, 0); /* the verifier */
    if (object == MANY && procedure == READDIR)
        return put_entries(args, length, results);
    PUT(results, 0, 1);
    return true;
}

/* False: the arguments cannot be read. */
static bool execute(struct files_store *store, uint32_t procedure, const struct object *object,
                    const uint8_t *args, size_t length, struct nfs3_results *results)
{
    switch (procedure) {
    case READ:
        return execute_read(store, object, args, length, results);
    case WRITE:
        return execute_write(store, object, args, length, results);
    case LOOKUP:
        return execute_lookup(store, args, length, results);
    case SYMLINK:
        return execute_symlink(store, args, length, results);
    case REMOVE:
        return execute_remove(store, args, length, results);
    case READLINK:
        execute_readlink(store, object, results);
        return true;
    case GETATTR:
        put(results, FILES_OK);
        put_attributes(results, store, object);
        return true;
    }
    put(results, FILES_OK);
    put_post_attributes(results, store, object);
    switch (procedure) {
    case ACCESS:
        put(results, object == WRITTEN ? 0xf : 3); /* ACCESS3_READ, ACCESS3_LOOKUP; to write */
        return true;
    case FSINFO: /* sizes of READ, WRITE and READDIR, the largest file, times, properties */
        PUT(results, FILES_READ_SIZE, FILES_READ_SIZE, FILES_READ_SIZE, FILES_READ_SIZE,
            FILES_READ_SIZE, FILES_READ_SIZE, FILES_READ_SIZE, 0x7fffffff, 0xffffffff, 0, 1, 8);
        return true;
    default:
        return execute_readdir(object, procedure, args, length, results);
    }
}

static bool is_known(uint32_t procedure)
{
    static const uint32_t known[] = {GETATTR, LOOKUP, ACCESS,  READLINK,    READ,  WRITE,
                                     SYMLINK, REMOVE, READDIR, READDIRPLUS, FSINFO};
    for (size_t i = 0; i < COUNT(known); i++)
        if (known[i] == procedure)
            return true;
    return false;
}

bool responder_nfs3(struct files_store *store, uint32_t procedure, const uint8_t *args,
                    size_t length, struct nfs3_results *results)
{
    const struct object *object;
    struct object own;
    results->length = results->data_length = 0;
    results->has_data = false;
    results->data = NULL;
    if (!is_known(procedure))
        return false;
    size_t at = take_handle(args, length, &own, &object);
    if (at > 0 && execute(store, procedure, object, args + at, length - at, results))
        return true;
    /* What has no attributes: none of GETATTR's failures, two of those that change, one of others.
     */
    results->length = 0;
    put(results, NFS3ERR_BADHANDLE);
    bool changes = procedure == WRITE || procedure == SYMLINK || procedure == REMOVE;
    for (unsigned none = procedure == GETATTR ? 0 : changes ? 2 : 1; none > 0; none--)
        put(results, 0);
    return true;
}
