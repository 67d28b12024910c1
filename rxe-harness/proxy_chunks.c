// SPDX-License-Identifier: BSD-3-Clause
#include "proxy_chunks.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>

/* Where a segment is encoded: handle, length, offset. */
typedef bool visit_segment(void *arg, uint8_t *segment, bool is_read);

static bool fail(struct chunks *chunks, const char *why)
{
    chunks->error = why;
    return false;
}

/* The header's octets are the caller's own, though a decoded view of them is const. */
static uint8_t *writable(uint8_t *octets, const uint8_t *at)
{
    return octets + (at - octets);
}

static bool each_of_array(uint8_t *octets, const struct rpcrdma1_segment_array *array,
                          visit_segment *visit, void *arg)
{
    for (uint32_t i = 0; i < array->count; i++)
        if (!visit(arg, writable(octets, array->wire) + 16 * (size_t)i, false))
            return false;
    return true;
}

static bool each_segment(uint8_t *octets, const struct rpcrdma1_chunk_lists *lists,
                         visit_segment *visit, void *arg)
{
    const struct rpcrdma1_read_list *reads = &lists->rdma_reads;
    for (uint32_t i = 0; i < reads->count; i++) /* presence, Position, segment */
        if (!visit(arg, writable(octets, reads->wire) + 24 * (size_t)i + 8, true))
            return false;
    struct xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (!each_of_array(octets, &chunk.target, visit, arg))
            return false;
    return !lists->rdma_reply.present ||
           each_of_array(octets, &lists->rdma_reply.value.target, visit, arg);
}

/* ---- Calls ---- */

struct sizes {
    uint64_t reads, writes;
    unsigned pieces;
};

static bool add_up(void *arg, uint8_t *segment, bool is_read)
{
    struct sizes *sizes = arg;
    *(is_read ? &sizes->reads : &sizes->writes) += xdr_load32(segment + 4);
    sizes->pieces += !is_read;
    return true;
}

struct moving {
    struct chunks *chunks;
    struct chunks_call *call;
    uint64_t read, written; /* octets so far */
};

static bool pull(void *arg, uint8_t *segment, bool is_read)
{
    struct moving *moving = arg;
    struct chunks *chunks = moving->chunks;
    struct link *client = chunks->client;
    uint32_t handle = xdr_load32(segment), length = xdr_load32(segment + 4);
    uint64_t offset = xdr_load64(segment + 8);
    if (!is_read || length == 0)
        return true;
    uint8_t *octets = moving->call->reads.octets + moving->read;
    if (!client->ops->read(client, handle, offset, octets, length))
        return fail(chunks, "an RDMA Read of the client's memory failed");
    chunks->moved(chunks->arg, false, handle, offset, octets, length);
    moving->read += length;
    return true;
}

static bool redirect(void *arg, uint8_t *segment, bool is_read)
{
    struct moving *moving = arg;
    struct chunks_call *call = moving->call;
    uint64_t *at = is_read ? &moving->read : &moving->written;
    const struct link_memory *memory = is_read ? &call->reads : &call->writes;
    uint32_t length = xdr_load32(segment + 4);
    if (!is_read)
        call->pieces[call->count++] = (struct chunks_piece){.at = *at,
                                                            .handle = xdr_load32(segment),
                                                            .length = length,
                                                            .offset = xdr_load64(segment + 8)};
    if (memory->octets) {
        xdr_store32(segment, memory->handle);
        xdr_store64(segment + 8, memory->offset + *at);
    }
    *at += length;
    return true;
}

static bool provide(struct chunks *chunks, struct link_memory *memory, uint64_t length,
                    unsigned access)
{
    if (length == 0)
        return true;
    memory->length = (size_t)length;
    memory->octets = calloc(1, memory->length);
    if (memory->octets == NULL)
        return false;
    if (access == LINK_PEER_READS) /* filled first */
        return true;
    return chunks->server->ops->expose(chunks->server, memory, access);
}

static void forget(struct chunks *chunks, struct chunks_call *call)
{
    struct link *server = chunks->server;
    struct link_memory *both[] = {&call->reads, &call->writes};
    for (int i = 0; i < 2; i++) {
        if (both[i]->own)
            server->ops->hide(server, both[i]);
        chunks->octets -= both[i]->length;
        free(both[i]->octets);
    }
    chunks->count--;
    free(call->pieces);
    free(call);
}

