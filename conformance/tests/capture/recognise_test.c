// SPDX-License-Identifier: BSD-3-Clause
/* Connections without a beginning: which of their halves belong together. */
#include "conformance/tests/support/captures/seen.h"
#include "conformance/base/count.h"

/* Of no kind that shows what it is: an event only of a flow that is known. */
static void send_unknown(enum rpcrdma_endpoint sender, uint32_t psn)
{
    request(sender, OP_SEND_ONLY, psn, octets, 40);
}

static uint64_t events(void)
{
    quiet = true;
    ck_assert_msg(read_capture(), "%s", read_error);
    return counts.events;
}

/* An acknowledgement of one of the four latest requests is of the other half; one of an older
 * request, or of one that is still to come, may be anybody's. */
START_TEST(acknowledged)
{
    enum { CALLS = 6 };
    for (uint32_t i = 0; i < CALLS; i++)
        call(CLIENT, 1000 + i, 0xa + i);
    pass_window();
    ack(SERVER, 1000 + CALLS - (uint32_t)_i, ACK);
    send_unknown(SERVER, 5000);
    bool paired = _i >= 1 && _i <= 4;
    ck_assert_uint_eq(events(), CALLS + paired);
    ck_assert_uint_eq(counts.connections, 1);
}
END_TEST

/* A Reply with such a number acknowledges nothing: it answers a Call, or is of another connection.
 */
START_TEST(reply_is_no_acknowledgement)
{
    call(CLIENT, 1000, 0xa);
    if (_i == 0)
        request(SERVER, OP_SEND_ONLY, 1000, message(0xb, RPCRDMA_REPLY), MESSAGE_LENGTH);
    else
        invalidate(SERVER, OP_SEND_ONLY_INVALIDATE, 1000, 0x77, message(0xb, RPCRDMA_REPLY),
                   MESSAGE_LENGTH);
    ck_assert_uint_eq(events(), 2);
    ck_assert_uint_eq(counts.connections, 2);
}
END_TEST

/* Only XIDs of Calls are answered, not what else a connection counts; of many the latest sixteen.
 */
START_TEST(answered)
{
    enum { KEPT = 16 };
    const struct {
        uint32_t calls, xid;
        bool is_answer;
    } cases[] = {
        {1, 0, false},           {1, 1, false},
        {1, 0x100, true},        {3, 0x102, true},
        {3, 3, false},           {KEPT, 0x100, true},
        {KEPT, KEPT, false},     {KEPT + 1, 0x100, false},
        {KEPT + 1, 17, false},   {KEPT + 1, 0x101, true},
        {KEPT + 1, 0x110, true},
    };
    ck_assert_int_lt(_i, (int)COUNT(cases));
    for (uint32_t i = 0; i < cases[_i].calls; i++)
        call(CLIENT, 1000 + i, 0x100 + i);
    reply(SERVER, 5000, cases[_i].xid);
    ck_assert_uint_eq(events(), cases[_i].calls + 1);
    ck_assert_uint_eq(counts.connections, cases[_i].is_answer ? 1 : 2);
}
END_TEST

/* Two halves that prove to be one connection go on as the older of them, whichever side's packet
 * shows it. */
START_TEST(older_goes_on)
{
    if (_i == 0) {
        call(CLIENT, 1000, 0xa);
        reply(SERVER, 5000, 0xb);
        pass_window();
        ack(SERVER, 1000, ACK);
    } else {
        reply(SERVER, 5000, 0xb);
        call(CLIENT, 1000, 0xa);
        pass_window();
        ack(_i == 1 ? SERVER : CLIENT, _i == 1 ? 1000 : 5000, ACK);
    }
    send_unknown(CLIENT, 1001);
    send_unknown(SERVER, 5001);
    ck_assert_uint_eq(events(), 4);
    ck_assert_uint_eq(counts.connections, 2);
    ck_assert_uint_eq(next_index[0], 3);
    ck_assert_uint_eq(next_index[1], 1);
}
END_TEST

/* A Long Call, and one to a client's callback program, are answered as well. */
START_TEST(other_calls)
{
    uint8_t long_call[52] = {0}, callback[MESSAGE_LENGTH];
    put32(put32(put32(put32(put32(long_call, 0xb), 1), 32), 1), 1); /* RDMA_NOMSG, a Read list */
    long_call[27] = 0x71;                                           /* handle, at Position zero */
    long_call[31] = 100;
    memcpy(callback, message(0xb, RPCRDMA_CALL), sizeof callback);
    put32(callback + 28 + 12, 0x40000000);
    if (_i == 0) {
        call(CLIENT, 1000, 0xa);
        request(CLIENT, OP_SEND_ONLY, 1001, long_call, sizeof long_call);
        reply(SERVER, 5000, 0xb);
    } else {
        request(SERVER, OP_SEND_ONLY, 5000, callback, sizeof callback);
        reply(CLIENT, 1000, 0xb);
    }
    ck_assert_uint_eq(events(), _i == 0 ? 3 : 2);
    ck_assert_uint_eq(counts.connections, 1);
}
END_TEST

/* RDMA operations wait for a Send that shows whether the connection is of another protocol, but not
 * for ever: after 64 events all are judged. */
START_TEST(operations_wait)
{
    static const uint8_t foreign[40];
    uint32_t writes = 61 + (uint32_t)_i;
    establish();
    for (uint32_t i = 0; i < writes; i++)
        rdma(SERVER, OP_WRITE_ONLY, 2000 + i, 0x77, 100, octets, 100);
    for (uint32_t i = 0; i < 3; i++)
        request(CLIENT, OP_SEND_ONLY, 1000 + i, foreign, sizeof foreign);
    quiet = true;
    ck_assert_int_eq(read_capture(), _i > 0); /* else there is nothing that can be read */
    ck_assert_uint_eq(counts.events, _i > 0 ? writes + 3 : 0);
}
END_TEST

/* Nor is what they waited in used up by connections that proved to be of another protocol. */
START_TEST(operations_of_many_wait)
{
    static const uint8_t foreign[40];
    enum { CONNECTIONS = 30, WRITES = 40 };
    for (uint32_t number = 0; number < CONNECTIONS; number++) {
        peer[0] = (struct synthetic_peer){1, 0x100 + number, 0x1000 + number, 1000};
        peer[1] = (struct synthetic_peer){2, 0x200 + number, 0x2000 + number, 2000};
        establish();
        for (uint32_t i = 0; i < WRITES; i++)
            rdma(SERVER, OP_WRITE_ONLY, 2000 + i, 0x77, 1000, octets, 1000);
        for (uint32_t i = 0; i < 3; i++)
            request(CLIENT, OP_SEND_ONLY, 1000 + i, foreign, sizeof foreign);
        ack(CLIENT, 2000 + WRITES - 1, ACK);
        ack(SERVER, 1002, ACK);
    }
    quiet = true;
    ck_assert(!read_capture());
    ck_assert_uint_eq(counts.events, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recognition");
    TCase *tests = new_case(suite, "halves");
    tcase_add_loop_test(tests, acknowledged, 0, 7);
    tcase_add_loop_test(tests, reply_is_no_acknowledgement, 0, 2);
    tcase_add_loop_test(tests, answered, 0, 11);
    tcase_add_loop_test(tests, older_goes_on, 0, 3);
    tcase_add_loop_test(tests, other_calls, 0, 2);
    TCase *others = new_case(suite, "other protocols");
    tcase_add_loop_test(others, operations_wait, 0, 2);
    tcase_add_test(others, operations_of_many_wait);
    return run_suite(suite);
}
