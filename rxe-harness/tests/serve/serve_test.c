// SPDX-License-Identifier: BSD-3-Clause
/* `serve` finds nothing wrong with the reference Requester, and finds what others do wrong. */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/serve/serve.h"
#include "rxe-harness/tests/support/serve_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

/* ---- Requesters with a fault ---- */

static const struct requester_call null_call = {.procedure = TEST_NULL};

static void call_once(struct requester *requester)
{
    struct requester_pending pending;
    struct requester_reply reply;
    ck_assert(requester_begin(requester, &null_call, &pending));
    requester_receive(requester, &pending, 100, &reply);
    requester_forget(requester, &pending);
}

static void flood(struct requester *requester)
{
    struct requester_pending pending;
    call_once(requester);
    for (int i = 0; i < 2; i++) {
        requester_begin(requester, &null_call, &pending);
        requester_forget(requester, &pending);
    }
    call_once(requester);
    call_once(requester);
}

static void answer_with_error(struct requester *requester)
{
    call_once(requester);
    call_once(requester);
    uint8_t error[RPCRDMA1_ERR_CHUNK_LENGTH];
    const uint32_t words[] = {requester->xid, 1, 32, 4, 2};
    for (size_t i = 0; i < 5; i++)
        rpcrdma_xdr_store32(error + 4 * i, words[i]);
    requester_send(requester, error, sizeof error);
    call_once(requester);
}

/* It takes what comes first for its Reply, and goes. */
static void run_away(struct requester *requester)
{
    call_once(requester);
    call_once(requester);
    requester->link->ops->close(requester->link);
    requester->link = NULL;
}

static void call_once_only(struct requester *requester)
{
    call_once(requester);
}

static void memory_of_others(struct requester *requester)
{
    static const uint8_t args[12] = {0, 0, 0, 5, 1, 2, 3, 4, 5};
    const struct requester_call call = {.procedure = TEST_STORE,
                                        .args = args,
                                        .args_length = 12,
                                        .item_at = 3, /* no whole word */
                                        .item_length = 5,
                                        .read_segments = 1};
    struct requester_pending pending;
    call_once(requester);
    call_once(requester);
    ck_assert(requester_begin(requester, &call, &pending));
    call_once(requester);
    requester_forget(requester, &pending);
}

/* It does not go by what this connection's private data says. */
static void long_send(struct requester *requester)
{
    uint8_t args[1504] = {0, 0, 1500 >> 8, 1500 & 0xff};
    const struct requester_call call = {
        .procedure = TEST_STORE, .args = args, .args_length = sizeof args};
    struct requester_pending pending;
    struct requester_reply reply;
    call_once(requester);
    requester->send_limit = 4096;
    ck_assert(requester_begin(requester, &call, &pending));
    requester_receive(requester, &pending, 100, &reply);
    requester_forget(requester, &pending);
    call_once(requester);
}

/* The Receive of what it drops is not posted again. */
static void leak(struct requester *requester)
{
    for (int i = 0; i < 4; i++) {
        struct requester_pending pending;
        struct requester_reply reply = {.outcome = 0};
        bool good = requester_begin(requester, &null_call, &pending);
        while (good && !(reply.outcome == RPCRDMA_PROCESS && reply.xid == pending.xid &&
                         (requester->reactions & RPCRDMA_PROCESS))) {
            requester_finish(requester, &pending, 100, &reply);
            good = !(reply.outcome & (RPCRDMA_DISCARD | RPCRDMA_CLOSE));
            if (good && !(requester->reactions & RPCRDMA_PROCESS))
                loopback_lose_receive(requester->link);
        }
        requester_forget(requester, &pending);
    }
}

/* It takes a Reply whose Write list is not that of its Call, and goes. */
static void take_faulty_list(struct requester *requester)
{
    static const uint8_t count[4] = {0, 0, 0x20, 0};
    const struct requester_call call = {.procedure = TEST_FETCH,
                                        .args = count,
                                        .args_length = 4,
                                        .write_segments = 2,
                                        .write_room = 8192};
    struct requester_pending pending;
    struct requester_reply reply;
    call_once(requester);
    ck_assert(requester_begin(requester, &call, &pending));
    requester_finish(requester, &pending, 100, &reply);
    ck_assert_uint_eq(requester->reactions, RPCRDMA_DISCARD);
    ck_assert_uint_eq(reply.xid, pending.xid);
    requester_forget(requester, &pending);
    requester->link->ops->close(requester->link);
    requester->link = NULL;
}

