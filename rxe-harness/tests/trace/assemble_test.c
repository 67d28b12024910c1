// SPDX-License-Identifier: BSD-3-Clause
/* What probes have seen comes out as the events of connections, with the octets that are known. */
#include "rxe-harness/tests/support/links/sighting_stage.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what happens ---- */

static const uint8_t asked[56] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};
static unsigned which;  /* of the server's connections */
static unsigned status; /* of what it receives */

static void accept_server(void)
{
    stage_record();
    stage_number("id", ID + which);
    stage_number("connection", CONNECTION + which);
    stage_address("from", 1, 20049);
    stage_address("to", 2, 1023);
    stage_number("length", 8);
    stage_put("octets0", asked, 8);
    stage_take("accepts");
}

static void connect_server(void)
{
    stage_record();
    stage_number("id", ID + which);
    stage_number("kind", 4);
    stage_number("length", sizeof asked);
    stage_put("octets0", asked, sizeof asked);
    stage_take("requests");
    accept_server();
}

static void end_server(void)
{
    stage_record();
    stage_number("id", ID + which);
    stage_number("kind", 10);
    stage_take("server_ends");
}

static void receive(const uint8_t *octets, size_t length, size_t known)
{
    stage_record();
    stage_number("connection", CONNECTION + which);
    stage_number("status", status);
    stage_number("length", length);
    stage_put("octets0", octets, known);
    stage_take("server_receives");
}

static const uint8_t header[28] = {0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint8_t null_call[68] = {0, 0, 0, 9,        0,        0,        0,    1,    0,
                                      0, 0, 1, [31] = 9, [39] = 2, [41] = 1, 0x86, 0xa3, [47] = 4};

static void payload(size_t head, size_t pages, size_t tail)
{
    static const uint8_t octets[64] = {0, 0, 0, 9, 0, 0, 0, 1};
    stage_record();
    stage_number("head_length", head);
    stage_number("page_length", pages);
    stage_number("tail_length", tail);
    stage_put("head0", octets, sizeof octets);
    stage_put("tail0", octets + 8, 16);
    stage_take("server_replies");
}

static void send_of(const uint8_t *octets, size_t length, unsigned pieces,
                    const uint64_t lengths[4])
{
    static const char *const names[] = {"length0", "length1", "length2", "length3"};
    stage_record();
    stage_number("connection", CONNECTION + which);
    stage_number("id", ID + which);
    stage_number("header", length);
    stage_number("pieces", pieces);
    stage_number("opcode", 2);
    for (int i = 0; i < 4; i++)
        stage_number(names[i], lengths[i]);
    stage_put("octets0", octets, length);
    stage_take("server_sends");
}

static void reply(unsigned pieces, const uint64_t lengths[4])
{
    send_of(header, sizeof header, pieces, lengths);
}

START_TEST(a_call_and_its_reply)
{
    struct captured captured;
    stage_begin();
    connect_server();
    status = 5; /* flushed: nothing came */
    receive(null_call, sizeof null_call, sizeof null_call);
    status = 0;
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert_uint_eq(assembler_counts(stage.assembler)->cut, 0);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->sends, 2);
    stage_end(&captured);
    ck_assert_uint_eq(captured.connections, 1);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 1);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.missing, 0);
    ck_assert(captured.operations_seen);
}
END_TEST

static unsigned times_written(const char *text)
{
    static char octets[1 << 16];
    unsigned times = 0;
    fflush(stage.stream);
    FILE *file = fopen(stage.file, "rb");
    ck_assert_ptr_nonnull(file);
    size_t length = fread(octets, 1, sizeof octets, file);
    fclose(file);
    for (size_t i = 0; i + strlen(text) <= length; i++)
        times += memcmp(octets + i, text, strlen(text)) == 0;
    return times;
}

/* Of a completion no process can be said. */
START_TEST(who_posted_a_send)
{
    char process[40];
    snprintf(process, sizeof process, " (process %d)", (int)getpid());
    stage.pid = (uint32_t)getpid();
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    ck_assert_uint_eq(times_written("posted by "), 0);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert_uint_eq(times_written("posted by "), 1);
    ck_assert_uint_eq(times_written(process), 1);
    stage_end(NULL);
}
END_TEST

