// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/stream.h"

struct memory stream_memory;
struct tcp_stream stream;
uint64_t retransmitted, segments_taken;
char passed[8192];
size_t passed_length;
unsigned mirrored;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(passed + passed_length, sizeof passed - passed_length, format, arguments);
    va_end(arguments);
    passed_length += (size_t)length;
    ck_assert_uint_lt(passed_length, sizeof passed);
}

static void take_octets(void *arg, unsigned side, const struct tcp_segment *segment)
{
    ck_assert_ptr_eq(arg, &stream);
    ck_assert_uint_eq(segment->sequence + (uint32_t)segment->total, stream.side[side].next);
    tell("%c%.*s", side == mirrored ? '>' : '<',
         segment->recorded > 30 ? 30 : (int)segment->recorded, (const char *)segment->payload);
    if (segment->total > segment->recorded)
        tell("+%zu", segment->total - segment->recorded);
    tell(" ");
}

static void take_lost(void *arg, unsigned side, uint32_t count, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &stream);
    ck_assert_uint_le(frame, segments_taken);
    tell("%clost:%u ", side == mirrored ? '>' : '<', (unsigned)count);
}

static void take_end(void *arg, unsigned side, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &stream);
    ck_assert_uint_le(frame, segments_taken);
    tell("%cend ", side == mirrored ? '>' : '<');
}

static const struct tcp_handler handler = {take_octets, take_lost, take_end};

static void evict_nothing(void *arg, size_t count)
{
    (void)arg, (void)count;
}

static void begin(unsigned mirror)
{
    setup();
    mirrored = mirror;
    stream_memory = (struct memory){.max = 1 << 24, .evict = evict_nothing};
    stream = (struct tcp_stream){.memory = &stream_memory,
                                 .handler = &handler,
                                 .arg = &stream,
                                 .retransmitted = &retransmitted};
    tcp_begin(&stream, mirrored, FIRST);
    tcp_begin(&stream, 1 - mirrored, OTHER);
    retransmitted = segments_taken = passed_length = 0;
    passed[0] = '\0';
}

void begin_stream(void)
{
    begin(0);
}

void begin_mirrored_stream(void)
{
    begin(1);
}

void restart_stream(void)
{
    end_stream();
    begin(mirrored);
}

void end_stream(void)
{
    tcp_free(&stream);
    ck_assert_uint_eq(stream_memory.used, 0);
}

struct tcp_segment segment_of(unsigned side, uint32_t at, uint32_t ack, const char *text)
{
    return (struct tcp_segment){.frame = ++segments_taken,
                                .sequence = (side == 0 ? FIRST : OTHER) + at,
                                .acknowledged = (side == 0 ? OTHER : FIRST) + ack,
                                .ack = true,
                                .payload = (const uint8_t *)text,
                                .recorded = strlen(text),
                                .total = strlen(text)};
}

void take_segment(unsigned side, const struct tcp_segment *segment)
{
    tcp_take(&stream, side ^ mirrored, segment);
}

void take(unsigned side, uint32_t at, uint32_t ack, const char *text)
{
    struct tcp_segment segment = segment_of(side, at, ack, text);
    take_segment(side, &segment);
}

void take_unacknowledging(unsigned side, uint32_t at, uint32_t field, const char *text)
{
    struct tcp_segment segment = segment_of(side, at, field, text);
    segment.ack = false;
    take_segment(side, &segment);
}

void take_empty(unsigned count, unsigned side, uint32_t at, uint32_t ack)
{
    for (unsigned i = 0; i < count; i++)
        take(side, at, ack, "");
}

void expect_passed(const char *expected)
{
    ck_assert_str_eq(passed, expected);
}

void take_fin(unsigned side, uint32_t at, const char *text)
{
    struct tcp_segment segment = segment_of(side, at, 0, text);
    segment.fin = true;
    take_segment(side, &segment);
}
