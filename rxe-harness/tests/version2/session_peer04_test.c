// SPDX-License-Identifier: BSD-3-Clause
/* A session of draft -04 against a peer that sends whatever the test says, right or wrong. */
#include "rxe-harness/tests/support/session_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>

#define NULL_CALL(xid) xid, 0, 2, 0x20000000, 1, 0, 0, 0, 0, 0
#define NULL_REPLY(xid) xid, 1, 0, 0, 0, 0
#define MSG(xid, credits, direction) xid, 2, credits, 0, direction, 0, 0, 0, 0
#define INLINE(xid) MSG(xid, 8, 0), NULL_CALL(xid)
#define ANSWER(xid, credits) MSG(xid, credits, 1), NULL_REPLY(xid)
#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / 4

static void setup(void)
{
    stage_setup();
    use_draft(RPCRDMA_PROTOCOL_2_04);
}

static unsigned sends(enum side side)
{
    unsigned count = 0;
    while (raw(side).type == LINK_RECEIVED)
        count++;
    return count;
}

/* ---- a server that answers ---- */

/* One Call until a Reply grants more; then as many in flight as the last Reply grants, and never
 * more than there are Receives for their Replies. */
START_TEST(test_grants_are_kept)
{
    options[ACTIVE].credits = 8;
    options[ACTIVE].no_properties = true;
    connect_sides(true, false);
    for (uint32_t xid = 1; xid <= 30; xid++)
        ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, xid, RPC));
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 1);
    SEND(PASSIVE, 1, 2, 5, 4, 10); /* an error is no grant yet */
    ck_assert_int_eq(after(ACTIVE).type, SESSION_ERROR);
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 1);
    SEND(PASSIVE, ANSWER(2, 3));
    ck_assert_int_eq(after(ACTIVE).type, SESSION_REPLY);
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 3); /* 3, 4, 5 */
    SEND(PASSIVE, ANSWER(99, 30));        /* of no Call */
    after(ACTIVE);
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 0);
    SEND(PASSIVE, ANSWER(4, 1)); /* 3 and 5 wait */
    after(ACTIVE);
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 0);
    SEND(PASSIVE, ANSWER(3, 0)); /* taken for 1 */
    after(ACTIVE);
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 0);
    SEND(PASSIVE, ANSWER(5, 100));
    after(ACTIVE);
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 8);
}
END_TEST

START_TEST(test_refused)
{
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    ck_assert_uint_eq(raw(PASSIVE).length, 36 + RPC);
    SEND(PASSIVE, 1, (uint32_t)_i, 32, 4, 1, 1, 1);
    ck_assert_int_eq(after(ACTIVE).type, SESSION_REFUSED);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).version, 1);
    SEND(PASSIVE, 2, 1, 32, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0);
    ck_assert_int_eq(after(ACTIVE).type, SESSION_VERSION1);
}
END_TEST

/* Replies that are to be dropped without a word: errors never flow to a Responder. */
static const struct {
    const char *what;
    const uint32_t *words;
    size_t count;
} bad_replies[] = {
    {"a Read list", WORDS(1, 2, 9, 0, 1, 0, 1, 4, 1, 4, 0, 0, 0, 0, 0, NULL_REPLY(1))},
    {"the direction of a Call in the payload", WORDS(MSG(1, 9, 1), NULL_CALL(1))},
    {"another XID in the payload", WORDS(MSG(1, 9, 1), NULL_REPLY(2))},
    {"no payload", WORDS(MSG(1, 9, 1))},
    {"a presence word of 2", WORDS(1, 2, 9, 0, 1, 0, 2, 0, 0, NULL_REPLY(1))},
    {"NOMSG without a Reply chunk", WORDS(1, 2, 9, 1, 1, 0, 0, 0, 0)},
    {"NOMSG with an empty Reply chunk", WORDS(1, 2, 9, 1, 1, 0, 0, 0, 1, 0)},
    {"direction 2", WORDS(MSG(1, 9, 2), NULL_REPLY(1))},
    {"procedure 10", WORDS(1, 2, 9, 10)},
    {"an optional Reply", WORDS(1, 2, 9, 5, 1, 77, 0)},
    {"a response that nobody asked for", WORDS(1, 2, 9, 8, 0, 0, 0)},
    {"an error without a code", WORDS(1, 2, 9, 4)},
    {"an error of an undefined code", WORDS(1, 2, 9, 4, 11)},
    {"another version", WORDS(1, 1, 9, 0, 0, 0, 0, NULL_REPLY(1))},
    {"eight octets", WORDS(1, 2)},
};

