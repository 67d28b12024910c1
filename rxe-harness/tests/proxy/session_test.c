// SPDX-License-Identifier: BSD-3-Clause
/* One connection through the proxy, between two links that do as they are asked: what is counted,
 * limited and said of it. */
#include "rxe-harness/proxy/proxy.h"
#include "rxe-harness/proxy/version2.h"

#include "conformance/base/count.h"
#include "conformance/base/interrupt.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- two links ---- */

enum { WORDS = 32, EVENTS = 8 };

struct side {
    struct link link; /* the first member */
    struct {
        uint8_t octets[4 * WORDS];
        const uint8_t *whole; /* in place of octets, of a long one */
        size_t length;
        bool closes;
    } comes[EVENTS];
    unsigned count, taken;
    uint8_t got[EVENTS][4 * WORDS]; /* what the proxy sent there */
    size_t lengths[EVENTS];
    unsigned sent;
    bool closed;
};

static struct side sides[2];
static struct proxy proxy;
static struct proxy_session *session;
static struct transport target;
static struct link_options asked;
static uint8_t asked_data[LINK_PRIVATE_DATA_MAX];

static bool take_send(struct link *link, const void *octets, size_t length,
                      const uint32_t *invalidate)
{
    struct side *side = (struct side *)link;
    ck_assert_ptr_null(invalidate);
    ck_assert_uint_lt(side->sent, EVENTS);
    memcpy(side->got[side->sent], octets,
           length < sizeof side->got[0] ? length : sizeof side->got[0]);
    side->lengths[side->sent++] = length;
    return true;
}

static void give_event(struct link *link, unsigned timeout, struct link_event *event)
{
    struct side *side = (struct side *)link;
    (void)timeout;
    *event = (struct link_event){.type = LINK_NOTHING};
    if (side->taken == side->count)
        return;
    unsigned at = side->taken++;
    event->type = side->comes[at].closes ? LINK_CLOSED : LINK_RECEIVED;
    event->octets = side->comes[at].whole ? side->comes[at].whole : side->comes[at].octets;
    event->length = side->comes[at].length;
}

static void close_side(struct link *link)
{
    ((struct side *)link)->closed = true;
}

static const struct link_ops ops = {.send = take_send, .wait = give_event, .close = close_side};

static struct link *connect_target(struct transport *transport, const struct link_options *options)
{
    ck_assert_ptr_eq(transport, &target);
    asked = *options;
    if (options->private_length > 0)
        memcpy(asked_data, options->private_data, options->private_length);
    return &sides[RPCRDMA_SERVER].link;
}

static void set_up(void)
{
    static const struct transport_ops target_ops = {.connect = connect_target};
    memset(sides, 0, sizeof sides);
    sides[0].link.ops = sides[1].link.ops = &ops;
    target = (struct transport){.ops = &target_ops};
    proxy = (struct proxy){.timeout = 7, .target = &target, .draft = RPCRDMA_PROTOCOL_2_07};
}

static void begin(void)
{
    session = proxy_begin(&proxy, &sides[RPCRDMA_CLIENT].link, &sides[RPCRDMA_SERVER].link);
    ck_assert_ptr_nonnull(session);
}

