// SPDX-License-Identifier: BSD-3-Clause
/*
 * The binding of NFS version 4 (RFC 8267 section 6): READ and READLINK results, WRITE and CREATE
 * link arguments. A COMPOUND is read operation by operation, for what is eligible stands among
 * others of any kind, and reading can end at one that is not known here.
 */
#include "conformance/check/bindings/items.h"
#include "conformance/check/bindings/rfc8267.h"

#include <nfs4.h>
#include <nfs_names.h>
#include <rpcrdma/xdr_runtime.h> /* rpcrdma_xdr_round */

/* What comes with the data of a READ, at least: operation, status, end of file, count word. */
enum { BESIDE_READ = 16 };

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
    struct rpcrdma_xdr_reduction *reduction = reduction_at(c, offset);
    uint32_t length = rpcrdma_xdr_load32(c->octets + offset);
    uint64_t octets = rpcrdma_xdr_round(length);
    uint32_t i = 0;
    while (i < reduction->hole_count && reduction->holes[i].position != reduction->before + 4)
        i++;
    if (i == reduction->hole_count)
        return octets;
    reduction->holes[i].taken = true;
    reduction->holes[i].count = length;
    reduction->next = i + 1;
    reduction->removed += octets;
    return 0;
}

/* Results have a status before the tag, arguments the minor version after it. */
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

/* 0, which is no operation, where the payload ends. */
static bool is_known(const struct rpcrdma_content *c, size_t offset, uint32_t *operation)
{
    *operation = c->length - offset >= 4 ? rpcrdma_xdr_load32(c->octets + offset) : 0;
    return (*operation < COUNT(nfs4_operations) && nfs4_operations[*operation] != NULL) ||
           *operation == NFS4_OP_ILLEGAL;
}

/* Operations are numbered in sequence. One a little beyond those that are known belongs to an
 * extension (RFC 8178); all other numbers are not those of operations. */
enum { EXTENSION_MOST = 999 };

static enum rpcrdma_reading stop_at(uint32_t operation)
{
    bool extension = operation >= COUNT(nfs4_operations) && operation <= EXTENSION_MOST;
    return extension ? RPCRDMA_READ_PART : RPCRDMA_UNREADABLE;
}

static void name_operation(const struct rpcrdma_item_sink *sink, uint32_t operation)
{
    if (sink->operation != NULL)
        sink->operation(sink->arg,
                        operation == NFS4_OP_ILLEGAL ? "ILLEGAL" : nfs4_operations[operation]);
}

static void name_arguments(struct rpcrdma_content *c, const struct rpcrdma_item_sink *sink,
                           const struct rpcrdma_nfs4_nfs_argop4 *op, struct mark before)
{
    switch ((int)op->argop) {
    case NFS4_OP_WRITE:
        rpcrdma_nfs_argument(c, sink, "WRITE data", &op->opwrite.data, before, LAST_ITEM);
        break;
    case NFS4_OP_CREATE:
        if (op->opcreate.objtype.type == NFS4_NF4LNK)
            rpcrdma_nfs_argument(c, sink, "CREATE link", &op->opcreate.objtype.linkdata, before,
                                 FIRST_ITEM);
        break;
    case NFS4_OP_READ:
        rpcrdma_nfs_expected(sink, "READ data", op->opread.count, BESIDE_READ);
        break;
    case NFS4_OP_READLINK:
        rpcrdma_nfs_expected(sink, "READLINK link", RPCRDMA_ITEM_ANY, 0);
        break;
    case NFS4_OP_READDIR: /* `dircount` is a hint */
        c->other_results += 4 + rpcrdma_nfs_bounded(op->opreaddir.maxcount);
        break;
    case NFS4_OP_READ_PLUS: /* all of it data: READ's, with the kind and offset of their segment */
        c->other_results += BESIDE_READ + 16 + (uint64_t)op->opread_plus.rpa_count;
        break;
    case NFS4_OP_GETDEVICEINFO:
        c->other_results += 4 + rpcrdma_nfs_bounded(op->opgetdeviceinfo.gdia_maxcount);
        break;
    case NFS4_OP_LAYOUTGET:
        c->other_results += 4 + rpcrdma_nfs_bounded(op->oplayoutget.loga_maxcount);
        break;
    case NFS4_OP_LISTXATTRS:
        c->other_results += 4 + rpcrdma_nfs_bounded(op->oplistxattrs.lxa_maxcount);
        break;
    case NFS4_OP_CREATE_SESSION:
        c->callback_program = op->opcreate_session.csa_cb_program;
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
        return c->procedure == NFS4_NULL ? RPCRDMA_READ_ALL : rpcrdma_nfs_know_nothing(c);
    if (!begin_compound(c, false, &compound))
        return RPCRDMA_UNREADABLE;
    if (compound.minor > NFS4_LAST_MINOR)
        return RPCRDMA_READ_PART;
    c->bounded = compound.minor > 0; /* by the session (section 6.2.2) */
    for (; compound.count > 0; compound.count--) {
        struct mark before = mark_of(c);
        size_t offset = c->read;
        if (!is_known(c, offset, &operation))
            return stop_at(operation);
        name_operation(sink, operation);
        ptrdiff_t n = rpcrdma_nfs4_nfs_argop4_decode_reduced(
            &op, c->octets + offset, c->length - offset, reduction_at(c, offset), &error);
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
        return c->procedure == NFS4_NULL ? RPCRDMA_READ_ALL : rpcrdma_nfs_know_nothing(c);
    if (!begin_compound(c, true, &compound))
        return RPCRDMA_UNREADABLE;
    for (; compound.count > 0; compound.count--) {
        size_t offset = c->read;
        if (!is_known(c, offset, &operation))
            return stop_at(operation);
        name_operation(sink, operation);
        bool eligible = operation == NFS4_OP_READ || operation == NFS4_OP_READLINK;
        bool failed = c->length - offset < 8 || rpcrdma_xdr_load32(c->octets + offset + 4) != 0;
        c->reduction->next_item = eligible && !failed && sink->result_is_out(sink->arg);
        ptrdiff_t n = rpcrdma_nfs4_nfs_resop4_decode_reduced(
            &op, c->octets + offset, c->length - offset, reduction_at(c, offset), &error);
        c->reduction->next_item = false;
        if (!is_read(c, offset, n, &error))
            return RPCRDMA_UNREADABLE;
        if (eligible && failed)
            sink->result(sink->arg, NULL);
        else if (operation == NFS4_OP_READ)
            rpcrdma_nfs_result(sink, "READ data", &op.opread.resok4.data);
        else if (operation == NFS4_OP_READLINK)
            rpcrdma_nfs_result(sink, "READLINK link", &op.opreadlink.resok4.link);
    }
    return RPCRDMA_READ_ALL;
}

const struct rpcrdma_binding rpcrdma_binding_nfs4 = {
    .name = "NFS",
    .program = NFS4_PROGRAM,
    .low_version = 4,
    .high_version = 4,
    .procedure = procedure_nfs4,
    .call = call_nfs4,
    .reply = reply_nfs4,
    .may_return_empty = true,
    .lists = rpcrdma_rfc8267_lists,
    .long_callback = rpcrdma_rfc8267_long_callback,
    .no_result = rpcrdma_rfc8267_no_result,
    .surplus_result = rpcrdma_rfc8267_surplus_result,
};
