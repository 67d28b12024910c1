// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/requester/observe_by_reply.h"

#include "rxe-harness/transport/blank.h"
#include "rxe-harness/transport/segments.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define BLANK_WAIT 20 /* milliseconds for what may be written late */

/* ---- memory ---- */

void observe_exposed(struct reply_observer *observer, const struct link_memory *memory,
                     unsigned access)
{
    if (observer == NULL)
        return;
    if (observer->count == observer->room) {
        size_t room = observer->room > 0 ? 2 * observer->room : 64;
        struct observed_memory *larger = realloc(observer->memory, room * sizeof *larger);
        if (larger == NULL)
            return; /* then nothing is known of it */
        observer->memory = larger;
        observer->room = room;
    }
    bool is_filled = access == LINK_PEER_WRITES;
    if (is_filled)
        blank_fill(memory->octets, 0, memory->length);
    observer->memory[observer->count++] =
        (struct observed_memory){.link = *memory, .is_filled = is_filled};
}

void observe_hidden(struct reply_observer *observer, const struct link_memory *memory)
{
    size_t at = 0;
    if (observer == NULL)
        return;
    while (at < observer->count && observer->memory[at].link.handle != memory->handle)
        at++;
    if (at < observer->count)
        observer->memory[at] = observer->memory[--observer->count];
}

static const struct observed_memory *find(const struct reply_observer *observer, uint32_t handle,
                                          uint64_t offset)
{
    for (size_t i = 0; i < observer->count; i++) {
        const struct link_memory *link = &observer->memory[i].link;
        if (link->handle == handle && offset >= link->offset &&
            offset - link->offset <= link->length)
            return &observer->memory[i];
    }
    return NULL;
}

static size_t written(struct reply_observer *observer, const struct observed_memory *memory,
                      size_t at, size_t length)
{
    size_t there = memory->is_filled ? blank_written(memory->link.octets, at, length) : length;
    if (there == length)
        return length;
    if (observer->wait)
        observer->wait(observer->arg);
    else
        poll(NULL, 0, BLANK_WAIT);
    size_t later = blank_written(memory->link.octets, at, length);
    observer->late = observer->late || later > there;
    observer->unwritten = observer->unwritten || later < length;
    return later;
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
    const struct observed_memory *memory = find(observer, handle, offset);
    if (memory == NULL || (list != SEGMENT_READ) != telling->writes)
        return true;
    size_t at = (size_t)(offset - memory->link.offset), left = memory->link.length - at;
    if (telling->writes && length > left) /* said to be written, which cannot be */
        length = (uint32_t)left;
    if (telling->writes)
        length = (uint32_t)written(observer, memory, at, length);
    if (length > 0 && length <= left)
        observer->moved(observer->arg, telling->writes, handle, offset, memory->link.octets + at,
                        length);
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
    observer->unwritten = false;
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
