// SPDX-License-Identifier: BSD-3-Clause
/*
 * A receiver in one call: a Send of any octets to either role. The decoder and the
 * iterators are proved by themselves; here they answer whatever they may answer, and set what they
 * set then and nothing else.
 *
 * proof: codec/xdr.c
 * reaches: 25
 * options: -eva-slevel 3000 -eva-split-return full
 * fault: prefix of a runt: codec/receive.c s/prefix, octets, length)/prefix, octets, length + 9)/
 * fault: a header that did not decode: codec/receive.c s/|| rpcrdma_xdr_failed(decoded)//
 * fault: a Reply chunk that is not there: codec/receive.c s/(present ? 4 + /(1 ? 4 + /
 */
/* The iterators of the header are set aside. */
#define rpcrdma1_read_list_next generated_read_list_next
#define rpcrdma1_segment_array_next generated_segment_array_next
#include <rpcrdma/rpcrdma1.h>
#undef rpcrdma1_read_list_next
#undef rpcrdma1_segment_array_next

#include <__fc_builtin.h>

#define NEXT(span, item)                                                                           \
    static bool span##_next(struct rpcrdma_xdr_iter *iter, struct item *out)                       \
    {                                                                                              \
        if (iter->left == 0)                                                                       \
            return false;                                                                          \
        iter->left--;                                                                              \
        Frama_C_make_unknown((char *)out, sizeof *out);                                            \
        return true;                                                                               \
    }

NEXT(rpcrdma1_read_list, rpcrdma1_read_segment)
NEXT(rpcrdma1_segment_array, rpcrdma1_segment)

#include "codec/receive.c"

uint8_t proof_octets[PROOF_LENGTH];
volatile int any;

static uint32_t some(void)
{
    return (uint32_t)Frama_C_interval(0, 2);
}

static void set_lists(struct rpcrdma1_chunk_lists *lists)
{
    lists->rdma_reads.wire = proof_octets;
    lists->rdma_reads.count = some();
    lists->rdma_reads.octets = some();
    lists->rdma_reply.present = any != 0;
    if (!lists->rdma_reply.present)
        return;
    lists->rdma_reply.value.target.wire = proof_octets;
    lists->rdma_reply.value.target.count = some();
    lists->rdma_reply.value.target.octets = some();
}

/* What decodes has the procedure of its fourth word. */
ptrdiff_t rpcrdma1_header_decode(struct rpcrdma1_header *view, const void *buf, size_t length,
                                 const struct rpcrdma1_limits *limits,
                                 struct rpcrdma_xdr_error *error)
{
    (void)limits;
    int code = length > INT32_MAX ? RPCRDMA_XDR_E_ARGUMENT : -Frama_C_interval(201, 301);
    uint32_t procedure =
        length < RPCRDMA1_ERROR_SIZE_MIN ? 9 : rpcrdma_xdr_load32((const uint8_t *)buf + 12);
    if (any || length > INT32_MAX || procedure > RPCRDMA1_ERROR ||
        (length < RPCRDMA1_HEADER_MIN && procedure < RPCRDMA1_DONE)) {
        if (error != NULL)
            Frama_C_make_unknown((char *)error, sizeof *error);
        return code;
    }
    view->rdma_xid = some();
    view->rdma_vers = some();
    view->rdma_credit = some();
    view->rdma_body.proc = (enum rpcrdma1_proc)procedure;
    if (procedure == RPCRDMA1_MSG)
        set_lists(&view->rdma_body.rdma_msg);
    if (procedure == RPCRDMA1_NOMSG)
        set_lists(&view->rdma_body.rdma_nomsg);
    return Frama_C_interval(RPCRDMA1_ERROR_SIZE_MIN, (int)length);
}

int main(void)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    size_t length = any ? PROOF_LENGTH : 4 * (size_t)Frama_C_interval_split(3, 7);
    uint8_t *octets = proof_octets + (PROOF_LENGTH - length);
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    if (length >= RPCRDMA_PREFIX_LENGTH)
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_PROCEDURE,
                            (uint32_t)Frama_C_interval_split(RPCRDMA1_MSG, RPCRDMA1_ERROR));
    length += any && length == PROOF_LENGTH;
    ptrdiff_t n = rpcrdma1_receive(&header, octets, length, (enum rpcrdma_role)any, NULL,
                                   any ? &error : NULL);
    if (n == RPCRDMA1_SEND_ERR_VERS || n == RPCRDMA1_SEND_ERR_CHUNK)
        return (int)header.rdma_body.rdma_error.err;
    return n < 0 ? 0 : (int)header.rdma_body.proc;
}
