// SPDX-License-Identifier: BSD-3-Clause
/* The blocks of pcapng files: their lengths, and what they say of interfaces, packets and times. */
#include "conformance/tests/support/captures/allocations.h"
#include "conformance/tests/support/captures/files.h"
#include "conformance/base/count.h"

/* Packets whose block ends before they do, by one octet and by more; blocks too short for what they
 * are. */
START_TEST(block_too_short)
{
    static const struct {
        uint32_t type, body[6];
        size_t words;
    } blocks[] = {
        {ENHANCED_PACKET, {0, 0, 0, 1, 1}, 5},
        {ENHANCED_PACKET, {0, 0, 0, 5, 60, 0}, 6},
        {ENHANCED_PACKET, {0, 0, 0, 8, 60, 0}, 6},
        {ENHANCED_PACKET, {0, 0, 0, 9, 60, 0}, 6},
        {ENHANCED_PACKET, {0, 0, 0, 12, 60, 0}, 6},
        {ENHANCED_PACKET, {0, 0, 0, 0}, 4},
        {ENHANCED_PACKET, {0, 0, 0}, 3},
        {ENHANCED_PACKET, {0}, 0},
        {ENHANCED_PACKET, {1, 0, 0, 4, 4, 0}, 6},
        {PACKET, {0, 0, 0, 5, 60, 0}, 6},
        {PACKET, {0, 0, 0, 0}, 4},
        {PACKET, {0, 0, 0}, 3},
        {PACKET, {0}, 0},
        {SIMPLE_PACKET, {0}, 0},
        {INTERFACE, {1}, 1},
        {INTERFACE, {0}, 0},
    };
    make_capture();
    format = (struct format){.next_generation = true, .big_endian = _i % 2};
    convert();
    begin_block(blocks[_i / 2].type, 4 * (uint32_t)blocks[_i / 2].words);
    for (size_t i = 0; i < blocks[_i / 2].words; i++)
        write32(blocks[_i / 2].body[i]);
    write32(4 * (uint32_t)blocks[_i / 2].words + 12);
    ck_assert(!read_capture());
    ck_assert_ptr_eq(strstr(read_error, "damaged after frame 5: "), read_error);
}
END_TEST
#define SHORT_BLOCKS 16

/* Blocks as short as they can be: packets of which nothing was recorded, and an interface. */
START_TEST(least_blocks)
{
    static const struct {
        uint32_t type, body[5];
        size_t words;
    } blocks[] = {
        {ENHANCED_PACKET, {0, 0, 0, 0, 60}, 5},
        {PACKET, {0, 0, 0, 0, 60}, 5},
        {SIMPLE_PACKET, {60}, 1},
        {INTERFACE, {1, 0}, 2},
    };
    bool is_packet = blocks[_i / 2].type != INTERFACE;
    make_capture();
    format = (struct format){.next_generation = true, .big_endian = _i % 2};
    convert();
    begin_block(blocks[_i / 2].type, 4 * (uint32_t)blocks[_i / 2].words);
    for (size_t i = 0; i < blocks[_i / 2].words; i++)
        write32(blocks[_i / 2].body[i]);
    write32(4 * (uint32_t)blocks[_i / 2].words + 12);
    ck_assert_msg(read_capture(), "%s", read_error);
    ck_assert_uint_eq(counts.frames, is_packet ? 6 : 5);
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], is_packet);
}
END_TEST

