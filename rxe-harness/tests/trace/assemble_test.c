// SPDX-License-Identifier: BSD-3-Clause
/* What probes have seen comes out as the events of connections, with the octets that are known. */
#include "rxe-harness/tests/support/links/capture_stage.h"
#include "rxe-harness/trace/assemble.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONNECTION 0x1000u
#define ID 0x2000u
#define PID 77u

static char file[] = "/tmp/rpcrdma-assemble-XXXXXX";
static FILE *stream;
static struct capture_file *capture;
static struct assembler *assembler;
static struct assembler_filter filter;
static struct sighting sighting;
static struct ring_format formats[16]; /* what is remembered has one of its own */
static unsigned records;
static struct ring_format *format;

static void begin(void)
{
    strcpy(strrchr(file, '-') + 1, "XXXXXX");
    stream = fdopen(mkstemp(file), "wb");
    capture = capture_create(stream, SIZE_MAX);
    assembler = assembler_create(capture, &filter, false);
}

/* What it wrote is read, unless `captured` is NULL. */
static void end(struct captured *captured)
{
    ck_assert(capture_finish(capture));
    fclose(stream);
    if (captured)
        read_capture(file, captured);
    assembler_free(assembler);
    unlink(file);
    filter = (struct assembler_filter){0};
}

/* ---- a record ---- */

static void new_record(void)
{
    format = &formats[records++ % 16];
    *format = (struct ring_format){.id = 1};
    sighting.part[0].format = format;
    sighting.part[0].length = 0;
    sighting.part[1].format = NULL;
    sighting.time = INT64_C(1700000000000000000);
    sighting.pid = PID;
}

static void put(const char *name, const void *octets, size_t size)
{
    struct ring_field *field = &format->fields[format->count++];
    ck_assert_uint_le(format->count, RING_FIELDS);
    snprintf(field->name, sizeof field->name, "%s", name);
    field->offset = sighting.part[0].length;
    field->size = size;
    memcpy(sighting.part[0].octets + field->offset, octets, size);
    sighting.part[0].length += size;
}

static void put_number(const char *name, uint64_t value)
{
    put(name, &value, sizeof value);
}

/* An IPv4 address as the kernel has it. */
static void put_address(const char *name, uint8_t last, uint16_t port)
{
    uint8_t octets[32] = {2, 0, (uint8_t)(port >> 8), (uint8_t)port, 192, 0, 2, last};
    const uint16_t family = 2;
    memcpy(octets, &family, sizeof family);
    put(name, octets, sizeof octets);
}

static void take(const char *name)
{
    assembler_take(assembler, name, &sighting);
}

/* ---- what happens ---- */

static void connect_server(void)
{
    static const uint8_t asked[56] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};
    new_record();
    put_number("id", ID);
    put_number("kind", 4);
    put_number("length", sizeof asked);
    put("octets0", asked, sizeof asked);
    take("requests");
    new_record();
    put_number("id", ID);
    put_number("connection", CONNECTION);
    put_address("from", 1, 20049);
    put_address("to", 2, 1023);
    put_number("length", 8);
    put("octets0", asked, 8);
    take("accepts");
}

static void receive(const uint8_t *octets, size_t length, size_t known)
{
    new_record();
    put_number("connection", CONNECTION);
    put_number("status", 0);
    put_number("length", length);
    put("octets0", octets, known);
    take("server_receives");
}

static const uint8_t header[28] = {0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint8_t null_call[68] = {0, 0, 0, 9,        0,        0,        0,    1,    0,
                                      0, 0, 1, [31] = 9, [39] = 2, [41] = 1, 0x86, 0xa3, [47] = 4};

static void payload(size_t head, size_t pages, size_t tail)
{
    static const uint8_t octets[64] = {0, 0, 0, 9, 0, 0, 0, 1};
    new_record();
    put_number("head_length", head);
    put_number("page_length", pages);
    put_number("tail_length", tail);
    put("head0", octets, sizeof octets);
    put("tail0", octets + 8, 16);
    take("server_replies");
}

static void reply(unsigned pieces, const uint64_t lengths[4])
{
    static const char *const names[] = {"length0", "length1", "length2", "length3"};
    new_record();
    put_number("connection", CONNECTION);
    put_number("id", ID);
    put_number("header", sizeof header);
    put_number("pieces", pieces);
    put_number("opcode", 2);
    for (int i = 0; i < 4; i++)
        put_number(names[i], lengths[i]);
    put("octets0", header, sizeof header);
    take("server_sends");
}

START_TEST(a_call_and_its_reply)
{
    struct captured captured;
    begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert_uint_eq(assembler_counts(assembler)->cut, 0);
    end(&captured);
    ck_assert_uint_eq(captured.connections, 1);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 1);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.missing, 0);
    ck_assert(captured.operations_seen);
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
    filter = rows[_i].filter;
    begin();
    fflush(stream);
    long size_of_head = ftell(stream);
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    ck_assert_uint_eq(assembler_counts(assembler)->connections, rows[_i].connections);
    if (rows[_i].connections == 0) { /* nothing that could be read */
        fflush(stream);
        ck_assert_int_eq(ftell(stream), size_of_head);
        end(NULL);
        return;
    }
    end(&captured);
    ck_assert_uint_eq(captured.connections, rows[_i].connections);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], rows[_i].connections);
}
END_TEST

