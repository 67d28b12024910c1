// SPDX-License-Identifier: BSD-3-Clause
/*
 * For the drivers of receivers: iterators and lists as decoding may give them. The iterators of the
 * generated header are set aside.
 */
#ifndef CODEC_PROOF_RECEIVED_H
#define CODEC_PROOF_RECEIVED_H

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

/* Of a list, at most; and words of a Send that is not the longest. */
#ifndef PROOF_ENTRIES
#define PROOF_ENTRIES 2
#define PROOF_WORDS 7
#endif

uint8_t proof_octets[PROOF_LENGTH];
volatile int any;

static uint32_t some(void)
{
    return (uint32_t)Frama_C_interval(0, PROOF_ENTRIES);
}

static void set_reads(struct rpcrdma1_read_list *reads)
{
    reads->wire = proof_octets;
    reads->count = some();
    reads->octets = some();
}

static void set_lists(struct rpcrdma1_chunk_lists *lists)
{
    set_reads(&lists->rdma_reads);
    lists->rdma_reply.present = any != 0;
    if (!lists->rdma_reply.present)
        return;
    lists->rdma_reply.value.target.wire = proof_octets;
    lists->rdma_reply.value.target.count = some();
    lists->rdma_reply.value.target.octets = some();
}

/* A Send of three words or some more, or the longest; its octets are the last of the object. */
static size_t some_length(void)
{
    return any ? PROOF_LENGTH : 4 * (size_t)Frama_C_interval_split(3, PROOF_WORDS);
}

static uint8_t *some_octets(size_t length)
{
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    return proof_octets + (PROOF_LENGTH - length);
}

/* What a decoder that fails leaves behind. */
static ptrdiff_t fail(size_t length, struct rpcrdma_xdr_error *error)
{
    if (error != NULL)
        Frama_C_make_unknown((char *)error, sizeof *error);
    return length > INT32_MAX ? RPCRDMA_XDR_E_ARGUMENT : -Frama_C_interval(201, 301);
}

#endif
