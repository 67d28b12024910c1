// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages of connection management against the tables of the InfiniBand specification (volume
 * 1, 12.6.5 to 12.6.12, and annex A11): octets written by hand are taken apart, and what is made
 * has each field in its place. And what a connection makes of them (12.9): it is given them, and
 * the time, by hand, and what it says is noted.
 */
#define connection_new noted_new
#define connection_begin noted_begin
#define connection_reject noted_reject
#define connection_give_up noted_give_up
#define connection_disconnect noted_disconnect
#define connection_over noted_over
#define connection_remove noted_remove
#define connection_take_management noted_take_management
#define connection_take noted_take
#define connection_run noted_run
#define host_manage noted_manage
#define host_transmit noted_transmit
#define host_wake noted_wake
#include "rxe-harness/transport/roce/connection.c"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define DATAGRAM 0x64 /* opcode: Send Only of an unreliable datagram */
enum { QUEUE_HEADER = 8, MAD = 256, MESSAGE = QUEUE_HEADER + 24 };

/* After the header of the datagram and of the management datagram. */
static uint8_t octets[QUEUE_HEADER + MAD];
static struct packet packet;

static void set(size_t at, size_t size, uint64_t value)
{
    for (; size > 0; value >>= 8)
        octets[at + --size] = (uint8_t)value;
}

static uint64_t get(size_t at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | octets[at + i];
    return value;
}

static void setup(void)
{
    memset(octets, 0, sizeof octets);
    packet = (struct packet){.opcode = DATAGRAM,
                             .queue_pair = 1,
                             .payload = octets,
                             .recorded = sizeof octets,
                             .total = sizeof octets};
    set(QUEUE_HEADER, 4, 0x01070203);
    set(QUEUE_HEADER + 8, 8, UINT64_C(0x1122334455667788));
    set(MESSAGE, 4, 0xa1a2a3a4);
    set(MESSAGE + 4, 4, 0xb1b2b3b4);
}

static bool take(unsigned attribute, struct management *message)
{
    set(QUEUE_HEADER + 16, 2, attribute);
    memset(message, 0xee, sizeof *message);
    return management_take(&packet, message);
}

START_TEST(a_request_is_taken_apart)
{
    struct management message;
    set(MESSAGE + 4, 4, 0);
    set(MESSAGE + 8, 8, UINT64_C(0x0000000001064e51)); /* port 20049 of TCP's space */
    set(MESSAGE + 16, 8, UINT64_C(0xc1c2c3c4c5c6c7c8));
    set(MESSAGE + 32, 3, 0xd1d2d3);
    octets[MESSAGE + 35] = 5;
    octets[MESSAGE + 39] = 9;
    set(MESSAGE + 44, 3, 0xe1e2e3);
    octets[MESSAGE + 50] = 3 << 4 | 7;
    octets[MESSAGE + 140 + 36] = 0x77;
    ck_assert(take(0x10, &message));
    ck_assert_int_eq(message.kind, MANAGEMENT_REQUEST);
    ck_assert_uint_eq(message.transaction, UINT64_C(0x1122334455667788));
    ck_assert_uint_eq(message.sender.id, 0xa1a2a3a4);
    ck_assert_uint_eq(message.receiver, 0);
    ck_assert_uint_eq(message.port, 20049);
    ck_assert_uint_eq(message.guid, UINT64_C(0xc1c2c3c4c5c6c7c8));
    ck_assert_uint_eq(message.sender.queue_pair, 0xd1d2d3);
    ck_assert_uint_eq(message.sender.serves, 5);
    ck_assert_uint_eq(message.sender.issues, 9);
    ck_assert_uint_eq(message.sender.psn, 0xe1e2e3);
    ck_assert_uint_eq(message.mtu, 1024);
    ck_assert_uint_eq(message.private_length, 56);
    ck_assert_uint_eq(message.private_data[0], 0x77);
    set(MESSAGE + 8, 8, UINT64_C(0x0000000001114e51)); /* of UDP's */
    ck_assert(take(0x10, &message));
    ck_assert_uint_eq(message.port, 0);
}
END_TEST

/* 1 to 5, and none other. */
START_TEST(path_mtus)
{
    static const uint32_t mtus[16] = {0, 256, 512, 1024, 2048, 4096};
    struct management message;
    octets[MESSAGE + 50] = (uint8_t)(_i << 4);
    ck_assert(take(0x10, &message));
    ck_assert_uint_eq(message.mtu, mtus[_i]);
}
END_TEST