/* The server is 192.0.2.1 at port 20049, the client 192.0.2.2. */
START_TEST(what_is_filtered_is_left_out)
{
    static const struct {
        struct assembler_filter filter;
        unsigned connections;
    } rows[] = {
        {{.port = 20049}, 1},
        {{.port = 1023}, 0},
        {{.has_peer = true, .peer = {{[10] = 0xff, [11] = 0xff, 192, 0, 2, 1}}}, 1},
        {{.has_peer = true, .peer = {{[10] = 0xff, [11] = 0xff, 192, 0, 2, 2}}}, 1},
        {{.has_peer = true, .peer = {{[10] = 0xff, [11] = 0xff, 192, 0, 2, 3}}}, 0},
        {{.port = 7, .has_peer = true, .peer = {{[10] = 0xff, [11] = 0xff, 192, 0, 2, 2}}}, 0},
    };
    struct captured captured;
    stage.filter = rows[_i].filter;
    stage_begin();
    fflush(stage.stream);
    long size_of_head = ftell(stage.stream);
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, rows[_i].connections);
    if (rows[_i].connections == 0) { /* nothing that could be read */
        fflush(stage.stream);
        ck_assert_int_eq(ftell(stage.stream), size_of_head);
        stage_end(NULL);
        return;
    }
    stage_end(&captured);
    ck_assert_uint_eq(captured.connections, rows[_i].connections);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], rows[_i].connections);
}
END_TEST

/* The second stream is a capture by itself, of a connection that had been opened before. */
START_TEST(a_capture_goes_on_in_another)
{
    struct captured captured;
    char first[] = "/tmp/rpcrdma-first-XXXXXX";
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    FILE *next = fdopen(mkstemp(first), "wb"), *done = stage.stream;
    ck_assert(capture_continue(stage.capture, next));
    fclose(done);
    read_capture(stage.file, &captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 1);
    stage.stream = next;
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert(capture_finish(stage.capture));
    fclose(stage.stream);
    read_capture(first, &captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 0);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.lost + captured.unread, 0);
    assembler_free(stage.assembler);
    unlink(first);
    unlink(first);
    unlink(stage.file);
}
END_TEST

/* ---- the client's side ---- */

static void call(void)
{
    static const uint8_t payload[40] = {0, 0, 0, 9};
    stage_record();
    stage_number("connection", ID);
    stage_number("header", sizeof header);
    stage_number("pieces", 2);
    stage_number("length0", sizeof header);
    stage_number("length1", sizeof payload);
    stage_number("length2", 0);
    stage_number("head_length", sizeof payload);
    stage_number("page_length", 0);
    stage_number("tail_length", 0);
    stage_put("octets0", header, sizeof header);
    stage_put("head0", payload, sizeof payload);
    stage_take("client_sends");
}

START_TEST(a_client_calls)
{
    struct captured captured;
    stage_begin();
    stage_connect_client();
    call();
    stage_answer(_i == 0 ? 1 : 4);
    stage_record();
    stage_number("id", ID);
    stage_take("disconnects");
    stage_end(&captured);
    ck_assert_uint_eq(captured.connections, 1);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 1);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.missing, 0);
    ck_assert_uint_eq(captured.disconnects[RPCRDMA_CLIENT], 1);
    ck_assert_uint_eq(captured.invalidated, _i == 0 ? 0 : 0xabcd);
    ck_assert(!captured.operations_seen);
}
END_TEST

/* What lies between head and tail decides whether the tail is at its place. */
static const struct {
    size_t head, pages, tail;
    unsigned pieces;
    uint64_t lengths[4];
    size_t missing;
} payloads[] = {
    {24, 0, 12, 3, {28, 24, 12}, 0},               /* head and tail */
    {24, 1000, 12, 3, {28, 24, 12}, 0},            /* the pages went by a chunk */
    {24, 1001, 15, 3, {28, 24, 12}, 0},            /* and what pads them */
    {24, 1001, 3, 2, {28, 24}, 0},                 /* which is all of the tail */
    {24, 1000, 16, 3, {28, 24, 12}, 12},           /* these need none: which of the tail? */
    {24, 1000, 12, 4, {28, 24, 1000, 12}, 1012},   /* the pages are in the Send, and not read */
    {24, 1000, 12, 3, {28, 12, 12}, 24},           /* part of the head: which? */
    {24, 8000, 12, 5, {28, 24, 4000, 4000}, 8012}, /* more pieces than are read */
    {80, 0, 0, 2, {28, 80}, 16},                   /* a head that is longer than what was read */
};

START_TEST(a_payload_is_put_together)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(payloads[_i].head, payloads[_i].pages, payloads[_i].tail);
    reply(payloads[_i].pieces, payloads[_i].lengths);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->cut, payloads[_i].missing > 0);
    stage_end(&captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.missing, payloads[_i].missing);
}
END_TEST

/* What a thread sends without a payload of its own has not that of the Send before. */
START_TEST(a_payload_is_used_once)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(24, 0, 0);
    for (int i = 0; i < 2; i++)
        reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert_uint_eq(assembler_counts(stage.assembler)->cut, 1);
    stage_end(&captured);
    ck_assert_uint_eq(captured.missing, 24);
}
END_TEST

