// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader: made-up packets in, events out. */
#include "conformance/tests/support/captures/seen.h"
#include "conformance/base/count.h"

#include <unistd.h>

/* ---- connections ---- */

static const uint8_t private_data[8] = {0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};

START_TEST(connection)
{
    cm_request(20049, private_data, sizeof private_data);
    cm_request(20049, private_data, sizeof private_data); /* datagrams get lost */
    cm_reply(private_data, sizeof private_data);
    cm_reply(private_data, sizeof private_data);
    call(CLIENT, 1000, 0xa);
    cm_request(20049, private_data, sizeof private_data);
    reply(SERVER, 2000, 0xa);
    call(CLIENT, 1001, 0xb);
    cm_disconnect(SERVER);
    cm_disconnect(SERVER);
    call(CLIENT, 1002, 0xc); /* it crosses the request */
    expect(NAME "1 private client 56\n3 private server 196\n5 send client 68 a\n"
                "7 send server 68 a\n8 send client 68 b\n9 disconnect server\n"
                "11 send client 68 c\nclosed\n");
    ck_assert_uint_eq(counts.events, 7);
}
END_TEST

static const struct {
    struct wrapping wrapping;
    const char *name;
} wrappings[] = {
    {{.link = LINK_ETHERNET, .vlan_tags = 1}, NAME},
    {{.link = LINK_ETHERNET, .vlan_tags = 4, .ip4_options = 10}, NAME},
    {{.link = LINK_ETHERNET, .ip6 = true}, "0: [2001:db8::1]:0x11-[2001:db8::2]:0x12\n"},
    {{.link = LINK_SLL, .ip6 = true, .ip6_extensions = 8},
     "0: [2001:db8::1]:0x11-[2001:db8::2]:0x12\n"},
    {{.link = LINK_SLL, .vlan_tags = 1}, NAME},
    {{.link = LINK_SLL2}, NAME},
    {{.link = LINK_RAW}, NAME},
    {{.link = LINK_RAW, .ip6 = true}, "0: [2001:db8::1]:0x11-[2001:db8::2]:0x12\n"},
    {{.link = LINK_IPV4}, NAME},
    {{.link = LINK_IPV6, .ip6 = true}, "0: [2001:db8::1]:0x11-[2001:db8::2]:0x12\n"},
    {{.link = LINK_NULL}, NAME},
    {{.link = LINK_LOOP, .ip6 = true}, "0: [2001:db8::1]:0x11-[2001:db8::2]:0x12\n"},
};

START_TEST(links)
{
    char events[128];
    fclose(capture);
    wrapping = wrappings[_i].wrapping;
    begin_capture();
    establish();
    call(CLIENT, 1000, 0xa);
    snprintf(events, sizeof events, "%s3 send client 68 a\nclosed\n", wrappings[_i].name);
    expect(events);
}
END_TEST

/* Each packet is one that must not be taken, between two that must. */
START_TEST(no_packets)
{
    uint8_t raw[80] = {0};
    establish();
    call(CLIENT, 1000, 0xa);
    wrapping.fragment = 0x2000;
    call(CLIENT, 1001, 0xf);
    wrapping.fragment = 1;
    call(CLIENT, 1001, 0xf);
    wrapping.fragment = 0;
    wrapping.vlan_tags = 20;
    call(CLIENT, 1001, 0xf);
    wrapping.vlan_tags = 0;
    wrapping.ip6 = true;
    wrapping.ip6_extensions = 9;
    call(CLIENT, 1001, 0xf);
    wrapping.ip6 = false;
    put16(raw + 12, 0x0800); /* UDP to the port, with lengths that cannot be */
    raw[14] = 0x45;
    raw[23] = 17;
    put16(raw + 36, 4791);
    for (unsigned total = 0; total < 80; total++)
        for (unsigned udp = 0; udp < 40; udp++) {
            put16(raw + 16, total);
            put16(raw + 38, udp);
            frame(raw, sizeof raw);
            frame(raw, total);
        }
    call(CLIENT, 1001, 0xb);
    char events[128];
    snprintf(events, sizeof events,
             NAME "3 send client 68 a\n%" PRIu64 " send client 68 b\nclosed\n", frames);
    expect(events);
}
END_TEST

