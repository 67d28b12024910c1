// SPDX-License-Identifier: BSD-3-Clause
/*
 * Probing by version 2: the sound reference Responder has no failure, ten runs out of ten; each of
 * its answers that is changed on its way out is named by the case, or by the rule, that it breaks.
 */
#include "rxe-harness/probe/version2/probe.h"

#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/register.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- a Responder with a fault ---- */

enum { TYPE_AT = 12, CODE_AT = 16, REPLY = 13, ERROR = 4 };

enum fault {
    SOUND,
    SILENT_ON_ERRORS, /* never answers by an error */
    WRONG_CODE,       /* every error is BAD_XDR */
    ERROR_XID,        /* errors have another XID */
    ERROR_VERSION,    /* and version 2, whatever they are about */
    REPLY_XID,        /* Replies have another XID in the header */
    REPLY_TWICE,
    CREDIT_ZERO, /* nothing is ever granted */
    CLOSES,      /* it disconnects in place of an error */
    REPLY_FOR_ERROR,
    ERROR_FOR_REPLY,
    TAILED, /* errors have octets after them */
};

static enum fault fault;
static enum rpcrdma_protocol draft = RPCRDMA_PROTOCOL_2_07;
static const struct link_ops *own_ops;
static struct link_ops faulty_ops;

static bool send_reply(struct link *link, uint32_t xid, uint32_t credit)
{
    const uint32_t words[] = {xid, 2, credit, REPLY, 0, xid, 1, 0, 0, 0, 0};
    uint8_t octets[sizeof words];
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return own_ops->send(link, octets, sizeof octets, NULL);
}

static bool send_error(struct link *link, uint32_t xid, uint32_t credit)
{
    const uint32_t words[] = {xid, 2, credit, ERROR, 2};
    uint8_t octets[sizeof words];
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return own_ops->send(link, octets, sizeof octets, NULL);
}

/* The NULL before a case is left alone. */
static unsigned replies;
static unsigned connections, lives; /* connections that it accepts */

static bool send_faulty(struct link *link, const void *sent, size_t length, const uint32_t *handle)
{
    static const uint8_t longer_than_any_receive[1 << 20];
    uint8_t octets[4096 + 4] = {0};
    ck_assert_uint_le(length + 4, sizeof octets);
    memcpy(octets, sent, length);
    uint32_t xid = rpcrdma_xdr_load32(octets), credit = rpcrdma_xdr_load32(octets + 8);
    uint32_t type = rpcrdma_xdr_load32(octets + TYPE_AT);
    bool is_error = type == ERROR, is_reply = type == REPLY && replies++ > 0;
    if (fault == CREDIT_ZERO)
        rpcrdma_xdr_store32(octets + 8, 1);
    if (is_error && fault == SILENT_ON_ERRORS)
        return true;
    if (is_error && fault == CLOSES)
        return own_ops->send(link, longer_than_any_receive, sizeof longer_than_any_receive, handle);
    if (is_error && fault == REPLY_FOR_ERROR)
        return send_reply(link, xid, credit);
    if (is_reply && fault == ERROR_FOR_REPLY)
        return send_error(link, xid, credit);
    if (is_error && fault == WRONG_CODE)
        return send_error(link, xid, credit);
    if ((is_error && fault == ERROR_XID) || (is_reply && fault == REPLY_XID))
        rpcrdma_xdr_store32(octets, xid ^ 0x100);
    if (is_error && fault == ERROR_VERSION)
        rpcrdma_xdr_store32(octets + 4, 2);
    if (is_reply && fault == REPLY_TWICE)
        own_ops->send(link, octets, length, handle);
    return own_ops->send(link, octets, length + (is_error && fault == TAILED ? 4 : 0), handle);
}

static void *begin(void *arg, struct link *link)
{
    if (connections++ == lives)
        return NULL;
    own_ops = link->ops;
    faulty_ops = *own_ops;
    faulty_ops.send = send_faulty;
    if (fault != SOUND)
        link->ops = &faulty_ops;
    replies = 0;
    struct responder *responder = responder_new(link);
    ck_assert(responder_speak_version2(responder, draft));
    return responder;
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

/* ---- a network that is slow: nothing comes in less time than a case may wait for an answer ----
 */

enum { TIMEOUT = 1000 };

static bool is_slow;
static const struct transport_ops *fast_transport;
static struct transport_ops slow_transport;
static const struct link_ops *fast_ops;
static struct link_ops slow_ops;

static void wait_slowly(struct link *link, unsigned timeout, struct link_event *event)
{
    if (timeout < TIMEOUT / 2)
        *event = (struct link_event){.type = LINK_NOTHING};
    else
        fast_ops->wait(link, timeout, event);
}

static struct link *connect_slowly(struct transport *transport, const struct link_options *options)
{
    struct link *link = fast_transport->connect(transport, options);
    if (link == NULL)
        return NULL;
    fast_ops = link->ops;
    slow_ops = *fast_ops;
    slow_ops.wait = wait_slowly;
    link->ops = &slow_ops;
    return link;
}

/* ---- runs ---- */

static struct probe probe;

static void run(enum fault planted, unsigned accepts)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    fault = planted;
    connections = 0;
    lives = accepts;
    probe = (struct probe){
        .options = {.timeout = TIMEOUT,
                    .program = TEST_PROGRAM,
                    .version = 1,
                    .draft = draft,
                    .hazards.all = true},
        .peer = {.transport = transport_loopback(&peer), .invalidates = true, .forgets = true}};
    fast_transport = probe.peer.transport->ops;
    slow_transport = *fast_transport;
    slow_transport.connect = connect_slowly;
    if (is_slow)
        probe.peer.transport->ops = &slow_transport;
    ck_assert_msg(probe2_begin(&probe), "%s", probe.peer.transport->error);
    probe2_run_cases(&probe);
}

