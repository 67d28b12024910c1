// SPDX-License-Identifier: BSD-3-Clause
/* TCP as the iWARP reader needs it: segments in any order, octets in theirs. */
#include "conformance/input/iwarp/tcp.h"

#include "conformance/tests/support/captures/seen.h"

static struct memory memory;
static struct tcp_stream stream;
static uint64_t retransmitted, at_frame;
static char told[8192];
static size_t told_length;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(told + told_length, sizeof told - told_length, format, arguments);
    va_end(arguments);
    told_length += (size_t)length;
    ck_assert_uint_lt(told_length, sizeof told);
}

static void take_octets(void *arg, unsigned side, const struct tcp_segment *segment)
{
    ck_assert_ptr_eq(arg, &stream);
    tell("%c%.*s", side == 0 ? '>' : '<', segment->recorded > 30 ? 30 : (int)segment->recorded,
         (const char *)segment->payload);
    if (segment->total > segment->recorded)
        tell("+%zu", segment->total - segment->recorded);
    tell(" ");
}

static void take_lost(void *arg, unsigned side, uint32_t count, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &stream);
    ck_assert_uint_le(frame, at_frame);
    tell("%clost:%u ", side == 0 ? '>' : '<', (unsigned)count);
}

static void take_end(void *arg, unsigned side, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &stream);
    ck_assert_uint_le(frame, at_frame);
    tell("%cend ", side == 0 ? '>' : '<');
}

static const struct tcp_handler handler = {take_octets, take_lost, take_end};

static void evict_nothing(void *arg, size_t count)
{
    (void)arg, (void)count;
}

#define FIRST 0xfffffff0u /* numbers wrap in the middle of a test */
#define OTHER 0x7ffffff8u

static void begin(void)
{
    setup();
    memory = (struct memory){.max = 1 << 24, .evict = evict_nothing};
    stream = (struct tcp_stream){
        .memory = &memory, .handler = &handler, .arg = &stream, .retransmitted = &retransmitted};
    tcp_begin(&stream, 0, FIRST);
    tcp_begin(&stream, 1, OTHER);
    retransmitted = at_frame = told_length = 0;
    told[0] = '\0';
}

static void end(void)
{
    tcp_free(&stream);
    ck_assert_uint_eq(memory.used, 0);
}

/* Octets of one side from `at` on, the other side's having been received up to `ack`. */
static struct tcp_segment segment_of(unsigned side, uint32_t at, uint32_t ack, const char *text)
{
    return (struct tcp_segment){.frame = ++at_frame,
                                .sequence = (side == 0 ? FIRST : OTHER) + at,
                                .acknowledged = (side == 0 ? OTHER : FIRST) + ack,
                                .ack = true,
                                .payload = (const uint8_t *)text,
                                .recorded = strlen(text),
                                .total = strlen(text)};
}

static void take(unsigned side, uint32_t at, uint32_t ack, const char *text)
{
    struct tcp_segment segment = segment_of(side, at, ack, text);
    tcp_take(&stream, side, &segment);
}

static void take_fin(unsigned side, uint32_t at, const char *text)
{
    struct tcp_segment segment = segment_of(side, at, 0, text);
    segment.fin = true;
    tcp_take(&stream, side, &segment);
}

START_TEST(in_order)
{
    take(0, 0, 0, "0123456789");
    take(0, 10, 0, "abcdefghij");
    take(1, 0, 20, "yes");
    take(0, 20, 3, "more");
    ck_assert_str_eq(told, ">0123456789 >abcdefghij <yes >more ");
}
END_TEST

START_TEST(swapped)
{
    take(0, 10, 0, "abcdefghij");
    take(0, 20, 0, "KLM");
    take(0, 0, 0, "0123456789");
    ck_assert_str_eq(told, ">0123456789 >abcdefghij >KLM ");
}
END_TEST

/* The answer was recorded before what it answers. */
START_TEST(answer_first)
{
    take(1, 0, 4, "yes");
    take(0, 0, 0, "what");
    take(0, 4, 3, "then");
    ck_assert_str_eq(told, ">what <yes >then ");
}
END_TEST

/* A conversation in which two segments were recorded in each other's place: none comes before what
 * it answers, whichever they are. */
START_TEST(swapped_apart)
{
    for (unsigned a = 0; a < 12; a++)
        for (unsigned b = a + 1; b < 12 && b < a + 8; b++) {
            end();
            begin();
            for (unsigned i = 0; i < 12; i++) {
                unsigned number = i == a ? b : i == b ? a : i;
                char text[2] = {(char)('a' + number), '\0'};
                take(number % 2, number / 2, (number + 1) / 2, text);
            }
            ck_assert_str_eq(told, ">a <b >c <d >e <f >g <h >i <j >k <l ");
        }
}
END_TEST

