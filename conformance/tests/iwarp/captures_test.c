// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader and iWARP: made-up TCP segments in, events out. */
#include "conformance/tests/support/captures/segments.h"
#include "conformance/base/count.h"

static const uint8_t private_data[8] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};

static void send_words(enum rpcrdma_endpoint from, const uint32_t *words, size_t count)
{
    uint8_t to[256];
    for (size_t i = 0; i < count; i++)
        put32(to + 4 * i, words[i]);
    put_send(&made[from], to, 4 * count);
    flush(from);
}
#define SEND2(from, xid, type, ...)                                                                \
    send_words(from, (const uint32_t[]){xid, 2, 32, type, __VA_ARGS__},                            \
               sizeof((const uint32_t[]){xid, 2, 32, type, __VA_ARGS__}) / 4)

/* The server's first Send is a message of both drafts, until the client shows which it is. */
START_TEST(version2)
{
    connect_iwarp();
    SEND2(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
    SEND2(SERVER, 7, 7, 1, 1, 4, 8192);
    if (_i == 0) {
        SEND2(CLIENT, 10, 0, 0, 0, 0, 0, 0, 10, 0, 2, 100003, 4, 0, 0, 0, 0, 0);
        SEND2(SERVER, 10, 0, 1, 0, 0, 0, 0, 10, 1, 0, 0, 0, 0);
        expect(IWARP "6 send client 56 type 9 -04\n"
                     "7 send server 32 type 7 -04\n8 send client 76 type 0 -04\n"
                     "9 send server 60 type 0 -04\nclosed\n");
    } else {
        SEND2(CLIENT, 10, 10, 0, 0, 0, 0, 10, 0, 2, 100003, 4, 0, 0, 0, 0, 0);
        SEND2(SERVER, 10, 13, 0, 10, 1, 0, 0, 0, 0);
        expect(IWARP "6 send client 56 type 9 -07\n"
                     "7 send server 32 type 7 -07\n8 send client 72 type 10 -07\n"
                     "9 send server 44 type 13 -07\nclosed\n");
    }
}
END_TEST

START_TEST(connection)
{
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    start(CLIENT, 0, 1, private_data, 8);
    start(SERVER, 0, 1, private_data, 8);
    send_call(0xa);
    send_reply(0xa);
    segment(CLIENT, ACKS, NULL, 0);
    segment(SERVER, FIN | ACKS, NULL, 0);
    segment(CLIENT, FIN | ACKS, NULL, 0);
    segment(CLIENT, ACKS, octets, 100); /* too late */
    expect(IWARP "3 private client 8\n4 private server 8\n5 send client 68 a\n"
                 "6 send server 68 a\n8 disconnect server\nclosed\n");
    ck_assert_uint_eq(counts.events, 5);
    ck_assert_uint_eq(
        counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] + counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

START_TEST(version_6)
{
    ip6 = true;
    connect_iwarp();
    send_call(0xa);
    expect("0: [2001:db8::1]:900-[2001:db8::2]:20049\n6 send client 68 a\nclosed\n");
}
END_TEST

/* Revision 2: the depths of RDMA Reads are not the upper layer's; nor is what tells that the
 * client is ready. */
START_TEST(enhanced)
{
    uint8_t data[12] = {0x80, 16, 0x40, 16};
    memcpy(data + 4, private_data, 8);
    start(CLIENT, 0x10, 2, data, 12);
    start(SERVER, 0x10, 2, data, 12);
    put_read_request(&made[0], 0, 0, 0, 0, 0);
    flush(CLIENT);
    send_call(0xa);
    expect(IWARP "1 private client 8\n2 private server 8\n4 send client 68 a reading\nclosed\n");
}
END_TEST

/* Both sides have to agree that the client begins so; else a message of no length is one. */
START_TEST(ready_to_receive)
{
    static const uint8_t data[2][4] = {{0, 16, 0x40, 16}, {0x80, 16, 0x40, 16}};
    start(CLIENT, 0x10, 2, data[_i & 1], 4);
    start(SERVER, 0x10, 2, data[_i >> 1], 4);
    put_send(&made[0], octets, 0);
    flush(CLIENT);
    made[0].length = 0;
    put_send(&made[0], message(0xa, RPCRDMA_CALL), MESSAGE_LENGTH);
    segment(CLIENT, ACKS, made[0].octets, made[0].length);
    expect(_i == 3 ? IWARP "4 send client 68 a\nclosed\n"
                   : IWARP "3 send client 0\n4 send client 68 a\nclosed\n");
}
END_TEST

/* Those depths alone: there is no private data of the upper layer. */
START_TEST(enhanced_alone)
{
    static const uint8_t data[4] = {0x80, 16, 0x40, 16};
    start(CLIENT, 0x10, 2, data, 4);
    start(SERVER, 0x10, 2, data, 4);
    put_read_request(&made[0], 0, 0, 0, 0, 0);
    flush(CLIENT);
    send_call(0xa);
    expect(IWARP "4 send client 68 a reading\nclosed\n");
}
END_TEST

START_TEST(rejected)
{
    start(CLIENT, 0, 1, private_data, 8);
    start(SERVER, 0x20, 1, private_data, 8);
    ck_assert(!read_capture());
    ck_assert_uint_eq(counts.connections, 0);
}
END_TEST

START_TEST(another_port)
{
    port[1] = 4711;
    start(CLIENT, 0, 1, _i == 0 ? private_data : NULL, _i == 0 ? 8 : 0);
    start(SERVER, 0, 1, NULL, 0);
    if (_i == 2)
        put_send(&made[0], octets, 100); /* something else */
    else
        put_send(&made[0], message(0xa, RPCRDMA_CALL), MESSAGE_LENGTH);
    flush(CLIENT);
    if (_i == 0)
        expect("0: 192.0.2.1:900-192.0.2.2:4711\n1 private client 8\n3 send client 68 a\nclosed\n");
    else if (_i == 1)
        expect("0: 192.0.2.1:900-192.0.2.2:4711\n3 send client 68 a\nclosed\n");
    else
        ck_assert(!read_capture());
}
END_TEST

/* Where neither port nor private data tell, the first Send does, for good: not what comes before
 * it, and not what comes later. */
START_TEST(first_send_tells)
{
    port[1] = _i == 0 ? 4711 : 30000;
    start(CLIENT, 0, 1, NULL, 0);
    start(SERVER, 0, 1, NULL, 0);
    if (_i == 0)
        put_tagged(&made[1], DDP_OPCODE_WRITE, 0x11, RDMA_OFFSET, octets, 100);
    else
        put_send(&made[1], octets, 100);
    flush(SERVER);
    put_send(&made[0], message(0xa, RPCRDMA_CALL), MESSAGE_LENGTH);
    flush(CLIENT);
    if (_i == 0)
        expect("0: 192.0.2.1:900-192.0.2.2:4711\n4 send client 68 a\nclosed\n");
    else
        ck_assert(!read_capture());
    ck_assert_uint_eq(counts.connections, _i == 0);
}
END_TEST

/* The frame that starts a connection comes in two segments, and the first is cut off by the
 * capture: before the flags and the length, or after. What follows is found all the same. */
START_TEST(start_in_parts)
{
    uint8_t to[256];
    size_t total = put_mpa_start(to, false, 0, 1, octets, 100), headers = 14 + 20 + 32;
    segment(CLIENT, SYN, NULL, 0);
    segment(SERVER, SYN | ACKS, NULL, 0);
    wrapping.snap = headers + (_i == 0 ? 10 : 40);
    segment(CLIENT, ACKS, to, 60);
    wrapping.snap = 0;
    segment(CLIENT, ACKS, to + 60, total - 60);
    start(SERVER, 0, 1, NULL, 0);
    send_call(0xa);
    send_reply(0xa);
    expect(IWARP "6 send client 68 a mid\n7 send server 68 a mid\nclosed\n");
    ck_assert_uint_eq(unopened, 1);
    ck_assert_uint_gt(counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

/* Of a connection without its beginning both sides are seen, or one. */
START_TEST(one_side_alone)
{
    if (_i != SERVER)
        send_call(0xa);
    if (_i != CLIENT)
        send_reply(0xa);
    read_capture();
    ck_assert_uint_eq(counts.events, _i == 2 ? 2 : 1);
    ck_assert_uint_eq(unopened, 1);
    ck_assert_uint_eq(one_sided, _i < 2);
}
END_TEST

START_TEST(not_mpa)
{
    start(CLIENT, 0, 1, NULL, 0);
    segment(SERVER, ACKS, octets, 100);
    send_call(0xa);
    read_capture();
    ck_assert_str_eq(seen, "closed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 1);
}
END_TEST

/* NFS of version 4.1 in small: Calls, Replies, an RDMA Write, an RDMA Read, Send With Invalidate.
 */
static void converse(void)
{
    made[0].limit = made[1].limit = 400;
    connect_iwarp();
    send_call(0xa);
    put_tagged(&made[1], DDP_OPCODE_WRITE, 0x11, RDMA_OFFSET, octets, 2500);
    put_untagged(&made[1], DDP_OPCODE_SEND_INVALIDATE, 0x11, message(0xa, RPCRDMA_REPLY),
                 MESSAGE_LENGTH);
    flush(SERVER);
    send_call(0xb);
    put_read_request(&made[1], 0x21, 0x100, 0x12, RDMA_OFFSET, 1800);
    flush(SERVER);
    put_tagged(&made[0], DDP_OPCODE_READ_RESPONSE, 0x21, 0x100, octets, 1800);
    flush(CLIENT);
    send_reply(0xb);
    put_send(&made[0], octets, 900);
    flush(CLIENT);
    send_reply(0xc);
    segment(CLIENT, ACKS, NULL, 0);
}

/* The events of converse() without the numbers of their frames. */
static void expect_conversation(void)
{
    static const char *const all[] = {"send client 68 a",     "write server 2500 h11",
                                      "send server 68 a h11", "send client 68 b",
                                      "read server 1800 h12", "send server 68 b",
                                      "send client 900",      "send server 68 c"};
    const char *from = seen;
    for (size_t i = 0; i < COUNT(all); i++) {
        char line[64];
        snprintf(line, sizeof line, " %s\n", all[i]);
        from = strstr(from, line);
        ck_assert_msg(from != NULL, "%s is missing in:\n%s", all[i], seen);
        from += strlen(line) - 1;
    }
    ck_assert_uint_eq(counts.events, 8);
    ck_assert_uint_eq(
        counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] + counts.missed[SOURCE_UNREAD], 0);
}

START_TEST(sizes)
{
    for (size_t size = 1; size < 3000; size = size * 5 / 4 + 1) {
        begin();
        crc = _i & 1;
        markers = _i & 2;
        segment_size = size;
        converse();
        ck_assert(read_capture());
        expect_conversation();
    }
}
END_TEST

/* Each frame missing, one after the other: no event is wrong, what is missing is counted. */
START_TEST(frame_missing)
{
    unsigned lost_one = 1;
    for (bool any = true; any; lost_one++) {
        begin();
        crc = _i & 1;
        markers = _i & 2;
        segment_size = 500;
        times_differ = true; /* what waits for others is passed on later */
        frame_lost = lost_one;
        converse();
        any = lost_one < frame_number; /* the last only acknowledges */
        bool good = read_capture();
        ck_assert_msg(good || (markers && lost_one == 4), "frame %u: %s", lost_one, read_error);
        ck_assert_ptr_null(strstr(seen, "wrong"));
        if (!any || lost_one <= 3)
            expect_conversation();
        else
            ck_assert_msg(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_UNREAD] > 0,
                          "frame %u:\n%s", lost_one, seen);
        ck_assert(lost_one < 6 || !any || strstr(seen, "gap") != NULL);
        ck_assert_uint_le(counts.missed[SOURCE_LOST], 6);
    }
    ck_assert_uint_gt(lost_one, 20);
}
END_TEST

/* Frames swapped with their neighbours: nothing is lost. */
START_TEST(swapped)
{
    static const uint32_t at[] = {0, 1, 3, 2, 5, 4};
    uint8_t *made_octets = made[0].octets;
    connect_iwarp();
    for (uint32_t xid = 1; xid <= 6; xid++)
        put_send(&made[0], message(xid, RPCRDMA_CALL), MESSAGE_LENGTH);
    size_t size = made[0].length / 6;
    uint32_t first = next[0];
    for (int i = 0; i < 6; i++)
        segment_at(CLIENT, first + (uint32_t)(at[i] * size), ACKS, made_octets + at[i] * size,
                   size);
    expect(IWARP "6 send client 68 1\n7 send client 68 2\n9 send client 68 3\n9 send client 68 4\n"
                 "11 send client 68 5\n11 send client 68 6\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

START_TEST(sent_again)
{
    connect_iwarp();
    put_send(&made[0], message(1, RPCRDMA_CALL), MESSAGE_LENGTH);
    put_send(&made[0], message(2, RPCRDMA_CALL), MESSAGE_LENGTH);
    uint32_t first = next[0];
    segment_at(CLIENT, first, ACKS, made[0].octets, 30);
    segment_at(CLIENT, first + 100, ACKS, made[0].octets + 100, made[0].length - 100);
    segment_at(CLIENT, first, ACKS, made[0].octets, 60);
    segment_at(CLIENT, first, ACKS, made[0].octets, 60);
    segment_at(CLIENT, first + 20, ACKS, made[0].octets + 20, made[0].length - 20);
    expect(IWARP "10 send client 68 1\n10 send client 68 2\nclosed\n");
    ck_assert_uint_eq(counts.retransmitted, 2);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* The Reply was recorded before its Call. */
START_TEST(reply_first)
{
    connect_iwarp();
    put_send(&made[0], message(1, RPCRDMA_CALL), MESSAGE_LENGTH);
    uint32_t first = next[0];
    next[0] += (uint32_t)made[0].length;
    send_reply(1);
    if (_i == 0) /* else it is the copy that was sent again after the Reply */
        next[1] -= (uint32_t)made[1].length;
    segment_at(CLIENT, first, ACKS, made[0].octets, made[0].length);
    expect(_i == 0 ? IWARP "7 send client 68 1\n7 send server 68 1\nclosed\n"
                   : IWARP "7 gap\n7 send client 68 1\n7 send server 68 1\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* Each octet of a Call's FPDU wrong: it is lost, the next is not. */
START_TEST(wrong_check_sum)
{
    crc = true;
    connect_iwarp();
    send_call(1);
    made[0].length = 0;
    put_send(&made[0], message(2, RPCRDMA_CALL), MESSAGE_LENGTH);
    made[0].octets[_i] ^= 1;
    segment(CLIENT, ACKS, made[0].octets, made[0].length);
    made[0].length = 0;
    put_send(&made[0], message(3, RPCRDMA_CALL), MESSAGE_LENGTH);
    segment(CLIENT, ACKS, made[0].octets, made[0].length);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    ck_assert_ptr_nonnull(strstr(seen, "6 send client 68 1\n"));
    if (_i >= 2) /* with a wrong length, the next one is read as part of it */
        ck_assert_ptr_nonnull(strstr(seen, "8 send client 68 3\n"));
    ck_assert_ptr_null(strstr(seen, "68 2\n"));
}
END_TEST

/* Sends of converse() that were cut short are not compared. */
static void expect_nothing_wrong(void)
{
    for (const char *at = seen; (at = strstr(at, " wrong")) != NULL; at++) {
        const char *line = at;
        while (line > seen && line[-1] != '\n')
            line--;
        const char *length = strstr(line, "send ");
        ck_assert_msg(length && length < at && atoi(length + 12) < MESSAGE_LENGTH, "%s", seen);
    }
}

/* Any snap length: nothing is wrong, and what was not seen is said. */
START_TEST(snapped)
{
    for (size_t snap = 14 + (size_t)_i; snap < 600; snap += 6) {
        begin();
        crc = _i & 1;
        markers = _i & 2;
        wrapping.snap = snap;
        converse();
        read_capture();
        expect_nothing_wrong();
        if (snap >= 66 + 20) /* the frames that start MPA */
            ck_assert_uint_eq(counts.connections, 1);
        if (counts.connections == 1 && counts.events < 8)
            ck_assert_uint_gt(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] +
                                  counts.missed[SOURCE_UNREAD],
                              0);
        if (counts.connections == 1 && snap < 70 + 400) /* the RDMA Write, at least */
            ck_assert_uint_gt(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] +
                                  counts.missed[SOURCE_UNREAD],
                              0);
    }
}
END_TEST

/* The capture begins later, at any frame. */
START_TEST(mid_stream)
{
    FILE *whole;
    begin();
    converse();
    whole = capture;
    uint64_t all = frames;
    for (uint64_t skipped = 1; skipped <= all; skipped++) {
        uint32_t header[4];
        static uint8_t copy[70000];
        rewind(whole);
        begin_capture();
        ck_assert_int_eq(fseek(whole, 24, SEEK_SET), 0);
        for (uint64_t i = 0; i < all; i++) {
            ck_assert_uint_eq(fread(header, sizeof header, 1, whole), 1);
            ck_assert_uint_eq(fread(copy, 1, header[2], whole), header[2]);
            if (i >= skipped)
                frame(copy, header[2]);
        }
        bool good = read_capture();
        ck_assert_ptr_null(strstr(seen, "wrong"));
        ck_assert(skipped > 3 || good);
        if (skipped == 5) /* all that had begun with the first Call */
            ck_assert_ptr_eq(strstr(seen, IWARP "1 send client 68 a mid\n"), seen);
        if (skipped + 1 < all)
            ck_assert_uint_gt(counts.events + counts.missed[SOURCE_UNREAD], 0);
    }
    fclose(whole);
}
END_TEST

/* Hundreds of connections that each keep something: memory stays within its limit. */
START_TEST(little_memory)
{
    options.memory = 1 << 20;
    quiet = true;
    for (unsigned i = 0; i < 1200; i++) {
        port[0] = (uint16_t)(1000 + i);
        made[0].limit = 1000;
        made[0].length = made[0].sends = 0;
        connect_iwarp();
        put_send(&made[0], octets, 4000);
        segment(CLIENT, ACKS, made[0].octets, 2500); /* and no more */
    }
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, 1200);
    ck_assert_uint_ge(counts.missed[SOURCE_LOST], 1200);
}
END_TEST

START_TEST(other_traffic)
{
    segment(CLIENT, ACKS, octets, 100);
    port[1] = 80;
    segment(CLIENT, ACKS, octets, 100);
    ck_assert(!read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 1);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("iWARP");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, connection);
    tcase_add_loop_test(tests, version2, 0, 2);
    tcase_add_test(tests, version_6);
    tcase_add_test(tests, enhanced);
    tcase_add_loop_test(tests, ready_to_receive, 0, 4);
    tcase_add_test(tests, enhanced_alone);
    tcase_add_test(tests, rejected);
    tcase_add_loop_test(tests, another_port, 0, 3);
    tcase_add_loop_test(tests, first_send_tells, 0, 2);
    tcase_add_loop_test(tests, start_in_parts, 0, 2);
    tcase_add_loop_test(tests, one_side_alone, 0, 3);
    tcase_add_test(tests, not_mpa);
    tcase_add_loop_test(tests, sizes, 0, 4);
    tcase_add_loop_test(tests, frame_missing, 0, 4);
    tcase_add_test(tests, swapped);
    tcase_add_test(tests, sent_again);
    tcase_add_loop_test(tests, reply_first, 0, 2);
    tcase_add_loop_test(tests, wrong_check_sum, 0, 92);
    tcase_add_loop_test(tests, snapped, 0, 4);
    tcase_add_test(tests, mid_stream);
    tcase_add_test(tests, little_memory);
    tcase_add_test(tests, other_traffic);
    return run_tests("captures of iWARP", tests);
}
