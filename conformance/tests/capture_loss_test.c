// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader where packets are lost, late or sent again, and where it begins later. */
#include "seen.h"

/* ---- packets that are lost, late or sent again ---- */

START_TEST(sent_again)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, NAK_RNR);
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    request(CLIENT, OP_SEND_FIRST, 1001, octets, 1024);
    request(CLIENT, OP_SEND_MIDDLE, 1002, octets + 1024, 1024);
    request(CLIENT, OP_SEND_FIRST, 1001, octets, 1024);
    request(CLIENT, OP_SEND_MIDDLE, 1002, octets + 1024, 1024);
    request(CLIENT, OP_SEND_LAST, 1003, octets + 2048, 52);
    request(CLIENT, OP_SEND_LAST, 1003, octets + 2048, 52);
    expect(NAME "3 send client 68 a\n11 send client 2100\nclosed\n");
    ck_assert_uint_eq(counts.retransmitted, 4);
    ck_assert_uint_eq(counts.lost, 0);
}
END_TEST

/* 1001 was lost before the capture saw it: the server takes nothing until it is sent again. */
START_TEST(lost_on_the_wire)
{
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, octets, 1024);
    request(CLIENT, OP_SEND_LAST, 1002, octets + 2048, 52);
    call(CLIENT, 1003, 0xb);
    ack(SERVER, 1001, NAK_SEQUENCE);
    request(CLIENT, OP_SEND_MIDDLE, 1001, octets + 1024, 1024);
    request(CLIENT, OP_SEND_LAST, 1002, octets + 2048, 52);
    call(CLIENT, 1003, 0xb);
    ack(SERVER, 1003, ACK);
    expect(NAME "8 send client 2100\n9 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.lost, 0);
}
END_TEST

/* The server acknowledges what the capture lacks. */
START_TEST(lost_by_the_capture)
{
    establish();
    request(CLIENT, OP_SEND_FIRST, 1000, octets, 1024);
    request(CLIENT, OP_SEND_LAST, 1002, octets + 2048, 52);
    ack(SERVER, 1002, ACK);
    call(CLIENT, 1003, 0xb);
    expect(NAME "5 gap\n6 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.lost, 1);
}
END_TEST

/* Nothing follows the missing Send by which the gap would show, but its reply. */
START_TEST(lost_and_answered)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK);
    reply(SERVER, 2000, 0xb);
    call(CLIENT, 1002, 0xc);
    expect(NAME "3 send client 68 a\n4 gap\n5 send server 68 b\n6 send client 68 c\nclosed\n");
    ck_assert_uint_eq(counts.lost, 1);
}
END_TEST

START_TEST(lost_read_request)
{
    establish();
    call(CLIENT, 1000, 0xa);
    response(CLIENT, OP_READ_ONLY, 2000, ACK, octets, 5);
    reply(SERVER, 2001, 0xa);
    expect(NAME "3 send client 68 a\n4 gap\n5 send server 68 a\nclosed\n");
}
END_TEST

/* ---- captures that begin later ---- */

START_TEST(begun_later)
{
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    reply(SERVER, 2000, 0xa);
    cm_disconnect(CLIENT);
    reply(SERVER, 2001, 0xb);
    expect("0: 192.0.2.1:?-192.0.2.2:0x12\n1 send client 68 a mid\n3 send server 68 a mid\n"
           "4 disconnect client mid\nclosed\n");
}
END_TEST

/* Without acknowledgements the XID tells. */
START_TEST(begun_later_no_acknowledgement)
{
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2000, 0xb);
    expect("0: 192.0.2.1:?-192.0.2.2:0x12\n1 send client 68 a mid\n2 send client 68 b mid\n"
           "3 send server 68 b mid\nclosed\n");
}
END_TEST

static void other_connection(void)
{
    static const struct synthetic_peer other[2] = {{1, 0x21, 0x5555, 5000},
                                                   {2, 0x22, 0x6666, 6000}};
    memcpy(peer, other, sizeof peer);
}

/* Several connections between the same addresses, as with nconnect: who answers whom is not to be
 * mixed up. */
START_TEST(begun_later_two_connections)
{
    call(CLIENT, 1000, 0xa);
    other_connection();
    reply(SERVER, 6000, 0xe); /* to a Call that was not seen */
    call(CLIENT, 5000, 0xf);
    first_connection();
    ack(SERVER, 1000, ACK);
    other_connection();
    ack(SERVER, 5000, ACK);
    reply(SERVER, 6001, 0xf);
    first_connection();
    reply(SERVER, 2000, 0xa);
    expect("0: 192.0.2.1:?-192.0.2.2:0x12\n1 send client 68 a mid\n"
           "1: 192.0.2.1:0x21-192.0.2.2:?\n1: 2 send server 68 e mid\n"
           "2: 192.0.2.1:?-192.0.2.2:0x22\n2: 3 send client 68 f mid\n"
           "2: closed\n1: 5 gap mid\n1: 6 send server 68 f mid\n0: 7 send server 68 a mid\n"
           "1: closed\n0: closed\n");
}
END_TEST

START_TEST(begun_later_all_qp)
{
    options.all_qp = true;
    request(SERVER, OP_SEND_ONLY, 2000, octets, 30);
    ack(CLIENT, 2000, ACK);
    request(CLIENT, OP_SEND_ONLY, 1000, octets, 10);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, 1);
    ck_assert_uint_eq(counts.events, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture with loss");
    TCase *tests = new_case(suite, "loss");
    tcase_add_test(tests, sent_again);
    tcase_add_test(tests, lost_on_the_wire);
    tcase_add_test(tests, lost_by_the_capture);
    tcase_add_test(tests, lost_and_answered);
    tcase_add_test(tests, lost_read_request);
    tests = new_case(suite, "begun later");
    tcase_add_test(tests, begun_later);
    tcase_add_test(tests, begun_later_no_acknowledgement);
    tcase_add_test(tests, begun_later_two_connections);
    tcase_add_test(tests, begun_later_all_qp);
    return run_suite(suite);
}
