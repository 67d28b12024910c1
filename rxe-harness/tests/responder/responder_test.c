// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's answers of RPC; and what is concluded of RDMA operations from Replies.
 */
#include "rxe-harness/requester/observe_by_reply.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers of RPC ---- */

enum { NO_CHANGE, TYPE_REPLY, TYPE_HIGH, RPC_VERSION, RPC_XID };

static const struct {
    uint32_t program, version, procedure;
    int change;
    unsigned outcome;
    uint32_t stat;
    size_t results; /* octets */
} answers[] = {
    {TEST_PROGRAM, TEST_VERSION, TEST_NULL, NO_CHANGE, RPCRDMA_PROCESS, 0, 0},
    {TEST_PROGRAM, 99, TEST_NULL, NO_CHANGE, RPCRDMA_PROCESS, 0, 0},
    {100003, 4, 0, NO_CHANGE, RPCRDMA_PROCESS, 0, 0},
    {77, 1, 0, NO_CHANGE, RPCRDMA_PROCESS, 0, 0},
    {77, 1, 1, NO_CHANGE, RPCRDMA_PROCESS, 1, 0},                      /* PROG_UNAVAIL */
    {TEST_PROGRAM, 2, TEST_FETCH, NO_CHANGE, RPCRDMA_PROCESS, 2, 0},   /* PROG_MISMATCH */
    {TEST_PROGRAM, TEST_VERSION, 9, NO_CHANGE, RPCRDMA_PROCESS, 3, 0}, /* PROC_UNAVAIL */
    {TEST_PROGRAM, 2, 9, NO_CHANGE, RPCRDMA_PROCESS, 2, 0},
    {100003, 3, 99, NO_CHANGE, RPCRDMA_PROCESS, 3, 0},
    {TEST_PROGRAM, TEST_VERSION, TEST_NULL, TYPE_REPLY, RPCRDMA_DISCARD, 0, 0},
    {TEST_PROGRAM, TEST_VERSION, TEST_NULL, TYPE_HIGH, RPCRDMA_ERR_CHUNK, 0, 0},
    {TEST_PROGRAM, TEST_VERSION, TEST_NULL, RPC_VERSION, RPCRDMA_ERR_CHUNK, 0, 0},
    {TEST_PROGRAM, TEST_VERSION, TEST_NULL, RPC_XID, RPCRDMA_ERR_CHUNK, 0, 0},
};

static void change(uint8_t *rpc, int way)
{
    static const struct {
        size_t at;
        uint32_t word;
    } words[] = {[TYPE_REPLY] = {4, 1},
                 [TYPE_HIGH] = {4, 0x01000000},
                 [RPC_VERSION] = {8, 3},
                 [RPC_XID] = {0, 0x99999999}};
    if (way != NO_CHANGE)
        rpcrdma_xdr_store32(rpc + words[way].at, words[way].word);
}

START_TEST(rpc_is_answered)
{
    struct transport *transport = responder_loopback();
    struct requester *requester = requester_open(transport, 100, false, NULL, NULL);
    const struct requester_call call = {.procedure = answers[_i].procedure};
    struct requester_pending pending;
    struct requester_reply reply;
    uint8_t octets[REQUESTER_INLINE];
    size_t length;
    requester->program = answers[_i].program;
    requester->version = answers[_i].version;
    ck_assert(requester_prepare(requester, &call, &pending, octets, &length));
    change(octets + RPCRDMA1_HEADER_MIN, answers[_i].change);
    ck_assert(requester_send(requester, octets, length));
    requester_finish(requester, &pending, 10, &reply);
    ck_assert_uint_eq(reply.outcome, answers[_i].outcome);
    if (reply.outcome == RPCRDMA_PROCESS) {
        ck_assert(reply.accepted);
        ck_assert_uint_eq(reply.stat, answers[_i].stat);
        ck_assert_uint_eq(reply.results_length, answers[_i].results);
    }
    requester_forget(requester, &pending);
    ck_assert(requester_null(requester, 100)); /* it lives */
    requester_close(requester);
    transport->ops->close(transport);
}
END_TEST

/* ---- what is concluded ---- */

struct seen {
    unsigned reads, writes;
    uint32_t handle;
    size_t length;
};

static void moved(void *arg, bool is_write, uint32_t handle, uint64_t offset, const uint8_t *octets,
                  size_t length)
{
    struct seen *seen = arg;
    (void)offset;
    ck_assert_ptr_nonnull(octets);
    seen->writes += is_write;
    seen->reads += !is_write;
    seen->handle = handle;
    seen->length = length;
}

