// SPDX-License-Identifier: BSD-3-Clause
/* What is early: Replies and RDMA operations without the Call that they belong to. */
#include "conformance/base/count.h"
#include "conformance/input/flow/order.h"
#include "conformance/tests/support/captures/seen.h"

#define ORDINARY 0, 0, 0
#define RPC_CALL 0xa, 0, 2, 100003, 4, 1, 0, 0, 0, 0
#define RPC_REPLY 0xa, 1, 0, 0, 0, 0
#define SEGMENT(handle) handle, 100, 0, 0

/* A Send in words, and the handles that it offers. */
static const struct offer {
    const char *name;
    uint32_t words[40];
    size_t count;
    uint32_t handles[4];
} offers[] = {
    {"no chunks", {0xa, 1, 32, 0, ORDINARY, RPC_CALL}, 17, {0}},
    {"Read list",
     {0xa, 1, 32, 0, 1, 4, SEGMENT(0x71), 1, 4, SEGMENT(0x72), 0, 0, 0, RPC_CALL},
     29,
     {0x71, 0x72}},
    {"Write list",
     {0xa, 1, 32, 0, 0, 1, 2, SEGMENT(0x71), SEGMENT(0x72), 1, 1, SEGMENT(0x73), 0, 0, RPC_CALL},
     33,
     {0x71, 0x72, 0x73}},
    {"Reply chunk",
     {0xa, 1, 32, 0, 0, 0, 1, 2, SEGMENT(0x71), SEGMENT(0x72), RPC_CALL},
     26,
     {0x71, 0x72}},
    {"all lists",
     {0xa, 1, 32, 0, 1, 4, SEGMENT(0x71), 0, 1, 1, SEGMENT(0x72), 0, 1, 1, SEGMENT(0x73), RPC_CALL},
     35,
     {0x71, 0x72, 0x73}},
    {"Long Call, and a Reply chunk",
     {0xa, 1, 32, 1, 1, 0, SEGMENT(0x71), 0, 0, 1, 1, SEGMENT(0x72)},
     18,
     {0x71, 0x72}},
};
#define OFFERS ((int)COUNT(offers))

static uint8_t room[200];

static struct rpcrdma_event send_of(enum rpcrdma_endpoint from, const uint32_t *words, size_t count)
{
    uint8_t *p = room;
    for (size_t i = 0; i < count; i++)
        p = put32(p, words[i]);
    return (struct rpcrdma_event){
        .type = RPCRDMA_EVENT_SEND, .from = from, .data = room, .length = 4 * count};
}

static struct rpcrdma_event operation(enum rpcrdma_event_type type, enum rpcrdma_endpoint from,
                                      uint32_t handle)
{
    return (struct rpcrdma_event){.type = type, .from = from, .handle = handle, .length = 100};
}

/* Before the Call that offers its memory an operation is early, and that Call explains it; after
 * it, it is not. From the Call's own side, or on other memory, it stays what it was. */
START_TEST(operations)
{
    const struct offer *offer = &offers[_i / 2];
    enum rpcrdma_event_type type = _i % 2 ? RPCRDMA_EVENT_RDMA_READ : RPCRDMA_EVENT_RDMA_WRITE;
    struct order order = {0};
    struct rpcrdma_event call = send_of(CLIENT, offer->words, offer->count);
    struct rpcrdma_event other = operation(type, SERVER, 0x99);
    for (const uint32_t *handle = offer->handles; *handle; handle++) {
        struct rpcrdma_event early = operation(type, SERVER, *handle);
        struct rpcrdma_event own = operation(type, CLIENT, *handle);
        ck_assert(order_note(&order, &early) == ORDER_EARLY);
        ck_assert_msg(order_explains(&call, &early), "%s: 0x%" PRIx32, offer->name, *handle);
        ck_assert(!order_explains(&call, &own));
        ck_assert(!order_explains(&early, &own));
    }
    ck_assert(!order_explains(&call, &other));
    ck_assert(order_note(&order, &call) != ORDER_EARLY);
    for (const uint32_t *handle = offer->handles; *handle; handle++) {
        struct rpcrdma_event late = operation(type, SERVER, *handle);
        struct rpcrdma_event own = operation(type, CLIENT, *handle);
        ck_assert_msg(order_note(&order, &late) != ORDER_EARLY, "%s: 0x%" PRIx32, offer->name,
                      *handle);
        ck_assert(order_note(&order, &own) == ORDER_EARLY);
    }
    ck_assert(order_note(&order, &other) == ORDER_EARLY);
}
END_TEST

