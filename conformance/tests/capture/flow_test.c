// SPDX-License-Identifier: BSD-3-Clause
/* The flows of a RoCE connection: RDMA Reads, messages out of packets, refusals, and when a
 * connection is over. */
#include "conformance/tests/support/captures/seen.h"

/* ---- RDMA Reads ---- */

/* A Read of three packets at this number, the middle one missing. */
static void read_in_part(uint32_t psn, uint32_t handle)
{
    rdma(SERVER, OP_READ_REQUEST, psn, handle, 2500, NULL, 0);
    response(CLIENT, OP_READ_FIRST, psn, ACK, octets, 1024);
    response(CLIENT, OP_READ_LAST, psn + 2, ACK, octets + 2048, 452);
}

/* Of two Reads with something missing, the one that is asked for again is waited for. */
START_TEST(asked_again)
{
    establish();
    call(CLIENT, 1000, 0xa);
    read_in_part(2000, 0x71);
    read_in_part(2003, 0x72);
    rdma(SERVER, OP_READ_REQUEST, 2000 + (uint32_t)_i, 0x70, 100, NULL, 0);
    reply(SERVER, 2006, 0xa);
    call(CLIENT, 1001, 0xb);
    if (_i < 3)
        expect(NAME "3 send client 68 a\n11 gap\n11 send server 68 a reading\n12 send client 68 b\n"
                    "12 read server 2500 unseen h72\nclosed\n");
    else
        expect(NAME "3 send client 68 a\n11 gap\n11 send server 68 a reading\n12 send client 68 b\n"
                    "12 read server 2500 unseen h71\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 2);
    ck_assert_uint_eq(counts.retransmitted, 1);
}
END_TEST

/* Each number of a Read is refused as that Read; any other is not. */
START_TEST(refused_anywhere)
{
    char expected[256];
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x71, 2500, NULL, 0);
    rdma(SERVER, OP_READ_REQUEST, 2003, 0x72, 2049, NULL, 0);
    reply(SERVER, 2006, 0xa);
    ack(CLIENT, 2000 + (uint32_t)_i, NAK_ACCESS);
    ck_assert(read_capture());
    if (_i < 3)
        snprintf(expected, sizeof expected, "\n7 refused client h71 read 2500\n7 disconnect");
    else /* and what became of the first is not known */
        snprintf(expected, sizeof expected, "\n7 refused client h72 read 2049\n%s7 disconnect",
                 _i > 3 ? "7 gap\n" : "");
    if (_i < 6)
        ck_assert_msg(strstr(seen, expected) != NULL, "%s", seen);
    else
        ck_assert_ptr_null(strstr(seen, "refused"));
}
END_TEST

/* Packets of a response in any order, and some twice: the Read is whole, and nothing is lost; also
 * where its requester goes on meanwhile. */
START_TEST(response_mixed)
{
    static const struct {
        uint8_t order[7], count, again;
    } mixed[] = {
        {{0, 1, 0, 3, 2}, 5, 1},    {{0, 2, 1, 3}, 4, 0},       {{0, 3, 2, 1}, 4, 0},
        {{1, 0, 2, 3}, 4, 0},       {{3, 2, 1, 0}, 4, 0},       {{0, 0, 1, 1, 2, 2, 3}, 7, 3},
        {{2, 2, 3, 3, 0, 1}, 6, 0}, {{0, 1, 3, 1, 3, 2}, 6, 1},
    };
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 3500, NULL, 0);
    for (unsigned i = 0; i < mixed[_i].count; i++) {
        uint32_t part = mixed[_i].order[i];
        size_t length = part < 3 ? 1024 : 3500 - 3072;
        uint32_t psn = 2000 + part;
        if (part == 1 || part == 2)
            request(CLIENT, OP_READ_MIDDLE, psn, octets + 1024 * part, length);
        else
            response(CLIENT, part ? OP_READ_LAST : OP_READ_FIRST, psn, ACK, octets + 1024 * part,
                     length);
    }
    reply(SERVER, 2004, 0xa);
    call(CLIENT, 1001, 0xb);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, " read server 3500 h77\n"));
    ck_assert_ptr_null(strstr(seen, "gap"));
    ck_assert_uint_eq(counts.events, 4);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT], 0);
    ck_assert_uint_eq(counts.retransmitted, mixed[_i].again);
}
END_TEST