START_TEST(test_bad_replies)
{
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 7, RPC));
    after(ACTIVE);
    SEND(PASSIVE, ANSWER(7, 8));
    ck_assert_int_eq(after(ACTIVE).type, SESSION_REPLY);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    sends(PASSIVE);
    send_raw(PASSIVE, bad_replies[_i].words, bad_replies[_i].count);
    ck_assert_msg(after(ACTIVE).type == SESSION_NOTHING, "%s", bad_replies[_i].what);
    after(ACTIVE);
    ck_assert_msg(sends(PASSIVE) == 0, "%s is answered", bad_replies[_i].what);
    SEND(PASSIVE, ANSWER(1, 8)); /* the Call waits still */
    ck_assert_int_eq(after(ACTIVE).type, SESSION_REPLY);
}
END_TEST

/* ---- a client that calls ---- */

static void open_raw(void)
{
    connect_sides(false, true);
    SEND(ACTIVE, INLINE(7));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
}

static const struct {
    const char *what;
    const uint32_t *words;
    size_t count;
    uint32_t code, version;
} faults[] = {
    {"procedure 2", WORDS(8, 2, 9, 2, 0, 0, 0), 3, 2},
    {"procedure 10", WORDS(8, 2, 9, 10), 3, 2},
    {"direction 2", WORDS(MSG(8, 9, 2), NULL_CALL(8)), 2, 2},
    {"the direction of a Reply in the payload", WORDS(MSG(8, 9, 0), NULL_REPLY(8)), 2, 2},
    {"another XID in the payload", WORDS(MSG(8, 9, 0), NULL_CALL(9)), 2, 2},
    {"no payload", WORDS(MSG(8, 9, 0)), 2, 2},
    {"a list that is cut off", WORDS(8, 2, 9, 0, 0, 0, 1, 4), 2, 2},
    {"Position 6", WORDS(8, 2, 9, 0, 0, 0, 1, 6, 1, 4, 0, 0, 0, 0, 0, NULL_CALL(8)), 2, 2},
    {"Position zero in MSG", WORDS(8, 2, 9, 0, 0, 0, 1, 0, 1, 4, 0, 0, 0, 0, 0, NULL_CALL(8)), 2,
     2},
    {"NOMSG nowhere", WORDS(8, 2, 9, 1, 0, 0, 0, 0, 0), 2, 2},
    {"an optional Call", WORDS(8, 2, 9, 5, 0, 77, 4, 1), 9, 2},
    {"optional with direction 2", WORDS(8, 2, 9, 5, 2, 77, 0), 2, 2},
    {"a Receive Buffer Size of two octets", WORDS(8, 2, 9, 6, 1, 1, 2, 0, 0), 2, 2},
    {"backward support of level 3", WORDS(8, 2, 9, 9, 1, 2, 4, 3), 2, 2},
    {"a property that is cut off", WORDS(8, 2, 9, 6, 1, 1, 8, 0), 2, 2},
    {"version 3", WORDS(8, 3, 9, 0, 0, 0, 0), 1, 3},
};

START_TEST(test_faults)
{
    open_raw();
    send_raw(ACTIVE, faults[_i].words, faults[_i].count);
    ck_assert_msg(after(PASSIVE).type == SESSION_NOTHING, "%s", faults[_i].what);
    after(PASSIVE);
    struct link_event event = raw(ACTIVE);
    ck_assert_msg(event.type == LINK_RECEIVED && event.length >= 20, "%s", faults[_i].what);
    const uint32_t wanted[] = {8, faults[_i].version, options[PASSIVE].credits, 4, faults[_i].code};
    for (size_t i = 0; i < 5; i++)
        ck_assert_msg(rpcrdma_xdr_load32(event.octets + 4 * i) == wanted[i], "%s: word %zu is %u",
                      faults[_i].what, i, rpcrdma_xdr_load32(event.octets + 4 * i));
    SEND(ACTIVE, INLINE(9));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
}
END_TEST

START_TEST(test_too_many_segments)
{
    options[PASSIVE].segments = 1;
    open_raw();
    SEND(ACTIVE, 8, 2, 9, 0, 0, 0, 0, 1, 2, 1, 4, 0, 0, 1, 4, 0, 0, 0, 0, NULL_CALL(8));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
    struct link_event event = raw(ACTIVE);
    ck_assert_uint_eq(event.length, 24);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 16), 6); /* RDMA2_ERR_SEGMENTS */
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 20), 1);
}
END_TEST

