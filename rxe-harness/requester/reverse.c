// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/reverse.h"

#include "rxe-harness/session/session.h"

#include <compound.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <string.h>

/* RFC 5531 section 9 */
enum { SUCCESS = 0, PROG_UNAVAIL = 1, PROC_UNAVAIL = 3, GARBAGE_ARGS = 4 };
enum { CB_NULL = 0, CB_COMPOUND = 1 };

#define OPERATIONS 2 /* of a CB_COMPOUND; back in nfs4_calls.c offers as many */
#define OCTETS 512   /* of an answer */
#define ANSWER 24    /* octets of an RPC Reply, accepted, before its results */

struct reverse_call {
    struct rpcrdma_rpc_header rpc;
    bool has_chunks;
    const uint8_t *args;
    size_t args_length;
};

static bool read_call(const struct requester *requester, struct reverse_call *call)
{
    struct rpcrdma1_header header;
    const uint8_t *octets = requester->came;
    size_t length = requester->came_length;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    if (rpcrdma_xdr_failed(end) || header.rdma_vers != RPCRDMA_VERSION_1 ||
        header.rdma_body.proc != RPCRDMA1_MSG)
        return false;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    call->has_chunks =
        lists->rdma_reads.count > 0 || lists->rdma_writes.count > 0 || lists->rdma_reply.present;
    ptrdiff_t at = rpcrdma_rpc_header_decode(&call->rpc, octets + end, length - (size_t)end, NULL);
    call->args = octets + end + at;
    call->args_length = length - (size_t)(end + at);
    return !rpcrdma_xdr_failed(at) && !call->rpc.is_reply;
}

/* ---- CB_COMPOUND ---- */

static void answer_sequence(const struct nfs_CB_SEQUENCE4args *args, struct nfs_cb_resop4 *result)
{
    result->opcbsequence.csr_resok4 =
        (struct nfs_CB_SEQUENCE4resok){.csr_sessionid = args->csa_sessionid,
                                       .csr_sequenceid = args->csa_sequenceid,
                                       .csr_slotid = args->csa_slotid};
}

/* Recalls are taken, and left to the caller to do. Returns the octets of the results; 0: the
 * arguments cannot be read, or have more operations than a session of ours takes. */
static size_t execute(struct requester *requester, const struct reverse_call *call, uint8_t *octets,
                      size_t room)
{
    struct nfs_CB_COMPOUND4args args;
    struct nfs_cb_argop4 operation;
    struct nfs_cb_resop4 results[OPERATIONS];
    if (nfs_CB_COMPOUND4args_decode_complete(&args, call->args, call->args_length, NULL, NULL) <
            0 ||
        args.argarray.count > OPERATIONS)
        return 0;
    struct nfs_CB_COMPOUND4res all = {.resarray = {.items = results}};
    struct rpcrdma_xdr_iter iter = nfs_cb_argop4_array_iter(&args.argarray);
    while (all.status == NFS_NFS4_OK && nfs_cb_argop4_array_next(&iter, &operation)) {
        struct nfs_cb_resop4 *result = &results[all.resarray.count++];
        *result = (struct nfs_cb_resop4){.resop = operation.argop};
        if (operation.argop == NFS_OP_CB_SEQUENCE) {
            answer_sequence(&operation.opcbsequence, result);
        } else if (operation.argop == NFS_OP_CB_RECALL) {
            requester->recalled = true;
            memcpy(requester->recalled_other, operation.opcbrecall.stateid.other,
                   sizeof requester->recalled_other);
        } else {
            *result = (struct nfs_cb_resop4){.resop = NFS_OP_CB_ILLEGAL,
                                             .opcbillegal.status = NFS_NFS4ERR_OP_ILLEGAL};
            all.status = NFS_NFS4ERR_OP_ILLEGAL;
        }
    }
    ptrdiff_t length = nfs_CB_COMPOUND4res_encode(octets, room, &all, NULL);
    return rpcrdma_xdr_failed(length) ? 0 : (size_t)length;
}

/* ---- the answer ---- */

static struct rpcrdma1_header header_of(const struct reverse_call *call,
                                        enum rpcrdma1_proc procedure)
{
    return (struct rpcrdma1_header){.rdma_xid = call->rpc.xid,
                                    .rdma_vers = RPCRDMA_VERSION_1,
                                    .rdma_credit = REVERSE_CREDITS,
                                    .rdma_body.proc = procedure};
}

/* We have no chunks in this direction (RFC 8167 section 5.3). */
static bool refuse(struct requester *requester, const struct reverse_call *call)
{
    struct rpcrdma1_header header = header_of(call, RPCRDMA1_ERROR);
    uint8_t octets[RPCRDMA1_ERR_CHUNK_LENGTH];
    header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    return requester_send(requester, octets, sizeof octets);
}

static uint32_t answer_status(const struct rpcrdma_rpc_header *rpc)
{
    return rpc->prog != REVERSE_PROGRAM ? PROG_UNAVAIL
           : rpc->proc != CB_NULL       ? PROC_UNAVAIL
                                        : SUCCESS;
}

static void put_answer(uint8_t octets[ANSWER], uint32_t xid, uint32_t status)
{
    const uint32_t words[ANSWER / 4] = {xid, 1, 0, 0, 0, status};
    for (size_t i = 0; i < ANSWER / 4; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
}

bool requester_is_called(const struct requester *requester)
{
    struct reverse_call call;
    return read_call(requester, &call);
}

bool requester_answer_call(struct requester *requester)
{
    struct reverse_call call;
    if (!read_call(requester, &call))
        return false;
    requester->answered++;
    if (call.has_chunks)
        return refuse(requester, &call);
    const struct rpcrdma1_header header = header_of(&call, RPCRDMA1_MSG);
    enum { RESULTS = RPCRDMA1_HEADER_MIN + ANSWER };
    uint8_t octets[OCTETS];
    size_t results = 0;
    uint32_t status = answer_status(&call.rpc);
    if (call.rpc.prog == REVERSE_PROGRAM && call.rpc.proc == CB_COMPOUND) {
        results = execute(requester, &call, octets + RESULTS, sizeof octets - RESULTS);
        status = results > 0 ? SUCCESS : GARBAGE_ARGS;
    }
    rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    put_answer(octets + RPCRDMA1_HEADER_MIN, call.rpc.xid, status);
    return requester_send(requester, octets, RESULTS + results);
}

bool requester_answer_in_session(struct session *session, const struct session_event *event)
{
    struct rpcrdma_rpc_header rpc;
    if (rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&rpc, event->payload, event->length, NULL)) ||
        rpc.is_reply)
        return false;
    uint8_t octets[ANSWER];
    put_answer(octets, rpc.xid, answer_status(&rpc));
    const struct session_message message = {
        .direction = RPCRDMA_REPLY, .xid = rpc.xid, .rpc = octets, .length = sizeof octets};
    return session_send(session, &message);
}