/* A middle packet that came early says nothing of the rest: the requester may send meanwhile. */
START_TEST(request_within_response)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 3500, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    request(CLIENT, OP_READ_MIDDLE, 2002, octets + 2048, 1024);
    reply(SERVER, 2004, 0xa);
    request(CLIENT, OP_READ_MIDDLE, 2001, octets + 1024, 1024);
    response(CLIENT, OP_READ_LAST, 2003, ACK, octets + 3072, 428);
    call(CLIENT, 1001, 0xb);
    expect(NAME "3 send client 68 a\n7 send server 68 a reading\n9 read server 3500 h77\n"
                "10 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] + counts.retransmitted,
                      0);
}
END_TEST

/* A response of which the end was not recorded, or nothing but the end of it. */
START_TEST(response_cut)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 1500, NULL, 0);
    wrapping.snap = _i == 0 ? 300 : 0;
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    wrapping.snap = _i == 1 ? 300 : 0;
    response(CLIENT, OP_READ_LAST, 2001, ACK, octets + 1024, 476);
    wrapping.snap = 0;
    rdma(SERVER, OP_READ_REQUEST, 2002, 0x78, 0, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2002, ACK, NULL, 0);
    reply(SERVER, 2003, 0xa);
    call(CLIENT, 1001, 0xb);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(
        strstr(seen, _i < 2 ? "6 read server 1500 unseen h77\n" : "6 read server 1500 h77\n"));
    ck_assert_ptr_nonnull(strstr(seen, "\n8 read server 0 unseen h78\n"));
    ck_assert_uint_eq(counts.missed[SOURCE_CUT], _i < 2);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* Reads that brought nothing, when a later number is acknowledged: each is lost, and before what
 * acknowledges it. */
START_TEST(reads_unanswered)
{
    establish();
    call(CLIENT, 1000, 0xa);
    for (uint32_t i = 0; i < (uint32_t)_i; i++)
        rdma(SERVER, OP_READ_REQUEST, 2000 + i, 0x71 + i, 100, NULL, 0);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2000 + (uint32_t)_i, 0xa);
    ack(CLIENT, 2000 + (uint32_t)_i, ACK);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], (unsigned)_i);
    ck_assert_uint_eq(counts.events, 3);
    ck_assert((strstr(seen, "gap") != NULL) == (_i > 0));
}
END_TEST

/* A Read whose response is one packet takes one number, whether the path MTU is known or not. */
START_TEST(numbers_of_a_read)
{
    static const uint32_t lengths[] = {0, 256, 257};
    uint32_t length = lengths[_i % 3];
    if (_i >= 3)
        establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, length, NULL, 0);
    response(CLIENT, OP_READ_ONLY, 2000, ACK, octets, length);
    reply(SERVER, 2002, 0xa); /* what was 2001? */
    ack(CLIENT, 2002, ACK);
    call(CLIENT, 1001, 0xb);
    displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    ck_assert_uint_eq(counts.events, 4);
}
END_TEST

