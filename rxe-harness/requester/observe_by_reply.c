// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/observe_by_reply.h"

#include "rxe-harness/transport/segments.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void infer_exposed(struct infer *infer, const struct link_memory *memory)
{
    if (infer == NULL)
        return;
    if (infer->count == infer->room) {
        size_t room = infer->room > 0 ? 2 * infer->room : 64;
        struct link_memory *larger = realloc(infer->memory, room * sizeof *larger);
        if (larger == NULL)
            return; /* then nothing is known of it */
        infer->memory = larger;
        infer->room = room;
    }
    infer->memory[infer->count++] = *memory;
}

void infer_hidden(struct infer *infer, const struct link_memory *memory)
{
    size_t at = 0;
    if (infer == NULL)
        return;
    while (at < infer->count && infer->memory[at].handle != memory->handle)
        at++;
    if (at < infer->count)
        infer->memory[at] = infer->memory[--infer->count];
}

static const uint8_t *find(const struct infer *infer, uint32_t handle, uint64_t offset,
                           uint32_t length)
{
    for (size_t i = 0; i < infer->count; i++) {
        const struct link_memory *memory = &infer->memory[i];
        if (memory->handle == handle && offset >= memory->offset &&
            offset - memory->offset <= memory->length &&
            length <= memory->length - (offset - memory->offset))
            return memory->octets + (offset - memory->offset);
    }
    return NULL;
}

/* ---- Calls ---- */

void infer_sent(struct infer *infer, const uint8_t *octets, size_t length)
{
    size_t at = 0;
    if (infer == NULL || length < RPCRDMA1_HEADER_MIN)
        return;
    while (at < INFER_CALLS && infer->calls[at].octets)
        at++;
    uint8_t *copy = at < INFER_CALLS ? malloc(length) : NULL;
    if (copy == NULL)
        return;
    memcpy(copy, octets, length);
    infer->calls[at] = (struct infer_call){.octets = copy, .length = length};
}

static struct infer_call *call_of(struct infer *infer, uint32_t xid)
{
    for (size_t i = 0; i < INFER_CALLS; i++)
        if (infer->calls[i].octets && rpcrdma_xdr_load32(infer->calls[i].octets) == xid)
            return &infer->calls[i];
    return NULL;
}

struct telling {
    struct infer *infer;
    bool writes;
};

static bool tell(void *arg, uint8_t *segment, enum segment_list list)
{
    const struct telling *telling = arg;
    struct infer *infer = telling->infer;
    uint32_t handle = rpcrdma_xdr_load32(segment), length = rpcrdma_xdr_load32(segment + 4);
    uint64_t offset = rpcrdma_xdr_load64(segment + 8);
    const uint8_t *octets = find(infer, handle, offset, length);
    if (octets && length > 0 && (list != SEGMENT_READ) == telling->writes)
        infer->moved(infer->arg, telling->writes, handle, offset, octets, length);
    return true;
}

static void tell_all(struct infer *infer, const uint8_t *octets, size_t length, bool writes)
{
    struct telling telling = {.infer = infer, .writes = writes};
    struct rpcrdma1_header header;
    uint8_t *copy = malloc(length);
    if (copy == NULL)
        return;
    memcpy(copy, octets, length);
    const struct rpcrdma1_chunk_lists *lists =
        rpcrdma_xdr_failed(rpcrdma1_header_decode(&header, copy, length, NULL, NULL))
            ? NULL
            : rpcrdma1_chunks(&header);
    if (lists)
        segments_each(copy, lists, tell, &telling);
    free(copy);
}

void infer_reply(struct infer *infer, const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    bool is_call = !rpcrdma_xdr_failed(end) && header.rdma_body.proc == RPCRDMA1_MSG &&
                   length - (size_t)end >= 8 && rpcrdma_xdr_load32(octets + end + 4) == 0;
    struct infer_call *call =
        rpcrdma_xdr_failed(end) || is_call ? NULL : call_of(infer, header.rdma_xid);
    if (call == NULL)
        return;
    if (rpcrdma1_chunks(&header)) { /* an RDMA_ERROR tells nothing */
        tell_all(infer, call->octets, call->length, false);
        tell_all(infer, octets, length, true);
    }
    free(call->octets);
    *call = (struct infer_call){.octets = NULL};
}

void infer_free(struct infer *infer)
{
    if (infer == NULL)
        return;
    for (size_t i = 0; i < INFER_CALLS; i++)
        free(infer->calls[i].octets);
    free(infer->memory);
    free(infer);
}
