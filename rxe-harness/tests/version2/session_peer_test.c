// SPDX-License-Identifier: BSD-3-Clause
/* A session of version 2 against a peer that sends whatever the test says, right or wrong. */
#include "rxe-harness/tests/support/session_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>

#define NULL_CALL(xid) xid, 0, 2, 0x20000000, 1, 0, 0, 0, 0, 0
#define INLINE(xid) xid, 2, 99, 10, 0, 0, 0, 0, NULL_CALL(xid)

/* ---- versions ---- */

START_TEST(test_refused)
{
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    ck_assert_uint_eq(raw(PASSIVE).length, 16 + 4 + 4 * 12);
    ck_assert_int_eq(raw(PASSIVE).type, LINK_NOTHING); /* one message until there is an answer */
    SEND(PASSIVE, 0, (uint32_t)_i, 32, 4, 1, 1, 1);
    struct session_event event = after(ACTIVE);
    ck_assert_int_eq(event.type, SESSION_REFUSED);
    ck_assert_uint_eq(event.message.error.value[1], 1);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).version, 1);
    ck_assert(!send_rpc(ACTIVE, RPCRDMA_CALL, 2, RPC));
    SEND(PASSIVE, 2, 1, 32, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0);
    event = after(ACTIVE);
    ck_assert_int_eq(event.type, SESSION_VERSION1);
    ck_assert_uint_eq(event.length, 52);
}
END_TEST

/* An ERR_VERS that names no version 1 ends all: 0 to 0, and 2 to 3. */
START_TEST(test_refused_for_other_versions)
{
    static const uint32_t ranges[][2] = {{0, 0}, {2, 3}};
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    SEND(PASSIVE, 0, 2, 32, 4, 1, ranges[_i][0], ranges[_i][1]);
    ck_assert_int_eq(after(ACTIVE).type, SESSION_REFUSED);
    SEND(PASSIVE, 2, 1, 32, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0);
    ck_assert_int_ne(after(ACTIVE).type, SESSION_VERSION1);
}
END_TEST

START_TEST(test_other_versions_first)
{
    connect_sides(false, true);
    SEND(ACTIVE, 5, 3, 1, 0, 0, 0, 0);
    ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
    struct link_event event = raw(ACTIVE);
    ck_assert_uint_eq(event.length, 28);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets), 5);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 4), 3);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 20), 1);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 24), 2);
    SEND(ACTIVE, 6, 1, 1, 0, 0, 0, 0, 6, 0, 2, 1, 1, 0, 0, 0, 0, 0);
    ck_assert_int_eq(after(PASSIVE).type, SESSION_VERSION1);
    ck_assert_uint_eq(session_counts(sessions[PASSIVE]).version, 1);
}
END_TEST

/* The first message after a refusal is the first of the connection: credits count from there. */
START_TEST(test_credits_after_a_refusal)
{
    connect_sides(false, true);
    for (int i = 0; i < _i; i++) {
        SEND(ACTIVE, 5, 3, 1, 0, 0, 0, 0);
        after(PASSIVE);
        ck_assert_uint_eq(raw(ACTIVE).length, 28);
    }
    SEND(ACTIVE, INLINE(6));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_REPLY, 6, RPC));
    after(PASSIVE);
    struct link_event event = raw(ACTIVE);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 8), 1 + options[PASSIVE].credits);
}
END_TEST

/* What has left the queue makes room in it, to the last octet. */
START_TEST(test_queue_is_empty_again)
{
    options[ACTIVE].queue_max = 16 * RPC;
    options[ACTIVE].no_properties = true;
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    for (uint32_t sent = 2; sent < 100; sent += 4) {
        for (uint32_t i = 0; i < 4; i++)
            ck_assert_msg(send_rpc(ACTIVE, RPCRDMA_CALL, sent + i, 2 * RPC), "%u Calls are waiting",
                          i);
        ck_assert_uint_eq(session_waiting(sessions[ACTIVE]), 4);
        SEND(PASSIVE, 0, 2, 1000, 5);
        after(ACTIVE);
        while (raw(PASSIVE).type == LINK_RECEIVED) /* which posts its Receive again */
            continue;
        ck_assert_uint_eq(session_waiting(sessions[ACTIVE]), 0);
    }
}
END_TEST

/* It sends as many messages as the peer's last word says, counted from the first, and no more; a
 * word that is lower than what was sent stops it. */
