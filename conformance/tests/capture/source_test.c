// SPDX-License-Identifier: BSD-3-Clause
/* The readers of hex text, raw octets and vector files, and how a format is recognised. */
#include "conformance/input/source.h"
#include "conformance/tests/support/play.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a sink was handed: the events of one file, as far as they fit. */
#define SEEN_MAX 8

struct seen {
    unsigned events, closed, stop_after;
    struct {
        struct rpcrdma_event event;
        struct rpcrdma_check_config config;
        uint8_t data[256];
        char test[64], connection[64];
        uint64_t connection_id, index, frame, line;
    } event[SEEN_MAX];
};

static struct seen seen;
static struct source_options options;
static struct source_counts counts;
static char error[512];

static bool see_event(void *arg, const struct source_event *event)
{
    struct seen *to = arg;
    ck_assert_uint_lt(to->events, SEEN_MAX);
    unsigned i = to->events++;
    to->event[i].event = event->event;
    to->event[i].config = *event->config;
    ck_assert_uint_le(event->event.length, sizeof to->event[i].data);
    if (event->event.data)
        memcpy(to->event[i].data, event->event.data, event->event.length);
    snprintf(to->event[i].test, sizeof to->event[i].test, "%s", event->test ? event->test : "");
    snprintf(to->event[i].connection, sizeof to->event[i].connection, "%s", event->connection);
    to->event[i].connection_id = event->connection_id;
    to->event[i].index = event->index;
    to->event[i].frame = event->frame;
    to->event[i].line = event->line;
    return to->events != to->stop_after;
}

static void see_closed(void *arg, uint64_t connection_id)
{
    struct seen *to = arg;
    ck_assert_uint_eq(connection_id, to->closed);
    to->closed++;
}

static void setup(void)
{
    memset(&seen, 0, sizeof seen);
    options = (struct source_options){.port = 20049};
    error[0] = '\0';
}

/* Read `length` octets as if they were a file. */
static bool read_octets(const void *octets, size_t length)
{
    char name[] = "/tmp/source_test.XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, octets, length), (ssize_t)length);
    close(fd);
    struct source_sink sink = {.event = see_event, .closed = see_closed, .arg = &seen};
    bool good = source_read(name, &options, &sink, &counts, error, sizeof error);
    unlink(name);
    ck_assert_ptr_null(strchr(error, '\n'));
    return good;
}

static bool read_text(const char *text)
{
    return read_octets(text, strlen(text));
}

static void assert_send(unsigned i, const void *octets, size_t length)
{
    ck_assert_uint_lt(i, seen.events);
    ck_assert_int_eq(seen.event[i].event.type, RPCRDMA_EVENT_SEND);
    ck_assert_uint_eq(seen.event[i].event.length, length);
    ck_assert_mem_eq(seen.event[i].data, octets, length);
}

/* ---- Hex text ---- */

START_TEST(hex_lines)
{
    options.from = RPCRDMA_SERVER;
    ck_assert_msg(read_text("# comment\n\n00 01\t0A0b\r\n \f\n0x00000001 0X02 # more"), "%s",
                  error);
    ck_assert_uint_eq(seen.events, 2);
    ck_assert_uint_eq(seen.closed, 2);
    assert_send(0, "\x00\x01\x0a\x0b", 4);
    assert_send(1, "\x00\x00\x00\x01\x02", 5);
    ck_assert_uint_eq(seen.event[0].line, 3);
    ck_assert_uint_eq(seen.event[1].line, 5);
    ck_assert_uint_eq(seen.event[1].frame, 0);
    ck_assert_uint_eq(seen.event[1].index, 1);
    ck_assert_uint_eq(seen.event[1].connection_id, 1);
    ck_assert_str_eq(seen.event[0].connection, "line 3");
    ck_assert_str_eq(seen.event[0].test, "");
    ck_assert_int_eq(seen.event[0].event.from, RPCRDMA_SERVER);
    ck_assert(seen.event[0].config.mid_stream);
    ck_assert_uint_eq(counts.events, 2);
    ck_assert_uint_eq(counts.connections, 2);
}
END_TEST

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
    {"0001\n00x1", "line 2, column 3: 'x' is not a hexadecimal digit", 1},
    {"0001\n0x0x01", "line 2, column 4: 'x' is not a hexadecimal digit", 1},
};