START_TEST(a_reply_is_taken_apart)
{
    struct management message;
    set(MESSAGE + 12, 3, 0xd1d2d3);
    set(MESSAGE + 20, 3, 0xe1e2e3);
    octets[MESSAGE + 24] = 5;
    octets[MESSAGE + 25] = 9;
    octets[MESSAGE + 36] = 0x77;
    ck_assert(take(0x13, &message));
    ck_assert_int_eq(message.kind, MANAGEMENT_REPLY);
    ck_assert_uint_eq(message.sender.id, 0xa1a2a3a4);
    ck_assert_uint_eq(message.receiver, 0xb1b2b3b4);
    ck_assert_uint_eq(message.sender.queue_pair, 0xd1d2d3);
    ck_assert_uint_eq(message.sender.psn, 0xe1e2e3);
    ck_assert_uint_eq(message.sender.serves, 5);
    ck_assert_uint_eq(message.sender.issues, 9);
    ck_assert_uint_eq(message.private_length, 196);
    ck_assert_uint_eq(message.private_data[0], 0x77);
}
END_TEST

START_TEST(the_short_ones_are_taken_apart)
{
    struct management message;
    octets[MESSAGE + 8] =
        1 << 6; /* of a reply; and a timeout in the high five bits: 4.096 us * 2^18 */
    octets[MESSAGE + 9] = 18 << 3 | 7;
    ck_assert(take(0x11, &message));
    ck_assert_int_eq(message.kind, MANAGEMENT_RECEIPT);
    ck_assert_int_eq((int)message.patience, 1073);
    octets[MESSAGE + 9] = 31 << 3;
    ck_assert(take(0x11, &message));
    ck_assert(message.patience == 8796093);
    set(MESSAGE + 8, 4, 0x0000001c);
    ck_assert(take(0x12, &message));
    ck_assert_int_eq(message.kind, MANAGEMENT_REJECT);
    ck_assert_uint_eq(message.reason, REJECT_CONSUMER);
    ck_assert(message.guid == 0);
    set(MESSAGE + 8, 4, 0x80100004); /* given up: no message rejected, 8 octets beside the reason */
    set(MESSAGE + 12, 8, 0xc1c2c3c4c5c6c7c8);
    ck_assert(take(0x12, &message));
    ck_assert_uint_eq(message.reason, REJECT_TIMEOUT);
    ck_assert(message.guid == 0xc1c2c3c4c5c6c7c8);
    set(MESSAGE + 8, 3, 0xd1d2d3);
    ck_assert(take(0x15, &message));
    ck_assert_int_eq(message.kind, MANAGEMENT_DISCONNECT);
    ck_assert_uint_eq(message.receiver_pair, 0xd1d2d3);
    ck_assert(take(0x14, &message));
    ck_assert_int_eq(message.kind, MANAGEMENT_READY);
    ck_assert_uint_eq(message.receiver, 0xb1b2b3b4);
    ck_assert(take(0x16, &message));
    ck_assert_int_eq(message.kind, MANAGEMENT_DISCONNECTED);
}
END_TEST

START_TEST(what_is_none_is_not_taken)
{
    struct management message;
    ck_assert(!take(0x0f, &message));
    ck_assert(!take(0x17, &message));
    packet.total--;
    ck_assert(!take(0x10, &message));
    setup();
    packet.queue_pair = 2;
    ck_assert(!take(0x10, &message));
    setup();
    packet.opcode = 0x04;
    ck_assert(!take(0x10, &message));
    setup();
    octets[QUEUE_HEADER + 1] = 4; /* another class of management */
    ck_assert(!take(0x10, &message));
}
END_TEST

/* Make a message, and have its octets as if they had come. */
static void make(const struct management *message)
{
    static struct frame frame;
    struct roce_path path = {.scope = 0};
    for (int i = 0; i < 2; i++) {
        struct address *address = i == 0 ? &path.local : &path.remote;
        memset(address->octets + 10, 0xff, 2);
        memcpy(address->octets + 12, i == 0 ? "\x0a\x01\x02\x03" : "\x0a\x04\x05\x06", 4);
    }
    management_make(&frame, &path, message, 0);
    memcpy(octets, frame.octets + frame.begin + FRAME_BASE, sizeof octets);
}

