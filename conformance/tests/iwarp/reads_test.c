// SPDX-License-Identifier: BSD-3-Clause
/* RDMAP over DDP: RDMA Reads with what they read. */
#include "conformance/tests/support/captures/messages.h"

START_TEST(reads)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 250);
    put_read_request(&sides[1], 0x52, 0x200, 0x22, 0xa000, 0);
    put_read_request(&sides[1], 0x51, 0x300, 0x23, 0xb000, 70);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 250);
    put_send(&sides[0], octets, 150);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x52, 0x200, octets, 0);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x300, octets, 70);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "<read:250@21/9000 >send:150 <read:0@22/a000 <read:70@23/b000 ");
}
END_TEST

/* A response of another length than was asked for: what was read is not known. */
START_TEST(wrong_response)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 250);
    put_read_request(&sides[1], 0x52, 0x200, 0x22, 0xa000, 50);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 200);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x99, 0x200, octets, 50); /* to nothing */
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x52, 0x200, octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "<read:250@21/9000? lost:1 <read:50@22/a000 ");
}
END_TEST

/* The response goes where the request said, to the octet. */
START_TEST(response_elsewhere)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 50);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51 + (_i == 0) - (_i == 1),
               0x100 + (_i == 2) - (_i == 3), octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, _i < 4 ? "lost:1 " : "<read:50@21/9000 ");
}
END_TEST

/* One that is longer than what was asked for, also where no more than that was recorded. */
START_TEST(longer_response)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, _i == 0 ? 50 : 150);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, _i == 0 ? 90 : 200);
    if (_i == 0)
        pass_on(CLIENT, 14 + 50, UINT_MAX);
    else
        pass_all(CLIENT);
    ck_assert_str_eq(told, _i == 0 ? "cut <read:50@21/9000? " : "<read:150@21/9000? ");
}
END_TEST

/* No response is one of no length to a Read of some, nor the other way round. */
START_TEST(response_of_no_length)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, _i == 0 ? 50 : 0);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, _i == 0 ? 0 : 50);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, _i == 0 ? 50 : 0);
    pass_all(CLIENT);
    ck_assert_str_eq(told, _i == 0 ? "lost:1 <read:50@21/9000 " : "lost:1 <read:0@21/9000 ");
}
END_TEST

/* A request has at least 28 octets; what follows them means nothing. */
START_TEST(length_of_request)
{
    static const uint8_t request[32] = {[3] = 0x51, [15] = 50, [19] = 0x21};
    put_untagged(&sides[1], DDP_OPCODE_READ_REQUEST, 0, request, 26 + 2 * (size_t)_i);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0, octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, _i == 0 ? "lost:1 lost:1 " : "<read:50@21 ");
}
END_TEST

/* What is missing before the response is not part of it. */
START_TEST(lost_before_response)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 250);
    pass_all(SERVER);
    put_send(&sides[0], octets, 50);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 250);
    put_send(&sides[0], octets, 60);
    pass_on(CLIENT, SIZE_MAX, 0);
    ck_assert_str_eq(told, "lost:0 <read:250@21/9000 lost:1 >send:60 ");
}
END_TEST

/* There is no room for the response: the Read is lost, and what it read is not known. */
START_TEST(no_room_for_response)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 250);
    put_read_request(&sides[1], 0x52, 0x100, 0x22, 0x9000, 50);
    pass_all(SERVER);
    memory.max = memory.used;
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 250);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x52, 0x100, octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "lost:1 <read:250@21/9000? <read:50@22/9000 ");
}
END_TEST

START_TEST(response_unseen)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 50);
    put_read_request(&sides[1], 0x52, 0x200, 0x22, 0xa000, 150);
    put_read_request(&sides[1], 0x53, 0x200, 0x23, 0xa000, 50);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 50);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x52, 0x200, octets, 150);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x53, 0x200, octets, 50);
    pass_on(CLIENT, SIZE_MAX, (unsigned)_i);
    static const char *const expected[] = {
        "lost:0 lost:1 <read:150@22/a000 <read:50@23/a000 ",
        "<read:50@21/9000 lost:0 lost:1 <read:50@23/a000 ",
        "<read:50@21/9000 lost:0 lost:1 <read:50@23/a000 ",
        "<read:50@21/9000 <read:150@22/a000 lost:0 ",
    };
    ck_assert_str_eq(told, expected[_i]);
}
END_TEST

START_TEST(many_reads)
{
    for (uint32_t i = 0; i < RDMAP_READS_MAX; i++)
        put_read_request(&sides[1], 1, i, 2, 3, 50);
    pass_all(SERVER);
    ck_assert_str_eq(told, "");
    sides[1].reads += 3 * (uint32_t)_i; /* these were not seen */
    put_read_request(&sides[1], 1, 500, 2, 3, 50);
    pass_all(SERVER);
    ck_assert_str_eq(told, _i == 0 ? "lost:1 " : "lost:4 ");
    told[told_length = 0] = '\0';
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 1, 1, octets, 50);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 1, 500, octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "<read:50@2/3 lost:126 <read:50@2/3 ");
}
END_TEST

