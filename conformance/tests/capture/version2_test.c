// SPDX-License-Identifier: BSD-3-Clause
/* Captures of version 2: which draft a connection follows, where later Sends show it, and
 * connections whose beginning is missing. */
#include "conformance/input/ahead.h"
#include "conformance/input/flow/connection.h"
#include "conformance/tests/support/captures/seen.h"

static uint32_t psn[2];

static void begin(void)
{
    setup();
    psn[CLIENT] = 1000;
    psn[SERVER] = 2000;
}

static void send_words(enum rpcrdma_endpoint from, const uint32_t *words, size_t count)
{
    uint8_t octets_of_send[256];
    for (size_t i = 0; i < count; i++)
        put32(octets_of_send + 4 * i, words[i]);
    request(from, OP_SEND_ONLY, psn[from]++, octets_of_send, 4 * count);
}
#define SEND(from, xid, type, ...)                                                                 \
    send_words(from, (const uint32_t[]){xid, 2, 32, type, __VA_ARGS__},                            \
               sizeof((const uint32_t[]){xid, 2, 32, type, __VA_ARGS__}) / 4)

#define RPC_CALL(xid) xid, 0, 2, 100003, 4, 0, 0, 0, 0, 0
#define RPC_REPLY(xid) xid, 1, 0, 0, 0, 0

/* The same in both drafts: CONNPROP_FINAL or REQPROP; ERR_VERS. */
static void send_either(enum rpcrdma_endpoint from)
{
    SEND(from, 7, 7, 1, 1, 4, 8192);
}

static void send_call04(uint32_t xid)
{
    SEND(CLIENT, xid, 0, 0, 0, 0, 0, 0, RPC_CALL(xid));
}

static void send_reply04(uint32_t xid)
{
    SEND(SERVER, xid, 0, 1, 0, 0, 0, 0, RPC_REPLY(xid));
}

static void send_call07(uint32_t xid)
{
    SEND(CLIENT, xid, 10, 0, 0, 0, 0, RPC_CALL(xid));
}

static void send_reply07(uint32_t xid)
{
    SEND(SERVER, xid, 13, 0, RPC_REPLY(xid));
}

/* ---- the draft ---- */

START_TEST(shown_at_once)
{
    establish();
    if (_i == 0) {
        send_call04(0xa);
        send_reply04(0xa);
        send_either(SERVER);
        expect(NAME "3 send client 76 type 0 -04\n4 send server 60 type 0 -04\n"
                    "5 send server 32 type 7 -04\nclosed\n");
    } else {
        send_call07(0xa);
        send_reply07(0xa);
        send_either(SERVER);
        expect(NAME "3 send client 72 type 10 -07\n4 send server 44 type 13 -07\n"
                    "5 send server 32 type 7 -07\nclosed\n");
    }
}
END_TEST

/* A first message cannot be a REQPROP. */
START_TEST(shown_by_the_first)
{
    establish();
    send_either(CLIENT);
    send_either(SERVER);
    expect(NAME "3 send client 32 type 7 -07\n4 send server 32 type 7 -07\nclosed\n");
}
END_TEST

/* Sends that show nothing wait for one that does, and with them all that follows. */
START_TEST(shown_later)
{
    establish();
    SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0); /* UPDPROP, or a piece */
    rdma(SERVER, OP_WRITE_ONLY, psn[SERVER]++, 0xcafe, 64, octets, 64);
    send_either(SERVER);
    if (_i == 0) {
        send_call04(0xa);
        expect(NAME "3 send client 56 type 9 -04\n4 write server 64 hcafe\n"
                    "5 send server 32 type 7 -04\n6 send client 76 type 0 -04\nclosed\n");
    } else {
        SEND(SERVER, 0, 5, 0);
        send_call07(0xa);
        expect(NAME "3 send client 56 type 9 -07\n4 write server 64 hcafe\n"
                    "5 send server 32 type 7 -07\n6 send server 20 type 5 -07\n"
                    "7 send client 72 type 10 -07\nclosed\n");
    }
}
END_TEST

/* Sends that came too late, or never: nothing is said. */
START_TEST(not_shown)
{
    char events[2048] = NAME;
    establish();
    SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
    int count = _i == 0 ? 1 : AHEAD_SENDS;
    for (int i = 1; i < count; i++)
        send_either(SERVER);
    if (count > 1)
        send_call07(0xa);
    for (int i = 0; i < count; i++)
        sprintf(events + strlen(events), "%d send %s\n", 3 + i,
                i == 0 ? "client 56 type 9" : "server 32 type 7");
    if (count > 1)
        sprintf(events + strlen(events), "%d send client 72 type 10\n", 3 + count);
    strcat(events, "closed\n");
    expect(events);
}
END_TEST

