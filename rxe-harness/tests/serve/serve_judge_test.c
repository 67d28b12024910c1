// SPDX-License-Identifier: BSD-3-Clause
/* What `serve` sends to a Requester, message by message, and how it judges what the Requester does:
 * a Requester that is a list of its Sends. */
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/serve.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <poll.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGES 16
#define SENT 160 /* messages of the server's */
#define OCTETS 512

/* ---- the Requester ---- */

static struct {
    struct link link;
    struct {
        uint8_t octets[OCTETS];
        size_t length; /* 0: it waits for what comes */
    } says[MESSAGES];
    unsigned count, said;
    bool leaves, starves; /* after the last one */
    uint8_t got[SENT][OCTETS];
    size_t lengths[SENT];
    unsigned received;
    int slow;           /* milliseconds for each */
    uint8_t memory[64]; /* of any handle, from offset 0 on */
} client;

static bool take(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    (void)link, (void)handle;
    ck_assert_uint_lt(client.received, COUNT(client.got));
    ck_assert_uint_le(length, OCTETS);
    memcpy(client.got[client.received], octets, length);
    client.lengths[client.received++] = length;
    poll(NULL, 0, client.slow);
    return true;
}

static void speak(struct link *link, unsigned timeout, struct link_event *event)
{
    (void)timeout;
    *event = (struct link_event){.type = LINK_NOTHING};
    if (client.said == client.count) {
        event->type = client.leaves ? LINK_CLOSED : LINK_NOTHING;
        link->starved = client.starves;
        strcpy(link->why, client.starves ? "no Receive" : "it has left");
        return;
    }
    event->octets = client.says[client.said].octets;
    event->length = client.says[client.said++].length;
    event->type = event->length > 0 ? LINK_RECEIVED : LINK_NOTHING;
}

static bool read_memory(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    (void)link, (void)handle;
    ck_assert_uint_le(offset + length, sizeof client.memory);
    memcpy(octets, client.memory + offset, length);
    return true;
}

static bool write_memory(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    (void)link, (void)handle;
    ck_assert_uint_le(offset + length, sizeof client.memory);
    memcpy(client.memory + offset, octets, length);
    return true;
}

static void finish(struct link *link)
{
    (void)link;
}

static const struct link_ops ops = {
    .send = take, .wait = speak, .read = read_memory, .write = write_memory, .close = finish};