/* A packet that was kept for its turn, of a Read that turns out to be asked for before it. */
START_TEST(asked_again_before)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, 1476, NULL, 0);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 2500, NULL, 0);
    response(CLIENT, OP_READ_FIRST, 2000, ACK, octets, 1024);
    request(CLIENT, OP_READ_MIDDLE, 2001, octets + 1024, 1024);
    response(CLIENT, OP_READ_LAST, 2002, ACK, octets + 2048, 452);
    reply(SERVER, 2003, 0xa);
    call(CLIENT, 1001, 0xb);
    expect(NAME "3 send client 68 a\n8 read server 2500 h77\n9 send server 68 a\n"
                "10 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.retransmitted, 1);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* ---- messages out of packets ---- */

/* A message that is begun and not ended, or goes on as one of the other kind: it is lost, the next
 * is not. */
START_TEST(mixed_kinds)
{
    static const uint8_t pairs[][2] = {
        {OP_SEND_FIRST, OP_WRITE_LAST},  {OP_WRITE_FIRST, OP_SEND_LAST},
        {OP_SEND_FIRST, OP_SEND_ONLY},   {OP_WRITE_FIRST, OP_WRITE_ONLY},
        {OP_SEND_FIRST, OP_WRITE_ONLY},  {OP_WRITE_FIRST, OP_SEND_ONLY},
        {OP_SEND_FIRST, OP_WRITE_FIRST}, {OP_WRITE_FIRST, OP_SEND_FIRST},
    };
    uint8_t first = pairs[_i][0], second = pairs[_i][1];
    establish();
    call(CLIENT, 1000, 0xa);
    if (first == OP_WRITE_FIRST)
        rdma(SERVER, first, 2000, 0x77, 2000, octets, 1024);
    else
        request(SERVER, first, 2000, octets, 1024);
    if (second == OP_WRITE_ONLY || second == OP_WRITE_FIRST)
        rdma(SERVER, second, 2001, 0x78, 1124, octets, second == OP_WRITE_ONLY ? 100 : 1024);
    else
        request(SERVER, second, 2001, octets, second == OP_SEND_FIRST ? 1024 : 100);
    if (second == OP_WRITE_FIRST || second == OP_SEND_FIRST)
        request(SERVER, second == OP_WRITE_FIRST ? OP_WRITE_LAST : OP_SEND_LAST, 2002,
                octets + 1024, 100);
    reply(SERVER, 2003 - (_i < 6), 0xa);
    ck_assert(read_capture());
    ck_assert_ptr_null(strstr(seen, "wrong"));
    ck_assert_ptr_nonnull(strstr(seen, "gap\n"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    ck_assert_uint_eq(counts.events, _i < 2 ? 2 : 3);
    if (_i >= 2)
        ck_assert_ptr_nonnull(strstr(seen, second == OP_WRITE_ONLY    ? " write server 100 h78\n"
                                           : second == OP_WRITE_FIRST ? " write server 1124 h78\n"
                                           : second == OP_SEND_ONLY   ? " send server 100\n"
                                                                      : " send server 1124\n"));
}
END_TEST

/* The end of a message whose beginning is missing belongs to that loss; a second one is another. */
START_TEST(ends_without_beginning)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK); /* of the first packet */
    for (int i = 0; i < 10; i++)
        ack(CLIENT, 1999, ACK); /* until that is certain */
    for (int i = 0; i < _i; i++)
        part(CLIENT, OP_SEND_LAST, 1002 + (uint32_t)i);
    call(CLIENT, 1002 + (uint32_t)_i, 0xb);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], _i < 2 ? 1 : (unsigned)_i);
    ck_assert_uint_eq(counts.events, 2);
}
END_TEST

/* Another message came in between: the end is that of a third one. */
START_TEST(end_after_another)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK);
    for (int i = 0; i < 10; i++)
        ack(CLIENT, 1999, ACK);
    call(CLIENT, 1002, 0xb);
    part(CLIENT, OP_SEND_LAST, 1003);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 2);
    ck_assert_uint_eq(counts.events, 2);
}
END_TEST

/* Opcodes that mean nothing are no events. */
START_TEST(reserved_opcodes)
{
    static const uint8_t reserved[] = {0x15, 0x18, 0x1f};
    establish();
    call(CLIENT, 1000, 0xa);
    request(CLIENT, reserved[_i], 1001, octets, 40);
    call(CLIENT, 1002, 0xb);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 2);
    ck_assert_ptr_null(strstr(seen, "atomic"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0); /* but they have numbers */
}
END_TEST

/* ---- refusals ---- */