START_TEST(test_credits_are_kept)
{
    static const struct {
        uint32_t word, sent;
    } grants[] = {{3, 3}, {3, 3}, {2, 3}, {0xffffffff, 3}, {5, 5}, {9, 9}};
    options[ACTIVE].no_properties = true;
    connect_sides(true, false);
    for (uint32_t xid = 1; xid <= 20; xid++)
        ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, xid, RPC));
    after(ACTIVE);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).sent, 1);
    for (size_t i = 0; i < COUNT(grants); i++) {
        SEND(PASSIVE, 0, 2, grants[i].word, 5);
        after(ACTIVE);
        ck_assert_uint_eq(session_counts(sessions[ACTIVE]).sent, grants[i].sent);
        ck_assert_uint_eq(session_counts(sessions[ACTIVE]).grants_sent, 0);
    }
}
END_TEST

/* ---- a peer that sends what it should not ---- */

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / 4

/* After a good Call: Sends with zero words between them, and the error that answers the last. */
static const struct {
    const char *what;
    const uint32_t *words;
    size_t count;
    uint32_t xid, code;
} faults[] = {
    {"a type of version 1", WORDS(8, 2, 99, 0, 0, 0, 0), 8, 4},
    {"a type beyond all", WORDS(8, 2, 99, 14), 8, 4},
    {"a Read list that falls",
     WORDS(8, 2, 99, 10, 0, 1, 8, 1, 4, 0, 0, 1, 4, 1, 4, 0, 0, 0, 0, 0, NULL_CALL(8)), 8, 2},
    {"Position zero", WORDS(8, 2, 99, 10, 0, 1, 0, 1, 4, 0, 0, 0, 0, 0, NULL_CALL(8)), 8, 2},
    {"a Position that is no word's",
     WORDS(8, 2, 99, 10, 0, 1, 6, 1, 4, 0, 0, 0, 0, 0, NULL_CALL(8)), 8, 2},
    {"another XID in the RPC header", WORDS(8, 2, 99, 10, 0, 0, 0, 0, NULL_CALL(9)), 8, 2},
    {"a list that is cut off", WORDS(8, 2, 99, 10, 0, 1, 4), 8, 2},
    {"an external Call nowhere", WORDS(8, 2, 99, 8, 0, 0, 0, 0, 0), 8, 2},
    {"an external Call elsewhere", WORDS(8, 2, 99, 8, 0, 1, 4, 1, 40, 0, 0, 0, 0, 0, 0), 8, 2},
    {"octets after an external Call", WORDS(8, 2, 99, 8, 0, 1, 0, 1, 40, 0, 0, 0, 0, 0, 0, 8), 8,
     2},
    {"no payload", WORDS(8, 2, 99, 10, 0, 0, 0, 0), 8, 2},
    {"a piece that is the last", WORDS(8, 2, 99, 9, 0, 8), 8, 5},
    {"a property of two octets", WORDS(8, 2, 99, 7, 1, 2, 2, 0), 8, 3},
    {"a property that is cut off", WORDS(8, 2, 99, 7, 1, 2, 8, 0), 8, 2},
    {"version 1 after version 2", WORDS(8, 1, 99, 0, 0, 0, 0), 8, 11},
    {"version 3 after version 2", WORDS(8, 3, 99, 0, 0, 0, 0), 8, 1},
};

/* The Sends of a raw client, each of this many words. */
static void open_raw(void)
{
    struct session_event event;
    connect_sides(false, true);
    SEND(ACTIVE, INLINE(7));
    event = after(PASSIVE);
    ck_assert_int_eq(event.type, SESSION_CALL);
}

static void expect_error(const char *what, uint32_t xid, uint32_t code)
{
    ck_assert_msg(after(PASSIVE).type == SESSION_NOTHING, "%s: an event", what);
    struct link_event event = raw(ACTIVE);
    while (event.type == LINK_RECEIVED && event.length == 16) /* a GRANT */
        event = raw(ACTIVE);
    ck_assert_msg(event.type == LINK_RECEIVED, "%s: no answer", what);
    ck_assert_msg(event.length >= 20 && rpcrdma_xdr_load32(event.octets) == xid &&
                      rpcrdma_xdr_load32(event.octets + 12) == 4 &&
                      rpcrdma_xdr_load32(event.octets + 16) == code,
                  "%s: another answer, code %u", what,
                  event.length >= 20 ? rpcrdma_xdr_load32(event.octets + 16) : 0);
}

