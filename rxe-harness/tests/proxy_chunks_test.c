// SPDX-License-Identifier: BSD-3-Clause
/*
 * Chunks that pass through the proxy in both directions: those of a server's Call are read and
 * written by the client, and what is written beyond a segment is charged to who wrote it.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/proxy/proxy.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENT 1000
#define RESULT 2001
#define CALLBACK 0x40000000u /* a program of the reverse direction */
#define REVERSE_XID 0x1234u

static struct {
    struct proxy proxy;
    struct proxy_session *session;
    struct transport *transport;
    struct requester *client;
    struct link *server;
    uint8_t argument[ARGUMENT], result[RESULT + 3];
    struct link_memory reads, writes;
    uint8_t came[1024]; /* at the server */
    size_t came_length;
} stage;

/* ---- the server ---- */

static void *begin_server(void *arg, struct link *link)
{
    (void)arg;
    stage.server = link;
    return &stage;
}

static bool step_server(void *peer)
{
    struct link_event event;
    (void)peer;
    stage.server->ops->wait(stage.server, 0, &event);
    if (event.type != LINK_RECEIVED)
        return false;
    ck_assert_uint_le(event.length, sizeof stage.came);
    memcpy(stage.came, event.octets, event.length);
    stage.came_length = event.length;
    return true;
}

static void end_server(void *peer)
{
    (void)peer;
    stage.server->ops->close(stage.server);
}

/* ---- the proxy ---- */

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    struct link *server = proxy_reach(&stage.proxy, link);
    ck_assert_ptr_nonnull(server);
    stage.session = proxy_begin(&stage.proxy, link, server);
    return stage.session;
}

static void end(void *peer)
{
    (void)peer;
    if (stage.session)
        proxy_end(stage.session);
    stage.session = NULL;
}

static bool step(void *peer)
{
    bool something = stage.session && proxy_step(stage.session, 0);
    if (stage.session && proxy_gone(stage.session))
        end(peer);
    return something;
}

static bool target_invalidates; /* of the stages that are opened; over verbs it does not */

static void open_stage(void)
{
    static struct link_options options;
    options = *responder_options();
    options.receive_size = PROXY_RECEIVE;
    const struct loopback_peer server = {.options = responder_options(),
                                         .begin = begin_server,
                                         .step = step_server,
                                         .end = end_server};
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end};
    memset(&stage, 0, sizeof stage);
    stage.proxy.timeout = 1000;
    stage.proxy.target = transport_loopback(&server);
    stage.proxy.target->invalidates = target_invalidates;
    stage.transport = transport_loopback(&peer);
    stage.client = requester_open(stage.transport, 1000, true, NULL, NULL);
    ck_assert_ptr_nonnull(stage.client);
    stage.client->program = TEST_PROGRAM;
    stage.client->version = TEST_VERSION;
}

/* A server that calls has been called before. */
static void begin_with_a_call(void)
{
    static const struct requester_call null_call = {.procedure = TEST_NULL};
    struct requester_pending pending;
    struct link_event event;
    ck_assert(requester_begin(stage.client, &null_call, &pending));
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_NOTHING);
    requester_forget(stage.client, &pending);
}

static void close_stage(void)
{
    requester_close(stage.client);
    stage.transport->ops->close(stage.transport);
    stage.proxy.target->ops->close(stage.proxy.target);
}

static unsigned accused(const char *side, const char *rule)
{
    unsigned count = 0;
    for (size_t i = 0; i < stage.proxy.results.count; i++) {
        const struct result *result = &stage.proxy.results.list[i];
        count += result->rule && strcmp(result->from, side) == 0 &&
                 (rule == NULL || strcmp(result->rule, rule) == 0);
    }
    return count;
}

/* ---- a Call of the server's, with chunks ---- */