/* Of two of one thread the later one is the Send's: that of the earlier was not seen. */
START_TEST(the_latest_payload_is_sent)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(60, 0, 0);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert_uint_eq(assembler_counts(stage.assembler)->cut, 0);
    stage_end(&captured);
    ck_assert_uint_eq(captured.missing, 0);
}
END_TEST

START_TEST(what_was_not_read_is_missing)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, 64);
    payload(24, 0, 0);
    stage.sighting.pid = PID + 1; /* another thread's Reply is not this one's */
    stage_take("server_replies");
    stage_record();
    stage_end(&captured);
    ck_assert_uint_eq(captured.missing, 4);
}
END_TEST

static void operation(uint64_t kind, uint64_t requests)
{
    stage_record();
    stage_number("connection", CONNECTION);
    stage_number("kind", kind);
    stage_number("requests", requests);
    stage_number("opcode", 4);
    stage_number("handle0", 5);
    stage_number("offset0", 0x5000);
    stage_number("length0", 4096);
    stage_take("operations");
}

static void rows(uint64_t first_pieces)
{
    uint8_t memory[8][16] = {0};
    for (int i = 0; i < 8; i++)
        memory[i][8] = 100;
    stage_record();
    stage_number("opcode", 0);
    stage_number("handle0", 7);
    stage_number("offset0", 0x7000);
    stage_number("pieces0", first_pieces);
    stage_number("handle1", 7);
    stage_number("offset1", 0x7000 + 100 * first_pieces);
    stage_number("pieces1", 2);
    stage_put("memory0", memory, sizeof memory);
    stage_take("operation_rows");
}

START_TEST(operations_have_their_lengths)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    operation(0, 1);
    rows(1);
    operation(1, 2);
    rows(3);
    operation(2, 1); /* registered: by what the entry said */
    rows(1);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->operations, 4);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->unplaced, 0);
    stage_end(&captured);
    ck_assert_uint_eq(captured.moved[0], 4096);
    ck_assert_uint_eq(captured.missing, 100 + 300 + 200);
    ck_assert_uint_eq(captured.lost, 0);
}
END_TEST

/* A Reply by a Reply chunk; its RDMA Write is made before it, or after it. */
START_TEST(writes_come_before_the_reply)
{
    enum { LISTS = 48 };
    static const uint8_t chunk[LISTS - 24] = {0, 0, 0, 1,   0, 0, 0, 1, 0, 0, 0,    7,
                                              0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0x70, 0};
    uint8_t asks[LISTS + 40] = {0}, answers[LISTS] = {0};
    struct captured captured;
    memcpy(asks, null_call, 24);
    memcpy(asks + 24, chunk, sizeof chunk);
    memcpy(asks + LISTS, null_call + 28, 40);
    memcpy(answers, asks, sizeof answers);
    answers[15] = 1; /* RDMA_NOMSG */
    stage_begin();
    connect_server();
    receive(asks, sizeof asks, sizeof asks);
    for (int step = 0; step < 2; step++)
        if (step == _i) {
            operation(0, 1);
            rows(1);
        } else {
            send_of(answers, sizeof answers, 1, (const uint64_t[4]){sizeof answers});
        }
    stage_end(&captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.findings, (unsigned)_i);
    if (_i > 0)
        ck_assert_str_eq(rpcrdma_requirements[captured.rule].id,
                         "rfc8166/3.5.2/writes-before-reply");
}
END_TEST

/* More than was read: a gap, and no length that is made up. */
START_TEST(operations_beyond_what_was_read_are_a_gap)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    operation(1, 2);
    rows(7); /* 9 pieces, of 8 */
    ck_assert_uint_eq(assembler_counts(stage.assembler)->operations, 1);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->unplaced, 1);
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    stage_end(&captured);
    ck_assert_uint_eq(captured.missing, 700);
    ck_assert_uint_eq(captured.lost, 2);
}
END_TEST

START_TEST(a_loss_is_a_gap_of_every_connection)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    assembler_gap(stage.assembler);
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    stage_end(&captured);
    ck_assert_uint_eq(captured.lost, 2);
    ck_assert_uint_eq(captured.findings, 0);
}
END_TEST

/* The end belongs to a connection; another in the same place is a new one. */
START_TEST(connections_end)
{
    struct captured captured;
    stage_begin();
    for (int i = 0; i < 3; i++) {
        connect_server();
        receive(null_call, sizeof null_call, sizeof null_call);
        stage_record();
        stage_number("id", ID);
        stage_number("kind", 10);
        stage_take(i == 1 ? "disconnects" : "server_ends");
    }
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, 3);
    stage_end(&captured);
    ck_assert_uint_eq(captured.connections, 3);
    ck_assert_uint_eq(captured.lost + captured.findings, 0);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 3);
    ck_assert_uint_eq(captured.disconnects[RPCRDMA_CLIENT], 2);
    ck_assert_uint_eq(captured.disconnects[RPCRDMA_SERVER], 1);
}
END_TEST

