// SPDX-License-Identifier: BSD-3-Clause
/* What the proxy's capture has in it, octet by octet: blocks of pcapng, packets of RoCEv2. Numbers
 * are those of the two formats. */
#include "rxe-harness/proxy/capture.h"

#include "conformance/base/count.h"
#include "conformance/input/capture/pcapng.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/xdr.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MTU = 4096, FRAMES = 32, NUMBER = 5 }; /* NUMBER: of the connection */
enum { QP_CLIENT = 2 * NUMBER, QP_SERVER = 2 * NUMBER + 1 };
enum { FRAME_COST = 128, MAD = 256 };

static FILE *stream;
static char *text;
static size_t size;
static struct capture_file *file;
static struct capture_flow flow;
static uint8_t data[3 * MTU];

static struct {
    uint32_t interface, captured, length;
    uint64_t time;
    const uint8_t *octets;
    char comment[80];
} frames[FRAMES];
static unsigned count;

/* ---- blocks ---- */

/* In this machine's order. */
static uint32_t number(size_t at)
{
    uint32_t value;
    ck_assert_uint_le(at + 4, size);
    memcpy(&value, text + at, sizeof value);
    return value;
}

static uint16_t half(size_t at)
{
    uint16_t value;
    memcpy(&value, text + at, sizeof value);
    return value;
}

static size_t padded(size_t length)
{
    return (length + 3) / 4 * 4;
}

static void read_interface(size_t at, unsigned index)
{
    static const char *const names[] = {"RPC-over-RDMA", PCAPNG_SENDS_ONLY, PCAPNG_WITHIN_CLIENT};
    ck_assert_uint_eq(half(at + 8), 1); /* Ethernet */
    ck_assert_uint_ge(number(at + 12), 14 + CAPTURE_PACKET_MAX);
    ck_assert_uint_eq(half(at + 16), 9); /* nanoseconds */
    ck_assert_uint_eq(half(at + 18), 1);
    ck_assert_uint_eq(text[at + 20], 9);
    ck_assert_uint_eq(half(at + 24), 3); /* its name */
    size_t length = half(at + 26);
    ck_assert_uint_eq(number(at + 28 + padded(length)), 0);
    ck_assert_uint_eq(number(at + 4), 28 + padded(length) + 8);
    ck_assert_uint_lt(index, COUNT(names));
    ck_assert_uint_eq(length, strlen(names[index]));
    ck_assert_mem_eq(text + at + 28, names[index], length);
}

static void read_frame(size_t at)
{
    size_t total = number(at + 4), captured = number(at + 20), end = 28 + padded(captured);
    ck_assert_uint_lt(count, FRAMES);
    frames[count].interface = number(at + 8);
    frames[count].time = (uint64_t)number(at + 12) << 32 | number(at + 16);
    frames[count].captured = (uint32_t)captured;
    frames[count].length = number(at + 24);
    frames[count].octets = (const uint8_t *)text + at + 28;
    frames[count].comment[0] = '\0';
    if (total > end + 4) {
        size_t length = half(at + end + 2);
        ck_assert_uint_eq(half(at + end), 1);
        ck_assert_uint_lt(length, sizeof frames[count].comment);
        memcpy(frames[count].comment, text + at + end + 4, length);
        frames[count].comment[length] = '\0';
        end += 4 + padded(length);
        ck_assert_uint_eq(number(at + end), 0);
        end += 4;
    }
    ck_assert_uint_eq(total, end + 4);
    count++;
}

/* All of it; what is written later is read by the next call. */
static void read_back(void)
{
    unsigned interfaces = 0;
    capture_flush(file);
    count = 0;
    ck_assert_uint_eq(number(0), 0x0a0d0d0a);
    ck_assert_uint_eq(number(4), 28);
    ck_assert_uint_eq(number(8), 0x1a2b3c4d);
    ck_assert_uint_eq(half(12), 1);
    ck_assert_uint_eq(half(14), 0);
    ck_assert(number(16) == UINT32_MAX && number(20) == UINT32_MAX);
    for (size_t at = 28; at < size; at += number(at + 4)) {
        ck_assert_uint_eq(number(at + number(at + 4) - 4), number(at + 4));
        if (number(at) == 1)
            read_interface(at, interfaces++);
        else
            read_frame(at);
    }
    ck_assert_uint_eq(interfaces, 3);
}

