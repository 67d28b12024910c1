// SPDX-License-Identifier: BSD-3-Clause
/* Each member of an event and of the settings of a vector: what is read, and what is refused. */
#include "conformance/input/source.h"
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_OF(protocol, tests)                                                                   \
    "{\"schema\":\"rpcrdma-vectors-v1\",\"protocol\":\"" protocol "\",\"title\":\"t\","            \
    "\"tests\":[" tests "]}"
#define TEST_OF(id, settings, events)                                                              \
    "{\"id\":\"" id "\",\"comment\":\"c\",\"settings\":" settings ",\"events\":[" events "]}"
#define SEND "{\"from\":\"client\",\"send\":\"00\"}"

static struct rpcrdma_event event;
static struct rpcrdma_check_config config;
static uint8_t data[64];
static unsigned events;
static char error[256];

/* The last event is kept. */
static bool see(void *arg, const struct source_event *seen)
{
    event = seen->event;
    config = *seen->config;
    ck_assert_uint_le(event.data ? event.length : 0, sizeof data);
    if (event.data)
        memcpy(data, event.data, event.length);
    events++;
    return true;
}

static bool read_json(const char *text)
{
    static struct source_counts counts;
    const struct source_options options = {.port = 20049};
    const struct source_sink sink = {.event = see};
    char name[] = P_tmpdir "/vector_members_test.XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    events = 0;
    error[0] = '\0';
    bool good = source_read(name, &options, &sink, &counts, error, sizeof error);
    unlink(name);
    return good;
}

static bool read_event(const char *members)
{
    char text[1024];
    snprintf(text, sizeof text, FILE_OF("rpcrdma1", TEST_OF("one", "{}", "{%s}")), members);
    return read_json(text);
}

static bool read_settings(const char *settings)
{
    char text[1024];
    snprintf(text, sizeof text, FILE_OF("rpcrdma2-07", TEST_OF("one", "%s", SEND)), settings);
    return read_json(text);
}

/* ---- events ---- */

START_TEST(refused)
{
    static const char *const words[] = {"write", "read"};
    for (int i = 0; i < 2; i++) {
        char members[256];
        snprintf(members, sizeof members,
                 "\"from\":\"server\",\"refused\":{\"operation\":\"%s\",\"handle\":9,"
                 "\"offset\":\"0x123456789abcdef0\",\"length\":7}",
                 words[i]);
        ck_assert_msg(read_event(members), "%s", error);
        ck_assert_int_eq(event.type, RPCRDMA_EVENT_REFUSED);
        ck_assert_int_eq(event.from, RPCRDMA_SERVER);
        ck_assert_int_eq(event.is_read, i == 1);
        ck_assert_uint_eq(event.handle, 9);
        ck_assert_uint_eq(event.offset, 0x123456789abcdef0);
        ck_assert_uint_eq(event.length, 7);
        ck_assert_ptr_null(event.data);
    }
}
END_TEST

START_TEST(registered)
{
    static const char *const words[] = {"read", "write", "both"};
    for (unsigned i = 0; i < 3; i++) {
        char members[256];
        snprintf(members, sizeof members,
                 "\"from\":\"client\",\"registered\":{\"access\":\"%s\",\"handle\":9,"
                 "\"offset\":\"0x123456789abcdef0\",\"length\":4294967295}",
                 words[i]);
        ck_assert_msg(read_event(members), "%s", error);
        ck_assert_int_eq(event.type, RPCRDMA_EVENT_REGISTERED);
        ck_assert_uint_eq(event.access, i + 1);
        ck_assert_uint_eq(event.handle, 9);
        ck_assert_uint_eq(event.offset, 0x123456789abcdef0);
        ck_assert_uint_eq(event.length, UINT32_MAX);
        ck_assert_ptr_null(event.data);
    }
    ck_assert(read_event("\"from\":\"server\",\"invalidated\":4294967295"));
    ck_assert_int_eq(event.type, RPCRDMA_EVENT_INVALIDATED);
    ck_assert_int_eq(event.from, RPCRDMA_SERVER);
    ck_assert_uint_eq(event.handle, UINT32_MAX);
    ck_assert(read_event("\"from\":\"client\",\"completed\":7"));
    ck_assert_int_eq(event.type, RPCRDMA_EVENT_COMPLETED);
    ck_assert_uint_eq(event.xid, 7);
    ck_assert_ptr_null(event.data);
}
END_TEST

