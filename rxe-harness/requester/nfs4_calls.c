// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/nfs4_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

static const uint8_t zeros[16]; /* the anonymous state identifier, a verifier */

/* Those of RFC 7530 that every server has, and the times and owners that most have. */
static const uint32_t attributes[2] = {0x000807ff, 0x0030003a};

static struct rpcrdma_xdr_opaque opaque(const char *text)
{
    return (struct rpcrdma_xdr_opaque){.data = (const uint8_t *)text,
                                       .length = (uint32_t)strlen(text)};
}

/* The next operation's place; too many are counted, and all share the last place. */
static struct nfs_argop4 *add(struct nfs_compound *compound, enum nfs_opnum4 operation)
{
    struct nfs_argop4 *place =
        &compound
             ->operations[compound->count < NFS_OPERATIONS ? compound->count : NFS_OPERATIONS - 1];
    if (compound->count <= NFS_OPERATIONS)
        compound->count++;
    *place = (struct nfs_argop4){.argop = operation};
    return place;
}

void nfs_begin(struct nfs_compound *compound)
{
    compound->count = 0;
    compound->minor = 0;
    add(compound, NFS_OP_PUTROOTFH);
}

/* ---- sessions ---- */

#define CHANNEL ((1u << 20) + 4096) /* octets of a Call, or of a Reply */

/* What the one and the other channel is to take. */
static const struct nfs_channel_attrs4 fore = {.ca_maxrequestsize = CHANNEL,
                                               .ca_maxresponsesize = CHANNEL,
                                               .ca_maxresponsesize_cached = 4096,
                                               .ca_maxoperations = NFS_OPERATIONS,
                                               .ca_maxrequests = 1};
static const struct nfs_channel_attrs4 back = {.ca_maxrequestsize = 4096,
                                               .ca_maxresponsesize = 4096,
                                               .ca_maxoperations = 2,
                                               .ca_maxrequests = 1};
static const struct nfs_callback_sec_parms4 no_security = {.cb_secflavor = 0};

static struct nfs_argop4 *alone(struct nfs_compound *compound, enum nfs_opnum4 operation)
{
    compound->count = 0;
    compound->minor = 1;
    return add(compound, operation);
}

void nfs_exchange_id(struct nfs_compound *compound, const char *owner, const uint8_t verifier[8])
{
    struct nfs_EXCHANGE_ID4args *args = &alone(compound, NFS_OP_EXCHANGE_ID)->opexchange_id;
    args->eia_clientowner =
        (struct nfs_client_owner4){.co_verifier = verifier, .co_ownerid = opaque(owner)};
}

void nfs_create_session(struct nfs_compound *compound, const struct nfs_session *session,
                        uint32_t flags, uint32_t callbacks)
{
    alone(compound, NFS_OP_CREATE_SESSION)->opcreate_session =
        (struct nfs_CREATE_SESSION4args){.csa_clientid = session->client,
                                         .csa_sequence = session->client_sequence,
                                         .csa_flags = flags,
                                         .csa_fore_chan_attrs = fore,
                                         .csa_back_chan_attrs = back,
                                         .csa_cb_program = callbacks,
                                         .csa_sec_parms = {.items = &no_security, .count = 1}};
}

void nfs_destroy_session(struct nfs_compound *compound, const struct nfs_session *session)
{
    alone(compound, NFS_OP_DESTROY_SESSION)->opdestroy_session.dsa_sessionid = session->id;
}

void nfs_destroy_clientid(struct nfs_compound *compound, const struct nfs_session *session)
{
    alone(compound, NFS_OP_DESTROY_CLIENTID)->opdestroy_clientid.dca_clientid = session->client;
}

void nfs_begin_in_session(struct nfs_compound *compound, struct nfs_session *session, bool keeps)
{
    alone(compound, NFS_OP_SEQUENCE)->opsequence = (struct nfs_SEQUENCE4args){
        .sa_sessionid = session->id, .sa_sequenceid = ++session->sequence, .sa_cachethis = keeps};
    add(compound, NFS_OP_PUTROOTFH);
}

void nfs_enter_session(struct nfs_compound *compound, struct nfs_session *session)
{
    unsigned kept = compound->count < NFS_OPERATIONS ? compound->count : NFS_OPERATIONS - 1;
    memmove(compound->operations + 1, compound->operations, kept * sizeof *compound->operations);
    compound->count++;
    compound->operations[0] = (struct nfs_argop4){
        .argop = NFS_OP_SEQUENCE,
        .opsequence = {.sa_sessionid = session->id, .sa_sequenceid = ++session->sequence}};
}