static void comes(enum rpcrdma_endpoint from, const uint32_t *words, size_t count)
{
    struct side *side = &sides[from];
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(side->comes[side->count].octets + 4 * i, words[i]);
    side->comes[side->count++].length = 4 * count;
    ck_assert(proxy_step(session, 0));
    ck_assert(!proxy_step(session, 0));
}
#define COMES(from, ...)                                                                           \
    comes(from, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define CLIENT(...) COMES(RPCRDMA_CLIENT, __VA_ARGS__)
#define SERVER(...) COMES(RPCRDMA_SERVER, __VA_ARGS__)

static void closes(enum rpcrdma_endpoint from, const char *why)
{
    struct side *side = &sides[from];
    snprintf(side->link.why, sizeof side->link.why, "%s", why);
    side->comes[side->count++].closes = true;
    proxy_step(session, 0);
    ck_assert(proxy_gone(session));
}

/* The word of the last Send that came there. */
static uint32_t got(enum rpcrdma_endpoint to, size_t word)
{
    const struct side *side = &sides[to];
    ck_assert_uint_gt(side->sent, 0);
    ck_assert_uint_ge(side->lengths[side->sent - 1], 4 * word + 4);
    return rpcrdma_xdr_load32(side->got[side->sent - 1] + 4 * word);
}

static const struct result *end(void)
{
    proxy_end(session);
    session = NULL;
    ck_assert(sides[0].closed && sides[1].closed);
    return &proxy.results.list[proxy.results.count - 1];
}

static void tear_down(void)
{
    if (session)
        end();
    results_free(&proxy.results);
}

/* ---- messages ---- */

#define CALL(xid) xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0
#define REPLY(xid) xid, 1, 0, 0, 0, 0
#define MSG(xid, credits) xid, 1, credits, RPCRDMA1_MSG, 0, 0, 0
#define CALL_07(xid, credits) xid, 2, credits, RPCRDMA2_07_CALL_INLINE, 0, 0, 0, 0, CALL(xid)
#define REPLY_07(xid, credits) xid, 2, credits, RPCRDMA2_07_REPLY_INLINE, 0, 0, REPLY(xid)
#define CALL_04(xid, credits)                                                                      \
    xid, 2, credits, RPCRDMA2_04_MSG, RPCRDMA2_04_CALL, 0, 0, 0, 0, CALL(xid)

/* ---- credits ---- */

/* No side is granted more than the proxy has Receives for. */
START_TEST(credits_are_limited)
{
    static const uint32_t credits[] = {1, PROXY_CREDITS - 1, PROXY_CREDITS, PROXY_CREDITS + 1,
                                       UINT32_MAX};
    begin();
    const uint32_t most = credits[_i] < PROXY_CREDITS ? credits[_i] : PROXY_CREDITS;
    CLIENT(MSG(7, credits[_i]), CALL(7));
    ck_assert_uint_eq(got(RPCRDMA_SERVER, 2), most);
    ck_assert_uint_eq(got(RPCRDMA_SERVER, 0), 7);
    SERVER(MSG(7, credits[_i]), REPLY(7));
    ck_assert_uint_eq(got(RPCRDMA_CLIENT, 2), most);
    ck_assert_uint_eq(sides[RPCRDMA_CLIENT].lengths[0], 4 * 13);
}
END_TEST

START_TEST(what_has_no_credits_passes)
{
    begin();
    CLIENT(7, 1);
    ck_assert_uint_eq(sides[RPCRDMA_SERVER].lengths[0], 8);
    ck_assert_uint_eq(got(RPCRDMA_SERVER, 1), 1);
    CLIENT(7, 1, UINT32_MAX);
    ck_assert_uint_eq(got(RPCRDMA_SERVER, 2), PROXY_CREDITS);
}
END_TEST

/* The total of -07 is one of the whole connection, of what the other side has sent; one that falls
 * is no grant. */
START_TEST(credits_of_a_draft_are_limited)
{
    proxy.draft = _i == 0 ? RPCRDMA_PROTOCOL_2_07 : RPCRDMA_PROTOCOL_2_04;
    begin();
    if (_i == 1) {
        CLIENT(CALL_04(7, PROXY_CREDITS + 1));
        ck_assert_uint_eq(got(RPCRDMA_SERVER, 2), PROXY_CREDITS);
        return;
    }
    for (uint32_t i = 0; i < 3; i++)
        CLIENT(CALL_07(7 + i, PROXY_CREDITS));
    ck_assert_uint_eq(got(RPCRDMA_SERVER, 2), PROXY_CREDITS); /* the server has sent nothing */
    static const uint32_t said[] = {3 + PROXY_CREDITS + 1, 3 + PROXY_CREDITS, 2, UINT32_MAX},
                          passed[] = {3 + PROXY_CREDITS, 3 + PROXY_CREDITS, 2, UINT32_MAX};
    for (uint32_t i = 0; i < 3; i++) {
        SERVER(REPLY_07(7 + i, said[i]));
        ck_assert_uint_eq(got(RPCRDMA_CLIENT, 2), passed[i]);
    }
    CLIENT(CALL_07(20, 3 + PROXY_CREDITS + 1));
    ck_assert_uint_eq(got(RPCRDMA_SERVER, 2), 3 + PROXY_CREDITS);
}
END_TEST

/* ---- sizes that are announced ---- */

#define SIZE(id, size) id, 4, size
START_TEST(sizes_are_limited)
{
    enum { LIMIT = 4096 };
    static const struct {
        enum rpcrdma_protocol protocol;
        size_t value, count; /* words */
        uint32_t words[20];
        uint32_t limited;
    } rows[] = {
#define ROW(protocol, value, limited, ...)                                                         \
    {protocol, value, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, {__VA_ARGS__}, limited}
#define CONNPROP_04 7, 2, 32, RPCRDMA2_04_CONNPROP
#define CONNPROP_07 7, 2, 32, RPCRDMA2_07_CONNPROP_FINAL
        ROW(RPCRDMA_PROTOCOL_2_04, 7, LIMIT, CONNPROP_04, 1, SIZE(RPCRDMA2_04_PROPID_RBSIZ, 5000),
            0),
        ROW(RPCRDMA_PROTOCOL_2_04, 7, LIMIT, CONNPROP_04, 1, SIZE(RPCRDMA2_04_PROPID_RBSIZ, LIMIT),
            0),
        ROW(RPCRDMA_PROTOCOL_2_04, 7, 1024, CONNPROP_04, 1, SIZE(RPCRDMA2_04_PROPID_RBSIZ, 1024),
            0),
        ROW(RPCRDMA_PROTOCOL_2_04, 7, 5000, CONNPROP_04, 1,
            SIZE(RPCRDMA2_04_PROPID_RBSIZ + 1, 5000), 0),
        ROW(RPCRDMA_PROTOCOL_2_04, 10, LIMIT, CONNPROP_04, 2,
            SIZE(RPCRDMA2_04_PROPID_RBSIZ + 1, 5000), SIZE(RPCRDMA2_04_PROPID_RBSIZ, 5000), 0),
        ROW(RPCRDMA_PROTOCOL_2_07, 7, LIMIT, CONNPROP_07, 1, SIZE(RPCRDMA2_07_PROPID_RBSIZ, 5000)),
        ROW(RPCRDMA_PROTOCOL_2_07, 7, LIMIT, CONNPROP_07, 1, SIZE(RPCRDMA2_07_PROPID_SBSIZ, 5000)),
        ROW(RPCRDMA_PROTOCOL_2_07, 7, 5000, CONNPROP_07, 1,
            SIZE(RPCRDMA2_07_PROPID_RBSIZ + 100, 5000)),
        ROW(RPCRDMA_PROTOCOL_2_07, 13, 5000, CALL_07(7, 32)), /* no property, whatever it holds */
    };
    uint8_t octets[80];
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t j = 0; j < rows[i].count; j++)
            rpcrdma_xdr_store32(octets + 4 * j, rows[i].words[j]);
        if (i == COUNT(rows) - 1)
            rpcrdma_xdr_store32(octets + 4 * rows[i].value, 5000);
        proxy2_limit_properties(octets, rows[i].protocol, 4 * rows[i].count, LIMIT);
        ck_assert_msg(rpcrdma_xdr_load32(octets + 4 * rows[i].value) == rows[i].limited,
                      "row %zu: %u", i, rpcrdma_xdr_load32(octets + 4 * rows[i].value));
    }
}
END_TEST