/* It still serves. */
static void expect_alive(void)
{
    struct session_event event;
    SEND(ACTIVE, INLINE(77));
    do
        event = after(PASSIVE);
    while (event.type == SESSION_NOTHING && raw(ACTIVE).type != LINK_NOTHING);
    ck_assert_int_eq(event.type, SESSION_CALL);
    ck_assert_uint_eq(event.message.prefix.xid, 77);
}

START_TEST(test_faults)
{
    open_raw();
    send_raw(ACTIVE, faults[_i].words, faults[_i].count);
    expect_error(faults[_i].what, faults[_i].xid, faults[_i].code);
    expect_alive();
}
END_TEST

START_TEST(test_silence)
{
    open_raw();
    SEND(ACTIVE, 8, 2, 99);              /* shorter than the prefix */
    SEND(ACTIVE, 8, 2, 99, 4, 77);       /* an error, of no known code */
    SEND(ACTIVE, 8, 2, 99, 13, 0);       /* a Reply that is cut off */
    SEND(ACTIVE, 8, 2, 99, 13, 0, 9, 1); /* a Reply of two XIDs */
    SEND(ACTIVE, 8, 2, 99, 5);           /* a GRANT */
    struct session_event event;
    do
        event = after(PASSIVE);
    while (event.type == SESSION_ERROR);
    ck_assert_int_eq(event.type, SESSION_NOTHING);
    struct link_event came = raw(ACTIVE);
    ck_assert(came.type == LINK_NOTHING || came.length == 16); /* at most a GRANT */
    expect_alive();
}
END_TEST

START_TEST(test_foreign_piece)
{
    open_raw();
    SEND(ACTIVE, 8, 2, 99, 9, 36, 8); /* the first word of a Call */
    SEND(ACTIVE, 9, 2, 99, 9, 36, 9); /* of another */
    expect_error("a piece of another message", 9, 5);
    SEND(ACTIVE, 9, 2, 99, 10, 0, 0, 0, 0, 9); /* its rest is no Call */
    ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
    SEND(ACTIVE, 8, 2, 99, 10, 0, 0, 0, 0, 0, 2, 0x20000000, 1, 0, 0, 0, 0, 0);
    struct session_event event = after(PASSIVE); /* that of the first completes it */
    ck_assert_int_eq(event.type, SESSION_CALL);
    ck_assert_uint_eq(event.length, RPC);
}
END_TEST

START_TEST(test_wrong_count)
{
    open_raw();
    SEND(ACTIVE, 8, 2, 99, 9, 36, 8);
    SEND(ACTIVE, 8, 2, 99, 9, 8, 0); /* 36 - 4 are left, or 40 - 4 */
    expect_error("a count that does not fall by what came", 8, 5);
    SEND(ACTIVE, 8, 2, 99, 10, 0, 0, 0, 0, 8, 0);
    ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
    SEND(ACTIVE, INLINE(8)); /* that was its last Send: what has the XID now is another message */
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
    expect_alive();
}
END_TEST

/* By the one reading 4 more octets follow its 8, by the other none: neither is the last Send. */
START_TEST(test_count_of_nothing_more)
{
    open_raw();
    SEND(ACTIVE, 8, 2, 99, 9, 12, 8);
    SEND(ACTIVE, 8, 2, 99, 9, 8, 0, 2);
    expect_error("a piece that counts nothing after it", 8, 5);
    expect_alive();
}
END_TEST

/* Either reading of rdma_remaining is taken. */
START_TEST(test_count_with_this_piece)
{
    open_raw();
    SEND(ACTIVE, 8, 2, 99, 9, 40, 8);
    SEND(ACTIVE, 8, 2, 99, 9, 36, 0);
    SEND(ACTIVE, 8, 2, 99, 10, 0, 0, 0, 0, 2, 0x20000000, 1, 0, 0, 0, 0, 0);
    struct session_event event = after(PASSIVE);
    ck_assert_int_eq(event.type, SESSION_CALL);
    ck_assert_uint_eq(event.length, RPC);
}
END_TEST

START_TEST(test_too_long)
{
    options[PASSIVE].message_max = 100;
    open_raw();
    SEND(ACTIVE, 8, 2, 99, 9, 1000, NULL_CALL(8), NULL_CALL(8));
    SEND(ACTIVE, 8, 2, 99, 9, 920, NULL_CALL(8), NULL_CALL(8));
    expect_error("a message longer than is joined", 8, 100);
    SEND(ACTIVE, 8, 2, 99, 10, 0, 0, 0, 0, 8);
    ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
}
END_TEST