/* The second stream is a capture by itself, of a connection that had been opened before. */
START_TEST(a_capture_goes_on_in_another)
{
    struct captured captured;
    char first[] = "/tmp/rpcrdma-first-XXXXXX";
    begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    FILE *next = fdopen(mkstemp(first), "wb"), *done = stream;
    ck_assert(capture_continue(capture, next));
    fclose(done);
    read_capture(file, &captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 1);
    stream = next;
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    ck_assert(capture_finish(capture));
    fclose(stream);
    read_capture(first, &captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 0);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.lost + captured.unread, 0);
    assembler_free(assembler);
    unlink(first);
    unlink(first);
    unlink(file);
}
END_TEST

/* ---- the client's side ---- */

static void connect_client(void)
{
    static const uint8_t asked[8] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};
    new_record();
    put_number("id", ID);
    put_address("from", 2, 1023);
    put_address("to", 1, 20049);
    put_number("length", sizeof asked);
    put("octets0", asked, sizeof asked);
    take("connects");
    new_record();
    put_number("id", ID);
    put_number("kind", 9); /* established */
    put_number("length", sizeof asked);
    put("octets0", asked, sizeof asked);
    take("answers");
}

static void call(void)
{
    static const uint8_t payload[40] = {0, 0, 0, 9};
    new_record();
    put_number("connection", ID);
    put_number("header", sizeof header);
    put_number("pieces", 2);
    put_number("length0", sizeof header);
    put_number("length1", sizeof payload);
    put_number("length2", 0);
    put_number("head_length", sizeof payload);
    put_number("page_length", 0);
    put_number("tail_length", 0);
    put("octets0", header, sizeof header);
    put("head0", payload, sizeof payload);
    take("client_sends");
}

/* `flags`: of the completion; 4: with invalidation of a handle (enum ib_wc_flags). */
static void answer(uint64_t flags)
{
    static const uint8_t octets[52] = {0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1, [31] = 9, [35] = 1};
    new_record();
    put_number("connection", ID);
    put_number("length", sizeof octets);
    put_number("flags", flags);
    put_number("handle", 0xabcd);
    put("octets0", octets, sizeof octets);
    take("client_receives");
}

START_TEST(a_client_calls)
{
    struct captured captured;
    begin();
    connect_client();
    call();
    answer(_i == 0 ? 1 : 4);
    new_record();
    put_number("id", ID);
    take("disconnects");
    end(&captured);
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
    {24, 1000, 12, 4, {28, 24, 1000, 12}, 1012},   /* the pages are in the Send, and not read */
    {24, 1000, 12, 3, {28, 12, 12}, 24},           /* part of the head: which? */
    {24, 8000, 12, 5, {28, 24, 4000, 4000}, 8012}, /* more pieces than are read */
    {80, 0, 0, 2, {28, 80}, 16},                   /* a head that is longer than what was read */
};

START_TEST(a_payload_is_put_together)
{
    struct captured captured;
    begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(payloads[_i].head, payloads[_i].pages, payloads[_i].tail);
    reply(payloads[_i].pieces, payloads[_i].lengths);
    ck_assert_uint_eq(assembler_counts(assembler)->cut, payloads[_i].missing > 0);
    end(&captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_SERVER], 1);
    ck_assert_uint_eq(captured.missing, payloads[_i].missing);
}
END_TEST

START_TEST(what_was_not_read_is_missing)
{
    struct captured captured;
    begin();
    connect_server();
    receive(null_call, sizeof null_call, 64);
    payload(24, 0, 0);
    sighting.pid = PID + 1; /* another thread's Reply is not this one's */
    take("server_replies");
    new_record();
    end(&captured);
    ck_assert_uint_eq(captured.missing, 4);
}
END_TEST

static void operation(uint64_t kind, uint64_t requests)
{
    new_record();
    put_number("connection", CONNECTION);
    put_number("kind", kind);
    put_number("requests", requests);
    put_number("opcode", 4);
    put_number("handle0", 5);
    put_number("offset0", 0x5000);
    put_number("length0", 4096);
    take("operations");
}

