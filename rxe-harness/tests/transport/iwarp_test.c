// SPDX-License-Identifier: BSD-3-Clause
/* Links over iWARP in user space: two ends in one process, directly and through a relay. */
#include "rxe-harness/transport/iwarp/iwarp.h"

#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/links/capture_stage.h"
#include "rxe-harness/tests/support/links/link_stage.h"
#include "rxe-harness/tests/support/links/relay.h"

#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/clock.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <pthread.h>
#include <rpcrdma/rpcrdma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct iwarp_wishes usual = {.revision = 2, .crc = true};

static const struct {
    const char *address;
    struct iwarp_wishes wishes;
} ways[] = {
    {"127.0.0.2:21060", {.revision = 2, .crc = true}},
    {"[::1]:21060", {.revision = 2, .crc = true}},
    {"127.0.0.1:21060", {.revision = 1, .crc = true}},
    {"127.0.0.1:21060", {.revision = 1}},
    {"127.0.0.1:21060", {.revision = 2, .crc = true, .markers = true}},
    {"[::1]:21060", {.revision = 1, .markers = true}},
};

#define WAYS (int)COUNT(ways)
#define HERE "127.0.0.1:21060"

static void open_usual(void)
{
    iwarp_set(&usual);
    open_links(HERE);
}

START_TEST(sends_arrive_whole)
{
    static const size_t lengths[] = {0,   1,   2,    3,    4,    28,   255,  471,         472,
                                     490, 491, 1023, 1024, 1025, 4095, 4096, LINK_RECEIVE};
    iwarp_set(&ways[_i].wishes);
    open_links(ways[_i].address);
    for (size_t i = 0; i < COUNT(lengths); i++)
        send_and_compare(lengths[i]);
    ck_assert_uint_eq(client->private_length, 4);
    ck_assert_mem_eq(client->private_data, "ello", 4);
    ck_assert_uint_eq(server->private_length, 5);
    ck_assert_mem_eq(server->private_data, "hello", 5);
    close_all();
}
END_TEST

START_TEST(memory_is_read_and_written)
{
    iwarp_set(&ways[_i].wishes);
    open_links(ways[_i].address);
    send_and_compare(1);
    move_and_compare();
    ck_assert_uint_eq(link_seen.octets, 2 * LINK_SIZE - 1);
    close_all();
}
END_TEST

/* ---- through a relay ---- */

static struct link *through(struct relay *relay)
{
    char error[256], address[64];
    struct link_options ask = link_stage_options(hello, 5);
    pthread_t thread;
    relay_start(relay);
    open_transports("127.0.0.1:21061");
    caller->ops->close(caller);
    snprintf(address, sizeof address, "127.0.0.1:%u", relay->port);
    caller = transport_iwarp(address, false, error, sizeof error);
    pthread_create(&thread, NULL, accept_one, NULL);
    client = caller->ops->connect(caller, &ask);
    pthread_join(thread, NULL);
    ck_assert_msg(client && server, "%s%s", caller->error, listener->error);
    return client;
}

START_TEST(segments_may_be_cut_anywhere)
{
    static const size_t steps[] = {1, 1, 3, 511};
    struct relay relay = {.port = 21062, .target = 21061, .step = steps[_i]};
    iwarp_set(&(const struct iwarp_wishes){.revision = 2, .crc = true, .markers = _i % 2 == 1});
    through(&relay);
    send_and_compare(0);
    send_and_compare(LINK_RECEIVE);
    move_and_compare();
    close_all();
    relay_stop(&relay);
}
END_TEST

/* ---- a conversation, and what others make of it ---- */

#define ITEM 100000

static void *respond(void *arg)
{
    (void)arg;
    accept_one(NULL);
    struct responder *responder = responder_new(server);
    ck_assert_ptr_nonnull(responder);
    while (!responder_gone(responder))
        responder_step(responder, 100);
    responder_free(responder);
    server = NULL;
    return NULL;
}

