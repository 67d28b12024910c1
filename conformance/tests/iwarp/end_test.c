// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader and iWARP: how connections end. */
#include "conformance/tests/support/captures/segments.h"

START_TEST(terminated)
{
    connect_iwarp();
    send_call(1);
    put_untagged(&made[1], DDP_OPCODE_TERMINATE, 0, octets, 4);
    flush(SERVER);
    send_call(2);
    expect(IWARP "6 send client 68 1\n7 disconnect server\nclosed\n");
}
END_TEST

/* What follows in the same segment is nothing any more, and what comes later is not said. */
START_TEST(terminated_in_between)
{
    connect_iwarp();
    send_call(1);
    put_untagged(&made[1], DDP_OPCODE_TERMINATE, 0, octets, 4);
    put_send(&made[1], message(1, RPCRDMA_REPLY), MESSAGE_LENGTH);
    flush(SERVER);
    send_reply(2);
    expect(IWARP "6 send client 68 1\n7 disconnect server\nclosed\n");
    ck_assert_str_eq(missed, "");
}
END_TEST

/* A Send that came in part is lost before the end, and not after it: of either side. Where its
 * sender ended the connection, right behind that part, nothing was missed: the Send was broken off.
 */
START_TEST(ends_in_part)
{
    enum rpcrdma_endpoint from = _i < 10 ? CLIENT : SERVER,
                          other = (enum rpcrdma_endpoint)(1 - from);
    bool ends_itself = _i % 5 == 0 || _i % 5 > 2, was_recorded = _i % 5 == 0 || _i % 5 == 3;
    made[from].limit = 400;
    connect_iwarp();
    send_call(1);
    put_send(&made[from], octets, 900);
    const size_t last = (2 + 18 + 136) + 4; /* FPDU */
    made[from].length -= last + (_i % 10 < 5 ? 40 : 0);
    flush(from);
    next[from] += _i % 5 == 4 ? 100 : 0; /* a segment is missing */
    segment(ends_itself ? from : other, _i % 5 > 1 ? RESET : FIN | ACKS, NULL, 0);
    ck_assert(read_capture());
    const char *gap = strstr(seen, " gap\n"), *end = strstr(seen, " disconnect ");
    ck_assert_msg(was_recorded ? !gap && end : gap && end && gap < end, "%s", seen);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], !was_recorded);
    ck_assert_uint_eq(counts.missed[SOURCE_BROKEN_OFF], was_recorded);
}
END_TEST

START_TEST(is_reset)
{
    connect_iwarp();
    send_call(1);
    segment(SERVER, RESET, NULL, 0);
    expect(IWARP "6 send client 68 1\n7 disconnect server\nclosed\n");
}
END_TEST

/* A side that goes on after its own end: that is said. */
START_TEST(goes_on_after_end)
{
    connect_iwarp();
    send_call(1);
    segment(SERVER, _i == 0 ? RESET : FIN | ACKS, NULL, 0);
    send_call(2);
    send_reply(1);
    expect(IWARP "6 send client 68 1\n7 disconnect server\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 1);
}
END_TEST

START_TEST(ports_used_again)
{
    connect_iwarp();
    send_call(1);
    next[0] = 77;
    made[0].length = made[0].sends = 0;
    connect_iwarp();
    send_call(2);
    expect(IWARP "6 send client 68 1\n7 disconnect client\nclosed\n"
                 "1: 192.0.2.1:900-192.0.2.2:20049\n1: 12 send client 68 2\n1: closed\n");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("ends");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, terminated);
    tcase_add_test(tests, terminated_in_between);
    tcase_add_test(tests, is_reset);
    tcase_add_loop_test(tests, ends_in_part, 0, 20);
    tcase_add_loop_test(tests, goes_on_after_end, 0, 2);
    tcase_add_test(tests, ports_used_again);
    return run_tests("ends of iWARP connections", tests);
}