/* ---- packets ---- */

static uint32_t big(unsigned frame, size_t at)
{
    ck_assert_uint_lt(frame, count);
    ck_assert_uint_le(at + 4, frames[frame].captured);
    return rpcrdma_xdr_load32(frames[frame].octets + at);
}

enum { IP = 14, UDP = IP + 20, BASE = UDP + 8, EXTENDED = BASE + 12 };

/* From one end to the other; `total`: octets after the base header, the check sum among them. */
static void is_packet(unsigned frame, int from, unsigned opcode, uint32_t psn, uint32_t to,
                      size_t total, unsigned padding)
{
    size_t udp = 8 + 12 + total;
    ck_assert_uint_lt(frame, count);
    const uint8_t *octets = frames[frame].octets;
    ck_assert_msg(octets[BASE] == opcode, "frame %u: opcode 0x%02x", frame, octets[BASE]);
    ck_assert_uint_eq(frames[frame].length, IP + 20 + udp);
    ck_assert_uint_eq(octets[5], from == 0 ? 2 : 1);
    ck_assert_uint_eq(octets[11], from == 0 ? 1 : 2);
    ck_assert_uint_eq(octets[0], 2); /* of an administrator's making */
    ck_assert_uint_eq(octets[6], 2);
    ck_assert_uint_eq(big(frame, 12), 0x08004500);
    ck_assert_uint_eq(big(frame, IP + 2) >> 16, 20 + udp);
    ck_assert_uint_eq(big(frame, IP + 8) >> 16, 0x4011);
    ck_assert_uint_eq(big(frame, IP + 12), 0xc0000201u + (unsigned)from);
    ck_assert_uint_eq(big(frame, IP + 16), 0xc0000202u - (unsigned)from);
    ck_assert_uint_eq(big(frame, UDP) & 0xffff, 4791);
    ck_assert_uint_eq(big(frame, UDP + 4) >> 16, udp);
    ck_assert_uint_eq(octets[BASE + 1] >> 4 & 3, padding);
    ck_assert_uint_eq(big(frame, BASE) & 0xffff, 0xffff);
    ck_assert_uint_eq(big(frame, BASE + 4), to);
    ck_assert_uint_eq(big(frame, BASE + 8) & 0xffffff, psn & 0xffffff);
}

/* All of its octets are there: from this one of the data on, after the extended headers. */
static void has_data(unsigned frame, size_t extended, size_t from, size_t length)
{
    ck_assert_uint_eq(frames[frame].captured, frames[frame].length);
    ck_assert_mem_eq(frames[frame].octets + EXTENDED + extended, data + from, length);
}

static void is_acknowledged(unsigned frame, int by, uint32_t psn)
{
    is_packet(frame, by, 0x11, psn, by == 0 ? QP_SERVER : QP_CLIENT, 8, 0);
    ck_assert_uint_eq(big(frame, EXTENDED) >> 24, 0x1f);
}

/* ---- a connection ---- */

static struct capture_side sides[2];

static void set_up(void)
{
    stream = open_memstream(&text, &size);
    file = capture_create(stream, SIZE_MAX);
    memset(sides, 0, sizeof sides);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
}

static void tear_down(void)
{
    ck_assert(capture_finish(file));
    fclose(stream);
    free(text);
}

static void meet(void)
{
    sides[0].unseen = true;
    ck_assert(capture_meet(&flow, file, NUMBER, sides));
}

static bool add(enum rpcrdma_event_type type, enum rpcrdma_endpoint from, size_t length,
                size_t missing)
{
    const struct rpcrdma_event event = {.type = type,
                                        .from = from,
                                        .data = data,
                                        .length = length,
                                        .missing = missing,
                                        .handle = 0x1234abcd,
                                        .offset = 0x1122334455667788,
                                        .invalidate = missing == 0 && length == 2 * MTU + 5};
    return capture_add(&flow, &event);
}