static size_t make(uint8_t octets[256], uint32_t xid, bool call, uint32_t handle, uint32_t length)
{
    const struct rpcrdma1_read_segment read = {
        .position = 48, .target = {.handle = handle, .length = length, .offset = 0x1000}};
    const struct rpcrdma1_segment segment = {.handle = handle, .length = length, .offset = 0x1000};
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = &segment, .count = 1}};
    struct rpcrdma1_header header = {
        .rdma_xid = xid, .rdma_vers = 1, .rdma_credit = 1, .rdma_body.proc = RPCRDMA1_MSG};
    if (call)
        header.rdma_body.rdma_msg.rdma_reads =
            (struct rpcrdma1_read_list){.items = &read, .count = 1};
    else
        header.rdma_body.rdma_msg.rdma_writes =
            (struct rpcrdma1_write_list){.items = &chunk, .count = 1};
    ptrdiff_t end = rpcrdma1_header_encode(octets, 256, &header, NULL);
    rpcrdma_xdr_store32(octets + end, xid);
    rpcrdma_xdr_store32(octets + end + 4, call ? 0 : 1);
    return (size_t)end + 8;
}

START_TEST(operations_are_concluded)
{
    static uint8_t memory[3][64];
    struct seen seen = {0};
    struct reply_observer *observer = calloc(1, sizeof *observer);
    uint8_t first[256], second[256], third[256], reply[256];
    struct link_memory pieces[3];
    observer->moved = moved;
    observer->arg = &seen;
    for (uint32_t i = 0; i < 3; i++) {
        pieces[i] = (struct link_memory){
            .octets = memory[i], .length = 64, .handle = 10 + i, .offset = 0x1000};
        observe_exposed(observer, &pieces[i], LINK_PEER_READS | LINK_PEER_WRITES);
    }
    /* Three Calls wait; they are answered in another order. */
    observe_sent(observer, first, make(first, 1, true, 10, 8));
    observe_sent(observer, second, make(second, 2, true, 11, 16));
    observe_sent(observer, third, make(third, 3, true, 12, 24));
    observe_reply(observer, reply, make(reply, 2, false, 11, 5));
    ck_assert_uint_eq(seen.reads, 1);
    ck_assert_uint_eq(seen.writes, 1);
    ck_assert_uint_eq(seen.handle, 11);
    ck_assert_uint_eq(seen.length, 5);
    /* Answered once. */
    observe_reply(observer, reply, make(reply, 2, false, 11, 5));
    ck_assert_uint_eq(seen.reads, 1);
    /* A Call of the other direction answers nothing. */
    observe_reply(observer, reply, make(reply, 1, true, 10, 8));
    ck_assert_uint_eq(seen.reads, 1);
    observe_reply(observer, reply, make(reply, 1, false, 10, 9));
    ck_assert_uint_eq(seen.reads, 2);
    ck_assert_uint_eq(seen.writes, 2);
    /* Memory that is withdrawn is not looked at, the other still is. */
    observe_hidden(observer, &pieces[2]);
    observe_reply(observer, reply, make(reply, 3, false, 10, 9));
    ck_assert_uint_eq(seen.reads, 2);
    ck_assert_uint_eq(seen.writes, 3);
    /* Nor what would be read beyond it; of what would be written there, as much as it holds. */
    observe_sent(observer, first, make(first, 4, true, 10, 65));
    observe_reply(observer, reply, make(reply, 4, false, 10, 64));
    ck_assert_uint_eq(seen.reads, 2);
    ck_assert_uint_eq(seen.writes, 4);
    /* What was never known is not withdrawn. */
    observe_hidden(observer, &pieces[2]);
    observe_sent(observer, first, make(first, 5, true, 11, 64));
    observe_reply(observer, reply, make(reply, 5, false, 10, 64));
    ck_assert_uint_eq(seen.reads, 3);
    observe_sent(observer, first, make(first, 6, true, 10, 8));
    observe_reply(observer, reply, make(reply, 6, false, 10, 68));
    ck_assert_uint_eq(seen.writes, 6);
    ck_assert_uint_eq(seen.length, 64);
    observe_free(observer);
}
END_TEST

static uint8_t late_memory[64];

static void write_late(void *arg)
{
    (void)arg;
    memset(late_memory, 0, 40);
}

