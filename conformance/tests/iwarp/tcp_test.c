// SPDX-License-Identifier: BSD-3-Clause
/* TCP as the iWARP reader needs it: segments in any order, octets in theirs. */
#include "conformance/tests/support/captures/guarded.h"
#include "conformance/tests/support/captures/stream.h"

START_TEST(in_order)
{
    take(0, 0, 0, "0123456789");
    take(0, 10, 0, "abcdefghij");
    take(1, 0, 20, "yes");
    take(0, 20, 3, "more");
    expect_passed(">0123456789 >abcdefghij <yes >more ");
}
END_TEST

START_TEST(swapped)
{
    take(0, 10, 0, "abcdefghij");
    take(0, 20, 0, "KLM");
    take(0, 0, 0, "0123456789");
    expect_passed(">0123456789 >abcdefghij >KLM ");
}
END_TEST

/* The answer was recorded before what it answers. */
START_TEST(answer_first)
{
    take(1, 0, 4, "yes");
    take(0, 0, 0, "what");
    take(0, 4, 3, "then");
    expect_passed(">what <yes >then ");
}
END_TEST

/* A conversation in which two segments were recorded in each other's place: none comes before what
 * it answers, whichever they are. */
START_TEST(swapped_apart)
{
    for (unsigned a = 0; a < 12; a++)
        for (unsigned b = a + 1; b < 12 && b < a + 8; b++) {
            end_stream();
            restart_stream();
            for (unsigned i = 0; i < 12; i++) {
                unsigned number = i == a ? b : i == b ? a : i;
                char text[2] = {(char)('a' + number), '\0'};
                take(number % 2, number / 2, (number + 1) / 2, text);
            }
            expect_passed(">a <b >c <d >e <f >g <h >i <j >k <l ");
        }
}
END_TEST

START_TEST(sent_again)
{
    take(0, 0, 0, "0123");
    take(0, 0, 0, "0123");
    take(0, 4, 0, "4567");
    take(0, 2, 0, "234567ab");
    take(0, 0, 0, "0123456789");
    expect_passed(">0123 >4567 >ab ");
    ck_assert_uint_eq(retransmitted, 2); /* what brings nothing new */
}
END_TEST

/* Each segment that brings octets, and nothing new, counts: be it one octet, but not a bare end. */
START_TEST(retransmissions)
{
    take(0, 0, 0, "0123");
    take(0, 3, 0, "3");
    ck_assert_uint_eq(retransmitted, 1);
    take(0, 4, 0, "");
    take_fin(0, 4, "");
    take_fin(0, 4, "");
    ck_assert_uint_eq(retransmitted, 1);
    take_fin(0, 3, "3");
    ck_assert_uint_eq(retransmitted, 2);
    expect_passed(">0123 >end ");
}
END_TEST

/* What is new: octets after all that were passed on. */
START_TEST(is_new)
{
    take(0, 0, 0, "0123");
    for (uint32_t at = 0; at < 8; at++)
        for (uint32_t length = 0; length < 8; length++) {
            static const char text[] = "01234567";
            struct tcp_segment segment = segment_of(0, at, 0, text + 8 - length);
            ck_assert(tcp_is_new(&stream, mirrored, &segment) == (length > 0 && at + length > 4));
        }
}
END_TEST

/* Lost on the way: it comes again, in segments of other sizes, before it is acknowledged. */
START_TEST(lost_and_sent_again)
{
    take(0, 4, 0, "4567");
    take(0, 8, 0, "89ab");
    take(1, 0, 0, "hm");
    for (int i = 0; i < 200; i++)
        take(1, 2, 0, "");
    take(0, 0, 0, "012");
    take(0, 3, 0, "3456789abc");
    expect_passed("<hm >012 >3456789abc ");
}
END_TEST

START_TEST(ends)
{
    take_fin(0, 4, "");
    take(0, 0, 0, "0123");
    take_fin(0, 4, "");
    take_fin(1, 0, "bye");
    expect_passed(">0123 >end <bye <end ");
    tcp_flush(&stream, segments_taken);
    take(0, 5, 4, ""); /* acknowledges the end, which has a number of its own */
    take(1, 4, 5, "");
    tcp_flush(&stream, segments_taken);
    expect_passed(">0123 >end <bye <end ");
}
END_TEST