/* Whose connection it is: by port, by private data, by what it carries, or by option. */
START_TEST(which_connections)
{
    static const char opaque[] = "no transport header at all, just this many octets";
    bool taken = true;
    unsigned port = 20049;
    switch (_i) {
    case 0:
        port = 4420;
        taken = false;
        break;
    case 1:
        port = 4420;
        options.port = 4420;
        break;
    case 2:
        port = 4420;
        options.all_qp = true;
        break;
    }
    cm_request((uint16_t)port, NULL, 0);
    cm_reply(_i == 3 ? private_data : NULL, _i == 3 ? sizeof private_data : 0);
    request(CLIENT, OP_SEND_ONLY, 1000, opaque, sizeof opaque);
    ck_assert_int_eq(read_capture(), taken);
    ck_assert_uint_eq(counts.connections, taken ? 1 : 0);
    ck_assert_str_eq(read_error, taken
                                     ? ""
                                     : "no RPC-over-RDMA traffic in 3 frames; 1 connection request "
                                       "to port 4420 (NVMe over RDMA)");
}
END_TEST

/* What is asked for again after a rejection is another connection. */
START_TEST(rejected)
{
    cm_request(20049, private_data, sizeof private_data);
    cm_reject();
    cm_reply(NULL, 0);
    request(CLIENT, OP_SEND_ONLY, 990, octets, 20);
    peer[0].comm_id = 0x3333;
    establish();
    call(CLIENT, 1000, 0xa);
    expect(NAME "7 send client 68 a\nclosed\n");
}
END_TEST

/* Datagrams to queue pair 1 of other management classes establish nothing. */
START_TEST(other_management)
{
    static const uint8_t classes[] = {0x01, 0x03, 0x06, 0x08, 0x81};
    enum { CLASS_AT = 14 + 20 + 8 + 12 + 8 + 1 };
    uint32_t record[4];
    cm_request(20049, octets, 56);
    cm_reply(octets, 56);
    for (long at = 24;
         fseek(capture, at, SEEK_SET) == 0 && fread(record, sizeof record, 1, capture) == 1;
         at += 16 + (long)record[2]) {
        ck_assert_int_eq(fseek(capture, at + 16 + CLASS_AT, SEEK_SET), 0);
        ck_assert_int_eq(getc(capture), 7); /* connection management */
        ck_assert_int_eq(fseek(capture, at + 16 + CLASS_AT, SEEK_SET), 0);
        ck_assert_int_eq(putc(classes[_i], capture), classes[_i]);
    }
    fseek(capture, 0, SEEK_END);
    call(CLIENT, 1000, 0xa);
    expect("0: 192.0.2.1:?-192.0.2.2:0x12\n3 send client 68 a mid\nclosed\n");
}
END_TEST

START_TEST(ended_by_client)
{
    establish();
    call(CLIENT, 1000, 0xa);
    peer[0].comm_id = 0x3333;
    cm_disconnect(CLIENT); /* another connection's */
    reply(SERVER, 2000, 0xa);
    first_connection();
    cm_disconnect(CLIENT);
    cm_disconnect(SERVER);
    expect(NAME "3 send client 68 a\n5 send server 68 a\n6 disconnect client\nclosed\n");
}
END_TEST

START_TEST(reused)
{
    establish();
    call(CLIENT, 1000, 0xa);
    peer[0].comm_id = 0x3333;
    peer[1].comm_id = 0x4444;
    establish();
    call(CLIENT, 1000, 0xb);
    expect(NAME "3 send client 68 a\n5 disconnect client\nclosed\n"
                "1: 192.0.2.1:0x11-192.0.2.2:0x12\n1: 6 send client 68 b\n1: closed\n");
}
END_TEST

