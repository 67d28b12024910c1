// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/shape.h"

#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/nfs3.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>

#include <string.h>

#define READ 6
#define SEGMENTS 16     /* of the Write chunk; with more the Reply stays as it is */
#define INLINE_MAX 512u /* octets of data inline: a Receive of 1024 octets holds such a Reply */
#define INLINE_OF_SEVERAL 64u                          /* the same beside other READs */
#define RPC_HEADER 24                                  /* of an accepted Reply without a verifier */
#define ATTRIBUTES 84                                  /* fattr3 */
#define RESULTS (RPC_HEADER + 4 + 4 + ATTRIBUTES + 12) /* of a good Reply, before the data */
#define FAILED 5                                       /* NFS3ERR_IO */
#define OTHER 0x5c5c5c5cu /* makes the octets that stand in memory another file's */

/* The arguments of an inline Call, or NULL. */
static const uint8_t *arguments_of(const uint8_t *octets, size_t *length,
                                   struct rpcrdma_rpc_header *rpc)
{
    struct rpcrdma1_header header;
    ptrdiff_t at = rpcrdma1_header_decode(&header, octets, *length, NULL, NULL);
    if (rpcrdma_xdr_failed(at) || header.rdma_body.proc != RPCRDMA1_MSG)
        return NULL;
    octets += at;
    *length -= (size_t)at;
    at = rpcrdma_rpc_header_decode(rpc, octets, *length, NULL);
    if (rpcrdma_xdr_failed(at) || rpc->is_reply)
        return NULL;
    *length -= (size_t)at;
    return octets + at;
}

/* READ of this number among several of a COMPOUND, of a file that was looked up. */
static bool compound_call(struct shape_call *call, const uint8_t *arguments, size_t length)
{
    struct nfs_COMPOUND4args args;
    struct nfs_argop4 operation;
    unsigned reads = 0;
    uint32_t file = 0;
    if (rpcrdma_xdr_failed(nfs_COMPOUND4args_decode_complete(&args, arguments, length, NULL, NULL)))
        return false;
    struct rpcrdma_xdr_iter iter = nfs_argop4_array_iter(&args.argarray);
    while (nfs_argop4_array_next(&iter, &operation)) {
        const struct rpcrdma_xdr_opaque *name = &operation.oplookup.objname;
        if (operation.argop == NFS_OP_LOOKUP)
            file = content_file(name->data, name->length);
        if (operation.argop != NFS_OP_READ || ++reads != call->number)
            continue;
        call->file = file;
        call->offset = operation.opread.offset;
        call->count = operation.opread.count;
    }
    return reads > 1 && reads >= call->number;
}

bool shape_call(struct shape_call *call, const uint8_t *octets, size_t length)
{
    enum { HANDLE_AT = 4, OFFSET_AT = HANDLE_AT + FILES_HANDLE, ARGUMENTS = OFFSET_AT + 12 };
    struct rpcrdma_rpc_header rpc;
    const uint8_t *arguments = arguments_of(octets, &length, &rpc);
    if (arguments == NULL)
        return false;
    if (call->number > 0)
        return rpc.prog == NFS_PROGRAM && rpc.vers == NFS_VERSION && rpc.proc == NFS_COMPOUND &&
               compound_call(call, arguments, length);
    if (rpc.prog != NFS3_PROGRAM || rpc.vers != NFS3_VERSION || rpc.proc != READ ||
        length < ARGUMENTS)
        return false;
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
    struct rpcrdma1_write_chunk chunks[REQUESTER_CHUNKS], *chunk;        /* all; that of the READ */
    struct rpcrdma1_segment room[REQUESTER_CHUNKS][SEGMENTS], *segments; /* as they came back */
    size_t good, before; /* octets of the good payload; up to the data, which are not there */
    uint32_t results;    /* of a COMPOUND, up to this one */
    uint8_t payload[RPCRDMA_DEFAULT_INLINE];
    size_t length;
};

static void put(struct shaping *shaping, uint32_t word)
{
    rpcrdma_xdr_store32(shaping->payload + shaping->length, word);
    shaping->length += 4;
}

