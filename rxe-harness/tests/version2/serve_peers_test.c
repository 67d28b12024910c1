// SPDX-License-Identifier: BSD-3-Clause
/* Requesters of version 2 that `serve --draft` meets, other than ours: what they may do is
 * not accused. */
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/serve/version2/serve.h"
#include "rxe-harness/transport/loopback.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

static struct serve2 serve;
static struct transport *transport;
static struct requester *requester;
static struct link_options receives;

/* ---- a case, which ends with its connection, or before it ---- */

struct stage {
    const struct serve2_case *test_case;
    struct server2 *server;
};
static struct stage stage;

static void *begin(void *arg, struct link *link)
{
    stage.server = server2_new(&serve, stage.test_case, link);
    return arg;
}

static bool step(void *peer)
{
    (void)peer;
    return server2_step(stage.server, 0);
}

static void finish(void)
{
    if (stage.server)
        server2_finish(stage.server, NULL);
    stage.server = NULL;
}

static void end(void *peer)
{
    while (stage.server && step(peer))
        continue;
    finish();
}

static const struct serve2_case *find(const char *id)
{
    const struct serve2_case *test_case = serve2_cases(serve.draft);
    while (test_case->id && strcmp(test_case->id, id) != 0)
        test_case++;
    ck_assert_msg(test_case->id != NULL, "no case %s", id);
    return test_case;
}

static void meet(const char *id)
{
    /* Of -04, properties would cross the second Reply. */
    const struct requester_options options = {.timeout = 100,
                                              .draft = serve.draft,
                                              .no_properties = serve.draft == RPCRDMA_PROTOCOL_2_04,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION};
    stage.test_case = find(id);
    receives = serve2_link_options(stage.test_case);
    const struct loopback_peer peer = {
        .options = &receives, .begin = begin, .step = step, .end = end, .arg = &stage};
    transport = transport_loopback(&peer);
    requester = requester_connect(transport, &options);
    ck_assert_msg(requester != NULL, "%s", transport->error);
}

static enum ending part(void)
{
    requester_close(requester);
    transport->ops->close(transport);
    return serve.results.list[serve.results.count - 1].ending;
}

static void setup(void)
{
    serve = (struct serve2){.timeout = 100};
}

static void teardown(void)
{
    results_free(&serve.results);
}

/* ---- Receives ---- */

START_TEST(receives_are_as_long_as_is_said)
{
    for (const struct serve2_case *each = serve2_cases(drafts[_i]); each->id; each++)
        ck_assert_msg(serve2_link_options(each).receive_size >= each->receive_size, "%s", each->id);
}
END_TEST

/* ---- who leaves ---- */

/* After its second Call it leaves, whatever came. */
START_TEST(who_always_leaves_is_not_accused)
{
    serve.draft = drafts[_i];
    meet("serve-plainly");
    ck_assert(requester_null(requester, 100));
    ck_assert_int_eq(part(), ENDING_REQUIRED);
    meet("v2-reply-twice");
    ck_assert(requester_null(requester, 100));
    ck_assert_int_eq(part(), ENDING_NOT_APPLICABLE); /* it had made its last Call */
}
END_TEST

/* Who makes no Call any more, and stays, may be slow. */
START_TEST(who_is_silent_is_not_judged)
{
    serve.draft = drafts[_i];
    meet("v2-reply-twice");
    ck_assert(requester_null(requester, 100));
    finish();
    ck_assert_int_eq(part(), ENDING_NOT_APPLICABLE);
    ck_assert_str_eq(serve.results.list[0].actual, "not judged: nothing came after it");
}
END_TEST

START_TEST(who_stays_elsewhere_is)
{
    serve.draft = drafts[_i];
    meet("serve-plainly");
    ck_assert(requester_null(requester, 100));
    finish();
    ck_assert_int_eq(part(), ENDING_REQUIRED);
    meet("v2-reply-twice");
    ck_assert(requester_null(requester, 100));
    enum ending ending = part();
    ck_assert_msg(ending == ENDING_CLOSED, "%s", serve.results.list[1].actual);
}
END_TEST

/* ---- reverse Calls ---- */

static const struct link_ops *own_ops;
static struct link_ops ops;