/* The queue pairs go to a connection of something else: a Call that follows on them is not of the
 * connection that had them before. */
START_TEST(given_away)
{
    establish();
    call(CLIENT, 1000, 0xa);
    peer[0].comm_id = 0x3333;
    peer[1].comm_id = 0x4444;
    cm_request(4420, NULL, 0);
    cm_reply(NULL, 0);
    call(CLIENT, 1001, 0xb);
    expect(NAME "3 send client 68 a\n5 disconnect client\nclosed\n"
                "1: 192.0.2.1:?-192.0.2.2:0x12\n1: 6 send client 68 b mid\n1: closed\n");
}
END_TEST

START_TEST(killed)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, NAK_ACCESS);
    call(CLIENT, 1001, 0xb);
    cm_disconnect(CLIENT);
    /* The client had sent 1001 before it knew. */
    expect(NAME "3 send client 68 a\n4 disconnect server\n5 send client 68 b\nclosed\n");
}
END_TEST

/* ---- messages ---- */

START_TEST(segments)
{
    establish();
    part(CLIENT, OP_SEND_FIRST, 1000);
    request(SERVER, OP_SEND_ONLY, 2000, NULL, 0);
    part(CLIENT, OP_SEND_MIDDLE, 1001);
    invalidate(SERVER, OP_SEND_ONLY_INVALIDATE, 2001, 0xabc, octets, 33);
    request(CLIENT, OP_SEND_LAST, 1002, octets + 2048, 7);
    part(SERVER, OP_SEND_FIRST, 2002);
    invalidate(SERVER, OP_SEND_LAST_INVALIDATE, 2003, 0xdef, octets + 1024, 1);
    invalidate(CLIENT, OP_SEND_ONLY_IMMEDIATE, 1003, 0x111, octets, 20);
    expect(NAME "4 send server 0\n6 send server 33 habc\n7 send client 2055\n"
                "9 send server 1025 hdef\n10 send client 20\nclosed\n");
}
END_TEST

/* Packets that no real peer sends. */
START_TEST(empty_segments)
{
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, NULL, 0);
    request(CLIENT, OP_SEND_MIDDLE, 1001, NULL, 0);
    request(CLIENT, OP_SEND_LAST, 1002, NULL, 0);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 0, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2000, ACK, NULL, 0);
    rdma(SERVER, OP_WRITE_FIRST, 2001, 0x78, 0, NULL, 0);
    request(SERVER, OP_WRITE_LAST, 2002, NULL, 0);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 3);
}
END_TEST

START_TEST(sequence_wraps)
{
    peer[0].first_psn = 0xfffffe;
    establish();
    call(CLIENT, 0xfffffe, 0xa);
    part(CLIENT, OP_SEND_FIRST, 0xffffff);
    request(CLIENT, OP_SEND_LAST, 0x1000000, octets + 1024, 100);
    call(CLIENT, 0xffffff, 0xb); /* again */
    call(CLIENT, 1, 0xc);
    expect(NAME "3 send client 68 a\n5 send client 1124\n7 send client 68 c\nclosed\n");
    ck_assert_uint_eq(counts.retransmitted, 1);
}
END_TEST

START_TEST(writes)
{
    establish();
    rdma(SERVER, OP_WRITE_ONLY, 2000, 0x77, 300, octets, 300);
    rdma(SERVER, OP_WRITE_FIRST, 2001, 0x78, 2100, octets, 1024);
    call(CLIENT, 1000, 0xa);
    request(SERVER, OP_WRITE_MIDDLE, 2002, octets + 1024, 1024);
    request(SERVER, OP_WRITE_LAST, 2003, octets + 2048, 52);
    reply(SERVER, 2004, 0xa);
    expect(NAME "3 write server 300 h77\n5 send client 68 a\n7 write server 2100 h78 unconfirmed\n"
                "8 send server 68 a\nclosed\n");
}
END_TEST

