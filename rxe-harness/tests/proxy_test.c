// SPDX-License-Identifier: BSD-3-Clause
/* The proxy between the reference Requester and the reference Responder. */
#include "loopback.h"
#include "proxy.h"
#include "requester.h"
#include "responder.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define ITEM 100000

struct stage {
    struct proxy proxy;
    struct proxy_session *session;
    struct transport *transport;
    struct requester *requester;
    unsigned findings; /* of the Requester */
};

static void *begin(void *arg, struct link *link)
{
    struct stage *stage = arg;
    struct link *server = proxy_reach(&stage->proxy, link);
    stage->session = server ? proxy_begin(&stage->proxy, link, server) : NULL;
    return stage->session ? stage : NULL;
}

static void end(void *peer)
{
    struct stage *stage = peer;
    if (stage->session)
        proxy_end(stage->session);
    stage->session = NULL;
}

static bool step(void *peer)
{
    struct stage *stage = peer;
    bool something = stage->session && proxy_step(stage->session, 0);
    if (stage->session && proxy_gone(stage->session))
        end(peer);
    return something;
}

static void found(void *arg, const struct rpcrdma_event *event,
                  const struct rpcrdma_finding *finding)
{
    (void)event;
    (void)finding;
    ((struct stage *)arg)->findings++;
}

static void open_stage(struct stage *stage, const char *fault)
{
    struct link_options options = responder_options;
    options.receive_size = PROXY_RECEIVE;
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = stage};
    *stage = (struct stage){.proxy.timeout = 1000, .proxy.target = responder_loopback()};
    ck_assert_ptr_nonnull(stage->proxy.target);
    if (fault)
        ck_assert(proxy_fault_read(&stage->proxy.fault, fault));
    stage->transport = transport_loopback(&peer);
    stage->requester = requester_open(stage->transport, 1000, true, found, stage);
    ck_assert_ptr_nonnull(stage->requester);
    stage->requester->program = TEST_PROGRAM;
    stage->requester->version = TEST_VERSION;
}

static void close_stage(struct stage *stage)
{
    requester_close(stage->requester);
    ck_assert_ptr_null(stage->session);
    stage->transport->ops->close(stage->transport);
    stage->proxy.target->ops->close(stage->proxy.target);
}

static const struct result *last_result(const struct stage *stage)
{
    ck_assert_uint_gt(stage->proxy.results.count, 0);
    return &stage->proxy.results.list[stage->proxy.results.count - 1];
}

static unsigned outcome(struct stage *stage, const struct requester_call *call)
{
    struct requester_pending pending;
    struct requester_reply reply = {0};
    if (!requester_begin(stage->requester, call, &pending))
        return RPCRDMA_CLOSE;
    requester_receive(stage->requester, &pending, 100, &reply);
    if (call->write_segments > 0 && reply.outcome == RPCRDMA_PROCESS) {
        ck_assert(reply.in_chunk);
        ck_assert_uint_eq(reply.item_length, ITEM);
        for (size_t i = 0; i < ITEM; i++)
            ck_assert_uint_eq(pending.item[i], TEST_OCTET(i));
    }
    bool good = reply.outcome != RPCRDMA_PROCESS || (reply.accepted && reply.stat == 0);
    requester_forget(stage->requester, &pending);
    return good ? reply.outcome : 0;
}

static const struct requester_call null_call = {.procedure = TEST_NULL};

START_TEST(chunks_pass_through)
{
    static uint8_t count[4], data[4 + ITEM];
    xdr_store32(count, ITEM);
    xdr_store32(data, ITEM);
    for (size_t i = 0; i < ITEM; i++)
        data[4 + i] = (uint8_t)(i * 7);
    const struct requester_call calls[] = {
        null_call,
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .write_segments = 5,
         .write_room = ITEM + 20000},
        {.procedure = TEST_FETCH,
         .args = count,
         .args_length = 4,
         .reply_segments = 3,
         .reply_room = ITEM + 512},
        {.procedure = TEST_STORE,
         .args = data,
         .args_length = sizeof data,
         .item_at = 4,
         .item_length = ITEM,
         .read_segments = 4},
        {.procedure = TEST_STORE, .args = data, .args_length = sizeof data, .long_segments = 3},
        null_call,
    };
    struct stage stage;
    open_stage(&stage, NULL);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        ck_assert_uint_eq(outcome(&stage, &calls[i]), RPCRDMA_PROCESS);
    close_stage(&stage);
    ck_assert_uint_eq(stage.findings, 0);
    ck_assert_uint_eq(stage.proxy.results.count, 1);
    ck_assert_int_eq(last_result(&stage)->ending, ENDING_REQUIRED);
    ck_assert_ptr_nonnull(strstr(last_result(&stage)->actual, "6 Calls, 0 of them unanswered"));
    results_free(&stage.proxy.results);
}
END_TEST