/* It dies with a Call unanswered, and takes the memory of its Read chunk with it. */
static void die(struct requester *requester)
{
    static const uint8_t args[12] = {0, 0, 0, 5, 1, 2, 3, 4, 5};
    const struct requester_call call = {.procedure = TEST_STORE,
                                        .args = args,
                                        .args_length = 12,
                                        .item_at = 4,
                                        .item_length = 5,
                                        .read_segments = 1};
    struct requester_pending pending;
    call_once(requester);
    call_once(requester);
    ck_assert(requester_begin(requester, &call, &pending));
    requester_forget(requester, &pending);
    requester->link->ops->close(requester->link);
    requester->link = NULL;
}

static const struct {
    void (*drive)(struct requester *requester);
    const char *id;
    enum ending ending;
    const char *rule; /* that a finding names, or NULL */
} faults[] = {
    {flood, "grants-rise-and-fall", ENDING_REQUIRED, "rfc8166/3.3.1/calls-within-grant"},
    {answer_with_error, "reply-of-version-two", ENDING_REQUIRED,
     "rfc8166/4.2.4/requester-sends-no-error"},
    {run_away, "error-of-unknown-xid", ENDING_CLOSED, NULL},
    {call_once_only, "serve-plainly", ENDING_NOT_APPLICABLE, NULL},
    {long_send, "private-data-with-other-sizes", ENDING_REQUIRED,
     "rfc8166/4.2.4/send-within-threshold"},
    {long_send, "private-data-absent", ENDING_REQUIRED, NULL},
    {take_faulty_list, "write-chunk-returned-longer", ENDING_CLOSED, NULL},
    {take_faulty_list, "write-chunk-returned-with-other-handle", ENDING_CLOSED, NULL},
    {take_faulty_list, "write-chunk-returned-with-surplus", ENDING_CLOSED, NULL},
    {take_faulty_list, "write-chunk-not-returned", ENDING_CLOSED, NULL},
    {leak, "serve-plainly", ENDING_REQUIRED, NULL},
    {leak, "reply-of-version-zero", ENDING_REQUIRED, NULL},
    {leak, "series-of-runts", ENDING_CLOSED, NULL},
    {leak, "series-of-replies-of-version-zero", ENDING_CLOSED, NULL},
    {leak, "series-of-replies-cut-off", ENDING_CLOSED, NULL},
    {leak, "series-of-replies-of-unknown-xid", ENDING_CLOSED, NULL},
    {leak, "series-of-errors", ENDING_CLOSED, NULL},
    {call_once_only, "series-of-runts", ENDING_NOT_APPLICABLE, NULL},
    {die, "serve-plainly", ENDING_REQUIRED, NULL},
    {die, "error-chunk", ENDING_REQUIRED, NULL},
    {memory_of_others, "serve-plainly", ENDING_REQUIRED, "rfc8166/3.4.5/position-multiple-of-four"},
};

/* ---- the stage ---- */

static const struct serve_case *find(const char *id)
{
    const struct serve_case *test_case = serve_cases;
    while (strcmp(test_case->id, id) != 0)
        test_case++;
    return test_case;
}

START_TEST(the_reference_requester_is_good)
{
    struct serve serve = {.timeout = 1000};
    serve_reference(&serve);
    ck_assert_uint_ge(serve.results.count, 25);
    for (size_t i = 0; i < serve.results.count; i++) {
        const struct result *result = &serve.results.list[i];
        ck_assert_msg(result->ending == ENDING_REQUIRED, "%s: %s", result->test, result->actual);
    }
    results_free(&serve.results);
}
END_TEST

START_TEST(a_fault_is_found)
{
    struct serve_stage stage = {.test_case = find(faults[_i].id)};
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(stage.test_case, octets);
    const struct loopback_peer peer = {.options = &options,
                                       .begin = serve_stage_begin,
                                       .step = serve_stage_step,
                                       .end = serve_stage_end,
                                       .arg = &stage};
    struct transport *transport = transport_loopback(&peer);
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
    faults[_i].drive(requester);
    requester_close(requester);
    transport->ops->close(transport);
    bool accused = faults[_i].rule == NULL, ended = false;
    for (size_t i = 0; i < stage.serve.results.count; i++) {
        const struct result *result = &stage.serve.results.list[i];
        ended = ended || result->ending == faults[_i].ending;
        accused = accused || (result->rule && ending_is_failure(result->ending) &&
                              strcmp(result->rule, faults[_i].rule) == 0);
    }
    ck_assert_msg(ended, "%s does not end as it has to", faults[_i].id);
    ck_assert_msg(accused, "%s is not found", faults[_i].rule);
    results_free(&stage.serve.results);
}
END_TEST