static void call(struct requester *requester, const struct requester_call *what)
{
    struct requester_pending pending;
    struct requester_reply reply = {0};
    ck_assert(requester_begin(requester, what, &pending));
    requester_receive(requester, &pending, 5000, &reply);
    ck_assert_uint_eq(reply.outcome, RPCRDMA_PROCESS);
    ck_assert(reply.accepted && reply.stat == 0);
    requester_forget(requester, &pending);
}

static void call_with_chunks(struct requester *requester)
{
    static uint8_t count[4], data[4 + ITEM];
    rpcrdma_xdr_store32(count, ITEM);
    rpcrdma_xdr_store32(data, ITEM);
    pattern(data + 4, ITEM, 9);
    const struct requester_call calls[] = {
        {.procedure = TEST_NULL},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .write_segments = 5,
         .write_room = ITEM + 20000},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .reply_segments = 3,
         .reply_room = ITEM + 512},
        {.procedure = TEST_STORE,
         .args = data,
         .args_length = sizeof data,
         .item_at = 4,
         .item_length = ITEM,
         .read_segments = 4},
        {.procedure = TEST_STORE, .args = data, .args_length = sizeof data, .long_segments = 3},
    };
    for (size_t i = 0; i < COUNT(calls); i++)
        call(requester, &calls[i]);
}

static void found(void *arg, const struct rpcrdma_event *event,
                  const struct rpcrdma_finding *finding)
{
    (void)event;
    (void)finding;
    ++*(unsigned *)arg;
}

static void converse(struct relay *relay)
{
    char error[256], address[64];
    unsigned findings = 0;
    pthread_t thread;
    relay_start(relay);
    open_transports("127.0.0.1:21061");
    caller->ops->close(caller);
    snprintf(address, sizeof address, "127.0.0.1:%u", relay->port);
    caller = transport_iwarp(address, false, error, sizeof error);
    pthread_create(&thread, NULL, respond, NULL);
    struct requester *requester = requester_open(caller, 5000, true, found, &findings);
    ck_assert_msg(requester != NULL, "%s", caller->error);
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
    call_with_chunks(requester);
    requester_close(requester);
    pthread_join(thread, NULL);
    close_all();
    relay_stop(relay);
    ck_assert_uint_eq(findings, 0);
}

/* Check sums in what tshark prints of them. */
static unsigned lines_of_tshark(const char *file, const char *text)
{
    char command[512];
    unsigned count = 0;
    snprintf(command, sizeof command, "tshark -r %s -V 2>/dev/null | grep -c '%s'", file, text);
    FILE *out = popen(command, "r");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(fscanf(out, "%u", &count), 1);
    pclose(out);
    return count;
}

START_TEST(others_read_it)
{
    char file[] = "/tmp/rpcrdma-iwarp-XXXXXX";
    struct captured captured;
    int descriptor = mkstemp(file);
    struct relay relay = {.port = 21062, .target = 21061, .step = 16000};
    ck_assert_int_ge(descriptor, 0);
    relay.capture = fdopen(descriptor, "wb");
    iwarp_set(&ways[_i].wishes);
    converse(&relay);
    ck_assert_int_eq(fflush(relay.capture), 0);
    read_capture(file, &captured);
    ck_assert_uint_eq(captured.connections, 1);
    ck_assert_uint_eq(captured.lost, 0);
    ck_assert_uint_eq(captured.unread, 0);
    ck_assert_uint_eq(captured.findings, 0);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 5);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 5);
    ck_assert_uint_ge(captured.moved[0], 2 * ITEM);
    ck_assert_uint_ge(captured.moved[1], 2 * ITEM);
    if (!ways[_i].wishes.markers && has_tshark()) {
        ck_assert_uint_eq(seen_by_tshark(file, "rpcordma.version == 1"), 10);
        ck_assert_uint_eq(seen_by_tshark(file, "_ws.malformed"), 0);
        ck_assert_uint_eq(seen_by_tshark(file, "iwarp_mpa.bad_length"), 0);
        ck_assert_uint_eq(lines_of_tshark(file, "CRC.*Bad"), 0);
        if (ways[_i].wishes.crc)
            ck_assert_uint_gt(lines_of_tshark(file, "CRC.*Good"), 10);
    }
    fclose(relay.capture);
    unlink(file);
}
END_TEST