START_TEST(hex_wrong)
{
    ck_assert(!read_text(wrong_hex[_i].text));
    ck_assert_str_eq(error, wrong_hex[_i].error);
    ck_assert_uint_eq(seen.events, wrong_hex[_i].events);
}
END_TEST

START_TEST(hex_stops_with_sink)
{
    seen.stop_after = 1;
    ck_assert(read_text("00\n01\nzz\n"));
    ck_assert_uint_eq(seen.events, 1);
    ck_assert_uint_eq(seen.closed, 1);
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
    ck_assert_msg(read_text(text), "%s", error);
    ck_assert_uint_eq(seen.event[0].event.length, 1 + OCTETS);
    ck_assert_uint_eq(seen.event[0].data[OCTETS], 0xff);
    free(text);
}
END_TEST

/* ---- Raw octets, and telling formats apart ---- */

START_TEST(raw_by_content)
{
    static const uint8_t send[] = {'{', 'a', 'b', 'c', 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0};
    ck_assert_msg(read_octets(send, sizeof send), "%s", error);
    ck_assert_uint_eq(seen.events, 1);
    assert_send(0, send, sizeof send);
    ck_assert_uint_eq(seen.event[0].line, 0);
    ck_assert(seen.event[0].config.mid_stream);
}
END_TEST

/* Other octets are not taken for a Send, unless the user says that they are one. */
START_TEST(raw_or_nothing)
{
    static const uint8_t other[][16] = {
        {0, 0, 0, 1, 0xf1, 0x90, 1, 0x1b},
        {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0},
        {'{', '"', 0, '"', 0xff},
    };
    ck_assert(!read_octets(other[_i], sizeof other[_i]));
    ck_assert_uint_eq(seen.events, 0);
    ck_assert_ptr_nonnull(strstr(error, _i < 2 ? "use --format raw" : "line 1"));
    options.format = SOURCE_RAW;
    ck_assert_msg(read_octets(other[_i], sizeof other[_i]), "%s", error);
    assert_send(0, other[_i], sizeof other[_i]);
}
END_TEST

#define MARK "\xef\xbb\xbf"

START_TEST(marked_text)
{
    ck_assert_msg(read_text(MARK "0001"), "%s", error);
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
    ck_assert_msg(read_octets(file->octets, file->length), "%s", error);
    ck_assert_uint_eq(seen.events, 1);
    assert_send(0, "\0\1\2\3", 4);
}
END_TEST

/* Two members one after the other are one file; zeros at the end are padding. */
START_TEST(compressed_twice)
{
    uint8_t twice[200] = {0};
    const struct compressed *file = &compressed[_i];
    memcpy(twice, file->octets, file->length);
    memcpy(twice + file->length, file->octets, file->length);
    ck_assert_msg(read_octets(twice, 2 * file->length + 8), "%s", error);
    ck_assert_uint_eq(seen.events, 2);
}
END_TEST

START_TEST(compressed_cut)
{
    const struct compressed *file = &compressed[_i];
    for (size_t length = 8; length < file->length; length++) {
        ck_assert(!read_octets(file->octets, length));
        ck_assert_ptr_nonnull(strstr(error, ": the data end before they are complete"));
        ck_assert_ptr_eq(strstr(error, file->name), error);
    }
}
END_TEST

START_TEST(compressed_damaged)
{
    struct compressed file = compressed[_i];
    file.octets[file.length - (_i == 0 ? 6 : 10)] ^= 0x55; /* in the check sum, or before */
    ck_assert(!read_octets(file.octets, file.length));
    ck_assert_ptr_nonnull(strstr(error, "the data are damaged"));
}
END_TEST

