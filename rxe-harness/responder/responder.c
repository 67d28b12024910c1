// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Responder. A Send goes through rpcrdma_check_answer() first, which says what RFC
 * 8166 section 4.5 asks for; what remains has a header to go by. The Call is put together out of
 * the Payload stream and the Read chunks, executed, and the Reply taken apart again.
 */
#include "rxe-harness/responder/responder.h"

#include "conformance/base/count.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/responder/nfs3.h"

#include <rpcrdma/check.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>
#include <testprog.h>

#include <stdlib.h>
#include <string.h>

#define SEGMENTS_MAX 1024
#define READ_CHUNKS_MAX 64
#define WRITE_CHUNKS_MAX 64

/* RFC 5531 section 9 */
enum { SUCCESS = 0, PROG_UNAVAIL = 1, PROG_MISMATCH = 2, PROC_UNAVAIL = 3, GARBAGE_ARGS = 4 };

const struct link_options *responder_options(void)
{
    static const struct rpcrdma_private_data message = {.remote_invalidation = true,
                                                        .send_size = RESPONDER_INLINE,
                                                        .receive_size = RESPONDER_INLINE};
    static uint8_t octets[RPCRDMA_PRIVATE_DATA_LENGTH];
    static const struct link_options options = {.receive_size = RESPONDER_INLINE,
                                                .receives = 2 * RESPONDER_CREDITS,
                                                .private_data = octets,
                                                .private_length = sizeof octets,
                                                .timeout = 5000};
    rpcrdma_private_data_encode(octets, sizeof octets, &message);
    return &options;
}

struct responder {
    struct link *link;
    bool gone;
    bool invalidates;      /* the peer takes Send With Invalidate */
    uint32_t send_limit;   /* inline threshold of our Sends */
    uint8_t *call, *reply; /* RESPONDER_MESSAGE_MAX octets each */
};

/* A Call that is being answered. */
struct work {
    struct responder *responder;
    struct rpcrdma1_header header;
    const struct rpcrdma1_chunk_lists *chunks;
    const uint8_t *payload; /* as it was sent */
    size_t payload_length;
    size_t call_length, reply_length;
    size_t item_at, item_length; /* in the reply: the eligible result; its length word is before */
    bool has_item;
};

/* ---- the Call: what was sent, and what is to be read ---- */

static bool read_segments(struct work *work, struct rpcrdma1_segment segment, size_t *at)
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
static bool copy_payload(struct work *work, size_t *taken, size_t *at, uint64_t until)
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

static bool read_chunk(struct work *work, uint32_t position, size_t *at)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&work->chunks->rdma_reads);
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

/* Put the unreduced Call together. False: it cannot be, or is longer than we take. */
static bool collect_call(struct work *work)
{
    const struct rpcrdma1_read_list *reads = &work->chunks->rdma_reads;
    size_t at = 0, taken = 0;
    int64_t floor = -1;
    uint8_t *special = NULL;
    bool good = true;
    if (work->header.rdma_body.proc == RPCRDMA1_NOMSG) {
        /* The Position Zero Read chunk holds what is the payload otherwise. */
        good = read_chunk(work, 0, &at) && (special = malloc(at + 1)) != NULL;
        if (good)
            memcpy(special, work->responder->call, at);
        work->payload = special;
        work->payload_length = at;
        at = 0;
        floor = 0;
    }
    for (uint32_t position; good && (position = next_position(reads, floor)) != UINT32_MAX;) {
        good = copy_payload(work, &taken, &at, position) && at == position &&
               read_chunk(work, position, &at);
        floor = position;
    }
    good = good && copy_payload(work, &taken, &at, (uint64_t)at + work->payload_length - taken);
    work->call_length = at;
    free(special);
    return good;
}

/* ---- execution ---- */

static void put(struct work *work, uint32_t word)
{
    rpcrdma_xdr_store32(work->responder->reply + work->reply_length, word);
    work->reply_length += 4;
}

static void begin_reply(struct work *work, uint32_t xid, uint32_t status)
{
    work->reply_length = 0;
    const uint32_t words[] = {xid, 1, 0, 0, 0, status};
    for (size_t i = 0; i < COUNT(words); i++)
        put(work, words[i]);
}

