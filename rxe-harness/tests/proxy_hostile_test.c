// SPDX-License-Identifier: BSD-3-Clause
/* The proxy between peers that keep to nothing: who is accused, what it costs, what is lost. */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/proxy/proxy.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 6000
#define WAITING 4

/* ---- a server that does what the test says ---- */

struct server;
typedef void behaviour(struct server *server, const uint8_t *call, size_t length);

struct server {
    struct link *link;
    behaviour *script; /* for every message but the first, which is answered */
    unsigned messages;
    struct {
        uint8_t octets[1024];
        size_t length;
    } waiting[WAITING]; /* messages that a script keeps */
    unsigned count;
    bool gone;
};

/* The header of the Call comes back, with `length` octets in each segment if that is less. */
static size_t make_reply(uint8_t *reply, const uint8_t *call, size_t length, uint32_t most)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, call, length, NULL, NULL);
    ck_assert_int_gt(end, 0);
    memcpy(reply, call, (size_t)end);
    const struct rpcrdma1_write_list *writes = &header.rdma_body.rdma_msg.rdma_writes;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        for (uint32_t i = 0; i < chunk.target.count; i++) {
            uint8_t *at = reply + (chunk.target.wire - call) + 16 * (size_t)i + 4;
            rpcrdma_xdr_store32(at, rpcrdma_xdr_load32(at) < most ? rpcrdma_xdr_load32(at) : most);
        }
    const uint32_t rpc[6] = {header.rdma_xid, 1};
    for (size_t i = 0; i < 6; i++)
        rpcrdma_xdr_store32(reply + end + 4 * i, rpc[i]);
    return (size_t)end + sizeof rpc;
}

/* Fill the Write chunks with this octet, and answer. */
static void answer(struct server *server, const uint8_t *call, size_t length, int octet)
{
    struct rpcrdma1_header header;
    uint8_t reply[1024], data[ROOM];
    const struct link_ops *ops = server->link->ops;
    ck_assert_int_gt(rpcrdma1_header_decode(&header, call, length, NULL, NULL), 0);
    memset(data, octet, sizeof data);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&header.rdma_body.rdma_msg.rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma1_segment segment;
    while (rpcrdma1_write_list_next(&iter, &chunk)) {
        struct rpcrdma_xdr_iter segments = rpcrdma1_segment_array_iter(&chunk.target);
        while (rpcrdma1_segment_array_next(&segments, &segment))
            ck_assert(
                ops->write(server->link, segment.handle, segment.offset, data, segment.length));
    }
    size_t octets = make_reply(reply, call, length, UINT32_MAX);
    ck_assert(ops->send(server->link, reply, octets, NULL));
}

static void keep(struct server *server, const uint8_t *call, size_t length)
{
    ck_assert_uint_lt(server->count, WAITING);
    ck_assert_uint_le(length, sizeof server->waiting[0].octets);
    memcpy(server->waiting[server->count].octets, call, length);
    server->waiting[server->count++].length = length;
}

static void answer_kept(struct server *server, unsigned number, int octet)
{
    answer(server, server->waiting[number].octets, server->waiting[number].length, octet);
}

static void *begin_server(void *arg, struct link *link)
{
    struct server *server = arg; /* the first of two */
    if (server->link)
        server++;
    server->link = link;
    return server;
}

static bool step_server(void *peer)
{
    struct server *server = peer;
    struct link_event event;
    if (server->gone)
        return false;
    server->link->ops->wait(server->link, 0, &event);
    if (event.type != LINK_RECEIVED)
        return false;
    if (server->messages++ == 0)
        answer(server, event.octets, event.length, 0);
    else
        server->script(server, event.octets, event.length);
    return true;
}

static void end_server(void *peer)
{
    struct server *server = peer;
    if (!server->gone)
        server->link->ops->close(server->link);
}

/* ---- the proxy between ---- */

struct meeting {
    struct proxy_session *session;
};

static struct stage {
    struct proxy proxy;
    struct server servers[2];
    struct transport *transport;
    struct meeting meetings[2];
    unsigned count;
    struct requester *requester;
} stage;

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    struct link *server = proxy_reach(&stage.proxy, link);
    struct meeting *meeting = &stage.meetings[stage.count++];
    ck_assert_ptr_nonnull(server);
    meeting->session = proxy_begin(&stage.proxy, link, server);
    return meeting;
}

