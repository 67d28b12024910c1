// SPDX-License-Identifier: BSD-3-Clause
/*
 * Message scope: the transport header and the RPC message behind it, side by side (RFC 8166
 * sections 3.4.2, 3.4.5, 4.2.1 and 8.2.2; RFC 5531 for the RPC header).
 */
#include "conformance/check/core/checker.h"

#include <rpcrdma/rpcrdma.h>

static uint64_t round_up(uint64_t octets)
{
    return (octets + 3) & ~(uint64_t)3;
}

enum { GSS_PROC_DATA = 0, GSS_SERVICE_INTEGRITY = 2, GSS_SERVICE_PRIVACY = 3 };

static bool is_protected(const struct rpcrdma_rpc_header *rpc)
{
    return rpc->has_gss && rpc->gss_proc == GSS_PROC_DATA &&
           (rpc->gss_service == GSS_SERVICE_INTEGRITY || rpc->gss_service == GSS_SERVICE_PRIVACY);
}

#define NFS_PROGRAM 100003
#define RPC_VERSION 2 /* RFC 5531 section 9 */

bool rpcrdma_is_nfs4(const struct rpcrdma_rpc_header *rpc)
{
    return rpc->prog == NFS_PROGRAM && rpc->vers == 4;
}

static void react_undecodable(struct send *send)
{
    rpcrdma_react(send, RECEIVER_RESPONDER,
                  RPCRDMA_PROCESS | RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS);
    rpcrdma_react(send, RECEIVER_REQUESTER, RPCRDMA_PROCESS | RPCRDMA_DISCARD);
}

/* The RPC header; false if it says nothing that can be trusted. */
static bool check_rpc_header(struct send *send, const uint8_t *octets, size_t length,
                             uint64_t total, uint32_t xid, int64_t base)
{
    struct rpcrdma_xdr_error error = {.code = 0};
    if (length < 8) {
        if (total < 8) {
            rpcrdma_report(send, RPCRDMA_RFC8166_4_RPC_LAYOUT, base + 4,
                           "the RPC message ends after %u octets", total, 0, 0);
            react_undecodable(send);
        }
        return false;
    }
    if (rpcrdma_xdr_load32(octets) != xid) {
        rpcrdma_report(send, RPCRDMA_RFC8166_4_2_1_XID_EQUAL, base,
                       "the XID of the RPC message is 0x%x, that of the header 0x%x",
                       rpcrdma_xdr_load32(octets), xid, 0);
        rpcrdma_react(send, RECEIVER_RESPONDER, RPCRDMA_PROCESS | RPCRDMA_ERR_CHUNK);
        rpcrdma_react(send, RECEIVER_REQUESTER, RPCRDMA_PROCESS | RPCRDMA_DISCARD);
    }
    if (rpcrdma_xdr_load32(octets + 4) > 1) {
        rpcrdma_report(send, RPCRDMA_RFC8166_2_2_2_MESSAGE_TYPE, base + 4,
                       "the message type is %u, neither Call nor Reply",
                       rpcrdma_xdr_load32(octets + 4), 0, 0);
        rpcrdma_react(send, RECEIVER_RESPONDER, RPCRDMA_DISCARD | RPCRDMA_ERR_CHUNK);
        rpcrdma_react(send, RECEIVER_REQUESTER, RPCRDMA_DISCARD);
        return false;
    }
    bool other_version = rpcrdma_xdr_load32(octets + 4) == 0 && length >= 12 &&
                         rpcrdma_xdr_load32(octets + 8) != RPC_VERSION;
    if (other_version) {
        rpcrdma_report(send, RPCRDMA_RFC8166_4_RPC_LAYOUT, base + 8, "the RPC version is %u, not 2",
                       rpcrdma_xdr_load32(octets + 8), 0, 0);
        react_undecodable(send);
    }
    send->rpc_length = rpcrdma_rpc_header_decode(&send->rpc, octets, length, &error);
    bool cut = error.code == RPCRDMA_XDR_E_TRUNCATED || error.code == RPCRDMA_XDR_E_COUNT;
    if (send->rpc_length < 0 && !other_version && (!cut || length == total)) {
        rpcrdma_report(
            send, RPCRDMA_RFC8166_4_RPC_LAYOUT, base + error.offset,
            cut ? "the RPC header ends inside this field"
                : "this field of the RPC header has a value that RFC 5531 does not define",
            0, 0, 0);
        react_undecodable(send);
    }
    return send->rpc_length >= 0;
}

/* ---- where Read chunks may stand in a Call ---- */