/* Every interface can have packets, up to as many as are remembered. */
START_TEST(many_interfaces)
{
    enum { MOST = 4096 };
    uint8_t packet_of[512];
    make_capture();
    format = (struct format){.next_generation = true};
    convert();
    FILE *first = capture;
    begin_capture();
    call(CLIENT, 1001, 0xb);
    size_t length = (size_t)ftell(capture) - 24 - 16;
    ck_assert_uint_le(length, sizeof packet_of);
    ck_assert_int_eq(fseek(capture, 24 + 16, SEEK_SET), 0);
    ck_assert_uint_eq(fread(packet_of, 1, length, capture), length);
    fclose(capture);
    file = capture = first;
    fseek(capture, 0, SEEK_END);
    for (int i = 1; i < MOST; i++)
        write_interface(i == MOST - 1 ? LINK_ETHERNET : 147, NULL, 0);
    format.interface = MOST - 1;
    if (_i == 1)
        write_interface(LINK_ETHERNET, NULL, 0);
    if (_i == 2)
        format.interface = MOST;
    write_record(packet_of, (uint32_t)length);
    ck_assert_int_eq(read_capture(), _i == 0);
    ck_assert_str_eq(read_error, _i == 0 ? ""
                                 : _i == 1
                                     ? "damaged after frame 5: too many interfaces"
                                     : "damaged after frame 5: a packet of an unknown interface");
    ck_assert_uint_eq(counts.frames, _i == 0 ? 6 : 5);
    ck_assert_uint_eq(counts.events, _i == 0 ? 3 : 2);
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 0);
}
END_TEST

/* A simple packet has no length of its own: where the interface limits it, what follows in the
 * block is no part of it. No limit is 0. */
START_TEST(simple_and_snapped)
{
    static const uint32_t snaps[] = {0, 1, 14 + 20 + 8 + 12 + 40, 2000};
    make_capture();
    format = (struct format){
        .next_generation = true, .simple = true, .big_endian = _i % 2, .snap = snaps[_i / 2]};
    convert();
    bool good = read_capture();
    ck_assert_int_eq(good, _i / 2 != 1);
    ck_assert_uint_eq(counts.frames, 5);
    if (_i / 2 == 1)
        ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 5);
    else
        ck_assert_ptr_nonnull(
            strstr(seen, _i / 2 == 2 ? " send client 40+28" : "3 send client 68 a\n"));
}
END_TEST

/* Blocks that say of themselves what cannot be: which of them are, and why. */
START_TEST(block_lengths)
{
    static const struct {
        uint32_t words[4];
        size_t octets; /* of them, that the file has */
        const char *why;
    } blocks[] = {
        {{0xbad, 12, 12}, 12, NULL},
        {{0x80000bad, 12, 12}, 12, NULL}, /* of local use */
        {{0xbad, 16, 0, 16}, 16, NULL},
        {{0xbad, 16, 0, 12}, 16, "the two lengths of a block differ"},
        {{0xbad, 12, 16}, 12, "the two lengths of a block differ"},
        {{0xbad, 11, 11}, 12, "a block of impossible length"},
        {{0xbad, 13, 13, 13}, 16, "a block of impossible length"},
        {{0xbad, 14, 14, 14}, 16, "a block of impossible length"},
        {{0xbad, 8, 8}, 12, "a block of impossible length"},
        {{0xbad, 0, 0}, 12, "a block of impossible length"},
        {{0xbad, 0xfffffffc, 0}, 12, "a block of impossible length"},
        {{0xbad, (16 << 20) + 4, 0}, 12, "a block of impossible length"},
        {{0xbad, 16 << 20, 0}, 12, "the file ends within a block"},
        {{0xbad, 12, 12}, 11, "the file ends within a block"},
        {{0xbad, 12, 12}, 8, "the file ends within a block"},
        {{0xbad, 12, 12}, 7, "the file ends within a block"},
        {{0xbad, 12, 12}, 1, "the file ends within a block"},
    };
    uint8_t octets_of[16];
    make_capture();
    format = (struct format){.next_generation = true, .big_endian = _i % 2};
    convert();
    for (size_t i = 0; i < 4; i++) {
        uint32_t word = blocks[_i / 2].words[i];
        for (size_t at = 0; at < 4; at++)
            octets_of[4 * i + (format.big_endian ? 3 - at : at)] = (uint8_t)(word >> 8 * at);
    }
    fwrite(octets_of, 1, blocks[_i / 2].octets, file);
    ck_assert_int_eq(read_capture(), blocks[_i / 2].why == NULL);
    ck_assert_str_eq(seen, NAME "3 send client 68 a\n5 send server 33\nclosed\n");
    if (blocks[_i / 2].why) {
        ck_assert_ptr_eq(strstr(read_error, "damaged after frame 5: "), read_error);
        ck_assert_ptr_nonnull(strstr(read_error, blocks[_i / 2].why));
    }
}
END_TEST
#define BLOCK_LENGTHS 17

