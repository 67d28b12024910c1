// SPDX-License-Identifier: BSD-3-Clause
/*
 * A first message of version 2: Responders that do something else than RFC 8166 has it are found,
 * each by the case that is about it; none is accused that does what RFC 8166 leaves open, one that
 * speaks version 2 among them. And Requesters that are answered in version 2.
 */
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/tests/support/serve_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

static struct link_ops honest;
static unsigned refusals; /* on this connection */
static bool settled;      /* in version 2 */
static struct {
    uint8_t octets[RESPONDER_INLINE];
    size_t length;
} held;

/* ---- what goes out ---- */

enum { VERS = 4, CREDIT = 8, PROC = 12, ERR = 16, LOW = 20, HIGH = 24, ERR_VERS_LENGTH = 28 };

static uint32_t word(const uint8_t *octets, size_t at)
{
    return rpcrdma_xdr_load32(octets + at);
}

static bool is_refusal(const uint8_t *octets, size_t length)
{
    return length == ERR_VERS_LENGTH && word(octets, PROC) == RPCRDMA1_ERROR &&
           word(octets, ERR) == RPCRDMA1_ERR_VERS;
}

/* A refusal with another word in it. */
static bool send_changed(struct link *link, const uint8_t *octets, size_t length,
                         const uint32_t *handle, size_t at, uint32_t value)
{
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    if (is_refusal(octets, length))
        rpcrdma_xdr_store32(copy + at, value);
    return honest.send(link, copy, length, handle);
}

#define SENDS(name, at, value)                                                                     \
    static bool name(struct link *link, const void *octets, size_t length, const uint32_t *handle) \
    {                                                                                              \
        return send_changed(link, octets, length, handle, at, value);                              \
    }
SENDS(range_reversed, LOW, 2)
SENDS(range_from_zero, LOW, 0)
SENDS(range_without_end, HIGH, UINT32_MAX)
SENDS(range_of_others, LOW, 5)
SENDS(version_not_echoed, VERS, 1)
SENDS(xid_of_nobody, 0, 0x12345678)
SENDS(grant_too_much, CREDIT, PROBE_PARALLEL_MAX)
SENDS(code_undefined, ERR, 9)

static bool err_chunk(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    if (!is_refusal(octets, length))
        return honest.send(link, octets, length, handle);
    uint8_t error[RPCRDMA1_ERR_CHUNK_LENGTH];
    memcpy(error, octets, sizeof error);
    rpcrdma_xdr_store32(error + ERR, RPCRDMA1_ERR_CHUNK);
    return honest.send(link, error, sizeof error, NULL);
}

static bool drop_refusals(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    return is_refusal(octets, length) || honest.send(link, octets, length, handle);
}

/* Reading memory that is not there ends a connection. */
static bool hang_up(struct link *link)
{
    uint8_t none[4];
    return honest.read(link, 0xdead, 0, none, sizeof none);
}

static bool close_instead(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    return is_refusal(octets, length) ? hang_up(link) : honest.send(link, octets, length, handle);
}

static bool close_afterwards(struct link *link, const void *octets, size_t length,
                             const uint32_t *handle)
{
    bool sent = honest.send(link, octets, length, handle);
    return is_refusal(octets, length) ? hang_up(link) : sent;
}

static bool mute_afterwards(struct link *link, const void *octets, size_t length,
                            const uint32_t *handle)
{
    bool mute = refusals > 0;
    refusals += is_refusal(octets, length);
    return mute || honest.send(link, octets, length, handle);
}

/* A Receive of each refused Send is lost; in the end there is none. */
static bool lose_receives(struct link *link, const void *octets, size_t length,
                          const uint32_t *handle)
{
    refusals += is_refusal(octets, length);
    return refusals > 2u * RESPONDER_CREDITS ? hang_up(link)
                                             : honest.send(link, octets, length, handle);
}

static bool refuse_once(struct link *link, const void *octets, size_t length,
                        const uint32_t *handle)
{
    refusals += is_refusal(octets, length);
    return refusals > 1 && is_refusal(octets, length) ? true
                                                      : honest.send(link, octets, length, handle);
}

/* As allowed: the refusal comes after the answer to what was sent later. */
static bool refuse_late(struct link *link, const void *octets, size_t length,
                        const uint32_t *handle)
{
    if (is_refusal(octets, length)) {
        memcpy(held.octets, octets, length);
        held.length = length;
        return true;
    }
    bool sent = honest.send(link, octets, length, handle);
    size_t late = held.length;
    held.length = 0;
    return late > 0 ? honest.send(link, held.octets, late, NULL) : sent;
}

