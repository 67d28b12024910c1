// SPDX-License-Identifier: BSD-3-Clause
/* The readers of hex text and raw octets, compressed or not, and how a format is recognised. */
#include "conformance/tests/support/captures/allocations.h"
#include "conformance/tests/support/captures/sources.h"
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#include <unistd.h>

/* ---- Hex text ---- */

START_TEST(hex_lines)
{
    got_options.from = RPCRDMA_SERVER;
    ck_assert_msg(read_text("# comment\n\n00 01\t0A0b\r\n \f\n0x00000001 0X02 # more"), "%s",
                  got_error);
    ck_assert_uint_eq(got.events, 2);
    ck_assert_uint_eq(got.closed, 2);
    assert_send(0, "\x00\x01\x0a\x0b", 4);
    assert_send(1, "\x00\x00\x00\x01\x02", 5);
    ck_assert_uint_eq(got.event[0].line, 3);
    ck_assert_uint_eq(got.event[1].line, 5);
    ck_assert_uint_eq(got.event[1].frame, 0);
    ck_assert_uint_eq(got.event[1].index, 1);
    ck_assert_uint_eq(got.event[1].connection_id, 1);
    ck_assert_str_eq(got.event[0].connection, "line 3");
    ck_assert_str_eq(got.event[0].test, "");
    ck_assert_int_eq(got.event[0].event.from, RPCRDMA_SERVER);
    ck_assert(got.event[0].config.mid_stream);
    ck_assert_uint_eq(got_counts.events, 2);
    ck_assert_uint_eq(got_counts.connections, 2);
}
END_TEST

START_TEST(hex_digits)
{
    ck_assert(read_text("0123456789abcdefABCDEF"));
    assert_send(0, "\x01\x23\x45\x67\x89\xab\xcd\xef\xab\xcd\xef", 11);
}
END_TEST

#define ONE_SEND ": each line of hex text is one Send, and what follows a '#' is a comment"

/* Each is wrong in one place; what comes before it has been passed on. */
static const struct {
    const char *text, *error;
    unsigned events;
} wrong_hex[] = {
    {"", "is empty", 0},
    {"# nothing but this\n\n", "holds no Send", 0},
    {"0x", "holds no Send", 0},
    {"hello", "line 1, column 1: not hex text: 'h'", 0},
    {"# c\n  \xe2\x82\xac", "line 2, column 3: not hex text: 0xe2", 0},
    {"00 1\n", "line 1, column 4: an odd number of hexadecimal digits", 0},
    {"0001\n00 1 # odd", "line 2, column 4: an odd number of hexadecimal digits", 1},
    {"0001\n0102,03", "line 2, column 5: ',' is not a hexadecimal digit", 1},
    {"0001\n\nfeedme", "line 3, column 5: 'm' is not a hexadecimal digit", 1},
    {"0001\nhello", "line 2, column 1: 'h' is not a hexadecimal digit", 1},
    {"00 hello", "line 1, column 4: 'h' is not a hexadecimal digit" ONE_SEND, 0},
    {"00 \xff", "line 1, column 4: 0xff is not a hexadecimal digit" ONE_SEND, 0},
    {"0001\n00x1", "line 2, column 3: 'x' is not a hexadecimal digit", 1},
    {"0001\n0x0x01", "line 2, column 4: 'x' is not a hexadecimal digit", 1},
};

START_TEST(hex_wrong)
{
    ck_assert(!read_text(wrong_hex[_i].text));
    ck_assert_str_eq(got_error, wrong_hex[_i].error);
    ck_assert_uint_eq(got.events, wrong_hex[_i].events);
}
END_TEST

START_TEST(hex_stops_with_sink)
{
    got.stop_after = 1;
    ck_assert(read_text("00\n01\nzz\n"));
    ck_assert_uint_eq(got.events, 1);
    ck_assert_uint_eq(got.closed, 1);
}
END_TEST

