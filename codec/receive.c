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
    AT_POSITION = RPCRDMA1_READ_LIST_ENTRY_AT_POSITION,
    LIST_WORD = 4,
};

/* ---- of a header that decodes ---- */

/* What the versions call their fields. */
static const char *name_of(const struct rpcrdma_received *received, const char *name)
{
    return received->version == RPCRDMA_VERSION_1 ? name + sizeof "rdma_" - 1 : name;
}

static int note_position(const struct rpcrdma_received *received, int code, size_t at,
                         const char *list, uint32_t index, struct rpcrdma_xdr_error *error)
{
    rpcrdma_xdr_note(error, code, at + (size_t)index * READ_STRIDE + AT_POSITION,
                     name_of(received, "rdma_position"));
    rpcrdma_xdr_note_step(error, list, index);
    return code;
}

static int note_none(struct rpcrdma_xdr_error *error, size_t at, const char *list)
{
    rpcrdma_xdr_note(error, RPCRDMA1_E_NO_MESSAGE, at, list);
    return RPCRDMA1_E_NO_MESSAGE;
}

/* What a list is found to be: a reason, or 0; and the octets of it that hold the RPC message. */
struct found {
    int code;
    uint64_t octets;
};

/* The chunk that -07 has for a Call. */
static struct found look_at_call_chunk(const struct rpcrdma_received *received,
                                       struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(received->call);
    struct rpcrdma1_read_segment read;
    struct found found = {0, 0};
    uint32_t index;
    for (index = 0; found.code == 0 && rpcrdma1_read_list_next(&iter, &read); index++) {
        found.octets += read.target.length;
        if (read.position != 0)
            found.code = note_position(received, RPCRDMA2_E_CALL_POSITION, received->at,
                                       "rdma_call", index, error);
    }
    return found;
}

/* The Read list, of which Position zero holds a Call. */
static struct found look_at_reads(const struct rpcrdma_received *received, size_t at,
                                  struct rpcrdma_xdr_error *error)
{
    bool has_call = received->call != NULL, has_zero = false;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&received->chunks->rdma_reads);
    struct rpcrdma1_read_segment read;
    struct found found = {0, 0};
    uint32_t index = 0, zero = 0, before = 0;
    for (; rpcrdma1_read_list_next(&iter, &read); index++) {
        if (read.position % 4 != 0 || (has_call && read.position < before)) {
            found.code = note_position(received,
                                       read.position % 4 != 0 ? (int)RPCRDMA1_E_POSITION
                                                              : (int)RPCRDMA2_E_POSITION_ORDER,
                                       at, "rdma_reads", index, error);
            return found;
        }
        before = read.position;
        if (read.position != 0)
            continue;
        zero = has_zero ? zero : index;
        has_zero = true;
        found.octets += read.target.length;
    }
    if (has_zero && (has_call || !received->is_nomsg))
        found.code =
            note_position(received, RPCRDMA1_E_POSITION_ZERO, at, "rdma_reads", zero, error);
    return found;
}

static int fault_of_call(const struct rpcrdma_received *received, struct rpcrdma_xdr_error *error)
{
    struct found call = {0, 0};
    size_t reads = received->at;
    if (received->call != NULL && received->is_nomsg) {
        call = look_at_call_chunk(received, error);
        reads += (size_t)received->call->count * READ_STRIDE + LIST_WORD;
        if (call.code != 0)
            return call.code;
    }
    struct found found = look_at_reads(received, reads, error);
    if (found.code != 0)
        return found.code;
    if (received->is_nomsg ? call.octets + found.octets > 0 : received->after >= LIST_WORD)
        return 0;
    return received->is_nomsg
               ? note_none(error, received->at, received->call != NULL ? "rdma_call" : "rdma_reads")
               : note_none(error, received->end, "");
}

/* The Reply chunk is the last of a header: its segments end with it. */
static int note_octets(const struct rpcrdma_received *received, struct rpcrdma_xdr_error *error)
{
    const struct rpcrdma1_segment_array *chunk = &received->chunks->rdma_reply.value.target;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(chunk);
    struct rpcrdma1_segment segment;
    uint32_t index = 0;
    while (rpcrdma1_segment_array_next(&iter, &segment) && segment.length == 0)
        index++;
    size_t first = received->end - (size_t)chunk->count * RPCRDMA1_SEGMENT_SIZE;
    rpcrdma_xdr_note(error, RPCRDMA1_E_REPLY_CHUNK,
                     first + (size_t)index * RPCRDMA1_SEGMENT_SIZE + RPCRDMA1_SEGMENT_AT_LENGTH,
                     name_of(received, "rdma_length"));
    rpcrdma_xdr_note_step(error, name_of(received, "rdma_target"), index);
    rpcrdma_xdr_note_step(error, "rdma_reply", -1);
    return RPCRDMA1_E_REPLY_CHUNK;
}

static int fault_of_reply(const struct rpcrdma_received *received, struct rpcrdma_xdr_error *error)
{
    const struct rpcrdma1_write_chunk_opt *reply = &received->chunks->rdma_reply;
    size_t segments = reply->present ? reply->value.target.count : 0;
    bool used = segments > 0 && rpcrdma1_segments_length(&reply->value.target) > 0;
    if (received->chunks->rdma_reads.count > 0) {
        rpcrdma_xdr_note(error, RPCRDMA1_E_READ_LIST, received->at, "rdma_reads");
        return RPCRDMA1_E_READ_LIST;
    }
    if (used && !received->is_nomsg)
        return note_octets(received, error);
    if (received->is_nomsg ? used : received->after >= LIST_WORD)
        return 0;
    size_t chunk = LIST_WORD + (reply->present ? LIST_WORD + segments * RPCRDMA1_SEGMENT_SIZE : 0);
    return received->is_nomsg ? note_none(error, received->end - chunk, "rdma_reply")
                              : note_none(error, received->end, "");
}

int rpcrdma_refuse_lists(const struct rpcrdma_received *received, struct rpcrdma_xdr_error *error)
{
    return received->receiver == RPCRDMA_REQUESTER ? fault_of_reply(received, error)
                                                   : fault_of_call(received, error);
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
    const struct rpcrdma_received received = {
        .version = RPCRDMA_VERSION_1,
        .receiver = receiver,
        .is_nomsg = prefix->procedure == RPCRDMA1_NOMSG,
        .chunks = rpcrdma1_chunks(header),
        .at = AT_READS,
        .end = (size_t)decoded,
        .after = length - (size_t)decoded,
    };
    return rpcrdma_refuse_lists(&received, error);
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
