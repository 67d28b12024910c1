// SPDX-License-Identifier: BSD-3-Clause
/* What a run of the probe keeps to as a whole: XIDs, credits, names, the room of its record. */
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "conformance/run/vector_index.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

/* ---- the peer: the reference Responder, and what it receives ---- */

static struct {
    uint32_t xids[4096];
    size_t count;
    unsigned at_fault, most_at_fault; /* Sends in a row */
} seen;

static struct link_ops honest, spying, probe_honest, probe_spying;
static struct transport_ops opened;
static unsigned under_way, most_under_way;
static struct link *(*connect_honestly)(struct transport *transport,
                                        const struct link_options *options);

static void look(const struct link_event *event)
{
    ck_assert_uint_lt(seen.count, COUNT(seen.xids));
    if (event->length >= 4)
        seen.xids[seen.count++] = rpcrdma_xdr_load32(event->octets);
    bool bad = event->length < RPCRDMA1_HEADER_MIN ||
               rpcrdma_xdr_load32(event->octets + RPCRDMA1_AT_PROC) == RPCRDMA1_ERROR;
    seen.at_fault = bad ? seen.at_fault + 1 : 0;
    if (seen.at_fault > seen.most_at_fault)
        seen.most_at_fault = seen.at_fault;
}

static void wait_and_look(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type == LINK_RECEIVED)
        look(event);
}

static bool send_and_count(struct link *link, const void *octets, size_t length,
                           const uint32_t *invalidate)
{
    if (++under_way > most_under_way)
        most_under_way = under_way;
    return probe_honest.send(link, octets, length, invalidate);
}

static void wait_and_count(struct link *link, unsigned timeout, struct link_event *event)
{
    probe_honest.wait(link, timeout, event);
    under_way -= event->type == LINK_RECEIVED;
}

static struct link *connect_and_count(struct transport *transport,
                                      const struct link_options *options)
{
    struct link *link = connect_honestly(transport, options);
    if (link == NULL)
        return NULL;
    probe_honest = probe_spying = *link->ops;
    probe_spying.send = send_and_count;
    probe_spying.wait = wait_and_count;
    link->ops = &probe_spying;
    under_way = 0;
    return link;
}

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    honest = spying = *link->ops;
    spying.wait = wait_and_look;
    link->ops = &spying;
    return responder_new(link);
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static struct probe probe_of(const char *const *cases)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    struct probe probe = {
        .options = {.timeout = 1000, .program = TEST_PROGRAM, .version = TEST_VERSION},
        .peer.invalidates = true};
    probe.peer.transport = transport_loopback(&peer);
    for (size_t i = 0; cases[i]; i++)
        chosen_add(&probe.options.cases, cases[i]);
    seen.count = 0;
    seen.at_fault = seen.most_at_fault = 0;
    return probe;
}

static void run(struct probe *probe)
{
    ck_assert(probe_begin(probe));
    probe_run_cases(probe);
    probe_run_table(probe);
    probe_end(probe);
}

static void finish(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    free(probe->run.stopped);
    probe->peer.transport->ops->close(probe->peer.transport);
}

/* ---- tests ---- */

static int compare(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

/* A server with a reply cache would answer a Call of a connection before for one of this one. */
START_TEST(no_xid_comes_a_second_time)
{
    static const char *const cases[] = {"echo-*", "push-*", "smallest-call",
                                        "read-list-presence-of-two", NULL};
    struct probe probe = probe_of(cases);
    run(&probe);
    ck_assert_uint_gt(seen.count, 40);
    qsort(seen.xids, seen.count, sizeof seen.xids[0], compare);
    for (size_t i = 1; i < seen.count; i++)
        ck_assert_uint_ne(seen.xids[i - 1], seen.xids[i]);
    finish(&probe);
}
END_TEST

/* As many Sends at fault as are granted, less the one Call that follows them (RFC 8166 section
 * 3.3.1). */
START_TEST(a_series_keeps_to_the_grant)
{
    static const char *const cases[][2] = {{"series-of-runts", NULL}, {"series-of-errors", NULL}};
    unsigned most = RESPONDER_CREDITS < PROBE_PARALLEL_MAX ? RESPONDER_CREDITS : PROBE_PARALLEL_MAX;
    struct probe probe = probe_of(cases[_i]);
    run(&probe);
    ck_assert_uint_eq(seen.most_at_fault, most - 1);
    finish(&probe);
}
END_TEST

/* Nor are more Calls under way than are granted where each is answered. */
START_TEST(a_series_of_calls_keeps_to_the_grant)
{
    static const char *const cases[] = {"series-of-faults", NULL};
    unsigned most = RESPONDER_CREDITS < PROBE_PARALLEL_MAX ? RESPONDER_CREDITS : PROBE_PARALLEL_MAX;
    struct probe probe = probe_of(cases);
    opened = *probe.peer.transport->ops;
    connect_honestly = opened.connect;
    opened.connect = connect_and_count;
    probe.peer.transport->ops = &opened;
    most_under_way = 0;
    run(&probe);
    ck_assert_uint_eq(most_under_way, most);
    finish(&probe);
}
END_TEST

/* A name is met where a case has it, whatever else was asked for besides. */
START_TEST(names_that_are_met_are_not_missing)
{
    static const char *const cases[] = {"echo-*", NULL};
    struct probe probe = probe_of(cases);
    probe.run.selection.mode = PROBE_COUNT;
    chosen_add(&probe.options.skipped, "push-*");
    probe_run_cases(&probe);
    ck_assert_ptr_null(probe_names_missing(&probe.options, &probe.run));
    chosen_add(&probe.options.skipped, "no-such-case");
    probe_run_cases(&probe);
    ck_assert_str_eq(probe_names_missing(&probe.options, &probe.run), "no-such-case");
    finish(&probe);
}
END_TEST

START_TEST(rules_that_have_cases_are_not_missing)
{
    static const char *const cases[] = {NULL};
    struct probe probe = probe_of(cases);
    probe.run.selection.mode = PROBE_COUNT;
    chosen_add(&probe.options.rules, "rfc*"); /* the rules of all cases themselves */
    for (const struct live_index_row *row = live_index; row->rule; row++)
        if (strcmp(row->command, "probe") == 0 && strncmp(row->cases, "around", 6) != 0 &&
            strncmp(row->rule, "rfc8166", 7) == 0)
            chosen_add(&probe.options.rules, row->rule);
    ck_assert_uint_gt(probe.options.rules.count, 1);
    probe_run_cases(&probe);
    probe_run_table(&probe);
    ck_assert_ptr_null(probe_names_missing(&probe.options, &probe.run));
    finish(&probe);
}
END_TEST

/* Of what has no room nothing is recorded, and the room does not grow by it. */
START_TEST(a_record_keeps_to_its_room)
{
    static const char *const cases[] = {"echo-*", NULL};
    struct probe probe = probe_of(cases);
    struct recorder recorder = {0};
    const size_t room = 600;
    probe.run.recording.recorder = &recorder;
    probe.run.recording.left = room;
    run(&probe);
    ck_assert_uint_le(probe.run.recording.left, room);
    record_free(&recorder);
    finish(&probe);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("run");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, no_xid_comes_a_second_time);
    tcase_add_loop_test(tests, a_series_keeps_to_the_grant, 0, 2);
    tcase_add_test(tests, a_series_of_calls_keeps_to_the_grant);
    tcase_add_test(tests, names_that_are_met_are_not_missing);
    tcase_add_test(tests, rules_that_have_cases_are_not_missing);
    tcase_add_test(tests, a_record_keeps_to_its_room);
    return run_tests("run", tests);
}