START_TEST(test_too_many_segments)
{
    options[PASSIVE].segments = 1;
    open_raw();
    SEND(ACTIVE, 8, 2, 99, 10, 0, 1, 40, 1, 4, 0, 0, 1, 40, 1, 4, 0, 0, 0, 0, 0, NULL_CALL(8));
    expect_error("more segments than it takes", 8, 8);
    expect_alive();
}
END_TEST

/* A peer that grants nothing and sends nothing but faults does not fill the memory. */
START_TEST(test_errors_are_bounded)
{
    open_raw();
    struct session_event event = {.type = SESSION_NOTHING};
    unsigned sends = 0;
    for (; event.type != SESSION_CLOSED && sends < 1000; sends++) {
        SEND(ACTIVE, 8, 2, 0, 14);
        event = after(PASSIVE);
    }
    ck_assert_int_eq(event.type, SESSION_CLOSED);
    ck_assert_uint_eq(sends, SESSION_ERRORS_MAX + 1);
}
END_TEST

/* Errors that went out are not counted against the peer any more. */
START_TEST(test_errors_that_went_out)
{
    open_raw();
    for (uint32_t i = 0; i < 3 * SESSION_ERRORS_MAX; i++) {
        SEND(ACTIVE, 8, 2, 1000, 14);
        ck_assert_int_eq(after(PASSIVE).type, SESSION_NOTHING);
        ck_assert_int_eq(raw(ACTIVE).type, LINK_RECEIVED);
    }
}
END_TEST

/* Nor one whose Calls are answered by errors that it gives no credit for. */
START_TEST(test_refusals_are_bounded)
{
    open_raw();
    struct session_event event = {.type = SESSION_NOTHING};
    unsigned sends = 0;
    for (; event.type != SESSION_CLOSED && sends < 1000; sends++) {
        SEND(ACTIVE, 8, 2, 0, 10, 0, 0, 0, 0, NULL_CALL(8));
        event = after(PASSIVE);
        if (event.type == SESSION_CALL)
            session_send_error(sessions[PASSIVE], 8, RPCRDMA2_07_ERR_SYSTEM,
                               (const uint32_t[2]){0, 0});
    }
    ck_assert_int_eq(event.type, SESSION_CLOSED);
    ck_assert_uint_le(sends, SESSION_ERRORS_MAX + 3);
}
END_TEST

/* What is posted beside the queue counts as a Send, and has the credits of one. */
START_TEST(test_posted)
{
    uint8_t grant[16] = {0};
    rpcrdma_xdr_store32(grant + 4, 2);
    rpcrdma_xdr_store32(grant + 12, RPCRDMA2_07_GRANT);
    open_raw();
    for (unsigned i = 0; i < 3; i++) {
        struct session_counts before = session_counts(sessions[PASSIVE]);
        ck_assert(session_post(sessions[PASSIVE], grant, sizeof grant));
        struct session_counts now = session_counts(sessions[PASSIVE]);
        ck_assert_uint_eq(now.sent, before.sent + 1);
        ck_assert_int_eq(now.left, before.left - 1);
        struct link_event event = raw(ACTIVE);
        ck_assert_uint_eq(event.length, sizeof grant);
        ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 8), 1 + options[PASSIVE].credits);
    }
}
END_TEST

#define SEGMENTS 80 /* more octets of lists than a Receive of 1024 takes */
#define SMALLER(xid) xid, 2, 1, 7, 1, 2, 4, 1024 /* CONNPROP_FINAL: Receives of 1024 octets */

static bool call_with_lists(enum side side, uint32_t xid, size_t length)
{
    static struct rpcrdma1_segment segments[SEGMENTS] = {{.handle = 1}};
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = segments, .count = SEGMENTS}};
    uint8_t *rpc = make_rpc(xid, RPCRDMA_CALL, length);
    const struct session_message message = {.direction = RPCRDMA_CALL,
                                            .xid = xid,
                                            .rpc = rpc,
                                            .length = length,
                                            .writes = {.items = &chunk, .count = 1}};
    bool good = session_send(sessions[side], &message);
    free(rpc);
    return good;
}