/* What the server had sent before it knew: the mirror of rest_after_refusal of order_test.c. */
START_TEST(rest_of_the_server)
{
    establish();
    call(CLIENT, 1000, 0xa);
    part(SERVER, OP_SEND_FIRST, 2000);
    ack(CLIENT, 2000, NAK_ACCESS + 1);
    part(SERVER, OP_SEND_MIDDLE, 2001);
    call(CLIENT, 1001, 0xe); /* the client's queue pair has failed: recorded late */
    part(SERVER, OP_SEND_LAST, 2002);
    cm_disconnect(SERVER);
    expect(NAME "3 send client 68 a\n5 disconnect client\n7 send client 68 e\n8 send server "
                "2100\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* A later code is no failure of the queue pair, nor is one of no meaning: the packet comes again.
 */
START_TEST(codes)
{
    bool fatal = _i >= 1 && _i <= 3;
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, (uint8_t)(0x60 + _i));
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1001, 0xb);
    if (fatal)
        expect(NAME "3 send client 68 a\n4 disconnect server\n6 send client 68 b\nclosed\n");
    else
        expect(NAME "3 send client 68 a\n6 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.retransmitted, !fatal);
}
END_TEST

/* ---- when a connection is over ---- */

/* A connection whose events are all in order ends by its Disconnect, before another one begins:
 * however its Replies had come to be in order. One of which a Call may still come waits. */
START_TEST(over_at_once)
{
    establish();
    call(CLIENT, 1000, 0xa);
    if (_i == 0) { /* a later Call explains it */
        reply(SERVER, 2000, 0xb);
        call(CLIENT, 1001, 0xb);
    } else if (_i == 1) { /* one explains the one, another the other */
        reply(SERVER, 2000, 0xb);
        reply(SERVER, 2001, 0xc);
        call(CLIENT, 1001, 0xb);
        call(CLIENT, 1002, 0xc);
    } else if (_i == 2) { /* a Reply that was in order comes after it */
        reply(SERVER, 2000, 0xb);
        reply(SERVER, 2001, 0xa);
        call(CLIENT, 1001, 0xb);
    } else if (_i == 3) { /* enough is known to be there after it */
        reply(SERVER, 2000, 0xb);
        for (uint32_t i = 1; i < WINDOW + 4; i++)
            call(CLIENT, 1000 + i, 0x100 + i);
    } else if (_i == 4) { /* a Call explains the one, and enough is there after the other */
        reply(SERVER, 2000, 0xb);
        reply(SERVER, 2001, 0xc);
        call(CLIENT, 1001, 0xb);
        reply(SERVER, 2002, 0xa);
        for (uint32_t i = 2; i < WINDOW + 4; i++)
            call(CLIENT, 1000 + i, 0x100 + i);
    } else { /* nothing explains it */
        reply(SERVER, 2000, 0xb);
    }
    cm_disconnect(CLIENT);
    uint64_t ended = frames;
    for (unsigned i = 0; i < 64; i++) /* until nothing can cross it any more */
        call(CLIENT, 1000, 0xa);
    peer[0] = (struct synthetic_peer){1, 0x21, 0x3333, 5000};
    peer[1] = (struct synthetic_peer){2, 0x22, 0x4444, 6000};
    establish();
    call(CLIENT, 5000, 0xf);
    reply(SERVER, 6000, 0xf);
    displaced = true;
    ck_assert(read_capture());
    char end[64];
    snprintf(end, sizeof end, "\n%u disconnect client\nclosed\n1: ", (unsigned)ended);
    ck_assert_msg((strstr(seen, end) != NULL) == (_i < 5), "%s", seen);
    ck_assert((strstr(seen, "unconfirmed") != NULL) == (_i == 5));
    ck_assert_uint_eq(closed, 2);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* Something was lost, though of another connection: at the end of this one it may have been its
 * Call. It was not where that Call came. */
START_TEST(lost_elsewhere)
{
    bool lost = _i > 0, answers = _i < 2;
    establish();
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1001 + lost, 0xb);
    peer[0] = (struct synthetic_peer){1, 0x21, 0x3333, 5000};
    peer[1] = (struct synthetic_peer){2, 0x22, 0x4444, 6000};
    establish();
    call(CLIENT, 5000, 0xf);
    reply(SERVER, 6000, answers ? 0xf : 0xe);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], lost);
    ck_assert_ptr_nonnull(
        strstr(seen, answers ? "1: 8 send server 68 f\n" : "1: 8 send server 68 e"));
    ck_assert((strstr(seen, "1: 8 gap\n1: 8 send server") != NULL) == !answers);
}
END_TEST

