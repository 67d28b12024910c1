// SPDX-License-Identifier: BSD-3-Clause
/* The capture reader and its file formats: pcap and pcapng, of either byte order, whole and cut. */
#include "conformance/tests/support/captures/files.h"
#include "conformance/base/count.h"

static const struct format formats[] = {
    {.big_endian = false},
    {.big_endian = true},
    {.nanoseconds = true},
    {.nanoseconds = true, .big_endian = true},
    {.next_generation = true},
    {.next_generation = true, .big_endian = true},
    {.next_generation = true, .simple = true},
    {.next_generation = true, .simple = true, .big_endian = true},
    {.next_generation = true, .obsolete = true},
    {.next_generation = true, .obsolete = true, .big_endian = true},
};
#define FORMATS ((int)COUNT(formats))

START_TEST(whole)
{
    make_capture();
    format = formats[_i];
    format.ticks = 1234567;
    convert();
    expect(NAME "3 send client 68 a\n5 send server 33\nclosed\n");
    ck_assert_int_eq(last_time, format.simple            ? 0
                                : format.next_generation ? 1234567000
                                : format.nanoseconds     ? 3 * SECOND + 7
                                                         : 3 * SECOND + 7000);
}
END_TEST

/* No packet at all. */
START_TEST(empty)
{
    format = formats[_i];
    convert();
    ck_assert(!read_capture());
    ck_assert_str_eq(read_error,
                     "no RPC-over-RDMA traffic in 0 frames; a device that moves the data by "
                     "itself shows none of it here: see 'rpcrdma trace'");
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

START_TEST(unknown_link)
{
    fclose(capture);
    wrapping.link = 105; /* of radio networks */
    begin_capture();
    call(CLIENT, 1000, 0xa);
    if (_i > 0) {
        format = (struct format){.next_generation = true};
        convert();
    }
    if (_i == 2) { /* of the interface, in place of the Ethernet */
        ck_assert_int_eq(fseek(capture, 28 + 8, SEEK_SET), 0);
        write16(0xfff0);
    }
    if (_i == 3) {
        ck_assert_int_eq(fseek(capture, 28 + 8, SEEK_SET), 0);
        write16(105);
    }
    ck_assert(!read_capture());
    ck_assert_str_eq(
        read_error,
        _i == 1   ? "no RPC-over-RDMA traffic in 1 frame; a device that moves the data by "
                    "itself shows none of it here: see 'rpcrdma trace'"
        : _i == 2 ? "captured on a link of type 65520, which is not supported"
                  : "captured on a link of type 105 (IEEE802_11), which is not supported");
    ck_assert_uint_eq(counts.frames, _i == 0 ? 0 : 1);
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
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], _i < 2 ? 0 : 1);
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

/* The longest that a record may be, of which the file has nothing, and one octet more. */
START_TEST(longest_record)
{
    uint32_t length = 262144 + (uint32_t)_i, record[4] = {0, 0, length, length};
    make_capture();
    ck_assert_uint_eq(fwrite(record, sizeof record, 1, capture), 1);
    ck_assert(!read_capture());
    ck_assert_str_eq(read_error,
                     _i == 0 ? "damaged after frame 5: truncated dump file; tried to read 262144 "
                               "captured bytes, only got 0"
                             : "damaged after frame 5: invalid packet capture length 262145, "
                               "bigger than maximum of 262144");
}
END_TEST

/* The file's header says how many octets of a frame were kept at most: more are no part of it. */
START_TEST(snap_of_the_file)
{
    static const uint32_t snaps[] = {14 + 20 + 8 + 12 + 40, 14 + 20 + 8 + 12 + 68 + 4, 0};
    make_capture();
    long end = ftell(capture);
    ck_assert_int_eq(fseek(capture, 16, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(&snaps[_i], 4, 1, capture), 1);
    ck_assert_int_eq(fseek(capture, end, SEEK_SET), 0);
    ck_assert(read_capture());
    ck_assert_int_eq(strstr(seen, "3 send client 40+28") != NULL, _i == 0);
    ck_assert_int_eq(strstr(seen, "3 send client 68 a") != NULL, _i > 0);
}
END_TEST

/* Before version 2.3 the two lengths of a frame stood in the other order. */
START_TEST(lengths_exchanged)
{
    static const uint8_t version[4] = {2, 0, 2, 0};
    establish();
    ck_assert_int_eq(fseek(capture, 4, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(version, sizeof version, 1, capture), 1);
    ck_assert_int_eq(fseek(capture, 0, SEEK_END), 0);
    long at = ftell(capture);
    wrapping.snap = 14 + 20 + 8 + 12 + 40;
    request(CLIENT, OP_SEND_ONLY, 1000, octets, 68);
    wrapping.snap = 0;
    long end = ftell(capture);
    uint32_t record[4];
    ck_assert_int_eq(fseek(capture, at, SEEK_SET), 0);
    ck_assert_uint_eq(fread(record, sizeof record, 1, capture), 1);
    uint32_t kept = record[2];
    record[2] = record[3];
    record[3] = kept;
    ck_assert_int_eq(fseek(capture, at, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(record, sizeof record, 1, capture), 1);
    ck_assert_int_eq(fseek(capture, end, SEEK_SET), 0);
    ck_assert(read_capture());
    ck_assert_str_eq(seen, NAME "3 send client 40+28\nclosed\n");
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
    tcase_add_checked_fixture(tests, own_times, NULL);
    tcase_add_loop_test(tests, whole, 0, FORMATS);
    tcase_add_loop_test(tests, empty, 0, FORMATS);
    tcase_add_loop_test(tests, cut, 0, FORMATS);
    tcase_add_loop_test(tests, two_sections, 0, 6);
    tests = new_case(suite, "damage");
    tcase_add_checked_fixture(tests, own_times, NULL);
    tcase_add_loop_test(tests, unknown_link, 0, 4);
    tcase_add_loop_test(tests, two_links, 0, 4);
    tcase_add_test(tests, huge_record);
    tcase_add_loop_test(tests, longest_record, 0, 2);
    tcase_add_loop_test(tests, snap_of_the_file, 0, 3);
    tcase_add_test(tests, lengths_exchanged);
    tcase_add_test(tests, recorded_beyond_the_wire);
    return run_suite(suite);
}