START_TEST(a_request_is_made)
{
    static const uint8_t data[] = {0xf6, 0xab};
    make(&(struct management){.kind = MANAGEMENT_REQUEST,
                              .transaction = UINT64_C(0x1122334455667788),
                              .sender = {0xa1a2a3a4, 0xd1d2d3, 0xe1e2e3, 5, 9},
                              .guid = UINT64_C(0xc1c2c3c4c5c6c7c8),
                              .port = 20049,
                              .mtu = 2048,
                              .private_data = data,
                              .private_length = sizeof data});
    static const struct {
        size_t at, size;
        uint64_t value;
    } fields[] = {
        {QUEUE_HEADER, 4, 0x01070203},
        {QUEUE_HEADER + 8, 8, UINT64_C(0x1122334455667788)},
        {QUEUE_HEADER + 16, 2, 0x0010},
        {MESSAGE, 4, 0xa1a2a3a4},
        {MESSAGE + 8, 8, UINT64_C(0x0000000001064e51)},
        {MESSAGE + 16, 8, UINT64_C(0xc1c2c3c4c5c6c7c8)},
        {MESSAGE + 32, 3, 0xd1d2d3},
        {MESSAGE + 35, 1, 5},
        {MESSAGE + 39, 1, 9},
        {MESSAGE + 43, 1, 18 << 3}, /* a reliable connection: its two bits are 0 */
        {MESSAGE + 44, 3, 0xe1e2e3},
        {MESSAGE + 47, 1, 18 << 3 | 6},
        {MESSAGE + 48, 2, 0xffff},
        {MESSAGE + 50, 1, 4 << 4 | 7},
        {MESSAGE + 51, 1, 15 << 4},
        {MESSAGE + 56 + 12, 4, 0x0a010203}, /* GIDs: IPv4, mapped */
        {MESSAGE + 56 + 8, 4, 0x0000ffff},
        {MESSAGE + 72 + 12, 4, 0x0a040506},
        {MESSAGE + 140, 2, 0x0040}, /* annex A11: version 0.0, IPv4 */
        {MESSAGE + 144 + 12, 4, 0x0a010203},
        {MESSAGE + 144 + 8, 4, 0},
        {MESSAGE + 160 + 12, 4, 0x0a040506},
        {MESSAGE + 176, 2, 0xf6ab},
        {MESSAGE + 178, 4, 0},
    };
    for (size_t i = 0; i < COUNT(fields); i++)
        ck_assert_msg(get(fields[i].at, fields[i].size) == fields[i].value, "octet %zu: %#llx",
                      fields[i].at, (unsigned long long)get(fields[i].at, fields[i].size));
}
END_TEST

START_TEST(a_request_that_is_given_up)
{
    make(&(struct management){.kind = MANAGEMENT_REJECT,
                              .sender.id = 0xa1a2a3a4,
                              .guid = 0xc1c2c3c4c5c6c7c8,
                              .reason = REJECT_TIMEOUT});
    ck_assert_uint_eq(get(MESSAGE, 4), 0xa1a2a3a4);
    ck_assert_uint_eq(get(MESSAGE + 4, 4), 0);
    ck_assert_uint_eq(get(MESSAGE + 8, 4), 0x80100004);
    ck_assert(get(MESSAGE + 12, 8) == 0xc1c2c3c4c5c6c7c8);
}
END_TEST

START_TEST(the_others_are_made)
{
    static const struct {
        enum management_kind kind;
        size_t at, size;
        uint64_t value;
    } fields[] = {
        {MANAGEMENT_REPLY, 12, 3, 0xd1d2d3}, {MANAGEMENT_REPLY, 20, 3, 0xe1e2e3},
        {MANAGEMENT_REPLY, 24, 1, 5},        {MANAGEMENT_REPLY, 25, 1, 9},
        {MANAGEMENT_REPLY, 26, 1, 15 << 3},  {MANAGEMENT_REPLY, 27, 1, 7 << 5},
        {MANAGEMENT_REPLY, 28, 8, 0xc1},     {MANAGEMENT_REPLY, 36, 1, 0x77},
        {MANAGEMENT_REJECT, 8, 1, 0},        {MANAGEMENT_REJECT, 10, 2, 28},
        {MANAGEMENT_RECEIPT, 9, 1, 20 << 3}, {MANAGEMENT_DISCONNECT, 8, 3, 0xf1f2f3},
        {MANAGEMENT_READY, 8, 4, 0},         {MANAGEMENT_DISCONNECTED, 8, 4, 0},
    };
    for (size_t i = 0; i < COUNT(fields); i++) {
        make(&(struct management){.kind = fields[i].kind,
                                  .sender = {0xa1a2a3a4, 0xd1d2d3, 0xe1e2e3, 5, 9},
                                  .receiver = 0xb1b2b3b4,
                                  .receiver_pair = 0xf1f2f3,
                                  .guid = 0xc1,
                                  .reason = 28,
                                  .private_data = (const uint8_t[]){0x77},
                                  .private_length = 1});
        ck_assert_uint_eq(get(QUEUE_HEADER + 16, 2), fields[i].kind);
        ck_assert_uint_eq(get(MESSAGE, 4), 0xa1a2a3a4);
        ck_assert_uint_eq(get(MESSAGE + 4, 4), 0xb1b2b3b4);
        ck_assert_msg(get(MESSAGE + fields[i].at, fields[i].size) == fields[i].value,
                      "%#x, octet %zu", fields[i].kind, fields[i].at);
    }
}
END_TEST