START_TEST(raw_by_option)
{
    options.format = SOURCE_RAW;
    ck_assert_msg(read_text("0001"), "%s", error);
    assert_send(0, "0001", 4);
}
END_TEST

START_TEST(hex_by_option)
{
    options.format = SOURCE_HEX;
    ck_assert(!read_octets("\0\1", 2));
    ck_assert_str_eq(error, "line 1, column 1: not hex text: 0x00");
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
    ck_assert_uint_eq(seen.events, 0);
    ck_assert_ptr_eq(strstr(error, "not a readable capture: "), error);
    for (int octet = 0; octet < 4; octet++) {
        uint8_t other[4];
        memcpy(other, magic[_i], 4);
        other[octet] ^= 1;
        ck_assert(!read_octets(other, sizeof other));
        ck_assert_ptr_null(strstr(error, "capture: "));
    }
}
END_TEST

START_TEST(unreadable)
{
    struct source_sink sink = {.event = see_event, .closed = see_closed, .arg = &seen};
    ck_assert(!source_read("/nonexistent/x", &options, &sink, &counts, error, sizeof error));
    ck_assert_str_eq(error, "cannot be opened: No such file or directory");
    ck_assert(!source_read("/", &options, &sink, &counts, error, sizeof error));
    ck_assert_str_eq(error, "is a directory");
    ck_assert_uint_eq(seen.events, 0);
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
    struct source_sink sink = {.event = see_event, .closed = see_closed, .arg = &seen};
    ck_assert_msg(source_read("-", &options, &sink, &counts, error, sizeof error), "%s", error);
}

