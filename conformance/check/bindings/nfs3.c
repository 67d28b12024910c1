// SPDX-License-Identifier: BSD-3-Clause
/*
 * The binding of NFS version 3 (RFC 8267 section 4): READ and READLINK results, WRITE and SYMLINK
 * arguments. Structures and names come from the specification's XDR.
 */
#include "conformance/check/bindings/items.h"

#include <nfs3.h>
#include <nfs_names.h>

enum { NFS3_READLINK = 5, NFS3_READ = 6, NFS3_WRITE = 7, NFS3_SYMLINK = 10 };
enum { NFS3_READDIR = 16, NFS3_READDIRPLUS = 17 };

/* What comes with the data of a READ, at least: status, the word that says that
 * there are no attributes, count, end of file, count word. */
enum { BESIDE_READ = 20 };
/* And at most, with the attributes. */
enum { ATTRIBUTES = 84, MOST_BESIDE_READ = BESIDE_READ + ATTRIBUTES, MOST_BESIDE_READLINK = 96 };

static const char *procedure_nfs3(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure < COUNT(nfs3_procedures) ? nfs3_procedures[procedure] : NULL;
}

/* ---- Calls ---- */

static ptrdiff_t write_data(const struct rpcrdma_content *c,
                            struct rpcrdma_xdr_reduction *reduction,
                            struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs3_WRITE3args value;
    ptrdiff_t n =
        rpcrdma_nfs3_WRITE3args_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.data;
    return n;
}

static ptrdiff_t symlink_path(const struct rpcrdma_content *c,
                              struct rpcrdma_xdr_reduction *reduction,
                              struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs3_SYMLINK3args value;
    ptrdiff_t n =
        rpcrdma_nfs3_SYMLINK3args_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.symlink.symlink_data;
    return n;
}

/* No argument is eligible. */
static enum rpcrdma_reading read_arguments(struct rpcrdma_content *c,
                                           const struct rpcrdma_item_sink *sink)
{
    struct rpcrdma_nfs3_READ3args args;
    struct rpcrdma_xdr_error error;
    if (c->length == 0) { /* how much is read is not known */
        rpcrdma_nfs_expected(sink, "READ data", RPCRDMA_ITEM_ANY, 0);
        return RPCRDMA_READ_ALL;
    }
    ptrdiff_t n = rpcrdma_nfs3_READ3args_decode_reduced(&args, c->octets, c->length,
                                                        reduction_at(c, 0), &error);
    if (!is_read(c, 0, n, &error))
        return RPCRDMA_UNREADABLE;
    rpcrdma_nfs_expected(sink, "READ data", args.count, BESIDE_READ);
    return RPCRDMA_READ_ALL;
}

/* A directory's results can have as many octets as the Call says, and the status before them. No
 * argument is eligible: whether all can be read does not matter. */
static enum rpcrdma_reading readdir_arguments(struct rpcrdma_content *c)
{
    struct rpcrdma_nfs3_READDIR3args args;
    if (!rpcrdma_xdr_failed(rpcrdma_nfs3_READDIR3args_decode_reduced(&args, c->octets, c->length,
                                                                     reduction_at(c, 0), NULL)))
        c->other_results = rpcrdma_nfs_bounded(args.count);
    return RPCRDMA_READ_ALL;
}

/* Here `dircount` bounds names and cookies alone, so that they can be this many at least. */
static enum rpcrdma_reading readdirplus_arguments(struct rpcrdma_content *c)
{
    struct rpcrdma_nfs3_READDIRPLUS3args args;
    if (!rpcrdma_xdr_failed(rpcrdma_nfs3_READDIRPLUS3args_decode_reduced(
            &args, c->octets, c->length, reduction_at(c, 0), NULL)))
        c->other_results =
            rpcrdma_nfs_bounded(args.dircount < args.maxcount ? args.dircount : args.maxcount);
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading call_nfs3(struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    switch (c->procedure) {
    case NFS3_WRITE:
        return rpcrdma_nfs_read_argument(c, sink, "WRITE data", write_data);
    case NFS3_SYMLINK:
        return rpcrdma_nfs_read_argument(c, sink, "SYMLINK path", symlink_path);
    case NFS3_READ:
        return read_arguments(c, sink);
    case NFS3_READLINK:
        rpcrdma_nfs_expected(sink, "READLINK path", RPCRDMA_ITEM_ANY, 0);
        return RPCRDMA_READ_ALL;
    case NFS3_READDIR:
        return readdir_arguments(c);
    case NFS3_READDIRPLUS:
        return readdirplus_arguments(c);
    default:
        return procedure_nfs3(3, c->procedure) ? RPCRDMA_READ_ALL : rpcrdma_nfs_know_nothing(c);
    }
}

/* ---- Replies ---- */

static ptrdiff_t read_data(const struct rpcrdma_content *c, struct rpcrdma_xdr_reduction *reduction,
                           struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs3_READ3res value;
    ptrdiff_t n =
        rpcrdma_nfs3_READ3res_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.resok.data;
    return n;
}

static ptrdiff_t readlink_path(const struct rpcrdma_content *c,
                               struct rpcrdma_xdr_reduction *reduction,
                               struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs3_READLINK3res value;
    ptrdiff_t n =
        rpcrdma_nfs3_READLINK3res_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.resok.data;
    return n;
}

static enum rpcrdma_reading reply_nfs3(struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    switch (c->procedure) {
    case NFS3_READ:
        return rpcrdma_nfs_read_result(c, sink, "READ data", read_data);
    case NFS3_READLINK:
        return rpcrdma_nfs_read_result(c, sink, "READLINK path", readlink_path);
    default:
        return procedure_nfs3(3, c->procedure) ? RPCRDMA_READ_ALL : rpcrdma_nfs_know_nothing(c);
    }
}

static uint32_t most_beside(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure == NFS3_READ       ? MOST_BESIDE_READ
           : procedure == NFS3_READLINK ? MOST_BESIDE_READLINK
                                        : 0;
}

const struct rpcrdma_binding rpcrdma_binding_nfs3 = {
    .name = "NFS",
    .program = NFS3_PROGRAM,
    .low_version = 3,
    .high_version = 3,
    .procedure = procedure_nfs3,
    .call = call_nfs3,
    .reply = reply_nfs3,
    .most_beside = most_beside,
};