static void end(void *peer)
{
    struct meeting *meeting = peer;
    if (meeting->session)
        proxy_end(meeting->session);
    meeting->session = NULL;
}

static bool step(void *peer)
{
    struct meeting *meeting = peer;
    bool something = meeting->session && proxy_step(meeting->session, 0);
    if (meeting->session && proxy_gone(meeting->session))
        end(peer);
    return something;
}

static struct requester *connect_client(void)
{
    struct requester *requester = requester_open(stage.transport, 1000, true, NULL, NULL);
    ck_assert_ptr_nonnull(requester);
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
    return requester;
}

static struct link_options proxy_options;

static void forget(void)
{
    results_free(&stage.proxy.results);
}

/* The client has had its first Reply already. */
static void open_stage(behaviour *script)
{
    proxy_options = *responder_options();
    proxy_options.receive_size = PROXY_RECEIVE;
    const struct loopback_peer server = {.options = responder_options(),
                                         .begin = begin_server,
                                         .step = step_server,
                                         .end = end_server,
                                         .arg = stage.servers};
    const struct loopback_peer peer = {
        .options = &proxy_options, .begin = begin, .step = step, .end = end};
    stage = (struct stage){.proxy = {.timeout = 1000, .target = transport_loopback(&server)},
                           .servers = {{.script = script}, {.script = script}}};
    stage.proxy.target->invalidates = false;
    stage.transport = transport_loopback(&peer);
    stage.requester = connect_client();
    ck_assert(requester_null(stage.requester, 100));
}

static void close_stage(void)
{
    requester_close(stage.requester);
    stage.transport->ops->close(stage.transport);
    stage.proxy.target->ops->close(stage.proxy.target);
}

/* How often this side is accused, of this rule or of any. */
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

static const struct result *last_result(void)
{
    ck_assert_uint_gt(stage.proxy.results.count, 0);
    return &stage.proxy.results.list[stage.proxy.results.count - 1];
}

static void assert_told(const char *text)
{
    const char *actual = last_result()->actual;
    ck_assert_msg(strstr(actual, text) != NULL, "%s", actual);
}

static const struct requester_call null_call = {.procedure = TEST_NULL};
static const struct requester_call fetch = {
    .procedure = TEST_FETCH, .write_segments = 2, .write_room = ROOM};

static void drop(struct server *server, const uint8_t *call, size_t length)
{
    (void)server, (void)call, (void)length;
}

static void pump(struct requester *requester)
{
    struct link_event event;
    requester_wait(requester, 100, &event);
}

/* ---- Calls ---- */

static void in_turn(struct server *server, const uint8_t *call, size_t length)
{
    keep(server, call, length);
    for (unsigned i = 0; server->count == 2 && i < 2; i++)
        answer_kept(server, i, 'a' + (int)i);
}

static void assert_item(const struct requester_pending *pending, int octet)
{
    for (size_t i = 0; i < ROOM; i++)
        ck_assert_uint_eq(pending->item[i], octet);
}

START_TEST(calls_of_one_xid_have_memory_of_their_own)
{
    struct requester_pending pending[2];
    open_stage(in_turn);
    for (int i = 0; i < 2; i++) {
        ck_assert(requester_begin(stage.requester, &fetch, &pending[i]));
        stage.requester->xid--;
    }
    pump(stage.requester);
    pump(stage.requester);
    assert_item(&pending[0], 'a');
    assert_item(&pending[1], 'b');
    for (int i = 0; i < 2; i++)
        requester_forget(stage.requester, &pending[i]);
    close_stage();
    ck_assert_uint_eq(accused("server", NULL), 0);
}
END_TEST

static void once(struct server *server, const uint8_t *call, size_t length)
{
    if (server->messages == 3)
        answer(server, call, length, 0);
}