START_TEST(pipe_hex)
{
    assert_pipe("# c\n00 01\n02", 12);
    ck_assert_uint_eq(seen.events, 2);
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

/* ---- Vectors ---- */

#define HEAD                                                                                       \
    "{\"schema\":\"rpcrdma-vectors-v1\",\"protocol\":\"rpcrdma1\",\"title\":\"t\",\"tests\":["
#define TEST(id, rest) "{\"id\":\"" id "\",\"comment\":\"c\"," rest "}"
#define ONE(event) HEAD TEST("one", "\"events\":[" event "]") "]}"

START_TEST(vectors_events)
{
    ck_assert_msg(read_text("\n " HEAD TEST(
                      "a-1", "\"settings\":{\"clientToServerInline\":4096,"
                             "\"reverseDirection\":true,"
                             "\"ulb\":\"nfs\",\"maxReadChunk\":7},\"flags\":[\"f\"],"
                             "\"events\":["
                             "{\"from\":\"server\",\"privateData\":\"f6ab 0e18\\n01\"},"
                             "{\"from\":\"client\",\"send\":\"\",\"expect\":{"
                             "\"findings\":[]}},"
                             "{\"from\":\"server\",\"rdmaWrite\":{\"handle\":"
                             "4294967295,"
                             "\"offset\":\"0xffffffffffffffff\",\"data\":\"01\"}},"
                             "{\"from\":\"server\",\"send\":\"0102\",\"invalidate\":7}"
                             "]") "," TEST("b", "\"events\":[{\"from\":\"client\","
                                                "\"rdmaRead\":{\"handle\":0,\"offset\":"
                                                "\"0x0\",\"data\":\"\"}},{\"from\":"
                                                "\"client\",\"disconnect\":true}]") "]}"),
                  "%s", error);
    ck_assert_uint_eq(seen.events, 6);
    ck_assert_uint_eq(seen.closed, 2);
    ck_assert_uint_eq(counts.events, 6);
    ck_assert_uint_eq(counts.connections, 2);

    ck_assert_int_eq(seen.event[0].event.type, RPCRDMA_EVENT_PRIVATE_DATA);
    ck_assert_int_eq(seen.event[0].event.from, RPCRDMA_SERVER);
    ck_assert_uint_eq(seen.event[0].event.length, 5);
    ck_assert_mem_eq(seen.event[0].data, "\xf6\xab\x0e\x18\x01", 5);
    ck_assert_str_eq(seen.event[0].test, "a-1");
    ck_assert_str_eq(seen.event[0].connection, "a-1");
    ck_assert_uint_eq(seen.event[0].config.inline_threshold[RPCRDMA_CLIENT], 4096);
    ck_assert_uint_eq(seen.event[0].config.inline_threshold[RPCRDMA_SERVER], 0);
    ck_assert(seen.event[0].config.reverse_direction);
    ck_assert(!seen.event[0].config.mid_stream);

    assert_send(1, "", 0);
    ck_assert_ptr_nonnull(seen.event[1].event.data);
    ck_assert(!seen.event[1].event.invalidate);

    ck_assert_int_eq(seen.event[2].event.type, RPCRDMA_EVENT_RDMA_WRITE);
    ck_assert_uint_eq(seen.event[2].event.handle, UINT32_MAX);
    ck_assert_uint_eq(seen.event[2].event.offset, UINT64_MAX);
    ck_assert_uint_eq(seen.event[2].event.length, 1);

    assert_send(3, "\x01\x02", 2);
    ck_assert(seen.event[3].event.invalidate);
    ck_assert_uint_eq(seen.event[3].event.handle, 7);
    ck_assert_uint_eq(seen.event[3].index, 3);
    ck_assert_uint_eq(seen.event[3].connection_id, 0);

    ck_assert_int_eq(seen.event[4].event.type, RPCRDMA_EVENT_RDMA_READ);
    ck_assert_uint_eq(seen.event[4].index, 0);
    ck_assert_uint_eq(seen.event[4].connection_id, 1);
    ck_assert(!seen.event[4].config.reverse_direction);
    ck_assert_int_eq(seen.event[5].event.type, RPCRDMA_EVENT_DISCONNECT);
}
END_TEST

#define SEND "{\"from\":\"client\",\"send\":\"00\"}"
#define TRANSFER(members) ONE(SEND ",{\"from\":\"client\",\"rdmaRead\":{" members "}}")

static const struct {
    const char *text, *error;
    unsigned events; /* passed on before */
} wrong_vectors[] = {
    {"[]", "is not a vector file: \"schema\" is not \"rpcrdma-vectors-v1\"", 0},
    {"{\"schema\":1}", "is not a vector file: \"schema\" is not \"rpcrdma-vectors-v1\"", 0},
    {"{\"schema\":\"rpcrdma-vectors-v1\",\"x\":1}", "the file has an unknown member \"x\"", 0},
    {"{\"schema\":\"rpcrdma-vectors-v1\"}", "has no \"protocol\"", 0},
    {"{\"schema\":\"rpcrdma-vectors-v1\",\"protocol\":\"rpcrdma3\"}",
     "\"protocol\" is not \"rpcrdma1\", \"rpcrdma2-04\" or \"rpcrdma2-07\"", 0},
    {HEAD "]}", "has no \"tests\"", 0},
    {HEAD "{}]}", "tests[0]: has no \"id\" of lower-case words and hyphens", 0},
    {HEAD "7]}", "tests[0]: has no \"id\" of lower-case words and hyphens", 0},
    {HEAD TEST("a-", "\"events\":[" SEND "]") "]}",
     "tests[0]: has no \"id\" of lower-case words and hyphens", 0},
    {HEAD "{\"id\":\"a\"}]}", "test a: has no \"comment\"", 0},
    {HEAD TEST("a", "\"events\":[]") "]}", "test a: has no \"events\"", 0},
    {HEAD TEST("a", "\"event\":[]") "]}", "test a: the test has an unknown member \"event\"", 0},
    {HEAD TEST("a", "\"settings\":[],\"events\":[" SEND "]") "]}",
     "test a: \"settings\" is not an object", 0},
    {HEAD TEST("a", "\"settings\":{\"serverToClientInline\":1023},\"events\":[" SEND "]") "]}",
     "test a: \"serverToClientInline\" is not an integer from 1024 to 4294967295", 0},
    {HEAD TEST("a", "\"settings\":{\"reverseDirection\":0},\"events\":[" SEND "]") "]}",
     "test a: \"reverseDirection\" is neither true nor false", 0},
    {HEAD TEST("a", "\"settings\":{\"ulb\":\"smb\"},\"events\":[" SEND "]") "]}",
     "test a: \"ulb\" is neither \"none\" nor \"nfs\"", 0},
    {HEAD TEST("a", "\"events\":[" SEND "]") "," TEST("a", "\"events\":[" SEND "]") "]}",
     "test a: a second test of this id", 1},
    {ONE(SEND ",7"), "test one: event 1: the event is not an object", 1},
    {ONE(SEND ",{\"send\":\"00\"}"), "test one: event 1: has no \"from\"", 1},
    {ONE(SEND ",{\"from\":\"peer\",\"send\":\"00\"}"),
     "test one: event 1: \"from\" is neither \"client\" nor \"server\"", 1},
    {ONE(SEND ",{\"from\":\"client\"}"),
     "test one: event 1: has none of send, privateData, rdmaRead, rdmaWrite, disconnect, "
     "atomic, notReady, refused",
     1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"00\",\"disconnect\":true}"),
     "test one: event 1: has more than one of send, privateData, rdmaRead, rdmaWrite, disconnect, "
     "atomic, notReady, refused",
     1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"00\",\"sned\":1}"),
     "test one: event 1: the event has an unknown member \"sned\"", 1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":7}"), "test one: event 1: \"send\" is not a string",
     1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"00  00\"}"),
     "test one: event 1: \"send\" has no pair of lower-case hexadecimal digits at 3", 1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"000\"}"),
     "test one: event 1: \"send\" has no pair of lower-case hexadecimal digits at 2", 1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"0A\"}"),
     "test one: event 1: \"send\" has no pair of lower-case hexadecimal digits at 0", 1},
    {ONE(SEND ",{\"from\":\"client\",\"disconnect\":false}"),
     "test one: event 1: \"disconnect\" is not true", 1},
    {ONE(SEND ",{\"from\":\"client\",\"privateData\":\"00\",\"invalidate\":1}"),
     "test one: event 1: \"invalidate\" without \"send\"", 1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"00\",\"invalidate\":4294967296}"),
     "test one: event 1: \"invalidate\" is not an integer from 0 to 4294967295", 1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"00\",\"invalidate\":-1}"),
     "test one: event 1: \"invalidate\" is not an integer from 0 to 4294967295", 1},
    {TRANSFER("\"offset\":\"0x0\",\"data\":\"\""),
     "test one: event 1: \"rdmaRead\" has no \"handle\"", 1},
    {TRANSFER("\"handle\":1,\"offset\":\"0x10000000000000000\",\"data\":\"\""),
     "test one: event 1: \"offset\" is not \"0x\" with 1 to 16 lower-case digits", 1},
    {TRANSFER("\"handle\":1,\"offset\":\"0x\",\"data\":\"\""),
     "test one: event 1: \"offset\" is not \"0x\" with 1 to 16 lower-case digits", 1},
    {TRANSFER("\"handle\":1,\"offset\":1,\"data\":\"\""),
     "test one: event 1: \"offset\" is not \"0x\" with 1 to 16 lower-case digits", 1},
    {TRANSFER("\"handle\":1,\"offset\":\"0x1\""), "test one: event 1: \"data\" is not a string", 1},
    {TRANSFER("\"handle\":1,\"offset\":\"0x1\",\"data\":\"\",\"length\":1"),
     "test one: event 1: \"rdmaRead\" has an unknown member \"length\"", 1},
};