static void wait_in_vain(void *arg)
{
    (void)arg;
}

/* The end of what is returned was not written where it is as it was; less than eight octets prove
 * nothing, nor does memory that the peer reads as well. What is written while it is looked at is
 * late. */
START_TEST(what_was_not_written_is_known)
{
    static const struct {
        unsigned written, returned;
        bool reads, late;
        unsigned found;
    } rows[] = {{64, 64, false, false, 64}, {40, 48, false, false, 40}, {41, 48, false, false, 48},
                {0, 40, false, false, 0},   {0, 7, false, false, 7},    {0, 40, true, false, 40},
                {0, 40, false, true, 40},   {0, 48, false, true, 40}};
    uint8_t *memory = late_memory;
    struct seen seen = {0};
    struct reply_observer *observer = calloc(1, sizeof *observer);
    uint8_t call[256], reply[256];
    struct link_memory piece = {.octets = memory, .length = 64, .handle = 10, .offset = 0x1000};
    observer->wait = rows[_i].late ? write_late : wait_in_vain;
    observer->moved = moved;
    observer->arg = &seen;
    memset(memory, 0, sizeof late_memory);
    observe_exposed(observer, &piece, LINK_PEER_WRITES | (rows[_i].reads ? LINK_PEER_READS : 0));
    memset(memory, 0, rows[_i].written); /* zeros are written like all octets */
    observe_sent(observer, call, make(call, 1, true, 9, 0));
    observe_reply(observer, reply, make(reply, 1, false, 10, rows[_i].returned));
    ck_assert_uint_eq(seen.writes, rows[_i].found > 0);
    ck_assert_uint_eq(seen.length, rows[_i].found);
    ck_assert_int_eq(observer->unwritten, rows[_i].found < rows[_i].returned);
    ck_assert_int_eq(observer->late, rows[_i].late);
    observe_sent(observer, call, make(call, 2, true, 9, 0));
    observe_reply(observer, reply, make(reply, 2, false, 10, 0));
    ck_assert(!observer->unwritten); /* it is said of one Reply */
    observe_free(observer);
}
END_TEST

/* ---- Calls that are too long ---- */

/* A chunk that fills what it takes, and this many octets after it. */
static const struct {
    size_t rest;
    unsigned outcome;
} rests[] = {{0, RPCRDMA_GARBAGE_ARGS}, {4, RPCRDMA_ERR_CHUNK}, {8, RPCRDMA_ERR_CHUNK}};

START_TEST(no_call_is_longer_than_the_most)
{
    const size_t item = RESPONDER_MESSAGE_MAX - REQUESTER_RPC - 4;
    uint8_t *args = calloc(1, 4 + item + rests[_i].rest);
    struct transport *transport = responder_loopback();
    struct requester *requester = requester_open(transport, 100, false, NULL, NULL);
    const struct requester_call call = {.procedure = TEST_STORE,
                                        .args = args,
                                        .args_length = 4 + item + rests[_i].rest,
                                        .item_at = 4,
                                        .item_length = item,
                                        .read_segments = 1};
    struct requester_pending pending;
    struct requester_reply reply;
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
    rpcrdma_xdr_store32(args, (uint32_t)item);
    ck_assert(requester_begin(requester, &call, &pending));
    requester_finish(requester, &pending, 100, &reply);
    ck_assert_uint_eq(reply.outcome, rests[_i].outcome);
    requester_forget(requester, &pending);
    requester_close(requester);
    transport->ops->close(transport);
    free(args);
}
END_TEST

/* ---- what the other side takes ---- */

/* What the Requester sends at most, and takes: results of 2000 octets fit if it takes them, or by a
 * Reply chunk whose segments, 16 octets each, the header of 32 has room for. */
static const struct {
    uint32_t sends, takes;
    unsigned segments, outcome;
} sizes[] = {{4096, 4096, 0, RPCRDMA_PROCESS},   {1024, 4096, 0, RPCRDMA_PROCESS},
             {4096, 1024, 0, RPCRDMA_ERR_CHUNK}, {4096, 1024, 1, RPCRDMA_PROCESS},
             {4096, 1024, 62, RPCRDMA_PROCESS},  {4096, 1024, 63, RPCRDMA_ERR_CHUNK}};