/* The caller of a Call learns that it is not sent; later ones are. */
START_TEST(test_calls_that_no_longer_fit)
{
    options[ACTIVE].no_properties = true;
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    SEND(PASSIVE, 0, 2, 1, 5); /* settled, and no credit */
    after(ACTIVE);
    ck_assert(call_with_lists(ACTIVE, 2, RPC));
    ck_assert(call_with_lists(ACTIVE, 3, RPC));
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 4, RPC));
    SEND(PASSIVE, SMALLER(9));
    ck_assert_int_eq(after(ACTIVE).type, SESSION_NOTHING);
    SEND(PASSIVE, 0, 2, 9, 5);
    struct session_event event = after(ACTIVE);
    for (uint32_t xid = 2; xid <= 3; xid++) {
        event = event.type == SESSION_NOTHING ? after(ACTIVE) : event;
        ck_assert_int_eq(event.type, SESSION_UNSENT);
        ck_assert_uint_eq(event.message.prefix.xid, xid);
        event = after(ACTIVE);
    }
    ck_assert_int_eq(event.type, SESSION_NOTHING);
    ck_assert_uint_eq(session_waiting(sessions[ACTIVE]), 0);
    ck_assert_uint_eq(rpcrdma_xdr_load32(raw(PASSIVE).octets), 1);
    struct link_event last = raw(PASSIVE);
    ck_assert_uint_eq(rpcrdma_xdr_load32(last.octets), 4);
    ck_assert_int_eq(raw(PASSIVE).type, LINK_NOTHING);
}
END_TEST

/* Where its first pieces went nothing else may follow them: the connection is of no more use. */
START_TEST(test_message_that_cannot_be_ended)
{
    options[ACTIVE].no_properties = true;
    connect_sides(true, false);
    ck_assert(send_rpc(ACTIVE, RPCRDMA_CALL, 1, RPC));
    after(ACTIVE);
    SEND(PASSIVE, 0, 2, 2, 5); /* settled, and one credit more */
    after(ACTIVE);
    ck_assert(call_with_lists(ACTIVE, 2, 8000));
    after(ACTIVE);
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).pieces_sent, 1);
    SEND(PASSIVE, SMALLER(9));
    after(ACTIVE);
    uint32_t sent = session_counts(sessions[ACTIVE]).sent;
    SEND(PASSIVE, 0, 2, 9, 5);
    struct session_event event = after(ACTIVE);
    event = event.type == SESSION_NOTHING ? after(ACTIVE) : event;
    ck_assert_int_eq(event.type, SESSION_CLOSED);
    ck_assert_str_ne(links[ACTIVE]->why, "");
    ck_assert_uint_eq(session_counts(sessions[ACTIVE]).sent, sent);
    ck_assert(!send_rpc(ACTIVE, RPCRDMA_CALL, 3, RPC));
    ck_assert_int_eq(after(ACTIVE).type, SESSION_CLOSED);
}
END_TEST

/* Reverse Calls that wait when the client says that it takes none, or none in pieces. */
START_TEST(test_reverse_is_taken_back)
{
    struct session_event event;
    connect_sides(false, true);
    SEND(ACTIVE, 7, 2, 1, 6, 1, 5, 4, RPCRDMA2_07_RVRSDIR_CONT);
    after(PASSIVE);
    SEND(ACTIVE, 8, 2, 1, 6, 0); /* it sends while it has no credit */
    after(PASSIVE);
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 1, RPC));
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 2, 2 * SESSION_INLINE));
    ck_assert(send_rpc(PASSIVE, RPCRDMA_CALL, 3, RPC));
    after(PASSIVE);
    uint32_t dropped[3], count = 0;
    SEND(ACTIVE, 9, 2, 30, 7, 1, 5, 4, (uint32_t)_i);
    for (int i = 0; i < 10; i++) {
        event = after(PASSIVE);
        if (event.type == SESSION_UNSENT && count < 3)
            dropped[count++] = event.message.prefix.xid;
    }
    ck_assert_uint_eq(session_waiting(sessions[PASSIVE]), 0);
    bool none = _i == RPCRDMA2_07_RVRSDIR_NONE;
    ck_assert_uint_eq(count, none ? 3 : 1);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(dropped[i], none ? 1 + i : 2);
}
END_TEST