/* ---- what is counted ---- */

static void is_counted(const struct result *result, const char *text, enum ending ending)
{
    ck_assert_msg(strncmp(result->actual, text, strlen(text)) == 0, "%s, not %s", result->actual,
                  text);
    ck_assert_int_eq(result->ending, ending);
}

START_TEST(calls_and_answers_are_counted)
{
    begin();
    CLIENT(MSG(7, 32), CALL(7));
    CLIENT(MSG(8, 32), CALL(8));
    CLIENT(MSG(8, 32), CALL(8)); /* once more */
    SERVER(MSG(7, 32), CALL(7)); /* which answers nothing */
    CLIENT(MSG(7, 32), REPLY(7));
    SERVER(MSG(8, 32), REPLY(8));
    is_counted(end(), "2 Calls, 1 of them unanswered; 4 and 2 Sends; 0 octets read from and 0 ",
               ENDING_NOT_APPLICABLE);
    tear_down();
    set_up();
    begin();
    CLIENT(MSG(7, 32), CALL(7));
    SERVER(7, 1, 32, RPCRDMA1_ERROR, RPCRDMA1_ERR_CHUNK);
    SERVER(MSG(7, 32), REPLY(7)); /* of none that waits */
    const struct result *result = end();
    is_counted(result, "1 Calls, 0 of them unanswered; 1 and 2 Sends; 0 octets read from and 0 ",
               ENDING_REQUIRED);
    ck_assert_ptr_nonnull(strstr(result->actual, "; ended by the proxy: the proxy was stopped"));
    ck_assert_str_eq(result->from, "client");
    ck_assert_str_eq(result->test, "connection-1");
    tear_down();
    set_up();
    begin();
    CLIENT(MSG(7, 32), CALL(7));
    CLIENT(MSG(8, 32), CALL(8));
    SERVER(MSG(7, 32), REPLY(7)); /* the first of those that wait; the other waits still */
    CLIENT(MSG(8, 32), CALL(8));
    SERVER(MSG(8, 32), REPLY(8));
    is_counted(end(), "2 Calls, 0 of them unanswered; 3 and 2 Sends; ", ENDING_REQUIRED);
}
END_TEST

