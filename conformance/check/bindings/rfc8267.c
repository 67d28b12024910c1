// SPDX-License-Identifier: BSD-3-Clause
/*
 * What RFC 8267 asks of NFS version 4 beyond its binding: chunk lists that any server takes, and
 * short callbacks. A peer can know better than who looks on, so that these are notes.
 */
#include "conformance/check/core/checker.h"

#include <rpcrdma/rpcrdma.h>

/* What a server has to take (section 6.4.2), besides a Position Zero Read chunk. */
enum { ANY_READ_CHUNKS = 1, ANY_WRITE_CHUNKS = 1, ANY_SEGMENTS = 16 };

static void note_segments(struct send *send, int64_t at, uint32_t count)
{
    if (count > ANY_SEGMENTS)
        rpcrdma_report(send, RPCRDMA_RFC8267_6_4_2_SIXTEEN_SEGMENTS, at,
                       "a chunk has %u segments; a server need not take more than %u", count,
                       ANY_SEGMENTS, 0);
}

static void check_read_segments(struct send *send)
{
    const struct rpcrdma1_read_list *reads = &send->chunks->rdma_reads;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    uint32_t position = 0, count = 0;
    if (reads->count <= ANY_SEGMENTS)
        return;
    int64_t first = place(send, iter.p);
    for (const uint8_t *at = iter.p; rpcrdma1_read_list_next(&iter, &segment); at = iter.p) {
        if (count > 0 && segment.position != position) {
            note_segments(send, first + 4, count);
            first = place(send, at);
            count = 0;
        }
        position = segment.position;
        count++;
    }
    note_segments(send, first + 4, count);
}

static void check_write_segments(struct send *send)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    const struct rpcrdma1_write_chunk_opt *reply = &send->chunks->rdma_reply;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        note_segments(send, place(send, chunk.target.wire) - 4, chunk.target.count);
    if (reply->present)
        note_segments(send, place(send, writes->wire) + writes->octets + 4,
                      reply->value.target.count);
}

void rpcrdma_nfs4_lists(struct send *send)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    unsigned found = send->verdict->count, open = send->reactions[RECEIVER_RESPONDER];
    send->check->serves_nfs4 = true;
    if (send->reads.count > ANY_READ_CHUNKS)
        rpcrdma_report(
            send, RPCRDMA_RFC8267_6_4_2_ONE_READ_CHUNK, send->reads.chunk[1].at + 4,
            "%u Read chunks beside that at Position Zero; a server need not take more than %u",
            send->reads.count, ANY_READ_CHUNKS, 0);
    if (writes->count > ANY_WRITE_CHUNKS)
        rpcrdma_report(send, RPCRDMA_RFC8267_6_4_2_ONE_WRITE_CHUNK, place(send, writes->wire),
                       "%u Write chunks; a server need not take more than %u", writes->count,
                       ANY_WRITE_CHUNKS, 0);
    check_read_segments(send);
    check_write_segments(send);
    if (send->verdict->count > found && (open & RPCRDMA_PROCESS))
        rpcrdma_allow(send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS);
}

void rpcrdma_nfs4_long_callback(struct send *send)
{
    if (send->verdict->direction != RPCRDMA_CALL || send->event->from != RPCRDMA_SERVER ||
        !send->check->serves_nfs4)
        return;
    rpcrdma_report(send, RPCRDMA_RFC8267_6_5_2_LONG_CALLBACK, 12,
                   "a Long Call from a server of NFS version 4", 0, 0, 0);
    if (send->reactions[RECEIVER_RESPONDER] & RPCRDMA_PROCESS)
        rpcrdma_allow(send, RECEIVER_RESPONDER, RPCRDMA_ERR_CHUNK);
}
