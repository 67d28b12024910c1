// SPDX-License-Identifier: BSD-3-Clause
/* The mutator of targets that take a header of version 2, of either draft. */
#include "fuzz/mutators/mutator.h"

#include "conformance/base/count.h"

extern const struct xdr_type *const rpcrdma_walk_rpcrdma2_04_header,
    *const rpcrdma_walk_rpcrdma2_07_hdr_error,
        *const rpcrdma_walk_rpcrdma2_07_hdr_connprop,
            *const rpcrdma_walk_rpcrdma2_07_hdr_call_external,
                *const rpcrdma_walk_rpcrdma2_07_hdr_call_inline,
                    *const rpcrdma_walk_rpcrdma2_07_hdr_reply_external,
                        *const rpcrdma_walk_rpcrdma2_07_hdr_reply_inline;

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    const struct xdr_type *const roots[] = {
        rpcrdma_walk_rpcrdma2_04_header,           rpcrdma_walk_rpcrdma2_04_header,
        rpcrdma_walk_rpcrdma2_04_header,           rpcrdma_walk_rpcrdma2_07_hdr_error,
        rpcrdma_walk_rpcrdma2_07_hdr_connprop,     rpcrdma_walk_rpcrdma2_07_hdr_call_external,
        rpcrdma_walk_rpcrdma2_07_hdr_call_inline,  rpcrdma_walk_rpcrdma2_07_hdr_reply_external,
        rpcrdma_walk_rpcrdma2_07_hdr_reply_inline,
    };
    struct chance chance = chance_from(seed);
    if (is_send2(data, size) && chance_below(&chance, 2) == 0)
        return mutate_send2(data, size, max_size, &chance);
    uint32_t root = chance_below(&chance, COUNT(roots));
    return mutate_fields(roots[root], data, size, max_size, &chance);
}