/* What was asked for is of one connection: who accepts an id again had been asked elsewhere. An end
 * is that of the latest: one that was not seen has ended before. */
START_TEST(a_request_is_accepted_once)
{
    struct captured captured;
    stage_begin();
    for (int i = 0; i < 2; i++)
        connect_server();
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, 2);
    end_server();
    accept_server();
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, 2);
    stage_connect_client();
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, 3);
    stage_record();
    stage_number("id", ID);
    stage_number("kind", 9);
    stage_take("answers");
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, 3);
    stage_end(&captured);
    ck_assert_uint_eq(captured.disconnects[RPCRDMA_CLIENT], 1);
}
END_TEST

/* Of those that have ended the latest 16 are still known when another one begins: a Reply of one of
 * them is no connection more. */
START_TEST(threads_may_be_at_work_for_the_latest_that_ended)
{
    enum { LATE = 16, EARLIER = 3 };
    stage_begin();
    for (which = 0; which < LATE + EARLIER; which++) {
        connect_server();
        receive(null_call, sizeof null_call, sizeof null_call);
        end_server();
    }
    connect_server();
    unsigned connections = which + 1;
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, connections);
    while (which-- > 0) {
        payload(24, 0, 0);
        reply(2, (const uint64_t[4]){sizeof header, 24});
        connections += which < EARLIER;
        ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, connections);
    }
    which = 0;
    stage_end(NULL);
}
END_TEST

/* A thread that works for a connection does not know that it has ended. But if something was lost,
 * that can be the opening of another one. */
START_TEST(what_comes_after_the_end_is_of_the_same_connection)
{
    struct captured captured;
    stage_begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    end_server();
    if (_i == 1)
        assembler_gap(stage.assembler);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert_uint_eq(assembler_counts(stage.assembler)->connections, _i == 1 ? 2 : 1);
    stage_end(&captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert(_i == 1 || captured.findings == 0);
}
END_TEST

/* Records that end before their fields, or have none. */
START_TEST(records_may_be_short)
{
    static const char *const names[] = {
        "requests",       "accepts",        "server_receives", "operations",   "answers",
        "operation_rows", "server_replies", "server_calls",    "server_sends", "server_ends",
        "connects",       "client_sends",   "client_receives", "disconnects",  "unknown",
        "invalidations",  "completions",    "releases"};
    stage.wish.registrations = true;
    stage_begin();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        stage_record();
        stage_take(names[i]);
        stage_number("connection", CONNECTION);
        stage_number("kind", UINT64_MAX);
        stage_number("requests", UINT64_MAX);
        stage_number("pieces", UINT64_MAX);
        stage_number("pieces0", UINT64_MAX);
        stage_number("header", UINT64_MAX);
        stage_number("head_length", UINT64_MAX);
        stage_number("tail_length", 5);
        stage_number("length0", UINT64_MAX);
        stage_take(names[i]);
        stage.sighting.part[0].length = 9;
        stage_take(names[i]);
    }
    stage_end(NULL);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("sightings");
    tcase_set_timeout(tests, 60); /* tshark takes its time */
    tcase_add_test(tests, a_call_and_its_reply);
    tcase_add_test(tests, who_posted_a_send);
    tcase_add_loop_test(tests, what_is_filtered_is_left_out, 0, 6);
    tcase_add_test(tests, a_capture_goes_on_in_another);
    tcase_add_loop_test(tests, a_client_calls, 0, 2);
    tcase_add_loop_test(tests, a_payload_is_put_together, 0,
                        (int)(sizeof payloads / sizeof *payloads));
    tcase_add_test(tests, a_payload_is_used_once);
    tcase_add_test(tests, the_latest_payload_is_sent);
    tcase_add_test(tests, what_was_not_read_is_missing);
    tcase_add_test(tests, operations_have_their_lengths);
    tcase_add_loop_test(tests, writes_come_before_the_reply, 0, 2);
    tcase_add_test(tests, operations_beyond_what_was_read_are_a_gap);
    tcase_add_test(tests, a_loss_is_a_gap_of_every_connection);
    tcase_add_test(tests, connections_end);
    tcase_add_test(tests, a_request_is_accepted_once);
    tcase_add_test(tests, threads_may_be_at_work_for_the_latest_that_ended);
    tcase_add_loop_test(tests, what_comes_after_the_end_is_of_the_same_connection, 0, 2);
    tcase_add_test(tests, records_may_be_short);
    return run_tests("assemble", tests);
}
