// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/read_client.h"

#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/nfs3.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <string.h>

#define PATIENCE 1000 /* milliseconds for a Reply */
#define FILE_NAME "file"
#define CALLS_MAX 1000
#define ATTRIBUTES 84 /* fattr3 */
#define HANDLE_ARGUMENT (4 + FILES_HANDLE)
#define ROOM FILES_READ_SIZE

enum { LOOKUP = 3, READ = 6 };

struct reading {
    struct requester *requester;
    enum read_fault fault;
    uint8_t handle[HANDLE_ARGUMENT]; /* with its length */
    uint64_t offset;
    uint32_t sum;
    bool end;
    uint8_t data[ROOM]; /* of one READ */
    char *text;
};

static bool fail(struct reading *reading, const char *why)
{
    snprintf(reading->text, 256, "octet %llu: %.150s", (unsigned long long)reading->offset, why);
    return false;
}

static bool call(struct reading *reading, const struct requester_call *shape,
                 struct requester_pending *pending, struct requester_reply *reply)
{
    *reply = (struct requester_reply){.text = "a Call that cannot be sent"};
    bool begun = requester_begin(reading->requester, shape, pending);
    /* One at fault drops nothing of what comes. */
    if (begun && reading->fault != READ_FAULTLESS)
        requester_finish(reading->requester, pending, PATIENCE, reply);
    else if (begun)
        requester_receive(reading->requester, pending, PATIENCE, reply);
    return (reply->outcome == RPCRDMA_PROCESS && reply->accepted && reply->stat == 0) ||
           fail(reading, reply->text);
}

static bool look_up(struct reading *reading)
{
    static const uint8_t args[] = {0, 0, 0, 4, 'r', 'o', 'o', 't', 0, 0, 0, 4, 'f', 'i', 'l', 'e'};
    const struct requester_call shape = {
        .procedure = LOOKUP, .args = args, .args_length = sizeof args};
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply;
    bool good = call(reading, &shape, &pending, &reply);
    if (good &&
        (reply.results_length < 4 + HANDLE_ARGUMENT || rpcrdma_xdr_load32(reply.results) != 0 ||
         rpcrdma_xdr_load32(reply.results + 4) != FILES_HANDLE))
        good = fail(reading, "LOOKUP: no file handle");
    if (good)
        memcpy(reading->handle, reply.results + 4, HANDLE_ARGUMENT);
    requester_forget(reading->requester, &pending);
    return good;
}

/* ---- READ ---- */

/* READ3resok after the attributes. */
struct read_results {
    uint32_t count; /* as it says, twice */
    bool end;
    size_t at; /* octets of the results before the data */
};

static bool read_results(struct reading *reading, const struct requester_reply *reply,
                         struct read_results *results)
{
    const uint8_t *octets = reply->results;
    *results = (struct read_results){.count = (uint32_t)reply->item_length};
    bool failed = reply->results_length < 8 || rpcrdma_xdr_load32(octets) != 0;
    if (failed && reading->fault == READ_IGNORES_STATUS && reply->in_chunk)
        return true;
    if (failed)
        return fail(reading, "READ failed");
    bool elsewhere = reading->fault == READ_LOOSE_ITEMS && reply->item_length == ATTRIBUTES;
    size_t at = 8 + (rpcrdma_xdr_load32(octets + 4) > 0 && !elsewhere ? ATTRIBUTES : 0);
    if (reply->results_length < at + 12)
        return fail(reading, "READ: the results end early");
    uint32_t length = rpcrdma_xdr_load32(octets + at + 8);
    *results = (struct read_results){.count = rpcrdma_xdr_load32(octets + at),
                                     .end = rpcrdma_xdr_load32(octets + at + 4) > 0,
                                     .at = at + 12};
    if (results->count != length || length > ROOM)
        return fail(reading, "READ: the count is not the length of the data, or too large");
    return true;
}

/* What is inline after the results has to be the data, or nothing. */
static bool take_inline(struct reading *reading, const struct requester_reply *reply,
                        const struct read_results *results)
{
    size_t left = reply->results_length - results->at;
    if (left != (results->count + 3) / 4 * 4)
        return fail(reading, "READ: other data are inline than the count says");
    memcpy(reading->data, reply->results + results->at, results->count);
    return true;
}

