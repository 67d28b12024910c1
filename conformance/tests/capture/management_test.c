// SPDX-License-Identifier: BSD-3-Clause
/* Connection management: which reply belongs to which request. */
#include "conformance/tests/support/captures/seen.h"

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
    uint32_t between = _i == 0 ? 7 : _i == 1 ? 8 : 0;
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
    expect_known(0, _i == 0);
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

int main(void)
{
    Suite *suite = suite_create("connection management");
    TCase *tests = new_case(suite, "replies");
    tcase_add_loop_test(tests, answered_in_any_order, 0, 3);
    tcase_add_loop_test(tests, same_id, 0, 2);
    tcase_add_loop_test(tests, answered_once, 0, 2);
    tcase_add_loop_test(tests, reply_first, 0, 5);
    tcase_add_loop_test(tests, many_requests, 0, 3);
    return run_suite(suite);
}
