// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/serve.h"

#include <rpcrdma/rpcrdma.h>

#include <poll.h>
#include <string.h>

#define LATER 2 /* Calls, that come after the Reply: it was taken */

/* The last segment that a Call offers to be read. */
static bool find_offer(const uint8_t *call, size_t length, struct rpcrdma1_segment *memory)
{
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment segment;
    bool found = false;
    if (call == NULL ||
        rpcrdma_xdr_failed(rpcrdma1_header_decode(&header, call, length, NULL, NULL)))
        return false;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    if (lists == NULL)
        return false;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    while (rpcrdma1_read_list_next(&iter, &segment))
        if (segment.target.length > 0) {
            *memory = segment.target;
            found = true;
        }
    return found;
}

void serve_fence_new(struct serve_fence *fence, const struct serve *serve,
                     enum serve_fence_kind kind)
{
    *fence = (struct serve_fence){.kind = kind};
    if (kind == SERVE_READ_ELSEWHERE)
        fence->memory = serve->offered;
    fence->is_armed = fence->memory.length > 0;
}

void serve_fence_offered(struct serve_fence *fence, struct serve *serve, const uint8_t *call,
                         size_t length)
{
    struct rpcrdma1_segment memory;
    if (!find_offer(call, length, &memory))
        return;
    /* A handle that this connection has as well proves nothing. */
    if (fence->kind == SERVE_READ_ELSEWHERE && fence->is_armed &&
        memory.handle == fence->memory.handle)
        fence->kind = SERVE_NO_FENCE;
    serve->offered = memory;
}

void serve_fence_written(struct serve_fence *fence, const struct rpcrdma_event *event)
{
    bool is_write = event->type == RPCRDMA_EVENT_RDMA_WRITE && event->data && event->length > 0;
    if (fence->kind != SERVE_WRITTEN_AFTER || fence->is_armed || !is_write)
        return;
    size_t length = event->length < SERVE_FENCE_MOST ? event->length : SERVE_FENCE_MOST;
    fence->memory = (struct rpcrdma1_segment){
        .handle = event->handle, .length = (uint32_t)length, .offset = event->offset};
    memcpy(fence->octets, event->data, length);
}

void serve_fence_begin(struct serve_fence *fence, const uint8_t *call, size_t length)
{
    if (fence->is_armed)
        return;
    if (fence->kind == SERVE_WRITTEN_AFTER)
        fence->is_armed = fence->memory.length > 0;
    else if (fence->kind == SERVE_READ_AFTER)
        fence->is_armed = find_offer(call, length, &fence->memory);
}

bool serve_fence_next(struct serve_fence *fence, struct link *link, const struct link_ops *ops,
                      unsigned pause)
{
    uint8_t octets[SERVE_FENCE_MOST];
    const struct rpcrdma1_segment *memory = &fence->memory;
    uint32_t length = memory->length < SERVE_FENCE_MOST ? memory->length : SERVE_FENCE_MOST;
    if (!fence->is_armed || fence->kind == SERVE_NO_FENCE || ++fence->later != LATER)
        return false;
    poll(NULL, 0, (int)pause);
    fence->is_open = fence->kind == SERVE_WRITTEN_AFTER
                         ? ops->write(link, memory->handle, memory->offset, fence->octets, length)
                         : ops->read(link, memory->handle, memory->offset, octets, length);
    return true;
}
