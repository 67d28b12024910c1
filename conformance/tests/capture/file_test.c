// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader and its file formats: pcap and pcapng, of either byte order, whole and cut. */
#include "conformance/tests/support/captures/seen.h"

enum { SECTION = 0x0a0d0d0a, INTERFACE = 1, PACKET, SIMPLE_PACKET = 3, ENHANCED_PACKET = 6 };

/* How a file is written: the packets in it are those of the capture that setup() began. */
static struct format {
    bool next_generation;
    bool big_endian;
    bool nanoseconds; /* pcap only */
    bool simple;      /* pcapng only: packets without times */
    uint32_t interface, snap;
    uint64_t ticks; /* pcapng only: when each packet came */
    struct option {
        unsigned code, size; /* size of the value: 8 octets, or fewer, the low ones first */
        uint64_t value;
    } options[3]; /* pcapng only: of the first interface; size 0 and code 0 after the last */
    int option_count;
} format;

static FILE *file;

static void write16(unsigned value)
{
    unsigned low = value & 0xff, high = value >> 8;
    putc((int)(format.big_endian ? high : low), file);
    putc((int)(format.big_endian ? low : high), file);
}

static void write32(uint32_t value)
{
    write16(format.big_endian ? value >> 16 : value & 0xffff);
    write16(format.big_endian ? value & 0xffff : value >> 16);
}

static void begin_pcap(void)
{
    write32(format.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
    write16(2);
    write16(4);
    write32(0);
    write32(0);
    write32(262144);
    write32(LINK_ETHERNET);
}

/* A block of the type whose body, a multiple of 4 octets, follows. */
static void begin_block(uint32_t type, uint32_t body)
{
    write32(type);
    write32(body + 12);
}

static void write64(uint64_t value)
{
    write32((uint32_t)(format.big_endian ? value >> 32 : value));
    write32((uint32_t)(format.big_endian ? value : value >> 32));
}

static void write_option(const struct option *option)
{
    write16(option->code);
    write16(option->size);
    if (option->size == 8)
        write64(option->value);
    for (unsigned i = 0; i < ((option->size + 3) & ~3u) && option->size < 8; i++)
        putc(i < option->size ? (int)(option->value >> 8 * i & 0xff) : 0xff, file);
}

static void write_interface(unsigned link, const struct option *of, int count)
{
    uint32_t body = 8;
    for (int i = 0; i < count; i++)
        body += 4 + (of[i].size > 8 ? 0 : (of[i].size + 3) & ~3u);
    begin_block(INTERFACE, body);
    write16(link);
    write16(0);
    write32(format.snap);
    for (int i = 0; i < count; i++)
        write_option(&of[i]);
    write32(body + 12);
}

static void begin_pcapng(void)
{
    begin_block(SECTION, 16);
    write32(0x1a2b3c4d);
    write16(1);
    write16(0);
    write32(0xffffffff); /* length of the section: not known */
    write32(0xffffffff);
    write32(28);
    write_interface(LINK_ETHERNET, format.options, format.option_count);
    begin_block(0xbad, 4); /* of a type to be passed over */
    write32(0);
    write32(16);
}

static void write_record(const uint8_t *frame, uint32_t length)
{
    uint32_t padded = (length + 3) & ~3u;
    if (!format.next_generation) {
        write32(0);
        write32(0);
        write32(length);
        write32(length);
        fwrite(frame, 1, length, file);
        return;
    }
    uint32_t body = padded + (format.simple ? 4 : 20);
    begin_block(format.simple ? SIMPLE_PACKET : ENHANCED_PACKET, body);
    if (!format.simple) {
        write32(format.interface);
        write32((uint32_t)(format.ticks >> 32));
        write32((uint32_t)format.ticks);
        write32(length); /* recorded */
    }
    write32(length);
    fwrite(frame, 1, length, file);
    for (; length < padded; length++)
        putc(0, file);
    write32(body + 12);
}

/* The capture again, as a file of that format. */
static void convert(void)
{
    uint8_t octets_of[16384];
    uint32_t record[4];
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
    if (format.next_generation)
        begin_pcapng();
    else
        begin_pcap();
    ck_assert_int_eq(fseek(capture, 24, SEEK_SET), 0);
    while (fread(record, sizeof record, 1, capture) == 1) {
        ck_assert_uint_le(record[2], sizeof octets_of);
        ck_assert_uint_eq(fread(octets_of, 1, record[2], capture), record[2]);
        write_record(octets_of, record[2]);
    }
    fclose(capture);
    capture = file;
}

static const struct format formats[] = {
    {.big_endian = false},
    {.big_endian = true},
    {.nanoseconds = true},
    {.nanoseconds = true, .big_endian = true},
    {.next_generation = true},
    {.next_generation = true, .big_endian = true},
    {.next_generation = true, .simple = true},
    {.next_generation = true, .simple = true, .big_endian = true},
};
#define FORMATS ((int)(sizeof formats / sizeof formats[0]))

static void make_capture(void)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    request(SERVER, OP_SEND_ONLY, 2000, octets, 33);
}