/* The program is not the client's. */
static bool send_unavailable(struct link *link, const void *octets, size_t length,
                             const uint32_t *handle)
{
    uint8_t changed[REQUESTER_INLINE];
    memcpy(changed, octets, length);
    size_t at = length - 24; /* the RPC Reply is the last of an answer */
    if (length > 40 && rpcrdma_xdr_load32(changed + at) == rpcrdma_xdr_load32(changed) &&
        rpcrdma_xdr_load32(changed + at + 4) == 1)
        rpcrdma_xdr_store32(changed + length - 4, 1);
    return own_ops->send(link, changed, length, handle);
}

static unsigned answers, answered; /* that it makes; the first of them, which go out */

static bool send_no_answer(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    const uint8_t *at = (const uint8_t *)octets + length - 24;
    bool answer = length > 40 && rpcrdma_xdr_load32(at) == rpcrdma_xdr_load32(octets) &&
                  rpcrdma_xdr_load32(at + 4) == 1;
    answers += answer;
    return (answer && answers > answered) || own_ops->send(link, octets, length, handle);
}

static enum ending call_back(bool (*send)(struct link *, const void *, size_t, const uint32_t *),
                             bool leaves)
{
    meet("v2-reverse");
    own_ops = requester->link->ops;
    ops = *own_ops;
    ops.send = send;
    requester->link->ops = &ops;
    answers = 0;
    for (int i = 0; i < 6; i++)
        requester_null(requester, 20);
    requester->link->ops = own_ops;
    if (!leaves)
        finish();
    return part();
}

START_TEST(reverse_calls_may_be_of_no_program)
{
    serve.draft = drafts[_i];
    ck_assert_int_eq(call_back(send_unavailable, false), ENDING_REQUIRED);
}
END_TEST

START_TEST(reverse_calls_are_answered)
{
    serve.draft = drafts[_i];
    answered = 0;
    ck_assert_int_eq(call_back(send_no_answer, false), ENDING_SILENT);
    ck_assert_int_eq(call_back(send_no_answer, true), ENDING_NOT_APPLICABLE);
    answered = UINT_MAX;
    ck_assert_int_eq(call_back(send_no_answer, false), ENDING_REQUIRED);
    unsigned all = answers; /* and one Call is on its way */
    for (answered = all + 1; answered-- > 0;) {
        enum ending ending = call_back(send_no_answer, false);
        ck_assert_msg(ending == (answered < all ? ENDING_SILENT : ENDING_REQUIRED), "%u of %u: %s",
                      answered, all, serve.results.list[serve.results.count - 1].actual);
    }
}
END_TEST

/* ---- operations that are optional ---- */

/* RDMA2_RESPROP is not supported. */
static void wait_refusing(struct link *link, unsigned timeout, struct link_event *event)
{
    static const uint32_t words[] = {0, 2, 8, 4, 9}; /* INVALID_OPTION */
    uint8_t octets[sizeof words];
    own_ops->wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || event->length < 16 ||
        rpcrdma_xdr_load32(event->octets + 12) != 8)
        return;
    for (size_t i = 0; i < sizeof words / 4; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    memcpy(octets, event->octets, 4);
    own_ops->send(link, octets, sizeof octets, NULL);
    *event = (struct link_event){.type = LINK_NOTHING};
}

START_TEST(an_operation_may_be_refused)
{
    serve.draft = RPCRDMA_PROTOCOL_2_04;
    meet("v2-resprop-unasked");
    own_ops = requester->link->ops;
    ops = *own_ops;
    ops.wait = wait_refusing;
    requester->link->ops = &ops;
    for (int i = 0; i < 4; i++)
        requester_null(requester, 20);
    requester->link->ops = own_ops;
    finish();
    enum ending ending = part();
    ck_assert_msg(ending == ENDING_REQUIRED, "%s", serve.results.list[0].actual);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("serve2-peers");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, receives_are_as_long_as_is_said, 0, 2);
    tcase_add_loop_test(cases, who_always_leaves_is_not_accused, 0, 2);
    tcase_add_loop_test(cases, who_is_silent_is_not_judged, 0, 2);
    tcase_add_loop_test(cases, who_stays_elsewhere_is, 0, 2);
    tcase_add_loop_test(cases, reverse_calls_may_be_of_no_program, 0, 2);
    tcase_add_loop_test(cases, reverse_calls_are_answered, 0, 2);
    tcase_add_test(cases, an_operation_may_be_refused);
    return run_tests("serve2-peers", cases);
}
