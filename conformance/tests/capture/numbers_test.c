// SPDX-License-Identifier: BSD-3-Clause
/* The numbers of packets: how far ahead one may be, and for how long others are waited for. */
#include "conformance/input/flow/acknowledge.h"
#include "conformance/tests/support/captures/seen.h"

/* ---- packets ahead of their turn ---- */

/* What is missing is waited for through 1024 packets that follow, whatever they are; with the next
 * it is lost. What was kept meanwhile is passed on once. */
START_TEST(waits_for_missing)
{
    unsigned packets = 1024 + (unsigned)_i % 2;
    bool same = _i >= 2;
    establish();
    for (uint32_t i = 0; i < packets; i++)
        call(CLIENT, 1001 + (same ? 0 : i), 0xa);
    cm_reply(NULL, 0); /* of another connection, so that the last is not the end of the capture */
    call(CLIENT, 1000, 0xb);
    quiet = displaced = true;
    ck_assert(read_capture());
    if (packets == 1024) /* it came at last; 64 were kept */
        ck_assert_uint_eq(counts.events, same ? 2 : 65);
    else
        ck_assert_uint_eq(counts.events, same ? 1 : 65);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], packets == 1024 ? 0 : same ? 1 : 1 + 1024 - 64);
    ck_assert_uint_eq(counts.retransmitted, packets == 1024 ? 0 : same ? 2 : 1);
}
END_TEST

/* Each time anew. */
START_TEST(waits_again)
{
    establish();
    call(CLIENT, 1000, 0xa);
    for (int i = 0; i < 600; i++)
        call(CLIENT, 1002, 0xc);
    call(CLIENT, 1001, 0xb);
    for (int i = 0; i < 1024; i++)
        call(CLIENT, 1004, 0xe);
    call(CLIENT, 1003, 0xd);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
    ck_assert_uint_eq(counts.events, 5);
}
END_TEST

/* Of those that came after what is missing only 64 are kept: at the end the others are lost, too.
 */
START_TEST(waits_at_the_end)
{
    establish();
    call(CLIENT, 1000, 1);
    for (uint32_t i = 0; i < 200; i++)
        call(CLIENT, 1002 + i, i + 2);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 65);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1 + 200 - 64);
}
END_TEST

/* Unless the receiver has asked for them again. */
START_TEST(refused_at_the_end)
{
    establish();
    call(CLIENT, 1000, 1);
    for (uint32_t i = 0; i < 200; i++)
        call(CLIENT, 1002 + i, i + 2);
    ack(SERVER, 1001, NAK_SEQUENCE);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 1);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* After a loss of more than 1024 numbers: packets that wait have confirmed the announced number,
 * and an acknowledgement ends the wait for those before them. */
START_TEST(far_after_a_loss)
{
    establish();
    call(CLIENT, 1001, 1);
    for (uint32_t i = 0; i < 300; i++) {
        call(CLIENT, 2101 + i, 0x2100 + i);
        ack(SERVER, 2101 + i, ACK);
        reply(SERVER, 2000 + i, 0x2100 + i);
        ack(CLIENT, 2000 + i, ACK);
    }
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 601);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1100);
}
END_TEST

/* And so does a failure: what the other side had sent before it knew is not far ahead. */
START_TEST(rest_after_a_loss)
{
    establish();
    for (uint32_t i = 1; i < 4; i++)
        call(CLIENT, 1000 + i, i);
    call(CLIENT, 2100, 0x2100);
    ack(SERVER, 2100, NAK_ACCESS + 1);
    for (uint32_t i = 1; i < 6; i++)
        call(CLIENT, 2100 + i, 0x2100 + i);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 10);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1097);
}
END_TEST

/* More RDMA Reads under way than there is room for: none is forgotten without a word. */
START_TEST(reads_beyond_room)
{
    establish();
    call(CLIENT, 1000, 1);
    for (uint32_t i = 0; i < 64; i++)
        rdma(SERVER, OP_READ_REQUEST, 2000 + i, 0x77, 1000, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1); /* an MTU of 1 */
    for (uint32_t i = 64; i < 70; i++)
        rdma(SERVER, OP_READ_REQUEST, 2000 + i, 0x77, 1000, NULL, 0);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 66);
}
END_TEST

/* Numbers in the upper half mean nothing else than those in the lower. */
START_TEST(upper_half)
{
    peer[0].first_psn = 0x900000;
    peer[1].first_psn = 0xa00000;
    if (_i == 0)
        establish();
    call(CLIENT, 0x900000, 0xa);
    ack(SERVER, 0x900000, ACK);
    reply(SERVER, 0xa00000, 0xa);
    for (uint32_t i = 0; i <= 1024; i++)
        call(CLIENT, 0x900002 + i, 0xb);
    for (int i = 0; i < 12; i++)
        ack(SERVER, 0x900000, ACK);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1 + 1024 - 64);
    ck_assert_uint_eq(counts.events, 2 + 65);
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