/* An eligible result: from `data`, or, if that is NULL, the pattern of TEST_FETCH. */
static void put_data(struct work *work, const uint8_t *data, size_t length)
{
    put(work, (uint32_t)length);
    uint8_t *into = work->responder->reply + work->reply_length;
    for (size_t i = 0; i < length; i++)
        into[i] = data ? data[i] : TEST_OCTET(i);
    memset(into + length, 0, pad(length));
    work->has_item = true;
    work->item_at = work->reply_length;
    work->item_length = length;
    work->reply_length += length + pad(length);
}

/* Room for the RPC header and words beside the data. */
#define DATA_MAX (RESPONDER_MESSAGE_MAX - 64)

/* The arguments, all of what is left. */
static bool decode_args(const struct work *work, uint32_t procedure, size_t at,
                        struct rpcrdma_xdr_opaque *data)
{
    const uint8_t *args = work->responder->call + at;
    struct testprog_fetch_args fetch;
    struct testprog_data given;
    ptrdiff_t end;
    if (procedure == TEST_FETCH) {
        end = testprog_fetch_args_decode_complete(&fetch, args, work->call_length - at, NULL, NULL);
        *data = (struct rpcrdma_xdr_opaque){.length = end < 0 ? 0 : fetch.count};
    } else {
        end = testprog_data_decode_complete(&given, args, work->call_length - at, NULL, NULL);
        *data = end < 0 ? (struct rpcrdma_xdr_opaque){.length = 0} : given.octets;
    }
    return end >= 0;
}

static void execute_test(struct work *work, const struct rpcrdma_rpc_header *rpc, size_t at)
{
    struct rpcrdma_xdr_opaque data;
    if (!decode_args(work, rpc->proc, at, &data) || data.length > DATA_MAX) {
        begin_reply(work, rpc->xid, GARBAGE_ARGS);
        return;
    }
    begin_reply(work, rpc->xid, SUCCESS);
    if (rpc->proc == TEST_STORE) {
        uint32_t sum = 0;
        for (size_t i = 0; i < data.length; i++)
            sum += data.data[i];
        put(work, data.length);
        put(work, sum);
    } else {
        put_data(work, rpc->proc == TEST_FETCH ? NULL : data.data, data.length);
    }
}

static void execute_nfs3(struct work *work, const struct rpcrdma_rpc_header *rpc, size_t at)
{
    struct nfs3_results results;
    bool known =
        responder_nfs3(rpc->proc, work->responder->call + at, work->call_length - at, &results);
    begin_reply(work, rpc->xid, known ? SUCCESS : PROC_UNAVAIL);
    if (!known)
        return;
    memcpy(work->responder->reply + work->reply_length, results.octets, results.length);
    work->reply_length += results.length;
    if (results.has_data)
        put_data(work, NULL, results.data_length);
}

