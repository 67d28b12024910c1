// SPDX-License-Identifier: BSD-3-Clause
/* The Call: what was sent and what is to be read of the Requester's memory, and its execution. */
#include "rxe-harness/responder/work.h"

#include "conformance/base/count.h"
#include "rxe-harness/responder/nfs3.h"
#include "rxe-harness/responder/nfs4.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpc_header.h>
#include <testprog.h>

#include <stdlib.h>
#include <string.h>

/* RFC 5531 section 9 */
enum { SUCCESS = 0, PROG_UNAVAIL = 1, PROG_MISMATCH = 2, PROC_UNAVAIL = 3, GARBAGE_ARGS = 4 };

static bool read_segments(struct served_call *work, struct rpcrdma1_segment segment, size_t *at)
{
    struct link *link = work->responder->link;
    if (segment.length > RESPONDER_MESSAGE_MAX - *at)
        return false;
    if (!link->ops->read(link, segment.handle, segment.offset, work->responder->call + *at,
                         segment.length))
        return false;
    *at += segment.length;
    return true;
}

static size_t pad(size_t length)
{
    return (4 - length % 4) % 4;
}

/* Octets of the Payload stream up to this Position of the unreduced message. */
static bool copy_payload(struct served_call *work, size_t *taken, size_t *at, uint64_t until)
{
    size_t wanted = until > *at ? (size_t)(until - *at) : 0;
    if (wanted > work->payload_length - *taken || wanted > RESPONDER_MESSAGE_MAX - *at)
        return false;
    memcpy(work->responder->call + *at, work->payload + *taken, wanted);
    *taken += wanted;
    *at += wanted;
    return true;
}

/* The read chunk of the lowest Position above `floor`, or UINT32_MAX. */
static uint32_t next_position(const struct rpcrdma1_read_list *reads, int64_t floor)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    uint32_t lowest = UINT32_MAX;
    while (rpcrdma1_read_list_next(&iter, &segment))
        if ((int64_t)segment.position > floor && segment.position < lowest)
            lowest = segment.position;
    return lowest;
}

static bool read_chunk(struct served_call *work, const struct rpcrdma1_read_list *reads,
                       uint32_t position, size_t *at)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment segment;
    size_t begin = *at;
    while (rpcrdma1_read_list_next(&iter, &segment))
        if (segment.position == position && !read_segments(work, segment.target, at))
            return false;
    size_t padding = pad(*at - begin);
    if (padding > RESPONDER_MESSAGE_MAX - *at)
        return false;
    memset(work->responder->call + *at, 0, padding);
    *at += padding;
    return true;
}

bool responder_collect(struct served_call *work)
{
    const struct rpcrdma1_read_list *reads = &work->message.chunks.rdma_reads;
    size_t at = 0, taken = 0;
    int64_t floor = -1;
    uint8_t *special = NULL;
    bool good = true;
    if (work->message.form == RPCRDMA_FORM_SPECIAL) {
        /* The Position Zero Read chunk holds what is the payload otherwise. */
        bool apart = work->message.protocol == RPCRDMA_PROTOCOL_2_07;
        good = read_chunk(work, apart ? &work->message.call_chunk : reads, 0, &at) &&
               (special = malloc(at + 1)) != NULL;
        if (good)
            memcpy(special, work->responder->call, at);
        work->payload = special;
        work->payload_length = at;
        at = 0;
        floor = 0;
    }
    for (uint32_t position; good && (position = next_position(reads, floor)) != UINT32_MAX;) {
        good = copy_payload(work, &taken, &at, position) && at == position &&
               read_chunk(work, reads, position, &at);
        floor = position;
    }
    good = good && copy_payload(work, &taken, &at, (uint64_t)at + work->payload_length - taken);
    work->call_length = at;
    free(special);
    return good;
}

/* ---- execution ---- */

static void put(struct served_call *work, uint32_t word)
{
    rpcrdma_xdr_store32(work->responder->reply + work->reply_length, word);
    work->reply_length += 4;
}

static void begin_reply(struct served_call *work, uint32_t xid, uint32_t status)
{
    work->reply_length = 0;
    work->item_count = 0;
    const uint32_t words[] = {xid, 1, 0, 0, 0, status};
    for (size_t i = 0; i < COUNT(words); i++)
        put(work, words[i]);
}

