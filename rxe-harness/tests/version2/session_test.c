// SPDX-License-Identifier: BSD-3-Clause
/*
 * Two sessions of version 2 against each other over loopback, with the checker looking on. With
 * SESSION_SENDS in the environment, this many Sends go each way by each of 1 to 64 credits.
 */
#include "rxe-harness/tests/support/session_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <stdio.h>
#include <stdlib.h>

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

START_TEST(test_call_and_reply)
{
    use_draft(drafts[_i]);
    look_on();
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 7, RPC));
    struct session_event event = until(PASSIVE, SESSION_CALL);
    ck_assert_uint_eq(event.length, RPC);
    is_whole(&event);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_REPLY, 7, 1000));
    event = until(ACTIVE, SESSION_REPLY);
    ck_assert_uint_eq(event.length, 1000);
    is_whole(&event);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).version, 2);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).version, 2);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).pieces_sent, 0);
    ck_assert_uint_eq(findings, 0);
}
END_TEST

START_TEST(test_properties)
{
    options[PASSIVE].receive_size = options[ACTIVE].send_size = 16384;
    connect_sides(true, true);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).send_limit, SESSION_FIRST);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    until(PASSIVE, SESSION_CALL);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).send_limit, 16384);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).send_limit, SESSION_INLINE);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 2, 16000));
    struct session_event event = until(PASSIVE, SESSION_CALL);
    is_whole(&event);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).pieces_sent, 0);
}
END_TEST

/* -04: they follow the first grant, and there are no pieces: what no Send holds is refused. */
START_TEST(test_properties04)
{
    use_draft(RPCRDMA_PROTOCOL_2_04);
    options[PASSIVE].receive_size = options[ACTIVE].send_size = 16384;
    look_on();
    connect_sides(true, true);
    ck_assert(!send_rpc(ACTIVE, RPCRDMA_CALL, 1, SESSION_FIRST));
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, SESSION_FIRST - RPCRDMA2_04_MSG_SIZE_MIN));
    until(PASSIVE, SESSION_CALL);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_REPLY, 1, RPC));
    until(ACTIVE, SESSION_REPLY);
    ck_assert(!send_rpc(ACTIVE, RPCRDMA_CALL, 2, 5000));
    struct session_event event;
    for (unsigned i = 0; i < 4; i++) /* both tell */
        session_wait(sessions[i % 2], 0, &event);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).send_limit, 16384);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).send_limit, SESSION_INLINE);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 2, 16000));
    event = until(PASSIVE, SESSION_CALL);
    is_whole(&event);
    ck_assert(!send_rpc(PASSIVE, RPCRDMA_REPLY, 2, SESSION_INLINE));
    ck_assert_uint_eq(findings, 0);
}
END_TEST

/* Without properties the first message may have 1024 octets, and is cut if it has more. */
START_TEST(test_first_message_in_pieces)
{
    options[ACTIVE].no_properties = true;
    look_on();
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, 2000));
    struct session_event event = until(PASSIVE, SESSION_CALL);
    ck_assert_uint_eq(event.length, 2000);
    is_whole(&event);
    ck_assert_uint_eq(findings, 0);
}
END_TEST

static const struct {
    size_t length, piece;
    uint32_t credits;
} cuts[] = {{1 << 20, 0, 16}, {1 << 20, 0, 1}, {1 << 20, 4093, 3}, {8192, 8, 2},     {4096, 9, 1},
            {4076, 0, 16},    {4080, 0, 16},   {RPC, 8, 8},        {4096 - 28, 0, 1}};

START_TEST(test_pieces)
{
    for (int i = 0; i < 2; i++) {
        options[i].credits = cuts[_i].credits;
        options[i].piece = cuts[_i].piece;
    }
    look_on();
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 9, cuts[_i].length));
    struct session_event event = until(PASSIVE, SESSION_CALL);
    ck_assert_uint_eq(event.length, cuts[_i].length);
    is_whole(&event);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_REPLY, 9, cuts[_i].length));
    event = until(ACTIVE, SESSION_REPLY);
    ck_assert_uint_eq(event.length, cuts[_i].length);
    is_whole(&event);
    ck_assert_uint_eq(findings, 0);
}
END_TEST

/* Chunk lists that leave the last Send so little room, or a word: the pieces before it see to the
 * rest. */
START_TEST(test_full_header)
{
    enum { SEGMENTS = 253, ROOM = SESSION_INLINE - 16 - 4 - 4 - 4 - 4 - SEGMENTS * 16, MORE = 12 };
    static const struct rpcrdma1_write_chunk empty;
    struct rpcrdma1_segment segments[SEGMENTS] = {{1, 1, 1}};
    const bool has_empty = _i >= MORE;
    options[PASSIVE].segments = SEGMENTS;
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    until(PASSIVE, SESSION_CALL);
    size_t length = SESSION_INLINE - 20 + ROOM - (has_empty ? 12 : 0) + (size_t)_i % MORE;
    uint8_t *rpc = make_rpc(2, RPCRDMA_CALL, length);
    const struct session_message message = {
        .direction = RPCRDMA_CALL,
        .xid = 2,
        .rpc = rpc,
        .length = length,
        .writes = {.items = &empty, .count = has_empty},
        .reply = {true, {{.items = segments, .count = SEGMENTS}}}};
    ck_assert(session_send(sessions[ACTIVE], &message));
    free(rpc);
    struct session_event event = until(PASSIVE, SESSION_CALL);
    ck_assert_uint_eq(event.length, length);
    ck_assert_uint_eq(event.message.chunks.rdma_reply.value.target.count, SEGMENTS);
    is_whole(&event);
}
END_TEST