/* A line longer than any buffer inside. */
START_TEST(hex_long_line)
{
    enum { OCTETS = 200 };
    char *text = malloc(70000 + 2 * OCTETS + 2);
    ck_assert_ptr_nonnull(text);
    text[0] = '0';
    text[1] = '1';
    memset(text + 2, ' ', 70000 - 3);
    memset(text + 69999, 'f', 2 * OCTETS + 1);
    text[70000 + 2 * OCTETS] = '\0';
    text[69999] = ' ';
    ck_assert_msg(read_text(text), "%s", got_error);
    ck_assert_uint_eq(got.event[0].event.length, 1 + OCTETS);
    ck_assert_uint_eq(got.event[0].data[OCTETS], 0xff);
    free(text);
}
END_TEST

/* ---- Raw octets, and telling formats apart ---- */

START_TEST(raw_by_content)
{
    static const uint8_t send[] = {'{', 'a', 'b', 'c', 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0};
    ck_assert_msg(read_octets(send, sizeof send), "%s", got_error);
    ck_assert_uint_eq(got.events, 1);
    assert_send(0, send, sizeof send);
    ck_assert_uint_eq(got.event[0].line, 0);
    ck_assert(got.event[0].config.mid_stream);
}
END_TEST

/* Other octets are not taken for a Send, unless the user says that they are one. */
START_TEST(raw_or_nothing)
{
    static const uint8_t other[][16] = {
        {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1},
        {0, 0, 0, 1, 0xf1, 0x90, 1, 0x1b},
        {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0},
        {'{', '"', 0, '"', 0xff},
    };
    ck_assert(!read_octets(other[_i], sizeof other[_i]));
    ck_assert_uint_eq(got.events, 0);
    ck_assert_ptr_nonnull(strstr(got_error, _i < 3 ? "use --format raw" : "line 1"));
    got_options.format = SOURCE_RAW;
    ck_assert_msg(read_octets(other[_i], sizeof other[_i]), "%s", got_error);
    assert_send(0, other[_i], sizeof other[_i]);
}
END_TEST

/* The octets that begin a version or a procedure are 0, and the version is not; of a Send that is
 * shorter, so far as they are there. */
START_TEST(raw_by_each_octet)
{
    static const uint8_t small[] = {[4] = 1, 1, 1, [12] = 1, 1, 1};
    for (size_t length = 7; length <= 17; length++)
        for (size_t at = 0; at < length; at++) {
            uint8_t send[17] = {[7] = 1};
            send[at] = 0x81;
            begin_reading();
            ck_assert_int_eq(read_octets(send, length),
                             length >= 8 &&
                                 !(at < sizeof small && small[at] && (at < 8 || length >= 16)));
        }
}
END_TEST

/* Text has no control characters, but those that are blanks. */
START_TEST(text_by_each_octet)
{
    for (unsigned octet = 0; octet < 256; octet++) {
        const uint8_t text[] = {'0', '1', (uint8_t)octet};
        bool is_blank = octet != 0 && strchr(" \t\r\n\f", (int)octet) != NULL;
        begin_reading();
        bool good = read_octets(text, sizeof text);
        ck_assert_int_eq(good, is_blank || octet == '#');
        if (octet == 0x7f || (octet < 0x20 && !is_blank))
            ck_assert_ptr_nonnull(strstr(got_error, "use --format raw"));
        else if (!good)
            ck_assert_ptr_eq(strstr(got_error, "line 1, column "), got_error);
    }
}
END_TEST

/* Asked for as hex text, what is not hex is shown, as itself or by its number. */
START_TEST(no_digit)
{
    for (unsigned octet = 0; octet < 256; octet++) {
        const uint8_t text[] = {'0', '1', (uint8_t)octet};
        char expected[sizeof "line 1, column 3: 0x00 is not a hexadecimal digit" ONE_SEND];
        if (octet != 0 && strchr(" \t\r\n\f#0123456789abcdefABCDEF", (int)octet))
            continue;
        begin_reading();
        got_options.format = SOURCE_HEX;
        ck_assert(!read_octets(text, sizeof text));
        snprintf(expected, sizeof expected,
                 octet > ' ' && octet <= '~'
                     ? "line 1, column 3: '%c' is not a hexadecimal digit" ONE_SEND
                     : "line 1, column 3: 0x%02x is not a hexadecimal digit" ONE_SEND,
                 octet);
        ck_assert_str_eq(got_error, expected);
    }
}
END_TEST