START_TEST(a_call_sent_again_is_one)
{
    struct requester_pending pending;
    open_stage(once);
    for (int i = 0; i < 2; i++) {
        ck_assert(requester_begin(stage.requester, &null_call, &pending));
        requester_forget(stage.requester, &pending);
        stage.requester->xid--;
    }
    pump(stage.requester);
    close_stage();
    assert_told(" 0 of them unanswered");
    ck_assert_int_eq(last_result()->ending, ENDING_REQUIRED);
}
END_TEST

START_TEST(a_call_that_is_too_large_is_not_the_clients_fault)
{
    static const struct requester_call huge = {
        .procedure = TEST_FETCH, .write_segments = 2, .write_room = CHUNKS_CALL_MAX + 4};
    struct requester_pending pending;
    open_stage(drop);
    ck_assert(requester_begin(stage.requester, &huge, &pending));
    pump(stage.requester);
    requester_forget(stage.requester, &pending);
    close_stage();
    assert_told("ended by the proxy");
    ck_assert_int_eq(last_result()->ending, ENDING_NOT_APPLICABLE);
    ck_assert_uint_eq(results_failed(&stage.proxy.results), 0);
}
END_TEST

START_TEST(who_stops_the_proxy_accuses_nobody)
{
    struct requester_pending pending;
    open_stage(drop);
    ck_assert(requester_begin(stage.requester, &fetch, &pending));
    pump(stage.requester);
    end(&stage.meetings[0]);
    requester_forget(stage.requester, &pending);
    close_stage();
    assert_told(" 1 of them unanswered");
    ck_assert_uint_eq(results_failed(&stage.proxy.results), 0);
}
END_TEST

START_TEST(what_a_long_call_holds_is_the_clients)
{
    struct requester_memory memory = {.count = 0};
    struct link_memory piece;
    uint8_t rpc[REQUESTER_RPC], call[RPCRDMA1_HEADER_MIN + 24];
    open_stage(drop);
    requester_rpc(rpc, 0xbad, TEST_PROGRAM, TEST_VERSION, TEST_NULL);
    ck_assert(requester_expose(stage.requester, &memory, rpc, sizeof rpc, LINK_PEER_READS, &piece));
    const uint32_t words[] = {0x1234,
                              1,
                              8,
                              1,
                              1,
                              0,
                              piece.handle,
                              sizeof rpc,
                              (uint32_t)(piece.offset >> 32),
                              (uint32_t)piece.offset};
    memset(call, 0, sizeof call);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        rpcrdma_xdr_store32(call + 4 * i, words[i]);
    ck_assert(requester_send(stage.requester, call, sizeof call));
    pump(stage.requester);
    requester_hide(stage.requester, &memory);
    close_stage();
    ck_assert_uint_eq(accused("client", "rfc8166/4.2.1/xid-equal"), 1);
    ck_assert_uint_eq(accused("server", NULL), 0);
}
END_TEST

/* Two clients in turns: each fault is reported once. */
START_TEST(faults_are_told_once_a_connection)
{
    uint8_t call[RPCRDMA1_HEADER_MIN + REQUESTER_RPC] = {0};
    open_stage(drop);
    struct requester *other = connect_client();
    ck_assert(requester_null(other, 100));
    rpcrdma_xdr_store32(call + 4, RPCRDMA_VERSION_1);
    rpcrdma_xdr_store32(call + 8, 8);
    rpcrdma_xdr_store32(call + 16, 7); /* neither 0 nor 1 */
    for (uint32_t i = 0; i < 16; i++) {
        struct requester *from = i % 2 ? other : stage.requester;
        rpcrdma_xdr_store32(call, 0x5000 + i);
        requester_rpc(call + RPCRDMA1_HEADER_MIN, 0x5000 + i, TEST_PROGRAM, TEST_VERSION, 0);
        ck_assert(requester_send(from, call, sizeof call));
        pump(from);
    }
    requester_close(other);
    close_stage();
    ck_assert_uint_eq(accused("client", stage.proxy.results.list[0].rule), 2);
}
END_TEST

/* ---- Replies ---- */

static void unused(struct server *server, const uint8_t *call, size_t length)
{
    uint8_t reply[1024];
    size_t octets = make_reply(reply, call, length, 0);
    server->link->ops->send(server->link, reply, octets, NULL);
}

