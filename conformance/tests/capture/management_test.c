// SPDX-License-Identifier: BSD-3-Clause
/* Connection management: what its datagrams say, and which reply belongs to which request. */
#include "conformance/input/buffer/octets.h"
#include "conformance/input/frame/cm.h"
#include "conformance/tests/support/captures/guarded.h"
#include "conformance/tests/support/captures/seen.h"

/* ---- datagrams ---- */

/* The queue key and source queue pair, the header of all management, and a message of 232 octets of
 * which each is another. */
enum { BEFORE_MESSAGE = 8 + 24, DATAGRAM = 8 + 256 };

static uint8_t datagram[DATAGRAM + 1];
static struct packet carrier;
static struct cm_message parsed;

static void put_datagram(unsigned attribute)
{
    for (unsigned i = 0; i < DATAGRAM; i++)
        datagram[i] = (uint8_t)(i - BEFORE_MESSAGE);
    datagram[8 + 1] = 7; /* of connection management */
    put16(datagram + 8 + 16, attribute);
    carrier = (struct packet){
        .opcode = OP_DATAGRAM, .queue_pair = 1, .total = DATAGRAM, .recorded = DATAGRAM};
}

static enum cm_result parse_datagram(void)
{
    carrier.payload = guarded(datagram, carrier.recorded);
    parsed = (struct cm_message){.service = 99, .queue_pair = 99, .psn = 99, .mtu = 99};
    return cm_parse(&carrier, &parsed);
}

/* Each field is where the InfiniBand specification has it (12.6), and what a message has not is 0.
 */
START_TEST(fields)
{
    static const struct {
        unsigned attribute;
        enum cm_kind kind;
        size_t service, queue_pair, psn, data, length; /* offsets; 0: it has none */
    } rows[] = {
        {0x10, CM_REQUEST, 8, 32, 44, 140 + 36, 92 - 36},
        {0x13, CM_REPLY, 0, 12, 20, 36, 196},
        {0x15, CM_DISCONNECT_REQUEST, 0, 8, 0, 0, 0},
        {0x12, CM_REJECT, 0, 0, 0, 0, 0},
        {0x11, CM_OTHER, 0, 0, 0, 0, 0},
        {0x14, CM_OTHER, 0, 0, 0, 0, 0},
        {0x16, CM_OTHER, 0, 0, 0, 0, 0},
        {0x0f, CM_OTHER, 0, 0, 0, 0, 0},
        {0x110, CM_OTHER, 0, 0, 0, 0, 0},
    };
    put_datagram(rows[_i].attribute);
    datagram[BEFORE_MESSAGE + 50] = 0x1f; /* the path MTU is in the upper half */
    const uint8_t *message = datagram + BEFORE_MESSAGE;
    ck_assert_int_eq(parse_datagram(), CM_WHOLE);
    ck_assert_int_eq(parsed.kind, rows[_i].kind);
    ck_assert_uint_eq(parsed.local_id, load_be32(message));
    ck_assert_uint_eq(parsed.remote_id, load_be32(message + 4));
    ck_assert_uint_eq(parsed.service, rows[_i].service ? load_be64(message + rows[_i].service) : 0);
    ck_assert_uint_eq(parsed.queue_pair,
                      rows[_i].queue_pair ? load_be24(message + rows[_i].queue_pair) : 0);
    ck_assert_uint_eq(parsed.psn, rows[_i].psn ? load_be24(message + rows[_i].psn) : 0);
    ck_assert_uint_eq(parsed.mtu, parsed.kind == CM_REQUEST ? 256 : 0);
    ck_assert_uint_eq(parsed.private_length, rows[_i].length);
    if (rows[_i].length > 0)
        ck_assert_mem_eq(parsed.private_data, message + rows[_i].data, rows[_i].length);
    else
        ck_assert_ptr_null(parsed.private_data);
}
END_TEST