/* Segments of one Position are a chunk; as many as are taken are not too many. */
START_TEST(test_read_segments)
{
    static const struct {
        uint32_t position[2];
        uint32_t code; /* 0: it is taken */
    } reads[] = {{{40, 44}, 0}, {{40, 40}, 6}};
    options[PASSIVE].segments = 1;
    open_raw();
    for (size_t i = 0; i < COUNT(reads); i++) {
        SEND(ACTIVE, 8 + (uint32_t)i, 2, 9, 0, 0, 0, 1, reads[i].position[0], 1, 4, 0, 0, 1,
             reads[i].position[1], 2, 4, 0, 0, 0, 0, 0, NULL_CALL(8 + (uint32_t)i));
        ck_assert_int_eq(after(PASSIVE).type, reads[i].code ? SESSION_NOTHING : SESSION_CALL);
    }
    ck_assert_uint_eq(rpcrdma_xdr_load32(raw(ACTIVE).octets + 16), 6); /* RDMA2_ERR_SEGMENTS */
}
END_TEST

/* A Call of version 1 in mid connection: its Reply has version 1 (7.3). */
START_TEST(test_version1_passes)
{
    open_raw();
    SEND(ACTIVE, 8, 1, 9, 0, 0, 0, 0, NULL_CALL(8));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_VERSION1);
    SEND(ACTIVE, INLINE(9));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
}
END_TEST

/* ---- properties ---- */

START_TEST(test_properties_are_told)
{
    options[PASSIVE].receive_size = 8192;
    open_raw();
    SEND(ACTIVE, 5, 2, 9, 6, 2, 1, 4, 2048, 2, 4, 0, 0);
    after(PASSIVE);
    struct link_event event = raw(ACTIVE);
    static const uint32_t wanted[] = {0, 2, 16, 6, 1, 1, 4, 8192, 0};
    ck_assert_uint_eq(event.length, sizeof wanted);
    for (size_t i = 0; i < sizeof wanted / 4; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 4 * i), wanted[i]);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).send_limit, 2048);
    ck_assert(!send_rpc(PASSIVE, RPCRDMA_CALL, 1, RPC)); /* its level is NONE */
    SEND(ACTIVE, 6, 2, 9, 9, 2, 1, 4, 4000, 2, 4, 1);
    after(PASSIVE);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).send_limit, 4000);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 1, RPC));
    SEND(ACTIVE, 7, 2, 9, 6, 0, 0); /* what is left out has its default */
    after(PASSIVE);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).send_limit, SESSION_INLINE);
}
END_TEST

/* A Call that waits for a grant when the Receives get smaller: its caller learns so. */
START_TEST(test_call_that_no_longer_fits)
{
    options[ACTIVE].no_properties = true;
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    SEND(PASSIVE, ANSWER(1, 1));
    after(ACTIVE);
    for (uint32_t xid = 2; xid <= 4; xid++)
        ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, xid, xid == 3 ? 3000 : RPC));
    after(ACTIVE);
    SEND(PASSIVE, 9, 2, 9, 9, 1, 1, 4, 1024); /* UPDPROP: Receives of 1024 octets */
    after(ACTIVE);
    SEND(PASSIVE, ANSWER(2, 2));
    struct session_event event = {.type = SESSION_NOTHING};
    for (int i = 0; i < 4 && event.type != SESSION_UNSENT; i++)
        event = after(ACTIVE);
    ck_assert_int_eq(event.type, SESSION_UNSENT);
    ck_assert_uint_eq(event.message.prefix.xid, 3);
    after(ACTIVE);
    ck_assert_uint_eq(sends(PASSIVE), 3); /* 1, 2 and 4 */
    ck_assert_uint_eq(session_waiting(sessions[ACTIVE]), 0);
}
END_TEST

/* A reverse Call that waits when the client says that it takes none. */
START_TEST(test_reverse_is_taken_back)
{
    options[PASSIVE].credits = 1;
    connect_sides(false, true);
    SEND(ACTIVE, INLINE(7));
    after(PASSIVE);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 1, RPC));
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 2, RPC));
    after(PASSIVE);
    ck_assert_uint_eq(sends(ACTIVE), 1);
    SEND(ACTIVE, 9, 2, 9, 9, 1, 2, 4, 0); /* UPDPROP: its level is NONE */
    after(PASSIVE);
    SEND(ACTIVE, ANSWER(1, 9));
    struct session_event event = {.type = SESSION_NOTHING};
    for (int i = 0; i < 4 && event.type != SESSION_UNSENT; i++)
        event = after(PASSIVE);
    ck_assert_int_eq(event.type, SESSION_UNSENT);
    ck_assert_uint_eq(event.message.prefix.xid, 2);
    after(PASSIVE);
    ck_assert_uint_eq(sends(ACTIVE), 0);
}
END_TEST

