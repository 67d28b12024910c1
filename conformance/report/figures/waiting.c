// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/figures/waiting.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>

enum { BUCKETS_LOG = 14, BUCKETS = 1 << BUCKETS_LOG };

struct waiting_calls {
    struct waiting_call *calls[BUCKETS]; /* by XID and connection, or XID and hosts once that has
                                            ended */
    struct waiting_handle *handles[BUCKETS]; /* by handle and connection */
    struct waiting_call *oldest, *newest;
    uint64_t count, handle_room;
};

static uint32_t bucket_of(uint32_t word, uint64_t where, enum rpcrdma_endpoint from)
{
    uint64_t mixed = (word ^ (uint64_t)from << 32) * 0x9e3779b97f4a7c15u ^ where;
    return (uint32_t)(mixed * 0xd6e8feb86659fd93u >> (64 - BUCKETS_LOG));
}

struct waiting_calls *waiting_make(void)
{
    return alloc_zeroed(1, sizeof(struct waiting_calls));
}

void waiting_free(struct waiting_calls *waiting)
{
    while (waiting && waiting->oldest)
        waiting_remove(waiting, waiting->oldest);
    free(waiting);
}

/* ---- Calls ---- */

static void link_call(struct waiting_calls *waiting, struct waiting_call *call)
{
    uint64_t where = call->closed ? call->peers : call->connection;
    struct waiting_call **bucket = &waiting->calls[bucket_of(call->xid, where, call->from)];
    call->next = *bucket;
    call->link = bucket;
    if (call->next)
        call->next->link = &call->next;
    *bucket = call;
}

static void unlink_call(struct waiting_call *call)
{
    *call->link = call->next;
    if (call->next)
        call->next->link = call->link;
}

struct waiting_call *waiting_find(const struct waiting_calls *waiting, uint64_t connection,
                                  enum rpcrdma_endpoint from, uint32_t xid)
{
    struct waiting_call *call = waiting->calls[bucket_of(xid, connection, from)];
    while (call && !(call->xid == xid && call->from == from && !call->closed &&
                     call->connection == connection))
        call = call->next;
    return call;
}

struct waiting_call *waiting_find_closed(const struct waiting_calls *waiting, uint64_t peers,
                                         enum rpcrdma_endpoint from, uint32_t xid,
                                         const struct figures_row *row)
{
    struct waiting_call *call = waiting->calls[bucket_of(xid, peers, from)];
    while (call && !(call->xid == xid && call->from == from && call->closed &&
                     call->peers == peers && call->row == row))
        call = call->next;
    return call;
}

/* Those of one connection that is open. */
static void link_sibling(struct waiting_call *call)
{
    call->sibling = call->owner->calls;
    call->sibling_link = &call->owner->calls;
    if (call->sibling)
        call->sibling->sibling_link = &call->sibling;
    call->owner->calls = call;
}

static void unlink_sibling(struct waiting_call *call)
{
    if (call->closed)
        return;
    *call->sibling_link = call->sibling;
    if (call->sibling)
        call->sibling->sibling_link = call->sibling_link;
}

/* ---- handles ---- */

struct waiting_call *waiting_find_handle(const struct waiting_calls *waiting, uint64_t connection,
                                         enum rpcrdma_endpoint from, uint32_t handle)
{
    const struct waiting_handle *at = waiting->handles[bucket_of(handle, connection, from)];
    while (at &&
           !(at->handle == handle && at->call->connection == connection && at->call->from == from))
        at = at->next;
    return at ? at->call : NULL;
}

void waiting_add_handle(struct waiting_calls *waiting, struct waiting_call *call, uint32_t handle)
{
    if (call->handle_count == call->handle_room)
        return;
    struct waiting_handle **bucket =
        &waiting->handles[bucket_of(handle, call->connection, call->from)];
    struct waiting_handle *added = &call->handles[call->handle_count++];
    *added = (struct waiting_handle){.next = *bucket, .link = bucket, .call = call};
    added->handle = handle;
    if (added->next)
        added->next->link = &added->next;
    *bucket = added;
}

static void drop_handles(struct waiting_calls *waiting, struct waiting_call *call)
{
    for (uint32_t i = 0; i < call->handle_count; i++) {
        struct waiting_handle *handle = &call->handles[i];
        *handle->link = handle->next;
        if (handle->next)
            handle->next->link = handle->link;
    }
    waiting->handle_room -= call->handle_room;
    call->handle_count = call->handle_room = 0;
}

/* ---- their coming and going ---- */

struct waiting_call *waiting_add(struct waiting_calls *waiting, const struct waiting_call *call,
                                 uint32_t handles, void (*forget)(struct waiting_call *))
{
    if (waiting->count == WAITING_CALLS) {
        forget(waiting->oldest);
        waiting_remove(waiting, waiting->oldest);
    }
    if (handles > WAITING_HANDLES - waiting->handle_room)
        handles = 0; /* its RDMA operations are strays */
    struct waiting_call *added = alloc_zeroed(1, sizeof *added + handles * sizeof *added->handles);
    *added = *call;
    added->handle_room = handles;
    waiting->handle_room += handles;
    added->older = waiting->newest;
    *(waiting->newest ? &waiting->newest->newer : &waiting->oldest) = added;
    waiting->newest = added;
    waiting->count++;
    link_call(waiting, added);
    link_sibling(added);
    return added;
}

void waiting_close(struct waiting_calls *waiting, struct waiting_call *call)
{
    drop_handles(waiting, call);
    unlink_call(call);
    unlink_sibling(call);
    call->closed = true;
    link_call(waiting, call);
}

void waiting_remove(struct waiting_calls *waiting, struct waiting_call *call)
{
    drop_handles(waiting, call);
    unlink_call(call);
    unlink_sibling(call);
    *(call->older ? &call->older->newer : &waiting->oldest) = call->newer;
    *(call->newer ? &call->newer->older : &waiting->newest) = call->older;
    waiting->count--;
    free(call);
}

struct waiting_call *waiting_oldest(const struct waiting_calls *waiting)
{
    return waiting->oldest;
}
