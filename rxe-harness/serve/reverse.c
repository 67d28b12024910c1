// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/reverse.h"

#include "rxe-harness/responder/files.h"

#include <compound.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FIRST_XID 0x0cb00001u
#define CREDITS REVERSE_AT_ONCE /* asked for */
#define CB_NULL 0
#define CB_COMPOUND 1

/* ---- the Calls ---- */

/* Memory that nothing is to be written into. */
static const struct rpcrdma1_segment segment = {.handle = 0x8167, .length = 64, .offset = 4096};
static const struct rpcrdma1_write_chunk unused = {.target = {.items = &segment, .count = 1}};

static size_t put_recall(uint8_t *octets, size_t room, const struct nfs4_back_channel *channel,
                         const struct nfs4_delegation *delegation)
{
    const struct nfs_cb_argop4 operations[] = {
        {.argop = NFS_OP_CB_SEQUENCE,
         .opcbsequence = {.csa_sessionid = channel->session, .csa_sequenceid = channel->sequence}},
        {.argop = NFS_OP_CB_RECALL,
         .opcbrecall = {.stateid = {.seqid = 1, .other = delegation->other},
                        .fh = {.data = delegation->handle, .length = FILES_HANDLE}}}};
    const struct nfs_CB_COMPOUND4args args = {.minorversion = 1,
                                              .argarray = {.items = operations, .count = 2}};
    ptrdiff_t length = nfs_CB_COMPOUND4args_encode(octets, room, &args, NULL);
    return rpcrdma_xdr_failed(length) ? 0 : (size_t)length;
}

/* How many Calls there may be so far. */
static unsigned allowed(const struct reverse *reverse)
{
    uint32_t granted = reverse->granted < REVERSE_AT_ONCE ? reverse->granted : REVERSE_AT_ONCE;
    return reverse->kind == SERVE_REVERSE_GRANT && reverse->answered > 0 ? 1 + granted : 1;
}

static bool is_due(const struct reverse *reverse, const struct nfs4_delegation *delegation,
                   enum reverse_moment moment)
{
    bool same_xid = reverse->kind == SERVE_REVERSE_SAME_XID;
    /* The Call after that which made the session has shown that it is there. */
    if (reverse->kind == SERVE_NO_REVERSE || reverse->replies < 2 ||
        reverse->made >= allowed(reverse) || same_xid != (moment == REVERSE_BEFORE_REPLY))
        return false;
    return reverse->kind != SERVE_REVERSE_RECALL || delegation->is_used;
}

size_t reverse_next(struct reverse *reverse, struct nfs4 *nfs4, enum reverse_moment moment,
                    uint32_t xid, uint8_t octets[REVERSE_OCTETS])
{
    struct nfs4_back_channel channel;
    struct nfs4_delegation delegation = {.is_used = false};
    if (!nfs4_back_channel(nfs4, &channel))
        return 0;
    reverse->replies += moment == REVERSE_AFTER_REPLY;
    nfs4_delegation(nfs4, &delegation);
    if (!is_due(reverse, &delegation, moment))
        return 0;
    if (reverse->made == 0)
        reverse->first_xid = reverse->kind == SERVE_REVERSE_SAME_XID ? xid : FIRST_XID;
    bool recalls = reverse->kind == SERVE_REVERSE_RECALL;
    const struct nfs4_call call = {.xid = reverse->first_xid + reverse->made,
                                   .procedure = recalls ? CB_COMPOUND : CB_NULL,
                                   .credits = CREDITS,
                                   .channel = &channel,
                                   .chunk = reverse->kind == SERVE_REVERSE_CHUNK ? &unused : NULL};
    size_t length = reverse_call_encode(octets, &call);
    if (recalls)
        length += put_recall(octets + length, REVERSE_OCTETS - length, &channel, &delegation);
    reverse->waits[reverse->made++] = true;
    return length;
}

/* ---- the answers ---- */

#define WRONG(reverse, ...) snprintf((reverse)->wrong, sizeof(reverse)->wrong, __VA_ARGS__)

