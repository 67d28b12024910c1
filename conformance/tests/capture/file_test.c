// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader and its file formats: pcap and pcapng, of either byte order, whole and cut. */
#include "conformance/tests/support/captures/seen.h"

enum { SECTION = 0x0a0d0d0a, INTERFACE = 1, SIMPLE_PACKET = 3, ENHANCED_PACKET = 6 };

/* How a file is written: the packets in it are those of the capture that setup() began. */
static struct format {
    bool next_generation;
    bool big_endian;
    bool nanoseconds; /* pcap only */
    bool simple;      /* pcapng only: packets without times */
    uint32_t interface;
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

static void write_interface(unsigned link)
{
    begin_block(INTERFACE, 8);
    write16(link);
    write16(0);
    write32(0);
    write32(20);
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
    write_interface(LINK_ETHERNET);
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
    for (int i = 0; i < (format.simple ? 0 : 4); i++)
        write32(i == 0 ? format.interface : i == 3 ? length : 0); /* time, recorded */
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
    write_interface(_i < 2 ? LINK_RAW : 147);
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

int main(void)
{
    Suite *suite = suite_create("capture files");
    TCase *tests = new_case(suite, "formats");
    tcase_add_loop_test(tests, whole, 0, FORMATS);
    tcase_add_loop_test(tests, cut, 0, FORMATS);
    tests = new_case(suite, "damage");
    tcase_add_test(tests, unknown_link);
    tcase_add_loop_test(tests, two_links, 0, 4);
    tcase_add_test(tests, huge_record);
    tcase_add_test(tests, recorded_beyond_the_wire);
    return run_suite(suite);
}
