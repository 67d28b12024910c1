// SPDX-License-Identifier: BSD-3-Clause
/*
 * The binding of NFS (RFC 8267): READ and READLINK results, WRITE and SYMLINK arguments. All
 * structures come from the specifications' XDR, and so do the names.
 */
#include <rpcrdma/binding.h>

#include <nfs2.h>
#include <nfs3.h>
#include <nfs4.h>
#include <nfs_names.h>

enum { PROGRAM_NFS = 100003, PROGRAM_NFSACL = 100227 };

#define COUNT(table) (sizeof table / sizeof table[0])

/* What every reading does with the octets that it has left. */
static struct rpcrdma_xdr_reduction *at(const struct rpcrdma_content *content, size_t offset)
{
    content->reduction->before = content->position + offset;
    return content->reduction;
}

/* How far a decoding came that began `offset` octets into the content. */
static bool is_read(struct rpcrdma_content *content, size_t offset, ptrdiff_t octets,
                    const struct rpcrdma_xdr_error *error)
{
    content->read = offset + (octets < 0 ? error->offset : (size_t)octets);
    return octets >= 0;
}

static enum rpcrdma_reading know_nothing(struct rpcrdma_content *content)
{
    content->read = 0;
    return RPCRDMA_READ_PART;
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

/* Which of an operation's items that are counted is the eligible one. */
enum which { FIRST_ITEM, LAST_ITEM };

static uint64_t hole_position(const struct rpcrdma_xdr_reduction *reduction, struct mark before,
                              enum which which)
{
    uint64_t position = 0;
    for (uint32_t i = before.hole; i < reduction->next; i++) {
        if (!reduction->holes[i].taken)
            continue;
        position = reduction->holes[i].position;
        if (which == FIRST_ITEM)
            break;
    }
    return position;
}

/* Of an item in the payload the place tells the Position: nothing eligible precedes it in its
 * operation. */
static void argument(const struct rpcrdma_content *content, const struct rpcrdma_item_sink *sink,
                     const char *name, const struct rpcrdma_xdr_opaque *data, struct mark before,
                     enum which which)
{
    struct rpcrdma_item item = {.name = name, .length = data->length, .out = data->data == NULL};
    if (item.out)
        item.position = hole_position(content->reduction, before, which);
    else
        item.position =
            content->position + (uint64_t)(data->data - content->octets) + before.removed;
    sink->argument(sink->arg, &item);
}

/* What comes with the data of a READ, at least: the status, attributes (of version 3: none), the
 * count, whether it was the end, the count word; of version 4 the operation as well. */
enum { BESIDE_READ2 = 76, BESIDE_READ3 = 20, BESIDE_READ4 = 16 };

static void expected(const struct rpcrdma_item_sink *sink, const char *name, uint64_t most,
                     uint32_t beside)
{
    struct rpcrdma_item item = {.name = name, .length = most, .beside = beside};
    sink->expected(sink->arg, &item);
}

static void result(const struct rpcrdma_item_sink *sink, const char *name,
                   const struct rpcrdma_xdr_opaque *data)
{
    struct rpcrdma_item item = {.name = name, .length = data->length, .out = data->data == NULL};
    sink->result(sink->arg, &item);
}

/* ---- versions 2 and 3 ---- */

enum { NFS3_READLINK = 5, NFS3_READ = 6, NFS3_WRITE = 7, NFS3_SYMLINK = 10 };
enum { NFS2_READLINK = 5, NFS2_READ = 6, NFS2_WRITE = 8, NFS2_SYMLINK = 13 };

static const char *procedure_nfs(uint32_t version, uint32_t procedure)
{
    if (version == 3)
        return procedure < COUNT(nfs3_procedures) ? nfs3_procedures[procedure] : NULL;
    return procedure < COUNT(nfs2_procedures) ? nfs2_procedures[procedure] : NULL;
}

static enum rpcrdma_reading call_nfs3(struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    union {
        struct rpcrdma_nfs3_WRITE3args write;
        struct rpcrdma_nfs3_SYMLINK3args symlink;
        struct rpcrdma_nfs3_READ3args read;
    } args;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_reduction *reduction = at(c, 0);
    struct mark before = mark(c);
    ptrdiff_t n;
    switch (c->procedure) {
    case NFS3_WRITE:
        n = rpcrdma_nfs3_WRITE3args_decode_reduced(&args.write, c->octets, c->length, reduction,
                                                   &error);
        if (!is_read(c, 0, n, &error))
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "WRITE data", &args.write.data, before, LAST_ITEM);
        break;
    case NFS3_SYMLINK:
        n = rpcrdma_nfs3_SYMLINK3args_decode_reduced(&args.symlink, c->octets, c->length, reduction,
                                                     &error);
        if (!is_read(c, 0, n, &error))
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "SYMLINK path", &args.symlink.symlink.symlink_data, before, LAST_ITEM);
        break;
    case NFS3_READ:
        n = rpcrdma_nfs3_READ3args_decode_reduced(&args.read, c->octets, c->length, reduction,
                                                  &error);
        if (!is_read(c, 0, n, &error))
            return RPCRDMA_UNREADABLE;
        expected(sink, "READ data", args.read.count, BESIDE_READ3);
        break;
    case NFS3_READLINK:
        expected(sink, "READLINK path", RPCRDMA_ITEM_ANY, 0);
        break;
    }
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading reply_nfs3(struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    union {
        struct rpcrdma_nfs3_READ3res read;
        struct rpcrdma_nfs3_READLINK3res readlink;
    } res;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_reduction *reduction = at(c, 0);
    bool reads = c->procedure == NFS3_READ;
    if (!reads && c->procedure != NFS3_READLINK)
        return RPCRDMA_READ_ALL;
    bool failed = c->length >= 4 && rpcrdma_xdr_load32(c->octets) != 0;
    reduction->next_item = !failed && sink->result_is_out(sink->arg);
    ptrdiff_t n = reads ? rpcrdma_nfs3_READ3res_decode_reduced(&res.read, c->octets, c->length,
                                                               reduction, &error)
                        : rpcrdma_nfs3_READLINK3res_decode_reduced(&res.readlink, c->octets,
                                                                   c->length, reduction, &error);
    if (!is_read(c, 0, n, &error))
        return RPCRDMA_UNREADABLE;
    if (failed)
        sink->result(sink->arg, NULL);
    else if (reads)
        result(sink, "READ data", &res.read.resok.data);
    else
        result(sink, "READLINK path", &res.readlink.resok.data);
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading call_nfs2(struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    union {
        struct rpcrdma_nfs2_writeargs write;
        struct rpcrdma_nfs2_symlinkargs symlink;
        struct rpcrdma_nfs2_readargs read;
    } args;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_reduction *reduction = at(c, 0);
    struct mark before = mark(c);
    ptrdiff_t n;
    switch (c->procedure) {
    case NFS2_WRITE:
        n = rpcrdma_nfs2_writeargs_decode_reduced(&args.write, c->octets, c->length, reduction,
                                                  &error);
        if (!is_read(c, 0, n, &error))
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "WRITE data", &args.write.data, before, LAST_ITEM);
        break;
    case NFS2_SYMLINK:
        n = rpcrdma_nfs2_symlinkargs_decode_reduced(&args.symlink, c->octets, c->length, reduction,
                                                    &error);
        if (!is_read(c, 0, n, &error))
            return RPCRDMA_UNREADABLE;
        argument(c, sink, "SYMLINK path", &args.symlink.to, before, LAST_ITEM);
        break;
    case NFS2_READ:
        n = rpcrdma_nfs2_readargs_decode_reduced(&args.read, c->octets, c->length, reduction,
                                                 &error);
        if (!is_read(c, 0, n, &error))
            return RPCRDMA_UNREADABLE;
        expected(sink, "READ data",
                 args.read.count < NFS2_NFS_MAXDATA ? args.read.count : NFS2_NFS_MAXDATA,
                 BESIDE_READ2);
        break;
    case NFS2_READLINK:
        expected(sink, "READLINK path", RPCRDMA_ITEM_ANY, 0);
        break;
    }
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading reply_nfs2(struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    union {
        struct rpcrdma_nfs2_readres read;
        struct rpcrdma_nfs2_readlinkres readlink;
    } res;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_reduction *reduction = at(c, 0);
    bool reads = c->procedure == NFS2_READ;
    if (!reads && c->procedure != NFS2_READLINK)
        return RPCRDMA_READ_ALL;
    bool failed = c->length >= 4 && rpcrdma_xdr_load32(c->octets) != 0;
    reduction->next_item = !failed && sink->result_is_out(sink->arg);
    ptrdiff_t n = reads ? rpcrdma_nfs2_readres_decode_reduced(&res.read, c->octets, c->length,
                                                              reduction, &error)
                        : rpcrdma_nfs2_readlinkres_decode_reduced(&res.readlink, c->octets,
                                                                  c->length, reduction, &error);
    if (!is_read(c, 0, n, &error))
        return RPCRDMA_UNREADABLE;
    if (failed)
        sink->result(sink->arg, NULL);
    else if (reads)
        result(sink, "READ data", &res.read.readok.data);
    else
        result(sink, "READLINK path", &res.readlink.data);
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading call_nfs(struct rpcrdma_content *content,
                                     const struct rpcrdma_item_sink *sink)
{
    if (procedure_nfs(content->version, content->procedure) == NULL)
        return know_nothing(content);
    return content->version == 3 ? call_nfs3(content, sink) : call_nfs2(content, sink);
}

static enum rpcrdma_reading reply_nfs(struct rpcrdma_content *content,
                                      const struct rpcrdma_item_sink *sink)
{
    if (procedure_nfs(content->version, content->procedure) == NULL)
        return know_nothing(content);
    return content->version == 3 ? reply_nfs3(content, sink) : reply_nfs2(content, sink);
}

const struct rpcrdma_binding rpcrdma_binding_nfs = {
    "NFS", PROGRAM_NFS, 2, 3, procedure_nfs, call_nfs, reply_nfs,
};

/* ---- version 4 ---- */

enum { NFS4_NULL = 0, NFS4_COMPOUND = 1, NFS4_LAST_MINOR = 2 };

static const char *procedure_nfs4(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure < COUNT(nfs4_procedures) ? nfs4_procedures[procedure] : NULL;
}

/* What begins a COMPOUND: before its operations, or its results. */
struct compound {
    size_t offset; /* of the first operation */
    uint32_t minor, count;
};

/* Octets of the tag with its padding, in the payload; it is not eligible, but may be out. */
static uint64_t tag_octets(struct rpcrdma_content *c, size_t offset)
{
    struct rpcrdma_xdr_reduction *reduction = at(c, offset);
    uint32_t length = rpcrdma_xdr_load32(c->octets + offset);
    uint64_t octets = ((uint64_t)length + 3) & ~(uint64_t)3;
    uint32_t i = 0;
    while (i < reduction->hole_count && reduction->holes[i].position < reduction->before + 4)
        i++;
    if (i == reduction->hole_count || reduction->holes[i].position != reduction->before + 4)
        return octets;
    reduction->holes[i].taken = true;
    reduction->holes[i].count = length;
    reduction->next = i + 1;
    reduction->removed += octets;
    return 0;
}

/* Results have a status before the tag, arguments the minor version behind it. */
static bool begin_compound(struct rpcrdma_content *c, bool is_reply, struct compound *compound)
{
    size_t before = is_reply ? 4 : 0, after = is_reply ? 4 : 8;
    c->read = c->length < before ? 0 : before;
    if (c->length < before + 4)
        return false;
    size_t left = c->length - before - 4;
    uint64_t tag = tag_octets(c, before);
    if (tag > left || left - tag < after)
        return false;
    const uint8_t *p = c->octets + before + 4 + tag;
    compound->minor = is_reply ? 0 : rpcrdma_xdr_load32(p);
    compound->count = rpcrdma_xdr_load32(p + after - 4);
    compound->offset = before + 4 + (size_t)tag + after;
    c->read = compound->offset;
    return true;
}

static bool is_known(const struct rpcrdma_content *c, size_t offset, uint32_t *operation)
{
    *operation = c->length - offset >= 4 ? rpcrdma_xdr_load32(c->octets + offset) : 0;
    return (*operation < COUNT(nfs4_operations) && nfs4_operations[*operation] != NULL) ||
           *operation == NFS4_OP_ILLEGAL;
}

static void name_operation(const struct rpcrdma_item_sink *sink, uint32_t operation)
{
    if (sink->operation != NULL)
        sink->operation(sink->arg,
                        operation == NFS4_OP_ILLEGAL ? "ILLEGAL" : nfs4_operations[operation]);
}

static void name_arguments(const struct rpcrdma_content *c, const struct rpcrdma_item_sink *sink,
                           const struct rpcrdma_nfs4_nfs_argop4 *op, struct mark before)
{
    switch ((int)op->argop) {
    case NFS4_OP_WRITE:
        argument(c, sink, "WRITE data", &op->opwrite.data, before, LAST_ITEM);
        break;
    case NFS4_OP_CREATE:
        if (op->opcreate.objtype.type == NFS4_NF4LNK)
            argument(c, sink, "CREATE link", &op->opcreate.objtype.linkdata, before, FIRST_ITEM);
        break;
    case NFS4_OP_READ:
        expected(sink, "READ data", op->opread.count, BESIDE_READ4);
        break;
    case NFS4_OP_READLINK:
        expected(sink, "READLINK link", RPCRDMA_ITEM_ANY, 0);
        break;
    }
}

/* A later minor version may make more items eligible (RFC 8267 section 7). */
static enum rpcrdma_reading call_nfs4(struct rpcrdma_content *c,
                                      const struct rpcrdma_item_sink *sink)
{
    struct rpcrdma_nfs4_nfs_argop4 op;
    struct compound compound;
    struct rpcrdma_xdr_error error;
    uint32_t operation;
    if (c->procedure != NFS4_COMPOUND)
        return c->procedure == NFS4_NULL ? RPCRDMA_READ_ALL : know_nothing(c);
    if (!begin_compound(c, false, &compound))
        return RPCRDMA_UNREADABLE;
    if (compound.minor > NFS4_LAST_MINOR)
        return RPCRDMA_READ_PART;
    for (; compound.count > 0; compound.count--) {
        struct mark before = mark(c);
        size_t offset = c->read;
        if (!is_known(c, offset, &operation))
            return offset == c->length ? RPCRDMA_UNREADABLE : RPCRDMA_READ_PART;
        name_operation(sink, operation);
        ptrdiff_t n = rpcrdma_nfs4_nfs_argop4_decode_reduced(
            &op, c->octets + offset, c->length - offset, at(c, offset), &error);
        if (!is_read(c, offset, n, &error))
            return RPCRDMA_UNREADABLE;
        name_arguments(c, sink, &op, before);
    }
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading reply_nfs4(struct rpcrdma_content *c,
                                       const struct rpcrdma_item_sink *sink)
{
    struct rpcrdma_nfs4_nfs_resop4 op;
    struct compound compound;
    struct rpcrdma_xdr_error error;
    uint32_t operation;
    if (c->procedure != NFS4_COMPOUND)
        return c->procedure == NFS4_NULL ? RPCRDMA_READ_ALL : know_nothing(c);
    if (!begin_compound(c, true, &compound))
        return RPCRDMA_UNREADABLE;
    for (; compound.count > 0; compound.count--) {
        size_t offset = c->read;
        if (!is_known(c, offset, &operation))
            return offset == c->length ? RPCRDMA_UNREADABLE : RPCRDMA_READ_PART;
        name_operation(sink, operation);
        bool eligible = operation == NFS4_OP_READ || operation == NFS4_OP_READLINK;
        bool failed = c->length - offset < 8 || rpcrdma_xdr_load32(c->octets + offset + 4) != 0;
        c->reduction->next_item = eligible && !failed && sink->result_is_out(sink->arg);
        ptrdiff_t n = rpcrdma_nfs4_nfs_resop4_decode_reduced(
            &op, c->octets + offset, c->length - offset, at(c, offset), &error);
        c->reduction->next_item = false;
        if (!is_read(c, offset, n, &error))
            return RPCRDMA_UNREADABLE;
        if (eligible && failed)
            sink->result(sink->arg, NULL);
        else if (operation == NFS4_OP_READ)
            result(sink, "READ data", &op.opread.resok4.data);
        else if (operation == NFS4_OP_READLINK)
            result(sink, "READLINK link", &op.opreadlink.resok4.link);
    }
    return RPCRDMA_READ_ALL;
}

const struct rpcrdma_binding rpcrdma_binding_nfs4 = {
    "NFS", PROGRAM_NFS, 4, 4, procedure_nfs4, call_nfs4, reply_nfs4,
};

/* ---- NFSACL: nothing is eligible ---- */

static const char *procedure_nfsacl(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure == 0 ? "NULL" : NULL; /* no public definition names the others */
}

static enum rpcrdma_reading nothing_eligible(struct rpcrdma_content *content,
                                             const struct rpcrdma_item_sink *sink)
{
    (void)content, (void)sink;
    return RPCRDMA_READ_ALL;
}

/* RFC 8267 section 5 speaks of version 1; peers have 2 and 3, as those of NFS that they serve. */
const struct rpcrdma_binding rpcrdma_binding_nfsacl = {
    "NFSACL", PROGRAM_NFSACL, 1, 3, procedure_nfsacl, nothing_eligible, nothing_eligible,
};

const struct rpcrdma_binding *const rpcrdma_bindings[] = {
    &rpcrdma_binding_nfs,
    &rpcrdma_binding_nfs4,
    &rpcrdma_binding_nfsacl,
    NULL,
};

const struct rpcrdma_binding *rpcrdma_binding_find(const struct rpcrdma_binding *const *bindings,
                                                   uint32_t program, uint32_t version)
{
    for (; bindings && *bindings; bindings++)
        if ((*bindings)->program == program && version >= (*bindings)->low_version &&
            version <= (*bindings)->high_version)
            return *bindings;
    return NULL;
}