START_TEST(two_sides_meet_and_part)
{
    static const uint8_t said[2][8] = {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 8, 7, 6, 5, 4, 3, 2}};
    enum { MANAGED = EXTENDED + 8, MESSAGE = MANAGED + 24 };
    for (int i = 0; i < 2; i++)
        sides[i] =
            (struct capture_side){.private_data = said[i], .private_length = 8, .port = 2049};
    ck_assert(capture_meet(&flow, file, NUMBER, sides));
    for (int i = 0; i < 2; i++)
        ck_assert(add(RPCRDMA_EVENT_DISCONNECT, (enum rpcrdma_endpoint)i, 0, 0));
    read_back();
    static const struct {
        int from;
        unsigned attribute;
    } rows[] = {{0, 0x10}, {1, 0x13}, {0, 0x14}, {0, 0x15}, {1, 0x15}};
    ck_assert_uint_eq(count, COUNT(rows));
    for (unsigned i = 0; i < count; i++) {
        is_packet(i, rows[i].from, 0x64, 0, 1, 8 + MAD + 4, 0);
        ck_assert_uint_eq(big(i, EXTENDED), 0x80010000); /* its key, its queue pair */
        ck_assert_uint_eq(big(i, EXTENDED + 4), 1);
        ck_assert_uint_eq(big(i, MANAGED), 0x01070203);
        ck_assert_uint_eq(big(i, MANAGED + 16) >> 16, rows[i].attribute);
        uint32_t own = big(i, MESSAGE), others = big(i, MESSAGE + 4);
        ck_assert_uint_eq(own, big(rows[i].from == 0 ? 0 : 1, MESSAGE));
        ck_assert_uint_eq(others, i == 0 ? 0 : big(rows[i].from == 0 ? 1 : 0, MESSAGE));
    }
    ck_assert_uint_ne(big(0, MESSAGE), big(1, MESSAGE));
    ck_assert_uint_eq(big(0, MESSAGE + 8), 0);
    ck_assert_uint_eq(big(0, MESSAGE + 12), 0x01060000 + 2049);
    ck_assert_uint_eq(big(0, MESSAGE + 32) >> 8, QP_CLIENT);
    ck_assert_uint_eq(big(0, MESSAGE + 44) >> 8, 2000); /* what it expects */
    ck_assert_uint_eq(frames[0].octets[MESSAGE + 50] >> 4, 5);
    ck_assert_mem_eq(frames[0].octets + MESSAGE + 176, said[0], 8);
    ck_assert_uint_eq(big(1, MESSAGE + 12) >> 8, QP_SERVER);
    ck_assert_uint_eq(big(1, MESSAGE + 20) >> 8, 1000);
    ck_assert_mem_eq(frames[1].octets + MESSAGE + 36, said[1], 8);
    ck_assert_uint_eq(big(3, MESSAGE + 8) >> 8, QP_SERVER); /* of whom it parts from */
    ck_assert_uint_eq(big(4, MESSAGE + 8) >> 8, QP_CLIENT);
}
END_TEST

/* No more private data than there is room for, and the usual port. */
START_TEST(private_data_has_its_room)
{
    for (int i = 0; i < 2; i++)
        sides[i] = (struct capture_side){.private_data = data, .private_length = 256};
    ck_assert(capture_meet(&flow, file, NUMBER, sides));
    read_back();
    enum { MESSAGE = EXTENDED + 8 + 24 };
    ck_assert_uint_eq(big(0, MESSAGE + 12), 0x01060000 + 20049);
    ck_assert_mem_eq(frames[0].octets + MESSAGE + 176, data, 56);
    ck_assert_uint_eq(big(0, MESSAGE + 176 + 56), 0); /* the check sum */
    ck_assert_mem_eq(frames[1].octets + MESSAGE + 36, data, 196);
    ck_assert_uint_eq(big(1, MESSAGE + 36 + 196), 0);
}
END_TEST