/* ---- who begins ---- */

static void *send_later(void *arg)
{
    *(bool *)arg = server->ops->send(server, "first", 5, NULL);
    return NULL;
}

/* By revision 2 a server can speak first; by revision 1 it waits until the client has. */
START_TEST(a_server_speaks_first)
{
    const uint8_t revision = _i == 0 ? 2 : 1;
    bool sent = false;
    pthread_t thread;
    iwarp_set(&(const struct iwarp_wishes){.revision = revision, .crc = true});
    open_links(HERE);
    pthread_create(&thread, NULL, send_later, &sent);
    if (revision == 1) {
        ck_assert_int_eq(next_event(client, 200).type, LINK_NOTHING);
        send_and_compare(7);
    }
    struct link_event event = next_event(client, 5000);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(event.length, 5);
    pthread_join(thread, NULL);
    ck_assert(sent);
    ck_assert_int_eq(next_event(server, 0).type, LINK_NOTHING); /* the greeting is no Send */
    close_all();
}
END_TEST

/* ---- ends ---- */

START_TEST(a_send_invalidates)
{
    open_usual();
    invalidate_and_compare("remote access error: no such handle");
}
END_TEST

START_TEST(access_is_checked)
{
    static const char *const why[] = {"", "remote access error: beyond the memory",
                                      "remote access error: not allowed"};
    open_usual();
    access_and_compare(&link_accesses[_i], true);
    ck_assert_str_eq(server->why, why[link_accesses[_i].ending]);
    close_all();
}
END_TEST

START_TEST(a_send_too_long_ends_the_connection)
{
    static uint8_t octets[LINK_RECEIVE + 1];
    open_usual();
    ck_assert(client->ops->send(client, octets, sizeof octets, NULL));
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    ck_assert_str_eq(server->why, "local length error");
    ck_assert_int_eq(next_event(client, 5000).type, LINK_CLOSED);
    ck_assert_str_eq(client->why, "remote invalid request error: too long");
    close_all();
}
END_TEST

START_TEST(a_send_without_a_receive_starves)
{
    open_usual();
    for (int i = 0; i <= LINK_RECEIVES; i++)
        ck_assert(client->ops->send(client, "x", 1, NULL));
    ck_assert_int_eq(next_event(client, 5000).type, LINK_CLOSED);
    ck_assert(client->starved);
    ck_assert_str_eq(client->why, "the peer had no Receive");
    for (int i = 0; i < LINK_RECEIVES; i++) /* those that came before are there */
        ck_assert_int_eq(next_event(server, 5000).type, LINK_RECEIVED);
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    ck_assert(!server->starved);
    close_all();
}
END_TEST

/* The first, one in the middle, the last. */
START_TEST(memory_is_hidden_by_itself)
{
    open_usual();
    hide_and_compare((unsigned)_i / 2, _i % 2 == 1);
}
END_TEST

START_TEST(a_disconnect_is_seen)
{
    open_usual();
    disconnect_and_compare();
}
END_TEST

/* ---- over a bad wire ---- */

static size_t on_wire; /* octets of packets, of both ends */

static void look(void *arg, const uint8_t *packet, size_t length)
{
    (void)arg;
    (void)packet;
    on_wire += length;
}

#define DELAY 3000 /* microseconds */

static const struct wire_faults wires[] = {
    {.seed = 1},
    {.delay = DELAY, .seed = 2},
    {.mtu = 300, .seed = 3},
    {.rate[WIRE_SHUFFLE] = 1000000, .seed = 6},
};

