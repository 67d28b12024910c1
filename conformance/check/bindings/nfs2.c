// SPDX-License-Identifier: BSD-3-Clause
/*
 * The binding of NFS version 2 (RFC 8267 section 4): READ and READLINK results, WRITE and SYMLINK
 * arguments. Structures and names come from the specification's XDR.
 */
#include "conformance/check/bindings/items.h"

#include <nfs2.h>
#include <nfs_names.h>

enum { NFS2_READLINK = 5, NFS2_READ = 6, NFS2_WRITE = 8, NFS2_SYMLINK = 13, NFS2_READDIR = 16 };

/* What comes with the data of a READ: status, attributes, count word; and with a path. */
enum { BESIDE_READ = 76, BESIDE_READLINK = 8 };

static const char *procedure_nfs2(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure < COUNT(nfs2_procedures) ? nfs2_procedures[procedure] : NULL;
}

/* ---- Calls ---- */

static ptrdiff_t write_data(const struct rpcrdma_content *c,
                            struct rpcrdma_xdr_reduction *reduction,
                            struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs2_writeargs value;
    ptrdiff_t n =
        rpcrdma_nfs2_writeargs_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.data;
    return n;
}

static ptrdiff_t symlink_path(const struct rpcrdma_content *c,
                              struct rpcrdma_xdr_reduction *reduction,
                              struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs2_symlinkargs value;
    ptrdiff_t n =
        rpcrdma_nfs2_symlinkargs_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.to;
    return n;
}

/* No argument is eligible. */
static enum rpcrdma_reading read_arguments(struct rpcrdma_content *c,
                                           const struct rpcrdma_item_sink *sink)
{
    struct rpcrdma_nfs2_readargs args;
    struct rpcrdma_xdr_error error;
    if (c->length == 0) { /* how much is read is not known */
        rpcrdma_nfs_expected(sink, "READ data", RPCRDMA_ITEM_ANY, 0);
        return RPCRDMA_READ_ALL;
    }
    ptrdiff_t n = rpcrdma_nfs2_readargs_decode_reduced(&args, c->octets, c->length,
                                                       reduction_at(c, 0), &error);
    if (!is_read(c, 0, n, &error))
        return RPCRDMA_UNREADABLE;
    rpcrdma_nfs_expected(sink, "READ data",
                         args.count < NFS2_NFS_MAXDATA ? args.count : NFS2_NFS_MAXDATA,
                         BESIDE_READ);
    return RPCRDMA_READ_ALL;
}

/* Entries of this many octets can come, and the status before them. No argument is eligible:
 * whether all can be read does not matter. */
static enum rpcrdma_reading readdir_arguments(struct rpcrdma_content *c)
{
    struct rpcrdma_nfs2_readdirargs args;
    if (!rpcrdma_xdr_failed(rpcrdma_nfs2_readdirargs_decode_reduced(&args, c->octets, c->length,
                                                                    reduction_at(c, 0), NULL)))
        c->other_results = rpcrdma_nfs_bounded(args.count);
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading call_nfs2(struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    switch (c->procedure) {
    case NFS2_WRITE:
        return rpcrdma_nfs_read_argument(c, sink, "WRITE data", write_data);
    case NFS2_SYMLINK:
        return rpcrdma_nfs_read_argument(c, sink, "SYMLINK path", symlink_path);
    case NFS2_READ:
        return read_arguments(c, sink);
    case NFS2_READLINK:
        rpcrdma_nfs_expected(sink, "READLINK path", RPCRDMA_ITEM_ANY, 0);
        return RPCRDMA_READ_ALL;
    case NFS2_READDIR:
        return readdir_arguments(c);
    default:
        return procedure_nfs2(2, c->procedure) ? RPCRDMA_READ_ALL : rpcrdma_nfs_know_nothing(c);
    }
}

/* ---- Replies ---- */

static ptrdiff_t read_data(const struct rpcrdma_content *c, struct rpcrdma_xdr_reduction *reduction,
                           struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs2_readres value;
    ptrdiff_t n =
        rpcrdma_nfs2_readres_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.readok.data;
    return n;
}

static ptrdiff_t readlink_path(const struct rpcrdma_content *c,
                               struct rpcrdma_xdr_reduction *reduction,
                               struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_nfs2_readlinkres value;
    ptrdiff_t n =
        rpcrdma_nfs2_readlinkres_decode_reduced(&value, c->octets, c->length, reduction, error);
    if (!rpcrdma_xdr_failed(n))
        *item = value.data;
    return n;
}

static enum rpcrdma_reading reply_nfs2(struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    switch (c->procedure) {
    case NFS2_READ:
        return rpcrdma_nfs_read_result(c, sink, "READ data", read_data);
    case NFS2_READLINK:
        return rpcrdma_nfs_read_result(c, sink, "READLINK path", readlink_path);
    default:
        return procedure_nfs2(2, c->procedure) ? RPCRDMA_READ_ALL : rpcrdma_nfs_know_nothing(c);
    }
}

static uint32_t most_beside(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure == NFS2_READ ? BESIDE_READ : procedure == NFS2_READLINK ? BESIDE_READLINK : 0;
}

const struct rpcrdma_binding rpcrdma_binding_nfs2 = {
    .name = "NFS",
    .program = NFS2_PROGRAM,
    .low_version = 2,
    .high_version = 2,
    .procedure = procedure_nfs2,
    .call = call_nfs2,
    .reply = reply_nfs2,
    .most_beside = most_beside,
};