/* ---- a connection ---- */

static struct roce_host host;
static struct management noted; /* the last that was said */
static unsigned times;          /* that something was said */

void noted_manage(struct roce_host *at, const struct roce_path *path,
                  const struct management *message, struct roce_datagrams *datagrams)
{
    (void)at, (void)path, (void)datagrams;
    noted = *message;
    times++;
}

void noted_transmit(struct roce_host *at, const struct roce_path *path, struct frame *frame,
                    struct wire_chance *chance)
{
    (void)at, (void)path, (void)frame, (void)chance;
}

void noted_wake(struct roce_host *at)
{
    (void)at;
}

/* The only thing that was said since the last time; 0: nothing. */
static unsigned said(void)
{
    unsigned kind = times > 0 ? noted.kind : 0;
    ck_assert_uint_le(times, 1);
    times = 0;
    return kind;
}

static const struct roce_path path;
static const uint8_t long_data[250] = {1, 2, 3};

static struct roce_connection *ask(void)
{
    struct roce_connection *made = connection_new(&host, &path, NULL);
    ck_assert_ptr_nonnull(made);
    connection_begin(made, long_data, sizeof long_data, 1000);
    ck_assert_uint_eq(noted.private_length, 56);
    ck_assert_uint_eq(said(), MANAGEMENT_REQUEST);
    return made;
}

static struct roce_connection *be_asked(void)
{
    const struct roce_request request = {
        .id = 77,
        .message =
            {.kind = MANAGEMENT_REQUEST,
             .transaction = 5,
             .sender = {.id = 9, .queue_pair = 0x123, .psn = 0x456, .serves = 2, .issues = 3},
             .guid = 6,
             .port = 20049,
             .mtu = 1024},
        .private_data = "asks"};
    struct roce_connection *made = connection_new(&host, &path, &request);
    ck_assert_ptr_nonnull(made);
    ck_assert_uint_eq(made->own.id, 77);
    ck_assert_uint_eq(made->pair.mtu, 1024);
    ck_assert_str_eq((const char *)made->private_data, "asks");
    ck_assert_uint_eq(made->private_length, 56);
    return made;
}

static void hear(struct roce_connection *at, enum management_kind kind)
{
    const struct management message = {.kind = kind, .receiver_pair = at->own.queue_pair};
    connection_take_management(at, &message, 5000);
}

/* What is not answered is said again, after times that are doubled four times. */
START_TEST(asks_again)
{
    static const int64_t waits[] = {128000, 256000, 512000, 1024000, 2048000, 2048000, 2048000};
    struct roce_connection *made = _i == 0 ? ask() : be_asked();
    int64_t now = 1000;
    bool more;
    if (_i == 1) {
        ck_assert_int_eq(connection_run(made, now, &more), INT64_MAX); /* nothing to say yet */
        connection_begin(made, NULL, 0, now);
        ck_assert_uint_eq(said(), MANAGEMENT_REPLY);
    }
    for (size_t i = 0; i < COUNT(waits); i++) {
        now += waits[i];
        ck_assert_int_eq(connection_run(made, now - 1, &more), now);
        ck_assert_uint_eq(said(), 0);
        connection_run(made, now, &more);
        ck_assert_uint_eq(said(), _i == 0 ? MANAGEMENT_REQUEST : MANAGEMENT_REPLY);
    }
    connection_remove(made);
    ck_assert_ptr_null(host.connections);
}
END_TEST