/* After a Read that may take several numbers, what waits is next, whatever its number. */
START_TEST(after_read)
{
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    reply(SERVER, 2000, 0xa);
    reply(SERVER, 2004, 0xb);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, 3000, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2001, ACK, octets, 1024);
    request(CLIENT, OP_READ_MIDDLE, 2002, octets + 1024, 1024);
    response(CLIENT, OP_READ_LAST, 2003, ACK, octets + 2048, 952);
    displaced = true;
    expect("0: 192.0.2.1:0x11-192.0.2.2:0x12\n1 send client 68 a mid\n3 send server 68 a mid\n"
           "4 send server 68 b reading mid\n8 read server 3000 h77 mid\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] + counts.retransmitted,
                      0);
}
END_TEST

/* After a failure, what the other side had sent before it knew: after a gap, and not too far ahead,
 * it is taken, and what is missing before it is lost. */
START_TEST(rest_with_gap)
{
    static const struct {
        uint32_t psn;
        uint8_t opcode;
        unsigned lost, events;
    } rows[] = {
        {1001, OP_SEND_ONLY, 0, 1},        {1002, OP_SEND_ONLY, 1, 1},
        {1002, OP_SEND_FIRST, 1, 0},       {1002, OP_SEND_LAST, 1, 0},
        {1002, OP_SEND_MIDDLE, 1, 0},      {1001 + 1023, OP_SEND_ONLY, 1023, 1},
        {1001 + 1024, OP_SEND_ONLY, 0, 0}, {1001 + 1025, OP_SEND_ONLY, 0, 0},
        {1000, OP_SEND_ONLY, 0, 0},        {999, OP_SEND_ONLY, 0, 0},
    };
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, NAK_ACCESS + 1);
    request(CLIENT, rows[_i].opcode, rows[_i].psn, octets, 100);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], rows[_i].lost);
    ck_assert_uint_eq(counts.events, 2 + rows[_i].events);
}
END_TEST

/* Of the rest, too, what came early is taken in its turn. At the failure something was missing, in
 * the end it is not. */
START_TEST(rest_in_order)
{
    establish();
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1002, 0xc);
    ack(SERVER, 1000, NAK_ACCESS + 1);
    call(CLIENT, 1001, 0xb);
    displaced = true;
    expect(NAME "3 gap\n3 send client 68 a\n5 disconnect server\n6 send client 68 b\n"
                "4 send client 68 c\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* ---- announced numbers ---- */

/* A first packet up to 1024 after the number that connection management announced shows a loss;
 * further away, or before it, that the number was wrong. */
START_TEST(announced)
{
    static const int32_t ahead[] = {0, 1, 1024, 1025, -1, -1025, 0x7fffff};
    int32_t by = ahead[_i];
    establish();
    for (uint32_t i = 0; i < 3; i++)
        call(CLIENT, psn_add(1000 + (uint32_t)by, i), i + 1);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 3);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], by > 0 && by <= 1024 ? (unsigned)by : 0);
    ck_assert_uint_eq(counts.retransmitted, 0);
}
END_TEST

/* The same of an acknowledgement before any packet. */
START_TEST(announced_and_acknowledged)
{
    static const int32_t ahead[] = {-1, 0, 1, 1024, 1025, 0x7fffff};
    int32_t by = ahead[_i];
    establish();
    ack(SERVER, psn_add(1000, (uint32_t)by), ACK);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], by >= 0 && by <= 1024 ? (unsigned)by + 1 : 0);
}
END_TEST

/* A number that a packet has confirmed is believed: what is before it was sent again, and what is
 * after it is missing, however far. */
START_TEST(confirmed)
{
    establish();
    call(CLIENT, 1000, 0xa);
    call(CLIENT, _i == 0 ? 1000 : 1001 + 5000, 0xb);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.retransmitted, _i == 0);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], _i == 0 ? 0 : 5000);
    ck_assert_uint_eq(counts.events, _i == 0 ? 1 : 2);
}
END_TEST

/* ---- acknowledgements of what was not seen ---- */

/* It may still come, some frames later; then it is lost, and what comes is sent again: of
 * either side. */