START_TEST(reads)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 2049, NULL, 0); /* 2000, 2001, 2002 */
    rdma(SERVER, OP_READ_REQUEST, 2003, 0x78, 5, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    request(CLIENT, OP_READ_MIDDLE, 2001, octets + 1024, 1024);
    request(CLIENT, OP_READ_MIDDLE, 2001, octets + 1024, 1024); /* again */
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 1);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 1);
    response(CLIENT, OP_READ_ONLY, 2003, ACK, octets, 5);
    reply(SERVER, 2004, 0xa);
    expect(
        NAME
        "3 send client 68 a\n9 read server 2049 h77 unconfirmed\n11 read server 5 h78 unconfirmed\n"
        "12 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

START_TEST(read_wraps)
{
    peer[1].first_psn = 0xfffffe;
    establish();
    rdma(SERVER, OP_READ_REQUEST, 0xfffffe, 0x77, 3000, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 0xfffffe, ACK, octets, 1024);
    request(CLIENT, OP_READ_MIDDLE, 0xffffff, octets + 1024, 1024);
    response(CLIENT, OP_READ_LAST, 0x1000000, ACK, octets + 2048, 952);
    reply(SERVER, 1, 0xa);
    expect(NAME "6 gap\n6 read server 3000 h77\n7 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1); /* the Call that is answered */
}
END_TEST

/* Connection management names 1024 octets, but the queue pairs were set to more, or to less. What
 * was asked for in the meantime cannot be distinguished from a retransmission, but nothing after it
 * is. */
START_TEST(read_other_mtu)
{
    establish();
    if (_i == 0) {
        rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 4096, NULL, 0);
        reply(SERVER, 2001, 0xa);
        response(CLIENT, OP_READ_ONLY, 2000, ACK, octets, 4096);
    } else {
        rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 900, NULL, 0);
        response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 512);
        response(CLIENT, OP_READ_LAST, 2001, ACK, octets + 512, 388);
    }
    reply(SERVER, 2002, 0xb);
    rdma(SERVER, OP_READ_REQUEST, 2003, 0x78, 4000, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2003, ACK, octets, _i == 0 ? 2048 : 512);
    reply(SERVER, _i == 0 ? 2005 : 2011, 0xc);
    expect(_i == 0 ? NAME "5 gap\n5 read server 4096 h77\n6 send server 68 b\n"
                          "9 send server 68 c reading\nclosed\n"
                   : NAME "4 gap\n5 read server 900 h77\n6 send server 68 b\n"
                          "9 send server 68 c reading\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST],
                      2); /* one Send, and the RDMA Read that does not end */
}
END_TEST

/* Responses come in order: an earlier read whose own were not seen has been answered all the same.
 * This many are left open that a reader that kept them would run out. */
START_TEST(reads_not_seen)
{
    establish();
    for (uint32_t i = 0; i < 300; i++)
        rdma(SERVER, OP_READ_REQUEST, 2000 + i, i, 5, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2299, ACK, octets, 5);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "\n303 gap\n303 read server 5 h12b\nclosed\n"));
}
END_TEST

START_TEST(snapped)
{
    establish();
    part(CLIENT, OP_SEND_FIRST, 1000);
    wrapping.snap = 14 + 20 + 8 + 12 + 200;
    part(CLIENT, OP_SEND_MIDDLE, 1001);
    request(CLIENT, OP_SEND_LAST, 1002, octets + 2048, 10);
    request(CLIENT, OP_SEND_ONLY, 1003, octets, 400);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 300, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2000, ACK, octets, 300);
    wrapping.snap = 14 + 20 + 8 + 12;
    request(CLIENT, OP_SEND_ONLY, 1004, octets, 1000);
    expect(NAME "5 send client 1224+834\n6 send client 200+200\n8 read server 300 unseen h77\n"
                "9 send client 0+1000\nclosed\n");
}
END_TEST

/* ---- limits and damage ---- */

