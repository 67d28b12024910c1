// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/responder/nfs3.h"

#include <rpcrdma/xdr.h>

#include <string.h>

#define FILE_SIZE 65536u
#define READ_SIZE 4096u /* small: reading the file takes many Calls at a time */
#define HANDLE_MAX 64
#define FSID 0x8166
#define DIRECTORY_ID 2
#define FILE_ID 3

enum { GETATTR = 1, LOOKUP = 3, ACCESS = 4, READ = 6, READDIR = 16, READDIRPLUS = 17, FSINFO = 19 };
enum { NFS3_OK = 0, NFS3ERR_BADHANDLE = 10001 };
enum { NF3REG = 1, NF3DIR = 2 };

/* The file's; every other one, which is what a MOUNT server gave, is the directory's. */
static const uint8_t file_handle[8] = "the file";

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

/* fattr3: read and search for all, times that never change. */
static void put_attributes(struct nfs3_results *results, bool is_file)
{
    uint32_t size = is_file ? FILE_SIZE : 4096;
    PUT(results, is_file ? NF3REG : NF3DIR, is_file ? 0444 : 0555, is_file ? 1 : 2, 0, 0, 0, size,
        0, size, 0, 0, 0, FSID, 0, is_file ? FILE_ID : DIRECTORY_ID, 1, 0, 1, 0, 1, 0);
}

/* post_op_attr */
static void put_post_attributes(struct nfs3_results *results, bool is_file)
{
    put(results, 1);
    put_attributes(results, is_file);
}

static uint32_t pad(uint32_t octets)
{
    return (4 - octets % 4) % 4;
}

/* The file handle that all arguments begin with. Octets up to what follows it, or 0. */
static size_t take_handle(const uint8_t *args, size_t length, bool *is_file)
{
    uint32_t octets = length >= 4 ? rpcrdma_xdr_load32(args) : UINT32_MAX;
    if (octets > HANDLE_MAX || octets > length - 4 || pad(octets) > length - 4 - octets)
        return 0;
    *is_file = octets == sizeof file_handle && memcmp(args + 4, file_handle, octets) == 0;
    return 4 + octets + pad(octets);
}

static bool execute_read(const uint8_t *args, size_t length, struct nfs3_results *results)
{
    if (length < 12)
        return false;
    uint64_t offset = rpcrdma_xdr_load64(args);
    uint32_t count = rpcrdma_xdr_load32(args + 8);
    uint64_t left = offset < FILE_SIZE ? FILE_SIZE - offset : 0;
    count = count < READ_SIZE ? count : READ_SIZE;
    count = count < left ? count : (uint32_t)left;
    put(results, NFS3_OK);
    put_post_attributes(results, true);
    PUT(results, count, count == left);
    results->has_data = true;
    results->data_length = count;
    return true;
}

static void execute_lookup(struct nfs3_results *results)
{
    PUT(results, NFS3_OK, sizeof file_handle);
    memcpy(results->octets + results->length, file_handle, sizeof file_handle);
    results->length += sizeof file_handle;
    put_post_attributes(results, true);
    put_post_attributes(results, false);
}

static bool execute(uint32_t procedure, bool is_file, struct nfs3_results *results)
{
    if (procedure == LOOKUP) {
        execute_lookup(results);
        return true;
    }
    put(results, NFS3_OK);
    if (procedure == GETATTR) {
        put_attributes(results, is_file);
        return true;
    }
    put_post_attributes(results, is_file);
    switch (procedure) {
    case ACCESS:
        put(results, 3); /* ACCESS3_READ, ACCESS3_LOOKUP */
        return true;
    case READDIR:
    case READDIRPLUS: /* the verifier, no entry, the end */
        PUT(results, 0, 0, 0, 1);
        return true;
    case FSINFO: /* sizes of READ, WRITE and READDIR, the largest file, times, properties */
        PUT(results, READ_SIZE, READ_SIZE, READ_SIZE, READ_SIZE, READ_SIZE, READ_SIZE, READ_SIZE,
            0x7fffffff, 0xffffffff, 0, 1, 8);
        return true;
    default:
        return false;
    }
}

bool responder_nfs3(uint32_t procedure, const uint8_t *args, size_t length,
                    struct nfs3_results *results)
{
    bool is_file = false;
    results->length = results->data_length = 0;
    results->has_data = false;
    size_t at = take_handle(args, length, &is_file);
    bool known = procedure == READ || execute(procedure, is_file, results);
    if (procedure == READ && at > 0 && execute_read(args + at, length - at, results))
        return true;
    if (known && (at == 0 || procedure == READ)) { /* what can fail has no attributes to tell */
        results->length = 0;
        PUT(results, NFS3ERR_BADHANDLE, 0);
        results->length -= procedure == GETATTR ? 4 : 0;
    }
    return known;
}