/* False: not a Call that can be answered. */
static bool execute(struct work *work)
{
    struct rpcrdma_rpc_header rpc;
    ptrdiff_t at = rpcrdma_rpc_header_decode(&rpc, work->responder->call, work->call_length, NULL);
    if (at < 0 || rpc.is_reply || rpc.rpcvers != 2 || rpc.xid != work->header.rdma_xid)
        return false;
    if (rpc.proc == 0)
        begin_reply(work, rpc.xid, SUCCESS);
    else if (rpc.prog == NFS3_PROGRAM && rpc.vers == NFS3_VERSION)
        execute_nfs3(work, &rpc, (size_t)at);
    else if (rpc.prog != TEST_PROGRAM)
        begin_reply(work, rpc.xid, PROG_UNAVAIL);
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

/* ---- the Reply ---- */

struct answer {
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk writes[WRITE_CHUNKS_MAX];
    struct rpcrdma1_segment segments[SEGMENTS_MAX];
    uint32_t write_count, segment_count;
    uint8_t octets[RESPONDER_INLINE];
};

static void answer_error(struct work *work)
{
    struct link *link = work->responder->link;
    struct rpcrdma1_header header = {.rdma_xid = work->header.rdma_xid,
                                     .rdma_vers = RPCRDMA_VERSION_1,
                                     .rdma_credit = RESPONDER_CREDITS};
    uint8_t octets[RPCRDMA1_ERR_CHUNK_LENGTH];
    header.rdma_body.proc = RPCRDMA1_ERROR;
    header.rdma_body.rdma_error.err = RPCRDMA1_ERR_CHUNK;
    rpcrdma1_header_encode(octets, sizeof octets, &header, NULL);
    link->ops->send(link, octets, sizeof octets, NULL);
}

/* Return a chunk with `data` written into its segments in order; what is not used has length 0.
 * False: the chunk has no room, or the peer's memory was refused. */
static bool fill_chunk(struct work *work, struct answer *answer,
                       const struct rpcrdma1_segment_array *offered,
                       struct rpcrdma1_segment_array *returned, const uint8_t *data, size_t length)
{
    struct link *link = work->responder->link;
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(offered);
    struct rpcrdma1_segment segment;
    if (offered->count > SEGMENTS_MAX - answer->segment_count ||
        length > rpcrdma1_segments_length(offered))
        return false;
    *returned = (struct rpcrdma1_segment_array){.items = answer->segments + answer->segment_count,
                                                .count = offered->count};
    while (rpcrdma1_segment_array_next(&iter, &segment)) {
        size_t part = length < segment.length ? length : segment.length;
        if (part > 0 && !link->ops->write(link, segment.handle, segment.offset, data, part))
            return false;
        data += part;
        length -= part;
        segment.length = (uint32_t)part;
        answer->segments[answer->segment_count++] = segment;
    }
    return true;
}

/* The first Write chunk with segments takes the eligible result; the others come back unused. */
static bool fill_write_list(struct work *work, struct answer *answer)
{
    const uint8_t *reply = work->responder->reply;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&work->chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    bool first = true, pushed = false;
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        bool used = first && work->has_item && chunk.target.count > 0;
        if (answer->write_count == WRITE_CHUNKS_MAX)
            return false;
        if (!fill_chunk(work, answer, &chunk.target, &answer->writes[answer->write_count++].target,
                        reply + work->item_at, used ? work->item_length : 0))
            return false;
        pushed = pushed || used;
        first = false;
    }
    if (pushed) /* what is in the chunk is not in the payload, padding neither */
        work->reply_length = work->item_at;
    return true;
}

/* A handle that the Call offered, for its Reply to invalidate. */
static bool offered_handle(const struct rpcrdma1_chunk_lists *chunks, uint32_t *handle)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&chunks->rdma_reads);
    struct rpcrdma1_read_segment read;
    struct rpcrdma1_write_chunk write;
    struct rpcrdma1_segment segment;
    if (rpcrdma1_read_list_next(&iter, &read)) {
        *handle = read.target.handle;
        return true;
    }
    iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    while (rpcrdma1_write_list_next(&iter, &write)) {
        struct rpcrdma_xdr_iter segments = rpcrdma1_segment_array_iter(&write.target);
        if (rpcrdma1_segment_array_next(&segments, &segment)) {
            *handle = segment.handle;
            return true;
        }
    }
    struct rpcrdma_xdr_iter reply = rpcrdma1_segment_array_iter(&chunks->rdma_reply.value.target);
    if (!chunks->rdma_reply.present || !rpcrdma1_segment_array_next(&reply, &segment))
        return false;
    *handle = segment.handle;
    return true;
}

static bool send_answer(struct work *work, struct answer *answer, bool is_long)
{
    struct responder *responder = work->responder;
    struct link *link = responder->link;
    size_t payload = is_long ? 0 : work->reply_length;
    ptrdiff_t length =
        rpcrdma1_header_encode(answer->octets, sizeof answer->octets, &answer->header, NULL);
    if (length < 0 || (size_t)length + payload > responder->send_limit)
        return false;
    memcpy(answer->octets + length, responder->reply, payload);
    uint32_t handle;
    bool invalidates = responder->invalidates && offered_handle(work->chunks, &handle);
    link->ops->send(link, answer->octets, (size_t)length + payload, invalidates ? &handle : NULL);
    return true;
}

