// SPDX-License-Identifier: BSD-3-Clause
/*
 * Private data of any octets and length is read; any sizes are encoded into any room.
 *
 * proof: codec/private_data.c
 * reaches: 6
 * fault: private data cut off: codec/private_data.c s/left < RPCRDMA_PRIVATE_DATA_LENGTH/left < 7/
 * fault: private data of three octets: codec/private_data.c s/while (left >= 4/while (left >= 3/
 */
#include <rpcrdma/private_data.h>

#include <__fc_builtin.h>

uint8_t proof_octets[PROOF_LENGTH];
volatile int any;

static struct rpcrdma_private_data any_sizes(void)
{
    struct rpcrdma_private_data data;
    Frama_C_make_unknown((char *)&data, sizeof data);
    data.remote_invalidation = any != 0;
    return data;
}

int main(void)
{
    struct rpcrdma_private_data data, client = any_sizes(), server = any_sizes();
    uint32_t threshold[2];
    uint8_t room[RPCRDMA_PRIVATE_DATA_LENGTH];
    size_t length = (size_t)Frama_C_interval(0, PROOF_LENGTH);
    Frama_C_make_unknown((char *)proof_octets, PROOF_LENGTH);
    int found = rpcrdma_private_data_find(&data, proof_octets + (PROOF_LENGTH - length), length);
    /*@ assert found == 0 || found == -401 || found == -402 || found == -403; */
    ptrdiff_t n = rpcrdma_private_data_encode(room, any ? sizeof room : 7, &client);
    /*@ assert n == 8 || n == -102; */
    rpcrdma_inline_thresholds(any ? &client : NULL, any ? &server : NULL, threshold);
    return found + (int)n + (int)(threshold[0] / 2 + threshold[1] / 2) / 2;
}