/* Calls in both directions at once, some in pieces, until this many Sends went each way. Nothing
 * stalls, and every Call is answered. */
static void converse(uint32_t sends)
{
    const bool cuts_messages = options[ACTIVE].protocol == RPCRDMA_PROTOCOL_2_07;
    const uint32_t call_words = cuts_messages ? 5000 : 900,
                   reply_words = cuts_messages ? 3000 : 900;
    uint32_t begun[2] = {0}, answered[2] = {0};
    unsigned idle = 0;
    for (;;) {
        enum side side = (enum side)any(2);
        bool more = session_counts(sessions[side]).sent < sends;
        if (more && any(4) == 0 && begun[side] - answered[side] < 20 &&
            send_rpc(side, RPCRDMA_CALL, begun[side] + 1,
                     RPC + 4 * any(any(8) > 0 ? 200 : call_words)))
            begun[side]++;
        struct session_event event;
        session_wait(sessions[side], 0, &event);
        idle = event.type == SESSION_NOTHING ? idle + 1 : 0;
        if (event.type == SESSION_CALL) {
            is_whole(&event);
            ck_assert(send_rpc(side, RPCRDMA_REPLY, event.message.prefix.xid,
                               RPC + 4 * any(any(8) > 0 ? 50 : reply_words)));
        } else if (event.type == SESSION_REPLY) {
            is_whole(&event);
            answered[side]++;
        } else {
            ck_assert_int_eq(event.type, SESSION_NOTHING);
        }
        if (idle > 200 && session_counts(sessions[ACTIVE]).sent >= sends &&
            session_counts(sessions[PASSIVE]).sent >= sends)
            break;
        ck_assert_msg(idle < 2000, "it stalls: %u and %u Sends, %zu and %zu messages wait",
                      session_counts(sessions[ACTIVE]).sent, session_counts(sessions[PASSIVE]).sent,
                      session_waiting(sessions[ACTIVE]), session_waiting(sessions[PASSIVE]));
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(begun[i], answered[i]);
        ck_assert_uint_eq(session_waiting(sessions[i]), 0);
    }
}

static void converse_by(uint32_t active, uint32_t passive, uint32_t sends)
{
    options[ACTIVE].credits = active;
    options[PASSIVE].credits = passive;
    seed_any(active * 65 + passive);
    look_on();
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 0x7fffffff, RPC));
    until(PASSIVE, SESSION_CALL);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_REPLY, 0x7fffffff, RPC));
    until(ACTIVE, SESSION_REPLY);
    converse(sends);
    /* Two sides with nothing to say fall silent. */
    uint32_t sent = session_counts(sessions[ACTIVE]).sent;
    struct session_event event;
    for (unsigned i = 0; i < 100; i++)
        session_wait(sessions[i % 2], 0, &event);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).sent, sent);
    ck_assert_uint_eq(findings, 0);
}

static const uint32_t credits[] = {1, 2, 3, 8, 64};

START_TEST(test_credits)
{
    use_draft(drafts[_i / 25]);
    converse_by(credits[_i % 5], credits[_i / 5 % 5], 1000);
}
END_TEST

/* Each number of credits, as many Sends as the environment says. */
START_TEST(test_all_credits)
{
    uint32_t own = (uint32_t)_i / 2 + 1,
             sends = (uint32_t)strtoul(getenv("SESSION_SENDS"), NULL, 10);
    use_draft(drafts[_i % 2]);
    converse_by(own, 65 - own, sends);
    const struct session_counts of[] = {session_counts(sessions[ACTIVE]),
                                        session_counts(sessions[PASSIVE])};
    printf("draft -%s, credits %u and %u: %u and %u Sends, of them %u and %u pieces\n",
           _i % 2 == 0 ? "04" : "07", own, 65 - own, of[ACTIVE].sent, of[PASSIVE].sent,
           of[ACTIVE].pieces_sent, of[PASSIVE].pieces_sent);
    fflush(stdout);
}
END_TEST

START_TEST(test_reverse_is_refused)
{
    options[ACTIVE].reverse = RPCRDMA2_07_RVRSDIR_NONE;
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    until(PASSIVE, SESSION_CALL);
    ck_assert(!send_rpc(PASSIVE, RPCRDMA_CALL, 2, RPC));
}
END_TEST

/* -07: what the client's level lets the server send (5.2.5). */
static const struct {
    uint32_t level;
    bool in_pieces, with_chunk;
} levels[] = {{RPCRDMA2_07_RVRSDIR_SIMPLE, false, false},
              {RPCRDMA2_07_RVRSDIR_CONT, true, false},
              {RPCRDMA2_07_RVRSDIR_GENL, true, true}};