START_TEST(others)
{
    ck_assert(read_event("\"from\":\"client\",\"notReady\":4294967295"));
    ck_assert_int_eq(event.type, RPCRDMA_EVENT_NOT_READY);
    ck_assert_uint_eq(event.received, UINT32_MAX);
    ck_assert_ptr_null(event.data);
    ck_assert(read_event("\"from\":\"server\",\"gap\":\"fault drop-reply:1\""));
    ck_assert_int_eq(event.type, RPCRDMA_EVENT_GAP);
    ck_assert_int_eq(event.from, RPCRDMA_SERVER);
    ck_assert_ptr_null(event.data);
    ck_assert(read_event("\"from\":\"client\",\"disconnect\":true"));
    ck_assert_int_eq(event.type, RPCRDMA_EVENT_DISCONNECT);
    ck_assert_ptr_null(event.data);
    ck_assert(read_event("\"from\":\"client\",\"atomic\":{\"handle\":1,\"offset\":\"0xf\","
                         "\"data\":\"00 ff\\n10\"}"));
    ck_assert_int_eq(event.type, RPCRDMA_EVENT_ATOMIC);
    ck_assert_uint_eq(event.length, 3);
    ck_assert_mem_eq(data, "\0\xff\x10", 3);
    ck_assert(read_event("\"from\":\"server\",\"send\":\"01\",\"invalidate\":0"));
    ck_assert(event.invalidate);
    ck_assert_uint_eq(event.handle, 0);
}
END_TEST

/* Octets of an event are those of no other: shorter after longer, and the other way round. */
START_TEST(octets)
{
    ck_assert(read_json(FILE_OF(
        "rpcrdma1", TEST_OF("one", "{}",
                            "{\"from\":\"client\",\"send\":\"000102030405060708090a0b\"}," SEND
                            ",{\"from\":\"client\",\"send\":\"0a0b0c0d0e0f\"}"))));
    ck_assert_uint_eq(events, 3);
    ck_assert_uint_eq(event.length, 6);
    ck_assert_mem_eq(data, "\x0a\x0b\x0c\x0d\x0e\x0f", 6);
}
END_TEST

#define REFUSED(members) "\"from\":\"client\",\"refused\":{" members "}"
#define REGISTERED(members) "\"from\":\"client\",\"registered\":{" members "}"
#define OFFSET_ERROR "test one: event 0: \"offset\" is not \"0x\" with 1 to 16 lower-case digits"
#define LENGTH_ERROR "test one: event 0: \"length\" is not an integer from 1 to 4294967295"

