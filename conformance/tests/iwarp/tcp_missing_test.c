// SPDX-License-Identifier: BSD-3-Clause
/* TCP as the iWARP reader needs it: segments that wait for others, and what never comes. */
#include "conformance/tests/support/captures/stream.h"

/* What was received is sent again, and acknowledges the answer to it. */
START_TEST(copy_of_what_was_answered)
{
    take(0, 0, 0, "0123");
    take(1, 0, 8, "yes");
    take(1, 3, 8, "and");
    take(0, 4, 6, "4567");
    take(0, 8, 6, "89");
    expect_passed(">0123 >lost:0 >4567 <yes <and >89 ");
}
END_TEST

/* It is at least an octet that each has of what the other acknowledges. */
START_TEST(copy_of_one_octet)
{
    take(0, 0, 0, "0123");
    take(1, 0, 5, "yes");
    take(0, 4, 1, "4");
    expect_passed(">0123 >lost:0 >4 <yes ");
}
END_TEST

/* Part of the copy was passed on before. */
START_TEST(copy_of_known_octets)
{
    take(0, 0, 0, "0123");
    take(1, 0, 8, "yes");
    take(0, 2, 3, "234567");
    expect_passed(">0123 >lost:0 >4567 <yes ");
}
END_TEST

/* No copy: it follows all that was acknowledged, at once or later. */
START_TEST(no_copy_but_next)
{
    const char *first = _i == 0 ? "01234567" : "0123456789";
    char expected[64];
    take(0, 0, 0, first);
    take(1, 5, 8, "yes");
    take(0, (uint32_t)strlen(first), 8, "more");
    take(1, 0, 0, "abcde");
    snprintf(expected, sizeof expected, ">%s <abcde <yes >more ", first);
    expect_passed(expected);
}
END_TEST

/* No copy: it acknowledges only what comes before the answer. */
START_TEST(no_copy_but_before)
{
    take(0, 0, 0, "0123");
    take(1, 5, 8, "yes");
    take(0, 4, 5, "4567");
    expect_passed(">0123 ");
    take(1, 0, 0, "abcde");
    expect_passed(">0123 <abcde >4567 <yes ");
}
END_TEST

/* The copy has to wait for octets of its own side. */
START_TEST(copy_with_gap)
{
    take(0, 0, 0, "0123");
    take(1, 0, 8, "yes");
    take(0, 5, 3, "567");
    expect_passed(">0123 ");
    take(0, 4, 0, "4");
    expect_passed(">0123 >4 >lost:0 >567 <yes ");
}
END_TEST

/* What does not acknowledge anything waits for its own side alone. */
START_TEST(no_copy_without_acknowledgement)
{
    take(0, 0, 0, "0123");
    take_unacknowledging(1, 5, 8, "yes");
    take(0, 4, 6, "4567");
    expect_passed(">0123 ");
    take(1, 0, 0, "abcde");
    expect_passed(">0123 <abcde <yes >4567 ");
}
END_TEST

/* Lost by the capture: what follows waits a while, then it is said to be lost, before the answer.
 */
START_TEST(not_captured)
{
    take(0, 0, 0, "0123");
    take(1, 0, 8, "yes");
    take(0, 8, 0, "89ab");
    expect_passed(">0123 ");
    for (int i = 0; i < 70; i++)
        take(1, 3, 12, "");
    expect_passed(">0123 >lost:4 <yes >89ab ");
}
END_TEST

/* That is 64 segments later; each time anew, also after what waited had come. */
START_TEST(patience)
{
    take(1, 0, 8, "yes");
    take_empty(60, 1, 3, 8);
    take(0, 0, 0, "01234567");
    expect_passed(">01234567 <yes ");
    take(1, 3, 12, "and");
    take_empty(63, 1, 6, 12);
    expect_passed(">01234567 <yes ");
    take_empty(1, 1, 6, 12);
    expect_passed(">01234567 <yes >lost:0 <and ");
}
END_TEST

/* What was never received is not overdue. */
START_TEST(patience_without_acknowledgement)
{
    take(0, 4, 0, "4567");
    take_empty(200, 1, 0, 0);
    expect_passed("");
    take_empty(1, 1, 0, 1);
    expect_passed(">lost:4 >4567 ");
}
END_TEST

/* What was given up because it was acknowledged comes after all, in parts: it is passed on, and
 * what is missing between them is lost. What acknowledges it need not wait. */