/* An eligible result: from `data`, or, if that is NULL, the pattern of TEST_FETCH. */
static void put_data(struct served_call *work, const uint8_t *data, size_t length)
{
    put(work, (uint32_t)length);
    uint8_t *into = work->responder->reply + work->reply_length;
    for (size_t i = 0; i < length; i++)
        into[i] = data ? data[i] : TEST_OCTET(i);
    memset(into + length, 0, pad(length));
    work->items[work->item_count++] = (struct served_item){work->reply_length, length};
    work->reply_length += length + pad(length);
}

/* Room for the RPC header and words beside the data. */
#define DATA_MAX (RESPONDER_MESSAGE_MAX - 64)

/* The arguments, all of what is left. */
static bool decode_args(const struct served_call *work, uint32_t procedure, size_t at,
                        struct rpcrdma_xdr_opaque *data)
{
    const uint8_t *args = work->responder->call + at;
    struct testprog_fetch_args fetch;
    struct testprog_data given;
    ptrdiff_t end;
    if (procedure == TEST_FETCH) {
        end = testprog_fetch_args_decode_complete(&fetch, args, work->call_length - at, NULL, NULL);
        *data = (struct rpcrdma_xdr_opaque){.length = rpcrdma_xdr_failed(end) ? 0 : fetch.count};
    } else {
        end = testprog_data_decode_complete(&given, args, work->call_length - at, NULL, NULL);
        *data = rpcrdma_xdr_failed(end) ? (struct rpcrdma_xdr_opaque){.length = 0} : given.octets;
    }
    return !rpcrdma_xdr_failed(end);
}

/* What STORE and GATHER say of the data that came. */
struct stored {
    uint32_t count, sum;
};

static void store(struct stored *stored, const struct rpcrdma_xdr_opaque *data)
{
    stored->count += data->length;
    for (size_t i = 0; i < data->length; i++)
        stored->sum += data->data[i];
}

static void put_stored(struct served_call *work, const struct rpcrdma_rpc_header *rpc,
                       const struct stored *stored)
{
    begin_reply(work, rpc->xid, SUCCESS);
    put(work, stored->count);
    put(work, stored->sum);
}

static void execute_gather(struct served_call *work, const struct rpcrdma_rpc_header *rpc,
                           size_t at)
{
    struct testprog_gather_args args;
    struct testprog_data item;
    struct stored stored = {0};
    if (rpcrdma_xdr_failed(testprog_gather_args_decode_complete(
            &args, work->responder->call + at, work->call_length - at, NULL, NULL))) {
        begin_reply(work, rpc->xid, GARBAGE_ARGS);
        return;
    }
    struct rpcrdma_xdr_iter iter = testprog_data_array_iter(&args.parts);
    while (testprog_data_array_next(&iter, &item))
        store(&stored, &item.octets);
    put_stored(work, rpc, &stored);
}

static void execute_test(struct served_call *work, const struct rpcrdma_rpc_header *rpc, size_t at)
{
    struct rpcrdma_xdr_opaque data;
    struct stored stored = {0};
    if (!decode_args(work, rpc->proc, at, &data) || data.length > DATA_MAX) {
        begin_reply(work, rpc->xid, GARBAGE_ARGS);
        return;
    }
    if (rpc->proc == TEST_STORE) {
        store(&stored, &data);
        put_stored(work, rpc, &stored);
        return;
    }
    begin_reply(work, rpc->xid, SUCCESS);
    put_data(work, rpc->proc == TEST_FETCH ? NULL : data.data, data.length);
}

static void put_octets(struct served_call *work, const uint8_t *octets, size_t length)
{
    memcpy(work->responder->reply + work->reply_length, octets, length);
    work->reply_length += length;
}

static void execute_nfs3(struct served_call *work, const struct rpcrdma_rpc_header *rpc, size_t at)
{
    struct nfs3_results results;
    bool known = responder_nfs3(&work->responder->store, rpc->proc, work->responder->call + at,
                                work->call_length - at, &results);
    begin_reply(work, rpc->xid, known ? SUCCESS : PROC_UNAVAIL);
    if (!known)
        return;
    put_octets(work, results.octets, results.length);
    if (results.has_data)
        put_data(work, results.data, results.data_length);
}

static void put_results(struct served_call *work, const struct nfs4_results *results)
{
    size_t at = 0;
    for (unsigned i = 0; i < results->item_count; i++) {
        const struct nfs4_item *item = &results->items[i];
        put_octets(work, results->octets + at, item->at - at);
        put_data(work, item->octets, item->length);
        at = item->at;
    }
    put_octets(work, results->octets + at, results->length - at);
}