static void take_results(struct reverse *reverse, const uint8_t *octets, size_t length)
{
    struct nfs_CB_COMPOUND4res results;
    struct nfs_cb_resop4 result;
    if (rpcrdma_xdr_failed(
            nfs_CB_COMPOUND4res_decode_complete(&results, octets, length, NULL, NULL))) {
        WRONG(reverse, "%zu octets that are no results of CB_COMPOUND", length);
        return;
    }
    struct rpcrdma_xdr_iter iter = nfs_cb_resop4_array_iter(&results.resarray);
    while (nfs_cb_resop4_array_next(&iter, &result))
        reverse->sequenced = reverse->sequenced || (result.resop == NFS_OP_CB_SEQUENCE &&
                                                    result.opcbsequence.csr_status == NFS_NFS4_OK);
    if (results.status != NFS_NFS4_OK || results.resarray.count != 2)
        WRONG(reverse, "CB_COMPOUND of two operations: status %u after %" PRIu32 " results",
              (unsigned)results.status, results.resarray.count);
}

static void take_reply(struct reverse *reverse, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t at = rpcrdma_rpc_header_decode(&rpc, octets, length, NULL);
    if (rpcrdma_xdr_failed(at) || !rpc.is_reply)
        WRONG(reverse, "a message that holds no RPC Reply");
    else if (!rpc.accepted || rpc.accept_stat != 0)
        WRONG(reverse, "a Reply, %s %u", rpc.accepted ? "accept_stat" : "reject_stat",
              (unsigned)(rpc.accepted ? rpc.accept_stat : rpc.reject_stat));
    else if (reverse->kind == SERVE_REVERSE_RECALL)
        take_results(reverse, octets + at, length - (size_t)at);
}

/* Of a message that may be a Call of the client's: only Calls have a Read list. */
static bool is_call(const struct rpcrdma1_header *header, const uint8_t *payload, size_t length)
{
    if (header->rdma_body.proc == RPCRDMA1_NOMSG)
        return rpcrdma1_chunks(header)->rdma_reads.count > 0;
    return length >= 8 && rpcrdma_xdr_load32(payload + 4) == 0;
}

bool reverse_take(struct reverse *reverse, struct nfs4 *nfs4, const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    uint32_t number = length >= 4 ? rpcrdma_xdr_load32(octets) - reverse->first_xid : 0;
    bool is_error = !rpcrdma_xdr_failed(end) && header.rdma_body.proc == RPCRDMA1_ERROR;
    if (rpcrdma_xdr_failed(end) || number >= reverse->made || !reverse->waits[number] ||
        (!is_error && is_call(&header, octets + end, length - (size_t)end)))
        return false;
    reverse->waits[number] = false;
    reverse->answered++;
    reverse->granted = header.rdma_credit;
    bool refused = is_error && header.rdma_body.rdma_error.err == RPCRDMA1_ERR_CHUNK;
    if (!is_error)
        take_reply(reverse, octets + end, length - (size_t)end);
    else if (!refused || reverse->kind != SERVE_REVERSE_CHUNK)
        WRONG(reverse, "%s", refused ? "err-chunk" : "err-vers");
    if (reverse->sequenced)
        nfs4_back_channel_used(nfs4);
    reverse->sequenced = false;
    return true;
}

enum ending reverse_end(bool gone, bool starved)
{
    if (!gone)
        return ENDING_SILENT;
    return starved ? ENDING_CLOSED : ENDING_NOT_APPLICABLE;
}

enum ending reverse_ending(const struct reverse *reverse, const struct nfs4 *nfs4, bool gone,
                           bool starved, char text[256])
{
    struct nfs4_delegation delegation;
    unsigned missing = reverse->made - reverse->answered;
    if (reverse->wrong[0] != '\0') {
        snprintf(text, 256, "a Call in the reverse direction is answered by %s", reverse->wrong);
        return ENDING_WRONG;
    }
    if (missing > 0) {
        snprintf(text, 256, "%u of %u Calls in the reverse direction are not answered%s", missing,
                 reverse->made, gone ? ", the connection has ended" : "");
        return reverse_end(gone, starved);
    }
    if (reverse->kind == SERVE_REVERSE_RECALL && nfs4_delegation(nfs4, &delegation)) {
        snprintf(text, 256, "the delegation has not come back yet");
        return ENDING_TOLERATED;
    }
    snprintf(text, 256, "%u Calls in the reverse direction are answered", reverse->answered);
    return ENDING_REQUIRED;
}