/* A NULL with one Write chunk of these segments, without memory. */
static void send_with_chunk(uint32_t xid, const uint32_t *lengths, uint32_t count)
{
    uint8_t call[1024] = {0};
    rpcrdma_xdr_store32(call, xid);
    rpcrdma_xdr_store32(call + 4, RPCRDMA_VERSION_1);
    rpcrdma_xdr_store32(call + 8, 8);
    rpcrdma_xdr_store32(call + 20, 1);
    rpcrdma_xdr_store32(call + 24, count);
    uint8_t *at = call + 28;
    for (uint32_t i = 0; i < count; i++, at += 16) {
        rpcrdma_xdr_store32(at, 0x111 * (i + 1));
        rpcrdma_xdr_store32(at + 4, lengths[i]);
        rpcrdma_xdr_store64(at + 8, 0x10000 * (i + 1));
    }
    requester_rpc(at + 8, xid, TEST_PROGRAM, TEST_VERSION, TEST_NULL);
    ck_assert(requester_send(stage.requester, call, (size_t)(at + 8 - call) + REQUESTER_RPC));
}

START_TEST(segments_without_octets_come_back)
{
    static const uint32_t lengths[] = {0, 0, 100, 0, 50, 0};
    open_stage(unused);
    send_with_chunk(0x77, lengths, 6);
    pump(stage.requester);
    close_stage();
    ck_assert_uint_eq(accused("server", NULL), 0);
}
END_TEST

static void fill(struct server *server, const uint8_t *call, size_t length)
{
    answer(server, call, length, 'x');
}

START_TEST(memory_that_is_gone_is_not_the_servers_fault)
{
    static const uint32_t lengths[] = {40, 40, 40};
    open_stage(fill);
    send_with_chunk(0x77, lengths, 3); /* no memory has these handles */
    pump(stage.requester);
    close_stage();
    assert_told("ended by the client: an RDMA Write");
    ck_assert_uint_eq(accused("server", NULL), 0);
}
END_TEST

/* The first segment, thirty times over. */
static void multiply(struct server *server, const uint8_t *call, size_t length)
{
    uint8_t reply[1024];
    (void)length;
    memcpy(reply, call, 28 + 16);
    rpcrdma_xdr_store32(reply + 24, 30);
    for (size_t i = 1; i < 30; i++)
        memcpy(reply + 28 + 16 * i, call + 28, 16);
    size_t at = 28 + 16 * 30;
    memset(reply + at, 0, 8 + 24);
    memcpy(reply + at + 8, call, 4);
    rpcrdma_xdr_store32(reply + at + 12, 1);
    server->link->ops->send(server->link, reply, at + 32, NULL);
}

START_TEST(a_segment_is_written_once)
{
    struct requester_pending pending;
    open_stage(multiply);
    ck_assert(requester_begin(stage.requester, &fetch, &pending));
    pump(stage.requester);
    requester_forget(stage.requester, &pending);
    close_stage();
    assert_told(" and 3000 written to the client");
    ck_assert_uint_gt(accused("server", NULL), 0);
}
END_TEST

static void invalidate(struct server *server, const uint8_t *call, size_t length)
{
    uint8_t reply[1024];
    uint32_t handle = rpcrdma_xdr_load32(call + 28);
    size_t octets = make_reply(reply, call, length, UINT32_MAX);
    server->link->ops->send(server->link, reply, octets, &handle);
}

START_TEST(an_invalidation_is_judged_by_what_the_server_was_told)
{
    struct requester_pending pending;
    open_stage(invalidate);
    ck_assert(requester_begin(stage.requester, &fetch, &pending));
    pump(stage.requester);
    requester_forget(stage.requester, &pending);
    close_stage();
    ck_assert_uint_eq(accused("server", "rfc8797/4.1/plain-send-without-support"), 1);
    ck_assert_uint_eq(accused("server", "rfc8797/4.1/invalidate-own-transaction"), 0);
}
END_TEST