/* The second message of a side meets the fault: what the Requester sees of its second Call. */
static const struct {
    const char *fault;
    unsigned outcome;
} faults[] = {
    {"drop-call:2", RPCRDMA_DISCARD},     {"drop-reply:2", RPCRDMA_DISCARD},
    {"twice-reply:2", RPCRDMA_PROCESS},   {"cut-reply:2", RPCRDMA_DISCARD},
    {"xid-reply:2", RPCRDMA_DISCARD},     {"version-call:2", RPCRDMA_ERR_VERS},
    {"grant-zero:2", RPCRDMA_PROCESS},    {"procedure-call:2", RPCRDMA_ERR_CHUNK},
    {"error-reply:2", RPCRDMA_ERR_CHUNK}, {"close-call:2", RPCRDMA_CLOSE},
    {"close-reply:2", RPCRDMA_CLOSE},
};

START_TEST(a_fault_arrives)
{
    struct stage stage;
    open_stage(&stage, faults[_i].fault);
    ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    ck_assert_uint_eq(outcome(&stage, &null_call), faults[_i].outcome);
    if (faults[_i].outcome != RPCRDMA_CLOSE)
        ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    close_stage(&stage);
    /* Nobody is accused of what was done to him. */
    ck_assert_uint_eq(stage.proxy.results.count, 1);
    ck_assert_int_eq(last_result(&stage)->ending, ENDING_REQUIRED);
    results_free(&stage.proxy.results);
}
END_TEST

START_TEST(a_client_that_dies_leaves_nothing)
{
    static uint8_t count[4] = {0, 1, 0, 0};
    const struct requester_call call = {.procedure = TEST_FETCH,
                                        .args = count,
                                        .args_length = 4,
                                        .write_segments = 2,
                                        .write_room = 65536};
    struct stage stage;
    struct requester_pending pending;
    open_stage(&stage, NULL);
    ck_assert(requester_begin(stage.requester, &call, &pending));
    requester_forget(stage.requester, &pending); /* the memory is gone before it is written */
    ck_assert_uint_ne(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    close_stage(&stage);
    ck_assert_int_ne(last_result(&stage)->ending, ENDING_WRONG);
    ck_assert_ptr_nonnull(strstr(last_result(&stage)->actual, "RDMA Write"));
    results_free(&stage.proxy.results);
}
END_TEST

START_TEST(a_bad_call_is_found)
{
    struct stage stage;
    uint8_t call[RPCRDMA1_HEADER_MIN + REQUESTER_RPC] = {0};
    open_stage(&stage, NULL);
    ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    xdr_store32(call, 0x1234);
    xdr_store32(call + 4, RPCRDMA_VERSION_1);
    xdr_store32(call + 8, 8);
    xdr_store32(call + 16, 7); /* neither 0 nor 1: is there a Read list? */
    requester_rpc(call + RPCRDMA1_HEADER_MIN, 0x1234, TEST_PROGRAM, TEST_VERSION, TEST_NULL);
    ck_assert(requester_send(stage.requester, call, sizeof call));
    ck_assert_uint_eq(outcome(&stage, &null_call), RPCRDMA_PROCESS);
    close_stage(&stage);
    ck_assert_uint_gt(stage.proxy.results.count, 1);
    ck_assert_str_eq(stage.proxy.results.list[0].from, "client");
    ck_assert_int_eq(stage.proxy.results.list[0].ending, ENDING_WRONG);
    results_free(&stage.proxy.results);
}
END_TEST

START_TEST(faults_have_a_name_and_a_number)
{
    struct proxy_fault fault;
    ck_assert(proxy_fault_read(&fault, "grant-zero:12"));
    ck_assert_uint_eq(fault.number, 12);
    const char *const wrong[] = {
        "",           ":1",          "grant-zero",  "grant-zero:", "grant:1",
        "drop-cal:1", "drop-call:0", "drop-call:x", "drop-call:1x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert(!proxy_fault_read(&fault, wrong[i]));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("proxy");
    TCase *tests = tcase_create("proxy");
    tcase_add_test(tests, chunks_pass_through);
    tcase_add_loop_test(tests, a_fault_arrives, 0, sizeof faults / sizeof faults[0]);
    tcase_add_test(tests, a_client_that_dies_leaves_nothing);
    tcase_add_test(tests, a_bad_call_is_found);
    tcase_add_test(tests, faults_have_a_name_and_a_number);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