/* A Call that offers more than the proxy has memory for is not the client's fault. */
START_TEST(a_limit_of_ours_is_ours)
{
    begin();
    CLIENT(7, 1, 32, RPCRDMA1_MSG, 0, 1, 1, 21, INT32_MAX, 0, 0, 0, 0, CALL(7));
    ck_assert(proxy_gone(session));
    ck_assert_uint_eq(sides[RPCRDMA_SERVER].sent, 0);
    const struct result *result = end();
    is_counted(result, "1 Calls, 1 of them unanswered; 1 and 0 Sends; ", ENDING_NOT_APPLICABLE);
    ck_assert_msg(strstr(result->actual, "; ended by the proxy: the chunks") != NULL, "%s",
                  result->actual);
}
END_TEST

/* Of version 2: a piece of a Reply is not all of it. */
START_TEST(pieces_answer_nothing)
{
    begin();
    CLIENT(CALL_07(7, 32));
    SERVER(7, 2, 32, RPCRDMA2_07_REPLY_MIDDLE, 12, 7, 1, 0);
    if (_i == 1)
        SERVER(REPLY_07(7, 32));
    is_counted(end(),
               _i == 1 ? "1 Calls, 0 of them unanswered; 1 and 2 Sends; "
                       : "1 Calls, 1 of them unanswered; 1 and 1 Sends; ",
               _i == 1 ? ENDING_REQUIRED : ENDING_NOT_APPLICABLE);
}
END_TEST

/* Who goes first ended it, and nothing is passed on any more. */
START_TEST(one_side_ends_it)
{
    static const char *const names[] = {"client", "server"};
    const enum rpcrdma_endpoint side = _i == 0 ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
    char text[80];
    begin();
    CLIENT(MSG(7, 32), CALL(7));
    ck_assert(!proxy_gone(session));
    if (side == RPCRDMA_SERVER) /* who leaves a moment later did not end it */
        strcpy(sides[RPCRDMA_CLIENT].link.why, LINK_LEFT);
    closes(side, "it had to");
    unsigned sent = sides[0].sent + sides[1].sent;
    sides[0].count = sides[0].taken = 0;
    ck_assert(!proxy_step(session, 0));
    ck_assert_uint_eq(sides[0].sent + sides[1].sent, sent);
    const struct result *result = end();
    snprintf(text, sizeof text, "; ended by the %s: it had to", names[side]);
    ck_assert_msg(strstr(result->actual, text) != NULL, "%s", result->actual);
    ck_assert_str_eq(result->from, names[side]);
    ck_assert_int_eq(result->ending, ENDING_CLOSED);
}
END_TEST

