// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * Why a Send is not processed, and what is to be done with it. Only what is not good comes here, so
 * all tests are made again, in their order.
 */
#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/xdr_runtime.h>

/* Octets of a read segment in its list, and where its Position is. */
enum {
    READ_STRIDE = RPCRDMA1_READ_LIST_ENTRY_SIZE,
    AT_READS = RPCRDMA1_SIZE_MIN,
    AT_POSITION = AT_READS + RPCRDMA1_READ_LIST_ENTRY_AT_POSITION,
};

/* ---- of a header that decodes ---- */

static int note_position(struct rpcrdma_xdr_error *error, int code, uint32_t index)
{
    rpcrdma_xdr_note(error, code, AT_POSITION + (size_t)index * READ_STRIDE, "position");
    rpcrdma_xdr_note_step(error, "rdma_reads", index);
    return code;
}

static int fault_of_call(const struct rpcrdma1_chunk_lists *lists, bool is_nomsg, size_t end,
                         struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma1_read_segment read;
    uint32_t index = 0, zero = 0;
    bool has_zero = false;
    for (; rpcrdma1_read_list_next(&iter, &read); index++) {
        if (read.position % 4 != 0)
            return note_position(error, RPCRDMA1_E_POSITION, index);
        if (read.position == 0 && !has_zero)
            zero = index;
        has_zero = has_zero || read.position == 0;
    }
    if (has_zero && !is_nomsg)
        return note_position(error, RPCRDMA1_E_POSITION_ZERO, zero);
    rpcrdma_xdr_note(error, RPCRDMA1_E_NO_MESSAGE, is_nomsg ? AT_READS : end,
                     is_nomsg ? "rdma_reads" : "");
    return RPCRDMA1_E_NO_MESSAGE;
}

/* The Reply chunk is the last of a header: its segments end with it. */
static int note_octets(const struct rpcrdma1_segment_array *chunk, size_t end,
                       struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(chunk);
    struct rpcrdma1_segment segment;
    uint32_t index = 0;
    while (rpcrdma1_segment_array_next(&iter, &segment) && segment.length == 0)
        index++;
    size_t first = end - (size_t)chunk->count * RPCRDMA1_SEGMENT_SIZE;
    rpcrdma_xdr_note(error, RPCRDMA1_E_REPLY_CHUNK,
                     first + (size_t)index * RPCRDMA1_SEGMENT_SIZE + RPCRDMA1_SEGMENT_AT_LENGTH,
                     "length");
    rpcrdma_xdr_note_step(error, "target", index);
    rpcrdma_xdr_note_step(error, "rdma_reply", -1);
    return RPCRDMA1_E_REPLY_CHUNK;
}

static int fault_of_reply(const struct rpcrdma1_chunk_lists *lists, bool is_nomsg, size_t end,
                          struct rpcrdma_xdr_error *error)
{
    const struct rpcrdma1_segment_array *chunk = &lists->rdma_reply.value.target;
    bool present = lists->rdma_reply.present;
    if (lists->rdma_reads.count > 0) {
        rpcrdma_xdr_note(error, RPCRDMA1_E_READ_LIST, AT_READS, "rdma_reads");
        return RPCRDMA1_E_READ_LIST;
    }
    if (!is_nomsg && present && rpcrdma1_segments_length(chunk) > 0)
        return note_octets(chunk, end, error);
    size_t at = end - 4 - (present ? 4 + (size_t)chunk->count * RPCRDMA1_SEGMENT_SIZE : 0);
    rpcrdma_xdr_note(error, RPCRDMA1_E_NO_MESSAGE, is_nomsg ? at : end,
                     is_nomsg ? "rdma_reply" : "");
    return RPCRDMA1_E_NO_MESSAGE;
}

/* ---- the order ---- */

/* The reason, which *error has then. */
static int reason(const struct rpcrdma1_header *header, const struct rpcrdma_prefix *prefix,
                  size_t length, enum rpcrdma_role receiver, ptrdiff_t decoded,
                  struct rpcrdma_xdr_error *error)
{
    bool is_error = prefix->procedure == RPCRDMA1_ERROR;
    int code = 0;
    if (length < RPCRDMA1_HEADER_MIN && !(is_error && receiver == RPCRDMA_REQUESTER))
        rpcrdma_xdr_note(error, code = RPCRDMA1_E_RUNT, length, "");
    else if (is_error && receiver != RPCRDMA_REQUESTER)
        rpcrdma_xdr_note(error, code = RPCRDMA1_E_ERROR, RPCRDMA_AT_PROCEDURE, "proc");
    else if (!is_error && prefix->version != RPCRDMA_VERSION_1)
        rpcrdma_xdr_note(error, code = RPCRDMA1_E_VERSION, RPCRDMA_AT_VERSION, "rdma_vers");
    else if (prefix->procedure == RPCRDMA1_DONE || prefix->procedure == RPCRDMA1_MSGP ||
             (!rpcrdma_xdr_failed(decoded) && rpcrdma1_chunks(header) == NULL))
        rpcrdma_xdr_note(error, code = RPCRDMA1_E_PROCEDURE, RPCRDMA_AT_PROCEDURE, "proc");
    if (code != 0 || rpcrdma_xdr_failed(decoded))
        return code != 0 ? code : (int)decoded;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(header);
    bool is_nomsg = prefix->procedure == RPCRDMA1_NOMSG;
    return receiver == RPCRDMA_REQUESTER ? fault_of_reply(lists, is_nomsg, (size_t)decoded, error)
                                         : fault_of_call(lists, is_nomsg, (size_t)decoded, error);
}

static enum rpcrdma1_refusal answer(int code, uint32_t procedure, enum rpcrdma_role receiver)
{
    bool is_silent = code == RPCRDMA_XDR_E_ARGUMENT || code == RPCRDMA1_E_RUNT ||
                     code == RPCRDMA1_E_ERROR ||
                     (code == RPCRDMA1_E_PROCEDURE && procedure == RPCRDMA1_DONE);
    if (receiver == RPCRDMA_REQUESTER || is_silent)
        return RPCRDMA1_DISCARD;
    return code == RPCRDMA1_E_VERSION ? RPCRDMA1_SEND_ERR_VERS : RPCRDMA1_SEND_ERR_CHUNK;
}

ptrdiff_t rpcrdma1_refuse(struct rpcrdma1_header *header, const void *octets, size_t length,
                          enum rpcrdma_role receiver, ptrdiff_t decoded,
                          struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_xdr_error unwanted;
    struct rpcrdma_prefix prefix = {0, 0, 0, 0};
    if (decoded == RPCRDMA_XDR_E_ARGUMENT)
        return RPCRDMA1_DISCARD;
    (void)rpcrdma_prefix_load(&prefix, octets, length);
    int code =
        reason(header, &prefix, length, receiver, decoded, error != NULL ? error : &unwanted);
    enum rpcrdma1_refusal refusal = answer(code, prefix.procedure, receiver);
    if (refusal == RPCRDMA1_DISCARD)
        return refusal;
    header->rdma_xid = prefix.xid;
    header->rdma_vers = prefix.version;
    header->rdma_credit = prefix.credit;
    header->rdma_body.proc = RPCRDMA1_ERROR;
    header->rdma_body.rdma_error.err =
        refusal == RPCRDMA1_SEND_ERR_VERS ? RPCRDMA1_ERR_VERS : RPCRDMA1_ERR_CHUNK;
    header->rdma_body.rdma_error.range.rdma_vers_low = RPCRDMA_VERSION_1;
    header->rdma_body.rdma_error.range.rdma_vers_high = RPCRDMA_VERSION_1;
    return refusal;
}