/* What no chunk list is offers nothing: chunks of a Reply, a header that is cut. */
START_TEST(no_offers)
{
    static const uint32_t answer[] = {0xa, 1, 32, 0, 0, 1, 1, SEGMENT(0x71), 0, 0, RPC_REPLY};
    const struct offer *cut = &offers[2];
    struct order order = {0};
    struct rpcrdma_event early = operation(RPCRDMA_EVENT_RDMA_WRITE, SERVER, 0x71);
    struct rpcrdma_event event = send_of(CLIENT, answer, sizeof answer / 4);
    ck_assert(order_note(&order, &event) == ORDER_EARLY); /* itself early */
    ck_assert(order_note(&order, &early) == ORDER_EARLY);
    event = send_of(CLIENT, cut->words, 8);
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
    ck_assert(!order_explains(&event, &early));
    ck_assert(order_note(&order, &early) == ORDER_EARLY);
}
END_TEST

static const uint32_t rpc_call[] = {0xa, 1, 32, 0, ORDINARY, RPC_CALL};
static const uint32_t other_call[] = {0xb, 1, 32, 0, ORDINARY, 0xb, 0, 2, 100003, 4, 1, 0, 0, 0, 0};

/* Answers, with how many words: a Reply, an RDMA_ERROR; also to a Call whose header is no good. */
static const struct answer {
    uint32_t words[16];
    size_t count;
} answers[] = {
    {{0xa, 1, 32, 0, ORDINARY, RPC_REPLY}, 13},
    {{0xa, 1, 32, 4, 2}, 5},
    {{0xa, 1, 32, 4, 1, 1, 1}, 7},
};

START_TEST(replies)
{
    struct order order = {0};
    uint8_t called[sizeof room];
    struct rpcrdma_event call = send_of(CLIENT, rpc_call, 17);
    memcpy(called, room, sizeof room);
    call.data = called;
    struct rpcrdma_event answer = send_of(SERVER, answers[_i].words, answers[_i].count);
    ck_assert(order_note(&order, &answer) == ORDER_EARLY);
    ck_assert(order_explains(&call, &answer));
    ck_assert(!order_explains(&answer, &call));
    ck_assert(order_note(&order, &call) != ORDER_EARLY);
    ck_assert(order_note(&order, &answer) != ORDER_EARLY);
    ck_assert(order_note(&order, &answer) == ORDER_EARLY); /* once more: that Call has its answer */
    answer.from = CLIENT;
    ck_assert(!order_explains(&call, &answer));
    ck_assert(order_note(&order, &call) != ORDER_EARLY);
    ck_assert(order_note(&order, &answer) == ORDER_EARLY); /* of the Call's own side */
    answer.from = SERVER;
    ck_assert(order_note(&order, &answer) != ORDER_EARLY);
    call = send_of(CLIENT, other_call, 17);
    memcpy(called, room, sizeof room);
    call.data = called;
    answer = send_of(SERVER, answers[_i].words, answers[_i].count);
    ck_assert(!order_explains(&call, &answer));
    ck_assert(order_note(&order, &call) != ORDER_EARLY);
    ck_assert(order_note(&order, &answer) == ORDER_EARLY); /* to another XID */
}
END_TEST

/* Of a Send cut off by the capture the XID is enough; less is nothing. */
START_TEST(short_sends)
{
    for (size_t length = 0; length <= 20; length++) {
        struct order order = {0};
        struct rpcrdma_event answer = send_of(SERVER, answers[0].words, answers[0].count), call;
        uint8_t answered[sizeof room];
        memcpy(answered, room, sizeof room);
        answer.data = answered;
        call = send_of(CLIENT, rpc_call, 17);
        call.length = length;
        ck_assert_int_eq(order_explains(&call, &answer), length >= 4);
        ck_assert(order_note(&order, &call) != ORDER_EARLY);
        ck_assert_int_eq(order_note(&order, &answer) == ORDER_EARLY, length < 4);
        call.length = 68;
        answer.length = length;
        ck_assert_int_eq(order_explains(&call, &answer), length >= 4);
    }
}
END_TEST