static const struct wrong {
    const char *members, *error;
} wrong_events[] = {
    {REFUSED("\"handle\":1,\"offset\":\"0x0\",\"length\":1"),
     "test one: event 0: \"refused\" has no \"operation\""},
    {REFUSED("\"operation\":\"read\",\"offset\":\"0x0\",\"length\":1"),
     "test one: event 0: \"refused\" has no \"handle\""},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"length\":1"),
     "test one: event 0: \"refused\" has no \"offset\""},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0x0\""),
     "test one: event 0: \"refused\" has no \"length\""},
    {REFUSED("\"operation\":\"reads\",\"handle\":1,\"offset\":\"0x0\",\"length\":1"),
     "test one: event 0: \"operation\" is none of \"write\", \"read\""},
    {REFUSED("\"operation\":\"read\",\"handle\":-1,\"offset\":\"0x0\",\"length\":1"),
     "test one: event 0: \"handle\" is not an integer from 0 to 4294967295"},
    {REFUSED("\"operation\":\"read\",\"handle\":4294967296,\"offset\":\"0x0\",\"length\":1"),
     "test one: event 0: \"handle\" is not an integer from 0 to 4294967295"},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0x0\",\"length\":0"), LENGTH_ERROR},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0x0\",\"length\":1.5"),
     LENGTH_ERROR},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0x0\",\"length\":1,\"more\":0"),
     "test one: event 0: \"refused\" has an unknown member \"more\""},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0x\",\"length\":1"), OFFSET_ERROR},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"10\",\"length\":1"), OFFSET_ERROR},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0xA\",\"length\":1"), OFFSET_ERROR},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0x1g\",\"length\":1"), OFFSET_ERROR},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":\"0x00000000000000001\","
             "\"length\":1"),
     OFFSET_ERROR},
    {REFUSED("\"operation\":\"read\",\"handle\":1,\"offset\":1,\"length\":1"), OFFSET_ERROR},
    {"\"from\":\"client\",\"refused\":1", "test one: event 0: \"refused\" is not an object"},
    {"\"from\":\"client\",\"notReady\":-1",
     "test one: event 0: \"notReady\" is not an integer from 0 to 4294967295"},
    {"\"from\":\"client\",\"disconnect\":false", "test one: event 0: \"disconnect\" is not true"},
    {"\"from\":\"client\",\"disconnect\":true,\"invalidate\":1",
     "test one: event 0: \"invalidate\" without \"send\""},
    {"\"from\":\"client\",\"send\":\"00\",\"invalidate\":\"1\"",
     "test one: event 0: \"invalidate\" is not an integer from 0 to 4294967295"},
    {"\"from\":\"client\",\"send\":\"0\"",
     "test one: event 0: \"send\" has no pair of lower-case hexadecimal digits at 0"},
    {"\"from\":\"client\",\"send\":\"00  01\"",
     "test one: event 0: \"send\" has no pair of lower-case hexadecimal digits at 3"},
    {"\"from\":\"client\",\"send\":\"00 0g\"",
     "test one: event 0: \"send\" has no pair of lower-case hexadecimal digits at 3"},
    {"\"from\":\"client\",\"send\":\"00AA\"",
     "test one: event 0: \"send\" has no pair of lower-case hexadecimal digits at 2"},
    {"\"from\":\"client\"",
     "test one: event 0: has none of send, privateData, rdmaRead, rdmaWrite, disconnect, atomic, "
     "notReady, refused, gap, registered, invalidated, completed"},
    {"\"from\":\"client\",\"gap\":true", "test one: event 0: \"gap\" is not a text"},
    {"\"from\":\"client\",\"gap\":\"\",\"disconnect\":true",
     "test one: event 0: has more than one of send, privateData, rdmaRead, rdmaWrite, disconnect, "
     "atomic, notReady, refused, gap, registered, invalidated, completed"},
    {REGISTERED("\"access\":\"all\",\"handle\":1,\"offset\":\"0x0\",\"length\":1"),
     "test one: event 0: \"access\" is none of \"read\", \"write\", \"both\""},
    {REGISTERED("\"handle\":1,\"offset\":\"0x0\",\"length\":1"),
     "test one: event 0: \"registered\" has no \"access\""},
    {REGISTERED("\"access\":\"read\",\"handle\":1,\"offset\":\"0x0\",\"length\":4294967296"),
     LENGTH_ERROR},
    {"\"from\":\"client\",\"invalidated\":-1",
     "test one: event 0: \"invalidated\" is not an integer from 0 to 4294967295"},
    {"\"from\":\"client\",\"completed\":4294967296",
     "test one: event 0: \"completed\" is not an integer from 0 to 4294967295"},
};

START_TEST(wrong_event)
{
    ck_assert(!read_event(wrong_events[_i].members));
    ck_assert_str_eq(error, wrong_events[_i].error);
    ck_assert_uint_eq(events, 0);
}
END_TEST

/* Of a long id the beginning is quoted, and what is wrong follows. */
START_TEST(long_id)
{
    char id[201], text[1024], expected[256];
    memset(id, 'x', 200);
    id[200] = '\0';
    snprintf(text, sizeof text, FILE_OF("rpcrdma1", TEST_OF("%s", "{}", "{\"from\":\"client\"}")),
             id);
    snprintf(expected, sizeof expected, "test %.80s: event 0: has none of send", id);
    ck_assert(!read_json(text));
    ck_assert_msg(strncmp(error, expected, strlen(expected)) == 0, "%s", error);
}
END_TEST

/* ---- settings ---- */

