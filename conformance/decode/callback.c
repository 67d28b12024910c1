// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/decode/items.h"

#include "conformance/base/count.h"

#include <nfs4.h>
#include <nfs_names.h>
#include <rpcrdma/xdr_runtime.h> /* rpcrdma_xdr_round */

enum { NFS4_CB_COMPOUND = 1 };

static const char *procedure(uint32_t version, uint32_t number)
{
    (void)version;
    return number < COUNT(nfs4_callbacks) ? nfs4_callbacks[number] : NULL;
}

/* Tag, minor version and callback_ident are before the number of operations; 0 where the octets end
 * before. */
static size_t begin(const struct rpcrdma_content *content, uint32_t *count)
{
    if (content->length < 4)
        return 0;
    uint64_t at = 4 + rpcrdma_xdr_round(rpcrdma_xdr_load32(content->octets)) + 8;
    if (at + 4 > content->length)
        return 0;
    *count = rpcrdma_xdr_load32(content->octets + at);
    return (size_t)at + 4;
}

static enum rpcrdma_reading call(struct rpcrdma_content *content,
                                 const struct rpcrdma_item_sink *sink)
{
    uint32_t count = 0;
    size_t at = begin(content, &count);
    if (content->procedure != NFS4_CB_COMPOUND)
        return RPCRDMA_READ_ALL;
    if (at == 0)
        return RPCRDMA_UNREADABLE;
    for (; count > 0; count--) {
        struct rpcrdma_nfs4_nfs_cb_argop4 operation;
        uint32_t number = content->length - at >= 4 ? rpcrdma_xdr_load32(content->octets + at) : 0;
        ptrdiff_t taken = rpcrdma_nfs4_nfs_cb_argop4_decode(&operation, content->octets + at,
                                                            content->length - at, NULL, NULL);
        if (number >= COUNT(nfs4_callback_operations) || nfs4_callback_operations[number] == NULL ||
            taken < 0)
            return RPCRDMA_READ_PART;
        if (sink->operation)
            sink->operation(sink->arg, nfs4_callback_operations[number]);
        at += (size_t)taken;
    }
    return RPCRDMA_READ_ALL;
}

/* Its operations are those of the Call. */
static enum rpcrdma_reading reply(struct rpcrdma_content *content,
                                  const struct rpcrdma_item_sink *sink)
{
    (void)content, (void)sink;
    return RPCRDMA_READ_ALL;
}

const struct rpcrdma_binding callback_binding = {
    .name = "NFS callback", .procedure = procedure, .call = call, .reply = reply};
