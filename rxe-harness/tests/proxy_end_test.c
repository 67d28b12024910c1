// SPDX-License-Identifier: BSD-3-Clause
/* Who ended a connection through the proxy while a Call waited, and who is accused of it. */
#include "rxe-harness/proxy/proxy.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/xdr_runtime.h>
#include <stdlib.h>
#include <string.h>

static struct proxy proxy;
static struct proxy_session *session;
static struct link *sides[2]; /* the proxy's, to the client and to the server */
static const char *reason;

/* ---- a server that answers nothing ---- */

static void *begin_server(void *arg, struct link *link)
{
    (void)arg;
    return link;
}

static bool step_server(void *peer)
{
    struct link *link = peer;
    struct link_event event;
    link->ops->wait(link, 0, &event);
    return event.type == LINK_RECEIVED;
}

static void end_server(void *peer)
{
    struct link *link = peer;
    link->ops->close(link);
}

/* ---- the proxy ---- */

static void *begin(void *arg, struct link *link)
{
    sides[RPCRDMA_CLIENT] = link;
    sides[RPCRDMA_SERVER] = proxy_reach(&proxy, link);
    ck_assert_ptr_nonnull(sides[RPCRDMA_SERVER]);
    session = proxy_begin(&proxy, link, sides[RPCRDMA_SERVER]);
    return session ? arg : NULL;
}

static bool step(void *peer)
{
    (void)peer;
    return session && proxy_step(session, 0);
}

static void end(void *peer)
{
    (void)peer;
    if (session)
        proxy_end(session);
    session = NULL;
}

static void wait_closed(struct link *link, unsigned timeout, struct link_event *event)
{
    (void)timeout;
    snprintf(link->why, sizeof link->why, "%s", reason);
    *event = (struct link_event){.type = LINK_CLOSED};
}

/* A NULL waits, though it is sent once more, and then this side is gone. */
static enum ending ending_after(enum rpcrdma_endpoint side, const char *why)
{
    static const uint32_t words[] = {7, 1, 32, 0, 0, 0, 0, 7, 0, 2, 100003, 3, 0, 0, 0, 0, 0};
    uint8_t call[sizeof words];
    struct link_event event;
    struct link_options options = *responder_options();
    options.receive_size = PROXY_RECEIVE;
    const struct loopback_peer server = {.options = responder_options(),
                                         .begin = begin_server,
                                         .step = step_server,
                                         .end = end_server};
    const struct loopback_peer peer = {
        .options = &options, .begin = begin, .step = step, .end = end, .arg = &proxy};
    proxy = (struct proxy){.timeout = 1000, .target = transport_loopback(&server)};
    struct transport *transport = transport_loopback(&peer);
    struct link *client = transport->ops->connect(transport, responder_options());
    ck_assert_ptr_nonnull(client);
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(call + 4 * i, words[i]);
    for (int i = 0; i < 2; i++) {
        ck_assert(client->ops->send(client, call, sizeof call, NULL));
        client->ops->wait(client, 10, &event);
    }
    const struct link_ops *honest = sides[side]->ops;
    struct link_ops ops = *honest;
    ops.wait = wait_closed;
    sides[side]->ops = &ops;
    reason = why;
    proxy_step(session, 0);
    sides[side]->ops = honest;
    end(&proxy);
    client->ops->close(client);
    transport->ops->close(transport);
    proxy.target->ops->close(proxy.target);
    const struct result *result = &proxy.results.list[proxy.results.count - 1];
    ck_assert_msg(strstr(result->actual, "1 Calls, 1 of them unanswered") != NULL, "%s",
                  result->actual);
    ck_assert_ptr_nonnull(strstr(result->actual, why));
    ck_assert_str_eq(result->from, side == RPCRDMA_CLIENT ? "client" : "server");
    enum ending ending = result->ending;
    results_free(&proxy.results);
    return ending;
}

/* A client may leave, and ask again by another connection; its memory has to stay until then. */
START_TEST(a_client_may_leave_while_it_waits)
{
    ck_assert_int_eq(ending_after(RPCRDMA_CLIENT, LINK_LEFT), ENDING_TOLERATED);
    ck_assert_int_eq(ending_after(RPCRDMA_CLIENT, "remote access error"), ENDING_CLOSED);
}
END_TEST

START_TEST(a_server_may_not)
{
    ck_assert_int_eq(ending_after(RPCRDMA_SERVER, LINK_LEFT), ENDING_CLOSED);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("ends");
    tcase_add_test(tests, a_client_may_leave_while_it_waits);
    tcase_add_test(tests, a_server_may_not);
    return run_tests("ends of the proxy", tests);
}