static bool count_event(void *arg, const struct source_event *event)
{
    (void)event;
    ++*(unsigned *)arg;
    return true;
}

static void count_closed(void *arg, uint64_t connection_id)
{
    (void)arg, (void)connection_id;
}

/* Wherever memory ends, nothing stays allocated, and an error says so, or all events are there. */
START_TEST(no_memory)
{
    unsigned needed = 1;
    if (!allocations_counted)
        return;
    make_capture();
    format = (struct format){.next_generation = true};
    convert();
    for (int i = 0; i < 8; i++)
        write_interface(LINK_ETHERNET, NULL, 0);
    fflush(file);
    for (unsigned n = 0; n <= needed; n++) {
        unsigned events = 0;
        const struct source_sink sink = {count_event, count_closed, NULL, &events};
        struct source_reader reader = {capture, "made-up",  &options,         &sink,
                                       &counts, read_error, sizeof read_error};
        long alive = allocations_alive();
        counts = (struct source_counts){0};
        read_error[0] = '\0';
        rewind(capture);
        allocations_fail(n, false);
        bool good = source_read_capture(&reader);
        if (n == 0)
            needed = allocations_made();
        allocations_fail(0, false);
        ck_assert_int_eq(allocations_alive(), alive);
        ck_assert_int_eq(good, read_error[0] == '\0');
        ck_assert_uint_eq(events, counts.events);
        ck_assert(n > 0 || (good && events == 2));
    }
    ck_assert_uint_gt(needed, 6);
}
END_TEST

/* A block that is not known may be longer than what is read of it at a time. */
START_TEST(large_block)
{
    static uint8_t block[200000], small[] = {0xad, 0x0b, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0};
    static const uint8_t length[] = {0x40, 0x0d, 0x03, 0};
    memcpy(block, small, 4);
    memcpy(block + 4, length, 4);
    memcpy(block + sizeof block - 4, length, 4);
    make_capture();
    format = (struct format){.next_generation = true};
    convert();
    for (int i = 0; i < 2; i++) {
        fwrite(block, 1, sizeof block, file);
        fwrite(small, 1, sizeof small, file);
    }
    ck_assert_msg(read_capture(), "%s", read_error);
    ck_assert_uint_eq(counts.frames, 5);
}
END_TEST

/* A Send with one octet not recorded is cut. */
START_TEST(cut_by_one)
{
    make_capture();
    format =
        (struct format){.next_generation = true, .simple = true, .snap = 14 + 20 + 8 + 12 + 67};
    convert();
    ck_assert_msg(read_capture(), "%s", read_error);
    ck_assert_ptr_nonnull(strstr(seen, " send client 67+1"));
    ck_assert_uint_eq(counts.missed[SOURCE_CUT], 1);
}
END_TEST