START_TEST(whole)
{
    make_capture();
    format = formats[_i];
    convert();
    expect(NAME "3 send client 68 a\n5 send server 33\nclosed\n");
}
END_TEST

/* Wherever a file ends, what is whole before is read, in order, and the cut is reported unless it
 * comes between two frames. */
START_TEST(cut)
{
    static char events[sizeof seen];
    uint8_t whole_file[4096];
    make_capture();
    format = formats[_i];
    convert();
    long length = ftell(capture);
    ck_assert_int_lt(length, (long)sizeof whole_file);
    rewind(capture);
    ck_assert_uint_eq(fread(whole_file, 1, (size_t)length, capture), (size_t)length);
    fclose(capture);
    uint64_t last = 0;
    for (long kept = 0; kept <= length; kept++) {
        capture = tmpfile();
        ck_assert_ptr_nonnull(capture);
        fwrite(whole_file, 1, (size_t)kept, capture);
        bool good = read_capture();
        ck_assert_int_eq(good, read_error[0] == '\0');
        ck_assert_uint_ge(counts.frames, last);
        ck_assert_uint_le(counts.frames, last + 1);
        if (counts.frames == last && last >= 2)
            ck_assert(!good); /* within a frame */
        if (counts.frames == last && last >= 3)
            ck_assert_ptr_eq(strstr(read_error, "damaged after frame"), read_error);
        last = counts.frames;
        snprintf(events, sizeof events, "%s", seen);
    }
    ck_assert_uint_eq(last, frames);
    ck_assert_str_eq(events, NAME "3 send client 68 a\n5 send server 33\nclosed\n");
}
END_TEST

/* A second section, of the other byte order, forgets the interfaces of the first. Its header may be
 * as short as it can be; one that is shorter is damage, and so is a packet before any interface. */
START_TEST(two_sections)
{
    make_capture();
    format = (struct format){.next_generation = true, .big_endian = _i % 2};
    convert();
    uint64_t before = frames;
    FILE *first = capture;
    begin_capture();
    frames = before;
    call(CLIENT, 1001, 0xb);
    format.big_endian = !format.big_endian;
    convert();
    uint8_t second[512];
    size_t length = (size_t)ftell(capture);
    ck_assert_uint_le(length, sizeof second);
    rewind(capture);
    ck_assert_uint_eq(fread(second, 1, length, capture), length);
    fclose(capture);
    capture = first;
    fseek(capture, 0, SEEK_END);
    if (_i < 2) {
        fwrite(second, 1, length, capture);
        expect(NAME "3 send client 68 a\n5 send server 33\n6 send client 68 b\nclosed\n");
        return;
    }
    file = capture;
    if (_i < 4) {
        begin_block(SECTION, 12);
        write32(0x1a2b3c4d);
        write32(0);
        write32(0);
        write32(24);
    } else {
        fwrite(second, 1, 28, capture);
    }
    fwrite(second + 28 + 20, 1, length - 28 - 20, capture); /* without the interface */
    ck_assert(!read_capture());
    ck_assert_ptr_eq(strstr(read_error, "damaged after frame 5: "), read_error);
    ck_assert_str_eq(seen, NAME "3 send client 68 a\n5 send server 33\nclosed\n");
}
END_TEST

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
#define SHORT_BLOCKS 14

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
        ck_assert_uint_eq(counts.unread, 5);
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
#define BLOCK_LENGTHS 16

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

/* A Send of which one octet is not recorded is cut. */
START_TEST(cut_by_one)
{
    make_capture();
    format =
        (struct format){.next_generation = true, .simple = true, .snap = 14 + 20 + 8 + 12 + 67};
    convert();
    ck_assert_msg(read_capture(), "%s", read_error);
    ck_assert_ptr_nonnull(strstr(seen, " send client 67+1"));
    ck_assert_uint_eq(counts.cut, 1);
}
END_TEST

/* What an interface says of its times, and what they are then. */
enum { END_OF_OPTIONS = 0, NAME_OPTION = 2, TIME_UNIT = 9, TIME_OFFSET = 14 };
#define BINARY 0x80
#define SECOND INT64_C(1000000000)
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
#define TIMINGS ((int)(sizeof timings / sizeof timings[0]))

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