static size_t encode_call(uint8_t octets[1024])
{
    const struct rpcrdma1_read_segment read = {
        .position = REQUESTER_RPC + 4,
        .target = {stage.reads.handle, ARGUMENT, stage.reads.offset}};
    struct rpcrdma1_segment segments[2] = {
        {stage.writes.handle, RESULT / 2, stage.writes.offset},
        {stage.writes.handle, RESULT - RESULT / 2, stage.writes.offset + RESULT / 2}};
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = segments, .count = 2}};
    const struct rpcrdma1_header header = {
        .rdma_xid = REVERSE_XID,
        .rdma_vers = 1,
        .rdma_credit = 8,
        .rdma_body = {.proc = RPCRDMA1_MSG,
                      .rdma_msg = {.rdma_reads = {.items = &read, .count = 1},
                                   .rdma_writes = {.items = &chunk, .count = 1}}}};
    ptrdiff_t at = rpcrdma1_header_encode(octets, 1024, &header, NULL);
    ck_assert_int_gt(at, 0);
    requester_rpc(octets + at, REVERSE_XID, CALLBACK, 1, 1);
    rpcrdma_xdr_store32(octets + at + REQUESTER_RPC, ARGUMENT);
    return (size_t)at + REQUESTER_RPC + 4;
}

/* The client reads the argument, writes the result, and answers. */
static void answer_call(const struct link_event *event)
{
    struct rpcrdma1_header header;
    uint8_t argument[ARGUMENT], result[RESULT], reply[1024];
    struct link *link = stage.client->link;
    ptrdiff_t end = rpcrdma1_header_decode(&header, event->octets, event->length, NULL, NULL);
    ck_assert_int_gt(end, 0);
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&header.rdma_body.rdma_msg.rdma_reads);
    struct rpcrdma1_read_segment read;
    ck_assert(rpcrdma1_read_list_next(&iter, &read));
    ck_assert(
        link->ops->read(link, read.target.handle, read.target.offset, argument, sizeof argument));
    ck_assert_mem_eq(argument, stage.argument, ARGUMENT);
    memset(result, 'r', sizeof result);
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segments[2];
    iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    ck_assert(rpcrdma1_write_list_next(&iter, &chunk));
    iter = rpcrdma1_segment_array_iter(&chunk.target);
    for (int i = 0; i < 2; i++) {
        ck_assert(rpcrdma1_segment_array_next(&iter, &segments[i]));
        ck_assert(link->ops->write(link, segments[i].handle, segments[i].offset, result,
                                   segments[i].length));
    }
    header.rdma_body.rdma_msg.rdma_reads = (struct rpcrdma1_read_list){.count = 0};
    const struct rpcrdma1_write_chunk back = {.target = {.items = segments, .count = 2}};
    header.rdma_body.rdma_msg.rdma_writes =
        (struct rpcrdma1_write_list){.items = &back, .count = 1};
    ptrdiff_t at = rpcrdma1_header_encode(reply, sizeof reply, &header, NULL);
    ck_assert_int_gt(at, 0);
    const uint32_t rpc[] = {REVERSE_XID, 1, 0, 0, 0, 0, RESULT};
    for (size_t i = 0; i < 7; i++)
        rpcrdma_xdr_store32(reply + at + 4 * i, rpc[i]);
    ck_assert(requester_send(stage.client, reply, (size_t)at + sizeof rpc));
}

START_TEST(chunks_of_a_servers_call_are_relayed)
{
    struct link_event event;
    uint8_t octets[1024];
    open_stage();
    begin_with_a_call();
    for (size_t i = 0; i < ARGUMENT; i++)
        stage.argument[i] = (uint8_t)(i * 13);
    stage.reads = (struct link_memory){.octets = stage.argument, .length = ARGUMENT};
    stage.writes = (struct link_memory){.octets = stage.result, .length = RESULT};
    ck_assert(stage.server->ops->expose(stage.server, &stage.reads, LINK_PEER_READS));
    ck_assert(stage.server->ops->expose(stage.server, &stage.writes, LINK_PEER_WRITES));
    ck_assert(stage.server->ops->send(stage.server, octets, encode_call(octets), NULL));
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    answer_call(&event);
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_NOTHING);
    for (size_t i = 0; i < RESULT; i++)
        ck_assert_uint_eq(stage.result[i], 'r');
    ck_assert_uint_eq(stage.result[RESULT], 0);
    /* The Reply names the server's memory again. */
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segment;
    ck_assert_int_gt(rpcrdma1_header_decode(&header, stage.came, stage.came_length, NULL, NULL), 0);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    ck_assert(rpcrdma1_write_list_next(&iter, &chunk));
    iter = rpcrdma1_segment_array_iter(&chunk.target);
    for (int i = 0; i < 2; i++) {
        ck_assert(rpcrdma1_segment_array_next(&iter, &segment));
        ck_assert_uint_eq(segment.handle, stage.writes.handle);
        ck_assert_uint_eq(segment.offset, stage.writes.offset + (i ? RESULT / 2 : 0));
    }
    close_stage();
    ck_assert_uint_eq(accused("server", NULL), 0);
    ck_assert_uint_eq(accused("client", NULL), 0);
    results_free(&stage.proxy.results);
}
END_TEST