/* What was received is sent again, and acknowledges the answer to it. */
START_TEST(copy_of_what_was_answered)
{
    take(0, 0, 0, "0123");
    take(1, 0, 8, "yes");
    take(1, 3, 8, "and");
    take(0, 4, 6, "4567");
    take(0, 8, 6, "89");
    ck_assert_str_eq(told, ">0123 >lost:0 >4567 <yes <and >89 ");
}
END_TEST

START_TEST(sent_again)
{
    take(0, 0, 0, "0123");
    take(0, 0, 0, "0123");
    take(0, 4, 0, "4567");
    take(0, 2, 0, "234567ab");
    take(0, 0, 0, "0123456789");
    ck_assert_str_eq(told, ">0123 >4567 >ab ");
    ck_assert_uint_eq(retransmitted, 2); /* what brings nothing new */
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
    ck_assert_str_eq(told, "<hm >012 >3456789abc ");
}
END_TEST

/* Lost by the capture: what follows waits a while, then it is said to be lost, before the answer.
 */
START_TEST(not_captured)
{
    take(0, 0, 0, "0123");
    take(1, 0, 8, "yes");
    take(0, 8, 0, "89ab");
    ck_assert_str_eq(told, ">0123 ");
    for (int i = 0; i < 70; i++)
        take(1, 3, 12, "");
    ck_assert_str_eq(told, ">0123 >lost:4 <yes >89ab ");
}
END_TEST

/* Both sides miss octets. */
START_TEST(not_captured_of_both)
{
    take(1, 5, 4, "B");
    take(0, 4, 5, "A");
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, "<lost:5 >lost:4 <B >A ");
}
END_TEST

START_TEST(last_not_captured)
{
    take(0, 0, 0, "0123");
    take(1, 0, 40, "");
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, ">0123 >lost:36 ");
}
END_TEST

START_TEST(too_much_waits)
{
    static char text[65536];
    memset(text, 'x', sizeof text - 1);
    for (uint32_t i = 0; i < 70; i++)
        take(0, 1 + i * 65535, 0, text + (i < 64 ? 0 : 65000));
    ck_assert_ptr_nonnull(strstr(told, ">lost:1 "));
    ck_assert_uint_le(memory.used, 5 << 20);
}
END_TEST

/* What has been passed on waits no more, however much that was. */
START_TEST(much_waits_in_turn)
{
    static char text[65536];
    memset(text, 'x', sizeof text - 1);
    for (uint32_t i = 0; i < 100; i++) {
        told[0] = '\0';
        told_length = 0;
        take(0, 1 + i * 65536, 0, text);
        ck_assert_str_eq(told, "");
        take(0, i * 65536, 0, "x");
        ck_assert_ptr_eq(strstr(told, ">x >xxx"), told);
    }
    ck_assert_uint_eq(stream.waiting_octets, 0);
}
END_TEST

START_TEST(too_many_wait)
{
    for (uint32_t i = 0; i < 1100; i++) {
        told_length = 0;
        take(0, 2 + 2 * i, 0, "x");
        ck_assert_uint_le(stream.waiting, 1024);
    }
    ck_assert_str_eq(told, ">lost:1 >x ");
}
END_TEST

START_TEST(no_room)
{
    memory.max = 0;
    take(0, 4, 0, "4567"); /* cannot be kept: it is as if it had not been captured */
    take(0, 0, 0, "0123");
    take(1, 0, 8, "");
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, ">0123 >lost:4 ");
}
END_TEST

START_TEST(ends)
{
    take_fin(0, 4, "");
    take(0, 0, 0, "0123");
    take_fin(0, 4, "");
    take_fin(1, 0, "bye");
    ck_assert_str_eq(told, ">0123 >end <bye <end ");
    tcp_flush(&stream, at_frame);
    take(0, 5, 4, ""); /* acknowledges the end, which has a number of its own */
    take(1, 4, 5, "");
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, ">0123 >end <bye <end ");
}
END_TEST

START_TEST(is_reset)
{
    struct tcp_segment reset = segment_of(1, 0, 0, "");
    take(0, 4, 0, "4567");
    reset.reset = true;
    reset.frame = at_frame;
    tcp_take(&stream, 1, &reset);
    ck_assert_str_eq(told, ">lost:4 >4567 <end ");
}
END_TEST