/* ---- what comes in ---- */

static bool send_words(struct link *link, const uint32_t *words, size_t count)
{
    uint8_t octets[64];
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return honest.send(link, octets, 4 * count, NULL);
}

static uint32_t version_of(const struct link_event *event)
{
    return event->type == LINK_RECEIVED && event->length >= 8 ? word(event->octets, VERS) : 1;
}

/* The Responder does not see it. */
static void take_away(struct link_event *event)
{
    event->length = 0;
}

/* ERR_VERS for what is to be dropped. */
static void answer_runts(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type == LINK_RECEIVED && event->length < RPCRDMA1_HEADER_MIN && event->length >= 8) {
        const uint32_t words[] = {word(event->octets, 0), version_of(event), 32, 4, 1, 1, 1};
        send_words(link, words, 7);
    }
}

static void close_at_runts(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type == LINK_RECEIVED && event->length < RPCRDMA1_HEADER_MIN)
        hang_up(link);
}

static void forget_after_runts(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (event->type != LINK_RECEIVED)
        return;
    if (refusals > 0)
        take_away(event);
    refusals += event->length > 0 && event->length < RPCRDMA1_HEADER_MIN;
}

static void answer_success(struct link *link, const struct link_event *event)
{
    uint32_t xid = word(event->octets, 0);
    const uint32_t words[] = {xid, 1, 32, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0};
    send_words(link, words, 13);
}

/* The version is looked at in the first message alone. */
static void look_once(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    bool looked = settled;
    settled = settled || event->type == LINK_RECEIVED;
    if (!looked || version_of(event) == 1)
        return;
    answer_success(link, event);
    take_away(event);
}

/* What is above version 1 is taken for it. */
static void take_later(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (version_of(event) < 3)
        return;
    answer_success(link, event);
    take_away(event);
}

static void drop_connprop(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    uint32_t type = event->length >= 16 ? word(event->octets, PROC) : 0;
    if (version_of(event) == 2 && (type == 6 || type == 7))
        take_away(event);
}

static void drop_pieces(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (version_of(event) == 2 && event->length >= 16 && word(event->octets, PROC) == 9)
        take_away(event);
}

static void drop_what_is_long(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (version_of(event) == 2 && event->length >= 1024)
        take_away(event);
}

static void drop_what_is_longer(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (version_of(event) == 2 && event->length > 1024)
        take_away(event);
}

static void drop_zero(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    if (version_of(event) == 0)
        take_away(event);
}

/* ---- those that speak version 2, and none that does not ---- */

/* To what comes in version 2 it answers by GRANT, or by an error that version 1 has not. */
static void speak_2(struct link *link, struct link_event *event, bool refuses)
{
    if (version_of(event) != 2 || event->length < 16)
        return;
    settled = true;
    const uint32_t words[] = {word(event->octets, 0), 2, 65, refuses ? 4u : 5u, 2};
    send_words(link, words, refuses ? 5 : 4);
    take_away(event);
}

static void take_version_2(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    speak_2(link, event, false);
}

static void take_other_draft(struct link *link, unsigned timeout, struct link_event *event)
{
    honest.wait(link, timeout, event);
    speak_2(link, event, true);
}

SENDS(range_to_two, HIGH, 2)

/* ---- the table ---- */