#define MARK "\xef\xbb\xbf"

START_TEST(marked_text)
{
    uint8_t others[512];
    memset(others, 1, sizeof others);
    ck_assert(!read_octets(others, sizeof others)); /* what is looked at next has less of it */
    begin_reading();
    ck_assert_msg(read_text(MARK "0001"), "%s", got_error);
    assert_send(0, "\0\1", 2);
}
END_TEST

/* ---- Compressed files: "0001 0203\n" by gzip, xz and zstd, and what may be wrong with them ----
 */

#define HEX_TEXT "0001 0203\n"

static const struct compressed {
    const char *name;
    size_t length;
    uint8_t octets[80];
} compressed[] = {
    {"gzip", 30, {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                  0x33, 0x30, 0x30, 0x30, 0x54, 0x30, 0x30, 0x32, 0x30, 0xe6,
                  0x02, 0x00, 0x23, 0x33, 0xeb, 0xe2, 0x0a, 0x00, 0x00, 0x00}},
    {"xz", 68, {0xfd, '7',  'z',  'X',  'Z',  0,    0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x02, 0x00,
                0x21, 0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x09, 0x30,
                0x30, 0x30, 0x31, 0x20, 0x30, 0x32, 0x30, 0x33, 0x0a, 0x00, 0x00, 0x00, 0x69, 0x49,
                0x94, 0x0f, 0x05, 0x73, 0x40, 0x3e, 0x00, 0x01, 0x22, 0x0a, 0x15, 0x1a, 0xe1, 0x67,
                0x1f, 0xb6, 0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5a}},
    {"zstd", 23, {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x51, 0x00, 0x00, 0x30, 0x30, 0x30,
                  0x31, 0x20, 0x30, 0x32, 0x30, 0x33, 0x0a, 0xa9, 0x86, 0x77, 0x57}},
};

START_TEST(compressed_whole)
{
    const struct compressed *file = &compressed[_i];
    ck_assert_msg(read_octets(file->octets, file->length), "%s", got_error);
    ck_assert_uint_eq(got.events, 1);
    assert_send(0, "\0\1\2\3", 4);
}
END_TEST

/* Two members one after the other are one file; what begins no third one is padding. */
START_TEST(compressed_twice)
{
    uint8_t twice[200];
    const struct compressed *file = &compressed[_i];
    for (int padding = 0; padding <= 0x1a; padding += 0x1a) {
        memset(twice, padding, sizeof twice);
        memcpy(twice, file->octets, file->length);
        memcpy(twice + file->length, file->octets, file->length);
        begin_reading();
        ck_assert_msg(read_octets(twice, 2 * file->length + 8), "%s", got_error);
        ck_assert_uint_eq(got.events, 2);
    }
    twice[2 * file->length] = file->octets[0];
    ck_assert(!read_octets(twice, 2 * file->length + 8));
}
END_TEST

/* The first octets tell what it is, all of them. */
START_TEST(compressed_by_magic)
{
    static const size_t magic[] = {2, 6, 4};
    struct compressed file = compressed[_i];
    for (size_t i = 0; i < magic[_i]; i++) {
        file.octets[i] ^= 1;
        ck_assert(!read_octets(file.octets, file.length));
        ck_assert_ptr_null(strstr(got_error, file.name));
        file.octets[i] ^= 1;
    }
    ck_assert(!read_octets(file.octets, magic[_i] - 1));
    ck_assert_ptr_null(strstr(got_error, file.name));
    ck_assert(!read_octets(file.octets, magic[_i]));
    ck_assert_ptr_nonnull(strstr(got_error, file.name));
}
END_TEST

/* What is wrong with the text itself is said as of any text. */
START_TEST(compressed_wrong_text)
{
    static const uint8_t hello[] = {0x1f, 0x8b, 8,    0,    0,    0,   0,   0,   0,   3,
                                    1,    5,    0,    0xfa, 0xff, 'h', 'e', 'l', 'l', 'o',
                                    0x86, 0xa6, 0x10, 0x36, 5,    0,   0,   0};
    ck_assert(!read_octets(hello, sizeof hello));
    ck_assert_str_eq(got_error, "line 1, column 1: not hex text: 'h'");
}
END_TEST