/* A Long Call is answered as any other. */
START_TEST(long_call)
{
    struct order order = {0};
    struct rpcrdma_event event = send_of(CLIENT, offers[5].words, offers[5].count);
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
    event = send_of(SERVER, answers[0].words, answers[0].count);
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
}
END_TEST

/* A Reply shows as one by the first two words of its RPC message, and not before. */
START_TEST(short_replies)
{
    for (size_t length = 28; length <= 52; length++) {
        struct order order = {0};
        struct rpcrdma_event answer = send_of(SERVER, answers[0].words, answers[0].count);
        answer.length = length;
        ck_assert_int_eq(order_note(&order, &answer) == ORDER_EARLY, length >= 36);
    }
}
END_TEST

/* Version 2, -07: all pieces of a Reply answer the Call, and after the last there is nothing more
 * to answer. */
START_TEST(reply_in_pieces)
{
    static const uint32_t call[] = {0xa, 2, 32,     10, 0, 0, 0, 0, 0xa,
                                    0,   2, 100003, 4,  0, 0, 0, 0, 0},
                          middle[] = {0xa, 2, 32, 12, 8, 0xa, 1},
                          last[] = {0xa, 2, 32, 13, 0, 0xa, 1, 0, 0, 0, 0};
    struct order order = {0};
    struct rpcrdma_event event = send_of(CLIENT, call, sizeof call / 4);
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
    for (int i = 0; i < 3; i++) {
        event = send_of(SERVER, middle, sizeof middle / 4);
        ck_assert(order_note(&order, &event) != ORDER_EARLY);
    }
    event = send_of(SERVER, last, sizeof last / 4);
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
    ck_assert(order_note(&order, &event) == ORDER_EARLY);
}
END_TEST

/* Of the latest 32 Calls, and of as many handles, most are known: a window that a peer may have. */
START_TEST(remembered)
{
    struct order order = {0};
    unsigned calls = 0, handles = 0;
    uint32_t words[sizeof offers[3].words / 4];
    for (uint32_t i = 0; i < 32; i++) {
        memcpy(words, offers[3].words, sizeof words);
        words[0] = words[16] = 0x1000 + i;
        words[8] = words[12] = 0x2000 + i;
        struct rpcrdma_event call = send_of(CLIENT, words, offers[3].count);
        ck_assert(order_note(&order, &call) != ORDER_EARLY);
    }
    for (uint32_t i = 0; i < 32; i++) {
        memcpy(words, answers[0].words, sizeof answers[0].words);
        words[0] = words[7] = 0x1000 + i;
        struct rpcrdma_event answer = send_of(SERVER, words, answers[0].count);
        struct rpcrdma_event write = operation(RPCRDMA_EVENT_RDMA_WRITE, SERVER, 0x2000 + i);
        calls += order_note(&order, &answer) == ORDER_ANSWERS;
        handles += order_note(&order, &write) == ORDER_ANSWERS;
    }
    ck_assert_uint_ge(calls, 24);
    ck_assert_uint_ge(handles, 24);
}
END_TEST

/* A Call has one Reply, whatever its XID. */
START_TEST(replied_once)
{
    for (uint32_t xid = 1; xid < 100; xid++) {
        struct order order = {0};
        const uint32_t words[] = {xid, 1, 32, 0, ORDINARY, xid, 0, 2, 100003, 4, 1, 0, 0, 0, 0},
                       answer[] = {xid, 1, 32, 0, ORDINARY, xid, 1, 0, 0, 0, 0};
        struct rpcrdma_event event = send_of(CLIENT, words, COUNT(words));
        ck_assert(order_note(&order, &event) != ORDER_EARLY);
        event = send_of(SERVER, answer, COUNT(answer));
        ck_assert(order_note(&order, &event) != ORDER_EARLY);
        ck_assert(order_note(&order, &event) == ORDER_EARLY);
    }
}
END_TEST

/* What was acknowledged before it was recorded happened then, at the latest: the Reply goes before
 * a Call that was recorded after that. The Call's own acknowledgement may have been recorded early.
 */
START_TEST(acknowledged_in_turn)
{
    establish();
    call(CLIENT, 1000, 0xa);
    for (int i = 0; i < 2; i++)
        if (i == _i)
            ack(SERVER, 1001, ACK);
        else
            ack(CLIENT, 2000, ACK);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2000, 0xa);
    displaced = true;
    expect(NAME "3 send client 68 a\n7 send server 68 a\n6 send client 68 b\nclosed\n");
}
END_TEST