START_TEST(a_reply_is_no_longer_than_is_taken)
{
    static const uint8_t args[4] = {0, 0, 2000 >> 8, 2000 & 255};
    const struct rpcrdma_private_data said = {.send_size = sizes[_i].sends,
                                              .receive_size = sizes[_i].takes};
    uint8_t octets[RPCRDMA_PRIVATE_DATA_LENGTH];
    rpcrdma_private_data_encode(octets, sizeof octets, &said);
    struct transport *transport = responder_loopback();
    const struct requester_options options = {.timeout = 100,
                                              .private_data = octets,
                                              .private_length = sizeof octets,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION};
    struct requester *requester = requester_connect(transport, &options);
    const struct requester_call call = {.procedure = TEST_FETCH,
                                        .args = args,
                                        .args_length = sizeof args,
                                        .reply_segments = sizes[_i].segments,
                                        .reply_room = sizes[_i].segments > 0 ? 4096 : 0};
    struct requester_pending pending;
    struct requester_reply reply;
    ck_assert_ptr_nonnull(requester);
    ck_assert(requester_begin(requester, &call, &pending));
    requester_finish(requester, &pending, 100, &reply);
    ck_assert_uint_eq(reply.outcome, sizes[_i].outcome);
    requester_forget(requester, &pending);
    requester_close(requester);
    transport->ops->close(transport);
}
END_TEST

/* RFC 8797 section 4.1: a Reply invalidates memory of its Call, where the Requester has said that
 * it takes that, and else none: it said no, or nothing of RFC 8797. */
START_TEST(a_reply_invalidates_for_who_takes_it)
{
    static const uint8_t args[4] = {0, 0, 0, 100}, nothing[8];
    struct transport *transport = responder_loopback();
    const struct requester_options options = {.timeout = 100,
                                              .invalidates = _i == 1,
                                              .private_data = _i == 2 ? nothing : NULL,
                                              .private_length = sizeof nothing,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION};
    struct requester *requester = requester_connect(transport, &options);
    const struct requester_call call = {.procedure = TEST_FETCH,
                                        .args = args,
                                        .args_length = sizeof args,
                                        .write_segments = 1,
                                        .write_room = 100};
    struct requester_pending pending;
    struct link_event event;
    ck_assert_ptr_nonnull(requester);
    ck_assert(requester_begin(requester, &call, &pending));
    uint32_t handle = pending.memory.pieces[0].handle;
    requester_wait(requester, 100, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_int_eq(event.invalidated, _i == 1);
    ck_assert(_i != 1 || event.handle == handle);
    requester_forget(requester, &pending);
    requester_close(requester);
    transport->ops->close(transport);
}
END_TEST

/* Who has said nothing of RFC 8797 takes 1024 octets, its header of 28 and that of the Reply
 * included: results of 968 octets, their count word of 4 apart. */
START_TEST(who_says_nothing_takes_1024)
{
    static const uint8_t nothing[8];
    const uint8_t args[4] = {0, 0, 968 >> 8, (968 & 255) + (_i == 0 ? 0 : 4)};
    struct transport *transport = responder_loopback();
    const struct requester_options options = {.timeout = 100,
                                              .private_data = nothing,
                                              .private_length = sizeof nothing,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION};
    struct requester *requester = requester_connect(transport, &options);
    const struct requester_call call = {
        .procedure = TEST_FETCH, .args = args, .args_length = sizeof args};
    struct requester_pending pending;
    struct requester_reply reply;
    ck_assert_ptr_nonnull(requester);
    ck_assert(requester_begin(requester, &call, &pending));
    requester_finish(requester, &pending, 100, &reply);
    ck_assert_uint_eq(reply.outcome, _i == 0 ? RPCRDMA_PROCESS : RPCRDMA_ERR_CHUNK);
    requester_forget(requester, &pending);
    requester_close(requester);
    transport->ops->close(transport);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("responder");
    tcase_add_loop_test(tests, a_reply_invalidates_for_who_takes_it, 0, 3);
    tcase_add_loop_test(tests, who_says_nothing_takes_1024, 0, 2);
    tcase_add_loop_test(tests, rpc_is_answered, 0, COUNT(answers));
    tcase_add_test(tests, operations_are_concluded);
    tcase_add_loop_test(tests, what_was_not_written_is_known, 0, 8);
    tcase_add_loop_test(tests, no_call_is_longer_than_the_most, 0, 3);
    tcase_add_loop_test(tests, a_reply_is_no_longer_than_is_taken, 0, COUNT(sizes));
    return run_tests("responder", tests);
}