/* ---- operations ---- */

void nfs_lookup(struct nfs_compound *compound, const char *path, size_t length)
{
    size_t begin = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && path[i] != '/')
            continue;
        if (i > begin)
            add(compound, NFS_OP_LOOKUP)->oplookup.objname = (struct rpcrdma_xdr_opaque){
                .data = (const uint8_t *)path + begin, .length = (uint32_t)(i - begin)};
        begin = i + 1;
    }
}

void nfs_remove(struct nfs_compound *compound, const char *name)
{
    add(compound, NFS_OP_REMOVE)->opremove.target = opaque(name);
}

void nfs_read(struct nfs_compound *compound, uint64_t offset, uint32_t count)
{
    add(compound, NFS_OP_READ)->opread =
        (struct nfs_READ4args){.stateid.other = zeros, .offset = offset, .count = count};
}

void nfs_write(struct nfs_compound *compound, uint64_t offset, const uint8_t *data, uint32_t length)
{
    add(compound, NFS_OP_WRITE)->opwrite =
        (struct nfs_WRITE4args){.stateid.other = zeros,
                                .offset = offset,
                                .stable = NFS_FILE_SYNC4,
                                .data = {.data = data, .length = length}};
}

struct nfs_OPEN4args *nfs_open(struct nfs_compound *compound, const struct nfs_session *session,
                               const char *name)
{
    struct nfs_OPEN4args *args = &add(compound, NFS_OP_OPEN)->opopen;
    args->share_access = NFS_OPEN4_SHARE_ACCESS_READ;
    args->owner = (nfs_open_owner4){.clientid = session->client, .owner = opaque("reader")};
    args->openhow.opentype = NFS_OPEN4_NOCREATE;
    args->claim = (struct nfs_open_claim4){.claim = NFS_CLAIM_NULL, .file = opaque(name)};
    return args;
}

void nfs_close(struct nfs_compound *compound, const uint8_t *other)
{
    add(compound, NFS_OP_CLOSE)->opclose.open_stateid =
        (struct nfs_stateid4){.seqid = 1, .other = other};
}

void nfs_return_delegation(struct nfs_compound *compound, const uint8_t *other)
{
    add(compound, NFS_OP_DELEGRETURN)->opdelegreturn.deleg_stateid =
        (struct nfs_stateid4){.seqid = 1, .other = other};
}

void nfs_reclaim_complete(struct nfs_compound *compound, struct nfs_session *session)
{
    nfs_begin_in_session(compound, session, false);
    add(compound, NFS_OP_RECLAIM_COMPLETE);
}

void nfs_create_link(struct nfs_compound *compound, const char *name, const char *target)
{
    struct nfs_CREATE4args *create = &add(compound, NFS_OP_CREATE)->opcreate;
    create->objtype.type = NFS_NF4LNK;
    create->objtype.linkdata = opaque(target);
    create->objname = opaque(name);
}

void nfs_readlink(struct nfs_compound *compound)
{
    add(compound, NFS_OP_READLINK);
}

void nfs_getattr(struct nfs_compound *compound)
{
    add(compound, NFS_OP_GETATTR)->opgetattr.attr_request =
        (nfs_bitmap4){.items = attributes, .count = 2};
}

void nfs_secinfo(struct nfs_compound *compound)
{
    add(compound, NFS_OP_SECINFO_NO_NAME)->opsecinfo_no_name = NFS_SECINFO_STYLE4_CURRENT_FH;
}

void nfs_readdir(struct nfs_compound *compound, uint32_t most)
{
    add(compound, NFS_OP_READDIR)->opreaddir =
        (struct nfs_READDIR4args){.cookieverf = zeros,
                                  .dircount = most,
                                  .maxcount = most,
                                  .attr_request = {.items = attributes, .count = 2}};
}

/* Where the eligible argument came to lie: a view of the octets knows. */
static bool find_item(const uint8_t *args, size_t length, struct requester_call *call)
{
    struct nfs_COMPOUND4args view;
    struct nfs_argop4 operation;
    if (rpcrdma_xdr_failed(nfs_COMPOUND4args_decode_complete(&view, args, length, NULL, NULL)))
        return false;
    struct rpcrdma_xdr_iter iter = nfs_argop4_array_iter(&view.argarray);
    while (nfs_argop4_array_next(&iter, &operation)) {
        const struct rpcrdma_xdr_opaque *item = NULL;
        if (operation.argop == NFS_OP_WRITE)
            item = &operation.opwrite.data;
        else if (operation.argop == NFS_OP_CREATE && operation.opcreate.objtype.type == NFS_NF4LNK)
            item = &operation.opcreate.objtype.linkdata;
        if (item == NULL)
            continue;
        call->item_at = (size_t)(item->data - args);
        call->item_length = item->length;
    }
    return true;
}

