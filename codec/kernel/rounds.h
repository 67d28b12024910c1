/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * What testee.c measures in the kernel and user.c outside of it: how long Sends take to be
 * received. Who includes it has testee_now(), in ns, and testee_rest(), between rounds.
 */
#ifndef CODEC_KERNEL_ROUNDS_H
#define CODEC_KERNEL_ROUNDS_H

struct testee_send {
    uint8_t *octets;
    size_t length;
    enum rpcrdma_role receiver;
};

static ptrdiff_t receive(const struct testee_send *send)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    return rpcrdma1_receive(&header, send->octets, send->length, send->receiver, NULL, &error);
}

/* The shortest round, in ns: what else runs on the machine only adds. */
static uint64_t best_round(const struct testee_send *sends, uint32_t count, unsigned int rounds,
                           unsigned int *accepted)
{
    uint64_t best = ~(uint64_t)0, began, took;
    unsigned int round;
    uint32_t i;
    for (round = 0; round < rounds; round++) {
        *accepted = 0;
        began = testee_now();
        for (i = 0; i < count; i++)
            *accepted += receive(&sends[i]) >= 0;
        took = testee_now() - began;
        best = took < best ? took : best;
        testee_rest();
    }
    return best;
}

#endif
