// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader and iWARP: which connections are remembered, and how each begins. */
#include "conformance/tests/support/captures/segments.h"
#include "conformance/base/count.h"

/* ---- many connections ---- */

enum { MOST = 1024 };

static uint32_t reached[MOST + 1][2], sent[MOST + 1];

/* What follows is of the connection with this number. */
static void go_to(unsigned number)
{
    port[0] = (uint16_t)(2000 + number);
    memcpy(next, reached[number], sizeof next);
    made[0] = (struct fpdus){.sends = sent[number]};
}

static void leave(unsigned number)
{
    memcpy(reached[number], next, sizeof next);
    sent[number] = made[0].sends;
}

static void open_one(unsigned number)
{
    sent[number] = 0;
    reached[number][0] = 1000 * number;
    reached[number][1] = 3000 * number;
    go_to(number);
    start(CLIENT, 0, 1, NULL, 0);
    start(SERVER, 0, 1, NULL, 0);
    leave(number);
}

static void use(unsigned number)
{
    go_to(number);
    put_send(&made[0], message(number, RPCRDMA_CALL), MESSAGE_LENGTH);
    segment(CLIENT, ACKS, made[0].octets, made[0].length);
    leave(number);
}

/* All that are remembered are in use, the oldest of them, one in the middle and the newest once
 * more. Then another comes: the one that was not used for longest is forgotten, and no other. */
START_TEST(most_connections)
{
    static const unsigned again[] = {0, 1, 500, MOST - 1, 500};
    for (unsigned i = 0; i < MOST; i++)
        open_one(i);
    for (size_t i = 0; i < COUNT(again); i++)
        use(again[i]);
    open_one(MOST);
    for (unsigned i = MOST; i-- > 3;)
        use(i);
    use(0);
    use(1);
    quiet = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, MOST + 1);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.missed[SOURCE_UNREAD], 0);
    for (unsigned i = 0; i < MOST; i++)
        ck_assert_uint_eq(next_index[i], i == 2                              ? 0
                                         : i == 500                          ? 3
                                         : i == 0 || i == 1 || i == MOST - 1 ? 2
                                                                             : 1);
}
END_TEST

/* The one that was forgotten is joined in its middle, as one that is not known. */
START_TEST(forgotten)
{
    for (unsigned i = 0; i <= MOST; i++)
        open_one(i);
    use((unsigned)_i);
    quiet = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, _i == 0 ? MOST + 2 : MOST + 1);
    ck_assert_uint_eq(next_index[_i == 0 ? MOST + 1 : _i], 1);
}
END_TEST

/* ---- what begins a connection ---- */

/* A SYN of the client begins another one; that of the server belongs to this one, and means nothing
 * later. */
START_TEST(late_syn)
{
    connect_iwarp();
    send_call(1);
    segment_at(SERVER, 4999, SYN | ACKS, NULL, 0);
    send_call(2);
    expect(IWARP "6 send client 68 1\n8 send client 68 2\nclosed\n");
}
END_TEST

/* ---- private data ---- */

/* As much as there may be, however it is cut into segments: the first shows what it is. */
START_TEST(most_private_data)
{
    static const size_t sizes[] = {16, 17, 511, 531, 532};
    uint8_t to[600];
    for (int side = 0; side < 2; side++) {
        size_t length = put_mpa_start(to, side == SERVER, 0, 1, octets, 512);
        for (size_t at = 0; at < length; at += sizes[_i])
            segment((enum rpcrdma_endpoint)side, ACKS, to + at,
                    length - at < sizes[_i] ? length - at : sizes[_i]);
    }
    send_call(1);
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, " private client 512\n"));
    ck_assert_ptr_nonnull(strstr(seen, " private server 512\n"));
    ck_assert_ptr_nonnull(strstr(seen, " send client 68 1\n"));
    ck_assert_uint_eq(counts.events, 3);
    ck_assert_uint_eq(
        counts.missed[SOURCE_LOST] + counts.missed[SOURCE_CUT] + counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

/* More is no start of MPA. */
START_TEST(too_much_private_data)
{
    uint8_t to[600];
    start(CLIENT, 0, 1, NULL, 0);
    segment(SERVER, ACKS, to, put_mpa_start(to, true, 0, 1, octets, 513));
    send_call(1);
    read_capture();
    ck_assert_str_eq(seen, "closed\n");
    ck_assert_str_eq(missed, "2 unread 1: iWARP: malformed start of MPA\n");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("table");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, most_connections);
    tcase_add_loop_test(tests, forgotten, 0, 2);
    tcase_add_test(tests, late_syn);
    tcase_add_loop_test(tests, most_private_data, 0, 5);
    tcase_add_test(tests, too_much_private_data);
    return run_tests("table of iWARP connections", tests);
}