/* The Write list of a good Reply. */
static bool take_list(struct shaping *shaping, uint32_t chunk)
{
    struct rpcrdma1_write_list *writes = &shaping->header.rdma_body.rdma_msg.rdma_writes;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    uint32_t count = 0;
    if (writes->count > REQUESTER_CHUNKS || chunk >= writes->count)
        return false;
    for (; rpcrdma1_write_list_next(&iter, &shaping->chunks[count]); count++) {
        struct rpcrdma1_segment_array *target = &shaping->chunks[count].target;
        if (target->count > SEGMENTS)
            return false;
        uint32_t segments = rpcrdma1_segment_array_copy(target, shaping->room[count], SEGMENTS);
        *target = (struct rpcrdma1_segment_array){.items = shaping->room[count], .count = segments};
    }
    shaping->chunk = &shaping->chunks[chunk];
    shaping->segments = shaping->room[chunk];
    *writes = (struct rpcrdma1_write_list){.items = shaping->chunks, .count = count};
    return true;
}

/* Where the data of one READ would be in the results of a COMPOUND. */
struct data_place {
    unsigned number; /* of it, from 1 on; 0: it was met */
    size_t at;
    uint32_t results;
};

static bool find_place(void *arg, const struct nfs_resop4 *result, bool is_out, unsigned number)
{
    struct data_place *place = arg;
    bool is_it = result->resop == NFS_OP_READ && place->number > 0 && number + 1 == place->number;
    if (place->number == 0)
        return true;
    place->results++;
    place->at += (size_t)nfs_resop4_size(result, NULL);
    if (is_out)
        place->at -= (result->opread.resok4.data.length + 3) / 4 * 4;
    if (is_it && is_out)
        place->number = 0;
    return true;
}

static size_t place_in_compound(unsigned number, const uint8_t *answer, size_t length,
                                uint32_t *results)
{
    const struct link_event event = {.type = LINK_RECEIVED, .octets = answer, .length = length};
    struct requester_reply reply;
    struct data_place place = {.number = number};
    char wrong[128];
    requester_read_reply(&event, NULL, &reply);
    if (reply.outcome != RPCRDMA_PROCESS || !reply.accepted || reply.stat != 0 ||
        reply.results_length < 12 || rpcrdma_xdr_load32(reply.results) != 0)
        return 0;
    place.at = 12 + (rpcrdma_xdr_load32(reply.results + 4) + 3) / 4 * 4; /* status, tag, count */
    bool good = nfs_each_result(&reply, find_place, &place, wrong) && place.number == 0;
    *results = place.results;
    return good ? RPC_HEADER + place.at : 0;
}

/* Take a good Reply apart. The data's length, or 0. */
static uint32_t take(struct shaping *shaping, unsigned number, const uint8_t *answer, size_t length)
{
    ptrdiff_t at = rpcrdma1_header_decode(&shaping->header, answer, length, NULL, NULL);
    if (rpcrdma_xdr_failed(at) || shaping->header.rdma_body.proc != RPCRDMA1_MSG)
        return 0;
    shaping->good = length - (size_t)at;
    bool is_one = shaping->header.rdma_body.rdma_msg.rdma_writes.count == 1 &&
                  shaping->good == RESULTS && rpcrdma_xdr_load32(answer + at + RPC_HEADER) == 0;
    if (number > 0)
        shaping->before = place_in_compound(number, answer, length, &shaping->results);
    else
        shaping->before = is_one ? RESULTS : 0;
    if (shaping->before == 0 || !take_list(shaping, number > 0 ? number - 1 : 0))
        return 0;
    return rpcrdma_xdr_load32(answer + at + shaping->before - 4);
}

/* Write into the segments as they come back, from the beginning of each: octets of this file, those
 * after the first `right` ones of another. */