START_TEST(comes_after_all)
{
    take(1, 0, 8, "yes");
    take_empty(64, 1, 3, 8);
    expect_passed(">lost:0 <yes ");
    take(0, 0, 0, "0123");
    expect_passed(">lost:0 <yes >0123 ");
    take(1, 3, 8, "and");
    expect_passed(">lost:0 <yes >0123 <and ");
    take(0, 4 + (uint32_t)_i, 0, &"456789"[_i]);
    static const char *const then[] = {">456789 ",      ">lost:1 >56789 ", ">lost:2 >6789 ",
                                       ">lost:3 >789 ", ">lost:4 >89 ",    ""};
    char expected[64];
    snprintf(expected, sizeof expected, ">lost:0 <yes >0123 <and %s", then[_i]);
    expect_passed(expected);
}
END_TEST

/* A segment that brings octets after known ones waits for the other side, not for its own. */
START_TEST(waits_for_the_other)
{
    take(1, 0, 0, "01");
    take(1, 0, 8, "0123");
    expect_passed("<01 ");
    tcp_flush(&stream, segments_taken);
    expect_passed("<01 >lost:0 <23 >lost:8 ");
}
END_TEST

/* What waits begins before the end of what was acknowledged, and after what is missing; or after
 * all of it: how much is missing is not certain then. */
START_TEST(waits_beyond_acknowledged)
{
    static const char *const expected[] = {">0123 >lost:2 >abc <yes ", ">0123 >lost:3 >abc <yes ",
                                           ">0123 >lost:4 <yes >abc ",
                                           ">0123 >lost:0 <yes >lost:5 >abc "};
    take(0, 0, 0, "0123");
    take(1, 0, 8, "yes");
    take(0, 6 + (uint32_t)_i, 0, "abc");
    tcp_flush(&stream, segments_taken);
    expect_passed(expected[_i]);
}
END_TEST

/* Three that wait for each other in a circle, as no sender sends them: it comes to an end. */
START_TEST(circle)
{
    take(0, 0, 0, "0123");
    if (_i == 1)
        take(1, 0, 0, "ab");
    take(1, 5, 8, "yes");
    take(0, 4, 5, "4567");
    take(1, 0, 6, "abcde");
    tcp_flush(&stream, segments_taken);
    expect_passed(_i == 0 ? ">0123 <lost:5 >4567 <yes " : ">0123 <ab <lost:3 >4567 <yes ");
    ck_assert_uint_eq(retransmitted, 1);
}
END_TEST

/* Of two that wait, one begins one octet before the other. */
START_TEST(one_octet_before)
{
    take(0, 5, 0, "56");
    take(0, 4, 0, "45");
    tcp_flush(&stream, segments_taken);
    expect_passed(">lost:4 >45 >6 ");
}
END_TEST

/* Both sides miss octets. */
START_TEST(not_captured_of_both)
{
    take(1, 5, 4, "B");
    take(0, 4, 5, "A");
    tcp_flush(&stream, segments_taken);
    expect_passed("<lost:5 >lost:4 <B >A ");
}
END_TEST

START_TEST(last_not_captured)
{
    take(0, 0, 0, "0123");
    take(1, 0, 40, "");
    tcp_flush(&stream, segments_taken);
    expect_passed(">0123 >lost:36 ");
}
END_TEST

/* An end has a number of its own: one that is acknowledged may be that. */
START_TEST(last_octet_not_captured)
{
    take(0, 0, 0, "0123");
    take(1, 0, 4 + (uint32_t)_i, "");
    tcp_flush(&stream, segments_taken);
    expect_passed(_i < 2 ? ">0123 " : ">0123 >lost:2 ");
}
END_TEST

/* Four megabytes may wait, and not an octet more. */
START_TEST(most_octets_wait)
{
    static char text[65537];
    memset(text, 'x', sizeof text - 1);
    for (uint32_t i = 0; i < 64; i++)
        take(0, 1 + i * 65536, 0, text);
    expect_passed("");
    ck_assert_uint_eq(stream.waiting_octets, 4 << 20);
    take(0, 1 + 64 * 65536, 0, "x");
    ck_assert_ptr_eq(strstr(passed, ">lost:1 >xxx"), passed);
    ck_assert_uint_eq(stream.waiting_octets, 0);
}
END_TEST

START_TEST(too_much_waits)
{
    static char text[65536];
    memset(text, 'x', sizeof text - 1);
    for (uint32_t i = 0; i < 70; i++)
        take(0, 1 + i * 65535, 0, text + (i < 64 ? 0 : 65000));
    ck_assert_ptr_nonnull(strstr(passed, ">lost:1 "));
    ck_assert_uint_le(stream_memory.used, 5 << 20);
}
END_TEST