START_TEST(truncated)
{
    establish();
    call(CLIENT, 1000, 0xa);
    long whole = ftell(capture);
    call(CLIENT, 1001, 0xb);
    fflush(capture);
    ck_assert_int_eq(ftruncate(fileno(capture), whole + _i), 0);
    ck_assert_int_eq(read_capture(), _i == 0);
    ck_assert_str_eq(seen, NAME "3 send client 68 a\nclosed\n");
    if (_i > 0)
        ck_assert_ptr_eq(strstr(read_error, "damaged after frame 3: "), read_error);
}
END_TEST

START_TEST(no_capture)
{
    fclose(capture);
    capture = tmpfile();
    ck_assert_ptr_nonnull(capture);
    fputs("\xd4\xc3\xb2\xa1 and nothing else", capture);
    ck_assert(!read_capture());
    ck_assert_str_ne(read_error, "");
}
END_TEST

START_TEST(sink_stops)
{
    establish();
    for (uint32_t i = 0; i < 5; i++)
        call(CLIENT, 1000 + i, 0xa + i);
    stop_after = 2;
    read_capture();
    ck_assert_str_eq(seen, NAME "3 send client 68 a\n4 send client 68 b\nclosed\n");
}
END_TEST

static uint64_t progress_calls, progress_last;

static void tell(void *arg, uint64_t done, uint64_t total)
{
    ck_assert_ptr_eq(arg, &progress_calls);
    ck_assert_uint_le(done, total);
    ck_assert_uint_gt(done, progress_last);
    progress_last = done;
    progress_calls++;
}

START_TEST(progress)
{
    options.progress = tell;
    options.progress_arg = &progress_calls;
    progress_calls = progress_last = 0;
    establish();
    for (uint32_t i = 0; i < 3 * 4096; i++)
        ack(SERVER, 1000, ACK);
    ck_assert(read_capture());
    ck_assert_uint_eq(progress_calls, 3);
}
END_TEST

/* More connections than are remembered: the least recently used are closed, the busy one stays. */
START_TEST(many_connections)
{
    enum { MANY = 6000, MOST = 4096 };
    establish();
    for (uint32_t i = 0; i < MANY; i++) {
        first_connection();
        call(CLIENT, 1000 + i, i);
        peer[0].queue_pair = 0x1000 + i;
        peer[1].queue_pair = 0x8000 + i;
        peer[0].comm_id = peer[1].comm_id = 0x10000 + i;
        establish();
        call(CLIENT, 1000, i);
    }
    quiet = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, MANY + 1);
    ck_assert_uint_eq(closed, MANY + 1);
    ck_assert_uint_eq(most_open, MOST);
    ck_assert_uint_eq(counts.events, 2 * MANY);
    ck_assert_uint_eq(next_index[0], MANY);
}
END_TEST

/* Messages that never end must not keep others from being put together. */
START_TEST(memory_is_shared)
{
    options.memory = 64 << 10;
    for (uint32_t i = 0; i < 100; i++) {
        peer[0].queue_pair = 0x1000 + i;
        peer[1].queue_pair = 0x8000 + i;
        peer[0].comm_id = peer[1].comm_id = 0x10000 + i;
        establish();
        request(CLIENT, OP_SEND_FIRST, 1000, octets, 4096);
        request(CLIENT, OP_SEND_MIDDLE, 1001, octets + 4096, 4096);
    }
    request(CLIENT, OP_SEND_LAST, 1002, octets, 0);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, " send client 8192\n"));
    ck_assert_uint_ge(counts.missed[SOURCE_LOST], 90);
}
END_TEST

/* Packets of other transport services (UC, RD, UD, XRC) to the connection's queue pairs. */
START_TEST(other_services)
{
    static const uint8_t services[] = {0x20, 0x40, 0xa0, 0xe0};
    establish();
    call(CLIENT, 1000, 0xa);
    for (size_t i = 0; i < sizeof services; i++)
        packet(CLIENT, services[i] | OP_SEND_ONLY, 0x12, 1001, NULL, 0, message(0xb, RPCRDMA_CALL),
               MESSAGE_LENGTH);
    call(CLIENT, 1001, 0xc);
    expect(NAME "3 send client 68 a\n8 send client 68 c\nclosed\n");
}
END_TEST