/* ---- what is sent ---- */

START_TEST(sends_are_packets)
{
    meet();
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 10, 0));
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, MTU, 0));
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 0, 0));
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_SERVER, 2 * MTU + 5, 0)); /* invalidates */
    ck_assert(add(RPCRDMA_EVENT_GAP, RPCRDMA_SERVER, 0, 0));
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_SERVER, MTU + 1, 0));
    read_back();
    ck_assert_uint_eq(count, 6 + 4 + 3);
    static const size_t lengths[] = {10, MTU, 0};
    for (unsigned i = 0; i < 3; i++) {
        unsigned padding = lengths[i] == 10 ? 2 : 0;
        is_packet(2 * i, 0, 4, 1000 + i, QP_SERVER, lengths[i] + padding + 4, padding);
        has_data(2 * i, 0, 0, lengths[i]);
        is_acknowledged(2 * i + 1, 1, 1000 + i);
    }
    is_packet(6, 1, 0, 2000, QP_CLIENT, MTU + 4, 0);
    has_data(6, 0, 0, MTU);
    is_packet(7, 1, 1, 2001, QP_CLIENT, MTU + 4, 0);
    has_data(7, 0, MTU, MTU);
    is_packet(8, 1, 0x16, 2002, QP_CLIENT, 4 + 5 + 3 + 4, 3);
    ck_assert_uint_eq(big(8, EXTENDED), 0x1234abcd);
    has_data(8, 4, 2 * MTU, 5);
    is_acknowledged(9, 0, 2002);
    is_packet(10, 1, 0, 2004, QP_CLIENT, MTU + 4, 0); /* one is not known */
    is_packet(11, 1, 2, 2005, QP_CLIENT, 1 + 3 + 4, 3);
    is_acknowledged(12, 0, 2005);
}
END_TEST

static void is_remote(unsigned frame, uint32_t length)
{
    ck_assert_uint_eq(big(frame, EXTENDED), 0x11223344);
    ck_assert_uint_eq(big(frame, EXTENDED + 4), 0x55667788);
    ck_assert_uint_eq(big(frame, EXTENDED + 8), 0x1234abcd);
    ck_assert_uint_eq(big(frame, EXTENDED + 12), length);
}

START_TEST(operations_are_packets)
{
    meet();
    ck_assert(add(RPCRDMA_EVENT_RDMA_WRITE, RPCRDMA_SERVER, 2 * MTU + 2, 0));
    ck_assert(add(RPCRDMA_EVENT_RDMA_READ, RPCRDMA_SERVER, 2 * MTU + 1, 0));
    ck_assert(add(RPCRDMA_EVENT_RDMA_WRITE, RPCRDMA_SERVER, 4, 0));
    ck_assert(add(RPCRDMA_EVENT_RDMA_READ, RPCRDMA_SERVER, 8, 0));
    read_back();
    ck_assert_uint_eq(count, 4 + 4 + 2 + 2);
    is_packet(0, 1, 6, 2000, QP_CLIENT, 16 + MTU + 4, 0);
    is_remote(0, 2 * MTU + 2);
    has_data(0, 16, 0, MTU);
    is_packet(1, 1, 7, 2001, QP_CLIENT, MTU + 4, 0);
    has_data(1, 0, MTU, MTU);
    is_packet(2, 1, 8, 2002, QP_CLIENT, 2 + 2 + 4, 2);
    is_acknowledged(3, 0, 2002);
    is_packet(4, 1, 0x0c, 2003, QP_CLIENT, 16 + 4, 0);
    is_remote(4, 2 * MTU + 1);
    is_packet(5, 0, 0x0d, 2003, QP_SERVER, 4 + MTU + 4, 0);
    ck_assert_uint_eq(big(5, EXTENDED) >> 24, 0x1f);
    has_data(5, 4, 0, MTU);
    is_packet(6, 0, 0x0e, 2004, QP_SERVER, MTU + 4, 0);
    has_data(6, 0, MTU, MTU);
    is_packet(7, 0, 0x0f, 2005, QP_SERVER, 4 + 1 + 3 + 4, 3);
    ck_assert_uint_eq(big(7, EXTENDED) >> 24, 0x1f);
    is_packet(8, 1, 0x0a, 2006, QP_CLIENT, 16 + 4 + 4, 0);
    is_remote(8, 4);
    is_acknowledged(9, 0, 2006);
    is_packet(10, 1, 0x0c, 2007, QP_CLIENT, 16 + 4, 0);
    is_packet(11, 0, 0x10, 2007, QP_SERVER, 4 + 8 + 4, 0);
    has_data(11, 4, 0, 8);
}
END_TEST