START_TEST(acknowledged_before)
{
    int later = _i % (WINDOW + 4);
    enum rpcrdma_endpoint from = _i < WINDOW + 4 ? CLIENT : SERVER,
                          to = (enum rpcrdma_endpoint)(1 - from);
    uint32_t psn = from == CLIENT ? 1000 : 2000;
    establish();
    call(from, psn, 0xa);
    ack(to, psn + 1, ACK);
    for (int i = 1; i < later; i++)
        ack(from, from == CLIENT ? 1999 : 999, ACK);
    call(from, psn + 1, 0xb);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, later <= WINDOW ? 2 : 1);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], later <= WINDOW ? 0 : 1);
    ck_assert_uint_eq(counts.retransmitted, later <= WINDOW ? 0 : 1);
}
END_TEST

#define MISSING(frame) #frame " lost 1: packets are missing\n"

/* A part of it comes: the rest is lost, as of the frame that acknowledged it. */
START_TEST(acknowledged_and_seen_in_part)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1002, ACK);
    call(CLIENT, 1001, 0xb);
    pass_window();
    ck_assert(read_capture());
    ck_assert_str_eq(missed, MISSING(4));
    ck_assert_uint_eq(counts.events, 2);
}
END_TEST

/* What a syndrome says (InfiniBand specification, 9.7.5.2): two bits of kind, five of a code. */
START_TEST(syndromes)
{
    for (unsigned value = 0; value < 256; value++) {
        const struct packet acknowledgement = {.syndrome = (uint8_t)value};
        unsigned kind = value >> 5 & 3, code = value & 31;
        bool fatal = kind == 3 && (code == 1 || code == 2 || code == 3);
        ck_assert_int_eq(acknowledgement_kind(&acknowledgement), kind == 0 ? ACKNOWLEDGED
                                                                 : fatal   ? REFUSED_FOR_GOOD
                                                                           : REFUSED_FOR_NOW);
    }
}
END_TEST

/* A refusal acknowledges what was before the packet that it refuses, and not that. */
START_TEST(acknowledged_by_refusal)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1002, NAK_SEQUENCE);
    pass_window();
    ck_assert(read_capture());
    ck_assert_str_eq(missed, MISSING(4));
}
END_TEST

/* And what an RDMA Read reads acknowledges its request, and what was before it. */
START_TEST(acknowledged_by_response)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, 100, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2001, ACK, octets, 100);
    pass_window();
    ck_assert(read_capture());
    ck_assert_ptr_eq(strstr(missed, MISSING(5)), missed);
}
END_TEST

/* After a loss as well: what is acknowledged and was not seen is missing before what the other side
 * sends then. */
START_TEST(acknowledged_after_loss)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK);
    pass_window();
    ack(SERVER, 1003, ACK);
    reply(SERVER, 2000, 0xe);
    call(CLIENT, 1004, 0xb);
    expect(NAME "4 gap\n3 send client 68 a\n31 gap\n32 send server 68 e\n33 send client 68 b\n"
                "closed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 3);
}
END_TEST

/* Only what was acknowledged is lost: what is missing after it, and before what waits, may come. */
START_TEST(acknowledged_in_part)
{
    establish();
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1005, 0xf);
    for (int i = 0; i < 12; i++)
        ack(SERVER, 1001, ACK);
    for (uint32_t psn = 1002; psn < 1005; psn++)
        call(CLIENT, psn, psn);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 5);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    ck_assert_uint_eq(counts.retransmitted, 0);
}
END_TEST

/* Of two gaps the first was acknowledged. The second is waited for from where it began: with the
 * first if packets after it have come by then. */
START_TEST(second_gap)
{
    bool at_once = _i >= 2, too_long = _i % 2;
    establish();
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1002, 0xc);
    for (int i = 1; i < 600; i++)
        call(CLIENT, at_once ? 1005 : 1002, 0xd);
    for (int i = 0; i < WINDOW + 4; i++)
        ack(SERVER, 1001, ACK);
    for (int i = at_once ? 600 : 0; i < 1024 + too_long; i++)
        call(CLIENT, 1005, 0xd);
    call(CLIENT, 1003, 0xe);
    call(CLIENT, 1004, 0xf);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], too_long ? 3 : 1);
    ck_assert_uint_eq(counts.events, too_long ? 3 : 5);
}
END_TEST

/* Of those that wait for a missing one 64 are kept. Others are missing as well, even if it is one.
 */
START_TEST(one_not_kept)
{
    enum { KEPT = 64 };
    establish();
    call(CLIENT, 1000, 0xa);
    for (uint32_t i = 0; i < KEPT + (uint32_t)_i; i++)
        call(CLIENT, 1002 + i, 0x100 + i);
    quiet = displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1 + (unsigned)_i);
    ck_assert_uint_eq(counts.events, 1 + KEPT);
}
END_TEST

