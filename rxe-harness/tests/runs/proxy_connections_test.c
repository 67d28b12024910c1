// SPDX-License-Identifier: BSD-3-Clause
/*
 * Connections through the proxy one after the other and several at once: what is known of one says
 * nothing of another, though XIDs and handles are the same; and what the proxy reads of a client's
 * memory accuses nobody.
 */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/proxy_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

/* All Sends and chunks of the probe, good and bad; by a client that lets its memory be invalidated
 * as well: by the handle of any segment, be it without octets. */
START_TEST(all_cases_pass_through)
{
    struct probe probe = {
        .options = {.timeout = 100, .program = TEST_PROGRAM, .version = TEST_VERSION},
        .peer = {.transport = proxy_stage_open(responder_loopback(), RPCRDMA_PROTOCOL_AUTO),
                 .forgets = true}};
    probe.peer.invalidates = _i == 1;
    ck_assert_msg(probe_begin(&probe), "%s", probe.peer.transport->error);
    probe_run_cases(&probe);
    probe_run_table(&probe);
    probe_end(&probe);
    ck_assert_uint_gt(probe.run.results.count, 400);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        ck_assert_msg(!ending_is_failure(result->ending), "%s: %s", result->test, result->actual);
    }
    for (size_t i = 0; i < proxy.results.count; i++) {
        const struct result *result = &proxy.results.list[i];
        ck_assert_msg(!result->rule || strcmp(result->from, "server") != 0, "%s: %s", result->rule,
                      result->actual);
    }
    ck_assert_uint_gt(proxy_stage_accused("client"), 100);
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    free(probe.run.stopped);
    proxy_stage_close(probe.peer.transport);
}
END_TEST

/* ---- two at once ---- */

static struct transport *transport;
static struct requester *good, *bad;

static struct requester *connect_one(void)
{
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    ck_assert_ptr_nonnull(requester);
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
    return requester;
}

static void open_two(void)
{
    transport = proxy_stage_open(responder_loopback(), RPCRDMA_PROTOCOL_AUTO);
    good = connect_one();
    bad = connect_one();
}

/* Of the connection of this number: of one side, by this rule. */
static unsigned accused(unsigned number, const char *side, const char *rule)
{
    char id[32];
    unsigned count = 0;
    snprintf(id, sizeof id, "connection-%u", number);
    for (size_t i = 0; i < proxy.results.count; i++) {
        const struct result *result = &proxy.results.list[i];
        count += result->rule && strcmp(result->test, id) == 0 && strcmp(result->from, side) == 0 &&
                 (rule == NULL || strcmp(result->rule, rule) == 0);
    }
    return count;
}

/* How connection `number` ended, and what it counted. */
static const struct result *end_of(unsigned number)
{
    char id[32];
    const struct result *last = NULL;
    snprintf(id, sizeof id, "connection-%u", number);
    for (size_t i = 0; i < proxy.results.count; i++)
        if (proxy.results.list[i].rule == NULL && strcmp(proxy.results.list[i].test, id) == 0)
            last = &proxy.results.list[i];
    ck_assert_ptr_nonnull(last);
    return last;
}

static void close_two(void)
{
    requester_close(bad);
    requester_close(good);
    ck_assert(proxy_stage_gone());
}

static const uint8_t count[4] = {0, 0, 0x13, 0x8a}, item[8] = {0, 0, 0, 2, 'x', 'y'};
static const struct requester_call calls[] = {
    {.procedure = TEST_NULL},
    {.procedure = TEST_FETCH,
     .args = count,
     .args_length = 4,
     .write_segments = 3,
     .write_room = 5002},
    {.procedure = TEST_STORE,
     .args = item,
     .args_length = 8,
     .item_at = 4,
     .item_length = 2,
     .read_segments = 2},
    {.procedure = TEST_FETCH,
     .args = count,
     .args_length = 4,
     .reply_segments = 2,
     .reply_room = 5036},
};

