// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader where packets were recorded in another order, where packets are refused, and
 * what it says of order and of what it could not read. */
#include "conformance/tests/support/captures/seen.h"
#include "conformance/base/count.h"

/* ---- recorded in another order ---- */

START_TEST(two_swapped)
{
    establish();
    call(CLIENT, 1001, 0xb);
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK);
    displaced = true;
    expect(NAME "4 send client 68 a\n3 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* In whatever order, also where the numbers begin again. */
START_TEST(swapped_at_wrap)
{
    static const uint8_t orders[][3] = {{1, 0, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}};
    peer[0].first_psn = 0xfffffe;
    establish();
    for (int i = 0; i < 3; i++)
        call(CLIENT, (0xfffffe + orders[_i][i]) & 0xffffff, 0xau + orders[_i][i]);
    ack(SERVER, 0, ACK);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 3);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    const char *a = strstr(seen, "68 a\n"), *b = strstr(seen, "68 b\n"),
               *c = strstr(seen, "68 c\n");
    ck_assert(a && b && c && a < b && b < c);
}
END_TEST

/* However three packets of a message and the next message are mixed. */
START_TEST(message_mixed)
{
    static const uint8_t orders[][4] = {{0, 2, 1, 3}, {2, 1, 0, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    establish();
    for (int i = 0; i < 4; i++)
        switch (orders[_i][i]) {
        case 0:
            part(CLIENT, OP_SEND_FIRST, 1000);
            break;
        case 1:
            part(CLIENT, OP_SEND_MIDDLE, 1001);
            break;
        case 2:
            part(CLIENT, OP_SEND_LAST, 1002);
            break;
        default:
            call(CLIENT, 1003, 0xb);
        }
    displaced = true;
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "send client 2100\n"));
    ck_assert_ptr_nonnull(strstr(seen, "send client 68 b\n"));
    ck_assert_ptr_null(strstr(seen, "gap"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    ck_assert_uint_eq(counts.events, 2);
}
END_TEST

/* An acknowledgement says that a packet was received; it may still be recorded. */
START_TEST(acknowledged_before)
{
    establish();
    ack(SERVER, 1000, ACK);
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    expect(NAME "4 send client 68 a\n5 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* After some frames it will not come any more. */
START_TEST(acknowledged_and_missing)
{
    establish();
    ack(SERVER, 1000, ACK);
    for (uint32_t i = 1; i < 12; i++)
        call(CLIENT, 1000 + i, i);
    ck_assert(read_capture());
    ck_assert_ptr_eq(strstr(seen, NAME "3 gap\n4 send client 68 1\n"), seen);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    ck_assert_uint_eq(counts.events, 11);
}
END_TEST

START_TEST(reply_before_call)
{
    establish();
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    reply(SERVER, 2001, 0xb);
    call(CLIENT, 1001, 0xb);
    call(CLIENT, 1002, 0xc);
    displaced = true;
    expect(NAME "3 send client 68 a\n4 send server 68 a\n6 send client 68 b\n5 send server 68 b\n"
                "7 send client 68 c\nclosed\n");
}
END_TEST

/* A sink that wants no more gets no more, though more was kept back: early events, and the Sends of
 * a connection that waits for its Disconnect. */
START_TEST(stops_with_more_kept)
{
    establish();
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xb); /* early */
    reply(SERVER, 2001, 0xc);
    rdma(SERVER, OP_WRITE_ONLY, 2002, 0x77, 100, octets, 100);
    call(CLIENT, 1001, 0xb);
    call(CLIENT, 1002, 0xc);
    cm_disconnect(CLIENT);
    displaced = true;
    stop_after = (unsigned)_i;
    read_capture();
    ck_assert_uint_eq(events_seen, stop_after);
    ck_assert_uint_eq(counts.events, stop_after);
}
END_TEST

/* The client had acknowledged the Reply before it sent its next Call, so it had received it. */
START_TEST(reply_after_its_acknowledgement)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(CLIENT, 2000, ACK);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2000, 0xa);
    displaced = true;
    expect(NAME "3 send client 68 a\n6 send server 68 a\n5 send client 68 b\nclosed\n");
}
END_TEST

/* The same XID used again at once is not a Call that came late. */
START_TEST(same_xid_again)
{
    establish();
    for (uint32_t i = 0; i < 3; i++) {
        call(CLIENT, 1000 + i, 0xa);
        reply(SERVER, 2000 + i, 0xa);
    }
    expect(NAME "3 send client 68 a\n4 send server 68 a\n5 send client 68 a\n6 send server 68 a\n"
                "7 send client 68 a\n8 send server 68 a\nclosed\n");
}
END_TEST

START_TEST(connection_reply_before_request)
{
    cm_reply(NULL, 0);
    cm_request(20049, octets, 56);
    call(CLIENT, 1000, 0xa);
    ck_assert(read_capture());
    ck_assert_str_eq(seen, NAME "2 private client 56\n3 send client 68 a\nclosed\n");
}
END_TEST

/* ---- numbers that are not known ---- */

/* How many numbers the Read takes is not known, but what is sent again is below them all. */
START_TEST(read_then_sent_again)
{
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2001, 0xb);
    rdma(SERVER, OP_READ_REQUEST, 2002, 0x77, 5, NULL, 0);
    reply(SERVER, 2001, 0xb);
    rdma(SERVER, OP_READ_REQUEST, 2002, 0x77, 5, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2002, ACK, octets, 5);
    reply(SERVER, 2003, 0xc);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 6);
    ck_assert_uint_eq(counts.retransmitted, 2);
}
END_TEST