START_TEST(missed_in_turn)
{
    establish();
    SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
    psn[CLIENT]++; /* of a Send that is missing */
    rdma(SERVER, OP_WRITE_ONLY, psn[SERVER]++, 0xcafe, 64, octets, 64);
    ack(SERVER, psn[CLIENT] - 1, ACK);
    for (int i = 0; i < 10; i++)
        ack(CLIENT, psn[SERVER] - 1, ACK);
    if (_i == 0)
        send_call04(0xa);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
    ck_assert_uint_eq(seen_before_miss, 1);
}
END_TEST

START_TEST(asked_for)
{
    options.draft = RPCRDMA_PROTOCOL_2_04;
    establish();
    send_either(CLIENT);
    send_call07(0xa);
    expect(NAME "3 send client 32 type 7 -04\n4 send client 72 type 10 -04\nclosed\n");
}
END_TEST

/* How a Send ends that was cut off is unknown. */
START_TEST(cut_off)
{
    establish();
    wrapping.snap = 14 + 20 + 8 + 12 + 20;
    SEND(CLIENT, 9, 6, 0, 0, 0, 0, 0); /* would be a CONNPROP_MIDDLE if it ended here */
    wrapping.snap = 0;
    send_call04(0xa);
    expect(NAME "3 send client 20+16 type 6 -04\n4 send client 76 type 0 -04\nclosed\n");
}
END_TEST

static void other_connection(void)
{
    psn[CLIENT] = peer[0].first_psn = 3000;
    psn[SERVER] = peer[1].first_psn = 4000;
    peer[0].queue_pair = 0x21;
    peer[1].queue_pair = 0x22;
    peer[0].comm_id = 0x3333;
    peer[1].comm_id = 0x4444;
}

/* Events of another connection stay in their order; each has a draft of its own. */
START_TEST(two_connections)
{
    struct synthetic_peer first[2] = {peer[0], peer[1]};
    establish();
    SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
    send_either(SERVER); /* by then the reader has passed on the one before */
    uint32_t next = psn[CLIENT];
    other_connection();
    establish();
    SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
    send_call07(0xb);
    cm_disconnect(CLIENT);
    memcpy(peer, first, sizeof first);
    psn[CLIENT] = next;
    send_call04(0xa);
    expect(NAME "3 send client 56 type 9 -04\n4 send server 32 type 7 -04\n"
                "1: 192.0.2.1:0x21-192.0.2.2:0x22\n"
                "1: 7 send client 56 type 9 -07\n1: 8 send client 72 type 10 -07\n"
                "1: 9 disconnect client\n1: closed\n0: 10 send client 76 type 0 -04\n0: closed\n");
}
END_TEST

/* Many connections at once, each of its own draft, which only its second Send shows. */
START_TEST(many_connections)
{
    enum { MANY = 12 };
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            uint32_t number = i * 5 % MANY;
            peer[0] = (struct synthetic_peer){1, 0x100 + number, 0x1000 + number, 1000};
            peer[1] = (struct synthetic_peer){2, 0x200 + number, 0x2000 + number, 2000};
            psn[CLIENT] = 1000 + round;
            if (round == 0) {
                establish();
                SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
            } else if (number % 2 == 0) {
                send_call04(number);
            } else {
                send_call07(number);
            }
        }
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.connections, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        char first[64], second[64];
        bool old = i * 5 % MANY % 2 == 0;
        snprintf(first, sizeof first, "\n%u: %u send client 56 type 9 %s\n", i, 3 * i + 3,
                 old ? "-04" : "-07");
        snprintf(second, sizeof second, "\n%u: %u send client %s\n", i, 3 * MANY + 1 + i,
                 old ? "76 type 0 -04" : "72 type 10 -07");
        if (i == 0) /* its lines have no number before them: there was no other */
            continue;
        ck_assert_msg(strstr(seen, first) != NULL, "%s is missing in:\n%s", first, seen);
        ck_assert_msg(strstr(seen, second) != NULL, "%s is missing in:\n%s", second, seen);
    }
}
END_TEST

/* What is kept back is limited, whatever other connections send. */
START_TEST(kept_back)
{
    establish();
    SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
    for (unsigned i = 0; i < AHEAD_EVENTS; i++)
        rdma(SERVER, OP_WRITE_ONLY, psn[SERVER]++, 0xcafe, 64, octets, 64);
    send_call04(0xa);
    quiet = true;
    stop_after = _i == 0 ? 0 : 3; /* in the middle of what was kept */
    ck_assert(read_capture());
    ck_assert_str_eq(read_error, "");
    ck_assert_uint_eq(events_seen, _i == 0 ? AHEAD_EVENTS + 2 : 3);
}
END_TEST