/* 256 to 4096 octets have the numbers 1 to 5. */
START_TEST(path_mtus)
{
    put_datagram(0x10);
    for (unsigned number = 0; number < 16; number++) {
        datagram[BEFORE_MESSAGE + 50] = (uint8_t)(number << 4 | 15);
        ck_assert_int_eq(parse_datagram(), CM_WHOLE);
        ck_assert_uint_eq(parsed.mtu, number >= 1 && number <= 5 ? 128u << number : 0);
    }
}
END_TEST

/* What is no connection management: by its opcode, queue pair, class or length. */
START_TEST(other_datagrams)
{
    for (unsigned value = 0; value < 256; value++) {
        put_datagram(0x10);
        carrier.opcode = (uint8_t)value;
        ck_assert_int_eq(parse_datagram(), value == OP_DATAGRAM ? CM_WHOLE : CM_NONE);
        put_datagram(0x10);
        carrier.queue_pair = value;
        ck_assert_int_eq(parse_datagram(), value == 1 ? CM_WHOLE : CM_NONE);
        put_datagram(0x10);
        datagram[8 + 1] = (uint8_t)value;
        ck_assert_int_eq(parse_datagram(), value == 7 ? CM_WHOLE : CM_NONE);
    }
    put_datagram(0x10);
    carrier.total = carrier.recorded = DATAGRAM + 1;
    ck_assert_int_eq(parse_datagram(), CM_WHOLE);
    carrier.total = carrier.recorded = DATAGRAM - 1;
    ck_assert_int_eq(parse_datagram(), CM_NONE);
}
END_TEST

/* Cut before the class, it may be connection management; after that it is or is not. */
START_TEST(datagram_cut)
{
    for (size_t kept = 0; kept <= DATAGRAM; kept++) {
        put_datagram(0x10);
        carrier.recorded = kept;
        ck_assert_int_eq(parse_datagram(), kept < DATAGRAM ? CM_CUT : CM_WHOLE);
        datagram[8 + 1] = 8;
        ck_assert_int_eq(parse_datagram(), kept < 8 + 2 ? CM_CUT : CM_NONE);
    }
}
END_TEST

/* A port of TCP in the RDMA CM's space of services: each bit of the id counts. */
START_TEST(services)
{
    ck_assert(cm_service_is_port(UINT64_C(0x1060000) + 20049, 20049));
    for (unsigned bit = 0; bit < 64; bit++)
        ck_assert(!cm_service_is_port((UINT64_C(0x1060000) + 20049) ^ UINT64_C(1) << bit, 20049));
}
END_TEST

/* ---- replies ---- */

/* The peers of connection `number`: of the same server, and by default of the same client. */
static void peers(uint32_t number)
{
    peer[0] = (struct synthetic_peer){1, 0x100 + number, 0x1000 + number, 1000 * (number + 1)};
    peer[1] = (struct synthetic_peer){2, 0x200 + number, 0x2000 + number, 9000};
}

/* Each has one Call, with its number for an XID; by it the connection must be known, or not. */
static void expect_known(uint32_t number, bool known)
{
    char name[64];
    call(CLIENT, peer[0].first_psn, 0x500 + number);
    ck_assert(read_capture());
    char own[16] = "?";
    if (known)
        snprintf(own, sizeof own, "0x%x", (unsigned)peer[0].queue_pair);
    snprintf(name, sizeof name, "192.0.2.%u:%s-192.0.2.2:0x%x\n", peer[0].host, own,
             (unsigned)peer[1].queue_pair);
    ck_assert_msg(strstr(seen, name) != NULL, "%s is missing in:\n%s", name, seen);
    ck_assert((strstr(seen, " mid\n") != NULL) == !known);
}