uint8_t *nfs_encode(const struct nfs_compound *compound, struct requester_call *call)
{
    struct nfs_COMPOUND4args args = {
        .minorversion = compound->minor,
        .argarray = {.items = compound->operations, .count = compound->count}};
    if (compound->count > NFS_OPERATIONS)
        return NULL;
    ptrdiff_t length = nfs_COMPOUND4args_size(&args, NULL);
    uint8_t *octets = rpcrdma_xdr_failed(length) ? NULL : malloc((size_t)length);
    if (octets == NULL)
        return NULL;
    if (nfs_COMPOUND4args_encode(octets, (size_t)length, &args, NULL) != length ||
        !find_item(octets, (size_t)length, call)) {
        free(octets);
        return NULL;
    }
    call->procedure = NFS_COMPOUND;
    call->args = octets;
    call->args_length = (size_t)length;
    return octets;
}

/* ---- results ---- */

/* Status, tag, number of results. Returns where they begin, or 0. */
static size_t begin_results(const struct requester_reply *reply, uint32_t *count)
{
    size_t length = reply->results_length;
    if (length < 12)
        return 0;
    uint64_t tag = ((uint64_t)rpcrdma_xdr_load32(reply->results + 4) + 3) & ~(uint64_t)3;
    if (tag > length - 12)
        return 0;
    *count = rpcrdma_xdr_load32(reply->results + 8 + tag);
    return *count > NFS_OPERATIONS ? 0 : 12 + (size_t)tag;
}

/* A READ or READLINK that brought something. The Write chunks serve them in order (RFC 8267 section
 * 6.4.1). */
static bool has_item(const uint8_t *octets, size_t left)
{
    uint32_t operation = left < 8 ? 0 : rpcrdma_xdr_load32(octets);
    return (operation == NFS_OP_READ || operation == NFS_OP_READLINK) &&
           rpcrdma_xdr_load32(octets + 4) == NFS_NFS4_OK;
}

static bool is_out(const struct requester_reply *reply, unsigned number)
{
    return number < REQUESTER_CHUNKS && number < reply->chunks && reply->chunk_lengths[number] > 0;
}

bool nfs_each_result(const struct requester_reply *reply, nfs_visitor *visit, void *arg,
                     char wrong[128])
{
    uint32_t count = 0;
    unsigned items = 0;
    size_t at = begin_results(reply, &count);
    wrong[0] = '\0';
    if (at == 0)
        snprintf(wrong, 128, "%zu octets that are no COMPOUND's results", reply->results_length);
    for (uint32_t i = 0; at > 0 && i < count; i++) {
        const uint8_t *octets = reply->results + at;
        size_t left = reply->results_length - at;
        bool item = has_item(octets, left), out = item && is_out(reply, items);
        struct rpcrdma_xdr_reduction reduction = {.next_item = out};
        struct nfs_resop4 result;
        struct rpcrdma_xdr_error error;
        ptrdiff_t end = nfs_resop4_decode_reduced(&result, octets, left, &reduction, &error);
        if (rpcrdma_xdr_failed(end)) {
            char path[64];
            rpcrdma_xdr_error_path(&error, path, sizeof path);
            snprintf(wrong, 128, "result %u, %s: %s", i + 1, path,
                     rpcrdma_xdr_error_text(error.code));
            return false;
        }
        if (!visit(arg, &result, out, items))
            return false;
        items += item;
        at += (size_t)end;
    }
    if (at > 0 && at != reply->results_length)
        snprintf(wrong, 128, "%zu octets after the results", reply->results_length - at);
    return wrong[0] == '\0';
}

struct nfs4_reading {
    const struct requester_pending *pending;
    const struct requester_reply *reply;
    struct nfs_results *results;
};

static bool take_item(struct nfs4_reading *reading, const struct rpcrdma_xdr_opaque *data, bool eof,
                      bool out, unsigned number)
{
    struct nfs_results *results = reading->results;
    if (results->item_count == REQUESTER_CHUNKS) {
        snprintf(results->wrong, sizeof results->wrong, "too many results of READ");
        return false;
    }
    struct nfs_item *item = &results->items[results->item_count++];
    *item = (struct nfs_item){.octets = data->data, .length = data->length, .eof = eof};
    if (!out || data->length == 0)
        return true;
    size_t room = reading->pending->item_room, came = reading->reply->chunk_lengths[number];
    item->in_chunk = true;
    if (data->length != came || came > room) {
        snprintf(results->wrong, sizeof results->wrong,
                 "a count word of %u where %zu octets are in the Write chunk", data->length, came);
        return false;
    }
    item->octets = reading->pending->item + number * room;
    return true;
}

