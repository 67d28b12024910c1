// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/shape.h"

#include "rxe-harness/responder/content.h"
#include "rxe-harness/responder/nfs3.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <string.h>

#define READ 6
#define SEGMENTS 16     /* of the Write chunk; with more the Reply stays as it is */
#define INLINE_MAX 512u /* octets of data inline: a Receive of 1024 octets holds such a Reply */
#define RPC_HEADER 24   /* of an accepted Reply without a verifier */
#define ATTRIBUTES 84   /* fattr3 */
#define RESULTS (RPC_HEADER + 4 + 4 + ATTRIBUTES + 12) /* of a good Reply, before the data */
#define FAILED 5                                       /* NFS3ERR_IO */
#define OTHER 0x5c5c5c5cu /* makes the octets that stand in memory another file's */

bool shape_call(struct shape_call *call, const uint8_t *octets, size_t length)
{
    enum { HANDLE_AT = 4, OFFSET_AT = HANDLE_AT + FILES_HANDLE, ARGUMENTS = OFFSET_AT + 12 };
    struct rpcrdma1_header header;
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t at = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    if (rpcrdma_xdr_failed(at) || header.rdma_body.proc != RPCRDMA1_MSG)
        return false;
    const uint8_t *payload = octets + at;
    length -= (size_t)at;
    at = rpcrdma_rpc_header_decode(&rpc, payload, length, NULL);
    if (rpcrdma_xdr_failed(at) || rpc.is_reply || rpc.prog != NFS3_PROGRAM ||
        rpc.vers != NFS3_VERSION || rpc.proc != READ || length - (size_t)at < ARGUMENTS)
        return false;
    const uint8_t *arguments = payload + at;
    if (rpcrdma_xdr_load32(arguments) != FILES_HANDLE ||
        !nfs3_edition(arguments + HANDLE_AT, FILES_HANDLE, &call->edition, &call->file))
        return false;
    call->offset = rpcrdma_xdr_load64(arguments + OFFSET_AT);
    call->count = rpcrdma_xdr_load32(arguments + OFFSET_AT + 8);
    return true;
}

/* ---- the Reply ---- */

struct shaping {
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segments[SEGMENTS]; /* as they came back */
    uint8_t payload[RPCRDMA_DEFAULT_INLINE];
    size_t length;
};

static void put(struct shaping *shaping, uint32_t word)
{
    rpcrdma_xdr_store32(shaping->payload + shaping->length, word);
    shaping->length += 4;
}

/* Take a good Reply apart. The data's length, or 0. */
static uint32_t take(struct shaping *shaping, const uint8_t *answer, size_t length)
{
    ptrdiff_t at = rpcrdma1_header_decode(&shaping->header, answer, length, NULL, NULL);
    if (rpcrdma_xdr_failed(at) || shaping->header.rdma_body.proc != RPCRDMA1_MSG ||
        length - (size_t)at != RESULTS || rpcrdma_xdr_load32(answer + at + RPC_HEADER) != 0)
        return 0;
    const struct rpcrdma1_write_list *writes = &shaping->header.rdma_body.rdma_msg.rdma_writes;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    if (writes->count != 1 || !rpcrdma1_write_list_next(&iter, &shaping->chunk) ||
        shaping->chunk.target.count > SEGMENTS)
        return 0;
    uint32_t count =
        rpcrdma1_segment_array_copy(&shaping->chunk.target, shaping->segments, SEGMENTS);
    shaping->chunk.target =
        (struct rpcrdma1_segment_array){.items = shaping->segments, .count = count};
    shaping->header.rdma_body.rdma_msg.rdma_writes =
        (struct rpcrdma1_write_list){.items = &shaping->chunk, .count = 1};
    return rpcrdma_xdr_load32(answer + at + RESULTS - 4);
}

/* Write into the segments as they come back, from the beginning of each: octets of this file, those
 * after the first `right` ones of another. */
static bool write_octets(struct link *link, const struct shape_call *call,
                         const struct shaping *shaping, uint32_t right)
{
    uint8_t octets[FILES_READ_SIZE];
    uint32_t at = 0;
    for (uint32_t i = 0; i < shaping->chunk.target.count; i++) {
        const struct rpcrdma1_segment *segment = &shaping->segments[i];
        uint32_t length = segment->length;
        if (length > sizeof octets)
            return false;
        uint32_t first = right - at < length ? right - at : length;
        content_fill(call->edition, call->file, call->offset + at, octets, first);
        content_fill(call->edition, call->file ^ OTHER, call->offset + at + first, octets + first,
                     length - first);
        at += first;
        if (length > 0 && !link->ops->write(link, segment->handle, segment->offset, octets, length))
            return false;
    }
    return true;
}

/* Octets of a segment that comes back with a gap after it: none of the first, an odd number of
 * each of the others. */
static uint32_t before_gap(uint32_t number, uint32_t length)
{
    return number == 0 || length < 4 ? 0 : length / 4 * 2 + 1;
}

/* The data that such segments hold; 0: there are too few. */
static uint32_t room_with_gaps(const struct shaping *shaping)
{
    uint32_t data = 0;
    for (uint32_t i = 0; i < shaping->chunk.target.count; i++)
        data += before_gap(i, shaping->segments[i].length);
    return data;
}

static void leave_gaps(struct shaping *shaping)
{
    for (uint32_t i = 0; i < shaping->chunk.target.count; i++)
        shaping->segments[i].length = before_gap(i, shaping->segments[i].length);
}