/* Each Send takes its time; smaller segments have more headers, here a tenth more octets. */
START_TEST(a_bad_wire_changes_nothing_else)
{
    bool shuffles = wires[_i].rate[WIRE_SHUFFLE] > 0;
    wire_set(&wires[_i]);
    wire_watch(look, NULL);
    link_stage_writes = shuffles ? 4 : 1;
    open_usual();
    send_and_compare(1); /* it may go with what the connection begins by */
    for (int i = 0; i < 4; i++) {
        int64_t begin = clock_microseconds();
        send_and_compare(100);
        ck_assert(clock_microseconds() - begin >= (wires[_i].delay > 0 ? DELAY : 0));
    }
    on_wire = 0;
    move_and_compare();
    ck_assert_int_eq(on_wire > 4 * LINK_SIZE + LINK_SIZE / 4, wires[_i].mtu > 0);
    /* Only what waits at the same time can be shuffled. */
    for (int again = 0; shuffles && link_seen.writes == 1 && again < 50; again++)
        move_and_compare();
    ck_assert(!shuffles || link_seen.writes > 1);
    close_all();
    wire_watch(NULL, NULL);
    wire_set(NULL);
}
END_TEST

/* A Send, or a Write; not a Read, nor a message that is too short to have a middle. */
START_TEST(a_connection_dies)
{
    static const struct wire_faults faults = {.rate[WIRE_DEATH] = 1000000, .seed = 5};
    static uint8_t octets[LINK_RECEIVE];
    struct link_memory memory = {.octets = octets, .length = sizeof octets};
    unsigned deaths = wire_deaths();
    wire_set(&faults);
    open_usual();
    send_and_compare(256);
    ck_assert(server->ops->expose(server, &memory, LINK_PEER_READS | LINK_PEER_WRITES));
    ck_assert(client->ops->read(client, memory.handle, memory.offset, octets, sizeof octets));
    ck_assert_uint_eq(wire_deaths(), deaths);
    if (_i == 0)
        client->ops->send(client, octets, 257, NULL);
    else
        client->ops->write(client, memory.handle, memory.offset, octets, 257);
    ck_assert_int_eq(next_event(client, 5000).type, LINK_CLOSED);
    ck_assert_uint_eq(wire_deaths(), deaths + 1);
    ck_assert_ptr_nonnull(strstr(client->why, "our queue pair died"));
    client->ops->close(client);
    client = NULL;
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    ck_assert_str_eq(server->why, "the connection was lost");
    server->ops->hide(server, &memory);
    close_all();
    wire_set(NULL);
}
END_TEST

START_TEST(a_peer_is_rejected)
{
    iwarp_set(&usual);
    reject_and_compare(HERE, "cannot connect: the peer's consumer rejected the connection");
}
END_TEST

int main(void)
{
    link_stage_opens = transport_iwarp;
    TCase *test = tcase_create("iwarp");
    tcase_set_timeout(test, 60);
    tcase_add_loop_test(test, sends_arrive_whole, 0, WAYS);
    tcase_add_loop_test(test, memory_is_read_and_written, 0, WAYS);
    tcase_add_loop_test(test, segments_may_be_cut_anywhere, 0, 4);
    tcase_add_loop_test(test, others_read_it, 0, WAYS);
    tcase_add_loop_test(test, a_server_speaks_first, 0, 2);
    tcase_add_test(test, a_send_invalidates);
    tcase_add_loop_test(test, access_is_checked, 0, LINK_ACCESSES);
    tcase_add_test(test, a_send_too_long_ends_the_connection);
    tcase_add_test(test, a_send_without_a_receive_starves);
    tcase_add_loop_test(test, memory_is_hidden_by_itself, 0, 6);
    tcase_add_test(test, a_disconnect_is_seen);
    tcase_add_test(test, a_peer_is_rejected);
    tcase_add_loop_test(test, a_bad_wire_changes_nothing_else, 0, COUNT(wires));
    tcase_add_loop_test(test, a_connection_dies, 0, 2);
    return run_tests("iWARP in user space", test);
}
