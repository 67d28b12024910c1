// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader where packets are lost, late or sent again, and where it begins later. */
#include "conformance/input/flow/connection.h"
#include "conformance/tests/support/captures/seen.h"

#include "conformance/base/count.h"

/* ---- packets that are lost, late or sent again ---- */

START_TEST(sent_again)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, NAK_RNR);
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    part(CLIENT, OP_SEND_FIRST, 1001);
    part(CLIENT, OP_SEND_MIDDLE, 1002);
    part(CLIENT, OP_SEND_FIRST, 1001);
    part(CLIENT, OP_SEND_MIDDLE, 1002);
    part(CLIENT, OP_SEND_LAST, 1003);
    part(CLIENT, OP_SEND_LAST, 1003);
    expect(NAME "3 send client 68 a\n4 not-ready server\n11 send client 2100\nclosed\n");
    ck_assert_uint_eq(counts.retransmitted, 4);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* 1001 was lost before the capture saw it: the server takes nothing until it is sent again. */
START_TEST(lost_on_the_wire)
{
    establish();
    part(CLIENT, OP_SEND_FIRST, 1000);
    part(CLIENT, OP_SEND_LAST, 1002);
    call(CLIENT, 1003, 0xb);
    ack(SERVER, 1001, NAK_SEQUENCE);
    part(CLIENT, OP_SEND_MIDDLE, 1001);
    part(CLIENT, OP_SEND_LAST, 1002);
    call(CLIENT, 1003, 0xb);
    ack(SERVER, 1003, ACK);
    expect(NAME "8 send client 2100\n9 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* The server acknowledges what the capture lacks. */
START_TEST(lost_by_the_capture)
{
    establish();
    part(CLIENT, OP_SEND_FIRST, 1000);
    part(CLIENT, OP_SEND_LAST, 1002);
    ack(SERVER, 1002, ACK);
    call(CLIENT, 1003, 0xb);
    expect(NAME "5 gap\n6 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
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
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
}
END_TEST

START_TEST(lost_read_request)
{
    establish();
    call(CLIENT, 1000, 0xa);
    response(CLIENT, OP_READ_ONLY, 2000, ACK, octets, 5);
    reply(SERVER, 2001, 0xa);
    expect(NAME "4 gap\n3 send client 68 a\n5 send server 68 a\nclosed\n");
}
END_TEST

/* Nothing of 1001 is seen, but what it caused, before the next request tells that it was there. */
START_TEST(lost_unseen)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_WRITE_ONLY, 2000, 0x77, 300, octets, 300);
    reply(SERVER, 2001, 0xb);
    call(CLIENT, 1002, 0xc);
    ack(SERVER, 1002, ACK);
    reply(SERVER, 2002, 0xa);
    expect(NAME "3 send client 68 a\n7 gap\n4 write server 300 h77\n5 send server 68 b\n"
                "6 send client 68 c\n8 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
}
END_TEST

/* Where something was lost before, or still is missing, nobody can tell whether the end is whole.
 */
START_TEST(lost_at_the_end)
{
    static const char *const seen_of[] = {
        NAME "3 send client 68 a\n4 send server 68 a\nclosed\n",
        NAME "3 send client 68 a\n5 gap\n4 send server 68 a\n5 send client 68 b\nclosed\n",
        NAME "5 gap\n6 send client 68 a\n7 send server 68 a\nclosed\n",
    };
    establish();
    if (_i == 2) {
        reply(SERVER, 2001, 0xb);
        ack(CLIENT, 2000, NAK_SEQUENCE);
        ack(CLIENT, 2001, ACK);
    }
    call(CLIENT, 1000, 0xa);
    reply(SERVER, _i == 2 ? 2002 : 2000, 0xa);
    if (_i == 1)
        call(CLIENT, 1002, 0xb);
    expect(seen_of[_i]);
}
END_TEST

/* A Reply, and an RDMA Write, to a Call that may be missing: at the end nothing shows it. A later
 * request of the Call's sender, right after the Reply or some frames later, shows that none is. */
START_TEST(unconfirmed_at_the_end)
{
    static const char *const seen_of[] = {
        NAME "3 send client 68 a\n4 send server 68 a\n5 write server 300 h77 unconfirmed\n"
             "6 send server 68 b unconfirmed\nclosed\n",
        NAME "3 send client 68 a\n4 send server 68 a\n5 write server 300 h77\n"
             "6 send server 68 b\n7 send client 68 c\nclosed\n",
    };
    establish();
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    rdma(SERVER, OP_WRITE_ONLY, 2001, 0x77, 300, octets, 300);
    reply(SERVER, 2002, 0xb);
    if (_i == 1)
        call(CLIENT, 1001, 0xc);
    expect(seen_of[_i]);
}
END_TEST

static void send_words(enum rpcrdma_endpoint from, uint32_t psn, const uint32_t *words,
                       size_t count)
{
    uint8_t sent[64];
    ck_assert_uint_le(4 * count, sizeof sent);
    for (size_t i = 0; i < 4 * count; i++)
        sent[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
    request(from, OP_SEND_ONLY, psn, sent, 4 * count);
}

/* -07: a Reply to a Call in pieces, the last of which may be missing, has come, or was not sent. */
START_TEST(unconfirmed_end_of_a_call)
{
    static const uint32_t middle[] = {0xa, 2, 32, 9, 36, 0xa},
                          last[] = {0xa, 2, 32, 10, 0, 0, 0, 0, 0, 2, 100003, 3},
                          reply[] = {0xa, 2, 32, 13, 0, 0xa, 1, 0, 0, 0, 0},
                          grant[] = {0, 2, 32, 5};
    static const char *const seen_of[] = {
        NAME "3 send client 24 type 9 -07\n4 send server 44 type 13 -07 unconfirmed\nclosed\n",
        NAME "3 send client 24 type 9 -07\n4 send client 48 type 10 -07\n"
             "5 send server 44 type 13 -07\nclosed\n",
        NAME "3 send client 24 type 9 -07\n4 send server 44 type 13 -07\n"
             "5 send client 16 type 5 -07\nclosed\n",
    };
    establish();
    send_words(CLIENT, 1000, middle, COUNT(middle));
    if (_i == 1)
        send_words(CLIENT, 1001, last, COUNT(last));
    send_words(SERVER, 2000, reply, COUNT(reply));
    if (_i == 2)
        send_words(CLIENT, 1001, grant, COUNT(grant));
    expect(seen_of[_i]);
}
END_TEST

/* -04: a RESPROP, to a REQPROP that may be missing. */
START_TEST(unconfirmed_response)
{
    static const uint32_t properties[] = {0xa, 2, 32, 6, 0},
                          request[] = {0xb, 2, 32, 7, 1, 1, 4, 4096},
                          response[] = {0xb, 2, 32, 8, 0, 0, 0};
    static const char *const seen_of[] = {
        NAME "3 send client 20 type 6 -04\n4 send server 28 type 8 -04 unconfirmed\nclosed\n",
        NAME "3 send client 20 type 6 -04\n4 send client 32 type 7 -04\n"
             "5 send server 28 type 8 -04\nclosed\n",
    };
    options.draft = RPCRDMA_PROTOCOL_2_04;
    establish();
    send_words(CLIENT, 1000, properties, COUNT(properties));
    if (_i == 1)
        send_words(CLIENT, 1001, request, COUNT(request));
    send_words(SERVER, 2000, response, COUNT(response));
    expect(seen_of[_i]);
}
END_TEST

/* What waits is handed on when others need the memory, or itself: late or early, all of it, in
 * order, and nothing is lost. What seems early is unconfirmed then, too. */
START_TEST(held_without_memory)
{
    options.memory = 16384;
    establish();
    call(CLIENT, 1000, 0xa);
    for (uint32_t i = 0; i < 20; i++)
        rdma(SERVER, OP_WRITE_ONLY, 2000 + i, 0x77, 1024, octets, 1024);
    part(SERVER, OP_SEND_FIRST, 2020);
    request(SERVER, OP_SEND_LAST, 2021, octets + 1024, 1000);
    peer[0].queue_pair = 0x21;
    peer[1].queue_pair = 0x22;
    peer[0].comm_id = 0x3333;
    establish();
    for (uint32_t i = 0; i < 20; i++)
        rdma(SERVER, OP_WRITE_ONLY, 2000 + i, 0x77, 1024, octets, 1024);
    ck_assert(read_capture());
    ck_assert_ptr_null(strstr(seen, "gap"));
    ck_assert_ptr_null(strstr(seen, "wrong"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    ck_assert_uint_eq(counts.events, 42);
    ck_assert_uint_eq(next_index[0], 22);
    ck_assert_uint_eq(next_index[1], 20);
    unsigned unconfirmed = 0;
    for (const char *at = seen; (at = strstr(at, " 1024 h77")); at++) {
        ck_assert_int_eq(strncmp(at, " 1024 h77 unconfirmed\n", 22), 0);
        unconfirmed++;
    }
    ck_assert_uint_eq(unconfirmed, 40);
}
END_TEST

/* ---- captures that begin later ---- */

/* After the first loss nothing waits: what the server acknowledges and nobody saw is lost at once,
 * and what is sent again is known as such. */
START_TEST(lost_twice)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK);
    reply(SERVER, 2000, 0xb);
    pass_window(); /* until the loss is certain */
    call(CLIENT, 1002, 0xc);
    ack(SERVER, 1004, ACK);
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1005, 0xd);
    expect(NAME "3 send client 68 a\n4 gap\n5 send server 68 b\n32 send client 68 c\n"
                "33 gap\n35 send client 68 d\nclosed\n");
    ck_assert_uint_eq(counts.retransmitted, 1);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 3);
}
END_TEST

/* A Send that the end of its connection broke off is no loss of the capture. */
START_TEST(lost_before_end)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    part(CLIENT, OP_SEND_FIRST, 1001);
    cm_disconnect(CLIENT);
    expect(NAME "3 send client 68 a\n6 disconnect client\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    ck_assert_uint_eq(counts.missed[SOURCE_BROKEN_OFF], 1);
}
END_TEST

/* What crosses a request to disconnect is taken, in pieces as well; what comes long after it is
 * counted, and what is only sent again is not. */
START_TEST(crosses_the_end)
{
    establish();
    call(CLIENT, 1000, 0xa);
    part(SERVER, OP_SEND_FIRST, 2000);
    cm_disconnect(CLIENT);
    part(SERVER, OP_SEND_MIDDLE, 2001);
    part(SERVER, OP_SEND_LAST, 2002);
    reply(SERVER, 2003, 0xa);
    for (unsigned i = 0; i < 70; i++)
        call(CLIENT, 1000, 0xa); /* the same again */
    reply(SERVER, 2003, 0xa);
    if (_i > 0)
        reply(SERVER, 2004, 0xc);
    expect(NAME "3 send client 68 a\n5 disconnect client\n7 send server 2100\n"
                "8 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], (unsigned)_i);
    if (_i > 0)
        ck_assert_str_eq(missed, "80 lost 1: the connection had ended\n");
}
END_TEST

/* Within 64 frames, that is. */
START_TEST(crosses_the_end_soon)
{
    establish();
    call(CLIENT, 1000, 0xa);
    cm_disconnect(CLIENT); /* frame 4 */
    for (int i = 0; i < 63 + _i; i++)
        call(CLIENT, 1000, 0xa); /* the same again */
    reply(SERVER, 2000, 0xa);
    expect(_i > 0 ? NAME "3 send client 68 a\n4 disconnect client\nclosed\n"
                  : NAME "3 send client 68 a\n4 disconnect client\n68 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], (unsigned)_i);
}
END_TEST

/* The opening, or one side, or both are missing. */
START_TEST(missing_parts)
{
    bool opened_here = _i & 1, answered = _i & 2;
    if (opened_here)
        establish();
    call(CLIENT, 1000, 0xa);
    if (answered)
        ack(SERVER, 1000, ACK);
    ck_assert(read_capture());
    ck_assert_uint_eq(unopened, !opened_here);
    ck_assert_uint_eq(one_sided, !answered);
    ck_assert_uint_eq(counts.missed[SOURCE_UNOPENED], !opened_here);
    ck_assert_uint_eq(counts.missed[SOURCE_ONE_SIDED], !answered);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* Nothing is missing of what has no events. */
START_TEST(opened_for_nothing)
{
    cm_request(20049, NULL, 0);
    cm_reply(NULL, 0);
    ck_assert(read_capture());
    ck_assert_uint_eq(unopened + one_sided, 0);
}
END_TEST

START_TEST(begun_later)
{
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    reply(SERVER, 2000, 0xa);
    cm_disconnect(CLIENT);
    reply(SERVER, 2001, 0xb);
    expect("0: 192.0.2.1:0x11-192.0.2.2:0x12\n1 send client 68 a mid\n3 send server 68 a mid\n"
           "4 disconnect client mid\n5 send server 68 b mid\nclosed\n");
}
END_TEST

/* Without acknowledgements the XID tells: what is joined, but not that these two are Call and
 * Reply.
 */
START_TEST(begun_later_no_acknowledgement)
{
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2000, 0xb);
    call(CLIENT, 1002, 0xc);
    reply(SERVER, 2001, 0xc);
    expect("0: 192.0.2.1:?-192.0.2.2:0x12\n1 send client 68 a mid\n2 send client 68 b mid\n"
           "3 gap mid\n3 send server 68 b mid\n4 send client 68 c mid\n5 send server 68 c mid\n"
           "closed\n");
}
END_TEST

/* The first Call seen is one that only a server makes: to a transient program. */
START_TEST(begun_later_callback)
{
    uint8_t callback[MESSAGE_LENGTH];
    memcpy(callback, message(0xa, RPCRDMA_CALL), sizeof callback);
    put32(callback + 28 + 12, _i == 0 ? 0x40000000 : 0x5fffffff);
    request(SERVER, OP_SEND_ONLY, 2000, callback, sizeof callback);
    ack(CLIENT, 2000, ACK);
    reply(CLIENT, 1000, 0xa);
    call(CLIENT, 1001, 0xb);
    expect("0: 192.0.2.1:0x11-192.0.2.2:0x12\n1 send server 68 a mid\n3 send client 68 a mid\n"
           "4 send client 68 b mid\nclosed\n");
}
END_TEST

/* The path MTU is not known until the first response shows it. */
START_TEST(begun_later_read)
{
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 2049, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    request(CLIENT, OP_READ_MIDDLE, 2001, octets + 1024, 1024);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 1);
    reply(SERVER, 2003, 0xa);
    expect("0: 192.0.2.1:0x11-192.0.2.2:0x12\n1 send client 68 a mid\n"
           "6 read server 2049 h77 mid\n7 send server 68 a mid\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* The first response is recorded behind another one, which shows as much: a packet in the middle,
 * or the last of two. */
START_TEST(begun_later_read_early)
{
    const uint32_t length = _i == 0 ? 2049 : 1500, packets = _i == 0 ? 3 : 2;
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, length, NULL, 0);
    rdma(SERVER, OP_READ_REQUEST, 2000 + packets, 0x78, 1, NULL, 0);
    if (_i == 0)
        request(CLIENT, OP_READ_MIDDLE, 2001, octets + 1024, 1024);
    else
        response(CLIENT, OP_READ_LAST, 2001, ACK, octets + 1024, 476);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    if (_i == 0)
        response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 1);
    response(CLIENT, OP_READ_ONLY, 2000 + packets, ACK, octets, 1);
    reply(SERVER, 2001 + packets, 0xa);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(
        strstr(seen, _i == 0 ? " read server 2049 h77 mid\n" : " read server 1500 h77 mid\n"));
    ck_assert_ptr_nonnull(strstr(seen, " read server 1 h78 mid\n"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] + counts.retransmitted,
                      0);
}
END_TEST

/* Two Reads of a path MTU that is not known, until a packet shows it: then it is known for both, so
 * that the packets of their responses are put in order. */
START_TEST(mtu_of_two_reads)
{
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 2049, NULL, 0);
    rdma(SERVER, OP_READ_REQUEST, 2003, 0x78, 2049, NULL, 0);
    for (uint32_t psn = 2000; psn < 2006; psn += 3) {
        response(CLIENT, OP_READ_FIRST, psn, ACK, octets, 1024);
        response(CLIENT, OP_READ_LAST, psn + 2, ACK, octets + 2048, 1);
        request(CLIENT, OP_READ_MIDDLE, psn + 1, octets + 1024, 1024);
    }
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, " read server 2049 h77 mid\n"));
    ck_assert_ptr_nonnull(strstr(seen, " read server 2049 h78 mid\n"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] + counts.retransmitted,
                      0);
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
    expect("0: 192.0.2.1:0x11-192.0.2.2:0x12\n1 send client 68 a mid\n7 send server 68 a mid\n"
           "1: 192.0.2.1:0x21-192.0.2.2:?\n1: 2 send server 68 e mid\n"
           "2: 192.0.2.1:?-192.0.2.2:0x22\n2: 3 send client 68 f mid\n"
           "2: closed\n1: 5 gap mid\n1: 6 send server 68 f mid\n0: closed\n1: closed\n");
}
END_TEST