/* A Call explains a Reply that was recorded up to eight frames before it. */
START_TEST(frames_between)
{
    char expected[256];
    unsigned frame_of_call = 4 + (unsigned)_i;
    establish();
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xb);
    while (frames + 1 < frame_of_call)
        ack(SERVER, 1000, ACK);
    call(CLIENT, 1001, 0xb);
    displaced = true;
    snprintf(expected, sizeof expected,
             _i <= WINDOW
                 ? NAME "3 send client 68 a\n%u send client 68 b\n4 send server 68 b\nclosed\n"
                 : NAME "3 send client 68 a\n4 send server 68 b\n%u send client 68 b\nclosed\n",
             frame_of_call);
    expect(expected);
}
END_TEST

/* An acknowledgement that was recorded before what it acknowledges, and before the Call of that,
 * puts neither an RDMA Write nor a Reply before the Call; but before the next one. */
START_TEST(acknowledged_early)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1000, ACK);
    reply(SERVER, 2000, 0xa);
    ack(CLIENT, 2001, ACK);
    call(CLIENT, 1001, 0xb);
    call(CLIENT, 1002, 0xc);
    reply(SERVER, 2001, 0xb);
    call(CLIENT, 1003, 0xd);
    displaced = true;
    expect(NAME "3 send client 68 a\n5 send server 68 a\n7 send client 68 b\n9 send server 68 b\n"
                "8 send client 68 c\n10 send client 68 d\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* Each of several happened by the acknowledgement that first covers it. */
START_TEST(acknowledged_one_by_one)
{
    establish();
    ack(SERVER, 1000, ACK);
    call(SERVER, 2000, 0xb);
    ack(SERVER, 1001, ACK);
    call(CLIENT, 1000, 0xa);
    call(CLIENT, 1001, 0xc);
    displaced = true;
    expect(NAME "6 send client 68 a\n4 send server 68 b\n7 send client 68 c\nclosed\n");
}
END_TEST

/* Nor does one of the other side put a Call before a Reply that its sender had acknowledged. */
START_TEST(acknowledged_before_it_was_sent)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(SERVER, 1001, ACK);
    reply(SERVER, 2000, 0xa);
    if (_i == 0)
        ack(CLIENT, 2000, ACK);
    call(CLIENT, 1001, 0xb);
    displaced = true;
    expect(_i == 0 ? NAME "3 send client 68 a\n5 send server 68 a\n7 send client 68 b\nclosed\n"
                   : NAME "3 send client 68 a\n6 send client 68 b\n5 send server 68 a\nclosed\n");
}
END_TEST

/* A Read that was answered unseen is a gap, by which all that waited is passed on. */
START_TEST(early_before_gap)
{
    establish();
    call(CLIENT, 1000, 0xa);
    rdma(SERVER, OP_READ_REQUEST, 2000, 0x77, 100, NULL, 0);
    reply(SERVER, 2001, 0xb);
    ack(CLIENT, 2001, ACK);
    call(CLIENT, 1001, 0xc);
    expect(NAME
           "3 send client 68 a\n6 gap\n5 send server 68 b reading\n7 send client 68 c\nclosed\n");
    ck_assert_str_eq(missed, "6 lost 1: packets are missing\n");
}
END_TEST

/* What waited for its turn is passed on as soon as that has come, before what answers it. */
START_TEST(turn_has_come)
{
    establish();
    call(CLIENT, 1001, 0xb);
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xb);
    call(CLIENT, 1002, 0xc);
    displaced = true;
    expect(NAME "4 send client 68 a\n3 send client 68 b\n5 send server 68 b\n"
                "6 send client 68 c\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST] + counts.retransmitted, 0);
}
END_TEST

/* Between a Reply and the Call that explains it comes another Call: the two Calls stay in order. */
START_TEST(another_between)
{
    establish();
    call(CLIENT, 1000, 0xa);
    reply(SERVER, 2000, 0xb);
    call(CLIENT, 1001, 0xc);
    call(CLIENT, 1002, 0xb);
    displaced = true;
    expect(NAME "3 send client 68 a\n5 send client 68 c\n6 send client 68 b\n"
                "4 send server 68 b\nclosed\n");
}
END_TEST

/* At the end, a Reply to a side of which no Send was seen: the capture lacks the Call. To a side of
 * which others were seen, or an RDMA operation: nobody can tell. */