/* A peer that tells of small Receives once a Reply with long lists waits gets an error instead. */
START_TEST(test_receives_get_smaller)
{
    enum { LENGTH = 100000 };
    struct rpcrdma1_segment segments[SEGMENTS] = {{.handle = 1}};
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = segments, .count = SEGMENTS}};
    connect_sides(false, true);
    SEND(ACTIVE, 7, 2, 0, 10, 0, 0, 0, 0, NULL_CALL(7));
    ck_assert_int_eq(after(PASSIVE).type, SESSION_CALL);
    uint8_t *rpc = make_rpc(7, RPCRDMA_REPLY, LENGTH);
    const struct session_message message = {.direction = RPCRDMA_REPLY,
                                            .xid = 7,
                                            .rpc = rpc,
                                            .length = LENGTH,
                                            .writes = {.items = &chunk, .count = 1}};
    ck_assert(session_send(sessions[PASSIVE], &message));
    free(rpc);
    SEND(ACTIVE, 8, 2, 99, 7, 1, 2, 4, 1024); /* CONNPROP_FINAL: a Receive Buffer Size of 1024 */
    after(PASSIVE);
    struct link_event event = raw(ACTIVE);
    while (event.type == LINK_RECEIVED && rpcrdma_xdr_load32(event.octets + 12) != 4)
        event = raw(ACTIVE);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets), 7);
    ck_assert_uint_eq(rpcrdma_xdr_load32(event.octets + 16), RPCRDMA2_07_ERR_SYSTEM);
    ck_assert_uint_eq(session_waiting(sessions[PASSIVE]), 0);
}
END_TEST

static void bring_grant(struct link *link, unsigned timeout, struct link_event *event)
{
    static const uint8_t grant[16] = {[7] = 2, [11] = 99, [15] = RPCRDMA2_07_GRANT};
    (void)link;
    (void)timeout;
    *event = (struct link_event){.type = LINK_RECEIVED, .octets = grant, .length = sizeof grant};
}

START_TEST(test_time_ends_though_grants_come)
{
    struct session_event event;
    connect_sides(false, true);
    const struct link_ops *ops = links[PASSIVE]->ops;
    struct link_ops endless = *ops;
    endless.wait = bring_grant;
    links[PASSIVE]->ops = &endless;
    session_wait(sessions[PASSIVE], 20, &event);
    links[PASSIVE]->ops = ops;
    ck_assert_int_eq(event.type, SESSION_NOTHING);
    ck_assert_uint_gt(session_counts(sessions[PASSIVE]).received, 0);
}
END_TEST

/* ---- a peer that sends without end ---- */

static void wait_grant(struct link *link, unsigned timeout, struct link_event *event)
{
    static uint8_t octets[16] = {[7] = 2, [11] = 99, [15] = 5};
    (void)link, (void)timeout;
    *event = (struct link_event){.type = LINK_RECEIVED, .octets = octets, .length = sizeof octets};
}

START_TEST(test_sends_without_end)
{
    struct session_event event;
    open_raw();
    const struct link_ops *ops = links[PASSIVE]->ops;
    struct link_ops endless = *ops;
    endless.wait = wait_grant;
    links[PASSIVE]->ops = &endless;
    session_wait(sessions[PASSIVE], (unsigned)_i, &event);
    links[PASSIVE]->ops = ops;
    ck_assert_int_eq(event.type, SESSION_NOTHING);
    ck_assert_uint_gt(session_counts(sessions[PASSIVE]).received, 1);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("session with any peer");
    tcase_add_checked_fixture(cases, stage_setup, stage_teardown);
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, test_sends_without_end, 0, 2);
    tcase_add_loop_test(cases, test_refused, 1, 3);
    tcase_add_loop_test(cases, test_refused_for_other_versions, 0, 2);
    tcase_add_test(cases, test_other_versions_first);
    tcase_add_loop_test(cases, test_credits_after_a_refusal, 0, 3);
    tcase_add_test(cases, test_queue_is_empty_again);
    tcase_add_test(cases, test_posted);
    tcase_add_test(cases, test_credits_are_kept);
    tcase_add_loop_test(cases, test_faults, 0, COUNT(faults));
    tcase_add_test(cases, test_silence);
    tcase_add_test(cases, test_foreign_piece);
    tcase_add_test(cases, test_wrong_count);
    tcase_add_test(cases, test_count_of_nothing_more);
    tcase_add_test(cases, test_count_with_this_piece);
    tcase_add_test(cases, test_too_long);
    tcase_add_test(cases, test_too_many_segments);
    tcase_add_test(cases, test_errors_are_bounded);
    tcase_add_test(cases, test_errors_that_went_out);
    tcase_add_test(cases, test_refusals_are_bounded);
    tcase_add_test(cases, test_calls_that_no_longer_fit);
    tcase_add_test(cases, test_message_that_cannot_be_ended);
    tcase_add_loop_test(cases, test_reverse_is_taken_back, RPCRDMA2_07_RVRSDIR_NONE,
                        RPCRDMA2_07_RVRSDIR_SIMPLE + 1);
    tcase_add_test(cases, test_receives_get_smaller);
    tcase_add_test(cases, test_time_ends_though_grants_come);
    return run_tests("session with any peer", cases);
}