static const struct planted {
    const char *name;
    struct link_ops ops;
    const char *found_by; /* this case; or NULL: by none */
    const char *said;     /* in its result, or in its rule */
    unsigned only;        /* failures, or 0: any number */
    unsigned receives;
    size_t receive_size;
} planted[] = {
    {.name = "none"},
    {.name = "late", .ops = {.send = refuse_late}},
    {.name = "speaks version 2", .ops = {.wait = take_version_2, .send = range_to_two}},
    {.name = "speaks the other draft", .ops = {.wait = take_other_draft, .send = range_to_two}},
    {"an error of version 2, unknown",
     {.wait = take_other_draft},
     "v2-first-null-07",
     "err-chunk",
     .only = 0},
    {"err-chunk",
     {.send = err_chunk},
     "v2-first-null-04",
     "unsupported-version-answered",
     .only = 0},
    {"err-chunk, undefined version",
     {.send = err_chunk},
     "v2-first-version-3",
     "unsupported-version-answered",
     .only = 0},
    {"undefined code", {.send = code_undefined}, "v2-first-version-3", "no header", .only = 0},
    {"silent", {.send = drop_refusals}, "v2-first-null-07", "silence", .only = 0},
    {"closes", {.send = close_instead}, "v2-first-null-04", "end of the connection", .only = 0},
    {.name = "closes afterwards", .ops = {.send = close_afterwards}},
    {"mute afterwards",
     {.send = mute_afterwards},
     "v2-first-connprop-07",
     "then no answer",
     .only = 0},
    {"range reversed",
     {.send = range_reversed},
     "v2-first-null-07",
     "greater than the last",
     .only = 0},
    {"range reversed", {.send = range_reversed}, "v2-first-version-3", "range-ordered", .only = 0},
    {"range from 0",
     {.send = range_from_zero},
     "v2-first-version-0",
     "version-range-excludes-failed",
     .only = 1},
    {"range without end",
     {.send = range_without_end},
     "v2-first-version-4294967295",
     "version-range-excludes-failed",
     .only = 0},
    {"range of others", {.send = range_of_others}, "v2-first-null-04", "", .only = 0},
    {"version not echoed",
     {.send = version_not_echoed},
     "v2-first-null-04",
     "error-version",
     .only = 0},
    {"XID of nobody", {.send = xid_of_nobody}, "v2-first-null-04", "", .only = 0},
    {"answers runts", {.wait = answer_runts}, "v2-first-grant-07", "err-vers", .only = 4},
    {"closes at runts",
     {.wait = close_at_runts},
     "v2-first-connprop-04-of-24",
     "end of the connection",
     .only = 4},
    {"forgets after runts",
     {.wait = forget_after_runts},
     "v2-first-piece-07-of-24",
     "then no answer",
     .only = 4},
    {"looks at the first version alone",
     {.wait = look_once},
     "v2-after-v1-null-07",
     "unsupported-version-answered",
     .only = 0},
    {"takes later versions",
     {.wait = take_later},
     "v2-first-version-3",
     "unsupported-version-answered",
     .only = 0},
    {"drops properties", {.wait = drop_connprop}, "v2-first-connprop-04", "silence", .only = 3},
    {"drops pieces", {.wait = drop_pieces}, "v2-first-piece-07-of-28", "silence", .only = 1},
    {"drops what is long",
     {.wait = drop_what_is_long},
     "v2-first-null-04-of-1024",
     "silence",
     .only = 4},
    {"drops what is longer",
     {.wait = drop_what_is_longer},
     "v2-first-null-07-of-more",
     "silence",
     .only = 2},
    {"small Receives",
     {.send = NULL},
     "v2-first-null-07-of-more",
     "end of the connection",
     .only = 2,
     .receive_size = 2048},
    {"drops version 0", {.wait = drop_zero}, "v2-first-version-0", "silence", .only = 1},
    {"loses Receives", {.send = lose_receives}, "v2-first-in-a-row", "", .only = 1},
    {"refuses once", {.send = refuse_once}, "v2-first-step-down", "silence", .only = 2},
    {"grants too much in a refusal",
     {.send = grant_too_much},
     "v2-first-fallback",
     "a Send within the grant failed",
     .only = 1,
     .receives = 8},
};
#define PLANTED COUNT(planted)

/* ---- the peer ---- */

static void *begin(void *arg, struct link *link)
{
    static struct link_ops faulty;
    const struct planted *fault = arg;
    honest = *link->ops;
    faulty = honest;
    if (fault->ops.send)
        faulty.send = fault->ops.send;
    if (fault->ops.wait)
        faulty.wait = fault->ops.wait;
    link->ops = &faulty;
    refusals = 0;
    held.length = 0;
    settled = false;
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

static bool says(const struct result *result, const char *text)
{
    return strstr(result->actual, text) || (result->rule && strstr(result->rule, text));
}

static void judge(const struct planted *fault, const struct results *results)
{
    unsigned failed = 0, found = 0, judged = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->list[i];
        bool fails = ending_is_failure(result->ending);
        judged += result->ending != ENDING_NOT_APPLICABLE;
        failed += fails;
        bool own = fault->found_by && strcmp(result->test, fault->found_by) == 0;
        if (fault->found_by == NULL)
            ck_assert_msg(!fails, "%s: %s: %s", fault->name, result->test, result->actual);
        found += own && fails && says(result, fault->said);
        /* Nor is it as required where a finding says more. */
        ck_assert_msg(!own || result->ending != ENDING_REQUIRED, "%s: %s", fault->name,
                      result->actual);
    }
    ck_assert_uint_ge(judged, 20);
    ck_assert_msg(fault->found_by == NULL || found > 0, "%s: not found by %s", fault->name,
                  fault->found_by);
    ck_assert_msg(fault->only == 0 || failed == fault->only, "%s: %u failures", fault->name,
                  failed);
}