/* Each unexpected message reaches the Requester: without this a case that sends nothing would pass.
 */
START_TEST(what_is_unexpected_arrives)
{
    const struct serve_case *test_case = &serve_cases[_i];
    if (test_case->id == NULL || test_case->length == 0)
        return;
    struct serve_stage stage = {.test_case = test_case};
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(stage.test_case, octets);
    const struct loopback_peer peer = {.options = &options,
                                       .begin = serve_stage_begin,
                                       .step = serve_stage_step,
                                       .end = serve_stage_end,
                                       .arg = &stage};
    struct transport *transport = transport_loopback(&peer);
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    struct requester_pending pending;
    struct link_event event;
    call_once(requester);
    ck_assert(requester_begin(requester, &null_call, &pending));
    requester_wait(requester, 0, &event);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(event.length, test_case->length);
    requester_wait(requester, 0, &event);
    ck_assert_int_eq(event.type, test_case->instead ? LINK_NOTHING : LINK_RECEIVED);
    requester_forget(requester, &pending);
    requester_close(requester);
    transport->ops->close(transport);
    results_free(&stage.serve.results);
}
END_TEST

/* ---- what is answered of NFSv3 ---- */

static void call_nfs(struct requester *requester, uint32_t procedure, const uint8_t *args,
                     size_t length, struct requester_reply *reply)
{
    struct requester_call call = {.procedure = procedure, .args = args, .args_length = length};
    struct requester_pending pending;
    if (procedure == 6) {
        call.write_segments = 1;
        call.write_room = 8192;
    }
    ck_assert(requester_begin(requester, &call, &pending));
    requester_receive(requester, &pending, 100, reply);
    ck_assert_int_eq(reply->outcome, RPCRDMA_PROCESS);
    ck_assert(reply->accepted);
    requester_forget(requester, &pending);
}

static void find_and_read(struct requester *requester)
{
    static const uint8_t root[] = {0, 0, 0, 4, 1, 2, 3, 4, 0, 0, 0, 1, 'f', 0, 0, 0};
    struct requester_reply reply;
    uint8_t read[24] = {0};
    call_nfs(requester, 3, root, sizeof root, &reply);
    ck_assert_uint_eq(reply.stat, 0);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results), 0);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results + 4), 8);
    memcpy(read, reply.results + 4, 12);
    rpcrdma_xdr_store32(read + 16, 65536 - 100);
    rpcrdma_xdr_store32(read + 20, 4096);
    call_nfs(requester, 6, read, sizeof read, &reply);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results), 0);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results + 92), 100);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results + 96), 1); /* eof */
    ck_assert(reply.in_chunk);
    ck_assert_uint_eq(reply.item_length, 100);
    rpcrdma_xdr_store32(read + 12, UINT32_MAX); /* far beyond the end */
    call_nfs(requester, 6, read, sizeof read, &reply);
    ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results + 92), 0);
}

START_TEST(nfs3_is_answered)
{
    static const uint8_t handle[] = {0, 0, 0, 4, 1, 2, 3, 4}, broken[] = {0xff, 0xff, 0xff, 0xff};
    static const struct {
        uint32_t procedure, status;
        size_t good, bad; /* octets of results; 0: the procedure is not there */
    } calls[] = {{0, 0, 0, 0},    {1, 0, 88, 4},   {4, 0, 96, 8}, {6, 10001, 8, 8}, {16, 0, 108, 8},
                 {17, 0, 108, 8}, {19, 0, 140, 8}, {20, 0, 0, 0}, {4000, 0, 0, 0}};
    struct transport *transport = responder_loopback();
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    requester->program = 100003;
    requester->version = 3;
    for (size_t i = 0; i < COUNT(calls); i++) {
        struct requester_reply reply;
        uint32_t procedure = calls[i].procedure;
        call_nfs(requester, procedure, handle, sizeof handle, &reply);
        ck_assert_uint_eq(reply.stat, calls[i].good > 0 || procedure == 0 ? 0 : 3);
        ck_assert_uint_eq(reply.results_length, calls[i].good);
        if (calls[i].good == 0)
            continue;
        ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results), calls[i].status);
        call_nfs(requester, procedure, broken, sizeof broken, &reply);
        ck_assert_uint_eq(reply.results_length, calls[i].bad);
        ck_assert_uint_eq(rpcrdma_xdr_load32(reply.results), 10001);
    }
    find_and_read(requester);
    requester_close(requester);
    transport->ops->close(transport);
}
END_TEST

/* ---- Calls that are remembered ---- */