/* The peer may ask for time, on both ways, and for a minute at most. */
START_TEST(waits_as_is_asked)
{
    static const int64_t asked[] = {0, 700, 59999, 60000, 1000000};
    struct roce_connection *made = _i % 2 == 0 ? ask() : be_asked();
    struct management receipt = {.kind = MANAGEMENT_RECEIPT, .patience = asked[_i / 2]};
    int64_t most = asked[_i / 2] < 60000 ? asked[_i / 2] * 1000 : 60000000;
    if (_i % 2 == 1)
        connection_begin(made, NULL, 0, 1000);
    connection_take_management(made, &receipt, 4000);
    ck_assert_int_eq(made->again, 4000 + most);
    made->state = CONNECTION_OPEN;
    made->again = INT64_MAX;
    connection_take_management(made, &receipt, 4000);
    ck_assert_int_eq(made->again, INT64_MAX);
    connection_remove(made);
    times = 0;
}
END_TEST

/* Each side bounds what the other one does: the Reads that it serves, those that the other issues.
 */
START_TEST(both_meet)
{
    struct roce_connection *made = ask();
    struct management reply = {
        .kind = MANAGEMENT_REPLY,
        .sender = {.id = 9, .queue_pair = 0x123, .psn = 0x456, .serves = 2, .issues = 3},
        .private_data = (const uint8_t *)"says",
        .private_length = 5};
    unsigned serves = made->own.serves, issues = made->own.issues;
    if (_i == 1)
        reply.sender.serves = reply.sender.issues = 1000;
    connection_take_management(made, &reply, 2000);
    ck_assert_uint_eq(said(), MANAGEMENT_READY);
    ck_assert_int_eq(made->state, CONNECTION_OPEN);
    ck_assert(made->pair.end.open);
    ck_assert_int_eq(made->again, INT64_MAX);
    ck_assert_uint_eq(made->own.issues, _i == 1 ? issues : 2);
    ck_assert_uint_eq(made->own.serves, _i == 1 ? serves : 3);
    ck_assert_uint_eq(made->pair.reads, _i == 1 ? READS_ISSUED : 2);
    ck_assert_uint_eq(made->pair.peer, 0x123);
    ck_assert_uint_eq(made->pair.number, made->own.queue_pair);
    ck_assert_uint_eq(made->pair.next_psn, 0x456);
    ck_assert_uint_eq(made->pair.expected, made->own.psn);
    ck_assert_str_eq((const char *)made->private_data, "says");
    /* Our answer was lost: it is said again, and nothing else changes. */
    reply.sender.queue_pair = 0x999;
    connection_take_management(made, &reply, 3000);
    ck_assert_uint_eq(said(), MANAGEMENT_READY);
    ck_assert_uint_eq(made->pair.peer, 0x123);
    connection_remove(made);
}
END_TEST

START_TEST(is_asked)
{
    struct roce_connection *made = be_asked();
    ck_assert_int_eq(made->state, CONNECTION_MET);
    hear(made, MANAGEMENT_REQUEST); /* it takes longer */
    ck_assert_uint_eq(said(), MANAGEMENT_RECEIPT);
    hear(made, MANAGEMENT_READY); /* not before there was an answer */
    ck_assert_int_eq(made->state, CONNECTION_MET);
    connection_begin(made, long_data, sizeof long_data, 1000);
    ck_assert_uint_eq(noted.private_length, 196);
    ck_assert_uint_eq(noted.transaction, 5);
    ck_assert_uint_eq(noted.receiver, 9);
    ck_assert_uint_eq(said(), MANAGEMENT_REPLY);
    ck_assert_int_eq(made->state, CONNECTION_ANSWERED);
    hear(made, MANAGEMENT_REQUEST);
    ck_assert_uint_eq(said(), MANAGEMENT_REPLY);
    hear(made, MANAGEMENT_REPLY); /* it is for who asks to be answered */
    ck_assert_uint_eq(said(), 0);
    ck_assert_int_eq(made->state, CONNECTION_ANSWERED);
    if (_i == 0) {
        hear(made, MANAGEMENT_READY);
    } else { /* that was lost; but what uses the connection has our answer */
        const struct packet used = {.opcode = OP_ACKNOWLEDGE};
        connection_take(made, &used, false, 2000);
    }
    ck_assert_int_eq(made->state, CONNECTION_OPEN);
    ck_assert_int_eq(made->again, INT64_MAX);
    hear(made, MANAGEMENT_REQUEST);
    ck_assert_uint_eq(said(), 0);
    hear(made, MANAGEMENT_REPLY);
    ck_assert_uint_eq(said(), 0);
    connection_remove(made);
}
END_TEST