/* ---- faults ---- */

/* It is said of what, and when. */
START_TEST(a_fault_is_told)
{
    static const struct {
        const char *fault, *text;
        enum rpcrdma_endpoint from;
        uint32_t words[20];
        size_t count;
    } rows[] = {
#define FAULT(fault, text, from, ...)                                                              \
    {fault, text, from, {__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4}
        FAULT("drop-call:2", "injected into Send 2 of the client on connection 1: a Call",
              RPCRDMA_CLIENT, MSG(9, 32), CALL(9)),
        FAULT("drop-call:2", "injected into Send 2 of the client on connection 1: a Reply",
              RPCRDMA_CLIENT, MSG(9, 32), REPLY(9)),
        FAULT("drop-reply:1", "injected into Send 1 of the server on connection 1: a Reply",
              RPCRDMA_SERVER, MSG(7, 32), REPLY(7)),
        FAULT("drop-reply:1",
              "injected into Send 1 of the server on connection 1: no Call or Reply",
              RPCRDMA_SERVER, 7, 1, 32, RPCRDMA1_ERROR, RPCRDMA1_ERR_CHUNK),
    };
    ck_assert(proxy_fault_read(&proxy.fault, rows[_i].fault));
    begin();
    CLIENT(MSG(7, 32), CALL(7));
    struct timespec before, after; /* time() may be behind this clock */
    clock_gettime(CLOCK_REALTIME, &before);
    unsigned sent = sides[0].sent + sides[1].sent;
    comes(rows[_i].from, rows[_i].words, rows[_i].count);
    clock_gettime(CLOCK_REALTIME, &after);
    ck_assert_uint_eq(sides[0].sent + sides[1].sent, sent);
    ck_assert(!proxy_fault_missed(&proxy));
    const struct result *result = NULL;
    for (size_t i = 0; i < proxy.results.count; i++)
        if (strcmp(proxy.results.list[i].test, "fault") == 0)
            result = &proxy.results.list[i];
    ck_assert_ptr_nonnull(result);
    ck_assert_msg(strstr(result->actual, rows[_i].text) != NULL, "%s", result->actual);
    char name[32];
    snprintf(name, sizeof name, "%s: injected", rows[_i].fault);
    ck_assert_msg(strncmp(result->actual, name, strlen(name)) == 0, "%s", result->actual);
    bool is_now = false;
    for (time_t each = before.tv_sec; each <= after.tv_sec; each++) {
        char text[48], clock[16];
        struct tm day;
        strftime(clock, sizeof clock, "%H:%M:%S", localtime_r(&each, &day));
        snprintf(text, sizeof text, "(XID 0x%08x, %s.", rows[_i].words[0], clock);
        is_now = is_now || strstr(result->actual, text) != NULL;
    }
    ck_assert_msg(is_now, "%s", result->actual);
}
END_TEST

START_TEST(a_fault_may_be_missed)
{
    begin();
    CLIENT(MSG(7, 32), CALL(7));
    ck_assert(!proxy_fault_missed(&proxy)); /* none was asked for */
    ck_assert(proxy_fault_read(&proxy.fault, "drop-call:3"));
    CLIENT(MSG(8, 32), CALL(8));
    SERVER(MSG(8, 32), REPLY(8));
    ck_assert(proxy_fault_missed(&proxy));
    const struct result *result = &proxy.results.list[proxy.results.count - 1];
    ck_assert_str_eq(result->actual, "drop-call:3: not injected: the client sent 1 messages");
    ck_assert_int_eq(result->ending, ENDING_NOT_APPLICABLE);
}
END_TEST

/* ---- private data ---- */

/* As it is passed on: no more than the proxy can keep to, no longer than there is room, and no part
 * of a message. Sizes are in KiB, less one. */
START_TEST(private_data_is_made_softer)
{
#define SAYS(flags, send, receive) 0xf6, 0xab, 0x0e, 0x18, 1, flags, send, receive
    static const struct {
        bool invalidates; /* the server's memory here can be */
        size_t at, length, passed;
        uint8_t said[8], expected[8];
    } rows[] = {
        {true, 0, 8, 8, {SAYS(1, 3, 3)}, {SAYS(1, 3, 3)}},
        {false, 0, 8, 8, {SAYS(1, 3, 3)}, {SAYS(0, 3, 3)}},
        {true, 0, 8, 8, {SAYS(0, 255, 3)}, {SAYS(0, 15, 3)}},
        {true, 0, 8, 8, {SAYS(0, 3, 255)}, {SAYS(0, 3, 15)}},
        {true, 0, 8, 8, {SAYS(0, 15, 16)}, {SAYS(0, 15, 15)}},
        {false, 0, 8, 8, {SAYS(0xfe, 3, 3)}, {SAYS(0xfe, 3, 3)}},
        {true, 48, 56, 56, {SAYS(1, 16, 3)}, {SAYS(1, 15, 3)}},
        {true, 49, 57, 49, {SAYS(1, 16, 3)}, {0}},
        {true, 20, 60, 56, {SAYS(1, 16, 3)}, {SAYS(1, 15, 3)}},
        {true, 0, 60, 56, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}}, /* others' */
    };
    struct link *client = &sides[RPCRDMA_CLIENT].link;
    target.invalidates = rows[_i].invalidates;
    memset(client->private_data, 'x', sizeof client->private_data);
    memcpy(client->private_data + rows[_i].at, rows[_i].said, 8);
    client->private_length = rows[_i].length;
    ck_assert_ptr_eq(proxy_reach(&proxy, client), &sides[RPCRDMA_SERVER].link);
    ck_assert_uint_eq(asked.private_length, rows[_i].passed);
    ck_assert_uint_eq(asked.receive_size, PROXY_RECEIVE);
    ck_assert_uint_eq(asked.receives, PROXY_RECEIVES);
    ck_assert_uint_eq(asked.timeout, 7);
    if (rows[_i].at + 8 <= rows[_i].passed)
        ck_assert_mem_eq(asked_data + rows[_i].at, rows[_i].expected, 8);
    for (size_t i = 0; i < rows[_i].passed; i++)
        ck_assert(asked_data[i] == 'x' || (i >= rows[_i].at && i < rows[_i].at + 8));
}
END_TEST