/* Three at a time, far more than there is room for: each has its own response. */
START_TEST(reads_in_turn)
{
    enum { COUNT = 3 * RDMAP_READS_MAX };
    for (uint32_t i = 0; i < COUNT + 3; i++) {
        if (i < COUNT)
            put_read_request(&sides[1], 0x51, 1000 * i, i, 0, 50 + i % 7);
        pass_all(SERVER);
        if (i >= 3)
            put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 1000 * (i - 3), octets,
                       50 + (i - 3) % 7);
        told[told_length = 0] = '\0';
        pass_all(CLIENT);
        char expected[32] = "";
        if (i >= 3)
            snprintf(expected, sizeof expected, "<read:%u@%x ", 50 + (i - 3) % 7, i - 3);
        ck_assert_str_eq(told, expected);
    }
}
END_TEST

/* Requests that were not seen are counted by their responses; the number of the next request tells
 * only of more. */
START_TEST(requests_unseen)
{
    for (uint32_t i = 0; i < 2; i++)
        put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 1000 * i, octets, 150);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "lost:0 lost:1 lost:0 lost:1 ");
    told[told_length = 0] = '\0';
    sides[1].reads = (uint32_t)_i;
    put_read_request(&sides[1], 0x51, 5000, 0x21, 0x9000, 50);
    sides[1].reads += 1; /* those two were counted before it */
    put_read_request(&sides[1], 0x51, 6000, 0x22, 0x9000, 50);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 5000, octets, 50);
    pass_all(CLIENT);
    char expected[64] = "";
    if (_i > 2)
        snprintf(expected, sizeof expected, "lost:%d ", _i - 2);
    strcat(expected, "lost:1 <read:50@21/9000 ");
    ck_assert_str_eq(told, expected);
}
END_TEST

/* What was given up does not spoil the next Read. */
START_TEST(read_after_eviction)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 250);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 250);
    sides[0].length = 2 * fpdu_size(118);
    pass_on(CLIENT, SIZE_MAX, 1);
    rdmap_evict(&rdmap, at_frame);
    put_read_request(&sides[1], 0x52, 0x200, 0x22, 0xa000, 150);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x52, 0x200, octets, 150);
    pass_all(CLIENT);
    ck_assert_ptr_nonnull(strstr(told, " <read:150@22/a000 "));
}
END_TEST

/* A response to what was given up is one to nothing that is known. */
START_TEST(response_after_eviction)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 50);
    pass_all(SERVER);
    rdmap_evict(&rdmap, at_frame);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, "lost:0 lost:1 ");
}
END_TEST

/* A Read of whose response a part is missing is over with the response, or is given up: what comes
 * next and belongs to nothing has not the next Read for its own. */
START_TEST(response_to_nothing)
{
    put_read_request(&sides[1], 0x51, 0x100, 0x21, 0x9000, 250);
    if (_i == 0)
        put_read_request(&sides[1], 0x52, 0x200, 0x22, 0xa000, 50);
    pass_all(SERVER);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x51, 0x100, octets, 250);
    if (_i == 1)
        sides[0].length = 2 * fpdu_size(118);
    pass_on(CLIENT, SIZE_MAX, 1);
    if (_i == 1) {
        rdmap_evict(&rdmap, at_frame);
        put_read_request(&sides[1], 0x52, 0x200, 0x22, 0xa000, 50);
        pass_all(SERVER);
    }
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x99, 0x100, octets, 50);
    put_tagged(&sides[0], DDP_OPCODE_READ_RESPONSE, 0x52, 0x200, octets, 50);
    pass_all(CLIENT);
    ck_assert_str_eq(told, _i == 0 ? "lost:0 lost:1 lost:1 <read:50@22/a000 "
                                   : "lost:0 lost:0 lost:1 <read:50@22/a000 ");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("Reads");
    tcase_add_checked_fixture(tests, begin_messages, end_messages);
    tcase_add_test(tests, reads);
    tcase_add_test(tests, wrong_response);
    tcase_add_loop_test(tests, response_elsewhere, 0, 5);
    tcase_add_loop_test(tests, longer_response, 0, 2);
    tcase_add_loop_test(tests, response_of_no_length, 0, 2);
    tcase_add_loop_test(tests, length_of_request, 0, 4);
    tcase_add_test(tests, lost_before_response);
    tcase_add_test(tests, no_room_for_response);
    tcase_add_loop_test(tests, response_unseen, 0, 4);
    tcase_add_loop_test(tests, many_reads, 0, 2);
    tcase_add_test(tests, reads_in_turn);
    tcase_add_loop_test(tests, requests_unseen, 0, 5);
    tcase_add_test(tests, read_after_eviction);
    tcase_add_test(tests, response_after_eviction);
    tcase_add_loop_test(tests, response_to_nothing, 0, 2);
    return run_tests("iWARP: RDMA Reads", tests);
}
