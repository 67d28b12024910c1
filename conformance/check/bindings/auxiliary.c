// SPDX-License-Identifier: BSD-3-Clause
/*
 * Protocols that come with NFS and have no binding: MOUNT, NLM and NSM (RFC 8267 section 5.1). They
 * can go over RDMA; but what no binding makes eligible cannot be in a chunk (RFC 8166 section
 * 3.4.2).
 */
#include <rpcrdma/binding.h>

static const char *no_name(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure == 0 ? "NULL" : NULL;
}

static enum rpcrdma_reading nothing_eligible(struct rpcrdma_content *content,
                                             const struct rpcrdma_item_sink *sink)
{
    (void)content, (void)sink;
    return RPCRDMA_READ_ALL;
}

#define AUXILIARY(title, number, low, high)                                                        \
    {                                                                                              \
        .name = title, .program = number, .low_version = low, .high_version = high,                \
        .procedure = no_name, .call = nothing_eligible, .reply = nothing_eligible                  \
    }

const struct rpcrdma_binding rpcrdma_binding_mount = AUXILIARY("MOUNT", 100005, 1, 3);
const struct rpcrdma_binding rpcrdma_binding_nlm = AUXILIARY("NLM", 100021, 1, 4);
const struct rpcrdma_binding rpcrdma_binding_nsm = AUXILIARY("NSM", 100024, 1, 1);