START_TEST(is_reset)
{
    struct tcp_segment reset = segment_of(1, 0, 0, "");
    take(0, 4, 0, "4567");
    reset.reset = true;
    reset.frame = segments_taken;
    take_segment(1, &reset);
    expect_passed(">lost:4 >4567 <end ");
}
END_TEST

/* A number far from all that the window allows is not of this connection. */
START_TEST(stray)
{
    take(0, 0, 0, "0123");
    take(0, 0x60000000, 0, "astray");
    take(0, 4, 0x60000000, "astray");
    take(0, 4, 0, "4567");
    tcp_flush(&stream, segments_taken);
    expect_passed(">0123 >4567 ");
}
END_TEST

/* The widest window is that of RFC 7323. What is just as far back is an old segment. */
START_TEST(window)
{
    enum { WIDEST = 1 << 30 };
    take(0, 0, 0, "0123");
    take(0, 4u - WIDEST - 1, 0, "old");
    ck_assert_uint_eq(retransmitted, 0);
    take(0, 4u - WIDEST, 0, "old");
    ck_assert_uint_eq(retransmitted, 1);
    take(0, 4u + WIDEST + 1, 0, "far");
    ck_assert_uint_eq(stream.waiting, 0);
    take(0, 4u + WIDEST, 0, "far");
    ck_assert_uint_eq(stream.waiting, 1);
    tcp_flush(&stream, segments_taken);
    expect_passed(">0123 >lost:1073741824 >far ");
}
END_TEST

/* The same of what is acknowledged. */
START_TEST(acknowledged_window)
{
    enum { WIDEST = 1 << 30 };
    take(1, 0, 0u - WIDEST - 1, "stray");
    expect_passed("");
    take(1, 0, 0u - WIDEST, "0123");
    expect_passed("<0123 ");
    take(1, 4, WIDEST + 1u, "stray");
    ck_assert_uint_eq(stream.waiting, 0);
    take(1, 4, WIDEST, "4567");
    ck_assert_uint_eq(stream.waiting, 1);
    tcp_flush(&stream, segments_taken);
    expect_passed("<0123 >lost:0 <4567 >lost:1073741824 ");
}
END_TEST

/* Nor is it if the other side sent it; where nothing is acknowledged, the number means nothing. */
START_TEST(stray_answer)
{
    take(1, 0, 0, "0123");
    take(1, 0x60000000, 0, "astray");
    take(1, 4, 0x60000000, "astray");
    take(1, 4, 0, "4567");
    struct tcp_segment segment = segment_of(1, 8, _i == 0 ? 500 : 0x60000000, "89");
    segment.ack = false;
    take_segment(1, &segment);
    take(0, 0, 0, "yes");
    tcp_flush(&stream, segments_taken);
    expect_passed("<0123 <4567 <89 >yes ");
}
END_TEST

/* Of a segment that was sent again in part, not even what is known already was recorded. */
START_TEST(cut_in_what_is_known)
{
    take(0, 0, 0, "0123");
    struct tcp_segment segment = segment_of(0, 0, 0, "01");
    segment.total = 20;
    take_segment(0, &segment);
    take(0, 20, 0, "klmn");
    expect_passed(">0123 >+16 >klmn ");
}
END_TEST

START_TEST(cut)
{
    struct tcp_segment segment = segment_of(0, 0, 0, "0123");
    segment.total = 100;
    take_segment(0, &segment);
    segment = segment_of(0, 90, 0, "90-99of-which-100-is-new");
    take_segment(0, &segment);
    segment = segment_of(0, 112, 0, "12");
    segment.total = 20;
    take_segment(0, &segment); /* the new part is not recorded */
    expect_passed(">0123+96 >ich-100-is-new >+18 ");
}
END_TEST