/* Memory of the server's that is not there: its connection ends, and it is the server's affair. */
START_TEST(memory_that_is_not_there_is_the_servers)
{
    struct link_event event;
    uint8_t octets[1024];
    open_stage();
    stage.reads = (struct link_memory){.handle = 77, .offset = 88};
    stage.writes = (struct link_memory){.octets = stage.result, .length = RESULT};
    ck_assert(stage.server->ops->expose(stage.server, &stage.writes, LINK_PEER_WRITES));
    ck_assert(stage.server->ops->send(stage.server, octets, encode_call(octets), NULL));
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_CLOSED);
    close_stage();
    const struct result *last = &stage.proxy.results.list[stage.proxy.results.count - 1];
    ck_assert_msg(strstr(last->actual, "ended by the server: an RDMA Read of the caller's") != NULL,
                  "%s", last->actual);
    results_free(&stage.proxy.results);
}
END_TEST

/* ---- memory that a Reply invalidates ---- */

/* An answer whose first segment comes back with this length; with `invalidates` its memory is taken
 * away from the caller. */
static void answer_with(const uint8_t *first, size_t length, uint32_t returned, bool invalidates)
{
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segment;
    uint8_t reply[1024];
    ptrdiff_t end = rpcrdma1_header_decode(&header, first, length, NULL, NULL);
    ck_assert_int_gt(end, 0);
    memcpy(reply, first, (size_t)end);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    ck_assert(rpcrdma1_write_list_next(&iter, &chunk));
    iter = rpcrdma1_segment_array_iter(&chunk.target);
    ck_assert(rpcrdma1_segment_array_next(&iter, &segment));
    rpcrdma_xdr_store32(reply + (chunk.target.wire - first) + 4, returned);
    const uint32_t rpc[] = {header.rdma_xid, 1, 0, 0, 0, 5};
    for (size_t i = 0; i < 6; i++)
        rpcrdma_xdr_store32(reply + end + 4 * (ptrdiff_t)i, rpc[i]);
    ck_assert(stage.server->ops->send(stage.server, reply, (size_t)end + sizeof rpc,
                                      invalidates ? &segment.handle : NULL));
}

/* What a Call with chunks took is free again once it is answered: one after the other there may be
 * more of them, or they may take more memory, than a connection may have at a time. */
START_TEST(room_is_given_back)
{
    const uint32_t room = _i == 0 ? 16 << 20 : 64;
    const uint64_t calls = _i == 0 ? CHUNKS_TOTAL_MAX / room + 1 : CHUNKS_CALLS_MAX + 1;
    static const uint8_t count[4] = {0, 0, 0, 64};
    const struct requester_call fetch = {.procedure = TEST_FETCH,
                                         .args = count,
                                         .args_length = 4,
                                         .write_segments = 1,
                                         .write_room = room};
    struct link_event event;
    open_stage();
    for (uint64_t i = 0; i < calls; i++) {
        struct requester_pending pending;
        uint8_t call[1024];
        ck_assert(requester_begin(stage.client, &fetch, &pending));
        requester_wait(stage.client, 100, &event);
        ck_assert_int_eq(event.type, LINK_NOTHING);
        memcpy(call, stage.came, stage.came_length);
        answer_with(call, stage.came_length, 0, false);
        requester_wait(stage.client, 100, &event);
        ck_assert_int_eq(event.type, LINK_RECEIVED);
        requester_forget(stage.client, &pending);
    }
    close_stage();
    results_free(&stage.proxy.results);
}
END_TEST

/* A Reply that comes twice takes the caller's memory away once; that of a segment without octets,
 * which may be none, stands for no other. */