/* One packet of a response is missing, and asked for again with the rest. */
START_TEST(rest_of_a_read)
{
    establish();
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 2500, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 452);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, 1476, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2001, ACK, octets + 1024, 1024);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 452);
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2003, 0xa);
    expect(NAME "7 read server 2500 h77\n9 send client 68 a\n10 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* It never comes: the Read is reported before what its requester sends next. */
START_TEST(rest_of_a_read_missing)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 2500, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 452);
    reply(SERVER, 2003, 0xa);
    call(CLIENT, 1001, 0xb);
    expect(NAME "3 send client 68 a\n7 gap\n7 send server 68 a reading\n8 send client 68 b\n"
                "8 read server 2500 unseen h77\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
}
END_TEST

/* ---- refusals, and connections that begin again ---- */

START_TEST(refused_read)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 100, NULL, 0);
    ack(CLIENT, 2000, NAK_ACCESS);
    expect(NAME "3 send client 68 a\n5 refused client h77 read 100\n5 disconnect client\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

START_TEST(refused_write)
{
    establish();
    call(CLIENT, 1000, 0xa);
    if (_i == 0) {
        rdma(SERVER, OP_WRITE_ONLY, 2000, 0x77, 100, octets, 100);
    } else {
        rdma(SERVER, OP_WRITE_FIRST, 2000, 0x77, 5000, octets, 1024);
        request(SERVER, OP_WRITE_MIDDLE, 2001, octets + 1024, 1024);
    }
    ack(CLIENT, _i == 0 ? 2000 : 2001, NAK_ACCESS);
    expect(_i == 0 ? NAME
               "3 send client 68 a\n4 write server 100 h77 unconfirmed\n5 refused client h77 100\n"
               "5 disconnect client\nclosed\n"
                   : NAME
               "3 send client 68 a\n6 refused client h77 5000\n6 disconnect client\nclosed\n");
}
END_TEST

/* However often it is refused, that is one event; the next Send is another. */
START_TEST(not_ready_twice)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, NAK_RNR);
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, NAK_RNR);
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    part(CLIENT, OP_SEND_FIRST, 1001);
    ack(SERVER, 1001, NAK_RNR);
    part(CLIENT, OP_SEND_FIRST, 1001);
    request(CLIENT, OP_SEND_LAST, 1002, octets + 1024, 1);
    expect(NAME "3 send client 68 a\n4 not-ready server\n10 not-ready server\n"
                "12 send client 1025\nclosed\n");
}
END_TEST

/* The rest of a Send that was refused had been sent before its sender knew; and what comes from the
 * side that refused, before it did. */
START_TEST(rest_after_refusal)
{
    establish();
    part(CLIENT, OP_SEND_FIRST, 1000);
    ack(SERVER, 1000, NAK_ACCESS + 1);
    part(CLIENT, OP_SEND_MIDDLE, 1001);
    reply(SERVER, 2000, 0xe); /* the server's queue pair has failed: recorded late */
    part(CLIENT, OP_SEND_LAST, 1002);
    if (_i > 0)
        part(CLIENT, OP_SEND_FIRST, 1003);
    if (_i > 1)
        call(CLIENT, 1005, 0xb);
    cm_disconnect(CLIENT);
    /* What the end broke off is no loss; what a packet is missing of is. */
    expect(_i < 2 ? NAME "4 disconnect server\n6 send server 68 e\n"
                         "7 send client 2100\nclosed\n"
                  : NAME "4 disconnect server\n10 gap\n6 send server 68 e\n"
                         "7 send client 2100\n9 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], _i > 1);
    ck_assert_uint_eq(counts.missed[SOURCE_BROKEN_OFF], _i == 1);
}
END_TEST

/* Refusals of what the capture does not have name nothing, but the connection ends by them. */
START_TEST(refused_unknown)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    ack(CLIENT, 2000, _i == 0 ? NAK_ACCESS : NAK_RNR);
    expect(_i == 0 ? NAME "3 send client 68 a\n5 disconnect client\nclosed\n"
                   : NAME "3 send client 68 a\nclosed\n");
}
END_TEST