static bool write_octets(struct link *link, const struct shape_call *call,
                         const struct shaping *shaping, uint32_t right)
{
    uint8_t octets[FILES_READ_SIZE];
    uint32_t at = 0;
    for (uint32_t i = 0; i < shaping->chunk->target.count; i++) {
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
    for (uint32_t i = 0; i < shaping->chunk->target.count; i++)
        data += before_gap(i, shaping->segments[i].length);
    return data;
}

static void leave_gaps(struct shaping *shaping)
{
    for (uint32_t i = 0; i < shaping->chunk->target.count; i++)
        shaping->segments[i].length = before_gap(i, shaping->segments[i].length);
}

/* The chunk comes back with this many octets in it. */
static void return_chunk(struct shaping *shaping, unsigned shape, uint32_t length)
{
    for (uint32_t i = 0; i < shaping->chunk->target.count; i++) {
        struct rpcrdma1_segment *segment = &shaping->segments[i];
        segment->length = segment->length < length ? segment->length : length;
        length -= segment->length;
    }
    if (shape & SHAPE_EMPTY)
        shaping->chunk->target.count = 0;
    if (shape & SHAPE_ABSENT)
        shaping->header.rdma_body.rdma_msg.rdma_writes.count =
            (uint32_t)(shaping->chunk - shaping->chunks);
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
    for (uint32_t i = 0; i < shaping->chunk->target.count; i++) {
        const struct rpcrdma1_segment *segment = &shaping->segments[i];
        if (segment->length > 0 &&
            !link->ops->write(link, segment->handle, segment->offset, octets, segment->length))
            return false;
        octets += segment->length;
    }
    return true;
}

static void put_inline(struct shaping *shaping, const struct shape_call *call, uint32_t data)
{
    uint8_t *octets = shaping->payload + shaping->length;
    size_t padding = (4 - data % 4) % 4;
    content_fill(call->edition, call->file, call->offset, octets, data);
    memset(octets + data, 0, padding);
    shaping->length += data + padding;
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
    if (shape & SHAPE_INLINE)
        put_inline(shaping, call, data);
}

/* The same of a COMPOUND: what is before the READ's data and after them stays, unless it failed. */
static bool put_compound(struct shaping *shaping, unsigned shape, const struct shape_call *call,
                         const uint8_t *good, uint32_t data)
{
    size_t before = shaping->before, after = shaping->good - before;
    bool failed = shape & SHAPE_FAILED;
    if (before + after + INLINE_OF_SEVERAL > sizeof shaping->payload)
        return false;
    memcpy(shaping->payload, good, before);
    shaping->length = before - 12; /* status, eof, count */
    put(shaping, failed ? FAILED : 0);
    if (failed) {
        size_t count_at = RPC_HEADER + 8 + (rpcrdma_xdr_load32(good + RPC_HEADER + 4) + 3) / 4 * 4;
        rpcrdma_xdr_store32(shaping->payload + RPC_HEADER, FAILED);
        rpcrdma_xdr_store32(shaping->payload + count_at, shaping->results);
        return true;
    }
    put(shaping, call->offset + data >= CONTENT_SIZE);
    put(shaping, data);
    if (shape & SHAPE_INLINE)
        put_inline(shaping, call, data);
    memcpy(shaping->payload + shaping->length, good + before, after);
    shaping->length += after;
    return true;
}

/* What is in the chunk, and what comes back of it. The data's length, or 0. */
static uint32_t fill(struct shaping *shaping, unsigned shape, struct link *link,
                     const struct shape_call *call, const uint8_t *good, uint32_t data)
{
    uint32_t most = call->number > 0     ? INLINE_OF_SEVERAL
                    : shape & SHAPE_FULL ? room_inline(shaping)
                                         : INLINE_MAX;
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
    uint32_t data = take(&shaping, call->number, answer, length);
    if (data == 0)
        return 0;
    const uint8_t *good = answer + length - shaping.good;
    data = fill(&shaping, shape, link, call, good, data);
    if (data == 0)
        return 0;
    if (call->number == 0)
        put_results(&shaping, shape, call, good, data);
    else if (!put_compound(&shaping, shape, call, good, data))
        return 0;
    ptrdiff_t at = rpcrdma1_header_encode(reply, SHAPE_REPLY_MAX, &shaping.header, NULL);
    if (rpcrdma_xdr_failed(at) || (size_t)at > SHAPE_REPLY_MAX - shaping.length)
        return 0;
    memcpy(reply + at, shaping.payload, shaping.length);
    return (size_t)at + shaping.length;
}