/* A window of 128 MiB, and a larger one: of zstd its header says it, of xz that of the block. */
START_TEST(compressed_windows)
{
    static const struct {
        uint8_t octets[8];
        bool good;
    } xz_blocks[] = {{{30, 0, 0, 0, 0x9b, 0x07, 0x51, 0x66}, true},
                     {{32, 0, 0, 0, 0x09, 0x88, 0xa5, 0x76}, false}};
    uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, (3 << 3) | 1, 0, 0, '0', '1', '\n'};
    ck_assert_msg(read_octets(zstd, sizeof zstd), "%s", got_error);
    zstd[5]++;
    ck_assert(!read_octets(zstd, sizeof zstd));
    ck_assert_str_eq(got_error, "zstd: the data need a window of more than 128 MiB");
    for (int i = 0; i < 2; i++) {
        struct compressed xz = compressed[1];
        memcpy(xz.octets + 16, xz_blocks[i].octets, sizeof xz_blocks[i].octets);
        begin_reading();
        ck_assert_int_eq(read_octets(xz.octets, xz.length), xz_blocks[i].good);
        ck_assert_str_eq(
            got_error, xz_blocks[i].good ? "" : "xz: the data need a window of more than 128 MiB");
    }
}
END_TEST

/* Nothing stays allocated, whole or not. */
START_TEST(compressed_returned)
{
    const struct compressed *file = &compressed[_i];
    read_octets(file->octets, file->length); /* a library may keep what it needs first */
    long alive = allocations_alive();
    for (size_t length = file->length - 12; length <= file->length; length += 12) {
        begin_reading();
        ck_assert_int_eq(read_octets(file->octets, length), length == file->length);
        ck_assert_int_eq(allocations_alive(), alive);
    }
}
END_TEST

START_TEST(compressed_cut)
{
    const struct compressed *file = &compressed[_i];
    for (size_t length = 8; length < file->length; length++) {
        ck_assert(!read_octets(file->octets, length));
        ck_assert_ptr_nonnull(strstr(got_error, ": the data end before they are complete"));
        ck_assert_ptr_eq(strstr(got_error, file->name), got_error);
    }
}
END_TEST

START_TEST(compressed_damaged)
{
    struct compressed file = compressed[_i];
    file.octets[file.length - (_i == 0 ? 6 : 10)] ^= 0x55; /* in the check sum, or before */
    ck_assert(!read_octets(file.octets, file.length));
    ck_assert_ptr_nonnull(strstr(got_error, "the data are damaged"));
}
END_TEST

START_TEST(raw_by_option)
{
    got_options.format = SOURCE_RAW;
    ck_assert_msg(read_text("0001"), "%s", got_error);
    assert_send(0, "0001", 4);
}
END_TEST

START_TEST(hex_by_option)
{
    got_options.format = SOURCE_HEX;
    ck_assert(!read_octets("\0\1", 2));
    ck_assert_str_eq(got_error, "line 1, column 1: not hex text: 0x00");
}
END_TEST

/* The text of a capture's magic number is not enough for hex or raw. */
START_TEST(capture_by_magic)
{
    static const uint8_t magic[][4] = {{0xa1, 0xb2, 0xc3, 0xd4}, {0xd4, 0xc3, 0xb2, 0xa1},
                                       {0xa1, 0xb2, 0x3c, 0x4d}, {0x4d, 0x3c, 0xb2, 0xa1},
                                       {0xa1, 0xb2, 0xcd, 0x34}, {0x34, 0xcd, 0xb2, 0xa1},
                                       {0x0a, 0x0d, 0x0d, 0x0a}};
    ck_assert(!read_octets(magic[_i], sizeof magic[_i]));
    ck_assert_uint_eq(got.events, 0);
    ck_assert_ptr_eq(strstr(got_error, "not a readable capture: "), got_error);
    for (int octet = 0; octet < 4; octet++) {
        uint8_t other[4];
        memcpy(other, magic[_i], 4);
        other[octet] ^= 1;
        ck_assert(!read_octets(other, sizeof other));
        ck_assert_ptr_null(strstr(got_error, "capture: "));
    }
}
END_TEST