/* Several requests of one client, answered in another order: each reply finds its own. */
START_TEST(answered_in_any_order)
{
    for (uint32_t i = 0; i < 3; i++) {
        peers(i);
        cm_request(20049, NULL, 0);
    }
    for (uint32_t i = 0; i < 3; i++) {
        peers((i + (uint32_t)_i) % 3);
        cm_reply(NULL, 0);
    }
    peers((uint32_t)_i);
    expect_known((uint32_t)_i, true);
    ck_assert_uint_eq(counts.connections, 3);
}
END_TEST

/* Two clients may choose the same id. */
START_TEST(same_id)
{
    for (uint8_t host = 1; host <= 3; host += 2) {
        peers(0);
        peer[0].host = host;
        peer[0].queue_pair += host;
        cm_request(20049, NULL, 0);
    }
    peers(0);
    peer[0].host = _i == 0 ? 1 : 3;
    peer[0].queue_pair += peer[0].host;
    cm_reply(NULL, 0);
    expect_known(0, true);
    ck_assert_uint_eq(counts.connections, 1);
}
END_TEST

/* A request that was rejected, or answered before, has no reply any more. */
START_TEST(answered_once)
{
    peers(0);
    cm_request(20049, NULL, 0);
    if (_i == 0) {
        cm_reject();
    } else {
        cm_reply(NULL, 0);
        peer[1].queue_pair++;
    }
    cm_reply(NULL, 0);
    expect_known(0, false);
}
END_TEST

/* A reply that was recorded first waits some frames for its request, and for no other one. */
START_TEST(reply_first)
{
    peers(0);
    cm_reply(NULL, 0);
    uint32_t between = _i == 0 ? WINDOW - 1 : _i == 1 ? WINDOW : 0;
    for (uint32_t i = 0; i < between; i++)
        ack(SERVER, 77, ACK);
    if (_i == 2)
        peer[0].comm_id++;
    if (_i == 3)
        peer[0].host = 3;
    cm_request(20049, NULL, 0);
    if (_i == 4) { /* taken by the first */
        peer[0].queue_pair++;
        cm_request(20049, NULL, 0);
        peer[1].queue_pair++;
    }
    if (_i == 5)
        cm_reply(NULL, 0);
    expect_known(0, _i == 0 || _i == 5);
    ck_assert_uint_eq(counts.connections, _i == 4 ? 2 : 1);
}
END_TEST

/* One of the members that requests may differ in, by one. */
static void vary(int which)
{
    uint32_t by = which % 2 ? 1 : (uint32_t)-1;
    switch (which / 2) {
    case 0:
        peer[0].comm_id += by;
        break;
    case 1:
        peer[1].first_psn += by;
        break;
    case 2:
        peer[0].queue_pair += by;
        break;
    default:
        peer[0].host = (uint8_t)(peer[0].host + 2 * by);
        break;
    }
}

/* A request that differs from that of a connection is for another one; so is the same when that
 * connection has ended. */
START_TEST(asked_again)
{
    peers(1);
    peer[0].host = 5;
    cm_request(20049, NULL, 0);
    cm_reply(NULL, 0);
    if (_i == 9)
        cm_disconnect(CLIENT);
    if (_i < 8)
        vary(_i);
    peer[1].queue_pair += 0x50;
    peer[1].comm_id += 0x50;
    cm_request(20049, NULL, 0);
    cm_reply(NULL, 0);
    expect_known(1, _i != 8);
    ck_assert_uint_eq(counts.connections, 2);
}
END_TEST

/* A request that changes before it is answered: the answer is to the new one. */
START_TEST(asked_otherwise)
{
    peers(1);
    cm_request(20049, NULL, 0);
    vary(2 + _i);
    cm_request(20049, NULL, 0);
    cm_reply(NULL, 0);
    request(SERVER, OP_SEND_ONLY, peer[1].first_psn, octets, 33);
    expect_known(1, true);
    ck_assert_uint_eq(counts.connections, 1);
    ck_assert_uint_eq(counts.events, 2);
    ck_assert_uint_eq(counts.missed[SOURCE_LOST], 0);
}
END_TEST