/* What cannot be read is kept in its order, too, and counts. */
START_TEST(misses_are_limited)
{
    establish();
    SEND(CLIENT, 9, 9, 4, 1, 4, 4096, 9, 0, 10, 0, 11, 0);
    send_either(SERVER);
    wrapping.snap = 120; /* connection management that is cut off */
    for (unsigned i = 0; i < 2 * AHEAD_EVENTS; i++)
        cm_reply(NULL, 0);
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.missed[SOURCE_UNREAD], 2 * AHEAD_EVENTS);
    ck_assert_uint_le(first_missed, AHEAD_EVENTS + 8);
}
END_TEST

/* What waits while a Send is lost has a gap on either side: what it answers may be lost, and the
 * message that it begins may have broken off. */
START_TEST(lost_behind)
{
    establish();
    send_call07(0xa);
    send_reply07(0xa);
    SEND(CLIENT, 0xb, 9, 4, 1); /* CALL_MIDDLE */
    psn[CLIENT]++;
    ack(SERVER, psn[CLIENT] - 1, ACK);
    for (int i = 0; i <= REORDER_FRAMES; i++)
        ack(SERVER, psn[CLIENT] - 1, ACK);
    expect(NAME "3 send client 72 type 10 -07\n4 send server 44 type 13 -07\n6 gap\n"
                "5 send client 24 type 9 -07\n6 gap\nclosed\n");
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 1);
}
END_TEST

/* ---- the first Sends, which no XID links, recorded in another order ---- */

#define CLIENT_FIRST "send client 72 type 10 -07\n"
#define SERVER_FIRST "send server 32 type 7 -07\n"

/* The server's was recorded before the client's, and may have been sent after it. Not where the
 * client had acknowledged it, unless its own was recorded late; nor where it is far away. */
START_TEST(server_recorded_first)
{
    establish();
    if (_i == 2)
        ack(SERVER, psn[CLIENT], ACK);
    send_either(SERVER);
    if (_i == 1 || _i == 2)
        ack(CLIENT, psn[SERVER] - 1, ACK);
    for (int i = 0; _i == 3 && i < 2 * REORDER_FRAMES; i++)
        ack(SERVER, psn[CLIENT] - 1, ACK);
    send_call07(0xa);
    displaced = true;
    static const char *const expected[] = {
        NAME "4 " CLIENT_FIRST "3 " SERVER_FIRST "closed\n",
        NAME "3 " SERVER_FIRST "5 " CLIENT_FIRST "closed\n",
        NAME "6 " CLIENT_FIRST "4 " SERVER_FIRST "closed\n",
        NAME "3 " SERVER_FIRST "52 " CLIENT_FIRST "closed\n",
    };
    expect(expected[_i]);
}
END_TEST

/* So it is where the client had acknowledged it, if the times say so, or that the client's second
 * had to wait for its first; whatever the XIDs. */
START_TEST(server_recorded_first_with_its_acknowledgement)
{
    uint32_t xid = _i < 2 ? 0xa : 0;
    establish();
    SEND(SERVER, xid, 7, 1, 1, 4, 8192);
    ack(CLIENT, psn[SERVER] - 1, ACK);
    if (_i % 2 == 0) {
        psn[CLIENT]++;
        send_call07(0xb);
        psn[CLIENT] -= 2;
    } else {
        seconds_late = 3;
        times_differ = true;
    }
    SEND(CLIENT, xid, 7, 1, 1, 4, 8192);
    displaced = true;
    ck_assert(read_capture());
    const char *first = strstr(seen, "send client 32"), *second = strstr(seen, "send server 32");
    ck_assert_msg(first && second && first < second, "%s", seen);
}
END_TEST

/* Both were acknowledged before they were recorded, the server's after the client's second. */
START_TEST(server_recorded_behind_second)
{
    establish();
    ack(CLIENT, psn[SERVER], ACK);
    psn[CLIENT]++;
    send_call07(0xb);
    ack(SERVER, psn[CLIENT] - 1, ACK);
    send_either(SERVER);
    psn[CLIENT] -= 2;
    send_either(CLIENT);
    displaced = true;
    expect(NAME "7 send client 32 type 7 -07\n6 " SERVER_FIRST "4 " CLIENT_FIRST "closed\n");
}
END_TEST

