// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/serve.h"

#include <rpcrdma/rpcrdma.h>

#include <poll.h>

#define LATER 2         /* Calls, that come after the Reply: it was taken */
#define READ_MOST 4096u /* octets */

void serve_fence_begin(struct serve_fence *fence, const uint8_t *call, size_t length,
                       const uint32_t *handle)
{
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment segment;
    if (fence->is_armed || call == NULL ||
        rpcrdma_xdr_failed(rpcrdma1_header_decode(&header, call, length, NULL, NULL)))
        return;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    if (lists == NULL)
        return;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    while (!fence->is_armed && rpcrdma1_read_list_next(&iter, &segment)) {
        bool is_gone = handle && segment.target.handle == *handle;
        fence->memory = segment.target;
        fence->is_armed = segment.target.length > 0 && !is_gone;
    }
}

bool serve_fence_next(struct serve_fence *fence, struct link *link, const struct link_ops *ops,
                      unsigned pause)
{
    uint8_t octets[READ_MOST];
    const struct rpcrdma1_segment *memory = &fence->memory;
    if (!fence->is_armed || ++fence->later != LATER)
        return false;
    poll(NULL, 0, (int)pause);
    fence->is_open = ops->read(link, memory->handle, memory->offset, octets,
                               memory->length < READ_MOST ? memory->length : READ_MOST);
    return true;
}