static void says(const uint32_t *words, size_t count)
{
    ck_assert_uint_lt(client.count, MESSAGES);
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(client.says[client.count].octets + 4 * i, words[i]);
    client.says[client.count++].length = 4 * count;
}
#define SAYS(...)                                                                                  \
    says((const uint32_t[]){__VA_ARGS__},                                                          \
         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define MSG(xid) xid, 1, 8, 0, 0, 0, 0
#define RPC(xid, procedure) xid, 0, 2, TEST_PROGRAM, TEST_VERSION, procedure, 0, 0, 0, 0
#define CALL(xid, procedure) MSG(xid), RPC(xid, procedure)
/* It is answered before it says more. */
#define SAYS_AND_WAITS(...) SAYS(__VA_ARGS__), says(NULL, 0)

/* ---- the server ---- */

static struct serve serve;
static const struct result *result; /* of the case */

static void setup(void)
{
    memset(&client, 0, sizeof client);
    client.link.ops = &ops;
    serve = (struct serve){.timeout = 10};
    result = NULL;
}

static void teardown(void)
{
    results_free(&serve.results);
}

static const struct serve_case *find(const char *id)
{
    const struct serve_case *test_case = serve_cases;
    while (strcmp(test_case->id, id) != 0)
        test_case++;
    return test_case;
}

static void run(const struct serve_case *test_case, const char *failure)
{
    struct server *server = server_new(&serve, test_case, &client.link);
    ck_assert_ptr_nonnull(server);
    while (client.said < client.count || client.leaves) {
        server_step(server, 0);
        if (client.said == client.count && !server_step(server, 0))
            break;
    }
    server_finish(server, failure);
    result = &serve.results.list[serve.last_result];
}

static uint32_t got(unsigned message, size_t word)
{
    ck_assert_uint_lt(message, client.received);
    ck_assert_uint_ge(client.lengths[message], 4 * word + 4);
    return rpcrdma_xdr_load32(client.got[message] + 4 * word);
}

/* An accepted Reply to NULL, with this grant. */
static void is_reply(unsigned message, uint32_t xid, uint32_t grant)
{
    const uint32_t words[] = {xid, 1, grant, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0};
    ck_assert_uint_lt(message, client.received);
    ck_assert_uint_eq(client.lengths[message], sizeof words);
    for (size_t i = 0; i < COUNT(words); i++)
        ck_assert_uint_eq(got(message, i), words[i]);
}

static bool is_unexpected(const struct serve_case *test_case, unsigned message, uint32_t xid)
{
    uint8_t octets[4 * SERVE_WORDS];
    for (size_t i = 0; i < SERVE_WORDS; i++) {
        uint32_t word = test_case->words[i];
        rpcrdma_xdr_store32(octets + 4 * i, word == SERVE_XID         ? xid
                                            : word == SERVE_OTHER_XID ? xid ^ 0x55000000
                                                                      : word);
    }
    return message < client.received && client.lengths[message] == test_case->length &&
           memcmp(client.got[message], octets, test_case->length) == 0;
}

/* ---- what is sent ---- */

/* From the second Call on, before the Reply, or once in its place. */
START_TEST(what_is_unexpected_comes_before_replies)
{
    const struct serve_case *test_case = &serve_cases[_i];
    if (test_case->length == 0 || test_case->series)
        return;
    for (uint32_t xid = 0x11; xid < 0x14; xid++)
        SAYS_AND_WAITS(CALL(xid, 0));
    run(test_case, NULL);
    unsigned at = 0;
    is_reply(at++, 0x11, RESPONDER_CREDITS);
    ck_assert(is_unexpected(test_case, at++, 0x12));
    if (!test_case->instead) {
        is_reply(at++, 0x12, RESPONDER_CREDITS);
        ck_assert(is_unexpected(test_case, at++, 0x13));
    }
    is_reply(at++, 0x13, RESPONDER_CREDITS);
    ck_assert_uint_eq(client.received, at);
    ck_assert_int_eq(result->ending, ENDING_REQUIRED);
    ck_assert_str_eq(result->actual, "the Requester went on");
    /* The first is in the report. */
    ck_assert_uint_eq(result->length, test_case->length);
    ck_assert_mem_eq(result->octets, client.got[1], result->length);
}
END_TEST

/* Four times the credits and one, no more at a time than Calls wait, then their Replies. */
START_TEST(a_series_comes_before_its_reply)
{
    enum { COUNT_OF_SERIES = 4 * RESPONDER_CREDITS + 1 };
    const struct serve_case *test_case = find("series-of-replies-of-version-zero");
    SAYS_AND_WAITS(CALL(0x11, 0));
    SAYS(CALL(0x12, 0));
    SAYS_AND_WAITS(CALL(0x13, 0));
    struct server *server = server_new(&serve, test_case, &client.link);
    for (unsigned i = 0, before = 0; i < 2 * COUNT_OF_SERIES; i++, before = client.received) {
        server_step(server, (unsigned)_i);
        ck_assert(_i > 0 || client.received - before <= 2);
    }
    server_finish(server, NULL);
    is_reply(0, 0x11, RESPONDER_CREDITS);
    for (unsigned i = 1; i <= COUNT_OF_SERIES; i++)
        ck_assert(is_unexpected(test_case, i, 0x12));
    is_reply(COUNT_OF_SERIES + 1, 0x12, RESPONDER_CREDITS);
    is_reply(COUNT_OF_SERIES + 2, 0x13, RESPONDER_CREDITS);
    ck_assert_uint_eq(client.received, COUNT_OF_SERIES + 3);
    ck_assert_int_eq(serve.results.list[serve.last_result].ending, ENDING_NOT_APPLICABLE);
}
END_TEST

/* Who takes them slowly gets its Reply before it has waited too long, after more than it has
 * credits for. */
START_TEST(a_slow_series_ends)
{
    const struct serve_case *test_case = find("series-of-replies-of-version-zero");
    SAYS_AND_WAITS(CALL(0x11, 0));
    SAYS_AND_WAITS(CALL(0x12, 0));
    client.slow = 1500 / (RESPONDER_CREDITS + 10);
    struct server *server = server_new(&serve, test_case, &client.link);
    for (unsigned i = 0; i < 4; i++)
        server_step(server, 1);
    server_finish(server, NULL);
    ck_assert_uint_gt(client.received, RESPONDER_CREDITS + 2);
    ck_assert_uint_lt(client.received, 2 * RESPONDER_CREDITS);
    is_reply(client.received - 1, 0x12, RESPONDER_CREDITS);
}
END_TEST

START_TEST(a_reply_comes_twice)
{
    for (uint32_t xid = 0x11; xid < 0x14; xid++)
        SAYS_AND_WAITS(CALL(xid, 0));
    run(find("reply-twice"), NULL);
    static const uint32_t xids[] = {0x11, 0x12, 0x12, 0x13, 0x13};
    ck_assert_uint_eq(client.received, COUNT(xids));
    for (unsigned i = 0; i < COUNT(xids); i++)
        is_reply(i, xids[i], RESPONDER_CREDITS);
}
END_TEST

START_TEST(grants_come_in_turn)
{
    static const char *const ids[] = {"grant-of-zero", "grants-rise-and-fall",
                                      "grant-without-bounds"};
    const struct serve_case *test_case = find(ids[_i]);
    for (uint32_t xid = 0x11; xid < 0x19; xid++)
        SAYS_AND_WAITS(CALL(xid, 0));
    run(test_case, NULL);
    ck_assert_uint_eq(client.received, 8);
    for (unsigned i = 0; i < 8; i++)
        is_reply(i, 0x11 + i, test_case->grant[i % SERVE_GRANTS]);
}
END_TEST

/* A Call of FETCH with a Write chunk of two segments. */
#define FETCH(xid) xid, 1, 8, 0, 0, 1, 2, 77, 8, 0, 0, 78, 8, 0, 8, 0, 0, RPC(xid, TEST_FETCH), 10

START_TEST(write_lists_are_falsified)
{
    static const struct {
        const char *id;
        uint32_t words[24];
        size_t count;
    } rows[] = {
        {"write-chunk-returned-longer",
         {0x12, 1, 32, 0, 0, 1, 2, 77, 1 << 20, 0, 0, 78, 2, 0, 8, 0, 0},
         17},
        {"write-chunk-returned-with-other-handle",
         {0x12, 1, 32, 0, 0, 1, 2, 77 ^ 0x5a5a0000, 8, 0, 0, 78, 2, 0, 8, 0, 0},
         17},
        {"write-chunk-returned-with-surplus",
         {0x12, 1, 32, 0, 0, 1, 3, 77, 8, 0, 0, 78, 2, 0, 8, 77, 8, 0, 0, 0, 0},
         21},
        {"write-chunk-not-returned", {0x12, 1, 32, 0, 0, 0, 0}, 7},
    };
    static const uint32_t failed[] = {0x12, 1, 0, 0, 0, 0, 5, 0}; /* NFS3ERR_IO */
    SAYS_AND_WAITS(CALL(0x11, 0));
    SAYS_AND_WAITS(FETCH(0x12));
    run(find(rows[_i].id), NULL);
    ck_assert_uint_eq(client.received, 3);
    is_reply(0, 0x11, 32); /* has no list that could be false */
    ck_assert_uint_eq(client.lengths[1], 4 * (rows[_i].count + COUNT(failed)));
    for (size_t i = 0; i < rows[_i].count; i++)
        ck_assert_uint_eq(got(1, i), rows[_i].words[i]);
    for (size_t i = 0; i < COUNT(failed); i++)
        ck_assert_uint_eq(got(1, rows[_i].count + i), failed[i]);
    /* The right one comes after it. */
    static const uint32_t right[] = {0x12, 1, 32, 0, 0, 1, 2, 77, 8, 0, 0, 78, 2, 0, 8, 0, 0};
    for (size_t i = 0; i < COUNT(right); i++)
        ck_assert_uint_eq(got(2, i), right[i]);
    for (size_t i = 0; i < 10; i++)
        ck_assert_uint_eq(client.memory[i], i);
}
END_TEST

/* ---- how it is judged ---- */

static bool is_accused(const char *rule)
{
    for (size_t i = 0; i < serve.results.count; i++) {
        const struct result *other = &serve.results.list[i];
        if (other->rule && strcmp(other->rule, rule) == 0 && other->breaks)
            return true;
    }
    return false;
}

static const struct {
    const char *id;
    unsigned calls;
    bool leaves, starves;
    const char *failure;
    enum ending ending;
    const char *text;
} endings[] = {
    {"serve-plainly", 0, false, false, NULL, ENDING_NOT_APPLICABLE,
     "the Requester made 0 Calls, none of use for this"},
    {"serve-plainly", 1, false, false, NULL, ENDING_NOT_APPLICABLE,
     "the Requester made 1 Calls, none of use for this"},
    {"serve-plainly", 2, false, false, NULL, ENDING_REQUIRED, "no further Call"},
    {"serve-plainly", 3, false, false, NULL, ENDING_REQUIRED, "the Requester went on"},
    {"serve-plainly", 3, true, false, NULL, ENDING_REQUIRED, "the Requester went on"},
    {"serve-plainly", 3, true, true, NULL, ENDING_CLOSED, "a Reply found no Receive: no Receive"},
    {"serve-plainly", 3, false, false, "it is broken", ENDING_WRONG, "it is broken"},
    {"reply-of-27-octets", 2, true, false, NULL, ENDING_CLOSED,
     "the end of the connection: it has left"},
    {"reply-of-27-octets", 3, true, false, NULL, ENDING_REQUIRED, "the Requester went on"},
    {"reply-of-27-octets", 2, true, true, NULL, ENDING_CLOSED,
     "the end of the connection: no Receive"},
    {"reply-of-27-octets", 1, true, false, NULL, ENDING_NOT_APPLICABLE,
     "the Requester made 1 Calls, none of use for this"},
    {"error-chunk", 2, true, false, NULL, ENDING_REQUIRED, "no further Call"},
    {"v2-connprop", 2, true, false, NULL, ENDING_REQUIRED, "no further Call"}, /* no rule */
    {"reply-twice", 2, true, true, NULL, ENDING_CLOSED, "the end of the connection: no Receive"},
    {"reverse-null", 3, false, false, NULL, ENDING_NOT_APPLICABLE,
     "the Requester made 3 Calls, none of use for this: no session with a back channel, or no "
     "delegation"},
    {"write-chunk-not-returned", 3, false, false, NULL, ENDING_NOT_APPLICABLE,
     "the Requester made 3 Calls, none of use for this"},
};

START_TEST(connections_are_judged)
{
    for (uint32_t i = 0; i < endings[_i].calls; i++)
        SAYS_AND_WAITS(CALL(0x11 + i, 0));
    client.leaves = endings[_i].leaves;
    client.starves = endings[_i].starves;
    run(find(endings[_i].id), endings[_i].failure);
    ck_assert_str_eq(result->actual, endings[_i].text);
    ck_assert_int_eq(result->ending, endings[_i].ending);
    ck_assert_str_eq(result->expected, "the Requester tolerates it and goes on");
    ck_assert_int_eq(result->breaks, ending_is_failure(endings[_i].ending));
    ck_assert_str_eq(result->test, endings[_i].id);
}
END_TEST

/* A connection on which nothing unexpected comes is the measure. */
static void measure(unsigned calls, bool leaves)
{
    for (uint32_t i = 0; i < calls; i++)
        SAYS_AND_WAITS(CALL(0x1001 + i, i));
    client.leaves = leaves;
    struct server *server = server_new(&serve, &serve_cases[0], &client.link);
    while (client.said < client.count)
        server_step(server, 0);
    server_step(server, 0);
    server_measure(server);
    server_free(server);
    memset(&client, 0, sizeof client);
    client.link.ops = &ops;
}

static const struct {
    bool same;
    unsigned plain, made; /* kinds of Calls: by the measure, here */
    const char *id;
    enum ending ending;
    const char *text;
} measures[] = {
    {true, 3, 3, "reply-of-27-octets", ENDING_REQUIRED, "the Requester went on"},
    {true, 4, 3, "reply-of-27-octets", ENDING_WRONG,
     "not borne: no Call of program 536904039, version 1, procedure 3 any more, which comes where "
     "nothing unexpected is sent"},
    {false, 4, 3, "reply-of-27-octets", ENDING_REQUIRED, "the Requester went on"},
    {true, 4, 3, "error-chunk", ENDING_REQUIRED, "the Requester went on"},
    {true, 4, 3, "v2-connprop", ENDING_REQUIRED,
     "not borne: no Call of program 536904039, version 1, procedure 3 any more, which comes where "
     "nothing unexpected is sent"},
    {true, 3, 0, "private-data-absent", ENDING_CLOSED, "the Requester connected, and made no Call"},
    {true, 0, 0, "private-data-absent", ENDING_NOT_APPLICABLE,
     "the Requester made 0 Calls, none of use for this"},
};

START_TEST(calls_are_missed)
{
    const bool leaves = _i >= (int)COUNT(measures);
    _i %= (int)COUNT(measures);
    measure(measures[_i].plain, false);
    ck_assert(!serve.leaves);
    client.leaves = leaves;
    serve.same = measures[_i].same;
    for (uint32_t i = 0; i < measures[_i].made; i++)
        SAYS_AND_WAITS(CALL(0x11 + i, i));
    run(find(measures[_i].id), NULL);
    ck_assert_str_eq(result->actual, measures[_i].text);
    ck_assert_int_eq(result->ending, measures[_i].ending);
    ck_assert_int_eq(serve.lost, strncmp(measures[_i].text, "not borne", 9) == 0);
    ck_assert_int_eq(serve.is_silent, serve.lost && !leaves); /* who has left says nothing */
    /* Nobody comes any more: that is charged to it. */
    bool lost = serve.lost;
    size_t at = serve.last_result;
    serve_nobody(&serve, find("empty-send"));
    ck_assert_int_eq(serve.results.list[at].ending, lost ? ENDING_CRASHED : measures[_i].ending);
    const struct result *last = &serve.results.list[serve.results.count - 1];
    ck_assert_str_eq(last->actual, "no Requester connected");
    ck_assert_int_eq(last->ending, ENDING_NOT_APPLICABLE);
}
END_TEST

/* Who leaves where nothing unexpected comes may leave here, and nothing is known then. */
START_TEST(who_always_leaves_may)
{
    measure(3, true);
    ck_assert(serve.leaves);
    SAYS_AND_WAITS(CALL(0x11, 0));
    SAYS_AND_WAITS(CALL(0x12, 0));
    client.leaves = true;
    run(find("reply-of-27-octets"), NULL);
    ck_assert_int_eq(result->ending, ENDING_NOT_APPLICABLE);
    ck_assert_str_eq(result->actual, "not judged: no Call came after it");
}
END_TEST

/* The Call that an RDMA_ERROR has ended comes again: on this connection, or on the next. */
START_TEST(an_ended_call_comes_again)
{
    SAYS_AND_WAITS(CALL(0x11, 0));
    SAYS_AND_WAITS(CALL(0x12, 0));
    if (_i == 0)
        SAYS_AND_WAITS(CALL(0x12, 0));
    run(find("error-chunk"), NULL);
    ck_assert_int_eq(result->ending, _i == 0 ? ENDING_WRONG : ENDING_REQUIRED);
    size_t first = serve.last_result;
    if (_i == 1) {
        memset(&client, 0, sizeof client);
        client.link.ops = &ops;
        SAYS_AND_WAITS(CALL(0x12, 0));
        SAYS_AND_WAITS(CALL(0x13, 0));
        run(find("reply-of-27-octets"), NULL);
        /* That connection goes on with the one before it: nothing unexpected comes. */
        ck_assert_uint_eq(client.received, 2);
        is_reply(0, 0x12, 32);
        is_reply(1, 0x13, 32);
    }
    ck_assert_int_eq(serve.results.list[first].ending, ENDING_WRONG);
    ck_assert_str_eq(serve.results.list[first].actual, "the Call that has ended comes again");
}
END_TEST

/* Another Call comes again on the next connection: its Reply may have been lost with this one. And
 * a connection on which no Call was ended has no such Call. */
START_TEST(another_call_comes_again)
{
    for (uint32_t xid = 0x11; xid < 0x14; xid++)
        SAYS_AND_WAITS(CALL(xid, 0));
    run(find("error-chunk"), NULL);
    ck_assert_int_eq(result->ending, ENDING_REQUIRED);
    ck_assert(serve.ended);
    size_t first = serve.last_result;
    memset(&client, 0, sizeof client);
    client.link.ops = &ops;
    SAYS_AND_WAITS(CALL(0x13, 0));
    run(find("reply-of-27-octets"), NULL);
    is_reply(0, 0x13, 32);
    ck_assert_int_eq(serve.results.list[first].ending, ENDING_REQUIRED);
    ck_assert_str_eq(serve.results.list[first].actual, "the Requester went on");
    ck_assert(!serve.ended);
}
END_TEST

/* ---- what the checker says of it ---- */

START_TEST(sends_and_reads_are_judged)
{
    SAYS_AND_WAITS(CALL(0x11, 0));
    SAYS_AND_WAITS(0x12, 1, 8, 1, 1, 0, 77, 40, 0, 0, 0, 0, 0); /* a Long Call */
    static const uint32_t rpc[] = {RPC(0x12, 0)};
    for (size_t i = 0; i < COUNT(rpc); i++)
        rpcrdma_xdr_store32(client.memory + 4 * i, rpc[i]);
    if (_i == 1)
        rpcrdma_xdr_store32(client.memory, 0x13); /* another XID than that of the header */
    run(&serve_cases[0], NULL);
    ck_assert_int_eq(is_accused("rfc8166/4.2.1/xid-equal"), _i == 1);
    ck_assert_uint_eq(client.received, 2);
}
END_TEST

START_TEST(the_announcement_is_judged)
{
    static const uint32_t xid = 0x11;
    /* Without private data of ours its Sends have 1024 octets at most. */
    SAYS_AND_WAITS(CALL(xid, 0));
    memset(client.says[0].octets + 68, 0, 400);
    client.says[0].length = 468;
    run(find("private-data-absent"), NULL);
    ck_assert(!is_accused("rfc8166/4.2.4/send-within-threshold"));
    struct link_options options;
    uint8_t octets[ANNOUNCEMENT_MAX];
    options = serve_link_options(find("private-data-absent"), octets);
    ck_assert_uint_eq(options.private_length, 0);
    options = serve_link_options(find("private-data-after-others"), octets);
    ck_assert_mem_eq(options.private_data, "xyz", 3);
    options = serve_link_options(&serve_cases[0], octets);
    ck_assert_uint_eq(options.private_length, responder_options()->private_length);
}
END_TEST

/* ---- which cases ---- */

START_TEST(cases_are_chosen_by_name)
{
    static const struct {
        const char *only, *skipped, *id;
        bool hazardous, wanted;
    } rows[] = {
        {NULL, NULL, "reply-twice", false, true},
        {NULL, NULL, "write-chunk-not-returned", false, false},
        {NULL, NULL, "write-chunk-not-returned", true, true},
        {"reply-twice", NULL, "reply-twice", false, true},
        {"reply-twic", NULL, "reply-twice", false, false},
        {"reply-twice2", NULL, "reply-twice", false, false},
        {"reply-*", NULL, "reply-twice", false, true},
        {"reply-*", NULL, "empty-send", false, false},
        {"reply-twice*", NULL, "reply-twice", false, true},
        {"*", NULL, "reply-twice", false, true},
        {"", NULL, "reply-twice", false, false},
        {"write-chunk-not-returned", NULL, "write-chunk-not-returned", false, true},
        {"write-chunk-*", NULL, "write-chunk-not-returned", false, false},
        {"write-chunk-*", NULL, "write-chunk-not-returned", true, true},
        {NULL, "reply-twice", "reply-twice", false, false},
        {NULL, "reply-*", "reply-twice", false, false},
        {NULL, "error-*", "reply-twice", false, true},
        {"reply-*", "reply-twice", "reply-twice", false, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct serve_selection selection = {.hazardous = rows[i].hazardous};
        if (rows[i].only)
            chosen_add(&selection.cases, rows[i].only);
        if (rows[i].skipped)
            chosen_add(&selection.skipped, rows[i].skipped);
        const struct serve_case *test_case = find(rows[i].id);
        ck_assert_msg(serve_selects(&selection, test_case->id, test_case->hazardous) ==
                          rows[i].wanted,
                      "row %zu", i);
        chosen_free(&selection.cases);
        chosen_free(&selection.skipped);
    }
}
END_TEST

int main(void)
{
    int cases = 0;
    while (serve_cases[cases].id)
        cases++;
    TCase *tests = tcase_create("serve: judgements");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, what_is_unexpected_comes_before_replies, 0, cases);
    tcase_add_loop_test(tests, a_series_comes_before_its_reply, 0, 2);
    tcase_add_test(tests, a_slow_series_ends);
    tcase_add_test(tests, a_reply_comes_twice);
    tcase_add_loop_test(tests, grants_come_in_turn, 0, 3);
    tcase_add_loop_test(tests, write_lists_are_falsified, 0, 4);
    tcase_add_loop_test(tests, connections_are_judged, 0, COUNT(endings));
    tcase_add_loop_test(tests, calls_are_missed, 0, 2 * COUNT(measures));
    tcase_add_test(tests, who_always_leaves_may);
    tcase_add_loop_test(tests, an_ended_call_comes_again, 0, 2);
    tcase_add_test(tests, another_call_comes_again);
    tcase_add_loop_test(tests, sends_and_reads_are_judged, 0, 2);
    tcase_add_test(tests, the_announcement_is_judged);
    tcase_add_test(tests, cases_are_chosen_by_name);
    return run_tests("serve: judgements", tests);
}