static void check_against_rpc_header(struct send *send, const struct read_chunk *chunk)
{
    const struct rpcrdma_rpc_header *rpc = &send->rpc;
    if (rpc->has_gss && rpc->gss_proc != GSS_PROC_DATA) {
        rpcrdma_report(
            send, RPCRDMA_RFC8166_8_2_2_GSS_ELEMENTS_NOT_REDUCED, chunk->at + 4,
            "a Read chunk at Position %u in a Call that sets up or ends an RPCSEC_GSS context",
            chunk->position, 0, 0);
        return;
    }
    if (chunk->position >= (uint64_t)send->rpc_length)
        return;
    if (rpc->cred_flavor == RPCRDMA_RPC_GSS && chunk->position >= rpc->cred_offset)
        rpcrdma_report(send, RPCRDMA_RFC8166_8_2_2_GSS_ELEMENTS_NOT_REDUCED, chunk->at + 4,
                       "Position %u lies in the RPCSEC_GSS credential or verifier", chunk->position,
                       0, 0);
    else
        rpcrdma_report(send, RPCRDMA_RFC8166_3_4_2_POSITION_IN_RPC_HEADER, chunk->at + 4,
                       "Position %u lies in the RPC header; the arguments begin at %u",
                       chunk->position, (uint64_t)send->rpc_length, 0);
}

/* Positions count in the unreduced stream: what lower chunks took out is added back. */
static void check_bounds(struct send *send, uint64_t payload)
{
    const struct read_chunks *chunks = &send->reads;
    uint64_t before = 0;
    if (chunks->overlap || chunks->count > READ_CHUNKS)
        return;
    for (uint32_t i = 0; i < chunks->count; i++) {
        const struct read_chunk *chunk = &chunks->chunk[i];
        if (chunk->position > payload + before) {
            rpcrdma_report(send, RPCRDMA_RFC8166_3_4_5_POSITION_IN_BOUNDS, chunk->at + 4,
                           "Position %u lies beyond the payload, which ends at %u", chunk->position,
                           payload + before, 0);
            rpcrdma_react(send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS);
            return;
        }
        before += round_up(chunk->length);
    }
}

static void check_call_chunks(struct send *send)
{
    const struct read_chunks *chunks = &send->reads;
    uint32_t stored = chunks->count < READ_CHUNKS ? chunks->count : READ_CHUNKS;
    unsigned before = send->verdict->count;
    for (uint32_t i = 0; i < stored; i++)
        check_against_rpc_header(send, &chunks->chunk[i]);
    if (stored > 0 && send->is_protected && send->verdict->count == before)
        rpcrdma_report(send, RPCRDMA_RFC8166_8_2_2_3_PAYLOAD_NOT_REDUCED, chunks->chunk[0].at + 4,
                       "a Read chunk at Position %u in a Call under RPCSEC_GSS service %u",
                       chunks->chunk[0].position, send->rpc.gss_service, 0);
    if (send->verdict->count != before)
        rpcrdma_react(send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS);
    if (send->is_protected && send->chunks->rdma_writes.count > 0)
        rpcrdma_report(send, RPCRDMA_RFC8166_8_2_2_3_WRITE_LIST_UNDER_GSS,
                       place(send, send->chunks->rdma_writes.wire),
                       "a Write list in a Call under RPCSEC_GSS service %u", send->rpc.gss_service,
                       0, 0);
}

void rpcrdma_judge_message(struct send *send)
{
    const struct rpcrdma_judgement *verdict = send->verdict;
    if (send->state != HEADER_DECODED || send->chunks == NULL)
        return;
    if (verdict->procedure == RPCRDMA1_NOMSG) {
        if (verdict->direction == RPCRDMA_CALL)
            check_bounds(send, send->position_zero_length);
        return;
    }
    if (send->payload_total < 4)
        return;
    bool decoded = check_rpc_header(send, send->payload, send->payload_length, send->payload_total,
                                    verdict->xid, verdict->header_length);
    if (decoded && verdict->direction == RPCRDMA_CALL) {
        send->is_protected = is_protected(&send->rpc);
        check_call_chunks(send);
    }
    if (verdict->direction == RPCRDMA_CALL)
        check_bounds(send, send->payload_total);
}

void rpcrdma_judge_long_call(struct send *send, struct call *call, uint64_t total)
{
    if (!check_rpc_header(send, send->octets, send->length, total, call->xid, 0))
        return;
    call->is_protected = is_protected(&send->rpc);
    call->may_be_nfs4 = rpcrdma_is_nfs4(&send->rpc);
    if (!call->is_protected)
        return;
    const struct memory *all = send->check->memory;
    for (uint32_t i = call->first; i != NONE; i = all[i].next) {
        if (all[i].kind == MEMORY_READ && all[i].chunk != 0) {
            rpcrdma_report(
                send, RPCRDMA_RFC8166_8_2_2_3_PAYLOAD_NOT_REDUCED, RPCRDMA_NO_OFFSET,
                "the Long Call has a Read chunk at Position %u and RPCSEC_GSS service %u",
                all[i].chunk, send->rpc.gss_service, 0);
            return;
        }
    }
}