static void forget(void)
{
    results_free(&probe.run.results);
    free(probe.run.stopped);
    probe.peer.transport->ops->close(probe.peer.transport);
}

static const struct result *failure(const char *name)
{
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (ending_is_failure(result->ending) &&
            (name == NULL || strcmp(result->test, name) == 0 ||
             (result->rule && strcmp(result->rule, name) == 0)))
            return result;
    }
    return NULL;
}

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

START_TEST(sound_responder_has_no_failure)
{
    draft = drafts[_i % 2];
    run(SOUND, UINT_MAX);
    const struct result *wrong = failure(NULL);
    ck_assert_msg(wrong == NULL, "%s: %s", wrong ? wrong->test : "", wrong ? wrong->actual : "");
    ck_assert_uint_ge(probe.run.results.count, draft == RPCRDMA_PROTOCOL_2_07 ? 250 : 170);
    /* All of them are judged, but for a Call of another program; one of -07 whose XID is in two
     * Sends; one of -04 that wants a larger Receive size, which ours does not change. */
    unsigned left_out = 0;
    for (size_t i = 0; i < probe.run.results.count; i++)
        left_out += probe.run.results.list[i].ending == ENDING_NOT_APPLICABLE;
    ck_assert_uint_eq(left_out, 2);
    forget();
}
END_TEST

/* What answers a Send before the last comes late, and is not taken for the answer to the last. */
START_TEST(slow_responder_has_no_failure)
{
    draft = drafts[_i];
    is_slow = true;
    run(SOUND, UINT_MAX);
    const struct result *wrong = failure(NULL);
    ck_assert_msg(wrong == NULL, "%s: %s", wrong ? wrong->test : "", wrong ? wrong->actual : "");
    is_slow = false;
    forget();
}
END_TEST

/* It dies between two cases: as many were not run as is said, and after which one it died. */
START_TEST(what_was_not_run_is_counted)
{
    unsigned not_run = 0;
    draft = drafts[_i % 2];
    run(SOUND, 20 + (unsigned)_i);
    for (size_t i = 0; i < probe.run.results.count; i++)
        not_run += strncmp(probe.run.results.list[i].actual, "not run", 7) == 0;
    ck_assert_uint_gt(not_run, 100);
    ck_assert_uint_eq(probe.run.not_run, not_run);
    ck_assert_ptr_nonnull(probe.run.stopped);
    forget();
}
END_TEST

static const struct {
    enum fault fault;
    const char *name; /* of a case or a rule that fails */
} planted[] = {
    {SILENT_ON_ERRORS, "07-read-list-ends-in-segment"},
    {WRONG_CODE, "07-type-14"},
    {ERROR_XID, "07-read-list-ends-in-segment"},
    {ERROR_VERSION, "07-version-3-after-an-exchange"},
    {REPLY_XID, "rpcrdma2-07/7.2/xid-equal"},
    {REPLY_TWICE, "rpcrdma2-07/3.1.3/reply-matches-call"},
    {CREDIT_ZERO, "rpcrdma2-07/4.2.1/total-above-count"},
    {CLOSES, "07-read-list-ends-in-segment"},
    {REPLY_FOR_ERROR, "07-read-list-ends-in-segment"},
    {ERROR_FOR_REPLY, "07-null-inline"},
    {TAILED, "rpcrdma2-07/6.1/ends-with-header"},
};

START_TEST(fault_is_named)
{
    run(planted[_i].fault, UINT_MAX);
    ck_assert_msg(failure(planted[_i].name) != NULL, "fault %d: no failure of %s",
                  planted[_i].fault, planted[_i].name);
    forget();
}
END_TEST

/* No two cases send the same, and each names a rule of the register. */
START_TEST(cases_differ)
{
    const struct probe2_case *cases = probe2_cases(drafts[_i]);
    for (const struct probe2_case *a = cases; a->id; a++) {
        ck_assert_msg(register_find(a->rule) >= 0, "%s", a->rule);
        for (const struct probe2_case *b = cases; b != a; b++)
            ck_assert_msg(a->sends != b->sends || a->pad != b->pad || a->first != b->first ||
                              a->anew != b->anew || a->granting != b->granting ||
                              a->credit != b->credit ||
                              memcmp(a->send, b->send, sizeof a->send) != 0,
                          "%s and %s", a->id, b->id);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("probe of version 2");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, sound_responder_has_no_failure, 0, 20);
    tcase_add_loop_test(cases, slow_responder_has_no_failure, 0, COUNT(drafts));
    tcase_add_loop_test(cases, what_was_not_run_is_counted, 0, 4);
    tcase_add_loop_test(cases, fault_is_named, 0, COUNT(planted));
    tcase_add_loop_test(cases, cases_differ, 0, 2);
    return run_tests("probe of version 2", cases);
}
