// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Requester against the reference Responder by version 2, both drafts, over loopback:
 * data of all sizes inline, in pieces and in chunks, compared octet by octet, with Calls of the
 * Responder's meanwhile and the checker looking on both. Version 1 goes through unchanged where a
 * peer has no other.
 */
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/requester/caller.h"
#include "rxe-harness/tests/support/responder_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rules.h>
#include <stdlib.h>
#include <string.h>

#define MIB (1u << 20)

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};
static const size_t sizes[] = {0, 1, 1000, 4000, 5000, 65536, MIB};

static struct transport *transport;
static struct requester *requester;
static struct responder_stage stage;

static void look_on(void *arg, const struct rpcrdma_check_config *config,
                    const struct rpcrdma_event *event, const struct rpcrdma_judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++)
        ck_assert_msg(judgement->findings[i].severity == RPCRDMA_NOTE, "%s of the %s",
                      rpcrdma_requirements[judgement->findings[i].rule].id,
                      event->from == RPCRDMA_CLIENT ? "Requester" : "Responder");
}

static void meet(enum rpcrdma_protocol of_requester, enum rpcrdma_protocol of_responder,
                 size_t piece)
{
    const struct requester_options options = {.timeout = 100,
                                              .draft = of_requester,
                                              .invalidates = true,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION,
                                              .piece = piece,
                                              .witness = look_on};
    stage.draft = of_responder;
    transport = responder_stage_open(&stage);
    requester = requester_connect(transport, &options);
    ck_assert_msg(requester != NULL, "%s", transport->error);
}

static void part(void)
{
    requester_close(requester);
    transport->ops->close(transport);
}

/* ---- Calls ---- */

static uint8_t octet_at(size_t i)
{
    return (uint8_t)(i * 7 + i / 256);
}

static uint8_t *make_args(size_t size, size_t *length)
{
    *length = 4 + (size + 3) / 4 * 4;
    uint8_t *args = calloc(1, *length);
    rpcrdma_xdr_store32(args, (uint32_t)size);
    for (size_t i = 0; i < size; i++)
        args[4 + i] = octet_at(i);
    return args;
}

static struct requester_pending pending;
static struct requester_reply reply;

static void call(const struct requester_call *what)
{
    ck_assert(requester_call2(requester, what, &pending, 1000, &reply));
    ck_assert_msg(reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0, "%s",
                  reply.text);
}

static void is_stored(size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += octet_at(i);
    ck_assert_uint_eq(reply.results_length, 8);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results), size);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results + 4), sum);
    requester_forget(requester, &pending);
}

static void is_fetched(size_t size)
{
    const uint8_t *data = reply.in_chunk ? pending.item : reply.results + 4;
    ck_assert_uint_ge(reply.results_length, 4);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results), size);
    if (reply.in_chunk)
        ck_assert_uint_eq(reply.item_length, size);
    else
        ck_assert_uint_eq(reply.results_length, 4 + (size + 3) / 4 * 4);
    size_t same = 0;
    while (same < size && data[same] == TEST_OCTET(same))
        same++;
    ck_assert_uint_eq(same, size);
    requester_forget(requester, &pending);
}

/* In every form that a Requester has for it. */
static void store(size_t size)
{
    size_t length;
    uint8_t *args = make_args(size, &length);
    struct requester_call plain = {.procedure = TEST_STORE, .args = args, .args_length = length};
    call(&plain);
    is_stored(size);
    struct requester_call in_chunk = plain;
    in_chunk.item_at = 4;
    in_chunk.item_length = size;
    in_chunk.read_segments = size > 0 ? 3 : 0;
    call(&in_chunk);
    is_stored(size);
    struct requester_call special = plain;
    special.long_segments = 2;
    call(&special);
    is_stored(size);
    free(args);
}