START_TEST(a_copy_invalidates_nothing)
{
    static const uint8_t count[4] = {0, 0, 0, 64};
    const struct requester_call fetch = {.procedure = TEST_FETCH,
                                         .args = count,
                                         .args_length = 4,
                                         .write_segments = 2,
                                         .write_room = 64};
    struct requester_pending pending;
    struct link_event event;
    uint8_t call[REQUESTER_INLINE];
    size_t length;
    target_invalidates = true;
    open_stage();
    target_invalidates = false;
    ck_assert(proxy_fault_read(&stage.proxy.fault, "twice-reply:1"));
    ck_assert(requester_prepare(stage.client, &fetch, &pending, call, &length));
    for (size_t i = 0; i < 2 && _i == 1; i++) /* handle and length of the first segment */
        rpcrdma_xdr_store32(call + 28 + 4 * i, i == 0 ? 0xdead : 0);
    ck_assert(requester_send(stage.client, call, length));
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_NOTHING);
    memcpy(call, stage.came, stage.came_length);
    answer_with(call, stage.came_length, 0, true);
    for (int i = 0; i < 2; i++) {
        requester_wait(stage.client, 100, &event);
        ck_assert_int_eq(event.type, LINK_RECEIVED);
        ck_assert_int_eq(event.invalidated, i == 0);
    }
    requester_forget(stage.client, &pending);
    close_stage();
    results_free(&stage.proxy.results);
}
END_TEST

/* A Call with a Read chunk came after the one whose memory is invalidated: the client is shown its
 * own name for the right memory. */
START_TEST(the_right_memory_is_invalidated)
{
    static const uint8_t count[4] = {0, 0, 0, 64}, data[68] = {0, 0, 0, 64};
    const struct requester_call fetch = {.procedure = TEST_FETCH,
                                         .args = count,
                                         .args_length = 4,
                                         .write_segments = 1,
                                         .write_room = 64},
                                store = {.procedure = TEST_STORE,
                                         .args = data,
                                         .args_length = sizeof data,
                                         .item_at = 4,
                                         .item_length = 64,
                                         .read_segments = 1};
    struct requester_pending pending[2];
    struct link_event event;
    uint8_t first[1024];
    open_stage();
    ck_assert(requester_begin(stage.client, &fetch, &pending[0]));
    requester_wait(stage.client, 100, &event);
    size_t length = stage.came_length;
    memcpy(first, stage.came, length);
    ck_assert(requester_begin(stage.client, &store, &pending[1]));
    requester_wait(stage.client, 100, &event);
    ck_assert_mem_ne(first, stage.came, 4);
    answer_with(first, length, 0, true);
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    for (int i = 0; i < 2; i++)
        requester_forget(stage.client, &pending[i]);
    close_stage();
    /* The server was informed that nothing may be invalidated; what it did was its own Call's. */
    ck_assert_uint_eq(accused("server", "rfc8797/4.1/plain-send-without-support"), 1);
    ck_assert_uint_eq(accused("server", "rfc8797/4.1/invalidate-own-transaction"), 0);
    results_free(&stage.proxy.results);
}
END_TEST

/* A segment that comes back longer than it was: no more is written than there is room. */
START_TEST(no_more_is_written_than_was_offered)
{
    static const uint8_t count[4] = {0, 0, 0, 64};
    const struct requester_call fetch = {.procedure = TEST_FETCH,
                                         .args = count,
                                         .args_length = 4,
                                         .write_segments = 1,
                                         .write_room = 64};
    struct requester_pending pending;
    struct link_event event;
    open_stage();
    ck_assert(requester_begin(stage.client, &fetch, &pending));
    requester_wait(stage.client, 100, &event);
    answer_with(stage.came, stage.came_length, _i == 0 ? 65 : 63, false);
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    requester_forget(stage.client, &pending);
    close_stage();
    if (_i == 0)
        ck_assert_uint_gt(accused("server", NULL), 0);
    const struct result *last = &stage.proxy.results.list[stage.proxy.results.count - 1];
    ck_assert_ptr_nonnull(strstr(last->actual, _i == 0 ? " and 64 written" : " and 63 written"));
    results_free(&stage.proxy.results);
}
END_TEST

/* ---- what is written beyond a segment ---- */

/* A FETCH whose Write chunk has two segments: the first is filled, and this many octets more; and
 * four octets after it and a hole, which may be none; of the second the last ones are not written.
 */