START_TEST(atomics)
{
    static const uint8_t extended[28] = {0, 0, 0, 0x10, 0, 0, 0, 0x20, 0, 0, 0, 0x77};
    establish();
    call(CLIENT, 1000, 0xa);
    packet(SERVER, OP_FETCH_ADD, 0x11, 2000, extended, sizeof extended, NULL, 0);
    response(CLIENT, OP_ATOMIC_ACKNOWLEDGE, 2000, ACK, octets, 8);
    packet(SERVER, OP_COMPARE_SWAP, 0x11, 2001, extended, sizeof extended, NULL, 0);
    reply(SERVER, 2002, 0xa);
    expect(NAME "3 send client 68 a\n4 atomic server h77\n6 atomic server h77\n"
                "7 send server 68 a\nclosed\n");
}
END_TEST

/* An atomic operation is one on 8 octets. */
START_TEST(atomic_length)
{
    static const uint8_t extended[28] = {0, 0, 0, 0x10, 0, 0, 0, 0x20, 0, 0, 0, 0x77};
    establish();
    call(CLIENT, 1000, 0xa);
    packet(SERVER, OP_FETCH_ADD, 0x11, 2000, extended, sizeof extended, NULL, 0);
    response(CLIENT, OP_ATOMIC_ACKNOWLEDGE, 2000, ACK, octets, 8);
    expect(NAME "3 send client 68 a\n4 atomic server h77\nclosed\n");
    ck_assert_uint_eq(last_length, 8);
}
END_TEST

/* The same ids and queue pairs connect again: with other numbers, or after an end. */
START_TEST(same_id_again)
{
    establish();
    call(CLIENT, 1000, 0xa);
    if (_i == 0) {
        peer[0].first_psn = 5000;
        peer[1].first_psn = 6000;
    } else {
        cm_disconnect(CLIENT);
    }
    establish();
    call(CLIENT, _i == 0 ? 5000 : 1000, 0xb);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, 2);
    ck_assert_uint_eq(counts.events, 3);
    ck_assert_ptr_nonnull(strstr(seen, "send client 68 b"));
}
END_TEST

/* ---- what one side had sent and received ---- */

static uint64_t orders[16][2];
static unsigned order_count;

static bool see_order(void *arg, const struct source_event *event)
{
    (void)arg;
    if (event->event.has_order && order_count < 16) {
        orders[order_count][0] = event->event.sent;
        orders[order_count++][1] = event->event.received;
    }
    return true;
}

START_TEST(order_of_one_side)
{
    static const uint64_t expected[][2] = {
        {0, 0}, /* Call a */
        {0, 1}, /* Reply a */
        {0, 0}, /* Call b: the Reply was not acknowledged yet */
        {0, 1}, /* Call c */
        {1, 1}, /* the Read, requested after Reply a, when only a was acknowledged */
        {0, 1}, /* Call d */
        {1, 3}, /* there was no buffer for it: after Reply a, and three Calls */
    };
    const struct source_sink sink = {.event = see_order};
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    reply(SERVER, 2000, 0xa);
    call(CLIENT, 1001, 0xb);
    ack(CLIENT, 2000, ACK);
    call(CLIENT, 1002, 0xc);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, 5, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2001, ACK, octets, 5);
    call(CLIENT, 1003, 0xd);
    ack(SERVER, 1003, NAK_RNR);
    struct source_reader reader = {capture, "made-up",  &options,         &sink,
                                   &counts, read_error, sizeof read_error};
    counts = (struct source_counts){0};
    rewind(capture);
    ck_assert(source_read_capture(&reader));
    ck_assert_uint_eq(order_count, COUNT(expected));
    ck_assert_int_eq(memcmp(orders, expected, sizeof expected), 0);
    if (reader.stream)
        fclose(reader.stream);
}
END_TEST

/* ---- what could not be read ---- */