static void fetch(size_t size)
{
    uint8_t count[4];
    rpcrdma_xdr_store32(count, (uint32_t)size);
    const struct requester_call plain = {
        .procedure = TEST_FETCH, .args = count, .args_length = sizeof count};
    call(&plain);
    is_fetched(size);
    struct requester_call in_chunk = plain;
    in_chunk.write_segments = 3;
    in_chunk.write_room = size + 100;
    call(&in_chunk);
    ck_assert(reply.in_chunk || size == 0);
    is_fetched(size);
    struct requester_call in_reply = plain;
    in_reply.reply_segments = 2;
    in_reply.reply_room = size + 100;
    call(&in_reply);
    is_fetched(size);
    struct requester_call short_of = plain; /* it hears how much is needed */
    short_of.write_segments = 1;
    short_of.write_room = size / 2 + 1;
    call(&short_of);
    is_fetched(size);
}

START_TEST(data_is_moved)
{
    stage.every = 1;
    meet(drafts[_i % 2], drafts[_i % 2], _i < 2 ? 0 : 1000);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        store(sizes[i]);
        fetch(sizes[i]);
    }
    ck_assert_uint_eq(session_counts(requester->session).version, 2);
    ck_assert(drafts[_i % 2] == RPCRDMA_PROTOCOL_2_04 ||
              session_counts(requester->session).pieces_sent > 250);
    struct responder_calls calls = responder_calls(stage.responder);
    ck_assert_uint_ge(calls.made, 40);
    ck_assert_uint_ge(calls.executed + 1, calls.made); /* the last is on its way */
    ck_assert_uint_ge(requester->answered + 1, calls.made);
    part();
}
END_TEST

/* A segment that comes back twice is within its memory each time, but its chunk is not. */
START_TEST(a_chunk_has_no_more_than_its_room)
{
    const uint32_t room = 100, length[][2] = {{100, 0}, {60, 60}, {100, 100}};
    struct rpcrdma1_segment segments[2] = {{7, length[_i][0], 0}, {7, length[_i][1], 0}};
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = segments, .count = 2}};
    struct requester_pending offered = {
        .memory = {.pieces = {{.handle = 7, .length = room}}, .count = 1}, .item_room = room};
    uint8_t rpc[28] = {0};
    rpcrdma_xdr_store32(rpc + 4, 1);
    struct session_event event = {.type = SESSION_REPLY,
                                  .message = {.form = RPCRDMA_FORM_INLINE,
                                              .chunks.rdma_writes = {.items = &chunk, .count = 1}},
                                  .payload = rpc,
                                  .length = sizeof rpc};
    requester_read_event(&event, &offered, &reply);
    ck_assert_int_eq(reply.outcome, _i == 0 ? RPCRDMA_PROCESS : 0);
    ck_assert_uint_le(reply.item_length, room);
}
END_TEST

START_TEST(version1_is_fallen_back_to)
{
    stage.every = 0;
    meet(drafts[_i], RPCRDMA_PROTOCOL_1, 0);
    ck_assert_ptr_null(requester->session);
    const struct requester_call null = {.procedure = TEST_NULL};
    ck_assert(requester_begin(requester, &null, &pending));
    requester_receive(requester, &pending, 100, &reply);
    ck_assert_int_eq(reply.outcome, RPCRDMA_PROCESS);
    requester_forget(requester, &pending);
    part();
}
END_TEST

START_TEST(version1_is_not_wanted)
{
    struct requester_options options = {
        .timeout = 100, .draft = drafts[_i], .program = TEST_PROGRAM, .no_fallback = true};
    transport = responder_loopback();
    ck_assert_ptr_null(requester_connect(transport, &options));
    ck_assert_ptr_nonnull(strstr(transport->error, "version 2"));
    transport->ops->close(transport);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("requester of version 2");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, data_is_moved, 0, 4);
    tcase_add_loop_test(cases, a_chunk_has_no_more_than_its_room, 0, 3);
    tcase_add_loop_test(cases, version1_is_fallen_back_to, 0, 2);
    tcase_add_loop_test(cases, version1_is_not_wanted, 0, 2);
    return run_tests("requester of version 2", cases);
}