/* The client is answered with what the server said; there is more room. */
START_TEST(an_answer_is_made_softer)
{
    static const uint8_t said[] = {SAYS(1, 255, 3)}, expected[] = {SAYS(1, 15, 3)};
    struct link *server = &sides[RPCRDMA_SERVER].link;
    uint8_t octets[LINK_PRIVATE_DATA_MAX];
    memcpy(server->private_data + 188, said, sizeof said);
    server->private_length = LINK_PRIVATE_DATA_MAX;
    ck_assert_uint_eq(proxy_answer(server, octets), 196);
    ck_assert_mem_eq(octets + 188, expected, sizeof expected);
    memcpy(server->private_data + 189, said, sizeof said);
    server->private_data[188] = 0;
    ck_assert_uint_eq(proxy_answer(server, octets), 189);
}
END_TEST

/* ---- a record ---- */

/* What is longer than the room that is left, and all that comes after it, is left out. */
START_TEST(a_record_has_its_limit)
{
    struct recorder recorder = {0};
    enum { MORE = 256 }; /* octets beside those of the event */
    char file[] = "/tmp/rpcrdma-session-XXXXXX", text[4096];
    proxy.recorder = &recorder;
    proxy.record_left = 2 * (MORE + 4 * 17) + MORE + 4 * 13 - 1;
    begin();
    CLIENT(MSG(7, 32), CALL(7));
    CLIENT(MSG(8, 32), CALL(8));
    ck_assert_uint_eq(proxy.record_left, MORE + 4 * 13 - 1);
    SERVER(MSG(7, 32), REPLY(7));
    CLIENT(9, 1); /* for which there would be room */
    ck_assert_uint_eq(proxy.record_left, MORE + 4 * 13 - 1);
    ck_assert(!proxy.said_limit);
    end();
    ck_assert(proxy.said_limit);
    close(mkstemp(file));
    ck_assert(record_write(&recorder, file, "a test"));
    FILE *in = fopen(file, "r");
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    remove(file);
    record_free(&recorder);
    unsigned sends = 0;
    for (const char *at = text; (at = strstr(at, "\"send\"")) != NULL; at++)
        sends++;
    ck_assert_msg(sends == 2, "%u Sends: %s", sends, text);
}
END_TEST

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    (void)access;
    memory->handle = 0x77;
    memory->own = link;
    return true;
}