/* A message longer than any is kept in part: its header can be judged. */
START_TEST(endless_message)
{
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, octets, 8192);
    for (uint32_t i = 1; i < 2100; i++)
        request(CLIENT, OP_SEND_MIDDLE, 1000 + i, octets, 8192);
    request(CLIENT, OP_SEND_LAST, 3100, octets, 8192);
    call(CLIENT, 3101, 0xb);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    ck_assert_uint_eq(counts.missed[SOURCE_CUT], 1);
    ck_assert_uint_eq(counts.events, 2);
}
END_TEST

static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

/* Whatever the octets, every connection is closed once. */
START_TEST(mutated)
{
    times_differ = true;
    establish();
    for (uint32_t i = 0; i < 20; i++) {
        call(CLIENT, 1000 + i, i);
        ack(SERVER, 1000 + i, ACK);
        rdma(SERVER, OP_READ_REQUEST, 2000 + 5 * i, i, 1500, NULL, 0);
        response(CLIENT, OP_READ_FIRST, 2000 + 5 * i, ACK, octets, 1024);
        response(CLIENT, OP_READ_LAST, 2001 + 5 * i, ACK, octets, 476);
        rdma(SERVER, OP_WRITE_FIRST, 2002 + 5 * i, i, 1500, octets, 1024);
        request(SERVER, OP_WRITE_LAST, 2003 + 5 * i, octets, 476);
        reply(SERVER, 2004 + 5 * i, i);
    }
    cm_disconnect(SERVER);
    size_t length = (size_t)ftell(capture);
    uint8_t *whole = malloc(length);
    rewind(capture);
    ck_assert_ptr_nonnull(whole);
    ck_assert_uint_eq(fread(whole, 1, length, capture), length);
    fclose(capture);
    random_state = (uint32_t)_i;
    quiet = displaced = true;
    for (int run = 0; run < 50; run++) {
        capture = tmpfile();
        ck_assert_ptr_nonnull(capture);
        fwrite(whole, 1, length, capture);
        for (uint32_t n = 1 + random_below(8); n > 0; n--) {
            fseek(capture, (long)random_below((uint32_t)length), SEEK_SET);
            putc((int)random_below(256), capture);
        }
        fseek(capture, 0, SEEK_END);
        read_capture();
        ck_assert_uint_eq(closed, counts.connections);
    }
    free(whole);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture");
    TCase *tests = new_case(suite, "connections");
    tcase_add_test(tests, connection);
    tcase_add_loop_test(tests, links, 0, COUNT(wrappings));
    tcase_add_test(tests, no_packets);
    tcase_add_loop_test(tests, which_connections, 0, 4);
    tcase_add_test(tests, rejected);
    tcase_add_loop_test(tests, other_management, 0, 5);
    tcase_add_test(tests, ended_by_client);
    tcase_add_test(tests, reused);
    tcase_add_test(tests, given_away);
    tcase_add_test(tests, killed);
    tests = new_case(suite, "messages");
    tcase_add_test(tests, segments);
    tcase_add_test(tests, empty_segments);
    tcase_add_test(tests, sequence_wraps);
    tcase_add_test(tests, writes);
    tcase_add_test(tests, reads);
    tcase_add_test(tests, read_wraps);
    tcase_add_loop_test(tests, read_other_mtu, 0, 2);
    tcase_add_test(tests, reads_not_seen);
    tcase_add_test(tests, snapped);
    tests = new_case(suite, "limits and damage");
    tcase_add_loop_test(tests, truncated, 0, 20);
    tcase_add_test(tests, no_capture);
    tcase_add_test(tests, sink_stops);
    tcase_add_test(tests, progress);
    tcase_add_test(tests, many_connections);
    tcase_add_test(tests, memory_is_shared);
    tcase_add_test(tests, other_services);
    tcase_add_test(tests, endless_message);
    tcase_add_loop_test(tests, mutated, 0, 8);
    return run_suite(suite);
}