static unsigned count_entries(const struct nfs_READDIR4resok *directory)
{
    struct rpcrdma_xdr_iter iter = nfs_entry4_iter(&directory->reply.entries);
    struct nfs_entry4_entry entry;
    unsigned count = 0;
    while (nfs_entry4_next(&iter, &entry))
        count++;
    return count;
}

static bool has_gss(const nfs_SECINFO4resok *flavors)
{
    struct rpcrdma_xdr_iter iter = nfs_secinfo4_array_iter(flavors);
    struct nfs_secinfo4 each;
    while (nfs_secinfo4_array_next(&iter, &each))
        if (each.flavor == NFS_RPCSEC_GSS)
            return true;
    return false;
}

static void take_session(struct nfs_results *results, const struct nfs_resop4 *result)
{
    struct nfs_session *session = &results->session;
    if (result->resop == NFS_OP_EXCHANGE_ID && result->opexchange_id.eir_status == NFS_NFS4_OK) {
        session->client = result->opexchange_id.eir_resok4.eir_clientid;
        session->client_sequence = result->opexchange_id.eir_resok4.eir_sequenceid;
    }
    if (result->resop == NFS_OP_CREATE_SESSION &&
        result->opcreate_session.csr_status == NFS_NFS4_OK) {
        memcpy(session->id, result->opcreate_session.csr_resok4.csr_sessionid, sizeof session->id);
        session->flags = result->opcreate_session.csr_resok4.csr_flags;
    }
    if (result->resop == NFS_OP_SEQUENCE && result->opsequence.sr_status == NFS_NFS4_OK)
        results->session_status = result->opsequence.sr_resok4.sr_status_flags;
}

static void take_open(struct nfs_results *results, const struct nfs_OPEN4resok *opened)
{
    const struct nfs_open_delegation4 *given = &opened->delegation;
    const struct nfs_stateid4 *delegation =
        given->delegation_type == NFS_OPEN_DELEGATE_READ    ? &given->read.stateid
        : given->delegation_type == NFS_OPEN_DELEGATE_WRITE ? &given->write.stateid
                                                            : NULL;
    results->is_opened = true;
    memcpy(results->opened, opened->stateid.other, sizeof results->opened);
    results->has_delegation = delegation != NULL;
    if (delegation)
        memcpy(results->delegation, delegation->other, sizeof results->delegation);
}

static bool take_result(void *arg, const struct nfs_resop4 *result, bool out, unsigned number)
{
    struct nfs4_reading *reading = arg;
    struct nfs_results *results = reading->results;
    results->count++;
    take_session(results, result);
    switch ((int)result->resop) {
    case NFS_OP_READ:
        return result->opread.status != NFS_NFS4_OK ||
               take_item(reading, &result->opread.resok4.data, result->opread.resok4.eof, out,
                         number);
    case NFS_OP_READLINK:
        return result->opreadlink.status != NFS_NFS4_OK ||
               take_item(reading, &result->opreadlink.resok4.link, true, out, number);
    case NFS_OP_WRITE:
        if (result->opwrite.status == NFS_NFS4_OK)
            results->written = result->opwrite.resok4.count;
        return true;
    case NFS_OP_READDIR:
        if (result->opreaddir.status == NFS_NFS4_OK)
            results->entries = count_entries(&result->opreaddir.resok4);
        return true;
    case NFS_OP_OPEN:
        if (result->opopen.status == NFS_NFS4_OK)
            take_open(results, &result->opopen.resok4);
        return true;
    case NFS_OP_SECINFO_NO_NAME:
        if (result->opsecinfo_no_name.status == NFS_NFS4_OK)
            results->has_gss = has_gss(&result->opsecinfo_no_name.resok4);
        return true;
    default:
        return true;
    }
}

bool nfs_read_results(const struct requester_pending *pending, const struct requester_reply *reply,
                      struct nfs_results *results)
{
    *results = (struct nfs_results){.status = 0};
    struct nfs4_reading reading = {.pending = pending, .reply = reply, .results = results};
    char wrong[128];
    if (reply->results_length >= 4)
        results->status = rpcrdma_xdr_load32(reply->results);
    bool good = nfs_each_result(reply, take_result, &reading, wrong);
    if (wrong[0] != '\0')
        snprintf(results->wrong, sizeof results->wrong, "%s", wrong);
    return good;
}