/* The octets that came back of each segment, one after the other. */
static bool join_segments(struct reading *reading, const struct requester_pending *pending)
{
    const struct requester *requester = reading->requester;
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segment;
    size_t at = 0;
    if (rpcrdma_xdr_failed(
            rpcrdma1_header_decode(&header, requester->came, requester->came_length, NULL, NULL)) ||
        header.rdma_body.proc != RPCRDMA1_MSG)
        return fail(reading, "READ: no Write list");
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    if (!rpcrdma1_write_list_next(&iter, &chunk) || chunk.target.count > pending->memory.count)
        return fail(reading, "READ: another Write list than was offered");
    iter = rpcrdma1_segment_array_iter(&chunk.target);
    for (uint32_t i = 0; rpcrdma1_segment_array_next(&iter, &segment); i++) {
        const struct link_memory *piece = &pending->memory.pieces[i];
        if (segment.length > piece->length || segment.length > ROOM - at)
            return fail(reading, "READ: a segment is longer than was offered");
        memcpy(reading->data + at, piece->octets, segment.length);
        at += segment.length;
    }
    return true;
}

static bool take_chunk(struct reading *reading, const struct requester_pending *pending,
                       const struct requester_reply *reply, struct read_results *results)
{
    enum read_fault fault = reading->fault;
    bool alone = reply->chunks == 1 && reply->results_length == results->at;
    bool fits = reply->item_length == results->count;
    if (fault == READ_BELIEVES_CHUNK && reply->item_length <= ROOM)
        results->count = (uint32_t)reply->item_length;
    bool passes = fault == READ_TRUSTS_CHUNK ||
                  (reply->in_chunk && (fault == READ_BELIEVES_COUNT ||
                                       fault == READ_BELIEVES_CHUNK || results->at == 0));
    if (!passes && (!alone || !fits))
        return fail(reading, "READ: the data are not in the chunk alone");
    if (fault == READ_TRUSTS_CHUNK || fault == READ_IGNORES_GAPS || fault == READ_BELIEVES_COUNT)
        memcpy(reading->data, pending->item, ROOM);
    else if (!join_segments(reading, pending))
        return false;
    if (fault == READ_FIXED_HEAD) { /* as if all before the data had always the same length */
        size_t missing = 8 + ATTRIBUTES + 12 - results->at;
        memmove(reading->data + missing, reading->data, ROOM - missing);
        memset(reading->data, 0, missing);
    }
    return true;
}

static bool take_data(struct reading *reading, const struct requester_pending *pending,
                      const struct requester_reply *reply, struct read_results *results)
{
    bool is_inline = reply->results_length > results->at;
    bool takes = reading->fault == READ_TAKES_INLINE ||
                 (reading->fault == READ_LOOSE_ITEMS && reply->item_length == ATTRIBUTES);
    if (pending->item == NULL || (takes && is_inline))
        return take_inline(reading, reply, results);
    return take_chunk(reading, pending, reply, results);
}

/* By a chunk of one segment, of three, and inline. */
static bool read_some(struct reading *reading, unsigned number)
{
    uint8_t args[HANDLE_ARGUMENT + 12];
    unsigned segments = number % 3 == 2 ? 0 : 1 + 2 * (number % 3);
    struct requester_call shape = {.procedure = READ,
                                   .args = args,
                                   .args_length = sizeof args,
                                   .write_segments = segments,
                                   .write_room = segments > 0 ? ROOM : 0};
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply;
    struct read_results results;
    memcpy(args, reading->handle, HANDLE_ARGUMENT);
    rpcrdma_xdr_store64(args + HANDLE_ARGUMENT, reading->offset);
    rpcrdma_xdr_store32(args + HANDLE_ARGUMENT + 8, segments > 0 ? ROOM : 600);
    bool good = call(reading, &shape, &pending, &reply) &&
                read_results(reading, &reply, &results) &&
                take_data(reading, &pending, &reply, &results);
    if (good) {
        reading->sum = told_sum(reading->sum, reading->data, results.count);
        reading->offset += results.count;
        reading->end = results.end || results.count == 0;
    }
    requester_forget(reading->requester, &pending);
    return good;
}

const char *read_client(struct requester *requester, enum read_fault fault, struct told_reads *told,
                        char text[256])
{
    struct reading reading = {.requester = requester, .fault = fault, .text = text};
    requester->program = NFS3_PROGRAM;
    requester->version = NFS3_VERSION;
    if (!look_up(&reading))
        return text;
    for (unsigned number = 0; !reading.end && number < CALLS_MAX; number++)
        if (!read_some(&reading, number))
            return text;
    told_read(told, FILE_NAME, told_sum_end(reading.sum, reading.offset), reading.offset);
    return NULL;
}