START_TEST(each_reaction_is_judged)
{
    const struct planted *fault = &planted[_i];
    struct planted copy = *fault;
    struct link_options options = *responder_options();
    options.receives = fault->receives ? fault->receives : options.receives;
    options.receive_size = fault->receive_size ? fault->receive_size : options.receive_size;
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = &copy};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = TEST_PROGRAM,
                                      .version = TEST_VERSION,
                                      .hazards.all = true,
                                      .wait = 1},
                          .peer.invalidates = true};
    probe.peer.transport = transport_loopback(&peer);
    chosen_add(&probe.options.cases, "v2-*");
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_end(&probe);
    judge(fault, &probe.run.results);
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    free(probe.run.stopped);
    probe.peer.transport->ops->close(probe.peer.transport);
}
END_TEST

/* A Responder whose Receives have 1024 octets says so: then there is no longer Send. */
START_TEST(a_longer_send_needs_a_larger_receive)
{
    struct link_options options = *responder_options();
    options.receive_size = 1024;
    options.private_length = 0;
    struct planted copy = {.name = "small"};
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = &copy};
    struct probe probe = {
        .options = {.timeout = 1000, .program = TEST_PROGRAM, .version = TEST_VERSION}};
    probe.peer.transport = transport_loopback(&peer);
    chosen_add(&probe.options.cases, "v2-first-null-07-of-*");
    ck_assert(probe_begin(&probe));
    probe_run_cases(&probe);
    probe_end(&probe);
    ck_assert_uint_eq(probe.run.results.count, 2);
    ck_assert_int_eq(probe.run.results.list[0].ending, ENDING_REQUIRED);
    ck_assert_int_eq(probe.run.results.list[1].ending, ENDING_NOT_APPLICABLE);
    ck_assert_str_eq(probe.run.results.list[1].actual,
                     "the peer takes no Send of more than 1024 octets");
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    probe.peer.transport->ops->close(probe.peer.transport);
}
END_TEST

/* ---- a Requester that is answered in version 2 ---- */

static const struct requester_call null_call = {.procedure = TEST_NULL};

static void call(struct requester *requester, bool takes_offence)
{
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    if (requester_begin(requester, &null_call, &pending) && takes_offence)
        requester_finish(requester, &pending, 100, &reply);
    else
        requester_receive(requester, &pending, 100, &reply);
    requester_forget(requester, &pending);
}

/* Drops what it has to drop; or takes the first message for its Reply, and goes. */
static enum ending meet(const struct serve_case *test_case, bool takes_offence)
{
    struct serve_stage stage = {.test_case = test_case, .serve.plain.count = 3};
    uint8_t octets[ANNOUNCEMENT_MAX];
    const struct link_options options = serve_link_options(test_case, octets);
    const struct loopback_peer peer = {.options = &options,
                                       .begin = serve_stage_begin,
                                       .step = serve_stage_step,
                                       .end = serve_stage_end,
                                       .arg = &stage};
    struct transport *transport = transport_loopback(&peer);
    struct requester *requester = requester_open(transport, 1000, true, NULL, NULL);
    ck_assert_ptr_nonnull(requester);
    requester->program = TEST_PROGRAM;
    requester->version = TEST_VERSION;
    call(requester, false);
    call(requester, takes_offence);
    if (!takes_offence)
        call(requester, false);
    requester_close(requester);
    transport->ops->close(transport);
    ck_assert_uint_ge(stage.serve.results.count, 1);
    enum ending ending = stage.serve.results.list[stage.serve.results.count - 1].ending;
    results_free(&stage.serve.results);
    return ending;
}

START_TEST(a_requester_bears_answers_of_version_2)
{
    unsigned met = 0;
    for (const struct serve_case *it = serve_cases; it->id; it++) {
        if (strncmp(it->id, "v2-", 3) != 0)
            continue;
        met++;
        ck_assert_msg(meet(it, false) == ENDING_REQUIRED, "%s: a sound Requester fails", it->id);
        enum ending ending = meet(it, true);
        /* Where no rule is at stake to leave is open. */
        ck_assert_msg(it->rule ? ending == ENDING_CLOSED : ending == ENDING_REQUIRED,
                      "%s: a Requester that leaves", it->id);
        ck_assert_uint_eq(rpcrdma_xdr_load32((const uint8_t[]){0, 0, 0, 2}), it->words[1]);
    }
    ck_assert_uint_eq(met, 5);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("version2");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, each_reaction_is_judged, 0, PLANTED);
    tcase_add_test(tests, a_longer_send_needs_a_larger_receive);
    tcase_add_test(tests, a_requester_bears_answers_of_version_2);
    return run_tests("version2", tests);
}