static void rows(uint64_t first_pieces)
{
    uint8_t memory[8][16] = {0};
    for (int i = 0; i < 8; i++)
        memory[i][8] = 100;
    new_record();
    put_number("opcode", 0);
    put_number("handle0", 7);
    put_number("offset0", 0x7000);
    put_number("pieces0", first_pieces);
    put_number("handle1", 7);
    put_number("offset1", 0x7000 + 100 * first_pieces);
    put_number("pieces1", 2);
    put("memory0", memory, sizeof memory);
    take("operation_rows");
}

START_TEST(operations_have_their_lengths)
{
    struct captured captured;
    begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    operation(0, 1);
    rows(1);
    operation(1, 2);
    rows(3);
    operation(2, 1); /* registered: by what the entry said */
    rows(1);
    ck_assert_uint_eq(assembler_counts(assembler)->operations, 4);
    ck_assert_uint_eq(assembler_counts(assembler)->unplaced, 0);
    end(&captured);
    ck_assert_uint_eq(captured.moved[0], 4096);
    ck_assert_uint_eq(captured.missing, 100 + 300 + 200);
    ck_assert_uint_eq(captured.lost, 0);
}
END_TEST

/* More than was read: a gap, and no length that is made up. */
START_TEST(operations_beyond_what_was_read_are_a_gap)
{
    struct captured captured;
    begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    operation(1, 2);
    rows(7); /* 9 pieces, of 8 */
    ck_assert_uint_eq(assembler_counts(assembler)->operations, 1);
    ck_assert_uint_eq(assembler_counts(assembler)->unplaced, 1);
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    end(&captured);
    ck_assert_uint_eq(captured.missing, 700);
    ck_assert_uint_eq(captured.lost, 2);
}
END_TEST

START_TEST(a_loss_is_a_gap_of_every_connection)
{
    struct captured captured;
    begin();
    connect_server();
    receive(null_call, sizeof null_call, sizeof null_call);
    assembler_gap(assembler);
    receive(null_call, sizeof null_call, sizeof null_call);
    payload(24, 0, 0);
    reply(2, (const uint64_t[4]){sizeof header, 24});
    end(&captured);
    ck_assert_uint_eq(captured.lost, 2);
    ck_assert_uint_eq(captured.findings, 0);
}
END_TEST

/* The end belongs to a connection; another in the same place is a new one. */
START_TEST(connections_end)
{
    struct captured captured;
    begin();
    for (int i = 0; i < 3; i++) {
        connect_server();
        receive(null_call, sizeof null_call, sizeof null_call);
        new_record();
        put_number("id", ID);
        put_number("kind", 10);
        take(i == 1 ? "disconnects" : "server_ends");
    }
    ck_assert_uint_eq(assembler_counts(assembler)->connections, 3);
    end(&captured);
    ck_assert_uint_eq(captured.connections, 3);
    ck_assert_uint_eq(captured.lost, 0);
}
END_TEST

/* Records that end before their fields, or have none. */
START_TEST(records_may_be_short)
{
    static const char *const names[] = {
        "requests",       "accepts",        "server_receives", "operations",   "answers",
        "operation_rows", "server_replies", "server_calls",    "server_sends", "server_ends",
        "connects",       "client_sends",   "client_receives", "disconnects",  "unknown"};
    begin();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        new_record();
        take(names[i]);
        put_number("connection", CONNECTION);
        put_number("kind", UINT64_MAX);
        put_number("requests", UINT64_MAX);
        put_number("pieces", UINT64_MAX);
        put_number("pieces0", UINT64_MAX);
        put_number("header", UINT64_MAX);
        put_number("head_length", UINT64_MAX);
        put_number("tail_length", 5);
        put_number("length0", UINT64_MAX);
        take(names[i]);
        sighting.part[0].length = 9;
        take(names[i]);
    }
    end(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("assemble");
    TCase *tests = tcase_create("sightings");
    tcase_add_test(tests, a_call_and_its_reply);
    tcase_add_loop_test(tests, what_is_filtered_is_left_out, 0, 6);
    tcase_add_test(tests, a_capture_goes_on_in_another);
    tcase_add_loop_test(tests, a_client_calls, 0, 2);
    tcase_add_loop_test(tests, a_payload_is_put_together, 0,
                        (int)(sizeof payloads / sizeof *payloads));
    tcase_add_test(tests, what_was_not_read_is_missing);
    tcase_add_test(tests, operations_have_their_lengths);
    tcase_add_test(tests, operations_beyond_what_was_read_are_a_gap);
    tcase_add_test(tests, a_loss_is_a_gap_of_every_connection);
    tcase_add_test(tests, connections_end);
    tcase_add_test(tests, records_may_be_short);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