START_TEST(headers)
{
    uint8_t raw[64] = {0x4e, 0x51, 0x03, 0x84, 0, 0, 0, 1, 0, 0, 0, 2, 0x60, 0x1f};
    struct tcp_segment segment;
    ck_assert(tcp_parse(raw, 64, 64, &segment));
    ck_assert_uint_eq(segment.source_port, 20049);
    ck_assert_uint_eq(segment.destination_port, 900);
    ck_assert_uint_eq(segment.sequence, 1);
    ck_assert_uint_eq(segment.acknowledged, 2);
    ck_assert(segment.syn && segment.ack && segment.fin && segment.reset);
    for (unsigned bit = 0; bit < 8; bit++) {
        raw[13] = (uint8_t)(1u << bit);
        ck_assert(tcp_parse(raw, 64, 64, &segment));
        ck_assert(segment.fin == (bit == 0) && segment.syn == (bit == 1));
        ck_assert(segment.reset == (bit == 2) && segment.ack == (bit == 4));
    }
}
END_TEST

/* Of every length in words, of segments of every length, cut at every octet: the first twenty are
 * needed, and the header is no longer than the segment. */
START_TEST(header_lengths)
{
    uint8_t raw[64] = {[12] = (uint8_t)(_i << 4)};
    size_t header = 4 * (size_t)_i;
    for (size_t total = 0; total <= sizeof raw; total++)
        for (size_t recorded = 0; recorded <= total; recorded++) {
            struct tcp_segment segment;
            const uint8_t *kept = guarded(raw, recorded);
            bool good = recorded >= 20 && header >= 20 && header <= total;
            ck_assert(tcp_parse(kept, recorded, total, &segment) == good);
            if (!good)
                continue;
            ck_assert_uint_eq(segment.total, total - header);
            ck_assert_uint_eq(segment.recorded, recorded > header ? recorded - header : 0);
            ck_assert_ptr_eq(segment.payload, kept + (recorded > header ? header : recorded));
        }
}
END_TEST

/* Whatever the order in which ten segments come, and however they overlap: the same octets. */
START_TEST(any_order)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    unsigned order[10], seed = (unsigned)_i * 7919 + 1;
    for (unsigned i = 0; i < 10; i++)
        order[i] = i;
    for (unsigned i = 9; i > 0; i--) {
        seed = seed * 1103515245u + 12345u;
        unsigned j = (seed >> 16) % (i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (unsigned i = 0; i < 10; i++) {
        char part[16];
        unsigned at = order[i] * 4, longer = (seed >> (i + 8)) & 3;
        snprintf(part, sizeof part, "%.*s", (int)(4 + longer), text + at);
        take(0, at, 0, part);
    }
    char joined[64] = "", *to = joined;
    for (const char *p = passed; *p; p++)
        if (*p != '>' && *p != ' ')
            *to++ = *p;
    *to = '\0';
    ck_assert_str_eq(joined, text);
}
END_TEST

static void add_tests(Suite *suite, const char *name, SFun fixture)
{
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, fixture, end_stream);
    tcase_add_test(tests, in_order);
    tcase_add_test(tests, swapped);
    tcase_add_test(tests, answer_first);
    tcase_add_test(tests, swapped_apart);
    tcase_add_test(tests, sent_again);
    tcase_add_test(tests, retransmissions);
    tcase_add_test(tests, is_new);
    tcase_add_test(tests, lost_and_sent_again);
    tcase_add_test(tests, ends);
    tcase_add_test(tests, is_reset);
    tcase_add_test(tests, stray);
    tcase_add_test(tests, window);
    tcase_add_test(tests, acknowledged_window);
    tcase_add_loop_test(tests, stray_answer, 0, 2);
    tcase_add_test(tests, cut_in_what_is_known);
    tcase_add_test(tests, cut);
    tcase_add_loop_test(tests, any_order, 0, 200);
    suite_add_tcase(suite, tests);
}

int main(void)
{
    Suite *suite = suite_create("iWARP: TCP");
    TCase *tests = tcase_create("headers");
    tcase_add_test(tests, headers);
    tcase_add_loop_test(tests, header_lengths, 0, 16);
    suite_add_tcase(suite, tests);
    add_tests(suite, "segments", begin_stream);
    add_tests(suite, "segments, mirrored", begin_mirrored_stream);
    return run_suite(suite);
}