/* ---- both sides ---- */

/* At a failure something of either side is missing, or nothing is. */
START_TEST(missing_at_failure)
{
    establish();
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xa);
    if (_i == 0)
        call(CLIENT, 1002, 0xb);
    if (_i == 1)
        reply(SERVER, 2002, 0xb);
    ack(CLIENT, 2000, NAK_ACCESS + 1);
    displaced = true;
    ck_assert(read_capture());
    const char *gap = strstr(seen, " gap\n"), *end = strstr(seen, " disconnect client\n");
    ck_assert_ptr_nonnull(end);
    ck_assert_msg((gap != NULL && gap < end) == (_i < 2), "%s", seen);
}
END_TEST

/* A client may read memory of the server, too. */
START_TEST(read_of_the_client)
{
    establish();
    rdma(CLIENT, OP_READ_REQUEST, 1000, 0x77, 1500, NULL, 0);
    response(SERVER, OP_READ_FIRST, 1000, ACK, octets, 1024);
    response(SERVER, OP_READ_LAST, 1001, ACK, octets + 1024, 476);
    call(CLIENT, 1002, 0xa);
    expect(NAME "5 read client 1500 h77 unconfirmed\n6 send client 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* A Read whose response came to its end without the middle: it is an event, though nothing else
 * comes. */
START_TEST(read_without_middle)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 2500, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 452);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, " read server 2500 unseen h77"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    ck_assert_uint_eq(counts.events, 2);
}
END_TEST

/* What the side whose queue pair has failed sends long after is nothing, though its number would be
 * the other side's next. What comes soon was sent before, and recorded late. */
START_TEST(failed_side)
{
    enum rpcrdma_endpoint failed = _i % 2 == 0 ? CLIENT : SERVER,
                          other = (enum rpcrdma_endpoint)(1 - failed);
    peer[0].first_psn = peer[1].first_psn = 1000;
    establish();
    call(CLIENT, 1000, 0xa);
    call(SERVER, 1000, 0xb);
    for (unsigned i = 0; _i >= 2 && i < WINDOW + 2; i++) /* at a capture's beginning all is soon */
        ack(failed, 1000, ACK);
    ack(failed, 1000, NAK_ACCESS + 1);
    call(failed, 1001, 0xc);
    call(other, 1001, 0xd);
    pass_window();
    call(failed, 1002, 0xe);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, "68 c\n"));
    ck_assert_ptr_nonnull(strstr(seen, "68 d\n"));
    ck_assert_ptr_null(strstr(seen, "68 e\n"));
    ck_assert_uint_eq(counts.events, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packet numbers");
    TCase *tests = new_case(suite, "ahead");
    tcase_add_loop_test(tests, waits_for_missing, 0, 4);
    tcase_add_test(tests, waits_again);
    tcase_add_test(tests, waits_at_the_end);
    tcase_add_test(tests, refused_at_the_end);
    tcase_add_test(tests, far_after_a_loss);
    tcase_add_test(tests, rest_after_a_loss);
    tcase_add_test(tests, reads_beyond_room);
    tcase_add_loop_test(tests, upper_half, 0, 2);
    tcase_add_test(tests, after_read);
    tcase_add_loop_test(tests, rest_with_gap, 0, 10);
    tcase_add_test(tests, rest_in_order);
    tests = new_case(suite, "announced");
    tcase_add_loop_test(tests, announced, 0, 7);
    tcase_add_loop_test(tests, announced_and_acknowledged, 0, 6);
    tcase_add_loop_test(tests, confirmed, 0, 2);
    tests = new_case(suite, "acknowledged");
    tcase_add_loop_test(tests, acknowledged_before, 1, 2 * (WINDOW + 4));
    tcase_add_test(tests, acknowledged_and_seen_in_part);
    tcase_add_test(tests, syndromes);
    tcase_add_test(tests, acknowledged_by_refusal);
    tcase_add_test(tests, acknowledged_by_response);
    tcase_add_test(tests, acknowledged_after_loss);
    tcase_add_loop_test(tests, missing_at_failure, 0, 3);
    tcase_add_test(tests, read_of_the_client);
    tcase_add_test(tests, read_without_middle);
    tcase_add_loop_test(tests, failed_side, 0, 4);
    tcase_add_test(tests, acknowledged_in_part);
    tcase_add_loop_test(tests, second_gap, 0, 4);
    tcase_add_loop_test(tests, one_not_kept, 0, 3);
    return run_suite(suite);
}