/* 33 properties: 8192 octets is what it has, the others are refused. */
START_TEST(test_request_is_answered)
{
    uint32_t request[5 + 3 * 33] = {99, 2, 9, 7, 33};
    for (uint32_t i = 0; i < 33; i++) {
        const uint32_t value[3] = {i == 1 ? 1 : i == 32 ? 1 : i + 100, 4, i == 32 ? 8192 : 16384};
        for (int j = 0; j < 3; j++)
            request[5 + 3 * i + j] = value[j];
    }
    request[5] = 2, request[7] = 1; /* reverse Calls inline, which only a client can take */
    options[PASSIVE].receive_size = 8192;
    options[PASSIVE].reverse = SESSION_REVERSE_INLINE;
    open_raw();
    send_raw(ACTIVE, request, sizeof request / 4);
    after(PASSIVE);
    struct link_event event = raw(ACTIVE);
    static const uint32_t wanted[] = {99, 2, 16, 8, 2, 0, 1, 2, 0xffffffff, 0, 0};
    ck_assert_uint_eq(event.length, sizeof wanted);
    for (size_t i = 0; i < sizeof wanted / 4; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 4 * i), wanted[i]);
}
END_TEST

/* A set has a word for each 32 that are asked for, and no word for none. */
START_TEST(test_words_of_a_set)
{
    static const uint32_t of_none[] = {99, 2, 16, 8, 0, 0, 0};
    static const uint32_t of_32[] = {99, 2, 16, 8, 1, 0, 1, 0xffffffff, 0};
    uint32_t request[5 + 3 * 32] = {99, 2, 9, 7, _i == 0 ? 0 : 32};
    for (uint32_t i = 0; i < 32; i++) {
        request[5 + 3 * i] = 100 + i;
        request[5 + 3 * i + 1] = 4;
    }
    open_raw();
    send_raw(ACTIVE, request, _i == 0 ? 5 : COUNT(request));
    after(PASSIVE);
    struct link_event event = raw(ACTIVE);
    const uint32_t *wanted = _i == 0 ? of_none : of_32;
    ck_assert_uint_eq(event.length, _i == 0 ? sizeof of_none : sizeof of_32);
    for (size_t i = 0; i < event.length / 4; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 4 * i), wanted[i]);
}
END_TEST

/* ---- reverse Calls ---- */

static const struct {
    uint32_t level; /* RPCRDMA2_07_RVRSDIR_* */
    bool plain, with_chunk;
} levels[] = {{RPCRDMA2_07_RVRSDIR_NONE, false, false},
              {RPCRDMA2_07_RVRSDIR_SIMPLE, true, false},
              {RPCRDMA2_07_RVRSDIR_GENL, true, true}};

START_TEST(test_reverse_level)
{
    options[ACTIVE].reverse = levels[_i].level;
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 7, RPC));
    after(ACTIVE);
    SEND(PASSIVE, ANSWER(7, 8));
    after(ACTIVE);
    SEND(PASSIVE, INLINE(1));
    ck_assert_int_eq(after(ACTIVE).type, levels[_i].plain ? SESSION_CALL : SESSION_NOTHING);
    SEND(PASSIVE, 2, 2, 8, 0, 0, 0, 0, 0, 1, 1, 1, 4, 0, 0, NULL_CALL(2));
    ck_assert_int_eq(after(ACTIVE).type, levels[_i].with_chunk ? SESSION_CALL : SESSION_NOTHING);
}
END_TEST

/* Properties that CONNPROP leaves out have their defaults (5.3.1), also after others. */
START_TEST(test_properties_have_defaults)
{
    open_raw();
    SEND(ACTIVE, 5, 2, 9, 6, 2, 1, 4, 2048, 2, 4, 0, 0); /* its level is NONE */
    after(PASSIVE);
    ck_assert(!send_rpc(PASSIVE, RPCRDMA_CALL, 1, RPC));
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).send_limit, 2048);
    SEND(ACTIVE, 6, 2, 9, 6, 0, 0);
    after(PASSIVE);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 1, RPC));
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).send_limit, SESSION_INLINE);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("session of -04 with any peer");
    tcase_add_checked_fixture(cases, setup, stage_teardown);
    tcase_add_test(cases, test_grants_are_kept);
    tcase_add_loop_test(cases, test_refused, 1, 3);
    tcase_add_loop_test(cases, test_bad_replies, 0, COUNT(bad_replies));
    tcase_add_loop_test(cases, test_faults, 0, COUNT(faults));
    tcase_add_test(cases, test_too_many_segments);
    tcase_add_test(cases, test_read_segments);
    tcase_add_test(cases, test_version1_passes);
    tcase_add_test(cases, test_properties_are_told);
    tcase_add_test(cases, test_call_that_no_longer_fits);
    tcase_add_test(cases, test_reverse_is_taken_back);
    tcase_add_test(cases, test_request_is_answered);
    tcase_add_loop_test(cases, test_words_of_a_set, 0, 2);
    tcase_add_loop_test(cases, test_reverse_level, 0, COUNT(levels));
    tcase_add_test(cases, test_properties_have_defaults);
    return run_tests("session of -04 with any peer", cases);
}