START_TEST(test_reverse_has_its_form)
{
    const struct rpcrdma1_read_segment read = {.position = 4, .target = {1, 4, 0}};
    uint8_t *rpc = make_rpc(4, RPCRDMA_CALL, RPC);
    const struct session_message with_chunk = {.direction = RPCRDMA_CALL,
                                               .xid = 4,
                                               .rpc = rpc,
                                               .length = RPC,
                                               .reads = {.items = &read, .count = 1}};
    options[ACTIVE].reverse = levels[_i].level;
    options[PASSIVE].piece = 8;
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    until(PASSIVE, SESSION_CALL);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 2, RPC));
    struct session_event event = until(ACTIVE, SESSION_CALL);
    is_whole(&event);
    ck_assert_int_eq(session_counts(sessions[PASSIVE]).pieces_sent > 0, levels[_i].in_pieces);
    ck_assert_int_eq(send_rpc(PASSIVE, RPCRDMA_CALL, 3, SESSION_INLINE), levels[_i].in_pieces);
    ck_assert_int_eq(session_send(sessions[PASSIVE], &with_chunk), levels[_i].with_chunk);
    free(rpc);
}
END_TEST

/* ---- limits ---- */

/* A message in pieces may be as long as that, and no octet longer. */
START_TEST(test_longest_message)
{
    options[PASSIVE].message_max = 6000;
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 8, 6000));
    struct session_event event = until(PASSIVE, SESSION_CALL);
    is_whole(&event);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 9, 6004));
    event = until(ACTIVE, SESSION_ERROR);
    ck_assert_uint_eq(event.message.prefix.xid, 9);
    ck_assert_uint_eq(event.message.error.code, RPCRDMA2_07_ERR_SYSTEM);
}
END_TEST

/* A client that takes no pieces of reverse Calls gets what one Send holds: 4096 octets less 32. */
START_TEST(test_longest_reverse_call)
{
    options[ACTIVE].reverse = SESSION_REVERSE_INLINE;
    connect_sides(true, true);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 7, RPC));
    until(PASSIVE, SESSION_CALL);
    uint32_t most = session_counts(sessions[PASSIVE]).send_limit - 32;
    ck_assert(!send_rpc(PASSIVE, RPCRDMA_CALL, 1, most + 4));
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 1, most));
    struct session_event event = until(ACTIVE, SESSION_CALL);
    is_whole(&event);
}
END_TEST

/* Segments of all chunks count, those of the Reply chunk too. */
START_TEST(test_segments_of_a_reply_chunk)
{
    options[PASSIVE].segments = 2;
    connect_sides(false, true);
    SEND(ACTIVE, 8, 2, 9, RPCRDMA2_07_CALL_INLINE, 0, 0, 0, 1, 2, 1, 4, 0, 0, 2, 4, 0, 0, 8, 0, 2,
         100003, 3, 0, 0, 0, 0, 0);
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
    SEND(ACTIVE, 9, 2, 9, RPCRDMA2_07_CALL_INLINE, 0, 0, 0, 1, 3, 1, 4, 0, 0, 2, 4, 0, 0, 3, 4, 0,
         0, 9, 0, 2, 100003, 3, 0, 0, 0, 0, 0);
    ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
    struct link_event event = raw(ACTIVE);
    while (event.type == LINK_RECEIVED && event.length == 16) /* a GRANT */
        event = raw(ACTIVE);
    ck_assert_uint_eq(event.length, 24);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 16), RPCRDMA2_07_ERR_SEGMENTS);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 20), 2);
}
END_TEST

/* An error is never answered, whatever its version, nor does it settle one. */
START_TEST(test_error_of_another_version_first)
{
    connect_sides(false, true);
    SEND(ACTIVE, 8, 99, 9, RPCRDMA2_07_ERROR, 1, 1, 1);
    ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
    ck_assert_int_eq(raw(ACTIVE).type, LINK_NOTHING);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).version, 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("session");
    tcase_add_checked_fixture(cases, stage_setup, stage_teardown);
    tcase_set_timeout(cases, getenv("SESSION_SENDS") ? 3600 : 120);
    tcase_add_loop_test(cases, test_call_and_reply, 0, 2);
    tcase_add_test(cases, test_properties);
    tcase_add_test(cases, test_properties04);
    tcase_add_test(cases, test_first_message_in_pieces);
    tcase_add_loop_test(cases, test_pieces, 0, COUNT(cuts));
    tcase_add_loop_test(cases, test_full_header, 0, 24);
    tcase_add_loop_test(cases, test_credits, 0, 50);
    if (getenv("SESSION_SENDS"))
        tcase_add_loop_test(cases, test_all_credits, 0, 128);
    tcase_add_test(cases, test_reverse_is_refused);
    tcase_add_loop_test(cases, test_reverse_has_its_form, 0, COUNT(levels));
    tcase_add_test(cases, test_longest_message);
    tcase_add_test(cases, test_longest_reverse_call);
    tcase_add_test(cases, test_segments_of_a_reply_chunk);
    tcase_add_test(cases, test_error_of_another_version_first);
    return run_tests("session", cases);
}
