// SPDX-License-Identifier: BSD-3-Clause
/*
 * The binding of NFS (RFC 8267): READ and READLINK results, WRITE and SYMLINK arguments. All
 * structures come from the specifications' XDR.
 */
#include <rpcrdma/binding.h>

#include <nfs2.h>
#include <nfs3.h>
#include <nfs4.h>

enum { PROGRAM_NFS = 100003, PROGRAM_NFSACL = 100227 };

/* What every reading does with the octets that it has left. */
static struct xdr_reduction *at(const struct rpcrdma_content *content, size_t offset)
{
    content->reduction->before = content->position + offset;
    return content->reduction;
}

/* Where a reading stood before an operation. */
struct mark {
    uint64_t removed;
    uint32_t hole;
};

static struct mark mark(const struct rpcrdma_content *content)
{
    return (struct mark){content->reduction->removed, content->reduction->next};
}

static void argument(const struct rpcrdma_content *content, const struct rpcrdma_item_sink *sink,
                     const char *name, const struct xdr_opaque *data, struct mark before)
{
    const struct xdr_reduction *reduction = content->reduction;
    struct rpcrdma_item item = {.name = name, .length = data->length};
    if (data->data != NULL)
        item.position =
            content->position + (uint64_t)(data->data - content->octets) + before.removed;
    for (uint32_t i = before.hole; data->data == NULL && i < reduction->next; i++) {
        if (reduction->holes[i].taken && reduction->holes[i].count == data->length) {
            item.out = true;
            item.position = reduction->holes[i].position;
            break;
        }
    }
    sink->argument(sink->arg, &item);
}

static void expected(const struct rpcrdma_item_sink *sink, const char *name, uint32_t most)
{
    struct rpcrdma_item item = {.name = name, .length = most};
    sink->expected(sink->arg, &item);
}

static void result(const struct rpcrdma_item_sink *sink, const char *name,
                   const struct xdr_opaque *data)
{
    struct rpcrdma_item item = {.name = name, .length = data->length, .out = data->data == NULL};
    item.out = item.out && data->length > 0;
    sink->result(sink->arg, &item);
}

/* ---- versions 2 and 3 ---- */

enum { NFS3_READLINK = 5, NFS3_READ = 6, NFS3_WRITE = 7, NFS3_SYMLINK = 10 };
enum { NFS2_READLINK = 5, NFS2_READ = 6, NFS2_WRITE = 8, NFS2_SYMLINK = 13 };