/* The chunk comes back with this many octets in it. */
static void return_chunk(struct shaping *shaping, unsigned shape, uint32_t length)
{
    for (uint32_t i = 0; i < shaping->chunk.target.count; i++) {
        struct rpcrdma1_segment *segment = &shaping->segments[i];
        segment->length = segment->length < length ? segment->length : length;
        length -= segment->length;
    }
    if (shape & SHAPE_EMPTY)
        shaping->chunk.target.count = 0;
    if (shape & SHAPE_ABSENT)
        shaping->header.rdma_body.rdma_msg.rdma_writes.count = 0;
}

/* So that it has 1024 octets, which every receiver copes with. */
static uint32_t room_inline(const struct shaping *shaping)
{
    uint8_t octets[SHAPE_REPLY_MAX];
    ptrdiff_t at = rpcrdma1_header_encode(octets, sizeof octets, &shaping->header, NULL);
    size_t others = rpcrdma_xdr_failed(at) ? RPCRDMA_DEFAULT_INLINE : (size_t)at + RESULTS;
    return others < RPCRDMA_DEFAULT_INLINE ? (uint32_t)(RPCRDMA_DEFAULT_INLINE - others) : 0;
}

/* The chunk comes back with the attributes of a good Reply in it. */
static bool misplace(struct shaping *shaping, unsigned shape, struct link *link,
                     const uint8_t *good)
{
    const uint8_t *octets = good + RPC_HEADER + 8;
    return_chunk(shaping, shape, ATTRIBUTES);
    for (uint32_t i = 0; i < shaping->chunk.target.count; i++) {
        const struct rpcrdma1_segment *segment = &shaping->segments[i];
        if (segment->length > 0 &&
            !link->ops->write(link, segment->handle, segment->offset, octets, segment->length))
            return false;
        octets += segment->length;
    }
    return true;
}

/* What the results say and bring inline, of this many octets of data. */
static void put_results(struct shaping *shaping, unsigned shape, const struct shape_call *call,
                        const uint8_t *good, uint32_t data)
{
    size_t attributes = shape & (SHAPE_SHORT | SHAPE_MISPLACED) ? 0 : ATTRIBUTES;
    memcpy(shaping->payload, good, RPC_HEADER);
    shaping->length = RPC_HEADER;
    put(shaping, shape & SHAPE_FAILED ? FAILED : 0);
    put(shaping, (shape & SHAPE_SHORT) == 0);
    memcpy(shaping->payload + shaping->length, good + shaping->length, attributes);
    shaping->length += attributes;
    if (shape & SHAPE_FAILED)
        return;
    put(shaping, data);
    put(shaping, call->offset + data >= CONTENT_SIZE);
    put(shaping, data);
    if (shape & SHAPE_INLINE) {
        uint8_t *octets = shaping->payload + shaping->length;
        size_t padding = (4 - data % 4) % 4;
        content_fill(call->edition, call->file, call->offset, octets, data);
        memset(octets + data, 0, padding);
        shaping->length += data + padding;
    }
}

/* What is in the chunk, and what comes back of it. The data's length, or 0. */
static uint32_t fill(struct shaping *shaping, unsigned shape, struct link *link,
                     const struct shape_call *call, const uint8_t *good, uint32_t data)
{
    uint32_t most = shape & SHAPE_FULL ? room_inline(shaping) : INLINE_MAX;
    bool unused = shape & (SHAPE_UNUSED | SHAPE_EMPTY | SHAPE_ABSENT);
    uint32_t part = data > 1 ? data / 2 : 1;
    if (shape & SHAPE_GAPS)
        data = room_with_gaps(shaping);
    if (data > 0 && (unused || (shape & (SHAPE_GAPS | SHAPE_FAILED))) &&
        !write_octets(link, call, shaping, 0))
        return 0;
    if (shape & SHAPE_GAPS)
        leave_gaps(shaping);
    if ((shape & SHAPE_GAPS) && !write_octets(link, call, shaping, data))
        return 0;
    if ((shape & (SHAPE_SHORTER | SHAPE_LONGER)) && !write_octets(link, call, shaping, part))
        return 0;
    if ((shape & SHAPE_FULL) && data < most)
        return 0;
    if ((shape & SHAPE_INLINE) && data > most)
        data = most;
    if (shape & SHAPE_MISPLACED)
        return misplace(shaping, shape, link, good) ? data : 0;
    return_chunk(shaping, shape, unused ? 0 : shape & SHAPE_SHORTER ? part : data);
    return shape & SHAPE_LONGER ? part : data;
}

size_t shape_reply(unsigned shape, struct link *link, const struct shape_call *call,
                   const uint8_t *answer, size_t length, uint8_t reply[SHAPE_REPLY_MAX])
{
    struct shaping shaping = {.length = 0};
    uint32_t data = take(&shaping, answer, length);
    const uint8_t *good = answer + length - RESULTS;
    data = data > 0 ? fill(&shaping, shape, link, call, good, data) : 0;
    if (data == 0)
        return 0;
    put_results(&shaping, shape, call, good, data);
    ptrdiff_t at = rpcrdma1_header_encode(reply, SHAPE_REPLY_MAX, &shaping.header, NULL);
    if (rpcrdma_xdr_failed(at) || (size_t)at > SHAPE_REPLY_MAX - shaping.length)
        return 0;
    memcpy(reply + at, shaping.payload, shaping.length);
    return (size_t)at + shaping.length;
}
