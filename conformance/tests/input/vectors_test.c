// SPDX-License-Identifier: BSD-3-Clause
/* The reader of vector files: events as they are written, and what is wrong with files. */
#include "conformance/tests/support/captures/sources.h"
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

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
                  "%s", got_error);
    ck_assert_uint_eq(got.events, 6);
    ck_assert_uint_eq(got.closed, 2);
    ck_assert_uint_eq(got_counts.events, 6);
    ck_assert_uint_eq(got_counts.connections, 2);

    ck_assert_int_eq(got.event[0].event.type, RPCRDMA_EVENT_PRIVATE_DATA);
    ck_assert_int_eq(got.event[0].event.from, RPCRDMA_SERVER);
    ck_assert_uint_eq(got.event[0].event.length, 5);
    ck_assert_mem_eq(got.event[0].data, "\xf6\xab\x0e\x18\x01", 5);
    ck_assert_str_eq(got.event[0].test, "a-1");
    ck_assert_str_eq(got.event[0].connection, "a-1");
    ck_assert_uint_eq(got.event[0].config.inline_threshold[RPCRDMA_CLIENT], 4096);
    ck_assert_uint_eq(got.event[0].config.inline_threshold[RPCRDMA_SERVER], 0);
    ck_assert(got.event[0].config.reverse_direction);
    ck_assert(!got.event[0].config.mid_stream);

    assert_send(1, "", 0);
    ck_assert_ptr_nonnull(got.event[1].event.data);
    ck_assert(!got.event[1].event.invalidate);

    ck_assert_int_eq(got.event[2].event.type, RPCRDMA_EVENT_RDMA_WRITE);
    ck_assert_uint_eq(got.event[2].event.handle, UINT32_MAX);
    ck_assert_uint_eq(got.event[2].event.offset, UINT64_MAX);
    ck_assert_uint_eq(got.event[2].event.length, 1);

    assert_send(3, "\x01\x02", 2);
    ck_assert(got.event[3].event.invalidate);
    ck_assert_uint_eq(got.event[3].event.handle, 7);
    ck_assert_uint_eq(got.event[3].index, 3);
    ck_assert_uint_eq(got.event[3].connection_id, 0);

    ck_assert_int_eq(got.event[4].event.type, RPCRDMA_EVENT_RDMA_READ);
    ck_assert_uint_eq(got.event[4].index, 0);
    ck_assert_uint_eq(got.event[4].connection_id, 1);
    ck_assert(!got.event[4].config.reverse_direction);
    ck_assert_int_eq(got.event[5].event.type, RPCRDMA_EVENT_DISCONNECT);
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
     "test a: \"ulb\" is none of \"none\", \"nfs\"", 0},
    {HEAD TEST("a", "\"events\":[" SEND "]") "," TEST("a", "\"events\":[" SEND "]") "]}",
     "test a: a second test of this id", 1},
    {HEAD TEST("a", "\"events\":[" SEND "]") ",{}]}",
     "tests[1]: has no \"id\" of lower-case words and hyphens", 1},
    {ONE(SEND ",7"), "test one: event 1: the event is not an object", 1},
    {ONE(SEND ",{\"send\":\"00\"}"), "test one: event 1: has no \"from\"", 1},
    {ONE(SEND ",{\"from\":\"peer\",\"send\":\"00\"}"),
     "test one: event 1: \"from\" is none of \"client\", \"server\"", 1},
    {ONE(SEND ",{\"from\":\"client\"}"),
     "test one: event 1: has none of send, privateData, rdmaRead, rdmaWrite, disconnect, "
     "atomic, notReady, refused, gap, registered, invalidated, completed",
     1},
    {ONE(SEND ",{\"from\":\"client\",\"send\":\"00\",\"disconnect\":true}"),
     "test one: event 1: has more than one of send, privateData, rdmaRead, rdmaWrite, disconnect, "
     "atomic, notReady, refused, gap, registered, invalidated, completed",
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
    ck_assert_str_eq(got_error, wrong_vectors[_i].error);
    ck_assert_uint_eq(got.events, wrong_vectors[_i].events);
}
END_TEST

START_TEST(vectors_no_json)
{
    static const char *const texts[] = {"{", "{\"schema\":\"a\",\"schema\":\"b\"}", "{} x",
                                        "{\"\\u0000\":1}", "{\"a\":\"\xff\"}"};
    ck_assert(!read_text(texts[_i]));
    ck_assert_int_eq(strncmp(got_error, "line 1, column ", 15), 0);
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
    ck_assert_ptr_nonnull(strstr(got_error, "maximum parsing depth"));
}
END_TEST

START_TEST(vectors_greedy)
{
    got_options.format = SOURCE_VECTORS;
    char *text = malloc(((size_t)16 << 20) + 1);
    ck_assert_ptr_nonnull(text);
    text[0] = '[';
    for (size_t i = 1; i <= (size_t)16 << 20; i++)
        text[i] = "[],"[(i - 1) % 3];
    ck_assert(!read_octets(text, (size_t)16 << 20));
    ck_assert_str_eq(got_error, "not enough memory: vectors are given 512 MiB");
    free(text);
}
END_TEST

START_TEST(vectors_long)
{
    got_options.format = SOURCE_VECTORS;
    read_filled(((size_t)64 << 20) + 1, " ");
    ck_assert_str_eq(got_error, "is longer than 64 MiB");
}
END_TEST

/* A file's own text cannot break the line, nor reach the terminal as a control sequence. */
START_TEST(vectors_no_controls)
{
    ck_assert(!read_text(HEAD TEST("a", "\"\\u001b[2J\\n\":1") "]}"));
    ck_assert_str_eq(got_error, "test a: the test has an unknown member \"?[2J?\"");
}
END_TEST

START_TEST(vectors_stop_with_sink)
{
    got.stop_after = 1;
    ck_assert(read_text(HEAD TEST("a", "\"events\":[" SEND ",7]") ",7]}"));
    ck_assert_uint_eq(got.events, 1);
    ck_assert_uint_eq(got.closed, 1);
}
END_TEST

int main(void)
{
    TCase *vectors = tcase_create("vectors");
    tcase_add_checked_fixture(vectors, begin_reading, NULL);
    tcase_set_timeout(vectors, 60);
    tcase_add_test(vectors, vectors_events);
    tcase_add_loop_test(vectors, vectors_wrong, 0, COUNT(wrong_vectors));
    tcase_add_loop_test(vectors, vectors_no_json, 0, 5);
    tcase_add_test(vectors, vectors_deep);
    tcase_add_test(vectors, vectors_greedy);
    tcase_add_test(vectors, vectors_long);
    tcase_add_test(vectors, vectors_no_controls);
    tcase_add_test(vectors, vectors_stop_with_sink);
    return run_tests("vectors", vectors);
}