/* A packet ends where the octets do that are known; the one after it has none. */
START_TEST(what_is_missing_is_not_recorded)
{
    meet();
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 6, MTU - 2));
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, MTU + 1, 2));
    read_back();
    ck_assert_uint_eq(count, 6);
    is_packet(0, 0, 0, 1000, QP_SERVER, MTU + 4, 0);
    ck_assert_uint_eq(frames[0].captured, EXTENDED + 6);
    ck_assert_mem_eq(frames[0].octets + EXTENDED, data, 6);
    is_packet(1, 0, 2, 1001, QP_SERVER, 4 + 4, 0);
    ck_assert_uint_eq(frames[1].captured, EXTENDED);
    is_packet(3, 0, 0, 1002, QP_SERVER, MTU + 4, 0);
    has_data(3, 0, 0, MTU);
    is_packet(4, 0, 2, 1003, QP_SERVER, 3 + 1 + 4, 1);
    ck_assert_uint_eq(frames[4].captured, EXTENDED + 1);
    ck_assert_uint_eq(frames[4].octets[EXTENDED], data[MTU]);
}
END_TEST

/* ---- addresses, interfaces, time ---- */

START_TEST(addresses_are_those_of_the_sides)
{
    static const struct address six[2] = {{{0x20, 1, 0x0d, 0xb8, [15] = 1}},
                                          {{0x20, 1, 0x0d, 0xb8, [15] = 2}}},
                                four = {{[10] = 0xff, [11] = 0xff, 10, 0, 0, 1}};
    sides[0].address = _i == 0 ? &six[0] : &four;
    sides[1].address = &six[1];
    meet();
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_SERVER, 8, 0));
    read_back();
    enum { SIX = 40 };
    ck_assert_uint_eq(big(0, 12), 0x86dd6000);
    ck_assert_uint_eq(big(0, IP + 4), (8 + 12 + 8 + 4) << 16 | 0x1140);
    ck_assert_mem_eq(frames[0].octets + IP + 8, six[1].octets, 16);
    ck_assert_mem_eq(frames[0].octets + IP + 24, sides[0].address->octets, 16);
    ck_assert_uint_eq(big(0, IP + SIX) & 0xffff, 4791);
    ck_assert_uint_eq(big(0, IP + SIX + 4) >> 16, 8 + 12 + 8 + 4);
    ck_assert_uint_eq(frames[0].length, IP + SIX + 8 + 12 + 8 + 4);
}
END_TEST

/* Which of them says what is seen of a connection. */
START_TEST(interfaces_say_what_is_seen)
{
    sides[0].sends_only = _i > 0;
    sides[0].within = _i == 2;
    meet();
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 8, 0));
    read_back();
    ck_assert_uint_eq(frames[0].interface, (unsigned)_i);
    ck_assert_uint_eq(frames[1].interface, (unsigned)_i);
}
END_TEST