/* A number far from all that the window allows is not of this connection. */
START_TEST(stray)
{
    take(0, 0, 0, "0123");
    take(0, 0x60000000, 0, "astray");
    take(0, 4, 0x60000000, "astray");
    take(0, 4, 0, "4567");
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, ">0123 >4567 ");
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
    tcp_take(&stream, 1, &segment);
    take(0, 0, 0, "yes");
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, "<0123 <4567 <89 >yes ");
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
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, "<lost:3 <later >lost:4 >4567 >lost:4 >cdef >lost:4 >klmn ");
}
END_TEST

/* What one side waits for is not what the other has, though their numbers are the same. */
START_TEST(same_numbers)
{
    tcp_begin(&stream, 1, FIRST);
    for (unsigned side = 0; side < 2; side++) {
        struct tcp_segment segment = segment_of(0, side ? 4 : 8, 0, side ? "later" : "89ab");
        segment.acknowledged = FIRST;
        tcp_take(&stream, side, &segment);
    }
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, ">lost:8 >89ab <lost:4 <later ");
}
END_TEST

/* Only an acknowledgement speaks of what is missing: how much it is, is certain in the end. */
START_TEST(only_acknowledged)
{
    take(1, 0, 4, "yes");
    tcp_flush(&stream, at_frame);
    ck_assert_str_eq(told, ">lost:0 <yes >lost:4 ");
}
END_TEST

/* Of a segment that was sent again in part, not even what is known already was recorded. */
START_TEST(cut_in_what_is_known)
{
    take(0, 0, 0, "0123");
    struct tcp_segment segment = segment_of(0, 0, 0, "01");
    segment.total = 20;
    tcp_take(&stream, 0, &segment);
    take(0, 20, 0, "klmn");
    ck_assert_str_eq(told, ">0123 >+16 >klmn ");
}
END_TEST

START_TEST(cut)
{
    struct tcp_segment segment = segment_of(0, 0, 0, "0123");
    segment.total = 100;
    tcp_take(&stream, 0, &segment);
    segment = segment_of(0, 90, 0, "90-99of-which-100-is-new");
    tcp_take(&stream, 0, &segment);
    segment = segment_of(0, 112, 0, "12");
    segment.total = 20;
    tcp_take(&stream, 0, &segment); /* the new part is not recorded */
    ck_assert_str_eq(told, ">0123+96 >ich-100-is-new >+18 ");
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
    ck_assert_ptr_eq(segment.payload, raw + 24);
    ck_assert_uint_eq(segment.recorded, 40);
    ck_assert(!tcp_parse(raw, 19, 64, &segment));
    ck_assert(tcp_parse(raw, 22, 64, &segment)); /* cut within the options */
    ck_assert_uint_eq(segment.recorded, 0);
    ck_assert_uint_eq(segment.total, 40);
    raw[12] = 0x40;
    ck_assert(!tcp_parse(raw, 64, 64, &segment));
    raw[12] = 0xf0;
    ck_assert(!tcp_parse(raw, 59, 59, &segment));
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
    for (const char *p = told; *p; p++)
        if (*p != '>' && *p != ' ')
            *to++ = *p;
    *to = '\0';
    ck_assert_str_eq(joined, text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("iWARP: TCP");
    TCase *tests = tcase_create("segments");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, in_order);
    tcase_add_test(tests, swapped);
    tcase_add_test(tests, answer_first);
    tcase_add_test(tests, swapped_apart);
    tcase_add_test(tests, copy_of_what_was_answered);
    tcase_add_test(tests, sent_again);
    tcase_add_test(tests, lost_and_sent_again);
    tcase_add_test(tests, not_captured);
    tcase_add_test(tests, not_captured_of_both);
    tcase_add_test(tests, last_not_captured);
    tcase_add_test(tests, too_much_waits);
    tcase_add_test(tests, much_waits_in_turn);
    tcase_add_test(tests, too_many_wait);
    tcase_add_test(tests, no_room);
    tcase_add_test(tests, ends);
    tcase_add_test(tests, is_reset);
    tcase_add_test(tests, stray);
    tcase_add_loop_test(tests, stray_answer, 0, 2);
    tcase_add_loop_test(tests, first_that_waits, 0, 6);
    tcase_add_test(tests, same_numbers);
    tcase_add_test(tests, only_acknowledged);
    tcase_add_test(tests, cut_in_what_is_known);
    tcase_add_test(tests, cut);
    tcase_add_test(tests, headers);
    tcase_add_loop_test(tests, any_order, 0, 200);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