START_TEST(vectors_wrong)
{
    ck_assert(!read_text(wrong_vectors[_i].text));
    ck_assert_str_eq(error, wrong_vectors[_i].error);
    ck_assert_uint_eq(seen.events, wrong_vectors[_i].events);
}
END_TEST

START_TEST(vectors_no_json)
{
    static const char *const texts[] = {"{", "{\"schema\":\"a\",\"schema\":\"b\"}", "{} x",
                                        "{\"\\u0000\":1}", "{\"a\":\"\xff\"}"};
    ck_assert(!read_text(texts[_i]));
    ck_assert_int_eq(strncmp(error, "line 1, column ", 15), 0);
}
END_TEST

/* Depth that would break a parser that recurses without bound, and memory beyond the limit. */
static void read_filled(size_t size, const char *pattern)
{
    size_t step = strlen(pattern);
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < size; i++)
        text[i] = pattern[i % step];
    ck_assert(!read_octets(text, size));
    free(text);
}

START_TEST(vectors_deep)
{
    read_filled(1000000, "[");
    ck_assert_ptr_nonnull(strstr(error, "maximum parsing depth"));
}
END_TEST

START_TEST(vectors_greedy)
{
    options.format = SOURCE_VECTORS;
    char *text = malloc(((size_t)16 << 20) + 1);
    ck_assert_ptr_nonnull(text);
    text[0] = '[';
    for (size_t i = 1; i <= (size_t)16 << 20; i++)
        text[i] = "[],"[(i - 1) % 3];
    ck_assert(!read_octets(text, (size_t)16 << 20));
    ck_assert_str_eq(error, "not enough memory: a vector file is given 512 MiB");
    free(text);
}
END_TEST