/* The client's second was recorded before the server's first, which did not acknowledge it. */
START_TEST(second_recorded_first)
{
    establish();
    send_call07(0xa);
    ack(SERVER, psn[CLIENT] - 1, ACK);
    send_call07(0xb);
    if (_i == 1)
        ack(SERVER, psn[CLIENT] - 1, ACK);
    send_either(SERVER);
    ack(CLIENT, psn[SERVER] - 1, ACK);
    ack(SERVER, psn[CLIENT] - 1, ACK);
    send_reply07(0xa);
    send_call07(0xc);
    displaced = true;
    expect(_i == 0 ? NAME "3 " CLIENT_FIRST "6 " SERVER_FIRST "5 " CLIENT_FIRST
                          "9 send server 44 type 13 -07\n10 " CLIENT_FIRST "closed\n"
                   : NAME "3 " CLIENT_FIRST "5 " CLIENT_FIRST "7 " SERVER_FIRST
                          "10 send server 44 type 13 -07\n11 " CLIENT_FIRST "closed\n");
}
END_TEST

/* XID 0 is one like others: a CONNPROP that was acknowledged early answers nothing. */
START_TEST(xid_of_zero)
{
    establish();
    send_call04(0xa);
    ack(SERVER, psn[CLIENT] + 1, ACK);
    send_reply04(0xa);
    ack(CLIENT, psn[SERVER] - 1, ACK);
    send_call04(0xb);
    SEND(CLIENT, 0, 6, 2, 1, 4, 4096, 2, 0);
    send_reply04(0xb);
    displaced = true;
    ck_assert(read_capture());
    const char *first = strstr(seen, "5 send server"), *second = strstr(seen, "7 send client");
    ck_assert_msg(first && second && first < second, "%s", seen);
}
END_TEST

/* ---- without a beginning ---- */

START_TEST(mid_stream)
{
    if (_i == 0) {
        send_call04(0xa);
        send_reply04(0xa);
    } else {
        send_call07(0xa);
        send_reply07(0xa);
    }
    ck_assert(read_capture());
    ck_assert_ptr_nonnull(strstr(seen, _i == 0 ? "1 send client 76 type 0 -04 mid"
                                               : "1 send client 72 type 10 -07 mid"));
    ck_assert_ptr_nonnull(strstr(seen, _i == 0 ? "2 send server 60 type 0 -04 mid"
                                               : "2 send server 44 type 13 -07 mid"));
    ck_assert_uint_eq(counts.connections, 1);
}
END_TEST

/* What is no whole message of version 2 begins no connection. */
START_TEST(no_message)
{
    SEND(CLIENT, 0xa, 10, 0, 0, 0, 0, RPC_CALL(0xb)); /* another XID */
    SEND(CLIENT, 0xa, 0, 0, 0, 2, 0, 0, RPC_CALL(0xa));
    SEND(CLIENT, 0xa, 11, 0, 0, 0); /* no Reply chunk, and a word too many */
    SEND(CLIENT, 0, 5, 0);
    ck_assert(!read_capture());
    ck_assert_str_eq(seen, "");
    ck_assert_ptr_nonnull(strstr(read_error, "no RPC-over-RDMA traffic"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("version 2 in captures");
    TCase *draft = new_case(suite, "draft");
    tcase_add_checked_fixture(draft, begin, NULL);
    tcase_add_loop_test(draft, shown_at_once, 0, 2);
    tcase_add_test(draft, shown_by_the_first);
    tcase_add_loop_test(draft, shown_later, 0, 2);
    tcase_add_loop_test(draft, not_shown, 0, 2);
    tcase_add_loop_test(draft, missed_in_turn, 0, 2);
    tcase_add_test(draft, asked_for);
    tcase_add_test(draft, cut_off);
    tcase_add_test(draft, two_connections);
    tcase_add_test(draft, many_connections);
    tcase_add_loop_test(draft, kept_back, 0, 2);
    tcase_add_test(draft, misses_are_limited);
    tcase_add_test(draft, lost_behind);
    TCase *first = new_case(suite, "first Sends");
    tcase_add_checked_fixture(first, begin, NULL);
    tcase_add_loop_test(first, server_recorded_first, 0, 4);
    tcase_add_loop_test(first, server_recorded_first_with_its_acknowledgement, 0, 4);
    tcase_add_test(first, server_recorded_behind_second);
    tcase_add_loop_test(first, second_recorded_first, 0, 2);
    tcase_add_test(first, xid_of_zero);
    TCase *middle = new_case(suite, "mid stream");
    tcase_add_checked_fixture(middle, begin, NULL);
    tcase_add_loop_test(middle, mid_stream, 0, 2);
    tcase_add_test(middle, no_message);
    return run_suite(suite);
}