static bool move_call(struct chunks *chunks, struct chunks_call *call, uint8_t *octets,
                      const struct rpcrdma1_chunk_lists *lists, const struct sizes *sizes)
{
    struct link *server = chunks->server;
    struct moving moving = {.chunks = chunks, .call = call};
    call->pieces = calloc((size_t)sizes->pieces + 1, sizeof *call->pieces);
    bool good = call->pieces && provide(chunks, &call->reads, sizes->reads, LINK_PEER_READS) &&
                provide(chunks, &call->writes, sizes->writes, LINK_PEER_WRITES);
    chunks->octets += call->reads.length + call->writes.length;
    if (!good)
        return fail(chunks, "no memory for the chunks of a Call");
    if (!each_segment(octets, lists, pull, &moving))
        return false;
    if (call->reads.octets && !server->ops->expose(server, &call->reads, LINK_PEER_READS))
        return fail(chunks, "no memory for the chunks of a Call");
    moving.read = 0;
    return each_segment(octets, lists, redirect, &moving);
}

bool chunks_call(struct chunks *chunks, uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = end < 0 ? NULL : rpcrdma1_chunks(&header);
    struct sizes sizes = {0};
    if (lists == NULL || header.rdma_vers != RPCRDMA_VERSION_1)
        return true;
    each_segment(octets, lists, add_up, &sizes);
    if (sizes.reads + sizes.writes == 0)
        return true;
    if (sizes.reads > CHUNKS_CALL_MAX || sizes.writes > CHUNKS_CALL_MAX ||
        sizes.reads + sizes.writes > CHUNKS_TOTAL_MAX - chunks->octets ||
        chunks->count >= CHUNKS_CALLS_MAX)
        return fail(chunks, "the chunks of Calls take more memory than there is for them");
    struct chunks_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return fail(chunks, "no memory for the chunks of a Call");
    call->xid = header.rdma_xid;
    call->next = chunks->calls;
    chunks->calls = call;
    chunks->count++;
    return move_call(chunks, call, octets, lists, &sizes);
}

/* ---- Replies ---- */

/* A segment of ours, in the Reply: its octets go to the client, and it is the client's again. */
static bool push(void *arg, uint8_t *segment, bool is_read)
{
    struct moving *moving = arg;
    struct chunks *chunks = moving->chunks;
    const struct chunks_call *call = moving->call;
    struct link *client = chunks->client;
    uint32_t handle = xdr_load32(segment), length = xdr_load32(segment + 4);
    uint64_t at = xdr_load64(segment + 8) - call->writes.offset;
    if (is_read || call->writes.octets == NULL || handle != call->writes.handle)
        return true; /* not of ours: it is for the checker to say so */
    unsigned i = 0;
    while (i < call->count && call->pieces[i].at != at)
        i++;
    /* A segment without octets has the next one's place. */
    while (i + 1 < call->count && call->pieces[i].length == 0 && call->pieces[i + 1].at == at &&
           length > 0)
        i++;
    if (i == call->count)
        return true;
    const struct chunks_piece *piece = &call->pieces[i];
    const uint8_t *octets = call->writes.octets + at;
    size_t moved = length < piece->length ? length : piece->length;
    if (moved > 0) {
        if (!client->ops->write(client, piece->handle, piece->offset, octets, moved))
            return fail(chunks, "an RDMA Write to the client's memory failed");
        chunks->moved(chunks->arg, true, piece->handle, piece->offset, octets, moved);
    }
    xdr_store32(segment, piece->handle);
    xdr_store64(segment + 8, piece->offset);
    return true;
}

/* An RPC Call behind this header? Then it is the server's own, in the reverse direction. */
static bool is_call(const struct rpcrdma1_header *header, const uint8_t *octets, size_t end,
                    size_t length)
{
    return header->rdma_body.proc == RPCRDMA1_MSG && length - end >= 8 &&
           xdr_load32(octets + end + 4) == 0;
}

bool chunks_reply(struct chunks *chunks, uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    if (end < 0 || is_call(&header, octets, (size_t)end, length))
        return true;
    struct chunks_call **at = &chunks->calls;
    while (*at && (*at)->xid != header.rdma_xid)
        at = &(*at)->next;
    struct chunks_call *call = *at;
    if (call == NULL)
        return true;
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    struct moving moving = {.chunks = chunks, .call = call};
    bool good = lists == NULL || each_segment(octets, lists, push, &moving);
    *at = call->next;
    forget(chunks, call);
    return good;
}

void chunks_free(struct chunks *chunks)
{
    while (chunks->calls) {
        struct chunks_call *call = chunks->calls;
        chunks->calls = call->next;
        forget(chunks, call);
    }
}