START_TEST(vectors_long)
{
    options.format = SOURCE_VECTORS;
    read_filled(((size_t)64 << 20) + 1, " ");
    ck_assert_str_eq(error, "is longer than 64 MiB");
}
END_TEST

/* A file's own text cannot break the line, nor reach the terminal as a control sequence. */
START_TEST(vectors_no_controls)
{
    ck_assert(!read_text(HEAD TEST("a", "\"\\u001b[2J\\n\":1") "]}"));
    ck_assert_str_eq(error, "test a: the test has an unknown member \"?[2J?\"");
}
END_TEST

START_TEST(vectors_stop_with_sink)
{
    seen.stop_after = 1;
    ck_assert(read_text(HEAD TEST("a", "\"events\":[" SEND ",7]") ",7]}"));
    ck_assert_uint_eq(seen.events, 1);
    ck_assert_uint_eq(seen.closed, 1);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void)
{
    Suite *suite = suite_create("source");
    TCase *text = tcase_create("text"), *vectors = tcase_create("vectors");
    tcase_add_checked_fixture(text, setup, NULL);
    tcase_add_test(text, hex_lines);
    tcase_add_loop_test(text, hex_wrong, 0, COUNT(wrong_hex));
    tcase_add_test(text, hex_stops_with_sink);
    tcase_add_test(text, hex_long_line);
    tcase_add_test(text, raw_by_content);
    tcase_add_loop_test(text, raw_or_nothing, 0, 3);
    tcase_add_test(text, marked_text);
    tcase_add_loop_test(text, compressed_whole, 0, 3);
    tcase_add_loop_test(text, compressed_twice, 0, 3);
    tcase_add_loop_test(text, compressed_cut, 0, 3);
    tcase_add_loop_test(text, compressed_damaged, 0, 3);
    tcase_add_test(text, raw_by_option);
    tcase_add_test(text, hex_by_option);
    tcase_add_loop_test(text, capture_by_magic, 0, 7);
    tcase_add_test(text, unreadable);
    tcase_add_test(text, pipe_hex);
    tcase_add_test(text, pipe_raw);
    tcase_add_checked_fixture(vectors, setup, NULL);
    tcase_set_timeout(vectors, 60);
    tcase_add_test(vectors, vectors_events);
    tcase_add_loop_test(vectors, vectors_wrong, 0, COUNT(wrong_vectors));
    tcase_add_loop_test(vectors, vectors_no_json, 0, 5);
    tcase_add_test(vectors, vectors_deep);
    tcase_add_test(vectors, vectors_greedy);
    tcase_add_test(vectors, vectors_long);
    tcase_add_test(vectors, vectors_no_controls);
    tcase_add_test(vectors, vectors_stop_with_sink);
    suite_add_tcase(suite, text);
    suite_add_tcase(suite, vectors);
    return play_run(suite);
}