START_TEST(unknown_link)
{
    fclose(capture);
    wrapping.link = 147; /* for private use */
    begin_capture();
    call(CLIENT, 1000, 0xa);
    ck_assert(!read_capture());
    ck_assert_ptr_nonnull(strstr(read_error, "which is not supported"));
    ck_assert_uint_eq(counts.frames, 0);
}
END_TEST

/* The frames of the last interface begin at once with IP, or are of an unknown link type. */
START_TEST(two_links)
{
    FILE *second;
    make_capture();
    format = (struct format){.next_generation = true, .big_endian = _i % 2};
    convert();
    second = capture;
    wrapping.link = LINK_RAW;
    begin_capture();
    call(CLIENT, 1001, 0xb);
    long length = ftell(capture);
    ck_assert_int_lt(length, (long)sizeof octets);
    rewind(capture);
    ck_assert_uint_eq(fread(octets, 1, (size_t)length, capture), (size_t)length);
    fclose(capture);
    file = capture = second;
    fseek(capture, 0, SEEK_END);
    write_interface(_i < 2 ? LINK_RAW : 147, NULL, 0);
    format.interface = 1;
    write_record(octets + 24 + 16, (uint32_t)length - 24 - 16);
    for (size_t i = 0; i < sizeof octets; i++)
        octets[i] = (uint8_t)(i % 251 + 1);
    frames = 6;
    expect(_i < 2 ? NAME "3 send client 68 a\n5 send server 33\n6 send client 68 b\nclosed\n"
                  : NAME "3 send client 68 a\n5 send server 33\nclosed\n");
    ck_assert_uint_eq(counts.unread, _i < 2 ? 0 : 1);
}
END_TEST

/* A record that claims more octets than any frame has. */
START_TEST(huge_record)
{
    static const uint32_t record[4] = {0, 0, 0x7fffffff, 0x7fffffff};
    make_capture();
    ck_assert_uint_eq(fwrite(record, sizeof record, 1, capture), 1);
    ck_assert(!read_capture());
    ck_assert_ptr_eq(strstr(read_error, "damaged after frame 5: "), read_error);
    ck_assert_str_eq(seen, NAME "3 send client 68 a\n5 send server 33\nclosed\n");
}
END_TEST

/* More octets recorded than there were on the wire: those belong to no packet. */
START_TEST(recorded_beyond_the_wire)
{
    uint32_t record[4];
    establish();
    long at = ftell(capture);
    request(CLIENT, OP_SEND_ONLY, 1000, octets, 68);
    long end = ftell(capture);
    ck_assert_int_eq(fseek(capture, at, SEEK_SET), 0);
    ck_assert_uint_eq(fread(record, sizeof record, 1, capture), 1);
    record[3] = 14 + 20 + 8 + 12 + 40;
    ck_assert_int_eq(fseek(capture, at, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(record, sizeof record, 1, capture), 1);
    ck_assert_int_eq(fseek(capture, end, SEEK_SET), 0);
    ck_assert(read_capture());
    ck_assert_str_eq(seen, NAME "3 send client 40+28\nclosed\n");
}
END_TEST

/* Files that are written here have their own. */
static void own_times(void)
{
    times_differ = true;
}

int main(void)
{
    Suite *suite = suite_create("capture files");
    TCase *tests = new_case(suite, "formats");
    tcase_add_checked_fixture(tests, own_times, NULL);
    tcase_add_loop_test(tests, whole, 0, FORMATS);
    tcase_add_loop_test(tests, cut, 0, FORMATS);
    tcase_add_loop_test(tests, two_sections, 0, 6);
    tcase_add_loop_test(tests, block_too_short, 0, 2 * SHORT_BLOCKS);
    tcase_add_loop_test(tests, simple_and_snapped, 0, 8);
    tcase_add_test(tests, large_block);
    tcase_add_test(tests, cut_by_one);
    tcase_add_loop_test(tests, block_lengths, 0, 2 * BLOCK_LENGTHS);
    tcase_add_loop_test(tests, times, 0, 2 * TIMINGS);
    tests = new_case(suite, "damage");
    tcase_add_checked_fixture(tests, own_times, NULL);
    tcase_add_test(tests, unknown_link);
    tcase_add_loop_test(tests, two_links, 0, 4);
    tcase_add_test(tests, huge_record);
    tcase_add_test(tests, recorded_beyond_the_wire);
    return run_suite(suite);
}