/* Whatever the ids: a request of the other side is no answer, and a reply no end. */
START_TEST(kinds)
{
    peers(0);
    struct synthetic_peer client = peer[0], server = peer[1];
    client.comm_id = 0;
    server.queue_pair = client.queue_pair;
    peer[0] = client;
    peer[1] = server;
    cm_request(20049, NULL, 0);
    peer[0] = server;
    peer[1] = client;
    peer[0].queue_pair++;
    cm_request(20049, NULL, 0);
    peer[0] = client;
    peer[1] = server;
    cm_reply(NULL, 0);
    cm_reply(NULL, 0);
    expect_known(0, true);
    ck_assert_ptr_null(strstr(seen, "disconnect"));
}
END_TEST

/* Of very many requests without an answer the oldest are forgotten; one that is sent again takes no
 * other place. */
START_TEST(many_requests)
{
    enum { MOST = 256 };
    for (uint32_t i = 0; i <= MOST; i++) {
        peers(i);
        cm_request(20049, NULL, 0);
        cm_request(20049, NULL, 0);
    }
    peers((uint32_t)_i);
    cm_reply(NULL, 0);
    expect_known((uint32_t)_i, _i > 0);
}
END_TEST

/* At another port the identifier of RFC 8797 shows what a connection is, of either side, and
 * whatever comes with it. */
START_TEST(identified)
{
    static const struct {
        uint8_t data[8];
        bool wanted;
    } cases[] = {
        {{0xf6, 0xab, 0x0e, 0x18, 1, 0, 3, 3}, true},
        {{0xf6, 0xab, 0x0e, 0x18, 2, 0, 3, 3}, true},
        {{0xf6, 0xab, 0x0e, 0x19, 1, 0, 3, 3}, false},
        {{0}, false},
    };
    const uint8_t *data = cases[_i / 2].data;
    bool wanted = cases[_i / 2].wanted;
    peers(0);
    cm_request(4420, _i % 2 ? data : NULL, _i % 2 ? 8 : 0);
    cm_reply(_i % 2 ? NULL : data, _i % 2 ? 0 : 8);
    ack(CLIENT, peer[1].first_psn, ACK);
    ck_assert_int_eq(read_capture(), wanted);
    ck_assert_uint_eq(counts.connections, wanted);
}
END_TEST

/* Private data are an event unless all of them are 0. */
START_TEST(private_data)
{
    static const uint8_t first[] = {1}, zeros[4], last[56] = {[55] = 1};
    peers(0);
    cm_request(20049, _i == 0 ? first : _i == 1 ? last : zeros, _i == 0 ? 1 : _i == 1 ? 56 : 4);
    cm_reply(NULL, 0);
    quiet = true;
    ck_assert(read_capture());
    ck_assert_uint_eq(counts.events, _i < 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("connection management");
    TCase *tests = new_case(suite, "datagrams");
    tcase_add_loop_test(tests, fields, 0, 9);
    tcase_add_test(tests, path_mtus);
    tcase_add_test(tests, other_datagrams);
    tcase_add_test(tests, datagram_cut);
    tcase_add_test(tests, services);
    tests = new_case(suite, "replies");
    tcase_add_loop_test(tests, answered_in_any_order, 0, 3);
    tcase_add_loop_test(tests, same_id, 0, 2);
    tcase_add_loop_test(tests, answered_once, 0, 2);
    tcase_add_loop_test(tests, reply_first, 0, 6);
    tcase_add_loop_test(tests, asked_again, 0, 10);
    tcase_add_loop_test(tests, asked_otherwise, 0, 4);
    tcase_add_test(tests, kinds);
    tcase_add_loop_test(tests, identified, 0, 8);
    tcase_add_loop_test(tests, private_data, 0, 3);
    tcase_add_loop_test(tests, many_requests, 0, 3);
    return run_suite(suite);
}
