// SPDX-License-Identifier: BSD-3-Clause
/*
 * What RFC 8267 asks of NFS version 4 beyond its binding: chunk lists that any server takes, and
 * short callbacks. A peer can know better than who looks on, so that these are notes.
 */
#include "conformance/check/bindings/rfc8267.h"

#include "conformance/check/core/send.h"

#define REFUSE_LISTS (RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS)

/* What a server has to take (section 6.4.2), besides a Position Zero Read chunk. */
enum { ANY_READ_CHUNKS = 1, ANY_WRITE_CHUNKS = 1, ANY_SEGMENTS = 16 };

/* Only a Responder that would go on may refuse the lists. */
static struct reactions may_refuse(const struct rpcrdma_send *send, uint32_t reactions)
{
    bool goes_on = send->review.open[RPCRDMA_RESPONDER] & RPCRDMA_PROCESS;
    return goes_on ? RESPONDER_MAY(ALSO | reactions) : NO_REACTION;
}

static void note_segments(struct rpcrdma_send *send, int64_t at, uint32_t count)
{
    if (count > ANY_SEGMENTS)
        break_rule(&send->review, RPCRDMA_RFC8267_6_4_2_SIXTEEN_SEGMENTS, at,
                   may_refuse(send, REFUSE_LISTS),
                   "a chunk has %u segments; a server need not take more than %u", count,
                   ANY_SEGMENTS);
}

static void check_read_segments(struct rpcrdma_send *send)
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
            note_segments(send, first + ENTRY_AT_POSITION, count);
            first = place(send, at);
            count = 0;
        }
        position = segment.position;
        count++;
    }
    note_segments(send, first + ENTRY_AT_POSITION, count);
}

static void check_write_segments(struct rpcrdma_send *send)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    const struct rpcrdma1_write_chunk_opt *reply = &send->chunks->rdma_reply;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        note_segments(send, place_of_count(send, &chunk.target), chunk.target.count);
    if (reply->present)
        note_segments(send, place_of_count(send, &reply->value.target), reply->value.target.count);
}

void rpcrdma_rfc8267_lists(struct rpcrdma_send *send)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    if (send->reads.count > ANY_READ_CHUNKS)
        break_rule(
            &send->review, RPCRDMA_RFC8267_6_4_2_ONE_READ_CHUNK,
            send->reads.chunk[1].at + ENTRY_AT_POSITION, may_refuse(send, REFUSE_LISTS),
            "%u Read chunks beside that at Position Zero; a server need not take more than %u",
            send->reads.count, ANY_READ_CHUNKS);
    if (writes->count > ANY_WRITE_CHUNKS)
        break_rule(&send->review, RPCRDMA_RFC8267_6_4_2_ONE_WRITE_CHUNK, place(send, writes->wire),
                   may_refuse(send, REFUSE_LISTS),
                   "%u Write chunks; a server need not take more than %u", writes->count,
                   ANY_WRITE_CHUNKS);
    check_read_segments(send);
    check_write_segments(send);
}

void rpcrdma_rfc8267_long_callback(struct rpcrdma_send *send)
{
    break_rule(&send->review, RPCRDMA_RFC8267_6_5_2_LONG_CALLBACK, RPCRDMA1_AT_PROC,
               may_refuse(send, RPCRDMA_ERR_CHUNK), "a Long Call from a server of NFS version 4");
}

/* RFC 8267 wants the chunk back empty, RFC 8166 unused: either will do. */
void rpcrdma_rfc8267_no_result(struct rpcrdma_send *send,
                               const struct rpcrdma1_segment_array *returned, uint32_t number)
{
    if (returned->count == 0)
        break_rule(&send->review, RPCRDMA_RFC8267_6_4_1_FAILED_READ_EMPTY,
                   place_of_count(send, returned), NO_REACTION,
                   "rdma_writes[%u], of an operation that failed, comes back empty", number);
    else if (rpcrdma1_segments_length(returned) == 0)
        break_rule(&send->review, RPCRDMA_RFC8267_6_4_1_FAILED_READ_UNUSED,
                   place_of_count(send, returned), NO_REACTION,
                   "rdma_writes[%u], of an operation that failed, comes back unused", number);
}

void rpcrdma_rfc8267_surplus_result(struct rpcrdma_send *send, uint32_t number)
{
    break_rule(&send->review, RPCRDMA_RFC8267_6_4_1_SURPLUS_INLINE,
               place(send, send->chunks->rdma_writes.wire), REQUESTER_MAY(RPCRDMA_TERMINATE),
               "eligible result %u has no Write chunk, and yet it is not inline", number);
}
