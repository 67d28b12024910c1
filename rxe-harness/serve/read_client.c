// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/read_client.h"

#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/nfs3.h"

#include <rpcrdma/xdr.h>

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
    if (requester_begin(reading->requester, shape, pending))
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
    uint32_t count, length; /* as it says, twice */
    bool end;
    size_t at; /* octets of the results before the data */
};

static bool read_results(struct reading *reading, const struct requester_reply *reply,
                         struct read_results *results)
{
    const uint8_t *octets = reply->results;
    if (reply->results_length < 8 || rpcrdma_xdr_load32(octets) != 0)
        return fail(reading, "READ failed");
    size_t at = 8 + (rpcrdma_xdr_load32(octets + 4) > 0 ? ATTRIBUTES : 0);
    if (reply->results_length < at + 12)
        return fail(reading, "READ: the results end early");
    *results = (struct read_results){.count = rpcrdma_xdr_load32(octets + at),
                                     .length = rpcrdma_xdr_load32(octets + at + 8),
                                     .end = rpcrdma_xdr_load32(octets + at + 4) > 0,
                                     .at = at + 12};
    if (results->count != results->length || results->count > ROOM)
        return fail(reading, "READ: the count is not the length of the data, or too large");
    return true;
}

/* What is inline behind the results has to be the data, or nothing. */
static const uint8_t *take_inline(struct reading *reading, const struct requester_reply *reply,
                                  const struct read_results *results)
{
    size_t left = reply->results_length - results->at;
    if (left == (results->length + 3) / 4 * 4)
        return reply->results + results->at;
    fail(reading, "READ: other data are inline than the count says");
    return NULL;
}

static const uint8_t *take_chunk(struct reading *reading, const struct requester_pending *pending,
                                 const struct requester_reply *reply,
                                 const struct read_results *results)
{
    if (reply->chunks == 1 && reply->item_length == results->length &&
        reply->results_length == results->at)
        return pending->item;
    fail(reading, "READ: the data are not in the chunk alone");
    return NULL;
}

/* As if all before the data had always the same length. */
static const uint8_t *take_spliced(const struct requester_pending *pending,
                                   const struct read_results *results)
{
    enum { HEAD = 8 + ATTRIBUTES + 12 };
    static uint8_t spliced[HEAD + ROOM];
    memset(spliced, 0, HEAD);
    memcpy(spliced + HEAD, pending->item, ROOM);
    return spliced + results->at;
}

static const uint8_t *take_data(struct reading *reading, const struct requester_pending *pending,
                                const struct requester_reply *reply,
                                const struct read_results *results)
{
    bool is_inline = reply->results_length > results->at;
    if (pending->item == NULL || (reading->fault == READ_TAKES_INLINE && is_inline))
        return take_inline(reading, reply, results);
    if (reading->fault == READ_TRUSTS_CHUNK)
        return pending->item;
    const uint8_t *data = take_chunk(reading, pending, reply, results);
    return data && reading->fault == READ_FIXED_HEAD ? take_spliced(pending, results) : data;
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
    const uint8_t *data = NULL;
    if (call(reading, &shape, &pending, &reply) && read_results(reading, &reply, &results))
        data = take_data(reading, &pending, &reply, &results);
    if (data) {
        reading->sum = told_sum(reading->sum, data, results.length);
        reading->offset += results.length;
        reading->end = results.end || results.length == 0;
    }
    requester_forget(reading->requester, &pending);
    return data != NULL;
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