/* ---- numbers ---- */

/* Requests that the other side has received and nobody saw: the last word counts, in whatever order
 * it was heard, and after some frames they are lost, all at once. */
START_TEST(acknowledged_twice)
{
    enum rpcrdma_endpoint from = _i < 2 ? CLIENT : SERVER, to = (enum rpcrdma_endpoint)(1 - from);
    uint32_t first = from == CLIENT ? 1000 : 2000;
    establish();
    call(CLIENT, 1000, 0xa);
    first += from == CLIENT;
    ack(to, first + (_i % 2 == 0), ACK);
    ack(to, first + (_i % 2 != 0), ACK);
    for (int i = 0; i < 8; i++)
        ack(to, first, ACK);
    call(to, from == CLIENT ? 2000 : 1001, 0xe);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 2);
    ck_assert_msg(strstr(seen, "gap\n") && strstr(seen, "gap\n") < strstr(seen, "68 e\n"), "%s",
                  seen);
}
END_TEST

/* Each time anew there are some frames for what was acknowledged to come. */
START_TEST(acknowledged_before_twice)
{
    establish();
    ack(SERVER, 1000, ACK);
    call(CLIENT, 1000, 0xa);
    for (int i = 0; i < 4; i++)
        ack(SERVER, 1000, ACK);
    ack(SERVER, 1001, ACK);
    for (int i = 0; i < 6; i++)
        ack(SERVER, 1000, ACK);
    call(CLIENT, 1001, 0xb);
    expect(NAME "4 send client 68 a\n16 send client 68 b\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* What was acknowledged was there before what the other side did then; what came after it was not.
 */
START_TEST(overdue)
{
    establish();
    call(CLIENT, 1000, 0x1);
    ack(SERVER, 1002, ACK);
    call(CLIENT, 1003, 0xc);
    call(SERVER, 2000, 0xe);
    call(CLIENT, 1001, 0xa);
    call(CLIENT, 1002, 0xb);
    displaced = true;
    expect(NAME "3 send client 68 1\n7 send client 68 a\n8 send client 68 b\n6 send server 68 e\n"
                "5 send client 68 c\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* The number that connection management announced is wrong: the packets are believed. */
START_TEST(announced_wrong)
{
    static const uint32_t firsts[] = {999, 500, 2025, 100000};
    uint32_t first = firsts[_i];
    establish();
    call(CLIENT, first, 0xa);
    ack(SERVER, first, ACK);
    call(CLIENT, first + 1, 0xb);
    reply(SERVER, 2000, 0xa);
    expect(NAME "3 send client 68 a\n5 send client 68 b\n6 send server 68 a\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.retransmitted, 0);
}
END_TEST

/* A number below the first that was seen: no retransmission, but there before the connection was
 * known by its Sends. */
START_TEST(before_the_first)
{
    static const unsigned lost[] = {0, 1, 1, 1, 2};
    call(CLIENT, 1001, 0xb);
    ack(SERVER, 1001, ACK);
    pass_window(); /* within it they would be taken in their order */
    call(CLIENT, 1001, 0xb);
    if (_i > 0)
        call(CLIENT, 1000, 0xa);
    if (_i > 1)
        part(CLIENT, OP_SEND_FIRST, 997);
    if (_i > 2)
        part(CLIENT, OP_SEND_MIDDLE, 998);
    if (_i > 3)
        part(CLIENT, OP_SEND_LAST, 999); /* a message is counted by its end */
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], lost[_i]);
    ck_assert_uint_eq(counts.retransmitted, 1 + (unsigned)_i);
}
END_TEST

/* A packet is missing, never comes, and nobody says anything of it: after many others it is given
 * up. The first of those were kept, and the rest is missing as well. */
START_TEST(stalled_for_long)
{
    enum { STALLED = 1024, KEPT = 64, MORE = 20 };
    establish();
    call(CLIENT, 1000, 1);
    for (uint32_t i = 0; i < STALLED + MORE; i++)
        call(CLIENT, 1002 + i, 2 + i);
    quiet = true;
    displaced = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, 1 + KEPT + MORE);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1 + STALLED - KEPT);
}
END_TEST

/* After a failure: neither what was sent again nor what is far off was sent before it. Of the rest,
 * packets in another order than their numbers are one Send. */
START_TEST(after_failure)
{
    establish();
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1001, 0xb);
    ack(SERVER, 1001, NAK_ACCESS + 1);
    call(CLIENT, 1001, 0xb);
    call(CLIENT, 1002 + 1024, 0xd);
    part(CLIENT, OP_SEND_FIRST, 1002);
    part(CLIENT, OP_SEND_LAST, 1004);
    part(CLIENT, OP_SEND_MIDDLE, 1003);
    displaced = true;
    expect(NAME "3 send client 68 a\n4 send client 68 b\n5 disconnect server\n"
                "9 send client 2100\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.retransmitted, 0);
}
END_TEST

/* What follows a Read of an unknown number of packets is taken for the next, after a failure too.
 */
START_TEST(after_failure_unknown)
{
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    reply(SERVER, 2000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2001, 0x77, 5000, NULL, 0);
    ack(CLIENT, 2001, NAK_ACCESS);
    reply(SERVER, 2006, 0xb);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, " refused client h77 read 5000 mid\n"));
    ck_assert_ptr_nonnull(strstr(seen, "6 send server 68 b reading mid\n"));
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* Remote invalidation is said by the opcode of the last packet, and names a handle there. */
START_TEST(invalidations)
{
    establish();
    call(CLIENT, 1000, 0xa);
    invalidate(SERVER, OP_SEND_ONLY_INVALIDATE, 2000, 0x71, octets, 100);
    request(SERVER, OP_SEND_FIRST, 2001, octets, 1024);
    invalidate(SERVER, OP_SEND_LAST_INVALIDATE, 2002, 0x72, octets + 1024, 100);
    request(SERVER, OP_SEND_FIRST, 2003, octets, 1024);
    request(SERVER, OP_SEND_LAST, 2004, octets + 1024, 50);
    request(SERVER, OP_SEND_ONLY, 2005, octets, 101);
    call(CLIENT, 1001, 0xb);
    expect(NAME "3 send client 68 a\n4 send server 100 h71\n6 send server 1124 h72\n"
                "8 send server 1074\n9 send server 101\n10 send client 68 b\nclosed\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flows");
    TCase *tests = new_case(suite, "Reads");
    tcase_add_loop_test(tests, asked_again, 0, 6);
    tcase_add_loop_test(tests, refused_anywhere, 0, 7);
    tcase_add_loop_test(tests, response_mixed, 0, 8);
    tcase_add_test(tests, request_within_response);
    tcase_add_loop_test(tests, response_cut, 0, 3);
    tcase_add_loop_test(tests, reads_unanswered, 0, 4);
    tcase_add_loop_test(tests, numbers_of_a_read, 0, 6);
    tcase_add_test(tests, asked_again_before);
    tests = new_case(suite, "messages");
    tcase_add_loop_test(tests, mixed_kinds, 0, 8);
    tcase_add_loop_test(tests, ends_without_beginning, 0, 4);
    tcase_add_test(tests, end_after_another);
    tcase_add_loop_test(tests, reserved_opcodes, 0, 3);
    tcase_add_test(tests, invalidations);
    tests = new_case(suite, "refusals");
    tcase_add_test(tests, rest_of_the_server);
    tcase_add_loop_test(tests, codes, 0, 8);
    tcase_add_test(tests, after_failure);
    tcase_add_test(tests, after_failure_unknown);
    tests = new_case(suite, "ends");
    tcase_add_loop_test(tests, over_at_once, 0, 6);
    tcase_add_loop_test(tests, lost_elsewhere, 0, 3);
    tests = new_case(suite, "numbers");
    tcase_add_loop_test(tests, acknowledged_twice, 0, 4);
    tcase_add_test(tests, acknowledged_before_twice);
    tcase_add_test(tests, overdue);
    tcase_add_loop_test(tests, announced_wrong, 0, 4);
    tcase_add_loop_test(tests, before_the_first, 0, 5);
    tcase_add_test(tests, stalled_for_long);
    return run_suite(suite);
}