/* What has been passed on waits no more, however much that was. */
START_TEST(much_waits_in_turn)
{
    static char text[65536];
    memset(text, 'x', sizeof text - 1);
    for (uint32_t i = 0; i < 100; i++) {
        passed[0] = '\0';
        passed_length = 0;
        take(0, 1 + i * 65536, 0, text);
        expect_passed("");
        take(0, i * 65536, 0, "x");
        ck_assert_ptr_eq(strstr(passed, ">x >xxx"), passed);
    }
    ck_assert_uint_eq(stream.waiting_octets, 0);
}
END_TEST

START_TEST(too_many_wait)
{
    for (uint32_t i = 0; i < 1100; i++) {
        passed[0] = '\0';
        passed_length = 0;
        take(0, 2 + 2 * i, 0, "x");
        expect_passed(i == 1023 ? ">lost:2 >x " : i < 1023 ? "" : ">lost:1 >x ");
        ck_assert_uint_eq(stream.waiting, i < 1023 ? i + 1 : 1023);
    }
}
END_TEST

START_TEST(no_room)
{
    stream_memory.max = 0;
    take(0, 4, 0, "4567"); /* cannot be kept: it is as if it had not been captured */
    take(0, 0, 0, "0123");
    take(1, 0, 8, "");
    tcp_flush(&stream, segments_taken);
    expect_passed(">0123 >lost:4 ");
}
END_TEST

/* Given up is what is missing before the first that waits, in whatever order they came. */
START_TEST(first_that_waits)
{
    static const uint8_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const char *const parts[] = {"4567", "cdef", "klmn"};
    take(1, 3, 0, "later");
    for (int i = 0; i < 3; i++)
        take(0, 4 + 8u * orders[_i][i], 0, parts[orders[_i][i]]);
    tcp_flush(&stream, segments_taken);
    expect_passed("<lost:3 <later >lost:4 >4567 >lost:4 >cdef >lost:4 >klmn ");
}
END_TEST

/* What one side waits for is not what the other has, though their numbers are the same. */
START_TEST(same_numbers)
{
    tcp_begin(&stream, 1 - mirrored, FIRST);
    for (unsigned side = 0; side < 2; side++) {
        struct tcp_segment segment = segment_of(0, side ? 4 : 8, 0, side ? "later" : "89ab");
        segment.acknowledged = FIRST;
        take_segment(side, &segment);
    }
    tcp_flush(&stream, segments_taken);
    expect_passed(">lost:8 >89ab <lost:4 <later ");
}
END_TEST

/* Only an acknowledgement speaks of what is missing: how much it is, is certain in the end. */
START_TEST(only_acknowledged)
{
    take(1, 0, 4, "yes");
    tcp_flush(&stream, segments_taken);
    expect_passed(">lost:0 <yes >lost:4 ");
}
END_TEST

static void add_tests(Suite *suite, const char *name, SFun fixture)
{
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, fixture, end_stream);
    tcase_add_test(tests, copy_of_what_was_answered);
    tcase_add_test(tests, copy_of_one_octet);
    tcase_add_test(tests, copy_of_known_octets);
    tcase_add_loop_test(tests, no_copy_but_next, 0, 2);
    tcase_add_test(tests, no_copy_but_before);
    tcase_add_test(tests, copy_with_gap);
    tcase_add_test(tests, no_copy_without_acknowledgement);
    tcase_add_test(tests, not_captured);
    tcase_add_test(tests, patience);
    tcase_add_test(tests, patience_without_acknowledgement);
    tcase_add_loop_test(tests, comes_after_all, 0, 6);
    tcase_add_test(tests, waits_for_the_other);
    tcase_add_loop_test(tests, waits_beyond_acknowledged, 0, 4);
    tcase_add_loop_test(tests, circle, 0, 2);
    tcase_add_test(tests, one_octet_before);
    tcase_add_test(tests, not_captured_of_both);
    tcase_add_test(tests, last_not_captured);
    tcase_add_loop_test(tests, last_octet_not_captured, 0, 3);
    tcase_add_test(tests, most_octets_wait);
    tcase_add_test(tests, too_much_waits);
    tcase_add_test(tests, much_waits_in_turn);
    tcase_add_test(tests, too_many_wait);
    tcase_add_test(tests, no_room);
    tcase_add_loop_test(tests, first_that_waits, 0, 6);
    tcase_add_test(tests, same_numbers);
    tcase_add_test(tests, only_acknowledged);
    suite_add_tcase(suite, tests);
}

int main(void)
{
    Suite *suite = suite_create("iWARP: TCP with octets missing");
    add_tests(suite, "missing", begin_stream);
    add_tests(suite, "missing, mirrored", begin_mirrored_stream);
    return run_suite(suite);
}
