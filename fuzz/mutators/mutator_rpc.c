// SPDX-License-Identifier: BSD-3-Clause
/* The mutator of targets that take an RPC message. */
#include "fuzz/mutators/mutator.h"

extern const struct xdr_type *const rpcrdma_walk_rpcrdma_rpc_msg,
    *const rpcrdma_walk_rpcrdma_gss_cred;

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    struct chance chance = chance_from(seed);
    const struct xdr_type *root =
        chance_below(&chance, 4) ? rpcrdma_walk_rpcrdma_rpc_msg : rpcrdma_walk_rpcrdma_gss_cred;
    return mutate_fields(root, data, size, max_size, &chance);
}