/* Short if it fits inline, else in the Reply chunk. False: neither. */
static bool reply(struct work *work, struct answer *answer)
{
    struct responder *responder = work->responder;
    const struct rpcrdma1_write_chunk_opt *offered = &work->chunks->rdma_reply;
    struct rpcrdma1_chunk_lists lists = {.rdma_reads = {.count = 0}};
    answer->header = (struct rpcrdma1_header){.rdma_xid = work->header.rdma_xid,
                                              .rdma_vers = RPCRDMA_VERSION_1,
                                              .rdma_credit = RESPONDER_CREDITS};
    answer->write_count = answer->segment_count = 0;
    if (!fill_write_list(work, answer))
        return false;
    lists.rdma_writes =
        (struct rpcrdma1_write_list){.items = answer->writes, .count = answer->write_count};
    size_t header = RPCRDMA1_HEADER_MIN + 8 * (size_t)answer->write_count +
                    16 * (size_t)answer->segment_count +
                    (offered->present ? 4 + 16 * (size_t)offered->value.target.count : 0);
    bool is_long = header + work->reply_length > responder->send_limit;
    lists.rdma_reply.present = offered->present;
    if (is_long && !offered->present)
        return false;
    if (offered->present &&
        !fill_chunk(work, answer, &offered->value.target, &lists.rdma_reply.value.target,
                    responder->reply, is_long ? work->reply_length : 0))
        return false;
    answer->header.rdma_body.proc = is_long ? RPCRDMA1_NOMSG : RPCRDMA1_MSG;
    answer->header.rdma_body.rdma_msg = lists;
    return send_answer(work, answer, is_long);
}

/* ---- events ---- */

static void serve(struct responder *responder, const uint8_t *octets, size_t length)
{
    struct link *link = responder->link;
    uint8_t error[RPCRDMA_ANSWER_MAX];
    size_t error_length;
    static _Thread_local struct answer answer;
    enum rpcrdma_reaction reaction =
        rpcrdma_check_answer(octets, length, RESPONDER_CREDITS, error, &error_length);
    if (error_length > 0)
        link->ops->send(link, error, error_length, NULL);
    struct work work = {.responder = responder};
    if (reaction != RPCRDMA_PROCESS)
        return;
    ptrdiff_t header = rpcrdma1_header_decode(&work.header, octets, length, NULL, NULL);
    work.chunks = header < 0 ? NULL : rpcrdma1_chunks(&work.header);
    if (work.chunks == NULL)
        return;
    work.payload = octets + header;
    work.payload_length = length - (size_t)header;
    bool is_call = work.header.rdma_body.proc == RPCRDMA1_NOMSG
                       ? work.chunks->rdma_reads.count > 0
                       : work.payload_length >= 8 && rpcrdma_xdr_load32(work.payload + 4) == 0;
    if (!is_call)
        return; /* a Reply: we have sent no Call */
    if (!collect_call(&work) || !execute(&work) || !reply(&work, &answer))
        answer_error(&work);
}

bool responder_step(struct responder *responder, unsigned timeout)
{
    struct link_event event;
    if (responder->gone)
        return false;
    responder->link->ops->wait(responder->link, timeout, &event);
    if (event.type == LINK_RECEIVED)
        serve(responder, event.octets, event.length);
    responder->gone = event.type == LINK_CLOSED;
    return event.type == LINK_RECEIVED;
}

bool responder_gone(const struct responder *responder)
{
    return responder->gone;
}

void responder_announced(struct responder *responder, const uint8_t *octets, size_t length)
{
    struct rpcrdma_private_data own, peer;
    uint32_t thresholds[2];
    const struct link *link = responder->link;
    bool told = rpcrdma_private_data_find(&own, octets, length) == 0;
    bool learnt = rpcrdma_private_data_find(&peer, link->private_data, link->private_length) == 0;
    rpcrdma_inline_thresholds(learnt ? &peer : NULL, told ? &own : NULL, thresholds);
    responder->invalidates = learnt && peer.remote_invalidation;
    responder->send_limit =
        thresholds[1] < RESPONDER_INLINE ? thresholds[1] : (uint32_t)RESPONDER_INLINE;
}

struct responder *responder_new(struct link *link)
{
    struct responder *responder = calloc(1, sizeof *responder);
    if (responder == NULL)
        return NULL;
    responder->link = link;
    responder->call = malloc(RESPONDER_MESSAGE_MAX);
    responder->reply = malloc(RESPONDER_MESSAGE_MAX);
    if (responder->call == NULL || responder->reply == NULL) {
        responder->link = NULL; /* stays the caller's */
        responder_free(responder);
        return NULL;
    }
    const struct link_options *options = responder_options();
    responder_announced(responder, options->private_data, options->private_length);
    return responder;
}

void responder_free(struct responder *responder)
{
    if (responder->link)
        responder->link->ops->close(responder->link);
    free(responder->call);
    free(responder->reply);
    free(responder);
}

/* ---- over loopback ---- */

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    return responder_new(link);
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

struct transport *responder_loopback(void)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    return transport_loopback(&peer);
}