static void add_call_of(struct serve_calls *calls, uint32_t xid, uint32_t program, uint32_t version,
                        uint32_t procedure)
{
    uint8_t octets[REQUESTER_RPC];
    requester_rpc(octets, xid, program, version, procedure);
    serve_calls_add(calls, xid, octets, sizeof octets);
}

static void add_call(struct serve_calls *calls, uint32_t xid, uint32_t procedure)
{
    add_call_of(calls, xid, TEST_PROGRAM, TEST_VERSION, procedure);
}

START_TEST(calls_are_remembered)
{
    struct serve_calls calls = {.count = 0}, plain = {.count = 0};
    for (uint32_t xid = 100; xid < 103; xid++)
        add_call(&calls, xid, TEST_NULL);
    ck_assert_uint_eq(calls.count, 3);
    ck_assert_uint_eq(calls.kinds, 1);
    ck_assert(!serve_calls_go_on(&calls, 100)); /* it began so, and begins anew */
    ck_assert(serve_calls_go_on(&calls, 101));
    ck_assert(serve_calls_go_on(&calls, 102));
    ck_assert(!serve_calls_go_on(&calls, 103));
    ck_assert(!serve_calls_go_on(&calls, 0));
    add_call(&plain, 1, TEST_NULL);
    ck_assert_ptr_null(serve_calls_missing(&calls, &plain));
    add_call(&plain, 2, TEST_FETCH);
    const struct serve_kind *missing = serve_calls_missing(&calls, &plain);
    ck_assert_ptr_nonnull(missing);
    ck_assert_uint_eq(missing->procedure, TEST_FETCH);
}
END_TEST

/* One that differs in its program, version or procedure alone is of another kind. */
START_TEST(calls_have_kinds)
{
    struct serve_calls calls = {.count = 0}, plain = {.count = 0}, later = {.count = 0};
    add_call_of(&calls, 1, 100003, 3, 1);
    add_call_of(&plain, 1, 100003, 3, 1);
    add_call_of(&plain, 2, 100003 + (_i == 0), 3 + (_i == 1), 1 + (_i == 2));
    const struct serve_kind *missing = serve_calls_missing(&calls, &plain);
    ck_assert_ptr_eq(missing, _i == 3 ? NULL : &plain.list[1]);
    add_call_of(&calls, 2, 100003 + (_i == 0), 3 + (_i == 1), 1 + (_i == 2));
    ck_assert_uint_eq(calls.kinds, _i == 3 ? 1 : 2);
    ck_assert_ptr_null(serve_calls_missing(&calls, &plain));
    ck_assert(serve_calls_begin_as(&calls, &plain));
    ck_assert(serve_calls_begin_as(&later, &plain) && serve_calls_begin_as(&calls, &later));
    add_call_of(&later, 3, 100003 + (_i == 0), 3 + (_i == 1), 1 + (_i == 2));
    ck_assert_int_eq(serve_calls_begin_as(&later, &plain), _i == 3);
    ck_assert_ptr_null(serve_calls_missing(&later, &plain));
}
END_TEST

/* The last ones are. */
START_TEST(the_last_calls_are_remembered)
{
    struct serve_calls calls = {.count = 0};
    for (uint32_t i = 0; i < SERVE_XIDS + 10; i++)
        add_call(&calls, 100 + i, i);
    ck_assert_uint_eq(calls.count, SERVE_XIDS + 10);
    ck_assert_uint_eq(calls.kinds, SERVE_KINDS);
    ck_assert(!serve_calls_go_on(&calls, 109));
    ck_assert(serve_calls_go_on(&calls, 110));
    ck_assert(serve_calls_go_on(&calls, 100 + SERVE_XIDS + 9));
    /* Octets that are no Call have no kind. */
    calls = (struct serve_calls){.count = 0};
    serve_calls_add(&calls, 5, (const uint8_t[4]){0}, 4);
    ck_assert_uint_eq(calls.count, 1);
    ck_assert_uint_eq(calls.kinds, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("serve");
    tcase_add_test(tests, the_reference_requester_is_good);
    tcase_add_loop_test(tests, a_fault_is_found, 0, COUNT(faults));
    int cases = 0;
    while (serve_cases[cases].id)
        cases++;
    tcase_add_loop_test(tests, what_is_unexpected_arrives, 0, cases);
    tcase_add_test(tests, nfs3_is_answered);
    tcase_add_test(tests, calls_are_remembered);
    tcase_add_loop_test(tests, calls_have_kinds, 0, 4);
    tcase_add_test(tests, the_last_calls_are_remembered);
    return run_tests("serve", tests);
}
