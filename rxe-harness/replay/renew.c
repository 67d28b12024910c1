// SPDX-License-Identifier: BSD-3-Clause
/* A recorded Send, made anew: its memory, its names, its XID. */
#include "rxe-harness/replay/replay.h"
#include "rxe-harness/transport/segments.h"

#include <rpcrdma/rpc_header.h>

#include <string.h>

/* What the recorded server read, until it answered. */
static void fill(struct replay *replay, size_t at, struct sent *sent)
{
    const struct vector_test *test = replay->test;
    size_t end = sent->answer > 0 ? sent->answer : test->count;
    for (size_t i = at + 1; i < end; i++) {
        const struct rpcrdma_event *event = &test->events[i].event;
        if (event->type == RPCRDMA_EVENT_RDMA_READ && event->data)
            regions_fill(&sent->regions, event->handle, event->offset, event->data, event->length);
    }
}

static void read_call(struct sent *sent, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    if (rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&rpc, octets, length, NULL)))
        return;
    sent->is_reply = rpc.is_reply;
    sent->call = (struct answer_call){
        .known = !rpc.is_reply, .program = rpc.prog, .version = rpc.vers, .procedure = rpc.proc};
}

#define LONG_CALL 4096 /* octets that hold every RPC header */

/* The first octets of what the Position Zero Read chunks hold, copied to `octets` or from there.
 * Returns how many; -1: the recorded server did not read all of them. */
static ptrdiff_t copy_long_call(struct sent *sent, const struct rpcrdma1_chunk_lists *lists,
                                uint8_t *octets, size_t room, bool back)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma1_read_segment read;
    size_t length = 0;
    while (rpcrdma1_read_list_next(&iter, &read)) {
        uint8_t *place = NULL;
        uint32_t all = read.target.length;
        if (read.position != 0)
            continue;
        const struct region *region =
            regions_find(&sent->regions, read.target.handle, read.target.offset, all, &place);
        if (region == NULL || region->filled < all)
            return -1;
        size_t part = all < room - length ? all : room - length;
        if (part > 0)
            memcpy(back ? place : octets + length, back ? octets + length : place, part);
        length += part;
    }
    return (ptrdiff_t)length;
}

/* By RDMA_ERROR, for its header: then nothing depends on the Call after it. */
static bool was_refused(const struct vector_test *test, const struct sent *sent)
{
    const struct rpcrdma_event *event = &test->events[sent->answer].event;
    struct rpcrdma_prefix prefix;
    return sent->answer > 0 && rpcrdma_prefix_load(&prefix, event->data, event->length) &&
           prefix.procedure == RPCRDMA1_ERROR;
}

/* Where names can be in a Call that is known: not in the words before its arguments, nor in those
 * before the operations of a COMPOUND, which are often what a small number is. */
static size_t names_begin(const struct sent *sent, const uint8_t *octets, size_t length)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t header = rpcrdma_rpc_header_decode(&rpc, octets, length, NULL);
    size_t begin = rpcrdma_xdr_failed(header) ? length : (size_t)header;
    if (sent->call.version != 4 || sent->call.procedure == 0 || length - begin < 12)
        return begin;
    size_t tag = (rpcrdma_xdr_load32(octets + begin) + (size_t)3) & ~(size_t)3;
    return tag > length - begin - 12 ? length : begin + 12 + tag;
}

static bool renew_long_call(const struct replay *replay, struct sent *sent,
                            const struct rpcrdma1_chunk_lists *lists)
{
    uint8_t octets[LONG_CALL];
    ptrdiff_t length = copy_long_call(sent, lists, octets, sizeof octets, false);
    if (length < 4)
        return length == 0;
    if (rpcrdma_xdr_load32(octets) == sent->old_xid)
        rpcrdma_xdr_store32(octets, sent->xid);
    read_call(sent, octets, (size_t)length);
    if (sent->call.known && sent->call.program == NFS_PROGRAM) {
        size_t begin = names_begin(sent, octets, (size_t)length), left = (size_t)length - begin;
        names_apply(&replay->names, octets + begin, left, left, NULL);
    }
    copy_long_call(sent, lists, octets, (size_t)length, true);
    return true;
}

/* The one Position of all Read segments that is not 0. False: there are several. */
static bool find_position(const struct rpcrdma1_read_list *reads, uint32_t *position)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment read;
    *position = 0;
    while (rpcrdma1_read_list_next(&iter, &read)) {
        if (*position != 0 && read.position != 0 && read.position != *position)
            return false;
        *position = read.position != 0 ? read.position : *position;
    }
    return true;
}

static bool set_position(void *arg, uint8_t *segment, enum segment_list list)
{
    if (list == SEGMENT_READ && rpcrdma_xdr_load32(segment - 4) != 0)
        rpcrdma_xdr_store32(segment - 4, *(const uint32_t *)arg);
    return true;
}

/* Put today's names into the payload, and the Read chunk after those that are longer. */
static void rename_inline(const struct replay *replay, struct sent *sent,
                          const struct rpcrdma1_chunk_lists *lists, uint8_t *octets, size_t rpc)
{
    struct names_shifts shifts = {.count = 0};
    uint32_t position = 0;
    size_t room = replay->probe->requester->send_limit - rpc;
    if (!sent->call.known || sent->call.program != NFS_PROGRAM || lists == NULL)
        return;
    bool one = find_position(&lists->rdma_reads, &position);
    size_t begin = names_begin(sent, octets + rpc, sent->length - rpc), at = rpc + begin;
    sent->length = at + names_apply(&replay->names, octets + at, sent->length - at, room - begin,
                                    one ? &shifts : NULL);
    uint32_t moved = position;
    for (unsigned i = 0; i < shifts.count; i++)
        moved += begin + shifts.list[i].at < position ? (uint32_t)shifts.list[i].by : 0;
    if (moved != position)
        segments_each(octets, lists, set_position, &moved);
}

const char *replay_renew(struct replay *replay, size_t at, struct sent *sent, uint8_t *octets)
{
    struct requester *peer = replay->probe->requester;
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, octets, sent->length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists =
        rpcrdma_xdr_failed(end) ? NULL : rpcrdma1_chunks(&header);
    size_t rpc =
        sent->length >= 4 ? probe_freshen(RPCRDMA_PROTOCOL_1, octets, sent->length, sent->xid) : 0;
    if (rpc > 0 && !rpcrdma_xdr_failed(end)) {
        read_call(sent, octets + rpc, sent->length - rpc);
        rename_inline(replay, sent, lists, octets, rpc);
        replay->probe->run.current.xids_differ =
            replay->probe->run.current.xids_differ || rpcrdma_xdr_load32(octets + rpc) != sent->xid;
    }
    if (lists == NULL)
        return NULL;
    if (!regions_collect(&sent->regions, octets, lists))
        return "it offers more memory than there is for one Send";
    fill(replay, at, sent);
    if (!renew_long_call(replay, sent, lists) && !was_refused(replay->test, sent))
        return "the recorded server did not read the Long Call, which is not known therefore";
    return regions_move(&sent->regions, peer, octets, lists) ? NULL : "memory cannot be registered";
}