/* What an interface says of its times, and what they are then. */
enum { END_OF_OPTIONS = 0, NAME_OPTION = 2, TIME_UNIT = 9, TIME_OFFSET = 14 };
#define BINARY 0x80
static const struct timing {
    uint64_t ticks;
    int64_t nanoseconds;
    int option_count;
    struct option options[3];
} timings[] = {
    /* microseconds, if it says nothing */
    {1234567, 1234567000, 0, {{0}}},
    {(UINT64_C(1) << 32) + 1, INT64_C(4294967297000), 0, {{0}}},
    {7, 7 * SECOND, 1, {{TIME_UNIT, 1, 0}}},
    {1500, 3 * SECOND / 2, 1, {{TIME_UNIT, 1, 3}}},
    {UINT64_C(1700000000123456789), INT64_C(1700000000123456789), 1, {{TIME_UNIT, 1, 9}}},
    {UINT64_C(2500000000999), 5 * SECOND / 2, 1, {{TIME_UNIT, 1, 12}}},
    {UINT64_C(1500000000000000000), 3 * SECOND / 2, 1, {{TIME_UNIT, 1, 18}}},
    {UINT64_C(10000000000000000000), SECOND, 1, {{TIME_UNIT, 1, 19}}},
    {3 * 1024 + 512, 7 * SECOND / 2, 1, {{TIME_UNIT, 1, BINARY | 10}}},
    {3, 3 * SECOND, 1, {{TIME_UNIT, 1, BINARY}}},
    {(UINT64_C(1) << 63) + (UINT64_C(1) << 62), 3 * SECOND / 2, 1, {{TIME_UNIT, 1, BINARY | 63}}},
    /* units too small for a count of 64 bits: no time */
    {UINT64_MAX, 0, 1, {{TIME_UNIT, 1, 20}}},
    {UINT64_MAX, 0, 1, {{TIME_UNIT, 1, BINARY | 64}}},
    {UINT64_MAX, 0, 1, {{TIME_UNIT, 1, 0x7f}}},
    {500000, 201 * SECOND / 2, 1, {{TIME_OFFSET, 8, 100}}},
    {3000000, 2 * SECOND, 1, {{TIME_OFFSET, 8, UINT64_MAX}}},
    {0, INT64_C(4294967298) * SECOND, 1, {{TIME_OFFSET, 8, UINT64_C(4294967298)}}},
    {5, 105 * SECOND, 2, {{TIME_UNIT, 1, 0}, {TIME_OFFSET, 8, 100}}},
    /* behind other options, padded or not */
    {5, 5 * SECOND, 2, {{NAME_OPTION, 3, 0x616263}, {TIME_UNIT, 1, 0}}},
    {5, 5 * SECOND, 2, {{NAME_OPTION, 4, 0x61626364}, {TIME_UNIT, 1, 0}}},
    {5, 5 * SECOND, 2, {{NAME_OPTION, 5, 0x6162636465}, {TIME_UNIT, 1, 0}}},
    {5, 5 * SECOND, 2, {{NAME_OPTION, 0, 0}, {TIME_UNIT, 1, 0}}},
    {5, 5 * SECOND, 2, {{TIME_UNIT, 1, 0}, {END_OF_OPTIONS, 0, 0}}},
    /* behind the end of the options, or of another size than it has */
    {5, 5000, 2, {{END_OF_OPTIONS, 0, 0}, {TIME_UNIT, 1, 0}}},
    {5, 5000, 1, {{TIME_UNIT, 2, 0}}},
    {5, 5000, 1, {{TIME_UNIT, 0, 0}}},
    {5, 5000, 1, {{TIME_OFFSET, 4, 100}}},
    /* an option that is longer than the block, and what would follow it */
    {5, 5000, 2, {{NAME_OPTION, 9, 0}, {TIME_UNIT, 1, 0}}},
    {5, 5 * SECOND, 3, {{TIME_UNIT, 1, 0}, {NAME_OPTION, 400, 0}, {TIME_UNIT, 1, 3}}},
};
#define TIMINGS ((int)COUNT(timings))

START_TEST(times)
{
    const struct timing *timing = &timings[_i / 2];
    make_capture();
    format = (struct format){.next_generation = true,
                             .big_endian = _i % 2,
                             .ticks = timing->ticks,
                             .option_count = timing->option_count};
    memcpy(format.options, timing->options, sizeof format.options);
    convert();
    ck_assert(read_capture());
    ck_assert_int_eq(last_time, timing->nanoseconds);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pcapng");
    TCase *tests = new_case(suite, "blocks");
    tcase_add_checked_fixture(tests, own_times, NULL);
    tcase_add_loop_test(tests, block_too_short, 0, 2 * SHORT_BLOCKS);
    tcase_add_loop_test(tests, least_blocks, 0, 8);
    tcase_add_loop_test(tests, many_interfaces, 0, 3);
    tcase_add_loop_test(tests, simple_and_snapped, 0, 8);
    tcase_add_test(tests, no_memory);
    tcase_add_test(tests, large_block);
    tcase_add_test(tests, cut_by_one);
    tcase_add_loop_test(tests, block_lengths, 0, 2 * BLOCK_LENGTHS);
    tcase_add_loop_test(tests, times, 0, 2 * TIMINGS);
    return run_suite(suite);
}