/* The first reason counts, and a reject has no private data of an answer. */
START_TEST(is_rejected)
{
    struct roce_connection *made = be_asked();
    connection_begin(made, long_data, sizeof long_data, 1000);
    said();
    connection_reject(made);
    ck_assert_uint_eq(noted.private_length, 0);
    ck_assert_uint_eq(noted.reason, REJECT_CONSUMER);
    ck_assert_uint_eq(said(), MANAGEMENT_REJECT);
    ck_assert_int_eq(made->state, CONNECTION_OVER);
    ck_assert_int_eq(made->again, INT64_MAX);
    connection_over(made, "another reason");
    ck_assert_str_eq(made->why, "rejected");
    connection_remove(made);
    made = ask();
    const struct management reject = {.kind = MANAGEMENT_REJECT, .reason = REJECT_NO_SERVICE};
    connection_take_management(made, &reject, 2000);
    ck_assert_uint_eq(said(), 0);
    ck_assert_uint_eq(made->reason, REJECT_NO_SERVICE);
    ck_assert_str_eq(made->why, management_reason(REJECT_NO_SERVICE));
    connection_remove(made);
    made = be_asked(); /* who gave up before there was an answer gets none */
    connection_take_management(made, &reject, 2000);
    connection_begin(made, NULL, 0, 3000);
    ck_assert_uint_eq(said(), 0);
    ck_assert_int_eq(made->state, CONNECTION_OVER);
    connection_remove(made);
}
END_TEST

/* It ends: by the peer, by us, or because its queue pair has failed, once it has nothing to send.
 */
START_TEST(ends)
{
    struct roce_connection *made = be_asked();
    bool more;
    connection_begin(made, NULL, 0, 1000);
    hear(made, MANAGEMENT_READY);
    said();
    const struct management stray = {.kind = MANAGEMENT_DISCONNECT,
                                     .receiver_pair = made->own.queue_pair + 1};
    connection_take_management(made, &stray, 2000);
    ck_assert_uint_eq(said(), 0);
    ck_assert_int_eq(made->state, CONNECTION_OPEN);
    if (_i == 0) {
        hear(made, MANAGEMENT_DISCONNECT);
        ck_assert_uint_eq(said(), MANAGEMENT_DISCONNECTED);
        ck_assert_str_eq(made->why, LINK_LEFT);
    } else if (_i == 1) {
        connection_disconnect(made);
        ck_assert_uint_eq(noted.receiver_pair, 0x123);
        ck_assert_uint_eq(said(), MANAGEMENT_DISCONNECT);
        ck_assert(made->parting);
        hear(made, MANAGEMENT_DISCONNECTED);
        ck_assert_uint_eq(said(), 0);
        ck_assert_str_eq(made->why, "disconnected");
    } else {
        connection_run(made, 3000, &more);
        ck_assert_uint_eq(said(), 0);
        end_fail(&made->pair.end, "a fault");
        connection_run(made, 3000, &more);
        ck_assert_uint_eq(said(), MANAGEMENT_DISCONNECT);
        ck_assert_str_eq(made->why, "a fault");
    }
    ck_assert_int_eq(made->state, CONNECTION_OVER);
    ck_assert_int_eq(made->parting, _i == 2);
    connection_remove(made);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("management");
    tcase_add_loop_test(tests, asks_again, 0, 2);
    tcase_add_loop_test(tests, waits_as_is_asked, 0, 10);
    tcase_add_loop_test(tests, both_meet, 0, 2);
    tcase_add_loop_test(tests, is_asked, 0, 2);
    tcase_add_test(tests, is_rejected);
    tcase_add_loop_test(tests, ends, 0, 3);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, a_request_is_taken_apart);
    tcase_add_loop_test(tests, path_mtus, 0, 16);
    tcase_add_test(tests, a_reply_is_taken_apart);
    tcase_add_test(tests, the_short_ones_are_taken_apart);
    tcase_add_test(tests, what_is_none_is_not_taken);
    tcase_add_test(tests, a_request_is_made);
    tcase_add_test(tests, a_request_that_is_given_up);
    tcase_add_test(tests, the_others_are_made);
    return run_tests("connection management", tests);
}
