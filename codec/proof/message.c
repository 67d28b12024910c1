// SPDX-License-Identifier: BSD-3-Clause
/*
 * Headers of all versions as one structure. Their decoders are proved by themselves; here they
 * answer anything that they may answer, and look at the first and the last octet of what they are
 * given.
 *
 * proof: codec/message.c
 * reaches: 30
 * options: -eva-slevel 1000 -eva-split-return full
 * fault: failure not looked at: codec/message.c 0,/failed(n))/s//failed(-n))/
 * fault: body of an octet more: codec/message.c s/length - (size_t)n, e/length - (size_t)n + 1, e/
 */
#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <__fc_builtin.h>

enum { LENGTH = 32 };

static uint8_t octets[LENGTH];
volatile int any;

/* The view is set if all is well, and only then. */
static ptrdiff_t decode(void *view, size_t size, size_t least, const uint8_t *buf, size_t length,
                        struct rpcrdma_xdr_error *error)
{
    int first = length > 0 ? buf[0] + buf[length - 1] : 0;
    (void)first;
    if (length < least || any) {
        if (error != NULL)
            Frama_C_make_unknown((char *)error, sizeof *error);
        return -Frama_C_interval(101, 301);
    }
    Frama_C_make_unknown(view, size);
    return least == RPCRDMA2_07_HDR_PREFIX_SIZE ? (ptrdiff_t)least
                                                : Frama_C_interval((int)least, (int)length);
}

#define DECODER(type, limits, least, set)                                                          \
    ptrdiff_t type##_decode(struct type *view, const void *buf, size_t length,                     \
                            const struct limits *l, struct rpcrdma_xdr_error *error)               \
    {                                                                                              \
        (void)l;                                                                                   \
        ptrdiff_t n = decode(view, sizeof *view, least, buf, length, error);                       \
        if (n >= 0)                                                                                \
            set;                                                                                   \
        return n;                                                                                  \
    }

DECODER(rpcrdma1_header, rpcrdma1_limits, 28, (void)0)
DECODER(rpcrdma2_04_header, rpcrdma2_04_limits, 20,
        view->rdma_body.rdma_chunks.rdma_reply.present = any != 0)
DECODER(rpcrdma2_07_hdr_prefix, rpcrdma2_07_limits, 16, (void)0)
DECODER(rpcrdma2_07_hdr_error, rpcrdma2_07_limits, 4, (void)0)
DECODER(rpcrdma2_07_hdr_connprop, rpcrdma2_07_limits, 4, (void)0)
DECODER(rpcrdma2_07_hdr_call_external, rpcrdma2_07_limits, 20,
        view->rdma_provisional_reply.present = any != 0)
DECODER(rpcrdma2_07_hdr_call_inline, rpcrdma2_07_limits, 20,
        view->rdma_provisional_reply.present = any != 0)
DECODER(rpcrdma2_07_hdr_call_middle, rpcrdma2_07_limits, 8, (void)0)
DECODER(rpcrdma2_07_hdr_reply_external, rpcrdma2_07_limits, 8, view->rdma_reply.present = any != 0)
DECODER(rpcrdma2_07_hdr_reply_inline, rpcrdma2_07_limits, 8, (void)0)

int main(void)
{
    struct rpcrdma_message message;
    struct rpcrdma_xdr_error error;
    size_t length = (size_t)Frama_C_interval_split(0, LENGTH);
    Frama_C_make_unknown((char *)octets, LENGTH);
    return rpcrdma_message_decode(&message, (enum rpcrdma_protocol)Frama_C_interval(0, 3),
                                  octets + LENGTH - length, length, any ? &error : NULL) < 0;
}