/* As set, or now; a comment is the next frame's. */
START_TEST(frames_have_their_time)
{
    const int64_t then = INT64_C(1700000000123456789);
    meet();
    capture_set(file, then, "posted by it");
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 8, 0));
    capture_set(file, 0, "");
    time_t before = time(NULL);
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 8, 0));
    time_t after = time(NULL);
    read_back();
    ck_assert_uint_eq(frames[0].time, (uint64_t)then);
    ck_assert_str_eq(frames[0].comment, "posted by it");
    ck_assert_str_eq(frames[1].comment, "");
    ck_assert_uint_eq(frames[1].time, (uint64_t)then);
    ck_assert_uint_ge(frames[2].time / 1000000000, (uint64_t)before);
    ck_assert_uint_le(frames[2].time / 1000000000, (uint64_t)after);
}
END_TEST

/* ---- room ---- */

/* What does not fit is left out, and all that follows of the connection, though it would fit. */
START_TEST(room_ends)
{
    const size_t meeting = 4 * (MAD + FRAME_COST), send = 10 + 2 * FRAME_COST;
    const size_t large = MTU + 3 * FRAME_COST;
    static const size_t less[] = {0, 1, 1, 1};
    size_t room = meeting + (_i > 0 ? send : 0) + (_i > 2 ? large : 0) - less[_i];
    struct capture_file *unlimited = file;
    file = capture_create(stream, room);
    fflush(stream);
    size_t empty = size;
    sides[0].unseen = true;
    ck_assert(capture_meet(&flow, file, NUMBER, sides));
    if (_i == 3) {
        ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 10, 0));
        ck_assert(!add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, MTU, 0));
    } else {
        ck_assert(!add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 10, 0));
    }
    fflush(stream);
    size_t full = size;
    ck_assert_int_eq(full > empty, _i == 3);
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 0, 0)); /* which is not said again */
    fflush(stream);
    ck_assert_uint_eq(size, full);
    free(file);
    file = unlimited;
}
END_TEST

START_TEST(there_is_room_to_meet_or_nothing)
{
    struct capture_file *small = capture_create(stream, 4 * (MAD + FRAME_COST) - 1);
    fflush(stream);
    size_t empty = size;
    ck_assert(!capture_meet(&flow, small, NUMBER, sides));
    ck_assert(add(RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 0, 0));
    fflush(stream);
    ck_assert_uint_eq(size, empty);
    free(small);
}
END_TEST

/* Packets that are there already. */
START_TEST(packets_are_taken_as_they_are)
{
    uint8_t four[40] = {0x45, 1, 2, 3}, six[48] = {0x60, 4, 5, 6};
    struct capture_file *unlimited = file;
    file = capture_create(stream, 40 + 48 + 2 * FRAME_COST + 1);
    size_t begins = (fflush(stream), size);
    capture_packet(file, four, 0);
    capture_packet(file, four, sizeof four);
    capture_packet(file, six, sizeof six);
    capture_packet(file, four, 4); /* for which there is no room */
    fflush(stream);
    count = 0;
    for (size_t at = begins; at < size; at += number(at + 4))
        read_frame(at);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(frames[0].captured, IP + sizeof four);
    ck_assert_uint_eq(frames[0].length, IP + sizeof four);
    ck_assert_uint_eq(big(0, 12), 0x08004501);
    ck_assert_mem_eq(frames[0].octets + IP, four, sizeof four);
    ck_assert_uint_eq(big(1, 12), 0x86dd6004);
    ck_assert_mem_eq(frames[1].octets + IP, six, sizeof six);
    free(file);
    file = unlimited;
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("capture");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, two_sides_meet_and_part);
    tcase_add_test(tests, private_data_has_its_room);
    tcase_add_test(tests, sends_are_packets);
    tcase_add_test(tests, operations_are_packets);
    tcase_add_test(tests, what_is_missing_is_not_recorded);
    tcase_add_loop_test(tests, addresses_are_those_of_the_sides, 0, 2);
    tcase_add_loop_test(tests, interfaces_say_what_is_seen, 0, 3);
    tcase_add_test(tests, frames_have_their_time);
    tcase_add_loop_test(tests, room_ends, 1, 4);
    tcase_add_test(tests, there_is_room_to_meet_or_nothing);
    tcase_add_test(tests, packets_are_taken_as_they_are);
    return run_tests("capture", tests);
}