/* The same Calls with the same handles, each while that of the other connection waits: of the same
 * XIDs, then of others. */
START_TEST(each_has_its_own_calls_and_memory)
{
    open_two();
    for (size_t i = 0; i < COUNT(calls); i++) {
        struct requester_pending pending[2];
        struct requester_reply reply;
        bad->xid += i == COUNT(calls) / 2 ? 0x100 : 0;
        ck_assert(requester_begin(good, &calls[i], &pending[0]));
        ck_assert(requester_begin(bad, &calls[i], &pending[1]));
        ck_assert(i >= COUNT(calls) / 2 || pending[0].xid == pending[1].xid);
        for (unsigned j = 0; j < 2; j++) {
            requester_receive(j == 0 ? bad : good, &pending[1 - j], 1000, &reply);
            ck_assert_msg(reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0,
                          "Call %zu: %s", i, reply.text);
        }
        requester_forget(bad, &pending[1]);
        requester_forget(good, &pending[0]);
    }
    close_two();
    ck_assert_uint_eq(results_failed(&proxy.results), 0);
    for (unsigned number = 1; number <= 2; number++)
        ck_assert_ptr_nonnull(strstr(end_of(number)->actual, "4 Calls, 0 of them unanswered"));
    proxy_stage_close(transport);
}
END_TEST

/* A Call that has no answer is that of its connection alone; and so is what is wrong with it. */
START_TEST(what_one_breaks_is_not_the_others)
{
    uint8_t call[REQUESTER_NULL];
    struct link_event event;
    open_two();
    ck_assert(requester_null(bad, 100));
    requester_null_call(bad, ++bad->xid, call);
    rpcrdma_xdr_store32(call, bad->xid + 0x100); /* not the XID of its RPC message */
    ck_assert(requester_send(bad, call, sizeof call));
    requester_wait(bad, 100, &event);
    rpcrdma_xdr_store32(call, bad->xid);
    rpcrdma_xdr_store32(call + RPCRDMA1_AT_PROC, RPCRDMA1_DONE);
    ck_assert(requester_send(bad, call, RPCRDMA1_HEADER_MIN)); /* no answer comes to that */
    requester_wait(bad, 10, &event);
    for (unsigned i = 0; i < 3; i++)
        ck_assert(requester_null(good, 100));
    close_two();
    ck_assert_uint_eq(accused(1, "client", NULL) + accused(1, "server", NULL), 0);
    ck_assert_uint_eq(accused(2, "client", "rfc8166/4.2.1/xid-equal"), 1);
    ck_assert_uint_eq(accused(2, "client", "rfc8166/4.6.2/done-not-sent"), 1);
    ck_assert_uint_eq(accused(2, "server", NULL), 0);
    ck_assert_ptr_nonnull(strstr(end_of(1)->actual, "3 Calls, 0 of them unanswered"));
    ck_assert_int_eq(end_of(1)->ending, ENDING_REQUIRED);
    proxy_stage_close(transport);
}
END_TEST

/* What a fault meets is said, though the proxy has read its chunk by then. */
START_TEST(a_fault_says_what_it_met)
{
    struct requester_pending pending;
    struct link_event event;
    ck_assert(proxy_fault_read(&proxy.fault, "drop-call:1"));
    transport = proxy_stage_open(responder_loopback(), RPCRDMA_PROTOCOL_AUTO);
    good = connect_one();
    ck_assert(requester_begin(good, &calls[2], &pending));
    requester_wait(good, 10, &event);
    requester_forget(good, &pending);
    requester_close(good);
    ck_assert_ptr_nonnull(strstr(proxy.results.list[0].actual, "on connection 1: a Call"));
    proxy_stage_close(transport);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("connections through the proxy");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, all_cases_pass_through, 0, 2);
    tcase_add_test(tests, each_has_its_own_calls_and_memory);
    tcase_add_test(tests, what_one_breaks_is_not_the_others);
    tcase_add_test(tests, a_fault_says_what_it_met);
    return run_tests("connections through the proxy", tests);
}