START_TEST(unreadable)
{
    struct source_sink sink = {.event = get_event, .closed = get_closed, .arg = &got};
    ck_assert(!source_read("/nonexistent/x", &got_options, &sink, &got_counts, got_error,
                           sizeof got_error));
    ck_assert_str_eq(got_error, "cannot be opened: No such file or directory");
    ck_assert(!source_read("/", &got_options, &sink, &got_counts, got_error, sizeof got_error));
    ck_assert_str_eq(got_error, "is a directory");
    ck_assert_uint_eq(got.events, 0);
}
END_TEST

/* There may be no room for an error, or for none but an empty one. */
START_TEST(little_room)
{
    char one[] = "x";
    struct source_sink sink = {.event = get_event, .closed = get_closed, .arg = &got};
    ck_assert(!source_read("/", &got_options, &sink, &got_counts, NULL, 0));
    ck_assert(!source_read("/", &got_options, &sink, &got_counts, one, 1));
    ck_assert_str_eq(one, "");
    got_options.format = SOURCE_HEX;
    FILE *file = tmpfile();
    char name[32];
    ck_assert_ptr_nonnull(file);
    fputs("00", file);
    fflush(file);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(file));
    one[0] = 'x';
    ck_assert(source_read(name, &got_options, &sink, &got_counts, one, 1));
    ck_assert_str_eq(one, "");
    fclose(file);
}
END_TEST

/* Through a pipe nothing can be read twice. */
static void assert_pipe(const char *text, size_t length)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], text, length), (ssize_t)length);
    close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    struct source_sink sink = {.event = get_event, .closed = get_closed, .arg = &got};
    ck_assert_msg(source_read("-", &got_options, &sink, &got_counts, got_error, sizeof got_error),
                  "%s", got_error);
}

START_TEST(pipe_hex)
{
    assert_pipe("# c\n00 01\n02", 12);
    ck_assert_uint_eq(got.events, 2);
    assert_send(1, "\x02", 1);
}
END_TEST

START_TEST(pipe_raw)
{
    static const char send[] = "\x0a\x0d\x0d\x0b\0\0\0\1\0\0\0\2\0\0\0";
    assert_pipe(send, sizeof send);
    assert_send(0, send, sizeof send);
}
END_TEST

int main(void)
{
    TCase *text = tcase_create("text");
    tcase_add_checked_fixture(text, begin_reading, NULL);
    tcase_add_test(text, hex_lines);
    tcase_add_test(text, hex_digits);
    tcase_add_loop_test(text, hex_wrong, 0, COUNT(wrong_hex));
    tcase_add_test(text, hex_stops_with_sink);
    tcase_add_test(text, hex_long_line);
    tcase_add_test(text, raw_by_content);
    tcase_add_loop_test(text, raw_or_nothing, 0, 4);
    tcase_add_test(text, raw_by_each_octet);
    tcase_add_test(text, text_by_each_octet);
    tcase_add_test(text, no_digit);
    tcase_add_test(text, marked_text);
    tcase_add_loop_test(text, compressed_whole, 0, 3);
    tcase_add_loop_test(text, compressed_twice, 0, 3);
    tcase_add_loop_test(text, compressed_by_magic, 0, 3);
    tcase_add_test(text, compressed_wrong_text);
    tcase_add_test(text, compressed_windows);
    tcase_add_loop_test(text, compressed_returned, 0, 3);
    tcase_add_loop_test(text, compressed_cut, 0, 3);
    tcase_add_loop_test(text, compressed_damaged, 0, 3);
    tcase_add_test(text, raw_by_option);
    tcase_add_test(text, hex_by_option);
    tcase_add_loop_test(text, capture_by_magic, 0, 7);
    tcase_add_test(text, unreadable);
    tcase_add_test(text, little_room);
    tcase_add_test(text, pipe_hex);
    tcase_add_test(text, pipe_raw);
    return run_tests("source", text);
}