/* A Long Call may be a callback: the first message that is certain decides who is the client. */
START_TEST(begun_later_long_call)
{
    static const uint8_t long_call[52] = {
        [3] = 0xe, [7] = 1, [11] = 1, [15] = 1, [19] = 1, [27] = 7, [31] = 96};
    request(SERVER, OP_SEND_ONLY, 2000, long_call, sizeof long_call);
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    request(SERVER, OP_SEND_ONLY, 2001, long_call, sizeof long_call);
    expect(NAME "1 send server 52 wrong mid\n2 send client 68 a mid\n4 send server 52 wrong mid\n"
                "closed\n");
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

/* A Read that lacks a packet, and is asked for again, is not given up because its requester had
 * gone on before that. */
START_TEST(asked_again_later)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x71, 2500, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 452);
    reply(SERVER, 2003, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x71, 1476, NULL, 0);
    for (int i = 0; i < 2 * REORDER_FRAMES; i++)
        ack(SERVER, 1000, ACK);
    response(CLIENT, OP_READ_FIRST, 2001, ACK, octets + 1024, 1024);
    call(CLIENT, 1001, 0xb);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "read server 2500 h71\n"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
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
    tcase_add_test(tests, lost_unseen);
    tcase_add_test(tests, lost_before_end);
    tcase_add_loop_test(tests, crosses_the_end, 0, 2);
    tcase_add_loop_test(tests, crosses_the_end_soon, 0, 2);
    tcase_add_loop_test(tests, missing_parts, 0, 4);
    tcase_add_test(tests, opened_for_nothing);
    tcase_add_test(tests, lost_twice);
    tcase_add_loop_test(tests, lost_at_the_end, 0, 3);
    tcase_add_loop_test(tests, unconfirmed_at_the_end, 0, 2);
    tcase_add_loop_test(tests, unconfirmed_end_of_a_call, 0, 3);
    tcase_add_loop_test(tests, unconfirmed_response, 0, 2);
    tcase_add_test(tests, held_without_memory);
    tests = new_case(suite, "begun later");
    tcase_add_test(tests, begun_later);
    tcase_add_test(tests, begun_later_no_acknowledgement);
    tcase_add_loop_test(tests, begun_later_callback, 0, 2);
    tcase_add_test(tests, begun_later_read);
    tcase_add_loop_test(tests, begun_later_read_early, 0, 2);
    tcase_add_test(tests, mtu_of_two_reads);
    tcase_add_test(tests, begun_later_two_connections);
    tcase_add_test(tests, begun_later_long_call);
    tcase_add_test(tests, begun_later_all_qp);
    tcase_add_test(tests, asked_again_later);
    return run_suite(suite);
}