static void fetch_with(size_t more, size_t hole, size_t less)
{
    static const uint8_t count[4] = {0, 0, RESULT >> 8, RESULT & 0xff};
    const struct requester_call fetch = {.procedure = TEST_FETCH,
                                         .args = count,
                                         .args_length = 4,
                                         .write_segments = 2,
                                         .write_room = RESULT + 3};
    struct requester_pending pending;
    struct link_event event;
    uint8_t data[RESULT + 100], reply[1024];
    open_stage();
    ck_assert(requester_begin(stage.client, &fetch, &pending));
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_NOTHING);
    struct rpcrdma1_header header;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segment;
    ptrdiff_t end = rpcrdma1_header_decode(&header, stage.came, stage.came_length, NULL, NULL);
    ck_assert_int_gt(end, 0);
    memcpy(reply, stage.came, (size_t)end);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = TEST_OCTET(i);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    ck_assert(rpcrdma1_write_list_next(&iter, &chunk));
    iter = rpcrdma1_segment_array_iter(&chunk.target);
    size_t done = 0;
    for (size_t i = 0; rpcrdma1_segment_array_next(&iter, &segment); i++) {
        size_t part = i == 0 ? segment.length : RESULT - done;
        ck_assert(stage.server->ops->write(stage.server, segment.handle, segment.offset,
                                           data + done, i == 0 ? part + more : part - less));
        if (i == 0 && hole > 0)
            ck_assert(stage.server->ops->write(stage.server, segment.handle,
                                               segment.offset + part + hole, "hole", 4));
        rpcrdma_xdr_store32(reply + (chunk.target.wire - stage.came) + 16 * i + 4, (uint32_t)part);
        done += part;
    }
    const uint32_t rpc[] = {header.rdma_xid, 1, 0, 0, 0, 0, RESULT};
    for (size_t i = 0; i < 7; i++)
        rpcrdma_xdr_store32(reply + end + 4 * (ptrdiff_t)i, rpc[i]);
    ck_assert(stage.server->ops->send(stage.server, reply, (size_t)end + sizeof rpc, NULL));
    requester_wait(stage.client, 100, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_mem_eq(pending.item, data, RESULT - less);
    requester_forget(stage.client, &pending);
    close_stage();
}

/* More than a segment holds, or less than is returned, but for what may be so by chance. */
START_TEST(a_write_of_another_length_is_seen)
{
    static const char within[] = "rfc8166/4.5.3/within-offered-memory",
                      written[] = "rfc8166/3.4.6/returned-length-written";
    static const struct {
        size_t more, less;
        const char *rule;
    } rows[] = {{0, 0, NULL},    {1, 0, within}, {4, 0, within},  {63, 0, within},  {64, 0, within},
                {90, 0, within}, {0, 7, NULL},   {0, 8, written}, {0, 500, written}};
    fetch_with(rows[_i].more, 0, rows[_i].less);
    unsigned found = accused("server", rows[_i].rule);
    ck_assert_uint_eq(found, rows[_i].rule != NULL);
    ck_assert_uint_eq(accused("client", NULL), 0);
    ck_assert_uint_eq(accused("server", NULL), found);
    const struct results *all = &stage.proxy.results;
    ck_assert_ptr_nonnull(
        strstr(all->list[all->count - 1].actual, "; 0 octets read from and 2001 "));
    results_free(&stage.proxy.results);
}
END_TEST

/* The finding counts up to its last octet, whatever is in between. */
START_TEST(a_write_after_a_hole_is_told_whole)
{
    fetch_with(0, (size_t)_i, 0);
    char octets[64];
    snprintf(octets, sizeof octets, "%d octets from ", _i + 4);
    ck_assert_uint_eq(accused("server", NULL), 1);
    const struct result *found = &stage.proxy.results.list[0];
    ck_assert_str_eq(found->rule, "rfc8166/4.5.3/within-offered-memory");
    ck_assert_ptr_null(strstr(found->actual, "XID")); /* an RDMA operation has none */
    ck_assert_msg(strncmp(found->actual, octets, strlen(octets)) == 0, "%s", found->actual);
    results_free(&stage.proxy.results);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("proxy-chunks");
    tcase_add_test(tests, chunks_of_a_servers_call_are_relayed);
    tcase_add_test(tests, memory_that_is_not_there_is_the_servers);
    tcase_add_loop_test(tests, a_copy_invalidates_nothing, 0, 2);
    tcase_add_test(tests, the_right_memory_is_invalidated);
    tcase_add_loop_test(tests, room_is_given_back, 0, 2);
    tcase_add_loop_test(tests, no_more_is_written_than_was_offered, 0, 2);
    tcase_add_loop_test(tests, a_write_of_another_length_is_seen, 0, 9);
    tcase_add_loop_test(tests, a_write_after_a_hole_is_told_whole, 1, 61);
    return run_tests("proxy-chunks", tests);
}