START_TEST(settings)
{
    ck_assert_msg(
        read_settings("{\"clientToServerInline\":1024,\"serverToClientInline\":4294967295,"
                      "\"maxReadChunk\":1,\"midStream\":true,\"captured\":true,"
                      "\"credits\":\"off\",\"continued\":1,"
                      "\"told\":{\"client\":{\"sbsiz\":1,\"rssiz\":3},"
                      "\"server\":{\"rbsiz\":2}},"
                      "\"counts\":{\"client\":{\"sent\":1,\"limit\":2},"
                      "\"server\":{\"sent\":3,\"limit\":4294967295}}}"),
        "%s", error);
    ck_assert_uint_eq(config.inline_threshold[RPCRDMA_CLIENT], 1024);
    ck_assert_uint_eq(config.inline_threshold[RPCRDMA_SERVER], UINT32_MAX);
    ck_assert_uint_eq(config.max_read_chunk, 1);
    ck_assert(config.mid_stream && config.seen_between && !config.reverse_direction);
    ck_assert_ptr_null(config.bindings);
    ck_assert_int_eq(config.draft, RPCRDMA_PROTOCOL_2_07);
    ck_assert_int_eq(config.credits, RPCRDMA_CREDITS_OFF);
    ck_assert_uint_eq(config.continued_octets, 1);
    ck_assert_uint_eq(config.properties_told[RPCRDMA_CLIENT], 1 << 0 | 1 << 2);
    ck_assert_uint_eq(config.properties_told[RPCRDMA_SERVER], 1 << 1);
    ck_assert_uint_eq(config.property[RPCRDMA_CLIENT][0], 1);
    ck_assert_uint_eq(config.property[RPCRDMA_CLIENT][2], 3);
    ck_assert_uint_eq(config.property[RPCRDMA_SERVER][1], 2);
    ck_assert(config.counts_known);
    ck_assert_uint_eq(config.sent[RPCRDMA_CLIENT], 1);
    ck_assert_uint_eq(config.limit[RPCRDMA_CLIENT], 2);
    ck_assert_uint_eq(config.sent[RPCRDMA_SERVER], 3);
    ck_assert_uint_eq(config.limit[RPCRDMA_SERVER], UINT32_MAX);
    ck_assert(read_settings("{\"credits\":\"halves\",\"ulb\":\"nfs\"}"));
    ck_assert_int_eq(config.credits, RPCRDMA_CREDITS_HALVES);
    ck_assert_ptr_nonnull(config.bindings);
    ck_assert(!config.counts_known && config.properties_told[0] == 0 &&
              config.properties_told[1] == 0);
    ck_assert(read_settings("{\"credits\":\"sum\",\"ulb\":\"none\"}"));
    ck_assert_int_eq(config.credits, RPCRDMA_CREDITS_SUM);
    ck_assert_ptr_null(config.bindings);
}
END_TEST

#define WRONG(text) "test one: " text

static const struct wrong wrong_settings[] = {
    {"1", WRONG("\"settings\" is not an object")},
    {"{\"ulb\":\"smb\"}", WRONG("\"ulb\" is none of \"none\", \"nfs\"")},
    {"{\"clientToServerInline\":1023}",
     WRONG("\"clientToServerInline\" is not an integer from 1024 to 4294967295")},
    {"{\"serverToClientInline\":1023}",
     WRONG("\"serverToClientInline\" is not an integer from 1024 to 4294967295")},
    {"{\"maxReadChunk\":0}", WRONG("\"maxReadChunk\" is not an integer from 1 to 4294967295")},
    {"{\"continued\":0}", WRONG("\"continued\" is not an integer from 1 to 4294967295")},
    {"{\"midStream\":1}", WRONG("\"midStream\" is neither true nor false")},
    {"{\"credits\":\"on\"}", WRONG("\"credits\" is none of \"sum\", \"halves\", \"off\"")},
    {"{\"credits\":1}", WRONG("\"credits\" is none of \"sum\", \"halves\", \"off\"")},
    {"{\"registrations\":\"none\"}",
     WRONG("\"registrations\" is none of \"client\", \"server\", \"both\"")},
    {"{\"told\":[]}", WRONG("\"told\" is not an object")},
    {"{\"told\":{\"peer\":{}}}", WRONG("\"told\" has an unknown member \"peer\"")},
    {"{\"told\":{\"client\":{\"x\":1}}}",
     WRONG("the set of properties has an unknown member \"x\"")},
    {"{\"told\":{\"server\":{\"sbsiz\":-1}}}",
     WRONG("\"sbsiz\" is not an integer from 0 to 4294967295")},
    {"{\"counts\":{\"client\":{\"sent\":1,\"limit\":2}}}", WRONG("the count is not an object")},
    {"{\"counts\":{\"client\":{\"sent\":1},\"server\":{\"sent\":1,\"limit\":2}}}",
     WRONG("the count has no \"limit\"")},
    {"{\"counts\":{\"client\":{\"limit\":1},\"server\":{\"sent\":1,\"limit\":2}}}",
     WRONG("the count has no \"sent\"")},
    {"{\"more\":1}", WRONG("\"settings\" has an unknown member \"more\"")},
};

START_TEST(wrong_setting)
{
    ck_assert(!read_settings(wrong_settings[_i].members));
    ck_assert_str_eq(error, wrong_settings[_i].error);
    ck_assert_uint_eq(events, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("members");
    tcase_add_test(tests, refused);
    tcase_add_test(tests, registered);
    tcase_add_test(tests, others);
    tcase_add_test(tests, octets);
    tcase_add_loop_test(tests, wrong_event, 0, COUNT(wrong_events));
    tcase_add_test(tests, long_id);
    tcase_add_test(tests, settings);
    tcase_add_loop_test(tests, wrong_setting, 0, COUNT(wrong_settings));
    return run_tests("members of vectors", tests);
}