/* No answers, with the Call's XID, and then the answer. The Long Call is the server's. */
static void intrude(struct server *server, const uint8_t *call, size_t length)
{
    static uint8_t rpc[40];
    struct link_memory memory = {.octets = rpc, .length = sizeof rpc};
    ck_assert(server->link->ops->expose(server->link, &memory, LINK_PEER_READS));
    const uint32_t high = (uint32_t)(memory.offset >> 32), low = (uint32_t)memory.offset;
    const uint32_t words[2][13] = {{0, 1, 8, 3}, {0, 1, 8, 1, 1, 0, memory.handle, 40, high, low}};
    for (size_t i = 0; i < 2; i++) {
        uint8_t octets[52];
        for (size_t j = 0; j < 13; j++)
            rpcrdma_xdr_store32(octets + 4 * j, words[i][j]);
        memcpy(octets, call, 4);
        server->link->ops->send(server->link, octets, i == 0 ? 28 : 52, NULL);
    }
    answer(server, call, length, 'i');
}

START_TEST(what_is_no_answer_ends_no_call)
{
    struct requester_pending pending;
    open_stage(intrude);
    ck_assert(requester_begin(stage.requester, &fetch, &pending));
    for (int i = 0; i < 3; i++)
        pump(stage.requester);
    assert_item(&pending, 'i');
    requester_forget(stage.requester, &pending);
    close_stage();
}
END_TEST

static void generous(struct server *server, const uint8_t *call, size_t length)
{
    uint8_t reply[1024];
    size_t octets = make_reply(reply, call, length, 0);
    rpcrdma_xdr_store32(reply + 8, 4096);
    server->link->ops->send(server->link, reply, octets, NULL);
}

START_TEST(no_more_credits_than_receives)
{
    struct requester_pending pending;
    struct link_event event;
    open_stage(generous);
    ck_assert(requester_begin(stage.requester, &null_call, &pending));
    requester_wait(stage.requester, 100, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_lt(rpcrdma_xdr_load32(event.octets + 8), PROXY_RECEIVES);
    ck_assert_uint_ge(rpcrdma_xdr_load32(event.octets + 8), 64);
    requester_forget(stage.requester, &pending);
    close_stage();
    ck_assert_uint_eq(accused("server", NULL), 0);
}
END_TEST

static void answer_and_leave(struct server *server, const uint8_t *call, size_t length)
{
    in_turn(server, call, length);
    if (server->count < 2)
        return;
    server->link->ops->close(server->link);
    server->gone = true;
}

START_TEST(what_came_before_the_end_is_not_lost)
{
    struct requester_pending pending;
    struct link_event event;
    open_stage(answer_and_leave);
    for (int i = 0; i < 3; i++) {
        ck_assert(requester_begin(stage.requester, &null_call, &pending));
        requester_forget(stage.requester, &pending);
    }
    for (int i = 0; i < 2; i++) {
        requester_wait(stage.requester, 100, &event);
        ck_assert_int_eq(event.type, LINK_RECEIVED);
    }
    requester_wait(stage.requester, 100, &event);
    ck_assert_int_eq(event.type, LINK_CLOSED);
    close_stage();
    assert_told("4 Calls, 1 of them unanswered");
    assert_told("ended by the server");
    ck_assert_int_eq(last_result()->ending, ENDING_CLOSED);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("proxy-hostile");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, NULL, forget);
    tcase_add_test(tests, calls_of_one_xid_have_memory_of_their_own);
    tcase_add_test(tests, a_call_sent_again_is_one);
    tcase_add_test(tests, a_call_that_is_too_large_is_not_the_clients_fault);
    tcase_add_test(tests, who_stops_the_proxy_accuses_nobody);
    tcase_add_test(tests, what_a_long_call_holds_is_the_clients);
    tcase_add_test(tests, faults_are_told_once_a_connection);
    tcase_add_test(tests, segments_without_octets_come_back);
    tcase_add_test(tests, memory_that_is_gone_is_not_the_servers_fault);
    tcase_add_test(tests, a_segment_is_written_once);
    tcase_add_test(tests, an_invalidation_is_judged_by_what_the_server_was_told);
    tcase_add_test(tests, what_is_no_answer_ends_no_call);
    tcase_add_test(tests, no_more_credits_than_receives);
    tcase_add_test(tests, what_came_before_the_end_is_not_lost);
    return run_tests("proxy-hostile", tests);
}
