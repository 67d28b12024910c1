// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/observe_by_reply.h"

#include "rxe-harness/transport/segments.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void observe_exposed(struct reply_observer *observer, const struct link_memory *memory)
{
    if (observer == NULL)
        return;
    if (observer->count == observer->room) {
        size_t room = observer->room > 0 ? 2 * observer->room : 64;
        struct link_memory *larger = realloc(observer->memory, room * sizeof *larger);
        if (larger == NULL)
            return; /* then nothing is known of it */
        observer->memory = larger;
        observer->room = room;
    }
    observer->memory[observer->count++] = *memory;
}

void observe_hidden(struct reply_observer *observer, const struct link_memory *memory)
{
    size_t at = 0;
    if (observer == NULL)
        return;
    while (at < observer->count && observer->memory[at].handle != memory->handle)
        at++;
    if (at < observer->count)
        observer->memory[at] = observer->memory[--observer->count];
}

/* `left`: the octets from there to the end of that memory. */
static const uint8_t *find(const struct reply_observer *observer, uint32_t handle, uint64_t offset,
                           size_t *left)
{
    for (size_t i = 0; i < observer->count; i++) {
        const struct link_memory *memory = &observer->memory[i];
        if (memory->handle == handle && offset >= memory->offset &&
            offset - memory->offset <= memory->length) {
            *left = memory->length - (size_t)(offset - memory->offset);
            return memory->octets + (offset - memory->offset);
        }
    }
    return NULL;
}

/* ---- Calls ---- */

void observe_sent(struct reply_observer *observer, const uint8_t *octets, size_t length)
{
    size_t at = 0;
    if (observer == NULL || length < RPCRDMA1_HEADER_MIN)
        return;
    while (at < OBSERVED_CALLS && observer->calls[at].octets)
        at++;
    uint8_t *copy = at < OBSERVED_CALLS ? malloc(length) : NULL;
    if (copy == NULL)
        return;
    memcpy(copy, octets, length);
    observer->calls[at] = (struct observed_call){.octets = copy, .length = length};
}

static struct observed_call *call_of(struct reply_observer *observer, uint32_t xid)
{
    for (size_t i = 0; i < OBSERVED_CALLS; i++)
        if (observer->calls[i].octets && rpcrdma_xdr_load32(observer->calls[i].octets) == xid)
            return &observer->calls[i];
    return NULL;
}

struct telling {
    struct reply_observer *observer;
    bool writes;
};

static bool tell(void *arg, uint8_t *segment, enum segment_list list)
{
    const struct telling *telling = arg;
    struct reply_observer *observer = telling->observer;
    uint32_t handle = rpcrdma_xdr_load32(segment), length = rpcrdma_xdr_load32(segment + 4);
    uint64_t offset = rpcrdma_xdr_load64(segment + 8);
    size_t left = 0;
    const uint8_t *octets = find(observer, handle, offset, &left);
    if (telling->writes && length > left) /* said to be written, which cannot be */
        length = (uint32_t)left;
    if (octets && length > 0 && length <= left && (list != SEGMENT_READ) == telling->writes)
        observer->moved(observer->arg, telling->writes, handle, offset, octets, length);
    return true;
}

static void tell_all(struct reply_observer *observer, const uint8_t *octets, size_t length,
                     bool writes)
{
    struct telling telling = {.observer = observer, .writes = writes};
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

void observe_reply(struct reply_observer *observer, const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    bool is_call = !rpcrdma_xdr_failed(end) && header.rdma_body.proc == RPCRDMA1_MSG &&
                   length - (size_t)end >= 8 && rpcrdma_xdr_load32(octets + end + 4) == 0;
    struct observed_call *call =
        rpcrdma_xdr_failed(end) || is_call ? NULL : call_of(observer, header.rdma_xid);
    if (call == NULL)
        return;
    if (rpcrdma1_chunks(&header)) { /* an RDMA_ERROR tells nothing */
        tell_all(observer, call->octets, call->length, false);
        tell_all(observer, octets, length, true);
    }
    free(call->octets);
    *call = (struct observed_call){.octets = NULL};
}

void observe_free(struct reply_observer *observer)
{
    if (observer == NULL)
        return;
    for (size_t i = 0; i < OBSERVED_CALLS; i++)
        free(observer->calls[i].octets);
    free(observer->memory);
    free(observer);
}