static void hide(struct link *link, struct link_memory *memory)
{
    ck_assert_ptr_eq(memory->own, link);
}

static bool write_in_vain(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                          size_t length)
{
    ck_assert(link && handle == 0x55 && offset == 0 && octets && length == 64);
    raise(SIGTERM);
    return false;
}

/* A Write to the client that a signal breaks off. */
START_TEST(a_stop_accuses_nobody)
{
    static const struct link_ops moving = {.send = take_send,
                                           .wait = give_event,
                                           .close = close_side,
                                           .expose = expose,
                                           .hide = hide,
                                           .write = write_in_vain};
    interrupt_catch();
    begin();
    sides[0].link.ops = sides[1].link.ops = &moving;
    CLIENT(9, 1, 8, 0, 0, 1, 1, 0x55, 64, 0, 0, 0, 0, 9, 0, 2, 5, 1, 1, 0, 0, 0, 0);
    SERVER(9, 1, 8, 0, 0, 1, 1, 0x77, 64, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0);
    ck_assert(proxy_gone(session));
    const struct result *result = end();
    ck_assert_int_eq(result->ending, ENDING_NOT_APPLICABLE);
    ck_assert_ptr_nonnull(strstr(result->actual, "ended by the proxy: the proxy was stopped"));
    ck_assert_uint_eq(proxy.results.count, 1);
}
END_TEST

/* As long as a Receive of the proxy's. */
START_TEST(the_longest_send_is_relayed)
{
    static const uint32_t words[] = {5, 1, 1, 0, 0, 0, 0, CALL(5)};
    static uint8_t octets[PROXY_RECEIVE];
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    begin();
    sides[RPCRDMA_CLIENT].comes[0].whole = octets;
    sides[RPCRDMA_CLIENT].comes[0].length = sizeof octets;
    sides[RPCRDMA_CLIENT].count = 1;
    ck_assert(proxy_step(session, 0));
    ck_assert_uint_eq(sides[RPCRDMA_SERVER].sent, 1);
    ck_assert_uint_eq(sides[RPCRDMA_SERVER].lengths[0], sizeof octets);
    ck_assert_ptr_nonnull(strstr(end()->actual, "1 Calls, 1 of them unanswered; 1 and 0 Sends"));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("session");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, credits_are_limited, 0, 5);
    tcase_add_test(tests, what_has_no_credits_passes);
    tcase_add_loop_test(tests, credits_of_a_draft_are_limited, 0, 2);
    tcase_add_test(tests, sizes_are_limited);
    tcase_add_test(tests, calls_and_answers_are_counted);
    tcase_add_test(tests, a_limit_of_ours_is_ours);
    tcase_add_loop_test(tests, pieces_answer_nothing, 0, 2);
    tcase_add_loop_test(tests, one_side_ends_it, 0, 2);
    tcase_add_loop_test(tests, a_fault_is_told, 0, 4);
    tcase_add_test(tests, a_fault_may_be_missed);
    tcase_add_loop_test(tests, private_data_is_made_softer, 0, 10);
    tcase_add_test(tests, an_answer_is_made_softer);
    tcase_add_test(tests, a_record_has_its_limit);
    tcase_add_test(tests, the_longest_send_is_relayed);
    tcase_add_test(tests, a_stop_accuses_nobody);
    return run_tests("a session of the proxy", tests);
}