START_TEST(unread)
{
    establish();
    call(CLIENT, 1000, 0xa);
    peer[0].queue_pair = 0x31; /* unknown, and no RPC-over-RDMA */
    peer[1].queue_pair = 0x32;
    request(CLIENT, OP_SEND_ONLY, 1, octets, 100);
    request(CLIENT, OP_SEND_FIRST, 2, octets, 100);
    request(CLIENT, OP_SEND_LAST, 3, octets, 100);
    expect(NAME "3 send client 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 2);
}
END_TEST

/* Connection management showed what those queue pairs are for. */
START_TEST(unread_by_choice)
{
    establish();
    call(CLIENT, 1000, 0xa);
    peer[0] = (struct synthetic_peer){1, 0x31, 0x3131, 1};
    peer[1] = (struct synthetic_peer){2, 0x32, 0x3232, 1};
    cm_request(4420, NULL, 0);
    cm_reply(NULL, 0);
    request(CLIENT, OP_SEND_ONLY, 1, octets, 100);
    request(SERVER, OP_SEND_ONLY, 1, octets, 100);
    expect(NAME "3 send client 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

START_TEST(unread_management)
{
    wrapping.snap = 120;
    cm_request(20049, octets, 56);
    cm_reply(NULL, 0);
    wrapping.snap = 0;
    call(CLIENT, 1000, 0xa);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 2);
    ck_assert_uint_eq(counts.events, 1);
}
END_TEST

/* Cut anywhere: only a request and a reply that are whole are known for what they are. */
START_TEST(management_cut)
{
    establish();
    size_t whole = (size_t)ftell(capture) / 2;
    for (size_t snap = 80; snap < whole; snap++) {
        begin_capture();
        wrapping.snap = snap;
        cm_request(20049, octets, 56);
        wrapping.snap = 0;
        cm_reply(NULL, 0);
        call(CLIENT, 1000, 0xa);
        ck_assert(read_capture());
        bool mid = strstr(seen, " mid\n") != NULL;
        ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], mid);
        ck_assert_uint_eq(counts.events, mid ? 1 : 2);
        ck_assert(mid || snap > 256);
    }
}
END_TEST

/* The end of a connection that is not known is nothing. */
START_TEST(unknown_end)
{
    establish();
    call(CLIENT, 1000, 0xa);
    peer[0].queue_pair = 0x31;
    peer[1].queue_pair = 0x32;
    cm_disconnect(CLIENT);
    cm_disconnect(SERVER);
    first_connection();
    peer[0].comm_id = 0x7777; /* of another connection with these queue pairs */
    cm_disconnect(CLIENT);
    cm_disconnect(SERVER);
    first_connection();
    call(CLIENT, 1001, 0xb);
    expect(NAME "3 send client 68 a\n8 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

/* 30 octets show nothing; 60 that it is RDMA, but not where its headers end. */
START_TEST(unread_cut)
{
    establish();
    call(CLIENT, 1000, 0xa);
    wrapping.snap = 30;
    call(CLIENT, 1001, 0xb);
    wrapping.snap = 60;
    rdma(SERVER, OP_WRITE_ONLY, 2000, 0x77, 100, octets, 100);
    wrapping.snap = 100;
    reply(SERVER, 2000, 0xa);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 2);
    ck_assert_uint_eq(counts.missed[SOURCE_CUT], 1);
}
END_TEST

/* A Send that the capture ends in, and an RDMA Read. */
START_TEST(lost_in_the_end)
{
    establish();
    call(CLIENT, 1000, 0xa);
    part(CLIENT, OP_SEND_FIRST, 1001);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 100, NULL, 0);
    expect(NAME "3 send client 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 2);
}
END_TEST

/* Each missing packet may have been a Send. */
START_TEST(lost_counted)
{
    establish();
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1006, 0xb);
    ack(SERVER, 1006, ACK);
    expect(NAME "5 gap\n3 send client 68 a\n4 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture order");
    TCase *tests = new_case(suite, "order");
    tcase_add_test(tests, two_swapped);
    tcase_add_loop_test(tests, swapped_at_wrap, 0, 5);
    tcase_add_loop_test(tests, message_mixed, 0, 4);
    tcase_add_test(tests, acknowledged_before);
    tcase_add_test(tests, acknowledged_and_missing);
    tcase_add_test(tests, reply_before_call);
    tcase_add_loop_test(tests, stops_with_more_kept, 1, 7);
    tcase_add_test(tests, reply_after_its_acknowledgement);
    tcase_add_test(tests, same_xid_again);
    tcase_add_test(tests, connection_reply_before_request);
    tcase_add_test(tests, read_then_sent_again);
    tcase_add_test(tests, rest_of_a_read);
    tcase_add_test(tests, rest_of_a_read_missing);
    tcase_add_test(tests, order_of_one_side);
    tests = new_case(suite, "refusals");
    tcase_add_test(tests, refused_read);
    tcase_add_loop_test(tests, refused_write, 0, 2);
    tcase_add_test(tests, not_ready_twice);
    tcase_add_loop_test(tests, rest_after_refusal, 0, 3);
    tcase_add_loop_test(tests, refused_unknown, 0, 2);
    tcase_add_test(tests, atomic_length);
    tcase_add_test(tests, atomics);
    tcase_add_loop_test(tests, same_id_again, 0, 2);
    tests = new_case(suite, "not read");
    tcase_add_test(tests, unread);
    tcase_add_test(tests, unread_by_choice);
    tcase_add_test(tests, unread_management);
    tcase_add_test(tests, management_cut);
    tcase_add_test(tests, unknown_end);
    tcase_add_test(tests, unread_cut);
    tcase_add_test(tests, lost_in_the_end);
    tcase_add_test(tests, lost_counted);
    return run_suite(suite);
}