static void execute_nfs4(struct served_call *work, const struct rpcrdma_rpc_header *rpc, size_t at)
{
    struct responder *responder = work->responder;
    if (rpc->proc != NFS4_COMPOUND) {
        begin_reply(work, rpc->xid, PROC_UNAVAIL);
        return;
    }
    nfs4_enter(responder->nfs4, responder->nfs4_connection);
    const struct nfs4_results *results =
        nfs4_compound(responder->nfs4, responder->call + at, work->call_length - at);
    begin_reply(work, rpc->xid, results ? SUCCESS : GARBAGE_ARGS);
    if (results)
        put_results(work, results);
    nfs4_leave(responder->nfs4);
}

/* ---- eligible arguments ---- */

struct eligible {
    const struct rpcrdma1_read_list *reads;
    unsigned chunks; /* of them that hold an eligible argument */
};

static void count_argument(void *arg, const struct rpcrdma_item *item)
{
    struct eligible *eligible = arg;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(eligible->reads);
    struct rpcrdma1_read_segment segment;
    bool found = false;
    while (rpcrdma1_read_list_next(&iter, &segment))
        found = found || segment.position == item->position;
    eligible->chunks += found;
}

static void pass_over(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
}

/* Whether each Read chunk beside a Call of NFS is an argument that may be in one (RFC 8267). */
static bool is_eligible(const struct served_call *work, const struct rpcrdma_rpc_header *rpc,
                        size_t at)
{
    const struct rpcrdma1_read_list *reads = &work->message.chunks.rdma_reads;
    struct eligible eligible = {.reads = reads};
    struct rpcrdma_xdr_reduction whole = {.hole_count = 0};
    const struct rpcrdma_item_sink sink = {
        .argument = count_argument, .expected = pass_over, .arg = &eligible};
    struct rpcrdma_content content = {.version = rpc->vers,
                                      .procedure = rpc->proc,
                                      .octets = work->responder->call + at,
                                      .length = work->call_length - at,
                                      .position = at,
                                      .reduction = &whole};
    const struct rpcrdma_binding *binding =
        rpcrdma_binding_find(rpcrdma_bindings, rpc->prog, rpc->vers);
    uint32_t position = next_position(reads, 0);
    if (binding && position != UINT32_MAX)
        binding->call(&content, &sink);
    for (; position != UINT32_MAX; position = next_position(reads, position))
        if (eligible.chunks-- == 0)
            return false;
    return true;
}

bool responder_execute(struct served_call *work)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t at = rpcrdma_rpc_header_decode(&rpc, work->responder->call, work->call_length, NULL);
    if (rpcrdma_xdr_failed(at) || rpc.is_reply || rpc.rpcvers != 2 ||
        rpc.xid != work->message.prefix.xid)
        return false;
    bool is_nfs3 = rpc.prog == NFS3_PROGRAM && rpc.vers == NFS3_VERSION && rpc.proc != 0;
    bool is_nfs4 = rpc.prog == NFS4_PROGRAM && rpc.vers == NFS4_VERSION && rpc.proc != 0 &&
                   work->responder->nfs4;
    if ((is_nfs3 || is_nfs4) && !is_eligible(work, &rpc, (size_t)at))
        return false;
    if (rpc.proc == 0)
        begin_reply(work, rpc.xid, SUCCESS);
    else if (is_nfs3)
        execute_nfs3(work, &rpc, (size_t)at);
    else if (is_nfs4)
        execute_nfs4(work, &rpc, (size_t)at);
    else if (rpc.prog != TEST_PROGRAM)
        begin_reply(work, rpc.xid, PROG_UNAVAIL);
    else if (rpc.vers == TEST_VERSION && rpc.proc == TEST_GATHER)
        execute_gather(work, &rpc, (size_t)at);
    else if (rpc.vers == TEST_VERSION && rpc.proc <= TEST_ECHO)
        execute_test(work, &rpc, (size_t)at);
    else
        begin_reply(work, rpc.xid, rpc.vers == TEST_VERSION ? PROC_UNAVAIL : PROG_MISMATCH);
    if (rpc.prog == TEST_PROGRAM && rpc.proc != 0 && rpc.vers != TEST_VERSION) {
        put(work, TEST_VERSION);
        put(work, TEST_VERSION);
    }
    return true;
}