static enum rpcrdma_reading call_nfs3(const struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    union {
        struct nfs3_WRITE3args write;
        struct nfs3_SYMLINK3args symlink;
        struct nfs3_READ3args read;
    } args;
    struct mark before = mark(c);
    switch (c->procedure) {
    case NFS3_WRITE:
        if (nfs3_WRITE3args_decode_reduced(&args.write, c->octets, c->length, at(c, 0), NULL) < 0)
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "WRITE data", &args.write.data, before);
        break;
    case NFS3_SYMLINK:
        if (nfs3_SYMLINK3args_decode_reduced(&args.symlink, c->octets, c->length, at(c, 0), NULL) <
            0)
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "SYMLINK path", &args.symlink.symlink.symlink_data, before);
        break;
    case NFS3_READ:
        if (nfs3_READ3args_decode_reduced(&args.read, c->octets, c->length, at(c, 0), NULL) < 0)
            return RPCRDMA_UNREADABLE;
        expected(sink, "READ data", args.read.count);
        break;
    case NFS3_READLINK:
        expected(sink, "READLINK path", UINT32_MAX);
        break;
    }
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading reply_nfs3(const struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    union {
        struct nfs3_READ3res read;
        struct nfs3_READLINK3res readlink;
    } res;
    bool is_read = c->procedure == NFS3_READ;
    if (!is_read && c->procedure != NFS3_READLINK)
        return RPCRDMA_READ_ALL;
    bool failed = c->length >= 4 && xdr_load32(c->octets) != 0;
    c->reduction->next_item = !failed && sink->result_is_out(sink->arg);
    if (is_read ? nfs3_READ3res_decode_reduced(&res.read, c->octets, c->length, at(c, 0), NULL) < 0
                : nfs3_READLINK3res_decode_reduced(&res.readlink, c->octets, c->length, at(c, 0),
                                                   NULL) < 0)
        return RPCRDMA_UNREADABLE;
    if (failed)
        sink->result(sink->arg, NULL);
    else if (is_read)
        result(sink, "READ data", &res.read.resok.data);
    else
        result(sink, "READLINK path", &res.readlink.resok.data);
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading call_nfs2(const struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    union {
        struct nfs2_writeargs write;
        struct nfs2_symlinkargs symlink;
        struct nfs2_readargs read;
    } args;
    struct mark before = mark(c);
    switch (c->procedure) {
    case NFS2_WRITE:
        if (nfs2_writeargs_decode_reduced(&args.write, c->octets, c->length, at(c, 0), NULL) < 0)
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "WRITE data", &args.write.data, before);
        break;
    case NFS2_SYMLINK:
        if (nfs2_symlinkargs_decode_reduced(&args.symlink, c->octets, c->length, at(c, 0), NULL) <
            0)
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "SYMLINK path", &args.symlink.to, before);
        break;
    case NFS2_READ:
        if (nfs2_readargs_decode_reduced(&args.read, c->octets, c->length, at(c, 0), NULL) < 0)
            return RPCRDMA_UNREADABLE;
        expected(sink, "READ data", args.read.count);
        break;
    case NFS2_READLINK:
        expected(sink, "READLINK path", UINT32_MAX);
        break;
    }
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading reply_nfs2(const struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    union {
        struct nfs2_readres read;
        struct nfs2_readlinkres readlink;
    } res;
    bool is_read = c->procedure == NFS2_READ;
    if (!is_read && c->procedure != NFS2_READLINK)
        return RPCRDMA_READ_ALL;
    bool failed = c->length >= 4 && xdr_load32(c->octets) != 0;
    c->reduction->next_item = !failed && sink->result_is_out(sink->arg);
    if (is_read ? nfs2_readres_decode_reduced(&res.read, c->octets, c->length, at(c, 0), NULL) < 0
                : nfs2_readlinkres_decode_reduced(&res.readlink, c->octets, c->length, at(c, 0),
                                                  NULL) < 0)
        return RPCRDMA_UNREADABLE;
    if (failed)
        sink->result(sink->arg, NULL);
    else if (is_read)
        result(sink, "READ data", &res.read.readok.data);
    else
        result(sink, "READLINK path", &res.readlink.data);
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading call_nfs(const struct rpcrdma_content *content,
                                     const struct rpcrdma_item_sink *sink)
{
    return content->version == 3 ? call_nfs3(content, sink) : call_nfs2(content, sink);
}

static enum rpcrdma_reading reply_nfs(const struct rpcrdma_content *content,
                                      const struct rpcrdma_item_sink *sink)
{
    return content->version == 3 ? reply_nfs3(content, sink) : reply_nfs2(content, sink);
}

const struct rpcrdma_binding rpcrdma_binding_nfs = {
    "NFS", PROGRAM_NFS, 2, 3, call_nfs, reply_nfs,
};

/* ---- version 4 ---- */

enum { NFS4_COMPOUND = 1 };

/* Octets of a COMPOUND before its operations: the tag, and one word (or, of results, a status in
 * front of the tag); and how many operations follow. */
static bool begin_compound(const struct rpcrdma_content *c, size_t *offset, uint32_t *count)
{
    size_t before_tag = *offset, after_tag = *offset == 0 ? 4 : 0; /* minorversion */
    if (c->length < before_tag + 4)
        return false;
    uint64_t tag = ((uint64_t)xdr_load32(c->octets + before_tag) + 3) & ~(uint64_t)3;
    if (tag > c->length - before_tag - 4 || c->length - before_tag - 4 - tag < after_tag + 4)
        return false;
    *offset = before_tag + 4 + (size_t)tag + after_tag;
    *count = xdr_load32(c->octets + *offset);
    *offset += 4;
    return true;
}

static bool known_operation(const struct rpcrdma_content *c, size_t offset)
{
    uint32_t operation = c->length - offset >= 4 ? xdr_load32(c->octets + offset) : 0;
    return (operation >= NFS4_OP_ACCESS && operation <= NFS4_OP_CLONE) ||
           operation == NFS4_OP_ILLEGAL;
}

static void name_arguments(const struct rpcrdma_content *c, const struct rpcrdma_item_sink *sink,
                           const struct nfs4_nfs_argop4 *op, struct mark before)
{
    switch ((int)op->argop) {
    case NFS4_OP_WRITE:
        argument(c, sink, "WRITE data", &op->opwrite.data, before);
        break;
    case NFS4_OP_CREATE:
        if (op->opcreate.objtype.type == NFS4_NF4LNK)
            argument(c, sink, "CREATE link", &op->opcreate.objtype.linkdata, before);
        break;
    case NFS4_OP_READ:
        expected(sink, "READ data", op->opread.count);
        break;
    case NFS4_OP_READLINK:
        expected(sink, "READLINK link", UINT32_MAX);
        break;
    }
}

static enum rpcrdma_reading call_nfs4(const struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    struct nfs4_nfs_argop4 op;
    size_t offset = 0;
    uint32_t count;
    if (c->procedure != NFS4_COMPOUND)
        return RPCRDMA_READ_ALL;
    if (!begin_compound(c, &offset, &count))
        return RPCRDMA_UNREADABLE;
    for (; count > 0; count--) {
        struct mark before = mark(c);
        if (!known_operation(c, offset))
            return RPCRDMA_READ_PART;
        ptrdiff_t n = nfs4_nfs_argop4_decode_reduced(&op, c->octets + offset, c->length - offset,
                                                     at(c, offset), NULL);
        if (n < 0)
            return RPCRDMA_UNREADABLE;
        name_arguments(c, sink, &op, before);
        offset += (size_t)n;
    }
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading reply_nfs4(const struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    struct nfs4_nfs_resop4 op;
    size_t offset = 4; /* the status */
    uint32_t count;
    if (c->procedure != NFS4_COMPOUND)
        return RPCRDMA_READ_ALL;
    if (!begin_compound(c, &offset, &count))
        return RPCRDMA_UNREADABLE;
    for (; count > 0; count--) {
        if (!known_operation(c, offset))
            return RPCRDMA_READ_PART;
        uint32_t operation = xdr_load32(c->octets + offset);
        bool eligible = operation == NFS4_OP_READ || operation == NFS4_OP_READLINK;
        bool failed = c->length - offset < 8 || xdr_load32(c->octets + offset + 4) != 0;
        c->reduction->next_item = eligible && !failed && sink->result_is_out(sink->arg);
        ptrdiff_t n = nfs4_nfs_resop4_decode_reduced(&op, c->octets + offset, c->length - offset,
                                                     at(c, offset), NULL);
        if (n < 0)
            return RPCRDMA_UNREADABLE;
        c->reduction->next_item = false;
        if (eligible && failed)
            sink->result(sink->arg, NULL);
        else if (operation == NFS4_OP_READ)
            result(sink, "READ data", &op.opread.resok4.data);
        else if (operation == NFS4_OP_READLINK)
            result(sink, "READLINK link", &op.opreadlink.resok4.link);
        offset += (size_t)n;
    }
    return RPCRDMA_READ_ALL;
}

const struct rpcrdma_binding rpcrdma_binding_nfs4 = {
    "NFS version 4", PROGRAM_NFS, 4, 4, call_nfs4, reply_nfs4,
};

/* ---- NFSACL: nothing is eligible ---- */

static enum rpcrdma_reading nothing_eligible(const struct rpcrdma_content *content,
                                             const struct rpcrdma_item_sink *sink)
{
    (void)content, (void)sink;
    return RPCRDMA_READ_ALL;
}

const struct rpcrdma_binding rpcrdma_binding_nfsacl = {
    "NFSACL", PROGRAM_NFSACL, 2, 3, nothing_eligible, nothing_eligible,
};

const struct rpcrdma_binding *const rpcrdma_bindings[] = {
    &rpcrdma_binding_nfs,
    &rpcrdma_binding_nfs4,
    &rpcrdma_binding_nfsacl,
    NULL,
};