START_TEST(answers_silence)
{
    static const char *const expected[] = {
        NAME "3 gap\n3 send server 68 a\nclosed\n",
        NAME "3 write server 100 h77 unconfirmed\nclosed\n",
        NAME "3 send client 68 b\n4 send server 68 a unconfirmed\nclosed\n",
        NAME "3 send client 68 a\n4 send server 68 a\nclosed\n",
        NAME "3 gap\n3 send client 68 a\nclosed\n",
    };
    establish();
    if (_i == 1)
        rdma(SERVER, OP_WRITE_ONLY, 2000, 0x77, 100, octets, 100);
    if (_i == 2 || _i == 3)
        call(CLIENT, 1000, _i == 2 ? 0xb : 0xa);
    if (_i != 1 && _i != 4)
        reply(SERVER, 2000, 0xa);
    if (_i == 4)
        reply(CLIENT, 1000, 0xa);
    expect(expected[_i]);
    ck_assert_str_eq(missed, _i == 0 || _i == 4 ? "3 lost 1: packets are missing\n" : "");
}
END_TEST

/* What follows such an event is not one itself: here a refusal, in the order of its frame. */
START_TEST(not_acknowledged_in_turn)
{
    establish();
    call(CLIENT, 1000, 0xa);
    ack(CLIENT, 2000, ACK);
    call(CLIENT, 1001, 0xb);
    reply(SERVER, 2000, 0xa);
    ack(SERVER, 1001, NAK_RNR);
    ack(SERVER, 1002, ACK);
    call(CLIENT, 1002, 0xc);
    displaced = true;
    expect(NAME "3 send client 68 a\n6 send server 68 a\n5 send client 68 b\n"
                "7 not-ready server\n9 send client 68 c\nclosed\n");
}
END_TEST

/* A Reply is confirmed by a later request that has the next number, and by no other: one whose
 * number differs from the announced one shows nothing. One that was recorded late had been sent
 * before its successor: it shows nothing of what came between. */
START_TEST(confirmed)
{
    static const uint32_t numbers[][2] = {{1000, 1001}, {1001, 1000}, {0, 995}, {0, 5000}};
    establish();
    if (numbers[_i][0])
        call(CLIENT, numbers[_i][0], 0xa);
    reply(SERVER, 2000, 0xb);
    call(CLIENT, numbers[_i][1], 0xc);
    displaced = true;
    ck_assert(read_capture());
    bool unconfirmed = strstr(seen, "68 b unconfirmed\n") != NULL;
    ck_assert_msg(unconfirmed == (_i >= 1), "%s", seen);
}
END_TEST

/* Nothing else is early. */
START_TEST(other_events)
{
    struct order order = {0};
    struct rpcrdma_event event = operation(RPCRDMA_EVENT_GAP, SERVER, 0x71);
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
    event.type = RPCRDMA_EVENT_DISCONNECT;
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
    event.type = RPCRDMA_EVENT_PRIVATE_DATA;
    ck_assert(order_note(&order, &event) != ORDER_EARLY);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("early events");
    TCase *tests = new_case(suite, "early");
    tcase_add_loop_test(tests, operations, 0, 2 * OFFERS);
    tcase_add_test(tests, no_offers);
    tcase_add_loop_test(tests, replies, 0, (int)COUNT(answers));
    tcase_add_test(tests, short_sends);
    tcase_add_test(tests, long_call);
    tcase_add_test(tests, short_replies);
    tcase_add_test(tests, reply_in_pieces);
    tcase_add_test(tests, remembered);
    tcase_add_test(tests, replied_once);
    tcase_add_loop_test(tests, acknowledged_in_turn, 0, 2);
    tcase_add_loop_test(tests, frames_between, 1, WINDOW + 4);
    tcase_add_test(tests, another_between);
    tcase_add_loop_test(tests, answers_silence, 0, 5);
    tcase_add_test(tests, acknowledged_early);
    tcase_add_test(tests, acknowledged_one_by_one);
    tcase_add_loop_test(tests, acknowledged_before_it_was_sent, 0, 2);
    tcase_add_test(tests, early_before_gap);
    tcase_add_test(tests, turn_has_come);
    tcase_add_test(tests, not_acknowledged_in_turn);
    tcase_add_loop_test(tests, confirmed, 0, 4);
    tcase_add_test(tests, other_events);
    return run_suite(suite);
}
